// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/checksum"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry"
)

// ProvidersDir is the directory below a root module in which the tools look for
// installed providers.
const ProvidersDir = ".terraform/providers"

// An Installer puts providers where the tools look for them, as "tofu init" does.
// It must not be changed after first use.
type Installer struct {
	// Client downloads and verifies. It must be set.
	Client *registry.Client

	// Source is where the packages come from. If nil, it is Client.
	Source registry.Source

	// Cache has the packages, and links lead there. If nil, they are unpacked
	// below the module itself.
	Cache *Cache

	// Platform is what the packages are for. If it is the zero Platform, it is
	// that of this program.
	Platform addrs.Platform
}

// An InstalledProvider is what was done for one provider.
type InstalledProvider struct {
	Selection Selection        // as given
	Lock      lockfile.Lock    // with the hashes of before
	Dir       string           // where the package is
	Result    *registry.Result // what was proven; nil if nothing was asked
	Note      string           // in one line, for people
}

// Install installs the selections for the root module in dir, and returns what it
// did in the order of the selections, with the locks to record. What is installed
// or in the cache already, with a hash that the lock has, is not asked for. A
// package that the lock does not allow is an error.
//
// The error has everything that went wrong. Then each provider is either installed
// whole or as it was.
func (in *Installer) Install(ctx context.Context, dir string, selections []Selection, prior lockfile.Locks) ([]InstalledProvider, error) {
	out := make([]InstalledProvider, len(selections))
	problems := make([]error, len(selections))
	var wg sync.WaitGroup
	for i, s := range selections {
		wg.Go(func() {
			old, _ := prior.Get(s.Provider)
			if old.Version != s.Version {
				old = lockfile.Lock{}
			}
			var err error
			if out[i], err = in.provider(ctx, dir, s, old.Hashes); err != nil {
				problems[i] = fmt.Errorf("provider %s %s: %w", s.Provider.ForDisplay(), s.Version, err)
			}
		})
	}
	wg.Wait()
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return out, nil
}

// provider installs one provider.
func (in *Installer) provider(ctx context.Context, dir string, s Selection, known []addrs.Hash) (InstalledProvider, error) {
	platform := in.Platform
	if !platform.IsValid() {
		platform = addrs.CurrentPlatform()
	}
	out := InstalledProvider{Selection: s, Lock: lockfile.Lock{Provider: s.Provider, Version: s.Version, Constraints: s.Constraints, Hashes: lockfile.UnionHashes(known)}}
	target := packageDir(filepath.Join(dir, filepath.FromSlash(ProvidersDir)), s.Provider, s.Version, platform)
	if h1, err := hashDir(ctx, target); err == nil && slices.Contains(known, h1) {
		out.Dir, out.Note = target, "installed already"
		return out, nil
	}
	if in.Cache != nil {
		cached, err := in.Cache.Find(ctx, s.Provider, s.Version, platform, known)
		if err != nil {
			return out, err
		}
		if cached != "" {
			out.Dir, out.Note = cached, "in the cache, and its hash in the lock file"
			return out, link(ctx, cached, target)
		}
	}
	source := in.Source
	if source == nil {
		source = in.Client
	}
	pkg, err := source.Package(ctx, s.Provider, s.Version, platform)
	if err != nil {
		return out, err
	}
	switch {
	case pkg.Unpacked:
		out.Dir = pkg.Path
		if out.Result, err = in.unpacked(ctx, pkg, known); err == nil {
			err = link(ctx, pkg.Path, target)
		}
	case in.Cache != nil:
		if out.Dir, out.Result, err = in.Cache.Get(ctx, in.Client, pkg, known); err == nil {
			err = link(ctx, out.Dir, target)
		}
	default:
		out.Dir = target
		out.Result, err = in.unpack(ctx, pkg, target, known)
	}
	if err != nil {
		return out, err
	}
	out.Note = out.Result.Describe()
	out.Lock.Hashes = lockfile.UnionHashes(known, out.Result.LockHashes(registry.RuleTofu))
	return out, nil
}

