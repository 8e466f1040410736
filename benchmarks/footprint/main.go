// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Command footprint measures what each package brings along: for each it makes
// a fresh module, gets the package, and looks at what came with it.
//
//	go run ./footprint            prints the tables of docs/footprint.md
//	go run ./footprint -write     writes them there
//	go run ./footprint -compile   compares what packages take to compile with the table there,
//	                              with -write writes the table
//	go run ./footprint -pairs     compares programs with those of peers, with -write writes the table
//
// Run it in the folder benchmarks, on a commit: it clones the repository, so
// that only committed files count. It needs git, and the module proxy for
// modules that are not in the module cache. The peers are measured in the same way, in
// the versions of go.mod.
//
// The numbers of modules and packages are exact. Bytes differ between systems
// and Go releases, so the tables name theirs.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

const module = "github.com/tofuwire/tofuwire"

func main() {
	write := flag.Bool("write", false, "write the tables into ../docs/footprint.md")
	times := flag.Bool("compile", false, "measure what packages take to compile")
	programs := flag.Bool("pairs", false, "measure programs beside those of peers")
	flag.Parse()
	var err error
	switch {
	case *times:
		err = runCompile(*write)
	case *programs:
		err = run(*write, beginPairs, endPairs, (*lab).pairs)
	default:
		err = run(*write, begin, end, (*lab).tables)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "footprint:", err)
		os.Exit(1)
	}
}

// run measures with f, whose table goes between two marks of the page.
func run(write bool, begin, end string, f func(*lab) (string, error)) (err error) {
	dir, err := os.MkdirTemp("", "footprint")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	l, err := newLab(dir, "..")
	if err != nil {
		return err
	}
	text, err := f(l)
	if err != nil {
		return err
	}
	if write {
		return writePart(filepath.Join("..", "docs", "footprint.md"), begin, end, text)
	}
	_, err = os.Stdout.WriteString(text)
	return err
}

// runCompile measures what packages take to compile.
func runCompile(write bool) (err error) {
	dir, err := os.MkdirTemp("", "footprint")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	name := filepath.Join("..", "docs", "footprint.md")
	page, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if write {
		page = nil
	}
	text, err := compile(os.Stdout, dir, "..", page)
	if err != nil || !write {
		return err
	}
	return writePart(name, beginCompile, endCompile, text)
}

// A lab is where packages are measured.
type lab struct {
	dir      string            // of the fresh modules
	clone    string            // of our repository
	versions map[string]string // of the peers' modules
	empty    int64             // size of the program that does nothing
}

// newLab clones the repository at root, and builds the empty program.
func newLab(dir, root string) (*lab, error) {
	versions, err := requirements("go.mod")
	if err != nil {
		return nil, err
	}
	l := &lab{dir: dir, clone: filepath.Join(dir, "clone"), versions: versions}
	root, err = filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	if _, err := output(dir, "git", "clone", "--quiet", "--depth=1", "file://"+filepath.ToSlash(root), l.clone); err != nil {
		return nil, err
	}
	l.empty, err = l.size("empty", "package main\n\nfunc main() {}\n")
	return l, err
}

// A subject is a package that is measured, and a call that makes the linker
// keep what it is for.
type subject struct {
	module, pkg string // the module's path, and the package's path in it
	call        string // of the package, which is imported as p
}

// A footprint is what came with a package.
type footprint struct {
	subject
	modules              []string // third-party modules that are compiled, without the subject's own
	mod, sum             int      // modules in go.mod and in go.sum, without the subject's own
	standard, own, third int      // packages that are compiled
	bytes                int64    // that a program grows by
}

// measure gets one package into a fresh module and measures it.
func (l *lab) measure(s subject) (*footprint, error) {
	f := &footprint{subject: s}
	if err := l.get(f); err != nil {
		return nil, err
	}
	size, err := l.size(l.name(s), fmt.Sprintf("package main\n\nimport p %q\n\nfunc main() { %s }\n", s.path(), s.call))
	if err != nil {
		return nil, err
	}
	f.bytes = size - l.empty
	return f, l.tidy(f)
}

// get gets the package and counts the compiled modules and packages.
func (l *lab) get(f *footprint) error {
	dir := filepath.Join(l.dir, l.name(f.subject))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	commands := [][]string{{"mod", "init", "example.com/mine"}, {"get", f.path() + "@" + l.versions[f.module]}}
	if f.module == module {
		// Before there is a release, a replacement takes the place of the proxy,
		// and "go list" below adds to go.mod and go.sum what "go get" would.
		commands = [][]string{commands[0], {"mod", "edit", "-require=" + module + "@v0.0.0", "-replace=" + module + "=" + l.clone}}
	}
	for _, args := range commands {
		if _, err := output(dir, "go", args...); err != nil {
			return err
		}
	}
	deps, err := output(dir, "go", "list", "-deps", "-f", "{{if .Standard}}std{{else}}{{.Module.Path}}{{end}}", f.path())
	if err != nil {
		return err
	}
	seen := make(map[string]bool)
	for _, mod := range strings.Fields(deps) {
		switch mod {
		case "std":
			f.standard++
		case f.module:
			f.own++
		default:
			f.third++
			if !seen[mod] {
				seen[mod] = true
				f.modules = append(f.modules, mod)
			}
		}
	}
	return nil
}

// tidy counts the modules in a tidy go.mod and go.sum.
func (l *lab) tidy(f *footprint) error {
	dir := filepath.Join(l.dir, l.name(f.subject))
	if _, err := output(dir, "go", "mod", "tidy"); err != nil {
		return err
	}
	mods, err := requirements(filepath.Join(dir, "go.mod"))
	if err != nil {
		return err
	}
	delete(mods, f.module)
	f.mod = len(mods)
	f.sum, err = sums(filepath.Join(dir, "go.sum"), f.module)
	return err
}

// size builds a program in the module called name, stripped, and returns its
// size.
func (l *lab) size(name, source string) (int64, error) {
	dir := filepath.Join(l.dir, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return 0, err
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o600); err != nil {
		return 0, err
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		if _, err := output(dir, "go", "mod", "init", "example.com/mine"); err != nil {
			return 0, err
		}
	}
	program := filepath.Join(dir, "program")
	if _, err := output(dir, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, "."); err != nil {
		return 0, err
	}
	info, err := os.Stat(program)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (s subject) path() string { return strings.TrimSuffix(s.module+"/"+s.pkg, "/") }

// name returns the name of the folder of a package's fresh module.
func (l *lab) name(s subject) string { return strings.ReplaceAll(s.path(), "/", "_") }

// output runs a command and returns what it prints. Go commands write go.mod
// and go.sum as needed, and build without cgo.
func output(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "CGO_ENABLED=0")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, stderr.String())
	}
	return string(out), nil
}

// system is what the bytes depend on.
func system() string {
	return fmt.Sprintf("%s, %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
