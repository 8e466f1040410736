// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbridge_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/json"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclbridge"
)

// TestNilAndZero passes nil and zero values.
func TestNilAndZero(t *testing.T) {
	empty := hclbridge.Body(nil)
	if c, diags := empty.Content(&hcl.BodySchema{}); diags.HasErrors() || len(c.Attributes) > 0 {
		t.Error(diags)
	}
	if v, diags := hclbridge.Expression(hclconfig.Expression{}).Value(nil); diags.HasErrors() || !v.IsNull() {
		t.Error(v, diags)
	}
	if hclbridge.Traversal(hclconfig.Reference{}) != nil {
		t.Error("a traversal of no reference")
	}
	f, err := hclconfig.ParseNative("x.tf", []byte("locals {\n  a = 1\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	x, _ := hclsyntax.ParseExpression([]byte("b"), "x.tf", hcl.Pos{Line: 9, Column: 1, Byte: 900})
	if hclbridge.Find(f, x).IsSet() || hclbridge.Find(f, nil).IsSet() || hclbridge.Find(nil, x).IsSet() {
		t.Error("found")
	}
	if r := hclbridge.Body(f.Body()).MissingItemRange(); r.Filename != "x.tf" || r.Start.Byte != 0 {
		t.Error(r)
	}
}

// TestExpression_invalidTemplate bridges a string that does not parse: it has no value, and no panic.
func TestExpression_invalidTemplate(t *testing.T) {
	src := `{"locals": {"a": "${b", "c": "d ${e} f", "g": ["${h.i}", {"j": 1.50}]}}`
	f, err := hclconfig.ParseJSON("x.tf.json", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	locals := f.Body().Block("locals")
	if _, diags := hclbridge.Expression(locals.Argument("a").Expression).Value(&hcl.EvalContext{}); !diags.HasErrors() {
		t.Error("a value of a broken template")
	}
	plain, diags := json.Parse([]byte(src), "x.tf.json")
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	c, _ := plain.Body.Content(&hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{{Type: "locals"}}})
	want, _ := c.Blocks[0].Body.JustAttributes()
	got, _ := hclbridge.Body(&locals.Body).JustAttributes()
	for name, a := range want {
		var w, g []string
		for _, v := range a.Expr.Variables() {
			w = append(w, v.RootName())
		}
		for _, v := range got[name].Expr.Variables() {
			g = append(g, v.RootName())
		}
		if strings.Join(w, " ") != strings.Join(g, " ") || a.Range != got[name].Range {
			t.Errorf("%s: %v at %v, want %v at %v", name, g, got[name].Range, w, a.Range)
		}
	}
}
