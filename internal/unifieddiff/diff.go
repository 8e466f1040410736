// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package unifieddiff writes the difference between two texts as "diff -u" does.
package unifieddiff

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Write writes the difference between two texts of the file at path, for patch -p1 and git apply. It
// writes nothing if they are equal.
func Write(w io.Writer, path, before, after string) error {
	path = strings.TrimPrefix(filepath.ToSlash(path), "/")
	text := diff.Diff("a/"+path, []byte(before), "b/"+path, []byte(after))
	_, text, _ = bytes.Cut(text, []byte("\n")) // the command diff
	header := lineLen(text)
	header += lineLen(text[header:]) // the names of the files begin with - and +, too
	_, err := w.Write(append(text[:header:header], shorter(joined(text[header:]))...))
	return err
}

// joined joins hunks that touch, as diff does.
func joined(text []byte) []byte {
	var out []byte
	var last [4]int // the numbers of the open hunk
	at := 0         // where its header is, and how long
	length := 0
	for line := range bytes.Lines(text) {
		var h [4]int
		if n, _ := fmt.Sscanf(string(line), "@@ -%d,%d +%d,%d @@", &h[0], &h[1], &h[2], &h[3]); n == 4 {
			if length > 0 && h[0] == last[0]+last[1] && h[2] == last[2]+last[3] {
				last[1], last[3] = last[1]+h[1], last[3]+h[3]
				header := fmt.Appendf(nil, "@@ -%d,%d +%d,%d @@\n", last[0], last[1], last[2], last[3])
				out = slices.Replace(out, at, at+length, header...)
				length = len(header)
				continue
			}
			last, at, length = h, len(out), len(line)
		}
		out = append(out, line...)
	}
	return out
}
