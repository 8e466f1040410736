// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/binary"
	"math/bits"
	"strings"
)

// An arena makes strings of parts of a text, many to one allocation. Strings
// that repeat, such as modes, types and provider names, are made once.
type arena struct {
	b      strings.Builder // the present chunk; it never grows
	chunk  int             // the size of the last chunk
	made   int             // bytes of all chunks
	recent *[256]string
	spare  *[256]string // to become recent; empty
	many   bool         // many texts are going to follow
}

const (
	minChunk = 256
	maxChunk = 64 << 10
	// Texts up to this size do without the table of recent strings, which
	// would cost more than it saves.
	smallText = 4 << 10
	maxRecent = 64 // bytes of a string that is kept in the table
)

// reset prepares the arena for a text of n bytes, which many others may follow.
// Strings handed out before stay valid.
func (a *arena) reset(n int, many bool) {
	if (n > smallText || many) && a.recent == nil {
		if a.recent, a.spare = a.spare, nil; a.recent == nil {
			a.recent = new([256]string)
		}
	}
	a.many = many
}

// forget gives up all strings.
func (a *arena) forget() {
	spare := a.spare
	if a.recent != nil {
		spare = a.recent
		clear(spare[:])
	}
	*a = arena{spare: spare}
}

// next returns the size of a new chunk.
func (a *arena) next() int {
	if a.many {
		return min(max(2*a.chunk, 4*smallText), maxChunk)
	}
	return max(minChunk, grown(a.chunk, a.made, fewBytes/2, maxChunk))
}

// string returns s as a string.
func (a *arena) string(s []byte) string {
	n := len(s)
	if n == 0 {
		return ""
	}
	if a.recent == nil || n > maxRecent {
		return a.copy(s)
	}
	var w uint64
	if n >= 8 {
		w = binary.LittleEndian.Uint64(s) ^ bits.RotateLeft64(binary.LittleEndian.Uint64(s[n-8:]), 23)
		w ^= uint64(s[n/2]) << 40
	} else {
		w = uint64(s[0]) | uint64(s[n/2])<<8 | uint64(s[n-1])<<16
	}
	p := &a.recent[(w^uint64(n)<<56)*0x9e3779b97f4a7c15>>56]
	if *p != string(s) {
		*p = a.copy(s)
	}
	return *p
}

// copy is string for what is not sought among recent strings. The builder's String does not copy, and what
// has been appended once is never written again.
func (a *arena) copy(s []byte) string {
	if a.b.Cap()-a.b.Len() < len(s) {
		if len(s) > max(a.chunk, minChunk)/4 && !a.many {
			return string(s) // does not deserve to end a chunk
		}
		a.chunk = a.next()
		a.b = strings.Builder{}
		a.b.Grow(max(a.chunk, len(s)))
		a.made += a.b.Cap()
	}
	at := a.b.Len()
	a.b.Write(s)
	return a.b.String()[at:]
}
