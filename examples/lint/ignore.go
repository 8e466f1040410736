// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// An ignore is the range of an argument or block with a comment that turns rules off.
type ignore struct {
	start, end int64
	rules      []string
}

// ignores returns those of each file of a module, by its name.
func ignores(m *hclconfig.Module) map[string][]ignore {
	out := map[string][]ignore{}
	for _, f := range m.Files {
		if bytes.Contains(f.Bytes(), []byte("lint:ignore=")) {
			out[f.Filename()] = ignoresIn(nil, f.Body())
		}
	}
	return out
}

func ignoresIn(out []ignore, b *hclconfig.Body) []ignore {
	add := func(start, end int64, c hcledit.Comments) {
		if rules := ruled(c); len(rules) > 0 {
			out = append(out, ignore{start, end, rules})
		}
	}
	for i := range b.Arguments {
		a := &b.Arguments[i]
		add(a.Range().Start.Offset, a.Range().End.Offset, hcledit.CommentsOf(a))
	}
	for i := range b.Blocks {
		n := &b.Blocks[i]
		add(n.Range().Start.Offset, n.Range().End.Offset, hcledit.CommentsOf(n))
		out = ignoresIn(out, &n.Body)
	}
	return out
}

// holds reports whether a comment turns a finding off: a comment of one of the
// blocks around it, or of its argument.
func (i ignore) holds(f finding) bool {
	return i.start <= f.at.Start.Offset && f.at.Start.Offset < i.end && slices.Contains(i.rules, f.rule)
}

// ruled returns the rules that a comment names.
func ruled(c hcledit.Comments) (rules []string) {
	for _, line := range append(slices.Clone(c.Above), c.Behind) {
		for word := range strings.FieldsSeq(line) {
			if names, ok := strings.CutPrefix(word, "lint:ignore="); ok {
				rules = append(rules, strings.Split(names, ",")...)
			}
		}
	}
	return rules
}
