// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/testing/bounds"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// site starts a server that gives a discovery document and answers everything
// else as answer says. It returns its host and a client for it.
func site(t *testing.T, answer http.HandlerFunc) (string, *registry.Client) {
	t.Helper()
	return siteAt(t, nil, answer)
}

// siteAt is site with a listener, or nil for one on the network.
func siteAt(t *testing.T, l *piped, answer http.HandlerFunc) (string, *registry.Client) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if strings.HasSuffix(r.URL.Path, "terraform.json") {
			fmt.Fprint(w, `{"providers.v1":"/v1/","modules.v1":"/m1/"}`)
			return
		}
		answer(w, r)
	}))
	if l != nil {
		srv.Listener.Close()
		srv.Listener = l
	}
	srv.StartTLS()
	t.Cleanup(srv.Close)
	if l != nil {
		srv.Client().Transport.(*http.Transport).DialContext = l.dial
	}
	return strings.TrimPrefix(srv.URL, "https://"), &registry.Client{HTTP: srv.Client(), Retry: registry.Retry{Delay: time.Millisecond}}
}

// piped is a listener of connections in memory: their time is that of a bubble of synctest, which no other program of the machine
// takes a part of.
type piped struct {
	conns chan net.Conn
	once  sync.Once
}

func (l *piped) Accept() (net.Conn, error) {
	if c, ok := <-l.conns; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}

func (l *piped) Close() error   { l.once.Do(func() { close(l.conns) }); return nil }
func (l *piped) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

func (l *piped) dial(context.Context, string, string) (net.Conn, error) {
	near, far := net.Pipe()
	l.conns <- far
	return near, nil
}

// timedSite is site in a bubble of synctest.
func timedSite(t *testing.T, answer http.HandlerFunc) (string, *registry.Client) {
	t.Helper()
	return siteAt(t, &piped{conns: make(chan net.Conn)}, answer)
}

// answers is a transport that makes its answers, without the memory of a server.
type answers func(path string) string

