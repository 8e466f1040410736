// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/checksum"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry"
)

// A Locker finds the hashes of packages for a lock file, as "tofu providers lock"
// does. It must not be changed after first use; its methods are safe for
// concurrent use.
type Locker struct {
	// Client downloads and verifies. It must be set.
	Client *registry.Client

	// Source supplies the packages. If nil, it is Client.
	Source registry.Source

	// Platforms are the platforms to lock for. If empty, it is that of this
	// program.
	Platforms []addrs.Platform

	// Known remembers which hashes belong to which platform. If nil, nothing is
	// remembered, and every package that no cache has is requested.
	Known *Known

	// Caches are directories with unpacked packages, such as the plugin cache. A
	// package in one of them is not requested if its hash is in the lock. A
	// missing directory counts as empty.
	Caches []string

	// Check requests all packages, including those with hashes in the lock.
	Check bool

	// Rule says which hashes of a package go into the lock.
	Rule registry.Rule

	// Concurrent is how many packages are processed at once. If zero, it is 64.
	// Client.Downloads bounds how many of them are downloaded and hashed.
	Concurrent int
}

// A LockedPackage is the result for the package of one platform.
type LockedPackage struct {
	Platform addrs.Platform   // the platform of the package
	Hashes   []addrs.Hash     // the hashes to record in the lock; they may include those of other platforms, which the source states
	Result   *registry.Result // the proof, with the hashes of this package alone in Computed; nil if the package was not downloaded
	Note     string           // in one line, for people
	Warnings []string         // for people

	stated []addrs.Hash // of this package alone, by its source, if it was not downloaded
}

// A LockedProvider is the result for one provider.
type LockedProvider struct {
	Selection Selection       // as given
	Lock      lockfile.Lock   // including the earlier hashes
	Packages  []LockedPackage // in the order of the platforms
}

// Lock finds the hashes of all selections for all platforms. The result is in the
// order of the selections. Set all its Locks in the lock file together. Old hashes
// of a version stay. Lock does not request hashes that the prior lock already has;
// see Known, Caches and Check. It downloads no package whose hashes the source states, if
// "tofu init" would record them too (see Stated of [registry.Authentication]), or if the prior
// lock has them.
//
// Requests run concurrently. For each provider, discovery comes first, then the
// package description, then checksums, signature and the package itself at the same
// time. Packages are hashed while they are downloaded, and not kept. A package
// without the plugin in it is an error.
//
// See [Locker.Plan] for the work to do, and [Watch] for progress.
//
// The error joins all failures. The result then still contains everything that was
// found; the Result of the other packages is nil. A caller that records these Locks
// and has a Known can continue from there with a second call.
func (l *Locker) Lock(ctx context.Context, selections []Selection, prior lockfile.Locks) ([]LockedProvider, error) {
	platforms := l.platforms()
	source := l.Source
	if source == nil {
		source = l.Client
	}
	run := &lockRun{Locker: l, source: source, slots: make(chan struct{}, cmp.Or(max(l.Concurrent, 0), 64))}
	out := make([]LockedProvider, len(selections))
	problems := make([][]error, len(selections))
	var wg sync.WaitGroup
	for i, s := range selections {
		old, _ := prior.Get(s.Provider)
		if old.Version != s.Version {
			old = lockfile.Lock{}
		}
		out[i] = LockedProvider{Selection: s, Packages: make([]LockedPackage, len(platforms))}
		problems[i] = make([]error, len(platforms))
		said := &statement{done: make(chan struct{})}
		for j, platform := range platforms {
			wg.Go(func() {
				var err error
				if out[i].Packages[j], err = run.lock(ctx, s, platform, old, said, j == 0); err != nil {
					problems[i][j] = fmt.Errorf("provider %s %s for %s: %w", s.Provider.ForDisplay(), s.Version, platform, err)
				}
			})
		}
	}
	wg.Wait()
	var all []error
	for i := range out {
		all = append(all, problems[i]...)
		p := &out[i]
		old, _ := prior.Get(p.Selection.Provider)
		hashes := [][]addrs.Hash{}
		if old.Version == p.Selection.Version {
			hashes = append(hashes, old.Hashes)
		}
		learned := map[addrs.Platform][]addrs.Hash{}
		for _, pkg := range p.Packages {
			hashes = append(hashes, pkg.Hashes)
			if pkg.stated != nil {
				learned[pkg.Platform] = pkg.stated
			}
			if pkg.Result != nil {
				learned[pkg.Platform] = pkg.Result.Computed
			}
		}
		p.Lock = lockfile.Lock{Provider: p.Selection.Provider, Version: p.Selection.Version, Constraints: p.Selection.Constraints, Hashes: lockfile.UnionHashes(hashes...)}
		// A cache that cannot be written only costs requests later.
		_ = l.Known.Add(p.Selection.Provider, p.Selection.Version, learned)
	}
	return out, errors.Join(all...)
}

