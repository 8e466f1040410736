// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package textspan

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"
)

// TestDifference has texts of few characters, so that much of two is the same.
func TestDifference(t *testing.T) {
	pieces := []string{"a", "b", "\n", "\r\n", "é", "è", "😀", "😁"}
	r := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		out := ""
		for range r.IntN(6) {
			out += pieces[r.IntN(len(pieces))]
		}
		return out
	}
	for range 20_000 {
		before, after := text(), text()
		start, end, with := Difference([]byte(before), []byte(after))
		if got := before[:start] + string(with) + before[end:]; got != after {
			t.Fatalf("%q to %q: %d to %d is %q, which makes %q", before, after, start, end, with, got)
		}
		if !utf8.ValidString(before[:start]) || !utf8.ValidString(before[start:end]) || !utf8.Valid(with) {
			t.Fatalf("%q to %q: %d to %d is %q, which cuts a character", before, after, start, end, with)
		}
		if before == after && (start != end || len(with) > 0) {
			t.Fatalf("%q: %d to %d is %q", before, start, end, with)
		}
	}
}
