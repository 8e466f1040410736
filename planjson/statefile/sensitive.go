// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/planjson"
)

// A pattern says which parts of a value are sensitive.
type pattern struct {
	all   bool                // the value itself
	set   bool                // all of the value, an array, if any part is
	each  *pattern            // of all elements or members
	names map[string]*pattern // of members
	index map[int]*pattern    // of elements
}

// add makes what a path leads to sensitive.
func (p *pattern) add(path []any) {
	for _, step := range path {
		next := new(pattern)
		switch step := step.(type) {
		case string:
			if p.names == nil {
				p.names = make(map[string]*pattern)
			}
			if q := p.names[step]; q != nil {
				next = q
			}
			p.names[step] = next
		case int:
			if step < 0 { // an element of a set: all of the set
				p.all = true
				return
			}
			if p.index == nil {
				p.index = make(map[int]*pattern)
			}
			if q := p.index[step]; q != nil {
				next = q
			}
			p.index[step] = next
		}
		p = next
	}
	p.all = true
}

// patterns returns what the schema calls sensitive. In sets of Terraform, and of
// deposed objects, all is sensitive if a part is.
func (t *shownType) patterns(wholeSets bool) []*pattern {
	if t.schema == nil {
		return nil
	}
	if p := blockPattern(t.schema.Block, wholeSets); p != nil {
		return []*pattern{p}
	}
	return nil
}

// blockPattern returns what is sensitive in a block, nil if nothing is.
func blockPattern(b *planjson.Block, wholeSets bool) *pattern {
	if b == nil {
		return nil
	}
	names := attributePatterns(b.Attributes, wholeSets)
	for name, nested := range b.BlockTypes {
		if nested == nil {
			continue
		}
		if p := nestedPattern(nested.NestingMode, blockPattern(nested.Block, wholeSets), wholeSets); p != nil {
			names[name] = p
		}
	}
	if len(names) == 0 {
		return nil
	}
	return &pattern{names: names}
}

// attributePatterns returns what is sensitive in attributes.
func attributePatterns(attributes map[string]*planjson.Attribute, wholeSets bool) map[string]*pattern {
	names := make(map[string]*pattern)
	for name, a := range attributes {
		switch {
		case a == nil:
		case a.Sensitive:
			names[name] = &pattern{all: true}
		case a.NestedType != nil:
			below := attributePatterns(a.NestedType.Attributes, wholeSets)
			if len(below) == 0 {
				continue
			}
			names[name] = nestedPattern(a.NestedType.NestingMode, &pattern{names: below}, wholeSets)
		}
	}
	return names
}

// nestedPattern returns the pattern of objects with this one that nest in a mode.
func nestedPattern(mode planjson.NestingMode, p *pattern, wholeSets bool) *pattern {
	switch {
	case p == nil:
		return nil
	case mode == planjson.NestingSingle || mode == planjson.NestingGroup:
		return p
	}
	return &pattern{each: p, set: wholeSets && mode == planjson.NestingSet}
}

// sensitiveValues returns the marks of a value in canonical form.
func sensitiveValues(v planjson.Value, patterns []*pattern) planjson.Value {
	m := marker{text: v}
	m.value(0, patterns)
	return m.out
}

// A marker writes the marks of a value: true for what is sensitive, an array or
// an object for what has parts, and false for the rest, which objects leave out.
type marker struct {
	text, out []byte
}

// value writes the marks of the value at i and returns its end.
func (m *marker) value(i int, patterns []*pattern) int {
	whole := false
	for _, p := range patterns {
		if p.all {
			m.out = append(m.out, "true"...)
			return jsonscan.ValueEnd(m.text, i)
		}
		whole = whole || p.set
	}
	start := len(m.out)
	switch m.text[i] {
	case '{':
		i = m.object(i, patterns)
	case '[':
		i = m.array(i, patterns)
	default:
		m.out = append(m.out, "false"...)
		return jsonscan.ValueEnd(m.text, i)
	}
	if whole && plantext.HasTrue(m.out[start:]) {
		m.out = append(m.out[:start], "true"...)
	}
	return i
}

func (m *marker) object(i int, patterns []*pattern) int {
	m.out = append(m.out, '{')
	comma := false
	for i++; m.text[i] != '}'; {
		if m.text[i] == ',' {
			i++
		}
		end := jsonscan.StringEnd(m.text, i)
		below := member(patterns, m.text[i:end])
		if b := m.text[end+1]; len(below) == 0 && b != '{' && b != '[' {
			i = jsonscan.ValueEnd(m.text, end+1)
			continue
		}
		before := len(m.out)
		if comma {
			m.out = append(m.out, ',')
		}
		m.out = append(append(m.out, m.text[i:end]...), ':')
		at := len(m.out)
		i = m.value(end+1, below)
		if string(m.out[at:]) == "false" {
			m.out = m.out[:before]
		} else {
			comma = true
		}
	}
	m.out = append(m.out, '}')
	return i + 1
}

// member returns the patterns of the member whose name has this token.
func member(patterns []*pattern, token []byte) (below []*pattern) {
	if len(patterns) == 0 {
		return nil
	}
	name := jsonscan.UnquoteBytes(token)
	for _, p := range patterns {
		if p.each != nil {
			below = append(below, p.each)
		}
		if q := p.names[string(name)]; q != nil {
			below = append(below, q)
		}
	}
	return below
}

func (m *marker) array(i int, patterns []*pattern) int {
	m.out = append(m.out, '[')
	k := 0
	for i++; m.text[i] != ']'; k++ {
		if m.text[i] == ',' {
			i++
			m.out = append(m.out, ',')
		}
		var below []*pattern
		for _, p := range patterns {
			if p.each != nil {
				below = append(below, p.each)
			}
			if q := p.index[k]; q != nil {
				below = append(below, q)
			}
		}
		i = m.value(i, below)
	}
	m.out = append(m.out, ']')
	return i + 1
}
