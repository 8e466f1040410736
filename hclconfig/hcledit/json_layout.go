// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"bytes"
	"math"
	"strings"

	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/jsontree"
)

// This file has the layout of JSON: that of a file, of a container, and of new text in it. It is
// always that of the text as it is now, so that a sequence of edits is the same as the edits one
// by one.
//
// The tools have no fmt for JSON, and so there is no layout that all files have. New text looks like
// the text around it: how a container is written says most, then the file, then what the tools and
// most programs write, which is one item on each line and two spaces for each level.

// styleBytes is the number of bytes of a file that are read to find its layout.
const styleBytes = 1 << 16

// upTo returns the first n bytes of the text, or all of it.
func (d *document) upTo(n int) string {
	var b strings.Builder
	d.root.pieces(func(s string) bool {
		b.WriteString(s[:min(len(s), n-b.Len())])
		return b.Len() < n
	})
	return b.String()
}

// look calls found with more and more of the text, until that returns true.
func (d *document) look(most int, found func(text string) bool) {
	// What is looked for is nearly always in the first lines. A large file is not
	// joined into one text for it.
	for n := 256; ; n *= 4 {
		n = min(n, most)
		if text := d.upTo(n); found(text) || len(text) < n || n == most {
			return
		}
	}
}

// newline returns how the file ends its lines, by the first one.
func (d *document) newline() string {
	nl := "\n"
	if d.breaks > 0 {
		d.look(math.MaxInt32, func(text string) bool {
			i := strings.IndexByte(text, '\n')
			if i > 0 && text[i-1] == '\r' {
				nl = "\r\n"
			}
			return i >= 0
		})
	}
	return nl
}

// unit returns one level of indentation, as the file has it: by the first line near the beginning
// that is indented.
func (d *document) unit() string {
	unit := ""
	if d.breaks > 0 {
		d.look(styleBytes, func(text string) bool {
			for i := range len(text) {
				if text[i] != '\n' {
					continue
				}
				rest := strings.TrimLeft(text[i+1:], " \t")
				// A closing bracket has the indentation of what is around, and a blank
				// line any.
				if n := len(text) - len(rest); n > i+1 && rest != "" && strings.IndexByte("\r\n]}", rest[0]) < 0 {
					unit = text[i+1 : n]
					return true
				}
			}
			return false
		})
	}
	if unit == "" {
		return jsontree.Pretty.Unit
	}
	return unit
}

// colon returns how the file writes colons, by the first one.
func (d *document) colon() string {
	colon := ": "
	d.look(math.MaxInt32, func(text string) bool {
		i := strings.IndexByte(text, ':')
		if i < 0 {
			return false
		}
		end := jsonscan.Space([]byte(text), i+1)
		// A value on the line below its name is no style that new text should have.
		if !strings.Contains(text[i:end], "\n") {
			colon = text[i:end]
		}
		return end < len(text)
	})
	return colon
}

// flat reports whether the file is all on one line, and has something in it if that line has an
// end.
//
// Programs that write JSON without lines end the file with a line break or not. An
// empty document with one is not taken for a file without lines.
func (d *document) flat() bool {
	last := d.root.gaps[len(d.root.gaps)-1]
	switch at := strings.Count(last, "\n"); {
	// A line break that is not behind the last bracket is within the document.
	case at != d.breaks:
		return false
	case at == 0:
		return true
	case len(d.root.kids) == 0:
		return false
	}
	root := d.root.kids[0]
	root.read()
	return len(root.kids) > 0
}

// expandsArrays reports whether short arrays of the file have lines of their own for their
// elements, by the first one near the beginning: those with arrays or objects in them have lines
// in any case.
func (d *document) expandsArrays() bool {
	if d.breaks == 0 {
		return false
	}
	if d.expands == nil {
		expands := false
		d.look(styleBytes, func(text string) (found bool) {
			expands, found = firstArray([]byte(text))
			return found
		})
		d.expands = &expands
	}
	return *d.expands
}

// firstArray reports whether the elements of the first short array of a text have lines of their
// own, and whether there is one.
func firstArray(text []byte) (lines, found bool) {
	short := false // about the array that was begun last
	if bytes.IndexByte(text, '[') < 0 {
		return false, false
	}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '[':
			end := jsonscan.Space(text, i+1)
			lines = bytes.IndexByte(text[i:end], '\n') >= 0
			// An empty array says nothing about lines.
			short = end < len(text) && text[end] != ']'
			i = end - 1
		case '{':
			short = false
		case ']':
			if short {
				return lines, true
			}
		}
	}
	return false, false
}

// style returns the style of the file.
func (d *document) style() jsontree.Style {
	style := jsontree.Pretty
	style.Newline, style.Unit, style.Expand = d.newline(), d.unit(), d.expandsArrays()
	if d.flat() {
		style.Newline = ""
		// Programs that write no space behind a colon write none behind a comma.
		if style.Colon = d.colon(); style.Colon == ":" {
			style.Comma = ","
		}
	}
	return style
}

// A layout is how a JSON object or array is written.
type layout struct {
	style  jsontree.Style
	indent string // of the line that the container begins on
}

// indentOf returns the indentation of the line of a node.
func (d *document) indentOf(n *node) string {
	if d.flat() {
		return ""
	}
	head, _ := n.line()
	return leading(head)
}

