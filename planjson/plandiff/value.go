// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"bytes"
	"slices"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/planmask"
	"github.com/tofuwire/tofuwire/internal/planshape"
	"github.com/tofuwire/tofuwire/planjson"
)

// A differ compares values. It is for one goroutine.
type differ struct {
	options Options
	shapes  planshape.Schemas
	top     bool        // the next object is that of a resource
	depth   int         // of the values being compared
	nodes   []Attribute // not yet used
	results []Resource  // not yet used
	lists   []*Attribute
	holder  Attribute // what the object of a resource is added to
	stack   []item    // members of the open objects

	sideStack []side            // elements of the open arrays
	names     map[string]string // names that have been seen, so that each is kept once
}

func newDiffer(o Options) differ {
	return differ{options: o, shapes: planshape.Schemas{From: o.Schemas}}
}

// A side is a value with what is unknown and what is sensitive of it.
type side struct{ value, unknown, sensitive planjson.Value }

// An item is a member or an element. The name is what it means, not how it is
// spelled; nil for an element.
type item struct {
	name  []byte
	value planjson.Value
}

// maxDepth is how deep values are compared. Below, and that is deeper than
// any type, they are shown as hidden.
const maxDepth = 1000

// add appends a node to the children of parent.
func (d *differ) add(parent *Attribute, name []byte, index int) *Attribute {
	if len(d.nodes) == 0 {
		d.nodes = make([]Attribute, 64)
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
func (d *differ) grow(list []*Attribute) []*Attribute {
	n := max(2, 2*cap(list))
	if n > 32 {
		return append(make([]*Attribute, 0, n), list...)
	}
	if len(d.lists) < n {
		d.lists = make([]*Attribute, 256)
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
func (d *differ) attribute(parent *Attribute, name []byte, index int, b, a side, s *planshape.Shape, paths [][]planjson.Value) {
	top := d.top
	d.top = false
	forces := false
	for _, p := range paths {
		forces = forces || len(p) == 0
	}
	bUnknown, aUnknown := planmask.HasTrue(b.unknown), planmask.HasTrue(a.unknown)
	bMarked, aMarked := planmask.HasTrue(b.sensitive), planmask.HasTrue(a.sensitive)
	if !bUnknown && !aUnknown && bMarked == aMarked && bytes.Equal(b.value, a.value) &&
		(!bMarked || bytes.Equal(b.sensitive, a.sensitive)) && !d.options.Unchanged && len(paths) == 0 && !top {
		d.unchanged(parent, name, index, a.value, aMarked || s.IsSensitive(), s)
		return
	}
	bNone := !bUnknown && planmask.IsNone(b.value)
	aNone := !aUnknown && planmask.IsNone(a.value)
	if bNone && aNone {
		if forces {
			d.add(parent, name, index).ForcesReplacement = true
		}
		return
	}

	// What is sensitive or unknown as a whole.
	bHides := s.IsSensitive() || bMarked && hides(b) || d.depth > maxDepth
	aHides := s.IsSensitive() || aMarked && hides(a) || d.depth > maxDepth
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
	case bKind == aKind && bKind == planjson.KindObject:
		d.container(parent, name, index, b, a, s, paths, forces, top, kindOfPair(bNone, aNone), (*differ).members)
	case bKind == aKind && bKind == planjson.KindArray:
		d.container(parent, name, index, b, a, s, paths, forces, top, kindOfPair(bNone, aNone), (*differ).elements)
	case bKind == aKind || bKind != planjson.KindObject && bKind != planjson.KindArray && aKind != planjson.KindObject && aKind != planjson.KindArray:
		d.scalar(parent, name, index, b, a, s, kindOfPair(bNone, aNone), forces)
	default: // a scalar and a container, or two kinds of containers
		d.attribute(parent, name, index, b, side{}, s, nil)
		d.attribute(parent, name, index, side{}, a, s, nil)
		for _, c := range parent.Children[max(0, len(parent.Children)-2):] {
			c.ForcesReplacement = c.ForcesReplacement || forces
		}
	}
}

func kindOfPair(bNone, aNone bool) Status {
	switch {
	case bNone:
		return Added
	case aNone:
		return Removed
	}
	return Changed
}

// unchanged counts a value that is the same, or keeps it if people know the
// object by it.
func (d *differ) unchanged(parent *Attribute, name []byte, index int, v planjson.Value, sensitive bool, s *planshape.Shape) {
	if planmask.IsNone(v) {
		return
	}
	known := parent.parent == nil && parent.Index < 0 && (string(name) == "id" || string(name) == "name")
	if (known && v.Kind() == planjson.KindString || d.options.Unchanged && v.Kind() != planjson.KindObject && v.Kind() != planjson.KindArray) && !sensitive {
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
func (d *Attribute) hide(v planjson.Value, s *planshape.Shape) {
	switch {
	case !s.IsBlock():
		d.Hidden++
	case v.Kind() == planjson.KindArray || s.IsMap():
		d.HiddenBlocks += v.Len()
	default:
		d.HiddenBlocks++
	}
}

// opaque adds a value that is sensitive or unknown as a whole, on one side or
// on both.
func (d *differ) opaque(parent *Attribute, name []byte, index int, b, a side, s *planshape.Shape, is [6]bool, forces bool) {
	bNone, aNone, bHides, aHides, bWhole, aWhole := is[0], is[1], is[2], is[3], is[4], is[5]
	kind := kindOfPair(bNone, aNone)
	if bWhole && aWhole || !bWhole && !aWhole && !planmask.HasTrue(a.unknown) && b.value.Equal(a.value) {
		kind = Unchanged
		if bHides == aHides && !forces && !d.options.Unchanged {
			parent.hide(a.value, s)
			return
		}
	}
	n := d.add(parent, name, index)
	n.Status, n.ForcesReplacement, n.Block = kind, forces, s.IsBlock()
	n.Unknown, n.UnknownBefore = aWhole, bWhole
	if bHides || aHides {
		n.Sensitive, n.SensitiveBefore, n.SensitiveAfter = true, bHides && !bNone, aHides && !aNone
		return
	}
	// Unknown on one side: show the other one. It is compared with nothing.
	holder := Attribute{Index: -1, Container: planjson.KindObject}
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
func (d *differ) scalar(parent *Attribute, name []byte, index int, b, a side, s *planshape.Shape, kind Status, forces bool) {
	if kind == Changed && b.value.Equal(a.value) {
		if forces {
			n := d.add(parent, name, index)
			n.Before, n.After, n.ForcesReplacement = b.value, a.value, true
			return
		}
		d.unchanged(parent, name, index, a.value, false, s)
		return
	}
	n := d.add(parent, name, index)
	n.Status, n.ForcesReplacement = kind, forces
	if kind != Added {
		n.Before = b.value
	}
	if kind != Removed {
		n.After = a.value
	}
	d.document(n)
}

// document compares the JSON documents in the strings of n, if there are.
func (d *differ) document(n *Attribute) {
	b, a := inner(n.Before), inner(n.After)
	if b == nil && a == nil || n.Before != nil && b == nil || n.After != nil && a == nil ||
		b != nil && a != nil && b.Kind() != a.Kind() || d.depth > maxDepth/2 {
		return
	}
	var holder Attribute
	d.depth++
	d.attribute(&holder, nil, -1, side{value: b}, side{value: a}, nil, nil)
	d.depth--
	if len(holder.Children) != 1 || holder.Children[0].Container == planjson.KindAbsent {
		return // only the white space differs, or it is empty
	}
	c := holder.Children[0]
	n.JSON, n.Container, n.Children, n.Hidden = true, c.Container, c.Children, c.Hidden
	for _, c := range n.Children {
		c.parent = n
	}
}

// inner returns the JSON object or array that the string v holds, or nil.
func inner(v planjson.Value) planjson.Value {
	if len(v) < 4 || v[0] != '"' || v[1] != '{' && v[1] != '[' && v[1] != '\\' && v[1] != ' ' {
		return nil
	}
	text, _ := v.Text()
	doc := planjson.Value(text)
	if k := doc.Kind(); k != planjson.KindObject && k != planjson.KindArray || doc.Check() != nil {
		return nil
	}
	return doc
}

// container adds two objects or two arrays, of which one can be missing.
func (d *differ) container(parent *Attribute, name []byte, index int, b, a side, s *planshape.Shape, paths [][]planjson.Value,
	forces, top bool, kind Status, parts func(*differ, *Attribute, side, side, *planshape.Shape, [][]planjson.Value)) {
	at := len(parent.Children)
	n := d.add(parent, name, index)
	n.Status, n.ForcesReplacement = kind, forces
	n.Container = a.value.Kind()
	if kind == Removed {
		n.Container = b.value.Kind()
	}
	n.Set, n.Map, n.Block = s.IsSet(), s.IsMap(), s.IsBlock()
	if top {
		n.parent = nil // so that its members know that they are attributes
	}
	d.depth++
	parts(d, n, b, a, s, paths)
	d.depth--
	if kind == Changed && !slices.ContainsFunc(n.Children, (*Attribute).differs) {
		n.Status = Unchanged
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
	n.Container, n.Set, n.Map = planjson.KindAbsent, false, false
	if kind != Changed && n.Block {
		parent.Children = parent.Children[:at] // no block at all
		return
	}
	if kind != Added && b.value.Len() == 0 {
		n.Before = b.value
	}
	if kind != Removed && a.value.Len() == 0 {
		n.After = a.value
	}
}

// differs reports whether n is more than something unchanged that is shown.
func (d *Attribute) differs() bool {
	return d.Status != Unchanged || d.ForcesReplacement || d.SensitiveBefore != d.SensitiveAfter
}

// members compares the members of two objects in the order of their names.
func (d *differ) members(n *Attribute, b, a side, s *planshape.Shape, paths [][]planjson.Value) {
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
			var m *planshape.Shape
			if s != nil {
				m = s.Member(as[0].name)
			}
			d.unchanged(n, as[0].name, -1, as[0].value, m.IsSensitive(), m)
			bs, as = bs[1:], as[1:]
		}
		name, ok := first(bs, as, bu, au)
		if !ok {
			break
		}
		var next [][]planjson.Value
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
			s.Member(name), next)
	}
}

// sameMembers compares two objects as the tools write them, if they have the
// same members: without white space, sorted, and nothing of them is unknown. It
// reads one of the texts only, but for the members that differ. If it reports
// false, it has done nothing.
func (d *differ) sameMembers(n *Attribute, b, a side, s *planshape.Shape) bool {
	if planmask.IsNone(b.value) || planmask.IsNone(a.value) || planmask.HasTrue(b.unknown) || planmask.HasTrue(a.unknown) {
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
	r := jsonscan.Items{Text: a.value}
	for ok := r.Open('{') && r.Member(); ok; ok = r.Member() {
		name := r.Name[1 : len(r.Name)-1]
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
		var m *planshape.Shape
		if s != nil {
			m = s.Member(name)
		}
		member := a.value[r.From:r.End]
		end := at + len(member)
		if (!marked || sameMarks) && end < len(before) && (before[end] == ',' || before[end] == '}') && bytes.Equal(before[at:end], member) {
			d.unchanged(n, name, -1, r.Value(), marked || m.IsSensitive(), m)
			at = end
			continue
		}
		x := jsonscan.Items{Text: before, At: at}
		if !x.Member() || x.From != at || !bytes.Equal(x.Name, r.Name) {
			return fail()
		}
		d.attribute(n, name, -1, side{x.Value(), nil, take(&bm, name)}, side{r.Value(), nil, take(&am, name)}, m, nil)
		at = x.End
	}
	if at == 1 || at >= len(before) || before[at] != '}' || r.At >= len(r.Text) || r.Text[r.At] != '}' {
		return fail()
	}
	return true
}

// gather returns the members of an object sorted by name, without duplicates.
// They stay on the stack of d.
func (d *differ) gather(v planjson.Value) []item {
	base := len(d.stack)
	sorted := true
	r := jsonscan.Items{Text: v}
	for ok := r.Open('{') && r.Member(); ok; ok = r.Member() {
		name := r.Name[1 : len(r.Name)-1]
		if bytes.IndexByte(name, '\\') >= 0 {
			name = jsonscan.AppendUnquote(nil, r.Name)
		}
		if n := len(d.stack); n > base && bytes.Compare(d.stack[n-1].name, name) >= 0 {
			sorted = false
		}
		d.stack = append(d.stack, item{name, r.Value()})
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
func (d *differ) gatherMarks(v planjson.Value) []item {
	if !planmask.HasTrue(v) {
		return nil
	}
	base := len(d.stack)
	items := d.gather(v)
	marked := slices.DeleteFunc(items, func(m item) bool { return !planmask.HasTrue(m.value) })
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
func take(list *[]item, name []byte) planjson.Value {
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
	if planmask.IsTrue(x.sensitive) {
		return true
	}
	if planmask.IsNone(x.value) {
		return x.value != nil || !planmask.HasTrue(x.unknown) || x.sensitive.Kind() != x.unknown.Kind()
	}
	kind := x.value.Kind()
	return kind != x.sensitive.Kind() || kind == planjson.KindArray && x.value.Len() != x.sensitive.Len()
}

// wholly reports whether nothing of a value is known. Unknown parts without
// the shape of the value make all of it unknown.
func wholly(x side) bool {
	if x.value == nil || planmask.IsTrue(x.unknown) {
		return true
	}
	kind := x.value.Kind()
	return kind != x.unknown.Kind() || kind == planjson.KindArray && x.value.Len() != x.unknown.Len()
}
