// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// Constants of a resource in a called module are judged as those of one in the root
// module: by the marks and the schema of their own argument, and not by variables of the
// module that have the name of an argument.
func TestConstants_InModules(t *testing.T) {
	const expressions = `{"name":{"constant_value":"in"},"zone":{"constant_value":"open"},"pw":{"constant_value":"k1"},` +
		`"settings":{"constant_value":{"mode":"m","password":"k2"}},"disk":[{"kind":{"constant_value":"ssd"},"key":{"constant_value":"k3"}}]}`
	const values = `{"name":"in","zone":"open","pw":"k1","settings":{"mode":"m","password":"k2"},"disk":[{"kind":"ssd","key":"k3"}]}`
	const marks = `{"pw":true,"settings":{"password":true},"disk":[{"key":true}]}`
	change := func(address string) string {
		return `{"address":"` + address + `","mode":"managed","type":"t","name":"a","provider_name":"p","change":{"actions":["create"],"before":null,"after":` + values +
			`,"after_unknown":{},"before_sensitive":false,"after_sensitive":` + marks + `}}`
	}
	resource := `[{"address":"t.a","mode":"managed","type":"t","name":"a","provider_config_key":"p","expressions":` + expressions + `,"schema_version":0}]`
	src := `{"format_version":"1.2","resource_changes":[` + change("t.a") + `,` + change("module.m.t.a") + `,` + change("module.m.module.n.t.a") + `],"configuration":{"root_module":{"resources":` + resource +
		`,"module_calls":{"m":{"source":"./m","expressions":{"zone":{"constant_value":"k4"}},"module":{"variables":{"zone":{"sensitive":true}},"resources":` + resource +
		`,"module_calls":{"n":{"source":"./n","module":{"resources":` + resource + `}}}}}}}}}`
	const want = `{"name":{"constant_value":"in"},"zone":{"constant_value":"open"},"pw":{"constant_value":"(sensitive value)"},` +
		`"settings":{"constant_value":{"mode":"m","password":"(sensitive value)"}},"disk":[{"kind":{"constant_value":"ssd"},"key":{"constant_value":"(sensitive value)"}}]}`

	var schemas planjson.Schemas
	if err := json.Unmarshal([]byte(`{"format_version":"1.0","provider_schemas":{"p":{"resource_schemas":{"t":{"version":0,"block":{"attributes":{`+
		`"name":{"type":"string"},"zone":{"type":"string"},"pw":{"type":"string","sensitive":true},"settings":{"nested_type":{"nesting_mode":"single","attributes":{"mode":{"type":"string"},"password":{"type":"string","sensitive":true}}}}},`+
		`"block_types":{"disk":{"nesting_mode":"list","block":{"attributes":{"kind":{"type":"string"},"key":{"type":"string","sensitive":true}}}}}}}}}}}`), &schemas); err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]redact.Redactor{"marks": {}, "only marked": {OnlyMarked: true}, "kept": {Keep: redact.All}, "schemas": {Schemas: &schemas}} {
		for way, out := range ways(t, r, "plan", []byte(src)) {
			if n := strings.Count(string(out), want); n != 3 {
				t.Errorf("%s, %s: %d of 3 have the right text: %s", name, way, n, out)
			}
			if strings.Contains(string(out), `"k4"`) {
				t.Errorf("%s, %s: the argument of the call is left", name, way)
			}
		}
	}
}
