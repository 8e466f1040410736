// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// inString reports whether x is written in native syntax in a JSON string: it is a
// part of the string's text, or the string is just one expression.
func inString(x hclconfig.Expression) bool {
	if x.File() == nil || x.File().Syntax() != hclconfig.JSONSyntax {
		return false
	}
	if _, ok := stringAround(x); ok {
		return true
	}
	return x.File().Bytes()[spanOf(x).Start] == '"' && x.Form() != hclconfig.FormLiteral && x.Form() != hclconfig.FormTemplate
}

// partInString returns an expression of p, if p is in a JSON string.
func partInString(p Part) (hclconfig.Expression, bool) {
	switch p := p.(type) {
	case hclconfig.Expression:
		_, ok := stringAround(p)
		return p, ok
	case hclconfig.Member:
		_, ok := stringAround(p.Key)
		return p.Key, ok
	}
	return hclconfig.Expression{}, false
}

// These surround the code of a JSON string in the native file where it is edited.
const (
	beforeCode = "_ = ("
	afterCode  = "\n)\n"
)

// A stringCode is the code in a JSON string, between ${ and }.
type stringCode struct {
	e        *Editor
	at       int // where the string is now
	raw      []byte
	from, to int // where the code is in the text of the string
	code     string
	f        *hclconfig.File // beforeCode, the code, afterCode
}

// codeOf finds the code that x, now from start to end, is in.
func (e *Editor) codeOf(x hclconfig.Expression, start, end int) (*stringCode, string) {
	s, t := start, end
	at, part := stringAround(x)
	if part {
		var ok bool
		if s, t, ok = e.place(x.File(), at); !ok {
			return nil, ""
		}
	}
	c := &stringCode{e: e, at: s, raw: append([]byte(nil), e.d.text.slice(s, t)...)}
	text := unquoteJSON(c.raw)
	c.to = len(text)
	if !kindOf(x).Bare() {
		root, diags := hcllex.ParseTemplate([]byte(text), "", hcl.InitialPos)
		if diags.HasErrors() {
			return nil, "the string is not a template any more: take the expression from Body"
		}
		inner := 0
		if part {
			inner = c.offset(start)
		}
		found := false
		switch root := root.(type) {
		case *hclsyntax.TemplateWrapExpr:
			found = c.sequence(text, root.Wrapped, inner, !part)
		case *hclsyntax.TemplateExpr:
			for _, p := range root.Parts {
				found = found || c.sequence(text, p, inner, false)
			}
		}
		if !found {
			return nil, "it is in a directive of a template: use Replace for the whole string"
		}
	}
	c.code = text[c.from:c.to]
	f, err := hclconfig.ParseNative(e.f.Filename(), []byte(beforeCode+c.code+afterCode), e.f.Dialect())
	if err != nil || len(f.Body().Arguments) != 1 {
		return nil, "it cannot be read by itself: use Replace for the whole string"
	}
	c.f = f
	return c, ""
}

// sequence reports whether x is the expression of a sequence ${ } that offset is in,
// and remembers where the sequence is.
func (c *stringCode) sequence(text string, x hclsyntax.Expression, offset int, whole bool) bool {
	r := x.Range()
	if _, ok := x.(*hclsyntax.LiteralValueExpr); ok || !whole && (offset < r.Start.Byte || offset >= r.End.Byte) || strings.HasPrefix(text[r.Start.Byte:], "%{") {
		return false
	}
	from := strings.LastIndex(text[:r.Start.Byte], "${")
	n := strings.IndexByte(text[r.End.Byte:], '}')
	if from < 0 || n < 0 {
		return false
	}
	c.from, c.to = from+2, r.End.Byte+n
	if strings.HasPrefix(text[c.from:], "~") {
		c.from++
	}
	if c.to > c.from && text[c.to-1] == '~' {
		c.to--
	}
	return true
}

// offset returns which byte of the string's text is now at a place of the editor's.
func (c *stringCode) offset(place int) int {
	return len(unquoteJSON([]byte(`"` + string(c.raw[1:place-c.at]) + `"`)))
}

// expression returns the expression that is now from start to end, in the native file.
func (c *stringCode) expression(x hclconfig.Expression, start, end int) (hclconfig.Expression, bool) {
	root := c.f.Body().Arguments[0].Expression
	if _, part := stringAround(x); !part {
		y := root
		for y.Form() == hclconfig.FormParentheses {
			y = y.Parts()[0]
		}
		return y, true
	}
	shift := len(beforeCode) - c.from
	got, ok := contextOf(root, c.offset(start)+shift, c.offset(end)+shift)
	return got.node, ok
}

