// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/tofuwire/tofuwire/checksum"
	"github.com/tofuwire/tofuwire/internal/testing/bounds"
)

// manyPackages makes n zips of different sizes, every third with a
// directory in its place. Number 5, if there is one, does not exist.
func manyPackages(t *testing.T, n int) (paths []string, want []checksum.Hash) {
	t.Helper()
	root := t.TempDir()
	for i := range n {
		f := file{name: "terraform-provider-x", content: strings.Repeat(fmt.Sprint(i, " "), 1+(i*7919)%50_000)}
		path := filepath.Join(root, fmt.Sprint(i))
		data := buildZip(t, f)
		p, err := hashBytes(t, checksum.Hasher{}, data)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case i == 5:
		case i%3 == 2:
			if err := os.CopyFS(path, os.DirFS(buildDir(t, f))); err != nil {
				t.Fatal(err)
			}
		default:
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		paths = append(paths, path)
		want = append(want, p.H1)
	}
	return paths, want
}

func TestAll(t *testing.T) {
	paths, want := manyPackages(t, 30)
	for _, workers := range []int{0, 1, 2, 8, 100} {
		seq := checksum.Hasher{Workers: workers}.All(t.Context(), paths)
		for range 2 { // it starts over
			i := 0
			for p, err := range seq {
				switch {
				case i == 5:
					var e *checksum.Error
					if !errors.As(err, &e) || e.Filename != paths[5] || !errors.Is(err, fs.ErrNotExist) {
						t.Errorf("got %v, %v", p, err)
					}
				case err != nil || p.Name != paths[i] || p.H1 != want[i] || p.Zip != (i%3 != 2):
					t.Errorf("%d workers, package %d: got %v, %v", workers, i, p, err)
				}
				i++
			}
			if i != len(paths) {
				t.Errorf("%d workers: %d results", workers, i)
			}
		}
		n := 0
		for range seq { // leaving early is fine
			if n++; n == 4 {
				break
			}
		}
	}
	for range (checksum.Hasher{}).All(t.Context(), nil) {
		t.Error("a result for no package")
	}
}

// TestAllGoroutines: none is left over, even if the loop ends early.
func TestAllGoroutines(t *testing.T) {
	paths, _ := manyPackages(t, 12)
	synctest.Test(t, func(t *testing.T) { // which waits for all, and fails if one waits for ever
		for range 5 {
			for range (checksum.Hasher{Workers: 4}).All(t.Context(), paths) {
				break
			}
		}
	})
}

func TestAllCancelled(t *testing.T) {
	paths, _ := manyPackages(t, 12)
	for _, workers := range []int{1, 3} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		n, cancelled := 0, 0
		for _, err := range (checksum.Hasher{Workers: workers}).All(ctx, paths) {
			if errors.Is(err, context.Canceled) {
				cancelled++
			}
			if n++; n == 2 {
				cancel()
			}
		}
		if n != len(paths) || cancelled == 0 {
			t.Errorf("%d workers: %d results, %d cancelled", workers, n, cancelled)
		}
	}
}

