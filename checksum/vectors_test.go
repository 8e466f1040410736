// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io/fs"
	"runtime"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/checksum"
)

// vectors have the h1 of packages in both forms, all calculated with
// golang.org/x/mod v0.35.0, the version that OpenTofu 1.12 uses. The tests ask the
// version that go.mod requires as well.
var vectors = []struct {
	name  string
	files []file

	// zip is the h1 of the zip, and dir that of the directory; if dir is
	// empty, it is the same, and if it is "none", there cannot be one.
	zip, dir string

	// zero is the cause of the error that the zero Hasher gives for the
	// zip, and warning that of the warning when it gives none.
	zero, warning error
}{
	{
		name: "no files",
		zip:  "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
	}, {
		name:  "empty file",
		files: []file{{name: "a.txt"}},
		zip:   "h1:s/iUeOEIBZq05Vg9VWm/1VTuOXyt+v/RoaQ2Zcs8EyU=",
	}, {
		name:  "deflated",
		files: []file{{name: "a.txt", content: "hello\n", mode: 0o600}},
		zip:   "h1:xULs+l4jrMyt60GIZwYIw7bhbzwK3CkR1JyTboQZesk=",
	}, {
		name:  "stored",
		files: []file{{name: "a.txt", content: "hello\n", mode: 0o755, stored: true}},
		zip:   "h1:xULs+l4jrMyt60GIZwYIw7bhbzwK3CkR1JyTboQZesk=",
	}, {
		name:  "subdirectory",
		files: []file{{name: "a.txt", content: "hello\n"}, {name: "b/c.txt", content: "world\n"}},
		zip:   "h1:OinRIhkIXtHcmvfyEmzcwqEMV1NTdSqEiFlm59imCZk=",
	}, {
		name:    "entry for the subdirectory",
		files:   []file{{name: "a.txt", content: "hello\n"}, {name: "b/"}, {name: "b/c.txt", content: "world\n"}},
		zip:     "h1:XjHzSZJeAAeD26hKB0jNv9sNfNG4dZU22b1RVetv78w=",
		dir:     "h1:OinRIhkIXtHcmvfyEmzcwqEMV1NTdSqEiFlm59imCZk=",
		warning: checksum.ErrDirectoryEntry,
	}, {
		name:    "entry for a directory only",
		files:   []file{{name: "d/"}},
		zip:     "h1:TToLPxZTvn/Q8BKo/HETQHnY0SkYaL8GZf6r64G58UE=",
		dir:     "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
		warning: checksum.ErrDirectoryEntry,
	}, {
		name:  "provider",
		files: []file{{name: "terraform-provider-null_v3.2.4_x5", content: "binary\n"}, {name: "LICENSE.txt", content: "MPL\n"}},
		zip:   "h1:YdGpjTodLwUW0xDgV6KJmm/6fJnwPlcl3C2+DBbDuX8=",
	}, {
		name: "order is bytewise",
		files: []file{
			{name: "a/b", content: "1"}, {name: "a-b", content: "2"}, {name: "a.b", content: "3"},
			{name: "aB", content: "4"}, {name: "B", content: "5"},
		},
		zip: "h1:Ie36/JzvQH/71aIFw/eRUTChMaF5NVGcupA1roczWl0=",
	}, {
		name:    "upper and lower case",
		files:   []file{{name: "A", content: "1"}, {name: "a", content: "2"}},
		zip:     "h1:GQXaeCM7ak9jWVneuGTh+4buuuk7Ie6sdsHnKYalUSI=",
		warning: checksum.ErrCaseCollision,
	}, {
		name:  "two dots within a name",
		files: []file{{name: "a..b", content: "x"}},
		zip:   "h1:UbCEekJn/IOOe4rOLJRPQpmYBPepIEvBEP+vixNp7Yo=",
	}, {
		name:  "composed letter",
		files: []file{{name: "\u00e9.txt", content: "x"}},
		zip:   "h1:IU4vzeSgahqMpQN9/6nNRwTPa4wKJbOKFdc4Nxv0LOs=",
	}, {
		name:  "decomposed letter",
		files: []file{{name: "e\u0301.txt", content: "x"}},
		zip:   "h1:+UfsnVItJc7OhfB0mylBqzuH+rmY6LQuIicu41TqHBU=",
	}, {
		name:  "backslash",
		files: []file{{name: `back\slash`, content: "x"}},
		zip:   "h1:+ZeZrmltPt76a3lOetQKd4Il/9YJJm/OTTDRg4ftotU=",
		zero:  checksum.ErrUnsafeName,
	}, {
		name:  "not UTF-8",
		files: []file{{name: "a\xff", content: "1"}},
		zip:   "h1:Ed9cZYc8BWS3irdkuXNpLs0c6q1oNB6e2IBmsuI8Oo8=",
	}, {
		name:  "duplicate name",
		files: []file{{name: "a.txt", content: "first\n"}, {name: "a.txt", content: "second\n"}},
		zip:   "h1:OofCxGvjXeekoy8WRdAWR8KT5SG8Q2Xsl/FiZRjCXsY=",
		dir:   "h1:K4L464FPfCgtGS/jICoT4KWotig1iu+xp/iLlC8wxL4=",
		zero:  checksum.ErrDuplicateName,
	}, {
		name:  "symbolic link",
		files: []file{{name: "a.txt", content: "hello\n"}, {name: "l", content: "a.txt", mode: fs.ModeSymlink | 0o777}},
		zip:   "h1:yV4LmSONfy++50N++dscVE4VJFAtGGPPP7hB8qFJOiU=",
		zero:  checksum.ErrSymlink,
	}, {
		name:  "parent directory",
		files: []file{{name: "../evil", content: "x"}},
		zip:   "h1:a5ZbDACY0wRqBtOScMlw5E3RgiP/YVOpICn/Ga1rmhY=",
		dir:   "none",
		zero:  checksum.ErrUnsafeName,
	}, {
		name:  "absolute name",
		files: []file{{name: "/abs", content: "x"}},
		zip:   "h1:XLf0IBjpVpXr/G51g4eZcxBKKzVh68d8nKRI33h4bcM=",
		dir:   "h1:CM7FFibOWhObgfNe5D4BCRPQPWDmVFEE3uV9bd4QbSo=",
		zero:  checksum.ErrUnsafeName,
	}, {
		name:    "leading dot",
		files:   []file{{name: "./dot", content: "x"}},
		zip:     "h1:UhByFscwKfzRpF7zePimxdmCugJBXHuvyVnodQf5mBM=",
		dir:     "h1:f8qNENWwATbR1WISZGlRXkgjbnQ4j9LvjAwU3jJ7fCw=",
		warning: checksum.ErrUncleanName,
	}, {
		name:    "two slashes",
		files:   []file{{name: "a//b", content: "x"}},
		zip:     "h1:/AEG5j24bwJQdyLorUgP2Hr3y1hR2stb8E3/af/m9Ng=",
		dir:     "h1:o3pW26aTT4moGmUVc+K1wCE3mRrLWTK7ZsgjZZ2EvYM=",
		warning: checksum.ErrUncleanName,
	},
}