func (f answers) RoundTrip(r *http.Request) (*http.Response, error) {
	body := `{"providers.v1":"/v1/"}`
	if !strings.HasSuffix(r.URL.Path, "terraform.json") {
		body = f(r.URL.Path)
	}
	return &http.Response{StatusCode: http.StatusOK, Request: r, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

// Answers that are small as text and large in memory are remembered only up to the
// bound: 40 lists of versions with 600,000 elements, and 60 packages of 7 MiB.
func TestLimits_memory(t *testing.T) {
	depth.NeedFull(t, "it decodes a lot")
	var platforms, protocols strings.Builder
	for i := range 300_000 - 2 {
		fmt.Fprintf(&platforms, `{"os":"l%d","arch":"a"},`, i)
	}
	for i := range 600_000 - 2 {
		fmt.Fprintf(&protocols, `"%d.0",`, i)
	}
	lists := []string{
		`{"versions":[{"version":"1.0.0","platforms":[` + strings.TrimSuffix(platforms.String(), ",") + `]}]}`,
		`{"versions":[{"version":"1.0.0","protocols":[` + strings.TrimSuffix(protocols.String(), ",") + `]}]}`,
	}
	pkg := `{"protocols":["5.0"],"os":"linux","arch":%q,"filename":"f.zip","download_url":"/z","shasums_url":"/s","shasums_signature_url":"/g","shasum":"` +
		strings.Repeat("ab", 32) + `","signing_keys":{"gpg_public_keys":[{"key_id":"x","ascii_armor":"y","trust_signature":"%s"}]}}`
	large, small := strings.Repeat("t", 7<<20), strings.Repeat("t", 500<<10)
	n, text := 0, large
	c := &registry.Client{HTTP: &http.Client{Transport: answers(func(path string) string {
		if strings.HasSuffix(path, "/versions") {
			n++
			return lists[n%2]
		}
		return fmt.Sprintf(pkg, path[strings.LastIndex(path, "/")+1:], text)
	})}}
	c.Limits.Timeout = time.Minute
	before := bounds.Heap()
	for i := range 600 {
		if i == 60 {
			text = small
		}
		p := addrs.MustParseProvider(fmt.Sprintf("memory.example/x/p%d", i))
		if i < 40 {
			if _, err := c.Versions(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := c.Package(t.Context(), p, addrs.MustParseVersion("1.0.0"), addrs.MustParsePlatform("linux_a")); err != nil {
			t.Fatal(err)
		}
		if i%20 == 19 {
			if after := bounds.Heap(); after > before+66<<20 {
				t.Errorf("%d bytes before, %d after %d", before, after, i+1)
			}
		}
	}
	runtime.KeepAlive(c)
}

// Hosts that do not answer do not delay those that do.
func TestClient_silentHosts(t *testing.T) {
	s := registrytest.Start(t, small())
	c := s.Registry()
	block := make(chan struct{})
	transport := c.HTTP.Transport
	c.HTTP.Transport = roundTripper(func(r *http.Request) (*http.Response, error) {
		if strings.HasPrefix(r.URL.Host, "silent") {
			select {
			case <-block:
			case <-r.Context().Done():
			}
			return nil, errors.New("silence")
		}
		return transport.RoundTrip(r)
	})
	c.Requests = 2
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{}, 100)
	for i := range 40 {
		go func() {
			c.Service(ctx, fmt.Sprintf("silent%d.example", i), registry.ProvidersV1)
			ended <- struct{}{}
		}()
	}
	if _, err := c.Versions(t.Context(), providerOf(s)); err != nil {
		t.Error(err)
	}
	cancel()
	close(block)
	for range 40 {
		<-ended
	}
}

// A download that brings something again and again, but far too little, ends.
func TestDownload_slow(t *testing.T) { synctest.Test(t, downloadSlow) }

func downloadSlow(t *testing.T) {
	host, c := timedSite(t, func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			w.Write(make([]byte, 5<<10))
			w.(http.Flusher).Flush()
			time.Sleep(20 * time.Millisecond)
		}
	})
	c.Limits = registry.Limits{Stall: 100 * time.Millisecond, Slow: 1 << 30}
	pkg := &registry.Package{URL: mustURL(t, "https://"+host+"/zip"), Provider: addrs.MustParseProvider("a/b")}
	_, err := c.Download(t.Context(), pkg, discard{})
	if !errors.Is(err, registry.ErrStalled) || !strings.Contains(err.Error(), "a/b") {
		t.Errorf("got %v", err)
	}
	// The bound holds over all attempts, also if each one brings something.
	host, c = timedSite(t, func(w http.ResponseWriter, r *http.Request) {
		from := 0
		if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); err == nil {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-99999999/100000000", from))
			w.WriteHeader(http.StatusPartialContent)
		}
		w.Write(make([]byte, 5<<10))
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	c.Limits = registry.Limits{Stall: 300 * time.Millisecond, Slow: 1 << 30}
	_, err = c.Download(t.Context(), &registry.Package{URL: mustURL(t, "https://"+host+"/zip"), SHA256: strings.Repeat("0", 64)}, discard{})
	var e *registry.Error
	if !errors.Is(err, registry.ErrStalled) || !errors.As(err, &e) || e.Attempts < 2 {
		t.Errorf("got %v", err)
	}
	// A slow writer is not the server's fault.
	host, c = timedSite(t, func(w http.ResponseWriter, r *http.Request) { w.Write(make([]byte, 300<<10)) })
	c.Limits = registry.Limits{Stall: 300 * time.Millisecond, Slow: 1 << 20}
	d, err := c.Download(t.Context(), &registry.Package{URL: mustURL(t, "https://"+host+"/zip")}, slowWriter{})
	if err != nil || d.Size != 300<<10 {
		t.Errorf("got %v, %v", d, err)
	}
}

// Any window of time counts, and not only every other one: a burst between two slow windows
// does not help, and neither do connections that break. A download that is fast enough in
// every window goes on.
func TestDownload_anyWindow(t *testing.T) { synctest.Test(t, downloadAnyWindow) }

func downloadAnyWindow(t *testing.T) {
	var from, size int
	serve := func(bursts []int) (string, *registry.Client) {
		begun := time.Now()
		return timedSite(t, func(w http.ResponseWriter, r *http.Request) {
			if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); err == nil {
				w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, size-1, size))
				w.WriteHeader(http.StatusPartialContent)
			}
			for r.Context().Err() == nil && from < size {
				n := min(bursts[min(int(time.Since(begun)/(50*time.Millisecond)), len(bursts)-1)], size-from)
				from += n
				w.Write(make([]byte, n))
				w.(http.Flusher).Flush()
				time.Sleep(50 * time.Millisecond)
				if n > 0 && n < 2000 {
					panic(http.ErrAbortHandler) // it breaks off
				}
			}
		})
	}
	limits := registry.Limits{Stall: 600 * time.Millisecond, Slow: 40_000}
	// 40,000 bytes in the first half of the first window and in the last of the second.
	slow := append(append([]int{40_000}, make([]int, 23)...), 40_000, 100)
	for i := range slow {
		slow[i] = max(slow[i], 100)
	}
	from, size = 0, 1<<30
	host, c := serve(slow)
	c.Limits, c.Retry = limits, registry.Retry{Attempts: 1000, Delay: time.Millisecond, MaxDelay: 20 * time.Millisecond}
	begun := time.Now()
	_, err := c.Download(t.Context(), &registry.Package{URL: mustURL(t, "https://"+host+"/zip"), SHA256: strings.Repeat("0", 64)}, discard{})
	if took := time.Since(begun); !errors.Is(err, registry.ErrStalled) || took > 10*time.Second {
		t.Errorf("after %s: got %v", took, err)
	}
	from, size = 0, 300_000
	host, c = serve([]int{15_000})
	c.Limits = limits
	if d, err := c.Download(t.Context(), &registry.Package{URL: mustURL(t, "https://"+host+"/zip")}, discard{}); err != nil || d.Size != int64(size) {
		t.Errorf("got %v, %v", d, err)
	}
}

