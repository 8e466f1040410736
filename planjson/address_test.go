// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
)

// Keys that are not known yet, and those that Terraform up to 1.2 wrote as Go
// strings, with the index next to them.
func TestAddrOfOddKeys(t *testing.T) {
	for _, tt := range []struct {
		address, index string
		want           addrs.InstanceKey
	}{
		{`a.b[*]`, ``, addrs.WildcardKey()},
		{`module.m[*].a.b[*]`, ``, addrs.WildcardKey()},
		{`a.b["${x}"]`, `"${x}"`, addrs.StringKey("${x}")},         // up to 1.2
		{`a.b["$${x}"]`, `"${x}"`, addrs.StringKey("${x}")},        // since 1.3
		{`a.b["$${x}"]`, `"$${x}"`, addrs.StringKey("$${x}")},      // up to 1.2
		{`a.b["$$${x}"]`, `"$${x}"`, addrs.StringKey("$${x}")},     // since 1.3
		{`a.b["%%{if}"]`, `"%%{if}"`, addrs.StringKey("%%{if}")},   // up to 1.2
		{`a.b["%%{if}"]`, `"%{if}"`, addrs.StringKey("%{if}")},     // since 1.3
		{`a.b["\x01${"]`, `"\u0001${"`, addrs.StringKey("\x01${")}, // up to 1.2
		{`a.b["$${x}"]`, `"other"`, addrs.StringKey("${x}")},       // the address counts
		{`a.b["$${x}"]`, ``, addrs.StringKey("${x}")},
	} {
		rc := &planjson.ResourceChange{Address: tt.address, Index: planjson.Value(tt.index), IndexUnknown: tt.want == addrs.WildcardKey()}
		r := &planjson.Resource{Address: tt.address, Index: rc.Index}
		if tt.index == "" {
			rc.Index, r.Index = nil, nil
		}
		a, err := rc.Addr()
		if err != nil || a.Key() != tt.want || a.Resource().String() != "a.b" {
			t.Errorf("change at %s, %s: %v, %v, want the key %v", tt.address, tt.index, a, err, tt.want)
		}
		if b, err := r.Addr(); err != nil || b != a {
			t.Errorf("resource at %s, %s: %v, %v", tt.address, tt.index, b, err)
		}
		if k, err := rc.IndexKey(); err != nil || tt.want == addrs.WildcardKey() && k != tt.want {
			t.Errorf("%s: index %v, %v", tt.address, k, err)
		}
	}
}

// Terraform 1.0 wrote no index of what has drifted.
func TestKeyWithoutIndex(t *testing.T) {
	for address, want := range map[string]addrs.InstanceKey{
		`a.b["k"]`:             addrs.StringKey("k"),
		`module.m["x"].a.b[2]`: addrs.IntKey(2),
		`module.m["x"].a.b`:    addrs.NoKey,
	} {
		if key, err := (&planjson.ResourceChange{Address: address}).IndexKey(); err != nil || key != want {
			t.Errorf("%s: %v, %v, want %v", address, key, err, want)
		}
	}
	if _, err := (&planjson.ResourceChange{Address: "a]"}).IndexKey(); err == nil {
		t.Error("no error for a text that is not an address")
	}
}

