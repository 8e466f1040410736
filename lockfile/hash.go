// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
)

// A Hash is a package hash as spelled in a lock file, such as "h1:47DEQpj8...".
// Packages checksum and registry have the same type. Hashes of unknown schemes
// are kept and never match a package. They are lost when tofu reinstalls the
// provider.
type Hash = addrs.Hash

// preferredHashes returns the hashes with which tofu verifies packages
// ([addrs.Hash.IsPreferred]), in their order. It does not change the list.
func preferredHashes(hashes []Hash) []Hash {
	var out []Hash
	for _, h := range hashes {
		if h.IsPreferred() {
			out = append(out, h)
		}
	}
	return out
}

// UnionHashes returns the hashes of all lists, sorted as tofu sorts them (by bytes)
// and without duplicates. The lists are not changed.
func UnionHashes(lists ...[]Hash) []Hash {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.Compact(all)
}

// setOf returns hashes as a set.
func setOf(hashes []Hash) map[Hash]bool {
	set := make(map[Hash]bool, len(hashes))
	for _, h := range hashes {
		set[h] = true
	}
	return set
}

// without returns the hashes of a that are not in b, in the order of a.
func without(a, b []Hash) []Hash {
	drop := setOf(b)
	var out []Hash
	for _, h := range a {
		if !drop[h] {
			out = append(out, h)
		}
	}
	return out
}
