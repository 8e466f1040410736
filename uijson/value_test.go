// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/uijson"
)

// valueOf is uijson.ValueOf for values with which it cannot fail.
func valueOf(t testing.TB, x any) uijson.Value {
	t.Helper()
	v, err := uijson.ValueOf(x)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The type Value of this package and that of package planjson have methods of
// the same names, which say the same of every text.
func TestValueAsInPlanjson(t *testing.T) {
	for _, text := range []string{
		"<nil>", "", " ", "null", " null\n", "\u00a0null", "nul", "true", "0", "-1.50e3", "12345678901234567890", `"a\u003c"`, ` "x" `, `"x`, `"x"y`, `"\ud800"`,
		"[]", `[1,{"a":null}]`, "{}", `{"b":1, "a":"<&>"}`, "{", `{"a":1,}`, "[1] x",
	} {
		ours, theirs := uijson.Value(text), planjson.Value(text)
		if text == "<nil>" {
			ours, theirs = nil, nil
		}
		facts := func(null bool, text string, isText bool, s string) []any {
			return []any{null, text, isText, s}
		}
		s, ok := ours.Text()
		got := facts(ours.IsNull(), s, ok, ours.String())
		s, ok = theirs.Text()
		want := facts(theirs.IsNull(), s, ok, theirs.String())
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-planjson +uijson):\n%s", text, diff)
		}
		parts := func(b, isBool bool, n json.Number, isNumber bool, x any, get ...[]byte) []any {
			all := []any{b, isBool, n, isNumber, x}
			for _, g := range get {
				all = append(all, string(g), g == nil)
			}
			return all
		}
		b, isBool := ours.Bool()
		n, isNumber := ours.Number()
		got = parts(b, isBool, n, isNumber, ours.Any(), ours.Get("a"), ours.Get(1, "a"), ours.Get(0), ours.Get(-1), ours.Get(1.5), ours.Get())
		b, isBool = theirs.Bool()
		n, isNumber = theirs.Number()
		want = parts(b, isBool, n, isNumber, theirs.Any(), theirs.Get("a"), theirs.Get(1, "a"), theirs.Get(0), theirs.Get(-1), theirs.Get(1.5), theirs.Get())
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q, its parts (-planjson +uijson):\n%s", text, diff)
		}
		var ourParts, theirParts []string
		for name, v := range ours.Members() {
			ourParts = append(ourParts, name, v.String())
		}
		for i, v := range ours.Elements() {
			ourParts = append(ourParts, strconv.Itoa(i), v.String())
		}
		for name, v := range theirs.Members() {
			theirParts = append(theirParts, name, v.String())
		}
		for i, v := range theirs.Elements() {
			theirParts = append(theirParts, strconv.Itoa(i), v.String())
		}
		if diff := cmp.Diff(theirParts, ourParts); diff != "" {
			t.Errorf("%q, its parts (-planjson +uijson):\n%s", text, diff)
		}
		for _, try := range []func() (error, error){
			func() (error, error) {
				var a, b any
				err1, err2 := ours.Decode(&a), theirs.Decode(&b)
				if diff := cmp.Diff(b, a); diff != "" {
					t.Errorf("%q decoded:\n%s", text, diff)
				}
				return err1, err2
			},
			func() (error, error) {
				var a, b []string
				return ours.Decode(&a), theirs.Decode(&b)
			},
			func() (error, error) {
				a, err1 := ours.MarshalJSON()
				b, err2 := theirs.MarshalJSON()
				if string(a) != string(b) {
					t.Errorf("%q marshaled: %q and %q", text, a, b)
				}
				return err1, err2
			},
		} {
			var e *uijson.Error
			var p *planjson.Error
			err1, err2 := try()
			if err1 == nil && err2 == nil {
				continue
			}
			if !errors.As(err1, &e) || !errors.As(err2, &p) {
				t.Errorf("%q: %v and %v", text, err1, err2)
				continue
			}
			if e.Offset != p.Offset || e.Line != p.Line || e.Column != p.Column || e.Pointer != p.Pointer || e.Err.Error() != p.Err.Error() {
				t.Errorf("%q: %v and %v", text, err1, err2)
			}
		}
	}
}

func TestValueOf(t *testing.T) {
	for _, x := range []any{nil, "a<b>&\u2028\x00\xff", 1e30, []any{true, nil}, map[string]any{"b": 1, "a": "x"}, json.Number("1.50"), uijson.Value(` [1, 2] `)} {
		want, err := planjson.ValueOf(x)
		if err != nil {
			t.Fatal(err)
		}
		if got := valueOf(t, x); got.String() != want.String() {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	for _, x := range []any{math.NaN(), func() {}, uijson.Value("{")} {
		var e *uijson.Error
		if v, err := uijson.ValueOf(x); v != nil || !errors.As(err, &e) {
			t.Errorf("%v, %v", v, err)
		}
	}
	var v uijson.Value
	text := []byte(`{"a":1}`)
	if err := json.Unmarshal(text, &v); err != nil || v.String() != `{"a":1}` {
		t.Error(v, err)
	}
	text[2] = 'b'
	if v.String() != `{"a":1}` {
		t.Error("the value shares memory with what it was made of")
	}
}

// TestUnmarshalKinds reads a message with members of wrong kinds, as Decode
// and as encoding/json does.
func TestUnmarshalKinds(t *testing.T) {
	line := []byte(`{"@level":"info","@message":1,"@module":"tofu.ui","type":"apply_start","hook":{"resource":[],"action":true,"id_key":"id"}}`)
	want, err := uijson.Decode(line)
	if err != nil {
		t.Fatal(err)
	}
	got := new(uijson.Message)
	if err := json.Unmarshal(line, got); err != nil {
		t.Fatal(err)
	}
	if !uijson.Equal(got, want) || got.Hook == nil || got.Hook.IDKey != "id" || len(got.Problems()) != 3 {
		t.Errorf("got %v with %v", got, got.Problems())
	}
	if text, err := uijson.Encode(got); err != nil || string(text) != string(line) {
		t.Errorf("it comes back as %s, %v", text, err)
	}
}
