// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// A Scheme says how the value of a [Hash] is calculated. It is an open set:
// schemes that this package does not know are kept, but never match.
type Scheme string

const (
	// H1 is a hash of the names and contents of all files of a package,
	// whatever their order, compression or mode: the "dirhash" of Go modules.
	// The value is in standard Base64.
	H1 Scheme = "h1"

	// ZH is the SHA-256 of a whole zip file, in lower-case hexadecimal: the
	// number that SHA256SUMS documents have.
	ZH Scheme = "zh"
)

// A Hash is one hash of a package as a dependency lock file has it, such as
// "h1:xULs+l4jrMyt60GIZwYIw7bhbzwK3CkR1JyTboQZesk=".
//
// Hashes are comparable: two are the same if and only if they are ==. That is
// equality of the text, as in OpenTofu; an upper-case zh never matches.
// The zero Hash is not valid and prints as the empty string.
type Hash struct{ text string }

// ParseHash parses a scheme, a colon and a value. As in OpenTofu, the scheme
// is what is before the first colon, at least one byte, and nothing else is
// checked; [Hash.Digest] says whether the value is one. Otherwise the error
// is an [*Error] with the cause [ErrScheme].
func ParseHash(s string) (Hash, error) {
	if strings.IndexByte(s, ':') < 1 {
		return Hash{}, &Error{Input: s, Err: ErrScheme}
	}
	return Hash{s}, nil
}

// MustParseHash is like [ParseHash] but panics if s is not a hash.
// It is for constants and tests.
func MustParseHash(s string) Hash {
	h, err := ParseHash(s)
	if err != nil {
		panic(err)
	}
	return h
}

// NewH1 returns the h1 hash with the given SHA-256.
func NewH1(sum [sha256.Size]byte) Hash {
	return Hash{"h1:" + base64.StdEncoding.EncodeToString(sum[:])}
}

// NewZH returns the zh hash with the given SHA-256.
func NewZH(sum [sha256.Size]byte) Hash {
	return Hash{"zh:" + hex.EncodeToString(sum[:])}
}

// IsValid reports whether h is not the zero Hash.
func (h Hash) IsValid() bool { return h.text != "" }

// Scheme returns what is before the first colon.
func (h Hash) Scheme() Scheme {
	scheme, _, _ := strings.Cut(h.text, ":")
	return Scheme(scheme)
}

// Value returns what is after the first colon. It may be empty.
func (h Hash) Value() string {
	_, value, _ := strings.Cut(h.text, ":")
	return value
}

// Digest returns the SHA-256 that the value stands for. It reports false for
// a scheme other than [H1] and [ZH] and for a value that these never have,
// such as one of the wrong length. Such a hash cannot match anything.
func (h Hash) Digest() (sum [sha256.Size]byte, ok bool) {
	switch h.Scheme() {
	case H1:
		b, err := base64.StdEncoding.Strict().DecodeString(h.Value())
		ok = err == nil && len(b) == len(sum)
		copy(sum[:], b)
		ok = ok && NewH1(sum) == h
	case ZH:
		b, err := hex.DecodeString(h.Value())
		ok = err == nil && len(b) == len(sum)
		copy(sum[:], b)
		ok = ok && NewZH(sum) == h
	}
	if !ok {
		return [sha256.Size]byte{}, false
	}
	return sum, true
}

// Compare orders hashes as lock files do, bytewise by their text: it returns
// -1, 0 or +1.
func (h Hash) Compare(other Hash) int { return strings.Compare(h.text, other.text) }

// String returns the text of h, from which [ParseHash] makes the same hash.
func (h Hash) String() string { return h.text }

// AppendText appends the text of h to b. The error is always nil.
func (h Hash) AppendText(b []byte) ([]byte, error) { return append(b, h.text...), nil }

// MarshalText returns the text of h. The error is always nil.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.text), nil }

// UnmarshalText sets h to what [ParseHash] makes of the text, or to the zero
// Hash if it is empty.
func (h *Hash) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*h = Hash{}
		return nil
	}
	parsed, err := ParseHash(string(text))
	if err != nil {
		return err
	}
	*h = parsed
	return nil
}

// PreferredHashes returns those of hashes that have one of the schemes [H1]
// and [ZH], in the same order. Only these decide whether a package is
// accepted; if there are none, OpenTofu accepts any package, and [Verify]
// says [NotVerifiable].
func PreferredHashes(hashes []Hash) []Hash {
	return slices.DeleteFunc(slices.Clone(hashes), func(h Hash) bool {
		s := h.Scheme()
		return s != H1 && s != ZH
	})
}

// A line of the text that h1 is the hash of: the SHA-256 of one file, and
// its name.
type line struct {
	name string
	sum  [sha256.Size]byte
}

// sumLines calculates h1 from the lines of a package, which it sorts. This is
// the Hash1 function of golang.org/x/mod/sumdb/dirhash: the SHA-256 of what
//
//	sha256sum $(find . -type f | sort)
//
// prints, with names sorted bytewise and without the leading "./".
func sumLines(lines []line) (Hash, error) {
	slices.SortFunc(lines, func(a, b line) int { return strings.Compare(a.name, b.name) })
	h := sha256.New()
	var buf []byte
	for _, l := range lines {
		if strings.Contains(l.name, "\n") {
			return Hash{}, fail("", l.name, ErrNewline)
		}
		buf = hex.AppendEncode(buf[:0], l.sum[:])
		buf = append(buf, "  "...)
		buf = append(buf, l.name...)
		buf = append(buf, '\n')
		h.Write(buf)
	}
	var sum [sha256.Size]byte
	h.Sum(sum[:0])
	return NewH1(sum), nil
}

// schemeList returns the distinct schemes of hashes, for messages.
func schemeList(hashes []Hash) string {
	var schemes []Scheme
	for _, h := range hashes {
		if s := h.Scheme(); !slices.Contains(schemes, s) {
			schemes = append(schemes, s)
		}
	}
	return strings.Trim(fmt.Sprint(schemes), "[]")
}
