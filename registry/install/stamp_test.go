// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
)

// forged is a hash that no package has. A stamp with it shows whether the stamp was used.
const forged addrs.Hash = "h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

// A stamped is a cache with a package whose stamp is forged.
type stamped struct {
	cache *Cache
	pkg   string // the directory of the package, without links
	stamp string // the file
	h1    addrs.Hash
}

// newStamped makes a package as tools do, and its stamp.
func newStamped(t *testing.T) *stamped {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if !keepsChanges(base) {
		t.Skip("needs a temporary directory on a file system that keeps the times of changes")
	}
	s := &stamped{cache: &Cache{Dir: filepath.Join(base, "cache"), Stamps: filepath.Join(base, "user", "stamps")}}
	s.pkg = filepath.Join(s.cache.Dir, "example.com", "acme", "null", "1.0.0", "linux_amd64")
	for name, text := range map[string]string{"terraform-provider-null": "plugin", "LICENSE": "words", "doc/one.md": "one", "doc/two.md": "two"} {
		write(t, filepath.Join(s.pkg, name), text)
	}
	s.stamp = filepath.Join(s.cache.Stamps, stampName(s.pkg))
	h, err := s.cache.hash(t.Context(), s.pkg)
	if err != nil {
		t.Fatal(err)
	}
	s.h1 = h.h1
	if _, err := os.Stat(s.stamp); err == nil {
		t.Fatal("there is a stamp before anything was verified")
	}
	h.keep(nil)
	s.edit(t, func(st *stamp) { st.H1 = forged })
	if !s.used(t) {
		t.Fatal("the stamp is not used")
	}
	return s
}

// edit changes the stamp as only its owner can.
func (s *stamped) edit(t *testing.T, change func(*stamp)) {
	t.Helper()
	d := s.cache.openStamps()
	if d == nil {
		t.Fatal("no stamps")
	}
	defer d.close()
	st := d.read(filepath.Base(s.stamp))
	if st == nil {
		t.Fatal("no stamp")
	}
	change(st)
	d.write(st)
}

