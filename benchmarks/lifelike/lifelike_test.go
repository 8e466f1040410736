// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lifelike

import (
	"bytes"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/uijson"
)

// TestDocuments checks that the documents are what the benchmarks say: of the
// size, always the same, without extra members, and read by the peer as well.
func TestDocuments(t *testing.T) {
	for _, n := range []int{5_000, 50_000, 500_000} {
		text := Plan(n, false)
		if len(text) < n || len(text) > 2*n && n > 5_000 {
			t.Errorf("a plan of %d bytes has %d", n, len(text))
		}
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
				if _, err := m.Addr(); err != nil {
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
