// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// findPackage returns the usual package of srv.
func findPackage(t *testing.T, c *registry.Client) *registry.Package {
	t.Helper()
	pkg, err := c.Package(t.Context(), acmeNull, v100, linux)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// A download over a dying connection goes on where it stopped, with ranges.
func TestDownload_resumes(t *testing.T) {
	srv := registrytest.Start(t, content())
	srv.Inject("zip-dies")
	c := srv.Registry()
	var calls []int64
	c.Progress = func(_ *registry.Package, done, total int64) {
		calls = append(calls, done)
		if total != srv.Package("acme", "null", "1.0.0", "linux_amd64").Size {
			t.Errorf("total is %d", total)
		}
	}
	var b bytes.Buffer
	d, err := c.Download(t.Context(), findPackage(t, c), &b)
	if err != nil {
		t.Fatal(err)
	}
	want := srv.Package("acme", "null", "1.0.0", "linux_amd64")
	if d.SHA256 != want.SHA256 || d.Size != want.Size || int64(b.Len()) != want.Size || d.Hash() != want.Hash() {
		t.Errorf("got %+v and %d bytes", d, b.Len())
	}
	if d.Attempts < 3 {
		t.Errorf("%d attempts, want at least 3", d.Attempts)
	}
	for i, r := range srv.Requests() {
		if r.Kind == registrytest.KindZip && i > 0 && srv.Requests()[i-1].Kind == registrytest.KindZip && r.Range == "" {
			t.Error("a later attempt without a range")
		}
	}
	if len(calls) < 2 || calls[0] != 0 || calls[len(calls)-1] != want.Size {
		t.Errorf("progress was %v", calls)
	}
}

// A partial file of an earlier run is continued, and a wrong one is not.
func TestDownloadFile_continuesFile(t *testing.T) {
	srv := registrytest.Start(t, content())
	c := srv.Registry()
	pkg := findPackage(t, c)
	var whole bytes.Buffer
	if _, err := c.Download(t.Context(), pkg, &whole); err != nil {
		t.Fatal(err)
	}
	half := whole.Bytes()[:whole.Len()/2]
	tests := []struct {
		name     string
		part     []byte
		requests int
		ranged   bool
	}{
		{"nothing", nil, 1, false},
		{"half", half, 1, true},
		{"all", whole.Bytes(), 0, false},
		{"garbage", []byte(strings.Repeat("x", 50_000)), 2, true},
		{"too much", append(bytes.Clone(whole.Bytes()), "tail"...), 2, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv.Clear()
			name := filepath.Join(t.TempDir(), "p.zip")
			if tt.part != nil {
				if err := os.WriteFile(name+".part", tt.part, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := c.DownloadFile(t.Context(), pkg, name); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(name)
			if err != nil || !bytes.Equal(got, whole.Bytes()) {
				t.Errorf("wrong content, %v", err)
			}
			if _, err := os.Stat(name + ".part"); err == nil {
				t.Error("the partial file is still there")
			}
			if got := srv.Count(registrytest.KindZip); got > tt.requests+1 || tt.requests == 0 && got != 0 {
				t.Errorf("%d requests, want about %d", got, tt.requests)
			}
			if tt.ranged && srv.Requests()[0].Range == "" {
				t.Error("no range request")
			}
		})
	}
}

// A symbolic link in the place of the partial file is not followed.
func TestDownloadFile_doesNotFollowLinks(t *testing.T) {
	srv := registrytest.Start(t, content())
	c := srv.Registry()
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	if err := os.WriteFile(victim, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(victim, filepath.Join(dir, "p.zip.part")); err != nil {
		t.Skip("needs a system with symbolic links:", err)
	}
	if _, err := c.DownloadFile(t.Context(), findPackage(t, c), filepath.Join(dir, "p.zip")); err == nil {
		t.Error("no error")
	}
	if got, _ := os.ReadFile(victim); string(got) != "precious" {
		t.Errorf("the victim has %q", got)
	}
}

// A failed download leaves an older file as it was.
func TestFetch_leavesOldFile(t *testing.T) {
	for _, fault := range []registrytest.Fault{"zip-flipped", "zip-404", "reported-wrong-h1", "signature-swapped"} {
		srv := registrytest.Start(t, content())
		srv.Inject(fault)
		c := srv.Registry()
		pkg, err := c.Package(t.Context(), acmeNull, v100, linux)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(t.TempDir(), "p.zip")
		if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Fetch(t.Context(), pkg, name); err == nil {
			t.Errorf("%s: no error", fault)
		}
		if got, _ := os.ReadFile(name); string(got) != "old" {
			t.Errorf("%s: the old file is lost", fault)
		}
	}
}

// A store that compresses, although it was told not to, sends the package all the same. The first answer is cut off.
func TestDownload_compressed(t *testing.T) {
	var sent bytes.Buffer
	z := gzip.NewWriter(&sent)
	want := strings.Repeat("some package ", 10_000)
	io.WriteString(z, want)
	z.Close()
	requests := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Etag", `"1"`)
		w.Header().Set("Content-Length", strconv.Itoa(sent.Len()))
		w.Write(sent.Bytes()[:sent.Len()/max(1, 3-requests)])
	}))
	defer s.Close()
	c := registry.Client{AllowHTTP: true, Retry: registry.Retry{Attempts: 3, Delay: time.Millisecond}}
	var got bytes.Buffer
	d, err := c.DownloadModule(t.Context(), &registry.ModuleLocation{Source: s.URL + "/x.zip", Direct: true}, &got)
	if err != nil || got.String() != want || d.Size != int64(len(want)) || requests != 2 {
		t.Errorf("got %d bytes, %+v, %v after %d requests", got.Len(), d, err, requests)
	}
}

