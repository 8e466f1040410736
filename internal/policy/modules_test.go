// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// maxModules is how many modules may be in the build list of a program that
// imports addrs alone, after its own go mod tidy, itself and the library included:
// 19, the decoder of YAML that both tools use, rogpeppe/go-internal for differences, and those of
// saved plans: protobuf, and msgpack with its parser of tags.
const maxModules = 24

func readGoMod(t *testing.T, dir string) *modfile.File {
	t.Helper()
	name := filepath.ToSlash(filepath.Join(dir, "go.mod"))
	mod, err := modfile.Parse(name, read(t, name), nil)
	if err != nil {
		t.Fatal(err)
	}
	return mod
}

// TestRequirements checks that go.mod requires the modules from which a public
// package or its tests compile something, and no other: what programs, tools and
// peers need is in modules of their own. A package may compile a module only
// for a newer version of Go. What go mod tidy adds beside them, because a
// module requires it for files that nobody compiles, is indirect.
func TestRequirements(t *testing.T) {
	compiled := map[string]bool{}
	for _, tags := range []string{"", "go1.27"} {
		args := []string{"-deps", "-test", "-tags", tags, "-f", `{{with .Module}}{{.Path}}{{end}}`}
		for pkg := range mayImport {
			args = append(args, module+"/"+pkg)
		}
		for _, path := range list(t, args...) {
			compiled[path] = true
		}
	}
	delete(compiled, "")
	delete(compiled, module)
	required := map[string]bool{}
	mod := readGoMod(t, ".")
	for _, r := range mod.Require {
		required[r.Mod.Path] = true
		if !compiled[r.Mod.Path] && !r.Indirect {
			t.Errorf("go.mod requires %s, but neither a public package nor its tests compile it", r.Mod.Path)
		}
	}
	for path := range compiled {
		if !required[path] {
			t.Errorf("go.mod does not require %s", path)
		}
	}
	if len(mod.Replace)+len(mod.Tool)+len(mod.Exclude) > 0 {
		t.Error("go.mod of the library has replace, exclude or tool directives")
	}
}

// TestBuildList makes a program that imports addrs and nothing else, has go mod
// tidy write its requirements, and counts the modules in its build list. That asks
// for the go.mod files of modules that nobody compiles.
func TestBuildList(t *testing.T) {
	depth.NeedFull(t, "it asks for modules that go.mod does not require")
	dir := t.TempDir()
	abs, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod":  "module example.com/program\n\ngo 1.26.0\n\nrequire " + module + " v0.0.0\n\nreplace " + module + " => " + modfile.AutoQuote(filepath.ToSlash(abs)) + "\n",
		"go.sum":  string(read(t, "go.sum")),
		"main.go": "package main\n\nimport _ \"" + module + "/addrs\"\n\nfunc main() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) []string {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, &stderr)
		}
		return strings.Fields(string(out))
	}
	run("mod", "tidy")
	modules := run("list", "-m", "-f", "{{.Path}}", "all")
	if len(modules) > maxModules || len(modules) < 5 {
		t.Errorf("a program that imports addrs has %d modules in its build list, want at most %d:\n%s", len(modules), maxModules, strings.Join(modules, "\n"))
	}
	run("build", "-o", os.DevNull, ".")
}

// modules returns the folders of all modules, "." for the library.
func modules(t *testing.T) []string {
	t.Helper()
	var dirs []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || path != root && strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir
		}
		if d.Name() == "go.mod" {
			rel, err := filepath.Rel(root, filepath.Dir(path))
			dirs = append(dirs, filepath.ToSlash(rel))
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

// TestModules checks the modules of this repository: their paths say where they
// are, those that use the library use this one, and they have the same versions
// of the modules that it compiles. The README names the programs and tools among
// them.
func TestModules(t *testing.T) {
	// A provider that recordings are made with, whose versions are part of them.
	apart := []string{"tools/record/provider-lab", "tools/record/provider-kits"}
	library := map[string]string{}
	for _, line := range list(t, "-deps", "-test", "-f", `{{with .Module}}{{.Path}} {{.Version}}{{end}}`, module+"/...") {
		path, version, _ := strings.Cut(line, " ")
		library[path] = version
	}
	delete(library, module)
	dirs := modules(t)
	if len(dirs) < 4 {
		t.Fatalf("found only %q", dirs)
	}
	readme := string(read(t, "README.md"))
	for _, dir := range dirs {
		if dir == "." || slices.Contains(apart, dir) {
			continue
		}
		mod := readGoMod(t, dir)
		if mod.Module.Mod.Path != module+"/"+dir {
			t.Errorf("%s/go.mod is of module %s", dir, mod.Module.Mod.Path)
		}
		required := map[string]string{}
		for _, r := range mod.Require {
			required[r.Mod.Path] = r.Mod.Version
		}
		replaced := map[string]bool{}
		for _, r := range mod.Replace {
			// The library, or another module of this repository.
			if r.Old.Path != strings.TrimSuffix(module+"/"+filepath.ToSlash(filepath.Join(dir, r.New.Path)), "/.") {
				t.Errorf("%s/go.mod replaces %s by %s", dir, r.Old.Path, r.New.Path)
			}
			replaced[r.Old.Path] = true
		}
		for path := range required {
			if (path == module || strings.HasPrefix(path, module+"/")) != replaced[path] {
				t.Errorf("%s/go.mod does not replace %s by the one of this repository", dir, path)
			}
		}
		if replaced[module] {
			for _, path := range slices.Sorted(maps.Keys(required)) {
				// A peer may need a newer version of what we do not require directly.
				if have := library[path]; have != "" && have != required[path] && dir != "benchmarks" {
					t.Errorf("%s/go.mod has %s %s, the library %s", dir, path, required[path], have)
				}
			}
		}
		if !strings.Contains(readme, "`"+dir+"`") && !strings.Contains(readme, "("+dir+")") && !strings.Contains(readme, dir+" ") {
			t.Errorf("README.md does not name the module %s", dir)
		}
	}
}
