// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
)

// A Block is a provider block of a [File], as it was when the File was asked
// for it. It does not change, and may be used by several goroutines.
//
// A value that tofu refuses is the zero value; the raw texts and the ranges are
// there all the same. The range of an absent part is the zero Range.
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
func (b *Block) Provider() addrs.Provider { return b.addr }

// Version returns the selected version.
func (b *Block) Version() addrs.Version { return b.version }

// Constraints returns the recorded constraints.
func (b *Block) Constraints() addrs.Constraints { return b.constraints }

// Hashes returns the hashes in the order of the file, duplicates included, and
// without those that have no scheme. The caller owns the result.
func (b *Block) Hashes() []Hash {
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

// Lock returns what b records, as a plain value.
func (b *Block) Lock() Lock {
	return Lock{b.addr, b.version, b.constraints, b.Hashes()}
}

// IsDuplicate reports whether an earlier block locks the same provider, so that
// tofu refuses this one.
func (b *Block) IsDuplicate() bool { return b.duplicate }

// Label returns the label as it is written, with escapes decoded.
func (b *Block) Label() string { return b.raw.labelText }

// VersionText returns the version as it is written (evaluated, if it is an
// expression), valid or not.
func (b *Block) VersionText() string { return b.raw.version.value }

// ConstraintsText returns the constraints as they are written (evaluated, if
// they are an expression), valid or not.
func (b *Block) ConstraintsText() string { return b.raw.constraints.value }

// Text returns the text of b from the block type to the closing brace.
func (b *Block) Text() string {
	s := b.raw.whole()
	return b.text[s.start:s.end]
}

func (b *Block) rangeOf(s span) Range { return rangeFrom(b.filename, b.text, b.at, s) }

// Range returns the range of the block, from its type to its closing brace.
func (b *Block) Range() Range { return b.rangeOf(b.raw.whole()) }

// HeaderRange returns the range of the type and the label.
func (b *Block) HeaderRange() Range {
	return b.rangeOf(span{b.raw.typ.start, b.raw.label.end})
}

// TypeRange returns the range of the word "provider".
func (b *Block) TypeRange() Range { return b.rangeOf(b.raw.typ) }

// LabelRange returns the range of the label with its quotes.
func (b *Block) LabelRange() Range { return b.rangeOf(b.raw.label) }

// VersionRange returns the range of the value of "version".
func (b *Block) VersionRange() Range { return b.rangeOf(b.raw.version.expr) }

// ConstraintsRange returns the range of the value of "constraints".
func (b *Block) ConstraintsRange() Range { return b.rangeOf(b.raw.constraints.expr) }

// HashesRange returns the range of the list of hashes, with its brackets.
func (b *Block) HashesRange() Range { return b.rangeOf(b.raw.hashes.expr) }

// HashRange returns the range of the first element that is h, with its quotes.
func (b *Block) HashRange(h Hash) Range {
	for i := range b.raw.elements {
		if e := &b.raw.elements[i]; !e.bad && Hash(e.value) == h {
			return b.rangeOf(e.expr)
		}
	}
	return Range{}
}

// A Comment is a comment of a lock file.
type Comment struct {
	Text  string // with its marks, without the end of its line
	Range Range
	Hash  Hash // the element on whose line it stands, or ""
}

// LeadComments returns the comments on the lines directly above b. They belong
// to b and go with it when it is removed. Comments that begin on the first line
// of the file are its heading and belong to no block.
func (b *Block) LeadComments() []Comment {
	return b.comments(leadStart(b.text, b.raw.typ.start), b.raw.typ.start, nil)
}

// Comments returns the comments between the braces of b, and after the closing
// one on its line. Comments inside of an expression other than the list of
// hashes are left out.
func (b *Block) Comments() []Comment {
	var out []Comment
	at := b.raw.open + 1
	for at <= b.raw.close {
		// Between comments there are only attributes and punctuation.
		var next *attribute
		for _, a := range []*attribute{&b.raw.version, &b.raw.constraints, &b.raw.hashes} {
			if a.exists() && a.name.start >= at && (next == nil || a.name.start < next.name.start) {
				next = a
			}
		}
		if next == nil {
			break
		}
		out = append(out, b.comments(at, next.name.start, nil)...)
		out = append(out, b.comments(next.name.end, next.expr.start, nil)...)
		if next == &b.raw.hashes && len(b.raw.elements) > 0 {
			at = next.expr.start + 1
			for i := range b.raw.elements {
				e := &b.raw.elements[i]
				out = append(out, b.comments(at, e.expr.start, b.elementBefore(i))...)
				at = e.expr.end
			}
			out = append(out, b.comments(at, next.expr.end, b.elementBefore(len(b.raw.elements)))...)
		}
		at = max(at, next.expr.end)
	}
	out = append(out, b.comments(at, b.raw.close, nil)...)
	end, _ := lineEnd(b.text, b.raw.close+1)
	return append(out, b.comments(b.raw.close+1, end, nil)...)
}

func (b *Block) elementBefore(i int) *element {
	if i == 0 {
		return nil
	}
	return &b.raw.elements[i-1]
}

// comments returns the comments in the part of the text that has nothing but
// trivia and punctuation. A comment on the line of the element before it
// belongs to that.
func (b *Block) comments(start, end int, before *element) []Comment {
	var out []Comment
	for i := start; i < end; {
		n := commentLen(b.text[i:end])
		if n == 0 {
			i++
			continue
		}
		text := strings.TrimRight(b.text[i:i+n], "\r\n")
		c := Comment{Text: text, Range: rangeFrom(b.filename, b.text, anchor{0, 1}, span{i, i + len(text)})}
		if before != nil && !strings.Contains(b.text[before.expr.end:i], "\n") {
			c.Hash = Hash(before.value)
		}
		out = append(out, c)
		i += n
	}
	return out
}
