// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"slices"
	"sort"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// A node is a value, a property or all of a file in JSON. It is opened when an edit is about
// something in it: then it is its kids, with the text between them. What nobody has opened is
// text, byte for byte. A part that a caller has read stands for a node however often the text
// changes, so nothing has to be searched again: edits change lists of kids.
type node struct {
	up   *node
	kind nodeKind
	text string // of a node that is not open
	open bool
	// The kids of a property are its name and its value.
	kids []*node
	// gaps are before the kids and behind the last one, with brackets, commas and colons.
	gaps  []string
	name  string           // of a property
	names map[string]*node // the first property of each name, once one was looked for
	twice bool             // two properties have the same name

	// How it was read: the text when it was opened, the kids in it, and the place of the node
	// in the text that it was read from.
	src    string
	reads  []*node
	at, to int
	// gen counts the contents that the node has had. One that is in another node now, such as
	// the argument of a call that was put around it, is in was.
	gen int
	was map[int]*node
	// code has the changes in the text of a string that holds expressions.
	code *draft
	// labels is how many labels the block has whose body it is, plus one, if it has got others
	// than it was read with.
	labels int
}

type nodeKind uint8

const (
	scalarNode nodeKind = iota // a string, a number, a word
	objectNode
	arrayNode
	propertyNode
	fileNode
)

// newNode returns a node for JSON that is known to be valid.
func newNode(text string) *node {
	n := &node{text: text}
	switch text[0] {
	case '{':
		n.kind = objectNode
	case '[':
		n.kind = arrayNode
	}
	return n
}

// readFile returns the node of a file.
func readFile(src string) *node {
	n := &node{kind: fileNode, text: src, open: true, src: src}
	start := jsonscan.Space([]byte(src), 0)
	end := jsontree.Back([]byte(src), len(src))
	if start >= end {
		n.gaps = []string{src}
		return n
	}
	root := newNode(src[start:end])
	root.up, root.at, root.to = n, start, end
	n.kids, n.reads, n.gaps = []*node{root}, []*node{root}, []string{src[:start], src[end:]}
	return n
}

// isContainer reports whether the node is an object or an array.
func (n *node) isContainer() bool { return n.kind == objectNode || n.kind == arrayNode }

// read opens an object or an array.
func (n *node) read() {
	if n.open || !n.isContainer() {
		return
	}
	n.open, n.src = true, n.text
	text, from := []byte(n.text), 0
	add := func(k *node) {
		k.up = n
		n.kids = append(n.kids, k)
		n.gaps = append(n.gaps, n.src[from:k.at])
		from = k.to
	}
	if n.kind == objectNode {
		for m := range jsontree.Members(text, textspan.Span{}) {
			start, end := offsets(m.Value)
			add(newProperty(n.src, int(m.Name.Start), int(m.Name.End), start, end))
		}
	} else {
		for v := range jsontree.Elements(text, textspan.Span{}) {
			start, end := offsets(v)
			k := newNode(n.src[start:end])
			k.at, k.to = start, end
			add(k)
		}
	}
	n.gaps = append(n.gaps, n.src[from:])
	n.reads, n.text = slices.Clone(n.kids), ""
}

// newProperty returns the property of src whose name is from at to colon, and whose value is from
// start to end.
//
// A property is a node of its own, because it moves and goes as one, with the white
// space around its colon.
func newProperty(src string, at, colon, start, end int) *node {
	k := &node{kind: propertyNode, at: at, to: end, open: true, src: src[at:end]}
	name, value := newNode(src[at:colon]), newNode(src[start:end])
	name.up, name.to = k, colon-at
	value.up, value.at, value.to = k, start-at, end-at
	k.name = unquoteJSON([]byte(name.text))
	k.kids, k.reads, k.gaps = []*node{name, value}, []*node{name, value}, []string{"", src[colon:start], ""}
	return k
}

// value returns the value of a property, or the node itself.
func (n *node) value() *node {
	if n.kind == propertyNode {
		return n.kids[1]
	}
	return n
}

// isName reports whether the node is the name of a property.
func (n *node) isName() bool {
	return n.up != nil && n.up.kind == propertyNode && n.up.kids[0] == n
}

// item returns what is an item of a container: the property of a value, or the node itself.
func (n *node) item() *node {
	if n.up != nil && n.up.kind == propertyNode {
		return n.up
	}
	return n
}

// root returns the node of the file that the node is in, or the last one above a node that is in
// no file any more.
func (n *node) root() *node {
	for n.up != nil {
		n = n.up
	}
	return n
}

