// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Validate reports the diagnostics of "tofu validate" or "terraform validate"
// for a module and the local modules that it calls. It needs neither tool and
// no providers.
//
//	validate [-tool tofu|terraform] [-schemas FILE] DIR
//
// It prints one line for each diagnostic:
//
//	FILE:LINE,COLUMN: error|warning: SUMMARY; DETAIL
//
// The tool may have a release, as in terraform@1.5.7. Files in the output are relative
// to DIR. The FILE of -schemas is the output of "tofu providers schema -json". The
// exit status is 0 if there is no error, 1 if there is one, and 2 if DIR cannot be
// read.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/program/configdir"
)

func main() {
	ok, err := run(os.Stdout, os.Stderr, os.Args[1:])
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "validate:", err)
		os.Exit(2)
	case !ok:
		os.Exit(1)
	}
}

// run checks a directory and reports whether it has no errors.
func run(w, usage io.Writer, args []string) (bool, error) {
	flags := flag.NewFlagSet("validate", flag.ContinueOnError)
	flags.SetOutput(usage)
	tool := flags.String("tool", "tofu", "`program` whose rules hold: tofu or terraform, perhaps of a release as in terraform@1.5.7")
	schemas := flags.String("schemas", "", "`file` with the schemas of providers")
	flags.Usage = func() {
		fmt.Fprintln(usage, "usage: validate [-tool tofu|terraform] [-schemas FILE] DIR")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err == flag.ErrHelp {
		return true, nil
	} else if err != nil {
		return false, err
	}
	if flags.NArg() != 1 {
		flags.Usage()
		return false, errors.New("exactly one DIR is needed")
	}
	program, release, released := strings.Cut(*tool, "@")
	dialect, ok := map[string]hclconfig.Dialect{"tofu": hclconfig.OpenTofu, "terraform": hclconfig.Terraform}[program]
	if !ok {
		return false, fmt.Errorf("no such tool: %q", *tool)
	}
	if released {
		v, err := addrs.ParseVersion(release)
		if err != nil {
			return false, err
		}
		dialect = dialect.At(v)
	}
	var v hclcheck.Validation
	if *schemas != "" {
		src, err := os.ReadFile(*schemas)
		if err != nil {
			return false, err
		}
		if v.Schemas, err = hclconfig.DecodeSchemas(src); err != nil {
			return false, fmt.Errorf("%s: %w", *schemas, err)
		}
	}
	if err := configdir.Check(flags.Arg(0)); err != nil {
		return false, err
	}
	// Local modules may be anywhere, so the root of the file system is that
	// of the machine.
	dir, err := filepath.Abs(flags.Arg(0))
	if err != nil {
		return false, err
	}
	root := filepath.VolumeName(dir) + string(filepath.Separator)
	inside, err := filepath.Rel(root, dir)
	if err != nil {
		return false, err
	}
	inside = filepath.ToSlash(inside)
	tree, err := hclnames.LoadTree(os.DirFS(root), inside, dialect, hclconfig.TestDirectory(""))
	if err != nil {
		return false, err
	}
	relative := func(name string) string {
		rel, err := filepath.Rel(filepath.FromSlash(inside), filepath.FromSlash(name))
		if err != nil || name == "" {
			return name
		}
		return filepath.ToSlash(rel)
	}
	names := []string{"\n", " "} // and the directories in details as they are, and as they are from here
	for m := range tree.All() {
		to := relative(m.Module.Dir) + "/"
		if to == "./" {
			to = ""
		}
		names = append(names, "declared at "+m.Module.Dir+"/", "declared at "+to)
	}
	details := strings.NewReplacer(names...)
	found := hclcheck.Validate(tree, v)
	for _, d := range found {
		text := details.Replace(d.Detail)
		at := d.Subject.Start
		if _, err := fmt.Fprintf(w, "%s:%d,%d: %s: %s; %s\n", relative(d.Subject.Filename), at.Line, at.Column, d.Severity, d.Summary, text); err != nil {
			return false, err
		}
	}
	return !found.HasErrors(), nil
}
