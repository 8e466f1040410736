// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"sort"
	"strings"
)

// A patch replaces the bytes from start up to, but not including, end with
// text. All patches of an edit refer to the text before the edit.
type patch struct {
	start, end int
	text       string
}

// splice applies patches to text. If several patches are at one place, the
// earlier one in the list comes first. Removed parts may overlap. Text inserted
// inside a removed part is kept.
func splice(text string, patches []patch) string {
	sort.SliceStable(patches, func(i, j int) bool { return patches[i].start < patches[j].start })
	size := len(text)
	for _, p := range patches {
		size += len(p.text)
	}
	var out strings.Builder
	out.Grow(size)
	at := 0
	for _, p := range patches {
		if p.start > at {
			out.WriteString(text[at:p.start])
		}
		out.WriteString(p.text)
		at = max(at, p.start, p.end)
	}
	out.WriteString(text[at:])
	return out.String()
}

// A change describes the new state of one block. A nil field does not change.
type change struct {
	block       *Block
	version     *string
	constraints *string // "" removes the attribute
	keep        func(element) bool
	add         []Hash // sorted, none of them in the list
	whole       bool   // rewrite the list of hashes instead of patching it
}

// patches returns the patches that make the change. It reports false if the
// layout of the block does not allow it.
func (c *change) patches() ([]patch, bool) {
	b := c.block
	w := blockWriter{text: b.text, raw: b.raw, eol: lineBreak(b.text), ok: true}
	if c.version != nil {
		w.set(&b.raw.version, "version", quoted(*c.version))
	}
	if c.constraints != nil {
		c.setConstraints(&w)
	}
	if c.keep != nil {
		c.setHashes(&w)
	}
	w.finish()
	return w.out, w.ok
}

// The text between the word "version" and its value in canonical form, without
// and with constraints below it.
const (
	versionAlone   = " = "
	versionAligned = "     = "
)

func (c *change) setConstraints(w *blockWriter) {
	a, gap := &c.block.raw.constraints, ""
	switch {
	case *c.constraints == "" && !a.exists():
		return
	case *c.constraints == "":
		w.remove(a)
		gap = versionAlone
	case !a.exists():
		w.set(a, "constraints", quoted(*c.constraints))
		gap = versionAligned
	default:
		w.set(a, "constraints", quoted(*c.constraints))
		return
	}
	// Keep the equals signs aligned if they were as tofu writes them.
	if v := &w.raw.version; v.exists() {
		old := w.text[v.name.end:v.expr.start]
		if old != gap && (old == versionAlone || old == versionAligned) {
			w.put(v.name.end, v.expr.start, gap)
		}
	}
}

func (c *change) setHashes(w *blockWriter) {
	a := &c.block.raw.hashes
	var kept []Hash
	removed := false
	for _, e := range c.block.raw.elements {
		if c.keep(e) {
			kept = append(kept, Hash(e.value))
		} else {
			removed = true
		}
	}
	switch {
	case len(kept) == 0 && len(c.add) == 0:
		// An empty list is an error in tofu, so the attribute is removed.
		if a.exists() {
			w.removeList(a)
		}
	case !removed && len(c.add) == 0:
	case !a.exists() || len(c.block.raw.elements) == 0 || c.whole:
		list := c.add
		if c.whole {
			list = UnionHashes(kept, c.add)
		}
		w.set(a, "hashes", string(appendHashes(nil, list, w.indent(), w.eol)))
	default:
		patchList(w, c.block.raw.elements, c.keep, c.add)
	}
}

// A blockWriter collects the patches of one block.
type blockWriter struct {
	text string
	raw  *rawBlock
	eol  string
	out  []patch
	ok   bool

	inserted []string // new attributes of a block on one line
}

func (w *blockWriter) put(start, end int, text string) {
	w.out = append(w.out, patch{start, end, text})
}

// isOneLine reports whether the braces of the block are on one line. HCL allows
// at most one attribute there.
func (w *blockWriter) isOneLine() bool {
	return !strings.Contains(w.text[w.raw.open:w.raw.close], "\n")
}

// indent returns the blanks before the attributes of the block.
func (w *blockWriter) indent() string {
	for _, a := range []*attribute{&w.raw.version, &w.raw.constraints, &w.raw.hashes} {
		if a.exists() && startsLine(w.text, a.name.start) {
			return indentOf(w.text, a.name.start)
		}
	}
	return indentOf(w.text, w.raw.typ.start) + "  "
}

// set replaces the value of a. If a is absent, it adds the attribute on a line
// of its own, in the order version, constraints, hashes.
func (w *blockWriter) set(a *attribute, name, value string) {
	if a.exists() {
		w.put(a.expr.start, a.expr.end, value)
		return
	}
	if name == "version" && w.raw.constraints.exists() {
		name += versionAligned
	} else {
		name += versionAlone
	}
	if w.isOneLine() {
		w.inserted = append(w.inserted, name+value)
		return
	}
	after := w.raw.open + 1
	switch {
	case a == &w.raw.version:
	case a == &w.raw.hashes && w.raw.constraints.exists():
		after = w.raw.constraints.expr.end
	case w.raw.version.exists():
		after = w.raw.version.expr.end
	}
	next, ok := endsLine(w.text, after)
	w.ok = w.ok && ok
	w.put(next, next, w.indent()+name+value+w.eol)
}

// remove deletes the lines of a.
func (w *blockWriter) remove(a *attribute) {
	if w.isOneLine() {
		w.put(a.name.start, skipBlanksFrom(w.text, a.expr.end), "")
		return
	}
	next, ok := endsLine(w.text, a.expr.end)
	w.ok = w.ok && ok && startsLine(w.text, a.name.start)
	w.put(lineStart(w.text, a.name.start), next, "")
}

// removeList deletes the lines of a list. A comment behind it stays, on a line of its own.
func (w *blockWriter) removeList(a *attribute) {
	next, _ := endsLine(w.text, a.expr.end)
	if w.isOneLine() || strings.TrimSpace(w.text[a.expr.end:next]) == "" || !startsLine(w.text, a.name.start) {
		w.remove(a)
		return
	}
	w.put(a.name.start, skipBlanksFrom(w.text, a.expr.end), "")
}

// finish spreads a block over several lines if it was on one line and gets more
// attributes.
func (w *blockWriter) finish() {
	if len(w.inserted) == 0 {
		return
	}
	outer, inner := indentOf(w.text, w.raw.typ.start), w.indent()
	first := skipBlanksFrom(w.text, w.raw.open+1)
	if first < w.raw.close {
		w.put(w.raw.open+1, first, w.eol+inner)
	} else {
		first = w.raw.open + 1
	}
	last := max(first, len(strings.TrimRight(w.text[:w.raw.close], " \t")))
	w.put(last, w.raw.close, w.eol+inner+strings.Join(w.inserted, w.eol+inner)+w.eol+outer)
}
