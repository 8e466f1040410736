// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclsource

import (
	"fmt"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// newest are the releases that a dialect without one may be.
var newest = map[hcllang.Dialect][2]int{hcllang.OpenTofu: {12, 13}, hcllang.Terraform: {11, 17}}

// Accepts reports whether a release of a dialect matches: which patch level it
// has is not known.
func Accepts(d hclconfig.Dialect, want addrs.Constraints) bool {
	release := Release(d)
	from, to := int(release%1000), int(release%1000)
	if release == 0 {
		newest := newest[Program(d)]
		from, to = newest[0], newest[1]
	}
	// A dialect without a release stands for any that is known, and the patch level of a release is left open.
	for minor := from; minor <= to; minor++ {
		for patch := 0; patch < 40; patch++ {
			v, err := addrs.ParseVersion(fmt.Sprintf("1.%d.%d", minor, patch))
			if err == nil && want.Allows(v) {
				return true
			}
		}
	}
	return false
}

// LooseConstraints parses the constraints on a module or on the program, without the
// text after the third number of a version: it is not an error, although package addrs
// has no form for it.
func LooseConstraints(s string) (addrs.Constraints, error) {
	parts := strings.Split(s, ",")
	for i, p := range parts {
		numbers := strings.SplitN(strings.TrimSpace(p), ".", 4)
		if len(numbers) < 4 {
			continue
		}
		// go-version, by which the programs read constraints, takes any number of numbers.
		if rest := numbers[3]; strings.Trim(rest, ".0123456789") == "" && !strings.Contains("."+rest+".", "..") {
			parts[i] = strings.Join(numbers[:3], ".")
		}
	}
	return addrs.ParseModuleConstraints(strings.Join(parts, ","))
}
