// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/knowntext"
)

// A writer is the phase that writes a document without what must be hidden.
type writer struct {
	*engine
	scan    knowntext.Scanner
	plain   plainTexts
	last    int      // text of the piece up to here is in out
	checked int      // text up to here can be written unchanged
	parts   [][]byte // the text to write before out
	out     []byte
	buf     []byte // for out
}

func (w *writer) begin() {
	w.last, w.checked = 0, 0
	w.out, w.parts = w.buf[:0], w.parts[:0]
	w.scan.Reset(w.secrets, w.text)
}

func (w *writer) end() [][]byte {
	if w.last == 0 {
		return nil
	}
	if len(w.parts) == 0 {
		w.buf = w.out
	}
	return append(w.parts, w.out, w.text[w.last:])
}

func (w *writer) isFirst() bool                             { return false }
func (w *writer) configuration(func() []byte) (bool, error) { return false, nil }
func (w *writer) closed() reason                            { return 0 }
func (w *writer) shown(m, part *marks)                      {}

// unknown hides a value of a resource whose schema is not known.
func (w *writer) unknown(cx *context) bool {
	w.hide(reasonNoSchema, nil, cx.block != "")
	return true
}

func (w *writer) references(string, int)       {}
func (w *writer) sensitiveOutput(string)       {}
func (w *writer) variable(cx *context)         { w.judgeVariable(cx) }
func (w *writer) change(*context, changeFacts) {}

func (w *writer) instance(c *context, _ typeID, _ instanceFacts) {
	c.set, c.isSet = w.setOf(c.address), true
}

// item writes an object of which all is known that is to be hidden in it: the learner has
// gone through it with the same marks, and the rest of it has no secret.
func (w *writer) item(text []byte, at int64, _ typeID) ([][]byte, bool) {
	s, hidden, ok := w.results.of(at)
	if !ok || w.byObject[s.object] != s.set || w.hashOfItem(text) != s.hash {
		return nil, false
	}
	w.text = text
	w.begin()
	w.work += len(text)
	from, same := 0, false
	for _, b := range hidden {
		start := int(max(b, -b-1))
		if !same && !w.isClean(from, start) {
			return nil, false
		}
		if from = start; b < 0 {
			same = !same
		} else {
			from = jsonscan.ValueEnd(text, start)
		}
	}
	if !w.isClean(from, len(text)) {
		return nil, false
	}
	for _, b := range hidden {
		if start := int(b); start >= 0 {
			w.i = jsonscan.ValueEnd(text, start)
			w.replace(start, w.i, w.replacement(text[start:w.i]))
			w.n++
		}
	}
	return w.end(), true
}

// isClean reports whether a part of the text has neither a secret nor a plain text that may have
// a place there.
func (w *writer) isClean(from, to int) bool {
	start, _ := w.plain.values.Next(w.text, from, to)
	return start == to && w.scan.Clean(from, to)
}

func (w *writer) copy(end int) { w.checked = end }

func (w *writer) pass(end int) { w.scrub(end, true) }

// put puts out text instead of the value that begins at start and ends at i.
func (w *writer) put(start int, text string, why reason) {
	w.pass(start)
	w.replace(start, w.i, text)
	w.hidden(why)
}

// putQuietly is put for what does not count as replaced.
func (w *writer) putQuietly(start int, text string) {
	w.scrub(start, false)
	w.replace(start, w.i, text)
}

// replace puts out all that is before start, and text instead of the bytes before
// end.
func (w *writer) replace(start, end int, text string) {
	before := w.text[w.last:start]
	if len(before) >= copyChunk { // is not copied
		w.parts = append(w.parts, w.out, before)
		w.out, before = w.out[len(w.out):], nil
	}
	w.out = append(append(w.out, before...), text...)
	w.last, w.checked = end, end
	if w.before.open {
		w.before.edits = append(w.before.edits, edit{start, end, text})
	}
}

// repeat writes what was written for the value before.
func (w *writer) repeat(d *done) {
	start, n := w.i, d.end-d.start
	for _, x := range d.edits {
		w.replace(start+x.start-d.start, start+x.end-d.start, x.text)
	}
	w.checked = start + n
	w.n += d.n
}

// fixed leaves the words of the format alone.
func (w *writer) fixed(start int) {
	if w.scan.Quiet(start, w.i) || isFixed(w.text[start:w.i]) {
		w.copy(w.i)
	}
}

