// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"bytes"
	"slices"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A differ compares values. It is for one goroutine.
type differ struct {
	options DiffOptions
	shapes  map[*Schema]*shape
	top     bool            // the next object is that of a resource
	depth   int             // of the values being compared
	nodes   []AttributeDiff // not yet used
	results []ResourceDiff  // not yet used
	lists   []*AttributeDiff
	holder  AttributeDiff // what the object of a resource is added to
	stack   []item        // members of the open objects

	sideStack []side            // elements of the open arrays
	names     map[string]string // names that have been seen, so that each is kept once
}

// A side is a value with what is unknown and what is sensitive of it.
type side struct{ value, unknown, sensitive Value }

// An item is a member or an element. The name is what it means, not how it is
// spelled; nil for an element.
type item struct {
	name  []byte
	value Value
}

// maxDiffDepth is how deep values are compared. Below, and that is deeper than
// any type, they are shown as hidden.
const maxDiffDepth = 1000

// add appends a node to the children of parent.
func (d *differ) add(parent *AttributeDiff, name []byte, index int) *AttributeDiff {
	if len(d.nodes) == 0 {
		d.nodes = make([]AttributeDiff, 64)
	}
	n := &d.nodes[0]
	d.nodes = d.nodes[1:]
	n.Name, n.Index, n.From, n.parent = d.name(name), index, index, parent
	if len(parent.Children) == cap(parent.Children) {
		parent.Children = d.grow(parent.Children)
	}
	parent.Children = append(parent.Children, n)
	return n
}

// grow returns a list with room for more, cut from a large one: most lists are
// short.
func (d *differ) grow(list []*AttributeDiff) []*AttributeDiff {
	n := max(2, 2*cap(list))
	if n > 32 {
		return append(make([]*AttributeDiff, 0, n), list...)
	}
	if len(d.lists) < n {
		d.lists = make([]*AttributeDiff, 256)
	}
	grown := append(d.lists[:0:n], list...)
	d.lists = d.lists[n:]
	return grown
}

// name returns a name as a string of its own.
func (d *differ) name(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	name, ok := d.names[string(b)]
	if !ok {
		if d.names == nil {
			d.names = make(map[string]string)
		}
		name = string(b)
		d.names[name] = name
	}
	return name
}

// attribute compares one value and adds it to parent if it differs. paths are
// the remaining steps to what forces a replacement.
func (d *differ) attribute(parent *AttributeDiff, name []byte, index int, b, a side, s *shape, paths [][]Value) {
	top := d.top
	d.top = false
	forces := false
	for _, p := range paths {
		forces = forces || len(p) == 0
	}
	bUnknown, aUnknown := hasTrueQuick(b.unknown), hasTrueQuick(a.unknown)
	bMarked, aMarked := hasTrueQuick(b.sensitive), hasTrueQuick(a.sensitive)
	if !bUnknown && !aUnknown && bMarked == aMarked && bytes.Equal(b.value, a.value) &&
		(!bMarked || bytes.Equal(b.sensitive, a.sensitive)) && !d.options.Unchanged && len(paths) == 0 && !top {
		d.unchanged(parent, name, index, a.value, aMarked || s.isSensitive(), s)
		return
	}
	bNone := !bUnknown && isNone(b.value)
	aNone := !aUnknown && isNone(a.value)
	if bNone && aNone {
		if forces {
			d.add(parent, name, index).ForcesReplacement = true
		}
		return
	}

	// What is sensitive or unknown as a whole.
	bHides := s.isSensitive() || bMarked && hides(b) || d.depth > maxDiffDepth
	aHides := s.isSensitive() || aMarked && hides(a) || d.depth > maxDiffDepth
	bWhole, aWhole := bUnknown && wholly(b), aUnknown && wholly(a)
	if bHides || aHides || bWhole || aWhole {
		d.opaque(parent, name, index, b, a, s, [...]bool{bNone, aNone, bHides, aHides, bWhole, aWhole}, forces)
		return
	}

	bKind, aKind := b.value.Kind(), a.value.Kind()
	if bNone {
		bKind = aKind
	} else if aNone {
		aKind = bKind
	}
	switch {
	case bKind == aKind && bKind == KindObject:
		d.container(parent, name, index, b, a, s, paths, forces, top, kindOfPair(bNone, aNone), (*differ).members)
	case bKind == aKind && bKind == KindArray:
		d.container(parent, name, index, b, a, s, paths, forces, top, kindOfPair(bNone, aNone), (*differ).elements)
	case bKind == aKind || bKind != KindObject && bKind != KindArray && aKind != KindObject && aKind != KindArray:
		d.scalar(parent, name, index, b, a, s, kindOfPair(bNone, aNone), forces)
	default: // a scalar and a container, or two kinds of containers
		d.attribute(parent, name, index, b, side{}, s, nil)
		d.attribute(parent, name, index, side{}, a, s, nil)
		for _, c := range parent.Children[max(0, len(parent.Children)-2):] {
			c.ForcesReplacement = c.ForcesReplacement || forces
		}
	}
}

