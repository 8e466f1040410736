// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"slices"

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

	strict bool // if a part that it names is missing, all of the value is sensitive
	inside bool // the member value may be missing: it can be the one that the value is in
}

// lacks reports whether a value with these members and this number of elements is without
// a part that p names, where that matters.
func (p *pattern) lacks(names map[string]bool, elements int) bool {
	if !p.strict {
		return false
	}
	for i := range p.index {
		if i >= elements {
			return true
		}
	}
	for name := range p.names {
		if !names[name] && !(p.inside && name == "value") {
			return true
		}
	}
	return false
}

// through returns p for the value inside an object with value and type.
func (p *pattern) through() *pattern {
	return &pattern{names: p.names, index: p.index, strict: true, inside: true}
}

// add makes what a path leads to sensitive.
func (p *pattern) add(path []any) {
	for _, step := range path {
		next := &pattern{strict: p.strict}
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

// sensitiveValues returns the marks of a compact value. If wrapped is true, parts of an open
// type are objects with value and type, as states have them.
func sensitiveValues(v planjson.Value, patterns []*pattern, wrapped bool) planjson.Value {
	m := marker{text: v, wrapped: wrapped, work: 8 * len(v)}
	m.value(0, patterns)
	return m.out
}

// A marker writes the marks of a value: true for what is sensitive, an array or
// an object for what has parts, and false for the rest, which objects leave out.
type marker struct {
	text, out []byte
	wrapped   bool
	work      int // how many bytes may still be read to find the objects with value and type
}

// value writes the marks of the value at i and returns its end.
func (m *marker) value(i int, patterns []*pattern) int {
	if len(patterns) == 0 && m.work >= 0 {
		return m.unmarked(i)
	}
	whole := false
	for _, p := range patterns {
		if p.all {
			m.out = append(m.out, "true"...)
			return jsonscan.ValueEnd(m.text, i)
		}
		whole = whole || p.set
	}
	start, null, fits := len(m.out), m.text[i] == 'n', true
	switch m.text[i] {
	case '{':
		i, fits = m.object(i, patterns)
	case '[':
		i, fits = m.array(i, patterns)
	default:
		m.out = append(m.out, "false"...)
		i, fits = jsonscan.ValueEnd(m.text, i), null || !lacksAny(patterns, nil, 0)
	}
	if !fits || whole && plantext.HasTrue(m.out[start:]) {
		m.out = append(m.out[:start], "true"...)
	}
	return i
}

// unmarked is value for a value without anything sensitive.
func (m *marker) unmarked(i int) int {
	opening := m.text[i]
	if opening != '{' && opening != '[' {
		m.out = append(m.out, "false"...)
		return jsonscan.ValueEnd(m.text, i)
	}
	m.out = append(m.out, opening)
	comma := false
	for i++; m.text[i] != opening+2; {
		if m.text[i] == ',' {
			i++
		}
		start := i
		if opening == '{' {
			i = jsonscan.StringEnd(m.text, i) + 1
			if b := m.text[i]; b != '{' && b != '[' {
				i = jsonscan.ValueEnd(m.text, i)
				continue
			}
		}
		if comma {
			m.out = append(m.out, ',')
		}
		comma = true
		m.out = append(m.out, m.text[start:i]...) // the name and its colon
		i = m.unmarked(i)
	}
	m.out = append(m.out, opening+2)
	return i + 1
}

func lacksAny(patterns []*pattern, names map[string]bool, elements int) bool {
	return slices.ContainsFunc(patterns, func(p *pattern) bool { return p.lacks(names, elements) })
}

// object writes the marks of the object at i. It returns its end, and whether it has
// the parts that the patterns name.
func (m *marker) object(i int, patterns []*pattern) (end int, fits bool) {
	var seen map[string]bool // nil if no pattern is strict
	wrapper := false
	if slices.ContainsFunc(patterns, func(p *pattern) bool { return p.strict }) {
		seen = make(map[string]bool)
		wrapper = m.isWrapper(i)
	}
	m.out = append(m.out, '{')
	comma := false
	for i++; m.text[i] != '}'; {
		if m.text[i] == ',' {
			i++
		}
		end := jsonscan.StringEnd(m.text, i)
		below := member(patterns, m.text[i:end], seen)
		if wrapper && string(m.text[i:end]) == `"value"` {
			below = append(below, throughAll(patterns)...)
		}
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
	return i + 1, m.work >= 0 && (wrapper || !lacksAny(patterns, seen, 0))
}

// isWrapper reports whether the object at i has a value and its type. When there was too
// much to read, m.work is negative.
func (m *marker) isWrapper(i int) bool {
	if !m.wrapped || m.work < 0 {
		return false
	}
	start, members := i, 0
	var typ planjson.Value
	for i++; m.text[i] != '}'; members++ {
		if m.text[i] == ',' {
			i++
		}
		end := jsonscan.StringEnd(m.text, i)
		name := string(m.text[i:end])
		if members == 2 || name != `"value"` && name != `"type"` {
			return false
		}
		i = jsonscan.ValueEnd(m.text, end+1)
		if name == `"type"` {
			typ = m.text[end+1 : i]
		}
	}
	m.work -= i - start
	if members != 2 || typ == nil {
		return false
	}
	_, err := planjson.ParseType(typ)
	return err == nil
}

// throughAll returns the strict ones among patterns for the value inside an object with
// value and type.
func throughAll(patterns []*pattern) (inside []*pattern) {
	for _, p := range patterns {
		if p.strict {
			inside = append(inside, p.through())
		}
	}
	return inside
}

// member returns the patterns of the member whose name has this token. It adds the names
// that a pattern has to seen, unless that is nil.
func member(patterns []*pattern, token []byte, seen map[string]bool) (below []*pattern) {
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
			if seen != nil {
				seen[string(name)] = true
			}
		}
	}
	return below
}

// array is object for an array.
func (m *marker) array(i int, patterns []*pattern) (end int, fits bool) {
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
	return i + 1, !lacksAny(patterns, nil, k)
}