// A server that sends a byte at a time is given up after one window, however often it
// would go on, and a download as a whole has a time of its own: no call needs a
// deadline in order to end.
func TestDownload_drip(t *testing.T) { synctest.Test(t, downloadDrip) }

func downloadDrip(t *testing.T) {
	drip := func(size int, pause time.Duration) (string, *registry.Client) {
		return timedSite(t, func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				w.Write(make([]byte, size))
				w.(http.Flusher).Flush()
				time.Sleep(pause)
			}
		})
	}
	host, c := drip(1, 5*time.Millisecond)
	c.Limits = registry.Limits{Stall: 200 * time.Millisecond}
	pkg := &registry.Package{URL: mustURL(t, "https://"+host+"/zip"), SHA256: strings.Repeat("0", 64)}
	_, err := c.Download(context.Background(), pkg, discard{})
	var e *registry.Error
	if !errors.Is(err, registry.ErrStalled) || !errors.As(err, &e) || e.Attempts > 2 {
		t.Errorf("got %v", err)
	}
	host, c = drip(64<<10, 5*time.Millisecond)
	c.Limits = registry.Limits{Total: 300 * time.Millisecond}
	_, err = c.Download(context.Background(), &registry.Package{URL: mustURL(t, "https://"+host+"/zip")}, discard{})
	if !errors.Is(err, registry.ErrStalled) || !strings.Contains(err.Error(), "not complete after 300ms") {
		t.Errorf("got %v", err)
	}
	loc := &registry.ModuleLocation{Source: "https://" + host + "/m.zip", Direct: true}
	if _, err := c.DownloadModule(context.Background(), loc, discard{}); !errors.Is(err, registry.ErrStalled) {
		t.Errorf("got %v", err)
	}
}

// A server that refuses with status 200 is quoted, and its answer is no empty list.
func TestMessages_status200(t *testing.T) {
	const words = `{"errors":["the registry is closed until noon"]}`
	platform := addrs.MustParsePlatform("linux_amd64")
	v := addrs.MustParseVersion("1.0.0")
	discovery := words
	srv := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if strings.HasSuffix(r.URL.Path, "terraform.json") {
			fmt.Fprint(w, discovery)
			return
		}
		fmt.Fprint(w, words)
	}))
	defer srv.Close()
	host := strings.TrimPrefix(srv.URL, "https://")
	client := func() *registry.Client {
		return &registry.Client{HTTP: srv.Client(), Retry: registry.Retry{Attempts: 1}}
	}
	p := addrs.MustParseProvider(host + "/acme/tool")
	m := registry.Module{Host: host, Namespace: "acme", Name: "net", System: "aws"}
	mirror, err := client().Mirror("https://"+host+"/mirror/", registry.MirrorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, err error) {
		t.Helper()
		var e *registry.Error
		if !errors.Is(err, registry.ErrBadResponse) || !errors.As(err, &e) || !strings.Contains(err.Error(), "closed until noon") || e.Temporary() {
			t.Errorf("%s: %v", what, err)
		}
	}
	check("discovery", second(client().Versions(t.Context(), p)))
	discovery = `{"providers.v1":"/v1/","modules.v1":"/m1/"}`
	check("versions", second(client().Versions(t.Context(), p)))
	check("package", second(client().Package(t.Context(), p, v, platform)))
	check("mirror's index", second(mirror.Versions(t.Context(), p)))
	check("mirror's version", second(mirror.Package(t.Context(), p, v, platform)))
	check("module's versions", second(client().ModuleVersions(t.Context(), m)))
	check("module's location", second(client().ModuleLocation(t.Context(), m, v)))
}

