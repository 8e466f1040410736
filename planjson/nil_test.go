// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"errors"
	"io"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
)

// TestNilDocuments hands to each function the nil that a plan without prior
// state, or a command without result, has for a document.
func TestNilDocuments(t *testing.T) {
	plan, err := planjson.DecodePlan([]byte(`{"format_version":"1.2"}`))
	if err != nil {
		t.Fatal(err)
	}
	if plan.PriorState != nil {
		t.Fatal("there is a prior state")
	}
	nilDocument[*planjson.Plan](t)
	nilDocument[*planjson.State](t)
	nilDocument[*planjson.Config](t)
	nilDocument[*planjson.Schemas](t)
	nilDocument[*planjson.Functions](t)
	nilDocument[*planjson.Validate](t)
	nilDocument[*planjson.Version](t)
	nilDocument[*planjson.Outputs](t)
	nilDocument[*planjson.Modules](t)
	nilDocument[*planjson.StateShow](t)
	nilDocument[*planjson.Workspaces](t)
	nilDocument[*planjson.RendererPlan](t)
	nilDocument[*planjson.RendererState](t)

	x := planjson.NewPlanIndex(nil)
	if x.Change("a.b") != nil || x.Drift("a.b") != nil || x.Planned("a.b") != nil {
		t.Error("something is found in no plan")
	}
	if (*planjson.Schemas)(nil).Resource("p", "managed", "t") != nil {
		t.Error("no schemas have a schema")
	}
}

func nilDocument[D planjson.Document](t *testing.T) {
	t.Helper()
	var doc D
	_, encoded := planjson.Encode(doc)
	_, canonical := planjson.Canonical(doc)
	version := planjson.CheckVersion(doc)
	for i, err := range []error{encoded, canonical, planjson.Write(io.Discard, doc), version} {
		var own *planjson.Error
		if !errors.As(err, &own) || !errors.Is(err, planjson.ErrAbsent) {
			t.Errorf("%T: error %d is %v", doc, i, err)
		}
	}
	for name := range planjson.Extras(doc) {
		t.Errorf("%T has %s", doc, name)
	}
	for d := range planjson.Duplicates(doc) {
		t.Errorf("%T has %v", doc, d)
	}
	if _, _, ok := planjson.Position(doc); ok {
		t.Errorf("%T has a place", doc)
	}
}
