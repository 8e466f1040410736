// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import "github.com/tofuwire/tofuwire/internal/plantext"

// Known returns a part of the object after the change. It reports false if there
// is no such part, or if any of it is known only after the apply. The path is as
// for [Value.Get].
func (c *Change) Known(path ...any) (Value, bool) {
	if c == nil || c.IsUnknown(path...) {
		return nil, false
	}
	v := c.After.Get(path...)
	return v, v != nil
}

// IsUnknown reports whether a part of the object after the change, or anything in
// it, is known only after the apply. A mark above the part counts, such as that
// of a list that is wholly unknown. The path is as for [Value.Get].
func (c *Change) IsUnknown(path ...any) bool {
	return c != nil && marked(c.AfterUnknown, path)
}

// IsSensitive reports whether a part of the object, or anything in it, is marked
// as sensitive before or after the change; the tools hide both then. A mark above
// the part counts. The path is as for [Value.Get].
//
// The element of a set has no path: ask for the set.
func (c *Change) IsSensitive(path ...any) bool {
	return c != nil && (marked(c.BeforeSensitive, path) || marked(c.AfterSensitive, path))
}

// marked reports whether marks have a true above, at or below a place.
func marked(marks Value, path []any) bool {
	for _, step := range path {
		if b, ok := marks.Bool(); ok {
			return b
		}
		if marks = marks.Get(step); marks == nil {
			return false
		}
	}
	return plantext.HasTrue(marks)
}
