// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/knowntext"
	"github.com/tofuwire/tofuwire/planjson"
)

// An engine goes once through a document, piece by piece, as the table of
// members says. It either learns what the document says of its objects, or
// writes the document without what must be hidden. Each byte is looked at a
// bounded number of times.
type engine struct {
	*Redactor
	*facts
	learning bool
	blind    bool // nothing is known: all values are hidden
	document typeID
	streamed bool   // comes from a reader
	version  string // of the document's format
	top      []topMember

	text    []byte // one piece, a valid JSON value
	i       int
	last    int      // text up to here is in out
	checked int      // text up to here can be written unchanged
	parts   [][]byte // the text to write before out
	out     []byte   // not while learning
	buf     []byte   // for out
	scan    knowntext.Scanner

	index         *jsonscan.Index // of text
	own           jsonscan.Index  // of a piece
	all           *jsonscan.Index // of all of the document, if all of it is at hand
	unique        bool            // no object in it has duplicate members
	indexed       bool            // index is that of the piece that comes next
	spans         []span          // the members of the objects around, where they are known
	hint, hintEnd int             // where a value begins, and its end
	path          []string        // to the value at hand, if it is asked for
	root          int             // how many steps lead to the piece, if the path is asked for
	places        jsonscan.Pointers
	names         []string // the path in the object at hand, for rules
	address       string   // of the object at hand
	cx            *context // of the value at hand
	window        []byte   // to read into, each time that the document is read
	contexts      []*context
	used          int // how many of the contexts hold
	layout        *layout
	layouts       map[layoutKey]*layout
	before        done
}

// A span is a member of an object: its name in quotes, and its value.
type span struct{ name, nameEnd, at, end int }

// isAbsent reports whether the zero span, or one of a null.
func (e *engine) isAbsent(s span) bool { return s.end == s.at || e.text[s.at] == 'n' }

// A fault is an error at an offset of the piece.
type fault struct {
	at    int
	cause error
}

func (f *fault) Error() string { return f.cause.Error() }

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

// extraPiece is piece for the value of a member that no type knows.
func (e *engine) extraPiece(text []byte) ([][]byte, error) {
	return e.do(text, func() { e.extra(nil) })
}

func (e *engine) do(text []byte, f func()) (parts [][]byte, err error) {
	e.text, e.i, e.last, e.checked = text, jsonscan.Space(text, 0), 0, 0
	e.out, e.parts = e.buf[:0], e.parts[:0]
	if e.Report != nil {
		e.root, e.places = len(e.path), jsonscan.Pointers{Text: text}
	}
	e.spans, e.hint, e.before = e.spans[:0], -1, done{edits: e.before.edits[:0]}
	if !e.indexed {
		e.own.Make(text, e.i)
		e.index = &e.own
	}
	e.indexed = false
	if !e.learning {
		e.scan.Reset(e.secrets, text)
	}
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
	if e.last == 0 {
		return nil, nil
	}
	if len(e.parts) == 0 {
		e.buf = e.out
	}
	return append(e.parts, e.out, text[e.last:]), nil
}

// copy marks the text up to end as checked: it is written unchanged.
func (e *engine) copy(end int) { e.checked = end }

// pass marks the text up to end as checked, without its known secrets.
func (e *engine) pass(end int) { e.scrub(end, true) }

// passQuietly is pass for what does not count as replaced: what says of another
// value that a part of it is sensitive.
func (e *engine) passQuietly(end int) { e.scrub(end, false) }

// put puts out text instead of the value that begins at start and ends at i.
func (e *engine) put(start int, text string, why reason) {
	if e.learning {
		return
	}
	e.pass(start)
	e.replace(start, e.i, text)
	e.hidden(why)
}

// putQuietly is put for what does not count as replaced.
func (e *engine) putQuietly(start int, text string) {
	if e.learning {
		return
	}
	e.passQuietly(start)
	e.replace(start, e.i, text)
}

// replace puts out all that is before start, and text instead of the bytes before
// end.
func (e *engine) replace(start, end int, text string) {
	before := e.text[e.last:start]
	if len(before) >= copyChunk { // is not copied
		e.parts = append(e.parts, e.out, before)
		e.out, before = e.out[len(e.out):], nil
	}
	e.out = append(append(e.out, before...), text...)
	e.last, e.checked = end, end
	if e.before.open {
		e.before.edits = append(e.before.edits, edit{start, end, text})
	}
}

// hidden reports that the value at hand was replaced.
func (e *engine) hidden(why reason) {
	e.n++
	if e.Report != nil {
		e.report(e.pointer(), why)
	}
}

// pointer returns the pointer of the value at hand.
func (e *engine) pointer() string { return pointerOf(e.path) }

// pointerOf returns the pointer that consists of these steps.
func pointerOf(path []string) string {
	var b strings.Builder
	for _, name := range path {
		b.WriteString("/" + jsonscan.EscapePointer(name))
	}
	return b.String()
}

