// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cliconfig_test

import (
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry/cliconfig"
)

func TestParsePattern(t *testing.T) {
	tests := []struct{ in, want string }{ // "" for an error
		{"hashicorp/aws", "registry.opentofu.org/hashicorp/aws"},
		{"Hashicorp/AWS", "registry.opentofu.org/hashicorp/aws"},
		{"hashicorp/*", "registry.opentofu.org/hashicorp/*"},
		{"*/*", "registry.opentofu.org/*/*"},
		{"*/*/*", "*/*/*"},
		{"example.com/*/*", "example.com/*/*"},
		{"bücher.example/a/*", "bücher.example/a/*"},
		{"example.com/a/b", "example.com/a/b"},
		{"*/aws", ""}, {"*/a/b", ""}, {"*/*/b", ""}, {"example.com/*/b", ""},
		{"aws", ""}, {"", ""}, {"a/b/c/d", ""}, {"a b/c", ""}, {"a/", ""},
	}
	for _, tt := range tests {
		p, err := cliconfig.ParsePattern(tt.in)
		if p.String() != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%q: got %q, %v, want %q", tt.in, p, err, tt.want)
		}
		if tt.want != "" {
			if again, err := cliconfig.ParsePattern(p.String()); err != nil || again != p {
				t.Errorf("%q: %q does not parse to itself", tt.in, p)
			}
		}
	}
	if (cliconfig.Pattern{}).Match(addrs.MustParseProvider("acme/null")) {
		t.Error("the zero pattern matches")
	}
}
