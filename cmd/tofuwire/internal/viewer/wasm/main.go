// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build js

// Wasm is the part of the viewer that runs in a worker of the browser: the
// functions of package session, for the script worker.js.
//
// It sets the global viewer to a function of a method, its arguments as JSON,
// a File or null, and a function that takes events. The function returns a
// promise of the result as JSON.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"syscall/js"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/viewer/session"
)

// A request is what the page asks.
type request struct {
	ID     int               `json:"id"`
	Name   string            `json:"name"`
	N      int               `json:"n"`
	Text   string            `json:"text"`
	First  int               `json:"first"`
	Second int               `json:"second"`
	Redact session.Redaction `json:"redact"`
}

var (
	// The stack of a worker has room for some 900 levels.
	open = session.Session{MaxDepth: 500}
	turn sync.Mutex // one request at a time
)

func main() {
	js.Global().Set("viewer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		method, text, blob, event := args[0].String(), args[1].String(), args[2], args[3]
		return promise(func() (any, error) {
			turn.Lock()
			defer turn.Unlock()
			var r request
			if err := json.Unmarshal([]byte(text), &r); err != nil {
				return nil, err
			}
			return answer(method, r, blob, event)
		})
	}))
	select {}
}

func answer(method string, r request, blob, event js.Value) (any, error) {
	emit := func(name string, value any) {
		text, err := json.Marshal(value)
		if err == nil {
			event.Invoke(name, string(text))
		}
	}
	switch method {
	case "open":
		src := newFile(blob)
		info, err := open.Open(r.ID, r.Name, src, emit)
		if err != nil {
			return map[string]any{"fault": session.NewFault(err, src)}, nil
		}
		debug.FreeOSMemory()
		return info, nil
	case "lines":
		return open.Lines(r.ID, r.N)
	case "search":
		return open.Search(r.ID, r.Text)
	case "compare":
		return open.Compare(r.ID, r.First, r.Second, emit)
	case "graph":
		return open.Graph(r.ID)
	case "find":
		return open.Find(r.ID, r.Text)
	case "around":
		return open.Around(r.ID, r.N)
	case "timeline":
		return open.Timeline(r.ID)
	case "redact":
		out := &output{event: event}
		result, err := open.Redact(r.ID, r.Redact, out, emit)
		out.flush()
		return result, err
	}
	return nil, fmt.Errorf("there is no method %q", method)
}

// promise runs f in a goroutine of its own, which can wait for the browser.
func promise(f func() (any, error)) js.Value {
	var executor js.Func
	executor = js.FuncOf(func(_ js.Value, args []js.Value) any {
		resolve, reject := args[0], args[1]
		go func() {
			defer executor.Release()
			result, err := f()
			if err == nil {
				var text []byte
				if text, err = json.Marshal(result); err == nil {
					resolve.Invoke(string(text))
					return
				}
			}
			reject.Invoke(js.Global().Get("Error").New(err.Error()))
		}()
		return nil
	})
	return js.Global().Get("Promise").New(executor)
}

// A file reads a File of the browser in slices. While it waits, the worker
// answers other messages.
type file struct {
	blob js.Value
	size int64

	// What was read last, ahead of what was asked for.
	start int64
	ahead []byte
}

const sliceSize = 4 << 20

func newFile(blob js.Value) *file { return &file{blob: blob, size: int64(blob.Get("size").Float())} }

func (f *file) Size() int64 { return f.size }

func (f *file) ReadAt(b []byte, at int64) (int, error) {
	n := 0
	for n < len(b) {
		if at >= f.size {
			return n, io.EOF
		}
		if at < f.start || at >= f.start+int64(len(f.ahead)) {
			if err := f.load(at); err != nil {
				return n, err
			}
		}
		k := copy(b[n:], f.ahead[at-f.start:])
		n += k
		at += int64(k)
	}
	return n, nil
}

// load reads the slice that begins at a place.
func (f *file) load(at int64) error {
	slice := f.blob.Call("slice", float64(at), float64(min(at+sliceSize, f.size)))
	type result struct {
		array js.Value
		err   error
	}
	done := make(chan result, 1)
	success := js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- result{array: js.Global().Get("Uint8Array").New(args[0])}
		return nil
	})
	failure := js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- result{err: errors.New("the browser cannot read the file: " + args[0].Get("message").String())}
		return nil
	})
	defer success.Release()
	defer failure.Release()
	slice.Call("arrayBuffer").Call("then", success, failure)
	r := <-done
	if r.err != nil {
		return r.err
	}
	n := r.array.Get("length").Int()
	if cap(f.ahead) < n {
		f.ahead = make([]byte, n)
	}
	f.start, f.ahead = at, f.ahead[:n]
	if js.CopyBytesToGo(f.ahead, r.array) != n || n == 0 {
		f.ahead = f.ahead[:0]
		return io.ErrUnexpectedEOF
	}
	return nil
}

// An output hands bytes to the page in large pieces.
type output struct {
	event   js.Value
	pending bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.pending.Write(b)
	if o.pending.Len() >= sliceSize {
		o.flush()
	}
	return len(b), nil
}

func (o *output) flush() {
	array := js.Global().Get("Uint8Array").New(o.pending.Len())
	js.CopyBytesToJS(array, o.pending.Bytes())
	o.pending.Reset()
	o.event.Invoke("bytes", array)
}