// layoutIn returns the layout of a container.
func (d *document) layoutIn(c *node) layout {
	c.read()
	l := layout{style: jsontree.Pretty, indent: d.indentOf(c)}
	l.style.Newline, l.style.Expand = d.newline(), d.expandsArrays()
	n := len(c.kids)
	if c.kind == objectNode && n > 0 {
		l.style.Colon = c.kids[0].gaps[1]
	} else {
		l.style.Colon = d.colon()
	}
	if n == 0 {
		if around, ok := d.lineAround(c); ok {
			return around
		}
	}
	head := c.gaps[0] // what is before the first item
	if d.flat() || n > 0 && !strings.Contains(head, "\n") {
		// All on one line.
		l.style.Newline = ""
		if n > 1 {
			sep := c.gaps[n-1]
			l.style.Comma = sep[strings.IndexByte(sep, ','):]
		} else if l.style.Colon == ":" {
			l.style.Comma = ","
		}
		return l
	}
	if n == 0 {
		l.style.Unit = d.unit()
		return l
	}
	line := strings.LastIndexByte(head, '\n') + 1
	// How far this container indents its items says more than the file.
	if unit, ok := strings.CutPrefix(head[line:], l.indent); ok && unit != "" && strings.Trim(unit, " \t") == "" {
		l.style.Unit = unit
	}
	return l
}

// lineAround returns the layout of the container that has a value, and reports whether that
// container begins on the same line. If it does, new text of the value has no line breaks: lines in the
// middle of a short one would stand out more than a line that is a little longer.
func (d *document) lineAround(n *node) (layout, bool) {
	c := n.item().up
	if d.flat() || c == nil || !c.isContainer() {
		return layout{}, false
	}
	if _, inside := n.line(); inside {
		return layout{}, false
	}
	return d.layoutIn(c), true
}

// valueText returns a value laid out like the file, and short arrays like the one that the node
// is, if it is one. The value goes there.
func (d *document) valueText(v Value, kind hcllang.Kind, program hcllang.Dialect, n *node) (string, error) {
	to, err := v.json(kind, program)
	if err != nil {
		return "", err
	}
	if to.Form == 0 {
		return to.Text, nil
	}
	style := d.style()
	if n.kind == arrayNode {
		// Arrays and objects in it have lines in any case.
		old := []byte(n.String())
		if first := jsonscan.Space(old, 1); old[first] != ']' && !bytes.ContainsAny(old[1:], "[{") {
			style.Expand = bytes.IndexByte(old[:first], '\n') >= 0
		}
	}
	if around, ok := d.lineAround(n); ok {
		style = around.style
	}
	var b strings.Builder
	to.Write(&b, style, d.indentOf(n))
	return b.String(), nil
}

// restyle returns a JSON value in another style. It changes white space and nothing else, and keeps blank
// lines: a value that moves is not printed again, or numbers and escapes would get another spelling.
// If flat is set, it comes from a file of one line.
// In other files, a value on one line stays on one line.
func restyle(text []byte, style jsontree.Style, indent string, flat bool) string {
	var out strings.Builder
	done := 0
	var inline []bool // of each open bracket: its items share a line
	for i := 0; i < len(text); {
		c := text[i]
		switch c {
		case '"':
			i = jsontree.StringEnd(text, i)
		case '{', '[':
			i++
			inline = append(inline, style.Newline == "" || c == '[' && !style.Expand && scalars(text[i:]))
		case '}', ']':
			i++
			inline = inline[:len(inline)-1]
		default:
			i++
		}
		if !bytes.ContainsRune([]byte("{[}],:"), rune(c)) && c != '"' && i < len(text) && bytes.IndexByte([]byte("}], \t\r\n"), text[i]) < 0 {
			continue // in a number or a word
		}
		end := jsonscan.Space(text, i)
		if end == len(text) {
			break
		}
		was, next, depth := string(text[i:end]), text[end], len(inline)
		shuts := next == '}' || next == ']'
		opens := c == '{' || c == '['
		onLine := depth == 0 || inline[depth-1]
		if shuts {
			depth--
		}
		line := style.Newline + indent + strings.Repeat(style.Unit, max(depth, 0))
		want := was
		switch {
		case c == ':':
			want = strings.TrimPrefix(style.Colon, ":")
		// No style has white space there.
		case next == ':' || next == ',' || opens && shuts:
			want = ""
		case style.Newline == "":
			if want = ""; c == ',' {
				want = strings.TrimPrefix(style.Comma, ",")
			}
		case strings.Contains(was, "\n"):
			// Blank lines divide groups of items, and come along.
			want = strings.Repeat(style.Newline, strings.Count(was, "\n")-1) + line
		case !flat:
		case onLine && c == ',':
			want = " "
		case !onLine && (opens || shuts || c == ','):
			want = line
		}
		if want != was {
			out.Write(text[done:i])
			out.WriteString(want)
			done = end
		}
		i = end
	}
	out.Write(text[done:])
	return out.String()
}

// scalars reports whether an array, whose bracket is before text, holds only texts,
// numbers and the like.
func scalars(text []byte) bool {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = jsontree.StringEnd(text, i) - 1
		case '{', '[':
			return false
		case ']':
			return true
		}
	}
	return true
}

// reindented returns a JSON value whose lines but the first get another indentation.
func reindented(text, old, indent string) string {
	if old == indent || !strings.Contains(text, "\n") {
		return text
	}
	var b strings.Builder
	for i, line := range strings.SplitAfter(text, "\n") {
		if rest, ok := strings.CutPrefix(line, old); i > 0 && (ok || old == "") {
			line = indent + rest
		}
		b.WriteString(line)
	}
	return b.String()
}
