// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph_test

import (
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plangraph"
)

// TestConcurrentUse has several goroutines do the same with the same plan and graph. All must
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
	graph, instances := plangraph.New(plan.Config()), plangraph.NewInstances(plan, plangraph.InstanceOptions{})
	use := func() string {
		var b strings.Builder
		if err := graph.WriteDOT(&b, plangraph.Options{}); err != nil {
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
