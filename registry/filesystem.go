// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

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
)

// A FilesystemMirror is a [Source] that finds packages in a directory. The
// directory may have either of two layouts, or both mixed:
//
//	HOST/NAMESPACE/TYPE/terraform-provider-TYPE_VERSION_OS_ARCH.zip   packed
//	HOST/NAMESPACE/TYPE/VERSION/OS_ARCH/                              unpacked
//
// As in the tools, VERSION may be short, such as 1.0 for 1.0.0, and the other names may
// have letters in upper case. Symbolic links are followed for the directory itself, for
// zips and for OS_ARCH, and nowhere else.
//
// HOST is in Unicode, as in OpenTofu. The host in punycode, as in network mirrors, is
// tried second: "tofu providers mirror" writes the former, and clients ask a web
// server of that directory for the latter. A plugin cache directory
// (TF_PLUGIN_CACHE_DIR) has the unpacked layout.
//
// The manifest that is published with a provider states its protocols. If it is next
// to the zips, as terraform-provider-TYPE_VERSION_manifest.json, Package.Protocols has
// them.
type FilesystemMirror struct {
	// Dir is the mirror's directory. It is an error if it does not exist.
	Dir string
}

// maxDirEntries bounds the names of one directory that are read.
const maxDirEntries = 100_000

// A localPackage is a package in a directory.
type localPackage struct {
	version  addrs.Version
	platform addrs.Platform
	path     string
	unpacked bool
}

// Versions lists the versions of p in the directory, each with its platforms.
// The error is ErrNotFound if there is none.
func (m *FilesystemMirror) Versions(ctx context.Context, p addrs.Provider) (*VersionList, error) {
	if m == nil {
		m = &FilesystemMirror{}
	}
	packages, err := m.search(ctx, p, addrs.Version{})
	if err != nil {
		return nil, err
	}
	if len(packages) == 0 {
		return nil, m.fail(p, fmt.Errorf("%w: %s", ErrNotFound, p.ForDisplay()))
	}
	list := &VersionList{}
	at := map[addrs.Version]int{}
	for _, l := range packages {
		i, ok := at[l.version]
		if !ok {
			i = len(list.Versions)
			at[l.version] = i
			list.Versions = append(list.Versions, ProviderVersion{Version: l.version})
		}
		if v := &list.Versions[i]; !slices.Contains(v.Platforms, l.platform) {
			v.Platforms = append(v.Platforms, l.platform)
		}
	}
	list.sort()
	return list, nil
}

// Package finds the package. It prefers names in normal form, and then an unpacked
// package to a packed one, because the unpacked one needs no work. The error is ErrNotFound if the
// directory does not have the version, and ErrUnsupportedPlatform if it has the version only for
// other platforms.
func (m *FilesystemMirror) Package(ctx context.Context, p addrs.Provider, v addrs.Version, platform addrs.Platform) (*Package, error) {
	if m == nil {
		m = &FilesystemMirror{}
	}
	found := m.direct(p, v, platform)
	if found == nil {
		packages, err := m.search(ctx, p, v)
		if err != nil {
			return nil, err
		}
		for _, l := range packages {
			if l.platform == platform && (found == nil || l.unpacked && !found.unpacked) {
				found = &l
			}
		}
		switch {
		case found == nil && len(packages) == 0:
			return nil, m.fail(p, fmt.Errorf("%w: the directory does not have version %s of %s", ErrNotFound, v, p.ForDisplay()))
		case found == nil:
			return nil, m.fail(p, fmt.Errorf("%w: %s %s for %s", ErrUnsupportedPlatform, p.ForDisplay(), v, platform))
		}
	}
	pkg := &Package{
		Provider: p, Version: v, Platform: platform, Origin: FromFilesystem, Source: m.Dir,
		Path: found.path, Unpacked: found.unpacked,
	}
	if !found.unpacked {
		pkg.Filename = filepath.Base(found.path)
		pkg.Protocols = manifestProtocols(filepath.Join(filepath.Dir(found.path), fmt.Sprintf("terraform-provider-%s_%s_manifest.json", p.Type(), v)))
	}
	return pkg, nil
}

// manifestProtocols returns the protocols in the manifest of a provider, or nothing if
// there is no such file:
// https://developer.hashicorp.com/terraform/registry/providers/publishing.
func manifestProtocols(name string) []string {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() > 64<<10 {
		return nil
	}
	src, err := os.ReadFile(name)
	var doc struct {
		Metadata struct {
			Protocols []string `json:"protocol_versions"`
		} `json:"metadata"`
	}
	if err != nil || json.Unmarshal(src, &doc) != nil {
		return nil
	}
	return slices.DeleteFunc(doc.Metadata.Protocols, func(s string) bool {
		_, err := addrs.ParseVersion(s)
		return err != nil
	})
}

func (m *FilesystemMirror) fail(p addrs.Provider, err error) error {
	return &Error{Op: "mirror", For: p.ForDisplay(), URL: m.Dir, Err: err}
}

