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
	"strings"
	"sync"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/checksum"
	"github.com/tofuwire/tofuwire/registry"
)

// A Mirror is a directory with packages. Tools use it as a filesystem mirror or,
// from any web server with TLS, as a network mirror. Its layout is that of "tofu
// providers mirror":
//
//	HOST/NAMESPACE/TYPE/index.json                                      the versions
//	HOST/NAMESPACE/TYPE/VERSION.json                                    the packages of a version, with their hashes
//	HOST/NAMESPACE/TYPE/terraform-provider-TYPE_VERSION_OS_ARCH.zip     a package
//	HOST/NAMESPACE/TYPE/terraform-provider-TYPE_VERSION_SHA256SUMS*     the proof of their origin
//
// The last are the checksum document of the registry, with its signature (.sig) and
// the keys (.asc); see [Mirror.Verify]. The tools do not need them.
//
// The methods are safe for concurrent use, even by several processes; one at a time
// changes the mirror. A web server always sees a consistent state.
type Mirror struct {
	// Dir is the directory. It is created when needed.
	Dir string
}

// A MirroredPackage is a package of a [Mirror].
type MirroredPackage struct {
	Provider addrs.Provider   // the provider of the package
	Version  addrs.Version    // its version
	Platform addrs.Platform   // its platform
	File     string           // the zip
	Size     int64            // of the zip in bytes
	Result   *registry.Result // the proof; nil if no request was sent
	Note     string           // in one line, for people
	Warnings []string         // for people, such as that the lock has other hashes
}

// Matching returns the versions of each required provider that all constraints allow,
// newest first. It returns at most newest versions of each, or all if newest is zero.
// Use it for mirrors, and [Resolve] for one module.
func Matching(ctx context.Context, src registry.Source, required []Requirement, newest int) ([]Selection, error) {
	if src == nil {
		return nil, errors.New("install: a source is needed")
	}
	byProvider := map[addrs.Provider][]Requirement{}
	for _, r := range required {
		if !r.Provider.IsBuiltIn() {
			byProvider[r.Provider] = append(byProvider[r.Provider], r)
		}
	}
	var out []Selection
	var problems []error
	for p, reqs := range byProvider {
		var allowed addrs.Constraints
		for _, r := range reqs {
			allowed = addrs.JoinConstraints(allowed, r.Constraints)
		}
		list, err := src.Versions(ctx, p)
		found := 0
		if err == nil {
			for _, v := range slices.Backward(list.Versions) {
				if allowed.Allows(v.Version) && (newest <= 0 || found < newest) {
					out = append(out, Selection{Provider: p, Version: v.Version, Constraints: allowed, Reason: Newest, Warnings: list.Warnings})
					found++
				}
			}
			if found == 0 {
				err = fmt.Errorf("no version is allowed (%s); there are %d", demands(reqs), len(list.Versions))
			}
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("provider %s: %w", p.ForDisplay(), err))
		}
	}
	slices.SortStableFunc(out, func(a, b Selection) int { return a.Provider.Compare(b.Provider) })
	slices.SortFunc(problems, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return out, errors.Join(problems...)
}

// Add adds the packages of the selections for the platforms, in their order. If
// platforms is empty, it is that of this program. A package that is already present
// with the hash that the mirror states is not requested. The source may be of any
// kind. An unpacked package of a filesystem mirror is packed, so its zh differs from
// that of its registry.
//
// Each package is compared with the hashes of the lock (Selection.Known). A difference is no
// error, but a warning: the tools would refuse the package of the mirror. Selections of the
// same version with several locks are one package, which is compared with each lock.
//
// The error joins all failures. The result then has the packages that are in the mirror, so
// a second call continues where the first ended.
func (m *Mirror) Add(ctx context.Context, client *registry.Client, source registry.Source, selections []Selection, platforms []addrs.Platform) ([]MirroredPackage, error) {
	if len(platforms) == 0 {
		platforms = []addrs.Platform{addrs.CurrentPlatform()}
	}
	if client == nil {
		return nil, errors.New("install: a client is needed")
	}
	if source == nil {
		source = client
	}
	release, err := m.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	docs := newMirrorDocs(m.Dir)
	selections, locks := byVersion(selections)
	out := make([]MirroredPackage, len(selections)*len(platforms))
	problems := make([]error, len(out))
	slots := make(chan struct{}, 16)
	var wg sync.WaitGroup
	for i := range out {
		s, known, platform := selections[i/len(platforms)], locks[i/len(platforms)], platforms[i%len(platforms)]
		wg.Go(func() {
			select {
			case slots <- struct{}{}:
				defer func() { <-slots }()
			case <-ctx.Done():
			}
			var err error
			ctx, r := reportOn(ctx, s.Provider, s.Version, platform)
			out[i], err = m.add(ctx, r, client, source, docs, s, known, platform)
			r.end(out[i].Result != nil, err)
			if err != nil {
				problems[i] = fmt.Errorf("provider %s %s for %s: %w", s.Provider.ForDisplay(), s.Version, platform, err)
			}
		})
	}
	wg.Wait()
	done := out[:0]
	for i, p := range out {
		if problems[i] == nil {
			done = append(done, p)
		}
	}
	return done, errors.Join(append(problems, docs.write(ctx))...)
}

