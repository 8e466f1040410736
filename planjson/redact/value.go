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
	switch {
	case e.blind:
		e.hide(e.skip(), reasonClosed)
		return
	case cx.closed != 0:
		e.hideValue(cx.closed, cx.shape, cx.block != "")
		return
	case cx.unknown:
		e.hideValue(reasonNoSchema, nil, cx.block != "")
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
		switch m.name {
		case "value":
			e.whole(e.marksOf(cx, 0), nil, cx.rules)
			return
		case "type":
			e.around.end() // the names of types are no values
			start := e.skip()
			e.emit(event{kind: eventKeys, typ: t, member: m, cx: cx, start: start, end: e.i})
			return
		}
	case typeVariable:
		if e.why == nil {
			start := e.skip()
			e.emit(event{kind: eventVariable, cx: cx, start: start, end: e.i})
			return
		}
		e.judgeVariable(cx)
		return
	case typeVariableConfig:
		if cx.partly {
			if why := e.partWhy(e.text[e.i:e.index.End(e.i)]); why != 0 {
				e.hideValue(why, nil, false)
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
	e.around.identity = true
	e.whole(m, nil, p)
}

// judgeVariable goes through the value of a variable of the root module.
func (e *engine) judgeVariable(cx *context) {
	if why := e.variableWhy(cx.address); why != 0 {
		e.hideValue(why, nil, false)
		return
	}
	e.whole(nil, nil, e.rulesFor(cx.address, cx.address, ""))
}

// whole goes through a value from its root on.
func (e *engine) whole(m *marks, s *shape, p *progress) {
	v := previousValue{marks: m, shape: s, root: e.cx.block != "", of: e.around.root, identity: e.around.identity, start: e.i}
	canRepeat := p == nil && !e.asked
	if canRepeat && e.repeats(v) {
		return
	}
	e.emit(event{kind: eventValue})
	e.value(m, s, p, v.root)
	if v.end = e.i; !canRepeat {
		v = previousValue{}
	}
	e.previous = v
}

// A previousValue is the value that was gone through before the one at hand. The values before
// and after a change are mostly the same.
type previousValue struct {
	marks      *marks
	shape      *shape
	root       bool
	of         string // the attribute that it is the value of
	identity   bool
	start, end int
}

// repeats goes past the value at hand if it is the same as the previous one, and reports whether
// it is.
func (e *engine) repeats(v previousValue) bool {
	p, end := e.previous, e.i+e.previous.end-e.previous.start
	if v.start, v.end = p.start, p.end; v != p || end == e.i || end > len(e.text) || !bytes.Equal(e.text[p.start:p.end], e.text[e.i:end]) {
		return false
	}
	e.work += end - e.i
	start := e.i
	e.i = end
	e.emit(event{kind: eventRepeat, start: start, end: end})
	return true
}

// value goes through a value or a part of one.
func (e *engine) value(m *marks, s *shape, p *progress, root bool) {
	if m == nil && !s.Hides() && p == nil {
		e.skip()
		return
	}
	why := m.isAll()
	why = first(why, secretWhy(s))
	if p.covers() {
		why = first(why, reasonRule)
	}
	if why != 0 {
		e.hideValue(why, s, root)
		return
	}
	switch e.text[e.i] {
	case 'n':
		e.skip()
	case '[':
		if m != nil && m.any == nil { // marks of an object
			e.hideValue(reasonMarked, s, false)
			return
		}
		n := e.index.Len(e.i)
		e.list(func(i int) {
			e.part(m, m.element(i, n), s.Each(), p, false)
		})
	case '{':
		if m != nil && m.any != nil { // marks of a list
			e.hideValue(reasonMarked, s, root)
			return
		}
		if p == nil && !e.asked {
			e.laidOut(m, s, root)
			return
		}
		e.members(func(name []byte) {
			e.enterName(name)
			if p != nil {
				e.names = append(e.names, string(name))
			}
			e.part(m, m.member(name), s.Member(name), p.inName(name), root)
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
			e.emit(event{kind: eventPlace, start: start, end: e.i, shape: s})
		}
	}
}

// part goes through a part of a value, or of a root, that has some marks: part, with those that
// it has itself, a shape and rules.
func (e *engine) part(around, m *marks, s *shape, p *progress, ofRoot bool) {
	start := e.i
	e.value(m, s, p, false)
	if around != nil && m == nil && !ofRoot {
		e.emit(event{kind: eventPublic, start: start, end: e.i})
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
