// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"encoding/json"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/zclconf/go-cty/cty"
)

// oddTexts are texts whose spelling is easy to get wrong.
var oddTexts = []string{
	"", "a", "${x}", "$${x}", "$$${x}", "%{if x}", "%%{x}", "$", "$$", "%", "a$", "a\"b", `a\b`, `\"`, "a\nb\n", "a\r\nb", "a\rb${x}", "\uFEFFx", "é🦜 \u2028",
	"\t", "\x00\x1f\x7f", "<&>", "EOT", "${", "a${b", "#", "//", "a = b", "$${$${$", "${\"", "~}", "\u0085",
}

// TestTextsSurvive writes odd texts into every kind of place, in both
// syntaxes, and reads them back.
func TestTextsSurvive(t *testing.T) {
	for _, name := range []string{"x.tf", "x.tf.json"} {
		for _, text := range oddTexts {
			f, err := hcledit.Build(name, []*hcledit.BlockBuilder{
				hcledit.NewBlock("variable", "v").Set("default", map[string]any{text + "k": text, "l": []string{text}}).Set("description", text),
				hcledit.NewBlock("locals").Set("l", text).Set("m", map[string]string{text + "k": text}).Set("n", []any{text, hcledit.Template("<${local.l}>" + strings.NewReplacer("${", "$${", "%{", "%%{", "\r", "").Replace(strings.TrimSuffix(text, "$")))}),
				hcledit.NewBlock("module", "m").Set("source", "./"+text),
			})
			if err != nil {
				t.Errorf("%s %q: %v", name, text, err)
				continue
			}
			c := f.Config()
			v := c.Variables[0]
			want := cty.ObjectVal(map[string]cty.Value{text + "k": cty.StringVal(text), "l": cty.TupleVal([]cty.Value{cty.StringVal(text)})})
			if got, err := v.DefaultValue(); err != nil || !got.RawEquals(want) {
				t.Errorf("%s %q: the default is %#v, %v", name, text, got, err)
			}
			if v.Description.Value != text {
				t.Errorf("%s %q: the description is %q", name, text, v.Description.Value)
			}
			if got, err := c.Locals[0].Argument.Text(); err != nil || got != text {
				t.Errorf("%s %q: the local value is %q, %v\n%s", name, text, got, err, f.Bytes())
			}
			want = cty.ObjectVal(map[string]cty.Value{text + "k": cty.StringVal(text)})
			if got, err := c.Locals[1].Argument.Constant(); err != nil || !got.RawEquals(want) {
				t.Errorf("%s %q: the map is %#v, %v", name, text, got, err)
			}
			if c.Calls[0].Source.Value != "./"+text {
				t.Errorf("%s %q: the source is %q", name, text, c.Calls[0].Source.Value)
			}
			ctx := &hcl.EvalContext{Variables: map[string]cty.Value{"local": cty.ObjectVal(map[string]cty.Value{"l": cty.StringVal("L")})}}
			got, diags := c.Locals[2].Argument.Value(ctx)
			if diags.HasErrors() || !strings.HasPrefix(got.Index(cty.NumberIntVal(1)).AsString(), "<L>") || got.Index(cty.NumberIntVal(0)).AsString() != text {
				t.Errorf("%s %q: the list is %#v, %v", name, text, got, diags)
			}
			if d := hclcheck.ValidateFile(f); d.HasErrors() {
				t.Errorf("%s %q: %v", name, text, d)
			}
		}
	}
}

