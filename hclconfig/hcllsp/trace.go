// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"io/fs"
	"slices"
	"sync"
)

// A trace is what was read of a view to check a module. As long as the same is there, the findings
// are the same. What was read first counts: a file that changes on the disk meanwhile is read as two
// texts, and the findings are of neither.
type trace struct {
	files sync.Map // the stamps of files, by path
	dirs  sync.Map // the names of the files in directories, by path
	terms int      // of the view
}

// traced returns a view that notes what is read of it.
func (v *view) traced() *view {
	out := *v
	out.trace = &trace{terms: v.terms}
	return &out
}

func (t *trace) file(path string, s stamp) {
	if t != nil {
		t.files.LoadOrStore(path, s)
	}
}

func (t *trace) dir(path string, entries []fs.DirEntry) {
	if t != nil {
		t.dirs.LoadOrStore(path, filesOf(entries))
	}
}

// holds reports whether all that was read is the same in a view.
func (t *trace) holds(v *view) bool {
	same := t.terms == v.terms
	t.files.Range(func(path, then any) bool {
		same = same && v.stamp(path.(string)) == then
		return same
	})
	t.dirs.Range(func(path, then any) bool {
		now, _ := v.ReadDir(nameOf(path.(string)))
		same = same && slices.Equal(filesOf(now), then.([]string))
		return same
	})
	return same
}

// filesOf returns the names of files: what is in a directory counts where that is read.
func filesOf(entries []fs.DirEntry) []string {
	var out []string
	for _, e := range entries {
		if !e.IsDir() {
			out = append(out, e.Name())
		}
	}
	return out
}
