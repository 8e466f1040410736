// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Lock records provider hashes for several platforms in the dependency lock
// file of a module, as "tofu providers lock" does, without tofu.
//
//	lock [-platform os_arch]... [-mirror URL or DIR] [-ca FILE] [-cli-config FILE] [-terraform] [-check] DIR
//
// It reads what providers the module in DIR and all modules that it calls need:
// local modules, installed ones, and those of registries and archives, which are
// downloaded for that. A module that cannot be fetched is an error. It asks each
// provider's registry (or the mirrors of the CLI configuration, or the one of
// -mirror), downloads the packages for all platforms, several at a time and without
// keeping them, verifies them, and adds their hashes to DIR/.terraform.lock.hcl,
// whose comments stay. A version that is locked already stays, as long as it is
// allowed. Without -platform the platform is the one of this program. -ca names
// further certificate authorities.
//
// What the lock file has already is not asked for: a complete lock costs no request.
// -check asks for everything again. A lock file does not say which hash belongs to
// which platform, so that is remembered in the user's cache directory (XDG_CACHE_HOME
// or ~/.cache), or below DIR/.terraform if there is none. Packages in the plugin cache
// (TF_PLUGIN_CACHE_DIR) that the lock file knows are not fetched again either.
//
// Tokens, hosts, mirrors, timeouts and retries come from the CLI configuration, as
// tofu reads it, or from the file of -cli-config. With
// OPENTOFU_ENFORCE_GPG_VALIDATION=true every package must be signed.
//
// The summary says what was proven about each package. If anything is wrong,
// everything that is wrong is printed, the exit status is 1, and the lock file
// is as it was.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/tofuwire/tofuwire/examples/internal/supply"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry/install"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr, os.Environ())
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "lock:", err)
		os.Exit(1)
	}
}

// run is the program. Its error is everything that is wrong.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, environ []string) error {
	flags := flag.NewFlagSet("lock", flag.ContinueOnError)
	flags.SetOutput(stderr)
	var wanted supply.Platforms
	var from supply.Flags
	flags.Var(&wanted, "platform", "a `platform` such as linux_amd64; may be repeated")
	from.Add(flags)
	check := flags.Bool("check", false, "ask for everything again, also for what the lock file has")
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
	s, err := from.Open(dir, "tofuwire-lock", environ)
	if err != nil {
		return err
	}
	for _, w := range s.Config.Warnings {
		fmt.Fprintln(stderr, "lock: warning:", w)
	}
	bar := supply.NewBar(stderr)
	s.Client.Progress = bar.Update
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

// lock locks what is required in the lock file of dir. Everything is asked before
// anything is written. Meanwhile the file may change: what is found is added to what
// it has then.
func lock(ctx context.Context, l *install.Locker, dir string, tool lockfile.Tool, required []install.Requirement, stdout io.Writer) error {
	name := filepath.Join(dir, lockfile.Name)
	before, err := supply.Locks(name)
	if err != nil {
		return err
	}
	selections, err := install.Resolve(ctx, l.Source, required, before, install.Upgrade{})
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
