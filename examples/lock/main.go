// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Lock records provider hashes for several platforms in the dependency lock
// file of a module, as "tofu providers lock" does, without tofu.
//
//	lock [-platform os_arch]... [-mirror URL or DIR] [-ca FILE] [-cli-config FILE] [-terraform] [-check] DIR
//
// It reads which providers the module in DIR and all modules that it calls need.
// These are local modules, installed ones, and those of registries and archives,
// which it downloads for this purpose. A module that cannot be fetched is an error.
// It asks each provider's registry (or the mirrors of the CLI configuration, or the
// one of -mirror) and downloads the packages for all platforms, several at a time
// and without keeping them. It verifies them and adds their hashes to
// DIR/.terraform.lock.hcl, whose comments stay. A locked version stays, as long as
// it is allowed. -platform defaults to the platform of this program. -ca names
// further certificate authorities.
//
// Hashes in the lock file are not asked for again: a complete lock costs no request.
// -check asks for everything again. A lock file does not say which hash belongs to
// which platform. The program remembers that in the user's cache directory
// (XDG_CACHE_HOME or ~/.cache), or below DIR/.terraform if there is none. Packages in
// the plugin cache (TF_PLUGIN_CACHE_DIR) with a hash in the lock file are not fetched
// again either.
//
// Tokens, hosts, mirrors, timeouts and retries come from the CLI configuration, as
// tofu reads it, or from the file of -cli-config. OCI mirrors are not served: a
// provider from one is an error, which names the module that serves them. With
// OPENTOFU_ENFORCE_GPG_VALIDATION=true every package must be signed.
//
// The summary says what was proven about each package. If anything fails, all
// errors are printed, the exit status is 1, and the lock file is unchanged.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/examples/internal/supply"
	"github.com/tofuwire/tofuwire/internal/program/configdir"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry/install"
)

func main() { supply.Main("lock", run) }

// run is the program. Its error has everything that went wrong.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, environ []string) error {
	flags := flag.NewFlagSet("lock", flag.ContinueOnError)
	flags.SetOutput(stderr)
	var wanted supply.Platforms
	var from supply.Flags
	flags.Var(&wanted, "platform", "a `platform` such as linux_amd64; may be repeated")
	from.Add(flags)
	check := flags.Bool("check", false, "ask for everything again, also for hashes in the lock file")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: lock [-platform os_arch]... [-mirror URL or DIR] [-ca FILE] [-cli-config FILE] [-terraform] [-check] DIR")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		flags.Usage()
		return errors.New("exactly one DIR is needed")
	}
	dir := flags.Arg(0)
	if err := configdir.Check(dir); err != nil {
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
	return lock(ctx, locker, dir, from.Tool(), required, stdout)
}

// requirements reads the tree of modules. Modules that are not installed are
// downloaded for it, and removed again.
func requirements(ctx context.Context, s *supply.Supply, dir string, terraform bool) ([]install.Requirement, error) {
	tmp, err := os.MkdirTemp("", "tofuwire-lock-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	tree, err := supply.Reader{Modules: &install.Modules{Client: s.Client}, Into: tmp, Terraform: terraform}.Read(ctx, dir)
	if err != nil {
		return nil, err
	}
	return tree.Required, nil
}

// lock adds the hashes of the required providers to the lock file of dir. It sends
// all requests before it writes. The file may change meanwhile: the new hashes are
// added to its latest content.
func lock(ctx context.Context, l *install.Locker, dir string, tool addrs.Tool, required []install.Requirement, stdout io.Writer) error {
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
