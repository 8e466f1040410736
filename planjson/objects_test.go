// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
)

// checkObject checks the laws of all objects on one of them, which was decoded.
func checkObject(t *testing.T, name string, o planjson.Object) {
	t.Helper()
	text, err := o.MarshalJSON()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if _, _, ok := planjson.Position(o); !ok {
		t.Errorf("%s: no position", name)
	}

	c := planjson.Clone(o)
	if reflect.TypeOf(c) != reflect.TypeOf(o) || !planjson.Equal(o, c) || !planjson.Equal(o, o) {
		t.Errorf("%s: not equal to its clone", name)
	}
	if none := reflect.Zero(reflect.TypeOf(o)).Interface().(planjson.Object); planjson.Equal(o, none) || planjson.Equal(none, o) || !planjson.Equal(none, nil) {
		t.Errorf("%s: equal to nil", name)
	}
	if again, err := c.MarshalJSON(); err != nil || !bytes.Equal(again, text) {
		t.Errorf("%s: clone of %s is %s, %v", name, text, again, err)
	}

	// An extra member comes and goes without a trace.
	switch e := o.(type) {
	case *planjson.Outputs:
		if err := planjson.SetExtra(c, "x_new", planjson.Value("1")); err == nil {
			t.Errorf("%s: outputs took an extra member", name)
		}
		return
	case *planjson.Expression:
		if e.ConstantValue != nil || e.References != nil {
			break
		}
		if err := planjson.SetExtra(c, "x_new", planjson.Value("1")); err == nil {
			t.Errorf("%s: a block took an extra member", name)
		}
		return
	}
	if err := planjson.SetExtra(c, "x_new", planjson.Value(` [ 1 ]`)); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if planjson.Equal(o, c) {
		t.Errorf("%s: equal to an object with another member", name)
	}
	found := ""
	for name, x := range planjson.Extra(c) {
		found += name + x.String()
	}
	if !strings.Contains(found, "x_new") {
		t.Errorf("%s: extra members %s", name, found)
	}
	with, err := c.MarshalJSON()
	if err != nil || !bytes.Contains(with, []byte("x_new")) {
		t.Errorf("%s: %s, %v", name, with, err)
	}
	fresh := reflect.New(reflect.TypeOf(o).Elem()).Interface().(planjson.Object)
	if err := fresh.UnmarshalJSON(with); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if again, err := fresh.MarshalJSON(); err != nil || !bytes.Equal(again, with) {
		t.Errorf("%s: %s became %s, %v", name, with, again, err)
	}
	if err := planjson.SetExtra(c, "x_new", nil); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if again, err := c.MarshalJSON(); err != nil || !bytes.Equal(again, text) {
		t.Errorf("%s: %s became %s, %v", name, text, again, err)
	}
	if err := planjson.SetExtra(c, "x_new", planjson.Value("{")); err == nil {
		t.Errorf("%s: a broken extra member was taken", name)
	}
	if _, any := o.(*planjson.Expression); any {
		return // a raw one may be a number
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
		o := reflect.New(typ).Interface().(planjson.Object)
		if err := o.UnmarshalJSON([]byte(text)); err != nil {
			t.Errorf("%s: %v", row.object, err)
			continue
		}
		checkObject(t, row.object, o)
		// A name that has a field is not extra.
		name, _, _ := strings.Cut(typ.Field(0).Tag.Get("json"), ",")
		if err := planjson.SetExtra(o, name, planjson.Value("1")); err == nil {
			t.Errorf("%s: %s was taken for an extra member", row.object, name)
		}
		// A new object has no place, and is written in full.
		empty := reflect.New(typ).Interface().(planjson.Object)
		if _, _, ok := planjson.Position(empty); ok {
			t.Errorf("%s: a new object has a position", row.object)
		}
		if err := planjson.SetExtra(empty, "x_new", planjson.Value("1")); err != nil {
			t.Errorf("%s: %v", row.object, err)
		}
		if out, err := empty.MarshalJSON(); err != nil || !bytes.Contains(out, []byte(`"x_new":1`)) {
			t.Errorf("%s: %s, %v", row.object, out, err)
		}
		none := reflect.Zero(reflect.PointerTo(typ)).Interface().(planjson.Object)
		if got := planjson.Clone(none); got != nil {
			t.Errorf("%s: the clone of nil is %v", row.object, got)
		}
		if err := planjson.SetExtra(none, "x_new", planjson.Value("1")); !errors.Is(err, planjson.ErrAbsent) {
			t.Errorf("%s: an extra member of nil: %v", row.object, err)
		}
		if _, _, ok := planjson.Position(none); ok {
			t.Errorf("%s: nil has a position", row.object)
		}
		for name := range planjson.Extra(none) {
			t.Errorf("%s: nil has a member %s", row.object, name)
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
			if o, ok := v.Interface().(planjson.Object); ok && seen[v.Type()] < 200 {
				seen[v.Type()]++
				checkObject(t, name, o)
			}
			if p, ok := v.Interface().(*planjson.Plan); ok {
				visit(name, reflect.ValueOf(p.Config()))
			}
			for i := range v.Elem().NumField() {
				if f := v.Elem().Field(i); v.Elem().Type().Field(i).IsExported() {
					visit(name, f)
				}
			}
		case reflect.Struct:
			if _, _, ok := planjson.Position(v.Addr().Interface().(planjson.Object)); ok {
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

// An expression takes extra members as long as it stays one.
func TestExtraOfExpression(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`{"constant_value":1}`, `{"constant_value":1,"x":2}`},
		{`{"references":["a"] , "y":1}`, `{"references":["a"] , "y":1 , "x":2}`},
		{`{}`, ""},
		{`{"block":{"references":["a"]}}`, ""},
		{`[]`, ""},
	} {
		plan, err := planjson.DecodePlan([]byte(`{"configuration":{"root_module":{"resources":[{"expressions":{"e":` + tt.text + `}}]}}}`))
		if err != nil {
			t.Fatal(err)
		}
		e := plan.Config().RootModule.Resources[0].Expressions["e"]
		err = planjson.SetExtra(e, "x", planjson.Value("2"))
		if (err == nil) != (tt.want != "") {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		if tt.want == "" {
			tt.want = tt.text
		}
		text, err := planjson.Encode(plan)
		if err != nil || !bytes.Contains(text, []byte(`"e":`+tt.want+"}")) {
			t.Errorf("%s: %s, %v", tt.text, text, err)
		}
		if again, err := planjson.DecodePlan(text); err != nil || !planjson.Equal(plan, again) {
			t.Errorf("%s: %v", tt.text, err)
		}
	}
	if err := planjson.SetExtra(&planjson.Expression{References: []string{"a"}}, "x", planjson.Value("2")); err == nil {
		t.Error("an expression that was not read took an extra member")
	}
}

// Objects of different types are not equal, whatever they say.
func TestEqualTypes(t *testing.T) {
	var a, b planjson.Object = new(planjson.Provisioner), new(planjson.Output)
	if planjson.Equal(a, b) || !planjson.Equal(a, planjson.Clone(a)) || planjson.Equal(a, nil) || !planjson.Equal[planjson.Object](nil, nil) {
		t.Error("equal by mistake")
	}
	if planjson.Clone[planjson.Object](nil) != nil {
		t.Error("a clone of nothing")
	}
}
