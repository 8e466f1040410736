// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/zclconf/go-cty/cty"
)

// jsonCases are texts that exercise every rule about JSON bodies, labels and
// blocks; they seed the fuzz targets as well.
var jsonCases = []string{
	`{}`, `[]`, ``, ` `, `null`, `1`, `"x"`, `[1]`, `[{}]`, `[[{}]]`, `[null]`, `{}x`, "\uFEFF{}", `{"a":1,}`, `[{},]`,
	`{"variable":{"x":{}}}`, `{"variable":{"x":null}}`, `{"variable":{"x":[]}}`, `{"variable":{"x":[{},{}]}}`,
	`{"variable":{"x":[null]}}`, `{"variable":{"x":[[{"default":1},{"type":"any"}]]}}`, `{"variable":{"x":[[null]]}}`,
	`{"variable":{"x":["y"]}}`, `{"variable":{"x":"y"}}`, `{"variable":{"x":1}}`,
	`{"variable":{}}`, `{"variable":[]}`, `{"variable":null}`, `{"variable":"x"}`, `{"variable":[{"a":{}},{"b":{}},{"a":{}}]}`,
	`{"variable":[null]}`, `{"variable":{"//":"c"}}`, `{"variable":{"//":null}}`, `{"//":1,"//":2,"output":{"o":{"//":3,"value":"${var.x}"}}}`,
	`{"output":{"a":{"value":1,"value":2}}}`, `{"output":{"a":[[{"value":1},{"value":2}]]}}`,
	`{"locals":{"a":1,"a":2}}`, `{"locals":[{"a":1},{"b":"${local.a}"}]}`, `{"locals":[[{"a":1}]]}`, `{"locals":null}`, `{"locals":[]}`,
	`{"bogus":1}`, `{"moved":{"from":"a.b","to":"c.d"}}`, `{"moved":[{"from":"a.b","to":"c.d"},{"from":"${x}"}]}`,
	`{"resource":{"a":{"b":{"lifecycle":[{},{}],"x":1,"x":2,"provisioner":[{"p":{}},{"q":[{},{}]}],"dynamic":{"d":{"for_each":[1],"content":{"v":"${d.value}"}}}}}}}`,
	`{"resource":[{"a":[{"b":[{"name":"n"}]}]}]}`, `{"resource":{"a":{}}}`, `{"resource":{"a":{"b":{"count":"2","depends_on":["a.b"],"tags":{"${var.k}":1,"//":2}}}}}`,
	`{"terraform":{"required_providers":{"a":"1","b":{"source":"x/y","version":"1"}},"backend":{"s3":{}},"required_version":">= 1"}}`,
	`{"terraform":{"encryption":{"state":{"fallback":{"fallback":{"fallback":{}}}}}}}`,
	`{"output":{"o":{"value":"$${x} %%{y} $x %y $$ %% $${$${"}}}`, `{"output":{"o":{"value":"\ufeffx"}}}`, `{"output":{"o":{"value":"a\r${var.v}"}}}`,
	`{"output":{"o":{"value":"a\r\n${var.v}"}}}`, `{"output":{"o":{"value":"  ${~ 3 ~}  "}}}`, `{"output":{"o":{"value":"${3}${\"\"}"}}}`,
	`{"output":{"o":{"value":{"k":1,"k":2}}}}`, `{"output":{"o":{"value":{"${var.k}":1,"x":2}}}}`, `{"output":{"o":{"value":"${<<E\nx\nE\n}"}}}`,
	`{"output":{"o":{"value":"${<<E\nx\nE}"}}}`, `{"output":{"o":{"value":"${"}}}`, `{"output":{"o":{"value":[1.50,-0,1e3,"a",null,true,[[]],{}]}}}`,
	`{"output":{"o":{"value":1e1000000}}}`, `{"output":{"o":{"value":1e1000000000}}}`, `{"output":{"o":{"value":"é \ud83e\udd9c \/"}}}`, `{"output":{"o":{"value":"\ud800"}}}`,
	`{'a':1}`, `{"a":True}`, `{"a":nul}`, `{"a":01}`, `{"a":+1}`, `{"a":.5}`, `{"a":1.}`, `{"a" 1}`, `{"a"=1}`, `{"a":1 "b":2}`, `{"a":`, `{"a`, `["`, `{"a":"\x"}`, "{\"a\":\"\x01\"}",
	`{"module":{"m":{"source":"./x","providers":{"aws":"aws.x"},"depends_on":[]}}}`, `{"module":{"m":[[{"source":"./x"},{"v":1}]]}}`,
	`{"variable":{"v":{"default":"a${x}b","validation":[{"condition":"${var.v}"}]}}}`, `{"variable":{"v":{"default":{"${k}":1,"a%{b":2}}}}`,
}

