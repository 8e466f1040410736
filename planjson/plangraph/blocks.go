// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/planjson"
)

// A blockList is the nested blocks of one type at one place of a resource block,
// in the order of the configuration. The values of a plan have the blocks of a
// set in another order, and a plan does not distinguish sets and lists.
type blockList struct {
	// constants has for each block the arguments with a constant value, by their
	// path in the block.
	constants []map[string]planjson.Value
}

// blockLists returns the lists of nested blocks in the configuration of a
// resource, by their place, such as disk or disk[0].partition.
func blockLists(exprs map[string]*planjson.Expression) map[string]*blockList {
	all := map[string]*blockList{}
	var walk func(at string, exprs map[string]*planjson.Expression, depth int)
	walk = func(at string, exprs map[string]*planjson.Expression, depth int) {
		if depth > maxBlockDepth {
			return
		}
		for name, e := range exprs {
			if e == nil {
				continue
			}
			if e.Block != nil {
				walk(plantext.Member(at, name), e.Block, depth+1)
			}
			if e.Blocks == nil {
				continue
			}
			list := &blockList{}
			for i, b := range e.Blocks {
				constants := map[string]planjson.Value{}
				if b != nil {
					for name, e := range b.Block {
						if e.IsConstant() {
							constants[name] = e.ConstantValue
						}
					}
					walk(plantext.Member(at, name)+"["+strconv.Itoa(i)+"]", b.Block, depth+1)
				}
				list.constants = append(list.constants, constants)
			}
			all[plantext.Member(at, name)] = list
		}
	}
	walk("", exprs, 0)
	return all
}

const (
	maxBlockDepth = 20 // schemas have fewer levels
	maxBlocks     = 64 // how many blocks are compared with as many values
	maxPlaces     = 256
)

// A configPath is a path of the configuration that a path of the value can be, and
// whether it is the only one.
type configPath struct {
	path string
	sure bool
}

// places returns the places in the configuration that a part of the value of an
// instance can come from, as far as nested blocks go: those of a set have another
// order there, and dynamic blocks are not there at all.
func (i *Instance) places(path string) []configPath {
	if i.block == nil || !strings.Contains(path, "[") {
		return []configPath{{path, true}}
	}
	found := []configPath{{"", true}}
	value, unknown := i.Value, planjson.Value(nil)
	if i.Change != nil {
		unknown = i.Change.AfterUnknown
	}
	for path != "" && len(found) <= maxPlaces {
		name, rest := path, ""
		if at := strings.IndexAny(path, ".["); at > 0 {
			name, rest = path[:at], path[at:]
		}
		path = ""
		value, unknown = value.Member(name), below(unknown, name)
		for n := range found {
			found[n].path += name
		}
		index := -1
		if strings.HasPrefix(rest, "[") {
			end := plantext.KeyEnd(rest, 0)
			if n, err := strconv.Atoi(rest[1:min(end, len(rest))]); err == nil && end < len(rest) {
				index, rest = n, rest[end+1:]
			}
		}
		switch {
		case index >= 0:
			var next []configPath
			for _, p := range found {
				list := i.block.lists[p.path]
				if list == nil { // no blocks
					next = append(next, configPath{p.path + "[" + strconv.Itoa(index) + "]", p.sure})
					continue
				}
				blocks := list.compare(value, unknown).of(index)
				for _, n := range blocks {
					next = append(next, configPath{p.path + "[" + strconv.Itoa(n) + "]", p.sure && len(blocks) == 1})
				}
			}
			found, value, unknown = next, value.Element(index), below(unknown, index)
		case rest != "" && rest[0] == '[': // a block with a label, or the key of a map
			end := plantext.KeyEnd(rest, 0)
			key, err := addrs.ParseInstanceKey(rest[:min(end+1, len(rest))])
			label, ok := key.Str()
			if err != nil || !ok {
				break
			}
			value, unknown = value.Member(label), below(unknown, label)
			for n, p := range found {
				if block := plantext.Member(p.path, label); i.holds(block) {
					found[n].path = block
				} else {
					found[n].path += rest[:end+1]
				}
			}
			rest = rest[end+1:]
		}
		if strings.HasPrefix(rest, ".") {
			path = rest[1:]
			for n := range found {
				found[n].path += "."
			}
		} else { // steps without a name: of a list in a list
			for n := range found {
				found[n].path += rest
			}
		}
	}
	if len(found) > 1 {
		for n := range found {
			found[n].sure = false
		}
	}
	return found
}

// holds reports whether the configuration has something at a path.
func (i *Instance) holds(path string) bool {
	at := func(a argumentConfig) bool { return overlap(a.at, path) }
	return slices.ContainsFunc(i.block.constant, func(at string) bool { return overlap(at, path) }) || slices.ContainsFunc(i.block.arguments, at)
}

