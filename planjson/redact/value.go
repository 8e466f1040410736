// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/planjson"
)

// judge goes through a value whose secrets the document may mark.
func (e *engine) judge(t typeID, m *member, cx *context) {
	e.cx = cx
	if e.phase.closed() != 0 {
		e.hide(e.skip(), reasonClosed)
		return
	}
	if cx.closed != 0 {
		e.phase.hide(cx.closed, cx.shape, cx.block != "")
		return
	}
	if cx.unknown && e.phase.unknown(cx) {
		return
	}
	at := 0
	if m.name == "after" || m.name == "after_identity" {
		at = 1
	}
	switch t {
	case typeChange, typeResource, typeActionInvocation:
		switch marks := e.marksOf(cx, at); m.name {
		case "before", "after", "values", "config_values":
			e.whole(marks, cx.shape, cx.rules)
			return
		case "before_identity", "after_identity", "identity":
			e.identity(marks, cx.rules)
			return
		case "replace_paths":
			e.list(func(int) { e.steps(marks, cx.shape, cx.rules) })
			return
		}
	case typeImporting:
		switch marks := e.marksOf(cx, 1); m.name {
		case "id":
			e.identity(marks.member([]byte("id")), cx.rules.in("id"))
			return
		case "identity":
			e.identity(marks, cx.rules)
			return
		}
	case typeOutput:
		switch marks := e.marksOf(cx, 0); m.name {
		case "value":
			e.whole(marks, nil, cx.rules)
			return
		case "type":
			e.around.end() // the names of types are no values
			e.phase.keys(marks, nil, cx.rules)
			return
		}
	case typeVariable:
		e.phase.variable(cx)
		return
	case typeVariableConfig:
		if cx.partly {
			if why := e.partWhy(e.text[e.i:e.index.End(e.i)]); why != 0 {
				e.phase.hide(why, nil, false)
				return
			}
		}
		e.whole(nil, nil, cx.rules)
		return
	case typeRelevantAttribute:
		e.steps(e.blockMarks(cx.block), nil, e.rulesForBlock(cx.block, ""))
		return
	}
	e.hide(e.skip(), reasonClosed)
}

// identity goes through what identifies an object. The tools show it.
func (e *engine) identity(m *marks, p *progress) {
	start := e.i
	e.around.identity = true
	e.whole(m, nil, p)
	e.phase.identity(start)
}

// judgeVariable goes through the value of a variable of the root module.
func (e *engine) judgeVariable(cx *context) {
	if why := e.variableWhy(cx.address); why != 0 {
		e.phase.hide(why, nil, false)
		return
	}
	e.whole(nil, nil, e.rulesFor(cx.address, cx.address, ""))
}

// whole goes through a value from its root on.
func (e *engine) whole(m *marks, s *shape, p *progress) {
	root := e.cx.block != ""
	if p != nil || e.asked {
		e.before = done{edits: e.before.edits[:0], open: e.asked}
		e.value(m, s, p, root)
		e.phase.pass(e.i)
		e.before.open = false
		return
	}
	d, n := &e.before, e.n
	if d.marks == m && d.shape == s && d.root == root && d.of == e.around.root && d.identity == e.around.identity && e.repeat(d) {
		return
	}
	*d = done{marks: m, shape: s, root: root, of: e.around.root, identity: e.around.identity, start: e.i, edits: d.edits[:0], open: true}
	e.value(m, s, nil, root)
	e.phase.pass(e.i)
	d.open, d.end, d.n = false, e.i, e.n-n
}

// A done is the result for the previous value. The values before and after a change
// are mostly the same.
type done struct {
	marks      *marks
	shape      *shape
	root       bool
	of         string // the attribute that it is the value of
	identity   bool
	start, end int
	edits      []edit
	n          int  // values replaced
	open       bool // is being made
}

// An edit is a text that was put out in place of a part of the piece.
type edit struct {
	start, end int
	text       string
}

