// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// A sequence is a list or an object in native syntax, as it is written.
type sequence struct {
	r          *region
	x          hclconfig.Expression
	open, shut int // the brackets
	object     bool
	rows       []element
	// lines reports that each element is on lines of its own.
	lines bool
}

// An element is an element of a list or an item of an object.
type element struct {
	row
	comma int // where its comma is, or -1
}

// sequenceOf returns the list or object whose place is from start to end.
func (e *Editor) sequenceOf(f *hclconfig.File, s textspan.Span, start, end int) *sequence {
	r := e.regionAt(f, int(s.Start), start, end)
	if r == nil {
		return nil
	}
	a := r.argumentAt(start - r.start)
	if a == nil {
		e.failf(f, s, "it is not in an argument")
		return nil
	}
	c, ok := contextOf(a.Expression, start-r.start, end-r.start)
	if form := c.node.Form(); !ok || form != hclconfig.FormList && form != hclconfig.FormObject && form != hclconfig.FormCall {
		e.failf(f, s, "it is not written as a list or an object")
		return nil
	}
	q := newSequence(r, c.node)
	if n := len(q.rows); q.dots() && n > 0 {
		e.failf(f, s, "its last argument is expanded")
		return nil
	}
	return q
}

func newSequence(r *region, x hclconfig.Expression) *sequence {
	q := &sequence{r: r, x: x, open: int(spanOf(x).Start), shut: int(spanOf(x).End) - 1, object: x.Form() == hclconfig.FormObject}
	for r.text[q.open] == '(' { // around it
		inside := r.text[q.open+1 : q.shut]
		q.open += 1 + len(inside) - len(strings.TrimLeft(inside, " \t\r\n"))
		q.shut = strings.LastIndexAny(r.text[:q.shut], ")]}")
	}
	if x.Form() == hclconfig.FormCall {
		q.open += strings.IndexByte(r.text[q.open:q.shut], '(')
	}
	parts := x.Parts()
	for i := 0; i < len(parts); i++ {
		w := element{row: row{start: int(spanOf(parts[i]).Start), end: int(spanOf(parts[i]).End)}, comma: -1}
		if q.object {
			i++
			w.end = int(spanOf(parts[i]).End)
			w.name = keyName(parts[i-1])
		}
		q.rows = append(q.rows, w)
	}
	text := r.text
	from := lineEndAt(text, q.open+1)
	q.lines = strings.Contains(text[q.open:q.shut], "\n") && strings.TrimSpace(text[strings.LastIndexByte(text[:q.shut], '\n')+1:q.shut]) == ""
	for i := range q.rows {
		w := &q.rows[i]
		stop := q.shut
		if i+1 < len(q.rows) {
			stop = q.rows[i+1].start
		}
		w.comma = commaIn(text, w.end, stop)
		w.line = strings.LastIndexByte(text[:w.start], '\n') + 1
		core := w.end
		if w.comma >= 0 {
			core = w.comma + 1
		}
		w.after = lineEndAt(text, core)
		w.alone = w.line >= from && strings.TrimSpace(text[w.line:w.start]) == "" && w.after <= stop && restIsComment(text[core:w.after])
		w.lead = w.line
		if !w.alone {
			q.lines = false
			w.lead = w.start
			continue
		}
		if notes := commentsIn(text, from, w.line); len(notes) > 0 {
			for j := len(notes) - 1; j >= 0; j-- {
				line := strings.LastIndexByte(text[:notes[j].start], '\n') + 1
				if strings.Count(text[notes[j].end:w.lead], "\n") > 1 || line < from || strings.TrimSpace(text[line:notes[j].start]) != "" {
					break
				}
				w.lead = line
			}
		}
		from = w.after
	}
	return q
}

// dots reports whether three dots follow the last element.
func (q *sequence) dots() bool {
	n := len(q.rows)
	return n > 0 && strings.HasPrefix(strings.TrimLeft(q.r.text[q.rows[n-1].end:q.shut], " \t\r\n"), "...")
}

func keyName(key hclconfig.Expression) string {
	name, err := key.Text()
	if err != nil {
		return key.Raw()
	}
	return name
}

