// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert_test

import (
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
	"github.com/tofuwire/tofuwire/internal/testing/agreement"
)

// TestConcurrentUse checks that several goroutines get the same from the same file.
func TestConcurrentUse(t *testing.T) {
	const text = "variable \"a\" {\n  type = string\n}\n\n# b\nresource \"terraform_data\" \"b\" {\n  input = \"x-${var.a}\" # c\n  count = 2\n}\n\noutput \"o\" {\n  value = terraform_data.b[0].output\n}\n"
	file, err := hclconfig.Parse("main.tf", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	json, diags := hclconvert.ToJSON(file, hclconvert.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	use := func() string {
		j, diags := hclconvert.ToJSON(file, hclconvert.Options{})
		n, more := hclconvert.ToNative(json, hclconvert.Options{})
		if diags.HasErrors() || more.HasErrors() {
			t.Error(diags, more)
			return ""
		}
		return string(j.Bytes()) + string(n.Bytes())
	}
	agreement.Concurrently(t, use)
}
