// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// This file has the edits of arguments, elements and items in JSON.

// A jsonEditor makes the edits of an Editor in JSON syntax, on the tree of the document.
//
// It is the Editor itself with other methods. If it had the Editor in it, the compiler would write all
// methods of the Editor once more for it, which took a fifth of the time that the package compiles in.
type jsonEditor Editor

func (e *jsonEditor) editor() *Editor { return (*Editor)(e) }

// notThere is the error for a part of an earlier text.
const notThere = "it is not an expression any more: take the one that is there from Body"

// spotOf returns the node, or the part of a string, that stands for a place of a file. It records
// an error if there is none.
func (e *jsonEditor) spotOf(f *hclconfig.File, at textspan.Span) (nodeSpot, bool) {
	// place records what is wrong: whether the file is of another editor, or the part
	// is gone.
	if _, _, ok := e.editor().place(f, at); !ok {
		return nodeSpot{}, false
	}
	s, _, _ := e.doc.find(f, at)
	return s, true
}

// bodyNode returns the value that is the body of a block, or of the file for nil.
//
// A block is known by its body: the properties of its type and its labels may be those
// of other blocks too.
func (e *jsonEditor) bodyNode(b *hclconfig.Block) (*node, bool) {
	if b != nil {
		s, ok := e.spotOf(b.File(), placeOf(b.Body.Range()))
		return s.n, ok && !s.part
	}
	if len(e.doc.root.kids) == 0 || e.err != nil {
		return nil, false
	}
	return e.doc.root.kids[0], true
}

// partNode returns the node of a part: of a block, that of its body.
func (e *jsonEditor) partNode(p Part) (*node, bool) {
	if _, _, ok := e.editor().placePart(p); !ok {
		return nil, false
	}
	if b, ok := p.(*hclconfig.Block); ok {
		return e.bodyNode(b)
	}
	f, at := spot(p)
	s, ok := e.spotOf(f, at)
	return s.n, ok
}

// changed says that the text has changed in a node: some text went, and other text came. What the
// layout of new text depends on is counted here, because to search for it in the text after each edit
// would cost as much as the file each time.
func (e *jsonEditor) changed(n *node, went, came string) {
	e.now = nil
	d := e.doc
	d.changes++
	d.breaks += strings.Count(came, "\n") - strings.Count(went, "\n")
	if d.expands == nil {
		return
	}
	// Objects make a difference in arrays only.
	brackets := "["
	for ; n != nil; n = n.up {
		if n.kind == arrayNode {
			brackets = "[{"
		}
	}
	// Whether short arrays of the file have lines of their own is asked of the first
	// one. It may have come or gone, or have got a first object, after which it is no
	// short one.
	if strings.ContainsAny(went, brackets) || strings.ContainsAny(came, brackets) {
		d.expands = nil
	}
}

// setValue gives a value another text, which v is written as.
func (e *jsonEditor) setValue(n *node, text string, v Value) {
	old := n.String()
	in := v.holds(old, 0, text)
	if text[0] == '"' && old[0] != '"' {
		in = inner{} // its elements are native syntax now, although [3] looks alike
	}
	whole := in.at - in.from // where the old text would begin in the new one
	switch {
	// A string that has the old one again, as "${f(x)}" has x: who holds an expression
	// of it can still edit that, through the changes of the code.
	case in.to > in.from && n.kind == scalarNode && newNode(text).kind == scalarNode:
		e.setCode(n, 0, len(old), replacedAround(0, len(old), text, in))
		return
	case in.to > in.from && whole >= 0 && strings.HasPrefix(text[whole:], old):
		n.setAround(text, whole)
	default:
		n.set(text)
	}
	if n.isName() {
		n.up.named()
	}
	e.changed(n, old, text)
}

// setCode changes a part of the text of a string.
func (e *jsonEditor) setCode(n *node, from, to int, pieces ...textPiece) {
	if n.code == nil {
		n.code = newDraft([]byte(n.text), 4096)
	}
	n.code.rewrite(from, to, pieces...)
	n.text = string(n.code.slice(0, n.code.len()))
	if n.isName() {
		n.up.named()
	}
	e.changed(n, "", "")
}

