// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/checksum"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry"
)

// A providerPackage is the unpacked package of a locked provider.
type providerPackage struct {
	provider   addrs.Provider
	version    addrs.Version
	executable string
}

// findPackages returns the packages of all locked providers for this platform, each with a hash
// that is in its lock. clean removes what was unpacked for it.
func findPackages(ctx context.Context, dir, mirror string, locks lockfile.Locks) (found []providerPackage, clean func(), err error) {
	tmp, err := os.MkdirTemp("", "tofuwire-schemas-")
	if err != nil {
		return nil, func() {}, err
	}
	clean = func() { os.RemoveAll(tmp) }
	var problems []error
	for i, lock := range sorted(locks) {
		p, err := findPackage(ctx, dir, mirror, lock, filepath.Join(tmp, fmt.Sprint(i)))
		if err != nil {
			problems = append(problems, fmt.Errorf("provider %s %s: %w", lock.Provider, lock.Version, err))
			continue
		}
		found = append(found, p)
	}
	if len(problems) > 0 {
		return nil, clean, errors.Join(problems...)
	}
	return found, clean, nil
}

func sorted(locks lockfile.Locks) []lockfile.Lock {
	return slices.SortedFunc(slices.Values(locks), func(a, b lockfile.Lock) int { return a.Provider.Compare(b.Provider) })
}

// findPackage finds one package, or unpacks it into the new directory into.
func findPackage(ctx context.Context, dir, mirror string, lock lockfile.Lock, into string) (providerPackage, error) {
	var none providerPackage
	if !slices.ContainsFunc(lock.Hashes, isH1) {
		return none, errors.New("the lock file has no h1 hash of it, so its package cannot be verified: run \"tofuwire lock\"")
	}
	at, err := locate(ctx, dir, mirror, lock)
	if err != nil {
		return none, err
	}
	path := at.Path
	if !at.Unpacked {
		if _, err := (&registry.Client{}).Install(ctx, at, into, nil); err != nil {
			return none, err
		}
		path = into
	} else if path, err = filepath.EvalSymlinks(path); err != nil {
		return none, err
	}
	// The hash is that of the files that are started, whatever they were unpacked from.
	sum, err := checksum.HashDir(ctx, path)
	if err != nil {
		return none, err
	}
	if !slices.Contains(lock.Hashes, sum.H1) {
		return none, fmt.Errorf("the package in %s has the hash %s, which the lock file does not have: no provider was started", at.Path, sum.H1)
	}
	name, err := registry.FindExecutable(path, lock.Provider.Type())
	if err != nil {
		return none, err
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(path, name)
	}
	return providerPackage{provider: lock.Provider, version: lock.Version, executable: name}, nil
}

func isH1(h lockfile.Hash) bool { return strings.HasPrefix(h.String(), "h1:") }

// locate looks for a package where init puts it, and then in the mirror.
func locate(ctx context.Context, dir, mirror string, lock lockfile.Lock) (*registry.Package, error) {
	installed := filepath.Join(dir, ".terraform", "providers")
	for _, place := range []string{installed, mirror} {
		if info, err := os.Stat(place); place == "" || err != nil && place == installed || err == nil && !info.IsDir() && place == installed {
			continue
		}
		at, err := (&registry.FilesystemMirror{Dir: place}).Package(ctx, lock.Provider, lock.Version, addrs.CurrentPlatform())
		switch {
		case err == nil:
			return at, nil
		case !errors.Is(err, registry.ErrNotFound) && !errors.Is(err, registry.ErrUnsupportedPlatform):
			return nil, err
		}
	}
	where := "is not in " + filepath.Join(".terraform", "providers")
	if mirror != "" {
		where += " or " + mirror
	}
	return nil, fmt.Errorf("its package for %s %s: run init, or name a mirror", addrs.CurrentPlatform(), where)
}