// A PlannedPackage is what [Locker.Lock] would do about one package.
type PlannedPackage struct {
	Selection Selection      // as given
	Platform  addrs.Platform // the platform of the package
	Known     string         // the reason why the package is not requested, for people; "" if it is
}

// Plan returns the work of [Locker.Lock] with the same arguments: which packages it
// would request, and why not the others. Plan sends no request, but hashes packages
// in Caches. The result is in the order of the selections, and within each in the
// order of the platforms.
func (l *Locker) Plan(ctx context.Context, selections []Selection, prior lockfile.Locks) []PlannedPackage {
	run := &lockRun{Locker: l}
	var out []PlannedPackage
	for _, s := range selections {
		old, _ := prior.Get(s.Provider)
		for _, platform := range l.platforms() {
			p := PlannedPackage{Selection: s, Platform: platform}
			if !l.Check {
				p.Known = run.covered(ctx, s, platform, old)
			}
			out = append(out, p)
		}
	}
	return out
}

func (l *Locker) platforms() []addrs.Platform {
	if len(l.Platforms) == 0 {
		return []addrs.Platform{addrs.CurrentPlatform()}
	}
	return l.Platforms
}

// A lockRun is one call of Lock.
type lockRun struct {
	*Locker
	source registry.Source
	slots  chan struct{} // packages in progress
}

// lock finds the hashes of one package, and reports on it.
func (l *lockRun) lock(ctx context.Context, s Selection, platform addrs.Platform, old lockfile.Lock, said *statement, first bool) (LockedPackage, error) {
	if first {
		defer said.close()
	}
	ctx, r := reportOn(ctx, s.Provider, s.Version, platform)
	out, err := l.hashes(ctx, r, s, platform, old, said, first)
	r.end(out.Result != nil, err)
	return out, err
}

