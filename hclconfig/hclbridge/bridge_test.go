// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbridge_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclbridge"
	"github.com/tofuwire/tofuwire/internal/testing/configshow"
)

// rootSchema has the blocks that the comparison goes into.
var rootSchema = &hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{
	{Type: "variable", LabelNames: []string{"name"}}, {Type: "output", LabelNames: []string{"name"}}, {Type: "locals"},
	{Type: "resource", LabelNames: []string{"type", "name"}}, {Type: "module", LabelNames: []string{"name"}},
}}

var innerSchema = &hcl.BodySchema{
	Attributes: []hcl.AttributeSchema{{Name: "value"}, {Name: "default"}, {Name: "count"}, {Name: "for_each"}, {Name: "source"}, {Name: "name"}, {Name: "input"}},
	Blocks:     []hcl.BlockHeaderSchema{{Type: "lifecycle"}},
}

// show writes what a body has: attributes with places, values and variables.
func show(b hcl.Body, schema *hcl.BodySchema) []string {
	var out []string
	c, rest, _ := b.PartialContent(schema)
	add := func(attrs hcl.Attributes) {
		for _, s := range schema.Attributes {
			if a := attrs[s.Name]; a != nil {
				v, _ := a.Expr.Value(nil)
				out = append(out, fmt.Sprint(a.Name, a.NameRange, a.Expr.Range(), fmt.Sprintf("%#v", v)))
				for _, t := range a.Expr.Variables() {
					out = append(out, fmt.Sprint(t.RootName(), t.SourceRange()))
				}
			}
		}
	}
	add(c.Attributes)
	for _, n := range c.Blocks {
		out = append(out, fmt.Sprint(n.Type, n.Labels, n.TypeRange))
		out = append(out, show(n.Body, innerSchema)...)
	}
	if again, _, _ := rest.PartialContent(schema); len(again.Attributes)+len(again.Blocks) > 0 {
		out = append(out, "what was taken is there again")
	}
	return out
}

// TestAsHCL compares with what HCL's own parsers give.
func TestAsHCL(t *testing.T) {
	n := 0
	for _, fx := range configshow.Fixtures(t, "../testdata") {
		f, err := hclconfig.Parse(fx.Name, fx.Src)
		if err != nil {
			continue
		}
		p := hclparse.NewParser()
		var peer *hcl.File
		var diags hcl.Diagnostics
		if f.Syntax() == hclconfig.JSONSyntax {
			peer, diags = p.ParseJSON(fx.Src, fx.Name)
		} else {
			peer, diags = p.ParseHCL(fx.Src, fx.Name)
		}
		if diags.HasErrors() {
			continue
		}
		want, got := show(peer.Body, rootSchema), show(hclbridge.Body(f.Body()), rootSchema)
		if len(want) != len(got) {
			t.Errorf("%s: %d lines, want %d", fx.Name, len(got), len(want))
			continue
		}
		for i := range want {
			if want[i] != got[i] {
				t.Errorf("%s:\ngot  %s\nwant %s", fx.Name, got[i], want[i])
				break
			}
		}
		n += len(want)
	}
	if n < 500 {
		t.Errorf("only %d lines", n)
	}
}

func TestFind(t *testing.T) {
	f, err := hclconfig.Parse("a.tf", []byte("locals {\n  a = [1, f(var.x), { b = \"c ${d}\", (e) = f }]\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	e := f.Config().Locals[0].Argument.Expression
	for x := range e.All() {
		if got := hclbridge.Find(f, hclbridge.Expression(x)); got.Raw() != x.Raw() {
			t.Errorf("%s: found %s", x, got)
		}
	}
	if tr := hclbridge.Traversal(e.References()[0]); tr.RootName() != "var" || len(tr) != 2 {
		t.Errorf("%v", tr)
	}
	if hclbridge.Find(f, hclbridge.Expression(hclconfig.Expression{})).IsSet() {
		t.Error("found an expression that is not there")
	}
}

// TestFind_manyBlocks finds an expression of each block: what is in front of one costs
// nothing. Without a search, the last of 40,000 blocks would take the time of all tests.
func TestFind_manyBlocks(t *testing.T) {
	const n = 40_000
	f, err := hclconfig.Parse("a.tf", []byte(strings.Repeat("output \"o\" {\n  value = { (var.s) = 1 }\n}\n", n)))
	if err != nil {
		t.Fatal(err)
	}
	root := hclbridge.Body(f.Body()).(*hclsyntax.Body)
	for _, b := range root.Blocks {
		x := b.Body.Attributes["value"].Expr.(*hclsyntax.ObjectConsExpr).Items[0].KeyExpr.(*hclsyntax.ObjectConsKeyExpr).Wrapped.(*hclsyntax.ParenthesesExpr)
		if got := hclbridge.Find(f, x.Expression); got.Raw() != "(var.s)" {
			t.Fatalf("found %q at %v", got.Raw(), x.Range())
		}
	}
}
