// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/printable"
	"github.com/tofuwire/tofuwire/planjson"
)

// A sink takes the lines of a rendered difference. A line has a sign, its
// depth in the nesting of blocks, its text, and a remark. The text is valid
// until the call returns, and has no control characters.
type sink interface {
	line(sign string, depth int, text []byte, note string)

	// full reports whether no more lines are taken.
	full() bool
}

// A renderer turns differences into lines.
type renderer struct {
	inside int // how many containers around have no "-> null"
	to     sink
	text   []byte // of the line being made
	max    int    // the length of one value, 0 for no limit
}

var signs = [...]string{Unchanged: " ", Added: "+", Removed: "-", Changed: "~", Moved: "~"}

const forcesNote = "# forces replacement"

// resource renders one object, with its headline.
func (r *renderer) resource(d *Resource) {
	if r.text == nil {
		r.text = make([]byte, 0, 512)
	}
	r.to.line("#", 0, append(append(append(r.text[:0], printable.Text(d.Address)...), ' '), d.Headline()...), "")
	if why := d.Explain(); why != "" {
		r.to.line("#", 0, append(append(append(r.text[:0], '('), why...), ')'), "")
	}
	if d.IsMoved() {
		r.to.line("#", 0, append(append(append(r.text[:0], "(moved from "...), printable.Text(d.PreviousAddress)...), ')'), "")
	}
	if d.Deposed != "" && !d.Drift && (d.Actions.Destroys() || d.Actions.Forgets()) {
		r.to.line("#", 0, []byte("(left over from a partially-failed replacement of this instance)"), "")
	}
	if d.Importing {
		text := append(r.text[:0], "(imported"...)
		if d.ImportID != "" {
			text = appendQuoted(append(text, " from "...), d.ImportID)
		}
		r.to.line("#", 0, append(text, ')'), "")
		if d.Actions.IsReplace() && d.Actions.Destroys() {
			r.to.line("#", 0, []byte("Warning: this will destroy the imported resource"), "")
		}
	}
	if d.GeneratesConfig {
		r.to.line("#", 0, []byte("(the configuration is generated)"), "")
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
func (r *renderer) output(o *Output) {
	for _, v := range o.Values {
		if r.to.full() {
			return
		}
		r.attribute(v, false, 0, 0)
	}
}

// children renders the content of a container, nested blocks last.
func (r *renderer) children(d *Attribute, depth int) {
	width := 0
	for _, c := range d.Children {
		if c.Index < 0 && !c.Block {
			width = max(width, nameWidth(d, c.Name))
		}
	}
	for _, c := range d.Children {
		if r.to.full() {
			return
		}
		if !c.Block {
			r.attribute(c, d.Map, width, depth)
		}
	}
	what := " unchanged attribute"
	if d.Container == planjson.KindArray || d.Map {
		what = " unchanged element"
	}
	r.hidden(d.Hidden, what, depth)
	blocks := d.HiddenBlocks
	for _, c := range d.Children {
		if !c.Block || r.to.full() {
			continue
		}
		r.attribute(c, false, width, depth)
		if c.Container == planjson.KindArray || c.Map {
			blocks += c.Hidden
		}
	}
	r.hidden(blocks, " unchanged block", depth)
}

// hidden writes the line about the hidden part of a container.
func (r *renderer) hidden(n int, what string, depth int) {
	if n == 0 {
		return
	}
	text := append(strconv.AppendInt(append(r.text[:0], "# ("...), int64(n), 10), what...)
	if n > 1 {
		text = append(text, 's')
	}
	r.to.line(" ", depth, append(text, " hidden)"...), "")
}

// attribute renders one attribute, nested block or element, or the value of a
// key, which is quoted.
func (r *renderer) attribute(d *Attribute, key bool, width, depth int) {
	note := ""
	switch {
	case d.ForcesReplacement:
		note = forcesNote
	case d.Status == Moved:
		note = "# moved from [" + strconv.Itoa(d.From) + "]"
	}
	sign := signs[d.Status]
	if r.warning(d, depth) || d.Status == Unchanged && note != "" {
		sign = "~"
	}
	if d.Block && !d.Unknown {
		r.block(d, sign, depth, note)
		return
	}
	text := r.text[:0]
	if d.Index < 0 {
		start := len(text)
		if key {
			text = appendQuoted(text, d.Name)
		} else {
			text = appendName(text, d.Name)
		}
		for n := utf8.RuneCount(text[start:]); n < width; n++ {
			text = append(text, ' ')
		}
		text = append(text, " = "...)
	}
	r.value(d, sign, depth, text, note)
}

// warning says that a value will be sensitive, or no longer, and reports whether
// it is so.
func (r *renderer) warning(d *Attribute, depth int) bool {
	if !d.Sensitive || d.SensitiveBefore == d.SensitiveAfter || d.Status == Added || d.Status == Removed {
		return false
	}
	what := "attribute value"
	if d.Block {
		what = "block"
	}
	first, last := "# Warning: this "+what+" will be marked as sensitive and will not", "# display in UI output after applying this change."
	if d.SensitiveBefore {
		first, last = "# Warning: this "+what+" will no longer be marked as sensitive", "# after applying this change."
	}
	if d.Status == Unchanged && !d.Block {
		last += " The value is unchanged."
	}
	r.to.line(" ", depth, append(r.text[:0], first...), "")
	r.to.line(" ", depth, append(r.text[:0], last...), "")
	return true
}

// block renders nested blocks of one type: one, a list or set of them, or one
// for each label.
func (r *renderer) block(d *Attribute, sign string, depth int, note string) {
	if d.Container != planjson.KindArray && !d.Map {
		r.body(d, d, sign, depth, note)
		return
	}
	for _, c := range d.Children {
		if c.Container != planjson.KindObject && !c.Sensitive {
			r.text = append(r.blockName(d, c), ' ')
			r.value(c, signs[c.Status], depth, r.text, note)
			continue
		}
		n := note
		if c.ForcesReplacement {
			n = forcesNote
		}
		r.body(d, c, signs[c.Status], depth, n)
	}
}

// body renders one nested block of the type d.
func (r *renderer) body(d, c *Attribute, sign string, depth int, note string) {
	r.text = append(r.blockName(d, c), " {"...)
	r.to.line(sign, depth, r.text, note)
	if c.Sensitive {
		r.to.line(" ", depth+1, []byte("# At least one attribute in this block is (or was) sensitive,"), "")
		r.to.line(" ", depth+1, []byte("# so its contents will not be displayed."), "")
	}
	r.children(c, depth+1)
	r.to.line(" ", depth, []byte("}"), "")
}

// blockName begins a line with the type of nested blocks, and with the label of
// one of them.
func (r *renderer) blockName(d, c *Attribute) []byte {
	text := appendName(r.text[:0], d.Name)
	if d.Map && c != d {
		text = appendQuoted(append(text, ' '), c.Name)
	}
	return text
}

const knownAfterApply = "(known after apply)"

// value renders a value after text, which is the beginning of its line.
func (r *renderer) value(d *Attribute, sign string, depth int, text []byte, note string) {
	removed := d.Status == Removed && d.Index < 0
	end, null := "", ""
	if removed && r.inside == 0 {
		null = " -> null"
	}
	switch {
	case d.Sensitive:
		text = append(append(text, "(sensitive value)"...), null...)
		r.end(sign, depth, text, note)
		return
	case len(d.Children) > 0:
		opening, closing := "{", "}"
		if d.Container == planjson.KindArray {
			opening, closing = "[", "]"
		}
		if d.JSON {
			opening, closing = "jsonencode("+opening, closing+")"
		}
		switch {
		case d.Unknown && d.Status != Added:
			end = " -> " + knownAfterApply
		default:
			end = null
		}
		r.end(sign, depth, append(text, opening...), note)
		// The tools do not write "-> null" for a removed member in JSON, which could
		// be null as well, or in a map that is removed as a whole.
		inside := d.JSON || d.Unknown || d.Map && d.Status == Removed
		if inside {
			r.inside++
		}
		r.children(d, depth+1)
		if inside {
			r.inside--
		}
		r.to.line(" ", depth, append(append(r.text[:0], closing...), end...), "")
		return
	}
	before, after := d.Before, d.After
	if d.Status == Moved || d.Status == Unchanged {
		before = nil
	}
	if isText(d, before, after) {
		r.end(sign, depth, append(text, "<<-EOT"...), note)
		r.lines(d, before, after, depth+1)
		r.to.line(" ", depth, append(append(r.text[:0], "EOT"...), null...), "")
		return
	}
	switch {
	case d.UnknownBefore:
		text = append(text, knownAfterApply...)
	case d.Status == Changed && before == nil:
		text = append(text, "(nothing)"...)
	case before != nil:
		text = r.appendValue(text, before)
	}
	switch {
	case d.Unknown && d.Status == Added, d.Unknown && d.Status == Unchanged:
		text = append(text, knownAfterApply...)
	case d.Unknown:
		text = append(append(text, " -> "...), knownAfterApply...)
	case removed:
		text = append(text, null...)
	case after != nil && (before != nil || d.UnknownBefore):
		text = r.appendValue(append(text, " -> "...), after)
	case after != nil:
		text = r.appendValue(text, after)
	case d.Status == Moved:
		text = append(text, "(the same element)"...)
	case before == nil && !d.UnknownBefore:
		text = append(text, emptyOf(d)...)
	}
	r.end(sign, depth, text, note)
}

// emptyOf represents a container that has only nulls.
func emptyOf(d *Attribute) string {
	if d.Status == Unchanged {
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
func (r *renderer) appendValue(b []byte, v planjson.Value) []byte {
	start := len(b)
	switch v.Kind() {
	case planjson.KindString:
		if r.max > 0 && len(v) > longToken*r.max {
			text := appendQuoted(nil, jsonscan.Unquote(append(append([]byte(nil), v[:tokenPart(v, longToken*r.max)]...), '"')))
			b = append(append(b, text[:runeBefore(text, r.max)]...), "... ("...)
			return append(strconv.AppendInt(b, int64(len(v)), 10), " bytes)"...)
		}
		if isPlain(v) {
			b = append(b, v...)
		} else {
			text, _ := v.Text()
			b = appendQuoted(b, text)
		}
	case planjson.KindNumber, planjson.KindBool, planjson.KindNull:
		b = append(b, strings.TrimSpace(string(v))...)
	case planjson.KindArray:
		b = append(b, "[]"...)
	case planjson.KindObject:
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
	return append(append([]byte(nil), b[:runeBefore(b, r.max)]...), "... ("+strconv.Itoa(len(b))+" bytes)"...)
}

// longToken is the least ratio of the length of a string's token to that of its
// shown part at which only a part of the token is read.
const longToken = 16

// tokenPart returns the length of a part of the token of a string, at most n,
// that does not end within an escape or a character.
func tokenPart(token []byte, n int) int {
	i := 1
	for i < n {
		step := 1
		switch c := token[i]; {
		case c == '\\' && token[i+1] == 'u':
			step = 12 // its second half may not be a part of it
			if i+8 > len(token) || token[i+6] != '\\' || token[i+7] != 'u' {
				step = 6
			}
		case c == '\\':
			step = 2
		case c >= 0x80:
			_, step = utf8.DecodeRune(token[i:])
		}
		if i+step > n {
			break
		}
		i += step
	}
	return i
}

// runeBefore returns the last place up to n at which a character begins.
func runeBefore(b []byte, n int) int {
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return n
}

// isPlain reports whether the token of a string is also its usual spelling.
func isPlain(v planjson.Value) bool {
	for _, c := range v {
		if c < ' ' || c > '~' || c == '\\' {
			return false
		}
	}
	return len(v) >= 2 && v[0] == '"' && v[len(v)-1] == '"'
}

func appendQuoted(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return strconv.AppendQuote(b, s)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

func appendName(b []byte, name string) []byte {
	if isIdentifier(name) && printable.Text(name) == name {
		return append(b, name...)
	}
	return appendQuoted(b, name)
}

// nameWidth returns the columns that the name of something in d takes.
func nameWidth(d *Attribute, name string) int {
	if !d.Map && isIdentifier(name) {
		return utf8.RuneCountInString(name)
	}
	return utf8.RuneCountInString(strconv.Quote(name))
}
