// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// TestConcurrentUse has several goroutines do the same with the same Redactor. All must
// get the same result; the race detector looks for more.
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
	results := make([]string, 8)
	var group sync.WaitGroup
	for i := range results {
		group.Go(func() { results[i] = use() })
	}
	group.Wait()
	for _, r := range results {
		if r != results[0] || r == "" {
			t.Fatalf("two results:\n%s\n%s", r, results[0])
		}
	}
}
