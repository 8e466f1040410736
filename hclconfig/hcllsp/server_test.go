// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestLife(t *testing.T) {
	c := start(t, nil)
	if code, _ := c.fails("textDocument/hover", "{}"); code != codeNotInitialized {
		t.Errorf("before initialize: %d", code)
	}
	result := c.call("initialize", `{"capabilities":{"general":{"positionEncodings":["utf-32","utf-16"]}}}`)
	var got struct {
		ServerInfo   struct{ Name, Version string }
		Capabilities map[string]json.RawMessage
	}
	if err := json.Unmarshal([]byte(result), &got); err != nil {
		t.Fatal(err)
	}
	if got.ServerInfo.Name != "tofuwire" || got.ServerInfo.Version != "v1.2.3" {
		t.Errorf("the server is %v", got.ServerInfo)
	}
	if string(got.Capabilities["positionEncoding"]) != `"utf-16"` || string(got.Capabilities["renameProvider"]) != "true" {
		t.Errorf("capabilities: %s", result)
	}
	for _, absent := range []string{"completionProvider", "signatureHelpProvider", "semanticTokensProvider", "diagnosticProvider"} {
		if _, ok := got.Capabilities[absent]; ok {
			t.Errorf("%s is announced", absent)
		}
	}
	for name, code := range map[string]int{"initialize": codeInvalidRequest, "textDocument/completion": codeNoMethod, "$/nothing": codeNoMethod} {
		if got, _ := c.fails(name, "{}"); got != code {
			t.Errorf("%s: %d", name, got)
		}
	}
	c.notify("$/nothing", "{}")
	c.call("shutdown", "null")
	if code, _ := c.fails("textDocument/hover", "{}"); code != codeInvalidRequest {
		t.Errorf("after shutdown: %d", code)
	}
	c.notify("exit", "null")
	if got := <-c.status; got != 0 {
		t.Errorf("exit status %d", got)
	}
}

func TestEnds(t *testing.T) {
	c := start(t, nil)
	c.notify("exit", "null")
	if got := <-c.status; got != 1 {
		t.Errorf("exit without shutdown: status %d", got)
	}
	c = session(t, nil)
	c.close()
	if got := <-c.status; got != 0 {
		t.Errorf("at the end of the input: status %d", got)
	}
}

// TestMessages sends what is no good message, and a good one in pieces.
func TestMessages(t *testing.T) {
	in, out := io.Pipe()
	back, server := io.Pipe()
	go func() {
		Serve(t.Context(), in, server, Options{})
		server.Close()
	}()
	answers := newConn(back, nil)
	answer := func() string {
		body, err := answers.read()
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	send := func(text string) { go io.WriteString(out, text) }
	send("Content-Length: 3\r\n\r\n{a}")
	if got := answer(); !strings.Contains(got, `"id":null`) || !strings.Contains(got, "-32700") {
		t.Errorf("no JSON: %s", got)
	}
	body := `{"jsonrpc":"2.0","id":"x-1","method":"initialize","params":{"capabilities":{}}}`
	text := fmt.Sprintf("content-TYPE: application/json\r\nCONTENT-length:%d\r\n\r\n%s", len(body), body)
	go func() {
		for i := range len(text) {
			io.WriteString(out, text[i:i+1])
		}
	}()
	if got := answer(); !strings.Contains(got, `"id":"x-1"`) || !strings.Contains(got, "serverInfo") {
		t.Errorf("in pieces: %s", got)
	}
	for _, id := range []string{`7`, `-1`, `"7"`, `1.0`} {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"nothing"}`, id)
		send(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body))
		if got := answer(); !strings.Contains(got, `"id":`+id+",") {
			t.Errorf("id %s: %s", id, got)
		}
	}
	out.Close()
}

// TestOrder sends a request behind a change without waiting: it is about the new text.
func TestOrder(t *testing.T) {
	c := session(t, map[string]string{"main.tf": "locals {\n  a = 1\n}\n"})
	c.open("main.tf")
	for i := range 20 {
		name := fmt.Sprintf("name_%d", i)
		c.change("main.tf", i+2, "locals {\n  "+name+" = 1\n}\n")
		id := c.send("textDocument/documentSymbol", `{"textDocument":{"uri":"$DIR/main.tf"}}`)
		defer func() {
			if got := string(c.answer(id).Result); !strings.Contains(got, name) {
				t.Errorf("%s is not in %s", name, got)
			}
		}()
	}
}

func TestCancel(t *testing.T) {
	c := session(t, map[string]string{"main.tf": "locals {\n  a = 1\n}\n"})
	c.notify("$/cancelRequest", `{"id":12345}`)
	for range 20 {
		id := c.send("workspace/symbol", `{"query":""}`)
		c.notify("$/cancelRequest", fmt.Sprintf(`{"id":%s}`, id))
		if m := c.answer(id); m.Error != nil && m.Error.Code != codeCancelled {
			t.Errorf("got %v", m.Error)
		}
		c.notify("$/cancelRequest", fmt.Sprintf(`{"id":%s}`, id))
	}
}

func TestChanges(t *testing.T) {
	for _, enc := range []encoding{utf8Encoding, utf16Encoding} {
		unit := map[encoding]int{utf8Encoding: 4, utf16Encoding: 2}[enc]
		text := []byte("a😀b\r\nc\rd\n")
		for _, tt := range []struct {
			start, end position
			text, want string
		}{
			{position{0, 1}, position{0, 1 + unit}, "x", "axb\r\nc\rd\n"},
			{position{0, 2}, position{0, 1 + unit}, "x", "axb\r\nc\rd\n"}, // within the character: its start
			{position{0, 99}, position{0, 99}, "x", "a😀bx\r\nc\rd\n"},
			{position{99, 0}, position{99, 0}, "x", "a😀b\r\nc\rd\nx"},
			{position{1, 1}, position{1, 2}, "", "a😀b\r\ncd\n"}, // a lone \r ends no line
			{position{1, 3}, position{2, 0}, "x", "a😀b\r\nc\rdx"},
		} {
			if got := string(applyChange(text, contentChange{Range: &textRange{tt.start, tt.end}, Text: tt.text}, enc)); got != tt.want {
				t.Errorf("%s: %v to %v: got %q, want %q", enc, tt.start, tt.end, got, tt.want)
			}
		}
	}
}

func TestSettings(t *testing.T) {
	s, faults := readSettings(json.RawMessage(`{"tool":"terraform","release":"1.9","lint":{"only":["a"],"enabled":"yes","x":1},"log":7,"more":true}`))
	if s.tool != "terraform" || s.release != "1.9" || len(s.lint.only) != 1 || !s.lint.enabled || s.log != "" {
		t.Errorf("got %+v", s)
	}
	if len(faults) != 4 {
		t.Errorf("faults: %q", faults)
	}
}
