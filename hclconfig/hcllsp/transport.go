// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"sync"
)

// The transport is our own: what a server of an editor must do in the order of arrival (take the
// text that a request is about, note that shutdown came, cancel) is not left to a library that
// hands notifications and requests to goroutines.

// maxMessage is the size of the largest message that is read.
const maxMessage = 256 << 20

// A message is a request, a notification or a response.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"` // as it came; absent in a notification
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *wireError      `json:"error,omitempty"`
}

// Codes of errors, of JSON-RPC and of the protocol.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeNoMethod       = -32601
	codeInvalidParams  = -32602
	codeInternal       = -32603
	codeNotInitialized = -32002
	codeFailed         = -32803
	codeCancelled      = -32800
)

// A wireError is an error as the protocol has it.
type wireError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *wireError) Error() string { return e.Message }

// refuse returns an error that the client shows to its user.
func refuse(format string, args ...any) error {
	return &wireError{Code: codeFailed, Message: fmt.Sprintf(format, args...)}
}

// A conn reads and writes messages.
type conn struct {
	in *textproto.Reader

	mu  sync.Mutex
	out io.Writer
}

func newConn(in io.Reader, out io.Writer) *conn {
	return &conn{in: textproto.NewReader(bufio.NewReader(in)), out: out}
}

// read returns the body of the next message. The error is io.EOF at the end of the input.
func (c *conn) read() ([]byte, error) {
	header, err := c.in.ReadMIMEHeader()
	for err == nil && len(header) == 0 { // a blank line between messages
		header, err = c.in.ReadMIMEHeader()
	}
	if err != nil {
		return nil, fmt.Errorf("in the header of a message: %w", err)
	}
	length, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil || length < 0 || length > maxMessage {
		return nil, fmt.Errorf("the length of a message is %q", header.Get("Content-Length"))
	}
	// The buffer grows with what really comes.
	var body bytes.Buffer
	if n, err := io.CopyN(&body, c.in.R, int64(length)); err != nil {
		return nil, fmt.Errorf("a message ends after %d of %d bytes: %w", n, length, err)
	}
	return body.Bytes(), nil
}

// write sends a message.
func (c *conn) write(m message) error {
	m.Version = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err = fmt.Fprintf(c.out, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

var null = json.RawMessage("null")

// respond answers a request.
func (c *conn) respond(id json.RawMessage, result any, err error) error {
	if len(id) == 0 {
		id = null
	}
	if err != nil {
		e, ok := err.(*wireError)
		if !ok {
			e = &wireError{Code: codeInternal, Message: err.Error()}
		}
		return c.write(message{ID: id, Error: e})
	}
	raw, err := json.Marshal(result)
	if err != nil {
		return err
	}
	return c.write(message{ID: id, Result: raw})
}

// notify sends a notification.
func (c *conn) notify(method string, params any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	return c.write(message{Method: method, Params: raw})
}
