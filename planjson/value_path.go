// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"iter"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// Get returns the value at a path below v, without building anything. A step
// is a string for a member of an object, or an int for an element of an array,
// counted from 0. A step can also be a [Value] that is a string or an integer,
// as the paths in [Change.ReplacePaths] and [RelevantAttribute.Attribute] have
// them. A step of any other type leads nowhere. With no steps, Get returns v.
//
// The result is nil if there is no such value: a member or element that is
// missing, a string step into an array, any step into a scalar or null. It is
// null only where the document says null. The time is proportional to the
// text before the value.
func (v Value) Get(path ...any) Value {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			v = v.Member(step)
		case int:
			v = v.Element(step)
		case Value:
			v = v.step(step)
		default:
			return nil
		}
		if v == nil {
			return nil
		}
	}
	return v
}

// step follows one step that is spelled as JSON.
func (v Value) step(s Value) Value {
	if name, ok := s.Text(); ok {
		return v.Member(name)
	}
	if n, ok := s.Int64(); ok && n == int64(int(n)) {
		return v.Element(int(n))
	}
	return nil
}

// Follow returns the value at a path that is spelled as a JSON array, as in
// [Change.ReplacePaths]; see [Value.Get]. A step into a set is the element
// itself, in which case the result is nil, as for any step that leads nowhere.
func (v Value) Follow(path Value) Value {
	if path.Kind() != KindArray || path.Check() != nil {
		return nil
	}
	for _, step := range path.Elements() {
		if v = v.step(step); v == nil {
			return nil
		}
	}
	return v
}

// Member returns the member of the object v with this name, or nil. If there
// are several, it is the last one.
func (v Value) Member(name string) Value {
	var found Value
	r := jsonscan.Items{Text: v}
	if !r.Open('{') {
		return nil
	}
	for r.Member() {
		if r.Named(name) {
			found = r.Value()
		}
	}
	return found
}

// Element returns element i of the array v, counted from 0, or nil.
func (v Value) Element(i int) Value {
	r := jsonscan.Items{Text: v}
	if i < 0 || !r.Open('[') {
		return nil
	}
	for r.Element() {
		if i--; i < 0 {
			return r.Value()
		}
	}
	return nil
}

// offset returns where in v the value at a path of strings and ints begins, or
// the innermost one around it that exists.
func (v Value) offset(path []any) int {
	at := jsonscan.Space(v, 0)
	for _, step := range path {
		r := jsonscan.Items{Text: v[at:]}
		found := -1
		switch step := step.(type) {
		case string:
			for ok := r.Open('{') && r.Member(); ok; ok = r.Member() {
				if cty.NormalizeString(jsonscan.Unquote(r.Name)) == step {
					found = r.Start
				}
			}
		case int:
			for ok := r.Open('[') && r.Element(); ok; ok = r.Element() {
				if step--; step < 0 {
					found = r.Start
					break
				}
			}
		}
		if found < 0 {
			return at
		}
		at += found
	}
	return at
}

// Members returns an iterator over the members of the object v in the order
// of the text, with every one of several with the same name. It yields nothing
// if v is not an object. It can be used any number of times.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		r := jsonscan.Items{Text: v}
		if !r.Open('{') {
			return
		}
		for r.Member() {
			if !yield(jsonscan.Unquote(r.Name), r.Value()) {
				return
			}
		}
	}
}

// Elements returns an iterator over the elements of the array v with their
// indexes. It yields nothing if v is not an array. It can be used any number
// of times.
func (v Value) Elements() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		r := jsonscan.Items{Text: v}
		if !r.Open('[') {
			return
		}
		for i := 0; r.Element(); i++ {
			if !yield(i, r.Value()) {
				return
			}
		}
	}
}

// Len returns the number of members of the object v, or of elements of the
// array v. It is 0 for everything else.
func (v Value) Len() (n int) {
	r := jsonscan.Items{Text: v}
	switch {
	case r.Open('['):
		for r.Element() {
			n++
		}
	case r.Open('{'):
		for r.Member() {
			n++
		}
	}
	return n
}
