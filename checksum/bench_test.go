// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/tofuwire/tofuwire/checksum"
)

// benchmarkContent is 16 MB that compress somewhat like an executable.
func benchmarkContent() string {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, 16<<20)
	for i := range b {
		if i > 4096 && r.IntN(3) > 0 {
			b[i] = b[i-4096+r.IntN(4)]
		} else {
			b[i] = byte(r.IntN(32) * r.IntN(8))
		}
	}
	return string(b)
}

func BenchmarkZip(b *testing.B) {
	content := benchmarkContent()
	data := buildZip(b, file{name: "terraform-provider-x", content: content})
	for name, h := range map[string]checksum.Hasher{"two": {Workers: 2}, "one": {Workers: 1}} {
		b.Run("workers="+name, func(b *testing.B) {
			b.SetBytes(int64(len(content)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := hashBytes(b, h, data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("stream", func(b *testing.B) {
		b.SetBytes(int64(len(content)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := (checksum.Hasher{}).Stream(b.Context(), "x", bytes.NewReader(data)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkDir(b *testing.B) {
	content := benchmarkContent()
	dir := buildDir(b, file{name: "a", content: content[:6<<20]}, file{name: "b", content: content[6<<20:]}, file{name: "c", content: content[:4<<20]})
	b.SetBytes(20 << 20)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := checksum.HashDir(b.Context(), dir); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseSums(b *testing.B) {
	var s checksum.Sums
	for _, os := range []string{"darwin", "freebsd", "linux", "windows"} {
		for _, arch := range []string{"386", "amd64", "arm", "arm64"} {
			f := checksum.PackageFile{Type: "null", Version: "3.2.4", OS: os, Arch: arch}
			if err := s.Set(f.String(), checksum.NewZH(emptySum)); err != nil {
				b.Fatal(err)
			}
		}
	}
	src := s.Bytes()
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := checksum.ParseSums("SHA256SUMS", src); err != nil {
			b.Fatal(err)
		}
	}
}
