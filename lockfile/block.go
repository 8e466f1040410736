// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
)

// A Block is a provider block of a [File], as it was when the File returned it.
// It does not change, and is safe for concurrent use. Only a File makes Blocks;
// the zero Block is not useful.
//
// A value that tofu refuses is the zero value; its raw text and range are still
// available. The range of an absent part is the zero Range.
type Block struct {
	filename    string
	text        string // of the file
	raw         *rawBlock
	at          anchor // of the block
	addr        addrs.Provider
	version     addrs.Version
	constraints addrs.Constraints
	duplicate   bool
}

// Provider returns the provider that b locks, or the zero Provider if the
// label is not a full source address in normal form.
func (b *Block) Provider() addrs.Provider {
	if b == nil || b.raw == nil {
		return addrs.Provider{}
	}
	return b.addr
}

// Version returns the selected version.
func (b *Block) Version() addrs.Version {
	if b == nil || b.raw == nil {
		return addrs.Version{}
	}
	return b.version
}

// Constraints returns the recorded constraints.
func (b *Block) Constraints() addrs.Constraints {
	if b == nil || b.raw == nil {
		return addrs.Constraints{}
	}
	return b.constraints
}

// Hashes returns the hashes in the order of the file, including duplicates but
// not those without a scheme. The caller owns the result.
func (b *Block) Hashes() []Hash {
	if b == nil || b.raw == nil {
		return nil
	}
	var hashes []Hash
	for i := range b.raw.elements {
		if e := &b.raw.elements[i]; !e.bad {
			if hashes == nil {
				hashes = make([]Hash, 0, len(b.raw.elements))
			}
			hashes = append(hashes, Hash(e.value))
		}
	}
	return hashes
}

// Lock returns the record of b as a plain value.
func (b *Block) Lock() Lock {
	if b == nil || b.raw == nil {
		return Lock{}
	}
	return Lock{b.addr, b.version, b.constraints, b.Hashes()}
}

// Label returns the label as written, with escapes decoded.
func (b *Block) Label() string {
	if b == nil || b.raw == nil {
		return ""
	}
	return b.raw.labelText
}

// VersionText returns the version as written (evaluated, if it is an
// expression), valid or not.
func (b *Block) VersionText() string {
	if b == nil || b.raw == nil {
		return ""
	}
	return b.raw.version.value
}

// ConstraintsText returns the constraints as written (evaluated, if they are an
// expression), valid or not.
func (b *Block) ConstraintsText() string {
	if b == nil || b.raw == nil {
		return ""
	}
	return b.raw.constraints.value
}

// Text returns the text of b from the block type to the closing brace.
func (b *Block) Text() string {
	if b == nil || b.raw == nil {
		return ""
	}
	s := b.raw.whole()
	return b.text[s.start:s.end]
}

// rangeOf returns the Range of a part of b, or the zero Range if s is absent.
func (b *Block) rangeOf(s byteRange) addrs.Range {
	if !s.exists() {
		return addrs.Range{}
	}
	limit := max(b.raw.close+1, s.end)
	return addrs.Range{Filename: b.filename, Start: locate(b.text, b.at, limit, s.start), End: locate(b.text, b.at, limit, s.end)}
}

// Range returns the range of the block, from its type to its closing brace.
func (b *Block) Range() addrs.Range {
	if b == nil || b.raw == nil {
		return addrs.Range{}
	}
	return b.rangeOf(b.raw.whole())
}

// headerRange returns the range of the type and the label.
func (b *Block) headerRange() addrs.Range {
	if b == nil || b.raw == nil {
		return addrs.Range{}
	}
	return b.rangeOf(byteRange{b.raw.typ.start, b.raw.label.end})
}

// hashesRange returns the range of the list of hashes, with its brackets.
func (b *Block) hashesRange() addrs.Range {
	if b == nil || b.raw == nil {
		return addrs.Range{}
	}
	return b.rangeOf(b.raw.hashes.expr)
}

