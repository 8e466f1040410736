// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// A flat has the attributes of an object as releases before Terraform 0.12 wrote them: a
// text for each leaf, with a key that has the names on the way to it, joined by dots.
// Beside the elements of a list or set, the key NAME.# has their number; beside those of
// a map, NAME.% has it. An element of a set has a hash for a name.
type flat struct {
	texts map[string]string
	keys  []string // sorted
	left  int      // how many more elements may be made
}

// flatUnknown stood for a value that was not known.
const flatUnknown = "74D93920-ED26-11E3-AC10-0800200C9A66"

// So many elements of lists an object can have, and so many more for each text: a text
// with their number is all that it takes to have many.
const (
	maxElements  = 1000
	elementsEach = 100
)

// unflatten returns the value of a type that flat attributes have.
func unflatten(attributes map[string]string, t cty.Type) (cty.Value, error) {
	f := flat{attributes, slices.Sorted(maps.Keys(attributes)), maxElements + elementsEach*len(attributes)}
	return f.object("", t)
}

// value returns the value at a key.
func (f *flat) value(key string, t cty.Type) (cty.Value, error) {
	switch {
	case f.texts[key] == flatUnknown:
		return cty.NilVal, fmt.Errorf("%w: %q is not known", ErrInvalid, short(key))
	case t.IsPrimitiveType():
		text, ok := f.texts[key]
		if !ok {
			return cty.NullVal(t), nil
		}
		v, err := convert.Convert(cty.StringVal(text), t)
		if err != nil {
			return cty.NilVal, fmt.Errorf("%w: %q: %w", ErrInvalid, short(key), err)
		}
		return v, nil
	case t.IsObjectType():
		return f.object(key+".", t)
	case t.IsMapType():
		return f.mapping(key+".", t)
	case t.IsListType(), t.IsTupleType():
		return f.list(key+".", t)
	case t.IsSetType():
		return f.set(key+".", t)
	}
	return cty.NilVal, fmt.Errorf("%w: %q has a type that the schema leaves open", ErrInvalid, short(key))
}

// object returns an object whose attributes have keys that begin with prefix.
func (f *flat) object(prefix string, t cty.Type) (cty.Value, error) {
	types := t.AttributeTypes()
	values := make(map[string]cty.Value, len(types))
	for _, name := range slices.Sorted(maps.Keys(types)) {
		v, err := f.value(prefix+name, types[name])
		if err != nil {
			return cty.NilVal, err
		}
		values[name] = v
	}
	return cty.ObjectVal(values), nil
}

// below returns the keys that begin with prefix.
func (f *flat) below(prefix string) []string {
	from, _ := slices.BinarySearch(f.keys, prefix)
	n := 0
	for from+n < len(f.keys) && strings.HasPrefix(f.keys[from+n], prefix) {
		n++
	}
	return f.keys[from : from+n]
}

// mapping returns a map. The names of its elements can have dots.
func (f *flat) mapping(prefix string, t cty.Type) (cty.Value, error) {
	if _, ok := f.texts[prefix+"%"]; !ok {
		return cty.NullVal(t), nil
	}
	values := make(map[string]cty.Value)
	for _, key := range f.below(prefix) {
		name := key[len(prefix):]
		if name == "%" {
			continue
		}
		v, err := f.value(key, t.ElementType())
		if err != nil {
			return cty.NilVal, err
		}
		values[name] = v
	}
	if len(values) == 0 {
		return cty.MapValEmpty(t.ElementType()), nil
	}
	return cty.MapVal(values), nil
}

// list returns a list or a tuple.
func (f *flat) list(prefix string, t cty.Type) (cty.Value, error) {
	text, ok := f.texts[prefix+"#"]
	if !ok {
		return cty.NullVal(t), nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || t.IsTupleType() && n != t.Length() {
		return cty.NilVal, fmt.Errorf("%w: %q is not the number of its elements", ErrInvalid, short(prefix+"#"))
	}
	if f.left -= n; f.left < 0 {
		return cty.NilVal, fmt.Errorf("%w: %q counts more elements than there are", ErrLimit, short(prefix+"#"))
	}
	values := make([]cty.Value, n)
	for i := range values {
		var of cty.Type
		if t.IsTupleType() {
			of = t.TupleElementType(i)
		} else {
			of = t.ElementType()
		}
		if values[i], err = f.value(prefix+strconv.Itoa(i), of); err != nil {
			return cty.NilVal, err
		}
	}
	switch {
	case t.IsTupleType():
		return cty.TupleVal(values), nil
	case n == 0:
		return cty.ListValEmpty(t.ElementType()), nil
	}
	return cty.ListVal(values), nil
}

// set returns a set.
func (f *flat) set(prefix string, t cty.Type) (cty.Value, error) {
	text, ok := f.texts[prefix+"#"]
	if !ok {
		return cty.NullVal(t), nil
	}
	of := t.ElementType()
	var values []cty.Value
	last := ""
	for _, key := range f.below(prefix) {
		name, _, nested := strings.Cut(key[len(prefix):], ".")
		if name == "#" && !nested || name == last && len(values) > 0 {
			continue
		}
		last = name
		v, err := f.value(prefix+name, of)
		if err != nil {
			return cty.NilVal, err
		}
		values = append(values, v)
	}
	switch {
	case len(values) > 0:
		return cty.SetVal(values), nil
	case text == "1": // of one element, in which nothing is set
		v := cty.NullVal(of)
		if of.IsObjectType() {
			values := make(map[string]cty.Value)
			for name, t := range of.AttributeTypes() {
				values[name] = cty.NullVal(t)
			}
			v = cty.ObjectVal(values)
		}
		return cty.SetVal([]cty.Value{v}), nil
	}
	return cty.SetValEmpty(of), nil
}