// TestProgress: the last call has everything done, the first not, and no two
// for one package come at once.
func TestProgress(t *testing.T) {
	content := strings.Repeat("0123456789", 100_000)
	zip := writeZip(t, buildZip(t, file{name: "a", content: content, stored: true}))
	info, err := os.Stat(zip)
	if err != nil {
		t.Fatal(err)
	}
	dir := buildDir(t, file{name: "a", content: content}, file{name: "b/c", content: content}, file{name: "d"})
	for _, workers := range []int{1, 4} {
		var calls []checksum.Progress
		var mu sync.Mutex
		h := checksum.Hasher{Workers: workers, Progress: func(p checksum.Progress) {
			if !mu.TryLock() {
				t.Error("calls overlap")
				return
			}
			calls = append(calls, p)
			mu.Unlock()
		}}
		check := func(name string, total int64, unknown bool) {
			t.Helper()
			if len(calls) < 3 {
				t.Fatalf("%d calls", len(calls))
			}
			for i, p := range calls {
				if p.Name != name || !unknown && p.Total != total || unknown && p.Total != -1 || i > 0 && p.Done <= calls[i-1].Done {
					t.Errorf("call %d is %v after %v", i, p, calls[max(0, i-1)])
				}
			}
			if last := calls[len(calls)-1]; last.Done != total {
				t.Errorf("got %v at last, want %d", last, total)
			}
			calls = nil
		}
		if _, err := h.Zip(t.Context(), zip); err != nil {
			t.Fatal(err)
		}
		check(zip, info.Size(), false)
		if p, err := h.Dir(t.Context(), dir); err != nil || p.Size != 2_000_000 || p.Files != 3 {
			t.Fatal(p, err)
		}
		check(dir, 2_000_000, false)
		data := rawZip(rawEntry{name: "a", content: content})
		if _, err := h.Stream(t.Context(), "s", bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
		check("s", int64(len(data)), true)
	}
}

func TestCancelled(t *testing.T) {
	content := strings.Repeat("0123456789", 100_000)
	data := rawZip(rawEntry{name: "a", content: content})
	zip := writeZip(t, data)
	dir := buildDir(t, file{name: "a", content: content}, file{name: "b", content: content})
	for _, workers := range []int{1, 2} {
		for _, late := range []bool{false, true} {
			var cancel atomic.Pointer[context.CancelFunc]
			h := checksum.Hasher{Workers: workers, Progress: func(checksum.Progress) { (*cancel.Load())() }}
			for name, hash := range map[string]func(context.Context) (*checksum.Package, error){
				"zip":    func(ctx context.Context) (*checksum.Package, error) { return h.Zip(ctx, zip) },
				"dir":    func(ctx context.Context) (*checksum.Package, error) { return h.Dir(ctx, dir) },
				"stream": func(ctx context.Context) (*checksum.Package, error) { return h.Stream(ctx, "s", bytes.NewReader(data)) },
			} {
				ctx, c := context.WithCancel(t.Context())
				cancel.Store(&c)
				if !late {
					c()
				}
				if p, err := hash(ctx); p != nil || !errors.Is(err, context.Canceled) {
					t.Errorf("%s, %d workers, late %v: got %v, %v", name, workers, late, p, err)
				}
				c()
			}
		}
	}
}

// TestManyEntries: each entry needs little memory, and a package
// of many small files agrees with dirhash.
func TestManyEntries(t *testing.T) {
	var files []file
	for i := range 3000 {
		files = append(files, file{name: fmt.Sprintf("d%d/f%d", i%7, i), content: fmt.Sprint(i), raw: i%2 == 0, stored: i%3 == 0})
	}
	data := buildZip(t, files...)
	want, err := plainZip(data)
	if err != nil {
		t.Fatal(err)
	}
	p, err := hashBytes(t, checksum.Hasher{}, data)
	if err != nil || p.H1.String() != want || p.Extracted != p.H1 || p.Files != len(files) || len(p.Warnings) != 0 {
		t.Errorf("got %v, %v", p, err)
	}
}

// TestAllocations: the number of allocations does not grow with the content.
func TestAllocations(t *testing.T) {
	measure := func(n int) float64 {
		data := buildZip(t, file{name: "a", content: strings.Repeat("0123456789", n)})
		return testing.AllocsPerRun(5, func() {
			if _, err := hashBytes(t, checksum.Hasher{Workers: 1}, data); err != nil {
				t.Fatal(err)
			}
		})
	}
	bounds.Check(t, func() (problem string) {
		if small, large := measure(1000), measure(1_000_000); large > small+5 || small > 100 {
			problem = fmt.Sprintf("%v allocations for 10 kB, %v for 10 MB", small, large)
		}
		return problem
	})
}
