// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/internal/testing/plantest"
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

// number is what makes the same names of different secrets different.
var number = regexp.MustCompile(`\(sensitive value\) \(\d+\)`)

// arguments returns those of all resources of a module and of the modules that it calls.
func arguments(t *testing.T, path string, m *planjson.ModuleConfig, all map[string]string) map[string]string {
	t.Helper()
	for _, r := range m.Resources {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		all[path+r.Address] = number.ReplaceAllString(string(text), "(sensitive value)")
	}
	for name, call := range m.ModuleCalls {
		arguments(t, path+"module."+name+".", call.Module, all)
	}
	return all
}

// Recorded plans say the same of each resource if their root module is called by
// another one.
func TestConstants_CalledRootModule(t *testing.T) {
	into := func(address string) string { return strings.TrimSuffix("module.w."+address, ".") }
	inModule := func(v *planjson.Values) {
		if v == nil {
			return
		}
		for m := range v.AllModules() {
			m.Address = into(m.Address)
			for _, r := range m.Resources {
				r.Address = into(r.Address)
			}
		}
		root := v.RootModule
		v.RootModule = planjson.Module{ChildModules: []*planjson.Module{&root}}
	}
	n := 0
	for _, r := range plantest.Recordings(t, "../testdata", "plan") {
		plan, err := planjson.DecodePlan(r.Text)
		if err != nil {
			t.Fatal(err)
		}
		called := planjson.Clone(plan)
		for _, changes := range [][]*planjson.ResourceChange{called.ResourceChanges, called.ResourceDrift} {
			for _, rc := range changes {
				rc.Address, rc.ModuleAddress = into(rc.Address), into(rc.ModuleAddress)
				if rc.PreviousAddress != "" {
					rc.PreviousAddress = into(rc.PreviousAddress)
				}
			}
		}
		inModule(&called.PlannedValues)
		if called.PriorState != nil {
			inModule(called.PriorState.Values)
		}
		if called.Config() == nil {
			continue
		}
		root := called.Config().RootModule
		called.Config().RootModule = planjson.ModuleConfig{ModuleCalls: map[string]*planjson.ModuleCall{"w": {Source: "./w", Module: &root}}}
		for _, p := range []*planjson.Plan{plan, called} {
			if _, err := (redact.Redactor{}).Plan(p); err != nil {
				t.Fatalf("%s: %v", r.Name, err)
			}
		}
		want := arguments(t, "", &plan.Config().RootModule, map[string]string{})
		got := arguments(t, "", called.Config().RootModule.ModuleCalls["w"].Module, map[string]string{})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", r.Name, diff)
		}
		n += len(want)
	}
	if n < 100 {
		t.Errorf("only %d resources were compared", n)
	}
}
