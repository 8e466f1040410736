// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/checksum"
	"github.com/tofuwire/tofuwire/registry"
)

// A Cache is a directory with unpacked packages that many processes share. Its
// layout is that of the tools' plugin cache, so both can be the same directory:
//
//	HOST/NAMESPACE/TYPE/VERSION/OS_ARCH/        the package
//	HOST/NAMESPACE/TYPE/VERSION/OS_ARCH.lock    which process is at work on it
//	HOST/NAMESPACE/TYPE/VERSION/OS_ARCH.json    the hashes of its zip
//
// A process that needs a missing package takes its lock and downloads it; the
// others wait and find it. A download that was killed is continued by the next
// process. A package is hashed each time before it is used, and replaced if it
// was changed. The methods are safe for concurrent use.
//
// A lock file with the h1 hash of a package proves the package, whoever wrote it.
// Without that hash, the JSON file next to the package says which zip the files are
// from. It counts only if it belongs to this user or to root, and no one else may write
// it. On Windows and other systems where a file does not show its owner, it always
// counts.
//
// # Stamps
//
// With Stamps, a package that was hashed and verified is not read again while nothing
// about it changes. A stamp has the path of the package, its hashes, and for each of its
// files and directories the name, mode, owner, size, inode, device, and the times of
// modification and of change (mtime and ctime). It is valid if all of that is the same and
// nothing was added or removed. Otherwise, or if the stamp is damaged, the package is
// hashed.
//
// That relies on the system: every write, rename or change of attributes sets ctime to
// the present, and programs cannot set it to anything else. A stamp does not protect
// against anyone who can set back the clock of the machine, write to the disk below the
// file system, or run as this user or as root. It also misses writes through a mapping
// (mmap) that a program opened before the package was hashed. Use a Cache without Stamps
// if such users share the cache.
//
// To protect against everyone else, stamps are not used
//
//   - unless the directory belongs to this user, nobody else has access to it (mode 0700),
//     and it is outside of the cache and its layers;
//   - if a file was changed less than 50 ms before it was hashed (2 s where times have no
//     fractions of a second), because a change in the same tick of the clock would not
//     show;
//   - if a time of a file, or of the stamp, is in the future;
//   - for packages that contain links or more than 4096 files and directories;
//   - on network file systems, FUSE and FAT, and on systems without ctime: there are
//     stamps on Linux, macOS, FreeBSD and OpenBSD.
//
// Then every package is hashed, as without Stamps. A package gets its stamp when it is
// first used from the cache, not when it is downloaded.
type Cache struct {
	// Dir is the directory. It is created when needed.
	Dir string

	// Layers are further directories of this layout, such as the cache of a site.
	// They are only read, and are searched first.
	Layers []string

	// Stamps is a private directory of the user, with the stamps of this and any other
	// cache. It is created when needed. If empty, there are no stamps, and every package
	// is hashed each time.
	Stamps string
}

// packageDir returns the directory of a package below dir.
func packageDir(dir string, p addrs.Provider, v addrs.Version, platform addrs.Platform) string {
	return filepath.Join(dir, p.Host(), p.Namespace(), p.Type(), v.String(), platform.String())
}

// Find returns the directory of a package in the cache that has one of the known
// hashes, or "". It sends no request.
func (c *Cache) Find(ctx context.Context, p addrs.Provider, v addrs.Version, platform addrs.Platform, known []addrs.Hash) (string, error) {
	if c == nil || !slices.ContainsFunc(known, func(h addrs.Hash) bool { return h.Scheme() == addrs.SchemeH1 }) {
		return "", nil // no hash that a directory could have
	}
	for _, base := range append(slices.Clone(c.Layers), c.Dir) {
		dir := packageDir(base, p, v, platform)
		if h, err := c.hash(ctx, dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		} else if h.h1 != "" && slices.Contains(known, h.h1) {
			h.keep(h.zip)
			used(dir)
			return dir, nil
		}
	}
	return "", nil
}

// hashDir returns the h1 of an unpacked package. A link to it is followed.
func hashDir(ctx context.Context, dir string) (addrs.Hash, error) {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a directory", dir)
	}
	if err != nil {
		return "", err
	}
	sum, err := checksum.HashDir(ctx, dir)
	if err != nil {
		return "", err
	}
	return sum.H1, nil
}