// within reports whether the node is in another one, or is that.
func (n *node) within(in *node) bool {
	for ; n != nil; n = n.up {
		if n == in {
			return true
		}
	}
	return false
}

// index returns which item of a container the node is in, or -1.
func (n *node) index(in *node) int {
	for ; n != nil; n = n.up {
		if n.up == in {
			return slices.Index(in.kids, n)
		}
	}
	return -1
}

// pieces calls yield with the pieces of the text in their order, until that returns false.
func (n *node) pieces(yield func(s string) bool) bool {
	if !n.open {
		return yield(n.text)
	}
	for i, k := range n.kids {
		if !yield(n.gaps[i]) || !k.pieces(yield) {
			return false
		}
	}
	return yield(n.gaps[len(n.kids)])
}

// String returns the text of the node.
func (n *node) String() string {
	if !n.open {
		return n.text
	}
	var b strings.Builder
	n.pieces(func(s string) bool {
		b.WriteString(s)
		return true
	})
	return b.String()
}

// line returns the beginning of the line of the node, up to the node, and reports whether the
// line begins in the container that it is in.
//
// It goes back through the pieces, since the place in the whole text would have to be
// counted from the beginning of the file.
func (n *node) line() (head string, inContainer bool) {
	in := n.item().up
	found := false
	back := func(s string) bool {
		i := strings.LastIndexByte(s, '\n')
		head, found = s[i+1:]+head, i >= 0
		return !found
	}
	for ; n.up != nil && !found; n = n.up {
		inContainer = n.up == in || n.up.up == in && n.up.kind == propertyNode
		for i := slices.Index(n.up.kids, n); i >= 0; i-- {
			if !back(n.up.gaps[i]) || i > 0 && !n.up.kids[i-1].piecesBack(back) {
				break
			}
		}
	}
	return head, inContainer && found
}

// piecesBack is pieces from the last one to the first.
func (n *node) piecesBack(yield func(s string) bool) bool {
	if !n.open {
		return yield(n.text)
	}
	for i := len(n.kids); i >= 0; i-- {
		if !yield(n.gaps[i]) || i > 0 && !n.kids[i-1].piecesBack(yield) {
			return false
		}
	}
	return true
}

// size returns how long the text of the node is.
func (n *node) size() (size int) {
	n.pieces(func(s string) bool {
		size += len(s)
		return true
	})
	return size
}

// span returns where the node is in the text.
func (n *node) span() textspan.Span {
	start, size := 0, n.size()
	for ; n.up != nil; n = n.up {
		for i, k := range n.up.kids {
			if start += len(n.up.gaps[i]); k == n {
				break
			}
			start += k.size()
		}
	}
	return textspan.Of(int32(start), int32(start+size))
}

// first returns the first property of that name, or nil.
func (n *node) first(name string) *node {
	if n.read(); n.names == nil {
		n.names, n.twice = make(map[string]*node, len(n.kids)), false
		for _, k := range n.kids {
			if n.names[k.name] == nil {
				n.names[k.name] = k
			} else {
				n.twice = true
			}
		}
	}
	return n.names[name]
}

// find returns the last property of that name, or nil.
func (n *node) find(name string) *node {
	k := n.first(name)
	if k != nil && n.twice {
		for _, other := range slices.Backward(n.kids) {
			if other.name == name {
				return other
			}
		}
	}
	return k
}

// forget makes the table of names anew, if a property of that name makes a difference.
func (n *node) forget(name string) {
	if n.twice {
		n.names = nil
	}
	delete(n.names, name)
}

// insert makes k kid i, with the text of the gaps on both sides.
func (n *node) insert(i int, k *node, before, behind string) {
	k.up = n
	n.kids = slices.Insert(n.kids, i, k)
	n.gaps = slices.Replace(n.gaps, i, i+1, before, behind)
	switch {
	case n.names == nil:
	case n.names[k.name] != nil:
		n.names = nil
	default:
		n.names[k.name] = k
	}
}

// remove takes kid i out, and leaves gap between its neighbours.
func (n *node) remove(i int, gap string) {
	k := n.kids[i]
	k.up = nil
	n.forget(k.name)
	n.kids = slices.Delete(n.kids, i, i+1)
	n.gaps = slices.Replace(n.gaps, i, i+2, gap)
}

// named says that the name of a property may be another one now.
func (n *node) named() {
	in, name := n.up, unquoteJSON([]byte(n.kids[0].text))
	if name == n.name {
		return
	}
	in.forget(n.name)
	n.name = name
	if in.names[name] != nil {
		in.names = nil
	} else if in.names != nil {
		in.names[name] = n
	}
}

