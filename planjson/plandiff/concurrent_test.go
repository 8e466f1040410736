// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff_test

import (
	"os"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/agreement"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// TestConcurrentUse checks that several goroutines get the same from the same plan and difference.
func TestConcurrentUse(t *testing.T) {
	text, err := os.ReadFile("../testdata/tofu-1.12.6/actions/plan.change.json")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := planjson.DecodePlan(text)
	if err != nil {
		t.Fatal(err)
	}
	diff := plandiff.Plan(plan, plandiff.Options{})
	use := func() string {
		var b strings.Builder
		for _, d := range []*plandiff.Diff{diff, plandiff.Plan(plan, plandiff.Options{})} {
			for _, err := range []error{d.WriteText(&b, plandiff.TextOptions{}), d.WriteMarkdown(&b, plandiff.MarkdownOptions{}), d.WriteHTML(&b, plandiff.TextOptions{})} {
				if err != nil {
					t.Error(err)
				}
			}
		}
		return b.String()
	}
	agreement.Concurrently(t, use)
}