// A location that OpenTofu refuses is refused here, whatever it begins with: what is
// accepted can be parsed.
func TestModuleLocation_bareNames(t *testing.T) {
	for location, want := range map[string]string{
		"archive.tgz": "", "?archive=zip": "", "sub/archive.zip": "", ".": "", "acme/net/aws": "",
		"./archive.tgz": "https://HOST/m1/acme/net/aws/1.0.0/archive.tgz", "/archive?archive=zip": "https://HOST/archive?archive=zip",
		"git::https://x.example/m.git//sub?ref=v1": "git::https://x.example/m.git//sub?ref=v1",
	} {
		host, c := site(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Terraform-Get", location)
			w.WriteHeader(http.StatusNoContent)
		})
		loc, err := c.ModuleLocation(t.Context(), registry.Module{Host: host, Namespace: "acme", Name: "net", System: "aws"}, addrs.MustParseVersion("1.0.0"))
		if want == "" {
			if !errors.Is(err, registry.ErrBadResponse) {
				t.Errorf("%q: got %v, %v", location, loc, err)
			}
			continue
		}
		if err != nil || loc.Source != strings.ReplaceAll(want, "HOST", host) {
			t.Errorf("%q: got %v, %v", location, loc, err)
		} else if _, err := addrs.ParseModuleSource(loc.Source); err != nil {
			t.Errorf("%q: %v", location, err)
		}
	}
}

// A mirror that does not exist is a mistake, not an empty mirror: the next source
// must not supply what it should have.
func TestFilesystemMirror_missing(t *testing.T) {
	s := registrytest.Start(t, small())
	p := providerOf(s)
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{filepath.Join(dir, "missing"), file} {
		sources := registry.Sources{{Source: &registry.FilesystemMirror{Dir: name}}, {Source: s.Registry()}}
		_, err := sources.Versions(t.Context(), p)
		_, err2 := sources.Package(t.Context(), p, addrs.MustParseVersion("1.0.0"), addrs.MustParsePlatform("linux_amd64"))
		for _, err := range []error{err, err2} {
			if err == nil || errors.Is(err, registry.ErrNotFound) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), p.ForDisplay()) {
				t.Errorf("got %v", err)
			}
		}
	}
	if n := len(s.Requests()); n > 0 {
		t.Errorf("%d requests to the registry", n)
	}
	// A directory that exists and has nothing is no mistake.
	sources := registry.Sources{{Source: &registry.FilesystemMirror{Dir: dir}}, {Source: s.Registry()}}
	if _, err := sources.Versions(t.Context(), p); err != nil {
		t.Error(err)
	}
}

// Entries that are "./" or begin with it are usual, and mean nothing.
func TestInstall_dotEntries(t *testing.T) {
	exe := "terraform-provider-tool_v1.0.0"
	for _, names := range [][]string{{"./", exe}, {"./", "./" + exe}, {"././" + exe}, {"./a/", "./a/./b", exe}} {
		var files []registrytest.File
		for _, name := range names {
			files = append(files, registrytest.File{Name: name, Mode: 0o755})
		}
		zip := registrytest.MakeZip(files...)
		s := registrytest.Start(t, registrytest.Content{Providers: []registrytest.Provider{{Namespace: "acme", Type: "tool", Versions: []registrytest.Version{
			{Version: "1.0.0", Zip: func(string) []byte { return zip }}}}}})
		c := s.Registry()
		p := addrs.MustParseProvider(s.Host() + "/acme/tool")
		pkg, err := c.Package(t.Context(), p, addrs.MustParseVersion("1.0.0"), addrs.MustParsePlatform("linux_amd64"))
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "out")
		if _, err := c.Install(t.Context(), pkg, dir, nil); err != nil {
			t.Errorf("%q: %v", names, err)
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, exe)); err != nil {
			t.Errorf("%q: %v", names, err)
		}
	}
}