// part returns a part of the same string in the native file.
func (c *stringCode) part(p Part) (Part, bool) {
	if _, ok := p.(Named); ok {
		return p, true
	}
	x, ok := partInString(p)
	if !ok {
		return nil, false
	}
	start, end, ok := c.e.place(x.File(), spanOf(x))
	if !ok || start < c.at || end > c.at+len(c.raw) {
		return nil, false
	}
	if _, isMember := p.(hclconfig.Member); !isMember {
		return c.expression(x, start, end)
	}
	at := int32(c.offset(start) + len(beforeCode) - c.from)
	for y := range c.f.Body().Arguments[0].All() {
		members, ok := y.Members()
		if !ok {
			continue
		}
		for _, m := range members {
			if spanOf(m.Key).Start == at {
				return m, true
			}
		}
	}
	return nil, false
}

// editString makes an edit of x, or of p if that is set, in the JSON string that it is
// in. The rest of the string stays as it is spelled.
func (e *Editor) editString(x hclconfig.Expression, p Part, o editOptions, edit func(sub *Editor, y hclconfig.Expression, p Part, o option)) {
	start, end, ok := e.place(x.File(), spanOf(x))
	if !ok {
		return
	}
	c, why := e.codeOf(x, start, end)
	if c == nil {
		if e.err == nil {
			e.failf(x.File(), spanOf(x), "%s", why)
		}
		return
	}
	var y hclconfig.Expression
	switch {
	case p != nil:
		p, ok = c.part(p)
	default:
		y, ok = c.expression(x, start, end)
	}
	if ok && o.part != nil {
		o.part, ok = c.part(o.part)
	}
	if !ok {
		if e.err == nil {
			e.failf(x.File(), spanOf(x), "it is not in that string: use Replace for the whole string")
		}
		return
	}
	o.keepLayout = true
	sub := Edit(c.f, KeepLayout())
	edit(sub, y, p, option(func(to *editOptions) { *to = o }))
	out, err := sub.Apply()
	if err != nil {
		if own, ok := err.(*hclconfig.Error); ok {
			err = own.Err
		}
		e.fail(x.File(), spanOf(x), err)
		return
	}
	code, ok1 := strings.CutPrefix(string(out.Bytes()), beforeCode)
	code, ok2 := strings.CutSuffix(code, afterCode)
	if !ok1 || !ok2 {
		e.failf(x.File(), spanOf(x), "it cannot be written in a string: use Replace for the whole string")
		return
	}
	c.replace(code)
}

// replace puts other code in the place of the string's.
func (c *stringCode) replace(code string) {
	head, tail := 0, 0
	for head < min(len(c.code), len(code)) && c.code[head] == code[head] {
		head++
	}
	for head > 0 && (head < len(c.code) && !utf8.RuneStart(c.code[head]) || head < len(code) && !utf8.RuneStart(code[head])) {
		head--
	}
	for tail < min(len(c.code), len(code))-head && c.code[len(c.code)-1-tail] == code[len(code)-1-tail] {
		tail++
	}
	for tail > 0 && !utf8.RuneStart(c.code[len(c.code)-tail]) {
		tail--
	}
	if head+tail == len(c.code) && head+tail == len(code) {
		return
	}
	str := jsontree.NewString(c.raw, textspan.Of(0, int32(len(c.raw))))
	start := c.at + int(str.Place(int32(c.from+head)))
	end := c.at + int(str.Place(int32(c.to-tail)))
	quoted := jsontree.Quote(code[head : len(code)-tail])
	c.e.rewrite(start, end, replaced(start, end, quoted[1:len(quoted)-1]))
}

