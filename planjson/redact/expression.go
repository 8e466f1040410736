// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/provschema"
)

// expression goes through an argument or a nested block in the configuration.
// Which of the two an object is does not matter: the members that make an
// expression are looked for at every level.
func (e *engine) expression(m *marks, s *shape, cx *context, depth int) {
	switch e.text[e.i] {
	case '[':
		// Blocks count by position if no instance has more or fewer of them, as
		// dynamic blocks would make.
		n := e.index.Len(e.i)
		e.list(func(i int) { e.expression(m.element(i, n), s.Each(), cx, depth+1) })
	case '{':
		keyed := s.IsBlock() && s.Is(provschema.MapOf) // blocks by their labels, which may be any text
		e.members(func(text []byte) {
			name := string(text)
			switch b := e.text[e.i]; {
			case name == constantValue.name && !keyed:
				e.named(constantValue)
				e.enter(name)
				e.constant(m, s, cx)
				e.leave()
			case name == references.name && b == '[':
				e.named(references)
				e.end(typeExpression, references, cx, e.skip())
			default:
				e.named(nil)
				e.enter(name)
				part, inner := m.member(text), s.Member(text)
				if m != nil && m.any != nil { // this is one of a list of blocks
					each := m.element(0, -1)
					part = each.member(text)
				}
				if s != nil && !s.IsObject() && !keyed {
					inner = s.Each().Member(text)
				}
				c := *cx
				c.rules, c.name = cx.rules.in(name), name
				if depth >= maxNesting {
					c.closed = reasonClosed
				}
				if c.judged && c.closed == 0 && !e.isSeen(cx.block, cx.arg, name) && name != "" {
					c.closed = reasonClosed
					c.judged = false
				}
				e.expression(part, inner, &c, depth+1)
				e.leave()
			}
		})
	default:
		e.constant(m, s, cx)
	}
}

// The members that make an expression.
var (
	constantValue = &member{name: "constant_value", verdict: verdictValue}
	references    = &member{name: "references", nest: someStrings}
)

// constant goes through a constant. What of its argument is sensitive in any
// instance is hidden.
func (e *engine) constant(m *marks, s *shape, cx *context) {
	start := e.i
	e.judgeConstant(m, s, cx)
	e.end(typeExpression, constantValue, cx, start)
}

func (e *engine) judgeConstant(m *marks, s *shape, cx *context) {
	why := cx.closed
	if m.isAll() != 0 {
		why = first(why, reasonElsewhere)
	}
	why = first(why, secretWhy(s))
	if cx.rules.covers() {
		why = first(why, reasonRule)
	}
	if cx.judged && why == 0 && !e.isSeen(cx.block, cx.arg, "") {
		why = reasonClosed
	}
	if cx.partly && why == 0 {
		why = e.partWhy(e.text[e.i:e.index.End(e.i)])
	}
	if e.blind {
		why = first(why, reasonClosed)
	}
	e.around.begin(e.text, e.i, cx.name)
	if why != 0 {
		e.hideValue(why, nil, false)
		return
	}
	if cx.judged {
		if unseen := e.unseen(cx, e.text[e.i:e.index.End(e.i)]); unseen != nil {
			m = m.and(source{unseen, reasonClosed})
		}
	}
	e.cx = cx
	e.value(m, s, cx.rules, false)
}

// unseen returns which members of a constant have values although no instance
// has one under their names, as write-only arguments do.
func (e *engine) unseen(cx *context, constant []byte) *mark {
	e.work += len(constant)
	m, _ := e.unseenAt(cx, constant, 0)
	return m
}

func (e *engine) unseenAt(cx *context, d []byte, i int) (m *mark, end int) {
	switch d[i] {
	case '[':
		var parts []*mark
		some := false
		for i = jsonscan.Space(d, i+1); d[i] != ']'; i = afterComma(d, i) {
			var part *mark
			part, i = e.unseenAt(cx, d, i)
			some = some || part != nil
			parts = append(parts, part)
		}
		if some {
			m = &mark{elements: true, parts: parts}
		}
		return m, i + 1
	case '{':
		for i = jsonscan.Space(d, i+1); d[i] != '}'; i = afterComma(d, i) {
			end := jsonscan.StringEnd(d, i)
			name := jsonscan.Unquote(d[i:end])
			i = jsonscan.Space(d, jsonscan.Space(d, end)+1)
			part := allMark
			switch {
			case d[i] == 'n' || e.isSeen(cx.block, cx.arg, name):
				part, i = e.unseenAt(cx, d, i)
			default:
				i = jsonscan.ValueEnd(d, i)
			}
			if part == nil {
				continue
			}
			if m == nil {
				m = new(mark)
			}
			m.names, m.parts = append(m.names, name), append(m.parts, part)
		}
		return m, i + 1
	}
	return nil, jsonscan.ValueEnd(d, i)
}
