// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// This file has the edits of blocks in JSON. A block is the value of a property for its last
// label, which is in the value of one for the label before, and so on up to its type. Blocks of a
// type may share these properties, and each value may be an array of several.

// A head is the type and the labels of a block as they are now: the properties that have them.
type head struct {
	body  *node
	names []*node // of the type and the labels
}

// headOf returns the head of a block. It reports false, after an error, if the block is gone.
func (e *jsonEditor) headOf(b *hclconfig.Block) (head, bool) {
	n, ok := e.bodyNode(b)
	if !ok {
		return head{}, false
	}
	h := head{body: n}
	labels := len(b.Labels)
	// A block that was moved or got another header may have another number of labels
	// than it was read with. The part that the caller holds does not know that.
	if n.labels > 0 {
		labels = n.labels - 1
	}
	for up := n; up != nil && len(h.names) <= labels; up = up.up {
		if up.kind == propertyNode {
			h.names = append(h.names, up)
		}
	}
	slices.Reverse(h.names)
	if len(h.names) <= labels {
		e.editor().failf(b.File(), placeOf(b.TypeRange()), "it was removed by an earlier edit: take what is there from Body")
		return h, false
	}
	return h, true
}

// top reports whether the block is in no other.
func (h *head) top() bool {
	// A property around that of its type is one of another block.
	for n := h.names[0].up; n != nil; n = n.up {
		if n.kind == propertyNode {
			return false
		}
	}
	return true
}

// blocks returns how many blocks a value has in it, below which are as many labels. It counts no
// further than two: edits ask only whether a block is alone, and a type may have thousands.
func blocks(n *node, labels int) (count int) {
	switch {
	case n.kind == scalarNode:
		return 0
	case n.kind == objectNode && labels == 0:
		return 1
	}
	n.read()
	for _, k := range n.kids {
		switch {
		case count > 1 || k.name == "//":
		case n.kind == objectNode:
			count += blocks(k.value(), labels-1)
		case labels == 0:
			count++ // an array here is one body in pieces
		default:
			count += blocks(k, labels)
		}
	}
	return count
}

// alone reports whether name i has no other block below it.
func (h *head) alone(i int) bool { return blocks(h.names[i].value(), len(h.names)-1-i) < 2 }

// only reports whether nothing else is in the value of name i.
//
// If so, a new name there is one of this block alone.
func (h *head) only(i int) bool {
	for n := h.body; n != h.names[i]; n = n.up {
		if n.up.isContainer() && len(n.up.kids) > 1 {
			return false
		}
	}
	return true
}

// labels returns the labels of the block.
func (h *head) labels() (out []string) {
	for _, k := range h.names[1:] {
		out = append(out, k.name)
	}
	return out
}

// deleteBlock removes the property or element of a block, and then empty containers around it, up
// to the property of the block's type. A label with nothing below it would be no block for the tools,
// but a reader would look for one there.
func (e *jsonEditor) deleteBlock(b *hclconfig.Block) {
	if h, ok := e.headOf(b); ok {
		e.removeBlock(h.body, h.names[0])
	}
}

// removeBlock removes n, or what is around it up to the property of a type, if that would be empty.
func (e *jsonEditor) removeBlock(n, typ *node) {
	k := n.item()
	// The outermost object stays, as a file needs one.
	for k != typ && len(k.up.kids) == 1 && k.up.up.kind != fileNode {
		k = k.up.item()
	}
	e.removeItem(k)
}

// addBlockJSON adds a block to the content of in, or to the file.
func (e *jsonEditor) addBlockJSON(in *hclconfig.Block, block *BlockBuilder, o editOptions) {
	spec, err := block.inner(e.editor().blockSpecIn(in))
	var own *jsontree.Node
	if err == nil {
		own, err = block.jsonBody(spec, programOf(e.f))
	}
	if e.editor().failsIn(in, err) {
		return
	}
	if c := e.bodyOf(in); c != nil {
		e.addBody(c, in, block, own, false, o)
	}
}

