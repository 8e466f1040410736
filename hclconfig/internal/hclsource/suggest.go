// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclsource

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// MaxSuggested is how many names there may be for one of them to be suggested: there may be
// as many faults.
const MaxSuggested = 1000

// DidYouMean returns a sentence with the first other of names that is close to name,
// or "".
func DidYouMean(name string, names []string) string {
	if len(names) > MaxSuggested {
		return ""
	}
	for _, n := range names {
		if n != name && hcllang.EditDistance(name, n) < 3 {
			return fmt.Sprintf(" Did you mean %q?", n)
		}
	}
	return ""
}

// DidYouMeanKey is didYouMean for the keys of m, in alphabetical order.
func DidYouMeanKey[V any](name string, m map[string]V) string {
	if len(m) > MaxSuggested {
		return ""
	}
	return DidYouMean(name, slices.Sorted(maps.Keys(m)))
}