// The lock of an earlier run decides, whatever is signed.
func TestInstall_lock(t *testing.T) {
	srv := registrytest.Start(t, content())
	c := srv.Registry()
	pkg := findPackage(t, c)
	own := srv.Package("acme", "null", "1.0.0", "linux_amd64")
	tests := []struct {
		name  string
		known []addrs.Hash
		ok    bool
	}{
		{"no lock", nil, true},
		{"zh", []addrs.Hash{"zh:other", own.Hash()}, true},
		{"h1", []addrs.Hash{own.H1, "zh:other"}, true},
		{"unknown scheme only", []addrs.Hash{"q9:x"}, true},
		{"another zh", []addrs.Hash{"zh:other"}, false},
		{"another h1", []addrs.Hash{"h1:other", "q9:x"}, false},
	}
	for _, tt := range tests {
		dir := filepath.Join(t.TempDir(), "p")
		res, err := c.Install(t.Context(), pkg, dir, tt.known)
		if ok := err == nil; ok != tt.ok || !ok && !errors.Is(err, addrs.ErrMismatch) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if _, statErr := os.Stat(dir); (statErr == nil) != tt.ok {
			t.Errorf("%s: directory: %v", tt.name, statErr)
		}
		if !tt.ok {
			continue
		}
		// What Install lets pass is not a yes.
		err = res.CheckLocked(tt.known)
		if want := tt.name == "zh" || tt.name == "h1"; want != (err == nil) || !want && !errors.Is(err, addrs.ErrNotVerifiable) {
			t.Errorf("%s: CheckLocked is %v", tt.name, err)
		}
		if got := res.Describe(); !strings.HasPrefix(got, "signed by ") {
			t.Errorf("described as %q", got)
		}
	}
	dir := t.TempDir()
	if _, err := c.Install(t.Context(), pkg, dir, nil); !errors.Is(err, os.ErrExist) {
		t.Errorf("existing directory: %v", err)
	}
}

// failingWriter fails after a few bytes.
type failingWriter struct{ left int }

var errDiskFull = errors.New("disk full")

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, errDiskFull
	}
	return len(p), nil
}

// An error of the writer ends the download at once.
func TestDownload_writerFails(t *testing.T) {
	srv := registrytest.Start(t, content())
	c := srv.Registry()
	_, err := c.Download(t.Context(), findPackage(t, c), &failingWriter{100_000})
	if !errors.Is(err, errDiskFull) || srv.Count(registrytest.KindZip) != 1 {
		t.Errorf("got %v after %d requests", err, srv.Count(registrytest.KindZip))
	}
}

