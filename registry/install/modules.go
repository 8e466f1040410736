// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"bytes"
	"cmp"
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/printable"
	"github.com/tofuwire/tofuwire/registry"
)

// ErrNoFetcher means that this package cannot fetch a module from its source,
// such as a Git repository, and that [Modules.Fetch] is nil.
var ErrNoFetcher = errors.New("modules cannot be fetched from there")

// A NoVersionError means that a registry has no version of a module that the constraints
// allow.
type NoVersionError struct {
	Constraints string // in normal form
	Versions    int    // how many versions there are
}

// Error returns the constraints and the number of versions.
func (e *NoVersionError) Error() string {
	if e == nil {
		return "no version is allowed"
	}
	return fmt.Sprintf("no version is allowed (constraints %q); there are %d", e.Constraints, e.Versions)
}

// Modules fetches the modules that other modules call. Its methods are safe for
// concurrent use.
type Modules struct {
	// Client sends the requests to registries and downloads. It must be set.
	Client *registry.Client

	// Xz decompresses archives in xz. If nil, they are refused. This package has no such
	// function of its own; github.com/ulikunitz/xz has one.
	Xz func(r io.Reader) (io.Reader, error)

	// OCI finds the zip of a module at an oci:// source, as the method Module of a Mirror of
	// registry/ocimirror does. If nil, such sources are given to Fetch.
	OCI func(ctx context.Context, source string) (*registry.Package, error)

	// Fetch fetches the sources that this package cannot: Git repositories and everything
	// else that is neither at an http URL nor on this machine (file:). It writes the
	// package of src, without a subdirectory, into the new directory dir. If
	// nil, such a source gives ErrNoFetcher.
	Fetch func(ctx context.Context, src addrs.ModuleSource, dir string) error
}

// A FetchedModule is the result of fetching a module.
type FetchedModule struct {
	Source  addrs.ModuleSource // as the caller gave it
	Version addrs.Version      // of a module of a registry, or the zero Version
	Package string             // the directory of the package
	Dir     string             // the directory of the module: that of the package, or one below it

	// Warnings are for people, such as that links in the archive became files.
	Warnings []string
}

// Get fetches the module at src, which must not be local, into the new directory dir,
// whose parent must exist. For a module of a registry it fetches the newest version that
// the constraints allow; see [addrs.ParseModuleConstraints]. An archive must have the
// checksum that its source names, such as ?checksum=sha256:...; checksums in another
// file (file:) are not supported. The errors name the module. Unlike OpenTofu, Get
// refuses a registry's module that is on this machine (file:).
//
// The forms of archives are those of OpenTofu 1.12: zip, tar.gz, tgz, tar.bz2, tar.tbz2,
// tar.xz and txz, by the end of the path or the argument archive. Any other http URL is asked
// for the source (X-Terraform-Get), at most Limits.Redirects times of the Client.
//
// As in the tools, dir is a link to a directory of this machine (file:), and links in an
// archive become files: with the name of the target in a zip, empty in a tar; see Warnings of
// FetchedModule. An archive that leads out of dir or exceeds the limits of the Client is
// refused. If Get fails, dir does not exist.
func (m *Modules) Get(ctx context.Context, src addrs.ModuleSource, allowed addrs.Constraints, dir string) (*FetchedModule, error) {
	_, err := os.Lstat(dir)
	var out *FetchedModule
	switch {
	case err == nil:
		err = fmt.Errorf("%s: %w", dir, fs.ErrExist)
	case errors.Is(err, fs.ErrNotExist):
		if out, err = m.get(ctx, src, allowed, dir); err != nil {
			os.RemoveAll(dir) // it may have everything but the subdirectory
		}
	}
	if err != nil {
		return nil, fmt.Errorf("module %s: %w", printable.Address(src.ForDisplay()), err)
	}
	return out, nil
}

