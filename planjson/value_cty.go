// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/internal/ctyconv"
	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// Sensitive is the mark on the sensitive parts of the values that
// [Change.AfterCty] and its like return.
const Sensitive ctyMark = "sensitive"

// ctyMark is a type of its own: no other package can have the same mark.
type ctyMark string

// Cty returns v as a value of type t. The JSON notation has no types of its
// own, so t distinguishes lists, sets and tuples. The type t is the type of an
// attribute or of a whole block ([Block.ImpliedType]), or the type next to an
// output's value ([ParseType]). With cty.DynamicPseudoType objects become
// object types, arrays become tuples, and null is of any type.
//
// As when the tools read their own JSON, strings are converted to numbers and
// bools, and numbers and bools to strings. A string can be a number that JSON
// does not have, such as "+1", "01" or ".5". A missing attribute is null. An
// absent Value is an error, and so is a number of more than 10,000 digits or
// 11,000 bytes, an infinite one, or a value nested deeper than 500 levels. The error is an
// [*Error] with the place in v. The time grows with the text and with its depth.
func (v Value) Cty(t cty.Type) (cty.Value, error) {
	if v == nil {
		return cty.NilVal, &Error{Line: 1, Column: 1, Err: ErrAbsent}
	}
	return ctyValue(v, nil, nil, t)
}

// ctyValue returns the value that known is of type t, where unknown and
// sensitive mark parts of it; each of the three can be nil.
func ctyValue(known, unknown, sensitive Value, t cty.Type) (cty.Value, error) {
	for _, v := range []Value{known, unknown, sensitive} {
		if v == nil {
			continue
		}
		if err := v.Check(); err != nil {
			return cty.NilVal, err
		}
	}
	if t == cty.NilType {
		return cty.NilVal, &Error{Line: 1, Column: 1, Err: errors.New("there is no type")}
	}
	var c converter
	w, err := c.convert(known, unknown, sensitive, t.WithoutOptionalAttributesDeep())
	if err != nil {
		at := known.offset(c.path)
		line, column := jsonscan.Position(known, at)
		return cty.NilVal, &Error{Offset: int64(at), Line: line, Column: column, Pointer: pointer(c.path), Err: err}
	}
	return w, nil
}

// maxCtyDepth is how deep a value may nest that becomes a cty value: cty
// compares types at each level.
const maxCtyDepth = 500

// A converter turns JSON into cty values. After an error, path says where.
type converter struct{ path []any }

// in converts a value below the present one, reached by step.
func (c *converter) in(step any, known, unknown, sensitive Value, t cty.Type) (cty.Value, error) {
	if len(c.path) == maxCtyDepth {
		return cty.NilVal, fmt.Errorf("%w: nested too deeply", ErrLimit)
	}
	c.path = append(c.path, step)
	v, err := c.convert(known, unknown, sensitive, t)
	if err == nil {
		c.path = c.path[:len(c.path)-1]
	}
	return v, err
}

// convert makes one value. Members below a true in unknown or sensitive are
// ignored.
func (c *converter) convert(known, unknown, sensitive Value, t cty.Type) (cty.Value, error) {
	v, whole, err := c.unmarked(known, unknown, sensitive, t)
	if err != nil {
		return cty.NilVal, err
	}
	if plantext.IsTrue(sensitive) || whole && plantext.HasTrue(sensitive) {
		// A mark below a value that has no parts is a mark on the value:
		// marking too much is safe.
		v = v.Mark(Sensitive)
	}
	return v, nil
}

// unmarked makes a value without its own mark. The result whole says that
// marks below it were not set.
func (c *converter) unmarked(known, unknown, sensitive Value, t cty.Type) (v cty.Value, whole bool, err error) {
	kind := known.Kind()
	switch {
	case plantext.IsTrue(unknown), kind == KindAbsent && plantext.HasTrue(unknown):
		return cty.UnknownVal(t), true, nil
	case kind == KindAbsent, kind == KindNull:
		return cty.NullVal(t), true, nil
	case kind != KindArray && kind != KindObject:
		if plantext.HasTrue(unknown) {
			return cty.NilVal, true, errShape
		}
		v, err = scalar(known, t)
		return v, true, err
	case kind == KindArray && (t == cty.DynamicPseudoType || t.IsTupleType() || t.IsListType() || t.IsSetType()):
		return c.sequence(known, unknown, sensitive, t)
	case kind == KindObject && (t == cty.DynamicPseudoType || t.IsObjectType() || t.IsMapType()):
		return c.mapping(known, unknown, sensitive, t)
	}
	return cty.NilVal, true, fmt.Errorf("%s is required, not %s", t.FriendlyName(), kind)
}

