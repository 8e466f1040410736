// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"strings"
	"unicode/utf8"
)

// A rawBlock is a provider block with one label in the text, before its values
// are checked. Both readers, the fast one of this file and the general one of
// fallback.go, produce it.
type rawBlock struct {
	typ, label  byteRange // label includes quotes
	column      int       // of typ
	open, close int       // the braces
	labelText   string
	version     attribute
	constraints attribute
	hashes      attribute
	elements    []element
}

// whole returns the part of the text from the block type to the closing brace.
func (r *rawBlock) whole() byteRange { return byteRange{r.typ.start, r.close + 1} }

// An attribute is one argument of a block. If it is absent, so is its name.
type attribute struct {
	name, expr byteRange
	value      string
	bad        bool // value is not usable; a diagnostic says why
}

func (a *attribute) exists() bool { return a.name.exists() }

// An element is one element of a list of hashes.
type element struct {
	expr  byteRange
	comma int // offset of the comma after it, or -1
	value string
	bad   bool
}

// A scanner reads the shape of lock files that machines write, with any spacing
// and with comments. The shape is provider blocks with one quoted label and,
// each at most once, the attributes version (required), constraints and hashes.
// Strings are plain ASCII without escapes and templates. A scanner reads them
// about fifty times as fast as the HCL parser. It stops at the first part that
// it does not know, and the HCL parser then reads the file from the start. A
// scanner therefore reports nothing, and errors come from one place.
type scanner struct {
	text     string
	pos      int
	elements []element // of all blocks
}

// scanMachine reads text. It reports false if the text has a shape that a
// scanner does not know.
func scanMachine(text string) ([]rawBlock, bool) {
	s := scanner{text: text}
	if strings.HasPrefix(text, byteOrderMark) {
		s.pos = len(byteOrderMark)
	}
	// Counting words first replaces many allocations by two.
	blocks := make([]rawBlock, 0, strings.Count(text, "provider "))
	s.elements = make([]element, 0, strings.Count(text, "h1:")+strings.Count(text, "zh:"))
	for {
		if !s.skipTrivia() {
			return nil, false
		}
		if s.pos == len(text) {
			return blocks, true
		}
		blocks = append(blocks, rawBlock{})
		if !s.block(&blocks[len(blocks)-1]) {
			return nil, false
		}
	}
}

// block reads one block, whose first byte is next, into r.
func (s *scanner) block(r *rawBlock) bool {
	r.typ = byteRange{s.pos, s.pos + len("provider")}
	r.column = 1 + s.pos - lineStart(s.text, s.pos)
	// With a comment before it on its line, only HCL could count the column.
	if !startsLine(s.text, s.pos) || !s.skipWord("provider") {
		return false
	}
	s.skipBlanks()
	var ok bool
	if r.label, r.labelText, ok = s.quoted(); !ok {
		return false
	}
	s.skipBlanks()
	r.open = s.pos
	if !s.skipByte('{') || !s.endLine() {
		return false
	}
	for {
		if !s.skipTrivia() {
			return false
		}
		if s.pos < len(s.text) && s.text[s.pos] == '}' {
			r.close = s.pos
			s.pos++
			return r.version.exists() && (s.endLine() || s.pos == len(s.text))
		}
		if !s.attribute(r) {
			return false
		}
	}
}

// attribute reads one attribute and the end of its line.
func (s *scanner) attribute(r *rawBlock) bool {
	start := s.pos
	var a *attribute
	switch {
	case s.skipWord("version"):
		a = &r.version
	case s.skipWord("constraints"):
		a = &r.constraints
	case s.skipWord("hashes"):
		a = &r.hashes
	default:
		return false
	}
	if a.exists() {
		return false
	}
	a.name = byteRange{start, s.pos}
	s.skipBlanks()
	if !s.skipByte('=') {
		return false
	}
	s.skipBlanks()
	var ok bool
	if a == &r.hashes {
		a.expr, ok = s.list(r)
	} else {
		a.expr, a.value, ok = s.quoted()
	}
	return ok && s.endLine()
}