func TestVectors(t *testing.T) {
	for _, v := range vectors {
		t.Run(v.name, func(t *testing.T) {
			data := buildZip(t, v.files...)
			wantDir := v.dir
			if wantDir == "" {
				wantDir = v.zip
			} else if wantDir == "none" {
				wantDir = ""
			}
			if peer, err := plainZip(data); err != nil || peer != v.zip {
				t.Fatalf("dirhash gives %s, %v", peer, err)
			}

			zero, err := checksum.Hasher{}.ZipReaderAt(t.Context(), "p", bytes.NewReader(data), int64(len(data)))
			if !errors.Is(err, v.zero) || (err == nil) != (v.zero == nil) {
				t.Errorf("the zero Hasher gives error %v, want %v", err, v.zero)
			}
			lenient := checksum.Hasher{Lenient: true}
			p, err := lenient.ZipReaderAt(t.Context(), "p", bytes.NewReader(data), int64(len(data)))
			if err != nil {
				t.Fatal(err)
			}
			if p.H1.String() != v.zip || p.Extracted.String() != wantDir {
				t.Errorf("got %s and %s,\nwant %s and %s", p.H1, p.Extracted, v.zip, wantDir)
			}
			if p.FormsDiffer() && len(p.Warnings) == 0 {
				t.Error("no warning why the two forms differ")
			}
			if zero != nil && (zero.H1 != p.H1 || zero.Extracted != p.Extracted || zero.ZH != p.ZH) {
				t.Error("the zero Hasher gives other hashes")
			}
			warning := v.warning
			if v.zero != nil {
				warning = v.zero
			}
			found := warning == nil && len(p.Warnings) == 0
			for _, w := range p.Warnings {
				found = found || errors.Is(w.Err, warning)
			}
			if !found {
				t.Errorf("got warnings %v, want %v", p.Warnings, warning)
			}
			st, err := lenient.Stream(t.Context(), "p", bytes.NewReader(data))
			if v.name == "stored" && errors.Is(err, checksum.ErrNotStreamable) {
				// The length comes after the data, where nothing shows it.
			} else if err != nil {
				t.Errorf("stream: %v", err)
			} else if st.H1 != p.H1 || st.Extracted != p.Extracted || st.ZH != p.ZH || st.Size != p.Size || st.Files != p.Files {
				t.Errorf("stream gives %v, file %v", st, p)
			}
		})
	}
}

