// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Codemod makes one change in all modules of a repository and leaves everything else as it is:
// comments, layout, order, in native and JSON syntax. This one moves calls of a module to a new version.
//
//	codemod [-w] -source terraform-aws-modules/vpc/aws -to 5.8.1 DIR
//
// It prints the calls that it changes, and writes the files with -w. Exit status: 0, or 1 for an error.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// A change is what is to be done.
type change struct {
	source, version string
	write           bool
}

func main() {
	var c change
	flag.StringVar(&c.source, "source", "", "the `module` whose calls change")
	flag.StringVar(&c.version, "to", "", "its new `version`")
	flag.BoolVar(&c.write, "w", false, "write the files")
	flag.Parse()
	if flag.NArg() != 1 || c.source == "" || c.version == "" {
		flag.Usage()
		os.Exit(2)
	}
	if err := c.tree(flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "codemod:", err)
		os.Exit(1)
	}
}

// tree changes all modules in a directory and below. All faults are reported, and a file with one stays
// as it is.
func (c change) tree(dir string) error {
	var faults []error
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".terraform" || d.Name() == ".git"):
			return fs.SkipDir // modules that were installed are not ours
		}
		if _, ok := hclconfig.ParseFilename(d.Name()); !ok || d.IsDir() {
			return nil // not a file of a configuration
		}
		if err := c.file(name); err != nil {
			faults = append(faults, err)
		}
		return nil
	})
	return errors.Join(append(faults, err)...)
}

// file changes one file.
func (c change) file(name string) error {
	src, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	file, err := hclconfig.Parse(name, src) // the syntax is that of the name
	if err != nil {
		return err // a syntax error, with its place
	}
	edit := hcledit.Edit(file)
	for _, call := range file.Config().Calls {
		// The source may be spelled in many ways: SourceAddr parses it, and gives the registry and the
		// folder apart. A source that is not a constant is an error here, and nothing to change.
		source, err := call.SourceAddr()
		if err != nil || source.String() != c.source && call.Source.Value != c.source {
			continue
		}
		if call.Version.Value == c.version {
			continue
		}
		fmt.Printf("%s: module.%s: %q -> %q\n", filepath.ToSlash(name), call.Name, call.Version.Value, c.version)
		edit.Set(call.Block, "version", c.version)
	}
	changed, err := edit.Apply()
	if err != nil {
		return err
	}
	if !c.write || bytes.Equal(changed.Bytes(), src) {
		return nil
	}
	return os.WriteFile(name, changed.Bytes(), 0o666)
}
