// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
)

// A Hash is one hash of a package in the form of a dependency lock file, such
// as "h1:xULs+l4jrMyt60GIZwYIw7bhbzwK3CkR1JyTboQZesk=". Packages lockfile and
// registry have the same type. Any text can be converted to a Hash; [Digest]
// reports whether a package can have it.
type Hash = addrs.Hash

// NewH1 returns the h1 hash with the given SHA-256.
func NewH1(sum [sha256.Size]byte) Hash {
	return Hash("h1:" + base64.StdEncoding.EncodeToString(sum[:]))
}

// NewZH returns the zh hash with the given SHA-256.
func NewZH(sum [sha256.Size]byte) Hash {
	return Hash("zh:" + hex.EncodeToString(sum[:]))
}

// Digest returns the SHA-256 in the value of h. It reports false for a scheme
// other than [addrs.SchemeH1] and [addrs.SchemeZH], and for a value that no
// such hash has, such as one of the wrong length. Such a hash cannot match
// anything.
func Digest(h Hash) (sum [sha256.Size]byte, ok bool) {
	switch h.Scheme() {
	case addrs.SchemeH1:
		b, err := base64.StdEncoding.Strict().DecodeString(h.Value())
		ok = err == nil && len(b) == len(sum)
		copy(sum[:], b)
		ok = ok && NewH1(sum) == h
	case addrs.SchemeZH:
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

// A line is one line of the text that h1 hashes: the SHA-256 of one file, and
// its name.
type line struct {
	name string
	sum  [sha256.Size]byte
}

// sumLines sorts the lines of a package and calculates h1 from them. This is
// the Hash1 function of golang.org/x/mod/sumdb/dirhash: the SHA-256 of the text
// that
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
			return "", fail("", l.name, ErrNewline)
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