// TestDirVectors hashes those of the vectors that can be a directory.
func TestDirVectors(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" || runtime.GOARCH == "wasm" {
		t.Skip("needs a file system that keeps every name")
	}
	for _, v := range vectors {
		if v.dir != "" || v.zero == checksum.ErrSymlink {
			continue
		}
		t.Run(v.name, func(t *testing.T) {
			dir := buildDir(t, v.files...)
			p, err := checksum.HashDir(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			if p.H1.String() != v.zip || p.Extracted != p.H1 || p.ZH.IsValid() {
				t.Errorf("got %s, want %s", p.H1, v.zip)
			}
			if peer, err := plainDir(dir); err != nil || peer != v.zip {
				t.Errorf("dirhash gives %s, %v", peer, err)
			}
		})
		t.Run(v.name+"/fs", func(t *testing.T) {
			fsys := fstest.MapFS{}
			for _, f := range v.files {
				if !fs.ValidPath(f.name) {
					t.Skip("needs a name that an fs.FS can have")
				}
				fsys[f.name] = &fstest.MapFile{Data: []byte(f.content)}
			}
			p, err := checksum.Hasher{}.FS(t.Context(), "fs", fsys)
			if err != nil {
				t.Fatal(err)
			}
			if p.H1.String() != v.zip {
				t.Errorf("got %s, want %s", p.H1, v.zip)
			}
		})
	}
}

// TestExtractedVectors has dirhash judge the h1 of what a zip unpacks to.
func TestExtractedVectors(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" || runtime.GOARCH == "wasm" {
		t.Skip("needs a file system that keeps every name")
	}
	judged := 0
	for _, v := range vectors {
		if v.dir == "none" || v.zero == checksum.ErrSymlink {
			continue
		}
		data := buildZip(t, v.files...)
		dir := t.TempDir()
		if err := extract(data, dir); err != nil {
			continue // a name that this file system cannot have
		}
		p, err := checksum.Hasher{Lenient: true}.ZipReaderAt(t.Context(), "p", bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		if peer, err := plainDir(dir); err != nil || peer != p.Extracted.String() {
			t.Errorf("%s: got %s, dirhash gives %s, %v", v.name, p.Extracted, peer, err)
		}
		judged++
	}
	if judged < 8 {
		t.Errorf("only %d packages were judged", judged)
	}
}

func TestDirSymlink(t *testing.T) {
	dir := buildDir(t, file{name: "a.txt", content: "hello\n"}, file{name: "l", content: "a.txt", mode: fs.ModeSymlink})
	p, err := checksum.HashDir(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if want := "h1:O2Uc7n45gi87Cay3qY43b989hdDCYZss+9t5dp202ss="; p.H1.String() != want {
		t.Errorf("got %s, want %s", p.H1, want)
	}
	if peer, err := plainDir(dir); err != nil || peer != p.H1.String() {
		t.Errorf("dirhash gives %s, %v", peer, err)
	}
	if len(p.Warnings) != 1 || p.Warnings[0].Entry != "l" || !errors.Is(p.Warnings[0].Err, checksum.ErrSymlink) {
		t.Errorf("got warnings %v", p.Warnings)
	}
}

func TestZHVectors(t *testing.T) {
	const small = "504b03041400080008000000000000000000000000000000000005000000612e747874ca48cdc9c9e702040000ffff" +
		"504b070820303a360c00000006000000504b010214001400080008000000000020303a360c00000006000000050000000000000000000000" +
		"000000000000612e747874504b05060000000001000100330000003f0000000000"
	data, err := hex.DecodeString(small)
	if err != nil || len(data) != 136 {
		t.Fatal(len(data), err)
	}
	p, err := checksum.HashZip(t.Context(), writeZip(t, data))
	if err != nil {
		t.Fatal(err)
	}
	if want := "zh:7e9a81c1d77ffe5ff461b1ea5abc67edb1484b2faec703c29cf2638e962f78a6"; p.ZH.String() != want {
		t.Errorf("got %s, want %s", p.ZH, want)
	}
	if want := "h1:xULs+l4jrMyt60GIZwYIw7bhbzwK3CkR1JyTboQZesk="; p.H1.String() != want {
		t.Errorf("got %s, want %s", p.H1, want)
	}
	if peer, err := plainZip(data); err != nil || peer != p.H1.String() {
		t.Errorf("dirhash gives %s, %v", peer, err)
	}
	if want := "zh:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"; checksum.NewZH(emptySum).String() != want {
		t.Errorf("zh of an empty file is %s", checksum.NewZH(emptySum))
	}
}
