// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package comment

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// expand returns the files that patterns name, sorted and each once. A pattern is a file, which may
// be called [prod].json, or "-", or has *, ? and [...] as path.Match has them; ** matches any number of folders. A pattern without
// a file is an error: nothing may look fine because a plan is not there.
func expand(patterns []string) ([]string, error) {
	var files []string
	for _, pattern := range patterns {
		_, err := os.Lstat(pattern)
		if err == nil || pattern == "-" || !strings.ContainsAny(pattern, "*?[") {
			files = append(files, pattern)
			continue
		}
		found, err := glob(pattern)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("no file matches %s", pattern)
		}
		files = append(files, found...)
	}
	var once []string
	for _, name := range files {
		if !slices.Contains(once, name) {
			once = append(once, name)
		}
	}
	return once, nil
}

// glob returns the files that match a pattern.
func glob(pattern string) ([]string, error) {
	pattern = filepath.ToSlash(pattern)
	steps := strings.Split(pattern, "/")
	n := 0 // of steps that are plain
	for n < len(steps)-1 && !strings.ContainsAny(steps[n], `*?[\`) {
		n++
	}
	root := strings.Join(steps[:n], "/")
	switch {
	case n == 0:
		root = "."
	case root == "":
		root = "/"
	}
	for _, step := range steps[n:] {
		if _, err := path.Match(step, ""); err != nil {
			return nil, fmt.Errorf("%s: %w", pattern, err)
		}
	}
	var found []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if !slices.Contains(steps[n:], "**") && name != "." && strings.Count(name, "/")+1 >= len(steps)-n {
				return fs.SkipDir
			}
		case matches(steps[n:], strings.Split(name, "/")):
			found = append(found, filepath.FromSlash(path.Join(root, name)))
		}
		return nil
	})
	slices.Sort(found)
	return found, err
}

// matches reports whether the steps of a name match those of a pattern.
func matches(pattern, name []string) bool {
	switch {
	case len(pattern) == 0:
		return len(name) == 0
	case pattern[0] == "**":
		return matches(pattern[1:], name) || len(name) > 0 && matches(pattern, name[1:])
	case len(name) == 0:
		return false
	}
	ok, _ := path.Match(pattern[0], name[0])
	return ok && matches(pattern[1:], name[1:])
}
