// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package recordings

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"path"
	"testing"
)

// TestReleases checks that each file of each archive is accounted for, and that
// the kinds are right as far as a text shows them.
func TestReleases(t *testing.T) {
	releases, err := Releases()
	if err != nil {
		t.Fatal(err)
	}
	kinds := make(map[string]int)
	for _, r := range releases {
		seen := make(map[string]bool)
		for f, err := range r.Files() {
			if err != nil {
				t.Fatal(err)
			}
			if seen[f.Name] {
				t.Errorf("%s: %s comes twice", r, f.Name)
			}
			seen[f.Name] = true
			kinds[f.Kind]++
			switch f.Kind {
			case "", "lock", "ui":
			default:
				if !json.Valid(f.Text) {
					t.Errorf("%s: %s is no %s", r, f.Name, f.Kind)
				}
			}
			for _, local := range []string{"/root/", "/home/", "/tmp/"} {
				if bytes.Contains(f.Text, []byte(local)) {
					t.Errorf("%s: %s names a file of the machine in %s", r, f.Name, local)
				}
			}
		}
		files, err := fs.Glob(r, "*/*.json*")
		if err != nil {
			t.Fatal(err)
		}
		missing := 0
		for _, name := range files {
			if !seen[name] && path.Base(name) != "meta.json" {
				missing++
			}
		}
		if missing > 0 {
			t.Errorf("%s: %d files are of no command", r, missing)
		}
	}
	if len(releases) < 8 {
		t.Errorf("%d releases", len(releases))
	}
	for _, kind := range []string{"plan", "state", "config", "schemas", "functions", "validate", "version", "output", "modules", "workspaces", "state-show", "statefile", "ui", "lock"} {
		if kinds[kind] == 0 {
			t.Errorf("no recording of a %s", kind)
		}
	}
	t.Log(kinds)
}

// TestSize bounds what the archives add to the repository.
func TestSize(t *testing.T) {
	size := int64(0)
	archives, err := archives()
	if err != nil {
		t.Fatal(err)
	}
	names, err := fs.Glob(archives, "releases/*"+Extension)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		info, err := fs.Stat(archives, name)
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	if size > 5<<20 {
		t.Errorf("the archives have %d bytes", size)
	}
}
