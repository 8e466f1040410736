// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"fmt"
	"maps"

	"github.com/tofuwire/tofuwire/addrs"
)

// A Conflict is a provider that two sides locked in ways that cannot be merged.
type Conflict struct {
	Provider addrs.Provider // the same in all locks

	// The lock on each side. nil means that the side has no lock: it removed
	// the lock, or, for Base, both sides added one.
	Base, Ours, Theirs *Lock
}

// String names both sides in one line.
func (c Conflict) String() string {
	return fmt.Sprintf("%s: %s", c.Provider, c.sides())
}

func (c Conflict) sides() string {
	if c.Ours != nil && c.Theirs != nil && c.Ours.Version == c.Theirs.Version {
		return fmt.Sprintf("ours has the constraints %q, theirs %q", c.Ours.Constraints, c.Theirs.Constraints)
	}
	return "ours has " + versionOrNone(c.Ours) + ", theirs " + versionOrNone(c.Theirs)
}

func versionOrNone(l *Lock) string {
	if l == nil {
		return "no lock"
	}
	return "version " + l.Version.String()
}

// Merge merges two sets of locks that have the same base. For each provider:
//
//   - If one side has the version of the base, the version of the other side is taken, or
//     its removal.
//   - If both sides have the same version, the hashes are the union of both
//     sides. A hash that one side lost comes back: nearly always, it was lost by
//     a tool that knew fewer platforms. Constraints come from the side that
//     changed them.
//   - Anything else is a conflict: two different new versions, a new version
//     against a removal, or two different new constraints of one version.
//
// The result is sorted as tofu sorts. Where there is a conflict, it has our version and
// constraints, or no lock if we removed it. A nil base has no locks: a lock that only one
// side has was therefore added by that side.
func Merge(base, ours, theirs Locks) (Locks, []Conflict) {
	bases, oursBy, theirsBy := base.byProvider(), ours.byProvider(), theirs.byProvider()
	all := maps.Clone(oursBy)
	maps.Copy(all, theirsBy)
	providers := providersOf(all)

	var merged Locks
	var conflicts []Conflict
	for _, p := range providers {
		b, o, t := find(bases, p), find(oursBy, p), find(theirsBy, p)
		result, ok := mergeLock(b, o, t)
		if !ok {
			conflicts = append(conflicts, Conflict{p, b, o, t})
			if result == nil {
				result = o
			}
		}
		if result != nil {
			merged = append(merged, result.normal())
		}
	}
	return merged, conflicts
}

func find(m map[addrs.Provider]Lock, p addrs.Provider) *Lock {
	l, ok := m[p]
	if !ok {
		return nil
	}
	l = l.clone()
	return &l
}

// mergeLock merges the locks of one provider. One of ours and theirs may be
// nil. It reports false if there is a conflict; the lock then has everything
// that could be merged.
func mergeLock(base, ours, theirs *Lock) (*Lock, bool) {
	switch {
	case ours == nil || theirs == nil:
		left := ours
		if left == nil {
			left = theirs
		}
		if base == nil {
			return left, true // added by one side
		}
		return nil, left.Version == base.Version // removed by the other
	case ours.Version == theirs.Version:
		merged := *ours
		merged.Hashes = UnionHashes(ours.Hashes, theirs.Hashes)
		constraints, ok := mergeConstraints(base, ours, theirs)
		merged.Constraints = constraints
		return &merged, ok
	case base == nil:
		return nil, false
	case ours.Version == base.Version:
		return theirs, true
	case theirs.Version == base.Version:
		return ours, true
	}
	return nil, false
}

func mergeConstraints(base, ours, theirs *Lock) (addrs.Constraints, bool) {
	switch {
	case ours.Constraints == theirs.Constraints:
		return ours.Constraints, true
	case base == nil:
		return ours.Constraints, false
	case ours.Constraints == base.Constraints:
		return theirs.Constraints, true
	case theirs.Constraints == base.Constraints:
		return ours.Constraints, true
	}
	return ours.Constraints, false
}

// MergeFiles merges like [Merge] into a copy of ours. It keeps the comments and
// the layout of ours, and touches only the lines that the merge changes. base
// may be nil.
func MergeFiles(base, ours, theirs *File) (*File, []Conflict, error) {
	var baseLocks Locks
	if base != nil {
		baseLocks = base.Locks()
	}
	if ours == nil {
		ours = New(Name, "")
	}
	before := ours.Locks()
	locks, conflicts := Merge(baseLocks, before, theirs.Locks())
	merged := ours.Clone()

	var set Locks
	had, after := before.byProvider(), locks.byProvider()
	for _, l := range locks {
		// A lock that the merge did not change is not set, because its hashes
		// need not be sorted.
		if old, ok := had[l.Provider]; !ok || !old.normal().Equal(l) {
			set = append(set, l)
		}
	}
	var removed []addrs.Provider
	for _, l := range before {
		if _, ok := after[l.Provider]; !ok {
			removed = append(removed, l.Provider)
		}
	}
	if err := merged.Set(set...); err != nil {
		return nil, nil, err
	}
	if err := merged.Remove(removed...); err != nil {
		return nil, nil, err
	}
	return merged, conflicts, nil
}