// addBody adds a block whose body is own to the body c of in. Blocks of a type are together: the
// place is one among those, or that of the first one of its type. If pieces is set, own is an
// array of the pieces of one body, and must be in an array: by itself it would be several blocks.
// It returns the node that has the new text.
func (e *jsonEditor) addBody(c *node, in *hclconfig.Block, block *BlockBuilder, own *jsontree.Node, pieces bool, o editOptions) *node {
	nest := func(level int, inArray bool) *jsontree.Node {
		if pieces && !(inArray && level == len(block.labels)) {
			return block.nest(jsontree.Array(own), level)
		}
		return block.nest(own, level)
	}
	k := c.find(block.typ)
	if k == nil {
		n := nest(0, ordered(block.typ))
		if ordered(block.typ) {
			n = jsontree.Array(n)
		}
		if at, ok := e.blockItem(c, in, block.typ, o); ok {
			return e.insertNode(c, at, block.typ, n)
		}
		return nil
	}
	for level := 0; ; level++ {
		v := k.value()
		v.read()
		switch v.kind {
		case arrayNode:
			if at, ok := e.placeAmong(v, block.typ, o); ok {
				return e.insertNode(v, at, "", nest(level, true))
			}
			return nil
		case objectNode:
		default:
			// null means no block.
			var b strings.Builder
			nest(level, false).Write(&b, e.doc.layoutIn(k.up).style, e.doc.indentOf(v))
			e.setValue(v, b.String(), Value{})
			return v
		}
		if level == len(block.labels) {
			return e.makeArray(v, own)
		}
		next := v.find(block.labels[level])
		switch {
		case next == nil:
			if at, ok := e.placeAmong(v, block.typ, o); ok {
				return e.insertNode(v, at, block.labels[level], nest(level+1, false))
			}
			return nil
		case ordered(block.typ):
			// One object for the label would put the block next to others of the same
			// label, whatever came between them. An array keeps the order of all.
			return e.makeArray(v, nest(level, true))
		}
		k = next
	}
}

// blockItem returns before which property of a body the first block of its type goes: by default
// after the others, but before the properties that come last.
func (e *jsonEditor) blockItem(c *node, in *hclconfig.Block, typ string, o editOptions) (int, bool) {
	if o.where != whereDefault || in == nil {
		return e.itemPlace(c, o)
	}
	at := len(c.kids)
	for at > 0 && (c.kids[at-1].name == "lifecycle" && typ != "lifecycle" || rank(in.Type, c.kids[at-1].name) > 10) {
		at--
	}
	return at, true
}

// placeAmong returns before which of the blocks of a type, or of their labels, the options want a
// new one. It comes last if the part they name is elsewhere.
func (e *jsonEditor) placeAmong(c *node, typ string, o editOptions) (int, bool) {
	isThere := true
	i, ok := o.slot(len(c.kids), func() int {
		if name, ok := o.part.(Named); ok {
			// The name of the type stands for its first block, which is the first one
			// here.
			if string(name) == typ && len(c.kids) > 0 {
				return 0
			}
			return -1
		}
		var n *node
		if n, isThere = e.partNode(o.part); !isThere {
			return -1
		}
		return n.index(c)
	})
	if !ok {
		i = len(c.kids)
	}
	return i, isThere
}

// makeArray puts an object and another value into an array: a property that occurs twice is one
// that most programs drop, though HCL reads both. The object keeps its lines as they are, so that a
// reviewer sees only what is new. It returns the node of the other value.
func (e *jsonEditor) makeArray(v *node, other *jsontree.Node) *node {
	l := e.doc.layoutIn(v)
	var b strings.Builder
	other.Write(&b, l.style, l.indent)
	sep := l.style.Comma
	if l.style.Newline != "" {
		sep = ", "
	}
	k := newNode(b.String())
	array := &node{kind: arrayNode, open: true, src: "[]"}
	v.swap(array)
	v.up, k.up = array, array
	array.kids, array.gaps = []*node{v, k}, []string{"[", sep, "]"}
	e.changed(array, "", b.String()+"[")
	return k
}

// hole is text in the place of a body that is about to go there. No JSON has it.
const hole = "?"

// holeIn returns the node of the hole.
//
// The text around is written as any new text is, before the body goes there. So the
// rules for labels, arrays and layout are those of Add, and exist once.
func holeIn(n *node) *node {
	if n == nil || n.text == hole {
		return n
	}
	n.read()
	for _, k := range n.kids {
		if found := holeIn(k); found != nil {
			return found
		}
	}
	return nil
}

