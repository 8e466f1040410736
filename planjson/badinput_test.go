// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/bounds"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/planjson"
)

var allKinds = []string{
	"plan", "state", "config", "schemas", "functions", "validate", "version", "outputs", "modules", "workspaces", "stateshow", "renderer",
}

// wantError requires an [planjson.Error] whose place is in the text.
func wantError(t *testing.T, name string, text []byte, err error) *planjson.Error {
	t.Helper()
	var e *planjson.Error
	if !errors.As(err, &e) {
		t.Errorf("%s: got %v, want an *Error", name, err)
		return &planjson.Error{Err: errors.New("none")}
	}
	if e.Err == nil || e.Offset < 0 || e.Offset > int64(len(text)) || e.Line < 1 || e.Column < 1 {
		t.Errorf("%s: got %#v", name, e)
	}
	return e
}

// A known member of another kind than its field is an error that says so, at
// its place. Null is taken for every member, and kept.
func TestMemberKinds(t *testing.T) {
	values := map[string]string{"string": `"x"`, "number": `1`, "bool": `true`, "array": `[]`, "object": `{}`}
	fits := func(f reflect.Type, kind string) bool {
		for f.Kind() == reflect.Pointer {
			f = f.Elem()
		}
		switch f.Kind() {
		case reflect.String:
			return kind == "string"
		case reflect.Bool:
			return kind == "bool"
		case reflect.Int, reflect.Int64, reflect.Uint64:
			return kind == "number"
		case reflect.Slice:
			return f == reflect.TypeFor[planjson.Value]() || kind == "array"
		case reflect.Struct:
			// An expression has a shape for everything.
			return f == reflect.TypeFor[planjson.Expression]() || kind == "object"
		}
		return kind == "object"
	}
	for _, row := range memberTable {
		typ := reflect.TypeOf(row.typ).Elem()
		for i := range typ.NumField() {
			f := typ.Field(i)
			if !f.IsExported() {
				continue
			}
			member, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			for kind, v := range values {
				text := fmt.Sprintf("{\"x\":0,\n%q:%s}", member, v)
				err := json.Unmarshal([]byte(text), reflect.New(typ).Interface())
				if fits(f.Type, kind) {
					if err != nil {
						t.Errorf("%s: %s: %v", row.object, text, err)
					}
					continue
				}
				e := wantError(t, row.object+": "+text, []byte(text), err)
				want := "/" + strings.ReplaceAll(member, "/", "~1")
				if !errors.Is(err, planjson.ErrKind) || e.Pointer != want || e.Line != 2 {
					t.Errorf("%s: %s: %v", row.object, text, err)
				}
			}
			null := fmt.Sprintf("{%q:null}", member)
			o := reflect.New(typ)
			if err := json.Unmarshal([]byte(null), o.Interface()); err != nil {
				t.Errorf("%s: %s: %v", row.object, null, err)
			} else if out, err := json.Marshal(o.Interface()); err != nil || string(out) != null {
				t.Errorf("%s: %s became %s, %v", row.object, null, out, err)
			}
		}
	}
	// Elements and entries of lists and maps have no null.
	for text, pointer := range map[string]string{
		`{"resource_changes":[{},null]}`:                             "/resource_changes/1",
		`{"resource_changes":[{},1]}`:                                "/resource_changes/1",
		`{"output_changes":{"a":null}}`:                              "/output_changes/a",
		`{"output_changes":{"a":[]}}`:                                "/output_changes/a",
		`{"resource_changes":[{"change":{"actions":["create",1]}}]}`: "/resource_changes/0/change/actions/1",
		`{"checks":[{"instances":[{"problems":["x"]}]}]}`:            "/checks/0/instances/0/problems/0",
	} {
		_, err := planjson.DecodePlan([]byte(text))
		if e := wantError(t, text, []byte(text), err); e.Pointer != pointer || !errors.Is(err, planjson.ErrKind) {
			t.Errorf("%s: %v", text, err)
		}
	}
	// Numbers that do not fit are also of the wrong kind.
	for _, n := range []string{"1.5", "-1", "18446744073709551616", "1e30", "1e999999999"} {
		text := `{"schema_version":` + n + `}`
		err := json.Unmarshal([]byte(text), new(planjson.Resource))
		if wantError(t, text, []byte(text), err); !errors.Is(err, planjson.ErrKind) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, n := range []string{"1.0", "1e2", "18446744073709551615", "-0"} {
		text := `{"schema_version":` + n + `}`
		r := new(planjson.Resource)
		if err := json.Unmarshal([]byte(text), r); err != nil {
			t.Errorf("%s: %v", text, err)
		} else if out, err := r.MarshalJSON(); err != nil || string(out) != text {
			t.Errorf("%s became %s, %v", text, out, err)
		}
	}
}

// Text that is no document is refused by every decoder, and oddities that are
// allowed come out as they went in.
func TestOddDocuments(t *testing.T) {
	for _, row := range []struct {
		name, text string
		err        string // "" if it decodes
	}{
		{"nothing", "", "line 1, column 1: unexpected end of JSON text"},
		{"white space", " \n ", "line 2, column 2: unexpected end of JSON text"},
		{"null", "null", "line 1, column 1: unexpected kind of value: expected an object, found null"},
		{"number", " 1", "line 1, column 2: unexpected kind of value: expected an object, found a number"},
		{"array", "[]", "line 1, column 1: unexpected kind of value: expected an object, found an array"},
		{"string", `"x"`, "line 1, column 1: unexpected kind of value: expected an object, found a string"},
		{"byte order mark", "\ufeff{}", "line 1, column 1: byte order mark before the value"},
		{"UTF-16", "\xff\xfe{\x00}\x00", "line 1, column 1: the text is in UTF-16, not in UTF-8"},
		{"saved plan", "PK\x03\x04\x14\x00", "line 1, column 1: the text is a zip archive, as saved plans are, not JSON"},
		{"trailing text", "{}\n{}", "line 2, column 1: unexpected text after the value"},
		{"trailing comma", `{"x":1,}`, "line 1, column 8: expected a member name in double quotes"},
		{"comment", "{} // x", "line 1, column 4: unexpected text after the value"},
		{"control character", "{\"x\":\"a\nb\"}", "line 1, column 8 (/x): control character in a string must be escaped"},
		{"invalid UTF-8", "{\"x\":\"a\xffb\"}", "line 1, column 8 (/x): invalid UTF-8 in a string"},
		{"invalid UTF-8 in a name", "{\"x\xc0\xaf\":1}", "line 1, column 4: invalid UTF-8 in a string"},
		{"encoded surrogate", "{\"x\":\"\xed\xa0\x80\"}", "line 1, column 7 (/x): invalid UTF-8 in a string"},
		{"bad escape", `{"x":"\q"}`, "line 1, column 7 (/x): invalid escape in a string"},
		{"bad number", `{"x":01}`, "line 1, column 7 (/x): invalid number"},
		{"NaN", `{"x":NaN}`, "line 1, column 6 (/x): expected a value"},
		{"single quotes", `{'x':1}`, "line 1, column 2: expected a member name in double quotes"},
		{"too deep", `{"x":` + strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001) + `}`, "nested too deeply"},
		{"a million arrays", `{"x":` + strings.Repeat("[", 1_000_000), "nested too deeply"},
		{"a million objects", strings.Repeat(`{"x":`, 1_000_000), "nested too deeply"},

		{"empty object", "{}", ""},
		{"white space around", "\r\n\t {} \n\n", ""},
		{"lone surrogates", `{"x":"\ud800","y":"\udc00\ud800x"}`, ""},
		{"duplicates", `{"x":1,"x":2,"x":3}`, ""},
		{"empty name", `{"":{"":1}}`, ""},
		{"large number", `{"x":1e400,"y":-0,"z":1E+2}`, ""},
		{"deep", `{"x":` + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000) + `}`, ""},
		{"escapes", `{"x":"\b\u0008\/\u003c<\u2028"}`, ""},
	} {
		for _, kind := range allKinds {
			if kind == "outputs" {
				continue // it takes any value: see TestOddOutputs
			}
			doc, err := decodeAs(kind, []byte(row.text))
			if row.err != "" {
				wantError(t, kind+": "+row.name, []byte(row.text), err)
				if got := fmt.Sprint(err); !strings.HasSuffix(got, row.err) || !strings.HasPrefix(got, "planjson: line ") {
					t.Errorf("%s: %s: got %.200s", kind, row.name, got)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %s: %v", kind, row.name, err)
				continue
			}
			if out, err := doc.encode(); err != nil || string(out) != row.text {
				t.Errorf("%s: %s: became %.200s, %v", kind, row.name, out, err)
			}
		}
	}
}

