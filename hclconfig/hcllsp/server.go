// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
)

// Options configure [Serve]. The zero value is ready to use.
type Options struct {
	// Analyzers are the rules. The analyzer [hcllint.Checker] runs even if it is not among them.
	Analyzers []*hcllint.Analyzer
	// Version is the version of the server for the client, or empty.
	Version string
	// Log is the level of the log until the client sets one: "off", "error", "info" or "debug". If
	// empty, it is "error".
	Log string
	// LogTo, if not nil, receives the log.
	LogTo io.Writer
	// Schemas returns the output of "tofuwire schemas" in a directory. It is called only for the
	// command tofuwire.schemas, which a user calls. If nil, that command runs the program tofuwire
	// on PATH.
	Schemas func(ctx context.Context, dir string) ([]byte, error)
	// DecodeSchemas decodes the file of the setting schemas, and the result of Schemas. If nil, it
	// is [hclconfig.DecodeSchemas].
	DecodeSchemas func(src []byte) (*hclconfig.Schemas, error)
}

// Serve serves one client until it sends exit or the input ends. It returns the exit status of
// the program: 0, or 1 if the client sent exit without shutdown or if a message could not be
// read. The server also ends when the context is done.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opts Options) int {
	s := newServer(ctx, newConn(in, out), opts)
	defer s.close()
	ended := make(chan int, 1)
	go func() { ended <- s.serve() }()
	select {
	case status := <-ended:
		return status
	case <-ctx.Done():
		return 0
	}
}

// The states of a server.
type phase int

const (
	created phase = iota
	running
	stopping
)

// A server has one client. The fields without a lock belong to the goroutine that reads.
type server struct {
	ctx      context.Context
	close    func() // ends what still runs
	conn     *conn
	opts     Options
	log      *logger
	phase    phase
	disk     *disk
	names    *nameCache
	schemas  schemaCache
	findings *publisher
	told
	pending
}

// A told is what the client said. Its maps and lists are replaced, never changed: views have copies.
type told struct {
	caps     clientCapabilities
	ready    bool // the notification initialized came
	enc      encoding
	docs     map[string]*document // the open ones, by real path, or by URI if they have none
	folders  []string             // real paths
	settings settings
	terms    int      // grows with each change of settings and folders
	watched  []string // the globs that are registered
}

// A pending has the requests that have no answer yet.
type pending struct {
	work chan struct{} // a slot for each request that is worked on

	mu      sync.Mutex
	running map[string]context.CancelFunc    // requests of the client, by id
	asked   map[string]func(json.RawMessage) // requests of the server, by id
	lastID  int
}

func newServer(ctx context.Context, c *conn, opts Options) *server {
	if opts.DecodeSchemas == nil {
		opts.DecodeSchemas = hclconfig.DecodeSchemas
	}
	s := &server{
		conn: c, opts: opts, log: &logger{to: opts.LogTo, level: cmp.Or(opts.Log, "error")}, disk: newDisk(), names: newNameCache(),
		told: told{settings: defaultSettings(), enc: utf16Encoding, docs: map[string]*document{}},
		pending: pending{
			work:    make(chan struct{}, max(2, runtime.GOMAXPROCS(0))),
			running: map[string]context.CancelFunc{}, asked: map[string]func(json.RawMessage){},
		},
	}
	s.ctx, s.close = context.WithCancel(ctx)
	s.findings = newPublisher(s)
	return s
}

// serve reads messages until the client says exit or they end, and returns the exit status.
func (s *server) serve() int {
	for {
		body, err := s.conn.read()
		if errors.Is(err, io.EOF) {
			return 0
		}
		if err != nil {
			s.log.printf("error", "%v", err)
			return 1
		}
		var m message
		switch body = bytes.TrimSpace(body); {
		case !json.Valid(body):
			s.conn.respond(nil, nil, &wireError{Code: codeParse, Message: "the message is not JSON"})
		case body[0] != '{' || json.Unmarshal(body, &m) != nil:
			s.conn.respond(nil, nil, &wireError{Code: codeInvalidRequest, Message: "the message is not a request"})
		case m.Method == "exit" && s.phase == stopping:
			return 0
		case m.Method == "exit":
			return 1
		default:
			s.take(m)
		}
	}
}

// take handles one message. What has to be in the order of arrival is done here: the text that a
// request is about is that of the view that it gets.
func (s *server) take(m message) {
	switch notify := notifications[m.Method]; {
	case m.Method == "":
		s.answered(m)
	case len(m.ID) > 0 && !bytes.Equal(m.ID, null):
		s.request(m)
	case notify != nil && s.phase == running:
		notify(s, m.Params)
	}
}

// answered takes the answer of the client to a request of the server. One to nothing is dropped.
func (s *server) answered(m message) {
	s.mu.Lock()
	f := s.asked[string(m.ID)]
	delete(s.asked, string(m.ID))
	s.mu.Unlock()
	if f != nil && m.Error == nil {
		f(m.Result)
	}
}

// ask sends a request to the client. The answer is handled in the order of the messages.
func (s *server) ask(method string, params any, then func(json.RawMessage)) {
	raw, err := json.Marshal(params)
	if err != nil {
		return
	}
	s.mu.Lock()
	s.lastID++
	id := json.RawMessage(fmt.Sprintf("%q", fmt.Sprintf("tofuwire-%d", s.lastID)))
	s.asked[string(id)] = then
	s.mu.Unlock()
	s.conn.write(message{ID: id, Method: method, Params: raw})
}

