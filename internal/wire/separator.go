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
func (x *Codec) beginItems(s *separator) {
	x.enter()
	x.i++
	s.open = x.i
	s.prevEnd = x.i
	x.space()
	s.leadEnd = x.i
	s.savedLead = x.lead
	x.lead = x.text[s.open:s.leadEnd]
	if len(x.lead) == 0 && (x.peek() == '}' || x.peek() == ']') && x.indented() {
		s.made = x.innerLead(s.open)
		x.lead = s.made
	}
}

// indented reports whether the document is spread over lines: whether a line
// ends after its first opening bracket.
func (x *Codec) indented() bool {
	d := x.text
	i := jsonscan.Space(d, 0)
	for i++; i < len(d) && (d[i] == ' ' || d[i] == '\r'); i++ {
	}
	return i < len(d) && d[i] == '\n'
}

// innerLead returns a line end and the indentation for an item of the
// container that was opened before offset at: one step more than its line.
func (x *Codec) innerLead(at int) []byte {
	line := bytes.LastIndexByte(x.text[:at], '\n') + 1
	end := line
	for end < at && (x.text[end] == ' ' || x.text[end] == '\t') {
		end++
	}
	lead := append([]byte{'\n'}, x.text[line:end]...)
	return append(lead, x.indentStep()...)
}

// indentStep returns the indentation of the outermost items of the document.
func (x *Codec) indentStep() string {
	d := x.text
	i := jsonscan.Space(d, 0)
	i = min(i+1, len(d))
	if end := jsonscan.Space(d, i); end > i && d[end-1] == '\t' {
		return "\t"
	}
	return "  "
}

// flush writes the text that was copied so far up to offset at.
func (x *Codec) flush(at int) {
	if at > x.copied {
		x.write(x.text[x.copied:at])
		x.copied = at
	}
}

// survive says that the item of the text which begins at offset at stays.
func (x *Codec) survive(s *separator, at int) {
	switch {
	case s.n == 0 && s.dropped:
		x.flush(s.leadEnd)
		x.copied = at
	case s.n > 0 && s.prevEnd == s.open: // new items took the first place
		x.out = append(append(x.out, ','), x.lead...)
		x.copied = at
	}
	s.n++
}

// delicate reports whether survive would write something.
func (s *separator) delicate() bool {
	return s.n == 0 && s.dropped || s.n > 0 && s.prevEnd == s.open
}

// drop says that the item of the text which ends at offset end goes.
func (x *Codec) drop(s *separator, end int) {
	if s.n == 0 {
		s.dropped = true
		return
	}
	x.flush(s.prevEnd)
	x.copied = end
}

// insert prepares the output for a new item. If an item of the text follows,
// next is its offset, otherwise it is -1.
func (x *Codec) insert(s *separator, next int) {
	switch {
	case s.n == 0:
		x.flush(s.leadEnd)
		if s.prevEnd > s.open {
			x.copied = s.prevEnd
		}
		x.out = append(x.out, s.made...)
	case s.prevEnd > s.open:
		x.flush(s.prevEnd)
		switch {
		case next >= 0:
			x.out = append(x.out, x.text[s.prevEnd:next]...)
		case s.gap != nil:
			x.out = append(x.out, s.gap...)
		default:
			x.out = append(append(x.out, ','), x.lead...)
		}
		x.copied = s.prevEnd
	default:
		x.out = append(append(x.out, ','), x.lead...)
	}
	s.n++
}

// after moves from the end of an item to the next one and reports whether
// there is one.
func (x *Codec) after(s *separator, closing byte) bool {
	s.prevEnd = x.i
	if d, i := x.text, x.i; i >= 0 && i < len(d)-1 && d[i] == ',' && d[i+1] > ' ' {
		x.i++
		s.gap = d[i : i+1]
		return true
	}
	x.space()
	switch x.peek() {
	case ',':
		x.i++
		x.space()
		s.gap = x.text[s.prevEnd:x.i]
		return true
	case closing:
		return false
	}
	x.fail(x.i, errCut)
	return false
}

// endItems ends the walk of a container; i is at its closing bracket.
func (x *Codec) endItems(s *separator, closing byte) {
	if x.peek() != closing {
		x.fail(x.i, errCut)
	}
	switch {
	case s.n == 0 && s.dropped:
		x.flush(s.open)
		x.copied = x.i
	case s.n > 0 && s.made != nil:
		// The closing bracket gets a line of its own, one step less indented.
		x.out = append(x.out, s.made[:len(s.made)-len(x.indentStep())]...)
	}
	x.lead = s.savedLead
	x.i++
	x.leave()
}
