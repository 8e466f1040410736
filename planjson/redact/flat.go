// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"maps"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/planjson"
)

// flatMarks returns the marks that a schema gives to attributes from before Terraform 0.12,
// of which each has the names on the way to it for a name, joined by dots.
func flatMarks(flat map[string]string, s *shape) planjson.Value {
	marks := []byte{'{'}
	for _, name := range slices.Sorted(maps.Keys(flat)) {
		if isFlatSecret(s, name) {
			if len(marks) > 1 {
				marks = append(marks, ',')
			}
			marks = append(append(marks, planjson.Literal(name)...), ":true"...)
		}
	}
	return append(marks, '}')
}

// isFlatSecret reports whether a name leads to something sensitive, or may do so.
func isFlatSecret(s *shape, name string) bool {
	for step := range strings.SplitSeq(name, ".") {
		hides := s.Hides()
		switch {
		case s.IsSecret():
			return true
		case step == "#" || step == "%": // how many there are
			return false
		case s.IsObject():
			s = s.Member([]byte(step))
		default:
			s = s.Each()
		}
		if s == nil {
			return hides && strings.Contains(name, ".")
		}
	}
	return s.Hides()
}
