// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/internal/planschema"
)

// A differ compares values. It is for one goroutine.
type differ struct {
	options Options
	shapes  shapes
	depth   int         // of the values being compared
	trying  int         // how many passes over containers are under way that may fail
	failed  int         // how many have failed in the present object
	nodes   []Attribute // not yet used
	made    int         // the number of the nodes in the last allocation
	results []Resource  // not yet used
	wanted  int         // the number of the results that are still to be made
	lists   []*Attribute
	room    int       // the length of the last of them
	holder  Attribute // parent of the object of a resource
	stack   []item    // members of the open objects

	sideStack []side // elements of the open arrays
	hashes    hashes
	spelling  bool     // in JSON documents, numbers of another spelling differ
	names     []string // names that have been seen, by their hash, to keep most of them once
}

func newDiffer(o Options) differ {
	return differ{options: o, shapes: shapes{planschema.Shapes{From: o.Schemas}}}
}

// A side is a value with the marks of its unknown and sensitive parts.
type side struct{ value, unknown, sensitive planjson.Value }

// An item is a member or an element. The name is decoded, not as spelled; nil
// for an element.
type item struct {
	name  []byte
	value planjson.Value
}

// maxDepth is how deep values are compared. Below, and that is deeper than
// any type, they are shown as hidden.
const maxDepth = 1000

// maxFailed is how many containers of an object are compared once more because a pass
// over both texts failed. Without a bound, the time would double with each level.
const maxFailed = 16

// isLost reports whether all passes under way are going to fail, as there have been
// too many: what they do has no effect.
func (d *differ) isLost() bool { return d.trying > 0 && d.failed >= maxFailed }

// add appends a node to the children of the spot's parent.
func (d *differ) add(at spot) *Attribute {
	if len(d.nodes) == 0 {
		d.made = min(max(8, 2*d.made), 64)
		d.nodes = make([]Attribute, d.made)
	}
	n := &d.nodes[0]
	d.nodes = d.nodes[1:]
	parent := at.parent
	n.Name, n.Index, n.From, n.parent = d.name(at.name), at.index, at.index, parent
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
		d.room = min(max(32, 2*d.room), 256)
		d.lists = make([]*Attribute, d.room)
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
	if d.names == nil {
		d.names = make([]string, min(max(minNames, 16*d.wanted), maxNames))
	}
	h := uint64(len(b)) ^ uint64(b[0])<<8 ^ uint64(b[len(b)/2])<<16
	if len(b) >= 8 {
		h ^= binary.LittleEndian.Uint64(b[len(b)-8:])
	} else {
		h ^= uint64(b[len(b)-1]) << 24
	}
	name := &d.names[h*0x9e3779b97f4a7c15>>(64-maxNameBits)%uint64(len(d.names))]
	if *name != string(b) {
		*name = string(b)
	}
	return *name
}

// How many names are kept, 16 for each resource in between.
const (
	minNames = 1 << 6
	maxNames = 1 << maxNameBits

	maxNameBits = 10
)

// A spot is the place of a difference: its parent, and its role there.
type spot struct {
	parent *Attribute
	name   []byte // nil of an element
	index  int    // -1 of a member
	shape  *shape
	top    bool // it is the object of a resource
	forces bool // a replacement
}