func kindOfPair(bNone, aNone bool) DiffKind {
	switch {
	case bNone:
		return DiffAdded
	case aNone:
		return DiffRemoved
	}
	return DiffChanged
}

// unchanged counts a value that is the same, or keeps it if people know the
// object by it.
func (d *differ) unchanged(parent *AttributeDiff, name []byte, index int, v Value, sensitive bool, s *shape) {
	if isNone(v) {
		return
	}
	known := parent.parent == nil && parent.Index < 0 && (string(name) == "id" || string(name) == "name")
	if (known && v.Kind() == KindString || d.options.Unchanged && v.Kind() != KindObject && v.Kind() != KindArray) && !sensitive {
		n := d.add(parent, name, index)
		n.Before, n.After = v, v
		return
	}
	if d.options.Unchanged && sensitive {
		n := d.add(parent, name, index)
		n.Sensitive, n.SensitiveBefore, n.SensitiveAfter = true, true, true
		return
	}
	parent.hide(v, s)
}

// hide counts something that has not changed.
func (d *AttributeDiff) hide(v Value, s *shape) {
	switch {
	case !s.isBlock():
		d.Hidden++
	case v.Kind() == KindArray || s.isMap():
		d.HiddenBlocks += v.Len()
	default:
		d.HiddenBlocks++
	}
}

// opaque adds a value that is sensitive or unknown as a whole, on one side or
// on both.
func (d *differ) opaque(parent *AttributeDiff, name []byte, index int, b, a side, s *shape, is [6]bool, forces bool) {
	bNone, aNone, bHides, aHides, bWhole, aWhole := is[0], is[1], is[2], is[3], is[4], is[5]
	kind := kindOfPair(bNone, aNone)
	if bWhole && aWhole || !bWhole && !aWhole && !hasTrueQuick(a.unknown) && b.value.Equal(a.value) {
		kind = DiffUnchanged
		if bHides == aHides && !forces && !d.options.Unchanged {
			parent.hide(a.value, s)
			return
		}
	}
	n := d.add(parent, name, index)
	n.Kind, n.ForcesReplacement, n.Block = kind, forces, s.isBlock()
	n.Unknown, n.UnknownBefore = aWhole, bWhole
	if bHides || aHides {
		n.Sensitive, n.SensitiveBefore, n.SensitiveAfter = true, bHides && !bNone, aHides && !aNone
		return
	}
	// Unknown on one side: show the other one. It is compared with nothing.
	holder := AttributeDiff{Index: -1, Container: KindObject}
	switch {
	case bWhole && aWhole:
		return
	case aWhole && !bNone:
		d.attribute(&holder, name, index, b, side{}, s, nil)
	case bWhole && !aNone:
		d.attribute(&holder, name, index, side{}, a, s, nil)
	}
	if len(holder.Children) == 1 {
		c := holder.Children[0]
		n.Before, n.After, n.JSON = c.Before, c.After, c.JSON
		n.Container, n.Set, n.Map, n.Block, n.Children = c.Container, c.Set, c.Map, c.Block, c.Children
		for _, c := range n.Children {
			c.parent = n
		}
	}
}

