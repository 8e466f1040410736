// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"slices"
	"strings"
)

// A Hash is a package hash as a lock file spells it: a scheme, a colon and a
// value, such as "h1:47DEQpj8...". Hashes are equal only if their texts are:
// hexadecimal and base64 are case-sensitive here. Schemes that this package
// does not know are kept, and never match a package.
type Hash string

// The schemes that are used for verification ("preferred" ones). Those of any
// other name are carried along, and lost when tofu reinstalls the provider.
const (
	// SchemeH1 covers the files inside a package, zipped or unpacked.
	SchemeH1 = "h1"
	// SchemeZH is the SHA-256 of the zip file. It cannot be computed for a
	// directory.
	SchemeZH = "zh"
)

// Scheme returns the text before the first colon, or "" if there is none.
func (h Hash) Scheme() string {
	scheme, _, found := strings.Cut(string(h), ":")
	if !found {
		return ""
	}
	return scheme
}

// Value returns the text after the first colon, or "" if there is none.
func (h Hash) Value() string {
	_, value, _ := strings.Cut(string(h), ":")
	return value
}

// IsValid reports whether h has a scheme. Nothing else is asked of a hash:
// tofu loads "h1:" and "x:y" too.
func (h Hash) IsValid() bool { return strings.IndexByte(string(h), ':') > 0 }

// IsPreferred reports whether h has a scheme that tofu verifies packages with.
func (h Hash) IsPreferred() bool {
	return strings.HasPrefix(string(h), SchemeH1+":") || strings.HasPrefix(string(h), SchemeZH+":")
}

// Preferred returns those of hashes that tofu verifies packages with, in their
// order.
func Preferred(hashes []Hash) []Hash {
	var out []Hash
	for _, h := range hashes {
		if h.IsPreferred() {
			out = append(out, h)
		}
	}
	return out
}

// Union returns the hashes of all lists, sorted as tofu sorts them (by bytes)
// and without duplicates. The lists are not changed.
func Union(lists ...[]Hash) []Hash {
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