// transplant moves a node to the place of another one, in the document of another editor or in the
// same one, where it gets the layout of its new place.
func (e *jsonEditor) transplant(to *Editor, n, place *node) {
	text, now := n.String(), ""
	indent, there := to.doc.indentOf(place), to.doc.style()
	// A file of another style would have lines in it that look like none of its own. In
	// the same style only the indentation may differ.
	if to != e.editor() && there != e.doc.style() {
		now = restyle([]byte(text), there, indent, e.doc.flat())
	} else {
		now = reindented(text, e.doc.indentOf(n), indent)
	}
	// What is left behind must be JSON until it is removed, because the layout of the
	// rest is asked of the text.
	filler := &node{text: "0"}
	n.swap(filler)
	e.changed(filler, text, "0")
	place.swap(n)
	if to != e.editor() {
		// From now on the other editor takes parts that were read in files of this one.
		to.doc.guests = append(to.doc.guests, e.doc)
	}
	to.json().changed(n, place.String(), text)
	if now != text {
		n.respace(now)
		to.json().changed(n, text, now)
	}
	e.doc.moved, to.doc.moved = true, true
}

// moveArgumentJSON moves a property.
func (e *jsonEditor) moveArgumentJSON(a *hclconfig.Argument, to *Editor, o editOptions) {
	f, at := spot(a)
	s, ok := e.spotOf(f, at)
	if !ok {
		return
	}
	k := s.n
	if !o.hasInto {
		e.moveItemJSON(k, o)
		return
	}
	if k.kind != propertyNode {
		e.editor().failf(f, at, "it is no property or element: use Replace")
		return
	}
	// A second property of the same name would replace the first one in most programs.
	if to.json().holding(o.into, k.name) != nil {
		where, span := headOf(o.into)
		to.failf(where, span, "there is already an argument %q: use Remove first, or Set", k.name)
	}
	c := to.json().bodyOf(o.into)
	if c == nil {
		e.editor().takeError(to)
		return
	}
	e.respell(k, e.specAround(k), to.specIn(o.into), k.name)
	slot, ok := to.json().argumentItem(c, o.into, k.name, o)
	if e.editor().takeError(to); !ok || e.err != nil {
		return
	}
	// A property with another value gets its comma and its line like any new one. Then
	// the property that moves takes its place.
	place := to.json().insertNode(c, slot, k.name, jsontree.Raw("0"))
	in := k.up
	i := slices.Index(in.kids, k)
	e.transplant(to, k, place)
	e.removeItem(in.kids[i])
}

// moveBlockJSON moves a block.
func (e *jsonEditor) moveBlockJSON(b *hclconfig.Block, to *Editor, o editOptions) {
	h, ok := e.headOf(b)
	if !ok {
		return
	}
	if !o.hasInto {
		f, at := spot(b)
		if s, _, ok := e.doc.find(f, at); ok && !s.part {
			e.moveItemJSON(s.n, o)
			return
		}
		e.moveItemJSON(h.body, o)
		return
	}
	// The type and the labels are those of now, which may be others than those of the
	// block that the caller holds.
	block := NewBlock(h.names[0].name, h.labels()...)
	if _, err := block.inner(to.blockSpecIn(o.into)); e.editor().fails(b.File(), placeOf(b.TypeRange()), err) {
		return
	}
	if c := to.json().bodyOf(o.into); c != nil {
		e.replant(h, to, c, o.into, block, o)
	}
	e.editor().takeError(to)
}

// replant moves the body of a block to where block, whose labels it gets, would be added in the
// body c of in.
func (e *jsonEditor) replant(h head, to *Editor, c *node, in *hclconfig.Block, block *BlockBuilder, o editOptions) {
	added := to.json().addBody(c, in, block, jsontree.Raw(hole), h.body.kind == arrayNode, o)
	if e.editor().takeError(to); e.err != nil {
		return
	}
	place := holeIn(added)
	// A block that goes into itself would be cut off from the file.
	if place == nil || c.within(h.body) {
		e.editor().failf(nil, textspan.Span{}, "there is no place for it: use Add or Set there, and Delete here")
		return
	}
	up := h.body.up
	i := slices.Index(up.kids, h.body)
	e.transplant(to, h.body, place)
	h.body.labels = len(block.labels) + 1
	e.removeBlock(up.kids[i], h.names[0])
}

