// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/mod/sumdb/dirhash"
)

// A file is an entry of a package that a test builds.
type file struct {
	name, content string
	mode          fs.FileMode // 0 for a plain file
	stored        bool
	raw           bool // sizes in the local header, no data descriptor
}

// buildZip makes a zip of files with archive/zip.
func buildZip(tb testing.TB, files ...file) []byte {
	tb.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate}
		if f.stored {
			h.Method = zip.Store
		}
		if f.mode != 0 {
			h.SetMode(f.mode)
		}
		var to io.Writer
		var err error
		data := []byte(f.content)
		if f.raw {
			h.CRC32 = crc32.ChecksumIEEE(data)
			h.UncompressedSize64 = uint64(len(data))
			if !f.stored {
				data = deflate(data)
			}
			h.CompressedSize64 = uint64(len(data))
			to, err = w.CreateRaw(h)
		} else {
			to, err = w.CreateHeader(h)
		}
		if err == nil && len(data) > 0 {
			_, err = to.Write(data)
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func deflate(data []byte) []byte {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.DefaultCompression)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// buildDir makes a directory of files.
func buildDir(tb testing.TB, files ...file) string {
	tb.Helper()
	dir := tb.TempDir()
	for _, f := range files {
		name := filepath.Join(dir, f.name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			tb.Fatal(err)
		}
		if f.mode&fs.ModeSymlink != 0 {
			if err := os.Symlink(f.content, name); err != nil {
				tb.Skip("needs a system with symbolic links:", err)
			}
			continue
		}
		if err := os.WriteFile(name, []byte(f.content), 0o644); err != nil {
			tb.Skip("needs a system that can have every name:", err)
		}
	}
	return dir
}

// writeZip writes a zip to a file.
func writeZip(tb testing.TB, data []byte) string {
	tb.Helper()
	name := filepath.Join(tb.TempDir(), "package.zip")
	if err := os.WriteFile(name, data, 0o644); err != nil {
		tb.Fatal(err)
	}
	return name
}

// plainZip is the h1 of a zip in memory that golang.org/x/mod calculates: what its
// HashZip does with a file.
func plainZip(data []byte) (string, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "", err
	}
	var names []string
	byName := make(map[string]*zip.File)
	for _, f := range z.File {
		names = append(names, f.Name)
		byName[f.Name] = f
	}
	return dirhash.Hash1(names, func(name string) (io.ReadCloser, error) { return byName[name].Open() })
}

// plainDir is the h1 of a directory that golang.org/x/mod calculates.
func plainDir(dir string) (string, error) { return dirhash.HashDir(dir, "", dirhash.Hash1) }

var emptySum = sha256.Sum256(nil)
