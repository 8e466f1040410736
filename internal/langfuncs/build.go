// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package langfuncs

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tofuwire/tofuwire/internal/ctyconv"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// params returns parameters of these types.
func params(types []cty.Type) []function.Parameter {
	out := make([]function.Parameter, len(types))
	for i, t := range types {
		out[i] = function.Parameter{Name: fmt.Sprintf("arg%d", i+1), Type: t, AllowDynamicType: t == dyn}
	}
	return out
}

// effect returns a function whose result is never computed: one that reads a file
// or the clock, or that is not worth computing.
func effect(result cty.Type, types ...cty.Type) function.Function {
	return function.New(&function.Spec{Params: params(types), Type: function.StaticReturnType(result), Impl: unknown})
}

// variadic is effect with any number of further arguments of type more.
func variadic(result, more cty.Type, types ...cty.Type) function.Function {
	return function.New(&function.Spec{
		Params: params(types), VarParam: &function.Parameter{Name: "more", Type: more},
		Type: function.StaticReturnType(result), Impl: unknown,
	})
}

// nullable is effect with n arguments of any type, null and marks included.
func nullable(result cty.Type, n int) function.Function {
	types := make([]cty.Type, n)
	for i := range types {
		types[i] = dyn
	}
	p := params(types)
	for i := range p {
		p[i].AllowNull, p[i].AllowUnknown = true, true
	}
	return function.New(&function.Spec{Params: p, Type: function.StaticReturnType(result), Impl: unknown})
}

// marked is nullable for a function that looks at marks and loses them.
func marked(result cty.Type, n int) function.Function {
	p := make([]function.Parameter, n)
	for i := range p {
		p[i] = function.Parameter{Name: "value", Type: dyn, AllowDynamicType: true, AllowNull: true, AllowUnknown: true, AllowMarked: true}
	}
	return function.New(&function.Spec{Params: p, Type: function.StaticReturnType(result), Impl: unknown})
}

// loose returns a function of n arguments about whose result nothing is said.
func loose(n int) function.Function { return marked(dyn, n) }

// removed returns a function that exists only to say that it does not.
func removed(name, how, instead string) function.Function {
	err := fmt.Errorf("the %q function was deprecated in Terraform v0.12 and is %s; use %s", name, how, instead)
	return function.New(&function.Spec{
		VarParam: &function.Parameter{Name: "vals", Type: dyn, AllowNull: true, AllowDynamicType: true, AllowUnknown: true},
		Type:     func([]cty.Value) (cty.Type, error) { return dyn, err },
		Impl:     func([]cty.Value, cty.Type) (cty.Value, error) { return cty.DynamicVal, err },
	})
}

func unknown(_ []cty.Value, t cty.Type) (cty.Value, error) { return cty.UnknownVal(t), nil }

// textTest returns a function that asks something of two texts.
func textTest(test func(a, b string) bool) function.Function {
	return function.New(&function.Spec{
		Params: params([]cty.Type{str, str}), Type: function.StaticReturnType(boo),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			return cty.BoolVal(test(args[0].AsString(), args[1].AsString())), nil
		},
	})
}

// nullAsUnknown returns f with an unknown result if an argument is a null of no type.
func nullAsUnknown(f function.Function) function.Function {
	isNull := func(v cty.Value) bool { return v.Type() == dyn && v.IsNull() }
	return function.New(&function.Spec{
		Params: f.Params(), VarParam: f.VarParam(),
		Type: func(args []cty.Value) (cty.Type, error) {
			if slices.ContainsFunc(args, isNull) {
				return dyn, nil
			}
			return f.ReturnTypeForValues(args)
		},
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
			if slices.ContainsFunc(args, isNull) {
				return cty.UnknownVal(t), nil
			}
			return f.Call(args)
		},
	})
}

// any1 is a parameter of any type that is known.
func any1(name string) function.Parameter {
	return function.Parameter{Name: name, Type: dyn}
}

var lengthFunc = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "value", Type: dyn, AllowDynamicType: true, AllowUnknown: true, AllowMarked: true}},
	Type: func(args []cty.Value) (cty.Type, error) {
		t := args[0].Type()
		if t == str || t.IsTupleType() || t.IsObjectType() || t.IsListType() || t.IsMapType() || t.IsSetType() || t == dyn {
			return num, nil
		}
		return num, errors.New("argument must be a string, a collection type, or a structural type")
	},
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		v, marks := args[0].Unmark()
		t := v.Type()
		switch {
		case t == dyn:
			return cty.UnknownVal(num).WithMarks(marks), nil
		case t.IsTupleType():
			return cty.NumberIntVal(int64(len(t.TupleElementTypes()))).WithMarks(marks), nil
		case t.IsObjectType():
			return cty.NumberIntVal(int64(len(t.AttributeTypes()))).WithMarks(marks), nil
		case t == str && v.IsKnown() && !v.IsNull():
			n, err := stdlib.Strlen(v)
			return n.WithMarks(marks), err
		case t == str || !v.IsKnown():
			return cty.UnknownVal(num).WithMarks(marks), nil
		}
		return v.Length().WithMarks(marks), nil
	},
})

