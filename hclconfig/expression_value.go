// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"fmt"
	"math/big"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// Value evaluates the expression, with the variables and functions of ctx. If
// ctx is nil there are none. What the expression means follows its kind: in
// JSON, a string is a template in some kinds and means itself in others.
//
// Numbers are exact to 512 bits, as in OpenTofu. A number beyond all bounds,
// which OpenTofu would take for infinity, is an error here, and so is an object
// key that is sensitive, which makes OpenTofu 1.12 and Terraform 1.11 crash.
// If there are errors the value may still be good in parts; it is never
// cty.NilVal.
func (e Expression) Value(ctx *hcl.EvalContext) (cty.Value, Diagnostics) {
	if e.file == nil {
		return cty.NullVal(cty.DynamicPseudoType), nil
	}
	var v cty.Value
	var diags Diagnostics
	if e.native != nil {
		var hd hcl.Diagnostics
		v, hd = e.native.Value(ctx)
		diags = embedded{file: e.file, str: e.str}.diagnostics(hd)
	} else {
		if ctx == nil {
			ctx = &hcl.EvalContext{}
		}
		v, diags = e.jsonValue(ctx)
	}
	if v == cty.NilVal {
		v = cty.DynamicVal
	}
	if !diags.HasErrors() && hasInfinity(v) {
		diags = append(diags, e.file.errorAt(e.at, "Number out of range", "A number in this expression is too large to be written down."))
	}
	return v, diags
}

// Constant evaluates an expression that needs nothing: no references and no
// functions. The error is an [*Error]; it wraps [ErrNotConstant] if the
// expression needs something. The zero Expression is null.
func (e Expression) Constant() (cty.Value, error) {
	if e.file == nil {
		return cty.NullVal(cty.DynamicPseudoType), nil
	}
	v, diags := e.constant()
	if !diags.HasErrors() {
		return v, nil
	}
	if e.needs() {
		return cty.DynamicVal, e.file.faultf(int(e.at.Start), ErrNotConstant, "the expression refers to something or calls a function")
	}
	return cty.DynamicVal, e.firstError(diags)
}

// constant evaluates without variables and functions.
func (e Expression) constant() (cty.Value, Diagnostics) { return e.Value(nil) }

// needs reports whether e has references or function calls.
func (e Expression) needs() bool {
	return len(e.uses()) > 0 || len(e.Functions()) > 0
}

// Text returns the value of a constant expression as a string, after the
// conversion that OpenTofu makes: numbers and booleans have a text. The error is
// that of [Expression.Constant], or an [*Error] that wraps [ErrKind] if the value
// has no text: a list, or null.
func (e Expression) Text() (string, error) {
	v, err := e.Constant()
	if err != nil {
		return "", err
	}
	s, err := textOf(v)
	if err != nil {
		return "", e.file.fault(int(e.at.Start), err)
	}
	return s, nil
}

func textOf(v cty.Value) (string, error) {
	v, _ = v.UnmarkDeep()
	v, err := convert.Convert(v, cty.String)
	if err != nil {
		return "", fmt.Errorf("%w: a string is required", ErrKind)
	}
	if v.IsNull() || !v.IsKnown() {
		return "", fmt.Errorf("%w: a string is required, not null", ErrKind)
	}
	return v.AsString(), nil
}

// Bool returns the value of a constant expression as a boolean, after the
// conversion that OpenTofu makes: "true" and "false" are booleans. The error is
// that of [Expression.Constant], or an [*Error] that wraps [ErrKind] if the value
// is no boolean.
func (e Expression) Bool() (bool, error) {
	v, err := e.Constant()
	if err != nil {
		return false, err
	}
	v, err = convert.Convert(v, cty.Bool)
	if err != nil || v.IsNull() || !v.IsKnown() {
		return false, e.file.faultf(int(e.at.Start), ErrKind, "a boolean is required")
	}
	return v.True(), nil
}

// TypeConstraint returns the type that the expression names, and the defaults
// of its optional attributes, or nil if it has none. The zero Expression names
// any type, cty.DynamicPseudoType. The error is an [*Error].
func (e Expression) TypeConstraint() (cty.Type, *typeexpr.Defaults, error) {
	if e.file == nil {
		return cty.DynamicPseudoType, nil, nil
	}
	t := e
	t.kind = hcllang.KindType
	in, diags := t.embedded()
	if err := e.firstError(diags); err != nil {
		return cty.DynamicPseudoType, nil, err
	}
	if in.expr == nil {
		return cty.DynamicPseudoType, nil, e.file.faultf(int(e.at.Start), ErrKind, "a type is required: in JSON a string that holds one")
	}
	// Two old spellings are still understood.
	switch hcl.ExprAsKeyword(in.expr) {
	case "list":
		return cty.List(cty.DynamicPseudoType), nil, nil
	case "map":
		return cty.Map(cty.DynamicPseudoType), nil, nil
	}
	typ, defaults, hd := typeexpr.TypeConstraintWithDefaults(in.expr)
	if err := e.firstError(in.diagnostics(hd)); err != nil {
		return cty.DynamicPseudoType, nil, err
	}
	return typ, defaults, nil
}

