// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package agreement_test

import (
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/agreement"
)

// recorder is a test that only remembers that it failed.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Fatalf(string, ...any) { r.failed = true }

func TestConcurrently(t *testing.T) {
	var calls atomic.Int64
	for _, c := range []struct {
		name string
		use  func() string
		fail bool
	}{
		{"the same", func() string { calls.Add(1); return "x" }, false},
		{"different", func() string { return strconv.FormatInt(calls.Add(1), 10) }, true},
		{"empty", func() string { return "" }, true},
	} {
		r := &recorder{TB: t}
		agreement.Concurrently(r, c.use)
		if r.failed != c.fail {
			t.Errorf("%s: failed is %v", c.name, r.failed)
		}
		if c.name == "the same" && calls.Load() != 8 {
			t.Errorf("%d calls, want 8", calls.Load())
		}
	}
}
