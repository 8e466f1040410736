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

// Set changes the locks of the given providers, and adds those that the file
// does not have. Afterwards the file records each Lock exactly. Hashes that
// stay keep their place. New hashes and new blocks go to their sorted places.
// All other lines stay as they are.
//
// Set makes either all changes or none. The errors are [ErrInvalid] (a lock that
// tofu would refuse, or two of one provider), [ErrSyntax] and [ErrLayout].
func (f *File) Set(locks ...Lock) error {
	e := edit{file: f}
	seen, blocks := make(map[addrs.Provider]bool, len(locks)), f.index()
	for _, l := range locks {
		if err := l.check(); err != nil {
			return f.fail(err)
		}
		if seen[l.Provider] {
			return f.fail(invalid("two locks of %s", l.Provider))
		}
		seen[l.Provider] = true
		b := blocks[l.Provider]
		if b == nil {
			e.added = append(e.added, l.normal())
			continue
		}
		c := change{block: b}
		if v := l.Version.String(); b.version != l.Version {
			c.version = &v
		}
		if s := l.Constraints.String(); b.constraints != l.Constraints || s == "" && b.raw.constraints.exists() {
			c.constraints = &s
		}
		c.setExactly(l.Hashes)
		e.changes = append(e.changes, c)
	}
	return e.apply()
}

// SetVersion changes the version of the lock of p and nothing else. A real
// upgrade also changes the hashes; see [Lock.Installed] and [File.Set].
func (f *File) SetVersion(p addrs.Provider, v addrs.Version) error {
	return f.change(p, func(c *change) error {
		s := v.String()
		if s == "" || beyondUint64(s) {
			return invalid("the version %q cannot be locked", s)
		}
		if c.block.version != v {
			c.version = &s
		}
		return nil
	})
}

// AddHashes adds the given hashes that the lock of p does not have yet.
func (f *File) AddHashes(p addrs.Provider, hashes ...Hash) error {
	return f.change(p, func(c *change) error {
		if err := checkHashes(hashes); err != nil {
			return err
		}
		c.keep = func(element) bool { return true }
		c.add = UnionHashes(without(hashes, c.block.Hashes()))
		return nil
	})
}

// Remove removes the locks of the given providers, with the comments in them and on the
// lines directly above them. To keep the version and the comments for another provider, use
// [File.ReplaceProvider]; to keep them without the hashes, use [File.Set]. It returns an error ([ErrNotFound]) if the file
// does not have one of them.
func (f *File) Remove(providers ...addrs.Provider) error {
	e := edit{file: f, removed: make(map[*Block]bool)}
	blocks := f.index()
	gone := make(map[addrs.Provider]bool, len(providers))
	for _, p := range providers {
		if blocks[p] == nil {
			return f.fail(fmt.Errorf("%w %s", ErrNotFound, p))
		}
		gone[p] = true
	}
	for i := range f.blocks {
		if b := &f.blocks[i]; gone[b.addr] {
			e.removed[b] = true
		}
	}
	return e.apply()
}

// ReplaceProvider gives the lock of the provider from to the provider to, and reports whether there was one. The
// version, the constraints, the comments and the place of the block stay. The hashes and the comments
// between the brackets of their list do not, since the packages of another provider are others: "init" installs
// the locked version, or fails if to does not have it, adds the hashes and sorts the blocks.
// Removing the lock instead would make it select the newest version. If the file has a lock of to
// already, that stays as it is, and the lock of from is removed.
func (f *File) ReplaceProvider(from, to addrs.Provider) (replaced bool, err error) {
	blocks := f.index()
	switch b := blocks[from]; {
	case b == nil || from == to:
		return b != nil, nil
	case blocks[to] != nil:
		return true, f.Remove(from)
	}
	if err := (&Lock{Provider: to, Version: blocks[from].version}).check(); err != nil {
		return false, f.fail(err)
	}
	after := *f
	err = after.change(from, func(c *change) error {
		c.keep = func(element) bool { return false }
		return nil
	})
	if err != nil {
		return false, err
	}
	label := after.index()[from].raw.label
	text := splice(after.text, []patch{{label.start, label.end, quoted(to.String())}})
	renamed := File{filename: f.filename, text: text, disk: f.disk, fresh: f.fresh}
	renamed.parse()
	if renamed.index()[to] == nil {
		return false, f.fail(ErrLayout)
	}
	*f = renamed
	return true, nil
}