// TestBuildEverything builds blocks with arguments of every kind and requires
// the same text in both syntaxes each time it is read.
func TestBuildEverything(t *testing.T) {
	blocks := []*hcledit.BlockBuilder{
		hcledit.NewBlock("terraform").
			Set("required_version", ">= 1.8").
			Add(hcledit.NewBlock("required_providers").
				Set("a", map[string]any{"source": "x/a", "configuration_aliases": hcledit.List(ref("a.b"))}).Set("b", "~> 1.0")),
		hcledit.NewBlock("provider", "a").Set("alias", "b"),
		hcledit.NewBlock("provider", "a").Set("region", ref("var.r")),
		hcledit.NewBlock("provider", "a").Set("alias", "c"),
		hcledit.NewBlock("resource", "a_x", "y").
			Set("provider", ref("a.b")).
			Set("count", 1).
			Set("size", 1).Set("size", hcledit.Number("2.50")).
			Set("list", hcledit.List(ref("[for s in var.l : s]"), hcledit.Null(), hcledit.List())).
			Set("long", []any{strings.Repeat("long text ", 6), strings.Repeat("longer ", 9)}).
			Set("heredocs", hcledit.List(ref("<<E\nx\nE\n"), str("z"))).
			Set("depends_on", hcledit.List(ref("a_x.z"), str("module.m"))).
			Add(
				hcledit.NewBlock("provisioner", "local-exec").Set("command", "1").Set("when", ref("destroy")),
				hcledit.NewBlock("provisioner", "file").Set("source", "2"),
				hcledit.NewBlock("provisioner", "local-exec").Comment("third").Set("command", "3"),
				hcledit.NewBlock("lifecycle").Set("ignore_changes", str("all")).Set("replace_triggered_by", hcledit.List(ref("a_x.z[count.index]"))),
				hcledit.NewBlock("disk").Set("n", 1),
				hcledit.NewBlock("disk").Set("n", 2),
				hcledit.NewBlock("dynamic", "net").Set("for_each", ref("var.n")).Set("iterator", ref("it")).Add(hcledit.NewBlock("content").Set("v", ref("it.value"))),
			),
		hcledit.NewBlock("module", "m").Set("source", "./m").Set("providers", hcledit.Object(hcledit.Entry{Key: "a", Value: ref("a.b")}, hcledit.Entry{Key: "b.c", Value: ref("a.c")})),
		hcledit.NewBlock("variable", "v").Set("type", ref("object({ a = optional(string, \"$${x}\") })")).Set("default", hcledit.Source(`{ a = "$${x}", n = 1 + 1, m = 1.50 }`)),
		hcledit.NewBlock("moved").Set("from", ref("a_x.old")).Set("to", ref("a_x.y[0]")),
		hcledit.NewBlock("moved").Set("from", ref("a_x.older")).Set("to", ref("a_x.y[0]")),
	}
	views := map[string][]string{}
	for _, name := range []string{"x.tf", "x.tf.json"} {
		f, err := hcledit.Build(name, blocks)
		if err != nil {
			t.Fatal(err)
		}
		if d := hclcheck.ValidateFile(f); d.HasErrors() {
			t.Errorf("%s: %v\n%s", name, d, f.Bytes())
		}
		var view []string
		c := f.Config()
		for _, p := range c.Providers {
			view = append(view, p.Address())
		}
		r := c.Resources[0]
		for _, p := range r.Provisioners {
			view = append(view, p.Type, p.When)
		}
		_, all := r.Lifecycle.Ignored()
		if !all {
			t.Error("ignore_changes is not all")
		}
		for _, x := range f.Body().References() {
			view = append(view, x.Text)
		}
		disks := r.Config().Content(&hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{{Type: "disk"}}})
		for b := range disks.BlocksOfType("disk") {
			view = append(view, b.Argument("n").Raw())
		}
		for _, m := range c.Calls[0].ProviderMappings() {
			view = append(view, m.Inner.String()+"="+m.Outer.String())
		}
		typ, defaults, err := c.Variables[0].Type.TypeConstraint()
		if err != nil || defaults == nil {
			t.Fatal(err)
		}
		view = append(view, typ.FriendlyName(), defaults.Apply(cty.EmptyObjectVal).GoString())
		def, err := c.Variables[0].DefaultValue()
		if err != nil {
			t.Fatal(err)
		}
		view = append(view, def.GoString())
		for _, m := range c.Moved {
			from, err := m.From.Address()
			if err != nil {
				t.Error(err)
			}
			view = append(view, from)
		}
		views[name] = view
	}
	if diff := cmp.Diff(views["x.tf"], views["x.tf.json"]); diff != "" {
		t.Errorf("native and JSON differ (-native +JSON):\n%s", diff)
	}
}

func TestValueOf(t *testing.T) {
	for _, c := range []struct {
		in   any
		want string
	}{
		{nil, "null"}, {"a", `"a"`}, {true, "true"}, {1, "1"}, {int64(-2), "-2"}, {int32(3), "3"}, {uint64(math.MaxUint64), "18446744073709551615"},
		{1.5, "1.5"}, {1e100, "1e+100"}, {json.Number("1.50"), "1.50"}, {big.NewInt(7), "7"}, {big.NewFloat(0.25), "0.25"}, {(*big.Int)(nil), "null"}, {(*big.Float)(nil), "null"}, {new(big.Float).SetMantExp(big.NewFloat(1), 2000), ""},
		{cty.StringVal("${x}"), `"$${x}"`}, {cty.MustParseNumberVal("12345678901234567890.125"), "12345678901234567890.125"},
		{cty.MapVal(map[string]cty.Value{"a": cty.True}), `{"a": true}`}, {cty.SetVal([]cty.Value{cty.Zero}), "[0]"}, {cty.NullVal(cty.String), "null"}, {cty.NilVal, "null"},
		{cty.StringVal("s").Mark("sensitive"), `"s"`}, {cty.EmptyTupleVal, "[]"}, {cty.EmptyObjectVal, "{}"},
		{[]string{"a"}, `["a"]`}, {[]any{1, nil}, "[1, null]"}, {[]hcledit.Value{hcledit.Source("a.b")}, `["${a.b}"]`},
		{map[string]any{"b": 1, "a": 2}, `{"a": 2,"b": 1}`}, {map[string]string{"k": "v"}, `{"k": "v"}`}, {map[string]hcledit.Value{"k": hcledit.Bool(true)}, `{"k": true}`},
		{[]int{1}, "[1]"}, {map[string][]uint8{"k": nil}, "error"}, {[2]bool{true}, "[true, false]"}, {map[hcledit.Named]float32{"k": 1.1}, `{"k": 1.1}`}, {new("p"), `"p"`}, {(*int)(nil), "null"},
		{addrs.MustParseVersion("1.2.3"), `"1.2.3"`}, {map[string]map[string]int{"a": {}}, `{"a": {}}`}, {map[int]string{1: "a"}, "error"}, {make(chan int), "error"}, {hcledit.Named("n"), `"n"`},
		{math.Inf(1), "error"}, {math.NaN(), "error"}, {struct{}{}, "error"}, {[]any{struct{}{}}, "error"}, {map[string]any{"a": struct{}{}}, "error"},
		{new(big.Float).SetInf(true), "error"}, {cty.UnknownVal(cty.String), "error"}, {cty.TupleVal([]cty.Value{cty.DynamicVal}), "error"}, {cty.ObjectVal(map[string]cty.Value{"a": cty.DynamicVal}), "error"},
		{cty.PositiveInfinity, "error"}, {hcledit.Source("a /* b */ // c"), `"${a /* b */ // c\n}"`}, {hcledit.Source("\n a \n"), `"${a}"`},
	} {
		f, err := hcledit.Build("x.tf.json", []*hcledit.BlockBuilder{hcledit.NewBlock("locals").Set("x", c.in)})
		if c.want == "error" {
			if err == nil {
				t.Errorf("%#v: no error", c.in)
			}
			continue
		}
		if err != nil {
			t.Errorf("%#v: %v", c.in, err)
			continue
		}
		got := strings.ReplaceAll(strings.ReplaceAll(f.Config().Locals[0].Argument.Raw(), "\n", ""), "      ", "")
		got = strings.ReplaceAll(got, "    }", "}")
		if c.want != "" && got != c.want {
			t.Errorf("%#v: %s, want %s", c.in, got, c.want)
		}
	}
}