// swap puts another node where n is.
//
// The gaps around stay, with the comma and the indentation that the place has.
func (n *node) swap(other *node) {
	in := n.up
	in.kids[slices.Index(in.kids, n)] = other
	n.up, other.up = nil, in
	if in.kind != objectNode {
		return
	}
	in.forget(n.name)
	switch {
	case other.kind != propertyNode:
	case in.names[other.name] != nil:
		in.names = nil
	case in.names != nil:
		in.names[other.name] = other
	}
}

// set gives the node another text. What was in it is gone.
func (n *node) set(text string) {
	fresh := newNode(text)
	for _, k := range n.kids {
		k.up = nil
	}
	n.kind, n.text, n.open = fresh.kind, text, false
	n.kids, n.gaps, n.reads, n.names, n.twice, n.code = nil, nil, nil, nil, false, nil
	n.gen++
}

// content returns the node that has the content that n had once, or nil.
func (n *node) content(gen int) *node {
	if gen == n.gen {
		return n
	}
	return n.was[gen]
}

// setAround gives the node another text, which has its old content again at offset at: the list around
// which a call was put, say. Who holds a part of that content can still edit it, because the content
// moves into the new text with its identity.
func (n *node) setAround(text string, at int) {
	gen := n.gen
	old := *n
	inner := &old
	// What it was before belongs to the node, which who holds it asks first.
	inner.was, inner.labels, inner.gen = nil, 0, 0
	size := len(n.String())
	for _, k := range inner.kids {
		k.up = inner
	}
	n.kids = nil
	n.set(text)
	if n.graft(inner, at, at+size) {
		if n.was == nil {
			n.was = map[int]*node{}
		}
		n.was[gen] = inner
	}
}

// graft puts a node in the place of what is from start to end in n, if that is a node. It is none if the
// old text is within a string now.
func (n *node) graft(inner *node, start, end int) bool {
	n.read()
	for i, k := range n.reads {
		switch {
		case k.at == start && k.to == end && k.kind != propertyNode:
			inner.at, inner.to = k.at, k.to
			k.swap(inner)
			n.reads[i] = inner
			return true
		case k.at <= start && end <= k.to:
			return k.graft(inner, start-k.at, end-k.at)
		}
	}
	return false
}

// respace gives the node the text that it would have with other white space.
func (n *node) respace(text string) {
	r := respacer{text: text}
	r.node(n)
}

// A respacer shares a text out to the pieces of a node, which differ from it in white space.
type respacer struct {
	text string
	at   int
}

// take returns the next piece of the text, which has the same as s but for white space. In strings
// all white space is the same.
func (r *respacer) take(s string) string {
	from := r.at
	for i := 0; i < len(s); {
		switch {
		case isSpaceJSON(s[i]):
			i++
		case isSpaceJSON(r.text[r.at]):
			r.at++
		case s[i] == '"':
			n := jsontree.StringEnd([]byte(s), i) - i
			i, r.at = i+n, r.at+n
		default:
			i, r.at = i+1, r.at+1
		}
	}
	return r.text[from:r.at]
}

// space returns the white space that comes next.
func (r *respacer) space() string {
	from := r.at
	for r.at < len(r.text) && isSpaceJSON(r.text[r.at]) {
		r.at++
	}
	return r.text[from:r.at]
}

// node gives a node its piece.
func (r *respacer) node(n *node) {
	if !n.open {
		n.text = r.take(n.text)
		return
	}
	for i, k := range n.kids {
		n.gaps[i] = r.take(n.gaps[i]) + r.space()
		r.node(k)
	}
	n.gaps[len(n.kids)] = r.take(n.gaps[len(n.kids)])
}

// A reading has where the nodes were in a text that a caller got as a file.
type reading struct {
	src    string
	places []nodePlace
	piece  bool // it is one block of the file
}

// A nodePlace is the place of a node in a file, and its content then.
type nodePlace struct {
	n          *node
	gen        int
	start, end int
	up         int       // the place that it is in, or -1
	code       *snapshot // of the text of a string in which something had changed
}

