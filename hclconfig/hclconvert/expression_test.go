// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// expressionContext has something for the names that the expressions below use.
var expressionContext = &hcl.EvalContext{
	Variables: map[string]cty.Value{
		"var": cty.ObjectVal(map[string]cty.Value{
			"s": cty.StringVal("text ${x}"), "n": cty.NumberIntVal(3), "b": cty.True, "nul": cty.NullVal(cty.String),
			"l":      cty.TupleVal([]cty.Value{cty.StringVal("a"), cty.StringVal("b")}),
			"m":      cty.ObjectVal(map[string]cty.Value{"k": cty.StringVal("v"), "o": cty.ObjectVal(map[string]cty.Value{"a": cty.NumberIntVal(1)})}),
			"secret": cty.StringVal("hidden").Mark("sensitive"), "unk": cty.UnknownVal(cty.String),
		}),
		"a": cty.StringVal("A"), "b": cty.NumberIntVal(2),
	},
	Functions: map[string]function.Function{"upper": stdlib.UpperFunc, "concat": stdlib.ConcatFunc, "max": stdlib.MaxFunc, "length": stdlib.LengthFunc, "format": stdlib.FormatFunc},
}

// expressionSeeds are expressions with a trap each.
var expressionSeeds = []string{
	`1`, `-1`, `-0`, `012.50`, `1e400`, `1E-3`, `- 5`, `true`, `null`, `""`, `"text"`, `"$${x}"`, `"%%{x}"`, `"\u0024{x}"`, `"\u0025{x}"`, `"$$${x}"`,
	`"a$${x}b${var.s}"`, `"\u0024${var.s}"`, `"$${"`, `"$"`, `"$$"`, `"%"`, `"a$"`, `"${var.n}$"`, `"$${var.n}${var.n}"`, `"\ufeffx"`, `"\ufeff${var.s}"`, `"a\rb"`,
	`"a\r${var.s}"`, `"a\r\n${var.s}"`, `"\\"`, `"\\${var.s}"`, `"\\n\n\t\""`, `"\u00e9e\u0301"`, `"\U0001F600"`, `"${var.n}"`, `"${"x"}"`, `"${"${var.n}"}"`,
	`"  ${~ var.n ~}  "`, `"${~ var.n ~}"`, `"${var.n}${""}"`, `" ${~var.n~}${var.n} "`, `"%{ if var.b }y%{ else }n%{ endif }"`, `"%{ for x in var.l ~} ${x} %{ endfor ~} "`,
	"<<E\nE", "<<E\nx\nE", "<<E\nx ${var.s} $${y}\n \\n \"q\"\nE", "<<-E\n    a\n      b\n    E", "<<-E\n    a\n  ${var.s}\n\n      b\n  E", "<<-E\n\ta\n\t b ${var.n}\n\tE",
	"<<-E\n  ${~var.s~}\n    x\nE", "<<-E\n    %{ if var.b ~}\n    y\n    %{ endif ~}\n  z\n  E", "<<E\n  ${var.s ~}\n   \n  b\nE", "<<-E\n  é\n  \u00a0x ${var.n}\nE", "<<E\r\nx ${var.n}\r\ny\r\nE",
	"<<-E\r\n  x\r\n    y ${var.n}\r\n  E", "[<<E\nx\nE\n, 1]", "{ a = <<E\nx ${var.n}\nE\n}", "upper(<<E\nx\nE\n)", "var.b ? 1 : <<E\nx\nE",
	`[]`, `[1, "a", [true], {}]`, "[ # c\n1, /* d */ 2, // e\n]", `[(1), (var.n), ("x")]`, `[-1, -(1), - 1]`, `[1,]`, `{}`, `{ a = 1, "b" : 2 }`, "{\n a = 1 # c\n b : 2\n}",
	`{ (a) = 1 }`, `{ (var.s) = 1, x = 2 }`, `{ "${var.s}" = 1 }`, `{ "x${var.s}" = 1 }`, `{ a = 1, a = 2 }`, `{ a = 1, "a" = 2 }`, `{ "$${x}" = 1 }`, `{ "\ufeffx" = 1 }`, `{ "" = 1 }`,
	`{ true = 1, null = 2, 1.50 = 3, 1e3 = 4 }`, `{ "for" = 1 }`, `{ ("for") = 1 }`, `{ (var.secret) = 1 }`, `{ (var.unk) = 1 }`, `{ (1 + 1) = 1 }`, `{ a-b = 1 }`, `{ "//" = 1 }`,
	`{ "e\u0301" = 1, "\u00e9" = 2 }`, `{ a = { b = { c = var.s } } }`, `var.l[0]`, `var.l.0`, `var.l.0.x`, `var.l[*]`, `var.l.*`, `var.m["k"]`, `var.m.o.a`, `var.l[length(var.l) - 1]`, `var.m[var.s]`,
	`[{ a = 1 }][*].a`, `[{ a = [1] }].*.a[0]`, `[for x in var.l : upper(x)]`, `[for i, x in var.l : i if x != "a"]`, `{ for i, x in var.l : x => i }`, `{ for x in var.l : "k" => x... }`,
	`max([1, 2]...)`, `upper("http://x#y")`, `(1 + 2) * 3`, `!(true && false)`, `1 == 2 ? "a" : "b"`, "(\n 1 # c\n + 2)", `((var.n))`, `(var.m).k`, `{ a = (var.m).k }`, `[(var.m).k, (var.m)["k"]]`,
	`(1) + (2)`, `[(1) + (2)]`, `[upper("a"), (upper("b"))]`, `"${upper("a")}-${"b"}"`, `"a ${ { x = "}" }.x } b"`, `format("%s", "\"${var.s}\"")`, `var.nul`, `"${var.nul}"`, `var.secret`, `"x${var.secret}"`,
	`var.unk`, `"x${var.unk}"`, `nothing.at.all`, `upper(var.missing)`, `1 / 0`, `"${1 / 0}"`, `"é ${var.n}"`, "\"\u2028\"", `"\u0000"`, `"$\u007bx}"`, `"%\u007bx}"`, `"$${x}\u0024"`, `"\"${"\""}\""`,
}

