// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/zclconf/go-cty/cty"
)

// A Value is something to write into a configuration: a constant, or an
// expression. It knows what it means, not how it is spelled; the spelling
// follows from the syntax of the file and the kind of the argument. The text
// "a${b}" as a [String] comes out as a$${b} where strings are templates, and as
// it is where they are not. The zero Value is null.
type Value struct {
	form    valueForm
	text    string
	list    []Value
	entries []Entry
}

type valueForm uint8

const (
	formNull valueForm = iota
	formString
	formNumber
	formBool
	formSource
	formTemplate
	formList
	formObject
)

// An Entry is a key and a value of an object.
type Entry struct {
	// Key is the key. It means itself: template marks are escaped, and it need
	// not be an identifier. An object cannot have a key twice.
	Key   string
	Value Value
}

// String returns the text s. Template marks in it have no meaning. Where a
// reference, a keyword or a type is required, it is the same as [Source].
func String(s string) Value { return Value{form: formString, text: s} }

// Number returns a number with exactly these digits, such as "1.50". They are
// checked when the value is written: they must be a JSON number.
func Number(digits string) Value { return Value{form: formNumber, text: digits} }

// Int returns a whole number.
func Int(n int64) Value { return Number(strconv.FormatInt(n, 10)) }

// Bool returns a boolean.
func Bool(b bool) Value { return Value{form: formBool, text: strconv.FormatBool(b)} }

// Null returns null, which in most arguments is the same as leaving them out.
func Null() Value { return Value{} }

// Source returns an expression, a reference, a keyword or a type, spelled in
// native syntax: var.x, [for s in var.list : upper(s)], all, list(string).
func Source(text string) Value { return Value{form: formSource, text: text} }

// Template returns a text with template marks, spelled as between the lines
// of a heredoc: "Hello, ${var.name}!". Quotes and backslashes mean themselves.
func Template(text string) Value { return Value{form: formTemplate, text: text} }

// List returns a list of values.
func List(values ...Value) Value { return Value{form: formList, list: values} }

// Object returns an object or map with entries in that order.
func Object(entries ...Entry) Value { return Value{form: formObject, entries: entries} }

// ValueOf returns v as a Value. It takes a Value, nil, strings, booleans,
// numbers (also [encoding/json.Number] and those of math/big), a cty.Value that
// is wholly known, slices and maps of these as Go has them after decoding JSON,
// []string, []Value, map[string]string and map[string]Value. The keys of maps
// are sorted. Whatever else it is given is an [*Error] without a place that wraps
// [ErrKind]. The marks of a cty.Value, such as sensitive, are dropped.
func ValueOf(v any) (Value, error) {
	w, err := valueOf(v)
	if err != nil {
		return Value{}, &Error{Err: err}
	}
	return w, nil
}

// valueOf is ValueOf with the bare cause as its error.
func valueOf(v any) (Value, error) {
	switch v := v.(type) {
	case Value:
		return v, nil
	case nil:
		return Null(), nil
	case string:
		return String(v), nil
	case bool:
		return Bool(v), nil
	case int:
		return Int(int64(v)), nil
	case int64:
		return Int(v), nil
	case int32:
		return Int(int64(v)), nil
	case uint64:
		return Number(strconv.FormatUint(v, 10)), nil
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return Value{}, notWritable("%v cannot be written as a number", v)
		}
		return Number(strconv.FormatFloat(v, 'g', -1, 64)), nil
	case json.Number:
		return Number(string(v)), nil
	case *big.Int:
		return Number(v.String()), nil
	case *big.Float:
		return bigFloat(v)
	case cty.Value:
		return fromCty(v)
	case []string:
		return listOf(v)
	case []any:
		return listOf(v)
	case []Value:
		return List(v...), nil
	case map[string]string:
		return objectOf(v)
	case map[string]any:
		return objectOf(v)
	case map[string]Value:
		return objectOf(v)
	}
	return Value{}, notWritable("a %T cannot be written as a value", v)
}

// notWritable returns the error for a value that configuration cannot express.
func notWritable(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrKind, fmt.Sprintf(format, args...))
}

func listOf[T any](in []T) (Value, error) {
	out := make([]Value, len(in))
	for i, v := range in {
		var err error
		if out[i], err = valueOf(v); err != nil {
			return Value{}, err
		}
	}
	return List(out...), nil
}

func objectOf[T any](in map[string]T) (Value, error) {
	out := make([]Entry, 0, len(in))
	for _, k := range slices.Sorted(maps.Keys(in)) {
		v, err := valueOf(in[k])
		if err != nil {
			return Value{}, err
		}
		out = append(out, Entry{k, v})
	}
	return Object(out...), nil
}

// bigFloat writes f with as many digits as tell it apart from its neighbours.
func bigFloat(f *big.Float) (Value, error) {
	if f.IsInf() {
		return Value{}, notWritable("an infinite number cannot be written")
	}
	return Number(hcllex.NumberText(f)), nil
}

// fromCty returns a constant as a Value. Marks are dropped.
func fromCty(v cty.Value) (Value, error) {
	v, _ = v.Unmark()
	switch {
	case v == cty.NilVal || v.IsNull():
		return Null(), nil
	case !v.IsKnown():
		return Value{}, notWritable("an unknown value cannot be written")
	}
	t := v.Type()
	switch {
	case t == cty.String:
		return String(v.AsString()), nil
	case t == cty.Bool:
		return Bool(v.True()), nil
	case t == cty.Number:
		return bigFloat(v.AsBigFloat())
	case t.IsObjectType() || t.IsMapType():
		var out []Entry
		for it := v.ElementIterator(); it.Next(); {
			k, e := it.Element()
			w, err := fromCty(e)
			if err != nil {
				return Value{}, err
			}
			k, _ = k.Unmark()
			out = append(out, Entry{k.AsString(), w})
		}
		return Object(out...), nil
	case t.IsListType() || t.IsTupleType() || t.IsSetType():
		var out []Value
		for it := v.ElementIterator(); it.Next(); {
			_, e := it.Element()
			w, err := fromCty(e)
			if err != nil {
				return Value{}, err
			}
			out = append(out, w)
		}
		return List(out...), nil
	}
	return Value{}, notWritable("a value of type %s cannot be written", t.FriendlyName())
}