func TestBuildErrors(t *testing.T) {
	for name, blocks := range map[string][]*hcledit.BlockBuilder{
		"x.txt":     nil,
		"b.tf":      {hcledit.NewBlock("locals").Set("a b", 1)},
		"c.tf":      {hcledit.NewBlock("resource", "a", "b").Add(hcledit.NewBlock("x y"))},
		"f.tf.json": {hcledit.NewBlock("variable", "a").Set("default", hcledit.Source("var.x"))},
		"g.tf.json": {hcledit.NewBlock("variable", "a").Set("default", struct{}{})},
		"h.tf":      {hcledit.NewBlock("variable", "a").Set("type", hcledit.Source("a\n? b : c"))},
		"i.tf":      {hcledit.NewBlock("variable", "a").Set("type", hcledit.Template("a"))},
		"j.tf":      {hcledit.NewBlock("locals").Set("a", hcledit.Template("${"))},
		"k.tf":      {hcledit.NewBlock("locals").Set("a", hcledit.Number("1x"))},
		"l.tf":      {hcledit.NewBlock("locals").Set("a", struct{}{})},
		"m.tf.json": {hcledit.NewBlock("locals").Set("a", hcledit.Object(hcledit.Entry{Key: "k"}, hcledit.Entry{Key: "k"}))},
		"n.tf.json": {hcledit.NewBlock("variable", "a").Set("default", hcledit.Template("${x}"))},
		"o.tf.json": {hcledit.NewBlock("locals").Set("a", hcledit.List(hcledit.Source("")))},
		"p.tf":      {hcledit.NewBlock("locals").Set("a", hcledit.List(hcledit.Source("")))},
		"q.tf":      {hcledit.NewBlock("locals").Set("a", hcledit.Object(hcledit.Entry{Key: "k", Value: hcledit.Source("")}))},
		"r.tf.json": {hcledit.NewBlock("locals").Set("a", hcledit.Template("a\xff"))},
	} {
		if f, err := hcledit.Build(name, blocks); err == nil {
			t.Errorf("%s: no error, but\n%s", name, f.Bytes())
		}
	}
}

// TestBuildUnknownNames writes what the language tables do not know.
func TestBuildUnknownNames(t *testing.T) {
	for _, name := range []string{"a.tf", "a.tf.json"} {
		f, err := hcledit.Build(name, []*hcledit.BlockBuilder{
			hcledit.NewBlock("variable", "a").Set("future", "${x}"),
			hcledit.NewBlock("resource", "a", "b").Add(hcledit.NewBlock("lifecycle").Set("future", hcledit.Source("var.a"))),
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if v, err := f.Config().Variables[0].Block.Argument("future").Text(); err != nil || v != "${x}" {
			t.Errorf("%s: %q, %v\n%s", name, v, err, f.Bytes())
		}
		if refs := f.Config().Resources[0].Block.Block("lifecycle").Argument("future").References(); len(refs) != 1 || refs[0].Text != "var.a" {
			t.Errorf("%s: %v\n%s", name, refs, f.Bytes())
		}
	}
	if f, err := hcledit.Build("a.tf", []*hcledit.BlockBuilder{hcledit.NewBlock("future", "x")}); err != nil || string(f.Bytes()) != "future \"x\" {}\n" {
		t.Error(f, err)
	}
}