// expressionParts is what random expressions are made of.
var expressionParts = []string{
	"var.s", "var.n", "1", "-2", `"x"`, `"${`, `}"`, "$", "%", "{", "}", "$${", "%%{", "${", "%{", "~", "\\n", "\\\"", "\\u0024", "\\u0025", "\\r", "\\ufeff", " ", "\n", "  ", "\t", "\r\n", "<<E\n", "<<-E\n", "\nE\n", "E",
	"(", ")", "[", "]", ",", "=", "a", "b = ", ".0", "[0]", ".*", "[*]", "upper(", " + ", " ? ", " : ", "if var.b", " endif ", "for x in var.l", " endfor ", "# c\n", "/* c */", "é", "\"", "...", "!", "null", "true",
}

// checkExpression converts an expression both ways and lets HCL say whether it
// is still the same. Text that is no expression is not looked at.
func checkExpression(t *testing.T, text string) {
	t.Helper()
	src := "locals {\n  x = " + text + "\n}\n"
	f, err := hclconfig.ParseNative("main.tf", []byte(src))
	if err != nil {
		return
	}
	native := nativeLocal(f.Bytes())
	if native == nil {
		return
	}
	j, diags := hclconvert.ToJSON(f, hclconvert.Options{})
	if diags.HasErrors() {
		t.Fatalf("%q: %v\n%s", text, diags, j.Bytes())
	}
	compareExpressions(t, text, native, jsonLocal(t, j.Bytes()))
	back, diags := hclconvert.ToNative(j, hclconvert.Options{})
	if diags.HasErrors() {
		t.Fatalf("%q: back from %s: %v\n%s", text, j.Bytes(), diags, back.Bytes())
	}
	again := nativeLocal(back.Bytes())
	if again == nil {
		t.Fatalf("%q: not there in %s", text, back.Bytes())
	}
	compareExpressions(t, text+" and back", native, again)
}

func nativeLocal(src []byte) hcl.Expression {
	file, diags := hclsyntax.ParseConfig(src, "", hcl.InitialPos)
	if diags.HasErrors() {
		return nil
	}
	body := file.Body.(*hclsyntax.Body)
	if len(body.Blocks) != 1 || len(body.Blocks[0].Body.Attributes) != 1 {
		return nil
	}
	attr := body.Blocks[0].Body.Attributes["x"]
	if attr == nil {
		return nil
	}
	return attr.Expr
}

func jsonLocal(t *testing.T, src []byte) hcl.Expression {
	t.Helper()
	file, diags := hcljson.Parse(src, "")
	if diags.HasErrors() {
		t.Fatalf("%s: %v", src, diags)
	}
	content, diags := file.Body.Content(&hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{{Type: "locals"}}})
	if diags.HasErrors() || len(content.Blocks) != 1 {
		t.Fatalf("%s: %v", src, diags)
	}
	attrs, diags := content.Blocks[0].Body.JustAttributes()
	if diags.HasErrors() || attrs["x"] == nil {
		t.Fatalf("%s: %v", src, diags)
	}
	return attrs["x"].Expr
}

// compareExpressions wants two expressions to refer to the same things in the
// same order and to have the same value, or both none.
func compareExpressions(t *testing.T, text string, a, b hcl.Expression) {
	t.Helper()
	if x, y := variables(a), variables(b); x != y {
		t.Errorf("%q refers to %s, and converted to %s", text, x, y)
	}
	x, xd := a.Value(expressionContext)
	y, yd := b.Value(expressionContext)
	switch {
	case xd.HasErrors() != yd.HasErrors():
		t.Errorf("%q gives %v, and converted %v", text, xd, yd)
	case !xd.HasErrors() && !x.RawEquals(y):
		t.Errorf("%q is %#v, and converted %#v", text, x, y)
	}
}

func variables(x hcl.Expression) string {
	var out strings.Builder
	for _, t := range x.Variables() {
		for _, step := range t {
			switch s := step.(type) {
			case hcl.TraverseRoot:
				out.WriteString(" " + s.Name)
			case hcl.TraverseAttr:
				out.WriteString("." + s.Name)
			case hcl.TraverseIndex:
				fmt.Fprintf(&out, "[%#v]", s.Key)
			}
		}
	}
	return out.String()
}