// jsonValue evaluates a JSON value by the rules of hcl: json/structure.go.
func (e Expression) jsonValue(ctx *hcl.EvalContext) (cty.Value, Diagnostics) {
	src := e.file.src
	switch src[e.at.Start] {
	case '"':
		return e.jsonString(ctx)
	case 't':
		return cty.True, nil
	case 'f':
		return cty.False, nil
	case 'n':
		return cty.NullVal(cty.DynamicPseudoType), nil
	case '[':
		var vals []cty.Value
		var diags Diagnostics
		for s := range jsontree.Elements(src, e.at) {
			v, more := e.part(s, e.kind).jsonValue(ctx)
			vals, diags = append(vals, v), append(diags, more...)
		}
		return cty.TupleVal(vals), diags
	case '{':
		return e.jsonObject(ctx)
	}
	v, err := cty.ParseNumberVal(string(src[e.at.Start:e.at.End]))
	if err != nil {
		return cty.DynamicVal, Diagnostics{e.file.errorAt(e.at, "Invalid JSON number", "This number has no value: its exponent is out of range.")}
	}
	return v, nil
}

func (e Expression) jsonString(ctx *hcl.EvalContext) (cty.Value, Diagnostics) {
	text := e.file.jsonText(e.at)
	if !e.kind.Templates(e.file.dialect) || !hcllex.HasTemplateMarks(text) {
		return cty.StringVal(text), nil
	}
	t := e
	t.kind = hcllang.KindExpression
	in, diags := t.embedded()
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	v, hd := in.expr.Value(ctx)
	return v, append(diags, in.diagnostics(hd)...)
}

func (e Expression) jsonObject(ctx *hcl.EvalContext) (cty.Value, Diagnostics) {
	var diags Diagnostics
	attrs, places, known := map[string]cty.Value{}, map[string]textspan.Span{}, true
	for m := range jsontree.Members(e.file.src, e.at) {
		key, keyDiags := e.part(m.Name, e.kind).jsonString(ctx)
		val, valDiags := e.part(m.Value, e.kind).jsonValue(ctx)
		diags = append(append(diags, keyDiags...), valDiags...)
		bad := func(why string) {
			diags = append(diags, e.file.errorAt(m.Name, "Invalid object key expression", "Cannot use this expression as an object key: %s.", why))
		}
		if key.IsMarked() {
			bad("it is sensitive or ephemeral")
			continue
		}
		key, err := convert.Convert(key, cty.String)
		switch {
		case err != nil:
			bad(err.Error())
			continue
		case !key.IsKnown():
			known = false
			continue
		case key.IsNull():
			bad("it is null")
			continue
		}
		name := key.AsString()
		if first, ok := places[name]; ok {
			diags = append(diags, e.file.errorAt(m.Name, "Duplicate object attribute", "An attribute named %q was already defined at %s.", name, e.file.rangeOf(first)))
			continue
		}
		attrs[name], places[name] = val, m.Name
	}
	if !known {
		return cty.DynamicVal, diags
	}
	return cty.ObjectVal(attrs), diags
}

// hasInfinity reports whether a number in v is infinite.
func hasInfinity(v cty.Value) bool {
	v, _ = v.Unmark()
	if v.IsNull() || !v.IsKnown() {
		return false
	}
	t := v.Type()
	switch {
	case t == cty.Number:
		return v.AsBigFloat().IsInf()
	case t.IsPrimitiveType() || !v.CanIterateElements():
		return false
	case t.IsCollectionType() && t.ElementType().IsPrimitiveType() && t.ElementType() != cty.Number:
		return false
	}
	for it := v.ElementIterator(); it.Next(); {
		if _, e := it.Element(); hasInfinity(e) {
			return true
		}
	}
	return false
}

// Number returns the number that the expression is, written as such, with all
// its digits: 0.1 is exactly one tenth. It reports false if the expression is
// anything else, or has more digits than would be good for the reader's memory.
func (e Expression) Number() (*big.Rat, bool) {
	if e.file == nil {
		return nil, false
	}
	raw := e.Raw()
	if e.native != nil {
		if _, ok := e.native.(*hclsyntax.LiteralValueExpr); !ok {
			return nil, false
		}
	}
	if raw == "" || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') || len(raw) > 4096 {
		return nil, false
	}
	// A rational number with a huge exponent would take that many digits.
	f, _, err := big.ParseFloat(raw, 10, 64, big.ToNearestEven)
	if err != nil || f.IsInf() || f.MantExp(nil) > 1<<16 || f.MantExp(nil) < -(1<<16) {
		return nil, false
	}
	return new(big.Rat).SetString(raw)
}

// causeOf returns the cause of an Error made of a diagnostic.
func causeOf(d Diagnostic) error {
	if d.Summary == "Expression nested too deeply" {
		return ErrTooDeep
	}
	return fmt.Errorf("%w: %s", ErrSyntax, d.text())
}
