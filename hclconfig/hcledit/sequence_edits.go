// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"slices"
	"sort"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// Insert adds an element to an expression that is written as a list, an argument to a call of a function,
// or an [Entry] to an expression that is written as an object; an item with the same key is replaced. The
// new part comes last unless an option names another place: another element or, in an object, a [Named]
// key. The value is anything that [ValueOf] takes.
func (e *Editor) Insert(x hclconfig.Expression, value any, opts ...InsertOption) *Editor {
	entry, isEntry := value.(Entry)
	if isEntry {
		value = entry.Value
	}
	v, err := valueOf(value)
	e.long().prepareElement(x, entry.Key, isEntry, with(e, opts))
	e.long().prepareValue(v)
	start, end, ok := e.place(x.File(), spanOf(x))
	if !ok || e.fails(x.File(), spanOf(x), err) {
		return e
	}
	if v, ok = e.settle(v); !ok {
		return e
	}
	o := with(e, opts)
	if inString(x) {
		var what any = v
		if isEntry {
			what = Entry{Key: entry.Key, Value: v}
		}
		e.json().editString(x, nil, o, func(sub *Editor, y hclconfig.Expression, _ Part, o option) { sub.Insert(y, what, o) })
		return e
	}
	if e.f.Syntax() == hclconfig.JSONSyntax {
		e.json().insertJSON(x, v, entry.Key, isEntry, o)
		return e
	}
	e.native().insertNative(x, start, end, Entry{entry.Key, v}, isEntry, o)
	return e
}

// insertNative is Insert in a native file, into x, which is now from start to end.
func (e *nativeEditor) insertNative(x hclconfig.Expression, start, end int, entry Entry, isEntry bool, o editOptions) {
	q := e.sequenceOf(x.File(), spanOf(x), start, end)
	if q == nil {
		return
	}
	if n := len(q.cells); n > 0 && q.cells[n-1].expanded && o.where == whereDefault {
		e.editor().failf(x.File(), spanOf(x), "its last argument is expanded, and nothing can follow it: use Before")
		return
	}
	if q.object != isEntry {
		e.editor().failf(x.File(), spanOf(x), "an object takes an Entry, and a list or a call a value")
		return
	}
	if isEntry {
		// HCL takes an object with a key twice, and lets the last one count. A reader
		// would take either.
		for i, w := range q.cells {
			if w.name == entry.Key {
				old := q.x.Parts()[2*i+1]
				s, t := offsets(spanOf(old))
				e.replaceIn(q.r, target{x.File(), spanOf(x), kindOf(x).Element()}, s+q.r.start, t+q.r.start, entry.Value, o)
				return
			}
		}
	}
	at, ok := e.elementPlace(q, o)
	if !ok {
		return
	}
	text, err := e.elementText(q, entry.Value, entry.Key, kindOf(x))
	if e.editor().fails(x.File(), spanOf(x), err) {
		return
	}
	multi := text
	if hcllex.NeedsNewline(text) {
		// A heredoc ends with a line break, which a block on one line has no place for.
		multi += "\n"
	}
	// A text of several lines cannot go into a block on one line.
	r, _, _ := e.openLines(q.r, start, end, multi, o)
	if r == nil {
		return
	}
	if r != q.r {
		if start, end, ok = e.editor().place(x.File(), spanOf(x)); !ok {
			return
		}
		if q = e.sequenceOf(x.File(), spanOf(x), start, end); q == nil {
			return
		}
	}
	q.insert(e, at, text)
	e.layoutAfter(q.r, o)
}

// elementText returns the text of a new element, without a comma.
func (e *nativeEditor) elementText(q *sequence, v Value, key string, kind hcllang.Kind) (string, error) {
	text, err := e.nativeText(v, kind.Element(), q.indent())
	if err == nil && len(q.cells) > 0 && !q.lines() && hcllex.NeedsNewline(text) {
		// Nothing can be on the line of the end marker, neither a comma nor the
		// bracket. In parentheses the line break behind it has no meaning.
		text = "(" + strings.TrimSuffix(text, e.editor().nl()) + e.editor().nl() + ")"
	}
	if err != nil || !q.object {
		return text, err
	}
	// The keys of the providers of a module are names of providers, which may have a
	// dot in them, and never quotes.
	if kind != hcllang.KindProviderMap && !hcllex.PlainKey(key) {
		key = hcllex.Quote(key)
	}
	return key + q.assign() + text, nil
}