// insertNode adds an item with a value before item i of a container.
func (e *jsonEditor) insertNode(c *node, i int, name string, value *jsontree.Node) *node {
	l := e.doc.layoutIn(c)
	n := len(c.kids)
	i = min(i, n)
	inner, separator := l.indent+l.style.Unit, l.style.Comma
	if l.style.Newline == "" {
		inner = l.indent
	} else {
		separator = "," + l.style.Newline + inner
	}
	var b strings.Builder
	value.Write(&b, l.style, inner)
	var k *node
	if c.kind == objectNode {
		key := jsontree.Quote(name)
		text := key + l.style.Colon
		k = newProperty(text+b.String(), 0, len(key), len(text), len(text)+b.Len())
		// No text that somebody read has it, so no place leads to it.
		k.at, k.to = 0, 0
	} else {
		k = newNode(b.String())
	}
	// The gap that is there stays before the new item, and the separator comes between
	// it and the next one: then no comma of another item changes.
	before, behind := c.gaps[i], separator
	switch {
	case n == 0:
		// There was nothing but white space between the brackets, which may be too much
		// or too little now.
		before, behind = c.gaps[0][:1], c.gaps[0][len(c.gaps[0])-1:]
		if l.style.Newline != "" {
			before, behind = before+l.style.Newline+inner, l.style.Newline+l.indent+behind
		}
	case i == n:
		before, behind = separator, c.gaps[n]
	}
	old := c.gaps[i]
	c.insert(i, k, before, behind)
	switch {
	case n == 0:
		e.changed(c, old, before+k.String()+behind)
	default:
		e.changed(c, "", separator+k.String())
	}
	return k
}

// removeItem removes an item with the comma that separates it from the others: the one before it, as
// the item before is then the last one, but of the first item the one behind.
func (e *jsonEditor) removeItem(k *node) {
	c := k.up
	i := slices.Index(c.kids, k)
	before, behind := c.gaps[i], c.gaps[i+1]
	switch {
	case len(c.kids) == 1:
		gap := before[:1] + behind[len(behind)-1:]
		c.remove(i, gap)
		e.changed(c, before+k.String()+behind, gap)
	case i == 0:
		c.remove(i, before)
		e.changed(c, k.String()+behind, "")
	default:
		c.remove(i, behind)
		e.changed(c, before+k.String(), "")
	}
}

// reordered says that the items of a container, with some text, are in another order.
func (e *jsonEditor) reordered(c *node, some string) {
	// Which of two equal names is the first one depends on their order.
	if c.twice {
		c.names = nil
	}
	e.changed(c, some, some)
}

// bodyOf returns the object that holds the properties of a body: the body itself, or the last
// object of the array that it is. HCL reads such an array as one body in pieces, and what is new comes
// last there, as in an object. A body that is null has no content, and gets an object.
func (e *jsonEditor) bodyOf(b *hclconfig.Block) *node {
	n, ok := e.bodyNode(b)
	if !ok {
		return nil
	}
	n.read()
	switch {
	case n.kind == objectNode:
		return n
	case n.kind == arrayNode:
		for _, k := range slices.Backward(n.kids) {
			if k.kind == objectNode {
				k.read()
				return k
			}
		}
		k := e.insertNode(n, 0, "", jsontree.Object())
		k.read()
		return k
	case n.text == "null":
		n.set("{}")
		n.read()
		e.changed(n, "", "")
		return n
	}
	f, at := headOf(b)
	e.editor().failf(f, at, "the body is not an object, and has no place for arguments and blocks: use Delete and Add for the block")
	return nil
}

