// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"bytes"
	"slices"
	"sort"
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// A container is an object or an array of a JSON file, as it is written. An editor keeps
// those with many items for later edits: they follow the changes of the text.
type container struct {
	e          *Editor
	open, shut int // its bracket, and the place behind the closing one
	since      int // they are the places after as many changes
	object     bool
	items      []*containerItem
	names      map[string]*containerItem // made when a name is looked for
	twice      bool                      // two items have the same name
	renamed    []*containerItem          // whose names have to be read again
	sep        string                    // what is between two items, if it is always the same
	uniform    bool
}

// A containerItem is a member or an element.
type containerItem struct {
	name       string
	start, end int // where it was after as many changes as since says
	key        int // how far from its beginning the value begins
	since      int
}

// manyBytes is the size of a container from which on an editor keeps it.
var manyBytes = 500

// keptContainers is how many containers an editor keeps.
const keptContainers = 8

// containerAt returns the container that is now from start to end.
func (e *Editor) containerAt(start, end int) *container {
	e.kept = slices.DeleteFunc(e.kept, func(c *container) bool { return !c.sync() })
	for i, c := range e.kept {
		if c.open == start && c.shut == end {
			e.kept = slices.Insert(slices.Delete(e.kept, i, i+1), 0, c)
			return c
		}
	}
	c := e.readContainer(start, end)
	if end-start >= manyBytes {
		e.kept = slices.Insert(e.kept, 0, c)
		e.kept = e.kept[:min(len(e.kept), keptContainers)]
	}
	return c
}

func (e *Editor) readContainer(start, end int) *container {
	n := len(e.d.changes)
	text := e.d.text.slice(start, end)
	e.d.scanned += len(text)
	c := &container{e: e, open: start, shut: end, since: n, object: text[0] == '{', uniform: true}
	add := func(name string, from, value, to int) {
		if k := len(c.items); k > 0 {
			sep := string(text[c.items[k-1].end-start : from])
			c.uniform = c.uniform && (k == 1 || sep == c.sep)
			c.sep = sep
		}
		c.items = append(c.items, &containerItem{name: name, start: start + from, end: start + to, key: value - from, since: n})
	}
	if c.object {
		for m := range jsontree.Members(text, textspan.Span{}) {
			s, t := offsets(m.Name)
			v, u := offsets(m.Value)
			add(unquoteJSON(text[s:t]), s, v, u)
		}
		return c
	}
	for v := range jsontree.Elements(text, textspan.Span{}) {
		s, t := offsets(v)
		add("", s, s, t)
	}
	return c
}

// sync follows the changes since the last time. It reports false if one of them has
// changed more than an item.
func (c *container) sync() bool {
	d := &c.e.d
	for n := c.since; n < len(d.changes); n++ {
		switch ch := &d.changes[n]; {
		case ch.end <= c.open:
			c.open += ch.delta
			c.shut += ch.delta
		case ch.start >= c.shut:
		case ch.start > c.open && ch.end < c.shut && (c.changed(ch, n) || c.removed(ch, n)):
			c.shut += ch.delta
		default:
			return false
		}
		c.since = n + 1
	}
	for _, w := range c.renamed {
		c.bring(w, c.since)
		raw := d.text.slice(w.start, w.start+w.key)
		if len(raw) == 0 || raw[0] != '"' {
			return false
		}
		old := w.name
		w.name = unquoteJSON(raw[:jsontree.StringEnd(raw, 0)])
		if c.twice || c.names[w.name] != nil {
			c.names = nil
		} else if c.names != nil {
			delete(c.names, old)
			c.names[w.name] = w
		}
	}
	c.renamed = nil
	return true
}

// bring finds where an item was after the first n changes.
func (c *container) bring(w *containerItem, n int) {
	if w.since < n {
		w.start, w.end, _ = c.e.d.span(w.start, w.end, w.since, n)
		w.since = n
	}
}

// lastAt returns the last item that began at offset or before it after the first n changes,
// or -1.
func (c *container) lastAt(offset, n int) int {
	return sort.Search(len(c.items), func(i int) bool {
		c.bring(c.items[i], n)
		return c.items[i].start > offset
	}) - 1
}

// changed reports whether change n is one of an item.
func (c *container) changed(ch *change, n int) bool {
	i := c.lastAt(ch.start, n)
	if i < 0 {
		return false
	}
	w := c.items[i]
	c.bring(w, n)
	value := w.start + w.key
	switch {
	case ch.start >= w.end || ch.end > w.end || ch.start < value && ch.end > value:
		return false
	case ch.start == w.start && (ch.end == ch.start || len(ch.pieces) == 0):
		return false // something before it, or all of it is gone
	case ch.start < value && c.object:
		w.key += ch.delta
		c.renamed = append(c.renamed, w)
	}
	w.end += ch.delta
	w.since = n + 1
	return true
}

