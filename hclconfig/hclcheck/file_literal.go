// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// literal checks an argument that must be a constant of some type.
func (c *checker) literal(a *hclconfig.Argument, body body, m hcllang.Member) {
	lit := hcllang.AnyLiteral
	if m.Arg != nil {
		lit = m.Arg.Lit
	}
	if a.Name == "prevent_destroy" && native(a.Expression) != nil && c.dialect == hcllang.OpenTofu {
		// Any expression, since OpenTofu 1.12.
		if v, err := a.Constant(); err == nil {
			if _, err := convert.Convert(v, cty.Bool); err != nil {
				c.report(a.Expression.Range(), "Invalid value for prevent_destroy", "The argument %q must be true or false.", a.Name)
			}
		}
		return
	}
	if a.Name == "destroy" && lit == hcllang.StrictBool && c.dialect == hcllang.OpenTofu && c.tree {
		return // likewise; only the plan looks at it
	}
	if c.tree && c.dialect == hcllang.OpenTofu && a.Name == "required_version" && !isTofu(c.f) {
		return // not looked at
	}
	if c.tree && c.backend {
		return // ignored by validate, refused by init
	}
	v, err := a.Constant()
	if err != nil {
		if needs(a.Expression) {
			_, diags := a.Expression.Value(nil)
			c.out = append(c.out, diags...)
			if c.tree && c.dialect == hcllang.Terraform && lit != hcllang.AnyLiteral && a.Name != "required_version" && a.Name != "version" {
				c.report(startRange(a.Expression), "Unsuitable value type", "Unsuitable value: value must be known")
			}
			return
		}
		c.reportError(a.Expression.Range(), "Invalid value", err)
		return
	}
	want := map[hcllang.Literal]string{hcllang.StringLiteral: "a string", hcllang.BoolLiteral: "true or false", hcllang.NumberLiteral: "a number", hcllang.StrictBool: "true or false"}[lit]
	if want == "" {
		return
	}
	if c.dialect == hcllang.OpenTofu && (a.Name == "required_version" || a.Name == "opentofu") {
		if _, err := a.Text(); err != nil && !v.IsNull() {
			c.report(a.Expression.Range(), "Invalid version constraint", "A string is required.")
		}
		return
	}
	switch {
	case !v.IsKnown():
		// Unreadable parts have been reported.
	case v.IsNull() && (body.spec == hcllang.TerraformBlock || body.spec == hcllang.ProviderBlock && a.Name == "version"):
		// A version constraint may be null, as if it were absent.
	case v.IsNull():
		c.report(startRange(a.Expression), "Unsuitable value type", "The argument %q cannot be null: %s is required.", a.Name, want)
	case lit == hcllang.StrictBool && v.Type() != cty.Bool:
		c.report(startRange(a.Expression), "Unsuitable value type", "The argument %q must be %s.", a.Name, want)
	case lit == hcllang.StringLiteral:
		if _, err := a.Text(); err != nil {
			c.report(startRange(a.Expression), "Unsuitable value type", "The argument %q must be %s.", a.Name, want)
		}
	case lit == hcllang.BoolLiteral:
		if _, err := a.Bool(); err != nil {
			c.report(startRange(a.Expression), "Unsuitable value type", "The argument %q must be %s.", a.Name, want)
		}
	}
}

// isText reports whether e is a constant string, and not a value that becomes one.
func isText(e hclconfig.Expression) bool {
	if _, err := e.Text(); err != nil || native(e) == nil {
		return err == nil
	}
	v, diags := e.Value(nil)
	return diags.HasErrors() || v.Type() == cty.String
}
