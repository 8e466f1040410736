// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// A repository is the folder of a clone.
type repository string

// git runs git and returns what it prints, without the last line feed.
func (r repository) git(stdin []byte, env []string, args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-C", string(r)}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdin = bytes.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, &stderr)
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}

// A nested is a module of the repository: the library, or one below it.
type nested struct {
	dir  string // "" for the library
	file *modfile.File
	sum  []byte // its go.sum, if there is one
}

// tag is the tag of a version of the module.
func (n *nested) tag(version string) string { return path.Join(n.dir, version) }

// isForUsers reports whether people require or install the module. The others
// measure and test this repository.
func (n *nested) isForUsers() bool {
	first, _, _ := strings.Cut(n.dir, "/")
	return first != "benchmarks" && first != "tools"
}

// modules returns the modules at a revision, each after those that it requires. A release
// has no module whose path is not that of its place, such as the provider that recordings
// are made with, and none of test data, whose go.mod keeps it out of the zip of a module.
func (r repository) modules(revision string) ([]*nested, error) {
	names, err := r.git(nil, nil, "ls-tree", "-r", "-z", "--name-only", revision)
	if err != nil {
		return nil, err
	}
	var all []*nested
	byPath := map[string]*nested{}
	library := ""
	files := strings.Split(names, "\x00")
	for _, name := range slices.SortedFunc(slices.Values(files), func(a, b string) int { return len(a) - len(b) }) {
		if path.Base(name) != "go.mod" || slices.Contains(strings.Split(name, "/"), "testdata") {
			continue
		}
		text, err := r.git(nil, nil, "show", revision+":"+name)
		if err != nil {
			return nil, err
		}
		file, err := modfile.Parse(name, []byte(text+"\n"), nil)
		if err != nil {
			return nil, err
		}
		n := &nested{dir: strings.TrimSuffix(strings.TrimSuffix(name, "go.mod"), "/"), file: file}
		if n.dir == "" {
			library = file.Module.Mod.Path
		}
		if library == "" {
			return nil, errors.New("there is no go.mod at the top")
		}
		if file.Module.Mod.Path != path.Join(library, n.dir) {
			continue
		}
		if sum := path.Join(n.dir, "go.sum"); slices.Contains(files, sum) {
			text, err := r.git(nil, nil, "show", revision+":"+sum)
			if err != nil {
				return nil, err
			}
			n.sum = []byte(text + "\n")
		}
		all = append(all, n)
		byPath[file.Module.Mod.Path] = n
	}
	return inOrder(all, byPath)
}

// inOrder sorts modules so that each comes after those that it requires.
func inOrder(all []*nested, byPath map[string]*nested) (sorted []*nested, err error) {
	state := map[*nested]int{} // 1 while a module is looked at, 2 afterwards
	var visit func(n *nested) error
	visit = func(n *nested) error {
		switch state[n] {
		case 1:
			return fmt.Errorf("module %s requires itself by way of others", n.file.Module.Mod.Path)
		case 2:
			return nil
		}
		state[n] = 1
		for _, q := range n.file.Require {
			if other := byPath[q.Mod.Path]; other != nil {
				if err := visit(other); err != nil {
					return err
				}
			}
		}
		state[n] = 2
		sorted = append(sorted, n)
		return nil
	}
	for _, n := range all {
		if err := visit(n); err != nil {
			return nil, err
		}
	}
	return sorted, nil
}

// checkVersion checks that a version can be that of a release.
func checkVersion(library, version string) error {
	if err := module.Check(library, version); err != nil {
		return err
	}
	if module.IsPseudoVersion(version) || strings.Contains(version, "+") {
		return fmt.Errorf("%s is no version of a release", version)
	}
	return nil
}

// temporary makes a folder for the time of a call.
func temporary() (dir string, remove func(), err error) {
	dir, err = os.MkdirTemp("", "release")
	return dir, func() { os.RemoveAll(dir) }, err
}

func writeFile(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}