// commaIn returns where the comma is from start to end, outside of comments.
func commaIn(text string, start, end int) int {
	notes := commentsIn(text, start, end)
	for i := start; i < end; i++ {
		if len(notes) > 0 && i == notes[0].start {
			i = notes[0].end - 1
			notes = notes[1:]
			continue
		}
		if text[i] == ',' {
			return i
		}
	}
	return -1
}

// commas reports whether the elements are separated by commas.
func (q *sequence) commas() bool {
	return !q.object || slices.ContainsFunc(q.rows, func(w element) bool { return w.comma >= 0 })
}

// quotes reports whether there are keys, and all of them are in quotes.
func (q *sequence) quotes() bool {
	return len(q.rows) > 0 && !slices.ContainsFunc(q.rows, func(w element) bool { return q.r.text[w.start] != '"' })
}

// indent returns the indentation of the elements.
func (q *sequence) indent() string {
	if len(q.rows) > 0 && q.rows[0].alone {
		return q.r.text[q.rows[0].line:q.rows[0].start]
	}
	line := strings.LastIndexByte(q.r.text[:q.open], '\n') + 1
	rest := strings.TrimLeft(q.r.text[line:q.open], " \t")
	return q.r.text[line:q.open-len(rest)] + unit
}

// Insert adds an element to an expression that is written as a list, an argument
// to a call of a function, or an [Entry] to one that is written as an object; an item with the same key is
// replaced. It comes to the end unless an option names another place: the other
// element, or for an object also a [Named] key. The value is anything that
// [ValueOf] takes.
func (e *Editor) Insert(x hclconfig.Expression, value any, opts ...EditOption) *Editor {
	start, end, ok := e.place(x.File(), spanOf(x))
	if !ok {
		return e
	}
	entry, isEntry := value.(Entry)
	if isEntry {
		value = entry.Value
	}
	v, err := valueOf(value)
	if err != nil {
		e.fail(x.File(), spanOf(x), err)
		return e
	}
	o := e.with(opts)
	if inString(x) {
		var what any = v
		if isEntry {
			what = Entry{Key: entry.Key, Value: v}
		}
		e.editString(x, nil, o, func(sub *Editor, y hclconfig.Expression, _ Part, o EditOption) { sub.Insert(y, what, o) })
		return e
	}
	if e.f.Syntax() == hclconfig.JSONSyntax {
		e.insertJSON(x, start, v, entry.Key, isEntry, o)
		return e
	}
	q := e.sequenceOf(x.File(), spanOf(x), start, end)
	if q == nil {
		return e
	}
	if q.object != isEntry {
		e.failf(x.File(), spanOf(x), "an object takes an Entry, and a list a value")
		return e
	}
	if isEntry {
		for i, w := range q.rows {
			if w.name == entry.Key {
				old := q.x.Parts()[2*i+1]
				s, t := offsets(spanOf(old))
				e.replaceIn(q.r, target{x.File(), spanOf(x), kindOf(x).Element()}, s+q.r.start, t+q.r.start, v, o)
				return e
			}
		}
	}
	at, ok := e.elementPlace(q, o)
	if !ok {
		return e
	}
	text, err := e.elementText(q, v, entry.Key, kindOf(x))
	if err != nil {
		e.fail(x.File(), spanOf(x), err)
		return e
	}
	multi := text
	if len(q.rows) == 0 && q.object || hcllex.NeedsNewline(text) {
		multi += "\n"
	}
	r, _, _ := e.openLines(q.r, start, end, multi, o)
	if r == nil {
		return e
	}
	if r != q.r {
		if start, end, ok = e.place(x.File(), spanOf(x)); !ok {
			return e
		}
		if q = e.sequenceOf(x.File(), spanOf(x), start, end); q == nil {
			return e
		}
	}
	q.insert(e, at, text)
	e.layoutAfter(q.r, o)
	return e
}

// elementText returns the text of a new element, without a comma.
func (e *Editor) elementText(q *sequence, v Value, key string, kind hcllang.Kind) (string, error) {
	text, err := e.nativeText(v, kind.Element(), q.indent())
	if err == nil && len(q.rows) > 0 && !q.lines && hcllex.NeedsNewline(text) {
		text = "(" + strings.TrimSuffix(text, e.nl()) + e.nl() + ")"
	}
	if err != nil || !q.object {
		return text, err
	}
	if kind != hcllang.KindProviderMap && (!hcllex.PlainKey(key) || q.quotes()) {
		key = hcllex.Quote(key)
	}
	return key + " = " + text, nil
}