// scalar adds two scalars, of which one can be missing.
func (d *differ) scalar(parent *AttributeDiff, name []byte, index int, b, a side, s *shape, kind DiffKind, forces bool) {
	if kind == DiffChanged && b.value.Equal(a.value) {
		if forces {
			n := d.add(parent, name, index)
			n.Before, n.After, n.ForcesReplacement = b.value, a.value, true
			return
		}
		d.unchanged(parent, name, index, a.value, false, s)
		return
	}
	n := d.add(parent, name, index)
	n.Kind, n.ForcesReplacement = kind, forces
	if kind != DiffAdded {
		n.Before = b.value
	}
	if kind != DiffRemoved {
		n.After = a.value
	}
	d.document(n)
}

// document compares the JSON documents in the strings of n, if there are.
func (d *differ) document(n *AttributeDiff) {
	b, a := inner(n.Before), inner(n.After)
	if b == nil && a == nil || n.Before != nil && b == nil || n.After != nil && a == nil ||
		b != nil && a != nil && b.Kind() != a.Kind() || d.depth > maxDiffDepth/2 {
		return
	}
	var holder AttributeDiff
	d.depth++
	d.attribute(&holder, nil, -1, side{value: b}, side{value: a}, nil, nil)
	d.depth--
	if len(holder.Children) != 1 || holder.Children[0].Container == KindAbsent {
		return // only the white space differs, or it is empty
	}
	c := holder.Children[0]
	n.JSON, n.Container, n.Children, n.Hidden = true, c.Container, c.Children, c.Hidden
	for _, c := range n.Children {
		c.parent = n
	}
}

// inner returns the JSON object or array that the string v holds, or nil.
func inner(v Value) Value {
	if len(v) < 4 || v[0] != '"' || v[1] != '{' && v[1] != '[' && v[1] != '\\' && v[1] != ' ' {
		return nil
	}
	text, _ := v.Text()
	doc := Value(text)
	if k := doc.Kind(); k != KindObject && k != KindArray || doc.Check() != nil {
		return nil
	}
	return doc
}

// container adds two objects or two arrays, of which one can be missing.
func (d *differ) container(parent *AttributeDiff, name []byte, index int, b, a side, s *shape, paths [][]Value,
	forces, top bool, kind DiffKind, parts func(*differ, *AttributeDiff, side, side, *shape, [][]Value)) {
	at := len(parent.Children)
	n := d.add(parent, name, index)
	n.Kind, n.ForcesReplacement = kind, forces
	n.Container = a.value.Kind()
	if kind == DiffRemoved {
		n.Container = b.value.Kind()
	}
	n.Set, n.Map, n.Block = s.isSet(), s.isMap(), s.isBlock()
	if top {
		n.parent = nil // so that its members know that they are attributes
	}
	d.depth++
	parts(d, n, b, a, s, paths)
	d.depth--
	if kind == DiffChanged && !slices.ContainsFunc(n.Children, (*AttributeDiff).differs) {
		n.Kind = DiffUnchanged
		if !forces && !d.options.Unchanged && !top {
			parent.Children = parent.Children[:at]
			parent.hide(a.value, s)
		}
		return
	}
	if len(n.Children) > 0 {
		return
	}
	// It is empty, or has nothing but nulls.
	n.Container, n.Set, n.Map = KindAbsent, false, false
	if kind != DiffChanged && n.Block {
		parent.Children = parent.Children[:at] // no block at all
		return
	}
	if kind != DiffAdded && b.value.Len() == 0 {
		n.Before = b.value
	}
	if kind != DiffRemoved && a.value.Len() == 0 {
		n.After = a.value
	}
}

// differs reports whether n is more than something unchanged that is shown.
func (d *AttributeDiff) differs() bool {
	return d.Kind != DiffUnchanged || d.ForcesReplacement || d.SensitiveBefore != d.SensitiveAfter
}

