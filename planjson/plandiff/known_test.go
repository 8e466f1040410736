// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/bounds"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// planned returns a plan for one object, and done a state of it.
func planned(t *testing.T, after, unknown, sensitive string) *planjson.Plan {
	t.Helper()
	return comparedPlan(t, fmt.Sprintf(`{"address":"t.a","mode":"managed","change":{"actions":["create"],"before":null,"after":%s,"after_unknown":%s,"after_sensitive":%s}}`, after, unknown, sensitive), "")
}

func done(t *testing.T, values, sensitive string) *planjson.State {
	t.Helper()
	s, err := planjson.DecodeState([]byte(fmt.Sprintf(`{"format_version":"1.0","values":{"root_module":{"resources":[{"address":"t.a","mode":"managed","values":%s,"sensitive_values":%s}]}}}`, values, sensitive)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What is unknown in a plan becomes anything, wherever it is; what is known stays.
func TestComparePlanWithState_unknown(t *testing.T) {
	for name, tt := range map[string]struct {
		after, unknown, sensitive string
		values, marks             string
		deviates                  bool
	}{
		"list in a list":           {`{"l":[[null,null],"k"]}`, `{"l":[[true,true],false]}`, `{"l":[[],false]}`, `{"l":[["x","y"],"k"]}`, `{"l":[[false,false],false]}`, false},
		"known in such a list":     {`{"l":[[null,"z"],"k"]}`, `{"l":[[true,false],false]}`, `{}`, `{"l":[["x","y"],"k"]}`, `{}`, true},
		"object of nothing known":  {`{"l":[{},{"a":1}]}`, `{"l":[{"a":true,"b":true},{"b":true}]}`, `{}`, `{"l":[{"a":0,"b":0},{"a":1,"b":{"c":[1]}}]}`, `{}`, false},
		"another kind":             {`{"l":[{},{"a":1}]}`, `{"l":[{"a":true},{"b":true}]}`, `{}`, `{"l":["x",{"a":1,"b":2}]}`, `{}`, true},
		"one more":                 {`{"l":[null]}`, `{"l":[true]}`, `{}`, `{"l":["x","y"]}`, `{}`, true},
		"a known one less":         {`{"l":["y",null]}`, `{"l":[false,true]}`, `{}`, `{"l":["x"]}`, `{}`, true},
		"texts of a set are equal": {`{"s":[null,null,"x"]}`, `{"s":[true,true,false]}`, `{}`, `{"s":["w","x"]}`, `{}`, false},
		"objects of one are equal": {`{"s":[{"n":"z"},{"n":"z"},{"n":"y"}]}`, `{"s":[{"id":true},{"id":true},{"id":true}]}`, `{}`, `{"s":[{"id":1,"n":"y"},{"id":2,"n":"z"}]}`, `{}`, false},
		"nothing became this one":  {`{"s":[{"n":"z"},{"n":"z"},{"n":"z"}]}`, `{"s":[{"id":true},{"id":true},{"id":true}]}`, `{}`, `{"s":[{"id":1,"n":"y"},{"id":2,"n":"z"}]}`, `{}`, true},
		"a place must be left":     {`{"s":[{"b":1},{"a":2},{"a":2}]}`, `{"s":[{"a":true},{"b":true},{"b":true}]}`, `{}`, `{"s":[{"a":2,"b":1},{"a":3,"b":1}]}`, `{}`, false},
		"sets in a list":           {`{"l":[{"s":[{"n":"z"},{}]},{"s":[{},{}]}]}`, `{"l":[{"s":[{"id":true},{"n":true,"id":true}]},{"s":[{"id":true},{"id":true}]}]}`, `{}`, `{"l":[{"s":[{"id":1,"n":"a"},{"id":0,"n":"z"}]},{"s":[{"id":7}]}]}`, `{}`, false},
		"marks of all of a set":    {`{"s":[{"a":null},{"a":1}]}`, `{"s":[{},{}]}`, `{"s":[{"a":true},{"a":true}]}`, `{"s":[{"a":null},{"a":1}]}`, `{"s":true}`, false},
		"marks in a changed set":   {`{"s":[{"a":null},{"a":1}],"x":[{"a":2}]}`, `{}`, `{"s":[{"a":true},{"a":true}],"x":[{"a":true}]}`, `{"s":[{"a":null},{"a":2}],"x":[{"a":2}]}`, `{"s":true,"x":true}`, true},
		"set of texts":             {`{"s":["b",null]}`, `{"s":[false,true]}`, `{}`, `{"s":["a","b"]}`, `{}`, false},
		"set of objects":           {`{"s":[{"n":"z"},{"n":"y"}]}`, `{"s":[{"id":true},{"id":true}]}`, `{"s":[{},{}]}`, `{"s":[{"id":1,"n":"y"},{"id":2,"n":"z"}]}`, `{"s":[{},{}]}`, false},
		"set with another element": {`{"s":[{"n":"z"},{"n":"y"}]}`, `{"s":[{"id":true},{"id":true}]}`, `{}`, `{"s":[{"id":1,"n":"y"},{"id":2,"n":"x"}]}`, `{}`, true},
		"not in the state":         {`{"x":1}`, `{"id":true}`, `{}`, `{"x":1}`, `{}`, false},
		"all sensitive":            {`{"x":{"a":1}}`, `{"x":{"b":true}}`, `{"x":true}`, `{"x":{"a":1,"b":2}}`, `{"x":true}`, false},
		"a mark of the state":      {`{"x":{"a":1}}`, `{"x":{"b":true}}`, `{}`, `{"x":{"a":1,"b":2}}`, `{"x":{"b":true}}`, false},
		"a mark that is missing":   {`{"x":{"a":1}}`, `{"x":{"b":true}}`, `{"x":{"a":true}}`, `{"x":{"a":1,"b":2}}`, `{"x":{"b":true}}`, true},
		"all of it":                {`null`, `true`, `false`, `{"x":1}`, `{}`, false},
	} {
		c := plandiff.ComparePlanWithState(planned(t, tt.after, tt.unknown, tt.sensitive), done(t, tt.values, tt.marks), plandiff.Options{})
		if c.IsEmpty() == tt.deviates {
			t.Errorf("%s: %s", name, summary(c))
		}
	}
}

// Of what a schema calls a list, no element can be missing or have another place.
func TestComparePlanWithState_types(t *testing.T) {
	schemas, err := planjson.DecodeSchemas([]byte(`{"provider_schemas":{"p":{"resource_schemas":{"t":{"block":{"attributes":{
		"l":{"type":["list","string"]},"s":{"type":["set","string"]},"any":{"type":"dynamic"}}}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, deviates := range map[string]bool{"l": true, "s": false, "any": false} {
		for values, unknown := range map[string]string{`[null,null]`: `[true,true]`, `["x",null]`: `[false,true]`} {
			p := planned(t, fmt.Sprintf(`{%q:%s}`, name, values), fmt.Sprintf(`{%q:%s}`, name, unknown), "{}")
			p.ResourceChanges[0].ProviderName, p.ResourceChanges[0].Type = "p", "t"
			s := done(t, fmt.Sprintf(`{%q:["x"]}`, name), "{}")
			s.Values.RootModule.Resources[0].ProviderName, s.Values.RootModule.Resources[0].Type = "p", "t"
			if c := plandiff.ComparePlanWithState(p, s, plandiff.Options{Schemas: schemas}); c.IsEmpty() == deviates {
				t.Errorf("%s: %s: %s", name, values, summary(c))
			}
		}
	}
}

// A plan that was made from sets in sets by taking elements several times, each with
// other parts unknown, and in another order, has no deviation.
func TestComparePlanWithState_randomSets(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	merged := 0
	for range 3000 {
		value := map[string]any{"s": anySet(r, 2)}
		after, unknown := plannedSet(r, value["s"].([]any))
		if len(after) > len(value["s"].([]any)) {
			merged++
		}
		p := planned(t, text(map[string]any{"s": after}), text(map[string]any{"s": unknown}), "{}")
		if c := plandiff.ComparePlanWithState(p, done(t, text(value), "{}"), plandiff.Options{}); !c.IsEmpty() {
			t.Fatalf("state %s\nafter %s\nunknown %s\n%s", text(value), text(after), text(unknown), summary(c))
		}
	}
	if merged < 100 {
		t.Errorf("only %d sets have fewer elements", merged)
	}
}

// anySet returns different objects in order, with sets in them.
func anySet(r *rand.Rand, depth int) []any {
	all := map[string]any{}
	for range r.IntN(4) {
		v := map[string]any{"a": r.IntN(3), "b": r.IntN(3)}
		if depth > 0 {
			v["s"] = anySet(r, depth-1)
		}
		all[text(v)] = v
	}
	set := []any{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		set = append(set, all[name])
	}
	return set
}

func plannedSet(r *rand.Rand, set []any) (after, unknown []any) {
	after, unknown = []any{}, []any{}
	for _, v := range set {
		for n := range 1 + r.IntN(3)/2 {
			v := v.(map[string]any)
			a, u := map[string]any{}, map[string]any{}
			for _, name := range slices.Sorted(maps.Keys(v)) {
				part, isSet := v[name].([]any)
				switch {
				case r.IntN(3) == 0 || n > 0 && name == "a": // the second one has to be another one
					u[name] = true
				case isSet:
					a[name], u[name] = plannedSet(r, part)
				default:
					a[name] = v[name]
				}
			}
			after, unknown = append(after, a), append(unknown, u)
		}
	}
	if !strings.Contains(text(unknown), "true") {
		return after, unknown
	}
	r.Shuffle(len(after), func(i, j int) {
		after[i], after[j] = after[j], after[i]
		unknown[i], unknown[j] = unknown[j], unknown[i]
	})
	return after, unknown
}

// A plan that was made from a state by leaving out parts has no deviation, and one if
// a known part is changed.
func TestComparePlanWithState_randomParts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	changes := 0
	for range 2000 {
		value := map[string]any{"id": "i", "x": anyValue(r, 4)}
		spoil := r.IntN(3) == 0
		spoiled := false
		after, unknown := known(r, value, func() bool {
			if !spoil || spoiled || r.IntN(3) > 0 {
				return false
			}
			spoiled = true
			return true
		})
		if after == nil {
			continue
		}
		if spoiled {
			changes++
		}
		c := plandiff.ComparePlanWithState(planned(t, text(after), text(unknown), "{}"), done(t, text(value), "{}"), plandiff.Options{})
		if c.IsEmpty() == spoiled {
			t.Fatalf("state %s\nafter %s\nunknown %s\nchanged %v\n%s", text(value), text(after), text(unknown), spoiled, summary(c))
		}
	}
	if changes < 100 {
		t.Errorf("only %d plans differ", changes)
	}
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func anyValue(r *rand.Rand, depth int) any {
	switch k := r.IntN(6); {
	case k < 2 && depth > 0:
		m := map[string]any{}
		for i := range r.IntN(4) {
			m[fmt.Sprint("m", i)] = anyValue(r, depth-1)
		}
		return m
	case k < 4 && depth > 0:
		l := []any{}
		for range r.IntN(5) {
			l = append(l, anyValue(r, depth-1))
		}
		return l
	case k == 4:
		return r.IntN(3)
	}
	return strings.Repeat("s", r.IntN(3))
}

// known returns a value as plans show it if parts of it are unknown, with its
// companion. A scalar becomes another one if spoil says so.
func known(r *rand.Rand, v any, spoil func() bool) (after, unknown any) {
	if r.IntN(5) == 0 {
		return nil, true
	}
	switch v := v.(type) {
	case map[string]any:
		a, u := map[string]any{}, map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if a[name], u[name] = known(r, v[name], spoil); u[name] == true {
				delete(a, name)
			}
		}
		return a, u
	case []any:
		a, u := make([]any, len(v)), make([]any, len(v))
		for i, part := range v {
			a[i], u[i] = known(r, part, spoil)
		}
		return a, u
	}
	if spoil() {
		return "changed", false
	}
	return v, false
}

// Sets whose elements have other places when they are known take work in proportion to
// their size, also if there are very many possibilities, none of which is right.
func TestComparePlanWithState_proportion(t *testing.T) {
	for name, parts := range map[string]func(n int) (after, unknown, values any){
		"other places": func(n int) (any, any, any) {
			after, unknown, values := make([]any, n), make([]any, n), make([]any, n)
			for i := range n {
				after[i], unknown[i] = map[string]any{"n": fmt.Sprint(i)}, map[string]any{"id": true}
				values[i^1] = map[string]any{"id": i, "n": fmt.Sprint(i)}
			}
			return after, unknown, values
		},
		"equal ones": func(n int) (any, any, any) {
			after, unknown, values := make([]any, n), make([]any, n), make([]any, n/2)
			for i := range n {
				after[i], unknown[i] = map[string]any{"n": fmt.Sprint(i / 2)}, map[string]any{"id": true}
				values[i/2] = map[string]any{"id": i, "n": fmt.Sprint(i / 2)}
			}
			return after, unknown, values
		},
		"all of them anything but one": func(n int) (any, any, any) {
			after, unknown, values := make([]any, n), make([]any, n), make([]any, n)
			for i := range n {
				after[i], unknown[i], values[i] = map[string]any{"n": "x"}, map[string]any{"id": true}, map[string]any{"id": i, "n": "x"}
			}
			values[n-1] = map[string]any{"id": 0, "n": "y"}
			return after, unknown, values
		},
		"sets in sets": func(n int) (after, unknown, values any) {
			after, unknown, values = map[string]any{"n": "x"}, map[string]any{"id": true}, map[string]any{"id": 1, "n": "y"}
			for ; n > 1; n /= 2 {
				after, unknown, values = []any{after, after}, []any{unknown, unknown}, []any{values, values}
			}
			return after, unknown, values
		},
		"objects with other marks": func(n int) (after, unknown, values any) {
			after, values = 1, 2
			for range min(n, 900) {
				after, values = map[string]any{"a": after}, map[string]any{"a": values}
			}
			return after, false, values
		},
	} {
		bounds.Growth(t, name, 512, 2, 2.5, func(n int) func() {
			after, unknown, values := parts(n)
			p := planned(t, text(map[string]any{"s": after}), text(map[string]any{"s": unknown}), `{"s":{"a":{"b":true}}}`)
			s := done(t, text(map[string]any{"s": values}), "{}")
			return func() { plandiff.ComparePlanWithState(p, s, plandiff.Options{}) }
		})
	}
}
