// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack_test

import (
	"os"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// The directory testdata/render has configurations, the messages that Terraform
// 1.11.4 wrote for them, and what it printed without -json, in plain text and
// in colour. Every diagnostic must look the same.
func TestRenderLikeTheCLI(t *testing.T) {
	for _, name := range []string{"static", "dynamic"} {
		stream, err := os.ReadFile("../testdata/render/" + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		plain := readText(t, "../testdata/render/"+name+".txt")
		color := readText(t, "../testdata/render/"+name+".color.txt")
		n := 0
		messages(stream, func(line []byte) {
			d := decode(t, line).Diagnostic
			if d == nil {
				return
			}
			n++
			if got := (uitrack.Renderer{Width: 78}).Diagnostic(d); !strings.Contains(plain, got) {
				t.Errorf("%s: the CLI did not print\n%s", name, got)
			}
			if d.Range != nil && d.Range.Filename == "crlf.tf" {
				return // the CLI highlights the wrong part
			}
			if got := (uitrack.Renderer{Width: 78, Color: true}).Diagnostic(d); !strings.Contains(color, got) {
				t.Errorf("%s: the CLI did not print\n%s\n%q", name, got, got)
			}
		})
		if n < 4 {
			t.Errorf("%s: %d diagnostics", name, n)
		}
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
	text := uitrack.Renderer{}.Diagnostic(d)
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
			got := uitrack.Renderer{ShowSensitive: test.show}.Diagnostic(d)
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
		for _, r := range []uitrack.Renderer{{}, {Color: true}, {Width: 1}, {Width: 3, Color: true}} {
			if text := r.Diagnostic(d); !strings.HasSuffix(text, "\n") {
				t.Errorf("%+v: %q", r, text)
			}
		}
	}
}
