// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/rules"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// A writer makes expressions at random, in which rules have something to mend.
type writer struct{ *rand.Rand }

func (w writer) one(of ...string) string { return of[w.IntN(len(of))] }

// list returns an expression of a list of objects.
func (w writer) list(depth int) string {
	if depth > 0 && w.IntN(3) == 0 {
		return w.one(`"${`+w.list(depth-1)+`}"`, "("+w.list(depth-1)+")", "[for x in "+w.list(depth-1)+" : x]", "local.t ? "+w.list(depth-1)+" : local.o")
	}
	return w.one("local.o", "local.p", "local.o[*]", `"${local.o[*]}"`, `"${local.m[*]}"`, "concat(local.o, local.p)")
}

// scalar returns an expression of anything.
func (w writer) scalar(depth int) string {
	if depth == 0 {
		return w.one("local.n", "local.s", "1", `"a"`, `"${local.s}"`, "true")
	}
	switch w.IntN(8) {
	case 0:
		return w.one("", "(") + w.list(depth-1) // closed below if it was opened
	case 1:
		return `"${` + w.list(depth-1) + `[*].` + w.one("l", "a") + `}"` + w.one("", "[0]", "[1]", "[0][1]", ".0")
	case 2:
		return `"${` + w.list(depth-1) + `.*.` + w.one("l", "a") + `}"` + w.one("", "[0]", ".1")
	case 3:
		return `"${` + w.list(depth-1) + `}"` + w.one("[0]", "[0].a", ".0.l", "[*].a", ".*.l", "[*].l[0]")
	case 4:
		return `"${` + w.scalar(depth-1) + `}" ` + w.one("==", "!=") + " " + w.scalar(0)
	case 5:
		return `"${local.n ` + w.one("+ 1", "* 2", "> 1 ? 2 : 3") + `}" ` + w.one("* 3", "+ 1", "== 4 ? 1 : 2", "- 1")
	case 6:
		return `lookup(` + w.one("local.k", `"${local.k}"`, "local.t ? local.k : local.k") + `, ` + w.one(`"a"`, `"${"a"}"`, `local.t ? "a" : "b"`) + `)` + w.one("", "", " == local.s")
	}
	return w.list(0) + w.one(" == []", " != []", ".0.a", "[0].l.1", ".*.l.0")
}

// native returns a file with the expression, and inJSON one in JSON syntax: as it is, as a part of a text, of a
// list or of an object, or as the key of one.
func (w writer) native(text string) (string, []byte) {
	return "m/main.tf", fmt.Appendf(nil, "locals {\n  v = %s\n}\n\noutput \"v\" {\n  value = local.v\n}\n", text)
}

func (w writer) inJSON(text string) (string, []byte) {
	if w.IntN(3) == 0 {
		text = w.list(1) + w.one(".0.a", "[0].l.1", ".0.l.0", ".0.l[1]", "[0].l.0 == 1")
	}
	quoted, _ := json.Marshal(w.one("", "", "", "a ", "$${") + "${" + text + "}" + w.one("", "", "", " b"))
	value := fmt.Sprintf(w.one("%s", "%s", "%s", `[1, %s]`, `{"k": %s, "l": [null]}`, `{%s: "${local.n}"}`), quoted)
	locals := fmt.Sprintf(w.one(`{"v": %s}`, `[{"v": %s}]`, `[{"w": 1}, {"v": %s}]`, `{"//": "x", "v": %s}`), value)
	output := w.one(`{"v": {"value": "${local.v}"}}`, `{"v": [{"value": "${local.v}"}]}`, `[{"v": {"value": "${local.v}"}}]`)
	root := w.one(`{"locals": %s, "output": %s}`, `{"locals": %s, "output": %s}`, `[{"locals": %s}, {"output": %s}]`, `[{"locals": {"x": [{}]}}, {"locals": %s, "output": %s}, {"locals": {"y": 2.50}}]`)
	return "m/main.tf.json", fmt.Appendf(nil, root, locals, output)
}

// lookup is the function of the language, which needs no default.
var lookup = function.New(&function.Spec{
	Params:   []function.Parameter{{Name: "map", Type: cty.DynamicPseudoType}, {Name: "key", Type: cty.String}},
	VarParam: &function.Parameter{Name: "default", Type: cty.DynamicPseudoType},
	Type:     function.StaticReturnType(cty.String),
	Impl:     func(args []cty.Value, _ cty.Type) (cty.Value, error) { return args[0].Index(args[1]), nil },
})

