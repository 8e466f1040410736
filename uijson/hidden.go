// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// Messages share their lines with other things: a program puts a prefix before them, or
// colours around them, two writers use one file, a writer is killed and the next one goes
// on where it stopped. The functions here find what is left of messages on such lines.

// levelStart is how every message begins. Only lines of the tools' logs have "@caller"
// before it.
var levelStart = []byte(`{"@level"`)

// maxTries is how many beginnings of messages in one line are tried one inside the other.
const maxTries = 16

// hidden looks for a message that does not begin its line, or that something has been
// written into. It reports whether it has made ev an event: of the first message, with the
// text before it, or of what is before the message if that is a part of another one.
func (r *Reader) hidden(ev *Event, line rawLine, start, end int) bool {
	text := line.bytes[:end:end]
	if at := bytes.Index(text, []byte("\"\x00@\x00")); at >= 0 {
		r.widened(ev, &line, start, end, at%2)
		return true
	}
	first := bytes.IndexByte(text[start:], '{')
	if first < 0 {
		return false
	}
	broken, open, tries := false, false, 0
	for at := start + first; at >= 0; {
		n, fault := jsonscan.Value(text, at, jsonscan.MaxDepth)
		shown := text
		if fault != jsonscan.OK && isUnclean(text, at, n) {
			shown = r.clean.of(line.offset, text)
			n, fault = jsonscan.Value(shown, at, jsonscan.MaxDepth)
		}
		from := n
		if fault == jsonscan.OK {
			part := text[at:n:n]
			if &shown[0] != &text[0] {
				part = cleaned(part)
			}
			m, problem, err := r.decoder.decode(part, "")
			if err == nil && kindOf(m) != EventJSON {
				if broken || isPart(text[start:at]) {
					r.before(ev, &line, start, at, true)
					return true
				}
				r.found(ev, &line, at, n, m, problem)
				if &shown[0] != &text[0] {
					ev.Repaired, ev.text = true, part
				}
				return true
			}
		} else {
			begins := isBeginning(text[at:])
			if begins && fault == jsonscan.FaultEnd && !line.end && !open {
				if at > start { // half a message at the end of the stream: an event of its own
					r.before(ev, &line, start, at, broken)
					return true
				}
				open = true
			}
			broken = broken || begins
			// The beginnings in between that are not complete have the same fault,
			// and only few lines have others.
			if tries++; tries > maxTries {
				from = max(n-2, at+1)
			} else {
				from = at + 1
			}
		}
		at = nextBeginning(text, from)
	}
	return false
}

// widened makes ev the event of a line in UTF-16 within a stream that is not, as a program
// leaves one that appends to a file. The units of ASCII text are at odd or even bytes,
// whatever their order: the line feed of the line before belongs to one.
func (r *Reader) widened(ev *Event, line *rawLine, start, end, odd int) {
	text := orderLittle.decode(line.bytes[odd:end])
	if at := nextBeginning(text, 0); at >= 0 {
		if n, fault := jsonscan.Value(text, at, jsonscan.MaxDepth); fault == jsonscan.OK {
			if m, problem, err := r.decoder.decode(text[at:n:n], ""); err == nil && kindOf(m) != EventJSON {
				ev.Kind, ev.Message, ev.Err, ev.start, ev.end = kindOf(m), m, r.place(ev, start, problem), start, end
				ev.Repaired, ev.text = true, text[at:n]
				return
			}
		}
	}
	ev.Kind, ev.Message = EventDamaged, salvage(text)
	ev.Err = r.place(ev, start, &Error{Line: 1, Column: 1, Err: jsonscan.FaultUTF16})
}

// before makes ev the event of what is before a message, which begins at byte at: text or
// a part of another message.
func (r *Reader) before(ev *Event, line *rawLine, start, at int, broken bool) {
	if text := line.bytes[start:at]; broken || isPart(text) {
		ev.Kind, ev.Message = EventDamaged, salvage(text)
		ev.Err = r.place(ev, start, &Error{Line: 1, Column: 1, Err: ErrNotMessage})
	}
	r.cut(ev, line, at)
}

// found makes ev the event of message m, which is line.bytes[at:n], and of the text before
// it.
func (r *Reader) found(ev *Event, line *rawLine, at, n int, m *Message, problem error) {
	if _, end := body(line.bytes); n < end {
		r.cut(ev, line, n)
	}
	ev.Kind, ev.Message, ev.start, ev.end = kindOf(m), m, at, n
	ev.Err = r.place(ev, at, problem)
}

// nextBeginning returns where a message may begin in text, at from or after it, or -1.
func nextBeginning(text []byte, from int) int {
	for i := max(from, 0); i < len(text); i++ {
		n := bytes.Index(text[i:], []byte(`"@`))
		if n < 0 {
			return -1
		}
		i += n
		at := i - 1
		for at > from && (text[at] == ' ' || text[at] == '\t') {
			at--
		}
		if at >= max(from, 0) && text[at] == '{' {
			return at
		}
	}
	return -1
}

// isBeginning reports whether text, which is not a message, begins as one does.
func isBeginning(text []byte) bool {
	text = text[jsonscan.Space(text, 1):]
	const level = `"@level`
	n := min(len(text), len(level))
	for n > 0 && string(text[:n]) != level[:n] {
		n--
	}
	return n >= len(`"@l`)
}

