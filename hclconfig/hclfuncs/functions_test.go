// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclfuncs_test

import (
	"bufio"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclfuncs"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// folder has the files of the directory in which the calls were recorded.
var folder = fstest.MapFS{"b.txt": {Data: []byte("x\n")}, "t/a.tpl": {Data: []byte("hello ${name}!\n")}}

func context(d hclconfig.Dialect) *hcl.EvalContext {
	return &hcl.EvalContext{Functions: hclfuncs.Functions(d, hclfuncs.Options{
		FS: folder, Home: "/home/ann", Time: time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC), UUID: func() string { return "id" },
	})}
}

// evaluate returns the value of an expression as JSON, or the summary of the error.
func evaluate(t *testing.T, ctx *hcl.EvalContext, text string) (value, summary string) {
	t.Helper()
	x, diags := hclsyntax.ParseExpression([]byte(text), "x", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatalf("%s: %v", text, diags)
	}
	v, diags := x.Value(ctx)
	if diags.HasErrors() {
		return "", diags.Errs()[0].(*hcl.Diagnostic).Summary
	}
	v, _ = v.UnmarkDeep()
	src, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		return "", err.Error()
	}
	return string(src), ""
}

// TestRecorded compares calls with what the consoles of both tools answered: value or summary.
// testdata/calls.tsv has a line for each, in the folder of the test: tool, expression, value as
// jsonencode writes it, or the summary behind an exclamation mark.
func TestRecorded(t *testing.T) {
	f, err := os.Open("testdata/calls.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	contexts := map[string]*hcl.EvalContext{"tofu": context(hclconfig.OpenTofu), "terraform": context(hclconfig.Terraform.At(mustVersion("1.11.4")))}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		fields := strings.SplitN(lines.Text(), "\t", 3)
		n++
		value, summary := evaluate(t, contexts[fields[0]], fields[1])
		if want, refused := strings.CutPrefix(fields[2], "!"); refused {
			if summary != want {
				t.Errorf("%s: %s: got %q %q, want %q", fields[0], fields[1], value, summary, want)
			}
			continue
		}
		var got, want any
		if summary != "" || json.Unmarshal([]byte(value), &got) != nil || json.Unmarshal([]byte(fields[2]), &want) != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %s: got %s%q, want %s", fields[0], fields[1], value, summary, fields[2])
		}
	}
	if n < 1000 {
		t.Errorf("only %d calls", n)
	}
}

// TestSet has what no recording has: paths, clocks, identifiers.
func TestSet(t *testing.T) {
	ctx := context(hclconfig.OpenTofu)
	for text, want := range map[string]string{
		`abspath("a/../b")`: `"/b"`, `pathexpand("~/x")`: `"/home/ann/x"`, `timestamp()`: `"2026-01-31T12:00:00Z"`, `plantimestamp()`: `"2026-01-31T12:00:00Z"`, `uuid()`: `"id"`,
		`base64gunzip(base64gzip("text"))`: `"text"`, `length(bcrypt("x", 4))`: `60`, `core::upper("a")`: `"A"`,
		`fileset(".", "{*.txt,t/*}")`: `["b.txt","t/a.tpl"]`, `fileset(".", "**/*.tpl")`: `["t/a.tpl"]`, `fileset("t", "*")`: `["a.tpl"]`, `fileset("none", "*")`: `[]`,
		`fileexists("b.txt")`: `true`, `fileexists("c.txt")`: `false`,
		`templatefile("t/a.tpl", { name = templatestring("$${x}", { x = "y" }) })`: `"hello y!\n"`,
	} {
		if got, summary := evaluate(t, ctx, text); got != want {
			t.Errorf("%s: got %s%q, want %s", text, got, summary, want)
		}
	}
	for _, text := range []string{`fileexists("t")`, `file("t")`, `templatefile("t/a.tpl", {})`, `templatestring("$${templatefile(\"t/a.tpl\", {})}", {})`, `bcrypt("x", 31)`} {
		if got, summary := evaluate(t, ctx, text); summary == "" {
			t.Errorf("%s: got %s", text, got)
		}
	}
}

// TestSignatures: each function of each release has a signature with as many parameters, and the
// releases have as many functions as their programs print.
func TestSignatures(t *testing.T) {
	if got := (hclfuncs.Signature{}).String("nothing"); got != "nothing() any" {
		t.Errorf("the zero value is %q", got)
	}
	for _, tt := range []struct {
		dialect hclconfig.Dialect
		want    int // with those that "metadata functions" leaves out: list and map, and their core:: names
	}{
		{hclconfig.OpenTofu.At(mustVersion("1.8.0")), 240 + 4}, {hclconfig.OpenTofu.At(mustVersion("1.12.0")), 242 + 4},
		{hclconfig.Terraform.At(mustVersion("1.11.0")), 236 + 4}, {hclconfig.Terraform.At(mustVersion("1.14.0")), 236 + 4},
	} {
		signatures := hclfuncs.Signatures(tt.dialect)
		functions := hclfuncs.Functions(tt.dialect, hclfuncs.Options{})
		if len(signatures) != len(functions) {
			t.Errorf("%v: %d signatures of %d functions", tt.dialect, len(signatures), len(functions))
		}
		if len(signatures) != tt.want {
			t.Errorf("%v: %d functions, want %d", tt.dialect, len(signatures), tt.want)
		}
		for name, s := range signatures {
			if f := functions[name]; len(f.Params()) != len(s.Parameters) || (f.VarParam() != nil) != (s.Variadic != nil) || s.Description == "" {
				t.Errorf("%v: %s does not have the parameters of %s", tt.dialect, s.String(name), name)
			}
		}
	}
}

// FuzzFunctions evaluates expressions twice: the result is the same, whatever the arguments.
func FuzzFunctions(f *testing.F) {
	f.Add(`cidrsubnet("10.0.0.0/8", 8, 2)`)
	f.Add(`templatestring("$${x}", { x = [1] })`)
	f.Add(`[for s in fileset(".", "**") : upper(s)]`)
	f.Fuzz(func(t *testing.T, text string) {
		x, err := hclconfig.ParseExpression("x", []byte(text), hclconfig.NativeSyntax, hclconfig.KindExpression)
		if err != nil || strings.Contains(text, "bcrypt") {
			return
		}
		ctx := context(hclconfig.OpenTofu)
		one, first := x.Value(ctx)
		two, second := x.Value(ctx)
		if len(first) != len(second) || !one.RawEquals(two) {
			t.Fatalf("%q: %#v, then %#v", text, one, two)
		}
	})
}
