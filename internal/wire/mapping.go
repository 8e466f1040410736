// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"maps"
	"slices"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// Map is the operation of a field that is an object with a typed object for
// each name: zero is nil. The names keep the order of the text; new ones are
// sorted in, as the tools sort them.
func Map[T any](x *Codec, p *map[string]*T, fields func(*T, *Codec)) {
	mapping(x, p, fields, '{')
}

// UnionMap is Map for objects whose type uses [Codec.Union].
func UnionMap[T any](x *Codec, p *map[string]*T, fields func(*T, *Codec)) {
	mapping(x, p, fields, 0)
}

func mapping[T any](x *Codec, p *map[string]*T, fields func(*T, *Codec), element byte) {
	switch x.mode {
	case decoding:
		*p = decodeMap(x, fields)
	case walking, judging:
		if x.container(*p == nil, '{', element) {
			walkMap(x, *p, objectMap[T]{*p, fields})
		}
	case writing:
		writeMap(x, slices.Sorted(maps.Keys(*p)), objectMap[T]{*p, fields})
	case probing:
		x.zero = *p == nil
	case skipping:
		skipMap(x, *p, fields)
	case describing:
		describe(x, aMap, fields)
	}
}

// StringMap is the operation of a field that is an object with a string for
// each name: zero is nil.
func StringMap[S ~string](x *Codec, p *map[string]S) {
	switch x.mode {
	case decoding:
		*p = decodeStringMap[S](x)
	case walking, judging:
		if x.container(*p == nil, '{', '"') {
			walkMap(x, *p, stringMap[S]{*p})
		}
	case writing:
		writeMap(x, slices.Sorted(maps.Keys(*p)), stringMap[S]{*p})
	case probing:
		x.zero = *p == nil
	case skipping:
		x.skip()
	}
}

// AllMembers carries out what the codec does for an object all of whose members
// are entries of the map p. None of them can be extra.
func AllMembers[T any](x *Codec, src *Source, p *map[string]*T, fields func(*T, *Codec)) {
	switch x.mode {
	case locating:
		x.located = src
	case skipping:
		x.i = int(src.end)
	case decoding:
		start := x.i
		if *p = decodeMap(x, fields); *p != nil {
			src.doc, src.start, src.end, src.seen = x.doc, uint32(start), uint32(x.i), 0
		}
	case walking:
		walkMap(x, *p, objectMap[T]{*p, fields})
	case writing:
		writeMap(x, slices.Sorted(maps.Keys(*p)), objectMap[T]{*p, fields})
	case probing:
		x.zero = *p == nil
	}
}

// decodeEntries reads the object at i and calls entry for each name, with i
// at its value.
func (x *Codec) decodeEntries(entry func(name []byte)) {
	x.enter()
	x.i++
	x.space()
	if x.peek() == '}' {
		x.i++
	} else {
		for {
			entry(x.entryName())
			if !x.more('}', jsonscan.FaultObject) {
				break
			}
		}
	}
	x.leave()
}

// entryName reads the member name at i, moves to the member's value and returns
// what the name means.
func (x *Codec) entryName() []byte {
	start := x.i
	if x.peek() != '"' {
		x.anyName() // which fails
	}
	end, escaped, fault := jsonscan.StringRest(x.text, start+1)
	if fault != jsonscan.OK {
		x.anyName() // likewise
	}
	x.i = end
	if d := x.text; end+1 < len(d) && d[end] == ':' && d[end+1] > ' ' {
		x.i = end + 1
	} else {
		x.afterName()
	}
	if escaped {
		return jsonscan.AppendUnquote(nil, x.text[start:end])
	}
	return x.text[start+1 : end-1]
}

// entry is entryName as a string.
func (x *Codec) entry() string { return x.strings.string(x.entryName(), x.i, x.only()) }

