// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/zclconf/go-cty/cty"
)

// TestConcat joins texts and expressions.
func TestConcat(t *testing.T) {
	list := mustParse(t, "y.tf", "locals {\n  a = \"t-${c}\"\n  b = var.b\n  c = \"$${c}\"\n}\n").Body().Block("locals")
	for _, c := range []struct {
		parts []any
		want  string
	}{
		{[]any{"a-", ref("var.b"), "-c"}, `"a-${var.b}-c"`},
		{[]any{"a${b}", ref("var.b")}, `"a$${b}${var.b}"`},
		{[]any{"$", ref("var.b")}, `"${"$"}${var.b}"`},
		{[]any{"$", "{b}"}, `"$${b}"`},
		{[]any{hcledit.Template("${a}-$"), "{b}"}, `"${a}-${"$"}{b}"`},
		{[]any{list.Argument("a").Expression, list.Argument("b").Expression, list.Argument("c").Expression}, `"t-${c}${var.b}$${c}"`},
		{[]any{1, true, hcledit.Concat("x", hcledit.Function("f", 2))}, `"1truex${f(2)}"`},
		{[]any{"say \"hi\"\n", ref("x")}, `"say \"hi\"\n${x}"`},
		{[]any{"only ${text}"}, `"only $${text}"`},
		{nil, `""`},
	} {
		f := mustParse(t, "x.tf", "locals {\n}\n")
		g, err := hcledit.Edit(f).Set(f.Body().Block("locals"), "a", hcledit.Concat(c.parts...)).Apply()
		if err != nil {
			t.Errorf("%s: %v", c.want, err)
		} else if want := "locals {\n  a = " + c.want + "\n}\n"; string(g.Bytes()) != want {
			t.Errorf("got\n%s\nwant\n%s", g.Bytes(), want)
		}
	}
	for _, bad := range []any{nil, []string{"a"}, map[string]int{}, ref("["), hcledit.Template("${"), struct{}{}} {
		f := mustParse(t, "x.tf", "locals {\n}\n")
		if _, err := hcledit.Edit(f).Set(f.Body().Block("locals"), "a", hcledit.Concat("a", bad)).Apply(); err == nil {
			t.Errorf("%v is joined", bad)
		}
	}
}

// TestConcatMeaning evaluates random joined texts with HCL, in both syntaxes.
func TestConcatMeaning(t *testing.T) {
	r := depth.Rand(t)
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{"x": cty.StringVal("{X$")}}
	pieces := []string{"$", "%", "{", "}", "${x}", "%{", "a", `"`, `\`, "\n", "$$", "${", "~", "\u00e9"}
	for range depth.Of(500, 5000, 50000) {
		var parts []any
		want := ""
		for range 1 + r.IntN(6) {
			switch p := pieces[r.IntN(len(pieces))]; r.IntN(3) {
			case 0:
				parts = append(parts, ref("x"))
				want += "{X$"
			case 1:
				parts = append(parts, hcledit.Template("${x}$"))
				want += "{X$$"
			default:
				parts = append(parts, p)
				want += p
			}
		}
		for _, name := range []string{"x.tf", "x.tf.json"} {
			g, err := hcledit.Build(name, []*hcledit.BlockBuilder{hcledit.NewBlock("locals").Set("a", hcledit.Concat(parts...))})
			if err != nil {
				t.Fatalf("%q: %v", parts, err)
			}
			v, diags := g.Body().Block("locals").Argument("a").Value(ctx)
			if diags.HasErrors() || v.AsString() != want {
				t.Fatalf("%q in %s: %#v, want %q\n%s", parts, name, v, want, g.Bytes())
			}
		}
	}
}

// TestSplice replaces pieces of templates by random texts: what HCL evaluates is the text with the
// piece replaced, and there is no text in braces.
func TestSplice(t *testing.T) {
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{"x": cty.StringVal("X"), "y": cty.StringVal("Y")}}
	r := depth.Rand(t)
	texts := []string{"n", "a$", "%", "{b", "${c}", `q"`, "$$", "%{d}", ""}
	for range depth.Of(300, 3000, 30000) {
		text := texts[r.IntN(len(texts))] + texts[r.IntN(len(texts))]
		src := [...]string{"locals {\n  a = \"1%${x}-${ y }2\"\n}\n", "locals {\n  a = <<EOT\n1%${x}-${ y }2\nEOT\n}\n"}[r.IntN(2)]
		name := "x.tf"
		if r.IntN(3) == 0 {
			name, src = "x.tf.json", `{"locals": {"a": "1%${x}-${ y }2"}}`
		}
		f := mustParse(t, name, src)
		parts := f.Body().Block("locals").Argument("a").Parts()
		i := r.IntN(len(parts))
		all := []string{"1%", "X", "-", "Y", "2"}
		if strings.Contains(src, "<<") {
			all[4] = "2\n"
			if i == 4 {
				continue // the line break is part of it
			}
		}
		all[i] = text
		var value any = text
		if r.IntN(2) == 0 {
			value = hcledit.Concat(text, ref("x"))
			all[i] += "X"
		}
		g, err := hcledit.Edit(f).Replace(parts[i], value).Apply()
		if err != nil {
			t.Fatal(err)
		}
		v, diags := g.Body().Block("locals").Argument("a").Value(ctx)
		if want := strings.Join(all, ""); diags.HasErrors() || v.AsString() != want {
			t.Fatalf("part %d by %q: %#v, want %q\n%s", i, text, v, want, g.Bytes())
		}
		if strings.Contains(string(g.Bytes()), `${"n`) || strings.Contains(string(g.Bytes()), `${\"n`) {
			t.Fatalf("a text in braces: %s", g.Bytes())
		}
	}
}

