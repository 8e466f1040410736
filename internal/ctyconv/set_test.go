// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package ctyconv_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/ctyconv"
	"github.com/tofuwire/tofuwire/internal/testing/collision"
	"github.com/zclconf/go-cty/cty"
)

// A set whose elements have one hash is not known; equal elements are no such elements.
func TestSet(t *testing.T) {
	values := func(texts []string) []cty.Value {
		out := make([]cty.Value, len(texts))
		for i, text := range texts {
			out[i] = cty.StringVal(text)
		}
		return out
	}
	same := values(collision.Texts(1000))
	if same[0].Hash() != same[999].Hash() || same[0].RawEquals(same[999]) {
		t.Fatal("the texts do not collide")
	}
	for _, tt := range []struct {
		elements []cty.Value
		known    bool
	}{
		{same, false}, {same[:64], true}, {slices.Repeat(same[:2], 500), true}, {values(strings.Fields(strings.Repeat("a b c ", 500))), true},
	} {
		for _, v := range []cty.Value{cty.TupleVal(tt.elements), cty.ListVal(tt.elements)} {
			got, err := ctyconv.Convert(v, cty.Set(cty.String))
			if err != nil || got.IsKnown() != tt.known || tt.known && !got.RawEquals(cty.SetVal(tt.elements)) || !got.Type().Equals(cty.Set(cty.String)) {
				t.Errorf("%d elements, such as %#v: %#v, %v", len(tt.elements), tt.elements[0], got.Type(), err)
			}
		}
	}
}