// hiddenToken reports that a token was replaced.
func (e *engine) hiddenToken(start, end int, why reason) {
	e.n++
	if e.Report == nil {
		return
	}
	pointer := pointerOf(e.path[:e.root]) + e.places.At(start)
	if next := jsonscan.Space(e.text, end); next < len(e.text) && e.text[next] == ':' { // a name
		pointer = pointer[:strings.LastIndexByte(pointer, '/')]
	}
	e.report(pointer, why)
}

var unescapeName = strings.NewReplacer("~1", "/", "~0", "~")

func (e *engine) report(pointer string, why reason) {
	names := strings.Split(pointer, "/")
	for i, name := range names {
		if plain, changed := e.secrets.Replace(unescapeName.Replace(name), e.token); changed {
			names[i] = jsonscan.EscapePointer(plain)
		}
	}
	pointer = strings.Join(names, "/")
	e.Report(Hidden{Pointer: pointer, Address: e.plainAddress(e.address), Why: reasonNames[why]})
}

// enter and leave keep the path to the value at hand.
func (e *engine) enter(name string) {
	if e.Report != nil {
		e.path = append(e.path, name)
	}
}

func (e *engine) enterName(name []byte) {
	if e.Report != nil {
		e.path = append(e.path, string(name))
	}
}

func (e *engine) leave() {
	if e.Report != nil {
		e.path = e.path[:len(e.path)-1]
	}
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
		if !e.learning && (e.scan.Quiet(start, e.i) || isFixed(e.text[start:e.i])) {
			e.copy(e.i)
		}
		if (e.learning || e.blind) && t == e.document && m.name == "format_version" {
			e.version = text(e.text[start:e.i])
		}
	case verdictAddress:
		start := e.skip()
		if e.blind {
			e.hideKeys(m, start)
		} else {
			e.plainKeys(m, start)
		}
	case verdictText:
		e.message(t, m, cx)
	case verdictMark:
		e.companion(t, m, cx)
	case verdictValue:
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
		e.pass(e.i)
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
		e.extra(token)
		return next
	}
	e.copy(e.i)
	e.enter(m.name)
	e.known(t, m, cx)
	e.leave()
	return next
}

// extra goes through the value of a member that no type knows, whose name is in
// the text already.
func (e *engine) extra(token []byte) {
	if e.learning {
		e.skip()
		return
	}
	if token != nil {
		e.rename(token)
	}
	start := e.skip()
	if e.blind || e.Keep&Extra == 0 {
		e.hide(start, reasonClosed)
	}
	e.pass(e.i)
}

// rename replaces the name of the member whose value is at hand, if it has a
// secret.
func (e *engine) rename(token []byte) {
	if e.learning || e.secrets.IsEmpty() {
		return
	}
	// The token ends before the colon that ends before i.
	from := lastIndex(e.text[:e.i], token)
	defer e.copy(e.i)
	if e.scan.Quiet(from, from+len(token)) {
		return
	}
	name := jsonscan.Unquote(token)
	if plain := e.name(name); plain != name {
		e.replace(from, from+len(token), string(quote(plain)))
		e.hidden(reasonSecret)
	}
}

// members calls f with each member of the current object: with the token of its
// name, and the name. The value is then the current one, and f must go through it.
func (e *engine) members(f func(token, name []byte)) {
	e.i = jsonscan.Space(e.text, e.i+1)
	for e.text[e.i] != '}' {
		end := jsonscan.StringEnd(e.text, e.i)
		token := e.text[e.i:end]
		e.work += len(token)
		e.i = afterColon(e.text, end)
		f(token, jsonscan.UnquoteBytes(token))
		e.i = afterComma(e.text, e.i)
	}
	e.i++
}

// items goes through the objects in an object whose names are the document's own.
func (e *engine) items(m *member, cx *context) {
	e.members(func(token, name []byte) {
		e.rename(token)
		e.enterName(name)
		used := e.used
		e.item(m, e.named(m.child, string(name), cx))
		e.release(used)
		e.leave()
	})
}

// list calls f with the number of each element of the array at hand.
func (e *engine) list(f func(i int)) {
	e.i = jsonscan.Space(e.text, e.i+1)
	for i := 0; e.text[e.i] != ']'; i++ {
		if e.Report != nil {
			e.enter(strconv.Itoa(i))
		}
		f(i)
		e.leave()
		e.i = afterComma(e.text, e.i)
	}
	e.i++
}

// skip goes past the value at hand and returns where it began.
func (e *engine) skip() (start int) {
	start = e.i
	if start == e.hint {
		e.i = e.hintEnd
		e.work++
		return start
	}
	e.i = e.end(start)
	e.work += e.i - start
	return start
}

// end returns the end of the value at i.
func (e *engine) end(i int) int {
	switch e.text[i] {
	case '"':
		return jsonscan.StringEnd(e.text, i)
	case 'n', 't':
		return i + len("null")
	}
	return e.index.End(i)
}

// message hides text for people, unless it is to be kept.
func (e *engine) message(t typeID, m *member, cx *context) {
	class := Messages
	if t == typeChange {
		class = GeneratedConfig
	}
	start := e.skip()
	switch {
	case !e.blind && e.Keep&class != 0,
		t == typeExpressionValue && m.name == "traversal" && !hasKey(e.text[start:e.i]) && !e.blind:
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
