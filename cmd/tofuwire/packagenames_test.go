// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/commandline"
)

// hints returns the ends of the texts of errors that name something of the library.
func hints(t *testing.T, root string) (texts []string) {
	hint := regexp.MustCompile(`"[^"\n]*([:;] (?:use|call) [A-Z]\w+[^"\n]*|[:;] (?:package [a-z/]+|[a-z]+\.[A-Z]\w+|[A-Z]\w+) \w+s (?:it|the document))"`)
	for _, pattern := range []string{"*/*.go", "*/*/*.go"} {
		files, _ := filepath.Glob(filepath.Join(root, pattern))
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range hint.FindAllSubmatch(src, -1) {
				texts = append(texts, string(m[1]))
			}
		}
	}
	if len(texts) < 30 {
		t.Errorf("only %q", texts)
	}
	return texts
}

// The errors of packages begin with their names, which say nothing to users of the programs.
func TestPackageNames(t *testing.T) {
	var names []string
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch rel, _ := filepath.Rel(root, path); {
		case d.IsDir() && (d.Name() == "internal" || d.Name() == "testdata" || rel == "cmd" || rel == "tools" || rel == "benchmarks" || rel == "examples" || rel != "." && d.Name()[0] == '.'):
			return fs.SkipDir
		case d.Name() == "doc.go" && rel != "doc.go" && filepath.Base(filepath.Dir(path)) != "rules": // which has no errors
			names = append(names, filepath.Base(filepath.Dir(path)))
		}
		return nil
	})
	if err != nil || len(names) < 15 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		if got := commandline.Message(errors.New("x.tf: " + name + ": line 1")); got != "x.tf: line 1" {
			t.Errorf("%q has the name of a package", got)
		}
	}
	for _, text := range hints(t, root) {
		if got := commandline.Message(errors.New("x.tf:1,2: it is so" + text)); got != "x.tf:1,2: it is so" {
			t.Errorf("%q has the name of a function", got)
		}
	}
	for _, said := range []string{"SSH", "OpenTofu 2"} {
		quoted := "a server says that it is gone: use " + said
		if got := commandline.Message(errors.New(quoted)); got != quoted {
			t.Errorf("%q is what is left of %q", got, quoted)
		}
	}
	prefix := regexp.MustCompile(`(^|[ (])(` + strings.Join(names, "|") + `): `)
	dir := t.TempDir()
	places := 0
	for name, text := range map[string]string{
		"text.json": "x", "cut.json": `{"format_version": "1.2", `, "kind.json": `{"format_version": "1.2", "resource_changes": 3}`,
		"state.json": `{"version": 4, "serial": "x"}`, "old.json": `{"version": 3, "modules": [3]}`, "a.tf": "x {", ".terraform.lock.hcl": "provider {",
		"a.tftest.hcl": "run {", "b.tf.json": `{"resource": 3`, "log.jsonl": `{"@level": 3}`,
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{
			{"gate", file}, {"report", file}, {"approve", file, file}, {"comment", "-dry-run", file}, {"why", file, "a.b"}, {"show", file}, {"view", "-load", file, "-o", os.DevNull},
			{"redact", file}, {"redact", "-text", "-plan", file, file}, {"state", "list", file}, {"state", "show", file, "a.b"}, {"state", "json", file}, {"state", "lock-info", file}, {"state", "output", file},
			{"state", "rm", file, "a.b"}, {"state", "mv", file, "a.b", "a.c"}, {"state", "replace-provider", file, "a", "b"}, {"fmt", "-check", file}, {"edit", file, "set", "a", "1"},
			{"validate", file}, {"validate", "-schemas", file, dir}, {"lint", "-schemas", file, dir}, {"watch", "-replay", file}, {"hash", file}, {"convert", "-to", "json", file, filepath.Join(dir, "out")},
			{"validate", dir}, {"validate", "-needs", dir}, {"lint", dir}, {"instances", dir}, {"lock", dir}, {"install", dir}, {"mirror", filepath.Join(dir, "mirror"), dir}, {"schemas", dir},
			{"rename", "a.b", "a.c", dir}, {"tag", dir}, {"eval", "-dir", dir, "x("}, {"gate", "-policy", "providers=a/b/c/d/e", file},
		} {
			_, stdout, stderr := tofuwire(t, "", args...)
			for line := range strings.Lines(stdout + stderr) {
				if strings.HasPrefix(line, "tofuwire ") {
					_, line, _ = strings.Cut(line, ": ") // its own name may be that of a package
				}
				if prefix.MatchString(line) {
					t.Errorf("%q: %s", args, strings.ReplaceAll(line, dir, ""))
				}
				if strings.Contains(line, "line 1") || strings.Contains(line, ":1,") {
					places++
				}
			}
		}
	}
	if places < 50 {
		t.Errorf("only %d lines have a place", places)
	}
}
