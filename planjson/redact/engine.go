// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"fmt"
	"strconv"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/planjson"
)

// An engine goes through the pieces of a document, as the table of members says, and yields
// what it comes to as events. Each byte is looked at a bounded number of times.
type engine struct {
	*Redactor
	*facts
	cursor
	location
	heading
	pass    pass
	isFirst bool // nobody has checked the document before
	blind   bool // the document can be read only once: all values are hidden

	yield    func(event) bool // of the loop over the piece
	failed   error            // why the events of the piece have ended
	said     objectFacts      // of the object of eventObject
	cx       *context         // of the value at hand
	contexts []*context
	used     int // how many of the contexts hold
	layouts  layouts
	previous previousValue
	around   attributes // of the value at hand

	lastTexts
	reading
}

// lastTexts has the texts of members whose values repeat.
type lastTexts struct{ types, modes, providerNames lastText }

// reading has what one reading of a document leaves for the next.
type reading struct {
	all    *jsonscan.Index // of all of the document, if all of it is at hand
	unique bool            // no object in it has duplicate members
	window []byte          // to read into
}

func newEngine(r *Redactor, t typeID, streamed bool) *engine {
	e := &engine{Redactor: r, facts: newFacts(r), heading: heading{document: t, streamed: streamed}, location: location{asked: r.Report != nil}, isFirst: true}
	e.cursor.meter = &e.facts.meter
	return e
}

// list calls f with the number of each element of the array at hand.
func (e *engine) list(f func(i int)) {
	e.i = jsonscan.Space(e.text, e.i+1)
	for i := 0; e.text[e.i] != ']'; i++ {
		if e.asked {
			e.enter(strconv.Itoa(i))
		}
		f(i)
		e.leave()
		e.i = afterComma(e.text, e.i)
	}
	e.i++
}

// kind panics with a fault if the value at hand cannot be the member's.
func (e *engine) kind(m *member) {
	if b := e.text[e.i]; !m.nest.accepts(b) {
		panic(&fault{e.i, fmt.Errorf("%w: expected %s, found %s", planjson.ErrKind, m.nest, planjson.Value(e.text[e.i:]).Kind())})
	}
}

// known goes through the value of a known member of an object of type t.
func (e *engine) known(t typeID, m *member, cx *context) {
	e.kind(m)
	if e.text[e.i] == 'n' {
		e.i += len("null")
		return
	}
	start := e.i
	switch m.verdict {
	case verdictPublic, verdictAddress:
		e.skip()
	case verdictFixed:
		e.skip()
		if t == e.document && m.name == "format_version" {
			e.version = text(e.text[start:e.i])
		}
	case verdictText:
		e.message(t, m, cx)
	case verdictMark:
		e.skip()
		e.emit(event{kind: eventKeys, typ: t, member: m, cx: cx, start: start, end: e.i})
	case verdictValue:
		e.around.begin(e.text, e.i, rootName(m, cx))
		e.judge(t, m, cx)
	case verdictRecurse:
		e.objects(m, cx)
		return
	default: // a verdict without code
		e.hide(e.skip(), reasonClosed)
	}
	e.end(t, m, cx, start)
}

// end says that the value of a member ends, which began at start.
func (e *engine) end(t typeID, m *member, cx *context, start int) {
	e.emit(event{kind: eventEnd, typ: t, member: m, cx: cx, start: start, end: e.i})
	e.around.end()
}

// objects goes through the object of a member, or its objects.
func (e *engine) objects(m *member, cx *context) {
	switch m.nest {
	case anObject:
		if m.name == "count_expression" || m.name == "for_each_expression" {
			cx = &context{module: cx.module, address: cx.address, rules: cx.rules.in(m.name[:len(m.name)-len("_expression")])}
		}
		e.object(m.child, cx)
	case aList:
		e.list(func(int) { e.item(m, cx) })
	case aMap:
		e.items(m, cx)
	}
}

// item goes through an object in a list or by name.
func (e *engine) item(m *member, cx *context) {
	switch b := e.text[e.i]; {
	case b == 'n':
		panic(&fault{e.i, fmt.Errorf("%w: null", planjson.ErrKind)})
	case m.child == typeExpression:
		e.expression(cx.marks, cx.shape, cx, 0)
	case b == '{':
		e.object(m.child, cx)
	default:
		panic(&fault{e.i, fmt.Errorf("%w: expected an object, found %s", planjson.ErrKind, planjson.Value(e.text[e.i:]).Kind())})
	}
}

// object goes through an object of a type.
func (e *engine) object(t typeID, cx *context) {
	switch t {
	case typeExpression:
		e.expression(cx.marks, cx.shape, cx, 0)
		return
	case typeOutputs:
		e.items(&member{child: typeOutput}, cx)
		return
	}
	outer, from, used := e.address, len(e.spans), e.used
	cx = e.about(t, cx)
	switch {
	case cx.done:
		e.spans = e.spans[:from]
		e.skip()
	case len(e.spans) > from: // about has looked at the members
		if cx.address != "" {
			e.address = cx.address
		}
		next := 0
		for k, n := from, len(e.spans); k < n; k++ {
			s := e.spans[k]
			e.i, e.hint, e.hintEnd, e.nameSpan = s.at, s.at, s.end, span{s.name, s.nameEnd}
			next = e.objectMember(t, cx, next)
		}
		e.spans = e.spans[:from]
		e.i = jsonscan.Space(e.text, e.i) + 1
	default:
		if cx.address != "" {
			e.address = cx.address
		}
		next := 0
		e.members(func([]byte) { next = e.objectMember(t, cx, next) })
	}
	e.address = outer
	e.release(used)
}

// objectMember goes through the value of a member of an object of a type, and
// returns the number of the member that most likely comes next.
func (e *engine) objectMember(t typeID, cx *context, next int) int {
	m, next := objectTypes[t].lookupToken(e.text[e.nameSpan.start:e.nameSpan.end], next)
	e.named(m)
	if m == nil {
		e.unknownMember()
		return next
	}
	e.enter(m.name)
	e.known(t, m, cx)
	e.leave()
	return next
}

// named says that the value of a member comes next.
func (e *engine) named(m *member) {
	e.emit(event{kind: eventName, member: m, start: e.nameSpan.start, end: e.nameSpan.end})
}

// unknownMember goes through the value of a member that no type knows.
func (e *engine) unknownMember() {
	start := e.skip()
	if e.blind || e.Keep&Extra == 0 {
		e.hide(start, reasonClosed)
	}
	e.end(typeNone, nil, nil, start)
}

// items goes through the objects in an object whose names are the document's own.
func (e *engine) items(m *member, cx *context) {
	e.members(func(name []byte) {
		e.named(nil)
		e.enterName(name)
		used := e.used
		e.item(m, e.contextOf(m.child, string(name), cx))
		e.release(used)
		e.leave()
	})
}

// message hides text for people, unless it is to be kept.
func (e *engine) message(t typeID, m *member, cx *context) {
	class := Details
	if t == typeChange {
		class = GeneratedConfig
	}
	start := e.skip()
	switch {
	case e.blind:
		e.hide(start, reasonClosed)
	case cx.unknown:
		e.hide(start, reasonNoSchema)
	case e.Keep&class != 0, t == typeExpressionValue && m.name == "traversal" && !hasKey(e.text[start:e.i]):
	default:
		e.hide(start, reasonClosed)
	}
}

// hasKey reports whether a traversal has an index, which can be the key of a
// sensitive map.
func hasKey(token []byte) bool {
	for _, b := range token {
		if b == '[' || b == '\\' {
			return true
		}
	}
	return false
}