// attribute compares one value and adds it at a spot if it differs. paths are
// the remaining steps to the attributes that force a replacement.
func (d *differ) attribute(at spot, b, a side, paths [][]planjson.Value) {
	for _, p := range paths {
		at.forces = at.forces || len(p) == 0
	}
	if !d.options.Unchanged && at.isKnown() {
		d.options.Unchanged = true
		defer func() { d.options.Unchanged = false }()
	}
	bUnknown, aUnknown := plantext.HasTrue(b.unknown), plantext.HasTrue(a.unknown)
	bMarked, aMarked := plantext.HasTrue(b.sensitive), plantext.HasTrue(a.sensitive)
	if !bUnknown && !aUnknown && bMarked == aMarked && bytes.Equal(b.value, a.value) &&
		(!bMarked || bytes.Equal(b.sensitive, a.sensitive)) && !d.options.Unchanged && len(paths) == 0 && !at.top {
		d.unchanged(at, a.value, aMarked || at.shape.IsSensitive())
		return
	}
	before := sideCheck{none: !bUnknown && plantext.IsNone(b.value)}
	after := sideCheck{none: !aUnknown && plantext.IsNone(a.value)}
	if before.none && after.none {
		if at.forces {
			d.add(at).ForcesReplacement = true
		} else if a.value != nil {
			d.unchanged(at, a.value, aMarked || at.shape.IsSensitive())
		}
		return
	}

	// Values that are sensitive or unknown as a whole.
	deep := at.shape.IsSensitive() || d.depth > maxDepth
	before.hides, before.wholly = deep || bMarked && hides(b), bUnknown && wholly(b)
	after.hides, after.wholly = deep || aMarked && hides(a), aUnknown && wholly(a)
	if before.hides || after.hides || before.wholly || after.wholly {
		d.opaque(at, b, a, before, after)
		return
	}

	status := before.to(after)
	bKind, aKind := b.value.Kind(), a.value.Kind()
	if before.none {
		bKind = aKind
	} else if after.none {
		aKind = bKind
	}
	switch {
	case bKind == aKind && (bKind == planjson.KindObject || bKind == planjson.KindArray):
		d.container(at, b, a, paths, status)
	case bKind == aKind || bKind != planjson.KindObject && bKind != planjson.KindArray && aKind != planjson.KindObject && aKind != planjson.KindArray:
		d.scalar(at, b, a, status)
	default: // a scalar and a container, or two kinds of containers
		part := at
		part.top, part.forces = false, false
		d.attribute(part, b, side{}, nil)
		d.attribute(part, side{}, a, nil)
		for _, c := range at.parent.Children[max(0, len(at.parent.Children)-2):] {
			c.ForcesReplacement = c.ForcesReplacement || at.forces
		}
	}
}

// A sideCheck is the result of a first check of one side: it has no value, is wholly
// sensitive, or is wholly unknown.
type sideCheck struct{ none, hides, wholly bool }

// to returns the kind of change between two sides that differ.
func (b sideCheck) to(a sideCheck) Status {
	switch {
	case b.none:
		return Added
	case a.none:
		return Removed
	}
	return Changed
}

// unchanged counts a value that is the same, or keeps it if people know the
// object by it.
func (d *differ) unchanged(at spot, v planjson.Value, sensitive bool) {
	if plantext.IsNone(v) && (v == nil || !at.countsNull()) {
		return
	}
	if !d.options.Unchanged && !at.isKnown() {
		at.parent.hide(at, v)
		return
	}
	switch k := v.Kind(); {
	case sensitive:
		n := d.add(at)
		n.Sensitive, n.SensitiveBefore, n.SensitiveAfter = true, true, true
	case k != planjson.KindObject && k != planjson.KindArray:
		n := d.add(at)
		n.Before, n.After = v, v
	case d.options.Unchanged:
		at.parent.hide(at, v)
	default: // tags, in full
		d.whole(at, side{value: v}, side{value: v})
	}
}

// whole is attribute for a value that is shown with all its unchanged parts.
func (d *differ) whole(at spot, b, a side) {
	d.options.Unchanged = true
	d.attribute(at, b, a, nil)
	d.options.Unchanged = false
}

// isKnown reports whether people know an object by this attribute, as the tools
// have it. In a map it would be a key.
func (at *spot) isKnown() bool {
	if at.index >= 0 {
		return false
	}
	switch string(at.name) {
	case "id", "name", "tags":
		return at.parent.parent == nil && at.parent.Index < 0 || at.parent.nulls != inheritNulls && !at.parent.Map
	}
	return false
}

// countsNull reports whether a null is something here: an element, a key, or
// anything in JSON. An attribute that is null is absent.
func (at *spot) countsNull() bool {
	return at.index >= 0 || at.parent.Map || at.parent.dynamic
}

