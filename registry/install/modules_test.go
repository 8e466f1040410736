// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/install"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// served is a client that gets the same bytes for every request.
func served(body []byte) *registry.Client {
	return &registry.Client{HTTP: &http.Client{Transport: roundTripper(func(q *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Request: q, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body))}, nil
	})}, Retry: registry.Retry{Attempts: 1}}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(q *http.Request) (*http.Response, error) { return f(q) }

// entry is a part of a tar.
type entry struct {
	name, text string
	typ        byte
	mode       int64
}

func makeTar(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Typeflag: e.typ, Mode: e.mode | 0o644, Size: int64(len(e.text))}
		if e.typ == tar.TypeSymlink {
			h.Linkname, h.Size, e.text = e.text, 0, ""
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(e.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(b)
	z.Close()
	return out.Bytes()
}

// damaged changes the byte n bytes before the end.
func damaged(b []byte, n int) []byte {
	b = bytes.Clone(b)
	b[len(b)-n] ^= 1
	return b
}

// A tar with the file a that has "a" and a line end, compressed with bzip2.
const bzipped = "QlpoOTFBWSZTWVfRLR8AAHL7hMkQAEBAAH+AAADgAJ4AAACACCAAVDSNqTTQMn6kPUElMmppppoDQY+6q7oQUhJCLSvmUnKZaSSBlVnww0QCRa8jigdXcHhOq1Jcbwuh6MaeQREUZmA/F3JFOFCQV9EtHw=="

// Archives of all kinds are unpacked whole, and what leads elsewhere or is too much is
// refused and leaves nothing.
func TestModules_archives(t *testing.T) {
	module := []entry{{name: "./", typ: tar.TypeDir}, {name: "./main.tf", text: "# here\n"}, {name: "sub/x.tf", text: "# below\n"}, {name: "run.sh", text: "x", mode: 0o111},
		{name: "link", text: "/etc/passwd", typ: tar.TypeSymlink}}
	zip := registrytest.MakeZip(registrytest.File{Name: "main.tf", Content: "# here\n"}, registrytest.File{Name: "sub/x.tf", Content: "# below\n"})
	odd := registrytest.MakeZip(registrytest.File{Name: "./main.tf", Content: "# first\n"}, registrytest.File{Name: "./main.tf", Content: "# here\n"},
		registrytest.File{Name: "link", Content: "../../secret", Mode: 0o777 | fs.ModeSymlink}, registrytest.File{Name: "pipe", Mode: 0o644 | fs.ModeNamedPipe},
		registrytest.File{Name: "sub//x.tf", Content: "# below\n"}, registrytest.File{Name: "empty/"})
	zipOf := func(names ...string) []byte {
		var list []registrytest.File
		for _, name := range names {
			list = append(list, registrytest.File{Name: name, Content: strings.Repeat("x", 400)})
		}
		return registrytest.MakeZip(list...)
	}
	deep := strings.Repeat("d/", 40) + "x"
	for _, tt := range []struct {
		name, source string
		body         []byte
		limits       registry.Limits
		want         string // the files, or part of the error
	}{
		{"tar", "https://x.example/m.tar", makeTar(t, module...), registry.Limits{}, "bad response"},
		{"tar by the query", "https://x.example/m?archive=tar", makeTar(t, module...), registry.Limits{}, "bad response"},
		{"a tar that calls itself a tar.gz", "https://x.example/m.tar.gz", makeTar(t, module...), registry.Limits{}, "the source states the format tar.gz, but the archive is not in this format"},
		{"tbz2", "https://x.example/m.tbz2", []byte("BZh"), registry.Limits{}, "bad response"},
		{"a single file", "https://x.example/main.tf.gz", gzipped([]byte("# here\n")), registry.Limits{}, "a single compressed file"},
		{"txz", "https://x.example/m.txz", gzipped(makeTar(t, module...)), registry.Limits{}, "link main.tf run.sh sub/x.tf"},
		{"tar.gz", "https://x.example/m.tar.gz", gzipped(makeTar(t, module...)), registry.Limits{}, "link main.tf run.sh sub/x.tf"},
		{"tgz", "https://x.example/m.tgz", gzipped(makeTar(t, module...)), registry.Limits{}, "link main.tf run.sh sub/x.tf"},
		{"zip", "https://x.example/m.zip", zip, registry.Limits{}, "main.tf sub/x.tf"},
		{"by the query", "https://x.example/m?archive=zip", zip, registry.Limits{}, "main.tf sub/x.tf"},
		{"a zip that calls itself a tar", "https://x.example/m.tar.gz", zip, registry.Limits{}, "the source states the format tar.gz, but the archive is not in this format"},
		{"a part", "https://x.example/m.zip//sub", zip, registry.Limits{}, "x.tf"},
		{"a part by pattern", "https://x.example/m.zip//s*", zip, registry.Limits{}, "x.tf"},
		{"no such part", "https://x.example/m.zip//none", zip, registry.Limits{}, "no subdirectory"},
		{"a file is no part", "https://x.example/m.zip//main.tf", zip, registry.Limits{}, "no subdirectory"},
		{"upwards", "https://x.example/m.tar.gz", gzipped(makeTar(t, entry{name: "../x", text: "x"})), registry.Limits{}, "leads out"},
		{"absolute", "https://x.example/m.tar.gz", gzipped(makeTar(t, entry{name: "/x", text: "x"})), registry.Limits{}, "leads out"},
		{"a backslash", "https://x.example/m.tar.gz", gzipped(makeTar(t, entry{name: `a\b`, text: "x"})), registry.Limits{}, "has a backslash"},
		{"deep", "https://x.example/m.tar.gz", gzipped(makeTar(t, entry{name: deep, text: "x"})), registry.Limits{}, "too long"},
		{"long", "https://x.example/m.tar.gz", gzipped(makeTar(t, entry{name: strings.Repeat("n", 1001), text: "x"})), registry.Limits{}, "too long"},
		{"below a file", "https://x.example/m.tar.gz", gzipped(makeTar(t, entry{name: "a", text: "x"}, entry{name: "a/b", text: "x"})), registry.Limits{}, "unsafe"},
		{"large", "https://x.example/m.tar.gz", gzipped(makeTar(t, entry{name: "a", text: strings.Repeat("x", 2000)})), registry.Limits{Unpacked: 1000}, "too large"},
		{"many", "https://x.example/m.tar.gz", gzipped(makeTar(t, entry{name: "a"}, entry{name: "b"}, entry{name: "c"})), registry.Limits{Files: 2}, "too large"},
		{"much that is left out", "https://x.example/m.tar.gz", gzipped(makeTar(t, entry{name: "x", text: strings.Repeat("x", 3<<20), typ: 'Z'}, entry{name: "a", text: "a"})), registry.Limits{Unpacked: 1000, Files: 10}, "too large"},
		{"dense", "https://x.example/m.tar.gz", gzipped(makeTar(t, entry{name: "x", text: strings.Repeat("x", 66<<20), typ: 'Z'})), registry.Limits{Files: 10}, "too large"},
		{"a wrong checksum", "https://x.example/m.tar.gz", damaged(gzipped(makeTar(t, module...)), 8), registry.Limits{}, "checksum"},
		{"more after the checksum", "https://x.example/m.tar.gz", append(gzipped(makeTar(t, module...)), "more"...), registry.Limits{}, "link main.tf run.sh sub/x.tf"},
		{"no xz", "https://x.example/m.tar.xz", []byte("\xfd7zXZ\x00 and so on"), registry.Limits{}, "gzip: invalid header"},
		{"no gzip", "https://x.example/m.tar.gz", []byte("\x1f\x8bnonsense"), registry.Limits{}, "unsafe"},
		{"a zip with links and twice the same name", "https://x.example/m.zip", odd, registry.Limits{}, "link main.tf pipe sub/x.tf"},
		{"a zip upwards", "https://x.example/m.zip", zipOf("a", "a/../../b"), registry.Limits{}, "leads out"},
		{"a zip within and upwards", "https://x.example/m.zip", zipOf("a/../b"), registry.Limits{}, "leads out"},
		{"an absolute zip", "https://x.example/m.zip", zipOf("/a"), registry.Limits{}, "leads out"},
		{"a zip below a link", "https://x.example/m.zip", registrytest.MakeZip(registrytest.File{Name: "l", Content: "/tmp", Mode: 0o777 | fs.ModeSymlink}, registrytest.File{Name: "l/x"}), registry.Limits{}, "unsafe"},
		{"a large zip", "https://x.example/m.zip", zipOf("a", "b", "c"), registry.Limits{Unpacked: 1000}, "too large"},
		{"a zip of many", "https://x.example/m.zip", zipOf("a", "b", "c"), registry.Limits{Files: 2}, "too large"},
		{"an empty zip", "https://x.example/m.zip", registrytest.MakeZip(), registry.Limits{}, "no entries"},
		{"an empty tar", "https://x.example/m.tar.gz", gzipped(makeTar(t)), registry.Limits{}, "no entries"},
		{"a zip cut off", "https://x.example/m.zip", zip[:len(zip)-30], registry.Limits{}, "unsafe"},
		{"cut off", "https://x.example/m.tar.gz", gzipped(makeTar(t, module...)[:700]), registry.Limits{}, "unsafe"},
		{"not an archive", "https://x.example/m", zip, registry.Limits{}, "bad response"},
		{"Git", "git::https://x.example/m.git?ref=v1", nil, registry.Limits{}, "cannot be fetched"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			client := served(tt.body)
			client.Limits = tt.limits
			base := t.TempDir()
			// Another compression takes the place of xz.
			xz := func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }
			got, err := (&install.Modules{Client: client, Xz: xz}).Get(t.Context(), addrs.MustParseModuleSource(tt.source), addrs.Constraints{}, filepath.Join(base, "[m]"))
			if err != nil {
				if !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "x.example") {
					t.Errorf("got %v, want %q", err, tt.want)
				}
				left := files(t, base)
				if left = slices.DeleteFunc(left, func(n string) bool {
					return strings.HasPrefix(n, "[m]") && strings.Contains(tt.want, "no subdirectory")
				}); len(left) > 0 {
					t.Errorf("left are %q", left)
				}
				return
			}
			if b, err := os.ReadFile(filepath.Join(got.Dir, "main.tf")); err == nil && string(b) != "# here\n" {
				t.Errorf("main.tf has %q", b)
			}
			// A link is a file: with the name of its target in a zip, empty in a tar.
			if b, err := os.ReadFile(filepath.Join(got.Dir, "link")); err == nil && string(b) != "" && string(b) != "../../secret" {
				t.Errorf("link has %q", b)
			}
			if info, err := os.Lstat(filepath.Join(got.Dir, "link")); err == nil && !info.Mode().IsRegular() {
				t.Errorf("link is %s", info.Mode())
			}
			if names := strings.Join(files(t, got.Dir), " "); names != tt.want {
				t.Errorf("got %q, want %q", names, tt.want)
			}
		})
	}
}

