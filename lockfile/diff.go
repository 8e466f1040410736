// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
)

// A ChangeKind says what happened to a lock.
// Its values include [ChangeAdded], [ChangeRemoved] and [ChangeUpgraded].
type ChangeKind string

const (
	ChangeAdded      ChangeKind = "added"      // only the new file has a lock
	ChangeRemoved    ChangeKind = "removed"    // only the old file has a lock
	ChangeUpgraded   ChangeKind = "upgraded"   // to a newer version
	ChangeDowngraded ChangeKind = "downgraded" // to an older version
	ChangeUpdated    ChangeKind = "updated"    // same version, other hashes or constraints
)

// A Change is the difference between two locks of one provider.
type Change struct {
	Provider addrs.Provider // the same in Old and New
	Kind     ChangeKind     // follows from the rest
	Old, New *Lock          // nil if there is none

	// Gained and Lost are the hashes that only New and only Old have, sorted.
	// After a change of the version, these are normally all hashes.
	Gained, Lost []Hash
}

// Changes are the differences between two sets of locks, sorted by provider.
type Changes []Change

// Diff compares two sets of locks. It ignores the order of locks and of hashes,
// and duplicate hashes.
func Diff(old, new Locks) Changes {
	olds, news := old.byProvider(), new.byProvider()
	all := maps.Clone(olds)
	maps.Copy(all, news)
	var changes Changes
	for _, p := range providersOf(all) {
		c := Change{Provider: p, Old: find(olds, p), New: find(news, p)}
		var oldHashes, newHashes []Hash
		if c.Old != nil {
			oldHashes = c.Old.Hashes
		}
		if c.New != nil {
			newHashes = c.New.Hashes
		}
		c.Gained, c.Lost = UnionHashes(without(newHashes, oldHashes)), UnionHashes(without(oldHashes, newHashes))
		switch {
		case c.Old == nil:
			c.Kind = ChangeAdded
		case c.New == nil:
			c.Kind = ChangeRemoved
		case c.Old.Version.Compare(c.New.Version) < 0:
			c.Kind = ChangeUpgraded
		case c.Old.Version != c.New.Version:
			c.Kind = ChangeDowngraded
		case c.Old.Constraints != c.New.Constraints || len(c.Gained)+len(c.Lost) > 0:
			c.Kind = ChangeUpdated
		default:
			continue
		}
		changes = append(changes, c)
	}
	return changes
}

// Selections reports whether other providers or other versions are selected.
// "tofu init -lockfile=readonly" refuses such changes; it only warns about new
// hashes.
func (c Changes) Selections() bool {
	return slices.ContainsFunc(c, func(c Change) bool { return c.Kind != ChangeUpdated })
}

// Hashes reports whether a lock gained or lost hashes.
func (c Changes) Hashes() bool {
	return slices.ContainsFunc(c, func(c Change) bool { return len(c.Gained)+len(c.Lost) > 0 })
}

// Lost returns the changes that lost hashes while the version is still the
// same. "tofu init" may now fail on a platform on which it worked before.
func (c Changes) Lost() Changes {
	var lost Changes
	for _, change := range c {
		if change.Kind == ChangeUpdated && len(change.Lost) > 0 {
			lost = append(lost, change)
		}
	}
	return lost
}

// String returns all changes as text for people. Every line ends in a newline.
func (c Changes) String() string {
	var b strings.Builder
	for _, change := range c {
		b.WriteString(change.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// String returns the change as text for people: a line that begins with +, - or
// ~. For a lock with the same version, a line for each hash follows. The zero
// Change gives the empty string.
func (c Change) String() string {
	if c.Old == nil && c.New == nil {
		return ""
	}
	old, new := orZero(c.Old), orZero(c.New)
	var b strings.Builder
	switch c.Kind {
	case ChangeAdded:
		fmt.Fprintf(&b, "+ %s %s%s, %s", c.Provider, new.Version, inParentheses(new.Constraints), count(c.Gained))
	case ChangeRemoved:
		fmt.Fprintf(&b, "- %s %s%s, %s", c.Provider, old.Version, inParentheses(old.Constraints), count(c.Lost))
	case ChangeUpdated:
		fmt.Fprintf(&b, "~ %s %s", c.Provider, new.Version)
		writeConstraints(&b, old, new)
		for _, h := range c.Gained {
			fmt.Fprintf(&b, "\n    + %s", h)
		}
		for _, h := range c.Lost {
			fmt.Fprintf(&b, "\n    - %s", h)
		}
	default:
		fmt.Fprintf(&b, "~ %s %s -> %s (%s), %s for %s", c.Provider, old.Version, new.Version, c.Kind, count(c.Gained), count(c.Lost))
		writeConstraints(&b, old, new)
	}
	return b.String()
}

// orZero returns *l, or the zero Lock if l is nil.
func orZero(l *Lock) Lock {
	if l == nil {
		return Lock{}
	}
	return *l
}

func writeConstraints(b *strings.Builder, old, new Lock) {
	if old.Constraints != new.Constraints {
		fmt.Fprintf(b, "\n    constraints %q -> %q", old.Constraints, new.Constraints)
	}
}

func inParentheses(c addrs.Constraints) string {
	if c.IsEmpty() {
		return ""
	}
	return " (" + c.String() + ")"
}

func count(hashes []Hash) string {
	if len(hashes) == 1 {
		return "1 hash"
	}
	return fmt.Sprintf("%d hashes", len(hashes))
}
