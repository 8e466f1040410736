// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs_test

import (
	"slices"
	"strings"
)

// seeds returns the texts of all tables, for tests of laws and for fuzzing.
func seeds() []string {
	all := slices.Clone(normalAddresses)
	for _, tt := range addressForms {
		all = append(all, tt.in)
	}
	for _, tt := range recordedTests {
		all = append(all, tt.in)
	}
	for _, tt := range addressErrors {
		all = append(all, tt.in)
	}
	for _, tt := range keyTests {
		all = append(all, addrsKey(tt.key))
	}
	for _, tt := range providerTests {
		all = append(all, tt.in)
	}
	for _, tt := range versionTests {
		all = append(all, tt.in)
	}
	all = append(all, versionOrder...)
	for _, tt := range constraintTests {
		all = append(all, tt.in)
	}
	for _, tt := range moduleSourceTests {
		all = append(all, tt.in)
	}
	for _, tt := range referenceTests {
		all = append(all, tt.in)
	}
	for _, tt := range providerConfigTests {
		all = append(all, tt.in)
	}
	for _, tt := range hashTests {
		all = append(all, tt.in)
	}
	return append(all, otherSeeds...)
}

var otherSeeds = []string{
	"", " ", ".", "[", "[0]", `["a"]`, `[""]`, "[-1]", "\x00", "\xff", "\ufeff",
	"linux_amd64", "windows_386", "_", "a_", "_b", "a_b_c", "a b_c",
	"00000000", "0123abcd", "0123ABCD",
	"output.x", "module.a.output.x", "check.x", "var.x", "module.a[0].var.x", "data.output.x",
	"self", "each.key", "count.index",
	strings.Repeat("module.a.", 100) + "t.n",
	"t.n[" + strings.Repeat("9", 400) + "]",
	"t.n[1e" + strings.Repeat("9", 400) + "]",
	`t.n["` + strings.Repeat("é", 300) + `"]`,
}
