// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import "iter"

// An event is something that the engine has come to in a piece of a document. Which of its
// fields are set is said at the kinds.
type event struct {
	kind       eventKind
	typ        typeID   // of the object, or of the one around the value
	member     *member  // that has the value
	cx         *context // of the object or the value
	start, end int      // the span in the piece

	why   reason // why the value is hidden
	shape *shape // of the value
	root  bool   // the value is that of all attributes of an instance, whose names stay
}

// An eventKind is what an engine comes to.
// Its values include [eventName], [eventHidden] and [eventEnd].
type eventKind uint8

const (
	// eventObject comes before the members of an object that says something of itself: an
	// instance, a change, a sensitive output. It has its type and context, in which the
	// answer is written; more is in engine.said.
	eventObject eventKind = iota

	// eventName is the name of a member, at the span, whose value comes next. It has no member
	// if the name is the document's own, or one that no type knows.
	eventName

	// eventValue comes before a value that marks, a schema and rules may hide.
	eventValue

	// eventRepeat is such a value, at the span, that is the same as engine.previous.
	eventRepeat

	// eventHidden is a value, or a part of one, at the span, that is to be hidden. It has the
	// reason, and a shape if names of attributes stay.
	eventHidden

	// eventPublic is a part, at the span, of something partly sensitive that is not marked.
	eventPublic

	// eventPlace is a setting of terraform_remote_state, at the span, that names a place. It
	// has the shape.
	eventPlace

	// eventKeys is something, at the span, that has the keys of a value: what says which parts
	// of it are unknown or sensitive, and the type of an output. It has member and context.
	eventKeys

	// eventVariable is the value of a variable of the root module, at the span, before the
	// configuration is known. It has the context.
	eventVariable

	// eventEnd comes after a value, at the span, with its member, if a type knows it, the type of
	// the object and the context. Of a member that has objects there is none.
	eventEnd
)

// A piece is a value of a document that is gone through at once.
type piece struct {
	text   []byte  // valid JSON without duplicate members
	at     int64   // where it begins in the document
	typ    typeID  // of the object around it
	member *member // that has it, or nil if no type knows that
	isItem bool    // it is one of the member's objects
	cx     *context
}

// A pass goes once through a document: it learns what the document says of its objects, or
// writes the document without what must be hidden. It is a loop over the events of each piece.
type pass interface {
	// piece returns what to write for a piece, in parts: none if it stays.
	piece(p piece) (parts [][]byte, err error)

	// member returns what to write for the name of a member of an object that is gone
	// through member by member; own says that it is the document's own.
	member(token []byte, name string, own bool) string
}

// events returns an iterator over what is in a piece, in its order. When an event comes, the
// engine has gone past its span, or is at the value that comes next. If the piece is found to
// be at fault, the events end and failed says why.
func (e *engine) events(p piece) iter.Seq[event] {
	return func(yield func(event) bool) {
		e.cursor.begin(p.text)
		e.location.start(p.text)
		e.yield, e.previous, e.failed = yield, previousValue{}, nil
		defer func() {
			if r := recover(); r != nil {
				f, ok := r.(*fault)
				if !ok {
					panic(r)
				}
				e.failed = f
			}
		}()
		switch {
		case p.member == nil:
			e.unknownMember()
		case p.isItem:
			e.item(p.member, p.cx)
		default:
			e.known(p.typ, p.member, p.cx)
		}
	}
}

// emit hands an event to the loop.
func (e *engine) emit(ev event) {
	if !e.yield(ev) {
		panic(&fault{at: e.i}) // the loop has ended
	}
}

// hide says that the value from start on is hidden, which has been skipped. Nothing is left
// of it but its kind, and the length of arrays.
func (e *engine) hide(start int, why reason) {
	e.emit(event{kind: eventHidden, start: start, end: e.i, why: why})
}

// hideValue skips the value at hand and says that it is hidden. Names stay if they are those
// of attributes, as those of a root are.
func (e *engine) hideValue(why reason, s *shape, root bool) {
	start := e.skip()
	e.emit(event{kind: eventHidden, start: start, end: e.i, why: why, shape: s, root: root})
}

// A fault is an error at an offset of the piece.
type fault struct {
	at    int
	cause error
}

func (f *fault) Error() string { return f.cause.Error() }