// lock keeps other goroutines and processes from changing the mirror.
func (m *Mirror) lock(ctx context.Context) (func(), error) {
	if m == nil || m.Dir == "" {
		return nil, errors.New("install: a mirror needs a directory")
	}
	return LockFile(ctx, filepath.Join(m.Dir, ".lock"))
}

// dir returns the directory of a provider.
func (m *Mirror) dir(p addrs.Provider) string {
	return filepath.Join(m.Dir, p.Host(), p.Namespace(), p.Type())
}

// zipName returns the name of a package.
func zipName(p addrs.Provider, v addrs.Version, platform addrs.Platform) string {
	return fmt.Sprintf("terraform-provider-%s_%s_%s.zip", p.Type(), v, platform)
}

// add adds one package.
func (m *Mirror) add(ctx context.Context, report *report, client *registry.Client, source registry.Source, docs *mirrorDocs, s Selection, known [][]addrs.Hash, platform addrs.Platform) (MirroredPackage, error) {
	dir := m.dir(s.Provider)
	out := MirroredPackage{Provider: s.Provider, Version: s.Version, Platform: platform, File: filepath.Join(dir, zipName(s.Provider, s.Version, platform))}
	if ctx.Err() != nil {
		return out, context.Cause(ctx)
	}
	if sum, err := checksum.HashZip(ctx, out.File); err == nil && slices.ContainsFunc(sum.Computed(), func(h addrs.Hash) bool {
		return slices.Contains(docs.hashes(s.Provider, s.Version, platform), h)
	}) {
		out.Size, out.Note, out.Warnings = sizeOf(out.File), "in the mirror already", mirrorWarnings(s.Provider, known, platform, sum)
		return out, nil
	}
	report.stage(Asking)
	pkg, err := source.Package(ctx, s.Provider, s.Version, platform)
	if err != nil {
		return out, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return out, err
	}
	fetched := out.File + ".fetched"
	var sum *checksum.Package
	if pkg.Unpacked {
		sum, out.Result, err = packMirrored(ctx, client, pkg, fetched)
	} else {
		// A zip that cannot be resumed has another name; see Client.Fetch.
		os.Remove(fetched)
		if out.Result, err = fetch(ctx, client, pkg, fetched); err == nil {
			sum, err = checksum.HashZip(ctx, fetched)
		}
	}
	if err != nil {
		return out, err
	}
	defer os.Remove(fetched)
	if !hasPlugin(sum, s.Provider.Type()) {
		return out, fmt.Errorf("the package has no file terraform-provider-%s at its top", s.Provider.Type())
	}
	if err := m.keepProof(out.Result, dir); err != nil {
		return out, err
	}
	if err := os.Rename(fetched, out.File); err != nil {
		return out, err
	}
	docs.add(s.Provider, s.Version, platform, sum.Computed(), pkg.Protocols)
	out.Size, out.Note = sizeOf(out.File), out.Result.Describe()
	out.Warnings = append(slices.Clone(out.Result.Warnings), mirrorWarnings(s.Provider, known, platform, sum)...)
	return out, nil
}

// byVersion returns one selection of each version, and the hashes of the locks of each.
func byVersion(selections []Selection) (out []Selection, locks [][][]addrs.Hash) {
	for _, s := range selections {
		i := slices.IndexFunc(out, func(o Selection) bool { return o.Provider == s.Provider && o.Version == s.Version })
		if i < 0 {
			i = len(out)
			out, locks = append(out, s), append(locks, nil)
		}
		if len(s.Known) > 0 {
			locks[i] = append(locks[i], s.Known)
		}
	}
	return out, locks
}

// mirrorWarnings returns what people should know about a package.
func mirrorWarnings(p addrs.Provider, locks [][]addrs.Hash, platform addrs.Platform, sum *checksum.Package) []string {
	var out []string
	if slices.ContainsFunc(locks, func(known []addrs.Hash) bool {
		return addrs.VerifyHashes(known, sum.Computed()).Verdict == addrs.Mismatch
	}) {
		out = append(out, fmt.Sprintf("none of the hashes of the package for %s is in the lock file", platform))
	}
	return append(out, plainPlugin(p, platform, sum)...)
}

func sizeOf(name string) int64 {
	if info, err := os.Stat(name); err == nil {
		return info.Size()
	}
	return 0
}

