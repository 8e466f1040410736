// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// leftOut are the members that make no difference, by the type of their object.
var leftOut = []string{
	"Plan.timestamp", "RelevantAttribute.resource", "RelevantAttribute.attribute", "Change.before_sensitive",
	"OutputConfig.description", "OutputConfig.deprecated", "VariableConfig.description", "VariableConfig.deprecated",
}

// full returns a plan or a state in which every member of every object is set, and a
// function for each member that changes it.
type filler struct {
	path  []string
	edits []edit
	depth map[reflect.Type]int
}

type edit struct {
	member string // TYPE.MEMBER
	path   string
	do     func()
}

func (f *filler) fill(v reflect.Value) {
	t := v.Type()
	if f.depth[t]++; f.depth[t] > 2 {
		f.depth[t]--
		return
	}
	defer func() { f.depth[t]-- }()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name == "" {
			continue
		}
		f.path = append(f.path, name)
		f.field(t.Name()+"."+name, v.Field(i))
		f.path = f.path[:len(f.path)-1]
	}
	if p, ok := v.Addr().Interface().(*planjson.Plan); ok {
		f.path = append(f.path, "configuration")
		f.fill(reflect.ValueOf(p.Config()).Elem())
		f.path = f.path[:len(f.path)-1]
	}
}

var (
	valueType      = reflect.TypeFor[planjson.Value]()
	expressionType = reflect.TypeFor[*planjson.Expression]()
)

// field sets a field and, if it is a leaf, notes how to change it.
func (f *filler) field(member string, v reflect.Value) {
	note := func(to any) {
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		path := strings.Join(f.path, "/")
		f.edits = append(f.edits, edit{member, path, func() {
			if v.Type() == valueType && reflect.ValueOf(to).Kind() == reflect.String {
				v.Set(reflect.ValueOf(planjson.Value(to.(string))))
				return
			}
			v.Set(reflect.ValueOf(to).Convert(v.Type()))
		}})
	}
	name := f.path[len(f.path)-1]
	switch {
	case v.Type() == valueType:
		switch {
		case strings.Contains(name, "sensitive"), strings.Contains(name, "unknown"):
			v.Set(reflect.ValueOf(planjson.Value(`{"k":true}`)))
			note(`{"k":false}`)
		case name == "index", name == "instance_key":
			v.Set(reflect.ValueOf(planjson.Value(`"k"`)))
			note(`"l"`)
		case name == "type":
			v.Set(reflect.ValueOf(planjson.Value(`"string"`)))
			note(`"number"`)
		default:
			v.Set(reflect.ValueOf(planjson.Value(`{"k":"secret","n":12345678901234567890,"list":[1,{"x":null}]}`)))
			note(`{"k":"secret","n":12345678901234567891,"list":[1,{"x":null}]}`)
		}
	case v.Type() == expressionType:
		v.Set(reflect.ValueOf(&planjson.Expression{References: []string{"var.a"}}))
		e := v.Interface().(*planjson.Expression)
		f.edits = append(f.edits, edit{"Expression.references", strings.Join(f.path, "/"), func() { e.References = []string{"var.b"} }})
	case v.Kind() == reflect.String:
		v.SetString(name + "-x")
		note(name + "-y")
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
		note(false)
	case v.CanInt():
		v.SetInt(3)
		note(4)
	case v.CanUint():
		v.SetUint(3)
		note(uint(4))
	case v.Kind() == reflect.Struct:
		f.fill(v)
	case v.Kind() == reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		v.Set(p)
		if p.Elem().Kind() == reflect.Struct {
			if f.depth[p.Elem().Type()] >= 2 {
				v.SetZero()
				return
			}
			f.fill(p.Elem())
			return
		}
		f.field(member, p.Elem())
	case v.Kind() == reflect.Slice:
		e := reflect.New(v.Type().Elem()).Elem()
		if e.Kind() == reflect.Pointer && f.depth[e.Type().Elem()] >= 2 {
			return
		}
		v.Set(reflect.Append(v, e))
		f.path = append(f.path, "0")
		f.field(member, v.Index(0))
		f.path = f.path[:len(f.path)-1]
	case v.Kind() == reflect.Map:
		e := reflect.New(v.Type().Elem()).Elem()
		if e.Kind() == reflect.Pointer && e.Type() != expressionType && f.depth[e.Type().Elem()] >= 2 {
			return
		}
		f.path = append(f.path, "key")
		f.field(member, e)
		f.path = f.path[:len(f.path)-1]
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("key"), e)
	default:
		panic(member)
	}
}

func filled[D any](doc *D) (*D, []edit) {
	f := filler{depth: make(map[reflect.Type]int)}
	f.fill(reflect.ValueOf(doc).Elem())
	return doc, f.edits
}

// Every member of the format has a verdict: it makes a difference, or it is in the list.
func TestComparePlans_members(t *testing.T) {
	_, edits := filled(new(planjson.Plan))
	seen := make(map[string]bool)
	for i, e := range edits {
		first, _ := filled(new(planjson.Plan))
		second, again := filled(new(planjson.Plan))
		again[i].do()
		c := plandiff.ComparePlans(first, second, plandiff.Options{})
		seen[e.member] = true
		counts := !slices.Contains(leftOut, e.member) && !strings.HasPrefix(e.path, "prior_state/values") || e.member == "Output.sensitive"
		if strings.HasPrefix(e.path, "prior_state/values") && !strings.HasSuffix(e.path, "sensitive_values") {
			counts = true
		}
		if got := len(c.Differences) > 0; got != counts {
			t.Errorf("%s at %s: %v, want a difference: %v", e.member, e.path, c.Differences, counts)
		}
		if c.IsEmpty() == counts {
			t.Errorf("%s at %s: empty is %v", e.member, e.path, c.IsEmpty())
		}
	}
	for _, member := range leftOut {
		if !seen[member] {
			t.Errorf("there is no member %s", member)
		}
	}
	if len(seen) < 100 {
		t.Errorf("%d members", len(seen))
	}
	first, _ := filled(new(planjson.Plan))
	second, _ := filled(new(planjson.Plan))
	if c := plandiff.ComparePlans(first, second, plandiff.Options{}); !c.IsEmpty() {
		t.Errorf("the same: %v", c.Differences)
	}
}