// extra hides the value of a member that no type knows, whose name is in the text
// already.
func (w *writer) extra(token []byte) {
	if token != nil {
		w.rename(token)
	}
	start := w.skip()
	if w.phase.closed() != 0 || w.Keep&Extra == 0 {
		w.engine.hide(start, reasonClosed)
	}
	w.pass(w.i)
}

// rename replaces the name of the member whose value is at hand, if it has a
// secret.
func (w *writer) rename(token []byte) {
	if w.secrets.IsEmpty() {
		return
	}
	// The token ends before the colon that ends before i.
	from := lastIndex(w.text[:w.i], token)
	defer w.copy(w.i)
	if w.scan.Quiet(from, from+len(token)) {
		return
	}
	name := jsonscan.Unquote(token)
	if plain := w.name(name); plain != name {
		w.replace(from, from+len(token), string(quote(plain)))
		w.hidden(reasonSecret)
	}
}

// member returns the name of a member without known secrets.
func (w *writer) member(_ []byte, name string, own bool) string {
	if !own && w.isKnownName(name) {
		return name
	}
	plain := w.name(name)
	if plain != name {
		w.hidden(reasonSecret)
	}
	return plain
}

// hide writes the current value with nothing left of it but its kind.
func (w *writer) hide(why reason, s *shape, root bool) {
	switch c := w.text[w.i]; c {
	case '[':
		w.list(func(int) { w.hide(why, s.Each(), false) })
	case '{':
		if root || s.IsObject() {
			w.members(func(_, name []byte) {
				w.enterName(name)
				w.hide(why, s.Member(name), false)
				w.leave()
			})
			return
		}
		start := w.skip()
		if !isEmpty(w.text[start:w.i]) {
			w.put(start, "{}", why)
		}
	default:
		start := w.skip()
		if now := w.replacement(w.text[start:w.i]); now != "" {
			w.put(start, now, why)
		}
	}
}

// companion goes through what says of another value which parts of it are
// unknown or sensitive.
func (w *writer) companion(_ typeID, m *member, cx *context) {
	at := 0
	if m.name == "after_unknown" || m.name == "after_sensitive" {
		at = 1
	}
	marks := w.marksOf(cx, at)
	if w.phase.closed() != 0 || cx.closed != 0 || cx.unknown {
		marks = newMarks([]source{{allMark, reasonClosed}}, 100)
	}
	sensitive := m.name != "after_unknown" && m.name != "config_unknown"
	w.keysBelow(marks, cx.shape, cx.rules, sensitive, cx.block != "")
	w.scrub(w.i, false)
}

// keys goes through the type of a value, and hides the keys of sensitive objects.
func (w *writer) keys(m *marks, s *shape, p *progress) {
	w.keysBelow(m, s, p, false, false)
	w.scrub(w.i, false)
}

// keysBelow hides the keys of sensitive objects in what has the keys of a value. What says
// that it is sensitive must not say less then.
func (w *writer) keysBelow(m *marks, s *shape, p *progress, sensitive, root bool) {
	hidden := m.isAll() != 0 || s.IsSecret() || p.covers()
	if m == nil && !s.Hides() && p == nil {
		w.skip()
		return
	}
	switch w.text[w.i] {
	case '[':
		hidden = hidden || m != nil && m.any == nil
		if hidden {
			m = newMarks([]source{{allMark, reasonMarked}}, 100)
		}
		n := w.index.Len(w.i)
		w.list(func(i int) { w.keysBelow(m.element(i, n), s.Each(), p, sensitive, false) })
	case '{':
		hidden = hidden || m != nil && m.any != nil
		if hidden && !root && !s.IsObject() {
			start := w.skip()
			object := w.text[start:w.i]
			switch {
			case isEmpty(object):
			case sensitive && bytes.Contains(object, []byte("true")):
				w.putQuietly(start, "true")
			default:
				w.putQuietly(start, "{}")
			}
			return
		}
		if hidden {
			m = newMarks([]source{{allMark, reasonMarked}}, 100)
		}
		w.members(func(_, name []byte) {
			w.keysBelow(m.member(name), s.Member(name), p.inName(name), sensitive, false)
		})
	default:
		w.skip()
	}
}

// hidden reports that the value at hand was replaced.
func (w *writer) hidden(why reason) {
	w.n++
	if w.asked {
		w.report(w.pointer(), Entry{Why: reasonNames[why]})
	}
}

// hiddenToken reports that a token was replaced.
func (w *writer) hiddenToken(start, end int, why reason) {
	w.n++
	if w.asked {
		w.report(w.tokenAt(w.text, start, end), Entry{Why: reasonNames[why]})
	}
}
