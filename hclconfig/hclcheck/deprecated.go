// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/zclconf/go-cty/cty"
)

// A deprecation marks a value that a schema calls deprecated.
type deprecation struct{ by, message string }

const deprecatedSource = "Value derived from a deprecated source"

// marksDeprecations reports whether the program marks values from deprecated attributes. The
// others warn of references to such attributes.
//
// Source: OpenTofu internal/configs/configschema, marks.go, since 1.12; before that
// validate_traversal.go.
func (c *treeChecker) marksDeprecations() bool {
	return c.dialect == hcllang.OpenTofu && (c.minor < 0 || c.minor >= 12)
}

// deprecatedName returns the name of a resource for the marks of what is deprecated in it,
// "" for a program that has none.
func (c *treeChecker) deprecatedName(r *hclconfig.Resource) string {
	if !c.marksDeprecations() {
		return ""
	}
	c.deprecations = true
	name := r.Type + "." + r.Name
	if r.Mode != addrs.Managed {
		name = string(r.Mode) + "." + name
	}
	return name
}

// withoutDeprecations returns the value of an expression without the marks of what is
// deprecated, and a warning for each that there was. In bodies that a provider's schema
// describes the program has the warning anywhere in the body; here it is at the expression.
func withoutDeprecations(v cty.Value, e hclconfig.Expression) (cty.Value, hclconfig.Diagnostics) {
	if !v.ContainsMarked() {
		return v, nil
	}
	var found []deprecation
	plain, paths := v.UnmarkDeepWithPaths()
	for _, p := range paths {
		for m := range p.Marks {
			if d, ok := m.(deprecation); ok {
				found = append(found, d)
				delete(p.Marks, m)
			}
		}
	}
	if len(found) == 0 {
		return v, nil
	}
	slices.SortFunc(found, func(a, b deprecation) int { return strings.Compare(a.by, b.by) })
	var out hclconfig.Diagnostics
	for _, d := range slices.Compact(found) {
		detail := fmt.Sprintf("This value comes from %s, which is deprecated.", d.by)
		if d.message != "" {
			detail = fmt.Sprintf("This value comes from %s, which is deprecated: %s", d.by, d.message)
		}
		out = append(out, hclconfig.Diagnostic{Severity: hclconfig.SeverityWarning, Summary: deprecatedSource, Detail: detail, Subject: e.Range()})
	}
	return plain.MarkWithPaths(paths), out
}

// withoutSources returns what is said of a count or of a condition, where the program does not
// warn of deprecated sources before the plan.
func withoutSources(diags hclconfig.Diagnostics) hclconfig.Diagnostics {
	return slices.DeleteFunc(diags, func(d hclconfig.Diagnostic) bool { return d.Summary == deprecatedSource })
}
