// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"errors"
	"iter"
	"reflect"
	"slices"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// Extra returns an iterator over the members of the object with source s that
// t does not know, in the order of the text. A name that occurs twice comes
// twice. There are none if s or t is nil.
func Extra[V ~[]byte](s *Source, t *Table) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		if s == nil || t == nil || s.doc == nil || s.seen&seenExtra == 0 {
			return
		}
		x := cursor{doc: s.doc, text: s.doc.text, i: int(s.start)}
		var err error
		defer x.catch(&err) // of a text that was changed in place
		x.eachMember(func(tok []byte) bool {
			name := unquote(tok)
			start := x.i
			x.skip()
			if t.lookup(name) >= 0 {
				return true
			}
			return yield(string(name), V(x.text[start:x.i:x.i]))
		})
	}
}

// Causes of a failed SetExtra.
var (
	ErrKnown   = errors.New("not an extra member: the type has a field for it")
	ErrNoExtra = errors.New("the object takes no extra members")
)

// SetExtra sets the extra member with this name to the raw value v, or removes
// it if v is nil. The object with source s gets a text of its own; nothing else
// in it changes. Of several members with the same name the last is set, or all
// are removed. A new member comes last. It fails if t is nil.
func SetExtra(s *Source, t *Table, name string, v []byte) error {
	if s == nil {
		return &Error{Err: ErrAbsent}
	}
	if t == nil {
		return &Error{Pointer: "/" + jsonscan.EscapePointer(name), Err: ErrNoExtra}
	}
	if _, known := t.ready().index[name]; known {
		return &Error{Pointer: "/" + jsonscan.EscapePointer(name), Err: ErrKnown}
	}
	if v != nil {
		if at, fault := jsonscan.Document(v); fault != jsonscan.OK {
			return &Error{Pointer: "/" + jsonscan.EscapePointer(name), Err: &rawError{at, fault}}
		}
	}
	if s.doc == nil {
		if v == nil {
			return nil
		}
		// A text without members; the object's are added when it is encoded.
		*s = Source{doc: &document{[]byte("{}\n")}, end: 2, seen: seenMade}
	}
	return s.setExtra(t, name, v)
}

func (s *Source) setExtra(t *Table, name string, v []byte) (err error) {
	var e Encoder
	defer e.catch(&err)
	e.open(s)
	whole := s.whole()
	if whole {
		e.copied = 0
	}
	last := 0 // the offset of the value that is to be replaced
	e.eachMember(func(tok []byte) bool {
		if string(unquote(tok)) == name {
			last = e.i
		}
		e.skip()
		return true
	})
	if last == 0 && v == nil {
		return nil
	}
	e.i = int(s.start)
	var sep separator
	e.beginItems(&sep)
	for more := e.peek() != '}'; more; more = e.after(&sep, '}') {
		at := e.i
		tok := e.anyName()
		e.colon = byteRange{at, e.i}
		value := e.i
		e.skip()
		switch {
		case v == nil && string(unquote(tok)) == name:
			e.drop(&sep, e.i)
		case value == last:
			e.survive(&sep, at)
			e.flush(value)
			e.out = append(e.out, v...)
			e.copied = e.i
		default:
			e.survive(&sep, at)
		}
	}
	if last == 0 {
		e.insert(&sep, -1)
		e.quote(name)
		e.colonAfterName()
		e.out = append(e.out, v...)
	}
	e.endItems(&sep, '}')
	e.flush(e.i)
	end := len(e.out)
	if whole {
		e.flush(len(e.text))
	}
	if uint64(len(e.out)) > maxText {
		return errTooLarge
	}
	made := Source{doc: &document{e.out}, end: uint32(end)}
	if whole {
		made.start = s.start
	}
	made.seen = s.seen
	made.rescan(t)
	*s = made
	return nil
}

// rescan sets seen from the text.
func (s *Source) rescan(t *Table) {
	x := cursor{text: s.doc.text, i: int(s.start)}
	s.seen &= seenMade
	x.eachMember(func(tok []byte) bool {
		switch k := t.lookup(unquote(tok)); {
		case k < 0:
			s.seen |= seenExtra
		case s.seen&(1<<k) != 0:
			s.seen |= seenTwice
		default:
			s.seen |= 1 << k
		}
		x.skip()
		return true
	})
}

// Placed returns an error about a member of the object with source s.
func Placed(s *Source, pointer string, err error) error {
	line, column, _ := s.Position()
	return &Error{Line: line, Column: column, Pointer: pointer, Err: err}
}

// SortedKeys returns the keys of a map from strings, sorted.
func SortedKeys(m reflect.Value) []string {
	keys := make([]string, 0, m.Len())
	for _, key := range m.MapKeys() {
		keys = append(keys, key.String())
	}
	slices.Sort(keys)
	return keys
}