// repeat reports whether the current value is the same as the previous one, and then
// repeats the result.
func (e *engine) repeat(d *done) bool {
	start, n := e.i, d.end-d.start
	if n <= 0 || len(e.text)-start < n || !bytes.Equal(e.text[d.start:d.end], e.text[start:start+n]) {
		return false
	}
	e.work += n
	e.phase.repeat(d)
	e.i = start + n
	return true
}

// value goes through a value or a part of one.
func (e *engine) value(m *marks, s *shape, p *progress, root bool) {
	why := m.isAll()
	why = first(why, secretWhy(s))
	if p.covers() {
		why = first(why, reasonRule)
	}
	switch {
	case why != 0:
		e.phase.hide(why, s, root)
		return
	case m == nil && !s.Hides() && p == nil:
		e.skip()
		return
	}
	switch e.text[e.i] {
	case 'n':
		e.skip()
	case '[':
		if m != nil && m.any == nil { // marks of an object
			e.phase.hide(reasonMarked, s, false)
			return
		}
		n := e.index.Len(e.i)
		e.list(func(i int) {
			part := m.element(i, n)
			e.phase.shown(m, part)
			e.value(part, s.Each(), p, false)
		})
	case '{':
		if m != nil && m.any != nil { // marks of a list
			e.phase.hide(reasonMarked, s, root)
			return
		}
		if p == nil && !e.asked {
			e.laidOut(m, s, root)
			return
		}
		e.members(func(_, name []byte) {
			e.enterName(name)
			if p != nil {
				e.names = append(e.names, string(name))
			}
			part := m.member(name)
			if !root {
				e.phase.shown(m, part)
			}
			e.value(part, s.Member(name), p.inName(name), false)
			if p != nil {
				e.names = e.names[:len(e.names)-1]
			}
			e.leave()
		})
	default:
		start := e.skip()
		switch {
		case m != nil: // marks of what a value has not got
			e.hide(start, reasonMarked)
		case p.asks(e.place, e.text[start:e.i]):
			e.hide(start, reasonRule)
		case s == remotePlace || s == remoteHost:
			e.phase.remotePlace(start, s == remoteHost)
		}
	}
}

func (e *engine) place() Place {
	return Place{Address: e.cx.address, Type: e.cx.typ, Path: e.names}
}

// isEmpty reports whether an object has no members.
func isEmpty(object []byte) bool { return len(bytes.TrimSpace(object[1:len(object)-1])) == 0 }

// steps goes through a path into a value, an array of steps. Steps into what is
// sensitive are hidden, and elements of sets, which stand for themselves, if
// anything in the object is.
func (e *engine) steps(m *marks, s *shape, p *progress) {
	if e.text[e.i] != '[' {
		e.hide(e.skip(), reasonClosed)
		return
	}
	some := m != nil || s.Hides() || p != nil
	var inside reason
	e.list(func(i int) {
		inside = first(inside, m.isAll())
		inside = first(inside, secretWhy(s))
		if p.covers() {
			inside = first(inside, reasonRule)
		}
		start := e.skip()
		token := e.text[start:e.i]
		switch c := token[0]; {
		case i > 0 && inside != 0, i > 0 && some && (c == '{' || c == '['):
			e.hide(start, first(inside, reasonClosed))
		case c == '"':
			name := jsonscan.Unquote(token)
			m, s, p = m.member([]byte(name)), s.Member([]byte(name)), p.in(name)
			return
		}
		m, s = m.element(0, -1), s.Each()
	})
	e.phase.pass(e.i)
}

// leaves calls f with the token of each string, number and name in a value.
func leaves(value []byte, f func(token []byte, name bool)) {
	for i := 0; i < len(value); {
		switch c := value[i]; {
		case c == '"':
			end := jsonscan.StringEnd(value, i)
			next := planjson.Value(value[end:])
			f(value[i:end], startsWithColon(next))
			i = end
		case c == '-' || '0' <= c && c <= '9':
			end := jsonscan.ValueEnd(value, i)
			f(value[i:end], false)
			i = end
		default:
			i++
		}
	}
}

func startsWithColon(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	return len(text) > 0 && text[0] == ':'
}
