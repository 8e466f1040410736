// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A diffSink takes the lines of a rendered difference. A line has a sign, its
// depth in the nesting of blocks, its text, and a remark. The text is valid
// until the call returns, and has no control characters.
type diffSink interface {
	line(sign string, depth int, text []byte, note string)
}

// A renderer turns differences into lines.
type renderer struct {
	to   diffSink
	text []byte // of the line being made
	max  int    // the length of one value, 0 for no limit
}

var diffSigns = [...]string{DiffUnchanged: " ", DiffAdded: "+", DiffRemoved: "-", DiffChanged: "~", DiffMoved: "~"}

const forcesNote = "# forces replacement"

// resource renders one object, with its headline.
func (r *renderer) resource(d *ResourceDiff) {
	if r.text == nil {
		r.text = make([]byte, 0, 512)
	}
	r.to.line("#", 0, append(append(append(r.text[:0], printable(d.Address)...), ' '), d.Headline()...), "")
	if why := d.Explain(); why != "" {
		r.to.line("#", 0, append(append(append(r.text[:0], '('), why...), ')'), "")
	}
	if d.IsMoved() {
		r.to.line("#", 0, append(append(append(r.text[:0], "(moved from "...), printable(d.PreviousAddress)...), ')'), "")
	}
	if d.Importing {
		text := append(r.text[:0], "(imported"...)
		if d.ImportID != "" {
			text = appendQuoted(append(text, " from "...), d.ImportID)
		}
		r.to.line("#", 0, append(text, ')'), "")
	}
	keyword := "resource"
	switch d.Mode {
	case "data", "ephemeral":
		keyword = string(d.Mode)
	}
	text := append(append(r.text[:0], keyword...), ' ')
	text = append(appendQuoted(text, d.Type), ' ')
	r.text = append(appendQuoted(text, d.Name), " {"...)
	note := ""
	if d.Object.ForcesReplacement {
		note = forcesNote
	}
	r.to.line(d.Symbol(), 0, r.text, note)
	switch {
	case d.Object.Sensitive:
		r.to.line(" ", 1, []byte("# (all of it is sensitive)"), "")
	case d.Object.Unknown && len(d.Object.Children) == 0:
		r.to.line(" ", 1, []byte("# (known after apply)"), "")
	}
	r.children(&d.Object, 1)
	r.to.line(" ", 0, []byte("}"), "")
}

// output renders the change of an output.
func (r *renderer) output(o *OutputDiff) {
	for _, v := range o.Values {
		r.attribute(v, len(v.Name), 0)
	}
}

// children renders what is in a container, nested blocks last.
func (r *renderer) children(d *AttributeDiff, depth int) {
	width := 0
	for _, c := range d.Children {
		if c.Index < 0 && !c.Block {
			width = max(width, nameWidth(c.Name))
		}
	}
	for _, c := range d.Children {
		if !c.Block {
			r.attribute(c, width, depth)
		}
	}
	r.hidden(d, depth)
	for _, c := range d.Children {
		if c.Block {
			r.attribute(c, width, depth)
		}
	}
}

// hidden says how much of a container is not shown.
func (r *renderer) hidden(d *AttributeDiff, depth int) {
	if d.Hidden == 0 {
		return
	}
	text := strconv.AppendInt(append(r.text[:0], "# ("...), int64(d.Hidden), 10)
	if d.Container == KindArray {
		text = append(text, " unchanged element"...)
	} else {
		text = append(text, " unchanged attribute"...)
	}
	if d.Hidden > 1 {
		text = append(text, 's')
	}
	r.to.line(" ", depth, append(text, " hidden)"...), "")
}

// attribute renders one attribute, nested block or element.
func (r *renderer) attribute(d *AttributeDiff, width, depth int) {
	note := ""
	switch {
	case d.ForcesReplacement:
		note = forcesNote
	case d.Kind == DiffMoved:
		note = "# moved from [" + strconv.Itoa(d.From) + "]"
	case d.Sensitive && d.SensitiveBefore != d.SensitiveAfter && d.Kind != DiffAdded && d.Kind != DiffRemoved:
		note = "# will be sensitive"
		if d.SensitiveBefore {
			note = "# will no longer be sensitive"
		}
	}
	sign := diffSigns[d.Kind]
	if d.Kind == DiffUnchanged && note != "" {
		sign = "~"
	}
	if d.Block && !d.Sensitive && !d.Unknown {
		r.block(d, sign, depth, note)
		return
	}
	text := r.text[:0]
	if d.Index < 0 {
		text = appendName(text, d.Name)
		for n := nameWidth(d.Name); n < width; n++ {
			text = append(text, ' ')
		}
		text = append(text, " = "...)
	}
	r.value(d, sign, depth, text, note)
}

// block renders nested blocks of one type.
func (r *renderer) block(d *AttributeDiff, sign string, depth int, note string) {
	if d.Container != KindArray {
		r.text = append(appendName(r.text[:0], d.Name), " {"...)
		r.to.line(sign, depth, r.text, note)
		r.children(d, depth+1)
		r.to.line(" ", depth, []byte("}"), "")
		return
	}
	for _, c := range d.Children {
		if c.Container != KindObject {
			r.text = append(appendName(r.text[:0], d.Name), ' ')
			r.value(c, diffSigns[c.Kind], depth, r.text, note)
			continue
		}
		n := note
		if c.ForcesReplacement {
			n = forcesNote
		}
		r.text = append(appendName(r.text[:0], d.Name), " {"...)
		r.to.line(diffSigns[c.Kind], depth, r.text, n)
		r.children(c, depth+1)
		r.to.line(" ", depth, []byte("}"), "")
	}
	if d.Hidden > 0 {
		r.hidden(d, depth)
	}
}

