// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllex_test

import (
	"testing"

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
