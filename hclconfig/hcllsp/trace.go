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
	mu    sync.Mutex
	files map[string]stamp    // by path
	dirs  map[string][]string // the files in them, by path
	terms int                 // of the view
}

// traced returns a view that notes what is read of it.
func (v *view) traced() *view {
	out := *v
	out.trace = &trace{files: map[string]stamp{}, dirs: map[string][]string{}, terms: v.terms}
	return &out
}

func (t *trace) file(path string, s stamp) {
	if t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		if _, again := t.files[path]; !again {
			t.files[path] = s
		}
	}
}

func (t *trace) dir(path string, entries []fs.DirEntry) {
	if t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		if _, again := t.dirs[path]; !again {
			t.dirs[path] = filesOf(entries)
		}
	}
}

// holds reports whether all that was read is the same in a view.
func (t *trace) holds(v *view) bool {
	if t.terms != v.terms {
		return false
	}
	for path, s := range t.files {
		if v.stamp(path) != s {
			return false
		}
	}
	for path, files := range t.dirs {
		if now, _ := v.ReadDir(nameOf(path)); !slices.Equal(files, filesOf(now)) {
			return false
		}
	}
	return true
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
