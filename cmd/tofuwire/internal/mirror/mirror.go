// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package mirror is the program mirror: a mirror or a registry with the providers that modules
// need.
package mirror

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/supply"
	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/install"
)

var text = commandline.Text{
	Arguments: "OUT DIR...",
	About: `
Mirror downloads the providers required by the modules in each DIR to the directory OUT, as "tofu
providers mirror" does, or creates a static registry for any web server. It selects the locked
version of each provider, or else the newest allowed one, verifies its packages, and prints a line
for each. OUT can serve as a filesystem mirror and, behind a web server with TLS, as a network
mirror.`,
	Exit: `
0 OUT is complete
1 something failed; OUT is consistent
2 a usage error`,
	Example: "tofuwire mirror -platform linux_amd64 /srv/mirror env/*",
}

// A request is what the command line asks for.
type request struct {
	wanted        supply.Platforms
	from          supply.Flags
	newest        int
	prune, static bool
	keyFile       string
	progress      bool
	out           string
	dirs          []string
}

// newRequest returns what a command line asks for, and the command line.
func newRequest() (*request, *commandline.Set) {
	r := &request{}
	flags := commandline.New("tofuwire mirror", text)
	r.wanted.Add(flags)
	r.from.Add(flags)
	flags.IntVar(&r.newest, "newest", -1, "select the `N` newest allowed versions, or all of them if N is 0; the default is one")
	flags.BoolVar(&r.prune, "prune", false, "remove packages that no DIR needs")
	flags.BoolVar(&r.static, "static-registry", false, "make OUT a registry of the providers and of the called modules")
	flags.StringVar(&r.keyFile, "key", "", "the OpenPGP key in `FILE` that signs for the registry; the default is OUT.key, which is created if it does not exist. Store the key safely and keep it secret")
	flags.Check = func() error {
		r.out, r.dirs = flags.Arg(0), flags.Args()[1:]
		return nil
	}
	return r, flags
}

// Run is the program; it returns the exit status. It takes the environment of the process.
func Run(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	r, flags := newRequest()
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	r.progress = flags.Progress(stderr)
	return supply.Run("mirror", stderr, func(ctx context.Context, environ []string) error { return r.run(ctx, stdout, stderr, environ) })
}

// run is the program. Its error has everything that went wrong.
func (r *request) run(ctx context.Context, stdout, stderr io.Writer, environ []string) error {
	out, dirs, from := r.out, r.dirs, &r.from
	s, bar, err := from.Start("mirror", dirs[0], stderr, environ, r.progress)
	if err != nil {
		return err
	}
	defer bar.Clear()

	tmp, err := os.MkdirTemp("", "tofuwire-mirror-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	j := &job{client: s.Client, source: s.Source, newest: r.newest, tool: from.Tool(), terraform: from.Terraform, static: r.static}
	j.modules = s.Modules()
	for i, dir := range dirs {
		if err := j.read(ctx, dir, filepath.Join(tmp, fmt.Sprint(i))); err != nil {
			return err
		}
	}
	mirror := &install.Mirror{Dir: out}
	reg := &install.StaticRegistry{Dir: out}
	if r.static {
		mirror = reg.Packages()
		if r.keyFile == "" {
			r.keyFile = filepath.Clean(out) + ".key"
		}
		if err := useKey(reg, r.keyFile, stdout); err != nil {
			return err
		}
	}
	packages, err := mirror.Add(ctx, s.Client, s.Source, j.selections, r.wanted)
	bar.Clear()
	s.WarnModules(stderr, j.warned)
	for _, p := range packages {
		s.Warn(stderr, p.Provider.ForDisplay(), p.Version.String(), p.Warnings...)
	}
	var size int64
	for _, p := range packages {
		size += p.Size
		fmt.Fprintf(stdout, "%s %s %s: %s\n", p.Provider.ForDisplay(), p.Version, p.Platform, p.Note)
	}
	if err != nil {
		return err
	}
	if r.prune {
		removed, err := mirror.Prune(ctx, j.selections, r.wanted)
		if err != nil {
			return err
		}
		for _, name := range removed {
			fmt.Fprintf(stdout, "removed %s\n", name)
		}
	}
	if r.static {
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
	warned     []install.FetchedModule // all
}

// read reads the module in dir, and selects its providers.
func (j *job) read(ctx context.Context, dir, tmp string) error {
	// The archives of modules are needed even if the modules are installed.
	tree, err := supply.Reader{Modules: j.modules, Into: tmp, Upgrade: j.static, Terraform: j.terraform}.Read(ctx, dir)
	if err != nil {
		return err
	}
	j.warned = append(j.warned, tree.Fetched...)
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
	j.selections = append(j.selections, found...) // a version has as many locks as modules need it
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
