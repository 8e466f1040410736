// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/rules"
)

// A client is the other side of a server, in a test.
type client struct {
	t    *testing.T
	dir  string // a folder with the files
	conn *conn

	mu       sync.Mutex
	arrived  *sync.Cond
	answers  map[string]message
	lists    map[string][]publishParams // what was published, by URI
	requests []message                  // of the server
	status   chan int
	lastID   int
	close    func()
}

// waitFor is how long a test waits for what must come.
const waitFor = 2 * time.Minute

// everything is what a client of today understands.
const everything = `{"general":{"positionEncodings":["utf-8","utf-16"]},"workspace":{"workspaceEdit":{"documentChanges":true}},
	"textDocument":{"definition":{"linkSupport":true},"documentSymbol":{"hierarchicalDocumentSymbolSupport":true},"rename":{"prepareSupport":true},
	"codeAction":{"isPreferredSupport":true},"hover":{"contentFormat":["markdown"]},
	"publishDiagnostics":{"relatedInformation":true,"tagSupport":{"valueSet":[1,2]},"codeDescriptionSupport":true,"versionSupport":true}}}`

// start starts a server, without initialize.
func start(t *testing.T, files map[string]string, more ...*hcllint.Analyzer) *client {
	t.Helper()
	dir := realPath(t.TempDir())
	c := &client{t: t, dir: dir, answers: map[string]message{}, lists: map[string][]publishParams{}, status: make(chan int, 1)}
	c.arrived = sync.NewCond(&c.mu)
	c.write(".git/HEAD", "")
	for name, text := range files {
		c.write(name, text)
	}
	toServer, serverOut := io.Pipe()
	fromServer, clientOut := io.Pipe()
	c.conn = newConn(fromServer, serverOut)
	c.close = sync.OnceFunc(func() { serverOut.Close() })
	go func() {
		c.status <- Serve(t.Context(), toServer, clientOut, Options{Analyzers: append(rules.All(), more...), LogTo: testLog{t}, Version: "v1.2.3"})
		clientOut.Close()
	}()
	go c.read()
	t.Cleanup(c.close)
	return c
}

type testLog struct{ t *testing.T }

func (l testLog) Write(p []byte) (int, error) {
	if l.t.Context().Err() == nil {
		l.t.Logf("server: %s", bytes.TrimSpace(p))
	}
	return len(p), nil
}

func (c *client) write(name, text string) {
	c.t.Helper()
	path := filepath.Join(c.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		c.t.Fatal(err)
	}
}

// session starts a server, and initializes it with the folder of the files.
func session(t *testing.T, files map[string]string, options ...string) *client {
	t.Helper()
	return start(t, files).initialize(options...)
}

// initialize initializes the server.
func (c *client) initialize(options ...string) *client {
	c.t.Helper()
	caps, settings := everything, "{}"
	if len(options) > 0 && options[0] != "" {
		settings = options[0]
	}
	if len(options) > 1 {
		caps = options[1]
	}
	c.call("initialize", fmt.Sprintf(`{"processId":null,"workspaceFolders":[{"uri":%q,"name":"x"}],"capabilities":%s,"initializationOptions":%s}`, uriOf(c.dir), caps, settings))
	c.notify("initialized", "{}")
	return c
}

// read takes what the server sends.
func (c *client) read() {
	for {
		body, err := c.conn.read()
		if err != nil {
			return
		}
		var m message
		if err := json.Unmarshal(body, &m); err != nil {
			c.t.Errorf("the server sent %s: %v", body, err)
			return
		}
		c.mu.Lock()
		switch {
		case m.Method == "textDocument/publishDiagnostics":
			var p publishParams
			if err := json.Unmarshal(m.Params, &p); err != nil {
				c.t.Errorf("%s: %v", m.Params, err)
			}
			c.lists[p.URI] = append(c.lists[p.URI], p)
		case m.Method != "" && len(m.ID) > 0:
			c.requests = append(c.requests, m)
		case m.Method == "":
			if _, twice := c.answers[string(m.ID)]; twice {
				c.t.Errorf("two answers to %s", m.ID)
			}
			c.answers[string(m.ID)] = m
		}
		c.arrived.Broadcast()
		c.mu.Unlock()
	}
}

