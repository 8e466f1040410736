// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/knowntext"
	"github.com/tofuwire/tofuwire/internal/wire"
	"github.com/tofuwire/tofuwire/planjson"
)

// run redacts a document of a type. It is read twice or three times: what is
// sensitive is learned first, and nothing is written of a document that is not
// valid. If w is nil, run returns the document instead of writing it.
func (r Redactor) run(t typeID, streamed bool, w io.Writer, open func() (io.Reader, []byte, error)) (int, []byte, error) {
	e, out, err := r.redacted(t, streamed, w, open)
	if e == nil {
		return 0, nil, err
	}
	return e.n, out, err
}

// redacted is run that returns the engine, which knows the secrets.
func (r Redactor) redacted(t typeID, streamed bool, w io.Writer, open func() (io.Reader, []byte, error)) (*engine, []byte, error) {
	e := newEngine(&r, t, streamed)
	if err := e.look(t, open); err != nil {
		return nil, nil, err
	}
	if err := cmp.Or(e.heading.check(), e.checkSchemas()); err != nil {
		return nil, nil, err
	}
	e.write()
	c, err := e.copier(w, open)
	if err != nil {
		return nil, nil, err
	}
	c.keeps = w == nil
	err = c.document(e, t)
	if r.worked != nil {
		*r.worked = e.work
	}
	return e, c.out, err
}

// look learns what a document says of its objects. It reads the document again
// if values came before the marks that hold for them.
func (e *engine) look(t typeID, open func() (io.Reader, []byte, error)) error {
	l := &learner{engine: e}
	e.pass = l
	for range 2 {
		c, err := e.copier(nil, open)
		if err != nil {
			return err
		}
		if err := c.document(e, t); err != nil {
			return err
		}
		if err := l.finish(); err != nil {
			return err
		}
		if e.isFirst = false; !e.again || e.OnlyMarked {
			break
		}
	}
	return nil
}

// write begins the pass that writes the document. What only the learner needs is given up.
func (e *engine) write() {
	e.secrets = knowntext.New(e.knownSecrets())
	e.visits, e.learned = nil, nil
	e.pass = &writer{engine: e, plain: e.plainTexts()}
}

// copier returns a copier of the document. A text that is at hand was encoded and
// is valid; the first time it is searched once for all that is asked for later.
func (e *engine) copier(w io.Writer, open func() (io.Reader, []byte, error)) (*copier, error) {
	src, text, err := open()
	if err != nil {
		return nil, err
	}
	if src == nil && e.all == nil {
		e.all = new(jsonscan.Index)
		if e.unique = new(wire.Repeats).Index(text, e.all); !e.unique {
			e.all.Make(text, jsonscan.Space(text, 0))
		}
	}
	c := newCopier(w, src, text)
	c.whole, c.unique = e.all, e.unique
	if src != nil {
		if e.window == nil {
			e.window = make([]byte, 0, copyWindow)
		}
		c.buf = e.window[:0]
	}
	return c, nil
}

// runBlind redacts a document that can be read only once: whatever the rest of
// it may call sensitive is hidden.
func (r Redactor) runBlind(t typeID, w io.Writer, src io.Reader) (int, error) {
	e := newEngine(&r, t, true)
	e.why = make(map[string]reason)
	e.blind, e.pass = true, &blindWriter{writer{engine: e}}
	err := newCopier(w, src, nil).document(e, t)
	if err == nil {
		err = cmp.Or(e.heading.check(), e.checkSchemas())
	}
	if r.worked != nil {
		*r.worked = e.work
	}
	return e.n, err
}

// document goes through a document of a type.
func (c *copier) document(e *engine, t typeID) error {
	switch c.space() {
	case '{':
	case 'n':
		return c.fault(c.i, fmt.Errorf("%w: expected an object, found null", planjson.ErrKind))
	default:
		// Some other text, such as UTF-16 or a saved plan, is named as the decoders do.
		for len(c.buf)-c.i < 4 {
			if more, err := c.fill(); err != nil || !more {
				break
			}
		}
		if i, fault := jsonscan.Value(c.buf, c.i, jsonscan.MaxDepth); fault != 0 && i == c.i {
			return c.fault(i, fault)
		}
	}
	var err error
	if t == typeConfig || t == typeOutputs {
		err = c.single(e, t)
	} else {
		err = c.typed(e, t, new(context))
	}
	if err != nil {
		return err
	}
	c.space()
	if c.i < len(c.buf) {
		if err := e.heading.check(); errors.Is(err, planjson.ErrKind) {
			return err // it is a stream of messages, say
		}
		return c.fault(c.i, jsonscan.FaultTrailing)
	}
	if c.err != nil && c.err != io.EOF {
		return c.err
	}
	if c.keeps && c.out == nil { // nothing was replaced
		c.out = c.buf
		return nil
	}
	if err := c.flush(); err != nil {
		return err
	}
	return c.write()
}

