// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllex_test

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/hcllex"
)

// An address with a key that no object has must not become that of another object.
func TestAddressText_keysOfNothing(t *testing.T) {
	for src, want := range map[string]string{
		"a.b[0].c":      "a.b[0].c",
		`a.b["x"]`:      `a.b["x"]`,
		"a.b[true]":     "a.b[true]",
		"a.b[false].c":  "a.b[false]",
		"a[null].b[1]":  "a[null]",
		"module.m.a.b":  "module.m.a.b",
		"a.b.0":         "a.b[0]",
		"module.m[0].x": "module.m[0].x",
	} {
		x, diags := hclsyntax.ParseExpression([]byte(src), "", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		steps, diags := hcl.AbsTraversalForExpr(x)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		if got := hcllex.AddressText(steps); got != want {
			t.Errorf("%s is spelled %s, want %s", src, got, want)
		}
	}
}