// members compares the members of two objects in the order of their names.
func (d *differ) members(n *AttributeDiff, b, a side, s *shape, paths [][]Value) {
	base := len(d.stack)
	defer func() { d.stack = d.stack[:base] }()
	if len(paths) == 0 && !d.options.Unchanged && d.sameMembers(n, b, a, s) {
		return
	}
	d.stack = d.stack[:base]
	bs, as := d.gather(b.value), d.gather(a.value)
	bu, au := d.gatherMarks(b.unknown), d.gatherMarks(a.unknown)
	bm := d.gatherMarks(b.sensitive)
	am := bm
	if !bytes.Equal(b.sensitive, a.sensitive) {
		am = d.gatherMarks(a.sensitive)
	}
	quick := len(paths) == 0 && !d.options.Unchanged && len(bu)+len(au) == 0
	for {
		// Most members are the same, unknown nowhere and sensitive on neither
		// side: nothing has to be looked up for them.
		for quick && len(bs) > 0 && len(as) > 0 && bytes.Equal(bs[0].name, as[0].name) && bytes.Equal(bs[0].value, as[0].value) {
			bm, am = from(bm, as[0].name), from(am, as[0].name)
			if starts(bm, as[0].name) || starts(am, as[0].name) {
				break
			}
			var m *shape
			if s != nil {
				m = s.member(as[0].name)
			}
			d.unchanged(n, as[0].name, -1, as[0].value, m.isSensitive(), m)
			bs, as = bs[1:], as[1:]
		}
		name, ok := first(bs, as, bu, au)
		if !ok {
			break
		}
		var next [][]Value
		for _, p := range paths {
			if len(p) == 0 {
				continue // said already
			}
			if text, ok := p[0].Text(); ok && text == string(name) {
				next = append(next, p[1:])
			}
		}
		d.attribute(n, name, -1,
			side{take(&bs, name), take(&bu, name), take(&bm, name)},
			side{take(&as, name), take(&au, name), take(&am, name)},
			s.member(name), next)
	}
}

// sameMembers compares two objects as the tools write them, if they have the
// same members: without white space, sorted, and nothing of them is unknown. It
// reads one of the texts only, but for the members that differ. If it reports
// false, it has done nothing.
func (d *differ) sameMembers(n *AttributeDiff, b, a side, s *shape) bool {
	if isNone(b.value) || isNone(a.value) || hasTrueQuick(b.unknown) || hasTrueQuick(a.unknown) {
		return false
	}
	children, hidden, blocks := len(n.Children), n.Hidden, n.HiddenBlocks
	fail := func() bool {
		n.Children, n.Hidden, n.HiddenBlocks = n.Children[:children], hidden, blocks
		return false
	}
	bm := d.gatherMarks(b.sensitive)
	am := bm
	sameMarks := bytes.Equal(b.sensitive, a.sensitive)
	if !sameMarks {
		am = d.gatherMarks(a.sensitive)
	}
	before, at := b.value, 1
	var last []byte
	r := reader{text: a.value}
	for ok := r.open('{') && r.member(); ok; ok = r.member() {
		name := r.name[1 : len(r.name)-1]
		if bytes.IndexByte(name, '\\') >= 0 || last != nil && bytes.Compare(last, name) >= 0 {
			return fail()
		}
		last = name
		if at > 1 {
			if at >= len(before) || before[at] != ',' {
				return fail()
			}
			at++
		}
		if bm = from(bm, name); sameMarks {
			am = bm
		} else {
			am = from(am, name)
		}
		marked := starts(bm, name) || starts(am, name)
		var m *shape
		if s != nil {
			m = s.member(name)
		}
		member := a.value[r.from:r.end]
		end := at + len(member)
		if (!marked || sameMarks) && end < len(before) && (before[end] == ',' || before[end] == '}') && bytes.Equal(before[at:end], member) {
			d.unchanged(n, name, -1, r.value(), marked || m.isSensitive(), m)
			at = end
			continue
		}
		x := reader{text: before, at: at}
		if !x.member() || x.from != at || !bytes.Equal(x.name, r.name) {
			return fail()
		}
		d.attribute(n, name, -1, side{x.value(), nil, take(&bm, name)}, side{r.value(), nil, take(&am, name)}, m, nil)
		at = x.end
	}
	if at == 1 || at >= len(before) || before[at] != '}' || r.at >= len(r.text) || r.text[r.at] != '}' {
		return fail()
	}
	return true
}