// list reads the list of hashes.
func (s *scanner) list(r *rawBlock) (byteRange, bool) {
	start, first := s.pos, len(s.elements)
	if !s.skipByte('[') {
		return byteRange{}, false
	}
	for {
		if !s.skipTrivia() {
			return byteRange{}, false
		}
		if s.skipByte(']') {
			// An empty list is an error.
			r.elements = s.elements[first:len(s.elements):len(s.elements)]
			return byteRange{start, s.pos}, len(r.elements) > 0
		}
		e := element{comma: -1}
		var ok bool
		if e.expr, e.value, ok = s.quoted(); !ok || !s.skipTrivia() {
			return byteRange{}, false
		}
		if s.skipByte(',') {
			e.comma = s.pos - 1
		} else if s.pos == len(s.text) || s.text[s.pos] != ']' {
			return byteRange{}, false
		}
		s.elements = append(s.elements, e)
	}
}

// plainByte has the bytes that mean themselves in a string. Dollar and percent
// signs can begin a template, so they are left to HCL. So are all characters
// beyond ASCII, which HCL normalises.
var plainByte = func() (table [256]bool) {
	for c := ' '; c <= '~'; c++ {
		table[c] = !strings.ContainsRune(`"\$%`, c)
	}
	return table
}()

// quoted reads a plain string. The byteRange includes the quotes.
func (s *scanner) quoted() (byteRange, string, bool) {
	start := s.pos
	if !s.skipByte('"') {
		return byteRange{}, "", false
	}
	text, i := s.text, s.pos
	for i < len(text) && plainByte[text[i]] {
		i++
	}
	if i == len(text) || text[i] != '"' {
		return byteRange{}, "", false
	}
	value := text[s.pos:i]
	s.pos = i + 1
	return byteRange{start, s.pos}, value, true
}

func (s *scanner) skipByte(c byte) bool {
	if s.pos == len(s.text) || s.text[s.pos] != c {
		return false
	}
	s.pos++
	return true
}

// skipWord skips word if it is next and not only the beginning of a longer one.
func (s *scanner) skipWord(word string) bool {
	rest := s.text[s.pos:]
	if !strings.HasPrefix(rest, word) || len(rest) == len(word) {
		return false
	}
	switch rest[len(word)] {
	case ' ', '\t', '=', '"':
		s.pos += len(word)
		return true
	}
	return false
}

// skipBlanks skips spaces and tabs.
func (s *scanner) skipBlanks() {
	for s.pos < len(s.text) && (s.text[s.pos] == ' ' || s.text[s.pos] == '\t') {
		s.pos++
	}
}

// endLine skips blanks, an optional comment and the end of the line. It reports
// false if anything else is next, including the end of the text.
func (s *scanner) endLine() bool {
	s.skipBlanks()
	if s.pos == len(s.text) {
		return false
	}
	switch s.text[s.pos] {
	case '\n', '\r':
		return s.newline()
	case '#', '/':
		return s.lineComment()
	}
	return false
}

func (s *scanner) newline() bool {
	if strings.HasPrefix(s.text[s.pos:], "\r\n") {
		s.pos++
	}
	return s.skipByte('\n')
}

// skipTrivia skips blanks, ends of lines and comments. It reports false if one
// of them is not well-formed.
func (s *scanner) skipTrivia() bool {
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case ' ', '\t':
			s.pos++
		case '\n', '\r':
			if !s.newline() {
				return false
			}
		case '#':
			if !s.lineComment() {
				return false
			}
		case '/':
			if strings.HasPrefix(s.text[s.pos:], "/*") {
				end := strings.Index(s.text[s.pos+2:], "*/")
				if end < 0 || !cleanComment(s.text[s.pos:s.pos+2+end]) {
					return false
				}
				s.pos += 2 + end + 2
			} else if !s.lineComment() {
				return false
			}
		default:
			return true
		}
	}
	return true
}

// lineComment skips a comment that begins with # or // and goes to the end of
// the line or of the text.
func (s *scanner) lineComment() bool {
	rest := s.text[s.pos:]
	if rest[0] != '#' && !strings.HasPrefix(rest, "//") {
		return false
	}
	line, _, found := strings.Cut(rest, "\n")
	if !cleanComment(strings.TrimSuffix(line, "\r")) {
		return false
	}
	s.pos += len(line)
	if found {
		s.pos++
	}
	return true
}

// cleanComment reports whether HCL cannot object to anything in the text of a
// comment.
func cleanComment(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f {
			return false
		}
	}
	return isASCII(text) || utf8.ValidString(text)
}
