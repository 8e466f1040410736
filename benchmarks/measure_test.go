// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"flag"
	"testing"
)

// An impl is one implementation in a comparison: ours or a peer's. Its name
// becomes the last element of the benchmark's name, impl=NAME.
type impl struct {
	name string
	run  func() error
}

// sizes returns the sizes that a benchmark runs: all of them, or the first one
// if each benchmark runs once, as .ci/run has it.
func sizes(all ...string) []string {
	if f := flag.Lookup("test.benchtime"); f != nil && f.Value.String() == "1x" {
		return all[:1]
	}
	return all
}

// compare runs every implementation on the same input of bytes bytes, below
// the name size=SIZE/impl=NAME. Beside the usual figures it reports
// cpu-ns/op, the processor time of the whole process, which on a shared
// machine is steadier than the wall clock and does not hide work done by the
// garbage collector on another core.
func compare(b *testing.B, size string, bytes int64, impls ...impl) {
	b.Helper()
	for _, im := range impls {
		b.Run("size="+size+"/impl="+im.name, func(b *testing.B) {
			b.SetBytes(bytes)
			b.ReportAllocs()
			start := cpuTime()
			for b.Loop() {
				if err := im.run(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(cpuTime()-start)/float64(b.N), "cpu-ns/op")
		})
	}
}
