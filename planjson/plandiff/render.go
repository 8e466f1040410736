// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/internal/printable"
	"github.com/tofuwire/tofuwire/planjson"
)

// A sink takes the lines of a rendered difference, each in parts: begin opens a
// line with its sign and its depth in the nesting of blocks, add adds text, and
// end closes it with a remark. Text is valid until the call returns, and has no
// control characters.
type sink interface {
	begin(sign string, depth int)
	add(text []byte)
	end(note string)

	// blank gives out an empty line.
	blank()

	// full reports whether no more lines are taken.
	full() bool
}

// A renderer turns differences into lines.
type renderer struct {
	to     sink
	inside int    // how many containers around have no "-> null"
	all    bool   // what is only an empty string for none is shown
	max    int    // the length of one value, 0 for no limit
	note   string // the remark of the line that is open
	text   []byte // scratch
}

// line gives out a whole line.
func (r *renderer) line(sign string, depth int, text []byte, note string) {
	r.to.begin(sign, depth)
	r.to.add(text)
	r.to.end(note)
}

// say adds a word to the open line.
func (r *renderer) say(s string) {
	r.text = append(r.text[:0], s...)
	r.to.add(r.text)
}

// end closes the open line.
func (r *renderer) end() {
	r.to.end(r.note)
	r.note = ""
}

var signs = [...]string{Unchanged: " ", Added: "+", Removed: "-", Changed: "~", Moved: "~"}

const forcesNote = "# forces replacement"

// resource renders one object, with its headline.
func (r *renderer) resource(d *Resource) {
	if r.text == nil {
		r.text = make([]byte, 0, 512)
	}
	r.line("#", 0, append(append(append(r.text[:0], printable.Text(d.Address)...), ' '), d.Headline()...), "")
	if why := d.Explain(); why != "" {
		r.line("#", 0, append(append(append(r.text[:0], '('), why...), ')'), "")
	}
	if d.isMoved() {
		r.line("#", 0, append(append(append(r.text[:0], "(moved from "...), printable.Text(d.PreviousAddress)...), ')'), "")
	}
	if d.Deposed != "" && !d.Drift && (d.Actions.Destroys() || d.Actions.Forgets()) {
		r.line("#", 0, []byte("(left over from a partially-failed replacement of this instance)"), "")
	}
	if d.Importing {
		r.importing(d)
	}
	if d.GeneratesConfig {
		r.line("#", 0, []byte("(the configuration is generated)"), "")
	}
	r.happens(d, true)
}

// happens renders what happens to an object, with or without its name.
func (r *renderer) happens(d *Resource, named bool) {
	if r.text == nil {
		r.text = make([]byte, 0, 512)
	}
	keyword := "resource"
	switch d.Mode {
	case "data", "ephemeral":
		keyword = string(d.Mode)
	}
	text := append(append(r.text[:0], keyword...), ' ')
	text = append(appendQuoted(text, d.Type), ' ')
	if named {
		text = append(appendQuoted(text, d.Name), ' ')
	}
	r.text = append(text, '{')
	note := ""
	if d.Object.ForcesReplacement {
		note = forcesNote
	}
	r.line(d.Symbol(), 0, r.text, note)
	switch {
	case d.Object.Sensitive:
		r.line(" ", 1, []byte("# (all of it is sensitive)"), "")
	case d.Object.Unknown && len(d.Object.Children) == 0:
		r.line(" ", 1, []byte("# (known after apply)"), "")
	}
	r.all = !slices.ContainsFunc(d.Object.Children, func(c *Attribute) bool { return c.differs() && !c.isEmptyForNone() })
	r.children(&d.Object, 1)
	r.line(" ", 0, []byte("}"), "")
}