func jsonFixtures(t testing.TB) [][]byte {
	var out [][]byte
	files, _ := filepath.Glob("testdata/*/*/*.json")
	deeper, _ := filepath.Glob("testdata/*/*/*/*.json")
	for _, name := range append(files, deeper...) {
		if _, ok := ParseFilename(name); !ok {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, src)
	}
	return out
}

func TestAgainstHCLJSON(t *testing.T) {
	for _, c := range jsonCases {
		t.Run(c, func(t *testing.T) { againstHCL(t, []byte(c)) })
	}
	for _, src := range jsonFixtures(t) {
		againstHCL(t, src)
	}
}

func FuzzAgainstHCLJSON(f *testing.F) {
	for _, c := range jsonCases {
		f.Add([]byte(c))
	}
	for _, src := range jsonFixtures(f) {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) { againstHCL(t, src) })
}

// againstHCL compares what we and HCL's own JSON reader make of a file.
//
// The differences, all of them on purpose:
//   - Text that is not UTF-8 is an error here, U+FFFD there.
//   - Nesting beyond 10000 is an error here, the end of the process there.
//   - A number whose exponent is beyond all bounds is an error there when the
//     file is read, here when the number is looked at.
//   - HCL looks for the end of a string by grapheme clusters, so it misses a
//     quote after a character that joins with what follows it, such as U+0601.
//   - After an error HCL may go on at another place; what is read then is not
//     compared.
func againstHCL(t *testing.T, src []byte) {
	t.Helper()
	if !utf8.Valid(src) || bytes.Count(src, []byte("["))+bytes.Count(src, []byte("{")) > 2000 {
		t.Skip("needs UTF-8 that is not nested deeply: HCL differs by design")
	}
	if bytes.Contains(bytes.ToLower(src), []byte("e9")) || bytes.Contains(bytes.ToLower(src), []byte("e+9")) || bytes.Contains(bytes.ToLower(src), []byte("00000")) && bytes.ContainsAny(src, "eE") {
		t.Skip("needs numbers without a huge exponent, which HCL writes out")
	}
	f, err := ParseJSON("main.tf.json", src)
	file, diags := hcljson.Parse(src, "main.tf.json")
	if err == nil && diags.HasErrors() && joinsQuote(src) {
		t.Skip("needs no character that HCL joins with a quote: it differs by design")
	}
	if (err != nil) != diags.HasErrors() {
		t.Fatalf("%q: our error is %v, HCL says %v", src, err, diags)
	}
	if err != nil {
		return
	}
	d := hclDiffer{t: t, src: src}
	d.body(f.Body(), file.Body, hcllang.Root)
	ours := false
	for _, x := range f.diags {
		if !strings.HasPrefix(x.Summary, "Reserved ") {
			ours = true
		}
	}
	if ours != d.errors {
		t.Errorf("%q: our diagnostics are %v, HCL has errors: %v", src, f.diags, d.errors)
	}
}

type hclDiffer struct {
	t      *testing.T
	src    []byte
	errors bool // HCL found some
}

// evalContext has variables that are known, and the roots that the fixtures use.
var evalContext = &hcl.EvalContext{Variables: map[string]cty.Value{
	"var":   cty.ObjectVal(map[string]cty.Value{"x": cty.StringVal("X"), "k": cty.StringVal("x"), "v": cty.NumberIntVal(3)}),
	"local": cty.DynamicVal,
	"each":  cty.UnknownVal(cty.DynamicPseudoType),
}}

