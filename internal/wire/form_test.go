// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"testing"

	"github.com/tofuwire/tofuwire/internal/wire"
)

// TestInTerraform checks that wrong rules do not pass. What right ones do, the
// recordings of releases show in package planjson.
func TestInTerraform(t *testing.T) {
	for _, rule := range []string{"x<b", "a<x", "-x", "x@1.6", "a@1.", "a@1.x", "a@2", "a!1", "x!0.15", "a", ""} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("the rule %q passes", rule)
				}
			}()
			wire.NewTable("a", "b").InTerraform(rule)
		}()
	}
	wire.NewTable("a!", "b", "c?!").InTerraform("c<a", "-a", "c@1.6", "b!0.15")
}
