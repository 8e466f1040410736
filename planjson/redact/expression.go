// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/planjson"
)

// expression goes through an argument or a nested block in the configuration.
// Which of the two an object is does not matter: the members that make an
// expression are looked for at every level.
func (e *engine) expression(m *marks, s *shape, cx *context, depth int) {
	switch e.text[e.i] {
	case '[':
		e.list(func(int) {
			part := m.element(0, -1)
			e.expression(part, s.element(), cx, depth)
		})
	case '{':
		e.members(func(token, text []byte) {
			name := string(text)
			switch b := e.text[e.i]; {
			case name == "constant_value":
				e.copy(e.i)
				e.enter(name)
				e.constant(m, s, cx)
				e.pass(e.i)
				e.leave()
			case name == "references" && b == '[' && planjson.Value(e.text[e.i:]).Kind() == planjson.KindArray:
				e.copy(e.i)
				e.skip()
				e.pass(e.i)
			default:
				e.rename(token)
				e.enter(name)
				part, inner := m.member(text), s.member(text)
				if m != nil && m.any != nil { // a list of blocks, of which this is one
					each := m.element(0, -1)
					part = each.member(text)
				}
				if s != nil && !s.object {
					inner = s.each.member(text)
				}
				c := *cx
				c.rules = cx.rules.in(name)
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
		e.pass(e.i)
	}
}

// constant goes through a constant. If a part of its argument is sensitive in
// any instance, all of it is hidden.
func (e *engine) constant(m *marks, s *shape, cx *context) {
	why := cx.closed
	if m != nil {
		why = first(why, reasonElsewhere)
	}
	if s.isSensitive() {
		why = first(why, reasonSchema)
	}
	if cx.rules.covers() {
		why = first(why, reasonRule)
	}
	if cx.judged && why == 0 && !e.isSeen(cx.block, cx.arg, "") {
		why = reasonClosed
	}
	if cx.partly && why == 0 {
		why = e.partWhy(e.text[e.i:jsonscan.ValueEnd(e.text, e.i)])
	}
	if e.blind {
		why = first(why, reasonClosed)
	}
	if why != 0 {
		e.hideAll(why, nil, false)
		return
	}
	start := e.i
	e.cx = cx
	e.value(nil, s, cx.rules, false)
	if e.learning {
		leaves(e.text[start:e.i], func(token []byte, _ bool) {
			if word := string(token); token[0] == '"' && isWord(jsonscan.Unquote(token)) {
				e.words[jsonscan.Unquote([]byte(word))] = true
			}
		})
	}
}

// isWord reports whether a text is too plain to be a secret if it is a public
// constant as well: words with hyphens and the like between them, as in
// us-east-1.
func isWord(s string) bool {
	if len(s) > 40 {
		return false
	}
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune("-_./: ", r) }) {
		letters, digits := 0, 0
		for _, r := range part {
			switch {
			case '0' <= r && r <= '9':
				digits++
			case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
				letters++
			default:
				return false
			}
		}
		if letters > 0 && digits > 1 || digits > 2 {
			return false
		}
	}
	return true
}