// below returns the marks of a part: a true covers all below it.
func below(marks planjson.Value, step any) planjson.Value {
	if _, ok := marks.Bool(); ok {
		return marks
	}
	return marks.Get(step)
}

// A comparison is a list of blocks, with a value that may be made of them.
type comparison struct {
	blocks *blockList
	// elements and marks are those of the value, not more than one beyond maxPlaces.
	elements, marks []planjson.Value
	// can says of each element which blocks it can be. It is nil if any can be any.
	can [][]bool
}

// compare compares the elements of a value with the blocks.
func (l *blockList) compare(value, unknown planjson.Value) comparison {
	c := comparison{blocks: l}
	if value.Kind() != planjson.KindArray {
		return c
	}
	for i, v := range value.Elements() {
		if c.elements = append(c.elements, v); i >= maxPlaces {
			break
		}
	}
	c.marks = make([]planjson.Value, len(c.elements))
	if _, ok := unknown.Bool(); ok {
		for i := range c.marks {
			c.marks[i] = unknown
		}
	}
	for i, v := range unknown.Elements() {
		if i >= len(c.marks) {
			break
		}
		c.marks[i] = v
	}
	n := len(c.elements)
	if n > maxBlocks || len(l.constants) > maxBlocks {
		return c
	}
	c.can = make([][]bool, n)
	for e := range n {
		c.can[e] = make([]bool, len(l.constants))
		for b, constants := range l.constants {
			c.can[e][b] = fits(constants, c.elements[e], c.marks[e])
		}
	}
	return c
}

// of returns the blocks that an element of the value can be: one if the constants
// of the blocks leave only one, and otherwise all that they leave. It returns
// nothing if the element is not there, or no block can be it, as one that a
// dynamic block has made.
func (c comparison) of(index int) []int {
	l, n := c.blocks, len(c.elements)
	whatever := func() []int { return l.several(l.all(func(int) bool { return true })) }
	switch {
	case c.elements == nil && c.can == nil:
		return whatever()
	case index >= n && n <= maxPlaces:
		return nil
	case n == 1 && len(l.constants) == 1:
		return []int{0}
	case c.can == nil:
		return whatever()
	}
	candidates := l.all(func(b int) bool { return c.can[index][b] })
	if n != len(l.constants) {
		return l.several(candidates)
	}
	// As many as there are blocks: each is one of them.
	possible := slices.DeleteFunc(slices.Clone(candidates), func(b int) bool { return !matches(c.can, index, b) })
	if len(possible) == 0 {
		// The provider has changed the constants, or a dynamic block has made some.
		return whatever()
	}
	return possible
}

