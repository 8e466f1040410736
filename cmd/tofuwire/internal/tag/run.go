// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package tag is the program tag: tags in every resource of a module.
package tag

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/configdir"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/tofuwire/tofuwire/internal/replacefile"
	"github.com/tofuwire/tofuwire/internal/unifieddiff"
)

var usage = commandline.Text{
	Arguments: "KEY=VALUE... DIR",
	About: `
Tag adds or changes tags in every resource of the module in DIR: the arguments "tags" and
"labels" of resources, in native and JSON files. It adds the tags to objects, to merge(...), and to
both results of a conditional. It does not change a value that may not be a map or that has
non-constant keys. Such values, and resources without tags, are reported on standard error with
their positions. A second run changes nothing. It prints a unified diff.`,
	Exit: `
0 all resources have the tags
1 some values could not be changed
2 another error, or a usage error`,
	Example: "tofuwire tag -w team=web cost-center=42 modules/site",
}

// Run is the program; it returns the exit status.
func Run(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	flags := commandline.New("tofuwire tag", usage)
	write := flags.Bool("w", false, "also write the files")
	schemas := flags.String("schemas", "", "the output of \"tofu providers schema -json\" in `FILE`, to also tag resources that support tags but have none")
	t := &tagger{}
	flags.Check = func() error { return t.setTags(flags.Args()[:flags.NArg()-1]) }
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	dir := flags.Arg(flags.NArg() - 1)
	var err error
	if *schemas != "" {
		t.schemas, err = planfile.ReadConfigSchemas(*schemas)
	}
	if err == nil {
		err = t.run(stdout, stderr, dir, *write)
	}
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "tofuwire tag:", commandline.Message(err))
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