// A container is an object or an array of a JSON file, as it is written. An editor keeps
// those with many items for later edits: they follow the changes of the text.
type container struct {
	d          *draft
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

// readContainer reads the container that is now from start to end.
func readContainer(d *draft, start, end int) *container {
	n := len(d.changes)
	text := d.text.slice(start, end)
	d.scanned += len(text)
	c := &container{d: d, open: start, shut: end, since: n, object: text[0] == '{', uniform: true}
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
	d := c.d
	for n := c.since; n < len(d.changes); n++ {
		switch ch := &d.changes[n]; {
		case ch.end <= c.open:
			c.open += ch.delta
			c.shut += ch.delta
		case ch.start >= c.shut:
		case ch.start > c.open && ch.end < c.shut && (c.changed(ch, n) || c.removed(ch, n)):
			c.shut += ch.delta
		case c.across(ch, n):
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
		w.start, w.end, _ = c.d.span(w.start, w.end, w.since, n)
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

// readKey finds where the value of a member begins that came as a whole.
func (c *container) readKey(w *containerItem) {
	if !c.sync() {
		return // it is read again
	}
	c.bring(w, c.since)
	text := c.d.text.slice(w.start, w.end)
	w.key = jsonscan.Space(text, jsonscan.Space(text, jsontree.StringEnd(text, 0))+1)
}

// across follows a change that moves text out of an item, or into one, over other items or
// over brackets of the container. What is between the two places stays together.
func (c *container) across(ch *change, n int) bool {
	var first, last *containerItem // in which the change begins and ends
	low, high := c.open, c.shut
	if ch.start > c.open {
		i := c.lastAt(ch.start, n)
		if i < 0 {
			return false
		}
		first = c.items[i]
		c.bring(first, n)
		if low = first.end; ch.start >= low || ch.start > first.start && ch.start < first.start+first.key {
			return false
		}
	}
	if ch.end < c.shut {
		i := c.lastAt(ch.end-1, n)
		if i < 0 || c.items[i] == first {
			return false
		}
		last = c.items[i]
		c.bring(last, n)
		if high = last.start; ch.end > last.end {
			return false
		}
	}
	p := ch.keeper(low, high)
	switch {
	case p == nil:
		return false
	case first != nil && first.start == ch.start && p.from != low:
		return false
	case last != nil && p.to < last.start+last.key && (p.to != last.start || ch.end != last.end):
		return false // its name has changed, but not all of it has gone
	}
	shift := p.at - p.from
	switch {
	case last != nil:
		last.start += shift
		last.end += ch.delta
		last.since = n + 1
		c.shut += ch.delta
	default:
		c.shut += shift
	}
	if first != nil {
		first.end += shift
		first.since = n + 1
	} else {
		c.open += shift
	}
	return true
}

// keeper returns the piece that has the old text from one place to another, or nil.
func (c *change) keeper(from, to int) *textPiece {
	for _, i := range c.byOld {
		if p := &c.pieces[i]; p.isKept() && p.from <= from && to <= p.to {
			return p
		}
	}
	return nil
}

// item returns where item i is now.
func (c *container) item(i int) (start, end int) {
	w := c.items[i]
	c.bring(w, len(c.d.changes))
	return w.start, w.end
}

// value returns where the value of item i is now.
func (c *container) value(i int) (start, end int) {
	start, end = c.item(i)
	return start + c.items[i].key, end
}

// at returns which item offset is in, or -1.
func (c *container) at(offset int) int {
	i := c.lastAt(offset, len(c.d.changes))
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
	c.bring(w, len(c.d.changes))
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

// inserted says that the last change has made w item i, with a separator. The container is
// that much longer.
func (c *container) inserted(i int, w *containerItem, separator string, more int) {
	if c.names[w.name] != nil {
		c.names = nil
	} else if c.object && c.names != nil {
		c.names[w.name] = w
	}
	c.uniform = c.uniform && (len(c.items) < 2 || separator == c.sep)
	c.sep = separator
	c.items = slices.Insert(c.items, i, w)
	c.shut += more
	w.since, c.since = len(c.d.changes), len(c.d.changes)
}

// permute puts the items of a container into another order.
func (c *container) permute(order []int, rewrite func(start, end int, pieces ...textPiece)) {
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
	rewrite(first, done, pieces...)
	items := make([]*containerItem, len(order))
	for slot, i := range order {
		items[slot] = c.items[i]
	}
	c.items, c.since = items, len(c.d.changes)
	if c.twice {
		c.names = nil
	}
}

// move moves item i before item at, as they are now.
func (c *container) move(i, at int, rewrite func(start, end int, pieces ...textPiece)) {
	slot := at
	if at > i {
		slot--
	}
	if slot == i {
		return
	}
	if !c.uniform {
		c.permute(moved(len(c.items), i, at), rewrite)
		return
	}
	start, end := c.item(i)
	if slot > i {
		next, _ := c.item(i + 1)
		_, last := c.item(slot)
		rewrite(start, last, kept(next, last), added(c.sep), kept(start, end))
	} else {
		first, _ := c.item(slot)
		_, before := c.item(i - 1)
		rewrite(first, end, kept(start, end), added(c.sep), kept(first, before))
	}
	w := c.items[i]
	c.items = slices.Insert(slices.Delete(c.items, i, i+1), slot, w)
	c.since = len(c.d.changes)
	if c.twice {
		c.names = nil
	}
}

// containerAt returns the container that is now from start to end.
func (e *Editor) containerAt(start, end int) *container {
	e.kept = slices.DeleteFunc(e.kept, func(c *container) bool { return !c.sync() })
	for i, c := range e.kept {
		if c.open == start && c.shut == end {
			e.kept = slices.Insert(slices.Delete(e.kept, i, i+1), 0, c)
			return c
		}
	}
	c := readContainer(&e.d, start, end)
	if end-start >= manyBytes {
		e.kept = slices.Insert(e.kept, 0, c)
		e.kept = e.kept[:min(len(e.kept), keptContainers)]
	}
	return c
}

// around returns the container that has an item from start to end.
func (e *Editor) around(start, end int) (*container, int) {
	c, i := e.itemAt(start, end)
	if c == nil {
		e.failf(nil, textspan.Span{}, "it is no property or element: use Replace")
	}
	return c, i
}

// itemAt is around, or returns nil if there is none.
func (e *Editor) itemAt(start, end int) (*container, int) {
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
	return nil, 0
}
