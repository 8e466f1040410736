// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbound

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// MaxTypeDepth is how deep a type constraint may nest: HCL and go-cty copy types at each level. It can go with section 3 of
// docs/upstream/go-cty.md.
const MaxTypeDepth = 200

// IsTypeTooDeep reports whether the type constraint x nests deeper than [MaxTypeDepth].
func IsTypeTooDeep(x hcl.Expression) bool {
	n, ok := x.(hclsyntax.Node)
	if !ok {
		return false
	}
	return Nesting(n, nests) > MaxTypeDepth
}

// Nesting returns how deep the nodes below n that count are in each other.
func Nesting(n hclsyntax.Node, counts func(hclsyntax.Node) bool) int {
	w := depthWalker{counts: counts}
	_ = hclsyntax.Walk(n, &w)
	return w.most
}

type depthWalker struct {
	counts      func(hclsyntax.Node) bool
	depth, most int
}

// nests reports whether n is a call, a list or an object.
func nests(n hclsyntax.Node) bool {
	switch n.(type) {
	case *hclsyntax.FunctionCallExpr, *hclsyntax.TupleConsExpr, *hclsyntax.ObjectConsExpr:
		return true
	}
	return false
}

func (w *depthWalker) Enter(n hclsyntax.Node) hcl.Diagnostics {
	if w.counts(n) {
		w.depth++
		w.most = max(w.most, w.depth)
	}
	return nil
}

func (w *depthWalker) Exit(n hclsyntax.Node) hcl.Diagnostics {
	if w.counts(n) {
		w.depth--
	}
	return nil
}
