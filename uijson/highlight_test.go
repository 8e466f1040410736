// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/uijson"
)

// The part at fault is found in files with CRLF line endings, behind tabs and
// behind characters of several code points.
func TestHighlight(t *testing.T) {
	stream, err := os.ReadFile("testdata/render/static.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"crlf.tf:5":  ".missing",
		"main.tf:16": `"tab"`,
		"main.tf:20": ".nothing",
		"main.tf:34": "3",
	}
	messages(stream, func(line []byte) {
		d := decode(t, line).Diagnostic
		if d == nil || d.Range == nil {
			return
		}
		at := d.Range.Filename + ":" + itoa(d.Range.Start.Line)
		start, end := d.Highlight()
		got := d.Snippet.Code[start:end]
		if w, ok := want[at]; ok && !strings.HasPrefix(got, w) {
			t.Errorf("%s: highlighted %q, want %q", at, got, w)
		}
		delete(want, at)
	})
	if len(want) > 0 {
		t.Errorf("no diagnostic at %v", want)
	}
}

func itoa(n int) string { return string(bytes.TrimSpace(encodeInt(n))) }

func encodeInt(n int) []byte {
	var digits []byte
	for ; n > 0; n /= 10 {
		digits = append([]byte{byte('0' + n%10)}, digits...)
	}
	return digits
}

func TestHighlightOfOddSnippets(t *testing.T) {
	tests := []struct {
		name       string
		code       string
		line       int
		start, end uijson.Pos
		offsets    [2]int
		want       string
	}{
		{"one column", "abc", 1, uijson.Pos{Line: 1, Column: 2}, uijson.Pos{Line: 1, Column: 3}, [2]int{1, 2}, "b"},
		{"emoji is one column", "👩‍👩‍👧x", 1, uijson.Pos{Line: 1, Column: 2}, uijson.Pos{Line: 1, Column: 3}, [2]int{18, 19}, "x"},
		{"flags are pairs", "🇨🇭🇩🇪x", 1, uijson.Pos{Line: 1, Column: 3}, uijson.Pos{Line: 1, Column: 4}, [2]int{16, 17}, "x"},
		{"combining mark", "e\u0301x", 1, uijson.Pos{Line: 1, Column: 2}, uijson.Pos{Line: 1, Column: 3}, [2]int{3, 4}, "x"},
		{"Hangul spelled out", "\u1112\u1161\u11abx", 1, uijson.Pos{Line: 1, Column: 2}, uijson.Pos{Line: 1, Column: 3}, [2]int{9, 10}, "x"},
		{"several lines", "ab\ncd", 4, uijson.Pos{Line: 4, Column: 2}, uijson.Pos{Line: 5, Column: 2}, [2]int{1, 4}, "b\nc"},
		{"offsets of a CRLF file", "ab\ncd", 4, uijson.Pos{Line: 5, Column: 1}, uijson.Pos{Line: 5, Column: 3}, [2]int{4, 6}, "cd"},
		{"end of line", "ab", 1, uijson.Pos{Line: 1, Column: 3}, uijson.Pos{Line: 1, Column: 4}, [2]int{2, 3}, ""},
		{"place outside, offsets inside", "ab", 9, uijson.Pos{Line: 1, Column: 1}, uijson.Pos{Line: 1, Column: 2}, [2]int{1, 2}, "b"},
		{"everything outside", "ab", 9, uijson.Pos{Line: 1, Column: 1}, uijson.Pos{Line: 1, Column: 2}, [2]int{100, 200}, ""},
		{"negative", "ab", 9, uijson.Pos{}, uijson.Pos{}, [2]int{-5, -7}, ""},
		{"end before start", "abc", 9, uijson.Pos{}, uijson.Pos{}, [2]int{2, 1}, "c"},
		{"inside a character", "aé", 9, uijson.Pos{}, uijson.Pos{}, [2]int{2, 2}, "é"},
		{"no code", "", 1, uijson.Pos{Line: 1, Column: 1}, uijson.Pos{Line: 1, Column: 2}, [2]int{0, 0}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := &uijson.Diagnostic{
				Severity: uijson.SeverityError, Summary: "s",
				Range: &uijson.Range{Filename: "f", Start: test.start, End: test.end},
				Snippet: &uijson.Snippet{
					Code: test.code, StartLine: test.line,
					HighlightStartOffset: test.offsets[0], HighlightEndOffset: test.offsets[1],
				},
			}
			start, end := d.Highlight()
			if start < 0 || start > end || end > len(test.code) {
				t.Fatalf("Highlight = %d, %d of %d bytes", start, end, len(test.code))
			}
			if got := test.code[start:end]; got != test.want {
				t.Errorf("highlighted %q, want %q", got, test.want)
			}
		})
	}
}