// Modules, blocks of schemas and expressions nest as values do, with the same
// limit: each module is an object in an array.
func TestDeepModules(t *testing.T) {
	nest := func(n int) []byte {
		return []byte(`{"planned_values":{"root_module":{"child_modules":[` + strings.Repeat(`{"child_modules":[`, n) + strings.Repeat(`]}`, n) + `]}}}`)
	}
	text := nest(4_990)
	plan, err := planjson.DecodePlan(text)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for range plan.PlannedValues.AllModules() {
		n++
	}
	if out, err := planjson.Encode(plan); err != nil || !bytes.Equal(out, text) || n != 4_991 {
		t.Errorf("%d modules, %v", n, err)
	}
	for range planjson.Extras(plan) {
		t.Error("an extra member")
	}
	if !planjson.Equal(plan, planjson.Clone(plan)) {
		t.Error("not equal to its clone")
	}
	_, err = planjson.DecodePlan(nest(5_000))
	wantError(t, "deep modules", nest(5_000), err)

	for _, open := range []string{`{"a":`, `[{"a":`} {
		text := `{"root_module":{"resources":[{"expressions":{"a":` + strings.Repeat(open, 100_000)
		_, err := planjson.DecodeConfig([]byte(text))
		wantError(t, "deep expressions", []byte(text), err)
	}
	text = []byte(`{"provider_schemas":{"p":{"provider":` + strings.Repeat(`{"block":{"block_types":{"b":`, 100_000))
	_, err = planjson.DecodeSchemas(text)
	wantError(t, "deep schemas", text, err)
}