// single goes through a document that is one piece.
func (c *copier) single(e *engine, t typeID) error {
	p := piece{member: &member{verdict: verdictRecurse, nest: anObject, child: t}, cx: new(context)}
	return c.value(e, func(text []byte) ([][]byte, error) {
		p.text = text
		if t == typeOutputs {
			o, err := planjson.DecodeOutputs(text)
			if err != nil {
				return nil, err
			}
			if o.Outputs == nil && o.Value != nil {
				p.member = &member{verdict: verdictValue}
				if e.Keep&SingleOutput != 0 {
					p.member.verdict = verdictPublic
				}
			}
		}
		return e.pass.piece(p)
	})
}

// isStreamed reports whether objects of a type are gone through member by
// member, because they can be as large as the document.
func isStreamed(t typeID) bool {
	switch t {
	case typePlan, typeState, typeValues, typeModule, typeRendererPlan, typeRendererState:
		return true
	}
	return false
}

// typed goes through an object of a type whose members are pieces.
func (c *copier) typed(e *engine, t typeID, cx *context) error {
	if !isStreamed(t) {
		return c.piece(e, piece{member: &member{verdict: verdictRecurse, nest: anObject, child: t}, cx: cx})
	}
	if c.space() != '{' {
		return c.other("an object")
	}
	table, next, top := &objectTypes[t], 0, t == e.document
	return c.members(e, false, func(name string) error {
		if top && c.i < len(c.buf) && e.isFirst {
			e.noteMember(name, c.buf[c.i])
		}
		var m *member
		if m, next = table.lookup([]byte(name), next); m == nil {
			return c.piece(e, piece{cx: cx})
		}
		switch {
		case m.verdict == verdictRecurse && m.nest == anObject && isStreamed(m.child):
			return c.typed(e, m.child, cx)
		case m.verdict == verdictRecurse && m.nest == aList:
			if c.space() != '[' {
				return c.other("an array")
			}
			return c.elements(e, func() error { return c.item(e, m, cx) })
		case m.verdict == verdictRecurse && m.nest == aMap:
			if c.space() != '{' {
				return c.other("an object")
			}
			return c.members(e, true, func(name string) error {
				defer e.release(e.used)
				return c.item(e, m, e.contextOf(m.child, name, cx))
			})
		}
		return c.piece(e, piece{typ: t, member: m, cx: cx})
	})
}

// item goes through an object in a list or by name.
func (c *copier) item(e *engine, m *member, cx *context) error {
	if isStreamed(m.child) && c.space() == '{' {
		return c.typed(e, m.child, cx)
	}
	return c.piece(e, piece{member: m, isItem: true, cx: cx})
}

// piece goes through the next value as a piece.
func (c *copier) piece(e *engine, p piece) error {
	return c.value(e, func(text []byte) ([][]byte, error) {
		p.text, p.at = text, c.base+int64(c.i)
		return e.pass.piece(p)
	})
}

// value goes through the next value and reads all of it.
func (c *copier) value(e *engine, by func(text []byte) ([][]byte, error)) error {
	return c.replace(func(text []byte) ([][]byte, error) {
		if e.isFirst {
			e.noteNumbers(text)
		}
		if e.indexed = c.whole != nil; e.indexed {
			c.whole.Of(text, c.i)
			e.index = c.whole
		} else if e.isFirst && c.repeats.Index(text, &e.own) {
			e.index, e.indexed = &e.own, true
			return by(text)
		}
		if e.isFirst && !c.unique && c.repeats.In(text) {
			return nil, planjson.ErrDuplicate
		}
		return by(text)
	})
}

// other copies a null, and refuses anything else.
func (c *copier) other(want string) error {
	if c.i < len(c.buf) && c.buf[c.i] == 'n' {
		return c.replace(func([]byte) ([][]byte, error) { return nil, nil })
	}
	if c.i == len(c.buf) {
		return c.fault(c.i, jsonscan.FaultEnd)
	}
	return c.fault(c.i, fmt.Errorf("%w: expected %s", planjson.ErrKind, want))
}
