// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// A layout is how a JSON object or array is written.
type layout struct {
	style  jsontree.Style
	indent string // of the line that the container begins on
}

// indentOf returns the indentation of the line of offset.
func (e *Editor) indentOf(offset int) string {
	if e.d.flat() {
		return ""
	}
	return e.d.indentAt(offset)
}

// layoutIn returns the layout of a container.
func (e *Editor) layoutIn(c *container) layout {
	l := layout{style: jsontree.Pretty, indent: e.indentOf(c.open)}
	l.style.Newline, l.style.Expand = e.nl(), e.d.expands()
	first, value := -1, -1
	var head []byte // what is before the first item
	if len(c.items) > 0 {
		first, _ = c.item(0)
		value, _ = c.value(0)
		head = slices.Clone(e.d.text.slice(c.open, first))
	}
	if c.object && first >= 0 {
		name := e.d.text.slice(first, value)
		l.style.Colon = string(name[jsontree.StringEnd(name, 0):])
	} else {
		l.style.Colon = e.d.colon()
	}
	if first < 0 {
		if around, ok := e.lineAround(c.open, c.shut); ok {
			return around
		}
	}
	if e.d.flat() || first >= 0 && !bytes.Contains(head, []byte("\n")) {
		// All on one line.
		l.style.Newline = ""
		if n := len(c.items); n > 1 {
			_, end := c.item(n - 2)
			last, _ := c.item(n - 1)
			sep := e.d.text.slice(end, last)
			l.style.Comma = string(sep[bytes.IndexByte(sep, ','):])
		} else if l.style.Colon == ":" {
			l.style.Comma = ","
		}
		return l
	}
	if first >= 0 {
		line := bytes.LastIndexByte(head, '\n') + 1
		if unit, ok := strings.CutPrefix(string(head[line:]), l.indent); ok && unit != "" && strings.Trim(unit, " \t") == "" {
			l.style.Unit = unit
		}
	} else {
		l.style.Unit = e.d.unitOf()
	}
	return l
}

// lineAround returns the layout of the container that has a value from start to end, and
// reports whether that container begins on the same line. If it does, new text of the
// value has no line breaks.
func (e *Editor) lineAround(start, end int) (layout, bool) {
	if e.d.flat() {
		return layout{}, false
	}
	c, i := e.itemAt(start, end)
	if c == nil || i < 0 || e.d.lineStart(start) > c.open {
		return layout{}, false
	}
	return e.layoutIn(c), true
}

// insertAt adds an item before item i of a container: its name and what item writes.
func (e *Editor) insertAt(c *container, i int, name string, item func(b *strings.Builder, l layout, inner string)) *containerItem {
	c.sync()
	l := e.layoutIn(c)
	inner := l.indent + l.style.Unit
	var b strings.Builder
	if l.style.Newline == "" {
		inner = l.indent
	}
	separator := "," + l.style.Newline + inner
	if l.style.Newline == "" {
		separator = l.style.Comma
	}
	n := len(c.items)
	i = min(i, n)
	at, until, from := c.open+1, c.shut-1, 0
	switch {
	case n == 0:
		if l.style.Newline != "" {
			b.WriteString(l.style.Newline + inner)
		}
		from = b.Len()
		item(&b, l, inner)
	case i == n:
		_, at = c.item(n - 1)
		until = at
		b.WriteString(separator)
		from = b.Len()
		item(&b, l, inner)
	default:
		at, _ = c.item(i)
		until = at
		item(&b, l, inner)
	}
	to := b.Len()
	if n == 0 && l.style.Newline != "" {
		b.WriteString(l.style.Newline + l.indent)
	} else if i < n {
		b.WriteString(separator)
	}
	e.rewrite(at, until, added(b.String()))
	w := &containerItem{name: name, start: at + from, end: at + to}
	if c.object {
		w.key = len(jsontree.Quote(name) + l.style.Colon)
	}
	c.inserted(i, w, separator, b.Len()-(until-at))
	return w
}

