// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/replacefile"
)

// A Known remembers, in a directory, which hashes the packages of a version have
// on each platform. A lock file has the hashes, but does not say which platform
// they belong to. With a Known, a Locker need not ask again for the hashes in a
// lock.
//
// It is a cache: missing or unreadable files count as empty, and its content is
// only used to find hashes in a lock. Several processes may share the directory.
type Known struct {
	// Dir is the directory. It is created when needed.
	Dir string
}

// The file of a version has the form of a document of a network mirror.
type knownFile struct {
	Archives map[string]knownArchive `json:"archives"`
}

type knownArchive struct {
	Hashes []addrs.Hash `json:"hashes"`
}

// maxKnown bounds one file.
const maxKnown = 1 << 20

func (k *Known) filename(p addrs.Provider, v addrs.Version) string {
	host := strings.ReplaceAll(p.ASCIIHost(), ":", "%3A")
	return filepath.Join(k.Dir, host, p.Namespace(), p.Type(), v.String()+".json")
}

func (k *Known) read(p addrs.Provider, v addrs.Version) knownFile {
	var doc knownFile
	f, err := os.Open(k.filename(p, v))
	if err != nil {
		return knownFile{}
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, maxKnown))
	if err != nil || json.Unmarshal(src, &doc) != nil {
		return knownFile{}
	}
	return doc
}

// Hashes returns the hashes of the package for a platform, or nil.
func (k *Known) Hashes(p addrs.Provider, v addrs.Version, platform addrs.Platform) []addrs.Hash {
	if k == nil {
		return nil
	}
	return k.read(p, v).Archives[platform.String()].Hashes
}

// Add records the hashes of packages.
func (k *Known) Add(p addrs.Provider, v addrs.Version, hashes map[addrs.Platform][]addrs.Hash) error {
	if k == nil || len(hashes) == 0 {
		return nil
	}
	doc := k.read(p, v)
	if doc.Archives == nil {
		doc.Archives = map[string]knownArchive{}
	}
	changed := false
	for platform, list := range hashes {
		list = slices.Clone(list)
		slices.Sort(list)
		if !slices.Equal(doc.Archives[platform.String()].Hashes, list) {
			doc.Archives[platform.String()] = knownArchive{list}
			changed = true
		}
	}
	if !changed {
		return nil
	}
	src, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(k.filename(p, v), append(src, '\n'))
}

// writeFile replaces a file by one with the given text, completely or not at
// all. It creates missing directories.
func writeFile(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return replacefile.Write(name, text, 0o644)
}
