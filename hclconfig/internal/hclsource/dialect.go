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

// OldestRules is the oldest release of Terraform whose rules are known. For older ones package hclcheck has the rules of this
// one, and the table of features that package hclnames has.
const OldestRules hcllang.Release = 1005

// Rules returns the release by whose rules a configuration in dialect d is checked: that of d, or OldestRules if it is older.
func Rules(d hclconfig.Dialect) hcllang.Release {
	r := Release(d)
	if r != 0 && Program(d) == hcllang.Terraform {
		r = max(r, OldestRules)
	}
	return r
}

// Has reports whether the rules for dialect d include s.
func Has(d hclconfig.Dialect, s hcllang.Support) bool { return s.In(Program(d), Rules(d)) }

// Evaluated reports whether an argument of the kind is evaluated like any
// expression.
func Evaluated(k hcllang.Kind) bool { return k == hcllang.KindExpression || k == hcllang.KindStatic }
