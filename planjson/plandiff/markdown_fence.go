// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"bufio"
	"strings"
)

// fenced returns lines as a block of the language "diff" in a fence that is
// longer than any row of backticks in it.
func fenced(lines []byte) []byte {
	ticks, run := 0, 0
	for _, c := range lines {
		if run++; c != '`' {
			run = 0
		}
		ticks = max(ticks, run)
	}
	row := fence(ticks)
	text := make([]byte, 0, len(lines)+2*len(row)+8)
	text = append(append(append(text, row...), "diff\n"...), lines...)
	return append(append(text, row...), '\n')
}

// fence returns a row of backticks that is longer than any in its text.
func fence(ticks int) string { return strings.Repeat("`", max(3, ticks+1)) }

// A fenceSink lays out lines for the language "diff": the sign comes first, and
// those that it does not know become "!". A line that would exceed the limit is
// left out, and all after it.
type fenceSink struct {
	text     []byte
	w        *bufio.Writer // gets the text instead, if it is not nil
	n        int           // bytes laid out, and bytes of the fence
	ticks    int           // the longest row of them
	limit    int
	cut      bool // there was more than the limit
	counting bool // the text is not kept

	run, before, start int // of the open line: its last ticks, and what was before it
}

func (f *fenceSink) full() bool { return f.cut }

func (f *fenceSink) blank() {
	f.run, f.before, f.start = 0, f.n, len(f.text)
	f.put(nil)
	f.end("")
}

func (f *fenceSink) begin(sign string, depth int) {
	f.run, f.before, f.start = 0, f.n, len(f.text)
	mark := byte(' ')
	switch sign = plainSign(sign); sign {
	case "+", "-", "#":
		mark = sign[0]
	case "~", "-/+", "+/-", "./+", "+/.", "<=", ".":
		mark = '!'
	}
	f.put([]byte{mark})
	f.put([]byte(blanks[:min(len(blanks), 2*depth+1)]))
}

// put takes text, as far as the limit allows.
func (f *fenceSink) put(text []byte) {
	if f.cut {
		return
	}
	f.n += len(text)
	switch {
	case f.n >= f.limit: // the end of the line is to come
		f.cut = true
		f.text = f.text[:f.start]
		if f.n = f.before; f.counting {
			f.n = f.limit
		}
	case f.counting:
	case f.w != nil:
		f.w.Write(text)
	default:
		f.text = append(f.text, text...)
	}
}

func (f *fenceSink) add(text []byte) {
	for _, c := range text { // a longer fence
		if f.run++; c != '`' {
			f.run = 0
		}
		if f.run > f.ticks {
			f.ticks = f.run
			f.n += 2
		}
	}
	f.put(text)
}

func (f *fenceSink) end(note string) {
	if note != "" {
		f.put(append([]byte{' '}, note...))
	}
	if f.cut {
		return
	}
	f.n++
	switch {
	case f.counting:
	case f.w != nil:
		f.w.WriteByte('\n')
	default:
		f.text = append(f.text, '\n')
	}
}