func (m *Modules) get(ctx context.Context, src addrs.ModuleSource, allowed addrs.Constraints, dir string) (*FetchedModule, error) {
	out := &FetchedModule{Source: src, Package: dir, Dir: dir}
	if src.Kind() != addrs.RegistrySource {
		if src.Kind() != addrs.RemoteSource {
			return nil, errors.New("it is neither in a registry nor remote")
		}
		return out, m.remote(ctx, src, dir, out)
	}
	mod, ok := registry.NewModule(src)
	if !ok {
		return nil, errors.New("it is not the address of a module in a registry")
	}
	list, err := m.Client.ModuleVersions(ctx, mod)
	if err != nil {
		return nil, err
	}
	if out.Version, ok = list.Newest(allowed); !ok {
		return nil, &NoVersionError{Constraints: allowed.String(), Versions: len(list.Versions)}
	}
	loc, err := m.Client.ModuleLocation(ctx, mod, out.Version)
	if err != nil {
		return nil, err
	}
	if loc.Direct {
		if out.Warnings, err = m.archive(ctx, loc, sniffed, "", dir); err != nil {
			return nil, err
		}
		out.Dir, err = below(dir, src.Subdir())
		return out, err
	}
	real, err := addrs.ParseModuleSource(loc.Source)
	if err != nil {
		return nil, err
	}
	if isLocal(real) {
		return nil, fmt.Errorf("%w: the registry names a place on this machine", registry.ErrBadResponse)
	}
	return out, m.remote(ctx, real.FromRegistry(src), dir, out)
}

// remote fetches the package at a remote address.
func (m *Modules) remote(ctx context.Context, src addrs.ModuleSource, dir string, out *FetchedModule) error {
	var err error
	out.Dir, err = m.fetch(ctx, src, dir, out, 0)
	return err
}

// fetch fetches the package at a remote address into dir, and returns the directory of
// its module. hops counts the sources that led here.
func (m *Modules) fetch(ctx context.Context, src addrs.ModuleSource, dir string, out *FetchedModule, hops int) (string, error) {
	source := src.Package()
	for _, getter := range []string{"http::", "https::", "file::"} {
		source = strings.TrimPrefix(source, getter)
	}
	if strings.HasPrefix(source, "oci::oci://") { // there is no other scheme for this fetcher
		source = source[len("oci::"):]
	}
	u, err := url.Parse(source)
	if err == nil && u.Scheme == "oci" && m.OCI != nil {
		if out.Warnings, err = m.fromOCI(ctx, source, dir); err != nil {
			return "", err
		}
		return below(dir, src.Subdir())
	}
	if err == nil && u.Scheme == "file" {
		if out.Warnings, err = m.local(ctx, u, dir); err != nil {
			return "", err
		}
		return below(dir, src.Subdir())
	}
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		if m.Fetch == nil {
			return "", fmt.Errorf("%w: %s", ErrNoFetcher, printable.Address(src.Package()))
		}
		if err := m.Fetch(ctx, src, dir); err != nil {
			return "", err
		}
		return below(dir, src.Subdir())
	}
	kind := archiveKind(u)
	query := u.Query()
	sum := query.Get("checksum")
	query.Del("archive") // these are for the fetcher only
	query.Del("checksum")
	u.RawQuery = query.Encode()
	switch kind {
	case "":
		if sum != "" {
			return "", errors.New("the source has a checksum, but is no archive")
		}
		real, err := m.redirected(ctx, u, hops)
		if err != nil {
			return "", err
		}
		got, err := m.fetch(ctx, real, dir, out, hops+1)
		if err == nil && got != dir { // as in the tools, the subdirectory is the package
			tmp := filepath.Join(filepath.Dir(dir), "."+filepath.Base(dir)+".sub")
			err = cmp.Or(os.Rename(got, tmp), os.RemoveAll(dir), os.Rename(tmp, dir))
		}
		if err != nil {
			return "", err
		}
	case "gz", "bz2", "xz":
		return "", errSingle(kind)
	default:
		if out.Warnings, err = m.archive(ctx, &registry.ModuleLocation{Source: u.String(), Direct: true}, kind, sum, dir); err != nil {
			return "", err
		}
	}
	return below(dir, src.Subdir())
}

// redirected asks a URL that is no archive for the source of the module.
func (m *Modules) redirected(ctx context.Context, u *url.URL, hops int) (addrs.ModuleSource, error) {
	limit := m.Client.Limits.Redirects
	if limit == 0 {
		limit = 5
	}
	if hops >= limit {
		return addrs.ModuleSource{}, fmt.Errorf("%w: more than %d sources that name another one (X-Terraform-Get)", registry.ErrRedirect, max(limit, 0))
	}
	text, err := m.Client.ModuleRedirect(ctx, u.String())
	if err != nil {
		return addrs.ModuleSource{}, err
	}
	real, err := addrs.ParseModuleSource(text)
	switch {
	case err != nil || real.Kind() != addrs.RemoteSource:
		err = fmt.Errorf("%w: X-Terraform-Get names %q, which is not a remote source", registry.ErrBadResponse, printable.Address(text))
	case isLocal(real):
		err = fmt.Errorf("%w: X-Terraform-Get names a place on this machine", registry.ErrBadResponse)
	}
	return real, err
}

