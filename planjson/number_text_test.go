// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"math/rand/v2"
	"regexp"
	"testing"
)

// TestNumberText compares strings that look like numbers with the expression for those that
// the tools read.
func TestNumberText(t *testing.T) {
	numbers := regexp.MustCompile(`^[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eEpP][+-]?[0-9]+)?|[iI]nf)$`)
	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{"+", "-", "0", "12", ".", "e", "E", "p", "P", "inf", "Inf", "nf", " ", "x", "é"}
	is := 0
	for range 100_000 {
		text := ""
		for range r.IntN(6) {
			text += parts[r.IntN(len(parts))]
		}
		want := numbers.MatchString(text)
		if want {
			is++
		}
		if got := isNumberText(text); got != want {
			t.Fatalf("%q: %v", text, got)
		}
	}
	if is < 1000 {
		t.Errorf("only %d are numbers", is)
	}
}
