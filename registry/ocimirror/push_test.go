// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package ocimirror_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/cliconfig"
	"github.com/tofuwire/tofuwire/registry/ocimirror"
)

// A push that fails at any of its requests says at which tag, and moves no tag: a
// reader sees the whole version or none.
func TestMirror_Push_fails(t *testing.T) {
	file := makeZip(t, "x")
	for n := 1; ; n++ {
		r := newRegistry(t, false)
		m := newMirror(r)
		seen := 0
		r.handle(func(w http.ResponseWriter, q *http.Request) bool {
			if seen++; seen == n {
				ociError(w, http.StatusForbidden, "DENIED")
			}
			return seen == n
		})
		err := m.Push(t.Context(), null, version("1.0.0"), map[addrs.Platform]string{linux: file})
		if seen < n {
			if n < 8 || err != nil {
				t.Errorf("after %d requests: %v", n, err)
			}
			return
		}
		var e *registry.Error
		if !errors.As(err, &e) || !strings.HasSuffix(e.URL, "/tofu/acme-null:1.0.0") || !errors.Is(err, registry.ErrUnauthorized) {
			t.Errorf("request %d: got %v", n, err)
		}
		if _, err := m.Versions(t.Context(), null); !errors.Is(err, registry.ErrNotFound) {
			t.Errorf("request %d: there is a tag, or %v", n, err)
		}
	}
}

// What cannot be a package is not pushed, and a tag that names something else than a
// provider is not replaced.
func TestMirror_Push_bad(t *testing.T) {
	r := newRegistry(t, false)
	m := newMirror(r)
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "empty.zip"), "", 0o644)
	for name, want := range map[string]error{filepath.Join(dir, "none.zip"): fs.ErrNotExist, dir: nil, filepath.Join(dir, "empty.zip"): nil} {
		err := m.Push(t.Context(), null, version("1.0.0"), map[addrs.Platform]string{linux: name})
		if err == nil || want != nil && !errors.Is(err, want) || !strings.Contains(err.Error(), "linux_amd64") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := m.Push(t.Context(), null, version("1.0.0"), nil); err == nil {
		t.Error("a version without packages is pushed")
	}
	r.setTag("tofu/acme-null:1.0.0", "application/vnd.oci.image.manifest.v1+json", `{"schemaVersion":2}`)
	before := r.sent()
	if err := m.Push(t.Context(), null, version("1.0.0"), map[addrs.Platform]string{linux: makeZip(t, "x")}); !errors.Is(err, registry.ErrBadResponse) || r.sent() != before {
		t.Errorf("got %v after %d things sent", err, r.sent()-before)
	}
	if err := (&ocimirror.Mirror{Template: "no-slash"}).Push(t.Context(), null, version("1.0.0"), nil); err == nil {
		t.Error("a template that is no address is accepted")
	}
}

// Artifacts of other programs in the index stay when a package is pushed.
func TestMirror_Push_keepsOthers(t *testing.T) {
	r := newRegistry(t, false)
	m := newMirror(r)
	const entry = `{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","size":2,"artifactType":"application/x-signature"}`
	r.setTag("tofu/acme-null:1.0.0", "application/vnd.oci.image.index.v1+json",
		`{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","artifactType":"application/vnd.opentofu.provider","manifests":[`+entry+`]}`)
	if err := m.Push(t.Context(), null, version("1.0.0"), map[addrs.Platform]string{linux: makeZip(t, "x"), darwin: makeZip(t, "y")}); err != nil {
		t.Fatal(err)
	}
	for _, p := range []addrs.Platform{linux, darwin} {
		if _, err := m.Package(t.Context(), null, version("1.0.0"), p); err != nil {
			t.Error(err)
		}
	}
	resp, err := r.Client().Get(r.URL + "/v2/tofu/acme-null/manifests/1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(resp.Body); err != nil || !strings.Contains(b.String(), entry) {
		t.Errorf("%v: %s", err, &b)
	}
}

