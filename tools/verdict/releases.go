// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/tofuwire/tofuwire/internal/testing/releases"
)

// recordReleases runs programs on the configurations of files in the form of package
// releases, and writes their verdicts into them.
func recordReleases(t tools, files []string) error {
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		list, err := releases.Parse(string(src))
		if err != nil {
			return err
		}
		for tool, path := range t {
			if err := tryReleases(tool, path, list); err != nil {
				return err
			}
		}
		if err := os.WriteFile(name, []byte(releases.Format(list)), 0o666); err != nil {
			return err
		}
	}
	return nil
}

func tryReleases(tool, path string, list []*releases.Configuration) error {
	var group sync.WaitGroup
	var mu sync.Mutex
	var failed error
	next := make(chan *releases.Configuration)
	for range 2 {
		group.Go(func() {
			for c := range next {
				found, ok, err := tryOne(path, c)
				mu.Lock()
				if err != nil {
					failed = err
				} else if ok {
					c.Verdicts[tool] = found
				}
				mu.Unlock()
			}
		})
	}
	for _, c := range list {
		delete(c.Verdicts, tool)
		next <- c
	}
	close(next)
	group.Wait()
	return failed
}

// tryOne returns what a program says of a configuration, and whether it could say
// anything. Where it only says that something is not installed, it could not.
func tryOne(path string, c *releases.Configuration) ([]string, bool, error) {
	dir, err := (&Case{Files: c.Files}).write()
	if err != nil {
		return nil, false, err
	}
	defer os.RemoveAll(dir)
	found, err := runValidate(path, dir)
	if err != nil {
		return nil, false, nil
	}
	if isAbsent(found) {
		if f, ok := validate(path, dir); ok {
			found = f
		} else if !slices.ContainsFunc(f, func(f Finding) bool { return strings.HasSuffix(f.Summary, "Core version") }) {
			return nil, false, nil
		}
	}
	out := []string{}
	for _, f := range found {
		if strings.HasPrefix(f.Summary, "Cycle: ") {
			f.Summary = "Cycle:" // the order of the names is by chance
		}
		if f.At == "" {
			f.At = "-"
		}
		out = append(out, f.Severity+" "+f.At+" "+f.Summary)
	}
	slices.Sort(out)
	return slices.Compact(out), true, nil
}