// direct finds a package whose names are in normal form. It lists no directory, so its
// time does not depend on what else is there.
func (m *FilesystemMirror) direct(p addrs.Provider, v addrs.Version, platform addrs.Platform) *localPackage {
	if !p.IsValid() || !v.IsValid() || !platform.IsValid() {
		return nil
	}
	dir := m.Dir
	for _, part := range []string{p.Host(), p.Namespace(), p.Type()} {
		if dir = filepath.Join(dir, part); isLink(dir) {
			return nil
		}
	}
	l := &localPackage{v, platform, filepath.Join(dir, v.String(), platform.String()), true}
	if info, err := os.Stat(l.path); err == nil && info.IsDir() && !isLink(filepath.Dir(l.path)) {
		return l
	}
	l.path, l.unpacked = filepath.Join(dir, fmt.Sprintf("terraform-provider-%s_%s_%s.zip", p.Type(), v, platform)), false
	if info, err := os.Stat(l.path); err == nil && info.Mode().IsRegular() {
		return l
	}
	return nil
}

// search returns the packages of p in the directory, in the order of names: all, or
// those of a version that is valid.
func (m *FilesystemMirror) search(ctx context.Context, p addrs.Provider, only addrs.Version) ([]localPackage, error) {
	// As in OpenTofu, a missing mirror is a mistake. If it counted as empty,
	// the next source would supply the packages that the mirror should have.
	info, err := os.Stat(m.Dir)
	if err == nil && !info.IsDir() {
		err = errors.New("not a directory")
	}
	if err != nil {
		return nil, m.fail(p, fmt.Errorf("the directory of the mirror cannot be searched: %w", withoutPath(err)))
	}
	var out []localPackage
	for _, dir := range m.dirs(p) {
		names, err := readNames(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, m.fail(p, err)
		}
		for _, name := range names {
			if err := ctx.Err(); err != nil {
				return nil, m.fail(p, context.Cause(ctx))
			}
			path := filepath.Join(dir, name)
			if l, ok := packedPackage(name, p.Type()); ok {
				if only.IsValid() && l.version != only {
					continue
				}
				if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
					l.path = path
					out = append(out, l)
				}
				continue
			}
			v, err := addrs.ParseVersion(name)
			if err != nil || only.IsValid() && v != only || isLink(path) {
				continue
			}
			platforms, err := readNames(path)
			if err != nil {
				continue
			}
			for _, pn := range platforms {
				platform, err := addrs.ParsePlatform(pn)
				if err != nil {
					continue
				}
				// A package directory may be a symbolic link, as in a cache.
				if info, err := os.Stat(filepath.Join(path, pn)); err == nil && info.IsDir() {
					out = append(out, localPackage{v, platform, filepath.Join(path, pn), true})
				}
			}
		}
	}
	return out, nil
}

// dirs returns the directories that p may have.
func (m *FilesystemMirror) dirs(p addrs.Provider) []string {
	dirs := []string{m.Dir}
	for _, part := range [][]string{{p.Host(), p.ASCIIHost()}, {p.Namespace()}, {p.Type()}} {
		var below []string
		for _, spelling := range slices.Compact(part) {
			for _, dir := range dirs {
				names, err := listNames(dir)
				if err != nil {
					names = []string{spelling} // perhaps it can be opened
				}
				names = slices.DeleteFunc(names, func(name string) bool { return !strings.EqualFold(name, spelling) })
				slices.Sort(names)
				for _, name := range names {
					if name = filepath.Join(dir, name); !isLink(name) {
						below = append(below, name)
					}
				}
			}
		}
		dirs = below
	}
	return dirs
}

// providers returns the providers with packages in the directory. Directories
// that cannot be read are skipped.
func (m *FilesystemMirror) providers() []addrs.Provider {
	var out []addrs.Provider
	hosts, _ := readNames(m.Dir)
	for _, host := range hosts {
		namespaces, _ := readNames(filepath.Join(m.Dir, host))
		for _, namespace := range namespaces {
			types, _ := readNames(filepath.Join(m.Dir, host, namespace))
			for _, typ := range types {
				p, err := addrs.NewProvider(host, namespace, typ)
				if err != nil || len(out) == maxDirEntries {
					continue
				}
				if packages, err := m.search(context.Background(), p, addrs.Version{}); err == nil && len(packages) > 0 {
					out = append(out, p)
				}
			}
		}
	}
	return out
}

// packedPackage reads the name of a zip of the provider type. As in OpenTofu,
// upper case is read as lower case, also in the version.
func packedPackage(name, typ string) (localPackage, bool) {
	rest, ok := strings.CutPrefix(strings.ToLower(name), "terraform-provider-"+typ+"_")
	rest, zip := strings.CutSuffix(rest, ".zip")
	parts := strings.Split(rest, "_")
	if !ok || !zip || len(parts) < 3 {
		return localPackage{}, false
	}
	v, err := addrs.ParseVersion(parts[0])
	platform, err2 := addrs.ParsePlatform(parts[1] + "_" + parts[2])
	return localPackage{version: v, platform: platform}, err == nil && err2 == nil
}

func isLink(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// withoutPath returns the cause of an error about a file whose name is known.
func withoutPath(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

// readNames returns the names in a directory, sorted.
func readNames(dir string) ([]string, error) {
	names, err := listNames(dir)
	slices.Sort(names)
	return names, err
}

// listNames returns the names in a directory, in any order.
func listNames(dir string) ([]string, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(maxDirEntries + 1)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if len(names) > maxDirEntries {
		return nil, fmt.Errorf("%w: more than %d names in %s", ErrLimit, maxDirEntries, dir)
	}
	return names, nil
}