func (e *Editor) insertMember(c *container, i int, name string, n *jsontree.Node) {
	e.insertAt(c, i, name, func(b *strings.Builder, l layout, inner string) {
		b.WriteString(jsontree.Quote(name) + l.style.Colon)
		n.Write(b, l.style, inner)
	})
}

func (e *Editor) insertElement(c *container, i int, n *jsontree.Node) {
	e.insertAt(c, i, "", func(b *strings.Builder, l layout, inner string) { n.Write(b, l.style, inner) })
}

// removeItem removes an item with the comma that separates it from the others.
func (e *Editor) removeItem(c *container, i int) {
	start, end := c.item(i)
	switch {
	case i > 0:
		_, before := c.item(i - 1)
		e.rewrite(before, end)
	case len(c.items) > 1:
		next, _ := c.item(1)
		e.rewrite(start, next)
	default:
		e.rewrite(c.open+1, c.shut-1)
	}
}

// jsonValueText returns a value laid out like the file, and short arrays like the one
// that is from start to end, if it is one. The value goes there.
func (e *Editor) jsonValueText(v Value, kind hcllang.Kind, start, end int) (string, error) {
	n, err := v.json(kind, programOf(e.f))
	if err != nil {
		return "", err
	}
	if n.Form == 0 {
		return n.Text, nil
	}
	var b strings.Builder
	style := e.style()
	if old := e.d.text.slice(start, end); old[0] == '[' {
		// Arrays and objects in it have lines in any case.
		if first := jsonscan.Space(old, 1); old[first] != ']' && !bytes.ContainsAny(old[1:], "[{") {
			style.Expand = bytes.IndexByte(old[:first], '\n') >= 0
		}
	}
	if around, ok := e.lineAround(start, end); ok {
		style = around.style
	}
	n.Write(&b, style, e.indentOf(start))
	return b.String(), nil
}

// style returns the style of the file.
func (e *Editor) style() jsontree.Style {
	style := jsontree.Pretty
	style.Newline, style.Unit, style.Expand = e.nl(), e.d.unitOf(), e.d.expands()
	if e.d.flat() {
		style.Newline = ""
		if style.Colon = e.d.colon(); style.Colon == ":" {
			style.Comma = ","
		}
	}
	return style
}

// bodyOf returns the object that holds the properties of a body: the body itself,
// or the last object of the array that it is. The root has no block.
func (e *Editor) bodyOf(b *hclconfig.Block) *container {
	start, end, ok := e.placeBodyJSON(b)
	if !ok {
		return nil
	}
	switch e.d.text.at(start) {
	case '{':
		return e.containerAt(start, end)
	case '[':
		c := e.containerAt(start, end)
		for i := len(c.items) - 1; i >= 0; i-- {
			if start, end := c.item(i); e.d.text.at(start) == '{' {
				return e.containerAt(start, end)
			}
		}
		e.insertElement(c, 0, jsontree.Object())
		return e.bodyOf(b)
	case 'n':
		e.rewrite(start, end, replaced(start, end, "{}"))
		return e.containerAt(start, start+2)
	}
	f, at := headOf(b)
	e.failf(f, at, "the body is not an object, and has no place for arguments and blocks: use Delete and Add for the block")
	return nil
}

// placeBodyJSON returns where the body of a block is now, or that of the file for nil.
func (e *Editor) placeBodyJSON(b *hclconfig.Block) (start, end int, ok bool) {
	if b != nil {
		return e.place(b.File(), placeOf(b.Body.Range()))
	}
	start, end = 0, e.d.text.len()
	for start < end && isSpaceJSON(e.d.text.at(start)) {
		start++
	}
	for end > start && isSpaceJSON(e.d.text.at(end-1)) {
		end--
	}
	return start, end, start < end
}

// holding returns the object that has the argument name: a body can be an array of
// several.
func (e *Editor) holding(b *hclconfig.Block, name string) (c *container, i int) {
	start, end, ok := e.placeBodyJSON(b)
	if !ok {
		return nil, -1
	}
	switch e.d.text.at(start) {
	case '[':
		all := e.containerAt(start, end)
		for j := len(all.items) - 1; j >= 0; j-- {
			if start, end := all.item(j); e.d.text.at(start) == '{' {
				in := e.containerAt(start, end)
				if i := in.find(name); i >= 0 {
					c = in
				}
			}
		}
		if c != nil {
			return c, c.find(name)
		}
		return all, -1
	case '{':
		c := e.containerAt(start, end)
		return c, c.first(name)
	}
	return nil, -1
}

