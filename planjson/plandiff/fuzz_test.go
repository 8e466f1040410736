// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff_test

import (
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/plantest"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// FuzzChange: no change makes it panic, and no difference has a value below a
// mark.
func FuzzChange(f *testing.F) {
	for _, r := range plantest.Recordings(f, "../testdata", "plan") {
		plan, err := planjson.DecodePlan(r.Text)
		if err != nil {
			f.Fatal(err)
		}
		for _, rc := range plan.ResourceChanges[:min(3, len(plan.ResourceChanges))] {
			f.Add([]byte(rc.Change.Before), []byte(rc.Change.After), []byte(rc.Change.AfterUnknown), []byte(rc.Change.BeforeSensitive), []byte(rc.Change.AfterSensitive))
		}
	}
	f.Add([]byte(`{"a":[1,2]}`), []byte(`{"a":[1,null]}`), []byte(`{"a":[false,true]}`), []byte(`{"a":[true]}`), []byte(`{"a":true}`))
	f.Fuzz(func(t *testing.T, before, after, unknown, bs, as []byte) {
		rc := &planjson.ResourceChange{Address: "a.b", Change: planjson.Change{Before: before, After: after, AfterUnknown: unknown, BeforeSensitive: bs, AfterSensitive: as}}
		d := plandiff.Change(rc, plandiff.Options{Unchanged: true})
		for a := range d.Object.All() {
			if a.Sensitive && (a.Before != nil || a.After != nil || a.Children != nil) {
				t.Errorf("%s is sensitive and has a value", a)
			}
		}
		if d.Text() == "" {
			t.Error("there is no text")
		}
	})
}
