// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package agreement tests that a value is safe for concurrent use.
package agreement

import (
	"sync"
	"testing"
)

// Concurrently calls use in eight goroutines at once. It fails the test unless all
// calls return the same text, which must not be empty. The race detector finds more.
func Concurrently(t testing.TB, use func() string) {
	t.Helper()
	results := make([]string, 8)
	var group sync.WaitGroup
	for i := range results {
		group.Go(func() { results[i] = use() })
	}
	group.Wait()
	for _, r := range results {
		if r == "" || r != results[0] {
			t.Fatalf("two results, or an empty one:\n%s\n%s", r, results[0])
		}
	}
}
