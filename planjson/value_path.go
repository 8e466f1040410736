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
	r := reader{text: v}
	if !r.open('{') {
		return nil
	}
	for r.member() {
		if r.named(name) {
			found = r.value()
		}
	}
	return found
}

// Element returns element i of the array v, counted from 0, or nil.
func (v Value) Element(i int) Value {
	r := reader{text: v}
	if i < 0 || !r.open('[') {
		return nil
	}
	for r.element() {
		if i--; i < 0 {
			return r.value()
		}
	}
	return nil
}

// offset returns where in v the value at a path of strings and ints begins, or
// the innermost one around it that exists.
func (v Value) offset(path []any) int {
	at := jsonscan.Space(v, 0)
	for _, step := range path {
		r := reader{text: v[at:]}
		found := -1
		switch step := step.(type) {
		case string:
			for ok := r.open('{') && r.member(); ok; ok = r.member() {
				if cty.NormalizeString(unquote(r.name)) == step {
					found = r.start
				}
			}
		case int:
			for ok := r.open('[') && r.element(); ok; ok = r.element() {
				if step--; step < 0 {
					found = r.start
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
		r := reader{text: v}
		if !r.open('{') {
			return
		}
		for r.member() {
			if !yield(unquote(r.name), r.value()) {
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
		r := reader{text: v}
		if !r.open('[') {
			return
		}
		for i := 0; r.element(); i++ {
			if !yield(i, r.value()) {
				return
			}
		}
	}
}

// Len returns the number of members of the object v, or of elements of the
// array v. It is 0 for everything else.
func (v Value) Len() (n int) {
	r := reader{text: v}
	switch {
	case r.open('['):
		for r.element() {
			n++
		}
	case r.open('{'):
		for r.member() {
			n++
		}
	}
	return n
}

// A reader reads the items of one object or array in their order. At the first
// fault it stops as if the container ended.
type reader struct {
	text       []byte
	at         int    // after the last item
	name       []byte // the token of the member's name
	from       int    // where the name begins
	start, end int    // the item's value
	begun      bool
	valid      bool // the text is known to be: items are passed over without a look at what is in them
}

// open enters the container that begins with c, if there is one.
func (r *reader) open(c byte) bool {
	i := jsonscan.Space(r.text, 0)
	if i == len(r.text) || r.text[i] != c {
		return false
	}
	r.at = i + 1
	return true
}

// next moves to the next item: over the comma, if there is one before it.
func (r *reader) next(end byte) bool {
	i := jsonscan.Space(r.text, r.at)
	if i >= len(r.text) || r.text[i] == end {
		return false
	}
	if r.begun {
		if r.text[i] != ',' {
			return false
		}
		i = jsonscan.Space(r.text, i+1)
	}
	r.begun = true
	r.start = i
	return i < len(r.text)
}

// element moves to the next element of an array.
func (r *reader) element() bool { return r.next(']') && r.skip() }

// member moves to the next member of an object.
func (r *reader) member() bool {
	if !r.next('}') {
		return false
	}
	end, fault := jsonscan.String(r.text, r.start)
	if fault != jsonscan.OK {
		return false
	}
	r.name, r.from = r.text[r.start:end], r.start
	i := jsonscan.Space(r.text, end)
	if i >= len(r.text) || r.text[i] != ':' {
		return false
	}
	r.start = jsonscan.Space(r.text, i+1)
	return r.skip()
}

// skip finds the end of the item's value.
func (r *reader) skip() bool {
	if r.valid {
		r.end = valueEnd(r.text, r.start)
		r.at = r.end
		return true
	}
	end, fault := jsonscan.Value(r.text, r.start, jsonscan.MaxDepth)
	r.end, r.at = end, end
	return fault == jsonscan.OK
}

func (r *reader) value() Value { return r.text[r.start:r.end:r.end] }

// named reports whether the member has this name, however it is spelled.
func (r *reader) named(name string) bool {
	raw := r.name[1 : len(r.name)-1]
	for _, c := range raw {
		if c == '\\' {
			return unquote(r.name) == name
		}
	}
	return string(raw) == name
}