// elementPlace returns before which element the options want a new one.
func (e *Editor) elementPlace(q *sequence, o editOptions) (int, bool) {
	switch o.where {
	case whereFirst:
		return 0, true
	case whereBefore, whereAfter:
		i := -1
		if name, ok := o.part.(Named); ok {
			i = slices.IndexFunc(q.rows, func(w element) bool { return w.name == string(name) })
		} else {
			start, _, ok := e.placePart(o.part)
			if !ok {
				return 0, false
			}
			i = slices.IndexFunc(q.rows, func(w element) bool { return w.start+q.r.start == start })
		}
		if i < 0 {
			e.failf(nil, textspan.Span{}, "there is no such element to go next to")
			return 0, false
		}
		if o.where == whereAfter {
			i++
		}
		return i, true
	}
	return len(q.rows), true
}

// insert puts text before element i.
func (q *sequence) insert(e *Editor, i int, text string) {
	n, off := len(q.rows), q.r.start
	ends := hcllex.NeedsNewline(text)
	comma := ""
	if ends {
		text += e.nl()
	}
	// after ends the line of a new element that has one of its own.
	after := func(comma string) string {
		switch {
		case ends && q.object:
			return "" // its line break separates items
		case ends && comma == "":
			return ""
		}
		return comma + e.nl()
	}
	switch {
	case n == 0:
		inner := q.r.text[q.open+1 : q.shut]
		switch {
		case strings.TrimSpace(inner) != "" && !q.shutsLine():
			// A comment, and the bracket behind it.
			sep := " "
			if strings.TrimRight(inner, " \t") != inner {
				sep = ""
			}
			if q.object && !ends {
				text += " "
			}
			e.rewrite(off+q.shut, off+q.shut, added(sep+text))
		case strings.TrimSpace(inner) != "" || strings.Contains(inner, "\n"):
			// There are comments.
			at := strings.LastIndexByte(q.r.text[:q.shut], '\n') + 1
			if !q.object {
				comma = ","
			}
			e.rewrite(off+at, off+at, added(q.indent()+text+after(comma)))
		case q.object || ends:
			outer := strings.TrimSuffix(q.indent(), unit)
			e.rewrite(off+q.open+1, off+q.shut, added(e.nl()+q.indent()+strings.TrimSuffix(text, e.nl())+e.nl()+outer))
		default:
			e.rewrite(off+q.open+1, off+q.shut, added(text))
		}
	case q.lines && i < n:
		if q.commas() {
			comma = ","
		}
		at := off + q.rows[i].lead
		e.rewrite(at, at, added(q.indent()+text+after(comma)))
	case q.lines:
		last := q.rows[n-1]
		var pieces []textPiece
		from := off + last.after
		if last.comma < 0 && q.commas() && !(q.object && hcllex.NeedsNewline(q.r.text[last.start:last.end])) {
			from = off + last.end
			sep := ","
			if hcllex.NeedsNewline(q.r.text[last.start:last.end]) {
				sep = e.nl() + q.indent() + ","
			}
			pieces = append(pieces, added(sep), kept(from, off+last.after))
		}
		if last.comma >= 0 {
			comma = ","
		}
		e.rewrite(from, off+last.after, append(pieces, added(q.indent()+text+after(comma)))...)
	case i < n:
		at := off + q.rows[i].start
		e.rewrite(at, at, added(text+", "))
	default:
		last := q.rows[n-1]
		at := off + last.end
		sep := ", "
		if last.comma >= 0 {
			at, sep = off+last.comma+1, " "
		}
		if hcllex.NeedsNewline(q.r.text[last.start:last.end]) && last.comma < 0 {
			sep = e.nl() + sep
			if q.object {
				sep = e.nl() + q.indent()
			}
		} else if before := q.r.text[last.line:last.start]; n > 1 && last.line >= q.rows[n-2].end && strings.TrimSpace(before) == "" {
			// The last element begins a line, and so does the new one.
			sep = e.nl() + before
			if last.comma < 0 && q.commas() {
				sep = "," + sep
			}
		}
		e.rewrite(at, at, added(sep+text))
	}
}