var coalesceFunc = function.New(&function.Spec{
	VarParam: &function.Parameter{Name: "vals", Type: dyn, AllowUnknown: true, AllowDynamicType: true, AllowNull: true},
	Type: func(args []cty.Value) (cty.Type, error) {
		types := make([]cty.Type, len(args))
		for i, v := range args {
			types[i] = v.Type()
		}
		t := ctyconv.Unify(types)
		if t == cty.NilType {
			return dyn, errors.New("all arguments must have the same type")
		}
		return t, nil
	},
	Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
		for _, v := range args {
			v, err := ctyconv.Convert(v, t)
			switch {
			case err != nil:
				return cty.UnknownVal(t), nil
			case !v.IsKnown():
				return cty.UnknownVal(t), nil
			case v.IsNull() || t == str && v.RawEquals(cty.StringVal("")):
				continue
			}
			return v, nil
		}
		return cty.NilVal, errors.New("no non-null, non-empty-string arguments")
	},
})

// lookupFunc is that of OpenTofu: of a map that is not known, marks are lost.
var lookupFunc = newLookup(false)

// markedLookupFunc is that of Terraform.
var markedLookupFunc = newLookup(true)

func newLookup(unknowns bool) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{
			{Name: "inputMap", Type: dyn, AllowMarked: true, AllowUnknown: unknowns},
			{Name: "key", Type: str, AllowMarked: true, AllowUnknown: unknowns},
		},
		VarParam: &function.Parameter{Name: "default", Type: dyn, AllowUnknown: true, AllowDynamicType: true, AllowNull: true, AllowMarked: true},
		Type: func(args []cty.Value) (cty.Type, error) {
			if len(args) < 1 || len(args) > 3 {
				return dyn, fmt.Errorf("lookup() takes two or three arguments, got %d", len(args))
			}
			t := args[0].Type()
			switch {
			case t == dyn:
				return dyn, nil
			case t.IsObjectType():
				key, _ := args[1].Unmark()
				if !key.IsKnown() || key.IsNull() {
					return dyn, nil
				}
				if t.HasAttribute(key.AsString()) {
					return t.AttributeType(key.AsString()), nil
				}
				if len(args) == 3 {
					return args[2].Type(), nil
				}
				return dyn, function.NewArgErrorf(0, "the given object has no attribute %q", key.AsString())
			case t.IsMapType():
				if len(args) == 3 {
					if _, err := ctyconv.Convert(args[2], t.ElementType()); err != nil {
						return dyn, function.NewArgErrorf(2, "the default value must have the same type as the map elements")
					}
				}
				return t.ElementType(), nil
			}
			return dyn, function.NewArgErrorf(0, "lookup() requires a map as the first argument")
		},
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
			return cty.UnknownVal(t).WithSameMarks(args...), nil
		},
	})
}

var oneFunc = function.New(&function.Spec{
	Params: []function.Parameter{any1("list")},
	Type: func(args []cty.Value) (cty.Type, error) {
		t := args[0].Type()
		switch {
		case t.IsListType() || t.IsSetType():
			return t.ElementType(), nil
		case t.IsTupleType():
			switch e := t.TupleElementTypes(); len(e) {
			case 0:
				return dyn, nil
			case 1:
				return e[0], nil
			}
			return dyn, function.NewArgErrorf(0, "must be a list, set, or tuple value with either zero or one elements")
		}
		return dyn, function.NewArgErrorf(0, "must be a list, set, or tuple value with either zero or one elements")
	},
	Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
		v := args[0]
		switch {
		case v.Type().IsSetType() && !v.IsWhollyKnown() || v.LengthInt() > 1 && v.Type().IsTupleType():
			return cty.UnknownVal(t), nil
		case v.LengthInt() == 0:
			return cty.NullVal(t), nil
		case v.LengthInt() > 1:
			return cty.UnknownVal(t), function.NewArgErrorf(0, "must be a list, set, or tuple value with either zero or one elements")
		}
		it := v.ElementIterator()
		it.Next()
		_, e := it.Element()
		return e, nil
	},
})

var matchkeysFunc = function.New(&function.Spec{
	Params: params([]cty.Type{cty.List(dyn), cty.List(dyn), cty.List(dyn)}),
	Type: func(args []cty.Value) (cty.Type, error) {
		if t := ctyconv.Unify([]cty.Type{args[1].Type(), args[2].Type()}); t == cty.NilType {
			return t, errors.New("keys and searchset must be of the same type")
		}
		return args[0].Type(), nil
	},
	Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
		if args[0].LengthInt() != args[1].LengthInt() {
			return cty.UnknownVal(t), errors.New("length of keys and values should be equal")
		}
		return cty.UnknownVal(t), nil
	},
})