var errShape = errors.New("the unknown parts do not have the shape of the value")

// sequence makes a list, a set or a tuple.
func (c *converter) sequence(known, unknown, sensitive Value, t cty.Type) (v cty.Value, whole bool, err error) {
	items := elements(known)
	unknowns, sensitives := elements(unknown), elements(sensitive)
	if len(unknowns) != len(items) {
		if plantext.HasTrue(unknown) {
			return cty.NilVal, true, errShape
		}
		unknowns = make([]Value, len(items))
	}
	if len(sensitives) != len(items) {
		sensitives, whole = make([]Value, len(items)), true
	}
	if t.IsTupleType() && t.Length() != len(items) {
		return cty.NilVal, whole, fmt.Errorf("a tuple of %d elements is required, not of %d", t.Length(), len(items))
	}
	values := make([]cty.Value, len(items))
	for i := range items {
		et := cty.DynamicPseudoType
		switch {
		case t.IsTupleType():
			et = t.TupleElementType(i)
		case t.IsCollectionType():
			et = t.ElementType()
		}
		if values[i], err = c.in(i, items[i], unknowns[i], sensitives[i], et); err != nil {
			return cty.NilVal, whole, err
		}
	}
	if !t.IsCollectionType() {
		return cty.TupleVal(values), whole, nil
	}
	if len(values) > 0 {
		if values, err = unify(values); err != nil {
			return cty.NilVal, whole, err
		}
	}
	switch {
	case t.IsSetType() && len(values) == 0:
		v = cty.SetValEmpty(t.ElementType())
	case t.IsSetType() && ctyconv.Collide(values):
		return cty.NilVal, whole, errCollide
	case t.IsSetType():
		v = cty.SetVal(values)
	case len(values) == 0:
		v = cty.ListValEmpty(t.ElementType())
	default:
		v = cty.ListVal(values)
	}
	return v, whole, nil
}

// mapping makes a map or an object.
func (c *converter) mapping(known, unknown, sensitive Value, t cty.Type) (v cty.Value, whole bool, err error) {
	if unknown != nil && unknown.Kind() != KindObject && plantext.HasTrue(unknown) {
		return cty.NilVal, true, errShape
	}
	whole = sensitive != nil && sensitive.Kind() != KindObject
	items, unknowns, sensitives := members(known), members(unknown), members(sensitive)

	// An unknown member of a map is only in unknown.
	names := slices.Collect(maps.Keys(items))
	for name, u := range unknowns {
		if _, ok := items[name]; !ok && plantext.HasTrue(u) {
			names = append(names, name)
		}
	}
	slices.Sort(names)

	values := make(map[string]cty.Value, len(names))
	for _, name := range names {
		et := cty.DynamicPseudoType
		switch {
		case t.IsMapType():
			et = t.ElementType()
		case t.IsObjectType():
			if !t.HasAttribute(name) {
				c.path = append(c.path, name)
				return cty.NilVal, whole, errors.New("the type has no such attribute")
			}
			et = t.AttributeType(name)
		}
		if values[name], err = c.in(name, items[name], unknowns[name], sensitives[name], et); err != nil {
			return cty.NilVal, whole, err
		}
	}
	if t.IsMapType() {
		if len(values) == 0 {
			return cty.MapValEmpty(t.ElementType()), whole, nil
		}
		keys := slices.Sorted(maps.Keys(values))
		list := make([]cty.Value, len(keys))
		for i, k := range keys {
			list[i] = values[k]
		}
		if list, err = unify(list); err != nil {
			return cty.NilVal, whole, err
		}
		for i, k := range keys {
			values[k] = list[i]
		}
		return cty.MapVal(values), whole, nil
	}
	if t.IsObjectType() {
		for name, at := range t.AttributeTypes() {
			if _, ok := values[name]; !ok {
				// Null, or marked as sensitive while it is null.
				if values[name], err = c.in(name, nil, nil, sensitives[name], at); err != nil {
					return cty.NilVal, whole, err
				}
			}
		}
	}
	return cty.ObjectVal(values), whole, nil
}

