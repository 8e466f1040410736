// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plangraph"
)

func instancesOf(t testing.TB, tool string, o plangraph.InstancesOptions) *plangraph.Instances {
	t.Helper()
	src, err := os.ReadFile("testdata/instances/" + tool + ".json")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := planjson.DecodePlan(src)
	if err != nil {
		t.Fatal(err)
	}
	return plangraph.NewInstances(plan, o)
}

// The configuration is in tools/record/cases/instances. What refers to what was read off
// it by hand.
func TestInstances(t *testing.T) {
	sub := func(module string, n int) string { return fmt.Sprintf("%s.terraform_data.sub[%d].id", module, n) }
	a, b := `module.net["a"]`, `module.net["b"]`
	known := plangraph.InstancesOptions{Locals: map[string]map[string][]string{"": {"pick": {"terraform_data.one.output"}}}}
	for _, tool := range []string{"tofu-1.12.6", "terraform-1.11.4"} {
		for _, test := range []struct {
			of   string
			o    plangraph.InstancesOptions
			from []string
			to   []string
		}{
			{of: "terraform_data.many[1]", from: []string{"terraform_data.one.id"},
				to: []string{"terraform_data.byindex[0].input?", "terraform_data.byindex[1].input?", "terraform_data.byindex[2].input?", "terraform_data.splat.input"}},
			{of: "terraform_data.many[0].output", from: []string{"terraform_data.one.id"},
				to: []string{"terraform_data.byindex[0].input?", "terraform_data.byindex[1].input?", "terraform_data.byindex[2].input?", "terraform_data.first.input", "terraform_data.splat.input"}},
			{of: "terraform_data.byindex[2].input", from: []string{"terraform_data.many[0]?", "terraform_data.many[1]?", "terraform_data.many[2]?"}},
			{of: "terraform_data.splat", from: []string{"terraform_data.many[0]", "terraform_data.many[1]", "terraform_data.many[2]"}},
			{of: `terraform_data.each["a"].input`, from: []string{"local.pick?", sub(a, 1) + "?", sub(b, 1) + "?", "var.names"}, to: []string{}},
			{of: `terraform_data.each["a"].input`, o: known, from: []string{sub(a, 1) + "?", sub(b, 1) + "?", "terraform_data.one.output", "var.names"}, to: []string{}},
			{of: `terraform_data.each["a"].output.v`, from: []string{"local.pick?", sub(a, 1) + "?", sub(b, 1) + "?", "var.names?"}, to: []string{"terraform_data.key.input"}},
			{of: `terraform_data.each["b"]`, from: []string{"local.pick?", sub(a, 1) + "?", sub(b, 1) + "?", "var.names"}, to: []string{}},
			{of: a + ".terraform_data.vpc.input", from: []string{"terraform_data.first.id", "var.names"}},
			{of: a + ".terraform_data.vpc.output", from: []string{"terraform_data.first.id", "var.names"}, to: []string{a + ".terraform_data.sub[0].input", a + ".terraform_data.sub[1].input"}},
			{of: "module.flat.terraform_data.vpc", from: []string{sub(b, 1)}, to: []string{"module.flat.terraform_data.sub[0].input", "module.flat.terraform_data.sub[1].input", "terraform_data.dep.depends_on"}},
			{of: "output.all", from: []string{sub(a, 1), sub(b, 1)}, to: []string{}},
			{of: "output.flat", from: []string{sub("module.flat", 1)}},
			{of: "terraform_data.dep", from: []string{"module.flat.terraform_data.sub[0]", "module.flat.terraform_data.sub[1]", "module.flat.terraform_data.vpc", "var.size"}},
			{of: "var.size", from: []string{}, to: []string{"terraform_data.dep.triggers_replace", "terraform_data.one.input"}},
		} {
			x := instancesOf(t, tool, test.o)
			i, path := x.Split(test.of)
			if i == nil {
				t.Errorf("%s: there is no %s", tool, test.of)
				continue
			}
			var from, to []string
			text := func(i *plangraph.Instance, path string, certain bool) string {
				s := i.Address
				if path != "" {
					s += "." + path
				}
				if !certain {
					s += "?"
				}
				return s
			}
			for l := range x.Needs(i, path) {
				from = append(from, text(l.To, l.Path, l.Certain))
			}
			for l := range x.NeededBy(i, path) {
				to = append(to, text(l.From, l.At, l.Certain))
			}
			sorted := func(s []string) string { slices.Sort(s); return strings.Join(slices.Compact(s), "\n") }
			if diff := cmp.Diff(sorted(test.from), sorted(from)); diff != "" {
				t.Errorf("%s: %s comes from (-want +got): %s", tool, test.of, diff)
			}
			if diff := cmp.Diff(sorted(test.to), sorted(to)); test.to != nil && diff != "" {
				t.Errorf("%s: %s is used by (-want +got): %s", tool, test.of, diff)
			}
		}
	}
}

