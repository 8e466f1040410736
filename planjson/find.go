// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A Found is a document that [Find] has found in a text, and what else the text
// contains.
type Found struct {
	// Text is the document. It is a part of the text that was searched, unless that is in
	// UTF-16 or each line of the document has a prefix.
	Text []byte

	// Kind is its kind, as [KindOf] returns it.
	Kind DocumentKind

	// Offset, Line and Column are where the document begins in the text that was
	// searched. Offset is in bytes, from 0; Line and Column count from 1, Column in bytes.
	// In UTF-16, Column counts the bytes that the line has in UTF-8, without the byte order
	// mark.
	Offset       int64
	Line, Column int

	// Before, Inside and After are the numbers of bytes that were skipped: before the
	// document, in its lines, such as their prefixes, and after it. They are bytes of the
	// text that was searched: a byte order mark counts as Before, and in UTF-16 a letter is
	// two bytes. White space after a document that begins the text is a part of Text.
	Before, Inside, After int64

	// UTF16 reports whether the text is in UTF-16, in either byte order.
	UTF16 bool
}

// ErrNoDocument is the cause of an [Error] if [Find] finds no document in a text, and of
// [Judgeable] if a plan has nothing that only a plan has, such as {}.
var ErrNoDocument = errors.New("there is no document")

// Find finds the one document in src, the output of a tool as pipelines keep it: with text,
// escape sequences, or messages of a -json stream before and after the document, a byte order
// mark, in UTF-16, in a block of Markdown, or with the same prefix before each line, such as
// a time or the name of a unit, in which digits may differ. Lines that repeat a document for
// debugging, as setup-terraform's wrapper writes them, are skipped.
//
// If src is valid JSON, Find returns it unchanged, so programs may always call it before a
// Decode function.
//
// The error is an [*Error]. It wraps [ErrNoDocument] if there is no document, and [ErrKind]
// if src is a stream of messages or a zip archive, as saved plans are. Two documents in one
// text are an error, because it is not clear which one is meant. So is a document that is
// damaged or cut off, and part of a document: a program must not mistake it for the whole.
//
// It takes time in proportion to the length of src.
func Find(src []byte) (*Found, error) {
	if jsonscan.Valid(src) {
		switch kind := KindOf(src); kind {
		case "":
			return nil, &Error{Line: 1, Column: 1, Err: ErrNoDocument}
		case DocumentMessage:
			return nil, &Error{Line: 1, Column: 1, Err: &otherKind{is: kind}}
		default:
			line, column := jsonscan.Position(src, jsonscan.Space(src, 0))
			return &Found{Text: src, Kind: kind, Offset: int64(jsonscan.Space(src, 0)), Line: line, Column: column}, nil
		}
	}
	f := finder{text: src}
	order := byteOrder(src)
	if order != 0 {
		f.text = fromUTF16(src, order)
	}
	if bytes.HasPrefix(f.text, zipMagic) {
		return nil, &Error{Line: 1, Column: 1, Err: &otherKind{is: DocumentPlanFile}}
	}
	f.run()
	found, err := f.result()
	if err != nil {
		if order != 0 {
			err.Offset = f.offset(err.Offset, len(src))
		}
		return nil, err
	}
	if order != 0 {
		end := int64(len(f.text)) - found.After
		found.UTF16, found.Offset = true, f.offset(found.Offset, len(src))
		found.Before = found.Offset
		found.After = inUTF16(f.text[end:])
		if found.Inside > 0 {
			found.Inside = int64(len(src)/2*2) - found.Before - inUTF16(found.Text) - found.After
		}
	}
	return found, nil
}

// byteOrder returns 'l' or 'b' if a text is in UTF-16 of that byte order, with a mark or
// beginning with two characters of ASCII, and 0 if it is not.
func byteOrder(src []byte) byte {
	switch {
	case len(src) < 4:
	case src[0] == 0xFF && src[1] == 0xFE, src[0] != 0 && src[1] == 0 && src[2] != 0 && src[3] == 0:
		return 'l'
	case src[0] == 0xFE && src[1] == 0xFF, src[0] == 0 && src[1] != 0 && src[2] == 0 && src[3] != 0:
		return 'b'
	}
	return 0
}

