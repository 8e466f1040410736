// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"iter"
	"reflect"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// Extras returns an iterator over the members of m and of all objects in it
// that this package has no field for, each with its JSON pointer. They come
// from a newer tool or from another program. They are kept and written back,
// but this package does not know their meaning. [Extra] has only those of the
// line itself.
//
// It visits all objects as they are now, in time linear in the size of the
// message.
func (m *Message) Extras() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		objects("", reflect.ValueOf(m), func(at string, o Object) bool {
			for name, v := range Extra(o) {
				if !yield(at+"/"+jsonscan.EscapePointer(name), v) {
					return false
				}
			}
			return true
		})
	}
}

// objects visits v, a pointer to a struct of the format, and all objects in it
// with their JSON pointers, until visit returns false. It reflects on the
// structs' tags, which includes every type.
func objects(at string, v reflect.Value, visit func(at string, o Object) bool) bool {
	if v.IsNil() {
		return true
	}
	if o, ok := v.Interface().(Object); ok && !visit(at, o) {
		return false
	}
	if h, ok := v.Interface().(*Hook); ok && !objects(at+"/action", reflect.ValueOf(h.ActionAddr), visit) {
		return false // this field has no tag: the member has another field
	}
	v = v.Elem()
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if name != "" && !objectsIn(at+"/"+jsonscan.EscapePointer(name), v.Field(i), visit) {
			return false
		}
	}
	return true
}

// objectsIn visits the objects in a field.
func objectsIn(at string, f reflect.Value, visit func(at string, o Object) bool) bool {
	isObject := func(t reflect.Type) bool {
		return t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct
	}
	switch t := f.Type(); {
	case t.Kind() == reflect.Struct:
		return objects(at, f.Addr(), visit)
	case isObject(t):
		return objects(at, f, visit)
	case t.Kind() == reflect.Slice && isObject(t.Elem()):
		for i := range f.Len() {
			if !objects(at+"/"+strconv.Itoa(i), f.Index(i), visit) {
				return false
			}
		}
	case t.Kind() == reflect.Map && isObject(t.Elem()):
		for _, name := range wire.SortedKeys(f) {
			if !objects(at+"/"+jsonscan.EscapePointer(name), f.MapIndex(reflect.ValueOf(name)), visit) {
				return false
			}
		}
	}
	return true
}

// A Duplicate is a member whose name has occurred before in the same object. No
// tool writes any; the last one counts.
type Duplicate struct {
	Pointer      string // of the member (RFC 6901)
	Offset       int64  // of its name in the line, in bytes, from 0
	Line, Column int    // of its name, from 1; Column counts bytes
}

// Duplicates returns an iterator over the members that occur more than once in
// their object, at any depth of m, including in a [Value].
func (m *Message) Duplicates() iter.Seq[Duplicate] {
	return func(yield func(Duplicate) bool) {
		line, err := Encode(m)
		if err != nil {
			return
		}
		for d := range wire.Duplicates(line) {
			if !yield(Duplicate{Pointer: d.Pointer, Offset: int64(d.Offset), Line: d.Line, Column: d.Column}) {
				return
			}
		}
	}
}