func TestConvertExpressions(t *testing.T) {
	for _, text := range expressionSeeds {
		checkExpression(t, text)
		checkExpression(t, "["+text+"\n]")
		checkExpression(t, "{ k = "+text+"\n}")
		checkExpression(t, "("+text+"\n)")
	}
}

// TestConvertRandomExpressions does the same for expressions made at random.
func TestConvertRandomExpressions(t *testing.T) {
	r := depth.Rand(t)
	n := depth.Of(1000, 20_000, 200_000)
	for range n {
		var text strings.Builder
		shape := r.IntN(4)
		text.WriteString([]string{`"`, "<<E\n", "<<-E\n  ", ""}[shape])
		for range 1 + r.IntN(8) {
			text.WriteString(expressionParts[r.IntN(len(expressionParts))])
			if r.IntN(4) == 0 {
				text.WriteString("${var.s}")
			}
		}
		text.WriteString([]string{`"`, "\nE", "\n  E", ""}[shape])
		checkExpression(t, text.String())
	}
}

// TestConvertJSONExpressions converts JSON values to native syntax.
func TestConvertJSONExpressions(t *testing.T) {
	for _, text := range []string{
		`1`, `-1`, `-0`, `1.50`, `1E+2`, `0.1e-7`, `true`, `null`, `""`, `"text"`, `"$${x}"`, `"%%{x}"`, `"$x %y $$ %% $$$${"`, `"${var.s}"`, `"${~ var.n ~}"`, `" ${var.n}"`, `"${var.n}${\"\"}"`,
		`"\ufeffx"`, `"a\r${var.s}"`, `"a\r\n${var.s}"`, `"a\rb$${x}"`, `"\ufeff${var.s}"`, `"a\\nb\n"`, `"say \"${upper(\"x\")}\""`, `"${var.s # c\n}"`, `"${<<E\nx\nE\n}"`, `"${var.b\n? 1 : 2}"`,
		`"line ${var.s}\n  two\n"`, `"one\ntwo\n"`, `"EOT\nEOT\n"`, `"  EOT2\nEOT\n$${x}\n"`, `"%{ for x in var.l ~}\n  ${x}\n%{ endfor ~}\n"`, `"a\n  ${~ var.s ~}\n  b\n"`, `"tab\there\n\n"`, `"\u0001\u007f\u2028\ud83d\ude00"`,
		`"e\u0301"`, `[]`, `{}`, `[1, "${var.s}", [null], {"a": "b"}]`, `{"a": 1, "${var.s}": 2}`, `{"x${var.s}": 1}`, `{"$${x}": 1}`, `{"for": 1, "b-c": 2, "1x": 3, "": 4, "null": 5}`, `{"${\"a\"}": 1}`, `{"\ufeffk": 1}`, `{"a\rb": 1}`,
		`{"//": 1}`, `"${null}"`, `"a${null}"`, `"${1}"`, `"$"`, `"a$"`, `"${var.n}$"`, `"$${${var.n}"`, `"${[1,\n2]}"`, `"${{\n a = 1\n b = 2\n}}"`, `"${/* c */ var.n}"`, `"${var.n /* c */}"`, `["${var.n # c\n}", 1]`, `{"a": "${var.n # c\n}"}`,
		`"${ (1) }"`, `"${var.l.0}"`, `"${{for x in var.l : x => 1}}"`, `"%{ if var.b }x%{ endif }"`,
	} {
		src := []byte(`{"locals": {"x": ` + text + `}}`)
		f, err := hclconfig.ParseJSON("main.tf.json", src)
		if err != nil {
			t.Fatal(err)
		}
		g, diags := hclconvert.ToNative(f, hclconvert.Options{})
		if diags.HasErrors() {
			t.Errorf("%s: %v\n%s", text, diags, g.Bytes())
			continue
		}
		native := nativeLocal(g.Bytes())
		if native == nil {
			t.Errorf("%s: not there in %s", text, g.Bytes())
			continue
		}
		compareExpressions(t, text, jsonLocal(t, src), native)
	}
}

// trimsLines reports whether text may have a directive that trims the text
// beside it, in a text of several lines that cannot be a heredoc because of a
// control character. HCL trims one line in JSON and in heredocs, and all of them
// in quotes, so such a text has no native form, which [hclconvert.ToNative]
// says.
func trimsLines(text string) bool {
	control := func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f }
	return (strings.Contains(text, "~}") || strings.Contains(text, "{~")) && strings.Contains(text, "\n") && strings.ContainsFunc(text, control)
}

// hugeExponent finds numbers that HCL itself needs a minute to turn into text.
var hugeExponent = regexp.MustCompile(`[eE][+-]?[0-9]{4}`)

// FuzzConvertExpression looks for an expression that does not survive.
func FuzzConvertExpression(f *testing.F) {
	for _, s := range expressionSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 4096 && !hugeExponent.MatchString(text) && !trimsLines(text) {
			checkExpression(t, text)
		}
	})
}
