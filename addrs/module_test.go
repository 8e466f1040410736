// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs_test

import (
	"slices"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
)

func TestModuleInstance(t *testing.T) {
	m := addrs.MustParseModuleInstance(`module.a["x.y"].module.b[0].module.c`)
	if m.Len() != 3 || m.IsRoot() {
		t.Errorf("%d steps, root %v", m.Len(), m.IsRoot())
	}
	var built addrs.ModuleInstance
	for name, key := range m.Steps() {
		var err error
		if built, err = built.Child(name, key); err != nil {
			t.Fatal(err)
		}
	}
	if built != m {
		t.Errorf("built %v from the steps", built)
	}
	for range m.Steps() {
		break // must be possible
	}
	if name, key := m.Call(); name != "c" || key != addrs.NoKey {
		t.Errorf("call %s%v", name, key)
	}
	if name, key := m.Parent().Call(); name != "b" || key != addrs.IntKey(0) {
		t.Errorf("call %s%v", name, key)
	}
	if p := m.Parent().Parent(); p.String() != `module.a["x.y"]` || !p.Parent().IsRoot() || !p.Parent().Parent().IsRoot() {
		t.Errorf("parents %v", p)
	}
	if name, key := (addrs.ModuleInstance{}).Call(); name != "" || key != addrs.NoKey {
		t.Errorf("call of the root module %s%v", name, key)
	}
	for _, bad := range []string{"", "a.b", "a[0]", "1", " a"} {
		if c, err := m.Child(bad, addrs.NoKey); err == nil {
			t.Errorf("child %v", c)
		}
	}
}

func TestModule(t *testing.T) {
	m := addrs.MustParseModule("module.a.module.b")
	if got := slices.Collect(m.Calls()); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("%v", got)
	}
	for range m.Calls() {
		break // must be possible
	}
	if !(addrs.Module{}).IsRoot() || m.IsRoot() {
		t.Error("IsRoot is wrong")
	}
}

func TestTargetContains(t *testing.T) {
	for _, tt := range []struct {
		target, other string
		want          bool
	}{
		{"module.a", "module.a", true},
		{"module.a", "module.a[0]", true},
		{"module.a", `module.a["x"].module.b[1].t.n[0]`, true},
		{"module.a", "module.a.t.n", true},
		{"module.a", "module.ab.t.n", false},
		{"module.a", "module.b", false},
		{"module.a[0]", "module.a[0].t.n", true},
		{"module.a[0]", "module.a.t.n", false},
		{"module.a[0]", "module.a[1].t.n", false},
		{"module.a.module.b", "module.a[0].module.b", false},
		{"module.a[0].module.b", "module.a[0].module.b[1]", true},
		{"t.n", "t.n", true},
		{"t.n", "t.n[0]", true},
		{"t.n", `t.n["a"]`, true},
		{"t.n", "t.nn", false},
		{"t.n", "module.a.t.n", false},
		{"module.a.t.n", "module.a.t.n[0]", true},
		{"module.a.t.n", "module.a", false},
		{"t.n[0]", "t.n[0]", true},
		{"t.n[0]", "t.n", false},
		{"t.n[0]", "t.n[1]", false},
		{"data.t.n", "t.n", false},
	} {
		if got := addrs.MustParseTarget(tt.target).Contains(addrs.MustParseTarget(tt.other)); got != tt.want {
			t.Errorf("%s contains %s: %v", tt.target, tt.other, got)
		}
	}
}

func TestTargetKinds(t *testing.T) {
	for _, tt := range []struct {
		in   string
		kind string
	}{
		{"module.a[0]", "module"},
		{"module.a.t.n", "resource"},
		{"t.n[0]", "instance"},
	} {
		target := addrs.MustParseTarget(tt.in)
		m, isModule := target.ModuleInstance()
		r, isResource := target.AbsResource()
		i, isInstance := target.AbsResourceInstance()
		if isModule != (tt.kind == "module") || isResource != (tt.kind == "resource") || isInstance != (tt.kind == "instance") {
			t.Errorf("%s: module %v, resource %v, instance %v", tt.in, isModule, isResource, isInstance)
		}
		var again addrs.Target
		switch {
		case isModule:
			again = m.Target()
		case isResource:
			again = r.Target()
		default:
			again = i.Target()
		}
		if again != target {
			t.Errorf("%s comes back as %v", tt.in, again)
		}
	}
	if single := addrs.MustParseAbsResourceInstance("t.n"); single.Target() != single.AbsResource().Target() {
		t.Error("an instance without key is another target than its resource")
	}
	if (addrs.ModuleInstance{}).Target().IsValid() {
		t.Error("the root module is a target")
	}
}

func TestCheckable(t *testing.T) {
	for _, tt := range []struct {
		kind             addrs.CheckableKind
		in, name, config string
	}{
		{addrs.CheckableResource, `module.site["so.uth"].terraform_data.s`, "s", "module.site.terraform_data.s"},
		{addrs.CheckableResource, `ephemeral.lab_token.each["k\"2"]`, "each", "ephemeral.lab_token.each"},
		{addrs.CheckableResource, "output.x", "x", "output.x"},
		{addrs.CheckableOutput, `module.site["north"].output.level`, "level", "module.site.output.level"},
		{addrs.CheckableCheck, "check.data_late", "data_late", "check.data_late"},
		{addrs.CheckableVariable, `module.site["north"].var.level`, "level", "module.site.var.level"},
		{addrs.CheckableCheck, "var.x", "", ""},
		{addrs.CheckableVariable, "var.x[0]", "", ""},
		{addrs.CheckableVariable, "data.var.x", "", ""},
		{addrs.CheckableOutput, "module.a", "", ""},
		{"action", "action.x", "", ""},
		{"", "t.n", "", ""},
	} {
		c, ok := checkParse(t, checkable(tt.kind), tt.in)
		if ok != (tt.name != "") {
			t.Errorf("%s %s: accepted %v", tt.kind, tt.in, ok)
			continue
		}
		if !ok {
			continue
		}
		if c.Kind() != tt.kind || c.Name() != tt.name || c.Config().String() != tt.config || c.Config().Config() != c.Config() {
			t.Errorf("%s: %q, %q, %q", tt.in, c.Kind(), c.Name(), c.Config())
		}
		r, isResource := c.AbsResourceInstance()
		if isResource != (tt.kind == addrs.CheckableResource) {
			t.Errorf("%s: resource %v", tt.in, isResource)
		}
		if isResource && r.String() != tt.in {
			t.Errorf("%s: %v", tt.in, r)
		}
		if c.Module().Module() != c.Config().Module().Module() {
			t.Errorf("%s: module %v", tt.in, c.Module())
		}
	}
	resource, err := addrs.ParseCheckable(addrs.CheckableResource, "output.x")
	output, err2 := addrs.ParseCheckable(addrs.CheckableOutput, "output.x")
	if err != nil || err2 != nil || resource == output {
		t.Error("the kind does not count")
	}
}
