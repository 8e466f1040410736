// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"reflect"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
)

// object is what every type of the format can do, but for Clone and Equal,
// whose types differ, and SetExtra, which an Expression has not.
type object interface {
	Extra() iter.Seq2[string, planjson.Value]
	Position() (line, column int, ok bool)
	json.Marshaler
	json.Unmarshaler
}

type extensible interface {
	object
	SetExtra(string, planjson.Value) error
}

// checkObject checks the laws of all objects on one of them, which was decoded.
func checkObject(t *testing.T, name string, o object) {
	t.Helper()
	text, err := o.MarshalJSON()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if _, _, ok := o.Position(); !ok {
		t.Errorf("%s: no position", name)
	}

	v := reflect.ValueOf(o)
	clone := v.MethodByName("Clone").Call(nil)[0]
	same := v.MethodByName("Equal")
	if !same.Call([]reflect.Value{clone})[0].Bool() || !same.Call([]reflect.Value{v})[0].Bool() {
		t.Errorf("%s: not equal to its clone", name)
	}
	if same.Call([]reflect.Value{reflect.Zero(v.Type())})[0].Bool() {
		t.Errorf("%s: equal to nil", name)
	}
	if again, err := clone.Interface().(object).MarshalJSON(); err != nil || !bytes.Equal(again, text) {
		t.Errorf("%s: clone of %s is %s, %v", name, text, again, err)
	}

	// An extra member comes and goes without a trace.
	c, ok := clone.Interface().(extensible)
	if !ok {
		return
	}
	if err := c.SetExtra("x_new", planjson.Value(` [ 1 ]`)); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if same.Call([]reflect.Value{clone})[0].Bool() {
		t.Errorf("%s: equal to an object with another member", name)
	}
	found := ""
	for name, x := range c.Extra() {
		found += name + x.String()
	}
	if !strings.Contains(found, "x_new") {
		t.Errorf("%s: extra members %s", name, found)
	}
	with, err := c.MarshalJSON()
	if err != nil || !bytes.Contains(with, []byte("x_new")) {
		t.Errorf("%s: %s, %v", name, with, err)
	}
	fresh := reflect.New(v.Type().Elem()).Interface().(object)
	if err := fresh.UnmarshalJSON(with); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if again, err := fresh.MarshalJSON(); err != nil || !bytes.Equal(again, with) {
		t.Errorf("%s: %s became %s, %v", name, with, again, err)
	}
	if err := c.SetExtra("x_new", nil); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if again, err := c.MarshalJSON(); err != nil || !bytes.Equal(again, text) {
		t.Errorf("%s: %s became %s, %v", name, text, again, err)
	}
	if err := c.SetExtra("x_new", planjson.Value("{")); err == nil {
		t.Errorf("%s: a broken extra member was taken", name)
	}
	if err := fresh.UnmarshalJSON([]byte("5")); err == nil {
		t.Errorf("%s: 5 was taken", name)
	}
}

// The laws hold for every type with all its members.
func TestObjects(t *testing.T) {
	for _, row := range memberTable {
		typ := reflect.TypeOf(row.typ).Elem()
		var members []string
		for i := range typ.NumField() {
			if f := typ.Field(i); f.IsExported() {
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				members = append(members, fmt.Sprintf("%q:%s", name, sampleOf(f.Type)))
			}
		}
		text := "{" + strings.Join(members, ",") + "}"
		o := reflect.New(typ).Interface().(extensible)
		if err := o.UnmarshalJSON([]byte(text)); err != nil {
			t.Errorf("%s: %v", row.object, err)
			continue
		}
		checkObject(t, row.object, o)
		// A name that has a field is not extra.
		name, _, _ := strings.Cut(typ.Field(0).Tag.Get("json"), ",")
		if err := o.SetExtra(name, planjson.Value("1")); err == nil {
			t.Errorf("%s: %s was taken for an extra member", row.object, name)
		}
		// A new object has no place, and is written in full.
		empty := reflect.New(typ).Interface().(extensible)
		if _, _, ok := empty.Position(); ok {
			t.Errorf("%s: a new object has a position", row.object)
		}
		if err := empty.SetExtra("x_new", planjson.Value("1")); err != nil {
			t.Errorf("%s: %v", row.object, err)
		}
		if out, err := empty.MarshalJSON(); err != nil || !bytes.Contains(out, []byte(`"x_new":1`)) {
			t.Errorf("%s: %s, %v", row.object, out, err)
		}
		if got := reflect.Zero(reflect.PointerTo(typ)).MethodByName("Clone").Call(nil)[0]; !got.IsNil() {
			t.Errorf("%s: the clone of nil is %v", row.object, got)
		}
	}
}

// The laws hold for every object of some recordings.
func TestObjectsOfRecordings(t *testing.T) {
	seen := make(map[reflect.Type]int)
	var visit func(name string, v reflect.Value)
	visit = func(name string, v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if v.IsNil() || v.Type().Elem().Kind() != reflect.Struct {
				return
			}
			if o, ok := v.Interface().(object); ok && seen[v.Type()] < 200 {
				seen[v.Type()]++
				checkObject(t, name, o)
			}
			for i := range v.Elem().NumField() {
				if f := v.Elem().Field(i); v.Elem().Type().Field(i).IsExported() {
					visit(name, f)
				}
			}
		case reflect.Struct:
			if _, _, ok := v.Addr().Interface().(object).Position(); ok {
				visit(name, v.Addr())
			}
		case reflect.Slice:
			if v.Type().Elem().Kind() == reflect.Pointer {
				for i := range v.Len() {
					visit(name, v.Index(i))
				}
			}
		case reflect.Map:
			if v.Type().Elem().Kind() == reflect.Pointer {
				for _, key := range v.MapKeys() {
					visit(name, v.MapIndex(key))
				}
			}
		}
	}
	for _, r := range recordings(t) {
		if len(r.text) > 40_000 && r.kind == "plan" {
			continue
		}
		doc, err := decodeAs(r.kind, r.text)
		if err != nil {
			t.Fatal(err)
		}
		visit(r.name, reflect.ValueOf(doc.value))
	}
	if len(seen) < 40 {
		t.Errorf("only %d types: %v", len(seen), seen)
	}
}
