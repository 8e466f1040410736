// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
)

// A CacheLimit bounds a [Cache]. A bound that is zero is ignored.
type CacheLimit struct {
	// Unused is how long a package may stay without being used.
	Unused time.Duration

	// Bytes and Packages bound the whole cache. The packages that were not used
	// for the longest time are removed first.
	Bytes    int64
	Packages int
}

// used records that a package was used now. If that fails, the package only looks
// older than it is.
func used(dir string) {
	now := time.Now()
	_ = os.Chtimes(dir+".json", now, now)
}

// A cachedPackage is a package that may be pruned.
type cachedPackage struct {
	dir   string
	bytes int64
	used  time.Time
}

// Prune removes everything beyond a limit from the directory of the cache, and the
// files that killed processes left there. It does not touch the layers. It also removes
// the stamps of packages that no longer exist, in any cache. It returns the directories
// of the removed packages. A package is never removed while a process adds it. A
// package that a module links to may be removed: the module must then be installed
// again.
func (c *Cache) Prune(ctx context.Context, limit CacheLimit) ([]string, error) {
	if c == nil || c.Dir == "" {
		return nil, nil
	}
	versions, err := filepath.Glob(filepath.Join(globQuote(c.Dir), "*", "*", "*", "*"))
	if err != nil {
		return nil, err
	}
	var all []cachedPackage
	for _, version := range versions {
		names, err := os.ReadDir(version)
		if err != nil {
			continue // a file, or gone
		}
		leftovers := map[string]bool{} // the packages they belong to
		for _, n := range names {
			if of, ok := leftoverOf(n.Name()); ok {
				leftovers[of] = true
				continue
			}
			if _, err := addrs.ParsePlatform(n.Name()); err == nil && n.IsDir() {
				p := cachedPackage{dir: filepath.Join(version, n.Name())}
				if err := p.measure(); err != nil {
					return nil, err
				}
				all = append(all, p)
			}
		}
		for of := range leftovers {
			if err := c.sweep(ctx, filepath.Join(version, of), limit.Unused); err != nil {
				return nil, err
			}
		}
	}
	slices.SortFunc(all, func(a, b cachedPackage) int { return cmp.Or(b.used.Compare(a.used), strings.Compare(a.dir, b.dir)) })
	var removed []string
	var bytes int64
	kept, full := 0, false
	for _, p := range all {
		old := limit.Unused > 0 && time.Since(p.used) > limit.Unused
		full = full || limit.Bytes > 0 && bytes+p.bytes > limit.Bytes || limit.Packages > 0 && kept+1 > limit.Packages
		if !old && !full {
			bytes += p.bytes
			kept++
			continue
		}
		if err := c.remove(ctx, p); err != nil {
			return removed, err
		}
		removed = append(removed, p.dir)
	}
	if stamps := c.openStamps(); stamps != nil {
		defer stamps.close()
		stamps.sweep()
	}
	return removed, nil
}

// measure determines the size of a package and its last use.
func (p *cachedPackage) measure() error {
	info, err := os.Stat(p.dir + ".json")
	if err != nil {
		info, err = os.Stat(p.dir) // a tool installed it
	}
	if err != nil {
		return err
	}
	p.used = info.ModTime()
	return filepath.WalkDir(p.dir, func(_ string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		if info, err := d.Info(); err == nil {
			p.bytes += info.Size()
		}
		return nil
	})
}

// remove removes a package, at once or not at all.
func (c *Cache) remove(ctx context.Context, p cachedPackage) error {
	release, err := lockFile(ctx, p.dir+lockSuffix, false)
	if err != nil {
		return err
	}
	defer release()
	gone := filepath.Join(filepath.Dir(p.dir), "."+filepath.Base(p.dir)+".gone")
	os.RemoveAll(gone)
	if err := os.Rename(p.dir, gone); err != nil {
		return err
	}
	os.Remove(p.dir + ".json")
	return os.RemoveAll(gone)
}

// leftoverOf returns the name of the package that a leftover file or directory
// belongs to.
func leftoverOf(name string) (string, bool) {
	rest := strings.TrimLeft(name, ".")
	platform, after, ok := strings.Cut(rest, ".")
	if _, err := addrs.ParsePlatform(platform); !ok || err != nil {
		return "", false
	}
	return platform, rest != name || strings.HasPrefix(after, "zip")
}

// sweep removes the leftovers of a package. It also removes a download that was not
// continued for as long as a package may go unused, or for a day.
func (c *Cache) sweep(ctx context.Context, dir string, unused time.Duration) error {
	release, err := lockFile(ctx, dir+lockSuffix, false)
	if err != nil {
		return err
	}
	defer release()
	clean(dir)
	for _, name := range []string{dir + ".zip", dir + ".zip.new.part", dir + ".zip.new"} {
		if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > cmp.Or(unused, 24*time.Hour) {
			os.Remove(name)
		}
	}
	return nil
}
