// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import "strings"

// A Hash is a hash of a provider package in the form of a dependency lock file:
// a scheme, a colon and a value, such as
// "h1:xULs+l4jrMyt60GIZwYIw7bhbzwK3CkR1JyTboQZesk=".
//
// It is the only hash type of this module: package checksum computes hashes,
// package lockfile records them, and package registry compares them with those
// that a registry states.
//
// A Hash is a plain string, because lock files and servers contain hashes of any kind. Hashes
// of unknown schemes are kept, and match no package. Two hashes are the same if and only if
// they are ==. As in OpenTofu, that compares the texts: an upper-case zh never matches. The
// zero Hash is the empty string.
type Hash string

// A HashScheme says how the value of a [Hash] is calculated. It is an open
// enumeration.
// Its values include [SchemeH1] and [SchemeZH].
type HashScheme string

// The schemes with which OpenTofu verifies packages. It calls them "preferred".
const (
	// SchemeH1 is a hash of the names and contents of all files of a package,
	// zipped or unpacked, whatever their order, compression or mode: the
	// "dirhash" of Go modules. The value is in standard Base64.
	SchemeH1 HashScheme = "h1"

	// SchemeZH is the SHA-256 of a whole zip file, in lower-case hexadecimal,
	// as in SHA256SUMS documents. A directory has no zh.
	SchemeZH HashScheme = "zh"
)

const kindHash = "package hash"

// ParseHash parses a scheme, a colon and a value. As in OpenTofu, the scheme is
// the text before the first colon, at least one byte. Nothing else is checked:
// "h1:" and "x:y" are hashes as well. Digest in package checksum reports
// whether the value is one that a package can have.
func ParseHash(s string) (Hash, error) {
	switch strings.IndexByte(s, ':') {
	case -1:
		return "", faultf(len(s), "a scheme and a colon are missing").as(kindHash, s)
	case 0:
		return "", faultf(0, "the scheme is empty").as(kindHash, s)
	}
	return Hash(s), nil
}

// IsValid reports whether h is a hash by the rules of [ParseHash].
func (h Hash) IsValid() bool { return strings.IndexByte(string(h), ':') > 0 }

// Scheme returns the text before the first colon, or "" without one.
func (h Hash) Scheme() HashScheme {
	if i := strings.IndexByte(string(h), ':'); i >= 0 {
		return HashScheme(h[:i])
	}
	return ""
}

// Value returns the text after the first colon, or "" without one.
func (h Hash) Value() string {
	_, value, _ := strings.Cut(string(h), ":")
	return value
}

// IsPreferred reports whether the scheme of h is [SchemeH1] or [SchemeZH]. Only
// these decide whether a package is accepted; if a lock has none of them,
// OpenTofu accepts any package.
func (h Hash) IsPreferred() bool {
	scheme := h.Scheme()
	return scheme == SchemeH1 || scheme == SchemeZH
}

// Compare returns -1, 0 or +1 in the order of lock files: bytewise by the text.
func (h Hash) Compare(other Hash) int { return strings.Compare(string(h), string(other)) }

// String returns h as a string.
func (h Hash) String() string { return string(h) }

// MarshalText returns h as text. The error is always nil.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h), nil }

// UnmarshalText sets h to the hash that [ParseHash] returns for text.
// An empty text gives the zero Hash.
func (h *Hash) UnmarshalText(text []byte) error { return unmarshal(h, text, ParseHash) }
