// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/planjson"
)

// maxNesting bounds the recursion over objects that a caller has put together
// and that may contain themselves. Decoded ones are less deep.
const maxNesting = 10_000

// extra hides the members that no type here knows, in all objects of doc, a
// pointer to a struct of the format; and known secrets wherever they are.
func (d *redaction) extra(doc any) {
	d.extraOf(reflect.ValueOf(doc), 0)
	if len(d.Secrets) > 0 {
		d.scrub(reflect.ValueOf(doc), 0)
	}
}

// extraOf visits v, a pointer to a struct, and everything in it. Reflection
// follows the structs, so that no type can be forgotten.
func (d *redaction) extraOf(v reflect.Value, depth int) {
	if v.IsNil() || depth > maxNesting {
		return
	}
	if o, ok := v.Interface().(planjson.Object); ok {
		d.extraMembers(o)
	}
	switch o := v.Interface().(type) {
	case *planjson.Expression:
		d.extraIn(reflect.ValueOf(o.Block), depth)
		d.extraIn(reflect.ValueOf(o.Blocks), depth)
		return
	case *planjson.Outputs:
		d.extraIn(reflect.ValueOf(o.Outputs), depth)
		return
	}
	v = v.Elem()
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && strings.Contains(string(f.Tag), "json:") {
			d.extraIn(v.Field(i), depth)
		}
	}
}

func (d *redaction) extraMembers(o planjson.Object) {
	var found map[string]planjson.Value
	for name, x := range planjson.Extra(o) {
		if found == nil {
			found = make(map[string]planjson.Value)
		}
		found[name] = x
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		old := found[name]
		now := d.value(old, nil, nil, place{})
		if d.Keep&Extra == 0 {
			now = d.all(old, false)
		}
		if string(now) != string(old) {
			planjson.SetExtra(o, name, now) // it is valid, and extra
		}
	}
}

func (d *redaction) extraIn(f reflect.Value, depth int) {
	switch f.Kind() {
	case reflect.Struct:
		d.extraOf(f.Addr(), depth+1)
	case reflect.Pointer:
		if f.Type().Elem().Kind() == reflect.Struct {
			d.extraOf(f, depth+1)
		}
	case reflect.Slice, reflect.Map:
		if f.Type().Elem().Kind() != reflect.Pointer {
			return
		}
		if f.Kind() == reflect.Slice {
			for i := range f.Len() {
				d.extraOf(f.Index(i), depth+1)
			}
			return
		}
		for it := f.MapRange(); it.Next(); {
			d.extraOf(it.Value(), depth+1)
		}
	}
}
