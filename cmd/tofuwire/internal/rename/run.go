// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package rename is the program rename: it renames what a module declares, in place
// and everywhere it is used.
package rename

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/internal/unifieddiff"
)

const usage = `usage: rename [-w] FROM TO DIR

Rename renames an object declared by the module in DIR, everywhere it is used.
FROM and TO are addresses of the same kind: of a resource
(aws_instance.web), a data source (data.aws_ami.base), an ephemeral resource, a
module call (module.net), an input variable (var.zone), a local value (local.tags)
or an output (output.id).

It changes files of both syntaxes, including override, test and query files, values
of variables in terraform.tfvars and *.auto.tfvars, and calls of the module from
other modules in the same repository. For a resource or module call it adds a moved
block.

It prints a unified diff and writes nothing; with -w it writes the files and prints
nothing.

The exit status is 0, or 1 if the change is not safe or something cannot be read.
On failure, nothing is written.

Example:
  tofuwire rename -w aws_instance.web aws_instance.frontend ./modules/network
`

// Run runs the program. It returns the exit status.
func Run(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("rename", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	write := flags.Bool("w", false, "")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		io.WriteString(stdout, usage)
		return 0
	case err == nil && flags.NArg() != 3:
		err = errors.New("usage: rename [-w] FROM TO DIR")
	}
	var r *renamer
	var out map[string][]byte
	if err == nil {
		r, out, err = rename(flags.Arg(0), flags.Arg(1), flags.Arg(2))
	}
	switch {
	case err != nil:
	case *write:
		err = r.write(out)
	default:
		err = r.diff(stdout, flags.Arg(2), out)
	}
	if err != nil {
		fmt.Fprintln(stderr, "rename:", err)
		return 1
	}
	return 0
}

// diff prints what would change. The names of the files are as seen from dir, as the
// caller has it, or, if one of them is above that, as seen from the root of all modules.
func (r *renamer) diff(w io.Writer, dir string, out map[string][]byte) error {
	names := slices.Sorted(maps.Keys(out))
	paths := make([]string, len(names))
	for i, name := range names {
		rel, err := filepath.Rel(filepath.FromSlash(r.dir), filepath.FromSlash(name))
		if paths[i] = filepath.ToSlash(filepath.Join(dir, rel)); err != nil || strings.HasPrefix(paths[i], "../") {
			copy(paths, names)
			break
		}
	}
	for i, name := range names {
		if err := unifieddiff.Write(w, paths[i], string(r.files[name]), string(out[name])); err != nil {
			return err
		}
	}
	return nil
}