// shutsLine reports whether the line of the closing bracket begins between the
// brackets, and not in a comment.
func (q *sequence) shutsLine() bool {
	line := strings.LastIndexByte(q.r.text[:q.shut], '\n') + 1
	return line > q.open && !slices.ContainsFunc(commentsIn(q.r.text, q.open+1, q.shut), func(n struct{ start, end int }) bool { return n.start < line && line < n.end })
}

// parentOf returns the list or object that the part from start to end is in, and
// which of its elements it is.
func (e *Editor) parentOf(f *hclconfig.File, s textspan.Span, start, end int) (*sequence, int) {
	r := e.regionAt(f, int(s.Start), start, end)
	if r == nil {
		return nil, 0
	}
	a := r.argumentAt(start - r.start)
	if a == nil {
		e.failf(f, s, "it is not in an argument")
		return nil, 0
	}
	for x := a.Expression; x.IsSet(); {
		var next hclconfig.Expression
		for _, p := range x.Parts() {
			if from, to := offsets(spanOf(p)); p.IsSet() && from <= start-r.start && start-r.start < to {
				next = p
			}
		}
		if form := x.Form(); form == hclconfig.FormList || form == hclconfig.FormObject || form == hclconfig.FormCall {
			q := newSequence(r, x)
			for i, w := range q.rows {
				if w.start+r.start == start && w.end+r.start == end {
					return q, i
				}
			}
		}
		x = next
	}
	e.failf(f, s, "it is not an element of a list or an item of an object")
	return nil, 0
}

func (e *Editor) deleteElement(f *hclconfig.File, s textspan.Span, start, end int, o editOptions) {
	q, i := e.parentOf(f, s, start, end)
	if q == nil {
		return
	}
	w, n, off := q.rows[i], len(q.rows), q.r.start
	switch {
	case q.lines:
		lead := w.lead
		if o.keepComments {
			lead = w.line
		}
		from, to := blankAround(q.r.text, lead, w.after)
		if i == n-1 && i > 0 && w.comma < 0 && q.rows[i-1].comma >= 0 {
			c := q.rows[i-1].comma
			e.rewrite(off+c, off+to, kept(off+c+1, off+from))
		} else {
			e.rewrite(off+from, off+to)
		}
	case i+1 < n:
		from, to := w.start, q.nextKept(i)
		if q.r.text[to] == '\n' || q.r.text[to] == '\r' {
			from = len(strings.TrimRight(q.r.text[:from], " \t"))
		}
		e.rewrite(off+from, off+to)
	case i > 0:
		prev := q.rows[i-1]
		stop := q.lineKept(i - 1)
		pieces := []textPiece{kept(off+prev.end, off+stop)}
		if c := prev.comma; c >= 0 && c < stop {
			pieces = []textPiece{kept(off+prev.end, off+c), kept(off+c+1, off+stop)}
		}
		e.rewrite(off+prev.end, off+max(w.end, w.comma+1), pieces...)
	case strings.Contains(q.r.text[q.open:w.start], "#") || strings.Contains(q.r.text[q.open:w.start], "/"):
		e.rewrite(off+w.start, off+max(w.end, w.comma+1))
	default:
		e.rewrite(off+q.open+1, off+q.shut)
	}
	e.layoutAfter(q.r, o)
}

// nextKept returns where the text begins that stays behind element i when it goes:
// the next element with its comments.
func (q *sequence) nextKept(i int) int {
	text, w, next := q.r.text, q.rows[i], q.rows[i+1].start
	core := max(w.end, w.comma+1)
	if end := lineEndAt(text, core); end <= next {
		if restIsComment(text[core:end]) && len(commentsIn(text, end, next)) > 0 {
			return end - len(newlineOf(text[core:end]))
		}
	} else if notes := commentsIn(text, core, next); w.comma >= 0 && len(notes) > 0 {
		return notes[0].start
	}
	return next
}

// lineKept returns the end of the text that stays behind element i when the last one,
// which comes next, goes: the comment at the end of its line, or the end of a
// heredoc.
func (q *sequence) lineKept(i int) int {
	text, w := q.r.text, q.rows[i]
	if hcllex.NeedsNewline(text[w.start:w.end]) {
		return lineEndAt(text, w.end)
	}
	core := max(w.end, w.comma+1)
	if end := lineEndAt(text, core); end <= q.rows[i+1].start && len(commentsIn(text, core, end)) > 0 && restIsComment(text[core:end]) {
		return end
	}
	return w.end
}