// RangeOf returns the range of a part of b: of the value of "version" or "constraints", or of
// the first element of the list of hashes that is the part, with its quotes.
func (b *Block) RangeOf(part string) addrs.Range {
	if b == nil || b.raw == nil {
		return addrs.Range{}
	}
	switch part {
	case "version":
		return b.rangeOf(b.raw.version.expr)
	case "constraints":
		return b.rangeOf(b.raw.constraints.expr)
	}
	for i := range b.raw.elements {
		if e := &b.raw.elements[i]; !e.bad && e.value == part {
			return b.rangeOf(e.expr)
		}
	}
	return addrs.Range{}
}

// A Comment is a comment of a lock file.
type Comment struct {
	Text  string // with its marks, without the end of its line
	Range addrs.Range
	Hash  Hash // the element on the same line, or ""
}

// LeadComments returns the comments on the lines directly above b. They belong
// to b and go with it when it is removed. Comments that begin on the first line
// of the file are its heading and belong to no block.
func (b *Block) LeadComments() []Comment {
	if b == nil || b.raw == nil {
		return nil
	}
	start := leadStart(b.text, b.raw.typ.start)
	line := b.at.line - strings.Count(b.text[start:b.raw.typ.start], "\n")
	w := commentWalk{filename: b.filename, text: b.text, at: addrs.Pos{Offset: int64(start), Line: line, Column: 1}}
	w.to(b.raw.typ.start, nil)
	return w.found
}

// Comments returns the comments between the braces of b, and after the closing
// one on its line. It omits comments inside an expression other than the list
// of hashes.
func (b *Block) Comments() []Comment {
	if b == nil || b.raw == nil {
		return nil
	}
	w := commentWalk{filename: b.filename, text: b.text, at: addrs.Pos{Offset: int64(b.at.offset), Line: b.at.line, Column: b.at.column}}
	w.skip(b.raw.open + 1)
	attributes := []*attribute{&b.raw.version, &b.raw.constraints, &b.raw.hashes}
	attributes = slices.DeleteFunc(attributes, func(a *attribute) bool { return !a.exists() })
	slices.SortFunc(attributes, func(x, y *attribute) int { return x.name.start - y.name.start })
	for _, a := range attributes {
		w.to(a.name.start, nil)
		w.skip(a.name.end)
		w.to(a.expr.start, nil)
		if a == &b.raw.hashes && len(b.raw.elements) > 0 {
			w.skip(a.expr.start + 1)
			var before *element
			for i := range b.raw.elements {
				w.to(b.raw.elements[i].expr.start, before)
				before = &b.raw.elements[i]
				w.skip(before.expr.end)
			}
			w.to(a.expr.end, before)
		}
		w.skip(a.expr.end)
	}
	w.to(b.raw.close, nil)
	end, _ := lineEnd(b.text, b.raw.close+1)
	w.skip(b.raw.close + 1)
	w.to(end, nil)
	return w.found
}

// A commentWalk goes through a text once and collects comments.
type commentWalk struct {
	filename, text string
	at             addrs.Pos
	found          []Comment
}

// skip goes on to end, if that is ahead.
func (w *commentWalk) skip(end int) {
	if end = min(end, len(w.text)); end > int(w.at.Offset) {
		w.at = advance(w.text, w.at, end)
	}
}

// to goes on to end and collects the comments up to there. There must be only
// trivia and punctuation up to end. A comment on the line of the element before
// it belongs to that element.
func (w *commentWalk) to(end int, before *element) {
	for i := int(w.at.Offset); i < end; {
		n := commentLen(w.text[i:end])
		if n == 0 {
			i++
			continue
		}
		w.skip(i)
		c := Comment{Text: strings.TrimRight(w.text[i:i+n], "\r\n"), Range: addrs.Range{Filename: w.filename, Start: w.at, End: w.at}}
		if before != nil && !strings.Contains(w.text[before.expr.end:i], "\n") {
			c.Hash = Hash(before.value)
		} else {
			before = nil
		}
		w.skip(i + len(c.Text))
		c.Range.End = w.at
		w.found = append(w.found, c)
		i += n
		w.skip(i)
	}
}
