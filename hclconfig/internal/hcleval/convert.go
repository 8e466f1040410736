// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcleval

import (
	"fmt"
	"iter"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

func BoolOf(v cty.Value) (bool, error) {
	v, err := convert.Convert(v, cty.Bool)
	if err != nil || !v.IsKnown() || v.IsNull() {
		return false, fmt.Errorf("%w: a bool is required", hclconfig.ErrKind)
	}
	return v.True(), nil
}

// TextOf returns v as a string, after the conversion that OpenTofu makes.
func TextOf(v cty.Value) (string, error) {
	v, _ = v.UnmarkDeep()
	v, err := convert.Convert(v, cty.String)
	if err != nil {
		return "", fmt.Errorf("%w: a string is required", hclconfig.ErrKind)
	}
	if v.IsNull() || !v.IsKnown() {
		return "", fmt.Errorf("%w: a string is required, not null", hclconfig.ErrKind)
	}
	return v.AsString(), nil
}

// KeyedTraversal returns the traversal that an address with computed keys is.
func KeyedTraversal(x hclsyntax.Expression, ctx *hcl.EvalContext) (hcl.Traversal, hcl.Diagnostics) {
	var diags hcl.Diagnostics
	t, _ := hclsource.Flat(x, func(k hclsyntax.Expression) (hcl.TraverseIndex, bool) {
		key, more := k.Value(ctx)
		if diags = append(diags, more...); !diags.HasErrors() && key.IsMarked() {
			diags = append(diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Invalid index expression", Detail: "A key cannot be sensitive.", Subject: k.Range().Ptr()})
		}
		return hcl.TraverseIndex{Key: key, SrcRange: k.Range()}, !diags.HasErrors()
	})
	return t, diags
}

// Dropped returns an iterator over the attributes in an object that is written down which a
// conversion to typ drops, each with the attributes that the type has instead.
func Dropped(typ cty.Type, e hclconfig.Expression) iter.Seq2[hclconfig.Member, map[string]cty.Type] {
	return func(yield func(hclconfig.Member, map[string]cty.Type) bool) { dropped(typ, e, yield) }
}

func dropped(typ cty.Type, e hclconfig.Expression, yield func(hclconfig.Member, map[string]cty.Type) bool) bool {
	// What a for expression gives for each element.
	if e.Form() == hclconfig.FormFor {
		if parts := e.Parts(); typ.IsCollectionType() && typ.IsMapType() == parts[1].IsSet() {
			return dropped(typ.ElementType(), parts[2], yield)
		}
		return true
	}
	switch {
	case typ.IsObjectType():
		members, _ := e.Members()
		attributes := typ.AttributeTypes()
		for _, m := range members {
			if m.Computed {
				continue
			}
			inner, ok := attributes[m.Name]
			if !ok && !yield(m, attributes) || ok && !dropped(inner, m.Value, yield) {
				return false
			}
		}
	case typ.IsMapType():
		members, _ := e.Members()
		for _, m := range members {
			if !dropped(typ.ElementType(), m.Value, yield) {
				return false
			}
		}
	case typ.IsListType(), typ.IsSetType():
		elements, _ := e.Elements()
		for _, x := range elements {
			if !dropped(typ.ElementType(), x, yield) {
				return false
			}
		}
	case typ.IsTupleType():
		elements, _ := e.Elements()
		for i, x := range elements {
			if i < typ.Length() && !dropped(typ.TupleElementType(i), x, yield) {
				return false
			}
		}
	}
	return true
}
