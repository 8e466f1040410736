// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// TestTextAsTofu_nested compares the text with what OpenTofu 1.12.6 prints for a document
// with a plan and schemas, written by hand: attributes with nested types, blocks with
// nothing in them, and the order of elements.
func TestTextAsTofu_nested(t *testing.T) {
	doc, err := os.ReadFile("testdata/shown/nested/plan.json")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/shown/nested/show.txt")
	if err != nil {
		t.Fatal(err)
	}
	p, err := planjson.DecodeRendererPlan(doc)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	d := plandiff.Plan(&planjson.Plan{ResourceChanges: p.ResourceChanges}, plandiff.Options{Schemas: &planjson.Schemas{ProviderSchemas: p.ProviderSchemas}})
	if err := d.WriteText(&b, plandiff.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	got := strings.TrimPrefix(b.String(), "The following actions are planned:\n\n")
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Error(diff)
	}
}
