// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"maps"
	"slices"
	"sort"

	"github.com/tofuwire/tofuwire/addrs"
)

// A Lock is the record of one provider in a lock file, as a plain value. It has
// the selected version, the constraints in force when it was selected, and the
// hashes of the packages that are accepted. The constraints are for people to
// read; they play no part in later selections.
type Lock struct {
	Provider    addrs.Provider    // whose packages are locked
	Version     addrs.Version     // the zero Version if the file has no valid one
	Constraints addrs.Constraints // the zero Constraints if there are none
	Hashes      []Hash
}

// Equal reports whether l and other have the same provider, version and
// constraints and the same hashes in the same order.
func (l Lock) Equal(other Lock) bool {
	return l.Provider == other.Provider && l.Version == other.Version &&
		l.Constraints == other.Constraints && slices.Equal(l.Hashes, other.Hashes)
}

// clone returns a copy of l that shares nothing with it.
func (l Lock) clone() Lock {
	l.Hashes = slices.Clone(l.Hashes)
	return l
}

// normal returns l as tofu keeps it in memory: with its hashes sorted by bytes
// and without duplicates.
func (l Lock) normal() Lock {
	l.Hashes = UnionHashes(l.Hashes)
	return l
}

// check returns the reason why a lock file cannot hold l, or nil.
func (l Lock) check() error {
	switch {
	case !l.Provider.IsValid():
		return invalid("a lock needs a provider")
	case l.Provider.IsBuiltIn():
		return invalid("%s is built in and cannot be locked", l.Provider)
	case l.Provider.IsLegacy():
		return invalid("%s is a legacy address and cannot be locked", l.Provider)
	case !l.Version.IsValid():
		return invalid("the lock of %s needs a version", l.Provider)
	case beyondUint64(l.Version.String()) || beyondUint64(l.Constraints.String()):
		return invalid("a number in the lock of %s is too large for OpenTofu", l.Provider)
	}
	return checkHashes(l.Hashes)
}

func checkHashes(hashes []Hash) error {
	for _, h := range hashes {
		if !h.IsValid() {
			return invalid("%q is not a hash: it has no scheme", h)
		}
		if !isNormal(string(h)) {
			return invalid("%q is not in the normal form of Unicode, or not UTF-8", h)
		}
	}
	return nil
}

// Locks are the locks of a file, or of one version of a file. A provider occurs
// at most once; if it occurs again, the first lock counts.
type Locks []Lock

// Get returns the lock of p, and reports whether there is one.
func (l Locks) Get(p addrs.Provider) (Lock, bool) {
	for _, lock := range l {
		if lock.Provider == p {
			return lock, true
		}
	}
	return Lock{}, false
}

// Clone returns a copy of l that shares nothing with it.
func (l Locks) Clone() Locks {
	out := slices.Clone(l)
	for i := range out {
		out[i] = out[i].clone()
	}
	return out
}

// Normal returns the locks as tofu writes them: sorted by provider, one for
// each, with their hashes sorted and without duplicates. It does not change l.
func (l Locks) Normal() Locks {
	out := slices.Clone(l)
	sort.SliceStable(out, func(i, j int) bool { return out[i].Provider.Compare(out[j].Provider) < 0 })
	out = slices.CompactFunc(out, func(a, b Lock) bool { return a.Provider == b.Provider })
	for i := range out {
		out[i] = out[i].normal()
	}
	return out
}

// providersOf returns the providers of locks, sorted. This package sorts with package sort: a function
// of slices would be compiled for each type of element.
func providersOf(locks map[addrs.Provider]Lock) []addrs.Provider {
	list := slices.Collect(maps.Keys(locks))
	sort.Slice(list, func(i, j int) bool { return list[i].Compare(list[j]) < 0 })
	return list
}

// byProvider returns the first lock of each provider, by provider.
func (l Locks) byProvider() map[addrs.Provider]Lock {
	m := make(map[addrs.Provider]Lock, len(l))
	for _, lock := range l {
		if _, ok := m[lock.Provider]; !ok {
			m[lock.Provider] = lock
		}
	}
	return m
}