// holding returns the argument of that name: a body can be an array of several objects.
func (e *jsonEditor) holding(b *hclconfig.Block, name string) *node {
	n, ok := e.bodyNode(b)
	if !ok {
		return nil
	}
	switch n.kind {
	case objectNode:
		return n.first(name)
	case arrayNode:
		n.read()
		for _, k := range n.kids { // the first one that has it
			if k.kind == objectNode {
				if a := k.find(name); a != nil {
					return a
				}
			}
		}
	}
	return nil
}

func (e *jsonEditor) setJSON(in *hclconfig.Block, name string, v Value, o editOptions) {
	f, at := headOf(in)
	kind, err := argKind(e.editor().specIn(in), name)
	if e.editor().fails(f, at, err) {
		return
	}
	// The value is written before its place is looked for, which may put an object into
	// a body that is null: an edit that fails should change nothing.
	n, err := v.json(kind, programOf(e.f))
	if e.editor().fails(f, at, err) {
		return
	}
	if a := e.holding(in, name); a != nil {
		text, err := e.doc.valueText(v, kind, programOf(e.f), a.value())
		if e.editor().fails(f, at, err) {
			return
		}
		e.setValue(a.value(), text, v)
		return
	}
	c := e.bodyOf(in)
	if c == nil {
		return
	}
	if i, ok := e.argumentItem(c, in, name, o); ok {
		e.insertNode(c, i, name, n)
	}
}

// argumentItem returns before which property of a body a new argument goes: by default after the
// other arguments and before the blocks, except for arguments that come first or last.
func (e *jsonEditor) argumentItem(c *node, in *hclconfig.Block, name string, o editOptions) (int, bool) {
	if o.where != whereDefault {
		return e.itemPlace(c, o)
	}
	typ, spec := "", e.editor().specIn(in)
	if in != nil {
		typ = in.Type
	}
	own := rank(typ, name)
	isBlock := func(i int) bool { return spec.Lookup(c.kids[i].name).Block != nil }
	at := len(c.kids)
	switch {
	case own < 10:
		for at = 0; at < len(c.kids) && !isBlock(at) && (rank(typ, c.kids[at].name) <= own || c.kids[at].name == "//"); at++ {
		}
	case own == 10:
		// A comment may be one of the block below it. JSON has no way to say so but the
		// order.
		for at > 0 && (isBlock(at-1) || c.kids[at-1].name == "//" || rank(typ, c.kids[at-1].name) > own) {
			at--
		}
		for at < len(c.kids) && c.kids[at].name == "//" && (at == 0 || c.kids[at-1].name == "//") {
			at++ // it is about the block
		}
	}
	return at, true
}

// itemPlace returns before which item the options want a new one.
func (e *jsonEditor) itemPlace(c *node, o editOptions) (int, bool) {
	c.read()
	missing := "in JSON syntax it is in another property: use First or Last, or a part of the same type"
	i, ok := o.slot(len(c.kids), func() int {
		if name, ok := o.part.(Named); ok {
			missing = "there is nothing of that name to go next to: use First or Last"
			return slices.Index(c.kids, c.first(string(name)))
		}
		n, ok := e.partNode(o.part)
		if !ok {
			return -1
		}
		return n.index(c)
	})
	if !ok {
		e.editor().failf(nil, textspan.Span{}, "%s", missing)
	}
	return i, ok
}

// replaceJSON replaces an expression by a value.
func (e *jsonEditor) replaceJSON(x hclconfig.Expression, v Value) {
	s, ok := e.spotOf(x.File(), spanOf(x))
	if !ok {
		return
	}
	if s.part {
		e.replaceInString(x, s, v)
		return
	}
	text, err := e.doc.valueText(v, kindOf(x), programOf(e.f), s.n)
	if err == nil && s.n.isName() && !strings.HasPrefix(text, `"`) {
		err = notWritable("a property needs a text as its name")
	}
	if e.editor().fails(x.File(), spanOf(x), err) {
		return
	}
	e.setValue(s.n, text, v)
}

// rename gives a property another name.
//
// Nothing but the name changes, so the value, and who holds a part of it, is not
// touched.
func (e *jsonEditor) rename(k *node, name string) {
	e.setValue(k.kids[0], jsontree.Quote(name), Value{})
}