// change makes one change to the lock of p.
func (f *File) change(p addrs.Provider, fill func(*change) error) error {
	b := f.Block(p)
	if b == nil {
		return f.fail(fmt.Errorf("%w %s", ErrNotFound, p))
	}
	c := change{block: b}
	if err := fill(&c); err != nil {
		return f.fail(err)
	}
	e := edit{file: f, changes: []change{c}}
	return e.apply()
}

// setExactly sets the hashes of the block to hashes.
func (c *change) setExactly(hashes []Hash) {
	want := setOf(hashes)
	c.keep = func(e element) bool { return !e.bad && want[Hash(e.value)] }
	c.add = UnionHashes(without(hashes, c.block.Hashes()))
	if len(hashes) == 0 && !c.block.raw.hashes.exists() {
		c.keep = nil
	}
}

func (f *File) fail(err error) error { return &Error{Filename: f.filename, Err: err} }

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrInvalid, fmt.Sprintf(format, args...))
}

// An edit has all changes that are made to a file at once.
type edit struct {
	file    *File
	changes []change
	added   Locks
	removed map[*Block]bool
}

// apply makes the edit. HCL has more ways to lay out a block than the patches
// foresee. So apply parses the new text first, and keeps it only if it means
// what was asked for.
func (e *edit) apply() error {
	f := e.file
	if f.broken {
		return f.fail(fmt.Errorf("it cannot be edited: %w", ErrSyntax))
	}
	for _, whole := range []bool{false, true} {
		patches, ok := e.patches(whole)
		if !ok {
			continue
		}
		text := splice(f.text, patches)
		if len(text) > MaxSize {
			return f.fail(ErrLimit)
		}
		if text == f.text {
			return nil
		}
		after := File{filename: f.filename, text: text, disk: f.disk, fresh: f.fresh}
		after.parse()
		if e.isDone(&after) {
			*f = after
			return nil
		}
	}
	return f.fail(ErrLayout)
}

// patches returns the patches of the edit. If whole is set, it rewrites lists
// of hashes, which works in any layout.
func (e *edit) patches(whole bool) (out []patch, ok bool) {
	for i := range e.changes {
		e.changes[i].whole = whole
		patches, ok := e.changes[i].patches()
		if !ok {
			return nil, false
		}
		out = append(out, patches...)
	}
	sort.Slice(e.added, func(i, j int) bool { return e.added[i].Provider.Compare(e.added[j].Provider) < 0 })
	var sorted []*Block
	if len(e.added) > 0 {
		sorted = e.file.sorted()
	}
	for i, l := range e.added {
		p, ok := e.file.insertion(l, sorted, i == 0)
		if !ok {
			return nil, false
		}
		out = append(out, p)
	}
	for b := range e.removed {
		p, ok := e.file.removal(b)
		if !ok {
			return nil, false
		}
		out = append(out, p)
	}
	return out, true
}

// sorted returns the blocks with a valid provider, sorted by provider.
// Duplicates stay in their order.
func (f *File) sorted() []*Block {
	blocks := slices.DeleteFunc(f.Blocks(), func(b *Block) bool { return !b.addr.IsValid() })
	slices.SortStableFunc(blocks, func(a, b *Block) int { return a.addr.Compare(b.addr) })
	return blocks
}