// all returns the blocks for which a function is true.
func (l *blockList) all(f func(int) bool) (blocks []int) {
	for b := range l.constants {
		if f(b) {
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// several returns blocks as candidates, none of them certain: a single block is
// given twice.
func (l *blockList) several(blocks []int) []int {
	if len(blocks) == 1 {
		return append(blocks, blocks[0])
	}
	return blocks
}

// fits reports whether an element of the value can come from a block with these
// constants.
func fits(constants map[string]planjson.Value, element, unknown planjson.Value) bool {
	for name, want := range constants {
		got := element.Member(name)
		text, scalar := want.ScalarText()
		is, ok := got.ScalarText()
		if !scalar || want.IsNull() {
			continue // objects and lists get defaults, and null the provider's value
		}
		if b, marked := below(unknown, name).Bool(); marked && b {
			return false // tools plan the values of the configuration
		}
		if !ok || got.IsNull() || text != is && !sameNumber(want, got) {
			return false
		}
	}
	return true
}

// sameNumber reports whether two values are the same number, one of them perhaps
// as text.
func sameNumber(a, b planjson.Value) bool {
	number := func(v planjson.Value) (float64, bool) {
		text, ok := v.ScalarText()
		if !ok {
			return 0, false
		}
		f, err := strconv.ParseFloat(text, 64)
		return f, err == nil
	}
	x, ok := number(a)
	y, too := number(b)
	return ok && too && x == y
}

// matches reports whether all elements can be a block of their own if the element
// at index is block b.
func matches(can [][]bool, index, b int) bool {
	of := make([]int, len(can)) // by block, the element that is it, from 1
	of[b] = index + 1
	for e := range can {
		if e == index {
			continue
		}
		tried := make([]bool, len(can))
		tried[b] = true
		var assign func(e int) bool
		assign = func(e int) bool {
			for n := range can {
				if !can[e][n] || tried[n] {
					continue
				}
				tried[n] = true
				if of[n] == 0 || assign(of[n]-1) {
					of[n] = e + 1
					return true
				}
			}
			return false
		}
		if !assign(e) {
			return false
		}
	}
	return true
}

// A spot is where a path leads to in the value of an instance.
type spot struct {
	path           string
	value, unknown planjson.Value
	sure           bool
}

// spots returns where the elements that a nested block made are in lists, and which
// of the lists have none.
func (l *blockList) spots(lists []spot, block int) (found, without []spot) {
	for _, p := range lists {
		c := l.compare(p.value, p.unknown)
		var at []int
		sure := p.sure
		if c.can == nil && len(c.elements) > 0 && block < len(l.constants) { // any of them
			at = make([]int, min(len(c.elements), maxPlaces))
			for v := range at {
				at[v] = v
			}
			sure = false
		} else {
			for v := range min(len(c.elements), maxPlaces) {
				if blocks := c.of(v); slices.Contains(blocks, block) {
					at = append(at, v)
					sure = sure && len(blocks) == 1
				}
			}
		}
		if len(at) == 0 {
			without = append(without, p)
		}
		for _, v := range at {
			found = append(found, spot{p.path + "[" + strconv.Itoa(v) + "]", c.elements[v], c.marks[v], sure && len(at) == 1})
		}
	}
	return found, without
}

// Places returns an iterator over the paths in the value of From that the
// reference can be for, and whether each is the only one. The only path is At,
// unless At leads into one of several nested blocks: if they are a set, they have
// a different order in the value. If the value has no such blocks, the path ends
// before the index.
func (l Link) Places() iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		if l.From == nil || l.From.block == nil || !strings.Contains(l.At, "[") {
			yield(l.At, true)
			return
		}
		var unknown planjson.Value
		if l.From.Change != nil {
			unknown = l.From.Change.AfterUnknown
		}
		found := []spot{{"", l.From.Value, unknown, true}}
		var names []string // of members that were not looked for yet: only a list of blocks needs the value
		config, rest := "", l.At
		for rest != "" {
			name := rest
			if at := strings.IndexAny(rest, ".["); at >= 0 {
				name = rest[:at]
			}
			rest, config = rest[len(name):], config+name
			names = append(names, name)
			after(found, name)
			if strings.HasPrefix(rest, `["`) { // the label of a block
				end := min(plantext.KeyEnd(rest, 0)+1, len(rest))
				key, _ := addrs.ParseInstanceKey(rest[:end])
				label, _ := key.Str()
				names = append(names, label)
				after(found, rest[:end])
				config, rest = config+rest[:end], rest[end:]
			} else if list := l.From.block.lists[config]; list != nil && strings.HasPrefix(rest, "[") {
				end := min(plantext.KeyEnd(rest, 0), len(rest)-1)
				block, _ := strconv.Atoi(rest[1:end])
				config, rest = config+rest[:end+1], rest[end+1:]
				l.From.parts.down(found, names)
				names = nil
				next, lost := list.spots(found, block)
				for _, p := range lost {
					if !yield(p.path, p.sure) {
						return
					}
				}
				if found = next; len(found) > maxPlaces {
					found = found[:maxPlaces]
				}
			}
			if strings.HasPrefix(rest, ".") {
				config, rest = config+".", rest[1:]
				after(found, ".")
			} else if rest != "" && rest[0] != '[' {
				break
			} else if rest != "" { // the index of an attribute, which no place has
				after(found, rest)
				rest = ""
			}
		}
		for _, p := range found {
			if !yield(p.path, p.sure && len(found) == 1) {
				return
			}
		}
	}
}

// after adds text to the paths of spots.
func after(found []spot, text string) {
	for n := range found {
		found[n].path += text
	}
}

// longValue is how many bytes an object may have whose members are looked for one by one.
const longValue = 4096

// A partIndex has the members of long objects that were asked for, the most recent ones, so that each is
// not searched for in the text of all. It is safe for concurrent use.
type partIndex struct {
	mu      sync.Mutex
	objects map[partKey]map[string]planjson.Value
}

// A partKey is a text, by its place in memory.
type partKey struct {
	first *byte
	size  int
}

// member returns a member of an object.
func (x *partIndex) member(v planjson.Value, name string) planjson.Value {
	if x == nil || len(v) < longValue {
		return v.Member(name)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	key := partKey{&v[0], len(v)}
	members, ok := x.objects[key]
	if !ok {
		members = map[string]planjson.Value{}
		for name, m := range v.Members() {
			members[name] = m
		}
		if len(x.objects) >= 8 || x.objects == nil {
			x.objects = map[partKey]map[string]planjson.Value{}
		}
		x.objects[key] = members
	}
	return members[name]
}

// down moves spots to members of members.
func (x *partIndex) down(found []spot, names []string) {
	for n := range found {
		p := &found[n]
		for _, name := range names {
			p.value = x.member(p.value, name)
			if _, ok := p.unknown.Bool(); !ok {
				p.unknown = x.member(p.unknown, name)
			}
		}
	}
}
