// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package bounds

import "testing"

// failures counts what a check says, in place of a test that it would fail.
type failures struct {
	testing.TB
	n int
}

func (f *failures) Helper()      {}
func (f *failures) Error(...any) { f.n++ }

var kept [][]byte

// TestGrowth: work in proportion is let through with what another goroutine adds now and then, and the square is not.
func TestGrowth(t *testing.T) {
	allocate := func(pieces, size int) func() {
		return func() {
			kept = kept[:0]
			for range pieces {
				kept = append(kept, make([]byte, size))
			}
		}
	}
	runs := 0
	for name, c := range map[string]struct {
		prepare func(n int) func()
		fails   bool
	}{
		"nothing":            {func(n int) func() { return func() {} }, false},
		"proportion":         {func(n int) func() { return allocate(n, 100) }, false},
		"square of bytes":    {func(n int) func() { return allocate(10, n*n/10) }, true},
		"square of pieces":   {func(n int) func() { return allocate(n*n/100, 8) }, true},
		"nothing, and noise": {func(n int) func() { return allocate(n/200, 20) }, false},
		"noise once": {func(n int) func() {
			if runs++; runs == 2 {
				return allocate(100*n, 100)
			}
			return allocate(n, 100)
		}, false},
	} {
		var f failures
		Growth(&f, name, 1000, 2, 2.2, c.prepare)
		if (f.n > 0) != c.fails {
			t.Errorf("%s: %d failures", name, f.n)
		}
	}
	for size, fails := range map[int]int{100_000: 0, 200_000: 1} {
		var f failures
		AtMost(&f, "", 150_000, allocate(1, size))
		if f.n != fails {
			t.Errorf("%d bytes: %d failures", size, f.n)
		}
	}
}
