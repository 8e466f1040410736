// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package edit

import (
	"regexp"
	"strings"
	"testing"
)

// TestUsage checks that the usage has a line for each verb, and for no other.
func TestUsage(t *testing.T) {
	_, list, _ := strings.Cut(text.About, "\nA step is VERB ")
	said := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z]+) [A-Z\[]`).FindAllStringSubmatch(list, -1) {
		said[m[1]] = true
		if _, ok := arity[m[1]]; !ok {
			t.Errorf("there is no verb %s", m[1])
		}
	}
	for verb := range arity {
		if !said[verb] {
			t.Errorf("the usage does not list %s", verb)
		}
	}
}
