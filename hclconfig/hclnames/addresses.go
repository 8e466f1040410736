// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllex"
)

// address adds the objects that an address names: each module call on the way,
// and the last object.
func (w *useWalker) address(p hclsource.Piece, x hclsyntax.Expression) {
	switch x := x.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		w.addressSteps(p, x.Traversal)
	case *hclsyntax.RelativeTraversalExpr, *hclsyntax.IndexExpr:
		steps, keys, ok := flatAddress(x)
		if ok {
			w.addressSteps(p, steps)
		}
		for _, k := range keys {
			for _, t := range k.Variables() {
				w.reference(p, t)
			}
		}
	}
}

// flatAddress returns the steps of an address with computed keys, which are
// left out, and the keys.
func flatAddress(x hclsyntax.Expression) (steps hcl.Traversal, keys []hclsyntax.Expression, ok bool) {
	steps, ok = hclsource.Flat(x, func(key hclsyntax.Expression) (hcl.TraverseIndex, bool) {
		keys = append(keys, key)
		return hcl.TraverseIndex{}, false
	})
	return steps, keys, ok
}

func (w *useWalker) addressSteps(p hclsource.Piece, t hcl.Traversal) {
	var names []string
	var steps []hcl.Traverser
	for _, s := range t {
		switch s := s.(type) {
		case hcl.TraverseRoot:
			names, steps = append(names, s.Name), append(steps, s)
		case hcl.TraverseAttr:
			names, steps = append(names, s.Name), append(steps, s)
		}
	}
	text, at := hcllex.TraversalText(t), p.Span(t.SourceRange())
	prefix := ""
	i := 0
	for ; i+1 < len(names) && names[i] == "module"; i += 2 {
		address := prefix + "module." + names[i+1]
		w.add(p.File, address, text, at, p.Name(steps[i+1]))
		prefix = address + "."
	}
	n := len(names) - i
	switch {
	case n >= 3 && (names[i] == "data" || names[i] == "ephemeral"):
		w.add(p.File, prefix+names[i]+"."+names[i+1]+"."+names[i+2], text, at, p.Name(steps[i+2]))
	case n >= 3 && names[i] == "resource":
		w.add(p.File, prefix+names[i+1]+"."+names[i+2], text, at, p.Name(steps[i+2]))
	case n >= 2:
		w.add(p.File, prefix+names[i]+"."+names[i+1], text, at, p.Name(steps[i+1]))
	}
}