// "/" is an absolute name as well, although it would be harmless.
func TestUnpack_absoluteDirectory(t *testing.T) {
	for name, ok := range map[string]bool{"/": false, "./": true, "//": false} {
		zip := registrytest.MakeZip(registrytest.File{Name: name}, registrytest.File{Name: "a"})
		err := new(registry.Client).Unpack(t.Context(), strings.NewReader(string(zip)), int64(len(zip)), filepath.Join(t.TempDir(), "out"))
		if ok != (err == nil) || !ok && !errors.Is(err, registry.ErrUnsafeArchive) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// Encrypted entries are not unpacked as if they were readable, unless the policy
// says so.
func TestUnpack_encrypted(t *testing.T) {
	zip := registrytest.MakeZip(registrytest.File{Name: "file", Content: "x"})
	for i := 0; ; { // the flag is in both headers of the entry
		at := strings.Index(string(zip[i:]), "PK\x03\x04")
		if central := strings.Index(string(zip[i:]), "PK\x01\x02"); at < 0 && central >= 0 {
			zip[i+central+8] |= 1
			break
		}
		zip[i+at+6] |= 1
		i += at + 4
	}
	c := &registry.Client{}
	dir := filepath.Join(t.TempDir(), "out")
	if err := c.Unpack(t.Context(), strings.NewReader(string(zip)), int64(len(zip)), dir); !errors.Is(err, registry.ErrUnsafeArchive) || !strings.Contains(err.Error(), "encrypted") {
		t.Errorf("got %v", err)
	}
	c = &registry.Client{Policy: registry.Policy{AcceptEncrypted: true}}
	if err := c.Unpack(t.Context(), strings.NewReader(string(zip)), int64(len(zip)), dir); err != nil {
		t.Error(err)
	}
}

// Whatever fails, the error names the provider or module that was asked for.
func TestError_names(t *testing.T) {
	host, c := site(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusTeapot) })
	down := "127.0.0.1:1"
	for _, h := range []string{host, down} {
		p := addrs.MustParseProvider(h + "/acme/tool")
		m := registry.Module{Host: h, Namespace: "acme", Name: "net", System: "aws"}
		v, platform := addrs.MustParseVersion("1.0.0"), addrs.MustParsePlatform("linux_amd64")
		_, versions := c.Versions(t.Context(), p)
		_, pkg := c.Package(t.Context(), p, v, platform)
		_, modules := c.ModuleVersions(t.Context(), m)
		_, location := c.ModuleLocation(t.Context(), m, v)
		mirror, err := c.Mirror("https://"+h+"/", registry.MirrorOptions{})
		if err != nil {
			t.Fatal(err)
		}
		_, mirrored := mirror.Versions(t.Context(), p)
		for name, errs := range map[string][]error{h + "/acme/tool": {versions, pkg, mirrored}, h + "/acme/net/aws": {modules, location}} {
			for i, err := range errs {
				var e *registry.Error
				if !errors.As(err, &e) || e.For != name || !strings.Contains(err.Error(), name+": ") {
					t.Errorf("%d: %v does not name %s", i, err, name)
				}
			}
		}
	}
}