// isPart reports whether text holds a part of a message: the beginning of one, or the
// members that all have and no other text.
func isPart(text []byte) bool {
	for _, member := range []string{`"@timestamp":`, `"@module":`} {
		for at := 0; ; {
			i := bytes.Index(text[at:], []byte(member))
			if i < 0 {
				break
			}
			if at += i + len(member); at < len(text) && text[jsonscan.Space(text[:len(text)-1], at)] == '"' {
				return true
			}
		}
	}
	for at := nextBeginning(text, 0); at >= 0; at = nextBeginning(text, at+1) {
		if isBeginning(text[at:]) {
			if n, fault := jsonscan.Value(text, at, jsonscan.MaxDepth); fault != jsonscan.OK {
				return true
			} else if n > at {
				at = n - 1
			}
		}
	}
	return false
}

// isOpen reports whether the end of a stream is the beginning of a JSON object.
func isOpen(text []byte, err error) bool {
	return text[0] == '{' && isFault(err, jsonscan.FaultEnd) || bytes.HasSuffix(text, []byte("{")) || bytes.HasSuffix(text, []byte(`{"`))
}

// isUnclean reports whether the fault at byte n of text may come from something that is in
// the text of a message and that no tool writes there.
func isUnclean(text []byte, at, n int) bool {
	if n >= len(text) {
		return false
	}
	// An escape sequence has visible characters too.
	return text[n] < ' ' || text[n] >= utf8.RuneSelf || bytes.IndexByte(text[max(at, n-16):n], 0x1b) >= 0
}

// A cleanText is a line with blanks in place of what no tool writes, for all the pieces
// of the line.
type cleanText struct {
	text   []byte
	offset int64 // in the stream
}

// of returns text, which begins at an offset of the stream, as cleanText has it. The
// result has the same length.
func (c *cleanText) of(offset int64, text []byte) []byte {
	if at := offset - c.offset; c.text != nil && at >= 0 && at+int64(len(text)) <= int64(len(c.text)) && at > 0 {
		return c.text[at : at+int64(len(text))]
	}
	out := bytes.Clone(text)
	for i := 0; i < len(out); {
		n, unclean := next(out[i:])
		for j := i; unclean && j < i+n; j++ {
			out[j] = ' '
		}
		i += n
	}
	c.text, c.offset = out, offset
	return out
}

// cleaned returns a message without what no tool writes, and with U+FFFD for what is not
// UTF-8.
func cleaned(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		n, unclean := next(text[i:])
		switch {
		case !unclean:
			out = append(out, text[i:i+n]...)
		case text[i] >= utf8.RuneSelf:
			out = utf8.AppendRune(out, utf8.RuneError)
		}
		i += n
	}
	return out
}

// maxSequence is how long an escape sequence is at most.
const maxSequence = 32

// next returns the length of the first character or escape sequence of text, and whether
// it is something that no tool writes: a sequence, a control character, or not UTF-8.
func next(text []byte) (n int, unclean bool) {
	switch c := text[0]; {
	case c >= utf8.RuneSelf:
		_, n = utf8.DecodeRune(text)
		return n, n == 1
	case c == 0x1b && len(text) > 1 && text[1] == '[':
		for i := 2; i < min(len(text), maxSequence); i++ {
			if text[i] >= 0x40 && text[i] <= 0x7e {
				return i + 1, true
			}
		}
	}
	return 1, text[0] < ' '
}

// salvage returns what can be read of a part of a message, or nil.
func salvage(text []byte) *Message {
	m := &Message{
		Level: Level(stringOf(text, `"@level":`)), Text: stringOf(text, `"@message":`), Module: stringOf(text, `"@module":`),
		Timestamp: stringOf(text, `"@timestamp":`),
	}
	if i := bytes.Index(text, []byte(`"diagnostic":`)); i >= 0 {
		at := i + len(`"diagnostic":`)
		if n, fault := jsonscan.Value(text, at, jsonscan.MaxDepth); fault == jsonscan.OK {
			whole := append(append([]byte(`{"diagnostic":`), text[at:n]...), '}')
			if d, err := Decode(whole); err == nil {
				m.Diagnostic = d.Diagnostic
			}
		}
	}
	if m.Level == "" {
		switch severity := stringOf(text, `"severity":`); {
		case severity == string(SeverityError), strings.HasPrefix(m.Text, "Error: "):
			m.Level = LevelError
		case severity == string(SeverityWarning), strings.HasPrefix(m.Text, "Warning: "):
			m.Level = LevelWarn
		}
	}
	if m.Text == "" {
		m.Text = stringOf(text, `"summary":`)
	}
	if m.Level == "" && m.Text == "" && m.Diagnostic == nil {
		return nil
	}
	return m
}

// stringOf returns the text of a string that follows a name, or as much of it as there
// is.
func stringOf(text []byte, name string) string {
	i := bytes.Index(text, []byte(name))
	if i < 0 {
		return ""
	}
	at := jsonscan.Space(text, i+len(name))
	if at >= len(text) || text[at] != '"' {
		return ""
	}
	n, fault := jsonscan.String(text, at)
	if fault == jsonscan.OK {
		return jsonscan.Unquote(text[at:n])
	}
	part := text[at:min(n, len(text))]
	for len(part) > 1 {
		whole := append(bytes.Clone(bytes.ToValidUTF8(part, nil)), '"')
		if _, fault := jsonscan.String(whole, 0); fault == jsonscan.OK {
			return jsonscan.Unquote(whole)
		}
		if i := bytes.LastIndexByte(part, '\\'); i > 0 && i > len(part)-8 {
			part = part[:i]
			continue
		}
		break
	}
	return ""
}
