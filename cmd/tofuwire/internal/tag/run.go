// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package tag is the program tag: tags in every resource of a module.
package tag

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/configdir"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/optionset"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/internal/replacefile"
	"github.com/tofuwire/tofuwire/internal/unifieddiff"
)

const usage = `usage: tag [-w] [-schemas FILE] KEY=VALUE... DIR

Tag adds or changes tags in every resource of the module in DIR: the arguments "tags" and
"labels" of resources, in native and JSON files. It adds the tags to objects, to merge(...), and
to both results of a conditional. It does not change a value that may not be a map or that has
non-constant keys; it reports such values, and resources that get no tags, on standard error with
their places. A second run changes nothing.

It prints a unified diff.

  -w             also write the files
  -schemas FILE  the output of "tofu providers schema -json", to also tag resources that support
                 tags but have none

Exit status: 0 all resources have the tags, 1 some values could not be changed, 2 an error.

Example: tofuwire tag -w team=web cost-center=42 modules/site
`

// Run is the program; it returns the exit status.
func Run(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	flags := optionset.New("tag")
	write := flags.Bool("w", false, "")
	schemas := flags.String("schemas", "", "")
	switch err := flags.Parse(args); {
	case err == flag.ErrHelp:
		fmt.Fprint(stdout, usage)
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "tag: %v\n%s", err, usage)
		return 2
	case flags.NArg() < 2:
		fmt.Fprint(stderr, "tag: KEY=VALUE and DIR are needed\n", usage)
		return 2
	}
	args = flags.Args()
	dir := args[len(args)-1]
	t := &tagger{}
	err := t.setTags(args[:len(args)-1])
	if err == nil && *schemas != "" {
		t.schemas, err = loadSchemas(*schemas)
	}
	if err == nil {
		err = t.run(stdout, stderr, dir, *write)
	}
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "tag:", err)
		return 2
	case t.reported > 0:
		return 1
	}
	return 0
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
	if err := configdir.Check(dir, false); err != nil {
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
			if err := replacefile.Edit(path, g.Bytes()); err != nil {
				return err
			}
		}
	}
	return nil
}
