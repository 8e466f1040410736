// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"bytes"
	"strings"

	"github.com/tofuwire/tofuwire/internal/textspan"
)

// unit is one level of indentation, as "tofu fmt" has it.
const unit = "  "

// lineEnd returns where the line of offset ends, before its line break. A
// comment that begins on the line and ends on a later one belongs to it.
func (e *Editor) lineEnd(offset int) int {
	text := e.p.text
	for i := offset; i < len(text); i++ {
		switch {
		case text[i] == '\n':
			if i > offset && text[i-1] == '\r' {
				return i - 1
			}
			return i
		case text[i] == '#' || bytes.HasPrefix(text[i:], []byte("//")):
			n := bytes.IndexByte(text[i:], '\n')
			if n < 0 {
				return len(text)
			}
			i += n - 1
		case bytes.HasPrefix(text[i:], []byte("/*")):
			n := bytes.Index(text[i+2:], []byte("*/"))
			if n < 0 {
				return len(text)
			}
			i += n + 3
		}
	}
	return len(text)
}

// restIsBlank reports whether nothing but white space and comments follows
// offset on its line.
func (e *Editor) restIsBlank(offset int) bool {
	rest := bytes.TrimLeft(e.p.text[offset:e.lineEnd(offset)], " \t\r")
	return len(rest) == 0 || rest[0] == '#' || rest[0] == '/'
}

// afterBreak returns the place behind the line break at offset.
func (e *Editor) afterBreak(offset int) int {
	if bytes.HasPrefix(e.p.text[offset:], []byte("\r\n")) {
		return offset + 2
	}
	return min(offset+1, len(e.p.text))
}

// blank reports whether the line from start to its end is empty.
func (e *Editor) blank(start int) bool {
	end := bytes.IndexByte(e.p.text[start:], '\n')
	if end < 0 {
		end = len(e.p.text) - start
	}
	return len(bytes.TrimSpace(e.p.text[start:start+end])) == 0
}

// removeNative removes the argument or block from start to end: whole lines if
// nothing else stands on them, and for a block one of the blank lines around.
func (e *Editor) removeNative(start, end int, block bool) {
	text := e.p.text
	from := e.lineStart(start)
	if len(bytes.TrimSpace(text[from:start])) > 0 || !e.restIsBlank(end) {
		// Inside the braces of a block on one line.
		for start > 0 && (text[start-1] == ' ' || text[start-1] == '\t') {
			start--
		}
		for end < len(text) && (text[end] == ' ' || text[end] == '\t') {
			end++
		}
		e.p.replace(start, end, "")
		return
	}
	to := e.afterBreak(e.lineEnd(end))
	if block {
		switch before := from == 0 || e.blank(e.lineStart(from-1)); {
		case to < len(text) && e.blank(to) && before:
			to = e.afterBreak(to + bytes.IndexByte(append(text[to:len(text):len(text)], '\n'), '\n'))
		case from > 0 && before && (to >= len(text) || bytes.HasPrefix(bytes.TrimLeft(text[to:], " \t"), []byte("}"))):
			from = e.lineStart(from - 1)
		}
	}
	e.p.replace(from, min(to, len(text)), "")
}

// openBody makes sure that the body of a block, whose braces are at s in the
// original, is written over several lines. It returns where the line of the
// closing brace begins, and the indentation of the content.
func (e *Editor) openBody(b *Block) (shut int, indent string, ok bool) {
	start, end, ok := e.locate(b.Body.at)
	if !ok {
		return 0, "", false
	}
	outer := e.indentAt(start)
	indent = outer + unit
	text := e.p.text
	shut = end - 1
	if from := e.lineStart(shut); from > start && len(bytes.TrimSpace(text[from:shut])) == 0 {
		return from, indent, true
	}
	// On one line: break it behind the first brace and before the last.
	content := strings.TrimSpace(string(text[start+1 : shut]))
	first, last := start+1, shut
	for first < shut && (text[first] == ' ' || text[first] == '\t') {
		first++
	}
	for last > first && (text[last-1] == ' ' || text[last-1] == '\t') {
		last--
	}
	e.p.replace(last, shut, e.newline+outer)
	if content != "" {
		e.p.replace(start+1, first, e.newline+indent)
	} else if first > start+1 && last < first {
		e.p.replace(start+1, first, "")
	}
	_, end, ok = e.locate(b.Body.at)
	return e.lineStart(end - 1), indent, ok
}

