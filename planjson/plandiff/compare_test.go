// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// summary prints a comparison in lines.
func summary(c *plandiff.Comparison) string {
	var b strings.Builder
	for _, r := range c.Added {
		b.WriteString("+ " + r.Address + "\n")
	}
	for _, r := range c.Removed {
		b.WriteString("- " + r.Address + "\n")
	}
	for _, r := range c.Changed {
		for a := range r.Object.Leaves() {
			b.WriteString("~ " + r.Address + " " + leaf(a) + "\n")
		}
	}
	for _, a := range c.Actions {
		b.WriteString(a.Address + ": " + a.Before.String() + " => " + a.After.String() + "\n")
	}
	for _, o := range c.Outputs {
		for _, v := range o.Values {
			b.WriteString("output " + leaf(v) + "\n")
		}
	}
	return b.String()
}

func comparedPlan(t *testing.T, changes, outputs string) *planjson.Plan {
	t.Helper()
	p, err := planjson.DecodePlan([]byte(`{"resource_changes":[` + changes + `],"output_changes":{` + outputs + `}}`))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestComparePlans(t *testing.T) {
	first := comparedPlan(t, `
{"address":"t.a","mode":"managed","change":{"actions":["update"],"before":{"x":0},"after":{"x":1,"pw":"s1"},"after_unknown":{"u":true,"k":true},"after_sensitive":{"pw":true}}},
{"address":"t.b","mode":"managed","change":{"actions":["create"],"before":null,"after":{"x":1}}},
{"address":"t.d","mode":"managed","change":{"actions":["delete"],"before":{"x":1},"after":null}}`,
		`"o":{"actions":["create"],"after":1},"same":{"actions":["create"],"after":1}`)
	second := comparedPlan(t, `
{"address":"t.a","mode":"managed","change":{"actions":["delete","create"],"before":{"x":0},"after":{"x":2,"pw":"s2","k":"v"},"after_unknown":{"u":true},"after_sensitive":{"pw":true}}},
{"address":"t.c","mode":"managed","change":{"actions":["create"],"before":null,"after":{"x":1}}},
{"address":"t.d","mode":"managed","change":{"actions":["no-op"],"before":{"x":1},"after":{"x":1}}}`,
		`"o":{"actions":["create"],"after":2},"same":{"actions":["create"],"after":1}`)
	want := `+ t.c
+ t.d
- t.b
~ t.a k added -> "v"
~ t.a pw changed -> sensitive
~ t.a x changed 1 -> 2
t.a: update => delete, create
t.b: create => 
t.c:  => create
t.d: delete => no-op
output o changed 1 -> 2
`
	// An attribute that was unknown and is known now has no value before.
	want = strings.Replace(want, `k added -> "v"`, `k changed -> "v"`, 1)
	if diff := cmp.Diff(want, summary(plandiff.ComparePlans(first, second, plandiff.Options{}))); diff != "" {
		t.Error(diff)
	}
	if c := plandiff.ComparePlans(first, first, plandiff.Options{}); !c.IsEmpty() {
		t.Errorf("a plan differs from itself: %s", summary(c))
	}
}

// A plan does not differ from itself, whatever is unknown or sensitive in it, and however
// its sets are ordered. It does if something is changed.
func TestComparePlans_random(t *testing.T) {
	schemas, err := planjson.DecodeSchemas([]byte(`{"provider_schemas":{"p":{"resource_schemas":{"t":{"block":{"attributes":{
		"s":{"type":["set",["object",{"n":"number","s":["set",["object",{"n":"number","m":["map","number"]}]]}]]}}}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	// marks makes marks of some parts of v.
	var marks func(v any) any
	marks = func(v any) any {
		if r.IntN(6) == 0 {
			return true
		}
		switch v := v.(type) {
		case map[string]any:
			m := map[string]any{}
			for _, name := range slices.Sorted(maps.Keys(v)) {
				m[name] = marks(v[name])
			}
			return m
		case []any:
			l := make([]any, len(v))
			for i, e := range v {
				l[i] = marks(e)
			}
			return l
		}
		return false
	}
	never := func() bool { return false }
	plan := func(attribute string, value, unknown, sensitive any) *planjson.Plan {
		object := func(v any) string { return text(map[string]any{attribute: v}) }
		p := planned(t, object(value), object(unknown), object(sensitive))
		p.ResourceChanges[0].ProviderName, p.ResourceChanges[0].Type = "p", "t"
		return p
	}
	// One object in a set, with a set of objects in it.
	element := func(inner int) any {
		var s []any
		for i := range inner {
			s = append(s, map[string]any{"n": i, "m": map[string]any{"x": r.IntN(3), "y": r.IntN(3)}})
		}
		return map[string]any{"n": r.IntN(100), "s": s}
	}
	changed := 0
	for n := range 3000 {
		value, unknown := known(r, anyValue(r, 4), never)
		attribute, o := "x", plandiff.Options{}
		if n%2 == 0 {
			attribute, o.Schemas = "s", schemas
			var values, parts []any
			for range r.IntN(5) {
				v, u := known(r, element(r.IntN(3)), never)
				values, parts = append(values, v), append(parts, u)
			}
			value, unknown = values, parts
		}
		sensitive := marks(value)
		first := plan(attribute, value, unknown, sensitive)
		if c := plandiff.ComparePlans(first, plan(attribute, value, unknown, sensitive), o); !c.IsEmpty() {
			t.Fatalf("value %s\nunknown %s\nsensitive %s\n%s", text(value), text(unknown), text(sensitive), summary(c))
		}
		if values, ok := value.([]any); ok && n%2 == 0 && len(values) > 1 {
			// The elements in another order are the same set; with one of them changed, not.
			parts := unknown.([]any)
			values, parts = slices.Clone(values), slices.Clone(parts)
			slices.Reverse(values)
			slices.Reverse(parts)
			first = plan(attribute, value, unknown, false)
			if c := plandiff.ComparePlans(first, plan(attribute, values, parts, false), o); !c.IsEmpty() {
				t.Fatalf("value %s\nunknown %s\nreversed\n%s", text(value), text(unknown), summary(c))
			}
			values[0], parts[0] = map[string]any{"n": 101, "s": []any{}}, false
			if c := plandiff.ComparePlans(first, plan(attribute, values, parts, false), o); c.IsEmpty() {
				t.Fatalf("value %s\nunknown %s\nno difference to %s", text(value), text(unknown), text(values))
			}
			changed++
		}
	}
	if changed < 100 {
		t.Errorf("only %d plans were changed", changed)
	}
}

func TestComparePlanWithState(t *testing.T) {
	plan := comparedPlan(t, `
{"address":"t.a","mode":"managed","change":{"actions":["create"],"before":null,"after":{"x":1,"y":"planned","l":["a",null],"pw":"s"},"after_unknown":{"id":true,"l":[false,true]},"after_sensitive":{"pw":true}}},
{"address":"t.ok","mode":"managed","change":{"actions":["create"],"before":null,"after":{"x":1},"after_unknown":{"id":true}}},
{"address":"t.gone","mode":"managed","change":{"actions":["delete"],"before":{"x":1},"after":null}},
{"address":"t.missing","mode":"managed","change":{"actions":["create"],"before":null,"after":{"x":1}}}`,
		`"o":{"actions":["create"],"after_unknown":true},"p":{"actions":["create"],"after":1}`)
	state, err := planjson.DecodeState([]byte(`{"format_version":"1.0","values":{"outputs":{"o":{"sensitive":false,"value":"now"},"p":{"sensitive":false,"value":2}},"root_module":{"resources":[
{"address":"t.a","mode":"managed","values":{"id":"i","x":1,"y":"other","l":["a","b"],"pw":"s"},"sensitive_values":{"pw":true}},
{"address":"t.ok","mode":"managed","values":{"id":"j","x":1},"sensitive_values":{}},
{"address":"t.extra","mode":"managed","values":{"id":"k"},"sensitive_values":{}},
{"address":"data.t.d","mode":"data","values":{"id":"k"},"sensitive_values":{}}]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := `+ t.extra
- t.missing
~ t.a y changed "planned" -> "other"
output p changed 1 -> 2
`
	if diff := cmp.Diff(want, summary(plandiff.ComparePlanWithState(plan, state, plandiff.Options{}))); diff != "" {
		t.Error(diff)
	}
	want = `+ data.t.d
+ t.a
+ t.extra
+ t.ok
output o added -> "now"
output p added -> 2
`
	if diff := cmp.Diff(want, summary(plandiff.CompareStates(nil, state, plandiff.Options{}))); diff != "" {
		t.Error(diff)
	}
	if c := plandiff.CompareStates(state, planjson.Clone(state), plandiff.Options{}); !c.IsEmpty() {
		t.Errorf("a state differs from itself: %s", summary(c))
	}
}

// Terraform 0.12 printed the same address for the instances of a resource and for
// resources of several modules.
func TestCompareStates_oldAddresses(t *testing.T) {
	state := func(version, root, second, module string) *planjson.State {
		s, err := planjson.DecodeState([]byte(`{"format_version":"0.1","terraform_version":"` + version + `","values":{"root_module":{"resources":[
` + root + `,"mode":"managed","type":"t","name":"a","index":0,"values":{"x":1}},
` + second + `,"mode":"managed","type":"t","name":"a","index":1,"values":{"x":2}}],"child_modules":[{"resources":[
` + module + `,"mode":"managed","type":"t","name":"a","values":{"x":3}}],"address":"module.m"}]}}}`))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	old := state("0.12.31", `{"address":"t.a"`, `{"address":"t.a"`, `{"address":"t.a"`)
	new := state("0.13.7", `{"address":"t.a[0]"`, `{"address":"t.a[1]"`, `{"address":"module.m.t.a"`)
	c := plandiff.CompareStates(old, new, plandiff.Options{})
	c.Differences = slices.DeleteFunc(c.Differences, func(d plandiff.Difference) bool { return d.Version })
	if !c.IsEmpty() {
		t.Errorf("the same state differs:\n%s%v", summary(c), c.Differences)
	}
	if diff := cmp.Diff("+ module.m.t.a\n+ t.a[0]\n+ t.a[1]\n", summary(plandiff.CompareStates(nil, old, plandiff.Options{}))); diff != "" {
		t.Error(diff)
	}
}