// used reports whether the stamp is used for the package in the cache.
func (s *stamped) used(t *testing.T) bool {
	t.Helper()
	h, err := s.cache.hash(t.Context(), s.pkg)
	return err == nil && h.h1 == forged
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Whatever happens to a package, or to its stamp, the package is hashed again.
func TestStamp_changes(t *testing.T) {
	at := func(t *testing.T, name string) time.Time {
		info, err := os.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime()
	}
	must := func(t *testing.T, errs ...error) {
		t.Helper()
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, change := range map[string]func(t *testing.T, s *stamped){
		"content of the same size and mtime": func(t *testing.T, s *stamped) {
			f := filepath.Join(s.pkg, "terraform-provider-null")
			was := at(t, f)
			write(t, f, "PLUGIN")
			must(t, os.Chtimes(f, was, was))
			if !at(t, f).Equal(was) {
				t.Error("the file has another mtime")
			}
		},
		"mtime alone": func(t *testing.T, s *stamped) {
			must(t, os.Chtimes(filepath.Join(s.pkg, "LICENSE"), time.Time{}, time.Now().Add(-time.Hour)))
		},
		"mode": func(t *testing.T, s *stamped) { must(t, os.Chmod(filepath.Join(s.pkg, "LICENSE"), 0o600)) },
		"mode and back": func(t *testing.T, s *stamped) {
			f := filepath.Join(s.pkg, "LICENSE")
			must(t, os.Chmod(f, 0o600), os.Chmod(f, 0o644))
		},
		"a file replaced by its copy": func(t *testing.T, s *stamped) {
			f := filepath.Join(s.pkg, "LICENSE")
			was := at(t, f)
			write(t, f+".new", "words")
			must(t, os.Chtimes(f+".new", was, was), os.Rename(f+".new", f))
		},
		"a file added": func(t *testing.T, s *stamped) { write(t, filepath.Join(s.pkg, "doc", "three.md"), "") },
		"a file added, its directory has the same mtime": func(t *testing.T, s *stamped) {
			was := at(t, s.pkg)
			write(t, filepath.Join(s.pkg, "terraform-provider-null_v2"), "")
			must(t, os.Chtimes(s.pkg, was, was))
		},
		"a directory added":   func(t *testing.T, s *stamped) { must(t, os.Mkdir(filepath.Join(s.pkg, "empty"), 0o755)) },
		"a file removed":      func(t *testing.T, s *stamped) { must(t, os.Remove(filepath.Join(s.pkg, "doc", "two.md"))) },
		"a directory removed": func(t *testing.T, s *stamped) { must(t, os.RemoveAll(filepath.Join(s.pkg, "doc"))) },
		"two files swapped": func(t *testing.T, s *stamped) {
			one, two := filepath.Join(s.pkg, "doc", "one.md"), filepath.Join(s.pkg, "doc", "two.md")
			must(t, os.Rename(one, one+"x"), os.Rename(two, one), os.Rename(one+"x", two))
		},
		"a write through another name": func(t *testing.T, s *stamped) {
			f, other := filepath.Join(s.pkg, "LICENSE"), filepath.Join(s.cache.Dir, "other")
			must(t, os.Link(f, other))
			write(t, other, "WORDS")
			must(t, os.Remove(other))
		},
		"a file replaced by a link": func(t *testing.T, s *stamped) {
			f, other := filepath.Join(s.pkg, "LICENSE"), filepath.Join(s.cache.Dir, "other")
			must(t, os.Rename(f, other), os.Symlink(other, f))
		},
		"the package replaced by its copy": func(t *testing.T, s *stamped) {
			must(t, os.Rename(s.pkg, s.pkg+".old"), os.CopyFS(s.pkg, os.DirFS(s.pkg+".old")))
		},
		"the package replaced by a link to another": func(t *testing.T, s *stamped) {
			other := filepath.Join(filepath.Dir(s.pkg), "linux_arm64")
			must(t, os.CopyFS(other, os.DirFS(s.pkg)), os.RemoveAll(s.pkg), os.Symlink(other, s.pkg))
		},
		"a parent replaced by a link to another": func(t *testing.T, s *stamped) {
			typ := filepath.Dir(filepath.Dir(s.pkg))
			must(t, os.CopyFS(typ+"2", os.DirFS(typ)), os.RemoveAll(typ), os.Symlink(typ+"2", typ))
		},
		"the stamp from later":            func(t *testing.T, s *stamped) { s.edit(t, func(st *stamp) { st.Time += int64(time.Hour) }) },
		"the stamp as late as the change": func(t *testing.T, s *stamped) { s.edit(t, func(st *stamp) { st.Time = st.Files[0].CTime }) },
		"the stamp a little later": func(t *testing.T, s *stamped) {
			s.edit(t, func(st *stamp) { st.Time = st.Files[1].CTime + int64(tick) })
		},
		"the stamp of another package": func(t *testing.T, s *stamped) {
			s.edit(t, func(st *stamp) { st.Dir = "/other" })
			must(t, os.Rename(filepath.Join(s.cache.Stamps, stampName("/other")), s.stamp))
		},
		"the stamp with another hash": func(t *testing.T, s *stamped) { s.edit(t, func(st *stamp) { st.H1 = "zh:00" }) },
		"no stamp":                    func(t *testing.T, s *stamped) { must(t, os.Remove(s.stamp)) },
		"an empty stamp":              func(t *testing.T, s *stamped) { must(t, os.Truncate(s.stamp, 0)) },
		"half a stamp":                func(t *testing.T, s *stamped) { must(t, os.Truncate(s.stamp, 200)) },
		"a huge stamp":                func(t *testing.T, s *stamped) { must(t, os.Truncate(s.stamp, maxStampFile+1)) },
		"a stamp that others can read": func(t *testing.T, s *stamped) {
			must(t, os.Chmod(s.stamp, 0o644))
		},
		"a directory that others can read":  func(t *testing.T, s *stamped) { must(t, os.Chmod(s.cache.Stamps, 0o755)) },
		"a directory that a group can use":  func(t *testing.T, s *stamped) { must(t, os.Chmod(s.cache.Stamps, 0o770)) },
		"a directory that others can enter": func(t *testing.T, s *stamped) { must(t, os.Chmod(s.cache.Stamps, 0o711)) },
		"a directory of another user": func(t *testing.T, s *stamped) {
			if os.Geteuid() != 0 {
				t.Skip("needs root, to give a file to another user")
			}
			must(t, os.Chown(s.cache.Stamps, 12345, -1))
		},
		"a stamp of another user": func(t *testing.T, s *stamped) {
			if os.Geteuid() != 0 {
				t.Skip("needs root, to give a file to another user")
			}
			must(t, os.Chown(s.stamp, 12345, -1))
		},
		"a file of another user": func(t *testing.T, s *stamped) {
			if os.Geteuid() != 0 {
				t.Skip("needs root, to give a file to another user")
			}
			must(t, os.Chown(filepath.Join(s.pkg, "LICENSE"), 12345, -1))
		},
		"a file in place of the directory": func(t *testing.T, s *stamped) {
			must(t, os.RemoveAll(s.cache.Stamps))
			write(t, s.cache.Stamps, "")
		},
		"stamps in the cache": func(t *testing.T, s *stamped) {
			inside := filepath.Join(s.cache.Dir, "stamps")
			must(t, os.Rename(s.cache.Stamps, inside))
			s.cache.Stamps = inside
		},
		"stamps that lead into the cache": func(t *testing.T, s *stamped) {
			inside := filepath.Join(s.cache.Dir, "stamps")
			must(t, os.Rename(s.cache.Stamps, inside), os.Symlink(inside, s.cache.Stamps))
		},
		"stamps in a layer": func(t *testing.T, s *stamped) { s.cache.Layers = []string{filepath.Dir(s.cache.Stamps)} },
		"another cache": func(t *testing.T, s *stamped) {
			must(t, os.CopyFS(s.cache.Dir+"2", os.DirFS(s.cache.Dir)))
			s.pkg = filepath.Join(s.cache.Dir+"2", s.pkg[len(s.cache.Dir):])
			s.cache.Dir += "2"
		},
		"a copy of the cache in its place": func(t *testing.T, s *stamped) {
			must(t, os.CopyFS(s.cache.Dir+"2", os.DirFS(s.cache.Dir)), os.RemoveAll(s.cache.Dir), os.Rename(s.cache.Dir+"2", s.cache.Dir))
		},
		"a package that is not in the cache": func(t *testing.T, s *stamped) { s.cache.Dir = filepath.Join(s.cache.Dir, "other") },
		"no directory":                       func(t *testing.T, s *stamped) { s.cache.Stamps = "" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStamped(t)
			change(t, s)
			h, err := s.cache.hash(t.Context(), s.pkg)
			want, wantErr := hashDir(t.Context(), s.pkg)
			if h.h1 != want || (err == nil) != (wantErr == nil) {
				t.Errorf("got %v, %v, want %v, %v", h.h1, err, want, wantErr)
			}
		})
	}
}

// Nothing in a stamp can be damaged without effect on all of it.
func TestStamp_damage(t *testing.T) {
	s := newStamped(t)
	text, err := os.ReadFile(s.stamp)
	if err != nil {
		t.Fatal(err)
	}
	d := s.cache.openStamps()
	defer d.close()
	for i := range text {
		bad := bytes.Clone(text)
		bad[i] ^= 1
		if err := os.WriteFile(s.stamp, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if d.read(filepath.Base(s.stamp)) != nil {
			t.Fatalf("byte %d may be changed", i)
		}
	}
}

// What a stamp cannot cover gets none.
func TestStamp_cannot(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, s *stamped){
		"a link": func(t *testing.T, s *stamped) {
			if err := os.Symlink("LICENSE", filepath.Join(s.pkg, "COPYING")); err != nil {
				t.Fatal(err)
			}
		},
		"a time in the future": func(t *testing.T, s *stamped) {
			later := time.Now().Add(time.Hour)
			if err := os.Chtimes(filepath.Join(s.pkg, "LICENSE"), later, later); err != nil {
				t.Fatal(err)
			}
		},
		"many files": func(t *testing.T, s *stamped) {
			for i := range maxStamped {
				write(t, filepath.Join(s.pkg, "many", fmt.Sprint(i)), "")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStamped(t)
			change(t, s)
			before, err := os.ReadFile(s.stamp)
			if err != nil {
				t.Fatal(err)
			}
			h, err := s.cache.hash(t.Context(), s.pkg)
			if err != nil {
				t.Fatal(err)
			}
			h.keep(nil)
			if after, err := os.ReadFile(s.stamp); err != nil || !bytes.Equal(before, after) || h.h1 == forged {
				t.Errorf("there is a stamp: %v", err)
			}
		})
	}
}

// A file that is changed while the package is hashed, or just before, gives no stamp
// that a later change could hide behind.
func TestStamp_racy(t *testing.T) {
	s := newStamped(t)
	f := filepath.Join(s.pkg, "LICENSE")
	for i := range 20 {
		write(t, f, fmt.Sprintf("%05d", 2*i))
		h, err := s.cache.hash(t.Context(), s.pkg)
		if err != nil {
			t.Fatal(err)
		}
		h.keep(nil)
		info, err := os.Stat(f)
		if err != nil {
			t.Fatal(err)
		}
		// In the same tick as the first write, were it not for the wait.
		write(t, f, fmt.Sprintf("%05d", 2*i+1))
		if err := os.Chtimes(f, info.ModTime(), info.ModTime()); err != nil {
			t.Fatal(err)
		}
		got, err := s.cache.hash(t.Context(), s.pkg)
		if err != nil || got.h1 == h.h1 {
			t.Fatalf("the change is not seen: %v", err)
		}
	}
	for _, tt := range []struct {
		mtime, ctime int64
		want         bool
	}{
		{0, 1, true},
		{5e9 + 1, 5e9 + 1, true},
		{10e9 - int64(tick) - 1, 10e9 - int64(tick) - 1, true},
		{10e9 - int64(tick), 10e9 - int64(tick), false},
		{10e9 - int64(tick), 1, false},    // mtime is judged as well
		{10e9 - 20e6, 10e9 - 20e6, false}, // two ticks of a slow kernel
		{10e9 - 1, 10e9 - 1, false},
		{11e9, 5e9, false},
		{8e9, 8e9, false}, // a clock that counts in two seconds
		{7e9, 7e9, true},
		{1, 0, false}, // no time at all
	} {
		if got := (&stampedEntry{MTime: tt.mtime, CTime: tt.ctime}).settled(10e9); got != tt.want {
			t.Errorf("mtime %d, ctime %d: got %v", tt.mtime, tt.ctime, got)
		}
	}
}

// The hashes of the zip come from the stamp, or from a file that no other user can write.
func TestStamp_zip(t *testing.T) {
	s := newStamped(t)
	s.edit(t, func(st *stamp) { st.H1 = s.h1 })
	zip := []addrs.Hash{s.h1, "zh:0011"}
	h, err := s.cache.hash(t.Context(), s.pkg)
	if err != nil || len(h.zip) > 0 {
		t.Fatal(h.zip, err)
	}
	h.keep(zip)
	h, err = s.cache.hash(t.Context(), s.pkg)
	if err != nil || len(h.zip) != 2 {
		t.Error(h.zip, err)
	}
	h.keep(nil) // nothing new
	if h, err = s.cache.hash(t.Context(), s.pkg); err != nil || len(h.zip) != 2 {
		t.Error(h.zip, err)
	}
	name := s.pkg + ".json"
	write(t, name, `["h1:1","zh:2"]`)
	if got := readHashes(name); len(got) != 2 {
		t.Error(got)
	}
	for what, bad := range map[string]func() error{
		"others can write it":      func() error { return os.Chmod(name, 0o666) },
		"it is of another user":    func() error { return os.Chown(name, 12345, -1) },
		"it is not JSON":           func() error { return os.WriteFile(name, []byte("["), 0o644) },
		"it is a directory":        func() error { return os.Mkdir(name, 0o755) },
		"it is not there":          func() error { return nil },
		"there is not a directory": func() error { name = filepath.Join(name, "x"); return nil },
	} {
		os.Remove(name)
		write(t, name, `["h1:1","zh:2"]`)
		if what != "it is of another user" && what != "others can write it" {
			os.Remove(name)
		}
		if err := bad(); err != nil {
			continue // it needs root
		}
		if got := readHashes(name); got != nil {
			t.Errorf("%s: got %v", what, got)
		}
	}
}

// Stamps of packages that are gone, damaged ones and leftovers are swept.
func TestStamp_sweep(t *testing.T) {
	s := newStamped(t)
	old := time.Now().Add(-2 * time.Hour)
	for name, text := range map[string]string{"bad.stamp": "bad", "x.stamp.new-1": "", "x.stamp.new-2": "", "mine.txt": "mine"} {
		write(t, filepath.Join(s.cache.Stamps, name), text)
	}
	if err := os.Chtimes(filepath.Join(s.cache.Stamps, "x.stamp.new-1"), old, old); err != nil {
		t.Fatal(err)
	}
	left := func() int {
		t.Helper()
		if _, err := s.cache.Prune(t.Context(), CacheLimit{}); err != nil {
			t.Fatal(err)
		}
		names, err := os.ReadDir(s.cache.Stamps)
		if err != nil {
			t.Fatal(err)
		}
		return len(names)
	}
	if n := left(); n != 3 || !s.used(t) {
		t.Errorf("%d files are left", n)
	}
	if err := os.RemoveAll(s.pkg); err != nil {
		t.Fatal(err)
	}
	if n := left(); n != 2 {
		t.Errorf("%d files are left", n)
	}
}
