// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/checksum"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry"
)

// A locker does the work.
type locker struct {
	client    *registry.Client
	source    registry.Source
	platforms []addrs.Platform
	cache     *registry.FilesystemMirror // or nil

	// slots bounds how many packages are in work, because each one that waits
	// for its download has its hasher already.
	slots chan struct{}
}

// An outcome is what came out for one provider and platform.
type outcome struct {
	platform addrs.Platform
	hashes   []addrs.Hash
	note     string // what was proven
	warnings []string
	err      error
}

// lock locks all needs in the lock file of dir.
func (l *locker) lock(ctx context.Context, dir string, needs []need, stdout io.Writer) error {
	name := filepath.Join(dir, lockfile.Name)
	file, err := lockfile.Load(name)
	if errors.Is(err, fs.ErrNotExist) {
		file, err = lockfile.New(name, lockfile.OpenTofu), nil
	}
	if err != nil {
		return err
	}
	before := file.Locks()

	// Everything is asked before anything is written. Providers go side by
	// side, and so do their platforms; the client bounds the downloads.
	outcomes := make([][]outcome, len(needs))
	locks := make([]lockfile.Lock, len(needs))
	problems := make([]error, len(needs))
	var wg sync.WaitGroup
	for i, n := range needs {
		wg.Go(func() {
			old, _ := before.Get(n.provider)
			locks[i], outcomes[i], problems[i] = l.provider(ctx, n, old)
		})
	}
	wg.Wait()
	if err := errors.Join(problems...); err != nil {
		return err
	}
	if err := file.Set(locks...); err != nil {
		return err
	}
	if err := file.Save(lockfile.SaveOptions{Symlink: lockfile.SymlinkFollow}); err != nil {
		return err
	}
	return summarize(stdout, name, locks, outcomes, lockfile.Diff(before, file.Locks()))
}

// provider finds the version of one provider, gets its packages and returns
// its new lock.
func (l *locker) provider(ctx context.Context, n need, old lockfile.Lock) (lockfile.Lock, []outcome, error) {
	version := old.Version
	if !version.IsValid() || !n.constraints.Allows(version) {
		list, err := l.source.Versions(ctx, n.provider)
		if err != nil {
			return old, nil, err
		}
		if old.Version.IsValid() {
			// The same as tofu: to move a locked version is "init -upgrade".
			return old, nil, fmt.Errorf("provider %s: version %s is locked, but the module wants %q", n.provider, old.Version, n.constraints)
		}
		var ok bool
		if version, ok = list.Newest(n.constraints); !ok {
			return old, nil, fmt.Errorf("provider %s: no version fits %q", n.provider, n.constraints)
		}
	}
	outcomes := make([]outcome, len(l.platforms))
	var wg sync.WaitGroup
	for i, platform := range l.platforms {
		wg.Go(func() {
			outcomes[i] = l.platform(ctx, n.provider, version, platform, old)
		})
	}
	wg.Wait()
	// Like "tofu providers lock", this trusts the source anew and keeps all
	// old hashes, but it does not do so silently.
	hashes := [][]addrs.Hash{old.Hashes}
	var problems []error
	for i := range outcomes {
		o := &outcomes[i]
		problems = append(problems, o.err)
		hashes = append(hashes, o.hashes)
	}
	lock := lockfile.Lock{Provider: n.provider, Version: version, Constraints: n.constraints, Hashes: lockfile.UnionHashes(hashes...)}
	return lock, outcomes, errors.Join(problems...)
}

// platform gets the package for one platform and returns its hashes.
func (l *locker) platform(ctx context.Context, p addrs.Provider, v addrs.Version, platform addrs.Platform, old lockfile.Lock) outcome {
	l.slots <- struct{}{}
	defer func() { <-l.slots }()
	if l.isCached(ctx, p, v, platform, old) {
		return outcome{platform: platform, note: "in the plugin cache, and its hash in the lock file"}
	}
	o := outcome{platform: platform}
	fail := func(err error) outcome {
		o.err = fmt.Errorf("provider %s %s for %s: %w", p, v, platform, err)
		return o
	}
	pkg, err := l.source.Package(ctx, p, v, platform)
	if err != nil {
		return fail(err)
	}
	auth, err := l.client.Authenticate(ctx, pkg)
	if err != nil {
		return fail(err)
	}
	sum, err := l.hash(ctx, pkg)
	if err != nil {
		return fail(err)
	}
	result, err := auth.Check(sum.Computed()...)
	if err != nil {
		return fail(err)
	}
	o.hashes, o.note, o.warnings = result.LockHashes(registry.RuleTofu), result.Describe(), result.Warnings
	if len(old.Hashes) > 0 {
		switch err := result.CheckLocked(old.Hashes); {
		case err == nil:
			o.note += ", known to the lock file"
		case errors.Is(err, registry.ErrNotVerifiable):
			o.warnings = append(o.warnings, "the lock file had no hash to compare it with")
		default:
			o.warnings = append(o.warnings, "none of its hashes was in the lock file before")
		}
	}
	return o
}

// isCached reports whether the plugin cache has the package, unpacked, and
// the lock knows it.
func (l *locker) isCached(ctx context.Context, p addrs.Provider, v addrs.Version, platform addrs.Platform, old lockfile.Lock) bool {
	if l.cache == nil || old.Version != v {
		return false
	}
	pkg, err := l.cache.Package(ctx, p, v, platform)
	if err != nil || !pkg.Unpacked {
		return false
	}
	sum, err := checksum.HashDir(ctx, pkg.Path)
	return err == nil && old.Verify(sum.Computed()...).Outcome == lockfile.Match
}

// hash computes the hashes of a package: on its way through memory if that is
// possible, or else in a temporary file.
func (l *locker) hash(ctx context.Context, pkg *registry.Package) (*checksum.Package, error) {
	if pkg.Unpacked {
		return checksum.HashDir(ctx, pkg.Path)
	}
	sum, err := l.stream(ctx, pkg)
	if errors.Is(err, checksum.ErrNotStreamable) {
		return l.file(ctx, pkg)
	}
	return sum, err
}

// stream hashes a package while it is downloaded.
func (l *locker) stream(ctx context.Context, pkg *registry.Package) (*checksum.Package, error) {
	r, w := io.Pipe()
	var sum *checksum.Package
	var hashErr error
	done := make(chan struct{})
	go func() {
		defer close(done)
		sum, hashErr = checksum.Hasher{}.Stream(ctx, pkg.Filename, r)
		r.CloseWithError(cmp.Or(hashErr, io.ErrClosedPipe))
	}()
	_, err := l.client.Download(ctx, pkg, w)
	w.CloseWithError(cmp.Or(err, io.EOF))
	<-done
	// If hashing failed first, the download only failed because of that.
	if hashErr != nil && (err == nil || errors.Is(err, hashErr)) {
		return nil, hashErr
	}
	return sum, err
}

// file hashes a package in a temporary file.
func (l *locker) file(ctx context.Context, pkg *registry.Package) (*checksum.Package, error) {
	dir, err := os.MkdirTemp("", "lock")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "package.zip")
	if _, err := l.client.DownloadFile(ctx, pkg, name); err != nil {
		return nil, err
	}
	return checksum.HashZip(ctx, name)
}