func (e *Editor) setJSON(in *hclconfig.Block, name string, v Value, o editOptions) {
	f, at := headOf(in)
	kind, err := argKind(e.specIn(in), name)
	if err != nil {
		e.fail(f, at, err)
		return
	}
	n, err := v.json(kind, programOf(e.f))
	if err != nil {
		e.fail(f, at, err)
		return
	}
	if c, i := e.holding(in, name); i >= 0 {
		start, end := c.value(i)
		text, err := e.jsonValueText(v, kind, start, end)
		if err != nil {
			e.fail(f, at, err)
			return
		}
		e.rewrite(start, end, replaced(start, end, text))
		return
	}
	c := e.bodyOf(in)
	if c == nil {
		return
	}
	i, ok := e.argumentItem(c, in, name, o)
	if ok {
		e.insertMember(c, i, name, n)
	}
}

// argumentItem returns before which property of a body a new argument goes: by
// default after the other arguments and before the blocks, except for arguments
// that come first or last.
func (e *Editor) argumentItem(c *container, in *hclconfig.Block, name string, o editOptions) (int, bool) {
	if o.where != whereDefault {
		return e.itemPlace(c, o)
	}
	typ, spec := "", e.specIn(in)
	if in != nil {
		typ = in.Type
	}
	own := rank(typ, name)
	isBlock := func(i int) bool { return spec.Lookup(c.items[i].name).Block != nil }
	at := len(c.items)
	switch {
	case own < 10:
		for at = 0; at < len(c.items) && !isBlock(at) && (rank(typ, c.items[at].name) <= own || c.items[at].name == "//"); at++ {
		}
	case own == 10:
		for at > 0 && (isBlock(at-1) || c.items[at-1].name == "//" || rank(typ, c.items[at-1].name) > own) {
			at--
		}
		for at < len(c.items) && c.items[at].name == "//" && (at == 0 || c.items[at-1].name == "//") {
			at++ // it is about the block
		}
	}
	return at, true
}

// blockItem returns before which property of a body the first block of its type
// goes: by default after the others, but before the properties that come last.
func (e *Editor) blockItem(c *container, in *hclconfig.Block, typ string, o editOptions) (int, bool) {
	if o.where != whereDefault || in == nil {
		return e.itemPlace(c, o)
	}
	at := len(c.items)
	for at > 0 && (c.items[at-1].name == "lifecycle" && typ != "lifecycle" || rank(in.Type, c.items[at-1].name) > 10) {
		at--
	}
	return at, true
}

// itemPlace returns before which item the options want a new one.
func (e *Editor) itemPlace(c *container, o editOptions) (int, bool) {
	missing := "in JSON syntax it is in another property: use First or Last, or a part of the same type"
	i, ok := o.slot(len(c.items), func() int {
		if name, ok := o.part.(Named); ok {
			missing = "there is nothing of that name to go next to: use First or Last"
			return c.first(string(name))
		}
		start, _, ok := e.placePart(o.part)
		if b, is := o.part.(*hclconfig.Block); is {
			start, _, ok = e.place(b.File(), entryOf(b))
		}
		if !ok {
			return -1
		}
		return c.at(start)
	})
	if !ok {
		e.failf(nil, textspan.Span{}, "%s", missing)
	}
	return i, ok
}

func (e *Editor) replaceJSON(x hclconfig.Expression, start, end int, v Value) {
	if at, ok := stringAround(x); ok {
		e.replaceInString(x, at, start, end, v)
		return
	}
	text, err := e.jsonValueText(v, kindOf(x), start, end)
	if c := start - 1; err == nil && e.d.text.at(start) == '"' && c >= 0 {
		// A property name can only be a string.
		if after := e.jsonAfter(end); after == ':' && !strings.HasPrefix(text, `"`) {
			err = notWritable("a property needs a text as its name")
		}
	}
	if err != nil {
		e.fail(x.File(), spanOf(x), err)
		return
	}
	old := string(e.d.text.slice(start, end))
	in := v.holds(old, start, text)
	if text[0] == '"' && old[0] != '"' {
		in = inner{} // its elements are native syntax now, although [3] looks alike
	}
	e.rewrite(start, end, replacedAround(start, end, text, in))
}

