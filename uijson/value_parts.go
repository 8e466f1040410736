// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"encoding/json"
	"iter"

	"github.com/tofuwire/tofuwire/internal/wire"
)

// Get returns the value at a path below v, without building anything. A step is a
// string for a member of an object, or an int for an element of an array, counted
// from 0. A step of any other type finds nothing. With no steps, Get returns v.
//
// The result is nil if there is no such value. It is null only if the line has
// null there. If a member occurs twice, the last one counts.
func (v Value) Get(path ...any) Value {
	for _, step := range path {
		var found Value
		switch step := step.(type) {
		case string:
			for name, member := range v.Members() {
				if name == step {
					found = member
				}
			}
		case int:
			for i, element := range v.Elements() {
				if i == step {
					found = element
					break
				}
			}
		}
		if found == nil {
			return nil
		}
		v = found
	}
	return v
}

// Members returns an iterator over the members of the object v, in the order of
// the text. There are none if v is not an object.
func (v Value) Members() iter.Seq2[string, Value] { return wire.ValueMembers(v) }

// Elements returns an iterator over the elements of the array v. There are none if
// v is not an array.
func (v Value) Elements() iter.Seq2[int, Value] { return wire.ValueElements(v) }

// Bool returns the bool v. It reports false in ok if v is not one.
func (v Value) Bool() (b, ok bool) { return wire.ValueBool(v) }

// Number returns the number v as the line spells it, whose methods convert it. It
// reports false if v is not a number.
func (v Value) Number() (json.Number, bool) { return wire.ValueNumber(v) }

// Any returns v as a Go value: nil, bool, string, [json.Number], []any or
// map[string]any. It returns nil if v is absent or not valid JSON.
func (v Value) Any() any {
	var x any
	if v.Decode(&x) != nil {
		return nil
	}
	return x
}
