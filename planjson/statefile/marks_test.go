// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// steps returns the text of a path: names, and after # the keys of index steps.
func steps(path string) string {
	var list []string
	for step := range strings.FieldsSeq(path) {
		if key, ok := strings.CutPrefix(step, "#"); ok {
			typ := "number"
			if strings.HasPrefix(key, "s:") {
				key, typ = `"`+key[2:]+`"`, "string"
			}
			list = append(list, `{"type":"index","value":{"value":`+key+`,"type":"`+typ+`"}}`)
		} else {
			list = append(list, `{"type":"get_attr","value":"`+step+`"}`)
		}
	}
	return "[[" + strings.Join(list, ",") + "]]"
}

const openValue = `{"value":{"a":"x","l":["x","y"],"m":{"k":"x"},"n":null},"type":["object",{"a":"string","l":["list","string"],"m":["map","string"],"n":"string"}]}`

// TestUnfitPaths has paths that lead to a part of the attributes, or only near one. The tools'
// marks are those of OpenTofu 1.12.6 and Terraform 1.11.4.
func TestUnfitPaths(t *testing.T) {
	const none = `{"input":{"l":[false,false],"m":{}}}`
	const list = `{"input":{"l":true,"m":{}}}`
	marks := func(input string) string { return `{"input":` + input + `}` }
	inside := func(input string) string {
		return `{"input":{"type":[false,{"l":[false,false],"m":[false,false]}],"value":` + input + `}}`
	}
	whole := inside("true")
	for _, tt := range []struct{ path, tool, shown, raw string }{
		{"input a", marks(`{"a":true,"l":[false,false],"m":{}}`), "", inside(`{"a":true,"l":[false,false],"m":{}}`)},
		{"input l #1", marks(`{"l":[false,true],"m":{}}`), "", inside(`{"l":[false,true],"m":{}}`)},
		{`input l #"1"`, marks(`{"l":[false,true],"m":{}}`), "", inside(`{"l":[false,true],"m":{}}`)},
		{"input m #s:k", marks(`{"l":[false,false],"m":{"k":true}}`), "", inside(`{"l":[false,false],"m":{"k":true}}`)},
		{"input m k", none, marks(`{"l":[false,false],"m":{"k":true}}`), inside(`{"l":[false,false],"m":{"k":true}}`)},
		{"input m #s:other", none, marks(`{"l":[false,false],"m":true}`), inside(`{"l":[false,false],"m":true}`)},
		{"input l #2", none, list, inside(`{"l":true,"m":{}}`)},
		{"input l #-1", none, list, inside(`{"l":true,"m":{}}`)},
		{"input l #0.5", none, list, inside(`{"l":true,"m":{}}`)},
		{"input l #1e30", none, list, inside(`{"l":true,"m":{}}`)},
		{"input l #s:1", none, list, inside(`{"l":true,"m":{}}`)},
		{"input l name", none, list, inside(`{"l":true,"m":{}}`)},
		{"input a b", none, marks(`{"a":true,"l":[false,false],"m":{}}`), inside(`{"a":true,"l":[false,false],"m":{}}`)},
		{"input a #0", none, marks(`{"a":true,"l":[false,false],"m":{}}`), inside(`{"a":true,"l":[false,false],"m":{}}`)},
		{"input n b", none, none, inside(`{"l":[false,false],"m":{}}`)},
		{"input other", none, marks("true"), whole},
		{"input #0", none, marks("true"), whole},
		{"input value a", none, marks("true"), inside(`{"a":true,"l":[false,false],"m":{}}`)},
		{"input type", none, marks("true"), `{"input":{"type":true,"value":true}}`},
		{"other", none, "true", "true"},
		{"#0", none, "true", "true"},
		{"", "true", "", "true"},
	} {
		object := `{"schema_version":0,"attributes":{"id":"i","input":` + openValue + `},"sensitive_attributes":` + steps(tt.path) + `}`
		f, err := statefile.Decode([]byte(state(resource(object))))
		if err != nil {
			t.Fatalf("%s: %v", tt.path, err)
		}
		if tt.shown == "" {
			tt.shown = tt.tool
		}
		marksOf := func(show func(*statefile.File, *planjson.Schemas) (*planjson.State, error)) string {
			s, err := show(f, nil)
			if err != nil {
				t.Fatalf("%s: %v", tt.path, err)
			}
			return string(s.Values.RootModule.Resources[0].SensitiveValues)
		}
		if got := marksOf(statefile.ShowExactly); got != tt.tool {
			t.Errorf("%s: marked as the tools do: %s, want %s", tt.path, got, tt.tool)
		}
		if got := marksOf(statefile.Show); got != tt.shown {
			t.Errorf("%s: marked as %s, want %s", tt.path, got, tt.shown)
		}
		o := f.Resources[0].Instances[0]
		if got, err := o.SensitiveValues(); err != nil || string(got) != tt.raw {
			t.Errorf("%s: %s, %v, want %s", tt.path, got, err, tt.raw)
		}
		// Nothing is known of the type of another provider's resource.
		f.Resources[0].Type, f.Resources[0].Provider = "a", `provider["registry.opentofu.org/hashicorp/a"]`
		for _, show := range []func(*statefile.File, *planjson.Schemas) (*planjson.State, error){statefile.Show, statefile.ShowExactly} {
			if got := marksOf(show); got != tt.raw {
				t.Errorf("%s: without schemas: %s, want %s", tt.path, got, tt.raw)
			}
		}
	}
}

// TestSensitiveValues has attributes that no path leads into.
func TestSensitiveValues(t *testing.T) {
	a := planjson.Value(steps("a"))
	for _, tt := range []struct {
		o    *statefile.InstanceObject
		want string // refused if empty
	}{
		{nil, "{}"},
		{&statefile.InstanceObject{SensitiveAttributes: planjson.Value("[]")}, "{}"},
		{&statefile.InstanceObject{SensitiveAttributes: a, AttributesFlat: map[string]string{"a": "x"}}, "true"},
		{&statefile.InstanceObject{SensitiveAttributes: a, Attributes: planjson.Value("{ \"b\" : 1, \"a\" : [ 1 ] }")}, `{"a":true}`},
		{&statefile.InstanceObject{SensitiveAttributes: a, Attributes: planjson.Value("null")}, "false"},
		{&statefile.InstanceObject{SensitiveAttributes: a, Attributes: planjson.Value("{")}, ""},
		{&statefile.InstanceObject{SensitiveAttributes: planjson.Value("1")}, ""},
	} {
		got, err := tt.o.SensitiveValues()
		if string(got) != tt.want || (tt.want == "") != errors.Is(err, statefile.ErrInvalid) {
			t.Errorf("%+v: %s, %v, want %s", tt.o, got, err, tt.want)
		}
	}
	// Open values in each other are searched with bounded work: then all is marked.
	deep := bytes.Repeat([]byte(`{"value":`), 900)
	deep = append(append([]byte(`{"a":`), deep...), '1')
	deep = append(append(deep, bytes.Repeat([]byte(`,"type":"string"}`), 900)...), '}')
	o := &statefile.InstanceObject{SensitiveAttributes: planjson.Value(steps("a" + strings.Repeat(" value", 900))), Attributes: deep}
	if got, err := o.SensitiveValues(); err != nil || string(got) != "true" {
		t.Errorf("%.100s, %v", got, err)
	}
}