// Get returns the directory of pkg in the cache, and downloads it if it is
// missing. known are the hashes in a lock for the version, or empty: if they can
// be compared, one must match. A package in the cache must have the hashes that
// the source of pkg states, by the same rules as a download.
func (c *Cache) Get(ctx context.Context, client *registry.Client, pkg *registry.Package, known []addrs.Hash) (string, *registry.Result, error) {
	if c == nil || pkg == nil {
		return "", nil, errors.New("install: a cache and a package are needed")
	}
	for _, base := range c.Layers {
		dir := packageDir(base, pkg.Provider, pkg.Version, pkg.Platform)
		if r, err := c.check(ctx, client, pkg, dir, known); err == nil {
			return dir, r, nil
		} else if ctx.Err() != nil {
			return "", nil, err
		}
	}
	dir := packageDir(c.Dir, pkg.Provider, pkg.Version, pkg.Platform)
	release, err := lockFile(ctx, dir+lockSuffix, false)
	if err != nil {
		return "", nil, err
	}
	defer release()
	if r, err := c.check(ctx, client, pkg, dir, known); err == nil {
		return dir, r, nil
	} else if ctx.Err() != nil {
		return "", nil, err
	}
	r, err := c.fill(ctx, client, pkg, dir, known)
	return dir, r, err
}

// errNotCached means that the cache cannot prove that it has a package.
var errNotCached = errors.New("not in the cache")

// check verifies that dir has pkg.
func (c *Cache) check(ctx context.Context, client *registry.Client, pkg *registry.Package, dir string, known []addrs.Hash) (*registry.Result, error) {
	h, err := c.hash(ctx, dir)
	if err != nil {
		return nil, err
	}
	zip := h.zip
	if len(zip) == 0 {
		zip = readHashes(dir + ".json")
	}
	if !slices.Contains(zip, h.h1) {
		return nil, errNotCached
	}
	auth, err := client.Authenticate(ctx, pkg)
	if err != nil {
		return nil, err
	}
	r, err := auth.Check(zip...)
	if err == nil {
		err = checkKnown(r, known)
	}
	if err == nil {
		h.keep(zip)
		used(dir)
	}
	return r, err
}

// readHashes returns the hashes in a file next to a package, or nothing. A file that
// another user could have written proves nothing: it could claim the hash of any zip
// for any files.
func readHashes(name string) []addrs.Hash {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || !trustworthy(info) {
		return nil
	}
	var out []addrs.Hash
	src, err := io.ReadAll(io.LimitReader(f, maxKnown))
	if err != nil || json.Unmarshal(src, &out) != nil {
		return nil
	}
	return out
}

// checkKnown is CheckLocked as in OpenTofu: a package that cannot be compared
// passes.
func checkKnown(r *registry.Result, known []addrs.Hash) error {
	if err := r.CheckLocked(known); err != nil && !errors.Is(err, addrs.ErrNotVerifiable) {
		return err
	}
	return nil
}

// fill downloads pkg and puts it in dir. The caller has the lock.
func (c *Cache) fill(ctx context.Context, client *registry.Client, pkg *registry.Package, dir string, known []addrs.Hash) (*registry.Result, error) {
	clean(dir)
	zip := dir + ".zip"
	r, err := fetch(ctx, client, pkg, zip)
	if err != nil {
		return nil, err
	}
	defer os.Remove(zip)
	if err := checkKnown(r, known); err != nil {
		return nil, err
	}
	hashes, err := json.Marshal(r.Computed)
	if err != nil {
		return nil, err
	}
	// The right package stays, if only its proof was missing: it may be in use.
	if h1, err := hashDir(ctx, dir); err == nil && slices.Contains(r.Computed, h1) {
		if _, err := registry.FindExecutable(dir, pkg.Provider.Type()); err == nil {
			return r, writeFile(dir+".json", hashes)
		}
	}
	f, err := os.Open(zip)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	fresh := filepath.Join(filepath.Dir(dir), "."+filepath.Base(dir)+".fresh")
	if err := client.Unpack(ctx, f, info.Size(), fresh); err != nil {
		return nil, err
	}
	defer os.RemoveAll(fresh)
	if _, err := registry.FindExecutable(fresh, pkg.Provider.Type()); err != nil {
		return nil, err
	}
	err = writeFile(dir+".json", hashes)
	if err == nil {
		err = os.RemoveAll(dir) // the existing directory is not the package
	}
	if err == nil {
		err = os.Rename(fresh, dir)
	}
	return r, err
}

// fetch is Client.Fetch, but leaves no part of a package that is proven to be bad.
func fetch(ctx context.Context, client *registry.Client, pkg *registry.Package, name string) (*registry.Result, error) {
	r, err := client.Fetch(ctx, pkg, name)
	if errors.Is(err, registry.ErrBadSignature) || errors.Is(err, registry.ErrUnsigned) || errors.Is(err, addrs.ErrMismatch) {
		os.Remove(name + ".new.part")
	}
	return r, err
}

// clean removes the files of a package that killed processes left. The caller has
// its lock. A download that can be continued stays.
func clean(dir string) {
	names, err := os.ReadDir(filepath.Dir(dir))
	if err != nil {
		return
	}
	for _, n := range names {
		// Unpacking into ".X.fresh" begins with "..X.fresh.new-N".
		if rest := strings.TrimLeft(n.Name(), "."); rest != n.Name() && strings.HasPrefix(rest, filepath.Base(dir)+".") {
			os.RemoveAll(filepath.Join(filepath.Dir(dir), n.Name()))
		}
	}
}