// A URL that is no archive is asked for the source of the module, under the limits of the
// client.
func TestModules_redirect(t *testing.T) {
	zip := registrytest.MakeZip(registrytest.File{Name: "main.tf", Content: "# here\n"}, registrytest.File{Name: "a/b/x.tf"})
	pages := map[string]string{
		"/header":   "X https://x.example/m.zip",
		"/relative": "X ./m.zip?archive=zip",
		"/part":     "X https://x.example/m.zip//a",
		"/meta":     `<html><head><META name="terraform-get" content="https://x.example/m.zip"/></head><body>x</body></html>`,
		"/body":     `<html><body><meta name="terraform-get" content="/m.zip"></body></html>`,
		"/text":     "hello",
		"/twice":    "X https://y.example/header",
		"/ever":     "X https://x.example/ever",
		"/plain":    "X http://x.example/m.zip",
		"/file":     "X file:///etc",
		"/git":      "X git::https://g.example/m.git",
		"/none":     "X ",
	}
	var logins []string
	client := &registry.Client{HTTP: &http.Client{Transport: roundTripper(func(q *http.Request) (*http.Response, error) {
		logins = append(logins, q.URL.Host+q.URL.Path+" "+q.Header.Get("Authorization"))
		r := &http.Response{StatusCode: 200, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Request: q}
		body := zip
		if page, ok := pages[q.URL.Path]; ok {
			if q.URL.Query().Get("terraform-get") != "1" {
				t.Errorf("asked for %s", q.URL)
			}
			if to, ok := strings.CutPrefix(page, "X "); ok {
				r.Header.Set("X-Terraform-Get", to)
				page = ""
			}
			body = []byte(page)
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		return r, nil
	})}, Retry: registry.Retry{Attempts: 1}}
	for source, want := range map[string]string{
		"https://x.example/header":         "a/b/x.tf main.tf",
		"https://x.example/relative":       "is relative",
		"https://x.example/part//b":        "x.tf",
		"https://x.example/meta":           "a/b/x.tf main.tf",
		"https://x.example/body":           "names no other source",
		"https://x.example/text":           "names no other source",
		"https://u:p@x.example/twice//a/b": "x.tf",
		"https://x.example/ever":           "more than 5 sources",
		"https://x.example/plain":          "has no TLS",
		"https://x.example/file":           "a place on this machine",
		"https://x.example/git":            "cannot be fetched",
		"https://x.example/none":           "names no other source",
		"https://x.example/header?checksum=md5:00000000000000000000000000000000": "is no archive",
	} {
		got, err := (&install.Modules{Client: client}).Get(t.Context(), addrs.MustParseModuleSource(source), addrs.Constraints{}, filepath.Join(t.TempDir(), "m"))
		if err != nil && !strings.Contains(err.Error(), want) || err == nil && strings.Join(files(t, got.Dir), " ") != want {
			t.Errorf("%s: got %v, %v, want %s", source, got, err, want)
		}
	}
	for _, l := range logins {
		if strings.HasSuffix(l, "Basic dTpw") != (l == "x.example/twice Basic dTpw") {
			t.Errorf("sent %s", l)
		}
	}
}

// What is not an archive is the caller's to fetch; what a registry names is fetched
// from there.
func TestModules_fetch(t *testing.T) {
	s := registrytest.Start(t, registrytest.Content{Modules: []registrytest.Module{
		{Namespace: "acme", Name: "git", System: "test", Versions: []string{"1.0.0", "2.0.0"}, Location: "git::https://git.example/m.git//sub?ref=v1"},
		{Namespace: "acme", Name: "direct", System: "test", Versions: []string{"1.0.0"}, JSON: true, UseCredentials: new(bool)},
		{Namespace: "acme", Name: "empty", System: "test"},
		{Namespace: "acme", Name: "file", System: "test", Versions: []string{"1.0.0"}, Location: "file:///etc"},
		{Namespace: "acme", Name: "gitfile", System: "test", Versions: []string{"1.0.0"}, Location: "git::file:///home/me/private"},
	}})
	var asked []string
	m := &install.Modules{Client: s.Registry(), Fetch: func(_ context.Context, src addrs.ModuleSource, dir string) error {
		asked = append(asked, src.Package())
		return os.MkdirAll(filepath.Join(dir, "sub", "deep"), 0o755)
	}}
	host := "registry.example.org/acme/"
	for source, want := range map[string]string{
		host + "git/test":                      "sub",
		host + "git/test//deep":                "deep",
		host + "direct/test":                   "m",
		"git::ssh://git@git.example/x//sub":    "sub",
		host + "direct/test//none":             "no subdirectory",
		host + "empty/test":                    "no version is allowed",
		host + "file/test":                     "a place on this machine",
		host + "gitfile/test":                  "a place on this machine",
		"git::file:///srv/mine//sub":           "sub", // the caller may
		host + "none/test":                     "not found",
		"./local":                              "neither in a registry nor remote",
		"git::https://git.example/x//../other": "",
	} {
		src, err := addrs.ParseModuleSource(source)
		if err != nil {
			continue // it cannot be asked for then
		}
		got, err := m.Get(t.Context(), src, addrs.Constraints{}, filepath.Join(t.TempDir(), "m"))
		switch {
		case err != nil && (want == "" || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: got %v, want %s", source, err, want)
		case err == nil && filepath.Base(got.Dir) != want:
			t.Errorf("%s: got %s, want %s", source, got.Dir, want)
		}
	}
	if len(asked) < 3 || !slices.Contains(asked, "git::https://git.example/m.git?ref=v1") {
		t.Errorf("asked for %q", asked)
	}
	if _, err := m.Get(t.Context(), addrs.MustParseModuleSource(host+"git/test"), addrs.MustParseConstraints("> 3.0"), filepath.Join(t.TempDir(), "m")); err == nil || !strings.Contains(err.Error(), "there are 2") {
		t.Errorf("got %v", err)
	}
	if _, err := m.Get(t.Context(), addrs.MustParseModuleSource(host+"git/test"), addrs.Constraints{}, t.TempDir()); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v", err)
	}
	if _, err := (&install.Modules{Client: s.Registry()}).Get(t.Context(), addrs.MustParseModuleSource(host+"git/test"), addrs.Constraints{}, filepath.Join(t.TempDir(), "m")); !errors.Is(err, install.ErrNoFetcher) {
		t.Errorf("got %v", err)
	}
}

// An archive has the checksum that its source names, and the server is not told.
func TestModules_checksum(t *testing.T) {
	body := gzipped(makeTar(t, entry{name: "main.tf", text: "# x"}))
	client := served(body)
	transport := client.HTTP.Transport
	client.HTTP.Transport = roundTripper(func(q *http.Request) (*http.Response, error) {
		if q.URL.RawQuery != "x=1" {
			t.Errorf("asked for %s", q.URL)
		}
		return transport.RoundTrip(q)
	})
	sum := fmt.Sprintf("%x", sha256.Sum256(body))
	long := fmt.Sprintf("%x", sha512.Sum512(body))
	wrong := "0000" + sum[4:]
	for query, want := range map[string]string{
		"":                 "",
		"&checksum=":       "",
		"&checksum=" + sum: "",
		"&checksum=SHA256:" + strings.ToUpper(sum): "",
		"&checksum=sha512:" + long:                 "",
		"&checksum=" + wrong:                       "mismatch",
		"&checksum=sha256:" + wrong:                "mismatch",
		"&checksum=md5:" + wrong[:32]:              "mismatch",
		"&checksum=" + wrong[:40]:                  "mismatch",
		"&checksum=md5:" + sum:                     "not one of",
		"&checksum=crc:" + sum:                     "not one of",
		"&checksum=nonsense":                       "not one of",
		"&checksum=file:https://x.example/sums":    "not one of",
	} {
		for _, prefix := range []string{"", "https::"} {
			src := addrs.MustParseModuleSource(prefix + "https://x.example/m.tgz?x=1" + query)
			_, err := (&install.Modules{Client: client}).Get(t.Context(), src, addrs.Constraints{}, filepath.Join(t.TempDir(), "m"))
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) || (want == "mismatch") != errors.Is(err, addrs.ErrMismatch) {
				t.Errorf("%s: got %v, want %q", src, err, want)
			}
		}
	}
}

