// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclsource

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllex"
)

// StrictTraversal reports whether the JSON string at e is what OpenTofu's JSON
// reader takes for a reference, which is less than in native syntax: an index
// is in brackets, never after a dot.
func StrictTraversal(e hclconfig.Expression) bool {
	if Native(e) != nil {
		return true
	}
	if First(e) != '"' {
		return false
	}
	text := JSONText(e)
	// HCL's parser calls itself for each level, without a limit.
	if hcllex.TooDeep([]byte(text), false) >= 0 {
		return false
	}
	_, diags := hclsyntax.ParseTraversalAbs([]byte(text), "", hcl.InitialPos)
	return !diags.HasErrors()
}

// StrictKeyword is Keyword by the rules of OpenTofu's JSON reader.
func StrictKeyword(e hclconfig.Expression) string {
	if !StrictTraversal(e) {
		return ""
	}
	return e.Keyword()
}

// IsQuoted reports whether e is a string literal in native syntax: the legacy
// form of references and keywords.
func IsQuoted(e hclconfig.Expression) bool {
	t, ok := Native(e).(*hclsyntax.TemplateExpr)
	return ok && t.IsStringLiteral()
}

// IsProviderReference reports whether x has the form name, name.alias or
// name.alias[key].
func IsProviderReference(x hclsyntax.Expression) bool {
	index := 0
	// The key may be any expression, such as each.key: then HCL has no traversal of the whole.
	if i, ok := x.(*hclsyntax.IndexExpr); ok {
		x, index = i.Collection, 1
	}
	t, diags := hcl.AbsTraversalForExpr(x)
	if diags.HasErrors() {
		return false
	}
	for i, step := range t[1:] {
		switch step.(type) {
		case hcl.TraverseAttr:
			if i != 0 {
				return false
			}
		case hcl.TraverseIndex:
			if i != 1 {
				return false
			}
		}
	}
	return index == 0 && len(t) <= 3 || index == 1 && len(t) == 2
}
