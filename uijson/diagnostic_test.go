// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/uijson"
)

// The types of diagnostics have the same fields, of the same types, as those of
// package planjson: the same code of the tools writes both.
func TestDiagnosticAsInPlanjson(t *testing.T) {
	for _, pair := range [][2]any{
		{uijson.Diagnostic{}, planjson.Diagnostic{}},
		{uijson.Range{}, planjson.Range{}},
		{uijson.Pos{}, planjson.Pos{}},
		{uijson.Snippet{}, planjson.Snippet{}},
		{uijson.ExpressionValue{}, planjson.ExpressionValue{}},
		{uijson.FunctionCall{}, planjson.FunctionCall{}},
		{uijson.CalledFunction{}, planjson.CalledFunction{}},
		{uijson.CalledParameter{}, planjson.CalledParameter{}},
		{uijson.TestAssertionExpr{}, planjson.TestAssertionExpr{}},
	} {
		fields := func(x any) (all []string) {
			typ := reflect.TypeOf(x)
			for i := range typ.NumField() {
				f := typ.Field(i)
				kind := f.Type
				if f.Name == "Difference" {
					continue // a Change in planjson, of which it has a part here
				}
				for kind.Kind() == reflect.Pointer || kind.Kind() == reflect.Slice && kind.Name() == "" {
					kind = kind.Elem()
				}
				name := kind.Name()
				if kind.Kind() == reflect.String {
					name = "string" // perhaps an enumeration in one of the packages
				}
				all = append(all, f.Name+" "+f.Type.Kind().String()+" of "+name+" "+f.Tag.Get("json"))
			}
			return all
		}
		if diff := cmp.Diff(fields(pair[1]), fields(pair[0])); diff != "" {
			t.Errorf("%T (-planjson +uijson):\n%s", pair[0], diff)
		}
	}
}

// A diagnostic of the one package can be decoded as one of the other, and loses
// nothing.
func TestDiagnosticThroughPlanjson(t *testing.T) {
	n := 0
	for name, text := range recordings(t) {
		messages(text, func(line []byte) {
			d := decode(t, line).Diagnostic
			if d == nil {
				return
			}
			n++
			var other planjson.Diagnostic
			through(t, d, &other)
			for extra := range planjson.Extra(&other) {
				t.Errorf("%s: planjson does not know %s", name, extra)
			}
			var again uijson.Diagnostic
			through(t, &other, &again)
			if !uijson.Equal(&again, d) {
				t.Errorf("%s: %s", name, line)
			}
		})
	}
	if n < 100 {
		t.Errorf("only %d diagnostics", n)
	}
}

func through(t *testing.T, from, to any) {
	t.Helper()
	text, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}