// Every link is found from both ends.
func TestInstanceLinks(t *testing.T) {
	x := instancesOf(t, "tofu-1.12.6", plangraph.InstancesOptions{})
	links := 0
	for i := range x.All() {
		for l := range x.Needs(i, "") {
			links++
			found := false
			for back := range x.NeededBy(l.To, l.Path) {
				found = found || back == l
			}
			if l.To.Kind != plangraph.Local && !found {
				t.Errorf("%s refers to %s, which does not know it", l.From.Address, l.To.Address)
			}
		}
	}
	if links < 40 {
		t.Errorf("only %d links", links)
	}
}

// What the tool evaluates, read off the configurations of the recordings: never a
// certain answer that is wrong.
func TestNeeds_certain(t *testing.T) {
	for _, row := range []struct{ plan, of, from string }{
		{"shrink/2", `terraform_data.b["l"].input`, "terraform_data.a[0] var.gen"},
		{"shrink/2", "terraform_data.c.input", `terraform_data.b["l"]`},
		{"shrink/1", "terraform_data.c.input", `terraform_data.b["k"] terraform_data.b["l"]`},
		{"splat/1", "terraform_data.both.input", "terraform_data.a[0].id terraform_data.a[0]? terraform_data.a[1]? terraform_data.a[2]? var.gen"},
		{"data-sources/1", "terraform_data.c.input", "data.local_file.later.content"},
		{"data-sources/1", "terraform_data.c.output", "data.local_file.later.content"},
		{"data-sources/1", "terraform_data.d.input", `data.local_file.each["main.tf"]`},
		{"modules-three/1", "terraform_data.one.input", `module.l1["q"].module.l2["r"].module.l3[1].terraform_data.leaf.id`},
		{"modules-three/1", `module.l1["p"].module.l2["s"].module.l3[0].terraform_data.leaf.input`, `module.l1["p"].terraform_data.top.output`},
		{"keys/1", `module.m["a b"].terraform_data.x.triggers_replace`, `terraform_data.a["$${x}"]? terraform_data.a["a b"]? terraform_data.a["br[0]"]? terraform_data.a["dot.dot"]? terraform_data.a["q\"uote"]? terraform_data.a["ü"]? var.odd`},
		{"keys/1", "terraform_data.b.input[0]", `terraform_data.a["br[0]"].id? terraform_data.a["q\"uote"].output?`},
		{"moved-away/2", "terraform_data.b.input", "module.m[0].terraform_data.y.id"},
		{"create-before/2", "terraform_data.d.output", ""},
		{"recordings-ephemeral/1", "lab_secretbox.box.cred", "lab_switch.s.id"},
		// An index into a set is one of the value, whose order is another one than
		// that of the configuration: the ports are 8080, 80, 9443 and were 9443, 80, 8080.
		{"nested-sets/1", "lab_blocks.constants.listener[0].cert", "terraform_data.port[2].output"},
		{"nested-sets/1", "lab_blocks.constants.listener[1].cert", "terraform_data.port[1].output"},
		{"nested-sets/1", "lab_blocks.constants.listener[2].cert", "terraform_data.port[0].output"},
		{"nested-sets/1", "lab_blocks.constants.listener[2].port", ""},
		{"nested-sets/2", "lab_blocks.constants.listener[2]", "terraform_data.port[0].output"},
		{"nested-sets/1", "lab_blocks.known.listener[0].port", "terraform_data.port[0].input? terraform_data.port[1].input? terraform_data.port[2].input?"},
		{"nested-sets/1", "lab_blocks.known.listener", "terraform_data.port[0].input terraform_data.port[1].input terraform_data.port[2].input"},
		{"nested-sets/1", "lab_blocks.unknown.listener[1].port", "terraform_data.port[0].output? terraform_data.port[1].output?"},
		{"nested-sets/1", "lab_blocks.unknown.disk[0].kind", "terraform_data.later.output"},
		{"nested-sets/2", "lab_blocks.unknown.disk[0].partition[0].size", "terraform_data.port[2].input"},
		{"nested-sets/2", "lab_blocks.unknown.disk[0].partition[1].size", "terraform_data.port[0].input"},
		{"nested-sets/2", "lab_blocks.unknown.disk[0].partition[2]", "terraform_data.port[1].input"},
		{"lab-blocks/1", "lab_blocks.b.disk[0].kind", "terraform_data.kind[0].output"},
		{"lab-blocks/1", "lab_blocks.b.disk[1].kind", ""},
		{"lab-blocks/1", `lab_blocks.b.zone["left"].cidr`, `lab_switch.s["l"].name`},
	} {
		x := recordedInstances(t, row.plan)
		i, path := x.Split(row.of)
		if i == nil {
			t.Errorf("%s: there is no %s", row.plan, row.of)
			continue
		}
		var from []string
		for l := range x.Needs(i, path) {
			s := l.To.Address
			if l.Path != "" {
				s += "." + l.Path
			}
			if !l.Certain {
				s += "?"
			}
			from = append(from, s)
		}
		slices.Sort(from)
		if got := strings.Join(slices.Compact(from), " "); got != row.from {
			t.Errorf("%s: %s comes from\n     %s\nwant %s", row.plan, row.of, got, row.from)
		}
	}
}