// isLocal reports whether a remote source is on this machine.
func isLocal(src addrs.ModuleSource) bool {
	u := src.Package()
	if i := strings.LastIndex(u[:max(strings.Index(u, ":/"), 0)], "::"); i >= 0 {
		u = u[i+2:] // after git::, for instance
	}
	return strings.HasPrefix(strings.ToLower(u), "file:")
}

// below returns the subdirectory of a package. It may have a "*" in it, which must
// match exactly one name.
func below(dir, subdir string) (string, error) {
	if subdir == "" {
		return dir, nil
	}
	if !filepath.IsLocal(filepath.FromSlash(subdir)) {
		return "", fmt.Errorf("the subdirectory %q leads out of the package", subdir)
	}
	matches, err := filepath.Glob(filepath.Join(globQuote(dir), filepath.FromSlash(subdir)))
	if err == nil && len(matches) == 1 {
		if info, err := os.Stat(matches[0]); err == nil && info.IsDir() {
			return matches[0], nil
		}
	}
	return "", fmt.Errorf("the package has no subdirectory %q, or more than one", subdir)
}

// archiveKinds are the kinds of archives that the tools know, by their names at the end of
// a path. The kinds gz, bz2 and xz are single files, which no module is.
var archiveKinds = map[string]string{
	"zip": "zip", "tar.gz": "tar.gz", "tgz": "tar.gz", "tar.bz2": "tar.bz2", "tar.tbz2": "tar.bz2", "tar.xz": "tar.xz", "txz": "tar.xz",
	"gz": "gz", "bz2": "bz2", "xz": "xz",
}

// sniffed is the kind of an archive at a direct location, which its first bytes tell.
const sniffed = "sniffed"

// archiveKind returns the kind of the archive at u, or "". As in the tools, the argument
// archive has one of the names, or says that it is none.
func archiveKind(u *url.URL) string {
	if name := u.Query().Get("archive"); name != "" {
		return archiveKinds[name]
	}
	longest := ""
	for name := range archiveKinds {
		if strings.HasSuffix(u.Path, "."+name) && len(name) > len(longest) {
			longest = name
		}
	}
	return archiveKinds[longest]
}

// archive downloads an archive of a kind and unpacks it into dir. It must have the
// checksum sum, if that is not empty. It returns warnings.
func (m *Modules) archive(ctx context.Context, loc *registry.ModuleLocation, kind, sum, dir string) ([]string, error) {
	check, err := checkSum(sum)
	if err != nil {
		return nil, err
	}
	return m.unpack(ctx, kind, dir, check, func(w io.Writer) (*registry.Download, error) { return m.Client.DownloadModule(ctx, loc, w) })
}

// fromOCI downloads the zip of a module of an OCI repository and unpacks it into dir.
func (m *Modules) fromOCI(ctx context.Context, source, dir string) ([]string, error) {
	pkg, err := m.OCI(ctx, source)
	if err != nil {
		return nil, err
	}
	right := func(io.Reader) error { return nil } // the client compares it with its digest
	warnings, err := m.unpack(ctx, "zip", dir, right, func(w io.Writer) (*registry.Download, error) { return m.Client.Download(ctx, pkg, w) })
	return slices.Concat(pkg.Warnings, warnings), err
}

// errSingle is the error for a compressed file that is no archive.
func errSingle(kind string) error {
	return fmt.Errorf("the source is a single compressed file (%s), not the archive of a module", kind)
}