// insertion returns the patch that adds a block for l: after the block of the
// greatest provider that is smaller, otherwise before the first block. sorted
// has the blocks in order; first reports whether this is the first of several
// insertions.
func (f *File) insertion(l Lock, sorted []*Block, first bool) (patch, bool) {
	eol := lineBreak(f.text)
	block := string(appendBlock(nil, l, eol))
	var after *Block
	n, _ := slices.BinarySearchFunc(sorted, l.Provider, func(b *Block, p addrs.Provider) int { return b.addr.Compare(p) })
	if n > 0 {
		after = sorted[n-1]
	}
	switch {
	case after != nil:
		next, ok := endsLine(f.text, after.raw.close+1)
		if next == len(f.text) && !strings.HasSuffix(f.text, "\n") {
			return patch{next, next, eol + eol + block}, ok
		}
		return patch{next, next, eol + block + eol}, ok
	case len(f.blocks) > 0:
		at := leadStart(f.text, f.blocks[0].raw.typ.start)
		if first && at > 0 && !endsInEmptyLine(f.text[:at]) {
			block = eol + block
		}
		return patch{at, at, block + eol + eol}, true
	}
	at := len(f.text)
	switch {
	case !first || at == 0 || endsInEmptyLine(f.text):
		if !first {
			block = eol + block
		}
		return patch{at, at, block + eol}, true
	case strings.HasSuffix(f.text, "\n"):
		return patch{at, at, eol + block + eol}, true
	}
	return patch{at, at, eol + eol + block + eol}, true
}

// endsInEmptyLine reports whether text ends after an empty line, or is empty.
func endsInEmptyLine(text string) bool {
	text = strings.TrimPrefix(text, byteOrderMark)
	if text == "" {
		return true
	}
	if !strings.HasSuffix(text, "\n") {
		return false
	}
	return strings.TrimSpace(text[lineStart(text, len(text)-1):]) == ""
}

// removal returns the patch that removes b, with one empty line before or after
// it.
func (f *File) removal(b *Block) (patch, bool) {
	start := leadStart(f.text, b.raw.typ.start)
	next, ok := endsLine(f.text, b.raw.close+1)
	ok = ok && !strings.Contains(f.text[lineStart(f.text, b.raw.typ.start):b.raw.typ.start], "*/")
	if above := strings.TrimPrefix(f.text[:start], byteOrderMark); above != "" && endsInEmptyLine(above) {
		start = lineStart(f.text, start-1)
	} else if end, after := lineEnd(f.text, next); end < after && strings.TrimSpace(f.text[next:after]) == "" {
		next = after
	}
	if next == len(f.text) && !strings.HasSuffix(f.text, "\n") {
		// The file has no newline at its end, and must not get one.
		start = len(strings.TrimSuffix(strings.TrimSuffix(f.text[:start], "\n"), "\r"))
	}
	return patch{start, next, ""}, ok
}

// isDone reports whether after is the file with the edit made: every other
// block has its old text, in the old order.
func (e *edit) isDone(after *File) bool {
	if after.broken {
		return false
	}
	added := e.added.byProvider()
	changed := make(map[*Block]*change, len(e.changes))
	for i := range e.changes {
		changed[e.changes[i].block] = &e.changes[i]
	}
	blocks := after.blocks
	for i := range e.file.blocks {
		old := &e.file.blocks[i]
		if e.removed[old] {
			continue
		}
		for len(blocks) > 0 {
			l, ok := added[blocks[0].addr]
			if !ok {
				break
			}
			if !blocks[0].Lock().Equal(l) {
				return false
			}
			delete(added, l.Provider)
			blocks = blocks[1:]
		}
		if len(blocks) == 0 {
			return false
		}
		now := &blocks[0]
		blocks = blocks[1:]
		if c := changed[old]; c != nil {
			if !c.isDone(now) {
				return false
			}
		} else if now.Text() != old.Text() {
			return false
		}
	}
	for i := range blocks {
		if l, ok := added[blocks[i].addr]; !ok || !blocks[i].Lock().Equal(l) {
			return false
		}
		delete(added, blocks[i].addr)
	}
	return len(added) == 0
}

// isDone reports whether now is the block of c with the change made.
func (c *change) isDone(now *Block) bool {
	old := c.block
	version, constraints := old.raw.version.value, old.raw.constraints.value
	if c.version != nil {
		version = *c.version
	}
	if c.constraints != nil {
		constraints = *c.constraints
	}
	var hashes, nowHashes []Hash
	for _, e := range old.raw.elements {
		if c.keep == nil || c.keep(e) {
			hashes = append(hashes, Hash(e.value))
		}
	}
	for _, e := range now.raw.elements {
		nowHashes = append(nowHashes, Hash(e.value))
	}
	return now.addr == old.addr && now.raw.version.value == version && now.raw.constraints.value == constraints &&
		slices.Equal(UnionHashes(hashes, c.add), UnionHashes(nowHashes))
}
