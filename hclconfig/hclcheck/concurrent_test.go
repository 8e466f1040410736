// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/testing/agreement"
)

// TestConcurrentUse checks that several goroutines get the same from the same tree.
func TestConcurrentUse(t *testing.T) {
	const text = "variable \"a\" {\n  type = string\n}\n\n# b\nresource \"terraform_data\" \"b\" {\n  input = \"x-${var.a}\" # c\n  count = 2\n}\n\noutput \"o\" {\n  value = terraform_data.b[0].output\n}\n"
	tree, err := hclnames.LoadTree(fstest.MapFS{"main.tf": {Data: []byte(text + "locals {\n  x = var.missing\n}\n")}}, ".", hclconfig.OpenTofu)
	if err != nil {
		t.Fatal(err)
	}
	use := func() string {
		var b strings.Builder
		fmt.Fprintln(&b, hclcheck.Validate(tree, hclcheck.Validation{Plan: true}), hclcheck.ValidateModule(tree.Module), hclnames.NamesOf(tree.Module).Unused())
		for _, f := range hclnames.FeaturesOf(tree.Module.Files...) {
			fmt.Fprintln(&b, f)
		}
		for n := range tree.Graph().All() {
			fmt.Fprintln(&b, n.Address)
		}
		return b.String()
	}
	agreement.Concurrently(t, use)
}