func (e *jsonEditor) renameJSON(in *hclconfig.Block, from, to string) {
	f, at := headOf(in)
	a := e.holding(in, from)
	switch {
	case e.err != nil:
	case a == nil:
		e.editor().failf(f, at, "there is no argument %q to rename: add one with Set", from)
	case from == to:
	case e.holding(in, to) != nil:
		e.editor().failf(f, at, "there is already an argument %q: use Remove first, or Set", to)
	default:
		spec := e.editor().specIn(in)
		e.respell(a, spec, spec, to)
		e.rename(a, to)
		e.doc.moved = true
	}
}

// respell writes the value of a property as the argument name of another block needs it: "${var.x}" is a
// reference in one place and a text in another, and var.x is "var.x" or "${var.x}".
func (e *jsonEditor) respell(k *node, in, into *hcllang.Block, name string) {
	from, _ := argKind(in, k.name)
	to, err := argKind(into, name)
	text := k.value().String()
	marks := strings.Contains(text, "${") || strings.Contains(text, "%{") || strings.Contains(text, `\u`)
	if err != nil || from.Bare() == to.Bare() && (from.Templates() == to.Templates() || !from.Bare() && !marks) {
		return
	}
	x, err := hclconfig.ParseExpression(e.f.Filename(), []byte(text), hclconfig.JSONSyntax, hclconfig.Kind(from))
	if err != nil {
		return
	}
	v, err := ValueOf(x)
	if err == nil {
		text, err = e.doc.valueText(v, to, programOf(e.f), k.value())
	}
	if err == nil { // what means nothing there stays as it is
		e.setValue(k.value(), text, v)
	}
}

// specAround returns the language's description of the block that a property is an argument of now.
func (e *jsonEditor) specAround(k *node) *hcllang.Block {
	var names []string // from the inside
	for n := k.up; n != nil; n = n.up {
		if n.kind == propertyNode {
			names = append(names, n.name)
		}
	}
	spec := rootOf(e.f)
	if len(names) == 0 {
		return e.editor().specIn(nil)
	}
	for len(names) > 0 {
		last, labels := len(names)-1, 0
		if m := spec.Lookup(names[last]); m.Block != nil {
			labels = len(m.Block.Labels)
		}
		spec, names = spec.Inner(names[last]), names[:max(last-labels, 0)]
	}
	return spec
}

// deleteJSON removes an argument, an element or an item.
func (e *jsonEditor) deleteJSON(p Part) {
	f, at := spot(p)
	s, ok := e.spotOf(f, at)
	if !ok {
		return
	}
	k := s.n.item()
	if k.up == nil || !k.up.isContainer() {
		e.editor().failf(nil, textspan.Span{}, "it is all of the file, and no property or element: use Replace")
		return
	}
	e.removeItem(k)
}

// insertJSON adds an element or an item to an expression.
func (e *jsonEditor) insertJSON(x hclconfig.Expression, v Value, key string, isEntry bool, o editOptions) {
	s, ok := e.spotOf(x.File(), spanOf(x))
	if !ok {
		return
	}
	c := s.n
	if s.part || !c.isContainer() || (c.kind == objectNode) != isEntry {
		e.editor().failf(x.File(), spanOf(x), "an object takes an Entry, and a list or a call a value")
		return
	}
	n, err := v.json(kindOf(x).Element(), programOf(e.f))
	if err == nil && isEntry {
		if kindOf(x).Templates() {
			// A key of an object is a template in JSON, as HCL evaluates both sides of
			// a property in an expression.
			key = hcllex.TemplateOf(key)
		}
		if old := c.first(key); old != nil {
			var text string
			if text, err = e.doc.valueText(v, kindOf(x).Element(), programOf(e.f), old.value()); err == nil {
				e.setValue(old.value(), text, v)
				return
			}
		}
	}
	if e.editor().fails(x.File(), spanOf(x), err) {
		return
	}
	if i, ok := e.itemPlace(c, o); ok {
		e.insertNode(c, i, key, n)
	}
}