// unpacked verifies the directory of a filesystem mirror.
func (in *Installer) unpacked(ctx context.Context, pkg *registry.Package, known []addrs.Hash) (*registry.Result, error) {
	auth, err := in.Client.Authenticate(ctx, pkg)
	if err != nil {
		return nil, err
	}
	sum, err := checksum.HashDir(ctx, pkg.Path)
	if err != nil {
		return nil, err
	}
	if _, err := registry.FindExecutable(pkg.Path, pkg.Provider.Type()); err != nil {
		return nil, err
	}
	r, err := auth.Check(sum.Computed()...)
	if err == nil {
		err = checkKnown(r, known)
	}
	return r, err
}

// unpack installs a package below the module itself. What was there goes only when
// the new package is whole.
func (in *Installer) unpack(ctx context.Context, pkg *registry.Package, target string, known []addrs.Hash) (*registry.Result, error) {
	if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
		return nil, err
	}
	release, err := LockFile(ctx, target+lockSuffix)
	if err != nil {
		return nil, err
	}
	defer os.Remove(target + lockSuffix)
	defer release()
	clean(target)
	fresh := filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+".fresh")
	r, err := in.Client.Install(ctx, pkg, fresh, known)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(fresh)
	return r, cmp.Or(os.RemoveAll(target), os.Rename(fresh, target))
}

// link makes target lead to dir, as the tools do; where links are not possible, it
// makes a copy.
func link(ctx context.Context, dir, target string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if now, err := os.Readlink(target); err == nil && now == dir {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(target), "."+filepath.Base(target)+".link-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	fresh := filepath.Join(tmp, "package")
	if err := os.Symlink(dir, fresh); err != nil {
		if err := os.CopyFS(fresh, os.DirFS(dir)); err != nil {
			return err
		}
	}
	if info, err := os.Lstat(target); err == nil && info.IsDir() {
		if err := os.RemoveAll(target); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return os.Rename(fresh, target)
}

// A Problem is what is wrong with an installed provider.
type Problem string

// The problems that [Verify] finds.
const (
	Missing      Problem = "missing"        // the lock has it, and it is not installed
	Changed      Problem = "changed"        // none of its hashes is in the lock
	Unverifiable Problem = "not verifiable" // the lock has no h1 to compare it with
	NotLocked    Problem = "not locked"     // it is installed, and the lock does not have it
)

// A Finding is a problem of one provider.
type Finding struct {
	Provider addrs.Provider // which provider
	Version  addrs.Version  // that of the lock, or the one that is installed
	Problem  Problem        // what is wrong
	Dir      string         // where it is, or should be
}

// String returns the finding in one line.
func (f Finding) String() string {
	return fmt.Sprintf("%s %s: %s (%s)", f.Provider.ForDisplay(), f.Version, f.Problem, f.Dir)
}

// Verify compares the providers that are installed for the root module in dir with
// its locks. No finding means that the tools would run exactly what is locked. The
// platform is that of the packages; the zero Platform is that of this program.
func Verify(ctx context.Context, dir string, locks lockfile.Locks, platform addrs.Platform) ([]Finding, error) {
	if !platform.IsValid() {
		platform = addrs.CurrentPlatform()
	}
	base := filepath.Join(dir, filepath.FromSlash(ProvidersDir))
	var out []Finding
	for _, l := range locks.Normal() {
		at := packageDir(base, l.Provider, l.Version, platform)
		h1, err := hashDir(ctx, at)
		f := Finding{Provider: l.Provider, Version: l.Version, Dir: at}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			f.Problem = Missing
		case err != nil:
			return nil, err
		case slices.Contains(l.Hashes, h1):
			continue
		case l.Verify(h1).Outcome == lockfile.Mismatch:
			f.Problem = Changed
		default:
			f.Problem = Unverifiable
		}
		out = append(out, f)
	}
	if _, err := os.Stat(base); errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	names, err := filepath.Glob(filepath.Join(base, "*", "*", "*", "*", platform.String()))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		rel, err := filepath.Rel(base, name)
		if err != nil {
			return nil, err
		}
		part := func(up int) string {
			for range up {
				rel = filepath.Dir(rel)
			}
			return filepath.Base(rel)
		}
		v, err := addrs.ParseVersion(part(1))
		if err != nil {
			continue
		}
		typ, namespace, host := part(1), part(1), part(1)
		p, err := addrs.NewProvider(host, namespace, typ)
		if err != nil {
			continue
		}
		if l, ok := locks.Get(p); !ok || l.Version != v {
			out = append(out, Finding{Provider: p, Version: v, Problem: NotLocked, Dir: name})
		}
	}
	return out, nil
}
