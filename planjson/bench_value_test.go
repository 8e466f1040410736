// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
)

// BenchmarkCursor visits every scalar of every object of the recorded plans.
func BenchmarkCursor(b *testing.B) {
	var values []planjson.Value
	size := 0
	for _, r := range recordings(b, "plan") {
		plan, err := planjson.DecodePlan(r.text)
		if err != nil {
			b.Fatal(err)
		}
		for _, c := range plan.AllChanges() {
			values = append(values, c.Change.After)
			size += len(c.Change.After)
		}
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		for _, v := range values {
			for c := v.Cursor(); c.Next(); {
				n += len(c.Value())
			}
		}
	}
	if n == 0 {
		b.Fatal("nothing was visited")
	}
}

// BenchmarkGet looks at two members of every object of the recorded plans.
func BenchmarkGet(b *testing.B) {
	var plans []*planjson.Plan
	for _, r := range recordings(b, "plan") {
		plan, err := planjson.DecodePlan(r.text)
		if err != nil {
			b.Fatal(err)
		}
		plans = append(plans, plan)
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		for _, plan := range plans {
			for _, rc := range plan.ResourceChanges {
				n += len(rc.Change.After.Get("id")) + len(rc.Change.After.Get("settings", "limits"))
			}
		}
	}
	if n == 0 {
		b.Fatal("nothing was found")
	}
}
