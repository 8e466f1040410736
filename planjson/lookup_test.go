// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"bytes"
	"errors"
	"os"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
)

func readPlan(t testing.TB, name string) *planjson.Plan {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := planjson.DecodePlan(text)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// Every object of every recording is found under its address, in all lists.
func TestIndexesOfRecordings(t *testing.T) {
	blocks := 0
	for _, r := range recordings(t, "plan") {
		doc, err := decodeAs(r.kind, r.text)
		if err != nil {
			t.Fatal(err)
		}
		if plan, ok := doc.value.(*planjson.Plan); ok {
			x := planjson.NewPlanIndex(plan)
			for _, rc := range plan.ResourceChanges {
				if rc.Deposed == "" && x.Change(rc.Address) != rc {
					t.Errorf("%s: change of %s (%s)", r.name, rc.Address, rc.Deposed)
				}
				if block := x.Config().OfInstance(rc.Address); block != nil {
					blocks++
					if block.Type != rc.Type || block.Name != rc.Name || block.Mode != rc.Mode {
						t.Errorf("%s: block of %s is %s", r.name, rc.Address, block.Address)
					}
				} else if rc.Change.Actions.Creates() || rc.Change.Actions.IsUpdate() {
					t.Errorf("%s: no block of %s", r.name, rc.Address)
				}
			}
			for address, block := range plan.Config().AllResources() {
				if x.Config().Resource(address) != block {
					t.Errorf("%s: block %s", r.name, address)
				}
			}
		}
	}
	if blocks < 500 {
		t.Errorf("only %d blocks", blocks)
	}
}

// Every address in the recordings parses, prints unchanged, and agrees with
// the members next to it.
func TestAddressesOfRecordings(t *testing.T) {
	for _, r := range recordings(t, "plan", "state") {
		doc, err := decodeAs(r.kind, r.text)
		if err != nil {
			t.Fatal(err)
		}
		same := func(got interface{ String() string }, err error, want string) {
			t.Helper()
			if err != nil || got.String() != want {
				t.Errorf("%s: %q parsed to %q, %v", r.name, want, got, err)
			}
		}
		state, _ := doc.value.(*planjson.State)
		if plan, ok := doc.value.(*planjson.Plan); ok {
			state = plan.PriorState
			for _, rc := range plan.ResourceChanges {
				a, err := rc.Addr()
				same(a, err, rc.Address)
				k, err := rc.IndexKey()
				if err != nil || k != a.Key() || rc.ModuleAddress != a.Module().String() {
					t.Errorf("%s: %s: key %v, %v", r.name, rc.Address, k, err)
				}
			}
			for _, p := range plan.Config().ProviderConfig {
				a, err := addrs.ParseProvider(p.FullName)
				same(a, err, p.FullName)
			}
			for _, block := range plan.Config().AllResources() {
				a, err := addrs.ParseResource(block.Address)
				same(a, err, block.Address)
			}
			for _, c := range plan.Checks {
				a, err := addrs.ParseCheckable(c.Address.Kind, c.Address.ToDisplay)
				same(a, err, c.Address.ToDisplay)
			}
		}
		for res := range state.AllResources() {
			a, err := res.Addr()
			same(a, err, res.Address)
			k, err := res.IndexKey()
			if err != nil || k != a.Key() {
				t.Errorf("%s: %s: key %v, %v", r.name, res.Address, k, err)
			}
			p, err := addrs.ParseProvider(res.ProviderName)
			same(p, err, res.ProviderName)
		}
		if state != nil {
			for m := range state.Values.AllModules() {
				a, err := addrs.ParseModuleInstance(m.Address)
				same(a, err, m.Address)
			}
		}
	}
}

func TestAddressErrors(t *testing.T) {
	plan, err := planjson.DecodePlan([]byte("{\"resource_changes\":[\n {\"address\":\"a\",\"previous_address\":\"!\",\"module_address\":\"x\",\"index\":1.5,\"provider_name\":\"a/b/c/d\"}]}"))
	if err != nil {
		t.Fatal(err)
	}
	rc := plan.ResourceChanges[0]
	check := func(err error, pointer string) {
		t.Helper()
		var e *planjson.Error
		if !errors.As(err, &e) || e.Line != 2 || e.Column != 2 || e.Pointer != pointer {
			t.Errorf("%s: got %v", pointer, err)
		}
	}
	_, err = rc.Addr()
	check(err, "/address")
	var a *addrs.Error
	if !errors.As(err, &a) {
		t.Errorf("cause of %v", err)
	}
	_, err = rc.IndexKey()
	check(err, "/index")

	for _, v := range []string{"-1", "true", "null", "[]", "1e30"} {
		r := planjson.Resource{Address: "?", Index: planjson.Value(v), ProviderName: ""}
		if _, err := r.IndexKey(); err == nil {
			t.Errorf("index %s", v)
		}
		if _, err := r.Addr(); err == nil {
			t.Error("address ?")
		}
	}
	for _, v := range []struct {
		index string
		want  addrs.InstanceKey
	}{{"0", addrs.IntKey(0)}, {`"0"`, addrs.StringKey("0")}, {`""`, addrs.StringKey("")}, {"2.0", addrs.IntKey(2)}} {
		r := planjson.Resource{Index: planjson.Value(v.index)}
		if k, err := r.IndexKey(); err != nil || k != v.want {
			t.Errorf("index %s: %v, %v", v.index, k, err)
		}
	}
}

func TestPlanIndex(t *testing.T) {
	plan := readPlan(t, "tofu-1.12.6/reasons/plan.2.json")
	x := planjson.NewPlanIndex(plan)
	if rc := x.Change(`lab_switch.keys["go \"quoted\""]`); rc == nil || !rc.Change.Actions.IsDelete() {
		t.Error("no change of a quoted key")
	}
	if x.Change("lab_switch.keys") != nil || x.Change("") != nil {
		t.Error("found an object that is not there")
	}
	leaf := x.Change(`module.pods["n"].terraform_data.leaf[0]`)
	if block := x.Config().OfInstance(leaf.Address); block == nil || block != x.Config().Resource("module.pods.terraform_data.leaf") {
		t.Error("no block of a resource in a module")
	}
	if x.Config().OfInstance("not[an address") != nil || x.Config().OfInstance("a.b[0]") != nil {
		t.Error("found a block of nothing")
	}
	if v, _ := x.Values("lab_switch.tainted"); v == nil {
		t.Error("the planned values are not indexed")
	}

	// An index has the document as of its first use; a new one has later changes.
	plan.ResourceChanges = append(plan.ResourceChanges, &planjson.ResourceChange{Address: "a.b"})
	if x.Change("a.b") != nil || planjson.NewPlanIndex(plan).Change("a.b") == nil {
		t.Error("after an edit")
	}

	// Nothing is there, and nothing panics.
	empty := planjson.NewPlanIndex(new(planjson.Plan))
	if empty.Change("a.b") != nil || empty.Config().Resource("a.b") != nil ||
		planjson.NewConfigIndex(nil).Resource("a.b") != nil {
		t.Error("found something in nothing")
	}
	// Of two with one address the first counts.
	twice := &planjson.Plan{ResourceChanges: []*planjson.ResourceChange{nil, {Address: "a.b", Name: "1"}, {Address: "a.b", Name: "2"}}}
	twice.PlannedValues.RootModule.Resources = []*planjson.Resource{nil, {Address: "a.b", Name: "1"}, {Address: "a.b", Name: "2"}}
	twice.Config().RootModule.Resources = []*planjson.ResourceConfig{nil, {Address: "a.b", Name: "1"}, {Address: "a.b", Name: "2"}}
	y := planjson.NewPlanIndex(twice)
	if y.Change("a.b").Name != "1" || y.Config().Resource("a.b").Name != "1" {
		t.Error("the first does not count")
	}
}

// Several goroutines may use one index at once.
func TestPlanIndexConcurrently(t *testing.T) {
	plan := readPlan(t, "tofu-1.12.6/reasons/plan.2.json")
	x := planjson.NewPlanIndex(plan)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for _, rc := range plan.ResourceChanges {
				if x.Change(rc.Address) != rc || rc.Change.Actions.Creates() && x.Config().OfInstance(rc.Address) == nil {
					t.Errorf("%s", rc.Address)
				}
				x.Values(rc.Address)
			}
			if _, err := planjson.Encode(plan); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

// schemaOf returns the schema of a block, by the provider of its configuration.
func schemaOf(p *planjson.Plan, r *planjson.ResourceConfig, all *planjson.Schemas) *planjson.Schema {
	if c := p.Config().ProviderConfig[r.ProviderConfigKey]; c != nil {
		return all.Resource(c.FullName, r.Mode, r.Type)
	}
	return nil
}

func TestSchemaOf(t *testing.T) {
	all := schemas(t)
	plan := readPlan(t, "tofu-1.12.6/ephemeral/plan.json")
	modes := make(map[addrs.Mode]bool)
	for _, r := range plan.Config().AllResources() {
		if schemaOf(plan, r, all) != nil {
			modes[r.Mode] = true
		}
	}
	if !modes[addrs.Ephemeral] || !modes[addrs.Managed] {
		t.Errorf("schemas of %v", modes)
	}
	const lab = "registry.opentofu.org/example/lab"
	if all.Resource(lab, addrs.Data, "lab_lookup") == nil || all.Resource(lab, "odd", "lab_lookup") != nil ||
		all.Resource("no/such/provider", addrs.Data, "lab_lookup") != nil || all.Resource(lab, addrs.Managed, "no") != nil {
		t.Error("schemas by name")
	}
}

func TestIterators(t *testing.T) {
	plan, err := planjson.DecodePlan([]byte(`{
		"planned_values":{"root_module":{"resources":[{"address":"a.b"}],"child_modules":[
			{"address":"module.m","child_modules":[{"resources":[{"address":"module.m.module.n.a.b"},{"address":"module.m.module.n.a.c"}],"address":"module.m.module.n"}]},
			{"resources":[{"address":"module.o.a.b"}],"address":"module.o"}]}},
		"resource_drift":[{"address":"d.d"}],"resource_changes":[{"address":"c.c"},{"address":"c.d"}],
		"deferred_changes":[{"reason":"unknown","resource_change":{"address":"e.e"}}],
		"output_changes":{"z":{},"a":{}},
		"configuration":{"root_module":{"resources":[{"address":"a.b"}],"module_calls":{
			"z":{"module":{"resources":[{"address":"data.a.b"}]}},"b":{"source":"./x"},
			"m":{"module":{"module_calls":{"n":{"module":{"resources":[{"address":"a.b"}]}}}}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	v := &plan.PlannedValues
	var got []string
	for m := range v.AllModules() {
		got = append(got, m.Address)
	}
	got = append(got, "|")
	for r := range v.AllResources() {
		got = append(got, r.Address)
	}
	got = append(got, "|")
	for list, c := range plan.AllChanges() {
		got = append(got, list[:8]+" "+c.Address)
		if c.Change == nil || (c.Resource == nil) != (list == "output_changes") {
			t.Errorf("%+v", c)
		}
	}
	got = append(got, "|")
	for path := range plan.Config().AllModules() {
		got = append(got, path)
	}
	got = append(got, "|")
	for address := range plan.Config().AllResources() {
		got = append(got, address)
	}
	want := []string{
		"", "module.m", "module.m.module.n", "module.o",
		"|", "a.b", "module.m.module.n.a.b", "module.m.module.n.a.c", "module.o.a.b",
		"|", "resource c.c", "resource c.d", "resource d.d", "deferred e.e", "output_c output.a", "output_c output.z",
		"|", "", "module.m", "module.m.module.n", "module.z",
		"|", "a.b", "module.m.module.n.a.b", "module.z.data.a.b",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}

	// Stopping after n steps, for every n, gives n steps.
	for name, each := range map[string]func(stop func() bool){
		"modules":   func(stop func() bool) { v.AllModules()(func(*planjson.Module) bool { return stop() }) },
		"resources": func(stop func() bool) { v.AllResources()(func(*planjson.Resource) bool { return stop() }) },
		"changes": func(stop func() bool) {
			plan.AllChanges()(func(string, planjson.AddressedChange) bool { return stop() })
		},
		"config modules": func(stop func() bool) {
			plan.Config().AllModules()(func(string, *planjson.ModuleConfig) bool { return stop() })
		},
		"config blocks": func(stop func() bool) {
			plan.Config().AllResources()(func(string, *planjson.ResourceConfig) bool { return stop() })
		},
	} {
		for n := 1; n <= 3; n++ {
			steps := 0
			each(func() bool { steps++; return steps < n })
			if steps != n {
				t.Errorf("%s: %d steps instead of %d", name, steps, n)
			}
		}
	}

	// Nothing, and things that contain themselves.
	for range (*planjson.State)(nil).AllResources() {
		t.Error("a resource in no state")
	}
	for range (*planjson.Values)(nil).AllModules() {
		t.Error("a module in no values")
	}
	for range (*planjson.Values)(nil).AllResources() {
		t.Error("a resource in no values")
	}
	loop := new(planjson.Module)
	loop.ChildModules = []*planjson.Module{nil, loop}
	loop.Resources = []*planjson.Resource{nil, {}}
	n := 0
	for range (&planjson.Values{RootModule: *loop}).AllResources() {
		n++
	}
	if n == 0 {
		t.Error("nothing in a loop")
	}
	nils := &planjson.Plan{
		ResourceChanges: []*planjson.ResourceChange{nil}, ResourceDrift: []*planjson.ResourceChange{nil},
		DeferredChanges: []*planjson.DeferredChange{nil}, OutputChanges: map[string]*planjson.Change{"a": nil},
	}
	for range nils.AllChanges() {
		t.Error("a change of nothing")
	}
}

func TestCheckVersion(t *testing.T) {
	for version, ok := range map[string]bool{
		"0.1": true, "0.2": true, "1.0": true, "1.2": true, "1.99": true, "1": true, "1.3-beta": true, "1.": true,
		"": false, "2.0": false, "2": false, "10.0": false, "x": false, "-1.0": false, "+1.0": false, ".1": false, "1 .0": false,
		"99999999999999999999.0": false,
	} {
		plan := &planjson.Plan{FormatVersion: version}
		if err := planjson.CheckVersion(plan); (err == nil) != ok || err != nil && !errors.Is(err, planjson.ErrVersion) {
			t.Errorf("%q: %v", version, err)
		}
	}
	for i, err := range []error{
		planjson.CheckVersion(new(planjson.Plan)), planjson.CheckVersion(new(planjson.State)), planjson.CheckVersion(new(planjson.Schemas)),
		planjson.CheckVersion(new(planjson.Functions)), planjson.CheckVersion(new(planjson.Modules)), planjson.CheckVersion(new(planjson.StateShow)),
		planjson.CheckVersion(new(planjson.Workspaces)), planjson.CheckVersion(new(planjson.RendererPlan)), planjson.CheckVersion(new(planjson.RendererState)),
		planjson.CheckVersion(&planjson.RendererState{StateFormatVersion: "1.0"}), planjson.CheckVersion(&planjson.RendererPlan{PlanFormatVersion: "1.0"}),
		planjson.CheckVersion(&planjson.RendererPlan{ProviderFormatVersion: "1.0"}), planjson.CheckVersion(&planjson.Validate{FormatVersion: "2.0"}),
		planjson.CheckVersion(&planjson.Version{FormatVersion: "2.0"}),
	} {
		var e *planjson.Error
		if !errors.As(err, &e) || !errors.Is(err, planjson.ErrVersion) {
			t.Errorf("%d: %v", i, err)
		}
	}
	for i, err := range []error{
		planjson.CheckVersion(new(planjson.Validate)), planjson.CheckVersion(new(planjson.Version)), planjson.CheckVersion(new(planjson.Config)),
		planjson.CheckVersion(new(planjson.Outputs)), planjson.CheckVersion(&planjson.RendererPlan{PlanFormatVersion: "1.2", ProviderFormatVersion: "1.0"}),
	} {
		if err != nil {
			t.Errorf("%d: %v", i, err)
		}
	}
	plan, err := planjson.DecodePlan([]byte("\n {\"format_version\":\"7.0\"}"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := planjson.CheckVersion(plan).Error(), `planjson: line 2, column 2 (/format_version): unsupported format version "7.0"`; got != want {
		t.Errorf("got %s", got)
	}
}

func TestExtrasAndDuplicates(t *testing.T) {
	for _, row := range []struct {
		kind, text         string
		extras, duplicates []string
	}{
		{"plan", `{"x/y":1,"format_version":"1.2","format_version":"1.3","planned_values":{"root_module":{"resources":[{"values":{"a":1,"a":2},"z":0}],"child_modules":[{"m":1}]}},
			"output_changes":{"o":{"q":1}},"prior_state":{"p":1},"configuration":{"root_module":{"resources":[{"address":"a.b","expressions":{
				"e":{"references":["var.a"],"new":1},"b":[{"c":{"constant_value":1,"new":2}}]}}]}}}`,
			[]string{"/x~1y", "/planned_values/root_module/resources/0/z", "/planned_values/root_module/child_modules/0/m", "/output_changes/o/q", "/prior_state/p",
				"/configuration/root_module/resources/0/expressions/b/0/c/new", "/configuration/root_module/resources/0/expressions/e/new"},
			[]string{"/format_version", "/planned_values/root_module/resources/0/values/a"}},
		{"outputs", `{"o":{"sensitive":false,"type":"string","value":"x","new":1}}`, []string{"/o/new"}, nil},
		{"schemas", `{"provider_schemas":{"a/b/c":{"provider":{"new":1}}}}`, []string{"/provider_schemas/a~1b~1c/provider/new"}, nil},
		{"state", `{"FORMAT_VERSION":"1.0"}`, []string{"/FORMAT_VERSION"}, nil},
		{"functions", `{"x":1}`, []string{"/x"}, nil},
		{"validate", `{"diagnostics":[{"range":{"start":{"x":1}}}]}`, []string{"/diagnostics/0/range/start/x"}, nil},
		{"version", `{"provider_selections":{"a":"1","a":"2"}}`, nil, []string{"/provider_selections/a"}},
		{"config", `{"root_module":{"variables":{"v":{"x":1}}}}`, []string{"/root_module/variables/v/x"}, nil},
		{"modules", `{"modules":[{"x":1}]}`, []string{"/modules/0/x"}, nil},
		{"workspaces", `{"workspaces":[{"x":1}]}`, []string{"/workspaces/0/x"}, nil},
		{"stateshow", `{"resource":{"x":1}}`, []string{"/resource/x"}, nil},
		{"renderer", `{"provider_schemas":{"p":{"x":1}}}`, []string{"/provider_schemas/p/x"}, nil},
	} {
		doc, err := decodeAs(row.kind, []byte(row.text))
		if err != nil {
			t.Errorf("%s: %v", row.kind, err)
			continue
		}
		var extras, duplicates []string
		for at := range doc.extras {
			extras = append(extras, at)
		}
		for d := range doc.duplicates {
			duplicates = append(duplicates, d.Pointer)
			if d.Line < 1 || d.Column < 1 || d.Offset >= int64(len(row.text)) || row.text[d.Offset] != '"' {
				t.Errorf("%s: duplicate %+v", row.kind, d)
			}
		}
		if diff := cmp.Diff(row.extras, extras); diff != "" {
			t.Errorf("%s: %s", row.kind, diff)
		}
		if diff := cmp.Diff(row.duplicates, duplicates); diff != "" {
			t.Errorf("%s: %s", row.kind, diff)
		}
		if out, err := doc.encode(); err != nil || !bytes.Equal(out, []byte(row.text)) {
			t.Errorf("%s: %s, %v", row.kind, out, err)
		}
		for range doc.extras {
			break
		}
		for range doc.duplicates {
			break
		}
	}
	for range planjson.Duplicates(new(planjson.Plan)) {
		t.Error("a duplicate in nothing")
	}
}