// Errors show neither passwords nor the values of queries, whoever named the source.
func TestModules_secrets(t *testing.T) {
	for _, source := range []string{
		"git::https://me:sesame@git.example/x.git", "git::ssh://git@git.example/x.git?sshkey=sesame",
		"https://me:sesame@x.example/m.zip", "https://x.example/m?token=sesame",
	} {
		_, err := (&install.Modules{Client: served(nil)}).Get(t.Context(), addrs.MustParseModuleSource(source), addrs.Constraints{}, filepath.Join(t.TempDir(), "m"))
		if err == nil || strings.Contains(err.Error(), "sesame") || !strings.Contains(err.Error(), ".example/") {
			t.Errorf("got %v", err)
		}
	}
}

// The login in a source goes to its origin and nowhere else.
func TestModules_login(t *testing.T) {
	body := registrytest.MakeZip(registrytest.File{Name: "main.tf", Content: "# here"})
	var got []string
	client := &registry.Client{HTTP: &http.Client{Transport: roundTripper(func(q *http.Request) (*http.Response, error) {
		login, password, _ := q.BasicAuth()
		got = append(got, q.URL.String()+" "+login+" "+password)
		r := &http.Response{StatusCode: 200, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Request: q, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body))}
		if q.URL.Host == "x.example" {
			r.StatusCode = 302
			r.Header.Set("Location", "https://y.example/n.zip")
		}
		return r, nil
	})}}
	src := addrs.MustParseModuleSource("https://me:se%20same@x.example/m.zip?a=1")
	if _, err := (&install.Modules{Client: client}).Get(t.Context(), src, addrs.Constraints{}, filepath.Join(t.TempDir(), "m")); err != nil {
		t.Error(err)
	}
	if want := []string{"https://x.example/m.zip?a=1 me se same", "https://y.example/n.zip  "}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// An archive in bzip2.
