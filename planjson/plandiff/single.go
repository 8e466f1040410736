// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"bytes"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/tofuwire/tofuwire/planjson"
)

// single adds the members or elements of a container that is on one side only, as
// members and elements do, in one pass over its text. The text must be valid, with the
// members sorted by their names and no escapes in these. If it is not, single reports
// false and has done nothing.
func (d *differ) single(n *Attribute, x side, s *shape) bool {
	if d.failed >= maxFailed || len(x.value) == 0 {
		return false
	}
	was, base, depth := *n, len(d.stack), d.depth
	d.trying++
	end := -1
	switch x.value[0] {
	case '{':
		end = d.singleMembers(n, x.value, 0, s, d.gatherMarks(x.unknown), d.gatherMarks(x.sensitive))
	case '[':
		if !plantext.HasTrue(x.unknown) && !plantext.HasTrue(x.sensitive) {
			end = d.singleElements(n, x.value, 0, s)
		}
	}
	d.stack, d.depth = d.stack[:base], depth
	d.trying--
	if end < 0 {
		d.failed++
		*n = was
	}
	return end >= 0
}

// sides returns a value with its marks as the two sides of n.
func (n *Attribute) sides(x side) (b, a side) {
	if n.Status == Removed {
		return x, side{}
	}
	return side{}, x
}

// singleMembers is single for the object at t[i]: u and m are the marks of its unknown
// and sensitive members. It returns the end of the object, or -1.
func (d *differ) singleMembers(n *Attribute, t []byte, i int, s *shape, u, m []item) int {
	var last []byte
	for i = jsonscan.Space(t, i+1); ; i = jsonscan.Space(t, i+1) {
		if i >= len(t) {
			return -1
		}
		if t[i] == '}' && last == nil {
			break
		}
		if t[i] != '"' {
			return -1
		}
		end, escaped, fault := jsonscan.StringRest(t, i+1)
		if fault != jsonscan.OK || escaped {
			return -1
		}
		name := t[i+1 : end-1]
		if last != nil && bytes.Compare(last, name) >= 0 {
			return -1
		}
		last = name
		if i = jsonscan.Space(t, end); i >= len(t) || t[i] != ':' {
			return -1
		}
		if i = jsonscan.Space(t, i+1); i >= len(t) {
			return -1
		}
		marked := false
		if len(u)+len(m) > 0 {
			d.singleUnknown(n, s, &u, &m, name)
			m = from(m, name)
			marked = starts(u, name) || starts(m, name)
		}
		at := spot{parent: n, name: name, index: -1, shape: s.Member(name)}
		if marked || t[i] == 'n' && at.countsNull() || at.isKnown() || at.shape.IsSensitive() {
			end, fault := jsonscan.Value(t, i, jsonscan.MaxDepth)
			if fault != jsonscan.OK {
				return -1
			}
			b, a := n.sides(side{t[i:end:end], take(&u, name), take(&m, name)})
			if !d.nullKey(at, b, a) {
				d.attribute(at, b, a, nil)
			}
			if i = end; d.failed >= maxFailed {
				return -1
			}
		} else if i = d.singleValue(at, t, i); i < 0 {
			return -1
		}
		if i = jsonscan.Space(t, i); i >= len(t) || t[i] != ',' {
			break
		}
	}
	if i >= len(t) || t[i] != '}' {
		return -1
	}
	d.singleUnknown(n, s, &u, &m, nil)
	return i + 1
}

// singleUnknown adds the members that have no value and are not known, up to a name.
// If it is nil, it adds all.
func (d *differ) singleUnknown(n *Attribute, s *shape, u, m *[]item, name []byte) {
	for len(*u) > 0 && (name == nil || bytes.Compare((*u)[0].name, name) < 0) {
		at := spot{parent: n, name: (*u)[0].name, index: -1, shape: s.Member((*u)[0].name)}
		x := side{nil, take(u, at.name), take(m, at.name)}
		if plantext.IsTrue(x.unknown) && !plantext.HasTrue(x.sensitive) && !at.shape.IsSensitive() && d.depth <= maxDepth {
			c := d.add(at) // as opaque does
			c.Status, c.Block = n.Status, at.shape.IsBlock()
			c.Unknown, c.UnknownBefore = n.Status != Removed, n.Status == Removed
			continue
		}
		b, a := n.sides(x)
		if !d.nullKey(at, b, a) {
			d.attribute(at, b, a, nil)
		}
	}
}

