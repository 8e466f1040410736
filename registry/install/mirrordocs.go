// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"archive/zip"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/checksum"
)

// The documents of the network mirror protocol. The protocols are for static
// registries; tools ignore them.
type (
	mirrorIndex struct {
		Versions map[string]struct{} `json:"versions"`
	}
	mirrorVersion struct {
		Archives  map[string]mirrorArchive `json:"archives"`
		Protocols []string                 `json:"protocols,omitempty"`
	}
	mirrorArchive struct {
		Hashes []addrs.Hash `json:"hashes"`
		URL    string       `json:"url"`
	}
)

// A mirrorKey names a document.
type mirrorKey struct {
	provider addrs.Provider
	version  addrs.Version
}

// mirrorDocs are the documents of a mirror while it is changed. The methods are
// safe for concurrent use.
type mirrorDocs struct {
	dir string

	mu      sync.Mutex
	docs    map[mirrorKey]*mirrorVersion
	touched map[addrs.Provider]bool
	dropped map[string]bool // names of packages
}

func newMirrorDocs(dir string) *mirrorDocs {
	return &mirrorDocs{dir: dir, docs: map[mirrorKey]*mirrorVersion{}, touched: map[addrs.Provider]bool{}, dropped: map[string]bool{}}
}

func (d *mirrorDocs) path(p addrs.Provider, name string) string {
	return filepath.Join(d.dir, p.Host(), p.Namespace(), p.Type(), name)
}

// get returns the document of a version, and reads it if necessary. An unreadable
// document counts as empty. The caller has the lock.
func (d *mirrorDocs) get(p addrs.Provider, v addrs.Version) *mirrorVersion {
	key := mirrorKey{p, v}
	doc := d.docs[key]
	if doc == nil {
		doc = &mirrorVersion{}
		if src, err := os.ReadFile(d.path(p, v.String()+".json")); err != nil || json.Unmarshal(src, doc) != nil {
			doc = &mirrorVersion{}
		}
		if doc.Archives == nil {
			doc.Archives = map[string]mirrorArchive{}
		}
		d.docs[key] = doc
	}
	return doc
}

// hashes returns the hashes that the mirror states for a package.
func (d *mirrorDocs) hashes(p addrs.Provider, v addrs.Version, platform addrs.Platform) []addrs.Hash {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.touched[p] = true
	return d.get(p, v).Archives[platform.String()].Hashes
}

// add adds a package.
func (d *mirrorDocs) add(p addrs.Provider, v addrs.Version, platform addrs.Platform, hashes []addrs.Hash, protocols []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.touched[p] = true
	doc := d.get(p, v)
	sorted := slices.Clone(hashes)
	slices.Sort(sorted)
	doc.Archives[platform.String()] = mirrorArchive{Hashes: sorted, URL: zipName(p, v, platform)}
	if len(protocols) > 0 {
		doc.Protocols = slices.Clone(protocols)
	}
}

// drop removes a package.
func (d *mirrorDocs) drop(p addrs.Provider, v addrs.Version, platform addrs.Platform) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.touched[p] = true
	delete(d.get(p, v).Archives, platform.String())
	d.dropped[zipName(p, v, platform)] = true
}

// write writes the documents of all changed providers. They describe the packages in
// the directory: packages from other sources are hashed, and missing ones are left
// out. A list of versions is written after the versions if it grows, and before them
// if it shrinks, so it never names a missing version.
func (d *mirrorDocs) write(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var problems []error
	for p := range d.touched {
		problems = append(problems, d.writeProvider(ctx, p))
	}
	return errors.Join(problems...)
}

// readProvider reads the documents of a provider that are there, and notes the
// packages that they lack. It reports whether the provider has a directory.
func (d *mirrorDocs) readProvider(ctx context.Context, p addrs.Provider) (bool, error) {
	names, err := os.ReadDir(d.path(p, ""))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	for _, n := range names {
		if strings.HasPrefix(n.Name(), ".") && strings.Contains(n.Name(), ".new-") {
			os.Remove(d.path(p, n.Name())) // left by a process that was killed: see writeFile
			continue
		}
		if text, ok := strings.CutSuffix(n.Name(), ".json"); ok {
			if v, err := addrs.ParseVersion(text); err == nil && v.String() == text {
				d.get(p, v)
			}
			continue
		}
		v, platform, ok := parseMirrorName(n.Name(), p.Type())
		if !ok || !platform.IsValid() || isLeftover(n.Name()) {
			continue
		}
		doc := d.get(p, v)
		if _, ok := doc.Archives[platform.String()]; ok || d.dropped[n.Name()] {
			continue
		}
		sum, err := checksum.HashZip(ctx, d.path(p, n.Name()))
		if err != nil {
			return false, err
		}
		hashes := sum.Computed()
		slices.Sort(hashes)
		doc.Archives[platform.String()] = mirrorArchive{Hashes: hashes, URL: n.Name()}
	}
	return true, nil
}

func (d *mirrorDocs) writeProvider(ctx context.Context, p addrs.Provider) error {
	if found, err := d.readProvider(ctx, p); err != nil || !found {
		return err
	}
	var gone []string // documents of versions without packages
	index := mirrorIndex{Versions: map[string]struct{}{}}
	var documents []mirrorKey
	for key, doc := range d.docs {
		if key.provider != p {
			continue
		}
		maps.DeleteFunc(doc.Archives, func(_ string, a mirrorArchive) bool {
			if filepath.Base(a.URL) != a.URL {
				return false // outside of this directory
			}
			_, err := os.Stat(d.path(p, a.URL))
			return errors.Is(err, fs.ErrNotExist)
		})
		if len(doc.Archives) == 0 {
			gone = append(gone, d.path(p, key.version.String()+".json"))
			continue
		}
		index.Versions[key.version.String()] = struct{}{}
		documents = append(documents, key)
	}
	writeIndex := func() error {
		if len(index.Versions) > 0 {
			return writeJSON(d.path(p, "index.json"), index)
		}
		gone = append(gone, d.path(p, "index.json"))
		return nil
	}
	if len(gone) > 0 {
		if err := writeIndex(); err != nil {
			return err
		}
	}
	for _, key := range documents {
		if err := writeJSON(d.path(p, key.version.String()+".json"), d.docs[key]); err != nil {
			return err
		}
	}
	for _, name := range gone {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if len(gone) > 0 {
		return nil
	}
	return writeIndex()
}

// writeJSON writes a document, unless the file already has this text.
func writeJSON(name string, doc any) error {
	src, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	src = append(src, '\n')
	if old, err := os.ReadFile(name); err == nil && string(old) == string(src) {
		return nil
	}
	return writeFile(name, src)
}

// packDir makes a reproducible zip of a directory. Links are followed.
func packDir(ctx context.Context, dir, file string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	err = packFS(ctx, os.DirFS(dir), f)
	return cmp.Or(err, f.Close())
}

// packFS writes a zip of all files of fsys.
func packFS(ctx context.Context, fsys fs.FS, w io.Writer) error {
	z := zip.NewWriter(w)
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		info, err := fs.Stat(fsys, name)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return &fs.PathError{Op: "pack", Path: name, Err: errors.New("not a regular file")}
		}
		h := &zip.FileHeader{Name: name, Method: zip.Deflate}
		h.SetMode(0o644 | info.Mode()&0o111)
		out, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		in, err := fsys.Open(name)
		if err != nil {
			return err
		}
		defer in.Close()
		_, err = io.Copy(out, in)
		return err
	})
	return cmp.Or(err, z.Close())
}