// TestConstantsRefused writes what is no constant where the language wants one.
func TestConstantsRefused(t *testing.T) {
	other := mustParse(t, "y.tf", "locals {\n  a = var.b\n  c = 1 + 2\n}\n").Body().Block("locals")
	for _, syntax := range []struct{ name, src string }{
		{"x.tf", "variable \"v\" {\n  default = [1]\n}\n\noutput \"o\" {\n  value = 1\n}\n"},
		{"x.tf.json", `{"variable": {"v": {"default": [1]}}, "output": {"o": {"value": 1}}}`},
	} {
		f := mustParse(t, syntax.name, syntax.src)
		v, o := f.Body().Block("variable"), f.Body().Block("output")
		list := v.Argument("default").Expression
		for name, edit := range map[string]func(e *hcledit.Editor){
			"a reference":     func(e *hcledit.Editor) { e.Set(v, "default", ref("var.x")) },
			"in a list":       func(e *hcledit.Editor) { e.Set(v, "default", hcledit.List(hcledit.Int(1), ref("var.x"))) },
			"an element":      func(e *hcledit.Editor) { e.Replace(list.Parts()[0], ref("f(1)")) },
			"a new element":   func(e *hcledit.Editor) { e.Insert(list, ref("f(1)")) },
			"a template":      func(e *hcledit.Editor) { e.Set(v, "description", hcledit.Template("a${b}")) },
			"joined":          func(e *hcledit.Editor) { e.Set(v, "description", hcledit.Concat("a", ref("b"))) },
			"a call":          func(e *hcledit.Editor) { e.Set(v, "default", hcledit.Function("f", 1)) },
			"a call around":   func(e *hcledit.Editor) { e.Wrap(list, "f(_)") },
			"an expression":   func(e *hcledit.Editor) { e.Set(o, "sensitive", other.Argument("a").Expression) },
			"a keyword":       func(e *hcledit.Editor) { e.Set(v, "nullable", ref("yes")) },
			"of a new block":  func(e *hcledit.Editor) { e.Add(nil, hcledit.NewBlock("variable", "w").Set("default", ref("a.b"))) },
			"of an old block": func(e *hcledit.Editor) { e.Set(v, "sensitive", ref("var.x == 1")) },
		} {
			e := hcledit.Edit(f)
			edit(e)
			if out, err := e.Apply(); !errors.Is(err, hcledit.ErrEdit) {
				t.Errorf("%s in %s: %v\n%s", name, syntax.name, err, out.Bytes())
			}
		}
		e := hcledit.Edit(f).Set(v, "default", hcledit.Object(hcledit.Entry{Key: "a", Value: ref("1 + 2")})).Set(v, "nullable", ref("!true")).Set(o, "value", ref("var.x"))
		if _, err := e.Apply(); err != nil {
			t.Errorf("constants in %s: %v", syntax.name, err)
		}
	}
}