// unify makes the types of the elements of one collection equal. They differ
// only if the element type is not fixed.
func unify(values []cty.Value) ([]cty.Value, error) {
	if cty.CanListVal(values) {
		return values, nil
	}
	if values = ctyconv.Unified(values); values == nil || !cty.CanListVal(values) {
		return nil, errors.New("the elements have no type in common")
	}
	return values, nil
}

// scalar makes a string, number or bool.
func scalar(v Value, t cty.Type) (cty.Value, error) {
	text, isText := v.Text()
	number, isNumber := v.Number()
	b, isBool := v.Bool()
	switch {
	case isText && (t == cty.String || t == cty.DynamicPseudoType):
		return cty.StringVal(text), nil
	case isBool && (t == cty.Bool || t == cty.DynamicPseudoType):
		return cty.BoolVal(b), nil
	case isNumber && (t == cty.Number || t == cty.DynamicPseudoType):
		return ctyNumber(Value(number))
	case isText && t == cty.Bool && (text == "true" || text == "false" || text == "1" || text == "0"):
		return cty.BoolVal(text == "true" || text == "1"), nil
	case isText && t == cty.Number && isNumberText(text):
		return numberOfText(text)
	case isNumber && t == cty.String:
		return cty.StringVal(string(number)), nil
	case isBool && t == cty.String:
		return cty.StringVal(strconv.FormatBool(b)), nil
	}
	return cty.NilVal, fmt.Errorf("%s is required, not %s", t.FriendlyName(), v.Kind())
}

func ctyNumber(v Value) (cty.Value, error) {
	tok := wire.Token(v, wire.FirstOfNumber)
	if _, _, ok := decimal(tok, maxNumberDigits); !ok {
		return cty.NilVal, errManyDigits
	}
	return cty.ParseNumberVal(string(tok))
}

var (
	errManyDigits = fmt.Errorf("%w: the number has too many digits", ErrLimit)
	errCollide    = fmt.Errorf("%w: too many elements of a set have the same hash", ErrLimit)
	errInfinite   = fmt.Errorf("%w: the number is infinite", ErrLimit)
)

// isNumberText reports whether the tools read a string as a number. They read more than
// JSON has, such as "+1", "01", ".5", "1." and "3p2", in which an exponent after "p" is that of
// a power of two. (No regular expression: it would be part of every program that decodes.)
func isNumberText(text string) bool {
	text = unsigned(text)
	if text == "inf" || text == "Inf" {
		return true
	}
	whole, rest := digits(text)
	var fraction int
	if strings.HasPrefix(rest, ".") {
		fraction, rest = digits(rest[1:])
	}
	if whole+fraction > 0 && rest != "" && strings.ContainsRune("eEpP", rune(rest[0])) {
		var exponent int
		if exponent, rest = digits(unsigned(rest[1:])); exponent == 0 {
			return false
		}
	}
	return whole+fraction > 0 && rest == ""
}

// unsigned returns text without the sign that it begins with.
func unsigned(text string) string {
	if text != "" && (text[0] == '+' || text[0] == '-') {
		return text[1:]
	}
	return text
}

// digits returns how many digits text begins with, and what follows them.
func digits(text string) (n int, rest string) {
	for n < len(text) && text[n]-'0' <= 9 {
		n++
	}
	return n, text[n:]
}

// numberOfText returns the number that such a string means.
func numberOfText(text string) (cty.Value, error) {
	number := strings.TrimPrefix(text, "+")
	if strings.HasSuffix(number, "nf") {
		return cty.NilVal, errInfinite
	}
	if p := strings.IndexAny(number, "pP"); p >= 0 {
		n, err := strconv.Atoi(number[p+1:])
		if err != nil {
			n = 10 * maxNumberDigits
		}
		number = number[:p] + "e" + strconv.Itoa(int(float64(n)*math.Log10(2)))
	}
	if _, _, ok := decimal([]byte(number), maxNumberDigits); !ok {
		return cty.NilVal, errManyDigits
	}
	return cty.ParseNumberVal(text)
}

func elements(v Value) (items []Value) {
	for _, e := range v.Elements() {
		items = append(items, e)
	}
	return items
}

// members returns the members of an object. As in the tools, names are in
// Unicode's composed form.
func members(v Value) map[string]Value {
	items := make(map[string]Value)
	for name, m := range v.Members() {
		items[cty.NormalizeString(name)] = m
	}
	return items
}
