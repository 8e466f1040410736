// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclsource

import (
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// Program returns which program d is of.
func Program(d hclconfig.Dialect) hcllang.Dialect { return hcllang.ProgramOf(int(d)) }

// Release returns which release d is of.
func Release(d hclconfig.Dialect) hcllang.Release { return hcllang.ReleaseOf(int(d)) }

// TerraformMinor returns the minor release of a dialect of Terraform, or -1 for OpenTofu.
func TerraformMinor(d hclconfig.Dialect) int {
	if Program(d) != hcllang.Terraform {
		return -1
	}
	r := Release(d)
	if r == 0 {
		r = hcllang.NewestTerraform
	}
	return int(r % 1000)
}

// Evaluated reports whether an argument of the kind is evaluated like any
// expression.
func Evaluated(k hcllang.Kind) bool { return k == hcllang.KindExpression || k == hcllang.KindStatic }
