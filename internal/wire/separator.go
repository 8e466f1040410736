// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A separator keeps track of the commas and white space between the items of
// one array or object that is being walked. The rules:
//
//   - An item that stays keeps the gap before it, unless it becomes the first:
//     then it gets the white space after the opening bracket.
//   - An item that goes takes the gap before it along. If none is left, all
//     white space between the brackets goes too.
//   - A new item repeats the gap it is put into, or the last one seen, or a
//     comma with the white space after the opening bracket.
//
// Thus taking out what was put in restores the text.
type separator struct {
	open      int    // the offset after the opening bracket
	leadEnd   int    // the end of the white space that follows it
	prevEnd   int    // the end of the last item in the text; open before the first
	n         int    // items that are in the output so far
	dropped   bool   // items were dropped before the first that is in the output
	gap       []byte // the last gap seen, with its comma
	made      []byte // white space for a first item in an empty container
	savedLead []byte // of the surrounding container
}

// begin starts the walk of a container whose opening bracket is at i, and
// moves to its first item or the closing bracket.
func (e *Encoder) beginItems(s *separator) {
	e.enter()
	e.i++
	s.open = e.i
	s.prevEnd = e.i
	e.space()
	s.leadEnd = e.i
	s.savedLead = e.lead
	e.lead = e.text[s.open:s.leadEnd]
	if len(e.lead) == 0 && (e.peek() == '}' || e.peek() == ']') && e.indented() {
		s.made = e.innerLead(s.open)
		e.lead = s.made
	}
}

// indented reports whether the document is spread over lines: whether a line
// ends after its first opening bracket.
func (e *Encoder) indented() bool {
	d := e.text
	i := jsonscan.Space(d, 0)
	for i++; i < len(d) && (d[i] == ' ' || d[i] == '\r'); i++ {
	}
	return i < len(d) && d[i] == '\n'
}

// innerLead returns a line end and the indentation for an item of the
// container that was opened before offset at: one step more than its line.
func (e *Encoder) innerLead(at int) []byte {
	line := bytes.LastIndexByte(e.text[:at], '\n') + 1
	end := line
	for end < at && (e.text[end] == ' ' || e.text[end] == '\t') {
		end++
	}
	lead := append([]byte{'\n'}, e.text[line:end]...)
	return append(lead, e.indentStep()...)
}

// indentStep returns the indentation of the outermost items of the document.
func (e *Encoder) indentStep() string {
	d := e.text
	i := jsonscan.Space(d, 0)
	i = min(i+1, len(d))
	if end := jsonscan.Space(d, i); end > i && d[end-1] == '\t' {
		return "\t"
	}
	return "  "
}

// survive says that the item of the text which begins at offset at stays.
func (e *Encoder) survive(s *separator, at int) {
	switch {
	case s.n == 0 && s.dropped:
		e.flush(s.leadEnd)
		e.copied = at
	case s.n > 0 && s.prevEnd == s.open: // new items took the first place
		e.out = append(append(e.out, ','), e.lead...)
		e.copied = at
	}
	s.n++
}

// delicate reports whether survive would write something.
func (s *separator) delicate() bool {
	return s.n == 0 && s.dropped || s.n > 0 && s.prevEnd == s.open
}

// drop says that the item of the text which ends at offset end goes.
func (e *Encoder) drop(s *separator, end int) {
	if s.n == 0 {
		s.dropped = true
		return
	}
	e.flush(s.prevEnd)
	e.copied = end
}

// insert prepares the output for a new item. If an item of the text follows,
// next is its offset, otherwise it is -1.
func (e *Encoder) insert(s *separator, next int) {
	switch {
	case s.n == 0:
		e.flush(s.leadEnd)
		if s.prevEnd > s.open {
			e.copied = s.prevEnd
		}
		e.out = append(e.out, s.made...)
	case s.prevEnd > s.open:
		e.flush(s.prevEnd)
		switch {
		case next >= 0:
			e.out = append(e.out, e.text[s.prevEnd:next]...)
		case s.gap != nil:
			e.out = append(e.out, s.gap...)
		default:
			e.out = append(append(e.out, ','), e.lead...)
		}
		e.copied = s.prevEnd
	default:
		e.out = append(append(e.out, ','), e.lead...)
	}
	s.n++
}

// after moves from the end of an item to the next one and reports whether
// there is one.
func (e *Encoder) after(s *separator, closing byte) bool {
	s.prevEnd = e.i
	if d, i := e.text, e.i; i >= 0 && i < len(d)-1 && d[i] == ',' && d[i+1] > ' ' {
		e.i++
		s.gap = d[i : i+1]
		return true
	}
	e.space()
	switch e.peek() {
	case ',':
		e.i++
		e.space()
		s.gap = e.text[s.prevEnd:e.i]
		return true
	case closing:
		return false
	}
	fail(e.i, errCut)
	return false
}

// endItems ends the walk of a container; i is at its closing bracket.
func (e *Encoder) endItems(s *separator, closing byte) {
	if e.peek() != closing {
		fail(e.i, errCut)
	}
	switch {
	case s.n == 0 && s.dropped:
		e.flush(s.open)
		e.copied = e.i
	case s.n > 0 && s.made != nil:
		// The closing bracket gets a line of its own, one step less indented.
		e.out = append(e.out, s.made[:len(s.made)-len(e.indentStep())]...)
	}
	e.lead = s.savedLead
	e.i++
	e.leave()
}
