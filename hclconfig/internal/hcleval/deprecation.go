// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcleval

import (
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// A Deprecation marks a value that a schema calls deprecated.
type Deprecation struct{ By, Message string }

// WithoutDeprecations returns v without the marks of what is deprecated, and these marks,
// each once.
func WithoutDeprecations(v cty.Value) (cty.Value, []Deprecation) {
	if !v.ContainsMarked() {
		return v, nil
	}
	var found []Deprecation
	plain, paths := v.UnmarkDeepWithPaths()
	for _, p := range paths {
		for m := range p.Marks {
			if d, ok := m.(Deprecation); ok {
				found = append(found, d)
				delete(p.Marks, m)
			}
		}
	}
	if len(found) == 0 {
		return v, nil
	}
	slices.SortFunc(found, func(a, b Deprecation) int { return strings.Compare(a.By, b.By) })
	return plain.MarkWithPaths(paths), slices.Compact(found)
}
