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
		"one less":                 {`{"l":[null,null]}`, `{"l":[true,true]}`, `{}`, `{"l":["x"]}`, `{}`, true},
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

// A set whose elements have other places when they are known takes work in proportion to
// its size.
func TestComparePlanWithState_proportion(t *testing.T) {
	work := func(n int) float64 {
		after, unknown, values := make([]any, n), make([]any, n), make([]any, n)
		for i := range n {
			after[i], unknown[i] = map[string]any{"n": fmt.Sprint(i)}, map[string]any{"id": true}
			values[i^1] = map[string]any{"id": i, "n": fmt.Sprint(i)}
		}
		p := planned(t, text(map[string]any{"s": after}), text(map[string]any{"s": unknown}), "{}")
		s := done(t, text(map[string]any{"s": values}), "{}")
		return testing.AllocsPerRun(1, func() {
			if c := plandiff.ComparePlanWithState(p, s, plandiff.Options{}); !c.IsEmpty() {
				t.Fatal(summary(c))
			}
		})
	}
	if once, twice := work(1000), work(2000); twice > 2.3*once {
		t.Errorf("%v allocations, then %v", once, twice)
	}
}
