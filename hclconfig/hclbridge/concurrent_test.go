// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbridge_test

import (
	"fmt"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclbridge"
	"github.com/tofuwire/tofuwire/internal/testing/agreement"
)

// TestConcurrentUse checks that several goroutines get the same from the same file.
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
	agreement.Concurrently(t, use)
}