// hide counts something that has not changed.
func (d *Attribute) hide(at spot, v planjson.Value) {
	s := at.shape
	if at.index < 0 && !s.IsBlock() {
		d.width = max(d.width, uint32(hiddenWidth(d.Map, at.name)))
	}
	switch {
	case !s.IsBlock():
		d.Hidden++
		if string(v) == `""` && at.index < 0 && d.hasAttributes() {
			d.empty++
		}
	case v.Kind() == planjson.KindArray || s.Is(provschema.MapOf):
		d.HiddenBlocks += v.Len()
	default:
		d.HiddenBlocks++
	}
}

// opaque adds a value that is sensitive or unknown as a whole, on one side or
// on both.
func (d *differ) opaque(at spot, b, a side, before, after sideCheck) {
	status := before.to(after)
	if before.wholly && after.wholly || !before.wholly && !after.wholly && d.sameUnknown(b, a) && b.value.Equal(a.value) {
		status = Unchanged
		if before.hides == after.hides && !at.forces && !d.options.Unchanged {
			at.parent.hide(at, a.value)
			return
		}
	}
	if at.shape.IsBlock() && at.shape.Is(provschema.SetOf) && !before.wholly && !after.wholly && (before.none || b.value.Kind() == planjson.KindArray) && (after.none || a.value.Kind() == planjson.KindArray) {
		d.sensitiveBlocks(at, b.value, a.value, before, after, status)
		return
	}
	n := d.add(at)
	n.Status, n.ForcesReplacement, n.Block = status, at.forces, at.shape.IsBlock()
	n.Unknown, n.UnknownBefore = after.wholly, before.wholly
	if before.hides || after.hides {
		n.Sensitive, n.SensitiveBefore, n.SensitiveAfter = true, before.hides && !before.none, after.hides && !after.none
		return
	}
	// Unknown on one side: show the other one.
	switch {
	case before.wholly && after.wholly:
	case after.wholly && !before.none:
		d.alone(n, at, b, unknownObject(at.shape, b.value))
	case before.wholly && !after.none:
		d.alone(n, at, side{}, a)
	}
}

// sameUnknown reports whether the same parts of two sides are unknown.
func (d *differ) sameUnknown(b, a side) bool {
	switch bUnknown, aUnknown := plantext.HasTrue(b.unknown), plantext.HasTrue(a.unknown); {
	case bUnknown != aUnknown:
		return false
	case bUnknown:
		x := d.unknowns(b.unknown)
		return x != 0 && x == d.unknowns(a.unknown)
	}
	return true
}

// alone makes n show a value that is compared with nothing.
func (d *differ) alone(n *Attribute, at spot, b, a side) {
	holder := Attribute{Index: -1, Container: planjson.KindObject}
	d.attribute(spot{parent: &holder, name: at.name, index: at.index, shape: at.shape}, b, a, nil)
	if len(holder.Children) == 1 {
		c := holder.Children[0]
		n.Before, n.After, n.JSON = c.Before, c.After, c.JSON
		n.Container, n.Set, n.Map, n.Block, n.Children = c.Container, c.Set, c.Map, c.Block, c.Children
		n.nulls, n.width = c.nulls, c.width
		for _, c := range n.Children {
			c.parent = n
		}
	}
}

// sensitiveBlocks adds a set of nested blocks that is sensitive as a whole: the
// blocks added and removed, without their content.
func (d *differ) sensitiveBlocks(at spot, b, a planjson.Value, before, after sideCheck, status Status) {
	base := len(d.sideStack)
	defer func() { d.sideStack = d.sideStack[:base] }()
	bs, as := d.sides(side{value: b}), d.sides(side{value: a})
	pairs, gone, come := d.matchSet(bs, as)
	n := d.add(at)
	n.Status, n.ForcesReplacement = status, at.forces
	n.Container, n.Set, n.Block = planjson.KindArray, true, true
	n.Hidden = len(pairs)
	block := func(i int, status Status) {
		c := d.add(spot{parent: n, index: i, shape: at.shape.Element(i)})
		c.Status, c.Block = status, true
		c.Sensitive, c.SensitiveBefore, c.SensitiveAfter = true, status == Removed && before.hides, status == Added && after.hides
	}
	for _, i := range gone {
		block(i, Removed)
	}
	for _, j := range come {
		block(j, Added)
	}
	if len(n.Children) == 0 && !at.forces {
		at.parent.Children = at.parent.Children[:len(at.parent.Children)-1]
		at.parent.HiddenBlocks += len(pairs)
	}
}

