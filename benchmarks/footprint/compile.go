// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The marks around the table of compile times.
const (
	beginCompile = "<!-- compile -->\n"
	endCompile   = "<!-- /compile -->\n"
)

// What a package may take above the page's number before that is a failure. A package that
// takes next to nothing may take a little more: what it takes is mostly the compiler's start.
const (
	mostAbove = 1.3
	slack     = 0.01
)

func tooMuch(took, limit float64) bool { return took > mostAbove*limit+slack }

// A compiler measures what packages take to compile: processor time, which other programs
// on the machine do not change much, relative to building a program that does nothing from an
// empty build cache, so that the machine does not matter.
type compiler struct {
	root  string // of the repository
	dir   string // for what is built
	tool  string // the path of the compiler
	empty time.Duration
}

func newCompiler(dir, root string) (*compiler, error) {
	c := &compiler{root: root, dir: dir}
	tool, err := output(root, "go", "tool", "-n", "compile")
	if err != nil {
		return nil, err
	}
	c.tool = strings.TrimSpace(tool)
	program := filepath.Join(dir, "nothing")
	if err := os.Mkdir(program, 0o700); err != nil {
		return nil, err
	}
	for name, text := range map[string]string{"go.mod": "module example.com/nothing\n", "main.go": "package main\n\nfunc main() {}\n"} {
		if err := os.WriteFile(filepath.Join(program, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	return c, c.start()
}

// start measures what the ratios are relative to.
func (c *compiler) start() error {
	cache, err := os.MkdirTemp(c.dir, "cache")
	if err != nil {
		return err
	}
	c.empty, err = cpu(filepath.Join(c.dir, "nothing"), []string{"GOCACHE=" + cache}, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(c.dir, "program"), ".")
	return err
}

// cpu runs a command and returns the processor time that it and what it started took.
func cpu(dir string, env []string, name string, args ...string) (time.Duration, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0"), env...)
	if text, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, text)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// ratio returns what a package alone takes to compile, its dependencies being there: the
// least of some times.
func (c *compiler) ratio(pkg string, times int) (float64, error) {
	args, err := c.arguments(pkg)
	if err != nil {
		return 0, err
	}
	least := time.Duration(0)
	for range times {
		t, err := cpu(c.root, nil, c.tool, args...)
		if err != nil {
			return 0, err
		}
		if least == 0 || t < least {
			least = t
		}
	}
	return float64(least) / float64(c.empty), nil
}

// arguments returns those of the compiler for a package, and builds its dependencies.
func (c *compiler) arguments(pkg string) ([]string, error) {
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,EmbedPatterns,EmbedFiles", pkg)
	cmd.Dir, cmd.Env, cmd.Stderr = c.root, append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0"), os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", pkg, err)
	}
	var last listed // the package itself
	var imports strings.Builder
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if p.Export != "" {
			fmt.Fprintf(&imports, "packagefile %s=%s\n", p.ImportPath, p.Export)
		}
		last = p
	}
	config := filepath.Join(c.dir, "importcfg")
	if err := os.WriteFile(config, []byte(imports.String()), 0o600); err != nil {
		return nil, err
	}
	args := []string{"-o", filepath.Join(c.dir, "package.a"), "-p", last.ImportPath, "-complete", "-c=1", "-importcfg", config, "-pack"}
	if len(last.EmbedFiles) > 0 {
		embed := filepath.Join(c.dir, "embedcfg")
		if err := os.WriteFile(embed, last.embedded(), 0o600); err != nil {
			return nil, err
		}
		args = append(args, "-embedcfg", embed)
	}
	for _, name := range last.GoFiles {
		args = append(args, filepath.Join(last.Dir, name))
	}
	return args, nil
}

// A listed is a package as "go list" describes it.
type listed struct {
	ImportPath, Dir, Export            string
	GoFiles, EmbedPatterns, EmbedFiles []string
}

// embedded returns what the compiler has to know of embedded files: the names for each pattern, and
// the path for each name.
func (l *listed) embedded() []byte {
	patterns, files := map[string][]string{}, map[string]string{}
	for _, name := range l.EmbedFiles {
		files[name] = filepath.Join(l.Dir, filepath.FromSlash(name))
		for _, p := range l.EmbedPatterns {
			if ok, _ := path.Match(p, name); ok {
				patterns[p] = append(patterns[p], name)
			}
		}
	}
	text, _ := json.Marshal(map[string]any{"Patterns": patterns, "Files": files}) // maps of strings have no error
	return text
}

// compileRow is a row of the table.
var compileRow = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([0-9.]+) \\|$")

// compile measures our packages, prints the table, and returns it. What a package takes is
// compared with its number on the page, if that has one: too much is an error, if it
// is too much whenever both are measured again.
func compile(w io.Writer, dir, root string, page []byte) (string, error) {
	c, err := newCompiler(dir, root)
	if err != nil {
		return "", err
	}
	limits := make(map[string]float64)
	for _, m := range compileRow.FindAllStringSubmatch(string(page), -1) {
		limits[m[1]], _ = strconv.ParseFloat(m[2], 64)
	}
	var table strings.Builder
	table.WriteString("| package | compiles in, of an empty program's build |\n|---|---|\n")
	var failed []error
	for _, s := range ours {
		took, err := c.ratio("./"+s.pkg, 2)
		if err != nil {
			return "", err
		}
		limit, known := limits[s.pkg]
		for round := 0; round < 3 && known && tooMuch(took, limit); round++ {
			if err := c.start(); err != nil { // the processor may be another, or be shared with other programs now
				return "", err
			}
			if took, err = c.ratio("./"+s.pkg, 6); err != nil {
				return "", err
			}
		}
		fmt.Fprintf(&table, "| `%s` | %.2f |\n", s.pkg, took)
		fmt.Fprintf(w, "%-26s %.3f (page: %.2f)\n", s.pkg, took, limit)
		if known && tooMuch(took, limit) {
			failed = append(failed, fmt.Errorf("%s: takes %.3f of an empty program to compile, the page says %.2f", s.pkg, took, limit))
		}
	}
	return table.String(), errors.Join(failed...)
}
