// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbound_test

import (
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/hclbound"
)

func TestIsTypeTooDeep(t *testing.T) {
	for n, want := range map[int]bool{0: false, 50: false, 199: false, 201: true, 1000: true} {
		if got := hclbound.IsTypeTooDeep(parse(t, strings.Repeat("list(", n)+"string"+strings.Repeat(")", n))); got != want {
			t.Errorf("%d lists: %t", n, got)
		}
	}
	wide := parse(t, "object({"+strings.Repeat("a = list(string), ", 1000)+"})")
	if deep := parse(t, strings.Repeat("object({ a = optional(", 67)+"any"+strings.Repeat(") })", 67)); hclbound.IsTypeTooDeep(wide) || !hclbound.IsTypeTooDeep(deep) {
		t.Error("objects")
	}
}
