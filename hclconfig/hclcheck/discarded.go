// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"fmt"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/zclconf/go-cty/cty"
)

// ignoredAttributes warns of attributes in an object that is written down, which the
// type of the variable does not have: the conversion drops them.
func ignoredAttributes(v *hclconfig.Variable, e hclconfig.Expression) hclconfig.Diagnostics {
	if !v.Type.IsSet() {
		return nil
	}
	typ, _, err := v.TypeConstraint()
	if err != nil {
		return nil
	}
	return discarded(nil, typ, e)
}

func discarded(out hclconfig.Diagnostics, typ cty.Type, e hclconfig.Expression) hclconfig.Diagnostics {
	switch {
	case typ.IsObjectType():
		members, _ := e.Members()
		attributes := typ.AttributeTypes()
		for _, m := range members {
			if m.Computed {
				continue
			}
			if inner, ok := attributes[m.Name]; ok {
				out = discarded(out, inner, m.Value)
				continue
			}
			out = append(out, hclconfig.Diagnostic{Severity: hclconfig.SeverityWarning, Summary: "Object attribute is ignored", Subject: m.Key.Range(),
				Detail: fmt.Sprintf("The object type does not include an attribute named %q, so this definition is unused.%s", m.Name, hclsource.DidYouMeanKey(m.Name, attributes))})
		}
	case typ.IsMapType():
		members, _ := e.Members()
		for _, m := range members {
			out = discarded(out, typ.ElementType(), m.Value)
		}
	case typ.IsListType(), typ.IsSetType():
		elements, _ := e.Elements()
		for _, x := range elements {
			out = discarded(out, typ.ElementType(), x)
		}
	case typ.IsTupleType():
		elements, _ := e.Elements()
		for i, x := range elements {
			if i < typ.Length() {
				out = discarded(out, typ.TupleElementType(i), x)
			}
		}
	}
	return out
}