// importing says by what an object is imported.
func (r *renderer) importing(d *Resource) {
	switch {
	case d.ImportID != "":
		r.line("#", 0, append(appendQuoted(append(r.text[:0], "(imported from "...), d.ImportID), ')'), "")
	case d.ImportIdentity.Kind() == planjson.KindObject:
		lines, last := indentJSON(d.ImportIdentity), ""
		for line := range lines {
			if last != "" {
				r.line("#", 0, append(r.text[:0], last...), "")
			} else {
				line = "imported using resource identity: " + line
			}
			last = printable.Text(line)
		}
		r.line("#", 0, append(r.text[:0], last...), "")
	case d.hidesImport:
		r.line("#", 0, []byte("(imported)"), "")
	default:
		r.line("#", 0, []byte("(will be imported first)"), "")
	}
	if d.Actions.IsReplace() && d.Actions.Destroys() {
		r.line("#", 0, []byte("Warning: this will destroy the imported resource"), "")
	}
}

// output renders the change of an output. Names take at least so many columns.
func (r *renderer) output(o *Output, width int) {
	for i := 0; i < len(o.Values) && !r.to.full(); i++ {
		v := o.Values[i]
		if v.Status == Unchanged && !o.Actions.IsNoOp() && len(o.Values) == 1 {
			r.announced(v, width)
			return
		}
		pair := partner(o.Values, i)
		if pair != nil {
			i++
		}
		r.attribute(v, pair, false, width, 0, "")
	}
}

// announced renders an output whose value stays the same although it changes.
func (r *renderer) announced(v *Attribute, width int) {
	note := ""
	if !r.warning(v, 0) {
		note = "# the value is unchanged"
	}
	r.to.begin("~", 0)
	text := appendName(r.text[:0], v.Name)
	for n := utf8.RuneCount(text); n < width; n++ {
		text = append(text, ' ')
	}
	r.text = append(text, " = "...)
	r.to.add(r.text)
	r.value(v, "~", 0, note)
	r.end()
}

// partner returns the value that comes in the place of the one at i, if that has
// another kind: the next one then, with the same name.
func partner(list []*Attribute, i int) *Attribute {
	if i+1 == len(list) || list[i].Index >= 0 || list[i+1].Index >= 0 || list[i].Name != list[i+1].Name || list[i].Block {
		return nil
	}
	return list[i+1]
}

// children renders the content of a container, nested blocks last.
func (r *renderer) children(d *Attribute, depth int) {
	width := int(d.width)
	shown := r.shown(d)
	for _, c := range shown {
		if c.Index < 0 && !c.Block {
			width = max(width, nameWidth(d.Map, c.Name))
		}
	}
	if d.isNestedMap() {
		width = 0
	}
	what := " unchanged attribute"
	if d.Container == planjson.KindArray || d.Map {
		what = " unchanged element"
	}
	hidden := d.Hidden
	if !r.all {
		hidden -= int(d.empty)
	}
	below := hidden > 0 || slices.ContainsFunc(shown, func(c *Attribute) bool { return !c.Block })
	for i := 0; i < len(shown) && !r.to.full(); i++ {
		c := shown[i]
		if c.Block {
			continue
		}
		if n := min(int(c.skipped), hidden); n > 0 {
			r.hidden(n, what, depth)
			hidden -= n
		}
		pair := partner(shown, i)
		if pair != nil {
			i++
		}
		tail := ""
		if d.Container == planjson.KindArray || d.Map && c.isObject() {
			tail = ","
		}
		r.attribute(c, pair, d.Map, width, depth, tail)
	}
	r.hidden(hidden, what, depth)
	blocks := d.HiddenBlocks
	if len(shown) < len(d.Children) {
		for _, c := range d.Children {
			if c.Block && c.isEmptyForNone() {
				blocks += c.countBlocks()
			}
		}
	}
	for _, c := range shown {
		if !c.Block || r.to.full() {
			continue
		}
		one := !c.isBlocks()
		if below && (one || len(c.Children) > 0) {
			r.to.blank()
		}
		r.attribute(c, nil, false, width, depth, "")
		if !one {
			blocks += c.Hidden + len(c.Children) - len(r.shown(c))
		}
	}
	if blocks > 0 && !r.to.full() {
		r.to.blank()
		r.hidden(blocks, " unchanged block", depth)
	}
}

