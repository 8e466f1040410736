// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"
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
func (r Redactor) run(t typeID, streamed bool, w io.Writer, open func() (io.Reader, []byte, error)) (n int, out []byte, err error) {
	e := &engine{Redactor: &r, facts: newFacts(&r), document: t, streamed: streamed}
	if err := e.look(t, open); err != nil {
		return 0, nil, err
	}
	if err := e.checkDocument(); err != nil {
		return 0, nil, err
	}
	e.secrets = knowntext.New(e.allSecrets())
	c, err := e.copier(w, open)
	if err != nil {
		return 0, nil, err
	}
	c.keeps = w == nil
	err = c.document(e, t)
	if r.worked != nil {
		*r.worked = e.work
	}
	return e.n, c.out, err
}

// checkDocument refuses a document that comes from a reader, whose caller cannot look at
// it first, if it is of another kind, or its format of a major version that is not known.
func (e *engine) checkDocument() error {
	if !e.streamed {
		return nil
	}
	var err error
	if e.document == typeState {
		var s *planjson.State
		if s, err = planjson.DecodeState(e.outline()); err == nil {
			err = planjson.CheckVersion(s)
		}
	} else {
		var p *planjson.Plan
		if p, err = planjson.DecodePlan(e.outline()); err == nil {
			err = planjson.CheckVersion(p)
		}
	}
	if at := new(planjson.Error); errors.As(err, &at) { // which is a place in the outline
		return &planjson.Error{Pointer: at.Pointer, Err: at.Err}
	}
	return err
}

// maxOutline is how many members of a document are noted. None has so many.
const maxOutline = 100

// noteMember takes note of a member of the document, and of the byte that its value
// begins with.
func (e *engine) noteMember(name string, b byte) {
	if len(e.top) < maxOutline && (e.blind || e.learning && !e.second) {
		e.top = append(e.top, topMember{name, b})
	}
}

// A topMember is a member of the document: its name, and the first byte of its value.
type topMember struct {
	name  string
	first byte
}

// outline returns the document with its version and nothing in its other members, which is
// enough to tell what kind it is of.
func (e *engine) outline() []byte {
	text := []byte{'{'}
	for i, m := range e.top {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(text, quote(m.name)...), ':')
		if m.name == "format_version" && m.first == '"' {
			text = append(text, quote(e.version)...)
			continue
		}
		switch m.first {
		case '{':
			text = append(text, "{}"...)
		case '[':
			text = append(text, "[]"...)
		case '"':
			text = append(text, `""`...)
		case 't':
			text = append(text, "true"...)
		case 'f':
			text = append(text, "false"...)
		case 'n':
			text = append(text, "null"...)
		default:
			text = append(text, '0')
		}
	}
	return append(text, '}')
}

// look learns what a document says of its objects. It reads the document again
// if values came before the marks that hold for them.
func (e *engine) look(t typeID, open func() (io.Reader, []byte, error)) error {
	e.learning = true
	for range 2 {
		c, err := e.copier(nil, open)
		if err != nil {
			return err
		}
		if err := c.document(e, t); err != nil {
			return err
		}
		if err := e.finish(); err != nil {
			return err
		}
		if e.second = true; !e.again || e.OnlyMarked {
			break
		}
	}
	e.learning = false
	return nil
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
	e := &engine{Redactor: &r, facts: newFacts(&r), blind: true, streamed: true, document: t}
	e.why = make(map[string]reason)
	err := newCopier(w, src, nil).document(e, t)
	if err == nil {
		err = e.checkDocument()
	}
	if r.worked != nil {
		*r.worked = e.work
	}
	return e.n, err
}

// document goes through a document of a type.
func (c *copier) document(e *engine, t typeID) error {
	if c.space() == 'n' {
		return c.fault(c.i, fmt.Errorf("%w: expected an object, found null", planjson.ErrKind))
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
	m := &member{verdict: verdictRecurse, nest: anObject, child: t}
	return c.value(e, func(text []byte) ([][]byte, error) {
		if t == typeOutputs {
			o, err := planjson.DecodeOutputs(text)
			if err != nil {
				return nil, err
			}
			if o.Outputs == nil && o.Value != nil {
				m = &member{verdict: verdictValue}
				if e.Keep&SingleOutput != 0 {
					m.verdict = verdictPublic
				}
			}
		}
		if t == typeConfig && e.learning {
			return nil, e.configure(c.lasting(text))
		}
		return e.piece(text, m, typeNone, new(context))
	})
}

// configure takes note of the configuration.
func (e *engine) configure(text []byte) (err error) {
	e.indexed = false // it is gone through when all of the document is known
	e.configText = text
	e.config, err = planjson.DecodeConfig(text)
	return err
}

// lasting returns a text that stays when c reads on.
func (c *copier) lasting(text []byte) []byte {
	if c.r == nil {
		return text
	}
	return bytes.Clone(text)
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
		m := &member{verdict: verdictRecurse, nest: anObject, child: t}
		return c.value(e, func(text []byte) ([][]byte, error) { return e.piece(text, m, typeNone, cx) })
	}
	if c.space() != '{' {
		return c.other("an object")
	}
	table, next, top := &objectTypes[t], 0, t == e.document
	return c.members(e, false, func(name string) error {
		if top && c.i < len(c.buf) {
			e.noteMember(name, c.buf[c.i])
		}
		var m *member
		if m, next = table.lookup([]byte(name), next); m == nil {
			return c.value(e, e.extraPiece)
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
				return c.item(e, m, e.named(m.child, name, cx))
			})
		case m.child == typeConfig && e.learning:
			return c.value(e, func(text []byte) ([][]byte, error) { return nil, e.configure(c.lasting(text)) })
		}
		return c.value(e, func(text []byte) ([][]byte, error) { return e.piece(text, m, t, cx) })
	})
}

// item goes through an object in a list or by name.
func (c *copier) item(e *engine, m *member, cx *context) error {
	if isStreamed(m.child) && c.space() == '{' {
		return c.typed(e, m.child, cx)
	}
	return c.value(e, func(text []byte) ([][]byte, error) {
		if e.learning && e.second && e.isLearned(text, m.child) {
			return nil, nil
		}
		return e.itemPiece(text, m, cx)
	})
}

// value goes through the next value and reads all of it.
func (c *copier) value(e *engine, by func(text []byte) ([][]byte, error)) error {
	return c.replace(func(text []byte) ([][]byte, error) {
		isFirst := e.learning && !e.second || e.blind
		if isFirst {
			e.noteNumbers(text)
		}
		if e.indexed = c.whole != nil; e.indexed {
			c.whole.Of(text, c.i)
			e.index = c.whole
		} else if isFirst && c.repeats.Index(text, &e.own) {
			e.index, e.indexed = &e.own, true
			return by(text)
		}
		if isFirst && !c.unique && c.repeats.In(text) {
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