// fromUTF16 returns a text in UTF-8, without a byte order mark.
func fromUTF16(src []byte, order byte) []byte {
	unit := func(i int) rune {
		if order == 'l' {
			return rune(src[i]) | rune(src[i+1])<<8
		}
		return rune(src[i])<<8 | rune(src[i+1])
	}
	text := make([]byte, 0, len(src)/2+len(src)/16)
	for i := 0; i+1 < len(src); i += 2 {
		c := unit(i)
		if utf16.IsSurrogate(c) {
			low := rune(0)
			if i+3 < len(src) {
				low = unit(i + 2)
			}
			if c = utf16.DecodeRune(c, low); c != utf8.RuneError {
				i += 2
			}
		}
		if i == 0 && c == '\uFEFF' {
			continue
		}
		text = utf8.AppendRune(text, c)
	}
	return text
}

// inUTF16 returns the number of bytes that a text takes in UTF-16.
func inUTF16(text []byte) int64 {
	n := int64(0)
	for i := 0; i < len(text); {
		c, size := utf8.DecodeRune(text[i:])
		i += size
		if n += 2; c > 0xFFFF {
			n += 2
		}
	}
	return n
}

// A finder searches a text for documents.
type finder struct {
	text     []byte
	certain  []*Found // documents beyond doubt
	likely   []*Found // other texts that may be documents
	messages int      // how many messages of a stream there are
	damaged  *Error   // the first document that is damaged or a part of another text
}

// run looks at each object in the text. An object is read once: after a fault the search
// goes on there.
func (f *finder) run() {
	line, seen := 0, 0 // where the present line begins, and up to where line ends were looked for
	for i := 0; ; {
		k := bytes.IndexByte(f.text[i:], '{')
		if k < 0 {
			return
		}
		start := i + k
		if n := bytes.LastIndexByte(f.text[seen:start], '\n'); n >= 0 {
			line = seen + n + 1
		}
		seen = start
		prefix := f.text[line:min(start, line+maxPrefix)]
		if isRepeated(prefix) {
			i = f.lineEnd(start)
			continue
		}
		end, fault := jsonscan.Value(f.text, start, jsonscan.MaxDepth)
		if fault == jsonscan.OK {
			f.add(&Found{Text: f.text[start:end:end]}, start, end)
			i = end
			continue
		}
		end = min(end, len(f.text))
		if start-line <= maxPrefix {
			if next, ok := f.prefixed(prefix, start, end); ok {
				i = next
				continue
			}
		}
		if looksLikeDocument(f.text[start:end]) || f.isLastBrace(start) {
			f.damage(start, end, fault)
		}
		i = max(start+1, end)
	}
}

// maxPrefix is the length up to which the text before an object is looked at.
const maxPrefix = 1024

// isRepeated reports whether what begins a line says that the line repeats the output of a
// tool.
func isRepeated(prefix []byte) bool {
	return bytes.Contains(prefix, []byte("::debug::")) || bytes.Contains(prefix, []byte("##[debug]")) || bytes.Contains(prefix, []byte("::set-output "))
}