// scalar adds two scalars. One of them can be missing.
func (d *differ) scalar(at spot, b, a side, status Status) {
	if status == Changed && b.value.Equal(a.value) && (!d.spelling || b.value.Kind() != planjson.KindNumber || string(b.value) == string(a.value)) {
		if at.forces {
			n := d.add(at)
			n.Before, n.After, n.ForcesReplacement = b.value, a.value, true
			return
		}
		d.unchanged(at, a.value, false)
		return
	}
	n := d.add(at)
	n.Status, n.ForcesReplacement = status, at.forces
	if status != Added {
		n.Before = b.value
	}
	if status != Removed {
		n.After = a.value
	}
	d.document(n)
}

// jsonShape is the shape of a JSON document, of an output, and of all else whose
// type nothing says.
var jsonShape = provschema.Dynamic

// document compares the JSON documents in the strings of n, if there are. Of two
// that are of different kinds, or say the same, nothing is compared.
func (d *differ) document(n *Attribute) {
	b, a := inner(n.Before), inner(n.After)
	if b == nil && a == nil || n.Before != nil && b == nil || n.After != nil && a == nil ||
		b != nil && a != nil && b.Kind() != a.Kind() || d.depth > maxDepth/2 {
		return
	}
	var holder Attribute
	unchanged, spelling := d.options.Unchanged, d.spelling
	d.spelling = true
	d.depth++
	d.attribute(spot{parent: &holder, index: -1, shape: jsonShape}, side{value: b}, side{value: a}, nil)
	d.depth--
	d.options.Unchanged, d.spelling = unchanged, spelling
	if len(holder.Children) != 1 || holder.Children[0].Container == planjson.KindAbsent || holder.Children[0].Status == Unchanged {
		return // only the white space differs, or it is empty
	}
	c := holder.Children[0]
	n.JSON, n.Container, n.Children, n.Hidden = true, c.Container, c.Children, c.Hidden
	n.nulls, n.width = c.nulls, c.width
	for _, c := range n.Children {
		c.parent = n
	}
}

// maxDocument is the length up to which a string is looked at as a JSON document:
// its difference takes many times as much memory.
const maxDocument = 4 << 20

// inner returns the JSON object or array that the string v holds, or nil.
func inner(v planjson.Value) planjson.Value {
	if len(v) < 4 || len(v) > maxDocument || v[0] != '"' || v[1] != '{' && v[1] != '[' && v[1] != '\\' {
		return nil
	}
	text, _ := v.Text()
	if text == "" || text[0] != '{' && text[0] != '[' {
		return nil
	}
	doc := planjson.Value(text)
	if doc.Check() != nil {
		return nil
	}
	return doc
}