// The places in the value are not those in the configuration.
func TestPlaces(t *testing.T) {
	for _, row := range []struct{ plan, to, places string }{
		{"nested-sets/1", "terraform_data.port[2]", "constants.listener[0].cert known.listener[0].port? known.listener[1].port? known.listener[2].port? " +
			"unknown.disk[0].partition[0].size"},
		{"nested-sets/2", "terraform_data.port[0]", "constants.listener[2].cert known.listener[0].port? known.listener[1].port? known.listener[2].port? " +
			"unknown.disk[0].partition[1].size unknown.listener[0].port? unknown.listener[1].port?"},
		{"lab-blocks/1", `lab_switch.s["l"]`, "b.zone.left.cidr"},
		{"lab-blocks/1", "terraform_data.kind[1]", "b.disk[0].partition[0].fs"},
	} {
		x := recordedInstances(t, row.plan)
		var places []string
		for l := range x.NeededBy(x.Instance(row.to), "") {
			for at, only := range l.Places() {
				s := strings.TrimPrefix(l.From.Address, "lab_blocks.") + "." + at
				if !only {
					s += "?"
				}
				places = append(places, s)
			}
		}
		if got := strings.Join(places, " "); got != row.places {
			t.Errorf("%s: %s is used at\n     %s\nwant %s", row.plan, row.to, got, row.places)
		}
	}
	for at, only := range (plangraph.Link{At: "x"}).Places() {
		if at != "x" || !only {
			t.Errorf("%q, %v", at, only)
		}
	}
}

