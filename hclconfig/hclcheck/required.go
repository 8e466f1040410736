// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"fmt"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// newest are the releases that a dialect without one may be.
var newest = map[hcllang.Dialect][2]int{hcllang.OpenTofu: {12, 13}, hcllang.Terraform: {11, 17}}

// required checks that the modules accept a release of the program. Nothing else is
// looked at in a module that does not.
func (c *treeChecker) required(t *hclnames.Tree) {
	for t := range t.All() {
		for _, f := range t.Module.Files {
			c.compatible(f)
			if c.dialect == hcllang.OpenTofu && !hclsource.IsTofu(f) {
				continue // OpenTofu 1.12 reads it in .tofu files only
			}
			for _, s := range f.Config().Settings {
				a := s.Block.Argument("required_version")
				if a == nil {
					continue
				}
				text, err := a.Text()
				if err != nil {
					continue // reported, or not looked at
				}
				if want, err := looseConstraints(text); err == nil && !c.accepted(want) {
					c.out = append(c.out, c.incompatible(a, text))
				}
			}
		}
	}
}

func (c *treeChecker) incompatible(a *hclconfig.Argument, text string) hclconfig.Diagnostic {
	if c.dialect == hcllang.OpenTofu {
		return hclsource.ErrorAt(a.NameRange(), "Incompatible module", "This module requires a release of OpenTofu that matches %s.", text)
	}
	return hclsource.ErrorAt(a.Expression.Range(), "Unsupported Terraform Core version", "This configuration does not support this release of Terraform. The module requires %s.", text)
}

// accepted reports whether a release of the dialect matches: which patch level it
// has is not known.
func (c *treeChecker) accepted(want addrs.Constraints) bool {
	from, to := c.minor, c.minor
	if c.unreleased {
		from, to = newest[c.dialect][0], newest[c.dialect][1]
	}
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

// compatible checks the language blocks of a file, which name releases of OpenTofu.
func (c *treeChecker) compatible(f *hclconfig.File) {
	if c.dialect != hcllang.OpenTofu {
		return
	}
	for i := range f.Body().Blocks {
		b := &f.Body().Blocks[i]
		if b.Type != "language" {
			continue
		}
		for with := range b.Body.BlocksOfType("compatible_with") {
			a := with.Argument("opentofu")
			if a == nil {
				continue
			}
			text, err := a.Text()
			if err != nil {
				continue
			}
			want, err := looseConstraints(text)
			switch {
			case err != nil:
			case !c.accepted(want):
				c.out = append(c.out, c.incompatible(a, text))
			case want.Allows(beforeLanguage):
				c.out = append(c.out, hclconfig.Diagnostic{
					Severity: hclconfig.SeverityWarning, Summary: "Ineffective version constraint",
					Detail:  "Only OpenTofu 1.12.0 and newer read this block, so the constraint should exclude older releases. To exclude these, use the argument required_version of a \"terraform\" block in a .tofu file.",
					Subject: a.NameRange(),
				})
			}
		}
	}
}

// beforeLanguage is a release that does not know language blocks.
var beforeLanguage = addrs.MustParseVersion("1.11.0")