func decodeMap[T any](x *Codec, fields func(*T, *Codec)) map[string]*T {
	x.again = false
	if x.peek() != '{' {
		x.mismatch("an object")
		return nil
	}
	start, problems := x.i, len(x.problems)
	bad := false
	// The entries are put aside until their number is known: a map that grows
	// takes twice the time.
	objects := slabOf[T](x)
	entries := &objects.entries
	base := entries.begin(x)
	x.enter()
	x.i++
	x.space()
	if x.peek() == '}' {
		x.i++
	} else {
		for {
			if x.dry {
				x.entryName()
				decodeElement(x, objects.blank(x), fields)
			} else {
				name := x.entry()
				v := objects.object(x)
				bad = !decodeElement(x, v, fields) || bad
				entries.push(entry[T]{name, v})
			}
			if !x.more('}', jsonscan.FaultObject) {
				break
			}
		}
	}
	x.leave()
	if bad {
		x.spoiled(start, problems)
		entries.drop(base)
		return nil
	}
	if x.dry {
		return nil
	}
	m := make(map[string]*T, len(entries.stack)-base)
	for _, e := range entries.stack[base:] {
		m[e.name] = e.value
	}
	entries.drop(base)
	return m
}

func decodeStringMap[S ~string](x *Codec) map[string]S {
	if x.peek() != '{' {
		x.mismatch("an object")
		return nil
	}
	start, problems := x.i, len(x.problems)
	m := make(map[string]S)
	x.decodeEntries(func(name []byte) {
		key := x.strings.string(name, x.i, x.only())
		if x.peek() == '"' {
			m[key] = S(x.stringValue())
			return
		}
		if x.peek() == 'n' {
			if !x.lenient {
				x.fail(x.i, errNull)
			}
			x.problems = append(x.problems, Problem{x.i, errNull})
		}
		x.mismatch("a string")
	})
	if len(x.problems) > problems {
		x.spoiled(start, problems)
		return nil
	}
	return m
}

// An entries is the map of a field, seen by walkMap.
type entries interface {
	// stands reports whether the value of name is at x.i already or, for
	// scalars, means the same.
	stands(x *Codec, name []byte) (stands, present bool)
	// elsewhere reports whether the value of name cannot be part of the text
	// that begins at open.
	elsewhere(x *Codec, name string, open int) bool
	// walk encodes the value of name, which is at x.i.
	walk(x *Codec, name []byte)
	// write writes the value of name.
	write(x *Codec, name string)
}

type objectMap[T any] struct {
	m      map[string]*T
	fields func(*T, *Codec)
}

func (o objectMap[T]) stands(x *Codec, name []byte) (stands, present bool) {
	v, ok := o.m[string(name)]
	if !ok {
		return false, false
	}
	return locate(x, v, o.fields).at(x.doc, x.i), true // elsewhere has found it not to be nil
}

func (o objectMap[T]) elsewhere(x *Codec, name string, open int) bool {
	v := o.m[name]
	if v == nil {
		x.step(name)
		x.fail(x.i, errNil)
	}
	src := locate(x, v, o.fields)
	return src.doc != x.doc || int(src.start) <= open
}

func (o objectMap[T]) walk(x *Codec, name []byte) { o.fields(o.m[string(name)], x) }

func (o objectMap[T]) write(x *Codec, name string) {
	v := o.m[name]
	if v == nil {
		x.fail(x.i, errNil)
	}
	put(x, v, o.fields)
}

type stringMap[S ~string] struct{ m map[string]S }

func (s stringMap[S]) stands(x *Codec, name []byte) (stands, present bool) {
	v, ok := s.m[string(name)]
	if !ok || x.text[x.i] != '"' {
		return false, ok
	}
	return x.means(x.text[x.i:x.end()], string(v)), true
}

func (s stringMap[S]) elsewhere(*Codec, string, int) bool { return true }

func (s stringMap[S]) walk(x *Codec, _ []byte) { x.skip() }

func (s stringMap[S]) write(x *Codec, name string) {
	x.out = jsonscan.AppendQuote(x.out, s.m[name], !x.plain)
}