// singleElements is single for the array at t[i].
func (d *differ) singleElements(n *Attribute, t []byte, i int, s *shape) int {
	i = jsonscan.Space(t, i+1)
	if i < len(t) && t[i] == ']' {
		return i + 1
	}
	for k := 0; ; k++ {
		if i >= len(t) {
			return -1
		}
		at := spot{parent: n, index: k, shape: s.Element(k)}
		if at.shape.IsSensitive() {
			return -1
		}
		if t[i] == 'n' {
			end, fault := jsonscan.Value(t, i, 1)
			if fault != jsonscan.OK {
				return -1
			}
			d.singleScalar(at, t[i:end:end])
			i = end
		} else if i = d.singleValue(at, t, i); i < 0 {
			return -1
		}
		if i = jsonscan.Space(t, i); i >= len(t) {
			return -1
		}
		if t[i] != ',' {
			break
		}
		i = jsonscan.Space(t, i+1)
	}
	if t[i] != ']' {
		return -1
	}
	return i + 1
}

// singleValue adds the value at t[i], which no mark and no schema hides, and returns
// its end, or -1. A null is not added.
func (d *differ) singleValue(at spot, t []byte, i int) int {
	var end int
	var fault jsonscan.Fault
	switch t[i] {
	case '{', '[':
		return d.singleContainer(at, t, i)
	case '"':
		end, _, fault = jsonscan.StringRest(t, i+1)
	case 'n':
		end, fault = jsonscan.Value(t, i, 1)
		if fault == jsonscan.OK {
			return end
		}
	default:
		end, fault = jsonscan.Value(t, i, 1)
	}
	if fault != jsonscan.OK {
		return -1
	}
	n := d.singleScalar(at, t[i:end:end])
	if end-i >= 4 && t[i] == '"' {
		d.document(n)
	}
	return end
}

// singleScalar adds a scalar.
func (d *differ) singleScalar(at spot, v planjson.Value) *Attribute {
	n := d.add(at)
	if n.Status = at.parent.Status; n.Status == Removed {
		n.Before = v
	} else {
		n.After = v
	}
	return n
}

// singleContainer adds the container at t[i], as container does.
func (d *differ) singleContainer(at spot, t []byte, i int) int {
	if d.depth++; d.depth > maxDepth {
		return -1 // what is in it is hidden
	}
	n := d.add(at)
	n.Status = at.parent.Status
	n.Set, n.Map, n.Block = at.shape.Is(provschema.SetOf), at.shape.Is(provschema.MapOf), at.shape.IsBlock()
	n.nulls, n.dynamic = nullsOf(at.shape), at.shape.Is(provschema.Any)
	end := 0
	if t[i] == '{' {
		n.Container = planjson.KindObject
		end = d.singleMembers(n, t, i, at.shape, nil, nil)
	} else {
		n.Container = planjson.KindArray
		end = d.singleElements(n, t, i, at.shape)
	}
	if d.depth--; end < 0 {
		return -1
	}
	if len(n.Children) > 0 {
		return end
	}
	// It is empty, or has only nulls.
	n.Container, n.Set, n.Map = planjson.KindAbsent, false, false
	switch v := planjson.Value(t[i:end:end]); {
	case isBlocks(at.shape):
		at.parent.Children = at.parent.Children[:len(at.parent.Children)-1] // no block at all
	case jsonscan.Space(v, 1) != len(v)-1:
		n.bare = v
	case n.Status == Removed:
		n.Before = v
	default:
		n.After = v
	}
	return end
}