// Without a pinned key nothing is accepted, if the policy says so.
func TestPolicy_requirePinned(t *testing.T) {
	s := registrytest.Start(t, small())
	p := providerOf(s)
	for _, pinned := range []bool{false, true} {
		c := s.Registry()
		c.Policy.RequirePinned = true
		if pinned {
			c.Policy.Keys = func(addrs.Provider) []string { return []string{registrytest.Armored(s.Key)} }
		}
		pkg, err := c.Package(t.Context(), p, addrs.MustParseVersion("1.0.0"), addrs.MustParsePlatform("linux_amd64"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Authenticate(t.Context(), pkg); pinned && err != nil || !pinned && !errors.Is(err, registry.ErrUnsigned) {
			t.Errorf("pinned %v: %v", pinned, err)
		}
		local := &registry.Package{Origin: registry.FromFilesystem, Path: "x", Provider: p}
		if _, err := c.Authenticate(t.Context(), local); !errors.Is(err, registry.ErrUnsigned) {
			t.Errorf("a mirror's: %v", err)
		}
	}
}

// Files that are made have the modes that the umask leaves.
func TestFileModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a system whose files have modes")
	}
	s := registrytest.Start(t, small())
	c, p := s.Registry(), providerOf(s)
	pkg, err := c.Package(t.Context(), p, addrs.MustParseVersion("1.0.0"), addrs.MustParsePlatform("linux_amd64"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	// What the umask leaves of all modes.
	plain, folder := filepath.Join(dir, "plain"), filepath.Join(dir, "folder")
	if err := errors.Join(os.WriteFile(plain, nil, 0o666), os.Mkdir(folder, 0o777)); err != nil {
		t.Fatal(err)
	}
	mode := func(name string) fs.FileMode {
		t.Helper()
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	zip, out := filepath.Join(dir, "p.zip"), filepath.Join(dir, "out")
	if _, err := c.DownloadFile(t.Context(), pkg, zip); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Install(t.Context(), pkg, out, nil); err != nil {
		t.Fatal(err)
	}
	for name, like := range map[string]string{zip: plain, out: folder, filepath.Join(out, "LICENSE"): plain, filepath.Join(out, "terraform-provider-tool_v1.0.0_x5"): folder} {
		if got, want := mode(name), mode(like); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

type slowWriter struct{}

func (slowWriter) Write(p []byte) (int, error) {
	time.Sleep(150 * time.Millisecond)
	return len(p), nil
}

func mustURL(t *testing.T, s string) *url.URL {
	t.Helper()
	u, err := url.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func small() registrytest.Content {
	return registrytest.Content{Providers: []registrytest.Provider{{Namespace: "acme", Type: "tool", Versions: []registrytest.Version{{Version: "1.0.0"}}}}}
}

func providerOf(s *registrytest.Server) addrs.Provider {
	return addrs.MustParseProvider(s.Host() + "/acme/tool")
}

// A context may be cancelled with an error of this very package: it does not end
// up in itself.
func TestError_causeIsError(t *testing.T) {
	host, c := site(t, func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := &registry.Error{Op: "test", Err: errors.New("enough")}
	time.AfterFunc(50*time.Millisecond, func() { cancel(cause) })
	_, err := c.Download(ctx, &registry.Package{URL: mustURL(t, "https://"+host+"/zip")}, discard{})
	_, err2 := c.Versions(ctx, addrs.MustParseProvider(host+"/a/b"))
	_, err3 := c.ModuleLocation(ctx, registry.Module{Host: host, Namespace: "a", Name: "b", System: "c"}, addrs.MustParseVersion("1.0.0"))
	for _, err := range []error{err, err2, err3} {
		depth := 0
		for e := err; e != nil; e = errors.Unwrap(e) {
			if depth++; depth > 20 {
				t.Fatal("the error contains itself")
			}
		}
		if depth == 0 || !strings.Contains(err.Error(), "enough") {
			t.Errorf("got %v", err)
		}
	}
}

// Limits that are as large as can be do not overflow: files have all their bytes.
func TestClient_Unpack_largestLimits(t *testing.T) {
	text := registrytest.MakeZip(registrytest.File{Name: "f", Content: "hello"})
	c := &registry.Client{Limits: registry.Limits{Unpacked: math.MaxInt64, Ratio: math.MaxInt64, Files: math.MaxInt}}
	dir := filepath.Join(t.TempDir(), "out")
	err := c.Unpack(t.Context(), bytes.NewReader(text), int64(len(text)), dir)
	got, _ := os.ReadFile(filepath.Join(dir, "f"))
	if err != nil || string(got) != "hello" {
		t.Errorf("got %q, %v", got, err)
	}
}

// Directories that have no entry of their own count: a small zip must not make many.
func TestClient_Unpack_deepNames(t *testing.T) {
	pack := func(names int) []byte {
		var files []registrytest.File
		for i := range names {
			files = append(files, registrytest.File{Name: strings.Repeat(strconv.Itoa(i)+"/", 20) + "f"})
		}
		return registrytest.MakeZip(files...)
	}
	c := &registry.Client{Limits: registry.Limits{Files: 100}}
	for names, ok := range map[int]bool{4: true, 5: false, 90: false} {
		text := pack(names)
		err := c.Unpack(t.Context(), bytes.NewReader(text), int64(len(text)), filepath.Join(t.TempDir(), "out"))
		if ok != (err == nil) || !ok && !errors.Is(err, registry.ErrLimit) {
			t.Errorf("%d names: %v", names, err)
		}
	}
}
