// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/findings"
)

// checkGlob returns an error for what is not a pattern.
func checkGlob(pattern string) error {
	if _, err := path.Match(pattern, ""); err != nil || pattern == "" {
		return fmt.Errorf("%q is not a pattern of files", pattern)
	}
	return nil
}

// matchGlob reports whether a path matches a pattern: ** matches any number of folders.
func matchGlob(pattern, name string) bool {
	return matchSteps(strings.Split(path.Clean(filepath.ToSlash(pattern)), "/"), strings.Split(name, "/"))
}

func matchSteps(pattern, name []string) bool {
	for len(pattern) > 0 && pattern[0] != "**" {
		if len(name) == 0 {
			return false
		}
		if ok, _ := path.Match(pattern[0], name[0]); !ok {
			return false
		}
		pattern, name = pattern[1:], name[1:]
	}
	if len(pattern) == 0 {
		return len(name) == 0
	}
	for len(pattern) > 1 && pattern[1] == "**" { // which means the same
		pattern = pattern[1:]
	}
	for i := range len(name) + 1 {
		if matchSteps(pattern[1:], name[i:]) {
			return true
		}
	}
	return false
}

// isKept reports whether -filter keeps the findings of a file.
func (c *command) isKept(name string) bool {
	return c.filter == nil || slices.ContainsFunc(c.filter, func(pattern string) bool { return matchGlob(pattern, name) })
}

// isExcluded reports whether -exclude leaves out a directory below DIR/..., and remembers the
// patterns that match.
func (c *command) isExcluded(dir string) bool {
	excluded := false
	for _, pattern := range c.exclude {
		if matchGlob(pattern, c.shown(dir)) {
			c.matched[pattern] = true
			excluded = true
		}
	}
	return excluded
}

// matches remembers the patterns of -filter that match a file that was read.
func (s *session) matches(t *target, tree *hclnames.Tree) {
	for _, pattern := range s.filter {
		for m := range tree.All() {
			for _, f := range m.Module.Files {
				if !s.matched[pattern] && matchGlob(pattern, s.shown(filepath.Join(t.root, filepath.FromSlash(f.Filename())))) {
					s.matched[pattern] = true
				}
			}
		}
	}
}

// unmatched returns an error for a pattern that matches nothing: a misspelt one must not look as if
// nothing was found.
func (s *session) unmatched() error {
	for _, pattern := range s.filter {
		if !s.matched[pattern] && len(s.faults) == 0 {
			return fmt.Errorf("-filter %s matches none of the files that were read", pattern)
		}
	}
	for _, pattern := range s.exclude {
		if !s.matched[pattern] {
			return fmt.Errorf("-exclude %s matches no directory", pattern)
		}
	}
	return nil
}

// keepsFix reports whether -filter keeps all files that a fix changes.
func (s *session) keepsFix(t *target, fix Fix) bool {
	for _, f := range planFix(fix).files {
		if !s.isKept(s.shown(filepath.Join(t.root, filepath.FromSlash(f.Filename())))) {
			return false
		}
	}
	return true
}

// fails reports whether a finding is as severe as -fail-on says.
func (c *command) fails(f findings.Finding) bool {
	switch Severity(c.failOn) {
	case Error:
		return f.Severity == string(Error)
	case Warning:
		return f.Severity != string(Notice)
	}
	return true
}
