// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"runtime"
	"slices"
	"testing"

	"github.com/tofuwire/tofuwire/benchmarks/lifelike"
	"github.com/tofuwire/tofuwire/internal/testing/bounds"
	"github.com/tofuwire/tofuwire/planjson"
)

// TestKeptMemory checks what the page of planjson says of the memory that objects take
// besides the text. The heap is that of the whole process, where a pool or a timer can
// make or free something meanwhile, so each figure is the middle one of five.
func TestKeptMemory(t *testing.T) {
	kept := func(text []byte, decode func([]byte) (any, error)) float64 {
		var grown [5]int
		for i := range grown {
			before := bounds.Heap()
			doc, err := decode(text)
			if err != nil {
				t.Fatal(err)
			}
			grown[i] = bounds.Heap() - before
			runtime.KeepAlive(doc)
		}
		runtime.KeepAlive(text)
		slices.Sort(grown[:])
		return float64(grown[len(grown)/2]) / float64(len(text))
	}
	plan := func(text []byte) (any, error) { return planjson.DecodePlan(text) }
	whole := func(text []byte) (any, error) {
		p, err := planjson.DecodePlan(text)
		p.Config()
		return p, err
	}
	config := func(text []byte) (any, error) { return planjson.DecodeConfig(text) }
	if f := kept(lifelike.Plan(500_000, false), plan); f < 0.15 || f > 0.3 {
		t.Errorf("a plan takes %.2f times its length, not about a quarter", f)
	}
	if f := kept(lifelike.Plan(500_000, false), whole); f < 0.4 || f > 0.65 {
		t.Errorf("a plan and its configuration take %.2f times its length, not about half", f)
	}
	if f := kept(lifelike.Plan(500_000, true), plan); f < 0.1 || f > 0.2 {
		t.Errorf("an indented plan takes %.2f times its length, not about a seventh", f)
	}
	for _, n := range []int{5_000, 50_000, 500_000} {
		p, err := planjson.DecodePlan(lifelike.Plan(n, false))
		if err != nil {
			t.Fatal(err)
		}
		text, err := planjson.Encode(p.Config())
		if err != nil {
			t.Fatal(err)
		}
		if f := kept(text, config); f > 5 {
			t.Errorf("a configuration of %d bytes takes %.2f times its length, more than five", len(text), f)
		}
	}
}
