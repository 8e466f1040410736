// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbound

import (
	"maps"

	"github.com/tofuwire/tofuwire/internal/numlimit"
	"github.com/zclconf/go-cty/cty"
)

// maxDepth is how deep a value may nest. Each of a thousand values may be in the next
// one, and is gone through with each of them.
const maxDepth = 100

// Weight returns how large a value is: the bytes of its texts and the number
// of its parts and of the parts of its type. It stops counting above most, which is
// also exceeded by a number that is out of range, and by a value that nests deeper than any that means something.
func Weight(v cty.Value, most int) int {
	w := weigher{most: most}
	w.value(v, maxDepth)
	return w.n
}

// A weigher adds the weights of parts.
type weigher struct {
	n, most int
	// endless reports that a number is out of range, as one divided by zero is, or that the value nests too deeply.
	endless bool
	// huge reports that a number is out of range, and has an end.
	huge bool
}

// add adds n. It reports false if that is enough.
func (w *weigher) add(n, depth int) bool {
	if w.n += n; depth == 0 {
		w.n, w.endless = w.most+1, true
	}
	return w.n <= w.most
}

func (w *weigher) value(v cty.Value, depth int) {
	if !w.add(1, depth) {
		return
	}
	v, _ = v.Unmark()
	t := v.Type()
	if !v.IsKnown() || v.IsNull() {
		w.typ(t, depth)
		return
	}
	switch {
	case t == cty.Number && !numlimit.Computed(v.AsBigFloat()):
		w.n, w.endless, w.huge = w.most+1, true, !v.AsBigFloat().IsInf()
	case t == cty.String:
		w.n += len(v.AsString())
	case t.IsListType() || t.IsSetType() || t.IsMapType() || t.IsTupleType() || t.IsObjectType():
		switch n := v.LengthInt(); {
		case n == 0:
			w.typ(t, depth)
		case n > w.most-w.n: // an iterator sorts first
			w.n = w.most + 1
			return
		}
		for it := v.ElementIterator(); w.n <= w.most && it.Next(); {
			k, e := it.Element()
			if k, _ = k.Unmark(); !t.IsSetType() && k.Type() == cty.String {
				w.n += len(k.AsString())
			}
			w.value(e, depth-1)
		}
	}
}

func (w *weigher) typ(t cty.Type, depth int) {
	if !w.add(1, depth) {
		return
	}
	switch {
	case t.IsCollectionType():
		w.typ(t.ElementType(), depth-1)
	case t.IsTupleType():
		for _, e := range t.TupleElementTypes() {
			w.typ(e, depth-1)
		}
	case t.IsObjectType():
		for name, e := range t.AttributeTypes() {
			w.n += len(name)
			w.typ(e, depth-1)
		}
	}
}

// Marks returns the marks of a value and of its parts. It looks at the first parts only, up to most.
func Marks(v cty.Value, most int) cty.ValueMarks {
	out := cty.ValueMarks{}
	n := 0
	var find func(cty.Value)
	find = func(v cty.Value) {
		n++
		v, marks := v.Unmark()
		maps.Copy(out, marks)
		if !v.IsKnown() || v.IsNull() || !v.CanIterateElements() || v.LengthInt() > most-n {
			return
		}
		for it := v.ElementIterator(); n < most && it.Next(); {
			_, e := it.Element()
			find(e)
		}
	}
	find(v)
	return out
}

// parts counts the parts of a value and the bytes of its texts. It stops counting above most.
func parts(v cty.Value, most int) int {
	n := 0
	count(v, &n, most)
	return n
}

func count(v cty.Value, n *int, most int) {
	*n++
	v, _ = v.Unmark()
	switch t := v.Type(); {
	case !v.IsKnown() || v.IsNull():
		countType(t, n, most)
	case t == cty.Number:
		*n += 16 // what it costs to write or to compare one
	case t == cty.String:
		*n += len(v.AsString())
	case t.IsTupleType() || t.IsObjectType() || t.IsCollectionType():
		if length := v.LengthInt(); length >= most-*n { // an iterator sorts first
			*n = max(*n+length, most)
			return
		} else if t.IsSetType() { // the elements are sorted each time
			*n += 16 * length
		} else if t.IsMapType() || t.IsObjectType() {
			*n += 8 * length
		}
		for it := v.ElementIterator(); *n < most && it.Next(); {
			_, e := it.Element()
			count(e, n, most)
		}
	}
}

// countType counts the parts of the type of a value that is not known.
func countType(t cty.Type, n *int, most int) {
	if *n++; *n >= most {
		return
	}
	switch {
	case t.IsCollectionType():
		countType(t.ElementType(), n, most)
	case t.IsTupleType():
		for _, e := range t.TupleElementTypes() {
			countType(e, n, most)
		}
	case t.IsObjectType():
		for _, e := range t.AttributeTypes() {
			countType(e, n, most)
		}
	}
}
