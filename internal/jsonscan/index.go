// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package jsonscan

import "sort"

// An Index knows where the arrays and objects in a text end, and how many
// elements arrays have, so that a caller that goes through a text in several ways does not
// search for that again and again. The zero Index is ready to use, and can be
// used again.
type Index struct {
	text  []byte // from base on
	base  int
	items []indexed // sorted by at
	open  []int     // numbers of items; what remains of a text that breaks off
	last  int       // the item that was last asked for
}

type indexed struct{ at, end, n int }

const (
	// minIndexed is the length from which on a container is worth an item.
	minIndexed = 128
	// perItem is how much text there is for each item at least, as a rule.
	perItem = 512
)

// Make makes x the index of the value at d[i], and returns its end. The text
// must be valid.
func (x *Index) Make(d []byte, i int) int {
	x.Begin(d)
	if i >= len(d) || d[i] != '{' && d[i] != '[' {
		return ValueEnd(d, i)
	}
	for ; i < len(d); i++ {
		c := d[i]
		if !structural[c] {
			continue
		}
		switch c {
		case '"':
			i = StringEnd(d, i) - 1
		case ',':
			x.items[x.open[len(x.open)-1]].n++
		case '{', '[':
			x.open = append(x.open, len(x.items))
			x.items = append(x.items, indexed{at: i, n: 1})
		default:
			k := x.open[len(x.open)-1]
			x.open = x.open[:len(x.open)-1]
			if x.items[k].end = i + 1; i+1-x.items[k].at < minIndexed {
				x.items = x.items[:k] // its content is shorter
			}
			if len(x.open) == 0 {
				return i + 1
			}
		}
	}
	return i
}

// Begin makes x the index of a text that the caller goes through. It calls
// Open, Next, Close and Repeat.
func (x *Index) Begin(d []byte) {
	x.text, x.base, x.items, x.open, x.last = d, 0, x.items[:0], x.open[:0], 0
	if n := len(d) / perItem; cap(x.items) < n {
		x.items = make([]indexed, 0, n)
	}
}

// Open takes note that a container begins at i, and returns its number.
func (x *Index) Open(i int) int {
	x.items = append(x.items, indexed{at: i, n: 1})
	return len(x.items) - 1
}

// Next takes note of a comma in container k, which is the innermost one.
func (x *Index) Next(k int) { x.items[k].n++ }

// Close takes note that container k, the innermost one, ends at end. It returns
// the first number that belongs to no container in k.
func (x *Index) Close(k, end int) int {
	if x.items[k].end = end; end-x.items[k].at < minIndexed {
		x.items = x.items[:k]
	}
	return len(x.items)
}

// Repeat takes note that a container has the text of another one, at a distance
// from it. Numbers from first to before end belong to the other one.
func (x *Index) Repeat(first, end, distance int) {
	for _, item := range x.items[first:end] {
		x.items = append(x.items, indexed{item.at + distance, item.end + distance, item.n})
	}
}

// Of makes places that x is asked for, and that it answers with, those in a part
// of its text, which begins at base.
func (x *Index) Of(part []byte, base int) { x.text, x.base = part, base }

// find returns the item of the container at i, or nil.
func (x *Index) find(i int) *indexed {
	i += x.base
	for k := x.last; k < len(x.items) && k < x.last+2; k++ {
		if x.items[k].at == i {
			x.last = k
			return &x.items[k]
		}
	}
	if n := x.last + 1; n < len(x.items) && x.items[x.last].at < i && i < x.items[n].at {
		return nil
	}
	k := x.search(i)
	if k == len(x.items) || x.items[k].at != i {
		return nil
	}
	x.last = k
	return &x.items[k]
}

// search returns the number of the first item at or after i. What is asked for is
// mostly near what was asked for last.
func (x *Index) search(i int) int {
	from, to, step := 0, len(x.items), 4
	if x.last < to {
		if x.items[x.last].at < i {
			for from = x.last + 1; from+step < to; step *= 2 {
				if x.items[from+step].at >= i {
					to = from + step
					break
				}
				from += step
			}
		} else {
			for to = x.last; to-step > 0; step *= 2 {
				if x.items[to-step].at < i {
					from = to - step
					break
				}
				to -= step
			}
		}
	}
	return from + sort.Search(to-from, func(k int) bool { return x.items[from+k].at >= i })
}

// End returns the end of the value at i.
func (x *Index) End(i int) int {
	if c := x.text[i]; c != '{' && c != '[' {
		return ValueEnd(x.text, i)
	}
	if item := x.find(i); item != nil {
		return item.end - x.base
	}
	return ValueEnd(x.text, i)
}

// Len returns the number of elements of the array at i.
func (x *Index) Len(i int) int {
	if k := Space(x.text, i+1); x.text[k] == ']' {
		return 0
	}
	if item := x.find(i); item != nil {
		return item.n
	}
	n := 1
	for depth := 0; ; i++ {
		switch x.text[i] {
		case '"':
			i = StringEnd(x.text, i) - 1
		case '{', '[':
			depth++
		case ',':
			if depth == 1 {
				n++
			}
		case '}', ']':
			if depth--; depth == 0 {
				return n
			}
		}
	}
}
