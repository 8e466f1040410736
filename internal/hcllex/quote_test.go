// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllex_test

import (
	"math/rand/v2"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/hcllex"
)

// TestPlainName: names of ASCII are decided without HCL's scanner, with its result.
func TestPlainName(t *testing.T) {
	check := func(name string) {
		if got, want := hcllex.PlainName(name), hclsyntax.ValidIdentifier(name); got != want {
			t.Errorf("%q: %t, want %t", name, got, want)
		}
	}
	check("")
	for a := range byte(128) {
		check(string(a))
		for b := range byte(128) {
			check(string([]byte{a, b}))
		}
	}
	for _, name := range []string{"a-b_c9", "é", "aé", "a\u0301", "名", "a b", "for", "null"} {
		check(name)
	}
	if hcllex.PlainName("\uFEFFa") {
		t.Error("a byte order mark is in a name")
	}
}

// TestQuoteTemplate quotes templates of lines, trim marks and lone carriage returns. HCL reads text in quotes in
// another way, and must have the same value.
func TestQuoteTemplate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	pieces := []string{"\n", "\n", "  ", "a", "b\n", "\t", "$${", "\r", "\"", "${1}", "${~ 2}", "${3 ~}", "${~ 4 ~}", "%{ if true ~}", "%{~ if false }", "%{~ if true ~}", "%{ endif }", "%{ endif ~}", "%{~ endif }", "%{~ endif ~}"}
	read := 0
	for range 20000 {
		text := ""
		for range 1 + rng.IntN(9) {
			text += pieces[rng.IntN(len(pieces))]
		}
		x, diags := hcllex.ParseTemplate([]byte(text), "", hcl.InitialPos)
		if diags.HasErrors() {
			continue
		}
		want, diags := x.Value(nil)
		if diags.HasErrors() {
			continue
		}
		read++
		quoted := hcllex.QuoteTemplate(text)
		y, diags := hclsyntax.ParseExpression([]byte(quoted), "", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatalf("%q is quoted as %s: %v", text, quoted, diags)
		}
		if got, _ := y.Value(nil); !got.RawEquals(want) {
			t.Fatalf("%q is quoted as %s: %#v, want %#v", text, quoted, got, want)
		}
	}
	if read < 2000 {
		t.Errorf("%d templates", read)
	}
}