// shown returns the children of a container that are shown.
func (r *renderer) shown(d *Attribute) []*Attribute {
	left := func(i int) bool { return d.Children[i].isEmptyForNone() && partner(d.Children, i) == nil }
	first := 0
	for first < len(d.Children) && !left(first) {
		first++
	}
	if r.all || first == len(d.Children) {
		return d.Children
	}
	list := slices.Clone(d.Children[:first])
	for i := first + 1; i < len(d.Children); i++ {
		if !left(i) {
			list = append(list, d.Children[i])
		}
	}
	return list
}

// isEmptyForNone reports whether d is an attribute of a resource or of a nested block with
// an empty string on one side and nothing on the other, or a nested block or several that
// differ in nothing else. To the tools they are the same, as many providers make one of
// the other.
func (d *Attribute) isEmptyForNone() bool {
	p := d.parent
	switch {
	case d.ForcesReplacement, d.Sensitive, d.Unknown, p == nil:
		return false
	case !d.Block && !p.isBlocks():
		return d.Index < 0 && p.hasAttributes() && (d.Status == Added && string(d.After) == `""` || d.Status == Removed && string(d.Before) == `""`)
	case d.Status != Changed || len(d.Children) == 0:
		return false
	}
	return !slices.ContainsFunc(d.Children, func(c *Attribute) bool { return c.differs() && !c.isEmptyForNone() })
}

// hasAttributes reports whether d is a resource or a nested block. It is also true of the
// parent of an output, which is not rendered.
func (d *Attribute) hasAttributes() bool { return d.parent == nil || d.nulls == blockNulls }

// isBlocks reports whether d is a list, a set or a map of nested blocks.
func (d *Attribute) isBlocks() bool { return d.Block && (d.Container == planjson.KindArray || d.Map) }

// countBlocks returns how many nested blocks there are of the type d.
func (d *Attribute) countBlocks() int {
	if d.isBlocks() {
		return d.Hidden + len(d.Children)
	}
	return 1
}

// isNestedMap reports whether d is an attribute whose nested type is a map: its
// equals signs are not aligned.
func (d *Attribute) isNestedMap() bool { return d.Map && d.nulls == noNulls && !d.Block }

// isObject reports whether d is an object, also one that is empty.
func (d *Attribute) isObject() bool {
	switch {
	case d.Container == planjson.KindObject:
		return !d.Map && !d.JSON
	case d.Container == planjson.KindAbsent && !d.Sensitive && !d.Unknown:
		return d.nulls == noNulls || d.nulls == showNulls
	}
	return false
}

// hidden writes the line about the hidden part of a container.
func (r *renderer) hidden(n int, what string, depth int) {
	if n <= 0 || r.to.full() {
		return
	}
	text := append(strconv.AppendInt(append(r.text[:0], "# ("...), int64(n), 10), what...)
	if n > 1 {
		text = append(text, 's')
	}
	r.text = append(text, " hidden)"...)
	r.line(" ", depth, r.text, "")
}

// attribute renders one attribute, nested block or element, or the value of a
// key, which is quoted. The pair is what comes in its place, if that has another
// kind. The tail ends its last line.
func (r *renderer) attribute(d, pair *Attribute, key bool, width, depth int, tail string) {
	note := ""
	switch {
	case d.ForcesReplacement:
		note = forcesNote
	case d.Status == Moved:
		note = "# moved from [" + strconv.Itoa(d.From) + "]"
	}
	sign := signs[d.Status]
	if r.warning(d, depth) || d.Status == Unchanged && note != "" || pair != nil {
		sign = "~"
	}
	if d.Block && !d.Unknown {
		r.block(d, sign, depth, note)
		return
	}
	if d.Block && d.Status == Changed && !d.Sensitive && !d.UnknownBefore && d.Before == nil && len(d.Children) == 0 { // there were none
		added := *d
		added.Status = Added
		d, sign = &added, signs[Added]
	}
	r.to.begin(sign, depth)
	if d.Index < 0 {
		text := r.text[:0]
		if key {
			text = appendQuoted(text, d.Name)
		} else {
			text = appendName(text, d.Name)
		}
		equals := " = "
		if d.Block { // of which nothing is known
			width, equals = 0, " "
		}
		for n := utf8.RuneCount(text); n < width; n++ {
			text = append(text, ' ')
		}
		r.text = append(text, equals...)
		r.to.add(r.text)
	}
	if pair != nil {
		r.pair(d, pair, depth, note)
	} else {
		r.value(d, sign, depth, note)
	}
	if tail != "" {
		r.say(tail)
	}
	r.end()
}

