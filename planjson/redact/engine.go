// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"fmt"
	"hash/maphash"
	"strconv"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/planjson"
)

// An engine goes once through a document, piece by piece, as the table of
// members says, in a phase: it learns what the document says of its objects, or
// writes the document without what must be hidden. Each byte is looked at a
// bounded number of times.
type engine struct {
	*Redactor
	*facts
	cursor
	location
	phase phase
	heading

	cx       *context // of the value at hand
	contexts []*context
	used     int // how many of the contexts hold
	layouts  layouts
	before   done
	around   attributes // of the value at hand

	types, modes, providerNames lastText

	all    *jsonscan.Index // of all of the document, if all of it is at hand
	unique bool            // no object in it has duplicate members
	window []byte          // to read into, each time that the document is read
}

// A phase is what an engine does with what it comes to.
type phase interface {
	begin()        // a piece
	end() [][]byte // of a piece: what to write for it, in parts, if not the same

	// isFirst reports whether nobody has checked the document before.
	isFirst() bool

	// item reports whether an object need not be gone through, which begins at a place of
	// the document. It returns what to write for it then.
	item(text []byte, at int64, t typeID) (parts [][]byte, known bool)

	// configuration reports whether it takes the configuration, which is then not
	// gone through now.
	configuration(text func() []byte) (bool, error)

	// closed returns why all values are hidden, or 0.
	closed() reason

	// hide hides the value at hand, and goes past it. Nothing is left of it but its
	// kind, and the length of arrays. Names stay if they are those of
	// attributes, as those of a root are.
	hide(why reason, s *shape, root bool)

	copy(end int) // marks the text up to end as checked: it is written unchanged
	pass(end int) // marks the text up to end as checked, without its known secrets

	fixed(start int)                                   // a value of verdictFixed that has been skipped
	address(m *member, start int)                      // one of verdictAddress
	references(module string, start int)               // references of the configuration, which have been skipped
	companion(t typeID, m *member, cx *context)        // what says of another value which parts are unknown or sensitive
	keys(m *marks, s *shape, p *progress)              // the type of an output, which has its keys
	identity(start int)                                // an identity that has been gone through
	variable(cx *context)                              // the value of a variable of the root module
	extra(token []byte)                                // the value of a member that no type knows, and its name
	rename(token []byte)                               // the name of the member whose value is at hand
	member(token []byte, name string, own bool) string // a name of an object that is gone through member by member
	shown(m, part *marks)                              // a public part of something partly sensitive
	repeat(d *done)                                    // a value that is the same as the one before
	remotePlace(start int, host bool)                  // a setting of terraform_remote_state that names a place, which has been skipped

	unknown(cx *context) (hidden bool) // a value of a resource without a schema

	sensitiveOutput(address string)
	instance(c *context, t typeID, of instanceFacts)
	change(c *context, of changeFacts)
}

// A fault is an error at an offset of the piece.
type fault struct {
	at    int
	cause error
}

func (f *fault) Error() string { return f.cause.Error() }

func newEngine(r *Redactor, t typeID, streamed bool) *engine {
	e := &engine{Redactor: r, facts: newFacts(r), heading: heading{document: t, streamed: streamed}, location: location{asked: r.Report != nil}}
	e.cursor.meter = &e.facts.meter
	return e
}

// piece goes through one value of a document and returns the text to write
// for it, in parts: none if nothing is replaced. The text is valid JSON without
// duplicate members.
func (e *engine) piece(text []byte, m *member, at typeID, cx *context) (parts [][]byte, err error) {
	return e.do(text, func() { e.known(at, m, cx) })
}

// itemPiece is piece for an object in a list or by name.
func (e *engine) itemPiece(text []byte, m *member, cx *context) ([][]byte, error) {
	return e.do(text, func() { e.item(m, cx) })
}

// hashOfItem returns the hash of the text of an object, if that is read again and may not be
// the same then.
func (e *engine) hashOfItem(text []byte) uint32 {
	if e.all != nil {
		return 0
	}
	return uint32(maphash.Bytes(e.facts.seed, text))
}

// extraPiece is piece for the value of a member that no type knows.
func (e *engine) extraPiece(text []byte) ([][]byte, error) {
	return e.do(text, func() { e.phase.extra(nil) })
}

func (e *engine) do(text []byte, f func()) (parts [][]byte, err error) {
	e.cursor.begin(text)
	e.location.start(text)
	e.before = done{edits: e.before.edits[:0]}
	e.phase.begin()
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(*fault)
			if !ok {
				panic(r)
			}
			err = f
		}
	}()
	f()
	return e.phase.end(), nil
}

// hide hides the value from start on, which has been skipped.
func (e *engine) hide(start int, why reason) {
	e.i = start
	e.phase.hide(why, nil, false)
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
	switch m.verdict {
	case verdictPublic:
		e.skip()
	case verdictFixed:
		start := e.skip()
		e.phase.fixed(start)
		if t == e.document && m.name == "format_version" {
			e.version = text(e.text[start:e.i])
		}
	case verdictAddress:
		start := e.skip()
		e.phase.address(m, start)
	case verdictText:
		e.message(t, m, cx)
	case verdictMark:
		e.phase.companion(t, m, cx)
	case verdictValue:
		e.around.begin(e.text, e.i, rootName(m, cx))
		e.judge(t, m, cx)
	case verdictRecurse:
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
	default: // a verdict without code
		e.hide(e.skip(), reasonClosed)
	}
	if m.verdict != verdictRecurse {
		e.phase.pass(e.i)
		e.around.end()
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
			e.i, e.hint, e.hintEnd = s.at, s.at, s.end
			next = e.objectMember(t, cx, e.text[s.name:s.nameEnd], next)
		}
		e.spans = e.spans[:from]
		e.i = jsonscan.Space(e.text, e.i) + 1
	default:
		if cx.address != "" {
			e.address = cx.address
		}
		next := 0
		e.members(func(token, _ []byte) { next = e.objectMember(t, cx, token, next) })
	}
	e.address = outer
	e.release(used)
}

// objectMember goes through the value of a member of an object of a type, and
// returns the number of the member that most likely comes next.
func (e *engine) objectMember(t typeID, cx *context, token []byte, next int) int {
	m, next := objectTypes[t].lookupToken(token, next)
	if m == nil {
		e.phase.extra(token)
		return next
	}
	e.phase.copy(e.i)
	e.enter(m.name)
	e.known(t, m, cx)
	e.leave()
	return next
}

// items goes through the objects in an object whose names are the document's own.
func (e *engine) items(m *member, cx *context) {
	e.members(func(token, name []byte) {
		e.phase.rename(token)
		e.enterName(name)
		used := e.used
		e.item(m, e.named(m.child, string(name), cx))
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
	case e.phase.closed() != 0:
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
