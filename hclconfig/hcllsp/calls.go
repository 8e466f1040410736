// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"bytes"
	"io/fs"
	"path/filepath"
)

// realPathOf returns the path of an entry of a directory; links to files are read by their name.
func realPathOf(dir string, e fs.DirEntry) string { return filepath.Join(dir, e.Name()) }

// localCalls returns the directories of the local modules that a file calls.
func (v *view) localCalls(p *parsedFile, dir string) []string {
	if !bytes.Contains(p.text, []byte("module")) || !bytes.Contains(p.text, []byte("source")) {
		return nil
	}
	f := p.meaning(v.dialect()).understood
	if f == nil {
		return nil
	}
	var out []string
	for _, c := range f.Config().Calls {
		if c.IsLocal() {
			out = append(out, realPath(osPath(c.LocalDir(nameOf(dir)))))
		}
	}
	return out
}
