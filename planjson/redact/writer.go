// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/knowntext"
)

// A writer is the pass that writes a document without what must be hidden.
type writer struct {
	*engine
	scan      knowntext.Scanner
	plain     plainTexts
	last      int      // text of the piece up to here is in out
	checked   int      // text up to here can be written unchanged
	parts     [][]byte // the text to write before out
	out       []byte
	buf       []byte // for out
	edits     []edit // of the last value, in order
	isEditing bool   // the value is being gone through
}

// An edit is a text that was put out in place of a part of the piece.
type edit struct {
	start, end int
	text       string
}

// piece writes a piece.
func (w *writer) piece(p piece) ([][]byte, error) {
	if parts, ok := w.fromResult(p); ok {
		return parts, nil
	}
	w.begin(p.text)
	for ev := range w.events(p) {
		w.event(ev)
	}
	return w.written(), w.failed
}

// event writes what an event is about.
func (w *writer) event(ev event) {
	switch ev.kind {
	case eventObject:
		ev.cx.set, ev.cx.isSet = w.setOf(ev.cx.address), true
	case eventName:
		if ev.member == nil {
			w.rename(ev.start, ev.end)
		} else {
			w.checked = w.i
		}
	case eventValue:
		w.edits, w.isEditing = w.edits[:0], true
	case eventRepeat:
		w.repeat(ev)
	case eventHidden:
		w.hideFrom(ev.start, ev.why, ev.shape, ev.root)
	case eventPlace:
		w.place(ev)
	case eventKeys:
		w.keys(ev)
	case eventEnd:
		w.ended(ev)
	}
}

// begin begins a piece.
func (w *writer) begin(text []byte) {
	w.last, w.checked, w.isEditing = 0, 0, false
	w.out, w.parts = w.buf[:0], w.parts[:0]
	w.scan.Reset(w.secrets, text)
}

// written returns what to write for the piece.
func (w *writer) written() [][]byte {
	if w.last == 0 {
		return nil
	}
	if len(w.parts) == 0 {
		w.buf = w.out
	}
	return append(w.parts, w.out, w.text[w.last:])
}

// fromResult writes an object of which all is known that is to be hidden in it: the learner has
// gone through it with the same marks, and the rest of it has no secret.
func (w *writer) fromResult(p piece) ([][]byte, bool) {
	s, hidden, ok := w.results.of(p.at)
	if !ok || w.byObject[s.object] != s.set || w.hashOfItem(p.text) != s.hash {
		return nil, false
	}
	text := p.text
	w.text = text
	w.begin(text)
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
	return w.written(), true
}

// isClean reports whether a part of the text has neither a secret nor a plain text that may have
// a place there.
func (w *writer) isClean(from, to int) bool {
	start, _ := w.plain.values.Next(w.text, from, to)
	return start == to && w.scan.Clean(from, to)
}

// ended writes the rest of the value of a member.
func (w *writer) ended(ev event) {
	if ev.member != nil {
		switch ev.member.verdict {
		case verdictFixed:
			if w.scan.Quiet(ev.start, ev.end) || isFixed(w.text[ev.start:ev.end]) {
				w.checked = ev.end
			}
		case verdictAddress:
			w.address(ev.member, ev.start)
		}
	}
	w.scrub(ev.end, true)
	w.isEditing = false
	if w.asked && ev.member != nil && ev.member.verdict == verdictValue && w.around.identity {
		w.reportIdentity(ev.start)
	}
}

// put puts out text instead of the value that begins at start and ends at i.
func (w *writer) put(start int, text string, why reason) {
	w.scrub(start, true)
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
	if w.isEditing {
		w.edits = append(w.edits, edit{start, end, text})
	}
}

// repeat writes what was written for the value before.
func (w *writer) repeat(ev event) {
	distance := ev.start - w.previous.start
	for _, x := range w.edits {
		w.replace(x.start+distance, x.end+distance, x.text)
	}
	w.checked = ev.end
	w.n += len(w.edits)
}

// rename replaces the name of the member whose value is at hand, if it has a secret.
func (w *writer) rename(start, end int) {
	if w.secrets.IsEmpty() {
		return
	}
	if !w.scan.Quiet(start, end) {
		name := jsonscan.Unquote(w.text[start:end])
		if plain := w.name(name); plain != name {
			w.replace(start, end, string(quote(plain)))
			w.hidden(reasonSecret)
		}
	}
	w.checked = w.i
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

// hideFrom hides the value that begins at start, and goes past it.
func (w *writer) hideFrom(start int, why reason, s *shape, root bool) {
	w.i = start
	w.hide(why, s, root)
}

// hide hides the value at hand, and goes past it. Nothing is left of it but its kind, and the
// length of arrays. Names stay if they are those of attributes, as those of a root are.
func (w *writer) hide(why reason, s *shape, root bool) {
	switch c := w.text[w.i]; c {
	case '[':
		w.list(func(int) { w.hide(why, s.Each(), false) })
	case '{':
		if root || s.IsObject() {
			w.members(func(name []byte) {
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

// keys hides the keys of sensitive objects in what has the keys of a value.
func (w *writer) keys(ev event) {
	m, cx, at := ev.member, ev.cx, 0
	if m.name == "after_unknown" || m.name == "after_sensitive" {
		at = 1
	}
	marks := w.marksOf(cx, at)
	if w.blind || cx.closed != 0 || cx.unknown {
		marks = newMarks([]source{{allMark, reasonClosed}}, 100)
	}
	sensitive := m.verdict == verdictMark && m.name != "after_unknown" && m.name != "config_unknown"
	w.i = ev.start
	w.keysBelow(marks, cx.shape, cx.rules, sensitive, cx.block != "")
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
		w.members(func(name []byte) {
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

// hiddenAt reports that what is at a pointer was replaced, because nothing says that it is not
// sensitive.
func (w *writer) hiddenAt(pointer string) {
	w.n++
	if w.asked {
		w.Report(Entry{Pointer: pointer, Why: reasonNames[reasonClosed]})
	}
}
