// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// SetHeader gives a block another type and other labels, also another number of them.
// Its body and its place stay. In JSON syntax, a block that shares its properties with
// others moves to a property of its own.
func (e *Editor) SetHeader(b *hclconfig.Block, typ string, labels ...string) *Editor {
	start, _, ok := e.placeBlock(b)
	if !ok {
		return e
	}
	if e.f.Syntax() == hclconfig.JSONSyntax {
		e.setHeaderJSON(b, typ, labels)
		return e
	}
	if !hcllex.PlainName(typ) {
		e.failf(b.File(), placeOf(b.TypeRange()), "%q cannot be the type of a block", typ)
		return e
	}
	r, now := e.regionOf(b, start)
	if now == nil {
		return e
	}
	e.rewriteHeader(r, now, typ, labels)
	e.layoutAfter(r, e.opts)
	return e
}

// rewriteHeader writes the header of a block of a region.
func (e *Editor) rewriteHeader(r *region, now *hclconfig.Block, typ string, labels []string) {
	from, to := offsets(placeOf(now.TypeRange()))
	from, to = from+r.start, to+r.start
	pieces := []textPiece{kept(from, to)}
	if now.Type != typ {
		pieces = []textPiece{replaced(from, to, typ)}
	}
	last := to
	for i, label := range labels {
		if i >= len(now.Labels) {
			pieces = append(pieces, added(" "+hcllex.Quote(label)))
			continue
		}
		s, t := offsets(placeOf(now.LabelRange(i)))
		s, t = s+r.start, t+r.start
		pieces = append(pieces, kept(last, s))
		if label == now.Labels[i] {
			pieces = append(pieces, kept(s, t))
		} else {
			pieces = append(pieces, replaced(s, t, hcllex.Quote(label)))
		}
		last = t
	}
	end := last
	if n := len(now.Labels); n > len(labels) {
		end = r.start + int(placeOf(now.LabelRange(n-1)).End)
	}
	e.rewrite(from, end, pieces...)
}

// setHeaderJSON is SetHeader in a JSON file.
func (e *Editor) setHeaderJSON(b *hclconfig.Block, typ string, labels []string) {
	start, end, ok := e.place(b.File(), placeOf(b.Body.Range()))
	if !ok {
		return
	}
	f, err := e.current()
	if err != nil {
		e.fail(b.File(), placeOf(b.TypeRange()), err)
		return
	}
	now, parent := blockAround(f.Body(), textspan.Of(int32(start), int32(end)))
	if now == nil {
		e.failf(b.File(), placeOf(b.TypeRange()), "it was removed by an earlier edit")
		return
	}
	spec := rootOf(e.f)
	if parent != nil {
		spec = specOf(parent)
	}
	block := NewBlock(typ, labels...)
	if _, err := block.inner(spec); err != nil {
		e.fail(b.File(), placeOf(b.TypeRange()), err)
		return
	}
	if len(labels) == len(now.Labels) && e.renameHeaderJSON(now, start, end, typ, labels) {
		e.setMoved(placeInFile{b.File(), placeOf(b.Body.Range())})
		return
	}
	o := e.opts
	o.to, o.into, o.hasInto = e, parent, true
	e.replant(now, e, block, o)
	e.setMoved(placeInFile{b.File(), placeOf(b.Body.Range())})
}

// renameHeaderJSON renames the properties of a block's type and labels where they
// stand. It reports false if other blocks share one that would change, or have the new
// name.
func (e *Editor) renameHeaderJSON(now *hclconfig.Block, start, end int, typ string, labels []string) bool {
	names := append([]string{typ}, labels...)
	old := append([]string{now.Type}, now.Labels...)
	first := 0
	for first < len(names) && names[first] == old[first] {
		first++
	}
	if first == len(names) {
		return true
	}
	at := func(i int) textspan.Span {
		if i == 0 {
			return placeOf(now.TypeRange())
		}
		return placeOf(now.LabelRange(i - 1))
	}
	if !e.d.labelsOnly(int(at(first).End), start, end) || e.hasSibling(int(at(first).Start), names[first]) {
		return false
	}
	if first == 0 && ordered(now.Type) != ordered(typ) {
		return false
	}
	for i := len(names) - 1; i >= first; i-- {
		if names[i] != old[i] {
			s, t := offsets(at(i))
			e.rewrite(s, t, replaced(s, t, jsontree.Quote(names[i])))
		}
	}
	return true
}

// blockAround returns the block whose body is at s, and the block that it is in.
func blockAround(body *hclconfig.Body, s textspan.Span) (found, parent *hclconfig.Block) {
	for i := range body.Blocks {
		b := &body.Blocks[i]
		if placeOf(b.Body.Range()) == s {
			return b, nil
		}
		if in, outer := blockAround(&b.Body, s); in != nil {
			if outer == nil {
				outer = b
			}
			return in, outer
		}
	}
	return nil, nil
}
