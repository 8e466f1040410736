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
	files map[string]stamp         // by path
	dirs  map[string][]fs.DirEntry // by path
	terms int                      // of the view
}

// traced returns a view that notes what is read of it.
func (v *view) traced() *view {
	out := *v
	out.trace = &trace{files: map[string]stamp{}, dirs: map[string][]fs.DirEntry{}, terms: v.terms}
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
	for path, entries := range t.dirs {
		now, _ := v.ReadDir(nameOf(path))
		if !slices.EqualFunc(entries, filesOf(now), func(a, b fs.DirEntry) bool { return a.Name() == b.Name() }) {
			return false
		}
	}
	return true
}

// filesOf leaves out the directories: what is in one of them counts where it is read.
func filesOf(entries []fs.DirEntry) []fs.DirEntry {
	return slices.DeleteFunc(slices.Clone(entries), func(e fs.DirEntry) bool { return e.IsDir() })
}
