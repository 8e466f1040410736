// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"bytes"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/uijson"
)

// TestDecoder decodes all recorded lines with one Decoder, and requires that
// nothing of a line is left in the message of the next one.
func TestDecoder(t *testing.T) {
	var d uijson.Decoder
	lines := 0
	err := fs.WalkDir(os.DirFS("testdata"), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".jsonl") {
			return err
		}
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			return err
		}
		for line := range bytes.Lines(text) {
			want, wantErr := uijson.Decode(line)
			got, err := d.Decode(line)
			if (err == nil) != (wantErr == nil) {
				t.Fatalf("%s: %v, and %v: %s", name, err, wantErr, line)
			}
			if err != nil {
				continue
			}
			lines++
			out, err := uijson.Encode(got)
			if err != nil || !bytes.Equal(out, line) {
				t.Fatalf("%s: %v\n in  %s out %s", name, err, line, out)
			}
			if !uijson.Equal(got, want) || got.Level != want.Level || got.Text != want.Text || got.Type != want.Type ||
				(got.Hook == nil) != (want.Hook == nil) || (got.Change == nil) != (want.Change == nil) ||
				(got.Diagnostic == nil) != (want.Diagnostic == nil) || (got.Outputs == nil) != (want.Outputs == nil) {
				t.Fatalf("%s: fields of another line: %s", name, line)
			}
		}
		return nil
	})
	if err != nil || lines < 1000 {
		t.Fatalf("%d lines: %v", lines, err)
	}
}

// Count the errors in lines that are in memory.
func ExampleDecoder() {
	log := `{"@level":"info","@message":"a","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000001Z","type":"log"}
{"@level":"error","@message":"Error: b","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000002Z","diagnostic":{"severity":"error","summary":"b","detail":""},"type":"diagnostic"}
`
	var d uijson.Decoder
	for line := range strings.Lines(log) {
		m, err := d.Decode([]byte(line))
		if err == nil && m.Diagnostic != nil {
			os.Stdout.WriteString(m.Diagnostic.Summary + "\n")
		}
	}
	// Output: b
}
