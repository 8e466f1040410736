// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/bounds"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plangraph"
)

// manyBlocks returns the instances of a plan with one resource whose blocks are each made of a reference.
func manyBlocks(t *testing.T, n int, value, config func(i int) string, open, close string) *plangraph.Instances {
	t.Helper()
	list := func(f func(i int) string) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(f(i))
		}
		return open + b.String() + close
	}
	p, err := planjson.DecodePlan([]byte(`{"format_version":"1.2","variables":{"v":{"value":1}},"resource_changes":[{"address":"a.b","mode":"managed","type":"a","name":"b",
"change":{"actions":["create"],"before":null,"after":{"link":` + list(value) + `},"after_unknown":{}}}],
"configuration":{"root_module":{"variables":{"v":{}},"resources":[{"address":"a.b","mode":"managed","type":"a","name":"b","expressions":{"link":` + list(config) + `}}]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	return plangraph.NewInstances(p, plangraph.InstancesOptions{})
}

// The places of the references of all blocks of a resource are found in proportion to how many there are.
func TestPlaces_manyBlocks(t *testing.T) {
	const reference = `{"references":["var.v"]}`
	for _, c := range []struct {
		name          string
		open, close   string
		value, config func(i int) string
		each          int // places of each
	}{
		{"labels", "{", "}", func(i int) string { return fmt.Sprintf(`"l%d":{"x":1}`, i) }, func(i int) string { return fmt.Sprintf(`"l%d":{"x":%s}`, i, reference) }, 1},
		{"lists below labels", "{", "}", func(i int) string { return fmt.Sprintf(`"l%d":{"s":[{"x":1}]}`, i) },
			func(i int) string { return fmt.Sprintf(`"l%d":{"s":[{"x":%s}]}`, i, reference) }, 1},
		{"a list", "[", "]", func(i int) string { return `{"x":1}` }, func(i int) string { return `{"x":` + reference + `}` }, 256},
	} {
		bounds.Growth(t, c.name, 500, 2, 2.3, func(n int) func() {
			x := manyBlocks(t, n, c.value, c.config, c.open, c.close)
			return func() {
				places := 0
				for l := range x.Needs(x.Instance("a.b"), "") {
					for range l.Places() {
						places++
					}
				}
				if places != n*c.each {
					t.Errorf("%s: %d places of %d", c.name, places, n)
				}
			}
		})
	}
}