// newlineOf returns the line break that the text of a line ends with.
func newlineOf(line string) string {
	return line[len(strings.TrimRight(line, "\r\n")):]
}

// moveElement moves an element within its list or object.
func (e *Editor) moveElement(p Part, start, end int, o editOptions) {
	f, s := spot(p)
	if o.to != nil || o.hasInto {
		e.failf(f, s, "an element moves only within its list or object")
		return
	}
	if x, ok := partInString(p); ok {
		e.editString(x, p, o, func(sub *Editor, _ hclconfig.Expression, p Part, o EditOption) { sub.Move(p, o) })
		return
	}
	if e.f.Syntax() == hclconfig.JSONSyntax {
		e.moveItemJSON(start, end, o)
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
	order := moved(len(q.rows), i, at)
	q.permute(e, order)
	e.layoutAfter(q.r, o)
}

// permute puts the elements into another order.
func (q *sequence) permute(e *Editor, order []int) {
	if slices.IsSorted(order) {
		return
	}
	off, n := q.r.start, len(q.rows)
	var pieces []textPiece
	if !q.lines {
		for slot, i := range order {
			w := q.rows[i]
			pieces = append(pieces, kept(off+w.start, off+w.end))
			end := q.rows[slot].end
			if rest := strings.TrimPrefix(q.r.text[end:], "\r"); hcllex.NeedsNewline(q.r.text[w.start:w.end]) && !strings.HasPrefix(rest, "\n") {
				pieces = append(pieces, added(e.nl()))
			}
			if slot < n-1 {
				pieces = append(pieces, kept(off+end, off+q.rows[slot+1].start))
			}
		}
		e.rewrite(off+q.rows[0].start, off+q.rows[n-1].end, pieces...)
		return
	}
	from := off + q.rows[0].lead
	for slot, i := range order {
		w := q.rows[i]
		if slot > 0 {
			pieces = append(pieces, kept(off+q.rows[slot-1].after, off+q.rows[slot].lead))
		}
		want := slot < n-1 && q.commas() && (!q.object || q.rows[slot].comma >= 0) || slot == n-1 && q.rows[n-1].comma >= 0
		switch {
		case want && w.comma < 0:
			sep := ","
			if hcllex.NeedsNewline(q.r.text[w.start:w.end]) {
				sep = e.nl() + q.indent() + ","
			}
			pieces = append(pieces, kept(off+w.lead, off+w.end), added(sep), kept(off+w.end, off+w.after))
		case !want && w.comma >= 0:
			pieces = append(pieces, kept(off+w.lead, off+w.comma), kept(off+w.comma+1, off+w.after))
		default:
			pieces = append(pieces, kept(off+w.lead, off+w.after))
		}
	}
	e.rewrite(from, off+q.rows[n-1].after, pieces...)
}

// Sort puts the elements of a list or the items of an object into the order of
// compare, which gets the elements, or the keys of the items. Equal ones keep
// their order. Comments move with their elements or items.
func (e *Editor) Sort(x hclconfig.Expression, compare func(a, b hclconfig.Expression) int) *Editor {
	start, end, ok := e.place(x.File(), spanOf(x))
	if !ok {
		return e
	}
	if inString(x) {
		e.editString(x, nil, e.opts, func(sub *Editor, y hclconfig.Expression, _ Part, _ EditOption) { sub.Sort(y, compare) })
		return e
	}
	if e.f.Syntax() == hclconfig.JSONSyntax {
		e.sortJSON(x, start, compare)
		return e
	}
	q := e.sequenceOf(x.File(), spanOf(x), start, end)
	if q == nil {
		return e
	}
	keys := q.x.Parts()
	if q.object {
		for i := range q.rows {
			keys[i] = keys[2*i]
		}
		keys = keys[:len(q.rows)]
	}
	order := make([]int, len(q.rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(keys[a], keys[b]) })
	q.permute(e, order)
	e.layoutAfter(q.r, e.opts)
	return e
}