// places notes where the nodes are in the text, which begins at offset at.
//
// Only nodes that are open are noted. What is in another one is found through what it
// is opened as later, which is the same text.
func (n *node) places(r *reading, at, up int) (end int) {
	i := len(r.places)
	r.places = append(r.places, nodePlace{n: n, gen: n.gen, start: at, up: up})
	if n.code != nil {
		r.places[i].code = n.code.snap(0, len(n.text))
	}
	if !n.open {
		at += len(n.text)
	} else {
		for k, kid := range n.kids {
			at = kid.places(r, at+len(n.gaps[k]), i)
		}
		at += len(n.gaps[len(n.kids)])
	}
	r.places[i].end = at
	return at
}

// A nodeSpot is a node, or a part of the text of one that is a string.
type nodeSpot struct {
	n        *node
	from, to int // the part, if it is one
	part     bool
}

// find returns the node that stands for what was from start to end in the text of the reading, or
// the part of a string.
func (r *reading) find(start, end int) (nodeSpot, bool) {
	i := sort.Search(len(r.places), func(i int) bool { return r.places[i].start > start }) - 1
	// Places are in the order of the text, with the outer ones first. From the last one
	// that begins before, the way up leads to the smallest one around.
	for i >= 0 && (r.places[i].end < end || r.places[i].start > start) {
		i = r.places[i].up
	}
	if i < 0 {
		return nodeSpot{}, false
	}
	p := r.places[i]
	n, gen, code := p.n, p.gen, p.code
	text := r.src[p.start:p.end]
	from, to := start-p.start, end-p.start
	for {
		if from == 0 && to == len(text) {
			return nodeSpot{n: n}, true
		}
		if n = n.content(gen); n == nil {
			return nodeSpot{}, false
		}
		if n.kind == scalarNode {
			s := nodeSpot{n, from, to, true}
			ok := true
			if n.code != nil {
				if code == nil {
					code = n.code.first
				}
				s.from, s.to, ok = n.code.find(code, from, to)
			}
			return s, ok
		}
		n.read()
		// The node got the layout of another place before it was opened.
		if text != n.src {
			from, to = sameIn(text, n.src, from), sameIn(text, n.src, to-1)+1
		}
		k := n.readAt(from, to)
		if k == nil {
			return nodeSpot{}, false
		}
		// Places in a node that was opened later count from the text that it was opened
		// with.
		text, from, to = n.src[k.at:k.to], from-k.at, to-k.at
		n, gen, code = k, 0, nil
	}
}

// readAt returns what was read from a place in the text of the node, or around it.
func (n *node) readAt(from, to int) *node {
	i := sort.Search(len(n.reads), func(i int) bool { return n.reads[i].at > from }) - 1
	if i < 0 || n.reads[i].to < to {
		return nil
	}
	return n.reads[i]
}

// sameIn returns where the byte at offset is in a text with other white space. A node that has moved to
// another document has the layout of that, and its parts are still asked for by the places that they
// had before.
func sameIn(text, other string, offset int) int {
	count := 0
	for i := range offset {
		if !isSpaceJSON(text[i]) {
			count++
		}
	}
	for i := range len(other) {
		if isSpaceJSON(other[i]) {
			continue
		}
		if count == 0 {
			return i
		}
		count--
	}
	return len(other)
}

// A document is the tree of a file in JSON that is edited.
type document struct {
	root     *node
	readings map[*hclconfig.File]*reading
	guests   []*document // those that nodes came from
	breaks   int         // how many line breaks there are
	changes  int         // how many there were
	// expands is how short arrays are written, if that is known: see expandsArrays.
	expands *bool
	moved   bool // something has gone to another block, or has another name
}

func newDocument(f *hclconfig.File) *document {
	src := string(f.Bytes())
	d := &document{root: readFile(src), readings: map[*hclconfig.File]*reading{}, breaks: strings.Count(src, "\n")}
	d.note(f, src)
	return d
}

// note makes a file known, which has the text of now.
//
// A caller holds parts by their places in that text. They are noted once, when the text
// is handed out, and lead to nodes from then on.
func (d *document) note(f *hclconfig.File, src string) {
	r := &reading{src: src}
	d.root.places(r, 0, -1)
	d.readings[f] = r
}

// find returns the node for a place of a file. It reports whether the file is known, and the node
// still there.
func (d *document) find(f *hclconfig.File, at textspan.Span) (s nodeSpot, known, ok bool) {
	r := d.readings[f]
	for i := 0; r == nil && i < len(d.guests); i++ {
		r = d.guests[i].readings[f]
	}
	if r == nil {
		return s, false, false
	}
	start, end := offsets(at)
	s, ok = r.find(start, end)
	// The node may have moved to the document of another editor, which knows the file
	// as well. Or it is in nothing any more.
	return s, true, ok && s.n.root() == d.root
}