func TestCompareStates_members(t *testing.T) {
	_, edits := filled(new(planjson.State))
	for i, e := range edits {
		first, _ := filled(new(planjson.State))
		second, again := filled(new(planjson.State))
		again[i].do()
		if c := plandiff.CompareStates(first, second, plandiff.Options{}); len(c.Differences) == 0 {
			t.Errorf("%s at %s: no difference", e.member, e.path)
		}
	}
}

// A member that this package does not know makes a difference, wherever it is.
func TestComparePlans_extra(t *testing.T) {
	src, err := os.ReadFile("../testdata/terraform-1.11.4/actions/plan.json")
	if err != nil {
		t.Fatal(err)
	}
	first, err := planjson.DecodePlan(src)
	if err != nil {
		t.Fatal(err)
	}
	for name, object := range map[string]func(*planjson.Plan) planjson.Object{
		"plan":          func(p *planjson.Plan) planjson.Object { return p },
		"change":        func(p *planjson.Plan) planjson.Object { return &p.ResourceChanges[0].Change },
		"resource":      func(p *planjson.Plan) planjson.Object { return p.ResourceChanges[0] },
		"planned":       func(p *planjson.Plan) planjson.Object { return p.PlannedValues.RootModule.Resources[0] },
		"module":        func(p *planjson.Plan) planjson.Object { return &p.PlannedValues.RootModule },
		"configuration": func(p *planjson.Plan) planjson.Object { return p.Config().RootModule.Resources[0] },
	} {
		second, err := planjson.DecodePlan(src)
		if err != nil {
			t.Fatal(err)
		}
		if err := planjson.SetExtra(object(second), "new_member", planjson.Value(`{"a":"hidden text"}`)); err != nil {
			t.Fatal(err)
		}
		c := plandiff.ComparePlans(first, second, plandiff.Options{})
		if len(c.Differences) != 1 || strings.Contains(fmt.Sprint(c.Differences), "hidden text") {
			t.Errorf("%s: %v", name, c.Differences)
		}
	}
}

// No recording differs from itself, also in another order.
func TestComparePlans_recordings(t *testing.T) {
	names, _ := filepath.Glob("../testdata/*/*/plan*.json")
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		first, err := planjson.DecodePlan(src)
		if err != nil {
			continue
		}
		second, _ := planjson.DecodePlan(src)
		second.Timestamp = "2000-01-01T00:00:00Z"
		second.RelevantAttributes = nil
		for _, list := range [][]*planjson.ResourceChange{second.ResourceChanges, second.ResourceDrift} {
			slices.Reverse(list)
			for _, rc := range list {
				rc.Change.BeforeSensitive = planjson.Value("{}")
				slices.Reverse(rc.Change.ReplacePaths)
			}
		}
		slices.Reverse(second.Checks)
		slices.Reverse(second.Config().RootModule.Resources)
		slices.Reverse(second.PlannedValues.RootModule.Resources)
		for _, r := range second.Config().RootModule.Resources {
			for _, e := range r.Expressions {
				slices.Reverse(e.References)
			}
		}
		if c := plandiff.ComparePlans(first, second, plandiff.Options{}); len(c.Differences) > 0 {
			t.Errorf("%s: %v", name, c.Differences)
		}
	}
}

// A module with another address is a difference, also if no object in it has another one.
func TestModuleAddresses(t *testing.T) {
	plan := func(address string) *planjson.Plan {
		p, err := planjson.DecodePlan([]byte(`{"format_version":"1.2","planned_values":{"root_module":{"child_modules":[{"resources":[{"address":"module.a.x.y","type":"x","name":"y"}]` + address + `}]}},"errored":false}`))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	a := plan(`,"address":"module.a"`)
	for _, other := range []string{"", `,"address":"module.b"`} {
		c := plandiff.ComparePlans(a, plan(other), plandiff.Options{})
		if c.IsEmpty() || c.Differences[0].String() != "module.a: planned_values.modules: 1 -> 0" && c.Differences[0].String() != "plan: planned_values.modules: 1 -> 2" {
			t.Errorf("%q: %v", other, c.Differences)
		}
	}
}

// Planned values that are missing are a difference, also if there was nothing in them.
func TestMissingPlannedValues(t *testing.T) {
	plan := func(values string) *planjson.Plan {
		p, err := planjson.DecodePlan([]byte(`{"format_version":"1.2"` + values + `,"errored":false}`))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	empty := plan(`,"planned_values":{"root_module":{}}`)
	for _, values := range []string{"", `,"planned_values":{}`, `,"planned_values":null`} {
		if plandiff.ComparePlans(empty, plan(values), plandiff.Options{}).IsEmpty() || plandiff.ComparePlans(plan(values), empty, plandiff.Options{}).IsEmpty() {
			t.Errorf("%q is the same", values)
		}
	}
}
