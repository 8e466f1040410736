// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/mod/sumdb/dirhash"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/checksum"
)

// TestConformance has a row for each promise that the package makes about
// agreement with OpenTofu, with its shortest proof. The tests named in the
// comments go into depth.
func TestConformance(t *testing.T) {
	dirEntry := buildZip(t, file{name: "a.txt", content: "hello\n"}, file{name: "b/"}, file{name: "b/c.txt", content: "world\n"})

	t.Run("both forms of h1", func(t *testing.T) { // TestVectors, TestDirVectors, TestExtracted
		p, err := hashBytes(t, checksum.Hasher{}, dirEntry)
		if err != nil || p.H1.String() != "h1:XjHzSZJeAAeD26hKB0jNv9sNfNG4dZU22b1RVetv78w=" ||
			p.Extracted.String() != "h1:OinRIhkIXtHcmvfyEmzcwqEMV1NTdSqEiFlm59imCZk=" {
			t.Errorf("got %v, %v", p, err)
		}
		zipped, err := plainZip(dirEntry)
		if err != nil {
			t.Fatal(err)
		}
		extracted, err := plainDir(buildDir(t, file{name: "a.txt", content: "hello\n"}, file{name: "b/c.txt", content: "world\n"}))
		if err != nil || p.H1.String() != zipped || p.Extracted.String() != extracted {
			t.Errorf("dirhash gives %s and %s, %v", zipped, extracted, err)
		}
	})
	t.Run("streaming", func(t *testing.T) { // TestLayouts, FuzzZip
		p, err := checksum.Hasher{}.Stream(t.Context(), "p", onlyReader{bytes.NewReader(dirEntry)})
		if err != nil || p.H1.String() != "h1:XjHzSZJeAAeD26hKB0jNv9sNfNG4dZU22b1RVetv78w=" {
			t.Errorf("got %v, %v", p, err)
		}
	})
	t.Run("nothing but ReadAt", func(t *testing.T) {
		p, err := checksum.Hasher{}.ZipReaderAt(t.Context(), "p", onlyReaderAt{bytes.NewReader(dirEntry)}, int64(len(dirEntry)))
		if err != nil || !p.ZH.IsValid() {
			t.Errorf("got %v, %v", p, err)
		}
	})
	t.Run("limits", func(t *testing.T) { // TestHostileZips, TestStreamBomb, TestDirErrors
		if _, err := hashBytes(t, checksum.Hasher{Limits: checksum.Limits{Entries: 1}}, dirEntry); !errors.Is(err, checksum.ErrLimit) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("unknown schemes are kept", func(t *testing.T) { // FuzzHash of addrs
		if h, err := addrs.ParseHash("q9:x"); err != nil || h.String() != "q9:x" || h.Scheme() != "q9" {
			t.Errorf("got %v, %v", h, err)
		}
	})
	t.Run("preferred hashes", func(t *testing.T) { // TestHash of addrs
		for h, want := range map[checksum.Hash]bool{"q9:x": false, "zh:y": true, "h1:z": true} {
			if h.IsPreferred() != want {
				t.Errorf("%s: got %v", h, h.IsPreferred())
			}
		}
	})
	t.Run("three outcomes", func(t *testing.T) { // TestVerify
		p, err := hashBytes(t, checksum.Hasher{}, dirEntry)
		if err != nil {
			t.Fatal(err)
		}
		for wanted, want := range map[string]addrs.Verdict{
			p.ZH.String(): addrs.Match, "zh:x": addrs.Mismatch, "q9:x": addrs.NotVerifiable,
		} {
			if v := checksum.Verify(p, hashes(wanted)); v.Verdict != want {
				t.Errorf("%s: got %v, want %v", wanted, v.Verdict, want)
			}
		}
	})
	t.Run("SHA256SUMS in both manners", func(t *testing.T) { // TestSums, FuzzSums
		src := []byte(digestA + "\t" + manifest + "\n\n")
		if _, err := checksum.ParseSums("S", src); err == nil {
			t.Error("strict: no error")
		}
		if h, err := checksum.ParseSumsLax("S", src).Find(manifest); err != nil || h.Value() != digestA {
			t.Errorf("got %v, %v", h, err)
		}
	})
	t.Run("crashes of OpenTofu", func(t *testing.T) {
		for _, src := range []string{"\n", " \n", digestA + "00  " + linuxZip + "\n"} {
			s := checksum.ParseSumsLax("S", []byte(src))
			if _, err := s.Find(linuxZip); err == nil {
				t.Errorf("%q: Find has no error", src)
			}
		}
	})
}

type onlyReader struct{ io.Reader }

type onlyReaderAt struct{ io.ReaderAt }

// TestRecorded hashes packages for which OpenTofu recorded its hashes.
func TestRecorded(t *testing.T) {
	src, err := os.ReadFile("testdata/packages/hashes.json")
	if err != nil {
		t.Fatal(err)
	}
	var recorded []struct {
		Zip, Version, Platform string
		Size                   int64
		H1, ZH                 checksum.Hash
	}
	if err := json.Unmarshal(src, &recorded); err != nil || len(recorded) == 0 {
		t.Fatal(len(recorded), err)
	}
	for _, r := range recorded {
		name := filepath.Join("testdata", "packages", r.Zip)
		p, err := checksum.HashZip(t.Context(), name)
		if err != nil || p.H1 != r.H1 || p.Extracted != r.H1 || p.ZH != r.ZH || p.Size != r.Size {
			t.Errorf("%s: got %v, %v", r.Zip, p, err)
		}
		f, ok := checksum.ParsePackageFile(r.Zip)
		if !ok || f.Version != r.Version || f.OS+"_"+f.Arch != r.Platform {
			t.Errorf("%s: got %v", r.Zip, f)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		st, err := checksum.Hasher{}.Stream(t.Context(), name, bytes.NewReader(data))
		if err != nil || fmt.Sprint(st) != fmt.Sprint(p) {
			t.Errorf("%s: stream gives %v, %v", r.Zip, st, err)
		}
		if peer, err := dirhash.HashZip(name, dirhash.Hash1); err != nil || peer != r.H1.String() {
			t.Errorf("%s: dirhash gives %s, %v", r.Zip, peer, err)
		}
	}
}
