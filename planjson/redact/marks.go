// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A mark is what one text says about the parts of a value: the text of
// before_sensitive, for example. A nil mark says nothing.
type mark struct {
	all      bool
	names    []string // sorted
	parts    []*mark  // by names, or the elements of a list
	elements bool
}

// parseMark returns the mark of a valid text. Only the value true counts.
func parseMark(text []byte) *mark {
	if !bytes.Contains(text, []byte("true")) {
		return nil
	}
	m, _ := parseMarkAt(text, jsonscan.Space(text, 0))
	return m
}

func parseMarkAt(d []byte, i int) (*mark, int) {
	switch d[i] {
	case 't':
		return &mark{all: true}, i + 4
	case '[':
		m, some := &mark{elements: true}, false
		for i = jsonscan.Space(d, i+1); d[i] != ']'; {
			var part *mark
			part, i = parseMarkAt(d, i)
			some = some || part != nil
			m.parts = append(m.parts, part)
			i = afterComma(d, i)
		}
		if !some {
			m = nil
		}
		return m, i + 1
	case '{':
		m := new(mark)
		for i = jsonscan.Space(d, i+1); d[i] != '}'; {
			end := jsonscan.StringEnd(d, i)
			name := jsonscan.Unquote(d[i:end])
			var part *mark
			part, i = parseMarkAt(d, afterColon(d, end))
			if part != nil {
				m.names, m.parts = append(m.names, name), append(m.parts, part)
			}
			i = afterComma(d, i)
		}
		if m.parts == nil {
			m = nil
		}
		return m, i + 1
	}
	return nil, jsonscan.ValueEnd(d, i)
}

// afterComma returns where the next item begins, or the container's end.
func afterComma(d []byte, i int) int {
	if d[i] == ',' && d[i+1] > ' ' {
		return i + 1
	}
	return afterSpacedComma(d, i)
}

func afterSpacedComma(d []byte, i int) int {
	if i = jsonscan.Space(d, i); d[i] == ',' {
		i = jsonscan.Space(d, i+1)
	}
	return i
}

// afterColon returns where the value of the member begins whose name ends at i.
func afterColon(d []byte, i int) int {
	if d[i] == ':' && d[i+1] > ' ' {
		return i + 1
	}
	return jsonscan.Space(d, jsonscan.Space(d, i)+1)
}

// append writes m. Marks that say the same have the same text.
func (m *mark) append(dst []byte) []byte {
	switch {
	case m == nil:
		return append(dst, '0')
	case m.all:
		return append(dst, "true"...)
	case m.elements:
		dst = append(dst, '[')
		for i, part := range m.parts {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = part.append(dst)
		}
		return append(dst, ']')
	}
	order := make([]int, len(m.names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return bytes.Compare([]byte(m.names[a]), []byte(m.names[b])) })
	dst = append(dst, '{')
	for k, i := range order {
		if k > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendQuote(dst, m.names[i])
		dst = m.parts[i].append(append(dst, ':'))
	}
	return append(dst, '}')
}

// A source is a mark with the reason why it counts where it is looked at.
type source struct {
	mark *mark
	why  reason
}

// Marks are all that is known of a value: the union of what several texts say.
// They are merged one level at a time, as far as a value is looked into. Nil
// marks say nothing.
type marks struct {
	why     reason   // if not zero, all of it is sensitive
	sources []source // of the parts below
	merged  bool
	names   map[string]*marks
	few     []namedMarks // the same if they are few, which are faster compared than looked up
	list    []*marks     // if all lists have the same length
	any     *marks       // the union of all elements
	work    *int         // how much merging may still be done
}

type namedMarks struct {
	name string
	*marks
}

const maxFew = 4

// newMarks returns the union of what sources say. The work of merging is
// bounded; what would take more than that is sensitive.
func newMarks(sources []source, work int) *marks {
	if len(sources) == 0 {
		return nil
	}
	m := &marks{work: &work}
	m.add(sources...)
	return m
}

// and returns the union of m and one more source.
func (m *marks) and(s source) *marks {
	sources := []source{s}
	if m != nil {
		sources = append(sources, m.sources...)
	}
	work := 0
	for _, s := range sources {
		work += s.mark.size()
	}
	return newMarks(sources, 16*work+1000)
}

func (m *marks) add(sources ...source) {
	for _, s := range sources {
		if s.mark.all {
			m.why = first(m.why, s.why)
		}
	}
	m.sources = append(m.sources, sources...)
}

// merge finds the marks one level below.
func (m *marks) merge() {
	if m.merged {
		return
	}
	m.merged = true
	part := func(p **marks, s source) {
		if *p == nil {
			*p = &marks{work: m.work}
		}
		(*p).add(s)
	}
	length := -1
	for _, s := range m.sources {
		if *m.work -= len(s.mark.parts) + 1; *m.work < 0 {
			m.why = first(m.why, reasonClosed)
			return
		}
		if !s.mark.elements {
			for i, name := range s.mark.names {
				if m.names == nil {
					m.names = make(map[string]*marks)
				}
				p := m.names[name]
				part(&p, source{s.mark.parts[i], s.why})
				m.names[name] = p
			}
			continue
		}
		switch {
		case length < 0:
			length = len(s.mark.parts)
			m.list = make([]*marks, length)
		case length != len(s.mark.parts):
			m.list = nil
		}
		for i, e := range s.mark.parts {
			if e == nil {
				continue
			}
			if m.list != nil {
				part(&m.list[i], source{e, s.why})
			}
			part(&m.any, source{e, s.why})
		}
	}
	if len(m.names) > 0 && len(m.names) <= maxFew {
		for name, part := range m.names {
			m.few = append(m.few, namedMarks{name, part})
		}
	}
}

// isAll returns why all of a value is sensitive, or 0.
func (m *marks) isAll() reason {
	if m == nil {
		return 0
	}
	m.merge()
	return m.why
}

// member returns the marks of a member of an object.
func (m *marks) member(name []byte) *marks {
	if m == nil || len(m.sources) == 0 {
		return nil
	}
	m.merge()
	if m.why != 0 {
		return m
	}
	if m.few == nil {
		return m.names[string(name)]
	}
	for i := range m.few {
		if string(name) == m.few[i].name {
			return m.few[i].marks
		}
	}
	return nil
}

// element returns the marks of element i of a list of n. Positions count where
// all lists that the marks are about have this length.
func (m *marks) element(i, n int) *marks {
	if m == nil {
		return nil
	}
	m.merge()
	switch {
	case m.why != 0:
		return m
	case m.list != nil && len(m.list) == n:
		return m.list[i]
	}
	return m.any
}

// size returns the number of parts that m has.
func (m *mark) size() int {
	if m == nil {
		return 0
	}
	n := 1
	for _, part := range m.parts {
		n += part.size()
	}
	return n
}

var allMark = &mark{all: true}