// until waits until a condition holds.
func (c *client) until(what string, holds func() bool) {
	c.t.Helper()
	deadline := time.AfterFunc(waitFor, c.arrived.Broadcast)
	defer deadline.Stop()
	end := time.Now().Add(waitFor)
	c.mu.Lock()
	defer c.mu.Unlock()
	for !holds() {
		if time.Now().After(end) {
			c.t.Fatalf("%s did not come", what)
		}
		c.arrived.Wait()
	}
}

// params makes parameters: $DIR stands for the URI of the folder.
func (c *client) params(params string) json.RawMessage {
	return json.RawMessage(strings.ReplaceAll(params, "$DIR", uriOf(c.dir)))
}

func (c *client) notify(method, params string) {
	c.conn.write(message{Method: method, Params: c.params(params)})
}

// send sends a request, and returns its id.
func (c *client) send(method, params string) string {
	c.mu.Lock()
	c.lastID++
	id := fmt.Sprint(c.lastID)
	c.mu.Unlock()
	c.conn.write(message{ID: json.RawMessage(id), Method: method, Params: c.params(params)})
	return id
}

func (c *client) answer(id string) message {
	c.t.Helper()
	c.until("the answer to "+id, func() bool { _, ok := c.answers[id]; return ok })
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.answers[id]
}

// call sends a request and returns its result, which must be one.
func (c *client) call(method, params string) string {
	c.t.Helper()
	m := c.answer(c.send(method, params))
	if m.Error != nil {
		c.t.Fatalf("%s: %s", method, m.Error.Message)
	}
	return strings.ReplaceAll(string(m.Result), uriOf(c.dir), "$DIR")
}

// fails sends a request that is refused, and returns the code and the message.
func (c *client) fails(method, params string) (int, string) {
	c.t.Helper()
	m := c.answer(c.send(method, params))
	if m.Error == nil {
		c.t.Fatalf("%s is not refused: %s", method, m.Result)
	}
	return m.Error.Code, m.Error.Message
}

// open opens a file with the text that it has, or another one.
func (c *client) open(name string, text ...string) {
	c.t.Helper()
	if len(text) == 0 {
		src, err := os.ReadFile(filepath.Join(c.dir, filepath.FromSlash(name)))
		if err != nil {
			c.t.Fatal(err)
		}
		text = []string{string(src)}
	}
	raw, _ := json.Marshal(text[0])
	c.notify("textDocument/didOpen", fmt.Sprintf(`{"textDocument":{"uri":"$DIR/%s","languageId":"opentofu","version":1,"text":%s}}`, name, raw))
}

// change replaces the text of an open document.
func (c *client) change(name string, version int, text string) {
	raw, _ := json.Marshal(text)
	c.notify("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":"$DIR/%s","version":%d},"contentChanges":[{"text":%s}]}`, name, version, raw))
}

// at returns the parameters of a request about the place of a mark "|" before a text in a file,
// which the text itself does not have: the first occurrence of what is around it.
func (c *client) at(name, text, around string) string {
	c.t.Helper()
	before, after, _ := strings.Cut(around, "|")
	i := strings.Index(text, before+after)
	if i < 0 {
		c.t.Fatalf("%s has no %q", name, before+after)
	}
	p := indexLines([]byte(text)).position(i+len(before), utf8Encoding)
	return fmt.Sprintf(`"textDocument":{"uri":"$DIR/%s"},"position":{"line":%d,"character":%d}`, name, p.Line, p.Character)
}

// last returns the messages of the last list of a file, once there are as many lists as wanted.
func (c *client) last(name string, lists int) []diagnostic {
	c.t.Helper()
	uri := uriOf(filepath.Join(c.dir, filepath.FromSlash(name)))
	c.until(fmt.Sprintf("list %d of %s", lists, name), func() bool { return len(c.lists[uri]) >= lists })
	c.mu.Lock()
	defer c.mu.Unlock()
	all := c.lists[uri]
	return all[len(all)-1].Diagnostics
}

// eventually waits until the last list of a file has as many diagnostics as wanted.
func (c *client) eventually(name string, n int) []diagnostic {
	c.t.Helper()
	uri := uriOf(filepath.Join(c.dir, filepath.FromSlash(name)))
	var list []diagnostic
	c.until(fmt.Sprintf("a list of %d for %s", n, name), func() bool {
		all := c.lists[uri]
		if len(all) == 0 {
			return false
		}
		list = all[len(all)-1].Diagnostics
		return len(list) == n
	})
	return list
}
