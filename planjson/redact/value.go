// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"
	"hash/maphash"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/planjson"
)

// judge goes through a value whose secrets the document may mark.
func (e *engine) judge(t typeID, m *member, cx *context) {
	e.cx = cx
	if e.blind {
		e.hide(e.skip(), reasonClosed)
		return
	}
	if cx.closed != 0 {
		e.hideAll(cx.closed, cx.shape, cx.block != "")
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
			e.whole(marks, nil, cx.rules)
			return
		case "replace_paths":
			e.list(func(int) { e.steps(marks, cx.shape, cx.rules) })
			return
		}
	case typeImporting:
		switch marks := e.marksOf(cx, 1); m.name {
		case "id":
			e.whole(marks.member([]byte("id")), nil, cx.rules.in("id"))
			return
		case "identity":
			e.whole(marks, nil, cx.rules)
			return
		}
	case typeOutput:
		switch marks := e.marksOf(cx, 0); m.name {
		case "value":
			e.whole(marks, nil, cx.rules)
			return
		case "type":
			e.keys(marks, nil, cx.rules, false, false)
			return
		}
	case typeVariable:
		e.variable(cx)
		return
	case typeVariableConfig:
		if cx.partly {
			if why := e.partWhy(e.text[e.i:e.index.End(e.i)]); why != 0 {
				e.hideAll(why, nil, false)
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

// variable goes through the value of a variable of the root module. While
// learning, the configuration is not known yet, and the value is kept.
func (e *engine) variable(cx *context) {
	start := e.i
	if e.learning && e.why == nil {
		e.skip()
		e.variables[cx.address] = append([]byte(nil), e.text[start:e.i]...)
		return
	}
	if why := e.variableWhy(cx.address); why != 0 {
		e.hideAll(why, nil, false)
		return
	}
	e.whole(nil, nil, e.rulesFor(cx.address, cx.address, ""))
}

// whole goes through a value from its root on.
func (e *engine) whole(m *marks, s *shape, p *progress) {
	root := e.cx.block != ""
	if p != nil || e.Report != nil {
		e.value(m, s, p, root)
		e.pass(e.i)
		return
	}
	d, n := &e.before, e.n
	if d.marks == m && d.shape == s && d.root == root && e.repeat(d) {
		return
	}
	*d = done{marks: m, shape: s, root: root, start: e.i, edits: d.edits[:0], open: true}
	e.value(m, s, nil, root)
	e.pass(e.i)
	d.open, d.end, d.n = false, e.i, e.n-n
}

// A done is the result for the previous value. The values before and after a change
// are mostly the same.
type done struct {
	marks      *marks
	shape      *shape
	root       bool
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
	for _, x := range d.edits {
		e.replace(start+x.start-d.start, start+x.end-d.start, x.text)
	}
	e.i, e.checked = start+n, start+n
	e.n += d.n
	return true
}

// value goes through a value or a part of one.
func (e *engine) value(m *marks, s *shape, p *progress, root bool) {
	why := m.isAll()
	if s.isSensitive() {
		why = first(why, reasonSchema)
	}
	if p.covers() {
		why = first(why, reasonRule)
	}
	switch {
	case why != 0:
		e.hideAll(why, s, root)
		return
	case m == nil && !s.hides() && p == nil:
		e.skip()
		return
	}
	switch e.text[e.i] {
	case 'n':
		e.skip()
	case '[':
		if m != nil && m.any == nil { // marks of an object
			e.hideAll(reasonMarked, s, false)
			return
		}
		n := e.index.Len(e.i)
		e.list(func(i int) {
			part := m.element(i, n)
			e.shown(m, part)
			e.value(part, s.element(), p, false)
		})
	case '{':
		if m != nil && m.any != nil { // marks of a list
			e.hideAll(reasonMarked, s, root)
			return
		}
		if p == nil && e.Report == nil {
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
				e.shown(m, part)
			}
			e.value(part, s.member(name), p.inName(name), false)
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
		}
	}
}

// shown takes note that a part of something partly sensitive is public.
func (e *engine) shown(m, part *marks) {
	if !e.learning || m == nil || part != nil {
		return
	}
	value := e.text[e.i:e.index.End(e.i)]
	e.work += len(value)
	whole := maphash.Bytes(e.seed, value)
	if _, ok := e.public[whole]; ok {
		return
	}
	e.public[whole] = struct{}{}
	leaves(value, func(token []byte, name bool) {
		if !name {
			e.public[maphash.Bytes(e.seed, token)] = struct{}{}
		}
	})
}

func (e *engine) place() Place {
	return Place{Address: e.cx.address, Type: e.cx.typ, Path: e.names}
}

// hide hides the value from start on, which has been skipped.
func (e *engine) hide(start int, why reason) {
	e.i = start
	e.hideAll(why, nil, false)
}

// hideAll writes the current value with nothing left of it but its kind, and the
// length of arrays. Names stay if they are those of attributes, as
// those of a root are. While learning, a hidden value becomes a known secret.
func (e *engine) hideAll(why reason, s *shape, root bool) {
	if e.learning {
		start := e.skip()
		if why < reasonFlow {
			e.learn(e.text[start:e.i])
		}
		return
	}
	switch c := e.text[e.i]; c {
	case '[':
		e.list(func(int) { e.hideAll(why, s.element(), false) })
	case '{':
		if root || s.isObject() {
			e.members(func(_, name []byte) {
				e.enterName(name)
				e.hideAll(why, s.member(name), false)
				e.leave()
			})
			return
		}
		start := e.skip()
		if !isEmpty(e.text[start:e.i]) {
			e.put(start, "{}", why)
		}
	default:
		start := e.skip()
		switch token := e.text[start:e.i]; {
		case c == 'n':
		case c == '"':
			if !bytes.Equal(token, e.quoted) && len(token) > 2 {
				e.put(start, string(e.quoted), why)
			}
		case c == 't', c == 'f':
			if c == 't' {
				e.put(start, "false", why)
			}
		default:
			if string(token) != "0" {
				e.put(start, "0", why)
			}
		}
	}
}

// isEmpty reports whether an object has no members.
func isEmpty(object []byte) bool { return len(bytes.TrimSpace(object[1:len(object)-1])) == 0 }

// companion goes through what says of another value which parts of it are
// unknown or sensitive.
func (e *engine) companion(t typeID, m *member, cx *context) {
	if e.learning {
		e.skip()
		return
	}
	at := 0
	if m.name == "after_unknown" || m.name == "after_sensitive" {
		at = 1
	}
	marks := e.marksOf(cx, at)
	if e.blind || cx.closed != 0 {
		marks = newMarks([]source{{allMark, reasonClosed}}, 100)
	}
	sensitive := m.name != "after_unknown" && m.name != "config_unknown"
	e.keys(marks, cx.shape, cx.rules, sensitive, cx.block != "")
}

// keys goes through a companion, and hides the keys of sensitive objects. What
// says that it is must not say less then.
func (e *engine) keys(m *marks, s *shape, p *progress, sensitive, root bool) {
	e.keysBelow(m, s, p, sensitive, root)
	e.passQuietly(e.i)
}

func (e *engine) keysBelow(m *marks, s *shape, p *progress, sensitive, root bool) {
	hidden := m.isAll() != 0 || s.isSensitive() || p.covers()
	if m == nil && !s.hides() && p == nil {
		e.skip()
		return
	}
	switch e.text[e.i] {
	case '[':
		hidden = hidden || m != nil && m.any == nil
		if hidden {
			m = newMarks([]source{{allMark, reasonMarked}}, 100)
		}
		n := e.index.Len(e.i)
		e.list(func(i int) { e.keysBelow(m.element(i, n), s.element(), p, sensitive, false) })
	case '{':
		hidden = hidden || m != nil && m.any != nil
		if hidden && !root && !s.isObject() {
			start := e.skip()
			object := e.text[start:e.i]
			switch {
			case isEmpty(object):
			case sensitive && bytes.Contains(object, []byte("true")):
				e.putQuietly(start, "true")
			default:
				e.putQuietly(start, "{}")
			}
			return
		}
		if hidden {
			m = newMarks([]source{{allMark, reasonMarked}}, 100)
		}
		e.members(func(_, name []byte) {
			e.keysBelow(m.member(name), s.member(name), p.inName(name), sensitive, false)
		})
	default:
		e.skip()
	}
}

// steps goes through a path into a value, an array of steps. Steps into what is
// sensitive are hidden, and elements of sets, which stand for themselves, if
// anything in the object is.
func (e *engine) steps(m *marks, s *shape, p *progress) {
	if e.text[e.i] != '[' {
		e.hide(e.skip(), reasonClosed)
		return
	}
	some := m != nil || s.hides() || p != nil
	var inside reason
	e.list(func(i int) {
		inside = first(inside, m.isAll())
		if s.isSensitive() {
			inside = first(inside, reasonSchema)
		}
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
			m, s, p = m.member([]byte(name)), s.member([]byte(name)), p.in(name)
			return
		}
		m, s = m.element(0, -1), s.element()
	})
	e.pass(e.i)
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
