// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert_test

import (
	"sync"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
)

// TestConcurrentUse has several goroutines do the same with the same file. All must
// get the same result; the race detector looks for more.
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
	results := make([]string, 8)
	var group sync.WaitGroup
	for i := range results {
		group.Go(func() { results[i] = use() })
	}
	group.Wait()
	for _, r := range results {
		if r != results[0] || r == "" {
			t.Fatalf("two results:\n%s\n%s", r, results[0])
		}
	}
}