// container adds two objects or two arrays. One of them can be missing.
func (d *differ) container(at spot, b, a side, paths [][]planjson.Value, status Status) {
	count := len(at.parent.Children)
	n := d.add(at)
	n.Status, n.ForcesReplacement = status, at.forces
	n.Container = a.value.Kind()
	if status == Removed {
		n.Container = b.value.Kind()
	}
	n.Set, n.Map, n.Block = at.shape.Is(provschema.SetOf), at.shape.Is(provschema.MapOf), at.shape.IsBlock()
	n.nulls, n.dynamic = nullsOf(at.shape), at.shape.Is(provschema.Any)
	if at.top {
		n.parent = nil // marks its members as attributes
	}
	d.depth++
	one := b
	if status == Added {
		one = a
	}
	switch {
	case status != Changed && len(paths) == 0 && d.single(n, one, at.shape):
	case n.Container == planjson.KindObject:
		d.members(n, b, a, at.shape, paths)
	default:
		d.elements(n, b, a, at.shape, paths)
	}
	d.depth--
	if status == Changed && !slices.ContainsFunc(n.Children, (*Attribute).differs) {
		n.Status = Unchanged
		if !at.forces && !d.options.Unchanged && !at.top {
			at.parent.Children = at.parent.Children[:count]
			at.parent.hide(at, a.value)
			return
		}
	}
	if len(n.Children) > 0 || n.Status == Unchanged && n.Hidden > 0 {
		return
	}
	// It is empty, or has only nulls.
	n.Container, n.Set, n.Map = planjson.KindAbsent, false, false
	if status != Changed && isBlocks(at.shape) {
		at.parent.Children = at.parent.Children[:count] // no block at all
		return
	}
	if status != Added && b.value.Len() == 0 {
		n.Before = b.value
	}
	if status != Removed && a.value.Len() == 0 {
		n.After = a.value
	}
	if status != Changed {
		n.bare = one.value
	}
}

// differs reports whether n is more than something unchanged that is shown.
func (d *Attribute) differs() bool {
	return d.Status != Unchanged || d.ForcesReplacement || d.SensitiveBefore != d.SensitiveAfter
}

