// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package lock is the program lock: provider hashes for several platforms, in the lock file of
// a module.
package lock

import (
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/configdir"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/supply"
	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry/install"
)

var text = commandline.Text{
	Arguments: "[DIR]",
	Forms:     []string{"-merge BASE OURS THEIRS"},
	About: `
Lock records the hashes of providers for several platforms in DIR/.terraform.lock.hcl, as
"tofu providers lock" does, without tofu. DIR is the current directory by default. It finds the
providers required by the module in DIR and by all modules that it calls, and downloads those
modules if they are not installed. It verifies the package of each provider for each platform and
adds its hashes, but does not install it. A locked version stays as long as it is allowed. Comments
stay. The summary on standard output lists what was proven about each package.

Tokens, hosts, mirrors, timeouts and retries come from the CLI configuration. A package is not
downloaded if it is in the plugin cache and its hash is in the lock file, or if the registry states
its hashes and "tofu init" would record these as well. Logins for packages come from .netrc.
Warnings are lines such as "warning: SOURCE VERSION: TEXT" on standard error.`,
	Exit: `
0 the lock file has all hashes; with -merge, merged
1 something failed and the lock file is unchanged; with -merge, OURS has conflicts
2 a usage error; with -merge, a file cannot be read and OURS is unchanged`,
	Example: "tofuwire lock -platform linux_amd64 -platform darwin_arm64",
}

// A job is what the command line asks for.
type job struct {
	wanted       supply.Platforms
	from         supply.Flags
	check, merge bool
	progress     bool
	dir          string
}

// newJob returns what a command line asks for, and the command line.
func newJob() (*job, *commandline.Set) {
	j := &job{}
	flags := commandline.New("tofuwire lock", text)
	j.wanted.Add(flags)
	j.from.Add(flags)
	flags.BoolVar(&j.check, "check", false, "request everything again, even hashes that are in the lock file")
	flags.BoolVar(&j.merge, "merge", false, "merge three versions of a lock file into OURS, as a merge driver of Git. Where both sides changed a provider, OURS has conflict markers")
	flags.Check = func() error {
		j.dir = cmp.Or(flags.Arg(0), ".")
		return nil
	}
	return j, flags
}

// Run is the program; it returns the exit status. It takes the environment of the process.
func Run(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	j, flags := newJob()
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	if j.merge {
		return merge(flags.Args(), stderr)
	}
	j.progress = flags.Progress(stderr)
	return supply.Run("lock", stderr, func(ctx context.Context, environ []string) error { return j.run(ctx, stdout, stderr, environ) })
}

// run is the program. Its error has everything that went wrong.
func (j *job) run(ctx context.Context, stdout, stderr io.Writer, environ []string) error {
	dir, from := j.dir, &j.from
	if err := configdir.Check(dir, from.Terraform); err != nil {
		return err
	}
	s, bar, err := from.Start("lock", dir, stderr, environ, j.progress)
	if err != nil {
		return err
	}
	defer bar.Clear()
	tree, err := requirements(ctx, s, dir, from.Terraform)
	if err != nil {
		return err
	}
	bar.Clear()
	s.WarnModules(stderr, tree.Fetched)
	locker := &install.Locker{Client: s.Client, Source: s.Source, Platforms: j.wanted, Known: s.Known, Check: j.check}
	if cache := s.Config.PluginCacheDir; cache != "" {
		locker.Caches = []string{cache}
	}
	warn := func(l install.LockedProvider) {
		name, version := l.Lock.Provider.ForDisplay(), l.Lock.Version.String()
		s.Warn(stderr, name, version, l.Selection.Warnings...)
		for _, p := range l.Packages {
			s.Warn(stderr, name, version, p.Warnings...)
		}
	}
	return lock(ctx, locker, dir, from.Tool(), tree.Required, stdout, func(l install.LockedProvider) { bar.Clear(); warn(l) })
}

// requirements reads the tree of modules. Modules that are not installed are
// downloaded for it, and removed again.
func requirements(ctx context.Context, s *supply.Supply, dir string, terraform bool) (*supply.Tree, error) {
	tmp, err := os.MkdirTemp("", "tofuwire-lock-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	modules := s.Modules()
	modules.Fetch = nil // no program is run for a lock file
	return supply.Reader{Modules: modules, Into: tmp, Terraform: terraform}.Read(ctx, dir)
}

// lock adds the hashes of the required providers to the lock file of dir. It sends
// all requests before it writes. The file may change meanwhile: the new hashes are
// added to its latest content.
func lock(ctx context.Context, l *install.Locker, dir string, tool addrs.Tool, required []install.Requirement, stdout io.Writer, warn func(install.LockedProvider)) error {
	name := filepath.Join(dir, lockfile.Name)
	before, err := supply.Locks(name)
	if err != nil {
		return err
	}
	selections, err := install.Resolve(ctx, l.Source, required, supply.Prior(before, tool), install.Upgrade{})
	if err != nil {
		return err
	}
	found, err := l.Lock(ctx, selections, before)
	for _, p := range found {
		warn(p)
	}
	if err != nil {
		return err
	}
	changes, err := install.UpdateLockFile(ctx, name, tool, func(file *lockfile.File) error {
		var locks []lockfile.Lock
		for _, p := range found {
			locks = append(locks, p.Lock)
		}
		return supply.SetLocks(file, before, locks)
	})
	if err != nil {
		return err
	}
	return summarize(stdout, name, found, changes)
}
