// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"errors"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A mode is what a codec does at the moment, and so what the operations on
// fields do.
type mode uint8

const (
	decoding   mode = iota // read the value at i into the field
	walking                // encode the field against the value at i of its source
	writing                // encode the field anew
	locating               // report the object's source
	probing                // report whether the field is zero
	judging                // report whether walking would clear the member at i
	skipping               // move i behind the value, which the field may know
	describing             // say what value the field wants
)

// A span is a part of a text. The zero span is none.
type span struct{ start, end int }

// A Codec carries out one decoding or encoding at a time. Its methods and the
// operations on fields are for the member functions of types. The zero Codec
// is ready to use, and can be used again and again; it must not be copied or
// used by two goroutines at once.
type Codec struct {
	mode  mode
	doc   *document
	text  []byte // of doc
	i     int    // the place in text
	depth int

	// Decoding.
	lent     string // text as a string, if strings may be cut from it
	again    bool   // the member has occurred before
	lenient  bool
	dry      bool // only check: what is read is given up
	part     bool // what is decoded is a part of its text
	problems []Problem
	strings  arena
	guesses  []*guesses // by the tables' id
	last     []string   // the last value of each member of each table, if it was a short string
	kept     bool       // last has any
	at       int        // the place in last of the member that is being read
	docs     []document // not used yet
	docsSize int        // of the next ones
	pools    []any      // a *slab[T] for each type T
	taken    uint64     // bytes of memory for objects
	texts    uint64     // counts the decodings
	memo     memo
	rawAt    int  // where the last raw value begins
	recalls  bool // Recalled has read an object since the last Forget
	reuse    bool
	round    uint64   // counts the decodings that reuse
	own      document // the document of every decoding that reuses
	scratch  []byte

	described description // in the mode describing

	// Encoding.
	out       []byte
	w         io.Writer
	hold      int    // while positive, out is not passed to w
	copied    int    // text before it is in out, or dropped
	lead      []byte // white space that precedes the items of the innermost container
	colon     span   // the last name in the innermost object, up to its value
	member    bool   // always: the member is written even if zero
	cleared   bool   // result of walking and judging: the member goes
	alt       bool   // write in the tables' other order
	canonical bool   // ignore all sources
	form      Form   // of the canonical text
	plain     bool   // write <, > and & as they are
	tracking  bool   // keep path, for an error's pointer
	path      []pathStep

	// Results of locating and probing.
	located *Source
	zero    bool
}

// An Error says where and why text could not be decoded, or an object not be
// encoded. Packages convert it to their own type of the same shape.
type Error struct {
	Offset       int64
	Line, Column int
	Pointer      string
	Err          error
}

// Error returns the place and the cause.
func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d (%s): %v", e.Line, e.Column, e.Pointer, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// ErrKind is the cause of errors about a member whose JSON kind is not that of
// its field.
var ErrKind = errors.New("unexpected kind of value")

// ErrLimit is the cause for a text that is too large or too deep to be read.
var ErrLimit = jsonscan.ErrLimit

// errTooLarge is the ErrLimit of a text whose places do not fit.
var errTooLarge = fmt.Errorf("%w: text of 4 GiB or more", ErrLimit)

// A Problem is a member of another JSON kind than its field, met by a lenient
// decoding. Its field is zero and its text is kept.
type Problem struct {
	Offset int
	Err    error // wraps ErrKind
}

// An abort is the panic value by which deep code ends a decoding or encoding.
// It never leaves this package.
type abort struct {
	offset int
	err    error
}

func (x *Codec) fail(offset int, err error) { panic(abort{offset, err}) }

// catch turns an abort into an error with its place in the present text.
func (x *Codec) catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case abort:
		*err = x.place(r)
	default:
		panic(r)
	}
}

func (x *Codec) place(a abort) error {
	e := &Error{Offset: int64(a.offset), Err: a.err}
	e.Line, e.Column = jsonscan.Position(x.text, a.offset)
	e.Pointer = jsonscan.Pointer(x.text, a.offset)
	return e
}

// Decoding reports whether the codec reads text into fields.
func (x *Codec) Decoding() bool { return x.mode == decoding }

// enter counts a level of nesting; leave takes it back.
func (x *Codec) enter() {
	if x.depth++; x.depth > jsonscan.MaxDepth {
		x.fail(x.i, jsonscan.FaultDepth)
	}
}

func (x *Codec) leave() { x.depth-- }

// space moves i to the next byte that is not white space.
func (x *Codec) space() {
	if x.i < len(x.text) && x.text[x.i] <= ' ' {
		x.someSpace()
	}
}

// someSpace is space for where there is some. Space is inlined only if this is not.
//
//go:noinline
func (x *Codec) someSpace() { x.i = jsonscan.SomeSpace(x.text, x.i) }

// peek returns the byte at i, or 0 at the end of the text.
func (x *Codec) peek() byte {
	if x.i < len(x.text) {
		return x.text[x.i]
	}
	return 0
}

// skip validates the value at i and moves behind it.
func (x *Codec) skip() {
	end, fault := jsonscan.Value(x.text, x.i, jsonscan.MaxDepth-x.depth)
	if fault != jsonscan.OK {
		x.fail(end, fault)
	}
	x.i = end
}

// token returns the value at i, which it validates, and moves behind it.
func (x *Codec) token() []byte {
	start := x.i
	x.skip()
	return x.text[start:x.i:x.i]
}

// kindName says what kind of value begins with c.
func kindName(c byte) string {
	switch c {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// mismatch deals with a value at i that has another kind than its field. A
// null is the zero value of every field; anything else is an error, or in a
// lenient decoding a problem.
func (x *Codec) mismatch(want string) {
	start := x.i
	tok := x.token()
	if tok[0] == 'n' {
		return
	}
	err := fmt.Errorf("%w: expected %s, found %s", ErrKind, want, kindName(tok[0]))
	if !x.lenient {
		x.fail(start, err)
	}
	x.problems = append(x.problems, Problem{start, err})
}

// SetHTML chooses whether the characters <, > and & are escaped in strings
// that are written from now on, as encoding/json does by default. They are
// unless this is called.
func (x *Codec) SetHTML(escape bool) { x.plain = !escape }

// Pick returns the table that is in force: t, or alt below a member whose
// field says so.
func (x *Codec) Pick(t, alt *Table) *Table {
	if x.alt {
		return alt
	}
	return t
}

// SetAlt chooses between the two orders of tables, and returns the choice that
// was in force before.
func (x *Codec) SetAlt(alt bool) (before bool) {
	before, x.alt = x.alt, alt
	return before
}
