// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"sync"

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
		x := Codec{doc: s.doc, text: s.doc.text, i: int(s.start)}
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

// unquote returns what a name's token means.
func unquote(tok []byte) []byte {
	if raw := tok[1 : len(tok)-1]; jsonscan.IndexByte(raw, '\\') < 0 {
		return raw
	}
	return jsonscan.AppendUnquote(nil, tok)
}

// eachMember calls member for each member of the object at i, with i at its
// value, which member must move behind, until member returns false.
func (x *Codec) eachMember(member func(name []byte) bool) {
	x.i++
	x.space()
	if x.peek() == '}' {
		x.i++
		return
	}
	for member(x.anyName()) && x.more('}', jsonscan.FaultObject) {
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
	if t == nil {
		return &Error{Pointer: "/" + jsonscan.EscapePointer(name), Err: ErrNoExtra}
	}
	if _, known := t.index[name]; known {
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
	var x Codec
	defer x.catch(&err)
	x.open(s)
	x.mode = walking
	whole := s.whole()
	if whole {
		x.copied = 0
	}
	last := 0 // the offset of the value that is to be replaced
	x.eachMember(func(tok []byte) bool {
		if string(unquote(tok)) == name {
			last = x.i
		}
		x.skip()
		return true
	})
	if last == 0 && v == nil {
		return nil
	}
	x.i = int(s.start)
	var sep separator
	x.beginItems(&sep)
	for more := x.peek() != '}'; more; more = x.after(&sep, '}') {
		at := x.i
		tok := x.anyName()
		x.colon = span{at, x.i}
		value := x.i
		x.skip()
		switch {
		case v == nil && string(unquote(tok)) == name:
			x.drop(&sep, x.i)
		case value == last:
			x.survive(&sep, at)
			x.flush(value)
			x.out = append(x.out, v...)
			x.copied = x.i
		default:
			x.survive(&sep, at)
		}
	}
	if last == 0 {
		x.insert(&sep, -1)
		x.out = jsonscan.AppendQuote(x.out, name, !x.plain)
		x.writeColon()
		x.out = append(x.out, v...)
	}
	x.endItems(&sep, '}')
	x.flush(x.i)
	end := len(x.out)
	if whole {
		x.flush(len(x.text))
	}
	if uint64(len(x.out)) > maxText {
		return errTooLarge
	}
	made := Source{doc: &document{x.out}, end: uint32(end)}
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
	x := Codec{text: s.doc.text, i: int(s.start)}
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

// Clone decodes the text of an object anew, with a text of its own, into a new
// object of the same type. Both are given by their member functions. It reports
// whether the object could be encoded.
func Clone(from, to func(*Codec)) bool {
	x := Borrow()
	text, err := Append(x, nil, &from, call)
	if err != nil {
		return false
	}
	text = slices.Clip(text)
	lent := ""
	if len(text) <= smallText {
		lent = string(text) // cheaper than each string for itself
	}
	if _, err = x.DecodeLenient(text, lent, to); err != nil {
		return false
	}
	x.Return()
	return true
}

// codecs keeps codecs, which are cheap to use again: they know in which order the
// members of objects come.
var codecs = sync.Pool{New: func() any { return new(Codec) }}

// Borrow returns a codec that may have been used for other texts. Give it back with
// [Codec.Return] when it is not needed any more, but not after an error.
func Borrow() *Codec { return codecs.Get().(*Codec) }

// Return gives back a codec that was borrowed.
func (x *Codec) Return() {
	x.forget()
	codecs.Put(x)
}

// forget gives up all memory that what was decoded refers to: the next values
// share none with it.
func (x *Codec) forget() {
	n := x.only()
	x.doc, x.text, x.lent, x.located = nil, nil, "", nil
	x.docs, x.docsSize = nil, 0
	x.strings.forget(n)
	if x.kept {
		x.kept = false
		clear(x.last)
	}
	if len(x.memo.slots) > minMemoSlots {
		x.memo = memo{}
	}
	x.problems = x.problems[:0]
	x.lead, x.path = nil, nil
	if cap(x.scratch) > smallText {
		x.scratch = nil
	}
	for _, p := range x.pools {
		p.(interface{ forget(n int) }).forget(n)
	}
}

// call is the member function of an object that is given by its own.
func call(fields *func(*Codec), x *Codec) { (*fields)(x) }

// Marshal returns the text of v alone, without what surrounds it in a document.
func Marshal[T any](v *T, fields func(*T, *Codec)) ([]byte, error) {
	var x Codec
	text, err := Append(&x, nil, v, fields)
	return bytes.TrimSpace(text), err
}

// Unmarshal decodes a copy of text into v. By the convention of encoding/json,
// null leaves v alone.
func Unmarshal[T any](text []byte, v *T, fields func(*T, *Codec)) error {
	if string(bytes.TrimSpace(text)) == "null" {
		return nil
	}
	var x Codec
	c := new(T)
	if err := x.Decode(bytes.Clone(text), func(x *Codec) { fields(c, x) }); err != nil {
		return err
	}
	*v = *c
	return nil
}

// UnmarshalLenient is Unmarshal for packages that decode leniently: members of
// another kind than their fields are passed over, but not the value itself.
func UnmarshalLenient[T any](text []byte, v *T, fields func(*T, *Codec)) error {
	if string(bytes.TrimSpace(text)) == "null" {
		return nil
	}
	var x Codec
	c := new(T)
	problems, err := x.DecodeLenient(bytes.Clone(text), "", func(x *Codec) { fields(c, x) })
	if err != nil {
		return err
	}
	if start := jsonscan.Space(text, 0); len(problems) > 0 && problems[0].Offset == start {
		return x.place(abort{start, problems[0].Err})
	}
	*v = *c
	return nil
}

// Equal reports whether two objects, given by their member functions, encode
// to text that means the same: the order of members, white space and the
// spelling of strings and numbers do not matter; an absent member differs from
// null.
func Equal(a, b func(*Codec)) bool {
	var x Codec
	ta, err := Append(&x, nil, &a, call)
	if err != nil {
		return false
	}
	tb, err := Append(&x, nil, &b, call)
	return err == nil && jsonscan.Equal(ta, tb)
}