func TestModules_bzip2(t *testing.T) {
	body, err := base64.StdEncoding.DecodeString(bzipped)
	if err != nil {
		t.Fatal(err)
	}
	got, err := (&install.Modules{Client: served(body)}).Get(t.Context(), addrs.MustParseModuleSource("https://x.example/m.tar.bz2"), addrs.Constraints{}, filepath.Join(t.TempDir(), "m"))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(got.Dir, "a")); err != nil || string(b) != "a\n" {
		t.Errorf("got %q, %v", b, err)
	}
}

// Whatever an archive is, unpacking it ends, writes nothing outside, and leaves either
// a whole module or nothing.
func FuzzModules(f *testing.F) {
	f.Add(makeTar(f, entry{name: "main.tf", text: "x"}, entry{name: "a/b", text: "y"}))
	f.Add(gzipped(makeTar(f, entry{name: "../x", text: "x"})))
	f.Add(registrytest.MakeZip(registrytest.File{Name: "main.tf", Content: "x"}))
	f.Add([]byte("BZh9"))
	f.Add([]byte(`<meta name="terraform-get" content="../m.zip">`))
	f.Fuzz(func(t *testing.T, body []byte) {
		base := t.TempDir()
		dir := filepath.Join(base, "in", "m")
		if err := os.Mkdir(filepath.Dir(dir), 0o755); err != nil {
			t.Fatal(err)
		}
		client := served(body)
		client.Limits = registry.Limits{Unpacked: 1 << 20, Files: 50}
		kind := []string{".zip", ".tar.gz", ".tar.bz2", ""}[len(body)%4]
		got, err := (&install.Modules{Client: client}).Get(t.Context(), addrs.MustParseModuleSource("https://x.example/m"+kind), addrs.Constraints{}, dir)
		for _, name := range files(t, base) {
			if err != nil || !strings.HasPrefix(name, "in/m/") {
				t.Errorf("left over: %s (%v, %v)", name, got, err)
			}
		}
	})
}

