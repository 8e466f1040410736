// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package findings

import (
	"os"
	"path"
	"path/filepath"
)

// inRepository returns the name of a file from the root of the repository that it is in. If
// it is in none, the name stays.
func (r *Report) inRepository(name string) string {
	dir := path.Dir(name)
	place, ok := r.places[dir]
	if !ok {
		abs := filepath.FromSlash(dir)
		if !filepath.IsAbs(abs) {
			abs = filepath.Join(r.Dir, abs)
		}
		if place, ok = placeInRepository(abs); !ok {
			place = dir
		}
		if r.places == nil {
			r.places = map[string]string{}
		}
		r.places[dir] = place
	}
	return path.Join(place, path.Base(name))
}

// placeInRepository returns the path from the root of the repository to a directory that is
// in it.
func placeInRepository(dir string) (string, bool) {
	root, ok := Repository(dir)
	if !ok {
		return "", false
	}
	rel, err := filepath.Rel(root, dir)
	return filepath.ToSlash(rel), err == nil
}

// Repository returns the root of the repository that a directory is in: the directory above it, or
// itself, that contains .git.
func Repository(dir string) (root string, ok bool) {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
			return at, true
		}
		if filepath.Dir(at) == at {
			return "", false
		}
	}
}
