// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUI writes streams back: recorded ones, and what else is found on streams.
func TestUI(t *testing.T) {
	files, err := filepath.Glob("../../uijson/testdata/*/*/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	streams := map[string][]byte{
		"nothing":      nil,
		"mixed":        []byte("{\"@level\":\"info\",\"@message\":\"a\",\"type\":\"x\"}\r\n\nplain text\n\xff\n{\"broken\":\n"),
		"no last line": []byte("text\n{\"@level\":\"info\",\"@message\":"),
		"a long line":  []byte(strings.Repeat("x", 17<<20) + "\n{}\n"),
	}
	for _, name := range files[:min(len(files), 10)] {
		if streams[name], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	if len(streams) < 5 {
		t.Errorf("only %d streams were found", len(streams))
	}
	for name, text := range streams {
		var out bytes.Buffer
		if err := run([]string{"ui"}, bytes.NewReader(text), &out); err != nil || !bytes.Equal(out.Bytes(), text) {
			t.Errorf("%s: %d bytes became %d: %v", name, len(text), out.Len(), err)
		}
	}
}
