// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"hash/maphash"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/planjson"
)

// Hashes depend on the meaning of values: equal values have equal hashes,
// however they are spelled. Each container is hashed once with its content,
// however often it is compared at any depth.
type hashes struct {
	seed   maphash.Seed
	known  map[*byte]uint64 // of containers, by their first bytes
	marks  map[*byte]uint64 // of containers of marks, the same way
	text   []byte
	hashed int // bytes, for a test
}

// hash returns the hash of a value, or 0 if it is not valid.
func (d *differ) hash(v planjson.Value) uint64 {
	return d.hashes.of(v, d.hashes.known, (*hashes).at)
}

// of returns what walk makes of v, unless known has it, or 0 if v is not valid.
func (h *hashes) of(v planjson.Value, known map[*byte]uint64, walk func(h *hashes, d []byte, i int) (uint64, int)) uint64 {
	if len(v) == 0 {
		return 0
	}
	if x, ok := known[&v[0]]; ok {
		return x
	}
	if !jsonscan.Valid(v) {
		return 0
	}
	if h.known == nil {
		h.seed, h.known, h.marks = maphash.MakeSeed(), make(map[*byte]uint64), make(map[*byte]uint64)
	}
	h.hashed += len(v)
	x, _ := walk(h, v, jsonscan.Space(v, 0))
	return x
}

// The factors that mix hashes are odd.
const (
	factorA = 0x9e3779b97f4a7c15
	factorB = 0xc2b2ae3d27d4eb4f
)

func (h *hashes) at(d []byte, i int) (x uint64, end int) {
	start := i
	switch d[i] {
	case '[':
		x = 1
		for i = jsonscan.Space(d, i+1); d[i] != ']'; i = afterComma(d, i) {
			var part uint64
			part, i = h.at(d, i)
			x = (x^part)*factorA ^ x>>29
		}
		i++
	case '{':
		x = 2
		for i = jsonscan.Space(d, i+1); d[i] != '}'; i = afterComma(d, i) {
			end := jsonscan.StringEnd(d, i)
			name := maphash.Bytes(h.seed, jsonscan.UnquoteBytes(d[i:end]))
			var part uint64
			part, i = h.at(d, jsonscan.Space(d, jsonscan.Space(d, end)+1))
			part = (part ^ name*factorB) * factorA
			x += part ^ part>>31 // the order of members means nothing
		}
		i++
	case '"':
		i = jsonscan.StringEnd(d, i)
		return maphash.Bytes(h.seed, jsonscan.UnquoteBytes(d[start:i]))*factorB | 1, i
	default:
		i = jsonscan.ValueEnd(d, i)
		h.text = jsonscan.AppendCanonical(h.text[:0], d[start:i])
		return maphash.Bytes(h.seed, h.text) | 1, i
	}
	x |= 1 // 0 means not hashed
	h.known[&d[start]] = x
	return x, i
}

// sideHash returns the hash of a value with its unknown parts, or 0 if it is not valid.
func (d *differ) sideHash(x side) uint64 {
	h := d.hash(x.value)
	if h == 0 || !plantext.HasTrue(x.unknown) {
		return h
	}
	unknown := d.unknowns(x.unknown)
	if unknown == 0 {
		return 0
	}
	return (h^unknown)*factorA | 1
}

// unknowns returns a hash of marks that have a true, or 0 if they are not valid. Parts
// without a true are as if they were absent.
func (d *differ) unknowns(v planjson.Value) uint64 {
	return d.hashes.of(v, d.hashes.marks, (*hashes).ofMarks)
}

// ofMarks is at for marks. Its result is 0 if none is true.
func (h *hashes) ofMarks(d []byte, i int) (x uint64, end int) {
	start := i
	var part, some uint64
	switch d[i] {
	case '[':
		i = jsonscan.Space(d, i+1)
		for n := uint64(1); d[i] != ']'; n++ {
			if part, i = h.ofMarks(d, i); part != 0 {
				x, some = x+(part^n*factorB)*factorA, 1
			}
			i = afterComma(d, i)
		}
		i++
	case '{':
		for i = jsonscan.Space(d, i+1); d[i] != '}'; i = afterComma(d, i) {
			name := i
			i = jsonscan.StringEnd(d, i)
			named := maphash.Bytes(h.seed, jsonscan.UnquoteBytes(d[name:i]))
			if part, i = h.ofMarks(d, jsonscan.Space(d, jsonscan.Space(d, i)+1)); part != 0 {
				x, some = x+(part^named*factorB)*factorA, 1
			}
		}
		i++
	default:
		i = jsonscan.ValueEnd(d, i)
		if plantext.IsTrue(d[start:i]) {
			x = 1
		}
		return x, i
	}
	x |= some
	h.marks[&d[start]] = x
	return x, i
}

// afterComma returns where the next item begins, or the container's end.
func afterComma(d []byte, i int) int {
	if i = jsonscan.Space(d, i); d[i] == ',' {
		i = jsonscan.Space(d, i+1)
	}
	return i
}

// Paths are the remaining steps to the attributes that force a replacement, by
// their first step.
type paths struct {
	names     map[string][][]planjson.Value
	positions map[int64][][]planjson.Value
	values    map[uint64][][]planjson.Value // elements of sets
}

// pathsInto sorts paths by their first steps. Those that have ended are left
// out.
func (d *differ) pathsInto(list [][]planjson.Value) *paths {
	if len(list) == 0 {
		return nil
	}
	p := &paths{map[string][][]planjson.Value{}, map[int64][][]planjson.Value{}, map[uint64][][]planjson.Value{}}
	for _, path := range list {
		if len(path) == 0 {
			continue
		}
		step, rest := path[0], path[1:]
		if n, ok := step.Int64(); ok {
			p.positions[n] = append(p.positions[n], rest)
			continue
		}
		if name, ok := step.Text(); ok {
			p.names[name] = append(p.names[name], rest)
		}
		if x := d.hash(step); x != 0 {
			p.values[x] = append(p.values[x], rest)
		}
	}
	return p
}

// member returns the rest of the paths that lead to a member.
func (p *paths) member(name []byte) [][]planjson.Value {
	if p == nil {
		return nil
	}
	return p.names[string(name)]
}

// element returns the rest of the paths that lead to an element: by its
// position, or in a set by its value.
func (p *paths) element(d *differ, b, a side, index int) [][]planjson.Value {
	if p == nil {
		return nil
	}
	next := p.positions[int64(index)]
	if len(p.values) == 0 {
		return next
	}
	x, y := d.hash(b.value), d.hash(a.value)
	next = append(next[:len(next):len(next)], p.values[x]...)
	if x != y {
		next = append(next, p.values[y]...)
	}
	return next
}