// evaluate returns the value of a local value in a file, by HCL.
func evaluate(t *testing.T, name string, src []byte) (cty.Value, bool) {
	t.Helper()
	parse := func() (*hcl.File, hcl.Diagnostics) { return hclsyntax.ParseConfig(src, "", hcl.InitialPos) }
	if strings.HasSuffix(name, ".json") {
		parse = func() (*hcl.File, hcl.Diagnostics) { return hcljson.Parse(src, "") }
	}
	f, diags := parse()
	if diags.HasErrors() {
		return cty.NilVal, false
	}
	content, _, diags := f.Body.PartialContent(&hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{{Type: "locals"}}})
	if diags.HasErrors() {
		return cty.NilVal, false
	}
	var v hcl.Expression
	for _, b := range content.Blocks {
		attributes, diags := b.Body.JustAttributes()
		if diags.HasErrors() {
			return cty.NilVal, false
		}
		if a := attributes["v"]; a != nil {
			v = a.Expr
		}
	}
	object := func(a string, l ...string) cty.Value {
		var list []cty.Value
		for _, s := range l {
			list = append(list, cty.StringVal(s))
		}
		return cty.ObjectVal(map[string]cty.Value{"a": cty.StringVal(a), "l": cty.ListVal(list)})
	}
	o := cty.ListVal([]cty.Value{object("x", "1", "2"), object("y", "3", "4")})
	context := &hcl.EvalContext{
		Variables: map[string]cty.Value{"local": cty.ObjectVal(map[string]cty.Value{
			"o": o, "p": cty.ListVal([]cty.Value{object("z", "5", "6")}), "m": object("w", "7", "8"), "n": cty.NumberIntVal(3), "s": cty.StringVal("s"),
			"t": cty.True, "k": cty.MapVal(map[string]cty.Value{"a": cty.StringVal("v")}),
		})},
		Functions: map[string]function.Function{"concat": stdlib.ConcatFunc, "lookup": lookup, "length": stdlib.LengthFunc},
	}
	value, diags := v.Value(context)
	return value, !diags.HasErrors()
}

// A fix never changes a value: HCL evaluates the text of before and after.
func TestFixes_Values(t *testing.T) {
	w := writer{rand.New(rand.NewPCG(1, 2))}
	w.mend(t, w.native, 4000, map[string]int{
		"terraform_deprecated_interpolation": 200, "terraform_deprecated_index": 200, "terraform_empty_list_equality": 200, "terraform_deprecated_lookup": 200, "style_format": 200,
	})
}

func TestFixes_ValuesInJSON(t *testing.T) {
	w := writer{rand.New(rand.NewPCG(3, 4))}
	w.mend(t, w.inJSON, 3000, map[string]int{
		"terraform_deprecated_index": 200, "terraform_json_syntax": 200, "terraform_unused_declarations": 200,
	})
}

// mend runs every rule alone on n files, and compares what they mean before and after its fixes. Each of the
// rules in least must have mended as many files.
func (w writer) mend(t *testing.T, file func(string) (string, []byte), n int, least map[string]int) {
	fixed := make(map[string]int)
	for range n {
		text := w.scalar(2)
		name, src := file(text)
		before, ok := evaluate(t, name, src)
		if !ok {
			continue
		}
		tree, err := hclnames.LoadTree(fstest.MapFS{name: {Data: src}}, "m", hclconfig.OpenTofu)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range rules.All() {
			report, err := hcllint.Run(tree, []*hcllint.Analyzer{a}, hcllint.RunOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range report.Fix() {
				fixed[a.Name]++
				after, ok := evaluate(t, name, f.Bytes())
				if !ok || !after.RawEquals(before) && a.Name != "terraform_empty_list_equality" {
					t.Errorf("%s: %s is %#v, and after the fix %#v: %s", a.Name, src, before, after, f.Bytes())
				}
			}
		}
	}
	for rule, n := range least {
		if fixed[rule] < n {
			t.Errorf("%s: %d fixes, want at least %d", rule, fixed[rule], n)
		}
	}
	t.Log(fixed)
}
