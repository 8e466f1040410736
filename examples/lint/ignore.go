// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// ignored reports whether a comment turns a finding off: a comment of one of the
// blocks around it, or of its argument.
func ignored(m *hclconfig.Module, f finding) bool {
	for _, file := range m.Files {
		if file.Filename() == f.at.Filename {
			return ignoredIn(file.Body(), f)
		}
	}
	return false
}

func ignoredIn(b *hclconfig.Body, f finding) bool {
	for i := range b.Arguments {
		a := &b.Arguments[i]
		if holds(a.Range().Start.Offset, a.Range().End.Offset, f) && says(hcledit.CommentsOf(a), f.rule) {
			return true
		}
	}
	for i := range b.Blocks {
		n := &b.Blocks[i]
		if !holds(n.Range().Start.Offset, n.Range().End.Offset, f) {
			continue
		}
		if says(hcledit.CommentsOf(n), f.rule) || ignoredIn(&n.Body, f) {
			return true
		}
	}
	return false
}

func holds(start, end int64, f finding) bool {
	return start <= f.at.Start.Offset && f.at.Start.Offset < end
}

// says reports whether a comment names a rule.
func says(c hcledit.Comments, rule string) bool {
	for _, line := range append(slices.Clone(c.Above), c.Behind) {
		for word := range strings.FieldsSeq(line) {
			if names, ok := strings.CutPrefix(word, "lint:ignore="); ok && slices.Contains(strings.Split(names, ","), rule) {
				return true
			}
		}
	}
	return false
}
