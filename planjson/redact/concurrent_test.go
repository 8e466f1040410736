// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"os"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/agreement"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// TestConcurrentUse checks that several goroutines get the same from the same Redactor.
func TestConcurrentUse(t *testing.T) {
	text, err := os.ReadFile("../testdata/tofu-1.12.6/actions/plan.change.json")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := planjson.DecodePlan(text)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := planjson.Encode(plan); err != nil {
		t.Fatal(err)
	}
	r := &redact.Redactor{Secrets: []string{"roster"}}
	use := func() string {
		plan, err := planjson.DecodePlan(text)
		if err != nil {
			t.Error(err)
			return ""
		}
		if _, err := r.Plan(plan); err != nil {
			t.Error(err)
		}
		out, err := planjson.Encode(plan)
		if err != nil {
			t.Error(err)
		}
		var b strings.Builder
		if _, err := r.WritePlan(&b, strings.NewReader(string(text))); err != nil {
			t.Error(err)
		}
		return string(out) + b.String()
	}
	agreement.Concurrently(t, use)
}