// Memory stays within a multiple of the input, whatever it is: a small one, but
// for lists of empty objects, which have three bytes for each
// [planjson.ResourceChange].
func TestMemory(t *testing.T) {
	depth.NeedFull(t, "its inputs are large")
	dense := strings.Repeat(`{},`, 100_000)
	dense = dense[:len(dense)-1]
	for _, row := range []struct {
		name, text string
		factor     int
	}{
		{"long string", `{"x":"` + strings.Repeat("a", 20_000_000) + `"}`, 1},
		{"long known string", `{"terraform_version":"` + strings.Repeat("a", 20_000_000) + `"}`, 4},
		{"long escaped string", `{"terraform_version":"` + strings.Repeat(`\u0061`, 5_000_000) + `"}`, 4},
		{"nested arrays", strings.Repeat("[", 1_000_000), 3},
		{"nested objects", strings.Repeat(`{"variables":`, 1_000_000), 3},
		{"long number", `{"x":` + strings.Repeat("9", 10_000_000) + `}`, 1},
		{"duplicates", `{"a":1` + strings.Repeat(`,"format_version":"1"`, 200_000) + `}`, 2},
		{"empty values", `{"relevant_attributes":[{"attribute":[` + strings.Repeat("0,", 1_000_000) + `0]}]}`, 64},
		{"empty changes", `{"resource_changes":[` + dense + `]}`, 300},
		{"names", `{"variables":{` + strings.Repeat(`"":{},`, 200_000) + `"a":{}}}`, 64},
	} {
		text := []byte(row.text)
		var plan *planjson.Plan
		var err error
		bounds.AtMost(t, row.name, row.factor*len(text), func() { plan, err = planjson.DecodePlan(text) })
		if err != nil {
			wantError(t, row.name, text, err)
			continue
		}
		if out, err := planjson.Encode(plan); err != nil || !bytes.Equal(out, text) {
			t.Errorf("%s: %v", row.name, err)
		}
	}
}

