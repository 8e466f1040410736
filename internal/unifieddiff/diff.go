// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package unifieddiff writes the difference between two texts as "diff -u" does.
package unifieddiff

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Write writes the difference between two texts of the file at path, for patch -p1 and git apply. It
// writes nothing if they are equal.
func Write(w io.Writer, path, before, after string) error {
	path = strings.TrimPrefix(filepath.ToSlash(path), "/")
	text := diff.Diff("a/"+path, []byte(before), "b/"+path, []byte(after))
	_, text, _ = bytes.Cut(text, []byte("\n")) // the command diff
	_, err := w.Write(text)
	return err
}
