// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/flate"
	"github.com/tofuwire/tofuwire/checksum"
	"golang.org/x/mod/sumdb/dirhash"
)

// peerHashZip is the plain way to the two hashes of a package.
func peerHashZip(name string) error {
	if _, err := dirhash.HashZip(name, dirhash.Hash1); err != nil {
		return err
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(sha256.New(), f)
	return err
}

// klauspostHashZip is the plain way with the decompressor of klauspost/compress, which
// decides whether package checksum keeps its own: compare it with impl=tofuwire-1-worker.
func klauspostHashZip(name string) error {
	z, err := zip.OpenReader(name)
	if err != nil {
		return err
	}
	defer z.Close()
	z.RegisterDecompressor(zip.Deflate, func(r io.Reader) io.ReadCloser { return flate.NewReader(r) })
	for _, entry := range z.File {
		r, err := entry.Open() // it also compares the CRC-32
		if err != nil {
			return err
		}
		_, err = io.Copy(sha256.New(), r)
		r.Close()
		if err != nil {
			return err
		}
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(sha256.New(), f)
	return err
}

func hashZip(name string, workers int) error {
	_, err := checksum.Hasher{Workers: workers}.Zip(context.Background(), name)
	return err
}

// executables writes n bytes of real executables to w: those of the Go
// toolchain that runs the benchmark, and the benchmark itself, over and over.
func executables(b *testing.B, w io.Writer, n int64) {
	b.Helper()
	var names []string
	if self, err := os.Executable(); err == nil {
		names = append(names, self)
	}
	if root, err := exec.Command("go", "env", "GOROOT").Output(); err == nil {
		err = filepath.WalkDir(filepath.Join(strings.TrimSpace(string(root)), "pkg", "tool"), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				names = append(names, path)
			}
			return err
		})
		if err != nil {
			b.Log(err)
		}
	}
	if len(names) == 0 {
		b.Skip("needs a large executable to make the input of")
	}
	for i := 0; n > 0; i++ {
		f, err := os.Open(names[i%len(names)])
		if err != nil {
			b.Fatal(err)
		}
		m, err := io.Copy(w, io.LimitReader(f, n))
		f.Close()
		if err != nil || m == 0 {
			b.Fatal(m, err)
		}
		n -= m
	}
}

// hashSizes are the sizes of the executable in the package, in MB.
var hashSizes = []int64{1, 10, 120}

// makeZip makes a provider package with an executable of size MB.
func makeZip(b *testing.B, size int64) string {
	b.Helper()
	name := filepath.Join(b.TempDir(), "terraform-provider-large_1.0.0_linux_amd64.zip")
	f, err := os.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for _, text := range []string{"LICENSE.txt", "README.md"} {
		w, err := z.Create(text)
		if err == nil {
			_, err = io.WriteString(w, strings.Repeat("A text of some length.\n", 400))
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	w, err := z.Create("terraform-provider-large_v1.0.0")
	if err != nil {
		b.Fatal(err)
	}
	executables(b, w, size*1e6)
	if err := z.Close(); err != nil {
		b.Fatal(err)
	}
	return name
}

func BenchmarkHashZip(b *testing.B) {
	for _, size := range hashSizes {
		name := makeZip(b, size)
		compare(b, fmt.Sprintf("%dMB", size), size*1e6,
			impl{"dirhash", func() error { return peerHashZip(name) }},
			impl{"klauspost", func() error { return klauspostHashZip(name) }},
			impl{"tofuwire", func() error { return hashZip(name, 0) }},
			impl{"tofuwire-1-worker", func() error { return hashZip(name, 1) }},
		)
	}
}

func BenchmarkHashDir(b *testing.B) {
	hash := func(dir string, workers int) func() error {
		return func() error {
			_, err := checksum.Hasher{Workers: workers}.Dir(context.Background(), dir)
			return err
		}
	}
	for _, count := range []int{1, 4} {
		dir := b.TempDir()
		for i := range count {
			f, err := os.Create(filepath.Join(dir, fmt.Sprint("terraform-provider-large_v1.0.", i)))
			if err != nil {
				b.Fatal(err)
			}
			executables(b, f, 120e6/int64(count))
			if err := f.Close(); err != nil {
				b.Fatal(err)
			}
		}
		compare(b, fmt.Sprintf("120MB-in-%d", count), 120e6,
			impl{"dirhash", func() error {
				_, err := dirhash.HashDir(dir, "", dirhash.Hash1)
				return err
			}},
			impl{"tofuwire", hash(dir, 0)},
			impl{"tofuwire-1-worker", hash(dir, 1)},
		)
	}
}

// BenchmarkHashZipMemory reports the peak of the memory that a process needs
// to hash one package, and one that hashes nothing (impl=none).
func BenchmarkHashZipMemory(b *testing.B) {
	child := buildChild(b, "hashpeak")
	for _, size := range hashSizes {
		name := makeZip(b, size)
		for _, impl := range []string{"none", "dirhash", "tofuwire", "tofuwire-stream"} {
			b.Run(fmt.Sprintf("size=%dMB/impl=%s", size, impl), func(b *testing.B) {
				reportPeak(b, func() *exec.Cmd { return exec.Command(child, impl, name) })
			})
		}
	}
}