// removed follows a change that removes items with what separates them from others.
func (c *container) removed(ch *change, n int) bool {
	if len(ch.pieces) > 0 {
		return false
	}
	first, last := c.lastAt(ch.start, n), c.lastAt(ch.end-1, n)
	switch {
	case last < 0:
		return false
	case ch.start == c.open+1 && ch.end == c.shut-1:
		first, last = 0, len(c.items)-1
	case first >= 0 && c.items[first].end == ch.start:
		if c.bring(c.items[last], n); c.items[last].end != ch.end {
			return false
		}
		first++
	case first >= 0 && c.items[first].start == ch.start && last+1 < len(c.items):
		if c.bring(c.items[last+1], n); c.items[last+1].start != ch.end {
			return false
		}
	default:
		return false
	}
	for _, w := range c.items[first : last+1] {
		if c.twice {
			c.names = nil
		}
		delete(c.names, w.name)
	}
	c.items = slices.Delete(c.items, first, last+1)
	return true
}

// item returns where item i is now.
func (c *container) item(i int) (start, end int) {
	w := c.items[i]
	c.bring(w, len(c.e.d.changes))
	return w.start, w.end
}

// value returns where the value of item i is now.
func (c *container) value(i int) (start, end int) {
	start, end = c.item(i)
	return start + c.items[i].key, end
}

// at returns which item offset is in, or -1.
func (c *container) at(offset int) int {
	i := c.lastAt(offset, len(c.e.d.changes))
	if i >= 0 {
		if _, end := c.item(i); offset >= end {
			return -1
		}
	}
	return i
}

// readNames makes the table of names.
func (c *container) readNames() {
	if c.names != nil {
		return
	}
	c.names, c.twice = make(map[string]*containerItem, len(c.items)), false
	for _, w := range c.items {
		if c.names[w.name] != nil {
			c.twice = true
			continue
		}
		c.names[w.name] = w
	}
}

// first returns the index of the first member of that name, or -1.
func (c *container) first(name string) int {
	c.readNames()
	w := c.names[name]
	if w == nil {
		return -1
	}
	c.bring(w, len(c.e.d.changes))
	return c.at(w.start)
}

// find returns the index of the last member of that name, or -1.
func (c *container) find(name string) int {
	i := c.first(name)
	if i < 0 || !c.twice {
		return i
	}
	for i = len(c.items) - 1; c.items[i].name != name; i-- {
	}
	return i
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

// insertAt adds an item before item i of a container: its name and what item writes. With
// an empty name, a member is one that the container does not know.
func (e *Editor) insertAt(c *container, i int, name string, item func(b *strings.Builder, l layout, inner string)) {
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
	if c.object && name == "" {
		return
	}
	w := &containerItem{name: name, start: at + from, end: at + to, since: len(e.d.changes)}
	if c.object {
		w.key = len(jsontree.Quote(name) + l.style.Colon)
		if c.names != nil && c.names[name] != nil {
			c.names = nil
		} else if c.names != nil {
			c.names[name] = w
		}
	}
	c.uniform = c.uniform && (n < 2 || separator == c.sep)
	c.sep = separator
	c.items = slices.Insert(c.items, i, w)
	c.shut += b.Len() - (until - at)
	c.since = len(e.d.changes)
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

// permute puts the items of a container into another order.
func (c *container) permute(order []int) {
	if slices.IsSorted(order) {
		return
	}
	var pieces []textPiece
	done := 0
	for slot, i := range order {
		start, end := c.item(slot)
		if slot > 0 {
			pieces = append(pieces, kept(done, start))
		}
		done = end
		pieces = append(pieces, kept(c.item(i)))
	}
	first, _ := c.item(0)
	c.e.rewrite(first, done, pieces...)
	items := make([]*containerItem, len(order))
	for slot, i := range order {
		items[slot] = c.items[i]
	}
	c.items, c.since = items, len(c.e.d.changes)
	if c.twice {
		c.names = nil
	}
}

// move moves item i before item at, as they are now.
func (c *container) move(i, at int) {
	slot := at
	if at > i {
		slot--
	}
	if slot == i {
		return
	}
	if !c.uniform {
		c.permute(moved(len(c.items), i, at))
		return
	}
	start, end := c.item(i)
	if slot > i {
		next, _ := c.item(i + 1)
		_, last := c.item(slot)
		c.e.rewrite(start, last, kept(next, last), added(c.sep), kept(start, end))
	} else {
		first, _ := c.item(slot)
		_, before := c.item(i - 1)
		c.e.rewrite(first, end, kept(start, end), added(c.sep), kept(first, before))
	}
	w := c.items[i]
	c.items = slices.Insert(slices.Delete(c.items, i, i+1), slot, w)
	c.since = len(c.e.d.changes)
	if c.twice {
		c.names = nil
	}
}

// around returns the container that has an item from start to end.
func (e *Editor) around(start, end int) (*container, int) {
	among := func(c *container) int {
		if start <= c.open || end >= c.shut {
			return -1
		}
		i := c.at(start)
		if i < 0 {
			return -1
		}
		if s, t := c.item(i); t != end || s != start && s+c.items[i].key != start {
			return -1
		}
		return i
	}
	e.kept = slices.DeleteFunc(e.kept, func(c *container) bool { return !c.sync() })
	for _, c := range e.kept {
		if i := among(c); i >= 0 {
			return c, i
		}
	}
	if open, shut := e.d.enclosing(start); open >= 0 {
		c := e.containerAt(open, shut)
		if i := among(c); i >= 0 {
			return c, i
		}
	}
	e.failf(nil, textspan.Span{}, "it is no property or element: use Replace")
	return nil, 0
}