func (l *lockRun) hashes(ctx context.Context, report *report, s Selection, platform addrs.Platform, old lockfile.Lock, said *statement, first bool) (LockedPackage, error) {
	out := LockedPackage{Platform: platform}
	if !l.Check {
		if note := l.covered(ctx, s, platform, old); note != "" {
			out.Note = note
			return out, nil
		}
	}
	report.stage(Asking)
	if !first && !l.Check && s.Provider.Host() == addrs.DefaultHost && said.take(ctx, &out) {
		return out, nil
	}
	pkg, err := l.source.Package(ctx, s.Provider, s.Version, platform)
	if err != nil {
		return out, err
	}
	if !l.Check {
		done, err := l.stated(ctx, pkg, old, &out)
		if done && first && out.Hashes != nil {
			said.reported, said.from = pkg.Reported, out
		}
		if first {
			said.close()
		}
		if done || err != nil {
			return out, err
		}
	}
	select {
	case l.slots <- struct{}{}:
		defer func() { <-l.slots }()
	case <-ctx.Done():
		return out, context.Cause(ctx)
	}
	// The documents and the package are requested at the same time.
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var auth *registry.Authentication
	var authErr error
	done := make(chan struct{})
	go func() {
		defer close(done)
		if auth, authErr = l.Client.Authenticate(ctx, pkg); authErr != nil {
			cancel(authErr)
		}
	}()
	sum, err := hashPackage(ctx, l.Client, pkg)
	if err != nil {
		cancel(err)
	}
	<-done
	if authErr != nil && (err == nil || errors.Is(err, authErr)) {
		return out, authErr
	}
	if err != nil {
		return out, err
	}
	if !hasPlugin(sum, s.Provider.Type()) {
		return out, fmt.Errorf("the package has no file terraform-provider-%s at its top", s.Provider.Type())
	}
	report.stage(Checking)
	result, err := auth.Check(sum.Computed()...)
	if err != nil {
		return out, err
	}
	out.Result, out.Hashes, out.Note, out.Warnings = result, result.LockHashes(l.Rule), result.Describe(), result.Warnings
	out.Warnings = append(slices.Clone(out.Warnings), plainPlugin(s.Provider, platform, sum)...)
	if len(old.Hashes) > 0 {
		switch err := result.CheckLocked(old.Hashes); {
		case err == nil:
			out.Note += ", known to the lock file"
		case errors.Is(err, addrs.ErrNotVerifiable):
			out.Warnings = append(out.Warnings, "the lock file had no hash to compare it with")
		default:
			out.Warnings = append(out.Warnings, "none of its hashes was in the lock file before")
		}
	}
	return out, nil
}

// A statement is what the answer about the first platform of a version says about all of
// them, so that the registry need not be asked about the others.
type statement struct {
	once sync.Once
	done chan struct{}

	// Both are set before done is closed.
	reported map[addrs.Platform]registry.Reported
	from     LockedPackage
}

func (s *statement) close() { s.once.Do(func() { close(s.done) }) }

// take waits for the statement, and reports whether it has the hashes of the platform of out.
func (s *statement) take(ctx context.Context, out *LockedPackage) bool {
	select {
	case <-s.done:
	case <-ctx.Done():
		return false
	}
	own := s.reported[out.Platform].Hashes
	for _, scheme := range []addrs.HashScheme{addrs.SchemeH1, addrs.SchemeZH} {
		if !slices.ContainsFunc(own, func(h addrs.Hash) bool { return h.Scheme() == scheme }) {
			return false
		}
	}
	out.Hashes, out.Note, out.Warnings, out.stated = s.from.Hashes, s.from.Note, s.from.Warnings, own
	return true
}

// stated sets the hashes that the source states, and reports whether the package need not be
// downloaded.
func (l *lockRun) stated(ctx context.Context, pkg *registry.Package, old lockfile.Lock, out *LockedPackage) (bool, error) {
	own := slices.Concat(pkg.Hashes, pkg.Reported[pkg.Platform].Hashes)
	if old.Version == pkg.Version && covers(old.Hashes, own) {
		out.Note, out.stated = fmt.Sprintf("in the lock file already, according to the %s", pkg.Origin), own
		return true, nil
	}
	if l.Rule != registry.RuleTofu || len(pkg.Reported) == 0 {
		return false, nil
	}
	auth, err := l.Client.Authenticate(ctx, pkg)
	if err != nil {
		return false, err
	}
	if out.Hashes = auth.Stated(); out.Hashes == nil {
		return false, nil
	}
	out.Note, out.stated, out.Warnings = fmt.Sprintf("its hashes stated by the %s, not downloaded", pkg.Origin), own, slices.Clone(auth.Warnings)
	if auth.Signer != nil {
		out.Note += ", checksums signed by " + auth.Signer.KeyID
	}
	return true, nil
}

// plainPlugin returns a warning if the plugin of a package is not executable.
func plainPlugin(p addrs.Provider, platform addrs.Platform, sum *checksum.Package) []string {
	for _, name := range sum.Plain {
		if isPlugin(name, p.Type()) && platform.OS() != "windows" {
			return []string{fmt.Sprintf("the plugin %.100q of the package for %s is not executable, so that no tool can start it", name, platform)}
		}
	}
	return nil
}