func (e *Editor) addNativeArgument(in *Block, name string, v Value) {
	text, err := nativeArgument(in.Body.spec, name, v)
	if err != nil {
		e.fail(in.typeAt, err)
		return
	}
	shut, indent, ok := e.openBody(in)
	if !ok {
		return
	}
	// Behind the last argument that is still there.
	for i := len(in.Body.Arguments) - 1; i >= 0; i-- {
		a := &in.Body.Arguments[i]
		start, ok1 := e.p.start(int(a.nameAt.Start))
		end, ok2 := e.p.end(int(a.at.End))
		if !ok1 || !ok2 {
			continue
		}
		indent = e.indentAt(start)
		at := e.lineEnd(end)
		// What was added behind it before is part of the same group.
		for {
			next := e.afterBreak(at)
			if next >= shut || !e.isAdded(next) {
				break
			}
			start, at = next, e.addedEnd(next)
		}
		text = e.align(formatNative(text, indent, e.newline), start, len(name))
		e.p.replace(at, at, e.newline+indent+text)
		return
	}
	open, _ := e.p.start(int(in.Body.at.Start))
	at := e.lineEnd(open + 1)
	text = e.newline + indent + formatNative(text, indent, e.newline)
	if next := e.afterBreak(at); next < shut && !e.blank(next) {
		text += e.newline // blocks stand apart
	}
	e.p.replace(at, at, text)
}

// isAdded reports whether the line at offset was inserted by this editor.
func (e *Editor) isAdded(offset int) bool {
	return e.addedEnd(offset) > offset
}

// addedEnd returns where the inserted text around offset ends, or offset if it
// is not inserted.
func (e *Editor) addedEnd(offset int) int {
	shift := 0
	for _, d := range e.p.deltas {
		at := d.at + shift
		if d.del == 0 && at <= offset && offset < at+d.ins {
			return at + d.ins
		}
		shift += d.ins - d.del
	}
	return offset
}

// align puts spaces before the equals sign of a new argument, so that it stands
// below that of the line at offset, if that is an argument on one line. A name
// that is too long for that would change other lines, which stay as they are.
func (e *Editor) align(text string, offset, nameLen int) string {
	if strings.Contains(text, "\n") {
		return text
	}
	from := e.lineStart(offset)
	line := string(e.p.text[from:e.lineEnd(offset)])
	if strings.Contains(line, "\n") {
		return text
	}
	indent := len(e.indentAt(offset))
	equals := strings.IndexByte(line, '=')
	pad := equals - indent - nameLen
	if equals < 0 || pad < 1 {
		return text
	}
	return text[:nameLen] + spaces(pad) + strings.TrimLeft(text[nameLen:], " ")
}

func (e *Editor) addNativeBlock(in *Block, block *BlockBuilder) {
	if in == nil {
		text, err := block.native(e.f.body.spec)
		if err != nil {
			e.fail(textspan.Of(-1, -1), err)
			return
		}
		text = formatNative(text, "", e.newline) + e.newline
		end := len(e.p.text)
		if trimmed := bytes.TrimRight(e.p.text, " \t\r\n"); len(trimmed) > 0 && !bytes.Equal(trimmed, []byte("\uFEFF")) {
			if e.p.text[end-1] != '\n' {
				text = e.newline + text
			}
			if !bytes.HasSuffix(e.p.text, []byte("\n\n")) && !bytes.HasSuffix(e.p.text, []byte("\n\r\n")) {
				text = e.newline + text
			}
		}
		e.p.replace(end, end, text)
		return
	}
	text, err := block.native(in.Body.spec)
	if err != nil {
		e.fail(in.typeAt, err)
		return
	}
	empty := len(in.Body.Arguments)+len(in.Body.Blocks) == 0
	shut, indent, ok := e.openBody(in)
	if !ok {
		return
	}
	text = indent + formatNative(text, indent, e.newline) + e.newline
	if shut > 0 {
		above := e.lineStart(shut - 1)
		open, _ := e.p.start(int(in.Body.at.Start))
		if !e.blank(above) && !(empty && above <= open) {
			text = e.newline + text
		}
	}
	e.p.replace(shut, shut, text)
}