// A download that broke off goes on also if the registry cannot send a part.
func TestMirror_noRanges(t *testing.T) {
	r := newRegistry(t, false)
	m := newMirror(r)
	file := makeZip(t, strings.Repeat("abcdefghij", 20_000))
	if err := m.Push(t.Context(), null, version("1.0.0"), map[addrs.Platform]string{linux: file}); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	sent := 0
	r.handle(func(w http.ResponseWriter, q *http.Request) bool {
		if !strings.Contains(q.URL.Path, "/blobs/") || q.Method != http.MethodGet {
			return false
		}
		sent++
		w.Header().Set("Content-Length", fmt.Sprint(len(want)))
		w.Write(want[:len(want)*min(sent, 4)/4])
		if sent < 4 {
			panic(http.ErrAbortHandler)
		}
		return true
	})
	pkg, err := m.Package(t.Context(), null, version("1.0.0"), linux)
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "got.zip")
	client := newClient()
	client.Retry.Attempts = 6
	if _, err := client.Fetch(t.Context(), pkg, to); err != nil || sent != 4 {
		t.Fatalf("after %d answers: %v", sent, err)
	}
	if b, err := os.ReadFile(to); err != nil || !bytes.Equal(b, want) {
		t.Errorf("got %d bytes, %v", len(b), err)
	}
	// The blob is gone: the error says so, and the file is not left behind.
	r.handle(func(w http.ResponseWriter, q *http.Request) bool {
		ociError(w, http.StatusNotFound, "BLOB_UNKNOWN")
		return true
	})
	to += "2"
	if _, err := client.Fetch(t.Context(), pkg, to); err == nil {
		t.Error("a blob that is gone was fetched")
	}
	if _, err := os.Stat(to); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// A manifest larger than any of a provider is not read, and a repository that is said
// to be missing without words is missing.
func TestMirror_largeAndMissing(t *testing.T) {
	r := newRegistry(t, false)
	m := newMirror(r)
	m.HTTP = nil // the client that repeats
	tries, read := 0, 0
	r.handle(func(w http.ResponseWriter, q *http.Request) bool {
		switch {
		case strings.Contains(q.URL.Path, "/tags/"):
			if tries++; tries == 1 {
				w.WriteHeader(http.StatusServiceUnavailable)
				return true
			}
			w.WriteHeader(http.StatusNotFound)
		case q.Method == http.MethodHead:
			w.Header().Set("Content-Type", "application/vnd.oci.image.index.v1+json")
			w.Header().Set("Content-Length", "5242880")
			w.Header().Set("Docker-Content-Digest", "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a")
		default:
			read++
		}
		return true
	})
	if _, err := m.Package(t.Context(), null, version("1.0.0"), linux); !errors.Is(err, registry.ErrLimit) || read != 0 {
		t.Errorf("got %v after %d requests", err, read)
	}
	if _, err := m.Versions(t.Context(), null); !errors.Is(err, registry.ErrNotFound) || tries != 2 {
		t.Errorf("got %v after %d tries", err, tries)
	}
}

// An address with a tag is refused with a whole sentence.
func TestMirror_template(t *testing.T) {
	m := &ocimirror.Mirror{Template: "h.example/${type}:tag"}
	_, err := m.Package(t.Context(), null, version("1.0.0"), linux)
	if err == nil || strings.Contains(err.Error(), "%!") || !strings.Contains(err.Error(), "h.example/null:tag") {
		t.Errorf("got %v", err)
	}
}

// A configuration without oci_mirror has the sources of package registry.
func TestSources_none(t *testing.T) {
	for _, text := range []string{"", "provider_installation {\n  direct {}\n}\n"} {
		cfg, err := cliconfig.Parse("tofu.tfrc", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if source, err := ocimirror.Sources(cfg, &registry.Client{}, nil); err != nil || source == nil {
			t.Errorf("%q: got %v, %v", text, source, err)
		}
	}
	if source, err := ocimirror.Sources(nil, &registry.Client{}, nil); err != nil || source == nil {
		t.Errorf("got %v, %v", source, err)
	}
	cfg := &cliconfig.Config{Installation: []cliconfig.Method{{Kind: "network_mirror", URL: "http://mirror.example/"}}}
	if _, err := ocimirror.Sources(cfg, &registry.Client{}, nil); err == nil {
		t.Error("a mirror without TLS is accepted")
	}
}
