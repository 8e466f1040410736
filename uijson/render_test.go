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

// The directory testdata/render has configurations, the messages that Terraform
// 1.11.4 wrote for them, and what it printed without -json, in plain text and
// in colour. Every diagnostic must look the same.
func TestRenderLikeTheCLI(t *testing.T) {
	for _, name := range []string{"static", "dynamic"} {
		stream, err := os.ReadFile("testdata/render/" + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		plain := readText(t, "testdata/render/"+name+".txt")
		color := readText(t, "testdata/render/"+name+".color.txt")
		n := 0
		messages(stream, func(line []byte) {
			d := decode(t, line).Diagnostic
			if d == nil {
				return
			}
			n++
			if got := (uijson.Renderer{Width: 78}).Diagnostic(d); !strings.Contains(plain, got) {
				t.Errorf("%s: the CLI did not print\n%s", name, got)
			}
			if d.Range != nil && d.Range.Filename == "crlf.tf" {
				return // the CLI highlights the wrong part
			}
			if got := (uijson.Renderer{Width: 78, Color: true}).Diagnostic(d); !strings.Contains(color, got) {
				t.Errorf("%s: the CLI did not print\n%s\n%q", name, got, got)
			}
		})
		if n < 4 {
			t.Errorf("%s: %d diagnostics", name, n)
		}
	}
}

func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

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
			_ = uijson.Renderer{Color: true, Width: 20}.Diagnostic(d) // must not fail
			if c := d.ByteColumn(); c < 0 {
				t.Errorf("ByteColumn = %d", c)
			}
		})
	}
}

func TestByteColumn(t *testing.T) {
	d := &uijson.Diagnostic{
		Range:   &uijson.Range{Start: uijson.Pos{Line: 2, Column: 3}, End: uijson.Pos{Line: 2, Column: 4}},
		Snippet: &uijson.Snippet{Code: "x\n😀éz", StartLine: 1},
	}
	if got := d.ByteColumn(); got != 7 {
		t.Errorf("ByteColumn = %d, want 7", got)
	}
	d.Snippet = nil
	if got := d.ByteColumn(); got != 3 {
		t.Errorf("without a snippet, ByteColumn = %d, want 3", got)
	}
	if got := (&uijson.Diagnostic{}).ByteColumn(); got != 0 {
		t.Errorf("without a range, ByteColumn = %d, want 0", got)
	}
}

// What a provider or a program says cannot reach the terminal as a command.
func TestRenderIsHarmless(t *testing.T) {
	evil := "a\x1b[2Jb\x07\u009b31mc\x7f\u202e\r"
	context, err := uijson.ValueOf(evil)
	if err != nil {
		t.Fatal(err)
	}
	d := &uijson.Diagnostic{
		Severity: uijson.SeverityError, Summary: evil, Detail: evil, Address: evil,
		Range: &uijson.Range{Filename: evil, Start: uijson.Pos{Line: 1, Column: 1}, End: uijson.Pos{Line: 1, Column: 2}},
		Snippet: &uijson.Snippet{
			Context: context, Code: evil, StartLine: 1,
			Values:            []*uijson.ExpressionValue{{Traversal: evil, Statement: evil}},
			FunctionCall:      &uijson.FunctionCall{CalledAs: evil, Signature: &uijson.CalledFunction{Params: []*uijson.CalledParameter{{Name: evil}}, VariadicParam: &uijson.CalledParameter{Name: evil}}},
			TestAssertionExpr: &uijson.TestAssertionExpr{LHS: evil, RHS: evil, Warning: evil},
		},
		Difference: &uijson.Difference{Before: uijson.Value(`{"a\u001b":1}`), After: uijson.Value(`{"a\u001b":2}`)},
	}
	text := uijson.Renderer{}.Diagnostic(d)
	if i := strings.IndexAny(text, "\x1b\x07\x7f\u009b\u202e\r"); i >= 0 {
		t.Errorf("control character at %d of %q", i, text)
	}
}

func TestRenderDifference(t *testing.T) {
	tests := []struct {
		name string
		d    uijson.Difference
		show bool
		want []string
		not  []string
	}{
		{"scalars", uijson.Difference{Before: uijson.Value(`"a"`), After: uijson.Value(`"b"`)}, false, []string{`"a" -> "b"`}, nil},
		{"objects", uijson.Difference{Before: uijson.Value(`{"same":1,"old":2,"both":3}`), After: uijson.Value(`{"same":1,"new":4,"both":5}`)}, false,
			[]string{"- old = 2", "+ new = 4", "~ both = 3 -> 5", "1 attribute"}, nil},
		{"sensitive", uijson.Difference{Before: uijson.Value(`"secret"`), After: uijson.Value(`"b"`), BeforeSensitive: uijson.Value("true")}, false, []string{"(sensitive value)"}, []string{"secret"}},
		{"sensitive inside", uijson.Difference{Before: uijson.Value(`{"p":"secret","q":1}`), After: uijson.Value(`{"p":"x","q":2}`), BeforeSensitive: uijson.Value(`{"p":true}`), AfterSensitive: uijson.Value(`{"p":true}`)}, false, []string{"(sensitive value)", "1 -> 2"}, []string{"secret"}},
		{"shown", uijson.Difference{Before: uijson.Value(`"secret"`), After: uijson.Value(`"b"`), BeforeSensitive: uijson.Value("true")}, true, []string{"secret"}, nil},
		{"unknown", uijson.Difference{Before: uijson.Value(`1`), AfterUnknown: uijson.Value("true")}, false, []string{"1 -> (known after apply)"}, nil},
		{"nothing", uijson.Difference{}, false, []string{"null"}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := &uijson.Diagnostic{
				Severity: uijson.SeverityError, Summary: "s", Range: &uijson.Range{}, Snippet: &uijson.Snippet{}, Difference: &test.d,
			}
			got := uijson.Renderer{ShowSensitive: test.show}.Diagnostic(d)
			for _, w := range test.want {
				if !strings.Contains(got, w) {
					t.Errorf("no %q in\n%s", w, got)
				}
			}
			for _, w := range test.not {
				if strings.Contains(got, w) {
					t.Errorf("%q in\n%s", w, got)
				}
			}
		})
	}
}

func TestRenderOddDiagnostics(t *testing.T) {
	for _, d := range []*uijson.Diagnostic{
		{},
		{Severity: uijson.SeverityUnknown, Summary: "s"},
		{Severity: uijson.SeverityWarning, Range: &uijson.Range{}},
		{Severity: uijson.SeverityError, Snippet: &uijson.Snippet{}},
	} {
		for _, r := range []uijson.Renderer{{}, {Color: true}, {Width: 1}, {Width: 3, Color: true}} {
			if text := r.Diagnostic(d); !strings.HasSuffix(text, "\n") {
				t.Errorf("%+v: %q", r, text)
			}
		}
	}
}