// jsonAfter returns the next byte at or after offset that is not white space.
func (e *Editor) jsonAfter(offset int) byte {
	for n := e.d.text.len(); offset < n; offset++ {
		if c := e.d.text.at(offset); !isSpaceJSON(c) {
			return c
		}
	}
	return 0
}

// replaceInString replaces an expression in the template that a string holds.
func (e *Editor) replaceInString(x hclconfig.Expression, at textspan.Span, start, end int, v Value) {
	s, t, ok := e.place(x.File(), at)
	if !ok {
		return
	}
	src := slices.Clone(e.d.text.slice(s, t))
	root, err := hclconfig.ParseExpression(e.f.Filename(), src, hclconfig.JSONSyntax, x.Kind())
	if err != nil {
		e.fail(x.File(), spanOf(x), err)
		return
	}
	c, ok := contextOf(root, start-s, end-s)
	text, err := v.onLine().native(kindOf(x))
	if err == nil && ok {
		if from, to, piece, is := c.splice(v); is {
			start, end, text = from+s, to+s, piece
		} else {
			text, err = c.fit(text, v)
		}
	}
	if err == nil && hcllex.NeedsNewline(text) {
		text += "\n"
	}
	if err != nil || !ok {
		if err == nil {
			err = notWritable("it is not an expression any more: take the one that is there from Body")
		}
		e.fail(x.File(), spanOf(x), err)
		return
	}
	quoted := jsontree.Quote(text)
	e.rewrite(start, end, replaced(start, end, quoted[1:len(quoted)-1]))
}

func (e *Editor) renameJSON(in *hclconfig.Block, from, to string) {
	f, at := headOf(in)
	c, i := e.holding(in, from)
	switch {
	case e.err != nil:
	case i < 0:
		e.failf(f, at, "there is no argument %q to rename: add one with Set", from)
	case from == to:
	default:
		if _, j := e.holding(in, to); j >= 0 {
			e.failf(f, at, "there is already an argument %q: use Remove first, or Set", to)
			return
		}
		s, _ := c.item(i)
		t := e.d.stringOn(s)
		e.rewrite(s, t, replaced(s, t, jsontree.Quote(to)))
		e.nested = len(e.d.changes)
	}
}

func (e *Editor) removeArgumentJSON(in *hclconfig.Block, name string) {
	if c, i := e.holding(in, name); i >= 0 {
		e.removeItem(c, i)
	}
}

// removeAmong removes a member or an element, which ends at end, with the comma that
// separates it from the others.
func (e *Editor) removeAmong(n neighbourhood, end int) {
	switch {
	case e.d.text.at(n.before) == ',':
		e.rewrite(e.d.spaceBack(n.before), end)
	case e.d.text.at(n.after) == ',':
		e.rewrite(n.start, e.d.spaceOn(n.after+1))
	default:
		e.rewrite(n.before+1, n.after)
	}
}

// removeJSON removes the member or element from start to end.
func (e *Editor) removeJSON(start, end int) {
	n, ok := e.d.neighbours(start, end)
	if !ok {
		e.failf(nil, textspan.Span{}, "it is all of the file, and no property or element: use Replace")
		return
	}
	e.removeAmong(n, end)
}

// removeBlockJSON removes the property or element of a block, and then empty
// containers around it, up to the property of the block's type, whose name is at
// typeAt.
func (e *Editor) removeBlockJSON(start, end, typeAt int) {
	for {
		n, ok := e.d.neighbours(start, end)
		if !ok {
			e.failf(nil, textspan.Span{}, "it is all of the file, and no property or element: use Replace")
			return
		}
		if !e.d.alone(n) || n.start == typeAt || n.before <= typeAt {
			e.removeAmong(n, end)
			return
		}
		// The container goes as a whole, and it is a value of something.
		start, end = n.before, n.after+1
	}
}

