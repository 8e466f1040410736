// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package lock is the program lock: provider hashes for several platforms, in the lock file of
// a module.
package lock

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/configdir"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/optionset"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/supply"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry/install"
)

const usage = `usage: lock [-platform os_arch]... [-mirror URL or DIR] [-ca FILE] [-cli-config FILE] [-terraform] [-check] DIR
       lock -merge BASE OURS THEIRS

Lock records the hashes of providers for several platforms in DIR/.terraform.lock.hcl, as
"tofu providers lock" does, without tofu. It finds the providers required by the module in DIR and
by all modules that it calls, and downloads those modules if they are not installed. It verifies
the package of each provider for each platform, adds its hashes, and does not keep it. A locked
version stays as long as it is allowed, and so do comments. The summary on standard output lists
what was proven about each package.

  -platform os_arch      a platform such as linux_amd64, may be repeated; the default is this one
  -check                 request everything again, even hashes that are in the lock file
  -mirror URL or DIR     use this mirror instead of the registries
  -ca FILE               trust the certificate authorities in FILE as well, in PEM
  -cli-config FILE       use this CLI configuration instead of the user's
  -terraform             read files, addresses and settings as Terraform does
  -merge                 merge three versions of a lock file into OURS, as a merge driver of Git.
                         Where both sides changed a provider, OURS has conflict markers

Tokens, hosts, mirrors, timeouts and retries come from the CLI configuration. Packages in the
plugin cache whose hash is in the lock file are not fetched again, and none whose hashes the
registry states, if "tofu init" would record them too. Logins for packages come from .netrc.
Warnings are lines such as "warning: SOURCE VERSION: TEXT" on standard error.

Exit status: 0 the lock file has all hashes, 1 something failed and the lock file is unchanged.
With -merge: 0 merged, 1 OURS has conflicts, 2 a file cannot be read and OURS is unchanged.

Example: tofuwire lock -platform linux_amd64 -platform darwin_arm64 .
`

// Run is the program; it returns the exit status. It takes the environment of the process.
func Run(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	if rest, ok := mergeArguments(args); ok {
		return merge(rest, stderr)
	}
	return supply.Run("lock", usage, args, stdout, stderr, run)
}

// run is the program. Its error has everything that went wrong.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, environ []string) error {
	flags := optionset.New("lock")
	var wanted supply.Platforms
	var from supply.Flags
	flags.Var(&wanted, "platform", "a `platform` such as linux_amd64; may be repeated")
	from.Add(flags)
	check := flags.Bool("check", false, "ask for everything again, also for hashes in the lock file")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("exactly one DIR is needed")
	}
	dir := flags.Arg(0)
	if err := configdir.Check(dir, from.Terraform); err != nil {
		return err
	}
	s, bar, err := from.Start("lock", dir, stderr, environ)
	if err != nil {
		return err
	}
	defer bar.Clear()
	required, err := requirements(ctx, s, dir, from.Terraform)
	if err != nil {
		return err
	}
	locker := &install.Locker{Client: s.Client, Source: s.Source, Platforms: wanted, Known: s.Known, Check: *check}
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
	return lock(ctx, locker, dir, from.Tool(), required, stdout, func(l install.LockedProvider) { bar.Clear(); warn(l) })
}

// requirements reads the tree of modules. Modules that are not installed are
// downloaded for it, and removed again.
func requirements(ctx context.Context, s *supply.Supply, dir string, terraform bool) ([]install.Requirement, error) {
	tmp, err := os.MkdirTemp("", "tofuwire-lock-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	modules := s.Modules()
	modules.Fetch = nil // no program is run for a lock file
	tree, err := supply.Reader{Modules: modules, Into: tmp, Terraform: terraform}.Read(ctx, dir)
	if err != nil {
		return nil, err
	}
	return tree.Required, nil
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