// local makes dir a link to a directory of this machine, as the tools do, or unpacks an archive
// of it into dir.
func (m *Modules) local(ctx context.Context, u *url.URL, dir string) ([]string, error) {
	name, sum := filepath.FromSlash(u.Path), u.Query().Get("checksum")
	info, err := os.Stat(name)
	kind := archiveKind(u)
	switch {
	case !filepath.IsAbs(name):
		return nil, errors.New("the source must have an absolute path, such as file:///modules/network")
	case err != nil:
		return nil, err
	case kind == "gz" || kind == "bz2" || kind == "xz":
		return nil, errSingle(kind)
	case kind == "" && !info.IsDir():
		return nil, fmt.Errorf("%s is neither a directory nor an archive", name)
	case kind == "" && sum != "":
		return nil, errors.New("the source has a checksum, but is no archive")
	case kind == "":
		return nil, os.Symlink(name, dir)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no file with an archive", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	check, err := checkSum(sum)
	if err == nil {
		err = check(io.NewSectionReader(f, 0, info.Size()))
	}
	if err != nil {
		return nil, err
	}
	return m.unarchive(ctx, f, info.Size(), kind, dir)
}

// unpack unpacks an archive into dir that get downloads and check accepts.
func (m *Modules) unpack(ctx context.Context, kind, dir string, check func(io.Reader) error, get func(io.Writer) (*registry.Download, error)) ([]string, error) {
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+".archive-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	f, err := os.Create(filepath.Join(tmp, "archive"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d, err := get(f)
	if err != nil {
		return nil, err
	}
	if err := check(io.NewSectionReader(f, 0, d.Size)); err != nil {
		return nil, err
	}
	return m.unarchive(ctx, f, d.Size, kind, dir)
}

// checkSum returns a function that compares data with a checksum, as sources of modules
// have it: in hexadecimal, and before it the algorithm and a colon, unless the length
// says which it is. Without a checksum all data is right.
func checkSum(sum string) (func(io.Reader) error, error) {
	if sum == "" {
		return func(io.Reader) error { return nil }, nil
	}
	algorithm, digits, named := strings.Cut(sum, ":")
	if !named {
		algorithm, digits = "", sum
	}
	want, err := hex.DecodeString(digits)
	for name, h := range map[string]hash.Hash{"md5": md5.New(), "sha1": sha1.New(), "sha256": sha256.New(), "sha512": sha512.New()} {
		if err != nil || len(want) != h.Size() || named && name != strings.ToLower(algorithm) {
			continue
		}
		return func(r io.Reader) error {
			if _, err := io.Copy(h, r); err != nil {
				return err
			}
			if got := h.Sum(nil); !bytes.Equal(got, want) {
				return fmt.Errorf("%w: the archive has the %s %x, its source names %x", addrs.ErrMismatch, name, got, want)
			}
			return nil
		}, nil
	}
	return nil, errors.New("the checksum of the source is not one of md5, sha1, sha256 or sha512 in hexadecimal; files of checksums are not supported")
}

// A Manifest is the file modules.json of .terraform/modules. It lists the directory of
// each module of a tree. The tools also leave the entries of calls that no longer
// exist.
type Manifest []ManifestModule

// A ManifestModule is one module of a [Manifest].
type ManifestModule struct {
	Key     string `json:"Key"`               // names of the calls, joined by dots; "" for the root module
	Source  string `json:"Source"`            // as tofu records it
	Version string `json:"Version,omitempty"` // of a module of a registry
	Dir     string `json:"Dir"`               // relative to the root module; absolute below an absolute TF_DATA_DIR
}

// ManifestName is the path of the manifest below the root module.
const ManifestName = ".terraform/modules/modules.json"

// ReadManifest reads the manifest of the root module in dir. The result is empty
// if there is no manifest.
func ReadManifest(dir string) (Manifest, error) {
	name := filepath.Join(dir, filepath.FromSlash(ManifestName))
	src, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var doc struct{ Modules Manifest }
	if err == nil {
		err = json.Unmarshal(src, &doc)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return doc.Modules, nil
}

// Write writes the manifest of the root module in dir, in the form of the tools.
func (m Manifest) Write(dir string) error {
	sorted := slices.Clone(m)
	slices.SortStableFunc(sorted, func(a, b ManifestModule) int { return strings.Compare(a.Key, b.Key) })
	src, err := json.Marshal(struct{ Modules Manifest }{sorted})
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, filepath.FromSlash(ManifestName)), src)
}

// Find returns the module with a key if it has this source, and a version that
// is allowed.
func (m Manifest) Find(key string, src addrs.ModuleSource, allowed addrs.Constraints) (ManifestModule, bool) {
	for _, mod := range m {
		if mod.Key != key {
			continue
		}
		if mod.Source != src.String() && mod.Source != src.ForDisplay() {
			return ManifestModule{}, false
		}
		if src.Kind() == addrs.RegistrySource {
			v, err := addrs.ParseVersion(mod.Version)
			_, ok := (&registry.ModuleVersionList{Versions: []addrs.Version{v}}).Newest(allowed)
			return mod, err == nil && ok
		}
		return mod, true
	}
	return ManifestModule{}, false
}
