// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package mirror is the program mirror: a mirror or a registry with the providers that modules
// need.
package mirror

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/optionset"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/supply"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/install"
)

const usage = `usage: mirror [-platform os_arch]... [-newest N] [-prune] [-static-registry] [-key FILE]
              [-mirror URL or DIR] [-ca FILE] [-cli-config FILE] [-terraform] OUT DIR...

Mirror downloads the providers required by the modules in each DIR to the directory OUT, as "tofu
providers mirror" does, or makes a registry for any web server. It takes the locked version of
each provider, or else the newest allowed one, verifies its packages, and prints a line for each.
OUT can serve as a filesystem mirror and, behind a web server with TLS, as a network mirror.

  -platform os_arch      a platform such as linux_amd64, may be repeated; the default is this one
  -newest N              take the N newest allowed versions, or all of them if N is 0
  -prune                 remove packages that no DIR needs
  -static-registry       make OUT a registry of the providers and of the called modules
  -key FILE              the OpenPGP key that signs for the registry; the default is OUT.key, which
                         is created if it does not exist. Keep the key, and keep it secret.
  -mirror URL or DIR     use this mirror instead of the registries
  -ca FILE               trust the certificate authorities in FILE as well, in PEM
  -cli-config FILE       use this CLI configuration instead of the user's
  -terraform             read files, addresses and settings as Terraform does

Exit status: 0 OUT is complete, 1 something failed. OUT is consistent in both cases.

Example: tofuwire mirror -platform linux_amd64 /srv/mirror env/*
`

// Run is the program; it returns the exit status. It takes the environment of the process.
func Run(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	return supply.Run("mirror", usage, args, stdout, stderr, run)
}

// run is the program. Its error has everything that went wrong.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, environ []string) error {
	flags := optionset.New("mirror")
	var wanted supply.Platforms
	var from supply.Flags
	flags.Var(&wanted, "platform", "a `platform` such as linux_amd64; may be repeated")
	from.Add(flags)
	newest := flags.Int("newest", -1, "take the `N` newest versions that are allowed, or all if N is 0")
	prune := flags.Bool("prune", false, "remove packages that no DIR needs")
	static := flags.Bool("static-registry", false, "make OUT a registry for any web server")
	keyFile := flags.String("key", "", "`file` with the key that signs for the registry")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() < 2 {
		return errors.New("OUT and at least one DIR are needed")
	}
	out, dirs := flags.Arg(0), flags.Args()[1:]
	s, bar, err := from.Start("mirror", dirs[0], stderr, environ)
	if err != nil {
		return err
	}
	defer bar.Clear()

	tmp, err := os.MkdirTemp("", "tofuwire-mirror-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	j := &job{client: s.Client, source: s.Source, newest: *newest, tool: from.Tool(), terraform: from.Terraform, static: *static}
	j.modules = s.Modules()
	for i, dir := range dirs {
		if err := j.read(ctx, dir, filepath.Join(tmp, fmt.Sprint(i))); err != nil {
			return err
		}
	}
	mirror := &install.Mirror{Dir: out}
	reg := &install.StaticRegistry{Dir: out}
	if *static {
		mirror = reg.Packages()
		if *keyFile == "" {
			*keyFile = filepath.Clean(out) + ".key"
		}
		if err := useKey(reg, *keyFile, stdout); err != nil {
			return err
		}
	}
	packages, err := mirror.Add(ctx, s.Client, s.Source, j.selections, wanted)
	bar.Clear()
	for _, p := range packages {
		s.Warn(stderr, p.Provider.ForDisplay(), p.Version.String(), p.Warnings...)
	}
	if err != nil {
		return err
	}
	var size int64
	for _, p := range packages {
		size += p.Size
		fmt.Fprintf(stdout, "%s %s %s: %s\n", p.Provider.ForDisplay(), p.Version, p.Platform, p.Note)
	}
	if *prune {
		removed, err := mirror.Prune(ctx, j.selections, wanted)
		if err != nil {
			return err
		}
		for _, name := range removed {
			fmt.Fprintf(stdout, "removed %s\n", name)
		}
	}
	if *static {
		if err := j.writeRegistry(ctx, reg, stdout); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(stdout, "%s: %d packages, %.1f MB; %.1f MB were downloaded.\n", out, len(packages), float64(size)/1e6, float64(bar.Bytes(addrs.Provider{}))/1e6)
	return err
}

// A job has the requirements of the modules.
type job struct {
	client    *registry.Client
	source    registry.Source
	modules   *install.Modules
	newest    int
	tool      addrs.Tool
	terraform bool
	static    bool

	selections []install.Selection
	fetched    []install.FetchedModule // of registries
}

// read reads the module in dir, and selects its providers.
func (j *job) read(ctx context.Context, dir, tmp string) error {
	// The archives of modules are needed even if the modules are installed.
	tree, err := supply.Reader{Modules: j.modules, Into: tmp, Upgrade: j.static, Terraform: j.terraform}.Read(ctx, dir)
	if err != nil {
		return err
	}
	for _, m := range tree.Fetched {
		if m.Version.IsValid() {
			j.fetched = append(j.fetched, m)
		}
	}
	var found []install.Selection
	if j.newest >= 0 {
		found, err = install.Matching(ctx, j.source, tree.Required, j.newest)
	} else {
		var locks lockfile.Locks
		if locks, err = supply.Locks(filepath.Join(dir, lockfile.Name)); err == nil {
			found, err = install.Resolve(ctx, j.source, tree.Required, supply.Prior(locks, j.tool), install.Upgrade{})
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	for _, s := range found {
		if !slices.ContainsFunc(j.selections, func(o install.Selection) bool { return o.Provider == s.Provider && o.Version == s.Version }) {
			j.selections = append(j.selections, s)
		}
	}
	return nil
}

// writeRegistry adds the modules, and writes the documents.
func (j *job) writeRegistry(ctx context.Context, reg *install.StaticRegistry, stdout io.Writer) error {
	from := map[registry.Module]bool{}
	for _, m := range j.fetched {
		mod, ok := registry.NewModule(m.Source)
		if !ok {
			continue
		}
		from[mod] = true
		for other := range from {
			if other != mod && other.Namespace == mod.Namespace && other.Name == mod.Name && other.System == mod.System {
				return fmt.Errorf("%s and %s cannot be in the same registry", other, mod)
			}
		}
		// A link in the module must not publish a file of this machine.
		root, err := os.OpenRoot(m.Package)
		if err != nil {
			return err
		}
		err = reg.AddModule(ctx, mod, m.Version, root.FS())
		root.Close()
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "module %s %s\n", mod, m.Version)
	}
	return reg.Write(ctx)
}