// packMirrored verifies an unpacked package and packs it.
func packMirrored(ctx context.Context, client *registry.Client, pkg *registry.Package, file string) (*checksum.Package, *registry.Result, error) {
	auth, err := client.Authenticate(ctx, pkg)
	if err != nil {
		return nil, nil, err
	}
	before, err := checksum.HashDir(ctx, pkg.Path)
	if err != nil {
		return nil, nil, err
	}
	result, err := auth.Check(before.Computed()...)
	if err != nil {
		return nil, nil, err
	}
	if err := packDir(ctx, pkg.Path, file); err != nil {
		return nil, nil, err
	}
	sum, err := checksum.HashZip(ctx, file)
	if err == nil && sum.H1 != before.H1 {
		err = fmt.Errorf("%s changed while it was packed", pkg.Path)
	}
	return sum, result, err
}

// proofName returns the name of the checksum document of a version.
func proofName(p addrs.Provider, v addrs.Version) string {
	return fmt.Sprintf("terraform-provider-%s_%s_SHA256SUMS", p.Type(), v)
}

// keepProof writes the documents that prove the origin of a package.
func (m *Mirror) keepProof(r *registry.Result, dir string) error {
	sums, signature := r.Documents()
	if len(sums) == 0 {
		return nil
	}
	var keys []string
	for _, k := range r.Package.SigningKeys {
		keys = append(keys, strings.TrimSpace(k.ASCIIArmor)+"\n")
	}
	name := filepath.Join(dir, proofName(r.Package.Provider, r.Package.Version))
	return cmp.Or(writeFile(name+".asc", []byte(strings.Join(keys, "\n"))), writeFile(name+".sig", signature), writeFile(name, sums))
}

// Prune removes all packages except those of the versions and platforms to keep, with
// everything that belongs to them. It returns the names of the removed files. If
// platforms is empty, all platforms of the kept versions stay.
func (m *Mirror) Prune(ctx context.Context, keep []Selection, platforms []addrs.Platform) ([]string, error) {
	if m == nil {
		return nil, nil
	}
	if _, err := os.Stat(m.Dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	release, err := m.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	kept := func(p addrs.Provider, v addrs.Version) bool {
		return slices.ContainsFunc(keep, func(s Selection) bool { return s.Provider == p && s.Version == v })
	}
	docs := newMirrorDocs(m.Dir)
	var remove []string
	for _, p := range m.providers() {
		dir := m.dir(p)
		names, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, n := range names {
			v, platform, ok := parseMirrorName(n.Name(), p.Type())
			if !ok {
				continue
			}
			if kept(p, v) && (!platform.IsValid() || len(platforms) == 0 || slices.Contains(platforms, platform)) && !isLeftover(n.Name()) {
				continue
			}
			if platform.IsValid() {
				docs.drop(p, v, platform)
			}
			remove = append(remove, filepath.Join(dir, n.Name()))
		}
	}
	// The documents must stop naming the packages before these are removed.
	if err := docs.write(ctx); err != nil {
		return nil, err
	}
	for _, name := range remove {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for dir, up := filepath.Dir(name), 0; up < 3; dir, up = filepath.Dir(dir), up+1 {
			removeEmpty(dir)
		}
	}
	return remove, nil
}

// isLeftover reports whether a file is an unfinished download.
func isLeftover(name string) bool {
	return strings.HasSuffix(name, ".part") || strings.HasSuffix(name, ".fetched") || strings.HasSuffix(name, ".new")
}

// providers returns the providers that have packages.
func (m *Mirror) providers() []addrs.Provider {
	var out []addrs.Provider
	dirs, _ := filepath.Glob(filepath.Join(globQuote(m.Dir), "*", "*", "*"))
	for _, dir := range dirs {
		typ := filepath.Base(dir)
		namespace := filepath.Base(filepath.Dir(dir))
		host := filepath.Base(filepath.Dir(filepath.Dir(dir)))
		if p, err := addrs.NewProvider(host, namespace, typ); err == nil && m.dir(p) == dir {
			out = append(out, p)
		}
	}
	return out
}

// globQuote quotes the characters that have a meaning in a pattern.
func globQuote(dir string) string {
	if os.PathSeparator == '\\' {
		return dir // Windows cannot quote them
	}
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`).Replace(dir)
}

// parseMirrorName reads the name of a file of a provider type: a package, or a
// document of a version, with the zero Platform.
func parseMirrorName(name, typ string) (v addrs.Version, platform addrs.Platform, ok bool) {
	rest, ok := strings.CutPrefix(name, "terraform-provider-"+typ+"_")
	if !ok {
		return v, platform, false
	}
	version, rest, ok := strings.Cut(rest, "_")
	v, err := addrs.ParseVersion(version)
	if !ok || err != nil {
		return v, platform, false
	}
	if strings.HasPrefix(rest, "SHA256SUMS") {
		return v, platform, true
	}
	text, after, ok := strings.Cut(rest, ".zip")
	platform, err = addrs.ParsePlatform(text)
	return v, platform, ok && err == nil && (after == "" || isLeftover(after))
}