func (d *hclDiffer) body(ours *Body, theirs hcl.Body, spec *hcllang.Block) {
	schema := new(hcl.BodySchema)
	for _, a := range spec.Args {
		schema.Attributes = append(schema.Attributes, hcl.AttributeSchema{Name: a.Name})
	}
	for _, b := range spec.Blocks {
		schema.Blocks = append(schema.Blocks, hcl.BlockHeaderSchema{Type: b.Name, LabelNames: b.Labels})
	}
	if spec.Rest == hcllang.RestArguments || spec.Rest == hcllang.RestRequirements {
		attrs, diags := theirs.JustAttributes()
		d.errors = d.errors || diags.HasErrors()
		if !diags.HasErrors() {
			d.arguments(ours, attrs, func(*Argument) bool { return true })
		}
		return
	}
	content, rest, diags := theirs.PartialContent(schema)
	if spec.Rest == hcllang.RestNone {
		_, diags = theirs.Content(schema)
	}
	d.errors = d.errors || diags.HasErrors()
	d.arguments(ours, content.Attributes, func(a *Argument) bool { return spec.Lookup(a.Name).Arg != nil })
	if spec.Rest == hcllang.RestInputs && bytes.HasPrefix(ours.file.src[ours.at.Start:], []byte("{")) {
		_, diags := rest.JustAttributes()
		d.errors = d.errors || diags.HasErrors()
	}
	if spec.Rest.Open() && bytes.HasPrefix(ours.file.src[ours.at.Start:], []byte("{")) {
		attrs, diags := rest.JustAttributes()
		if !diags.HasErrors() {
			d.arguments(ours, attrs, func(a *Argument) bool { return a.Undecided })
		}
	}
	if len(ours.Blocks) != len(content.Blocks) {
		d.t.Errorf("%q: %d blocks, HCL has %d", d.src, len(ours.Blocks), len(content.Blocks))
		return
	}
	for i := range ours.Blocks {
		a, b := &ours.Blocks[i], content.Blocks[i]
		if a.Type != b.Type || strings.Join(a.Labels, "\x00") != strings.Join(b.Labels, "\x00") {
			d.t.Errorf("%q: block %d is %s %q, HCL has %s %q", d.src, i, a.Type, a.Labels, b.Type, b.Labels)
			continue
		}
		if got, want := a.TypeRange(), b.TypeRange; got.Start != posFromHCL(want.Start) || got.End != posFromHCL(want.End) {
			d.t.Errorf("%q: the type of block %d is at %v, HCL says %v", d.src, i, got, want)
		}
		for j := range a.Labels {
			if got, want := a.LabelRange(j), b.LabelRanges[j]; got.Start != posFromHCL(want.Start) || got.End != posFromHCL(want.End) {
				d.t.Errorf("%q: label %d of block %d is at %v, HCL says %v", d.src, j, i, got, want)
			}
		}
		d.body(&a.Body, b.Body, a.spec)
	}
}

func (d *hclDiffer) arguments(ours *Body, theirs hcl.Attributes, which func(*Argument) bool) {
	seen := map[string]bool{}
	for i := range ours.Arguments {
		a := &ours.Arguments[i]
		if !which(a) || seen[a.Name] {
			continue
		}
		seen[a.Name] = true
		b := theirs[a.Name]
		if b == nil {
			d.t.Errorf("%q: HCL does not have the argument %q", d.src, a.Name)
			continue
		}
		if got := a.Range(); got.Start != posFromHCL(b.Range.Start) || got.End != posFromHCL(b.Range.End) {
			d.t.Errorf("%q: %q is at %v, HCL says %v", d.src, a.Name, got, b.Range)
		}
		d.value(a, b)
	}
	for name := range theirs {
		if !seen[name] {
			d.t.Errorf("%q: only HCL has the argument %q", d.src, name)
		}
	}
}

// value compares the value and the references of an expression.
func (d *hclDiffer) value(a *Argument, b *hcl.Attribute) {
	ctx := evalContext
	if !a.kind.Templates() {
		ctx = nil
	}
	got, diags := a.Value(ctx)
	want, hclDiags := b.Expr.Value(ctx)
	if diags.HasErrors() != hclDiags.HasErrors() {
		if hcllex.HasHugeNumber(want) {
			return // an error here on purpose
		}
		d.t.Errorf("%q: %s: our errors are %v, HCL has %v", d.src, a.Name, diags, hclDiags)
		return
	}
	if !diags.HasErrors() && !got.RawEquals(want) {
		d.t.Errorf("%q: %s is %#v, HCL has %#v", d.src, a.Name, got, want)
	}
	if a.kind != hcllang.KindExpression && a.kind != hcllang.KindStatic {
		return
	}
	refs, vars := a.References(), b.Expr.Variables()
	if len(refs) != len(vars) {
		d.t.Errorf("%q: %s refers to %v, HCL says %d", d.src, a.Name, refs, len(vars))
		return
	}
	for i := range refs {
		if want := hcllex.TraversalText(vars[i]); refs[i].Text != want {
			d.t.Errorf("%q: reference %d of %s is %s, HCL says %s", d.src, i, a.Name, refs[i].Text, want)
		}
	}
}

// joinsQuote reports whether a quote follows a character that may join with it.
func joinsQuote(src []byte) bool {
	before := ' '
	for _, r := range string(src) {
		if r == '"' && before >= 0x600 && unicode.In(before, unicode.Cf, unicode.Mc, unicode.Lo) {
			return true
		}
		before = r
	}
	return false
}
