// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff_test

import (
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// TestNilDocuments compares with nil, which means no plan or no state.
func TestNilDocuments(t *testing.T) {
	o := plandiff.Options{}
	if d := plandiff.Plan(nil, o); len(d.Resources)+len(d.Drift)+len(d.Outputs)+len(d.Deferred)+len(d.Invocations) > 0 {
		t.Errorf("no plan changes %v", d)
	}
	full := &planjson.Plan{ResourceChanges: []*planjson.ResourceChange{{Address: "a.b", Mode: "managed", Change: planjson.Change{
		Actions: planjson.Actions{planjson.ActionCreate}, After: planjson.Value(`{"x":1}`)}}}}
	for name, c := range map[string]*plandiff.Comparison{
		"first": plandiff.ComparePlans(nil, full, o), "second": plandiff.ComparePlans(full, nil, o),
		"state": plandiff.ComparePlanWithState(full, nil, o),
	} {
		if c.IsEmpty() {
			t.Errorf("%s: a plan is like none", name)
		}
	}
	if !plandiff.ComparePlans(nil, nil, o).IsEmpty() || !plandiff.ComparePlanWithState(nil, nil, o).IsEmpty() || !plandiff.CompareStates(nil, nil, o).IsEmpty() {
		t.Error("nothing differs from nothing")
	}
}