// relabelJSON changes label i of a block.
func (e *jsonEditor) relabelJSON(b *hclconfig.Block, i int, label string) {
	h, ok := e.headOf(b)
	if !ok {
		return
	}
	if i+1 >= len(h.names) {
		e.editor().failf(b.File(), placeOf(b.TypeRange()), "it was removed by an earlier edit: take what is there from Body")
		return
	}
	k := h.names[i+1]
	// No other block has the label, so its property gets the new name where it is. That
	// is the smallest change.
	if h.alone(i+1) && k.up.find(label) == nil {
		e.rename(k, label)
		e.doc.moved = true
		return
	}
	if !h.top() {
		e.editor().failf(b.File(), placeOf(b.LabelRange(i)), "other blocks share this label, or have the new one: use SetHeader")
		return
	}
	labels := h.labels()
	labels[i] = label
	if c := e.bodyOf(nil); c != nil {
		e.replant(h, e.editor(), c, nil, NewBlock(h.names[0].name, labels...), e.opts)
	}
}

// setHeaderJSON is SetHeader in a JSON file.
func (e *jsonEditor) setHeaderJSON(b *hclconfig.Block, typ string, labels []string) {
	h, ok := e.headOf(b)
	if !ok {
		return
	}
	var in *hclconfig.Block
	c := (*node)(nil)
	if !h.top() {
		if in, ok = e.parentOfJSON(b, h); !ok {
			return
		}
		c = h.names[0].up
	}
	block := NewBlock(typ, labels...)
	if _, err := block.inner(e.editor().blockSpecIn(in)); e.editor().fails(b.File(), placeOf(b.TypeRange()), err) {
		return
	}
	if e.renameHead(h, typ, labels) {
		e.doc.moved = true
		return
	}
	if c == nil {
		c = e.bodyOf(nil)
	}
	if c != nil {
		e.replant(h, e.editor(), c, in, block, e.opts)
	}
}

// parentOfJSON returns the block that a block is in: the one that it was read in, if it is still
// there and not in another one, or else that of the text as it is now.
func (e *jsonEditor) parentOfJSON(b *hclconfig.Block, h head) (*hclconfig.Block, bool) {
	if parent := blockOfJSON(b); parent != nil {
		in := h.names[0].up
		s, _, ok := e.doc.find(parent.File(), placeOf(parent.Body.Range()))
		if ok && !s.part && (in == s.n || in.up == s.n && s.n.kind == arrayNode) {
			// The language says what a block may have in it by its type, and that of
			// the parent may be another one by now.
			if outer, ok := e.headOf(parent); ok && outer.top() && outer.names[0].name == parent.Type {
				return parent, true
			}
		}
	}
	f := e.editor().fileNow()
	if f == nil {
		return nil, false
	}
	now, parent := blockAround(f.Body(), h.body.span())
	if now == nil || parent == nil {
		e.editor().failf(b.File(), placeOf(b.TypeRange()), "it was removed by an earlier edit: take what is there from Body")
		return nil, false
	}
	return parent, true
}

// renameHead renames the properties of a block's type and labels where they stand, which leaves the block
// in its place among the others. It reports false if other blocks share one that would change, or have the
// new name: they must not get another address by an edit of this one.
func (e *jsonEditor) renameHead(h head, typ string, labels []string) bool {
	names := append([]string{typ}, labels...)
	if len(names) != len(h.names) {
		return false
	}
	first := 0
	for first < len(names) && names[first] == h.names[first].name {
		first++
	}
	if first == len(names) {
		return true
	}
	// A type whose order matters has its blocks in an array, and others need not.
	if !h.only(first) || h.names[first].up.find(names[first]) != nil || first == 0 && ordered(h.names[0].name) != ordered(typ) {
		return false
	}
	for i, name := range names {
		if name != h.names[i].name {
			e.rename(h.names[i], name)
		}
	}
	return true
}

// blockOfJSON returns the block that b is in, as they were read, or nil.
func blockOfJSON(b *hclconfig.Block) (parent *hclconfig.Block) {
	_, start, end := b.Place()
	for body := b.File().Body(); ; {
		in := blockBefore(body, start+1)
		if in == nil || !holds(in, start, end) {
			return nil
		}
		// Blocks that share labels begin at the same place. Their bodies do not.
		if in.Body.Range() == b.Body.Range() {
			return parent
		}
		parent, body = in, &in.Body
	}
}

// blockAround returns the block whose body is at s, and the block that it is in.
//
// The bodies of blocks are places that no two of them share, unlike their labels.
func blockAround(body *hclconfig.Body, s textspan.Span) (found, parent *hclconfig.Block) {
	for i := range body.Blocks {
		b := &body.Blocks[i]
		if placeOf(b.Body.Range()) == s {
			return b, nil
		}
		if in, outer := blockAround(&b.Body, s); in != nil {
			if outer == nil {
				outer = b
			}
			return in, outer
		}
	}
	return nil, nil
}
