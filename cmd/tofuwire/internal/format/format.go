// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package format is the program fmt: it formats configuration as the tools' fmt does.
package format

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/tofuwire/tofuwire/internal/replacefile"
	"github.com/tofuwire/tofuwire/internal/unifieddiff"
)

var text = commandline.Text{
	Arguments: "[FILE|DIR]...",
	Files:     []string{".tf", ".tofu", ".tfvars", ".hcl"},
	About: `
Fmt formats configuration in native syntax as "tofu fmt" does. DIR means the configuration files in
it that the program's fmt formats, including tests and .tfvars; DIR/... includes all folders below it, except hidden ones.
Files in JSON syntax do not change. Without arguments, fmt reads standard input. Without options,
fmt prints the formatted text.`,
	Exit: `
0 all is formatted
3 with -check, something would change
2 a file cannot be read, has a syntax error, or cannot be written (the other files are still formatted), or a usage error`,
	Example: "tofuwire fmt -check ./...",
}

// Run is the program; it returns the exit status.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f := formatter{stdout: stdout}
	flags := commandline.New("tofuwire fmt", text)
	flags.BoolVar(&f.check, "check", false, "write nothing; print the names of the files whose text would change")
	flags.BoolVar(&f.diff, "diff", false, "print the changes as a unified diff")
	flags.BoolVar(&f.write, "w", false, "write files whose text changes, and print their names")
	terraform := flags.Bool("terraform", false, "format as \"terraform fmt\" does")
	flags.Check = func() error {
		switch {
		case f.check && f.write:
			return errors.New("-check writes nothing: it cannot be combined with -w")
		case f.write && (flags.NArg() == 0 || slices.Contains(flags.Args(), "-")):
			return errors.New("-w needs files: standard input cannot be written")
		case flags.NArg() == 0:
			return commandline.NotTerminal(stdin)
		}
		return nil
	}
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	if *terraform {
		f.dialect = hclconfig.Terraform
	}
	failed := false
	fail := func(err error) {
		failed = true
		fmt.Fprintln(stderr, "tofuwire fmt:", commandline.Message(err))
	}
	names := flags.Args()
	if len(names) == 0 {
		names = []string{"-"}
	}
	for _, arg := range names {
		if arg != "-" {
			f.argument(arg, fail)
			continue
		}
		src, err := io.ReadAll(stdin)
		if err == nil {
			err = f.source("standard input", src)
		}
		if err != nil {
			fail(err)
		}
	}
	switch {
	case failed:
		return 2
	case f.check && f.changed:
		return 3
	}
	return 0
}

// A formatter formats files.
type formatter struct {
	check, diff, write bool
	dialect            hclconfig.Dialect
	stdout             io.Writer

	changed bool
}

// argument formats the file or the directory that one argument names, and calls fail for what cannot be formatted.
func (f *formatter) argument(arg string, fail func(error)) {
	dir, deep := strings.CutSuffix(filepath.ToSlash(arg), "...")
	if deep {
		if dir = filepath.FromSlash(strings.TrimSuffix(dir, "/")); dir == "" {
			dir = "."
			if strings.HasPrefix(arg, "/") {
				dir = string(filepath.Separator)
			}
		}
	} else {
		dir = arg
	}
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		fail(err)
		return
	case !info.IsDir() && deep:
		fail(fmt.Errorf("%s is not a folder", dir))
		return
	case !info.IsDir():
		if err := f.file(arg); err != nil {
			fail(err)
		}
		return
	}
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			fail(err)
		case e.IsDir() && path != dir && (!deep || strings.HasPrefix(e.Name(), ".")):
			return fs.SkipDir
		case !e.IsDir() && f.formats(e.Name()):
			if err := f.file(path); err != nil {
				fail(err)
			}
		}
		return nil
	})
	if err != nil {
		fail(err)
	}
}

// formats reports whether the program's fmt formats a file that it finds in a folder. Terraform does
// not read the files of OpenTofu alone, and OpenTofu not those of Terraform alone.
func (f *formatter) formats(name string) bool {
	n, ok := hclconfig.ParseFilename(name)
	if !ok || n.Syntax != hclconfig.NativeSyntax {
		return false
	}
	if f.dialect == hclconfig.Terraform {
		return !n.Tofu
	}
	return n.Kind == hclconfig.ConfigFile || n.Kind == hclconfig.ValuesFile || n.Kind == hclconfig.TestFile
}

// file formats one file.
func (f *formatter) file(name string) error {
	src, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return f.source(name, src)
}

// source formats a text.
func (f *formatter) source(name string, src []byte) error {
	out, err := hcledit.Format(src, f.dialect)
	if err != nil {
		return named(name, err)
	}
	same := bytes.Equal(src, out)
	f.changed = f.changed || !same
	if f.write && !same {
		if err := replacefile.Edit(name, out); err != nil {
			return err
		}
	}
	switch {
	case (f.write || f.check) && !same:
		if _, err := fmt.Fprintln(f.stdout, name); err != nil {
			return err
		}
	case !f.write && !f.check && !f.diff:
		_, err := f.stdout.Write(out)
		return err
	}
	if f.diff && !same {
		return unifieddiff.Write(f.stdout, name, string(src), string(out))
	}
	return nil
}

// named adds the name of the file to an error, at its place.
func named(name string, err error) error {
	var e *hclconfig.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("%s: %w", name, err)
	}
	at := *e
	at.Filename = name
	return &at
}
