// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package session

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
)

// pieces reads n bytes at once at most.
type pieces struct {
	r io.Reader
	n int
}

func (p pieces) Read(b []byte) (int, error) { return p.r.Read(b[:min(len(b), p.n)]) }

// A depthReader fails at the first bracket that is too deep, however the text is
// cut into pieces, and counts no bracket in a string.
func TestDepth(t *testing.T) {
	for _, tt := range []struct {
		text         string
		lines        bool
		at           int // -1 if all of it is passed on
		line, column int
	}{
		{text: `{"a":[{"b":1},{}]}`, at: -1},
		{text: `{"a":[{"b":[]}]}`, at: 11, line: 1, column: 12},
		{text: "{\n \"a\": [\n  {\"b\":{}}]}", at: 17, line: 3, column: 8},
		{text: `["[[[[","\"[[[[","\\",["\\\"[[[["],"\\[\\"]`, at: -1},
		{text: `["\\",[["\\"],[[]]]]`, at: 15, line: 1, column: 16},
		{text: `["` + strings.Repeat(`\\`, 50) + `",[[[`, at: 106, line: 1, column: 107},
		{text: `["` + strings.Repeat(`\\`, 50) + `\"",[[[`, at: 108, line: 1, column: 109},
		{text: "[[[\n[[[\n\"[\n[[[\n", lines: true, at: -1},
		{text: "\"\\\n[\n[[[[", lines: true, at: 8, line: 3, column: 4},
		{text: "]]]][[[[", at: 7, line: 1, column: 8},
		{text: "", at: -1},
	} {
		for n := 1; n <= len(tt.text)+1; n++ {
			got, err := io.ReadAll(&depthReader{r: pieces{strings.NewReader(tt.text), n}, limit: 3, lines: tt.lines})
			if tt.at < 0 {
				if err != nil || string(got) != tt.text {
					t.Fatalf("%q in pieces of %d: %q, %v", tt.text, n, got, err)
				}
				continue
			}
			var e *planjson.Error
			if !errors.As(err, &e) || string(got) != tt.text[:tt.at] || e.Offset != int64(tt.at) || e.Line != tt.line || e.Column != tt.column {
				t.Fatalf("%q in pieces of %d: %q, %#v", tt.text, n, got, err)
			}
		}
	}
	// It goes on failing.
	d := &depthReader{r: strings.NewReader("[["), limit: 1}
	if n, err := d.Read(make([]byte, 9)); n != 1 || err == nil {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := d.Read(make([]byte, 9)); n != 0 || err == nil {
		t.Errorf("%d, %v", n, err)
	}
}

// A Session with a limit refuses what is too deep in each kind of document, and
// says where it is.
func TestMaxDepth(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, tt := range []struct{ name, before, after string }{
		{"plan.json", `{"format_version":"1.2","planned_values":{"root_module":{}},"resource_changes":[{"address":"a.b","mode":"managed","type":"a","name":"b","provider_name":"p","change":{"actions":["create"],"before":null,"after":{"x":`,
			`},"after_unknown":{},"before_sensitive":false,"after_sensitive":{}}}],"configuration":{"root_module":{}}}`},
		{"state.json", `{"format_version":"1.0","values":{"root_module":{"resources":[{"address":"a.b","mode":"managed","type":"a","name":"b","provider_name":"p","schema_version":0,"values":{"x":`, `},"sensitive_values":{}}]}}}`},
		{"outputs.json", `{"o":{"sensitive":false,"type":"dynamic","value":`, `}}`},
		{"run.jsonl", "\x1b[1m\x1b[0m\x1b[1m\x1b[0m\x1b[1m\x1b[0m\x1b[1m\x1b[0m\x1b[1m\x1b[0m\x1b[1m\x1b[0m\n" +
			`{"@level":"info","@message":"m","@module":"tofu.ui","@timestamp":"2026-01-01T00:00:00Z","type":"outputs","outputs":{"o":{"sensitive":false,"type":"dynamic","value":`, "}}}\n"},
	} {
		s := &Session{MaxDepth: 12}
		open := func(n int) error {
			text := tt.before + deep(n) + tt.after
			_, err := s.Open(1, tt.name, bytes.NewReader([]byte(text)), func(string, any) {})
			return err
		}
		if err := open(3); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		err := open(12)
		var e *planjson.Error
		if !errors.As(err, &e) || e.Offset < int64(len(tt.before)) || e.Offset >= int64(len(tt.before)+12) || !strings.Contains(err.Error(), "more than 12 levels deep") {
			t.Errorf("%s: %v", tt.name, err)
		}
		s.MaxDepth = 0
		if err := open(12); err != nil {
			t.Errorf("%s, no limit: %v", tt.name, err)
		}
	}
}
