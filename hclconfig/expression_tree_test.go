// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/testing/configshow"
)

// dump writes an expression as a tree: forms with their names, parts in brackets,
// constants by their value.
func dump(e hclconfig.Expression) string {
	var b strings.Builder
	dumpTo(&b, e)
	return b.String()
}

func dumpTo(b *strings.Builder, e hclconfig.Expression) {
	if !e.IsSet() {
		b.WriteString("-")
		return
	}
	parts := e.Parts()
	if e.Form() == hclconfig.FormTemplate && len(parts) == 1 {
		dumpTo(b, parts[0]) // "${x}" is x in JSON
		return
	}
	b.WriteString(string(e.Form()))
	if e.Name() != "" {
		b.WriteString(":" + e.Name())
	}
	if e.Form() == hclconfig.FormLiteral {
		v, err := e.Constant()
		if err != nil {
			fmt.Fprintf(b, "!%v", err)
			return
		}
		fmt.Fprintf(b, "=%#v", v)
	}
	if len(parts) > 0 {
		b.WriteString("[")
		for i, p := range parts {
			if i > 0 {
				b.WriteString(" ")
			}
			dumpTo(b, p)
		}
		b.WriteString("]")
	}
}

// treeCases have the same tree in both syntaxes.
var treeCases = []struct{ native, json, want string }{
	{`1.50`, `1.50`, `literal=cty.NumberFloatVal(1.5)`},
	{`"a"`, `"a"`, `literal=cty.StringVal("a")`},
	{`null`, `null`, `literal=cty.NullVal(cty.DynamicPseudoType)`},
	{`var.x["k"][0].y`, `"${var.x[\"k\"][0].y}"`, `reference:var.x["k"][0].y`},
	{`"a-${b}\n"`, `"a-${b}\n"`, `template[literal=cty.StringVal("a-") reference:b literal=cty.StringVal("\n")]`},
	{`[1, a]`, `[1, "${a}"]`, `list[literal=cty.NumberIntVal(1) reference:a]`},
	{`{ a = b, "c" = 1, (d) = 2 }`, `{"a": "${b}", "c": 1, "${d}": 2}`, ``},
	{`f(a, [b]...)`, `"${f(a, [b]...)}"`, `call:f[reference:a list[reference:b]]`},
	{`a::b(1)`, `"${a::b(1)}"`, `call:a::b[literal=cty.NumberIntVal(1)]`},
	{`a[var.x].b[0]`, `"${a[var.x].b[0]}"`, `access:.b[0][access[reference:a reference:var.x]]`},
	{`f().id`, `"${f().id}"`, `access:.id[call:f]`},
	{`a[*].id[var.i]`, `"${a[*].id[var.i]}"`, `splat:.id[var.i][reference:a reference:var.i]`},
	{`a.*.id`, `"${a.*.id}"`, `splat:.id[reference:a]`},
	{`-a + !b * (c)`, `"${-a + !b * (c)}"`, `operation:+[operation:-[reference:a] operation:*[operation:![reference:b] parentheses[reference:c]]]`},
	{`a ? b : c`, `"${a ? b : c}"`, `conditional[reference:a reference:b reference:c]`},
	{`[for k, v in a : v if k]`, `"${[for k, v in a : v if k]}"`, `for:k, v[reference:a - reference:v reference:k]`},
	{`{ for v in a : v => 1... }`, `"${{ for v in a : v => 1... }}"`, `for:v[reference:a reference:v literal=cty.NumberIntVal(1) -]`},
	{`"x%{ if a }b%{ endif }"`, `"x%{ if a }b%{ endif }"`, ``},
	{`"x%{ for v in a }${v},%{ endfor }"`, `"x%{ for v in a }${v},%{ endfor }"`, ``},
	{"<<-EOT\n    a\n      ${b}\n    c\n    EOT\n", `"a\n  ${b}\nc\n"`, `template[literal=cty.StringVal("a\n  ") reference:b literal=cty.StringVal("\nc\n")]`},
}

func TestExpressionTree(t *testing.T) {
	for _, c := range treeCases {
		native := dump(mustParse(t, "x.tf", "locals {\n  x = "+c.native+"\n}\n").Config().Locals[0].Argument.Expression)
		json := dump(mustParse(t, "x.tf.json", `{"locals": {"x": `+c.json+`}}`).Config().Locals[0].Argument.Expression)
		if native != json {
			t.Errorf("%s:\nnative %s\nJSON   %s", c.native, native, json)
		}
		if c.want != "" && native != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.native, native, c.want)
		}
	}
}

// TestExpressionTreePlaces parses the text of every node of every fixture by itself.
func TestExpressionTreePlaces(t *testing.T) {
	n := 0
	for _, fx := range configshow.Fixtures(t, "testdata", "hclconvert/testdata") {
		f, err := hclconfig.Parse(fx.Name, fx.Src)
		if err != nil {
			continue
		}
		for a := range f.Body().AllArguments() {
			n += checkPlaces(t, a.Expression, "", false)
		}
	}
	if n < 5000 {
		t.Errorf("only %d nodes", n)
	}
}

// checkPlaces checks that the text of each node is that node, and that it is
// inside its parent. It returns how many nodes there are.
func checkPlaces(t *testing.T, e hclconfig.Expression, in hclconfig.Form, text bool) int {
	n := 1
	r := e.Range()
	for _, p := range e.Parts() {
		if !p.IsSet() {
			continue
		}
		if pr := p.Range(); pr.Start.Offset < r.Start.Offset || pr.End.Offset > r.End.Offset {
			t.Errorf("%s: %q is not in %q", pr, p.Raw(), e.Raw())
		}
		n += checkPlaces(t, p, e.Form(), e.Form() == hclconfig.FormTemplate || text && e.Form() != hclconfig.FormParentheses)
	}
	if e.File().Syntax() == hclconfig.JSONSyntax || text || in == hclconfig.FormObject || e.Form() == hclconfig.FormInvalid {
		return n // pieces of templates and keys are no expressions
	}
	f, err := hclconfig.ParseNative("x.tf", []byte("locals {\n  x = (\n"+e.Raw()+"\n)\n}\n"))
	if err != nil {
		t.Errorf("%s: %q: %v", r, e.Raw(), err)
		return n
	}
	if got := dump(f.Config().Locals[0].Argument.Parts()[0]); got != dump(e) {
		t.Errorf("%s: %q:\n%s", r, e.Raw(), cmp.Diff(dump(e), got))
	}
	return n
}
