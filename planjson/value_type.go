// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"errors"
	"fmt"

	"github.com/zclconf/go-cty/cty"
)

// ParseType returns the type that v states in cty's JSON notation, such as "string"
// or ["list","number"]: that of an output, an attribute, a variable, or a parameter.
// An object type with a third element has optional attributes.
func ParseType(v Value) (cty.Type, error) {
	if err := v.Check(); err != nil {
		return cty.NilType, err
	}
	t, err := parseType(v, 0)
	if err != nil {
		return cty.NilType, v.fault(0, err)
	}
	return t, nil
}

// maxTypeDepth is how deep types may nest. Schemas stay below ten.
const maxTypeDepth = 200

func parseType(v Value, depth int) (cty.Type, error) {
	if depth > maxTypeDepth {
		return cty.NilType, fmt.Errorf("%w: the type is nested too deeply", ErrLimit)
	}
	if name, ok := v.Text(); ok {
		switch name {
		case "string":
			return cty.String, nil
		case "number":
			return cty.Number, nil
		case "bool":
			return cty.Bool, nil
		case "dynamic":
			return cty.DynamicPseudoType, nil
		}
		return cty.NilType, fmt.Errorf("there is no type %q", name)
	}
	name, _ := v.Element(0).Text()
	arg := v.Element(1)
	switch n := v.Len(); {
	case n == 2 && (name == "list" || name == "set" || name == "map"):
		e, err := parseType(arg, depth+1)
		if err != nil {
			return cty.NilType, err
		}
		switch name {
		case "list":
			return cty.List(e), nil
		case "set":
			return cty.Set(e), nil
		}
		return cty.Map(e), nil
	case n == 2 && name == "tuple" && arg.Kind() == KindArray:
		var types []cty.Type
		for _, e := range arg.Elements() {
			t, err := parseType(e, depth+1)
			if err != nil {
				return cty.NilType, err
			}
			types = append(types, t)
		}
		return cty.Tuple(types), nil
	case (n == 2 || n == 3) && name == "object" && arg.Kind() == KindObject:
		types := make(map[string]cty.Type)
		for name, a := range arg.Members() {
			t, err := parseType(a, depth+1)
			if err != nil {
				return cty.NilType, err
			}
			types[cty.NormalizeString(name)] = t
		}
		var optional []string
		for _, o := range v.Element(2).Elements() {
			name, _ := o.Text()
			if _, ok := types[cty.NormalizeString(name)]; !ok {
				return cty.NilType, fmt.Errorf("there is no optional attribute %q", name)
			}
			optional = append(optional, cty.NormalizeString(name))
		}
		return cty.ObjectWithOptionalAttrs(types, optional), nil
	}
	return cty.NilType, errors.New("it is not a type")
}
