// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tofuwire/tofuwire/checksum"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// everything is a Hasher that hashes whatever dirhash hashes.
var everything = checksum.Hasher{
	Lenient: true,
	Workers: 1,
	Limits:  checksum.Limits{Entries: -1, Bytes: -1, Ratio: -1},
}

// compareZip reports where the hashes of a zip differ from those of dirhash,
// and those of a stream from those of a file.
func compareZip(tb testing.TB, data []byte) error {
	want, wantErr := plainZip(data)
	p, err := everything.ZipReaderAt(tb.Context(), "p", bytes.NewReader(data), int64(len(data)))
	if (err == nil) != (wantErr == nil) {
		return fmt.Errorf("error %v, dirhash gives %v", err, wantErr)
	}
	var e *checksum.Error
	if err != nil && (!errors.As(err, &e) || e.Err == nil || e.Filename != "p") {
		return fmt.Errorf("not a good *Error: %#v", err)
	}
	if err == nil && p.H1.String() != want {
		return fmt.Errorf("got %s, dirhash gives %s", p.H1, want)
	}
	st, err := everything.Stream(tb.Context(), "p", iotest.HalfReader(bytes.NewReader(data)))
	switch {
	case errors.Is(err, checksum.ErrNotStreamable):
	case (err == nil) != (wantErr == nil):
		return fmt.Errorf("stream has error %v, dirhash gives %v", err, wantErr)
	case err == nil && (st.H1 != p.H1 || st.Extracted != p.Extracted || st.ZH != p.ZH):
		return fmt.Errorf("stream has %v, file %v", st, p)
	}
	return nil
}

var oddNames = []string{
	"a", "a", "b", "B", "a/b", "a/b/c", "a-b", "a.b", "b/", "a/", "./a", "a//b", "../a", "/a", "", ".", "..", "a/..", "\\a", "a\\..\\b",
	"c:a", "é", "e\u0301", "\xff", "a\x00b", "terraform-provider-x_v1.0.0", "LICENSE.txt", "a ", " ", "日本", "a\nb",
}

// randomZip makes a zip of some files with odd names, kinds and layouts.
func randomZip(tb testing.TB, r *rand.Rand) []byte {
	var files []file
	for range r.IntN(8) {
		name := oddNames[r.IntN(len(oddNames))]
		if r.IntN(4) > 0 && name == "a\nb" {
			name = "ab"
		}
		content := strings.Repeat(fmt.Sprint(r.Uint64()), r.IntN(1+1<<r.IntN(15)))
		if r.IntN(4) == 0 {
			// Nothing to compress: the data takes many chunks.
			b := make([]byte, r.IntN(1<<r.IntN(19)))
			for i := range b {
				b[i] = byte(r.Uint32() >> (i / 1000 % 8))
			}
			content = string(b)
		}
		f := file{name: name, content: content, stored: r.IntN(3) == 0, raw: r.IntN(2) == 0}
		if strings.HasSuffix(name, "/") {
			f.content, f.raw = "", false
		}
		switch r.IntN(8) {
		case 0:
			f.mode = fs.ModeSymlink | 0o777
		case 1:
			f.mode = fs.ModeDir | 0o755
		case 2:
			f.mode = fs.ModeNamedPipe | 0o644
		}
		files = append(files, f)
	}
	return buildZip(tb, files...)
}

func TestAgreeOnZips(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rounds := depth.Of(60, 300, 3000)
	for i := range rounds {
		data := randomZip(t, r)
		if err := compareZip(t, data); err != nil {
			t.Fatalf("round %d: %v", i, err)
		}
		for range 6 {
			bad := bytes.Clone(data)
			switch r.IntN(4) {
			case 0: // something in front
				bad = append(make([]byte, r.IntN(100)), bad...)
			case 1: // cut short
				bad = bad[:r.IntN(len(bad))]
			case 2: // one zip behind another
				bad = append(bad, randomZip(t, r)...)
			default:
				for range 1 + r.IntN(3) {
					bad[r.IntN(len(bad))] = byte(r.Uint32())
				}
			}
			if err := compareZip(t, bad); err != nil {
				t.Fatalf("round %d, damaged: %v\n%x", i, err, bad)
			}
		}
	}
}

func TestAgreeOnTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 25 {
		dir := t.TempDir()
		for range r.IntN(30) {
			name := filepath.Join(dir, fmt.Sprint(r.IntN(4)), fmt.Sprintf("%c%d", "aA-._é"[r.IntN(5)], r.IntN(9)))
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(strings.Repeat("x", r.IntN(300_000))), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := plainDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{1, 2, 7} {
			p, err := checksum.Hasher{Workers: workers}.Dir(t.Context(), dir)
			if err != nil || p.H1.String() != want {
				t.Fatalf("got %v, %v, want %s", p, err, want)
			}
			p, err = checksum.Hasher{Workers: workers}.FS(t.Context(), dir, os.DirFS(dir))
			if err != nil || p.H1.String() != want {
				t.Fatalf("fs: got %v, %v, want %s", p, err, want)
			}
		}
	}
}

// TestExtracted extracts zips as OpenTofu does and hashes the directory.
func TestExtracted(t *testing.T) {
	if runtime.GOARCH == "wasm" {
		t.Skip("needs a file system that keeps every name")
	}
	r := rand.New(rand.NewPCG(5, 6))
	possible := 0
	for i := range depth.Of(200, 400, 4000) {
		data := randomZip(t, r)
		p, err := everything.ZipReaderAt(t.Context(), "p", bytes.NewReader(data), int64(len(data)))
		if err != nil {
			continue
		}
		dir := t.TempDir()
		err = extract(data, dir)
		if (err == nil) != p.Extracted.IsValid() {
			t.Fatalf("round %d: extraction gives %v, and the hash is %s", i, err, p.Extracted)
		}
		if err != nil {
			continue
		}
		possible++
		want, err := plainDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		if p.Extracted.String() != want {
			t.Fatalf("round %d: got %s, want %s", i, p.Extracted, want)
		}
	}
	if possible < 20 {
		t.Errorf("only %d zips could be extracted: the test does not test much", possible)
	}
}

// extract writes the entries of a zip in their order, links as plain files.
func extract(data []byte, dir string) error {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	for _, f := range z.File {
		for _, part := range strings.FieldsFunc(f.Name, func(r rune) bool { return r == '/' || r == '\\' }) {
			if part == ".." {
				return errors.New("leads out")
			}
		}
		name := filepath.Join(dir, f.Name)
		if f.FileInfo().IsDir() {
			if err := os.MkdirAll(name, 0o755); err != nil {
				return err
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		r, err := f.Open()
		if err != nil {
			return err
		}
		content, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		if err := os.WriteFile(name, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func FuzzZip(f *testing.F) {
	for _, v := range vectors {
		f.Add(buildZip(f, v.files...))
	}
	r := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		if data := randomZip(f, r); len(data) < 2000 {
			f.Add(data)
		}
	}
	recorded, err := filepath.Glob("testdata/packages/*.zip")
	if err != nil || len(recorded) == 0 {
		f.Fatal(recorded, err)
	}
	for _, name := range recorded {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := compareZip(t, data); err != nil {
			t.Error(err)
		}
		// With everything on its defaults, there is a result or an error
		// with a cause, and no result that the lenient Hasher has not.
		p, err := checksum.Hasher{Workers: 1}.ZipReaderAt(t.Context(), "p", bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		q, err := everything.ZipReaderAt(t.Context(), "p", bytes.NewReader(data), int64(len(data)))
		if err != nil || p.H1 != q.H1 || p.ZH != q.ZH {
			t.Errorf("strict %v, lenient %v, %v", p, q, err)
		}
	})
}
