// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/planjson"
)

// FuzzValue checks the laws of a Value, whatever its bytes.
func FuzzValue(f *testing.F) {
	for _, text := range oddValues {
		f.Add([]byte(text))
	}
	for _, r := range recordings(f, "plan", "state") {
		doc, err := decodeAs(r.kind, r.text)
		if err != nil {
			f.Fatal(err)
		}
		if plan, ok := doc.value.(*planjson.Plan); ok {
			for _, rc := range plan.ResourceChanges {
				if len(rc.Change.After) < 500 {
					f.Add([]byte(rc.Change.After))
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v := planjson.Value(text)
		valid := v.Check() == nil
		if want := json.Valid(text) && utf8.Valid(text); valid != want {
			t.Fatalf("valid is %v, Check says %v", want, v.Check())
		}
		canonical, err := v.Canonical()
		if (err == nil) != valid {
			t.Fatalf("Canonical says %v", err)
		}
		// A name that occurs twice leads to the last one only.
		unique := valid && count(v) == count(canonical)
		n := 0
		c := v.Cursor()
		for c.Next() {
			if n++; n > 100 {
				break
			}
			if got := v.Get(c.Path()...); unique && !got.Equal(c.Value()) {
				t.Fatalf("%q at %s", got, c.Pointer())
			}
			if c.Value().Check() != nil {
				t.Fatalf("%q is not valid", c.Value())
			}
		}
		if n <= 100 && (c.Err() == nil) != valid {
			t.Fatalf("cursor says %v, Check says %v", c.Err(), v.Check())
		}
		v.Kind()
		v.Len()
		v.Int64()
		v.Float64()
		v.Get("a", 0, v)
		v.Follow(v)
		if !v.Equal(bytes.Clone(v)) {
			t.Fatal("not equal to its clone")
		}
		var tree any
		if err := v.Decode(&tree); (err == nil) != valid {
			t.Fatalf("Decode says %v", err)
		}
		if valid {
			if !canonical.Equal(v) || !v.Equal(canonical) {
				t.Fatalf("%s is not equal to %s", canonical, v)
			}
			if again, err := canonical.Canonical(); err != nil || string(again) != string(canonical) {
				t.Fatalf("%s became %s", canonical, again)
			}
		}
		planjson.ParseType(v)
		typed, err := v.Cty(cty.DynamicPseudoType)
		if err == nil && !valid {
			t.Fatal("a broken value has a cty value")
		}
		if err == nil {
			back, err := planjson.ValueOf(typed)
			if err != nil {
				t.Fatal(err)
			}
			again, err := back.Cty(typed.Type())
			if err != nil || !again.RawEquals(typed) {
				t.Fatalf("%#v became %#v, %v", typed, again, err)
			}
		}
	})
}

func count(v planjson.Value) (n int) {
	for c := v.Cursor(); c.Next(); {
		n++
	}
	return n
}

// FuzzCompanions checks that no three values make AfterCty fail in an
// uncontrolled way, and that what it gives marks whatever is marked.
func FuzzCompanions(f *testing.F) {
	for _, r := range recordings(f, "plan") {
		plan, err := planjson.DecodePlan(r.text)
		if err != nil {
			f.Fatal(err)
		}
		for _, rc := range plan.ResourceChanges {
			c := rc.Change
			if len(c.After) < 400 {
				f.Add([]byte(c.After), []byte(c.AfterUnknown), []byte(c.AfterSensitive), `"dynamic"`)
			}
		}
	}
	f.Add([]byte(`[1,null]`), []byte(`[false,true]`), []byte(`[true,false]`), `["list","number"]`)
	f.Add([]byte(`["a",null]`), []byte(`[false,true]`), []byte(`[]`), `["set","string"]`)
	f.Add([]byte(`{"a":1}`), []byte(`{"b":true}`), []byte(`{"a":true}`), `["map","dynamic"]`)
	f.Add([]byte(`{"a":[1,"x"]}`), []byte(`{}`), []byte(`true`), `["object",{"a":["tuple",["number","string"]],"o":["list",["object",{}]]},["o"]]`)
	f.Fuzz(func(t *testing.T, after, unknown, sensitive []byte, typ string) {
		ty, err := planjson.ParseType(planjson.Value(typ))
		if err != nil {
			return // not a type
		}
		c := planjson.Change{After: after, AfterUnknown: unknown, AfterSensitive: sensitive}
		v, err := c.AfterCty(ty)
		if err != nil {
			return
		}
		bare, marks := v.UnmarkDeep()
		if len(marks) > 0 != hasTrue(c.AfterSensitive) && len(marks) == 0 {
			// Marks on what the value does not have are dropped only below
			// names and places that do not exist.
			if planjson.Value(sensitive).Kind() == planjson.KindBool {
				t.Fatal("the mark on the whole is lost")
			}
		}
		if !ty.HasDynamicTypes() && !bare.Type().Equals(ty.WithoutOptionalAttributesDeep()) {
			t.Fatalf("type %#v, want %#v", bare.Type(), ty)
		}
	})
}

func hasTrue(v planjson.Value) bool {
	for c := v.Cursor(); c.Next(); {
		if string(c.Value()) == "true" {
			return true
		}
	}
	return false
}
