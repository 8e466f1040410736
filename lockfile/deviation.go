// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
)

// The kinds of deviations.
const (
	deviationError     = "error"          // tofu refuses the file
	deviationHeader    = "header"         // no header, or that of another tool
	deviationOrder     = "block order"    // a block is not in its place
	deviationHashes    = "hash order"     // a list of hashes is not sorted
	deviationDuplicate = "duplicate hash" // a hash occurs twice in a list
	deviationComment   = "comment"        // a comment that tofu did not write
	deviationLayout    = "layout"         // white space, spelling, order of arguments
)

// A Deviation is a difference between a lock file and its canonical form.
type Deviation struct {
	// Kind is the kind of difference: "error" (the tool refuses the file), "header" (none, or that of another
	// tool), "block order", "hash order", "duplicate hash", "comment" (one that the tool did not write), or
	// "layout" (white space, spelling, order of arguments).
	Kind string

	Detail  string      // a sentence
	Subject addrs.Range // the part that differs, or the start of the file

	// Rewrite is set if the next plain "tofu init" rewrites the file because of
	// this difference, even if it installs nothing new. Other differences stay
	// until something else changes the file, and are lost then.
	Rewrite bool
}

// String returns the deviation in one line, with its place.
func (d Deviation) String() string {
	return d.Subject.String() + ": " + d.Kind + ": " + d.Detail
}

// IsCanonical reports whether the tool would save the text of f unchanged.
func (f *File) IsCanonical(tool addrs.Tool) bool {
	if f == nil {
		return false
	}
	return f.err() == nil && f.text == string(f.Canonical(tool))
}

// Deviations returns the reasons why f is not canonical, or nil if it is. There
// is at least one for every block and part that differs, but not one for every
// byte.
func (f *File) Deviations(tool addrs.Tool) []Deviation {
	if f == nil {
		return nil
	}
	if f.IsCanonical(tool) {
		return nil
	}
	var out []Deviation
	add := func(kind string, subject addrs.Range, format string, args ...any) {
		out = append(out, Deviation{Kind: kind, Detail: fmt.Sprintf(format, args...), Subject: subject})
	}
	for _, d := range f.diags {
		if d.Severity == SeverityError {
			add(deviationError, d.Subject, "%s: %s", d.Summary, d.Detail)
		}
	}
	top := addrs.Range{Filename: f.filename, Start: addrs.Pos{Offset: 0, Line: 1, Column: 1}, End: addrs.Pos{Offset: 0, Line: 1, Column: 1}}
	if has := f.Tool(); has == "" {
		add(deviationHeader, top, "The file does not begin with the header of %q.", command(tool)+" init")
	} else if command(has) != command(tool) {
		add(deviationHeader, top, "The header names %q, not %q.", command(has)+" init", command(tool)+" init")
	}
	switch {
	case strings.HasPrefix(f.text, byteOrderMark):
		add(deviationLayout, top, "The file begins with a byte order mark.")
	case lineBreak(f.text) != "\n":
		add(deviationLayout, top, "Lines end in CR LF.")
	}
	f.blockDeviations(add)
	f.outerComments(add)
	if len(f.text) > 0 && !strings.HasSuffix(f.text, "\n") {
		p := advance(f.text, addrs.Pos{Offset: 0, Line: 1, Column: 1}, len(f.text))
		add(deviationLayout, addrs.Range{Filename: f.filename, Start: p, End: p}, "The last line does not end with a newline.")
	}
	out = append(out, f.Rewrites()...)
	if len(out) == 0 {
		add(deviationLayout, top, "The file has empty lines, or blocks that are not for providers, where tofu has none.")
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Subject.Start.Offset < out[j].Subject.Start.Offset })
	return out
}

// Rewrites returns the reasons why the next plain "tofu init" rewrites the file
// even if it installs nothing new, or nil if it leaves the file alone. Tofu
// sorts the hashes of a lock in memory, and treats the new order as a change.
func (f *File) Rewrites() []Deviation {
	if f == nil {
		return nil
	}
	var out []Deviation
	for i := range f.blocks {
		b := &f.blocks[i]
		hashes := b.Hashes()
		if !b.addr.IsValid() || b.duplicate {
			continue
		}
		if !slices.IsSorted(hashes) {
			out = append(out, Deviation{deviationHashes, fmt.Sprintf("The hashes of %s are not sorted.", b.addr), b.hashesRange(), true})
		}
		seen := make(map[Hash]bool, len(hashes))
		at := addrs.Pos{Offset: int64(b.at.offset), Line: b.at.line, Column: b.at.column}
		for j := range b.raw.elements {
			e := &b.raw.elements[j]
			at = advance(b.text, at, e.expr.start)
			if h := Hash(e.value); !e.bad && seen[h] {
				subject := addrs.Range{Filename: b.filename, Start: at, End: advance(b.text, at, e.expr.end)}
				out = append(out, Deviation{deviationDuplicate, fmt.Sprintf("%s occurs twice.", h), subject, true})
			}
			seen[Hash(e.value)] = true
		}
	}
	return out
}

// blockDeviations finds the blocks that are out of order, and those that tofu
// would write differently.
func (f *File) blockDeviations(add func(string, addrs.Range, string, ...any)) {
	var greatest *Block
	for i := range f.blocks {
		b := &f.blocks[i]
		if !b.addr.IsValid() {
			continue
		}
		if greatest != nil && b.addr.Compare(greatest.addr) < 0 {
			add(deviationOrder, b.headerRange(), "%s comes before %s in tofu's order.", b.addr, greatest.addr)
		} else {
			greatest = b
		}
		comments := slices.Concat(b.LeadComments(), b.Comments())
		for _, c := range comments {
			add(deviationComment, c.Range, "tofu does not keep comments.")
		}
		canonical := string(appendBlock(nil, b.Lock(), lineBreak(f.text)))
		if len(comments) == 0 && b.Text() != canonical {
			add(deviationLayout, b.headerRange(), "The block is not laid out as tofu would lay it out.")
		}
	}
}

// outerComments finds the comments that belong to no block: the heading, unless
// it is that of a tool, and all others between blocks.
func (f *File) outerComments(add func(string, addrs.Range, string, ...any)) {
	w := commentWalk{filename: f.filename, text: f.text, at: addrs.Pos{Offset: 0, Line: 1, Column: 1}}
	at := 0
	if tool := f.Tool(); tool != "" {
		// The header has two lines, whatever they end in.
		for range strings.Count(header(tool), "\n") {
			at += strings.IndexByte(f.text[at:], '\n') + 1
		}
	}
	for i := 0; i <= len(f.blocks); i++ {
		end, next := len(f.text), len(f.text)
		if i < len(f.blocks) {
			b := &f.blocks[i]
			end = leadStart(f.text, b.raw.typ.start)
			next, _ = lineEnd(f.text, b.raw.close+1)
		}
		for at < end {
			if at = skipSpaceFrom(f.text, at); at >= end {
				break
			}
			n := commentLen(f.text[at:end])
			if n == 0 {
				// This is not a comment but a block that is not for a provider.
				// It may have comments inside.
				break
			}
			w.skip(at)
			at += n
			w.to(at, nil)
		}
		at = max(at, next)
	}
	for _, c := range w.found {
		add(deviationComment, c.Range, "tofu does not keep comments.")
	}
}

// skipSpaceFrom returns where the white space at i ends.
func skipSpaceFrom(text string, i int) int {
	for i < len(text) && strings.IndexByte(" \t\r\n", text[i]) >= 0 {
		i++
	}
	return i
}
