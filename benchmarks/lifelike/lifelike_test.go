// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lifelike

import (
	"bytes"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/uijson"
)

// TestDocuments checks that the documents are what the benchmarks say: always
// the same, without extra members, and read by the peer as well.
func TestDocuments(t *testing.T) {
	for _, n := range []int{5_000, 50_000, 500_000} {
		text := Plan(n, false)
		if !bytes.Equal(text, Plan(n, false)) {
			t.Error("another plan the second time")
		}
		for _, text := range [][]byte{text, Plan(n, true)} {
			p, err := planjson.DecodePlan(text)
			if err != nil {
				t.Fatal(err)
			}
			for pointer := range planjson.Extras(p) {
				t.Error("an extra member", pointer)
			}
			for _, rc := range p.ResourceChanges {
				if _, err := rc.Addr(); err != nil {
					t.Error(err)
				}
			}
			for m := range p.PlannedValues.AllModules() {
				if _, err := addrs.ParseModuleInstance(m.Address); err != nil {
					t.Error(err)
				}
			}
			if err := new(tfjson.Plan).UnmarshalJSON(text); err != nil {
				t.Error(err)
			}
		}
		state, err := planjson.DecodeState(State(n, false))
		if err != nil {
			t.Fatal(err)
		}
		for pointer := range planjson.Extras(state) {
			t.Error("an extra member", pointer)
		}
		for ev, err := range uijson.NewReader(bytes.NewReader(Stream(n))).Events() {
			if err != nil || ev.Kind != uijson.EventMessage {
				t.Fatal(err, ev)
			}
			for name := range ev.Message.Extras() {
				t.Error("an extra member", name)
			}
		}
	}
}

// TestSizes checks that documents have the size that is asked for.
func TestSizes(t *testing.T) {
	for _, n := range []int{5_000, 10_000, 20_000, 50_000, 500_000} {
		for kind, document := range map[string]func(int, bool) []byte{"plan": Plan, "state": State} {
			if got := len(document(n, false)); got < n-n*15/100 || got > n+n*15/100 {
				t.Errorf("a %s of %d bytes has %d", kind, n, got)
			}
		}
	}
	if _, err := planjson.DecodePlan(Plan(1, false)); err != nil { // too few for a resource
		t.Error(err)
	}
}

// TestSmall checks that a small plan has a bit of everything that life has.
func TestSmall(t *testing.T) {
	text := Plan(5_000, false)
	p, err := planjson.DecodePlan(text)
	if err != nil {
		t.Fatal(err)
	}
	config, err := planjson.Encode(p.Config())
	if err != nil {
		t.Fatal(err)
	}
	if part := 100 * len(config) / len(text); part < 10 || part > 40 {
		t.Errorf("a configuration of %d %% of the text", part)
	}
	if len(p.ResourceChanges) < 2 || len(p.Config().RootModule.Resources) == 0 || len(p.Config().RootModule.ModuleCalls) == 0 {
		t.Errorf("%d changes, %d blocks and %d module calls", len(p.ResourceChanges), len(p.Config().RootModule.Resources), len(p.Config().RootModule.ModuleCalls))
	}
	change := p.ResourceChanges[0].Change
	differ := 0
	for name, before := range change.Before.Members() {
		if !bytes.Equal(before, change.After.Member(name)) {
			differ++
		}
	}
	if differ != 1 {
		t.Errorf("%d attributes differ", differ)
	}
}
