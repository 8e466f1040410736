// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"archive/zip"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/mod/semver"
	"golang.org/x/mod/sumdb/dirhash"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/checksum"
)

// TestDirhash compares the hashes of random zips and directories with those of
// golang.org/x/mod/sumdb/dirhash.
func TestDirhash(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	hasher := checksum.Hasher{Lenient: true}
	for round := range 60 {
		dir := t.TempDir()
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for i := range r.IntN(20) {
			name := fmt.Sprintf("%c%d/%c%d", "aA-._é"[r.IntN(5)], r.IntN(3), "bB-._é"[r.IntN(5)], i)
			content := bytes.Repeat([]byte{byte(i)}, r.IntN(100_000))
			w, err := z.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write(content); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "d", filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "p.zip")
		if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		want, err := dirhash.HashZip(file, dirhash.Hash1)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := hasher.Zip(t.Context(), file); err != nil || p.H1.String() != want {
			t.Fatalf("round %d: got %v, %v, dirhash has %s", round, p, err, want)
		}
		if err := os.MkdirAll(filepath.Join(dir, "d"), 0o755); err != nil {
			t.Fatal(err)
		}
		if want, err = dirhash.HashDir(filepath.Join(dir, "d"), "", dirhash.Hash1); err != nil {
			t.Fatal(err)
		}
		if p, err := hasher.Dir(t.Context(), filepath.Join(dir, "d")); err != nil || p.H1.String() != want {
			t.Fatalf("round %d: directory: got %v, %v, dirhash has %s", round, p, err, want)
		}
	}
}

// TestSemver compares the order of versions with that of golang.org/x/mod/semver,
// where that has an opinion.
func TestSemver(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	parts := []string{"0", "1", "9", "10", "alpha", "beta", "rc1", "rc-1", "1a", "A"}
	var versions []string
	for range 400 {
		v := fmt.Sprintf("%d.%d.%d", r.IntN(3), r.IntN(12), r.IntN(3))
		for i := range r.IntN(4) {
			v += string("-.."[i]) + parts[r.IntN(len(parts))]
		}
		versions = append(versions, v)
	}
	n := 0
	for _, a := range versions {
		for _, b := range versions {
			if !semver.IsValid("v"+a) || !semver.IsValid("v"+b) {
				continue
			}
			got := addrs.MustParseVersion(a).Compare(addrs.MustParseVersion(b))
			if want := semver.Compare("v"+a, "v"+b); want != got {
				t.Fatalf("Compare(%s, %s) = %d, semver has %d", a, b, got, want)
			}
			n++
		}
	}
	if n < 50_000 {
		t.Errorf("only %d pairs", n)
	}
}
