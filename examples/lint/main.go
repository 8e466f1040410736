// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Lint checks a module for a handful of bad habits, in native and JSON files
// alike.
//
//	lint [-fix] [-sarif] DIR
//
// It prints one line for each finding, with its file, line and column, or with
// -sarif a log in the format SARIF 2.1.0. With -fix it first repairs the findings
// that it can, and then prints the rest. A comment above or behind a block or an
// argument, or in JSON the property "//" of a block, turns rules off for it:
//
//	# lint:ignore=description,version
//
// The exit status is 1 if there are findings and 2 if the folder cannot be read.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/program/configdir"
)

func main() {
	fix := flag.Bool("fix", false, "fix the findings that have a fix")
	sarif := flag.Bool("sarif", false, "print SARIF 2.1.0")
	flag.Usage = func() { fmt.Fprintln(os.Stderr, "usage: lint [-fix] [-sarif] DIR") }
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	n, err := run(os.Stdout, flag.Arg(0), *fix, *sarif)
	if err != nil {
		fmt.Fprintln(os.Stderr, "lint:", err)
		os.Exit(2)
	}
	if n > 0 {
		os.Exit(1)
	}
}

// run checks the module in dir and returns the number of remaining findings.
func run(w io.Writer, dir string, fix, sarif bool) (int, error) {
	found, m, err := check(dir)
	if err == nil && fix {
		if err = repair(dir, m, found); err == nil {
			found, m, err = check(dir)
		}
	}
	if err != nil {
		return 0, err
	}
	if sarif {
		return len(found), writeSARIF(w, m, found)
	}
	for _, f := range found {
		fmt.Fprintf(w, "%s:%d,%d: %s\n", f.at.Filename, f.at.Start.Line, f.at.Start.Column, f.text)
	}
	return len(found), nil
}

// check returns the findings in the module in dir.
func check(dir string) ([]finding, *hclconfig.Module, error) {
	if err := configdir.Check(dir); err != nil {
		return nil, nil, err
	}
	t, err := hclnames.LoadTree(os.DirFS(dir), ".")
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dir, err)
	}
	m := t.Module
	var found []finding
	off := ignores(m)
	for _, r := range rules {
		r.check(t, func(f finding) {
			f.rule = r.id
			if !slices.ContainsFunc(off[f.at.Filename], func(i ignore) bool { return i.holds(f) }) {
				found = append(found, f)
			}
		})
	}
	return found, m, nil
}

// repair makes the fixes of the findings.
func repair(dir string, m *hclconfig.Module, found []finding) error {
	for _, file := range m.Files {
		e := hcledit.Edit(file)
		for _, f := range found {
			if f.fix != nil && f.at.Filename == file.Filename() {
				f.fix(e)
			}
		}
		if file.Err() != nil {
			continue // it cannot be edited
		}
		out, err := e.Apply()
		if err != nil {
			return err
		}
		if string(out.Bytes()) == string(file.Bytes()) {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(file.Filename())), out.Bytes(), 0o666); err != nil {
			return err
		}
	}
	return nil
}
