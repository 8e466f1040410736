// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// set gives each exported field of the struct v, and of the structs in it, another value than
// the zero one.
func set(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				set(v.Field(i))
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		set(v.Elem())
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[uijson.Value]() {
			v.SetBytes([]byte(`"` + v.Type().String() + `"`))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			set(v.Index(i))
		}
	case reflect.String:
		v.SetString("a " + v.Type().String())
	case reflect.Int:
		v.SetInt(7)
	}
}

// kept returns the diagnostics that a tracker keeps of messages with these.
func kept(list ...*uijson.Diagnostic) []*uitrack.DiagnosticState {
	var tr uitrack.Tracker
	for _, d := range list {
		m := uijson.NewMessage(uijson.TypeDiagnostic, "text")
		m.Diagnostic = d
		tr.Add(&uijson.Event{Kind: uijson.EventMessage, Message: m})
	}
	return tr.Snapshot().Diagnostics
}

func toJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Every field of a diagnostic is kept, whichever others are set.
func TestTracker_keepsDiagnostics(t *testing.T) {
	typ := reflect.TypeFor[uijson.Diagnostic]()
	for i := -1; i < typ.NumField(); i++ {
		if i >= 0 && !typ.Field(i).IsExported() {
			continue
		}
		d := new(uijson.Diagnostic)
		name := "all"
		if i < 0 {
			set(reflect.ValueOf(d).Elem())
		} else {
			name = typ.Field(i).Name
			set(reflect.ValueOf(d).Elem().Field(i))
		}
		want := toJSON(t, d)
		list := kept(d)
		set(reflect.ValueOf(d).Elem()) // which must not reach the copy
		d.Summary = "changed"
		if len(list) != 1 || toJSON(t, list[0].Diagnostic) != want {
			t.Errorf("%s: %s, want %s", name, toJSON(t, list), want)
		}
	}
}

// A kept diagnostic shares no memory with its line, and has its extra members.
func TestTracker_keepsExtraMembers(t *testing.T) {
	const whole = `{"severity":"error","summary":"s","detail":"d\n","address":"a.b","range":{"filename":"f.tf","start":{"line":1,"column":2,"byte":3},"end":{"line":4,"column":5,"byte":6}},` +
		`"snippet":{"context":"resource \"a\" \"b\"","code":"c","start_line":1,"highlight_start_offset":0,"highlight_end_offset":1,"values":[{"traversal":"t","statement":"is"}]}}`
	for _, place := range []string{"", `"severity"`, `"filename"`, `"line":1`, `"line":4`, `"context"`, `"traversal"`} {
		text := whole
		if place != "" {
			text = strings.Replace(text, place, `"new":[1],`+place, 1)
		}
		line := []byte(`{"@level":"error","@message":"m","@module":"tofu.ui","@timestamp":"t","diagnostic":` + text + `,"type":"diagnostic"}`)
		m, err := uijson.Decode(line)
		if err != nil {
			t.Fatal(err)
		}
		list := kept(m.Diagnostic)
		for i := range line {
			line[i] = 'x'
		}
		if len(list) != 1 || toJSON(t, list[0].Diagnostic) != text {
			t.Errorf("%s, want %s", toJSON(t, list), text)
		}
	}
}

// Diagnostics are the same if they differ in nothing that the tracker compares, also where
// the numbers under which it finds them are equal.
func TestTracker_tellsDiagnosticsApart(t *testing.T) {
	make := func(change func(*uijson.Diagnostic)) *uijson.Diagnostic {
		d := &uijson.Diagnostic{Severity: uijson.SeverityError, Summary: "s", Detail: "d", Range: &uijson.Range{Filename: "f", Start: uijson.Pos{Line: 1, Column: 1}}}
		change(d)
		return d
	}
	all := []*uijson.Diagnostic{
		make(func(*uijson.Diagnostic) {}),
		make(func(d *uijson.Diagnostic) { d.Severity = uijson.SeverityWarning }), // same number
		make(func(d *uijson.Diagnostic) { d.Severity = uijson.SeverityUnknown }), // same number
		make(func(d *uijson.Diagnostic) { d.Range.Filename = "g" }),              // same number
		make(func(d *uijson.Diagnostic) { d.Range.Start.Line = 2 }),
		make(func(d *uijson.Diagnostic) { d.Range.Start.Column = 2 }),
		make(func(d *uijson.Diagnostic) { d.Range = nil }),
		make(func(d *uijson.Diagnostic) { d.Summary = "t" }),
		make(func(d *uijson.Diagnostic) { d.Detail = "" }),
		make(func(d *uijson.Diagnostic) { d.Address = "a.b" }),
	}
	again := append(all, all...)
	again = append(again, make(func(d *uijson.Diagnostic) { d.Range = new(uijson.Range) })) // like none
	list := kept(again...)
	if len(list) != len(all) {
		t.Fatalf("%d diagnostics, want %d", len(list), len(all))
	}
	for i, s := range list {
		want := 2
		if all[i].Range == nil {
			want = 3
		}
		if s.Count != want || !uijson.Equal(s.Diagnostic, all[i]) {
			t.Errorf("%d: %s, %d times", i, toJSON(t, s.Diagnostic), s.Count)
		}
	}
}

// Of a diagnostic that cannot be encoded, what can be shown is kept.
func TestTracker_keepsInvalidDiagnostics(t *testing.T) {
	for name, snippet := range map[string]*uijson.Snippet{
		"context":       {Context: uijson.Value("{")},
		"value":         {Values: []*uijson.ExpressionValue{nil}},
		"function call": {FunctionCall: &uijson.FunctionCall{Signature: &uijson.CalledFunction{ReturnType: uijson.Value("]")}}},
	} {
		d := &uijson.Diagnostic{Summary: "s", Detail: "d", Range: &uijson.Range{Filename: "f", Start: uijson.Pos{Line: 3}}, Snippet: snippet}
		list := kept(d, d)
		if len(list) != 1 || list[0].Count != 2 {
			t.Fatalf("%s: %s", name, toJSON(t, list))
		}
		if k := list[0].Diagnostic; k.Summary != "s" || k.Detail != "d" || k.Range.Filename != "f" || k.Range.Start.Line != 3 || k.Snippet != nil {
			t.Errorf("%s: %s", name, toJSON(t, k))
		}
	}
	d := &uijson.Diagnostic{Summary: "s", Difference: &uijson.Difference{Before: uijson.Value("x")}}
	if list := kept(d); len(list) != 1 || list[0].Diagnostic.Summary != "s" || list[0].Diagnostic.Difference != nil {
		t.Errorf("difference: %s", toJSON(t, list))
	}
}
