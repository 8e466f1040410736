// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"bytes"
	"math"

	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// Reparse returns the same result as parsing src with the name, syntax and dialect of
// f. It is fast if most of the text is unchanged: in native syntax it parses only the
// blocks that differ, and the rest when the content of the new File is first needed.
// The error is that of [Parse]. The new File refers to src, which must not be changed
// afterwards; f does not change.
func (f *File) Reparse(src []byte) (*File, error) {
	if f == nil {
		f = &File{}
	}
	if f.read().stillValid(src) {
		return f.lateFile(src), nil
	}
	return parse(f.name, src, f.syntax, f.Dialect())
}

// stillValid reports whether src has no syntax errors. It parses only the text
// between unchanged blocks. A result of false means nothing.
func (f *File) stillValid(src []byte) bool {
	if f.syntax == JSONSyntax || f.err != nil || len(f.body.Arguments) > 0 || bytes.Contains(src, []byte("\uFEFF")) || len(src) > math.MaxInt32 {
		return false
	}
	// Text of the file from one block to the next is valid by itself in any
	// place.
	at := 0
	known := f.segments()
	for i := 0; i < len(known); i++ {
		if bytes.HasPrefix(src[at:], known[i]) {
			at += len(known[i])
			continue
		}
		n, next := nextSegment(src[at:], known[i:])
		if n < 0 || !f.validPiece(src[at:at+n]) {
			return false
		}
		at, i = at+n, i+next-1
	}
	return f.validPiece(src[at:])
}

// segments cuts the text at the lines where blocks begin.
func (f *File) segments() [][]byte {
	var out [][]byte
	from := 0
	for i := range f.body.Blocks {
		start := int(f.body.Blocks[i].entry.Start)
		line := bytes.LastIndexByte(f.src[from:start], '\n') + 1 + from
		if line > from && len(bytes.TrimLeft(f.src[line:start], " \t")) == 0 {
			out = append(out, f.src[from:line])
			from = line
		}
	}
	if bytes.HasSuffix(f.src, []byte("\n")) {
		out = append(out, f.src[from:])
	}
	return out
}

// nextSegment returns the place in src where one of the segments after the first
// begins, and its number. It does not look far, and returns -1 if there is none.
func nextSegment(src []byte, known [][]byte) (at, which int) {
	const ahead = 8
	window := 4096 + 4*len(known[0])
	for i := 1; i < min(len(known), ahead); i++ {
		window += 4 * len(known[i])
		near := src[:min(len(src), window)]
		for from := 0; ; {
			n := bytes.Index(near[from:], known[i])
			if n < 0 {
				break
			}
			if from += n; from == 0 || src[from-1] == '\n' {
				return from, i
			}
			from++
		}
	}
	return -1, 0
}

// validPiece reports whether src has whole lines with blocks, as a part of f.
func (f *File) validPiece(src []byte) bool {
	piece := f.lateFile(src)
	piece.late = false
	piece.body.spec = hcllang.Ignored
	piece.readNative()
	return piece.err == nil && len(piece.body.Arguments) == 0
}
