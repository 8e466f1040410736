// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package why

import (
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plangraph"
)

// public returns the part of a path down to a value that is sensitive as a whole.
// The keys of such a value are as secret as the value.
func public(i *plangraph.Instance, path string) string {
	steps, err := planjson.ParsePath(path)
	if err != nil {
		return path
	}
	marks := i.Sensitive
	for n, step := range steps {
		if all, ok := marks.Bool(); ok && all {
			text, err := planjson.ValueOf(steps[:n])
			if err != nil {
				return ""
			}
			return formatPath(text)
		}
		marks = marks.Get(step)
	}
	return path
}

// formatPath writes a path of a plan, an array of steps, as in an expression.
func formatPath(path planjson.Value) string {
	var b strings.Builder
	for i, step := range path.Elements() {
		name, ok := step.Text()
		switch {
		case ok && i == 0:
			b.WriteString(name)
		case ok && isName(name):
			b.WriteString("." + name)
		default:
			b.WriteString("[" + step.String() + "]")
		}
	}
	return b.String()
}

func isName(s string) bool {
	_, err := addrs.ParseReference("var." + s)
	return err == nil && !strings.ContainsAny(s, ".[")
}

// sensitive reports whether anything above, at or below a path is marked.
func sensitive(i *plangraph.Instance, steps []any) bool {
	marks := planjson.Change{AfterSensitive: i.Sensitive}
	return marks.IsSensitive(steps...) || i.Change.IsSensitive(steps...)
}
