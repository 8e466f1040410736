// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/zclconf/go-cty/cty"
)

const schemas = `{"format_version":"1.0","provider_schemas":{
	"registry.opentofu.org/example/lab":{
		"provider":{"version":0,"block":{"attributes":{"token":{"type":"string","optional":true,"sensitive":true}}}},
		"resource_schemas":{"lab_thing":{"version":0,"block":{
			"attributes":{"id":{"type":"string","computed":true},"old":{"type":"bool","optional":true,"deprecated":true,"deprecation_message":"Use new."},
				"parts":{"nested_type":{"nesting_mode":"list","attributes":{"n":{"type":"number","required":true}}},"optional":true}},
			"block_types":{"disk":{"nesting_mode":"set","min_items":1,"block":{"attributes":{"size":{"type":"number","required":true}}}}}}}},
		"action_schemas":{"lab_run":{"block":{"attributes":{"at":{"type":"string"}}}}}},
	"registry.opentofu.org/other/lab":{"resource_schemas":{"lab_thing":{"block":{"attributes":{"other":{"type":"string"}}}}}},
	"none":null}}`

// TestSchemas finds the schema of each kind of block.
func TestSchemas(t *testing.T) {
	s, err := hclconfig.DecodeSchemas([]byte(schemas))
	if err != nil {
		t.Fatal(err)
	}
	const text = "terraform {\n  required_providers {\n    mine = { source = \"example/lab\" }\n    lab = { source = \"other/lab\" }\n  }\n}\n" +
		"resource \"lab_thing\" \"a\" {\n  provider = mine.x\n}\nresource \"lab_thing\" \"b\" {\n}\nprovider \"mine\" {\n}\naction \"lab_run\" \"c\" {\n}\ndata \"lab_thing\" \"d\" {\n}\nlocals {\n}\n"
	f, err := hclconfig.Parse("main.tf", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m := &hclconfig.Module{Config: *f.Config(), Files: []*hclconfig.File{f}}
	of := map[string]*hclconfig.BlockSchema{}
	for i := range f.Body().Blocks {
		b := &f.Body().Blocks[i]
		of[b.Type+" "+strings.Join(b.Labels[max(0, len(b.Labels)-1):], "")] = s.Of(m, b)
	}
	thing := of["resource a"]
	if thing == nil || !thing.Attributes["id"].Computed || thing.Attributes["old"].Message != "Use new." || thing.Attributes["parts"].Nested == nil || thing.Attributes["parts"].Nested.Nesting != "list" ||
		!thing.Attributes["parts"].Type.WithoutOptionalAttributesDeep().Equals(cty.List(cty.Object(map[string]cty.Type{"n": cty.Number}))) {
		t.Fatalf("%+v", thing)
	}
	if d := thing.Blocks["disk"]; d == nil || d.Nesting != "set" || d.MinItems != 1 || !d.Attributes["size"].Required {
		t.Errorf("%+v", d)
	}
	if b := of["resource b"]; b == nil || b.Attributes["other"].Type != cty.String {
		t.Errorf("the module calls another provider so: %+v", b)
	}
	if p := of["provider mine"]; p == nil || !p.Attributes["token"].Sensitive {
		t.Errorf("%+v", p)
	}
	if a := of["action c"]; a == nil || a.Attributes["at"].Type != cty.String {
		t.Errorf("another provider has the type: %+v", a)
	}
	if of["data d"] != nil || of["locals "] != nil || (*hclconfig.Schemas)(nil).Of(m, &f.Body().Blocks[1]) != nil || s.Of(nil, nil) != nil {
		t.Error("there is a schema of nothing")
	}
}

func TestDecodeSchemas_errors(t *testing.T) {
	for text, cause := range map[string]error{"{": hclconfig.ErrSyntax, `{"provider_schemas":[]}`: hclconfig.ErrKind, `{"format_version":"2.0"}`: hclconfig.ErrKind} {
		var own *hclconfig.Error
		if s, err := hclconfig.DecodeSchemas([]byte(text)); s != nil || !errors.Is(err, cause) || !errors.As(err, &own) {
			t.Errorf("%s: %v, %v", text, s, err)
		}
	}
}

// FuzzDecodeSchemas requires of any text that it is read or refused.
func FuzzDecodeSchemas(f *testing.F) {
	f.Add([]byte(`{"format_version":"1.0","provider_schemas":{"registry.opentofu.org/example/lab":{"provider":{"version":0,"block":{}},"resource_schemas":{"lab_thing":{"version":0,"block":{"attributes":{"id":{"type":"string","computed":true}},"block_types":{"part":{"nesting_mode":"map","block":{}}}}}}}}}`))
	f.Add([]byte(`{"provider_schemas":{"a":null,"b":{"provider":{"block":{"attributes":{"x":{"nested_type":{"nesting_mode":"list","attributes":{"y":{"type":["list","number"]}}}}}}}}}}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		s, err := hclconfig.DecodeSchemas(src)
		if (s == nil) != (err != nil) {
			t.Errorf("%v, %v", s, err)
		}
	})
}
