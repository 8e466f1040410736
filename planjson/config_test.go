// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
)

// TestConfigOfRecordings requires that the configuration of a plan means what its text
// means alone, and that asking for it leaves the text of the plan as it is.
func TestConfigOfRecordings(t *testing.T) {
	resources := 0
	for _, r := range recordings(t, "plan") {
		var members struct{ Configuration json.RawMessage }
		if err := json.Unmarshal(r.text, &members); err != nil {
			t.Fatal(err)
		}
		plan, err := planjson.DecodePlan(r.text)
		if err != nil {
			t.Fatal(err)
		}
		if members.Configuration == nil {
			continue
		}
		want, err := planjson.DecodeConfig(members.Configuration)
		if err != nil {
			t.Fatal(err)
		}
		// Eight goroutines ask at the same time, while others encode the plan.
		var wg sync.WaitGroup
		var configs [8]*planjson.Config
		for i := range configs {
			wg.Go(func() { configs[i] = plan.Config() })
			wg.Go(func() {
				if out, err := planjson.Encode(plan); err != nil || !bytes.Equal(out, r.text) {
					t.Errorf("%s: the text differs, %v", r.name, err)
				}
			})
		}
		wg.Wait()
		if slices.ContainsFunc(configs[:], func(c *planjson.Config) bool { return c != plan.Config() }) {
			t.Fatalf("%s: there is more than one configuration", r.name)
		}
		if !planjson.Equal(plan.Config(), want) {
			t.Errorf("%s: the configuration differs from its text", r.name)
		}
		for address, r := range plan.Config().AllResources() {
			other := planjson.NewConfigIndex(want).Resource(address)
			if !planjson.Equal(r, other) || len(r.Expressions) != len(other.Expressions) {
				t.Errorf("%s differs", address)
			}
			resources++
		}
	}
	if resources < 500 {
		t.Errorf("only %d resources", resources)
	}
}

// TestConfigEdits edits configurations of plans.
func TestConfigEdits(t *testing.T) {
	const text = `{"format_version":"1.2", "configuration": {"root_module": {"resources":[{"address":"a.b","expressions":{"x":{"constant_value": 1}}}], "q":1}}, "errored":false}`
	read := func() *planjson.Plan {
		plan, err := planjson.DecodePlan([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return plan
	}
	encoded := func(p *planjson.Plan) string {
		out, err := planjson.Encode(p)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	plan := read()
	plan.Config().RootModule.Resources[0].Expressions["x"].ConstantValue = planjson.Value("2")
	if got, want := encoded(plan), strings.Replace(text, "1}}}]", "2}}}]", 1); got != want {
		t.Errorf("an edit gave\n%s", got)
	}
	other := read()
	*other.Config() = *plan.Config()
	if encoded(other) != encoded(plan) {
		t.Errorf("a configuration from another plan gave\n%s", encoded(other))
	}
	other = read()
	*other.Config() = planjson.Config{}
	if got := encoded(other); !strings.Contains(got, `"configuration": {"root_module":{}}, "errored"`) {
		t.Errorf("an empty configuration gave\n%s", got)
	}
	made := &planjson.Plan{}
	if got := encoded(made); !strings.Contains(got, `"configuration":{"root_module":{}}`) {
		t.Errorf("a plan of the caller gave\n%s", got)
	}
	made.Config().RootModule.Resources = []*planjson.ResourceConfig{{Address: "c.d"}}
	if got := encoded(made); !strings.Contains(got, `"configuration":{"root_module":{"resources":[{"address":"c.d"`) {
		t.Errorf("a configuration of the caller gave\n%s", got)
	}
	if n := 0; true {
		for pointer := range planjson.Extras(read()) {
			if n++; pointer != "/configuration/root_module/q" {
				t.Errorf("the extra member %s", pointer)
			}
		}
		if n != 1 {
			t.Errorf("%d extra members", n)
		}
	}
	if (*planjson.Plan)(nil).Config() != nil {
		t.Error("no plan has a configuration")
	}
}

// TestConfigOfMutants changes values anywhere in configurations: a plan is refused if
// and only if its configuration alone is, and else both mean the same.
func TestConfigOfMutants(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	values := []any{nil, true, -1.0, 7.0, 1.5, 1e30, "", "a\n", []any{}, []any{nil}, []any{"a"}, []any{1.0}, []any{map[string]any{}}, map[string]any{},
		map[string]any{"references": []any{"a.b"}}, map[string]any{"references": 1.0}, map[string]any{"constant_value": nil}, map[string]any{"x": nil},
		map[string]any{"constant_value": 1.0, "references": []any{"a", 2.0}}, []any{[]any{map[string]any{"references": []any{true}}}}}
	refused, taken := 0, 0
	for _, r := range recordings(t, "plan") {
		var members struct{ Configuration any }
		if err := json.Unmarshal(r.text, &members); err != nil || members.Configuration == nil {
			continue
		}
		for range 12 {
			text, err := json.Marshal(mutant(rnd, members.Configuration, values))
			if err != nil {
				t.Fatal(err)
			}
			switch rnd.IntN(5) {
			case 0:
				var b bytes.Buffer
				if err := json.Indent(&b, text, "", "\t "); err != nil {
					t.Fatal(err)
				}
				text = b.Bytes()
			case 1:
				text = bytes.ReplaceAll(text, []byte(`s":`), []byte(`\u0073" : `))
			case 2: // which is mostly no JSON
				a, b := rnd.IntN(len(text)), rnd.IntN(len(text))
				text = slices.Concat(text[:max(a, b)], text[min(a, b):])
			case 3: // a member twice
				if members := bytes.Split(text, []byte(",")); len(members) > 1 {
					k := rnd.IntN(len(members))
					text = bytes.Join(slices.Insert(members, k, members[k]), []byte(","))
				}
			}
			plan, err := planjson.DecodePlan(slices.Concat([]byte(`{"format_version":"1.2","configuration":`), text, []byte(`}`)))
			if bytes.Equal(bytes.TrimSpace(text), []byte("null")) || !json.Valid(text) {
				continue // what a plan may say, or what ends its configuration elsewhere
			}
			want, wantErr := planjson.DecodeConfig(text)
			if (err == nil) != (wantErr == nil) || err != nil && errors.Is(err, planjson.ErrKind) != errors.Is(wantErr, planjson.ErrKind) {
				t.Fatalf("%.3000s\n in a plan: %v\n alone:     %v", text, err, wantErr)
			}
			if err != nil {
				refused++
				continue
			}
			taken++
			if !planjson.Equal(plan.Config(), want) {
				t.Errorf("%.3000s\n the configuration differs", text)
			}
		}
	}
	if refused < 100 || taken < 100 {
		t.Errorf("%d refused, %d taken", refused, taken)
	}
}

// mutant returns a copy of v in which about one value is another one.
func mutant(rnd *rand.Rand, v any, values []any) any {
	if rnd.IntN(60) == 0 {
		return values[rnd.IntN(len(values))]
	}
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			m[name] = mutant(rnd, v[name], values)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = mutant(rnd, v[i], values)
		}
		return list
	}
	return v
}