const knownAfterApply = "(known after apply)"

// value renders a value after text, which is the beginning of its line.
func (r *renderer) value(d *AttributeDiff, sign string, depth int, text []byte, note string) {
	removed := d.Kind == DiffRemoved && d.Index < 0
	end := ""
	switch {
	case d.Sensitive:
		text = append(text, "(sensitive value)"...)
		if removed {
			text = append(text, " -> null"...)
		}
		r.end(sign, depth, text, note)
		return
	case len(d.Children) > 0:
		opening, closing := "{", "}"
		if d.Container == KindArray {
			opening, closing = "[", "]"
		}
		if d.JSON {
			opening, closing = "jsonencode("+opening, closing+")"
		}
		switch {
		case d.Unknown && d.Kind != DiffAdded:
			end = " -> " + knownAfterApply
		case removed:
			end = " -> null"
		}
		r.end(sign, depth, append(text, opening...), note)
		r.children(d, depth+1)
		r.to.line(" ", depth, append(append(r.text[:0], closing...), end...), "")
		return
	}
	before, after := d.Before, d.After
	if d.Kind == DiffMoved || d.Kind == DiffUnchanged {
		before = nil
	}
	if lines := r.lines(d, before, after); lines != nil {
		r.end(sign, depth, append(text, "<<-EOT"...), note)
		for _, l := range lines {
			r.to.line(diffSigns[l.Kind], depth+1, r.cut([]byte(printable(l.Text))), "")
		}
		if removed {
			end = " -> null"
		}
		r.to.line(" ", depth, append(append(r.text[:0], "EOT"...), end...), "")
		return
	}
	switch {
	case d.UnknownBefore:
		text = append(text, knownAfterApply...)
	case d.Kind == DiffChanged && before == nil:
		text = append(text, "(nothing)"...)
	case before != nil:
		text = r.appendValue(text, before)
	}
	switch {
	case d.Unknown && d.Kind == DiffAdded, d.Unknown && d.Kind == DiffUnchanged:
		text = append(text, knownAfterApply...)
	case d.Unknown:
		text = append(append(text, " -> "...), knownAfterApply...)
	case removed:
		text = append(text, " -> null"...)
	case after != nil && (before != nil || d.UnknownBefore):
		text = r.appendValue(append(text, " -> "...), after)
	case after != nil:
		text = r.appendValue(text, after)
	case d.Kind == DiffMoved:
		text = append(text, "(the same element)"...)
	case before == nil && !d.UnknownBefore:
		text = append(text, emptyOf(d)...)
	}
	r.end(sign, depth, text, note)
}

// emptyOf stands for a container that has nothing but nulls.
func emptyOf(d *AttributeDiff) string {
	if d.Kind == DiffUnchanged {
		return "(unchanged)"
	}
	return "{}"
}

// end gives out a line and keeps its memory.
func (r *renderer) end(sign string, depth int, text []byte, note string) {
	r.to.line(sign, depth, text, note)
	r.text = text[:0]
}

// appendValue renders a scalar or an empty container.
func (r *renderer) appendValue(b []byte, v Value) []byte {
	start := len(b)
	switch v.Kind() {
	case KindString:
		if isPlain(v) {
			b = append(b, v...)
		} else {
			text, _ := v.Text()
			b = appendQuoted(b, text)
		}
	case KindNumber, KindBool, KindNull:
		b = append(b, strings.TrimSpace(string(v))...)
	case KindArray:
		b = append(b, "[]"...)
	case KindObject:
		b = append(b, "{}"...)
	default:
		b = append(b, "(invalid)"...)
	}
	return append(b[:start], r.cut(b[start:])...)
}

// cut shortens a value that is too long.
func (r *renderer) cut(b []byte) []byte {
	if r.max <= 0 || len(b) <= r.max {
		return b
	}
	n := r.max
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return append(append([]byte(nil), b[:n]...), "... ("+strconv.Itoa(len(b))+" bytes)"...)
}

// isPlain reports whether the token of a string is what people write, too.
func isPlain(v Value) bool {
	for _, c := range v {
		if c < ' ' || c > '~' || c == '\\' {
			return false
		}
	}
	return len(v) >= 2 && v[0] == '"' && v[len(v)-1] == '"'
}

func appendQuoted(b []byte, s string) []byte { return strconv.AppendQuote(b, s) }

func appendName(b []byte, name string) []byte {
	if isIdentifier(name) && printable(name) == name {
		return append(b, name...)
	}
	return appendQuoted(b, name)
}

// nameWidth returns the columns that a name takes.
func nameWidth(name string) int {
	if isIdentifier(name) {
		return utf8.RuneCountInString(name)
	}
	return utf8.RuneCountInString(strconv.Quote(name))
}

// printable returns s with everything escaped that does not print: control
// characters, which could drive a terminal, and those that change the
// direction of the text.
func printable(s string) string {
	ok := true
	for _, c := range s {
		ok = ok && (c != utf8.RuneError && unicode.IsPrint(c) || c == '\t')
	}
	if ok {
		return s
	}
	var b []byte
	for _, c := range s {
		switch {
		case c == '\t', unicode.IsPrint(c) && c != utf8.RuneError:
			b = utf8.AppendRune(b, c)
		default:
			q := strconv.QuoteRuneToASCII(c)
			b = append(b, q[1:len(q)-1]...)
		}
	}
	return string(b)
}