// The prior state of a plan of Terraform 0.12 has other addresses than its changes.
func TestInstances_oldAddresses(t *testing.T) {
	plan, err := planjson.DecodePlan([]byte(`{"format_version":"0.1","terraform_version":"0.12.31",
"resource_changes":[
{"address":"module.m.t.a[0]","module_address":"module.m","mode":"managed","type":"t","name":"a","index":0,"change":{"actions":["no-op"],"before":{"x":1},"after":{"x":1}}}],
"prior_state":{"format_version":"0.1","values":{"root_module":{"child_modules":[{"resources":[
{"address":"t.a","mode":"managed","type":"t","name":"a","index":0,"values":{"x":1}},
{"address":"data.t.d","mode":"data","type":"t","name":"d","values":{"x":2}}],"address":"module.m"}]}}},
"configuration":{"root_module":{"module_calls":{"m":{"module":{"resources":[
{"address":"data.t.d","mode":"data","type":"t","name":"d"},
{"address":"t.a","mode":"managed","type":"t","name":"a","expressions":{"x":{"references":["data.t.d"]}},"count_expression":{"constant_value":1}}]}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	x := plangraph.NewInstances(plan, plangraph.InstancesOptions{})
	var got []string
	for i := range x.All() {
		got = append(got, i.Address)
		for l := range x.Needs(i, "") {
			got = append(got, fmt.Sprint(l.At, " ", l.To.Address, " ", l.Certain, " ", l.To.Value))
		}
	}
	want := []string{"module.m.data.t.d", "module.m.t.a[0]", `x module.m.data.t.d true {"x":2}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The labels of nested blocks can be any text, and can be spelled in two ways.
func TestNeeds_labels(t *testing.T) {
	plan := func(lists string) *plangraph.Instances {
		p, err := planjson.DecodePlan([]byte(`{"format_version":"1.2","variables":{"c":{"value":1},"d":{"value":2},"s":{"value":3}},
"resource_changes":[{"address":"a.b","mode":"managed","type":"a","name":"b","change":{"actions":["create"],"before":null,"after":{
"zone":{"left":{"size":1},"":{"size":5},"é":{"size":6},"x.y \"z":{"size":2,"disk":[{"n":"two","size":4},{"n":"one","size":3}]}},"m":{"k":5}},"after_unknown":{}}}],
"configuration":{"root_module":{"variables":{"c":{},"d":{},"s":{}},"resources":[{"address":"a.b","mode":"managed","type":"a","name":"b","expressions":{
"zone":{"left":{"size":{"references":["var.c"]}},"":{"size":{"references":["var.s"]}},"é":{"size":{"references":["var.d"]}},"x.y \"z":{"size":{"references":["var.d"]}` + lists + `}},"m":{"references":["var.s"]}}}]}}}`))
		if err != nil {
			t.Fatal(err)
		}
		return plangraph.NewInstances(p, plangraph.InstancesOptions{})
	}
	disks := plan(`,"disk":[{"n":{"constant_value":"one"},"size":{"references":["var.s"]}},{"n":{"constant_value":"two"},"size":{"constant_value":4}}]`)
	const odd = `zone["x.y \"z"]`
	for _, row := range []struct {
		x          *plangraph.Instances
		path, want string
	}{
		{plan(""), `zone["left"]`, "zone.left.size var.c zone.left.size"},
		{plan(""), `zone.left.size`, "zone.left.size var.c zone.left.size"},
		{plan(""), odd + ".size", odd + ".size var.d " + odd + ".size"},
		{plan(""), `zone[""].size`, `zone[""].size var.s zone[""].size`},
		{plan(""), "zone.é.size", "zone.é.size var.d zone.é.size"},
		{plan(""), "zone[\"é\"].size", "zone.é.size var.d zone.é.size"},
		{plan(""), `m["k"]`, "m var.s m"},
		{disks, odd + ".disk[0].size", ""},
		{disks, odd + ".disk[1].size", odd + ".disk[0].size var.s " + odd + ".disk[1].size"},
	} {
		var got []string
		for l := range row.x.Needs(row.x.Instance("a.b"), row.path) {
			got = append(got, l.At, l.To.Address)
			for at, only := range l.Places() {
				got = append(got, at)
				if _, err := planjson.ParsePath(at); err != nil || !only || !l.Certain {
					t.Errorf("%s: %s is not certain, or no path: %v", row.path, at, err)
				}
			}
		}
		if got := strings.Join(got, " "); got != row.want {
			t.Errorf("%s: %s\nwant %s", row.path, got, row.want)
		}
	}
}
