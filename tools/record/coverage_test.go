// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

func scripts(t *testing.T) []*Script {
	t.Helper()
	list, err := LoadScripts(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 50 {
		t.Fatalf("only %d scripts", len(list))
	}
	return list
}

// testdata returns the files in all testdata folders, except those that fuzzing left
// there, as paths from the root.
func testdata(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch {
		case d.IsDir() && (d.Name() == ".git" || rel == "tools/record" || strings.HasSuffix(rel, "testdata/fuzz")):
			return filepath.SkipDir
		case !d.IsDir() && strings.Contains("/"+rel, "/testdata/"):
			files = append(files, rel)
		}
		return nil
	})
	if err != nil || len(files) < 500 {
		t.Fatalf("found %d files: %v", len(files), err)
	}
	return files
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// table reads a list: on each line a pattern and a text, with tabs between.
func table(t *testing.T, name string) [][2]string {
	t.Helper()
	var rows [][2]string
	for n, line := range strings.Split(string(read(t, "tools/record/"+name)), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		pattern, text, ok := strings.Cut(line, "\t")
		if text = strings.TrimSpace(text); !ok || text == "" {
			t.Errorf("%s:%d: not a pattern and a text", name, n+1)
		}
		rows = append(rows, [2]string{pattern, text})
	}
	return rows
}

// matches reports whether a file is named by a pattern of byhand.txt.
func matches(pattern, file string) bool {
	if dir, ok := strings.CutSuffix(pattern, "/..."); ok {
		return strings.HasPrefix(file, dir+"/")
	}
	if ok, err := path.Match(pattern, file); ok || err != nil {
		return ok
	}
	return false
}

// copies returns where each file comes from that copies.txt says is a copy.
func copies(t *testing.T, files []string) map[string]string {
	t.Helper()
	from := map[string]string{}
	for _, row := range table(t, "copies.txt") {
		used := false
		for _, file := range files {
			rel, ok := strings.CutPrefix(file, row[0]+"/")
			if !ok {
				continue
			}
			sources := strings.Fields(row[1])
			slices.Reverse(sources)
			for _, dir := range sources {
				if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(dir), filepath.FromSlash(rel))); err == nil {
					from[file] = dir + "/" + rel
					used = true
					break
				}
			}
		}
		if !used {
			t.Errorf("copies.txt: nothing in %s is a copy", row[0])
		}
	}
	return from
}

// TestEveryFile checks that each file in a testdata folder is made by a script,
// a copy, or listed as made by hand, and is only one of these; and that all that
// is listed exists.
func TestEveryFile(t *testing.T) {
	files := testdata(t)
	origin := map[string][]string{}
	for _, s := range scripts(t) {
		for i := range s.Steps {
			for _, keep := range s.Steps[i].keep() {
				file, _ := cut(keep)
				origin[file] = append(origin[file], fmt.Sprintf("%s of %s", s.Steps[i].name(), s.Case))
				if !slices.Contains(files, file) {
					t.Errorf("%s/%s.json keeps %s, which does not exist", s.Case, s.Name(), file)
				}
			}
			for _, file := range s.Steps[i].raw() {
				if slices.Contains(files, file) { // since the last recording
					origin[file] = append(origin[file], fmt.Sprintf("the state of %s of %s", s.Steps[i].name(), s.Case))
				}
			}
		}
	}
	const constraints = "addrs/testdata/constraints.jsonl" // has lines of several tools
	origin[constraints] = origin[constraints][:1]
	for file, from := range copies(t, files) {
		if !bytes.Equal(read(t, file), read(t, from)) {
			t.Errorf("%s is not what %s is", file, from)
		}
		if len(origin[file]) == 0 { // an input of a script, such as a package, may be next to it
			origin[file] = append(origin[file], "a copy of "+from)
		}
	}
	for _, row := range table(t, "byhand.txt") {
		used := false
		for _, file := range files {
			if matches(row[0], file) {
				used = true
				origin[file] = append(origin[file], "by hand: "+row[1])
			}
		}
		if !used {
			t.Errorf("byhand.txt: nothing matches %s", row[0])
		}
	}
	for _, file := range files {
		switch list := origin[file]; {
		case len(list) == 0:
			t.Errorf("%s: no script makes it, and neither copies.txt nor byhand.txt has it", file)
		case len(list) > 1:
			t.Errorf("%s: has several origins: %s", file, strings.Join(list, "; "))
		}
	}
}

// TestFolders checks that scripts use folders of configuration that exist, and
// that each folder is used.
func TestFolders(t *testing.T) {
	used := map[string]bool{}
	for _, s := range scripts(t) {
		for _, step := range s.Steps {
			for _, dir := range []string{step.Use, step.Add} {
				if dir == "" {
					continue
				}
				dir = "tools/record/cases/" + s.Case + "/" + dir
				used[dir] = true
				if info, err := os.Stat(filepath.Join(root, dir)); err != nil || !info.IsDir() {
					t.Errorf("%s/%s.json uses %s, which is no folder", s.Case, s.Name(), dir)
				}
			}
			if step.Copy != "" {
				read(t, step.Copy)
			}
		}
	}
	dirs, err := filepath.Glob(root + "/tools/record/cases/*/config*")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob(root + "/tools/record/cases/*/*/config*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range append(dirs, more...) {
		rel := strings.TrimPrefix(filepath.ToSlash(dir), root+"/")
		if info, err := os.Stat(dir); err == nil && info.IsDir() && !used[rel] && !strings.Contains(strings.TrimPrefix(rel, "tools/record/cases/"), "/config/") {
			t.Errorf("no script uses %s", rel)
		}
	}
}

// TestPlace checks that a recording lies where its tool and case say, in the
// folders that are laid out by them.
func TestPlace(t *testing.T) {
	for _, s := range scripts(t) {
		for i := range s.Steps {
			for _, keep := range s.Steps[i].keep() {
				file, _ := cut(keep)
				name, _, _ := strings.Cut(file, "/testdata/")
				rest := strings.TrimPrefix(file, name+"/testdata/")
				want := s.Name() + "/" + s.Case + "/" + s.Steps[i].name()
				if (name == "planjson" || name == "uijson" && !strings.HasPrefix(rest, "render/")) && rest != want {
					t.Errorf("%s is kept in %s, not in %s", want, file, want)
				}
			}
		}
	}
}

// TestExit checks uijson/testdata/exit.txt, which has the exit status of each
// recording in its folder.
func TestExit(t *testing.T) {
	want := map[string]int{}
	for _, s := range scripts(t) {
		for _, step := range s.Steps {
			for _, keep := range step.Keep {
				if rest, ok := strings.CutPrefix(keep, "uijson/testdata/"); ok && !strings.HasPrefix(rest, "render/") && step.Run != nil {
					want[rest] = step.Exit
				}
			}
		}
	}
	n := 0
	for line := range strings.Lines(string(read(t, "uijson/testdata/exit.txt"))) {
		name, status, _ := strings.Cut(strings.TrimSpace(line), " ")
		n++
		if code, ok := want[name]; !ok || fmt.Sprint(code) != status {
			t.Errorf("exit.txt has %s for %s, the script %d", status, name, code)
		}
	}
	if n != len(want) {
		t.Errorf("exit.txt has %d lines, the scripts keep %d recordings", n, len(want))
	}
}