// addBlockJSON adds a block to the content of in, or to the file.
func (e *Editor) addBlockJSON(in *hclconfig.Block, block *BlockBuilder, o editOptions) {
	f, at, outer := e.f, textspan.Of(-1, -1), rootOf(e.f)
	if in != nil {
		f, at, outer = in.File(), placeOf(in.TypeRange()), specOf(in)
	}
	spec, err := block.inner(outer)
	if err != nil {
		e.fail(f, at, err)
		return
	}
	own, err := block.jsonBody(spec, programOf(e.f))
	if err != nil {
		e.fail(f, at, err)
		return
	}
	e.addBodyJSON(in, block, own, false, o)
}

// addBodyJSON adds a block whose body is own. Blocks of a type are together: the place
// is one among those, or that of the first one of its type. If pieces is set, own is an
// array of the pieces of one body, and must be in an array: by itself it would be
// several blocks.
func (e *Editor) addBodyJSON(in *hclconfig.Block, block *BlockBuilder, own *jsontree.Node, pieces bool, o editOptions) {
	nest := func(level int, inArray bool) *jsontree.Node {
		if pieces && !(inArray && level == len(block.labels)) {
			return block.nest(jsontree.Array(own), level)
		}
		return block.nest(own, level)
	}
	if in == nil {
		e.addLabels(block.typ, block.labels)
	}
	c := e.bodyOf(in)
	if c == nil {
		return
	}
	i := c.find(block.typ)
	if i < 0 {
		n := nest(0, ordered(block.typ))
		if ordered(block.typ) {
			n = jsontree.Array(n)
		}
		if at, ok := e.blockItem(c, in, block.typ, o); ok {
			e.insertMember(c, at, block.typ, n)
		}
		return
	}
	for level := 0; ; level++ {
		start, end := c.value(i)
		switch e.d.text.at(start) {
		case '[':
			list := e.containerAt(start, end)
			if at, ok := e.placeAmong(list, block.typ, o); ok {
				e.insertElement(list, at, nest(level, true))
			}
			return
		case '{':
		default:
			// null means no block.
			var b strings.Builder
			nest(level, false).Write(&b, e.layoutIn(c).style, e.indentOf(start))
			e.rewrite(start, end, replaced(start, end, b.String()))
			return
		}
		if level == len(block.labels) {
			e.makeArray(start, end, own)
			return
		}
		in := e.containerAt(start, end)
		j := in.find(block.labels[level])
		switch {
		case j < 0:
			if at, ok := e.placeAmong(in, block.typ, o); ok {
				e.insertMember(in, at, block.labels[level], nest(level+1, false))
			}
			return
		case ordered(block.typ):
			e.makeArray(start, end, nest(level, true))
			return
		}
		c, i = in, j
	}
}

// placeAmong returns before which of the blocks of a type, or of their labels, the
// options want a new one. It comes last if the part they name is elsewhere.
func (e *Editor) placeAmong(c *container, typ string, o editOptions) (int, bool) {
	isThere := true
	i, ok := o.slot(len(c.items), func() int {
		if name, ok := o.part.(Named); ok {
			if string(name) == typ && len(c.items) > 0 {
				return 0
			}
			return -1
		}
		var start int
		if start, _, isThere = e.placePart(o.part); !isThere {
			return -1
		}
		return c.at(start)
	})
	if !ok {
		i = len(c.items)
	}
	return i, isThere
}

// makeArray puts the value from start to end and another one into an array. The
// value keeps its lines as they are.
func (e *Editor) makeArray(start, end int, n *jsontree.Node) {
	l := e.layoutIn(e.containerAt(start, end))
	var b strings.Builder
	if l.style.Newline == "" {
		b.WriteString(l.style.Comma)
	} else {
		b.WriteString(", ")
	}
	n.Write(&b, l.style, l.indent)
	b.WriteString("]")
	e.rewrite(start, end, added("["), kept(start, end), added(b.String()))
}