// elementPlace returns before which element the options want a new one.
func (e *nativeEditor) elementPlace(q *sequence, o editOptions) (int, bool) {
	i, ok := o.slot(len(q.cells), func() int {
		if name, ok := o.part.(Named); ok {
			return slices.IndexFunc(q.cells, func(w cell) bool { return w.name == string(name) })
		}
		// The part may have been read long ago, so it is its place now that says which
		// cell it is.
		start, _, ok := e.editor().placePart(o.part)
		if !ok {
			return -1
		}
		return slices.IndexFunc(q.cells, func(w cell) bool { return w.start+q.r.start == start })
	})
	if !ok {
		e.editor().failf(nil, textspan.Span{}, "there is no such element to go next to: use First or Last")
	}
	return i, ok
}

// moveElement moves an element within its list or object.
func (e *nativeEditor) moveElement(p Part, start, end int, o editOptions) {
	f, s := spot(p)
	// Another list may want a comma or none, and another object another key. Insert
	// knows that of its list, and a move of text would not.
	if o.to != nil || o.hasInto {
		e.editor().failf(f, s, "an element moves only within its list or object: use Insert there and Delete here")
		return
	}
	if x, ok := partInString(p); ok {
		e.editor().json().editString(x, p, o, func(sub *Editor, _ hclconfig.Expression, p Part, o option) { sub.Move(p, o) })
		return
	}
	if e.f.Syntax() == hclconfig.JSONSyntax {
		if n, ok := e.editor().json().partNode(p); ok {
			e.editor().json().moveItemJSON(n, o)
		}
		return
	}
	q, i := e.parentOf(f, s, start, end)
	if q == nil {
		return
	}
	at, ok := e.elementPlace(q, o)
	if !ok {
		return
	}
	// HCL allows the dots behind the last argument only.
	if n := len(q.cells); q.cells[n-1].expanded && (i == n-1 || at == n) {
		e.editor().failf(f, s, "an expanded argument stays the last one: use Replace for the call")
		return
	}
	if at > i {
		at--
	}
	q.permute(e, slices.Insert(slices.Delete(inOrder(len(q.cells)), i, i+1), at, i))
	e.layoutAfter(q.r, o)
}

// Sort puts the elements of a list or the items of an object into the order of
// compare, which gets the elements, or the keys of the items. Equal ones keep
// their order. Comments move with their elements or items.
func (e *Editor) Sort(x hclconfig.Expression, compare func(a, b hclconfig.Expression) int) *Editor {
	e.long().prepareAt(x.File(), spanOf(x), e.opts)
	start, end, ok := e.place(x.File(), spanOf(x))
	if !ok {
		return e
	}
	if inString(x) {
		e.json().editString(x, nil, e.opts, func(sub *Editor, y hclconfig.Expression, _ Part, _ option) { sub.Sort(y, compare) })
		return e
	}
	if e.f.Syntax() == hclconfig.JSONSyntax {
		e.json().sortJSON(x, compare)
		return e
	}
	q := e.native().sequenceOf(x.File(), spanOf(x), start, end)
	if q == nil {
		return e
	}
	// The caller compares expressions of the text as it is now, with all edits so far.
	keys := q.x.Parts()
	if q.object {
		keys = keysOf(keys)
	}
	q.permute(e.native(), sorted(keys, compare))
	e.native().layoutAfter(q.r, e.opts)
	return e
}

// sorted returns the numbers of expressions in their order.
//
// The order is stable, so that what compares equal stays as somebody wrote it.
func sorted(keys []hclconfig.Expression, compare func(a, b hclconfig.Expression) int) []int {
	order := inOrder(len(keys))
	sort.SliceStable(order, func(i, j int) bool { return compare(keys[order[i]], keys[order[j]]) < 0 })
	return order
}

// keysOf returns the keys of the parts of an object, which are keys and values.
func keysOf(parts []hclconfig.Expression) []hclconfig.Expression {
	for i := range len(parts) / 2 {
		parts[i] = parts[2*i]
	}
	return parts[:len(parts)/2]
}

// assign returns what the new item of an object has between key and value: what the
// last one has.
func (q *sequence) assign() string {
	n := len(q.cells)
	if n == 0 {
		return " = "
	}
	parts := q.x.Parts()
	from, to := int(spanOf(parts[2*n-2]).End), int(spanOf(parts[2*n-1]).Start)
	text := q.r.text[from:to]
	// HCL takes a colon as well as an equals sign, and the items of an object should
	// not differ in that.
	if notes := commentsIn(text, 0, len(text)); len(notes) == 0 && !strings.Contains(text, "\n") && strings.Contains(text, ":") {
		return text
	}
	return " = "
}
