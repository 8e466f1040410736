// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package jsontree_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// An index finds what the functions without one find, at all levels.
func TestIndex(t *testing.T) {
	long := strings.Repeat(`x\"]}`, 300)
	for _, text := range []string{
		`[1, "a", {"b": [2, "]"]}, []]`, strings.Repeat("[", 3000) + `"` + long + `"` + strings.Repeat("]", 3000), strings.Repeat(`{"a\\": [`, 500) + strings.Repeat(`]}`, 500),
		`{"` + long + `": {"a": "` + long + `", "b": [` + strings.Repeat(`{"c": 1}, `, 300) + `2]}, "d": null}`, `{}`, `[ ]`,
	} {
		src := []byte(text)
		x := jsontree.NewIndex(src)
		at := []textspan.Span{textspan.Of(0, int32(len(src)))}
		for len(at) > 0 {
			s := at[0]
			at = at[1:]
			if got := x.End(int(s.Start)); got != int(s.End) || got != jsontree.End(src, int(s.Start)) {
				t.Fatalf("the value at %d of %.40q ends at %d, not %d", s.Start, text, got, s.End)
			}
			switch src[s.Start] {
			case '{':
				if !slices.Equal(slices.Collect(x.Members(s)), slices.Collect(jsontree.Members(src, s))) {
					t.Fatalf("members at %d of %.40q", s.Start, text)
				}
				for m := range x.Members(s) {
					at = append(at, m.Value)
				}
			case '[':
				if !slices.Equal(slices.Collect(x.Elements(s)), slices.Collect(jsontree.Elements(src, s))) {
					t.Fatalf("elements at %d of %.40q", s.Start, text)
				}
				at = slices.AppendSeq(at, x.Elements(s))
			}
		}
	}
}