func (f *finder) lineEnd(i int) int {
	if n := bytes.IndexByte(f.text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(f.text)
}

// add takes note of an object, which is found.Text and fills the text from start to end.
func (f *finder) add(found *Found, start, end int) {
	m := membersOf(found.Text)
	kinds := m.kinds()
	switch {
	case len(kinds) > 0 && kinds[0] == DocumentMessage:
		f.messages++
		return
	case len(kinds) > 0:
		found.Kind = kinds[0]
	default:
		found.Kind = KindOf(found.Text)
	}
	if found.Kind == "" || len(m.all) == 0 {
		return
	}
	certain := m.outputs || len(kinds) > 0 && m.certainly(kinds[0])
	if f.isPart(start, end) {
		if certain && f.damaged == nil {
			f.damage(start, start, jsonscan.OK)
		}
		return
	}
	found.Offset, found.Before = int64(start), int64(start)
	found.After = int64(len(f.text) - end)
	if jsonscan.Space(f.text, end) == len(f.text) {
		found.After = 0
	}
	if certain {
		f.certain = append(f.certain, found)
	} else {
		f.likely = append(f.likely, found)
	}
}

// isPart reports whether the object from start to end is a member or an element of a larger
// JSON text.
func (f *finder) isPart(start, end int) bool {
	before := bytes.TrimRight(f.text[:start], " \t\r\n")
	if n := len(before); n > 0 {
		switch before[n-1] {
		case ':':
			if bytes.HasSuffix(bytes.TrimRight(before[:n-1], " \t\r\n"), []byte{'"'}) {
				return true
			}
		case '[', ',':
			if after := jsonscan.Space(f.text, end); after < len(f.text) && (f.text[after] == ',' || f.text[after] == ']') {
				return true
			}
		}
	}
	after := jsonscan.Space(f.text, end)
	if after+1 < len(f.text) && f.text[after] == ',' {
		after = jsonscan.Space(f.text, after+1)
		return after < len(f.text) && (f.text[after] == '"' || f.text[after] == '{')
	}
	return after < len(f.text) && f.text[after] == '}'
}

// damage takes note of a document with a fault.
func (f *finder) damage(start, at int, fault jsonscan.Fault) {
	if f.damaged != nil {
		return
	}
	line, column := jsonscan.Position(f.text, at)
	first, _ := jsonscan.Position(f.text, start)
	e := &Error{Offset: int64(at), Line: line, Column: column}
	switch {
	case fault == jsonscan.OK:
		e.Err = errors.New("the document is part of a larger text that is damaged")
	case len(bytes.TrimSpace(f.text[:start])) == 0:
		e.Err = fault
	default:
		e.Err = fmt.Errorf("the document that begins at line %d is damaged: %w", first, fault)
	}
	f.damaged = e
}

// looksLikeDocument reports whether an object, of which only the beginning can be read, would
// be a document. The members of a plan may be sorted, so that its version comes late.
func looksLikeDocument(text []byte) bool {
	m := membersBegun(text)
	m.outputs = false
	if kinds := m.kinds(); len(kinds) > 0 {
		return kinds[0] == DocumentPlan || kinds[0] != DocumentMessage && m.certainly(kinds[0])
	}
	for _, first := range []string{"format_version", "plan_format_version", "state_format_version", "applyable"} {
		if begun, isObject := bytes.CutPrefix(text, []byte{'{'}); m.all[first] != 0 || isObject && len(m.all) == 0 && isCut(bytes.TrimSpace(begun), `"`+first+`"`) {
			return true
		}
	}
	return false
}

// isCut reports whether a text is a name, or enough of its beginning to be no other.
func isCut(text []byte, name string) bool {
	return len(text) > 1 && strings.HasPrefix(name, string(bytes.TrimRight(text, ": \t\r\n")))
}

// isLastBrace reports whether an object without a member ends the text, after a document, at
// the beginning of a line or behind another object: it can be any document.
func (f *finder) isLastBrace(start int) bool {
	before := bytes.TrimRight(f.text[:start], " \t")
	return len(f.certain)+len(f.likely) > 0 && (bytes.HasSuffix(before, []byte{'\n'}) || bytes.HasSuffix(before, []byte{'}'})) &&
		len(bytes.Trim(f.text[start:], "{\" \t\r\n")) == 0
}

// prefixed looks for a document of several lines, each with a prefix as the first one, which
// has it before start. The fault of reading it without that is at a place in a later line.
// It returns where to go on if there is such a document, or a part of one.
func (f *finder) prefixed(prefix []byte, start, fault int) (next int, ok bool) {
	first := bytes.IndexByte(f.text[start:fault], '\n') + start
	if first < start { // the rest of the line may be escape sequences
		first = afterEscapes(f.text, fault)
	}
	if len(bytes.TrimSpace(prefix)) == 0 || first == len(f.text) || f.text[first] != '\n' {
		return 0, false
	}
	text := appendPlain(nil, f.text[start:first])
	at := first // the end of the last line that is in text
	whole := false
	for lines := 1; !whole; lines *= 2 {
		for range lines {
			if at >= len(f.text) || !sameShape(f.text[at+1:], prefix) {
				whole = true
				break
			}
			from := at + 1 + len(prefix)
			at = f.lineEnd(from)
			text = appendPlain(append(text, '\n'), f.text[from:at])
		}
		end, fault := jsonscan.Value(text, 0, jsonscan.MaxDepth)
		switch {
		case fault == jsonscan.OK:
			// The lines that were taken too early belong to what follows.
			last := first
			for range bytes.Count(text[:end], []byte{'\n'}) {
				last = f.lineEnd(last + 1)
			}
			found := &Found{Text: text[:end:end], Inside: int64(last - start - end)}
			f.add(found, start, last)
			return last, true
		case fault != jsonscan.FaultEnd || whole:
			if !looksLikeDocument(text[:end]) {
				return 0, false
			}
			last := first
			for range bytes.Count(text[:min(end, len(text))], []byte{'\n'}) {
				last = f.lineEnd(last + 1)
			}
			f.damage(start, last, fault)
			return last, true
		}
	}
	return 0, false
}

// afterEscapes returns where the escape sequences at text[i] end, and a carriage return after
// them.
func afterEscapes(text []byte, i int) int {
	for i+1 < len(text) && text[i] == '\x1b' && text[i+1] == '[' {
		for i += 2; i < len(text) && text[i] < '@' && text[i] != '\n'; i++ {
		}
		i = min(i+1, len(text))
	}
	if i < len(text) && text[i] == '\r' {
		i++
	}
	return i
}

// appendPlain appends a line without escape sequences and without the carriage return at its
// end.
func appendPlain(dst, line []byte) []byte {
	for line = bytes.TrimSuffix(line, []byte{'\r'}); ; {
		i := bytes.Index(line, []byte("\x1b["))
		if i < 0 {
			return append(dst, line...)
		}
		dst = append(dst, line[:i]...)
		line = line[afterEscapes(line, i):]
	}
}

// sameShape reports whether a text begins as a prefix does, but for the digits.
func sameShape(text, prefix []byte) bool {
	if len(text) < len(prefix) {
		return false
	}
	isDigit := func(c byte) bool { return '0' <= c && c <= '9' }
	for i, c := range prefix {
		if text[i] != c && (!isDigit(c) || !isDigit(text[i])) {
			return false
		}
	}
	return true
}

// result returns what was found, or the error.
func (f *finder) result() (*Found, *Error) {
	list := f.certain
	if len(list) == 0 {
		list = f.likely
	}
	fail := func(at int64, err error) (*Found, *Error) {
		line, column := jsonscan.Position(f.text, int(at))
		return nil, &Error{Offset: at, Line: line, Column: column, Err: err}
	}
	switch {
	case f.damaged != nil:
		return nil, f.damaged
	case len(list) > 1:
		line, _ := jsonscan.Position(f.text, int(list[0].Offset))
		return fail(list[1].Offset, fmt.Errorf("there are two documents: %s at line %d, and %s here", list[0].Kind.row().words, line, list[1].Kind.row().words))
	case len(list) == 1:
		list[0].Line, list[0].Column = jsonscan.Position(f.text, int(list[0].Offset))
		return list[0], nil
	case f.messages > 0:
		return fail(0, &otherKind{is: DocumentMessage})
	}
	return fail(0, ErrNoDocument)
}

// offset returns the offset in a text in UTF-16 of size bytes, for one in f.text.
func (f *finder) offset(at int64, size int) int64 {
	mark := int64(size&^1) - inUTF16(f.text)
	return mark + inUTF16(f.text[:at])
}
