// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package validate is the program validate: what "tofu validate" or "terraform validate"
// says about a module, as any of their releases, and which releases the module needs.
package validate

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/configdir"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/tofuwire/tofuwire/internal/lazy"
)

var text = commandline.Text{
	Arguments: "[DIR]",
	Forms:     []string{"-needs [-v] [DIR]"},
	About: `
Validate reports what "tofu validate" or "terraform validate" reports about the module in DIR, by
default the current directory, and the local modules that it calls. It needs neither the tool nor
providers, and writes no files. The workspace comes from TF_WORKSPACE, or is the one selected in
DIR, or default. The format text is compact, one line for each diagnostic, or full on a terminal,
with the code:

  FILE:LINE,COLUMN: error or warning: SUMMARY; DETAIL

The format json is that of the tool's "validate -json". File names are relative to DIR,
except in SARIF 2.1.0, where they are relative to the root of the repository of DIR.

With -needs, validate prints two lines, the constraints for required_version that
match the language features of the module:

  opentofu CONSTRAINT
  terraform CONSTRAINT

CONSTRAINT is ">= X.Y", ">= X.Y, < X.Y", or "none" if no release supports everything.
Features in tests, queries and local modules count. An existing required_version is ignored. The
oldest releases are OpenTofu 1.6 and Terraform 1.0.`,
	Exit: `
0 there are no errors; with -needs also for "none"
1 there are errors
2 DIR cannot be read, or a usage error`,
	Example: "tofuwire validate -tool terraform -release 1.5 ./modules/network",
}

type options struct {
	tool, release, schemas, format string
	needs, verbose, kits, colors   bool
	dir                            string
}

// Run runs the program. It returns the exit status.
func Run(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	o := options{dir: "."}
	flags := commandline.New("tofuwire validate", text)
	flags.Choice(&o.tool, "tool", "tofu", "the `TOOL` whose rules apply, tofu or terraform", "tofu", "terraform")
	flags.StringVar(&o.release, "release", "", "the release `X.Y` of the tool; the default is the newest known one. For a Terraform release before 1.5, validate reports the errors of 1.5, and the features that the release lacks")
	flags.StringVar(&o.schemas, "schemas", "", "the output of \"providers schema -json\" in `FILE`, to also check the arguments of resources")
	flags.BoolVar(&o.kits, "kits", false, "also report errors and warnings of the SDK or framework that the provider uses, as far as the schemas show them: read-only arguments that are set, required arguments that are null, missing blocks with a required argument, deprecated types")
	flags.Choice(&o.format, "format", "text", "the `FORMAT`: text, full, compact, sarif or json", "text", "full", "compact", "sarif", "json")
	flags.BoolVar(&o.needs, "needs", false, "print which releases the module needs")
	flags.BoolVar(&o.verbose, "v", false, "with -needs, also print a line for each feature that some releases lack, as TOOL >= X.Y: FILE:LINE,COLUMN: FEATURE")
	flags.Check = func() error { return o.check(flags) }
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	o.colors = flags.Colors(stdout)
	ok, err := o.run(stdout, stderr)
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "tofuwire validate:", commandline.Message(err))
		return 2
	case !ok:
		return 1
	}
	return 0
}

// check returns what is wrong with the options together.
func (o *options) check(flags *commandline.Set) (err error) {
	flags.Visit(func(f *flag.Flag) {
		switch {
		case f.Name == "v" && !o.needs:
			err = errors.New("-v is only for -needs")
		case o.needs && !slices.Contains([]string{"v", "needs", "no-color", "no-progress"}, f.Name):
			err = fmt.Errorf("-needs is about all releases of both tools: it cannot be combined with -%s", f.Name)
		}
	})
	if o.kits && o.schemas == "" {
		err = errors.New("-kits needs -schemas")
	}
	if err == nil {
		_, err = o.dialect()
	}
	if flags.NArg() == 1 {
		o.dir = flags.Arg(0)
	}
	return err
}

// tools are the programs with the releases that the library knows.
var tools = map[string]struct {
	dialect        hclconfig.Dialect
	oldest, newest int
}{
	"tofu":      {hclconfig.OpenTofu, 6, 13},
	"terraform": {hclconfig.Terraform, 0, 17},
}

var releaseForm = lazy.Regexp(`^1\.([0-9]{1,3})$`)

// dialect returns the language of the tool and the release that are asked for.
func (o *options) dialect() (hclconfig.Dialect, error) {
	t := tools[o.tool]
	if o.release == "" {
		return t.dialect, nil
	}
	form := releaseForm().FindStringSubmatch(o.release)
	if form == nil {
		return 0, fmt.Errorf("%q is not a release; use the form X.Y, such as 1.9", o.release)
	}
	minor, err := strconv.Atoi(form[1])
	if err != nil || minor < t.oldest || minor > t.newest {
		return 0, fmt.Errorf("the rules of %s %s are not known; use 1.%d to 1.%d", o.tool, o.release, t.oldest, t.newest)
	}
	v, err := addrs.ParseVersion(o.release + ".0")
	return t.dialect.At(v), err
}