// TestReleaseAddresses checks that the address of everything in every document
// of every release parses, and that it agrees with the members next to it.
func TestReleaseAddresses(t *testing.T) {
	n, wild := 0, 0
	for _, r := range releaseDocuments(t) {
		var plan *planjson.Plan
		var values []*planjson.Values
		switch r.kind {
		case "plan":
			p, err := planjson.DecodePlan(r.text)
			if err != nil {
				t.Fatal(err)
			}
			plan = p
			values = append(values, &p.PlannedValues)
			if p.PriorState != nil {
				values = append(values, p.PriorState.Values)
			}
		case "state":
			s, err := planjson.DecodeState(r.text)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, s.Values)
		case "renderer":
			p, err := planjson.DecodeRendererPlan(r.text)
			if err != nil {
				t.Fatal(err)
			}
			plan = &planjson.Plan{ResourceChanges: p.ResourceChanges, ResourceDrift: p.ResourceDrift, DeferredChanges: p.DeferredChanges}
		default:
			continue
		}
		for _, v := range values {
			for m := range v.AllModules() {
				if _, err := addrs.ParseModuleInstance(m.Address); err != nil {
					t.Errorf("%s: %v", r.name, err)
				}
			}
			for x := range v.AllResources() {
				n++
				a, err := x.Addr()
				key, err2 := x.IndexKey()
				if err != nil || err2 != nil || a.Key() != key || a.Resource().Type() != x.Type || a.Resource().Name() != x.Name || a.Resource().Mode() != x.Mode {
					t.Errorf("%s: %s: %v, %v, %v", r.name, x.Address, a, err, err2)
				}
			}
		}
		if plan == nil {
			continue
		}
		changes := append(plan.ResourceChanges[:len(plan.ResourceChanges):len(plan.ResourceChanges)], plan.ResourceDrift...)
		for _, d := range plan.DeferredChanges {
			changes = append(changes, &d.ResourceChange)
		}
		for _, rc := range changes {
			if rc.Address == "" && strings.HasPrefix(r.name, "terraform-0.15") {
				continue // which did not write it in drift
			}
			n++
			a, err := rc.Addr()
			m, err2 := addrs.ParseModuleInstance(rc.ModuleAddress)
			key, err3 := rc.IndexKey()
			if err != nil || err2 != nil || err3 != nil ||
				a.Module() != m || a.Key() != key || a.Resource().Type() != rc.Type || a.Resource().Name() != rc.Name || a.Resource().Mode() != rc.Mode {
				t.Errorf("%s: %s: %v, %v", r.name, rc.Address, a, fmt.Sprint(err, err2, err3))
			}
			if a.IsPlaceholder() {
				wild++
				if planjson.NewPlanIndex(plan).Config().OfInstance(rc.Address) == nil {
					t.Errorf("%s: no block of %s", r.name, rc.Address)
				}
			}
		}
		for _, c := range plan.Checks {
			if _, err := addrs.ParseCheckable(c.Address.Kind, c.Address.ToDisplay); err != nil {
				t.Errorf("%s: %v", r.name, err)
			}
		}
	}
	if n < 10000 || wild == 0 {
		t.Errorf("only %d addresses, %d placeholders", n, wild)
	}
}

// Terraform 0.12 printed the resources of a state with their addresses inside the
// module and without keys.
func TestAddressesOfOldStates(t *testing.T) {
	const values = `{"root_module":{
		"resources":[
			{"address":"a.b","mode":"managed","type":"a","name":"b","index":0,"values":{"id":"root 0"}},
			{"address":"a.b","mode":"managed","type":"a","name":"b","index":"k.1","values":{"id":"root k"}}],
		"child_modules":[{
			"resources":[
				{"address":"a.b","mode":"managed","type":"a","name":"b","index":null,"values":{"id":"m"}},
				{"address":"module.m.a.c[\"x]\"]","mode":"managed","type":"a","name":"c","index":"x]","values":{"id":"whole"}}],
			"address":"module.m",
			"child_modules":[{"resources":[{"address":"data.a.b","mode":"data","type":"a","name":"b","index":3,"values":{"id":"n"}}],"address":"module.m.module.n"}]}]}}`
	want := map[string]string{
		`a.b[0]`:                        "root 0",
		`a.b["k.1"]`:                    "root k",
		`module.m.a.b`:                  "m",
		`module.m.a.c["x]"]`:            "whole",
		`module.m.module.n.data.a.b[3]`: "n",
	}
	text := `{"format_version":"0.1","terraform_version":"0.12.31","values":` + values + `}`
	s, err := planjson.DecodeState([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := planjson.DecodePlan([]byte(`{"format_version":"0.1","terraform_version":"0.12.31","prior_state":` + text + `}`))
	if err != nil {
		t.Fatal(err)
	}
	y := planjson.NewPlanIndex(p)
	for address, id := range want {
		values, _ := y.Values(address)
		if got, _ := values.Get("id").Text(); got != id {
			t.Errorf("plan: %s is %q, want %q", address, got, id)
		}
	}
	n := 0
	for m := range s.Values.AllModules() {
		for _, r := range m.Resources {
			n++
			id, _ := r.Values.Get("id").Text()
			a, err := r.Addr()
			if key, _ := r.IndexKey(); err != nil || !r.Index.IsNull() && a.Key() != key {
				t.Errorf("%s: Addr is %v, %v", id, a, err)
			}
		}
	}
	if n != len(want) {
		t.Errorf("%d resources, want %d", n, len(want))
	}
	if out, err := planjson.Encode(s); err != nil || string(out) != text {
		t.Errorf("not lossless: %v", err)
	}
}
