// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
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

// An Installer installs providers in the directory where the tools look for them,
// as "tofu init" does. It must not be changed after first use.
type Installer struct {
	// Client downloads and verifies. It must be set.
	Client *registry.Client

	// Source supplies the packages. If nil, it is Client.
	Source registry.Source

	// Cache holds the packages, and the module gets links to them. If nil,
	// packages are unpacked below the module itself.
	Cache *Cache

	// Platform is the platform of the packages. If zero, it is that of this
	// program.
	Platform addrs.Platform
}

// An InstalledProvider is the result for one provider.
type InstalledProvider struct {
	Selection Selection        // as given
	Lock      lockfile.Lock    // including the earlier hashes
	Dir       string           // the directory of the package
	Result    *registry.Result // the proof; nil if no request was sent
	Note      string           // in one line, for people
}

// Install installs the selections for the root module in dir. It returns the results in
// the order of the selections, with the locks to record. It does not request packages
// that are already installed or in the cache with a hash of the lock. A package that
// the lock does not allow is an error. "tofu init" records the locks if a version or a
// hash is new, and not for other constraints alone: see IsSaved of [lockfile.Changes].
//
// Install puts the first package in its place only after all packages are present
// and verified. The error joins all failures.
func (in *Installer) Install(ctx context.Context, dir string, selections []Selection, prior lockfile.Locks) ([]InstalledProvider, error) {
	if len(selections) == 0 {
		return nil, nil
	}
	defer removeEmpty(filepath.Join(dir, ".terraform"))
	release, err := LockFile(ctx, filepath.Join(dir, filepath.FromSlash(ProvidersDir)+".lock"))
	if err != nil {
		return nil, err
	}
	defer release()
	out := make([]InstalledProvider, len(selections))
	places := make([]func() error, len(selections))
	problems := make([]error, len(selections))
	about := func(i int, err error) error {
		if err == nil {
			return nil
		}
		return fmt.Errorf("provider %s %s: %w", selections[i].Provider.ForDisplay(), selections[i].Version, err)
	}
	var wg sync.WaitGroup
	for i, s := range selections {
		wg.Go(func() {
			old, _ := prior.Get(s.Provider)
			if old.Version != s.Version {
				old = lockfile.Lock{}
			}
			var err error
			ctx, r := reportOn(ctx, s.Provider, s.Version, in.platform())
			out[i], places[i], err = in.provider(ctx, r, dir, s, old.Hashes)
			problems[i] = about(i, err)
			r.end(out[i].Result != nil, problems[i])
		})
	}
	wg.Wait()
	if errors.Join(problems...) == nil {
		for i, place := range places {
			if place != nil {
				problems[i] = about(i, place())
			}
		}
	}
	err = errors.Join(problems...)
	for _, s := range selections {
		target := in.target(dir, s)
		clean(target)
		if err == nil {
			continue
		}
		// A package that was not installed leaves nothing, not even its directories.
		for range 5 {
			target = filepath.Dir(target)
			removeEmpty(target)
		}
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// removeEmpty removes a directory if it is empty. A link to one stays.
func removeEmpty(dir string) {
	if info, err := os.Lstat(dir); err == nil && info.IsDir() {
		os.Remove(dir)
	}
}

// target returns the directory in which the tools look for a package.
func (in *Installer) target(dir string, s Selection) string {
	return packageDir(filepath.Join(dir, filepath.FromSlash(ProvidersDir)), s.Provider, s.Version, in.platform())
}

func (in *Installer) platform() addrs.Platform {
	if !in.Platform.IsValid() {
		return addrs.CurrentPlatform()
	}
	return in.Platform
}

// provider finds and verifies the package of one provider. It returns a function
// that puts the package where the tools look for it, or nil if it is there.
func (in *Installer) provider(ctx context.Context, report *report, dir string, s Selection, known []addrs.Hash) (out InstalledProvider, place func() error, err error) {
	target, platform := in.target(dir, s), in.platform()
	out = InstalledProvider{Selection: s, Lock: lockfile.Lock{Provider: s.Provider, Version: s.Version, Constraints: s.Constraints, Hashes: lockfile.UnionHashes(known)}}
	if h, err := in.Cache.hash(ctx, target); err == nil && slices.Contains(known, h.h1) {
		h.keep(h.zip)
		out.Dir, out.Note = target, "installed already"
		return out, nil, nil
	}
	if in.Cache != nil {
		cached, err := in.Cache.Find(ctx, s.Provider, s.Version, platform, known)
		if err != nil {
			return out, nil, err
		}
		if cached != "" {
			out.Dir, out.Note = cached, "in the cache, and its hash in the lock file"
			return out, func() error { return link(ctx, cached, target) }, nil
		}
	}
	source := in.Source
	if source == nil {
		source = in.Client
	}
	report.stage(Asking)
	pkg, err := source.Package(ctx, s.Provider, s.Version, platform)
	if err != nil {
		return out, nil, err
	}
	switch {
	case pkg.Unpacked:
		out.Dir = pkg.Path
		out.Result, err = in.unpacked(ctx, pkg, known)
		place = func() error { return link(ctx, pkg.Path, target) }
	case in.Cache != nil:
		out.Dir, out.Result, err = in.Cache.Get(ctx, in.Client, pkg, known)
		cached := out.Dir
		place = func() error { return link(ctx, cached, target) }
	default:
		out.Dir = target
		fresh := filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+".fresh")
		if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
			return out, nil, err
		}
		clean(target)
		out.Result, err = in.Client.Install(ctx, pkg, fresh, known)
		place = func() error { return cmp.Or(os.RemoveAll(target), os.Rename(fresh, target)) }
	}
	if err != nil {
		return out, nil, err
	}
	if in.Cache != nil || pkg.Unpacked { // Client.Install looks itself
		if text := registry.PluginWarning(pkg, out.Dir); text != "" {
			out.Result.Warnings = append(out.Result.Warnings, text)
		}
	}
	out.Note = out.Result.Describe()
	// As in the tools, hashes of unknown schemes do not outlast an installation.
	known = slices.DeleteFunc(slices.Clone(known), func(h addrs.Hash) bool { return !h.IsPreferred() })
	out.Lock.Hashes = lockfile.UnionHashes(known, out.Result.LockHashes(registry.RuleTofu))
	return out, place, nil
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

// link makes target lead to dir, as the tools do. If links are not possible, it
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
	fresh := filepath.Join(filepath.Dir(target), fmt.Sprintf(".%s.link-%d", filepath.Base(target), rand.Uint64()))
	defer os.RemoveAll(fresh) // of a failure
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

// A Problem is a problem of an installed provider.
// Its values include [Missing], [Changed], [Unverifiable] and [NotLocked].
type Problem string

// The problems that [Verify] finds.
const (
	Missing      Problem = "missing"        // the lock has it, but it is not installed
	Changed      Problem = "changed"        // none of its hashes is in the lock
	Unverifiable Problem = "not verifiable" // the lock has no h1 to compare it with
	NotLocked    Problem = "not locked"     // it is installed, but the lock does not have it
)

// A Finding is a problem of one provider.
type Finding struct {
	Provider addrs.Provider // the provider
	Version  addrs.Version  // the version in the lock, or the installed one
	Problem  Problem        // the kind of problem
	Dir      string         // its directory, or the expected one
}

// String returns the finding in one line.
func (f Finding) String() string {
	return fmt.Sprintf("%s %s: %s (%s)", f.Provider.ForDisplay(), f.Version, f.Problem, f.Dir)
}

// Verify compares the providers that are installed for the root module in dir with
// its locks. If there is no finding, the tools would run exactly the locked
// packages. It reads every file and uses no stamps. The platform is that of the
// packages; the zero Platform is that of this program.
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
		case l.Verify(h1).Verdict == addrs.Mismatch:
			f.Problem = Changed
		default:
			f.Problem = Unverifiable
		}
		out = append(out, f)
	}
	if _, err := os.Stat(base); errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	names, err := filepath.Glob(filepath.Join(globQuote(base), "*", "*", "*", "*", platform.String()))
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