// gather returns the members of an object sorted by name, without duplicates.
// They stay on the stack of d.
func (d *differ) gather(v Value) []item {
	base := len(d.stack)
	sorted := true
	r := reader{text: v}
	for ok := r.open('{') && r.member(); ok; ok = r.member() {
		name := r.name[1 : len(r.name)-1]
		if bytes.IndexByte(name, '\\') >= 0 {
			name = jsonscan.AppendUnquote(nil, r.name)
		}
		if n := len(d.stack); n > base && bytes.Compare(d.stack[n-1].name, name) >= 0 {
			sorted = false
		}
		d.stack = append(d.stack, item{name, r.value()})
	}
	items := d.stack[base:]
	if !sorted {
		slices.SortStableFunc(items, func(x, y item) int { return bytes.Compare(x.name, y.name) })
		last := 0
		for i := range items {
			if i > 0 && !bytes.Equal(items[i].name, items[last].name) {
				last++
			}
			items[last] = items[i]
		}
		items = items[:min(last+1, len(items))]
	}
	return items
}

// gatherMarks is gather for what is unknown or sensitive: without a true there
// is nothing to know.
func (d *differ) gatherMarks(v Value) []item {
	if !hasTrueQuick(v) {
		return nil
	}
	base := len(d.stack)
	items := d.gather(v)
	marked := slices.DeleteFunc(items, func(m item) bool { return !hasTrueQuick(m.value) })
	d.stack = d.stack[:base+len(marked)]
	return marked
}

// first returns the first name of sorted lists.
func first(lists ...[]item) (name []byte, ok bool) {
	for _, l := range lists {
		if len(l) > 0 && (!ok || bytes.Compare(l[0].name, name) < 0) {
			name, ok = l[0].name, true
		}
	}
	return name, ok
}

// from returns the part of a sorted list that begins with a name, or after it.
func from(l []item, name []byte) []item {
	for len(l) > 0 && bytes.Compare(l[0].name, name) < 0 {
		l = l[1:]
	}
	return l
}

// starts reports whether a list begins with a name.
func starts(l []item, name []byte) bool { return len(l) > 0 && bytes.Equal(l[0].name, name) }

// take removes and returns the value with this name from a sorted list, and
// drops those before it.
func take(list *[]item, name []byte) Value {
	l := *list
	for len(l) > 0 {
		switch c := bytes.Compare(l[0].name, name); {
		case c > 0:
			*list = l
			return nil
		case c == 0:
			v := l[0].value
			*list = l[1:]
			return v
		}
		l = l[1:]
	}
	*list = l
	return nil
}

// hides reports whether all of a value is sensitive. Marks without the shape of
// the value hide all of it.
func hides(x side) bool {
	if isTrue(x.sensitive) {
		return true
	}
	if isNone(x.value) {
		return x.value != nil || !hasTrueQuick(x.unknown) || x.sensitive.Kind() != x.unknown.Kind()
	}
	kind := x.value.Kind()
	return kind != x.sensitive.Kind() || kind == KindArray && x.value.Len() != x.sensitive.Len()
}

// wholly reports whether nothing of a value is known. Unknown parts without
// the shape of the value make all of it unknown.
func wholly(x side) bool {
	if x.value == nil || isTrue(x.unknown) {
		return true
	}
	kind := x.value.Kind()
	return kind != x.unknown.Kind() || kind == KindArray && x.value.Len() != x.unknown.Len()
}

// hasTrueQuick is hasTrue for a valid companion: outside of strings, only true
// begins with a t.
func hasTrueQuick(v Value) bool {
	if len(v) <= 4 {
		return string(v) == "true"
	}
	if !bytes.Contains(v, []byte("true")) {
		return false
	}
	for i := 0; i < len(v); i++ {
		switch v[i] {
		case 't':
			return true
		case '"':
			i = stringEnd(v, i) - 1
		}
	}
	return false
}

// isNone reports whether v is absent or null.
func isNone(v Value) bool {
	return v == nil || len(v) > 0 && (v[0] == 'n' || v[0] <= ' ') && v.IsNull()
}