// Cancelling ends everything at once.
func TestDownload_cancel(t *testing.T) {
	srv := registrytest.Start(t, content())
	srv.Inject("zip-drip")
	c := srv.Registry()
	pkg := findPackage(t, c)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err := c.Download(ctx, pkg, &bytes.Buffer{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := c.Download(ctx, pkg, &bytes.Buffer{}); !errors.Is(err, context.Canceled) {
		t.Errorf("second: got %v", err)
	}
	if _, err := c.Versions(ctx, addrs.MustParseProvider("other.example.org/a/b")); !errors.Is(err, context.Canceled) {
		t.Errorf("versions: got %v", err)
	}
}

// A package may be as large as its limit, and not larger, whether the source
// states its size or not.
func TestDownload_limit(t *testing.T) {
	for _, fault := range []registrytest.Fault{"", "mirror-no-hashes"} {
		srv := registrytest.Start(t, content())
		srv.Inject(fault)
		size := srv.Package("acme", "null", "1.0.0", "linux_amd64").Size
		for _, limit := range []int64{size - 1, size} {
			c := srv.Registry()
			c.Limits.Package = limit
			m, err := c.Mirror(srv.MirrorURL(), registry.MirrorOptions{})
			if err != nil {
				t.Fatal(err)
			}
			pkg, err := m.Package(t.Context(), acmeNull, v100, linux)
			if fault == "" {
				pkg, err = c.Package(t.Context(), acmeNull, v100, linux)
			}
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.Download(t.Context(), pkg, &bytes.Buffer{})
			if ok := err == nil; ok != (limit == size) || !ok && !errors.Is(err, registry.ErrLimit) {
				t.Errorf("fault %q, limit %d of %d: %v", fault, limit, size, err)
			}
		}
	}
}

// No request is made twice, however many ask at once.
func TestClient_noRequestTwice(t *testing.T) {
	srv := registrytest.Start(t, content())
	c := srv.Registry()
	c.Credentials = registry.Tokens{}
	m, err := c.Mirror("https://mirror.example.org/mirror/", registry.MirrorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			var src registry.Source = c
			if i%4 == 0 {
				src = m
			}
			platform := linux
			if i%2 == 0 {
				platform = darwin
			}
			if _, err := src.Versions(t.Context(), acmeNull); err != nil {
				t.Error(err)
			}
			pkg, err := src.Package(t.Context(), acmeNull, v100, platform)
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := c.Authenticate(t.Context(), pkg); err != nil {
				t.Error(err)
			}
			if _, err := c.ModuleVersions(t.Context(), acmeNet); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	seen := map[string]int{}
	for _, r := range srv.Requests() {
		seen[r.Host+r.Path]++
	}
	for path, n := range seen {
		if n != 1 {
			t.Errorf("%d requests for %s", n, path)
		}
	}
	if len(seen) != 9 {
		t.Errorf("%d different requests, want 9: %v", len(seen), seen)
	}
}

// A caller that gives up does not disturb another that waits for the same.
func TestClient_oneCallerGivesUp(t *testing.T) { synctest.Test(t, oneCallerGivesUp) }

func oneCallerGivesUp(t *testing.T) {
	asked := 0
	host, c := timedSite(t, func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		fmt.Fprint(w, `{"versions":[{"version":"1.0.0"}]}`)
	})
	c.Retry.Delay = time.Minute
	call := func(ctx context.Context) <-chan error {
		done := make(chan error, 1)
		go func() { done <- second(c.Versions(ctx, addrs.MustParseProvider(host+"/acme/null"))) }()
		synctest.Wait()
		return done
	}
	impatient, cancel := context.WithCancel(t.Context())
	first, other := call(impatient), call(t.Context())
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("first: %v", err)
	}
	if err := <-other; err != nil || asked != 2 {
		t.Errorf("second: %v after %d requests", err, asked)
	}
}

// At most Downloads packages are fetched at once.
func TestClient_downloadsBound(t *testing.T) {
	srv := registrytest.Start(t, content())
	c := srv.Registry()
	c.Downloads = 2
	pkg := findPackage(t, c)
	var mu sync.Mutex
	running := map[*registry.Package]bool{}
	most := 0
	c.Progress = func(p *registry.Package, done, total int64) {
		mu.Lock()
		defer mu.Unlock()
		if done < total {
			running[p] = true
			most = max(most, len(running))
		} else {
			delete(running, p)
		}
	}
	var wg sync.WaitGroup
	for range 8 {
		own := *pkg
		wg.Go(func() {
			if _, err := c.Download(t.Context(), &own, io.Discard); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if most < 1 || most > 2 || len(running) != 0 {
		t.Errorf("%d downloads at once, %d not ended", most, len(running))
	}
}

// The caller's own hash function is used.
func TestClient_callersH1(t *testing.T) {
	srv := registrytest.Start(t, content())
	c := srv.Registry()
	c.H1 = func(context.Context, io.ReaderAt, int64) ([]addrs.Hash, error) {
		return []addrs.Hash{"h1:mine", "zh:passed-over"}, nil
	}
	_, err := c.Fetch(t.Context(), findPackage(t, c), filepath.Join(t.TempDir(), "p.zip"))
	if !errors.Is(err, addrs.ErrMismatch) || !strings.Contains(err.Error(), "h1:mine") {
		t.Errorf("got %v", err)
	}

	// Of a package without reported hashes the result has it, with the zh that
	// the client has seen itself.
	pkg, err := c.Package(t.Context(), acmeNull, addrs.MustParseVersion("0.9.0"), linux)
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.Fetch(t.Context(), pkg, filepath.Join(t.TempDir(), "p.zip"))
	if err != nil {
		t.Fatal(err)
	}
	if want := []addrs.Hash{"h1:mine", srv.Package("acme", "null", "0.9.0", "linux_amd64").Hash()}; !slices.Equal(res.Computed, want) {
		t.Errorf("got %v, want %v", res.Computed, want)
	}

	failed := errors.New("no")
	c.H1 = func(context.Context, io.ReaderAt, int64) ([]addrs.Hash, error) { return nil, failed }
	if _, err := c.Fetch(t.Context(), pkg, filepath.Join(t.TempDir(), "p.zip")); !errors.Is(err, failed) {
		t.Errorf("got %v", err)
	}
}

// A source of somebody else supplies a package by Open: it is verified as any
// other, and goes on where it broke off.
func TestDownload_open(t *testing.T) {
	srv := registrytest.Start(t, content())
	c := srv.Registry()
	var zip bytes.Buffer
	pkg := findPackage(t, c)
	if _, err := c.Download(t.Context(), pkg, &zip); err != nil {
		t.Fatal(err)
	}
	var offsets []int64
	own := &registry.Package{
		Provider: pkg.Provider, Version: pkg.Version, Platform: pkg.Platform, Origin: registry.FromElsewhere, Source: "bucket", SHA256: pkg.SHA256, Size: int64(zip.Len()),
		Open: func(_ context.Context, offset int64) (io.ReadCloser, error) {
			offsets = append(offsets, offset)
			if len(offsets) == 1 {
				return io.NopCloser(io.MultiReader(bytes.NewReader(zip.Bytes()[:10]), iotest.ErrReader(errors.New("broken")))), nil
			}
			return io.NopCloser(bytes.NewReader(zip.Bytes()[offset:])), nil
		},
	}
	dir := filepath.Join(t.TempDir(), "out")
	r, err := c.Install(t.Context(), own, dir, nil)
	if err != nil || r.Proof != registry.ChecksumOnly || !slices.Equal(offsets, []int64{0, 10}) {
		t.Errorf("got %+v, %v after %v", r, err, offsets)
	}
	if _, err := registry.FindExecutable(dir, "null"); err != nil {
		t.Error(err)
	}
	own.SHA256 = strings.Repeat("0", 64)
	if _, err := c.Download(t.Context(), own, io.Discard); !errors.Is(err, addrs.ErrMismatch) {
		t.Errorf("got %v", err)
	}
	own.Open = func(context.Context, int64) (io.ReadCloser, error) { return nil, errors.New("no such object") }
	if _, err := c.Download(t.Context(), own, io.Discard); err == nil || !strings.Contains(err.Error(), "bucket: no such object (after 3 attempts)") {
		t.Errorf("got %v", err)
	}
	c.Policy.RequireSigned = true
	if _, err := c.Authenticate(t.Context(), own); !errors.Is(err, registry.ErrUnsigned) {
		t.Errorf("got %v", err)
	}
}