// covered returns the reason why the package need not be asked for, or "".
func (l *lockRun) covered(ctx context.Context, s Selection, platform addrs.Platform, old lockfile.Lock) string {
	if old.Version != s.Version || len(old.Hashes) == 0 {
		return ""
	}
	if known := l.Known.Hashes(s.Provider, s.Version, platform); covers(old.Hashes, known) {
		return "in the lock file already"
	}
	for _, dir := range l.Caches {
		pkg, err := (&registry.FilesystemMirror{Dir: dir}).Package(ctx, s.Provider, s.Version, platform)
		if err != nil || !pkg.Unpacked {
			continue
		}
		if sum, err := checksum.HashDir(ctx, pkg.Path); err == nil && old.Verify(sum.Computed()...).Verdict == addrs.Match {
			return "in the plugin cache, and its hash in the lock file"
		}
	}
	return ""
}

// covers reports whether a lock has an h1 of a package, and its zh if the lock
// has any zh.
func covers(locked, known []addrs.Hash) bool {
	has := map[addrs.HashScheme]bool{}
	schemes := map[addrs.HashScheme]bool{}
	for _, h := range locked {
		schemes[h.Scheme()] = true
		if slices.Contains(known, h) {
			has[h.Scheme()] = true
		}
	}
	return has[addrs.SchemeH1] && (has[addrs.SchemeZH] || !schemes[addrs.SchemeZH])
}

// hasPlugin reports whether a package has the plugin of a provider type at the
// place where OpenTofu looks for it; see registry.FindExecutable.
func hasPlugin(sum *checksum.Package, typ string) bool {
	return slices.ContainsFunc(sum.Top, func(name string) bool { return isPlugin(name, typ) })
}

// isPlugin reports whether a file is called like the plugin of a provider type.
func isPlugin(name, typ string) bool {
	rest, ok := strings.CutPrefix(name, "terraform-provider-"+typ)
	return ok && (rest == "" || rest[0] == '_' || rest[0] == '.')
}

// hashPackage computes the hashes of a package: while it passes through memory if
// possible, and otherwise in a temporary file.
func hashPackage(ctx context.Context, c *registry.Client, pkg *registry.Package) (*checksum.Package, error) {
	if pkg.Unpacked {
		return checksum.HashDir(ctx, pkg.Path)
	}
	sum, err := hashStream(ctx, c, pkg)
	if errors.Is(err, checksum.ErrNotStreamable) {
		return hashFile(ctx, c, pkg)
	}
	return sum, err
}

// hashStream hashes a package while it is downloaded.
func hashStream(ctx context.Context, c *registry.Client, pkg *registry.Package) (*checksum.Package, error) {
	r, w := io.Pipe()
	var sum *checksum.Package
	var hashErr error
	done := make(chan struct{})
	started := false
	// The hasher takes its memory only when the first byte arrives.
	first := writerFunc(func(p []byte) (int, error) {
		if !started {
			started = true
			go func() {
				defer close(done)
				sum, hashErr = checksum.Hasher{Workers: 1}.Stream(ctx, pkg.Filename, r)
				r.CloseWithError(cmp.Or(hashErr, io.ErrClosedPipe))
			}()
		}
		return w.Write(p)
	})
	_, err := c.Download(ctx, pkg, first)
	if !started {
		return nil, cmp.Or(err, fmt.Errorf("%w: the package is empty", registry.ErrUnsafeArchive))
	}
	w.CloseWithError(cmp.Or(err, io.EOF))
	<-done
	// If hashing failed first, it caused the failure of the download.
	if hashErr != nil && (err == nil || errors.Is(err, hashErr)) {
		return nil, hashErr
	}
	return sum, err
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// hashFile hashes a package in a temporary file.
func hashFile(ctx context.Context, c *registry.Client, pkg *registry.Package) (*checksum.Package, error) {
	dir, err := os.MkdirTemp("", "tofuwire-lock-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "package.zip")
	if _, err := c.DownloadFile(ctx, pkg, name); err != nil {
		return nil, err
	}
	return checksum.HashZip(ctx, name)
}
