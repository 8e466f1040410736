// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// TestOpenTypes shows outputs whose types leave parts open, as in
// cty's notation of values with types.
func TestOpenTypes(t *testing.T) {
	const a, b, c = `{"value":1,"type":"number"}`, `{"value":2,"type":"number"}`, `{"value":"x","type":"string"}`
	for _, tt := range []struct{ typ, value, shown, as string }{ // refused if shown is empty
		{`"dynamic"`, a, `1`, `"number"`},
		{`"dynamic"`, `{"value":null,"type":"dynamic"}`, `null`, `"dynamic"`},
		{`"dynamic"`, `{"value":[true],"type":["list","bool"]}`, `[true]`, `["list","bool"]`},
		{`"dynamic"`, `1`, ``, ``},
		{`"dynamic"`, `{"value":1}`, ``, ``},
		{`"dynamic"`, `{"value":1,"type":"odd"}`, ``, ``},
		{`"dynamic"`, `{"value":` + a + `,"type":"dynamic"}`, ``, ``},
		{`["list","dynamic"]`, `[` + a + `,` + b + `]`, `[1,2]`, `["list","number"]`},
		{`["list","dynamic"]`, `[` + a + `,` + c + `]`, ``, ``},
		{`["list","dynamic"]`, `[` + a + `,1]`, ``, ``},
		{`["list","dynamic"]`, `{}`, ``, ``},
		{`["set","dynamic"]`, `[` + b + `,` + a + `]`, `[1,2]`, `["set","number"]`},
		{`["map","dynamic"]`, `{"b":` + b + `,"a":` + a + `}`, `{"a":1,"b":2}`, `["map","number"]`},
		{`["map","dynamic"]`, `{"b":` + b + `,"a":` + c + `}`, ``, ``},
		{`["map",["object",{"x":"dynamic"}]]`, `{"k":{"x":` + c + `}}`, `{"k":{"x":"x"}}`, `["map",["object",{"x":"string"}]]`},
		{`["object",{"x":"dynamic"}]`, `{"x":` + c + `,"y":1}`, ``, ``},
		{`["object",{"x":"dynamic"}]`, `{"x":1}`, ``, ``},
		{`["tuple",["dynamic","bool"]]`, `[` + c + `,true]`, `["x",true]`, `["tuple",["string","bool"]]`},
		{`["tuple",["dynamic"]]`, `[` + c + `,true]`, ``, ``},
		{`["tuple",["dynamic"]]`, `[true]`, ``, ``},
	} {
		text := strings.Replace(state(""), `"outputs":{}`, `"outputs":{"o":{"value":`+tt.value+`,"type":`+tt.typ+`}}`, 1)
		f, err := statefile.Decode([]byte(text))
		if tt.shown == "" {
			if e, ok := errors.AsType[*statefile.Error](err); !ok || e.Pointer != "/outputs/o/value" || !errors.Is(err, statefile.ErrInvalid) || strings.Contains(err.Error(), "odd") {
				t.Errorf("%s as %s: %v", tt.value, tt.typ, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s as %s: %v", tt.value, tt.typ, err)
			continue
		}
		s, err := statefile.Show(f, nil)
		if err != nil {
			t.Errorf("%s as %s: %v", tt.value, tt.typ, err)
			continue
		}
		if o := s.Values.Outputs["o"]; string(o.Value) != tt.shown || string(o.Type) != tt.as {
			t.Errorf("%s as %s: shown as %s, %s", tt.value, tt.typ, o.Value, o.Type)
		}
	}
}

// TestOpenTypesDeep nests open types until the limit: Decode leaves such a value
// alone, as it does with what it does not look into, but it is not shown.
func TestOpenTypesDeep(t *testing.T) {
	value := `{"value":1,"type":"number"}`
	for range 120 {
		value = `{"value":[` + value + `],"type":["tuple",["dynamic"]]}`
	}
	f, err := statefile.Decode([]byte(strings.Replace(state(""), `"outputs":{}`, `"outputs":{"o":{"value":`+value+`,"type":"dynamic"}}`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := statefile.Show(f, nil); !errors.Is(err, statefile.ErrLimit) {
		t.Errorf("shown: %v", err)
	}
}

// TestSteps reads the steps of paths of sensitive parts.
func TestSteps(t *testing.T) {
	index := func(v string) string { return `[[{"type":"index","value":` + v + `}]]` }
	for text, want := range map[string]any{
		`[]`:                                   nil,
		`null`:                                 nil,
		`[[{"type":"get_attr","value":"a"}]]`:  "a",
		index(`{"value":3,"type":"number"}`):   3,
		index(`{"value":"k","type":"string"}`): "k",
		index(`{"value":1.5,"type":"number"}`): -1, // leads nowhere
		index(`{"value":true,"type":"bool"}`):  -1, // an element of a set
		index(`null`):                          -1,
		index(`{"value":"3","type":"number"}`): 3,
		index(`{"value":"x","type":"number"}`): statefile.ErrInvalid,
		`{}`:                                   statefile.ErrInvalid,
		`[1]`:                                  statefile.ErrInvalid,
		`[[1]]`:                                statefile.ErrInvalid,
		`[[{"type":"get_attr","value":1}]]`:    statefile.ErrInvalid,
		index(`1`):                             statefile.ErrInvalid,
	} {
		f := &statefile.InstanceObject{SensitiveAttributes: []byte(text)}
		paths, err := f.SensitivePaths()
		if cause, ok := want.(error); ok {
			if !errors.Is(err, cause) {
				t.Errorf("%s: %v, %v", text, paths, err)
			}
			continue
		}
		if err != nil || (want == nil) != (len(paths) == 0) || want != nil && (len(paths) != 1 || len(paths[0]) != 1 || paths[0][0] != want) {
			t.Errorf("%s: %v, %v", text, paths, err)
		}
	}
}