// members compares the members of two objects in the order of their names.
func (d *differ) members(n *Attribute, b, a side, s *shape, paths [][]planjson.Value) {
	base := len(d.stack)
	defer func() { d.stack = d.stack[:base] }()
	if len(paths) == 0 && !d.options.Unchanged && d.sameMembers(n, b, a, s) || d.isLost() {
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
	next := d.pathsInto(paths)
	quick := len(paths) == 0 && !d.options.Unchanged && len(bu)+len(au) == 0
	for {
		// Most members are equal, known and not sensitive: they need no
		// look-up.
		for quick && len(bs) > 0 && len(as) > 0 && bytes.Equal(bs[0].name, as[0].name) && bytes.Equal(bs[0].value, as[0].value) {
			bm, am = from(bm, as[0].name), from(am, as[0].name)
			if starts(bm, as[0].name) || starts(am, as[0].name) {
				break
			}
			var m *shape
			if s != nil {
				m = s.Member(as[0].name)
			}
			d.unchanged(spot{parent: n, name: as[0].name, index: -1, shape: m}, as[0].value, m.IsSensitive())
			bs, as = bs[1:], as[1:]
		}
		var name []byte
		switch rest := len(bu) + len(au); {
		case rest == 0 && len(bs) == 0 && len(as) > 0: // an object that comes
			name = as[0].name
		case rest == 0 && len(as) == 0 && len(bs) > 0: // or goes
			name = bs[0].name
		default:
			var ok bool
			if name, ok = first(bs, as, bu, au); !ok {
				return
			}
		}
		x := side{take(&bs, name), take(&bu, name), take(&bm, name)}
		y := side{take(&as, name), take(&au, name), take(&am, name)}
		at := spot{parent: n, name: name, index: -1, shape: s.Member(name)}
		if !d.nullKey(at, x, y) {
			d.attribute(at, x, y, next.member(name))
		}
	}
}

// nullKey adds a key of a map, or of an object in JSON, whose value becomes null
// or was null, or that comes or goes with a null: there it differs from one that
// is absent. It reports whether it is such a key.
func (d *differ) nullKey(at spot, b, a side) bool {
	if !at.countsNull() || plantext.HasTrue(b.sensitive) || plantext.HasTrue(a.sensitive) || plantext.HasTrue(b.unknown) || plantext.HasTrue(a.unknown) ||
		at.shape.IsSensitive() || at.shape.HasSensitive() {
		return false
	}
	bNull, aNull := plantext.IsNone(b.value), plantext.IsNone(a.value)
	switch {
	case !bNull && !aNull, b.value == nil && a.value == nil, b.value == nil && !aNull, a.value == nil && !bNull:
		return false
	case b.value == nil:
		n := d.add(at)
		n.Status, n.After = Added, a.value
		return true
	case a.value == nil:
		n := d.add(at)
		n.Status, n.Before = Removed, b.value
		return true
	case bNull && aNull:
		d.unchanged(at, a.value, false)
		return true
	}
	other := a
	if aNull {
		other = b
	}
	if k := other.value.Kind(); k != planjson.KindObject && k != planjson.KindArray {
		n := d.add(at)
		n.Status, n.Before, n.After = Changed, b.value, a.value
		return true
	}
	if !at.parent.dynamic {
		return false
	}
	if bNull { // of another kind
		n := d.add(at)
		n.Status, n.Before = Removed, b.value
		d.attribute(at, side{}, a, nil)
		return true
	}
	d.attribute(at, b, side{}, nil)
	n := d.add(at)
	n.Status, n.After = Added, a.value
	return true
}

// sameMembers compares two objects with the same members, if they are as the
// tools write them (sorted, without white space) and no part is unknown. It
// reads only one of the texts, except for the members that differ. If it
// reports false, it has done nothing.
func (d *differ) sameMembers(n *Attribute, b, a side, s *shape) bool {
	if d.failed >= maxFailed || plantext.IsNone(b.value) || plantext.IsNone(a.value) || plantext.HasTrue(b.unknown) || plantext.HasTrue(a.unknown) {
		return false
	}
	d.trying++
	defer func() { d.trying-- }()
	children, hidden, blocks, empty := len(n.Children), n.Hidden, n.HiddenBlocks, n.empty
	fail := func() bool {
		d.failed++
		n.Children, n.Hidden, n.HiddenBlocks, n.empty = n.Children[:children], hidden, blocks, empty
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
		var m *shape
		if s != nil {
			m = s.Member(name)
		}
		member := a.value[r.From:r.End]
		end := at + len(member)
		if (!marked || sameMarks) && end < len(before) && (before[end] == ',' || before[end] == '}') && bytes.Equal(before[at:end], member) {
			d.unchanged(spot{parent: n, name: name, index: -1, shape: m}, r.Value(), marked || m.IsSensitive())
			at = end
			continue
		}
		x := jsonscan.Items{Text: before, At: at}
		if !x.Member() || x.From != at || !bytes.Equal(x.Name, r.Name) {
			return fail()
		}
		part := spot{parent: n, name: name, index: -1, shape: m}
		b, a := side{x.Value(), nil, take(&bm, name)}, side{r.Value(), nil, take(&am, name)}
		if !d.nullKey(part, b, a) {
			d.attribute(part, b, a, nil)
		}
		if d.failed >= maxFailed {
			return fail()
		}
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

// gatherMarks is gather for marks of unknown or sensitive parts. Marks without
// a true need no work.
func (d *differ) gatherMarks(v planjson.Value) []item {
	if !plantext.HasTrue(v) {
		return nil
	}
	base := len(d.stack)
	items := d.gather(v)
	marked := slices.DeleteFunc(items, func(m item) bool { return !plantext.HasTrue(m.value) })
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
	if len(*list) == 0 {
		return nil
	}
	return takeOf(list, name)
}

func takeOf(list *[]item, name []byte) planjson.Value {
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
	if plantext.IsTrue(x.sensitive) {
		return true
	}
	if plantext.IsNone(x.value) {
		return x.value != nil || !plantext.HasTrue(x.unknown) || x.sensitive.Kind() != x.unknown.Kind()
	}
	kind := x.value.Kind()
	return kind != x.sensitive.Kind() || kind == planjson.KindArray && x.value.Len() != x.sensitive.Len()
}

// wholly reports whether nothing of a value is known. Unknown parts without
// the shape of the value make all of it unknown.
func wholly(x side) bool {
	if x.value == nil || plantext.IsTrue(x.unknown) {
		return true
	}
	kind := x.value.Kind()
	return kind != x.unknown.Kind() || kind == planjson.KindArray && x.value.Len() != x.unknown.Len()
}
