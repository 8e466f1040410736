// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package schemas is the program schemas: what "providers schema -json" prints, without the tool.
package schemas

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/configdir"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/planjson"
)

var text = commandline.Text{
	Arguments: "[DIR]",
	About: `
Schemas prints what "tofu providers schema -json" or "terraform providers schema -json" prints for
the module in DIR, by default the current directory. It needs neither the tool nor a backend: it
starts the providers in DIR/.terraform.lock.hcl and requests their schemas, as the tools do. The
document has the format of the newest known release.

Packages come from DIR/.terraform/providers, or else from the mirror. Before a provider is started,
the h1 hash of every package must be in the lock file; otherwise none is started. The built-in
provider is printed if the configuration uses it.

A provider is a program. It runs in DIR for at most 60 seconds; it and its child processes are
killed afterwards. Its environment is PATH, HOME, a separate TMPDIR and the variables of -env.`,
	Exit: `
0 the schemas were printed
1 a provider is missing or failed; its name is printed on standard error, and nothing on standard output
2 a usage error`,
	Example: "tofuwire schemas > schemas.json && tofuwire validate -schemas schemas.json .",
}

type options struct {
	tool, mirror, dir string
	env               []string
}

// Run runs the program. It returns the exit status.
func Run(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	o := options{dir: "."}
	flags := commandline.New("tofuwire schemas", text)
	flags.Choice(&o.tool, "tool", "", "the `TOOL`, tofu or terraform; the default is the one that wrote the lock file, else tofu", "tofu", "terraform")
	flags.StringVar(&o.mirror, "mirror", "", "a filesystem mirror in `DIR`, with packed or unpacked packages")
	flags.Func("env", "pass on the variable `NAME` of the environment; may be repeated", func(name string) error {
		if name == "" || strings.ContainsAny(name, "=\x00") {
			return fmt.Errorf("%q is not the name of a variable", name)
		}
		o.env = append(o.env, name)
		return nil
	})
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	if flags.NArg() == 1 {
		o.dir = flags.Arg(0)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	out, err := o.document(ctx)
	if err == nil {
		_, err = stdout.Write(out)
	}
	if err != nil {
		fmt.Fprintln(stderr, "tofuwire schemas:", commandline.Message(err))
		return 1
	}
	return 0
}

// document returns the whole document, or an error if one of its providers is missing from it.
func (o *options) document(ctx context.Context) ([]byte, error) {
	dir, err := filepath.Abs(o.dir)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(dir); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, fmt.Errorf("%s is not a directory", o.dir)
	}
	file, err := lockfile.Load(filepath.Join(dir, lockfile.Name))
	locked := err == nil
	if errors.Is(err, fs.ErrNotExist) {
		file = lockfile.New(lockfile.Name, "")
	} else if err != nil {
		return nil, err
	} else if err := file.Err(); err != nil {
		return nil, err
	}
	release := planjson.Release{Tool: addrs.OpenTofu}
	if o.tool == "terraform" || o.tool == "" && file.Tool() == addrs.Terraform {
		release.Tool = addrs.Terraform
	}
	builtIn, err := required(dir, release.Tool, file.Locks(), locked)
	if err != nil {
		return nil, err
	}
	doc := &planjson.Schemas{FormatVersion: "1.0", ProviderSchemas: map[string]*planjson.ProviderSchema{}}
	if builtIn {
		own, err := builtInSchemas(release.Tool)
		if err != nil {
			return nil, err
		}
		doc.ProviderSchemas = own.ProviderSchemas
	}
	packages, clean, err := findPackages(ctx, dir, o.mirror, file.Locks())
	defer clean()
	if err != nil {
		return nil, err
	}
	for _, p := range packages {
		s, err := ask(ctx, process{executable: p.executable, dir: dir, pass: o.env}, release.Tool)
		if err != nil {
			return nil, fmt.Errorf("provider %s %s: %w", p.provider, p.version, err)
		}
		doc.ProviderSchemas[p.provider.String()] = s
	}
	return planjson.CanonicalFor(doc, release)
}

//go:embed builtin
var builtInText embed.FS

// builtInSchemas returns the schemas of the provider that is part of a tool, as its newest release
// prints them.
func builtInSchemas(tool addrs.Tool) (*planjson.Schemas, error) {
	name := "builtin/tofu.json"
	if tool == addrs.Terraform {
		name = "builtin/terraform.json"
	}
	src, err := builtInText.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return planjson.DecodeSchemas(src)
}

// required reports whether the configuration uses the built-in provider. It is an error if it uses
// one that is not locked: the document would lack it. Modules that are not installed are passed
// over.
func required(dir string, tool addrs.Tool, locks lockfile.Locks, locked bool) (builtIn bool, err error) {
	dialect := hclconfig.OpenTofu
	if tool == addrs.Terraform {
		dialect = hclconfig.Terraform
	}
	root := filepath.VolumeName(dir) + string(filepath.Separator)
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		return false, err
	}
	tree, err := hclnames.LoadTree(os.DirFS(root), filepath.ToSlash(rel), dialect, configdir.Workspace(dir))
	if err != nil {
		return false, err
	}
	// The registries of both tools have the same providers.
	type name struct{ namespace, typ string }
	has := map[name]bool{}
	for _, l := range locks {
		has[name{l.Provider.Namespace(), l.Provider.Type()}] = true
	}
	for t := range tree.All() {
		for _, p := range t.Module.RequiredProviders() {
			switch {
			case p.Provider.IsBuiltIn():
				builtIn = true
			case !p.Provider.IsValid() || has[name{p.Provider.Namespace(), p.Provider.Type()}]:
			case !locked:
				return false, fmt.Errorf("there is no %s in %s, and the configuration uses provider %s: run init", lockfile.Name, dir, p.Provider)
			default:
				return false, fmt.Errorf("%s does not have provider %s, which the configuration uses: run init", lockfile.Name, p.Provider)
			}
		}
	}
	return builtIn, nil
}
