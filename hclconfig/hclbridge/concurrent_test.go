// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbridge_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclbridge"
)

// TestConcurrentUse has several goroutines do the same with the same file. All must
// get the same result; the race detector looks for more.
func TestConcurrentUse(t *testing.T) {
	file, err := hclconfig.ParseNative("terraform.tfvars", []byte("a = [1, \"x\"]\nb = 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	body := hclbridge.Body(file.Body())
	use := func() string {
		attrs, diags := body.JustAttributes()
		if diags.HasErrors() {
			t.Error(diags)
		}
		value, diags := attrs["a"].Expr.Value(nil)
		return fmt.Sprint(value.GoString(), diags, hclbridge.Find(file, attrs["b"].Expr).Raw())
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