// A directory is DIR as a place in a file system. Local modules may be anywhere, so
// the file system is that of the machine.
type directory struct {
	fsys fs.FS
	name string
	path string // the same as an absolute path of the machine
}

func openDirectory(name string, terraform bool) (directory, error) {
	if err := configdir.Check(name, terraform); err != nil {
		return directory{}, err
	}
	dir, err := filepath.Abs(name)
	if err != nil {
		return directory{}, err
	}
	root := filepath.VolumeName(dir) + string(filepath.Separator)
	inside, err := filepath.Rel(root, dir)
	return directory{os.DirFS(root), filepath.ToSlash(inside), dir}, err
}

// relative returns the name of a file or directory as it is from DIR.
func (d directory) relative(name string) string {
	rel, err := filepath.Rel(filepath.FromSlash(d.name), filepath.FromSlash(name))
	if err != nil || name == "" {
		return name
	}
	return filepath.ToSlash(rel)
}

// run does what the options ask for and reports whether there is no error in the module.
func (o *options) run(w, stderr io.Writer) (bool, error) {
	dialect, err := o.dialect()
	if err != nil {
		return false, err
	}
	if hclcheck.IsOld(dialect) {
		fmt.Fprintf(stderr, "tofuwire validate: the rules of %s are not known: these are the language features that it lacks, and the errors of %s\n", dialect, hclcheck.OldestTerraform)
	}
	dir, err := openDirectory(o.dir, o.tool == "terraform")
	switch {
	case err != nil:
		return false, err
	case o.needs:
		return true, needs(w, dir, o.verbose)
	}
	v := hclcheck.Validation{Kits: o.kits}
	if o.schemas != "" {
		if v.Schemas, err = planfile.ReadConfigSchemas(o.schemas); err != nil {
			return false, err
		}
	}
	tree, err := hclnames.LoadTree(dir.fsys, dir.name, dialect, hclconfig.TestDirectory(""), configdir.Workspace(dir.path))
	var found hclconfig.Diagnostics
	switch {
	case err == nil:
		found = hclcheck.Validate(tree, v)
	case tree != nil && errors.Is(err, hclconfig.ErrLimit):
		found = notInstalled(tree.Module, err)
	default:
		return false, err
	}
	r := report{dir: dir, tree: tree}
	switch o.format {
	case "json":
		err = r.json(w, found)
	default:
		err = r.write(w, o.format, o.colors, found)
	}
	return !found.HasErrors(), err
}

// notInstalled is what the tools say of modules that call themselves: init installs none of
// them.
func notInstalled(m *hclconfig.Module, err error) hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	for _, c := range m.Calls {
		out = append(out, hclconfig.Diagnostic{Severity: hclconfig.SeverityError, Summary: "Module not installed", Subject: c.Block.DefRange(),
			Detail: fmt.Sprintf("The modules cannot be installed: %v.", err)})
	}
	return out
}

// needs prints which releases of each tool the module works with.
func needs(w io.Writer, dir directory, verbose bool) error {
	var lines, reasons []string
	for _, t := range []struct {
		name    string
		dialect hclconfig.Dialect
	}{{"opentofu", hclconfig.OpenTofu}, {"terraform", hclconfig.Terraform}} {
		constraint, features, err := hclnames.NeedOf(dir.fsys, dir.name, t.dialect)
		if err != nil {
			return err
		}
		if constraint == "" {
			constraint = "none"
		}
		lines = append(lines, t.name+" "+constraint)
		for _, f := range features {
			at := f.Range.Start
			reasons = append(reasons, fmt.Sprintf("%s: %s:%d,%d: %s", asked(t.name, f.Support, t.dialect), dir.relative(f.Range.Filename), at.Line, at.Column, f.Name))
		}
	}
	if verbose {
		lines = append(lines, reasons...)
	}
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

// asked returns what one feature asks of a tool, as in "terraform >= 1.9".
func asked(tool string, s hclnames.Support, d hclconfig.Dialect) string {
	since, until := s.Since(d), s.OpenTofuUntil
	if d == hclconfig.Terraform {
		until = s.TerraformUntil
	}
	var parts []string
	switch since {
	case "":
		return tool + " none"
	case "0":
	default:
		parts = append(parts, ">= "+since)
	}
	if until != "" {
		parts = append(parts, "< "+until)
	}
	return tool + " " + strings.Join(slices.Clip(parts), ", ")
}
