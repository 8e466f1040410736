// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph_test

import (
	"os"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/agreement"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plangraph"
)

// TestConcurrentUse checks that several goroutines get the same from the same plan and graph.
func TestConcurrentUse(t *testing.T) {
	text, err := os.ReadFile("../testdata/tofu-1.12.6/actions/plan.change.json")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := planjson.DecodePlan(text)
	if err != nil {
		t.Fatal(err)
	}
	graph, instances := plangraph.New(plan.Config()), plangraph.NewInstances(plan, plangraph.InstancesOptions{})
	use := func() string {
		var b strings.Builder
		if err := graph.WriteDOT(&b, plangraph.GraphOptions{}); err != nil {
			t.Error(err)
		}
		for n := range graph.All() {
			for e := range graph.Feeds(n.Address, "") {
				b.WriteString(e.Reference + "\n")
			}
		}
		for _, op := range instances.Operations() {
			b.WriteString(op.Address + "\n")
		}
		for n := range plangraph.New(plan.Config()).All() {
			b.WriteString(n.Address + "\n")
		}
		return b.String()
	}
	agreement.Concurrently(t, use)
}
