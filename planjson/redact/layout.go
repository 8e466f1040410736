// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import "github.com/tofuwire/tofuwire/internal/jsonscan"

// A layout has the names of the members that objects mostly have, in their order,
// with what is known of the values. Objects of one type have the same names, so
// each is compared with the one that is expected and need not be looked up.
type layout struct {
	key    layoutKey
	parts  []layoutPart
	misses int // how many names were not those that were expected
}

type layoutKey struct {
	marks *marks
	shape *shape
	typ   string
}

type layoutPart struct {
	token string
	marks *marks
	shape *shape
}

const (
	maxLayouts = 256  // how many layouts are kept
	maxMisses  = 1024 // how often a layout learns a name
)

// Layouts are those that have been used.
type layouts struct {
	last *layout
	all  map[layoutKey]*layout
}

// of returns the layout of objects of a type with marks and a shape. The first object with
// marks, which may be the only one, has none.
func (ls *layouts) of(key layoutKey) *layout {
	if ls.last != nil && ls.last.key == key {
		return ls.last
	}
	l, ok := ls.all[key]
	if l == nil {
		if len(ls.all) >= maxLayouts || ls.all == nil {
			ls.all = make(map[layoutKey]*layout)
		}
		if ok || key.marks == nil {
			l = &layout{key: key}
		}
		ls.all[key] = l
	}
	if l != nil {
		ls.last = l
	}
	return l
}

// isAt reports whether a token is at a place of a text.
func isAt(text []byte, i int, token string) bool {
	return len(text)-i >= len(token) && string(text[i:i+len(token)]) == token
}

// laidOutMember returns the marks and the shape of the member whose name is next, and where
// the name ends. The member is number k of an object with a shape and perhaps a
// layout or marks.
func (e *engine) laidOutMember(l *layout, m *marks, s *shape, k int) (*marks, *shape, int) {
	if l != nil && k < len(l.parts) {
		if p := &l.parts[k]; isAt(e.text, e.i, p.token) {
			return p.marks, p.shape, e.i + len(p.token)
		}
	}
	end := jsonscan.StringEnd(e.text, e.i)
	name := jsonscan.UnquoteBytes(e.text[e.i:end])
	m, s = m.member(name), s.Member(name)
	if l != nil && l.misses < maxMisses && k <= len(l.parts) {
		l.misses++
		p := layoutPart{string(e.text[e.i:end]), m, s}
		if k == len(l.parts) {
			l.parts = append(l.parts, p)
		} else {
			l.parts[k] = p
		}
	}
	return m, s, end
}

// laidOut goes through the members of the object at hand, if there are no rules
// and nobody asks for the path.
func (e *engine) laidOut(m *marks, s *shape, root bool) {
	l := e.layouts.of(layoutKey{m, s, e.cx.typ})
	e.i = jsonscan.Space(e.text, e.i+1)
	for k := 0; e.text[e.i] != '}'; k++ {
		marks, shape, end := e.laidOutMember(l, m, s, k)
		e.work += end - e.i
		e.i = afterColon(e.text, end)
		e.part(m, marks, shape, nil, root)
		e.i = afterComma(e.text, e.i)
	}
	e.i++
}
