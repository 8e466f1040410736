// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff_test

import (
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/plantest"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// TestWhiteSpaceAndOrder shows recordings in other layouts and orders, and requires the text that the
// recording as it is gives.
func TestWhiteSpaceAndOrder(t *testing.T) {
	shown := func(text []byte) string {
		plan, err := planjson.DecodePlan(text)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := plandiff.Plan(plan, plandiff.Options{}).WriteText(&b, plandiff.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for _, rec := range plantest.Recordings(t, "../testdata", "plan") {
		want := shown(rec.Text)
		for name, text := range plantest.Layouts(rec.Text) {
			if got := shown(text); got != want {
				t.Errorf("%s, %s:\n%s\ninstead of\n%s", rec.Name, name, got, want)
			}
		}
		for name, text := range plantest.Orders(rec.Text) {
			if got := shown(text); got != want {
				t.Errorf("%s, %s:\n%s\ninstead of\n%s", rec.Name, name, got, want)
			}
		}
	}
}
