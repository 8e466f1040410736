// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Tag adds or changes tags in every resource of a module.
//
//	tag [-w] [-schemas FILE] KEY=VALUE... DIR
//
// It changes the arguments "tags" and "labels" of resources, in native and JSON
// files. -schemas takes the output of "tofu providers schema -json"; with it,
// resources that can have tags and have none get them. The tags are added to
// objects, to merge(...), and to both results of a conditional. A value that may
// not be a map, or that has keys that are not constant, stays and is reported on
// standard error with its place, and so is a resource that gets no tags.
//
// It prints a unified diff, and with -w writes the files. A second run changes
// nothing. The exit status is 0, 1 if a value could not be changed, and 2 after an error.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/internal/program/configdir"
	"github.com/tofuwire/tofuwire/internal/unifieddiff"
)

func main() {
	write := flag.Bool("w", false, "write the files")
	schemas := flag.String("schemas", "", "provider schemas, as JSON")
	flag.Usage = func() { fmt.Fprintln(os.Stderr, "usage: tag [-w] [-schemas FILE] KEY=VALUE... DIR") }
	flag.Parse()
	args := flag.Args()
	if len(args) < 2 {
		flag.Usage()
		os.Exit(2)
	}
	dir := args[len(args)-1]
	t := &tagger{}
	err := t.setTags(args[:len(args)-1])
	if err == nil && *schemas != "" {
		t.schemas, err = loadSchemas(*schemas)
	}
	if err == nil {
		err = t.run(os.Stdout, os.Stderr, dir, *write)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "tag:", err)
		os.Exit(2)
	}
	if t.reported > 0 {
		os.Exit(1)
	}
}

// setTags reads the tags of the command line.
func (t *tagger) setTags(args []string) error {
	for _, arg := range args {
		key, value, ok := strings.Cut(arg, "=")
		if !ok || key == "" {
			return fmt.Errorf("%q is not KEY=VALUE", arg)
		}
		t.tags = slices.DeleteFunc(t.tags, func(e hcledit.Entry) bool { return e.Key == key }) // the last one counts
		t.tags = append(t.tags, hcledit.Entry{Key: key, Value: hcledit.String(value)})
	}
	return nil
}

// run tags the module in dir.
func (t *tagger) run(stdout, stderr io.Writer, dir string, write bool) error {
	if err := configdir.Check(dir); err != nil {
		return err
	}
	m, err := hclconfig.LoadModule(os.DirFS(dir), ".")
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	t.module, t.stderr, t.dir = m, stderr, dir
	for _, f := range m.Files {
		if f.Err() != nil {
			return f.Err() // before anything is written
		}
	}
	for _, f := range m.Files {
		e := hcledit.Edit(f)
		for b := range f.Body().BlocksOfType("resource") {
			t.resource(e, b)
		}
		g, err := e.Apply()
		if err != nil {
			return err
		}
		if string(g.Bytes()) == string(f.Bytes()) {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(f.Filename()))
		if err := unifieddiff.Write(stdout, path, string(f.Bytes()), string(g.Bytes())); err != nil {
			return err
		}
		if write {
			if err := os.WriteFile(path, g.Bytes(), 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}