// The outputs document is any value, for that is what "output -json NAME"
// prints; but it must be one.
func TestOddOutputs(t *testing.T) {
	for _, text := range []string{`null`, ` 1 `, `"x"`, `[1,2]`, `true`, `{}`, `{"a":1}`, `{"a":{"sensitive":false,"type":"string","value":null}}`} {
		doc, err := planjson.DecodeOutputs([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if out, err := planjson.Encode(doc); err != nil || string(out) != text {
			t.Errorf("%s became %s, %v", text, out, err)
		}
		var w bytes.Buffer
		if err := planjson.Write(&w, doc); err != nil || w.String() != text {
			t.Errorf("%s was written as %s, %v", text, w.Bytes(), err)
		}
		if _, _, ok := planjson.Position(doc); !ok || !planjson.Equal(doc, planjson.Clone(doc)) {
			t.Errorf("%s: not equal to its clone", text)
		}
		var outer struct{ Outputs *planjson.Outputs }
		inner := []byte(`{"Outputs":` + text + `}`)
		if err := json.Unmarshal(inner, &outer); err != nil {
			t.Errorf("%s: %v", inner, err)
		}
		if (doc.Value == nil) == (doc.Outputs == nil) {
			t.Errorf("%s: %v and %s", text, doc.Outputs, doc.Value)
		}
	}
	for _, text := range []string{``, `{`, `{"a":{"sensitive":1,"type":"string","value":1}}`, `{"a":{"sensitive":true,"type":"x","value":1},"b":1}`, `1 2`, "\ufeff1"} {
		_, err := planjson.DecodeOutputs([]byte(text))
		wantError(t, text, []byte(text), err)
	}
}

// TestExtras_Memory looks for extra members below a long name, and far down: pointers are made for those that there
// are, and not for all objects.
func TestExtras_Memory(t *testing.T) {
	for name, text := range map[string]string{
		"a long name": `{"root_module":{"module_calls":{"` + strings.Repeat("n", 100_000) + `":{"source":"./m","module":{"resources":[` + strings.Repeat(`{"address":"a.b"},`, 1000) + `{"address":"a.b","odd":1}]}}}}}`,
		"far down":    `{"root_module":` + strings.Repeat(`{"module_calls":{"n":{"module":`, 2000) + `{"odd":1}` + strings.Repeat(`}}}`, 2000) + `}`,
	} {
		config, err := planjson.DecodeConfig([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		bounds.AtMost(t, name, 41*len(text), func() {
			n := 0
			for at := range planjson.Extras(config) {
				if n++; n > 1 || !strings.HasSuffix(at, "/odd") || !strings.HasPrefix(at, "/root_module/module_calls/n") {
					t.Errorf("%s: extra member %d is at %.80s", name, n, at)
				}
			}
			if n != 1 {
				t.Errorf("%s: %d extra members", name, n)
			}
		})
	}
}

// Outputs that the caller clears are gone, whichever shape they had.
func TestOutputs_cleared(t *testing.T) {
	for _, text := range []string{`{"a":{"sensitive":true,"type":"string","value":"secret"}}`, "{\n  \"a\": {\n    \"sensitive\": true,\n    \"type\": \"string\",\n    \"value\": \"secret\"\n  }\n}\n", `"secret"`, `{"secret":1}`} {
		doc, err := planjson.DecodeOutputs([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		doc.Outputs, doc.Value = nil, nil
		if out, err := planjson.Encode(doc); err != nil || strings.TrimSpace(string(out)) != "{}" {
			t.Errorf("%s became %s, %v", text, out, err)
		}
	}
}