// insertJSON adds an element or an item to the expression that begins at start.
func (e *Editor) insertJSON(x hclconfig.Expression, start int, v Value, key string, isEntry bool, o editOptions) {
	_, end, ok := e.place(x.File(), spanOf(x))
	if !ok {
		return
	}
	if b := e.d.text.at(start); b != '[' && b != '{' || (b == '{') != isEntry {
		e.failf(x.File(), spanOf(x), "an object takes an Entry, and a list or a call a value")
		return
	}
	c := e.containerAt(start, end)
	n, err := v.json(kindOf(x).Element(), programOf(e.f))
	if err != nil {
		e.fail(x.File(), spanOf(x), err)
		return
	}
	if !isEntry {
		if i, ok := e.itemPlace(c, o); ok {
			e.insertElement(c, i, n)
		}
		return
	}
	if kindOf(x).Templates() {
		key = hcllex.TemplateOf(key)
	}
	if i := c.first(key); i >= 0 {
		start, end := c.value(i)
		text, err := e.jsonValueText(v, kindOf(x).Element(), start, end)
		if err != nil {
			e.fail(x.File(), spanOf(x), err)
			return
		}
		e.rewrite(start, end, replaced(start, end, text))
		return
	}
	if i, ok := e.itemPlace(c, o); ok {
		e.insertMember(c, i, key, n)
	}
}

// mayBeTaken reports whether a block may be below the same labels as b if its label i
// were another. It knows the blocks of the file that are in no other.
func (e *Editor) mayBeTaken(b *hclconfig.Block, i int, label string) bool {
	if b.File() != e.f {
		return true
	}
	e.readLabels()
	path := append(slices.Clone(b.Labels[:i]), label)
	if !e.roots[placeOf(b.Body.Range())] || e.labels[labelPath(b.Type, path)] {
		return true
	}
	e.addLabels(b.Type, append(path, b.Labels[i+1:]...))
	return false
}

// readLabels notes the labels of the file, once.
func (e *Editor) readLabels() {
	if e.labels != nil {
		return
	}
	e.labels, e.roots = map[string]bool{}, map[textspan.Span]bool{}
	for i := range e.f.Body().Blocks {
		b := &e.f.Body().Blocks[i]
		e.roots[placeOf(b.Body.Range())] = true
		e.addLabels(b.Type, b.Labels)
	}
}

// addLabels notes that there is a block with these labels.
func (e *Editor) addLabels(typ string, labels []string) {
	e.readLabels()
	for i := range labels {
		e.labels[labelPath(typ, labels[:i+1])] = true
	}
}

func labelPath(typ string, labels []string) string {
	return typ + "\x00" + strings.Join(labels, "\x00")
}

// commentsJSON returns the lines of the comment of a block in JSON syntax.
func (e *Editor) commentsJSON(b *hclconfig.Block) []string {
	c, i := e.holding(b, "//")
	if i < 0 {
		return nil
	}
	start, end := c.value(i)
	value := string(e.d.text.slice(start, end))
	switch {
	case value[0] == '"':
		return strings.Split(unquoteJSON([]byte(value)), "\n")
	case value[0] == '[':
		var out []string
		list := e.containerAt(start, end)
		for i := range list.items {
			if text := e.d.text.slice(list.item(i)); text[0] == '"' {
				out = append(out, unquoteJSON(text))
			}
		}
		return out
	}
	return []string{value}
}

// setCommentJSON sets the comment of a block to some lines.
func (e *Editor) setCommentJSON(b *hclconfig.Block, lines []string) {
	text := jsontree.Quote(strings.Join(lines, "\n"))
	at, i := e.holding(b, "//")
	switch {
	case e.err != nil:
	case i >= 0 && len(lines) == 0:
		e.removeItem(at, i)
	case i >= 0:
		if !slices.Equal(e.commentsJSON(b), lines) {
			start, end := at.value(i)
			e.rewrite(start, end, replaced(start, end, text))
		}
	case len(lines) > 0:
		if at := e.bodyOf(b); at != nil {
			e.insertMember(at, 0, "//", jsontree.Raw(text))
		}
	}
}