// request answers a request, in a goroutine of its own unless it is about the server.
func (s *server) request(m message) {
	fail := func(code int, text string) { s.conn.respond(m.ID, nil, &wireError{Code: code, Message: text}) }
	switch handle := handlers[m.Method]; {
	case m.Method == "initialize" && s.phase == created:
		result, err := s.initialize(m.Params)
		s.conn.respond(m.ID, result, err)
	case m.Method == "initialize":
		fail(codeInvalidRequest, "initialize came before")
	case s.phase == created:
		fail(codeNotInitialized, "the server is not initialized")
	case s.phase == stopping:
		fail(codeInvalidRequest, "the server is shutting down")
	case m.Method == "shutdown":
		s.phase = stopping
		s.conn.respond(m.ID, nil, nil)
	case handle == nil:
		fail(codeNoMethod, fmt.Sprintf("there is no method %q", m.Method))
	default:
		s.start(handle, m)
	}
}

// start calls the handler of a request, for the view of now. The request is answered when the handler
// has ended, or when it is cancelled: not all that a handler calls can be stopped.
func (s *server) start(handle handler, m message) {
	ctx, cancel := context.WithCancel(s.ctx)
	key, v := string(m.ID), s.view()
	s.mu.Lock()
	_, twice := s.running[key]
	if !twice {
		s.running[key] = cancel
	}
	s.mu.Unlock()
	if twice {
		cancel()
		s.conn.respond(m.ID, nil, &wireError{Code: codeInvalidRequest, Message: "the id is in use"})
		return
	}
	var once sync.Once
	answer := func(result any, err error) {
		s.mu.Lock()
		delete(s.running, key)
		s.mu.Unlock()
		if ctx.Err() != nil {
			result, err = nil, &wireError{Code: codeCancelled, Message: "the request was cancelled"}
		}
		if err := s.conn.respond(m.ID, result, err); err != nil {
			s.log.printf("error", "%s: %v", m.Method, err)
		}
	}
	context.AfterFunc(ctx, func() { once.Do(func() { answer(nil, nil) }) })
	go func() {
		defer cancel()
		result, err := s.handle(ctx, v, handle, m)
		once.Do(func() { answer(result, err) })
	}()
}

// handle calls a handler when there is a slot for it. A panic ends this request alone.
func (s *server) handle(ctx context.Context, v *view, handle handler, m message) (result any, err error) {
	select {
	case s.work <- struct{}{}:
		defer func() { <-s.work }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() {
		if caught := recover(); caught != nil {
			s.log.printf("error", "%s panicked: %v\n%s", m.Method, caught, debug.Stack())
			result, err = nil, &wireError{Code: codeInternal, Message: fmt.Sprintf("%s failed: %v", m.Method, caught)}
		}
	}()
	start := time.Now()
	result, err = handle(s, ctx, v, m.Params)
	s.log.printf("debug", "%s: %v", m.Method, time.Since(start))
	return result, err
}

// view returns all that a request sees.
func (s *server) view() *view {
	return &view{disk: s.disk, told: s.told}
}

// A handler answers a request of one method.
type handler func(s *server, ctx context.Context, v *view, params json.RawMessage) (any, error)

// of makes a handler of a function with its type of parameters.
func of[P, R any](f func(s *server, ctx context.Context, v *view, p P) (R, error)) handler {
	return func(s *server, ctx context.Context, v *view, raw json.RawMessage) (any, error) {
		var p P
		if len(raw) > 0 {
			if err := json.Unmarshal(raw, &p); err != nil {
				return nil, &wireError{Code: codeInvalidParams, Message: err.Error()}
			}
		}
		return f(s, ctx, v, p)
	}
}

var handlers = map[string]handler{
	"textDocument/definition":        of(definition),
	"textDocument/references":        of(references),
	"textDocument/documentHighlight": of(highlight),
	"textDocument/hover":             of(hoverAt),
	"textDocument/documentSymbol":    of(documentSymbols),
	"workspace/symbol":               of(workspaceSymbols),
	"textDocument/prepareRename":     of(prepareRename),
	"textDocument/rename":            of(renameAt),
	"textDocument/formatting":        of(formatting),
	"textDocument/rangeFormatting":   of(rangeFormatting),
	"textDocument/codeAction":        of(codeActions),
	"textDocument/foldingRange":      of(foldingRanges),
	"textDocument/documentLink":      of(documentLinks),
	"workspace/executeCommand":       of(executeCommand),
	"codeAction/resolve":             of(func(_ *server, _ context.Context, _ *view, a json.RawMessage) (json.RawMessage, error) { return a, nil }),
}

// A logger writes the log.
type logger struct {
	to io.Writer

	mu    sync.Mutex
	level string
	tell  func(level, text string) // window/logMessage, or nil
}

func levelOf(name string) int { return slices.Index(logLevels, name) }

// setLevel sets the level, and what tells the client.
func (l *logger) setLevel(level string, tell func(level, text string)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.level, l.tell = level, tell
}

func (l *logger) printf(level, format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if levelOf(level) > levelOf(l.level) {
		return
	}
	text := fmt.Sprintf(format, args...)
	if l.to != nil {
		fmt.Fprintf(l.to, "%s: %s\n", level, strings.TrimRight(text, "\n"))
	}
	if l.tell != nil && levelOf(l.level) >= levelOf("info") {
		l.tell(level, text)
	}
}
