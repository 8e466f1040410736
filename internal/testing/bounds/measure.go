// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package bounds

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"testing"
)

// A Cost is what a function allocates.
type Cost struct{ Bytes, Mallocs uint64 }

// noise is what the runtime and goroutines that other tests left may allocate while a function is measured.
var noise = Cost{Bytes: 16 << 10, Mallocs: 100}

// Of measures f, on one processor, because pools have a part for each, and with few collections, because those empty pools. What
// else the process does meanwhile is counted too: a verdict about the result belongs into [Check].
func Of(f func()) Cost {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return Cost{after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs}
}

// Heap returns how many bytes are alive. Several collections empty the pools as well.
func Heap() int {
	for range 3 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// Check fails the test if three measurements in a row find a problem: what happens to be done meanwhile is in one of them, and
// what the function itself costs is in each.
func Check(t testing.TB, measure func() (problem string)) {
	t.Helper()
	var problem string
	for range 3 {
		if problem = measure(); problem == "" {
			return
		}
	}
	t.Error(problem)
}

// AtMost fails the test if f allocates more than so many bytes.
func AtMost(t testing.TB, what string, bytes int, f func()) {
	t.Helper()
	Check(t, func() string {
		if got := Of(f).Bytes; got > uint64(bytes)+noise.Bytes {
			return fmt.Sprintf("%s: %d bytes are allocated, more than %d", what, got, bytes)
		}
		return ""
	})
}

// Growth fails the test if what prepare returns for the size times*n allocates more than limit times as much as for n, in bytes or
// in allocations, and not only by a constant.
func Growth(t testing.TB, what string, n, times int, limit float64, prepare func(n int) (measured func())) {
	t.Helper()
	Check(t, func() string {
		small, large := Of(prepare(n)), Of(prepare(times*n))
		if !large.Within(small, limit) {
			return fmt.Sprintf("%s: %d bytes in %d allocations for a size of %d, %d in %d for %d: more than %v times as much",
				what, small.Bytes, small.Mallocs, n, large.Bytes, large.Mallocs, times*n, limit)
		}
		return ""
	})
}

// Within reports whether c is at most limit times small, in bytes and in allocations, but for a constant.
func (c Cost) Within(small Cost, limit float64) bool {
	return float64(c.Bytes) <= limit*float64(small.Bytes)+float64(noise.Bytes) && float64(c.Mallocs) <= limit*float64(small.Mallocs)+float64(noise.Mallocs)
}
