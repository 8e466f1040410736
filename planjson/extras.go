// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"iter"
	"reflect"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// Extras returns an iterator over the members of all objects in doc that this
// package has no field for, each with its JSON pointer. They come from a newer
// tool or from another program. They are kept and written back, but this
// package does not know their meaning. A caller that wants a strict decoder
// returns an error for the first one.
//
// It visits all objects as they are now, in time linear in the size of the
// document.
func Extras[D Document](doc D) iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		w := extrasWalk{yield: yield}
		w.object(reflect.ValueOf(doc), 0)
	}
}

// An extrasWalk visits the objects of a document. It makes a pointer only for what it
// yields: names can be as long as the document, and objects as deep as it is.
type extrasWalk struct {
	path  []any // names as strings, positions as ints
	yield func(string, Value) bool
}

// pointer returns the pointer of a member of the object at hand.
func (w *extrasWalk) pointer(member string) string {
	var b strings.Builder
	for _, step := range w.path {
		switch step := step.(type) {
		case string:
			b.WriteString("/" + jsonscan.EscapePointer(step))
		case int:
			b.WriteString("/" + strconv.Itoa(step))
		}
	}
	return b.String() + "/" + jsonscan.EscapePointer(member)
}

// object visits v, a pointer to a struct of the format, and everything in it.
// It reflects on the structs' tags, which includes every type.
func (w *extrasWalk) object(v reflect.Value, depth int) bool {
	if v.IsNil() || depth > maxNesting {
		return true
	}
	if o, ok := v.Interface().(Object); ok {
		for name, x := range Extra(o) {
			if !w.yield(w.pointer(name), x) {
				return false
			}
		}
	}
	switch o := v.Interface().(type) {
	case *Expression: // no tags: its members depend on its shape
		return w.field(reflect.ValueOf(o.Block), depth) && w.field(reflect.ValueOf(o.Blocks), depth)
	case *Outputs: // its members are the outputs
		return w.field(reflect.ValueOf(o.Outputs), depth)
	}
	v = v.Elem()
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if name != "" && !w.below(name, func() bool { return w.field(v.Field(i), depth) }) {
			return false
		}
	}
	if p, ok := v.Addr().Interface().(*Plan); ok {
		return w.below("configuration", func() bool { return w.object(reflect.ValueOf(p.Config()), depth+1) })
	}
	return true
}

// below calls visit for what is one step further.
func (w *extrasWalk) below(step any, visit func() bool) bool {
	w.path = append(w.path, step)
	more := visit()
	w.path = w.path[:len(w.path)-1]
	return more
}

// field visits the objects in a field.
func (w *extrasWalk) field(f reflect.Value, depth int) bool {
	switch f.Kind() {
	case reflect.Struct:
		return w.object(f.Addr(), depth+1)
	case reflect.Pointer:
		return f.Type().Elem().Kind() != reflect.Struct || w.object(f, depth+1)
	case reflect.Slice:
		if f.Type().Elem().Kind() != reflect.Pointer {
			return true
		}
		for i := range f.Len() {
			if !w.below(i, func() bool { return w.object(f.Index(i), depth+1) }) {
				return false
			}
		}
	case reflect.Map:
		if f.Type().Elem().Kind() != reflect.Pointer {
			return true
		}
		for _, name := range wire.SortedKeys(f) {
			if !w.below(name, func() bool { return w.object(f.MapIndex(reflect.ValueOf(name)), depth+1) }) {
				return false
			}
		}
	}
	return true
}

// A Duplicate is a member whose name has occurred before in the same object.
// In the typed view the last one counts; all of them are kept and written back.
type Duplicate struct {
	Pointer      string // of the member (RFC 6901)
	Offset       int64  // of its name, in bytes, from 0
	Line, Column int    // of its name, from 1; Column counts bytes
}

// Duplicates returns an iterator over the members that occur more than once in
// their object, at any depth, including in a [Value], in the text that doc was
// decoded from. Later changes make no difference. No tool writes such members,
// and readers differ in which one they take: a caller that judges a document
// for others should fail if there is one.
//
// It reads all of the text. A document that was not decoded has none.
func Duplicates[D Document](doc D) iter.Seq[Duplicate] {
	return func(yield func(Duplicate) bool) {
		if absent(doc) {
			return
		}
		src, _ := about(doc)
		for d := range wire.Duplicates(src.Text()) {
			if !yield(Duplicate{Pointer: d.Pointer, Offset: int64(d.Offset), Line: d.Line, Column: d.Column}) {
				return
			}
		}
	}
}