// Limits that are as large as can be do not overflow, and directories count although they
// have no entries.
func TestModules_limits(t *testing.T) {
	get := func(body []byte, limits registry.Limits) (string, error) {
		src := addrs.MustParseModuleSource("https://modules.example/m.zip")
		if !bytes.HasPrefix(body, []byte("PK")) {
			src, body = addrs.MustParseModuleSource("https://modules.example/m.tar.gz"), gzipped(body)
		}
		dir := filepath.Join(t.TempDir(), "m")
		client := served(body)
		client.Limits = limits
		_, err := (&install.Modules{Client: client}).Get(t.Context(), src, addrs.Constraints{}, dir)
		b, _ := os.ReadFile(filepath.Join(dir, "main.tf"))
		return string(b), err
	}
	packed := registrytest.MakeZip(registrytest.File{Name: "main.tf", Content: "hello"})
	for name, body := range map[string][]byte{"tar": makeTar(t, entry{"main.tf", "hello", tar.TypeReg, 0}), "zip": packed} {
		if got, err := get(body, registry.Limits{Unpacked: math.MaxInt64, Ratio: math.MaxInt64, Files: math.MaxInt, Package: math.MaxInt64, Stall: math.MaxInt64}); err != nil || got != "hello" {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
	deep := makeTar(t, entry{"a/b/c/x", "", tar.TypeReg, 0}, entry{"a/b/c/y", "", tar.TypeReg, 0}, entry{"a/b", "", tar.TypeDir, 0})
	if _, err := get(deep, registry.Limits{Files: 6}); err != nil {
		t.Error(err)
	}
	if _, err := get(deep, registry.Limits{Files: 5}); !errors.Is(err, registry.ErrLimit) {
		t.Errorf("got %v, want ErrLimit", err)
	}
	// One that has an entry counts once.
	listed := makeTar(t, entry{"a", "", tar.TypeDir, 0}, entry{"a/b", "", tar.TypeDir, 0}, entry{"a/b/x", "", tar.TypeReg, 0})
	if _, err := get(listed, registry.Limits{Files: 3}); err != nil {
		t.Error(err)
	}
	if _, err := get(listed, registry.Limits{Files: 2}); !errors.Is(err, registry.ErrLimit) {
		t.Errorf("got %v, want ErrLimit", err)
	}
}

// A source on this machine is a link to its directory, or the content of its archive.
func TestModules_local(t *testing.T) {
	at := t.TempDir()
	write := func(name string, content []byte) string {
		t.Helper()
		file := filepath.Join(at, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, content, 0o644)); err != nil {
			t.Fatal(err)
		}
		return file
	}
	write("pkg/sub/main.tf", []byte("# sub\n"))
	write("pkg/main.tf", []byte("# root\n"))
	zip := registrytest.MakeZip(registrytest.File{Name: "main.tf", Content: "# root\n"}, registrytest.File{Name: "sub/main.tf", Content: "# sub\n"})
	write("p.zip", zip)
	write("packed", zip)
	write("one.gz", zip)
	base := "file://" + filepath.ToSlash(at)
	for source, want := range map[string]string{
		base + "/pkg":                 "root link",
		base + "/pkg//sub":            "sub link",
		base + "/pkg//su*":            "sub link",
		"file::" + base + "/pkg":      "root link",
		filepath.ToSlash(at) + "/pkg": "root link",
		base + "/p.zip":               "root",
		base + "/p.zip//sub":          "sub",
		base + "/packed?archive=zip":  "root",
		base + fmt.Sprintf("/p.zip?checksum=sha256:%x", sha256.Sum256(zip)): "root",
		base + "/p.zip?checksum=md5:00000000000000000000000000000000":       "error",
		base + "/pkg?checksum=md5:00000000000000000000000000000000":         "error",
		base + "/pkg?archive=zip":                                           "error",
		base + "/p.zip?archive=false":                                       "error",
		base + "/packed":                                                    "error",
		base + "/one.gz":                                                    "error",
		base + "/none":                                                      "error",
		base + "/pkg//none":                                                 "error",
		"file:pkg":                                                          "error",
	} {
		dir := filepath.Join(t.TempDir(), "m")
		got, err := (&install.Modules{Client: &registry.Client{}}).Get(t.Context(), addrs.MustParseModuleSource(source), addrs.Constraints{}, dir)
		result := "error"
		if err == nil {
			text, _ := os.ReadFile(filepath.Join(got.Dir, "main.tf"))
			result = strings.TrimSpace(strings.TrimPrefix(string(text), "#"))
			if info, err := os.Lstat(dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
				result += " link"
			}
		} else if _, err := os.Lstat(dir); err == nil {
			result += ", but it is there"
		}
		if result != want {
			t.Errorf("%s: got %s (%v), want %s", strings.TrimPrefix(source, base), result, err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(at, "pkg", "main.tf")); err != nil {
		t.Error(err) // what is linked stays
	}
}
