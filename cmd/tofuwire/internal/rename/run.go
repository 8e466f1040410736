// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package rename is the program rename: it renames what a module declares, in place
// and everywhere it is used.
package rename

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig/hclrename"
	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/tofuwire/tofuwire/internal/replacefile"
	"github.com/tofuwire/tofuwire/internal/unifieddiff"
)

var text = commandline.Text{
	Arguments: "FROM TO DIR",
	About: `
Rename renames an object that the module in DIR declares, everywhere it is used. FROM and TO are
addresses of the same kind: a resource (aws_instance.web), a data source (data.aws_ami.base), an
ephemeral resource, a module call (module.net), an input variable (var.zone), a local value
(local.tags), an output (output.id) or an alias of a provider (provider.aws.west).

It changes files of both syntaxes, including override, test and query files, values of variables in
terraform.tfvars and *.auto.tfvars, and calls of the module from other modules in the same
repository. For a resource or module call it adds a moved block. Without -w, a unified diff is
printed and nothing written.

With -type, FROM and TO are resource types: all managed resources of the type FROM, in the module in
DIR and in the local modules that it calls, become resources of the type TO, with a moved block each.
The provider of TO must support that move. If required_version allows no release that moves between
types (OpenTofu 1.10, Terraform 1.8), nothing is written. With -removed, DIR is the root of the
configuration and STATE its state: instead of moved blocks, rename adds a removed block for each
resource in STATE, and an import block for each instance with its id in STATE.`,
	Exit: `
0 all is renamed, or the diff printed
1 the change is not safe, or something cannot be read; nothing is written
2 a usage error`,
	Example: "tofuwire rename -w aws_instance.web aws_instance.frontend ./modules/network",
}

// Run runs the program. It returns the exit status.
func Run(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	var o options
	flags := commandline.New("tofuwire rename", text)
	flags.BoolVar(&o.write, "w", false, "write the files, and print no diff")
	flags.StringVar(&o.top, "root", "", "look for callers below this `DIR` instead of the repository of the module, which is the directory above it that contains .git. If there is neither, callers do not change, and a warning is printed")
	flags.BoolVar(&o.typ, "type", false, "change the type of resources")
	flags.StringVar(&o.state, "removed", "", "with -type, write removed and import blocks for the objects in this `STATE` instead of moved blocks")
	flags.StringVar(&o.passphrase, "passphrase-file", "", "a `FILE` with the passphrase of an encrypted STATE")
	flags.BoolVar(&o.allValues, "all-values", false, "change all *.tfvars and *.tfvars.json in DIR and below, except in directories that contain another module")
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	if err := o.check(); err != nil {
		fmt.Fprintln(stderr, "tofuwire rename:", commandline.Message(err))
		return 2
	}
	o.from, o.to, o.dir = flags.Arg(0), flags.Arg(1), flags.Arg(2)
	r, err := rename(o)
	switch {
	case err != nil:
	case o.write:
		err = r.write()
	default:
		err = r.diff(stdout, o.dir)
	}
	if err != nil {
		fmt.Fprintln(stderr, "tofuwire rename:", commandline.Message(err))
		return 1
	}
	for _, line := range append(r.notes, r.searched()) {
		fmt.Fprintln(stderr, "tofuwire rename:", line)
	}
	return 0
}

// options are those of the command line.
type options struct {
	from, to, dir, top string
	write, typ         bool
	allValues          bool
	state, passphrase  string
}

// check refuses options that do not go together.
func (o options) check() error {
	switch {
	case o.state != "" && !o.typ:
		return errors.New("-removed is for -type")
	case o.passphrase != "" && o.state == "":
		return errors.New("-passphrase-file is for -removed")
	case o.allValues && o.typ:
		return errors.New("-all-values is for variables, not for -type")
	}
	return nil
}

// A renaming is what a run of the program changes.
type renaming struct {
	root    string // the directory below which callers were looked for
	dir     string // of the module, below root
	bounded bool   // root is neither a repository nor given
	texts   map[string][]byte
	notes   []string // for standard error
}

// searched says where callers were looked for.
func (r *renaming) searched() string {
	if r.bounded {
		return fmt.Sprintf("%s is in no repository: callers outside of it are not changed; -root DIR names the directory to search", r.root)
	}
	return "looked for callers in " + r.root
}

// rename finds the new texts of the files that change.
func rename(o options) (*renaming, error) {
	abs, err := resolved(o.dir)
	if err != nil {
		return nil, err
	}
	r := &renaming{}
	if o.top != "" {
		if r.root, err = resolved(o.top); err != nil {
			return nil, err
		}
	} else if r.root, r.bounded = repository(abs); r.bounded {
		r.root = abs
	}
	rel, err := filepath.Rel(r.root, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return nil, fmt.Errorf("%s is not in %s", o.dir, o.top)
	}
	r.dir = filepath.ToSlash(rel)
	fsys := os.DirFS(r.root)
	if !o.typ {
		r.texts, err = hclrename.Rename(fsys, r.dir, o.from, o.to, hclrename.Options{AllValues: o.allValues})
		return r, err
	}
	opts := hclrename.Options{Forget: o.state != ""}
	if opts.Forget {
		if opts.Imports, r.notes, err = imports(o); err != nil {
			return nil, err
		}
	} else {
		r.notes = []string{fmt.Sprintf("the provider of %s has to support the move from %s; OpenTofu moves between types since 1.10, Terraform since 1.8", o.to, o.from)}
	}
	r.texts, err = hclrename.RenameType(fsys, r.dir, o.from, o.to, opts)
	return r, err
}

func resolved(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// repository returns the directory above dir, or dir itself, that has .git; none says that there
// is no such directory.
func repository(dir string) (root string, none bool) {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
			return at, false
		}
		if filepath.Dir(at) == at {
			return "", true
		}
	}
}

// diff prints what would change. The names of the files are as seen from dir, as the
// caller has it, or, if one of them is above that, as seen from the root of all modules.
func (r *renaming) diff(w io.Writer, dir string) error {
	names := slices.Sorted(maps.Keys(r.texts))
	paths := make([]string, len(names))
	for i, name := range names {
		rel, err := filepath.Rel(filepath.FromSlash(r.dir), filepath.FromSlash(name))
		if paths[i] = filepath.ToSlash(filepath.Join(dir, rel)); err != nil || strings.HasPrefix(paths[i], "../") {
			copy(paths, names)
			break
		}
	}
	for i, name := range names {
		before, err := fs.ReadFile(os.DirFS(r.root), name)
		if err != nil {
			return err
		}
		if err := unifieddiff.Write(w, paths[i], string(before), string(r.texts[name])); err != nil {
			return err
		}
	}
	return nil
}

// write puts the new texts in their places. If one cannot be written, the
// earlier files get their old text again.
func (r *renaming) write() error {
	before := map[string][]byte{}
	for _, name := range slices.Sorted(maps.Keys(r.texts)) {
		full := filepath.Join(r.root, filepath.FromSlash(name))
		old, err := os.ReadFile(full)
		if err == nil {
			err = replacefile.Edit(full, r.texts[name])
		}
		if err != nil {
			for name, text := range before {
				err = errors.Join(err, replacefile.Edit(filepath.Join(r.root, filepath.FromSlash(name)), text))
			}
			return err
		}
		before[name] = old
	}
	return nil
}