// writeMap writes an object with the names in the given order.
func writeMap[E entries](x *Codec, names []string, e E) {
	x.enter()
	x.push()
	x.out = append(x.out, '{')
	for i, name := range names {
		x.step(name)
		if i > 0 {
			x.out = append(x.out, ',')
		}
		x.out = jsonscan.AppendQuote(x.out, name, !x.plain)
		x.out = append(x.out, ':')
		e.write(x, name)
	}
	x.out = append(x.out, '}')
	x.pop()
	x.leave()
}

func skipMap[T any](x *Codec, m map[string]*T, fields func(*T, *Codec)) {
	if x.peek() != '{' {
		x.skip()
		return
	}
	x.decodeEntries(func(name []byte) { skipTo(x, m[string(name)], fields) })
}

// walkMap encodes a map against the object at i. Entries that stand where the
// text has them are walked in place. The first one that does not, or one that
// certainly is not in the text, makes a survey of the text's names necessary:
// it distinguishes shadowed duplicates from replaced values, and finds new names.
func walkMap[V any, E entries](x *Codec, m map[string]V, e E) {
	if x.text[x.i] != '{' {
		x.replace(func() { writeMap(x, slices.Sorted(maps.Keys(m)), e) })
		return
	}
	open := x.i
	x.push()
	var fresh []string
	for name := range m {
		if e.elsewhere(x, name, open) {
			fresh = append(fresh, name)
		}
	}
	var last map[string]int // the offset of the last value of each name
	if len(fresh) > 0 {
		last = x.lastEntries(e)
		fresh = slices.DeleteFunc(fresh, func(name string) bool { return last[name] > 0 })
		slices.Sort(fresh)
	}
	savedColon := x.colon
	x.colon = span{}
	var s separator
	x.beginItems(&s)
	done := 0 // entries of m that are written
	add := func(name string, next int) {
		x.step(name)
		x.insert(&s, next)
		x.out = jsonscan.AppendQuote(x.out, name, !x.plain)
		x.writeColon()
		e.write(x, name)
		done++
	}
	for more := x.peek() != '}'; more; {
		at := x.i
		tok := x.anyName()
		name := tok[1 : len(tok)-1]
		if jsonscan.IndexByte(name, '\\') >= 0 {
			name = jsonscan.AppendUnquote(nil, tok)
		}
		if len(fresh) > 0 {
			value := x.i
			for len(fresh) > 0 && fresh[0] < string(name) {
				add(fresh[0], at)
				fresh = fresh[1:]
			}
			x.i = value
		}
		x.colon = span{at, x.i}
		stands, present := e.stands(x, name)
		if !stands && last == nil {
			x.i = open
			last = x.lastEntries(e)
			x.i = x.colon.end
		}
		if x.tracking {
			x.step(string(name))
		}
		switch {
		case !present: // all occurrences go
			x.skip()
			x.drop(&s, x.i)
		case last != nil && last[string(name)] != x.i: // a later one counts
			x.survive(&s, at)
			x.skip()
		case stands:
			x.survive(&s, at)
			e.walk(x, name)
			done++
		default:
			x.survive(&s, at)
			end := x.end()
			x.flush(x.i)
			e.write(x, string(name))
			x.replaced(end)
			done++
		}
		more = x.after(&s, '}')
	}
	for _, name := range fresh {
		add(name, -1)
	}
	if done < len(m) { // values of this text under new names
		if last == nil {
			end := x.i
			x.i = open
			last = x.lastEntries(e)
			x.i = end
		}
		for _, name := range slices.Sorted(maps.Keys(m)) {
			if last[name] == 0 && !e.elsewhere(x, name, open) {
				add(name, -1)
			}
		}
	}
	x.endItems(&s, '}')
	x.pop()
	x.colon = savedColon
}

// lastEntries returns the offset of the last value of each name of the object
// at i.
func (x *Codec) lastEntries(e entries) map[string]int {
	here := x.i
	last := make(map[string]int)
	x.decodeEntries(func(name []byte) {
		last[string(name)] = x.i
		if stands, _ := e.stands(x, name); stands {
			x.mode = skipping
			e.walk(x, name)
			x.mode = walking
		} else {
			x.skip()
		}
	})
	x.i = here
	return last
}