// warning says that a value will be sensitive, or no longer, and reports whether
// it is so.
func (r *renderer) warning(d *Attribute, depth int) bool {
	if !d.Sensitive || d.SensitiveBefore == d.SensitiveAfter || d.Status == Added || d.Status == Removed {
		return false
	}
	if d.Unknown && !d.SensitiveAfter || d.UnknownBefore && !d.SensitiveBefore {
		return false // nobody knows what is marked in it
	}
	what := "attribute value"
	if d.Block {
		what = "block"
	}
	first, last := "Warning: this "+what+" will be marked as sensitive and will not", "display in UI output after applying this change."
	if d.SensitiveBefore {
		first, last = "Warning: this "+what+" will no longer be marked as sensitive", "after applying this change."
	}
	if d.Status == Unchanged && !d.Block {
		last += " The value is unchanged."
	}
	r.line("#", depth, append(r.text[:0], first...), "")
	r.line("#", depth, append(r.text[:0], last...), "")
	return true
}

// block renders nested blocks of one type: one, a list or set of them, or one
// for each label.
func (r *renderer) block(d *Attribute, sign string, depth int, note string) {
	if !d.isBlocks() {
		r.body(d, d, sign, depth, note)
		return
	}
	for _, c := range r.shown(d) {
		if c.Container != planjson.KindObject && !c.Sensitive {
			sign := signs[c.Status]
			r.to.begin(sign, depth)
			r.text = append(r.blockName(d, c), ' ')
			r.to.add(r.text)
			r.inside++ // no "-> null"
			r.value(c, sign, depth, note)
			r.inside--
			r.end()
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
	if len(c.Children) == 0 && c.Hidden == 0 && c.HiddenBlocks == 0 && !c.Sensitive {
		r.line(sign, depth, append(r.text, '}'), note)
		return
	}
	r.line(sign, depth, r.text, note)
	if c.Sensitive {
		r.line(" ", depth, []byte("  # At least one attribute in this block is (or was) sensitive,"), "")
		r.line(" ", depth, []byte("  # so its contents will not be displayed."), "")
	}
	r.children(c, depth+1)
	r.line(" ", depth, []byte("}"), "")
}

// blockName returns the type of nested blocks, with the label of one of them.
func (r *renderer) blockName(d, c *Attribute) []byte {
	text := appendName(r.text[:0], d.Name)
	if d.Map && c != d {
		text = appendQuoted(append(text, ' '), c.Name)
	}
	return text
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
	if plantext.IsIdentifier(name) && printable.Text(name) == name {
		return append(b, name...)
	}
	return appendQuoted(b, name)
}

// hiddenWidth is nameWidth for one of many names, most of them plain.
func hiddenWidth(key bool, name []byte) int {
	for _, c := range name {
		if !plainLetters[c] {
			return nameWidth(key, string(name))
		}
	}
	if key || len(name) == 0 {
		return len(name) + len(`""`)
	}
	return len(name)
}

// plainLetters has the lower-case letters and the underscore: any text of these is an
// identifier.
var plainLetters = func() (t [256]bool) {
	for c := byte('a'); c <= 'z'; c++ {
		t[c] = true
	}
	t['_'] = true
	return t
}()

// nameWidth returns the length of a name, which is quoted if it is a key or no
// identifier. The tools, too, align names by their bytes.
func nameWidth(key bool, name string) int {
	if !key && plantext.IsIdentifier(name) {
		return len(name)
	}
	return len(strconv.Quote(name))
}
