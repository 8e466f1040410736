// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package plantest gives the tests of package planjson and its wings what real
// tools printed.
package plantest

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// A Recording is what a real tool printed: testdata/TOOL-VERSION/CASE/FILE.
type Recording struct {
	Name string // TOOL-VERSION/CASE/FILE
	Text []byte
	Kind string // "plan", "state", ...
}

// kindOf returns which document a recording is, by its name.
func kindOf(file string) string {
	for prefix, kind := range map[string]string{
		"plan":             "plan",
		"state":            "state",
		"show-":            "config",
		"providers-schema": "schemas",
		"functions":        "functions",
		"validate":         "validate",
		"version":          "version",
		"output":           "outputs",
		"modules-command":  "modules",
	} {
		if strings.HasPrefix(file, prefix) {
			return kind
		}
	}
	return ""
}

// Recordings returns the recordings of these kinds, or of all, in a testdata
// folder of package planjson.
func Recordings(t testing.TB, folder string, kinds ...string) []Recording {
	t.Helper()
	var found []Recording
	root := os.DirFS(folder)
	err := fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.Contains(name, "/") || strings.HasPrefix(name, "fuzz/") || path.Ext(name) != ".json" {
			return err
		}
		kind := kindOf(path.Base(name))
		if kind == "" {
			t.Errorf("cannot tell what %s is", name)
			return nil
		}
		if len(kinds) == 0 || slices.Contains(kinds, kind) {
			text, err := fs.ReadFile(root, name)
			if err != nil {
				return err
			}
			found = append(found, Recording{name, text, kind})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatalf("no recordings of %v", kinds)
	}
	return found
}
