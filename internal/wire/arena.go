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
	pace   pace            // of the bytes
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

// forget gives up all strings, after a text of n bytes.
func (a *arena) forget(n int) {
	a.pace.learn(a.b.Cap()-a.b.Len(), n)
	spare := a.spare
	if a.recent != nil {
		spare = a.recent
		clear(spare[:])
	}
	*a = arena{spare: spare, pace: a.pace}
}

// next returns the size of a new chunk at offset i of a text of n bytes.
func (a *arena) next(i, n int) int {
	switch {
	case a.many:
		return min(max(2*a.chunk, 4*smallText), maxChunk)
	case a.chunk == 0 && a.pace.before[1].n == 0: // nothing is known of other texts
		a.pace.from, a.pace.made = i, minChunk
		return minChunk
	case a.chunk == 0:
		return max(minChunk/4, a.pace.next(0, 0, maxChunk, i, n))
	}
	return max(minChunk/4, a.pace.next(max(a.chunk, minChunk), fewBytes/2, maxChunk, i, n))
}

// string returns s as a string, read at offset i of a text of total bytes.
func (a *arena) string(s []byte, i, total int) string {
	n := len(s)
	if n == 0 {
		return ""
	}
	if a.recent == nil || n > maxRecent {
		return a.copy(s, i, total)
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
		*p = a.copy(s, i, total)
	}
	return *p
}

// copy is string for what is not sought among recent strings. The builder's String does not copy, and what
// has been appended once is never written again.
func (a *arena) copy(s []byte, i, total int) string {
	if a.b.Cap()-a.b.Len() < len(s) {
		if len(s) > max(a.chunk, minChunk)/4 {
			return string(s) // does not deserve to end a chunk
		}
		a.chunk = a.next(i, total)
		a.b = strings.Builder{}
		a.b.Grow(max(a.chunk, len(s)))
		a.pace.made += a.b.Cap() - a.chunk
	}
	at := a.b.Len()
	a.b.Write(s)
	return a.b.String()[at:]
}