// moveItemJSON moves an item among its neighbours.
func (e *jsonEditor) moveItemJSON(n *node, o editOptions) {
	k := n.item()
	c := k.up
	if c == nil || !c.isContainer() {
		e.editor().failf(nil, textspan.Span{}, "it is no property or element: use Replace")
		return
	}
	if at, ok := e.itemPlace(c, o); ok {
		i := slices.Index(c.kids, k)
		if at > i {
			at--
		}
		c.kids = slices.Insert(slices.Delete(c.kids, i, i+1), at, k) // what is between items stays
		e.reordered(c, k.String())
	}
}

// sortJSON puts the elements or the items of an expression into an order.
func (e *jsonEditor) sortJSON(x hclconfig.Expression, compare func(a, b hclconfig.Expression) int) {
	s, ok := e.spotOf(x.File(), spanOf(x))
	if !ok {
		return
	}
	c := s.n
	if s.part || !c.isContainer() {
		e.editor().failf(x.File(), spanOf(x), "it is not written as a list or an object: use Replace or Wrap")
		return
	}
	// The caller compares expressions, and those are to be what is there now. Only this
	// part of the file is read for it.
	root, err := hclconfig.ParseExpression(e.f.Filename(), []byte(c.String()), hclconfig.JSONSyntax, x.Kind())
	if e.editor().fails(x.File(), spanOf(x), err) {
		return
	}
	c.read()
	keys := root.Parts()
	if c.kind == objectNode {
		keys = keysOf(keys)
	}
	kids := slices.Clone(c.kids)
	for slot, i := range sorted(keys, compare) {
		c.kids[slot] = kids[i]
	}
	e.reordered(c, c.String())
}

// commentsJSON returns the lines of the comment of a block in JSON syntax, as it was read.
func commentsJSON(b *hclconfig.Block) []string {
	f, at := b.File(), placeOf(b.Body.Range())
	body := newNode(string(f.Bytes()[at.Start:at.End]))
	body.read()
	// A body in pieces has its comment in the first piece that has one.
	for _, k := range append([]*node{body}, body.kids...) {
		if k.kind == objectNode && (k == body || body.kind == arrayNode) {
			if c := k.first("//"); c != nil {
				return linesOfComment(c.value())
			}
		}
	}
	return nil
}

// linesOfComment returns the lines of a property "//".
//
// The tools ignore its value, whatever that is. A text with line breaks and an array of
// lines are what people write.
func linesOfComment(n *node) []string {
	text := n.String()
	switch {
	case text[0] == '"':
		return strings.Split(unquoteJSON([]byte(text)), "\n")
	case n.kind == arrayNode:
		n.read()
		var out []string
		for _, k := range n.kids {
			if text := k.String(); text[0] == '"' {
				out = append(out, unquoteJSON([]byte(text)))
			}
		}
		return out
	}
	return []string{text}
}

// setCommentsJSON sets the comments of a part: a block can have some above it.
func (e *jsonEditor) setCommentsJSON(p Part, c Comments) {
	b, ok := p.(*hclconfig.Block)
	if none := c.Behind == "" && len(c.Inside) == 0; !ok && none && len(c.Above) == 0 {
		return
	} else if !ok || !none {
		f, s := spot(p)
		e.editor().failf(f, s, "JSON has no place for that comment: only Above of a block")
		return
	}
	text := jsontree.Quote(strings.Join(c.Above, "\n"))
	k := e.holding(b, "//")
	switch {
	case e.err != nil:
	case k != nil && len(c.Above) == 0:
		e.removeItem(k)
	case k != nil:
		// A comment that stays keeps its form: an array of lines does not become one
		// string.
		if !slices.Equal(linesOfComment(k.value()), c.Above) {
			e.setValue(k.value(), text, Value{})
		}
	case len(c.Above) > 0:
		if in := e.bodyOf(b); in != nil {
			e.insertNode(in, 0, "//", jsontree.Raw(text))
		}
	}
}
