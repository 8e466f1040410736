// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package ocimirror_test

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/cliconfig"
	"github.com/tofuwire/tofuwire/registry/ocimirror"
)

var (
	null    = addrs.MustParseProvider("registry.example.org/acme/null")
	linux   = addrs.MustParsePlatform("linux_amd64")
	darwin  = addrs.MustParsePlatform("darwin_arm64")
	version = addrs.MustParseVersion
)

// makeZip writes a package and returns the name of the file.
func makeZip(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	h := &zip.FileHeader{Name: "terraform-provider-null", Method: zip.Store}
	h.SetMode(0o755)
	w, err := z.CreateHeader(h)
	if err == nil {
		_, err = w.Write([]byte(text))
	}
	if err == nil {
		err = z.Close()
	}
	name := filepath.Join(t.TempDir(), "x.zip")
	if err == nil {
		err = os.WriteFile(name, b.Bytes(), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func newMirror(r *ociRegistry) *ocimirror.Mirror {
	return &ocimirror.Mirror{Template: r.host() + "/tofu/${namespace}-${type}", HTTP: r.Client(), AllowHTTP: strings.HasPrefix(r.URL, "http:")}
}

func newClient() *registry.Client {
	return &registry.Client{Retry: registry.Retry{Delay: time.Millisecond}, Limits: registry.Limits{Timeout: time.Minute}}
}

// What is pushed is found and is the same, and is not sent again.
func TestMirror(t *testing.T) {
	r := newRegistry(t, false)
	m := newMirror(r)
	a, b := makeZip(t, strings.Repeat("a", 200_000)), makeZip(t, "b")
	for _, v := range []string{"1.0.0", "1.1.0+build.1", "2.0.0-beta", "0.9.0", "0.8.0"} {
		if err := m.Push(t.Context(), null, version(v), map[addrs.Platform]string{linux: a}); err != nil {
			t.Fatal(err)
		}
	}
	r.setTag("tofu/acme-null:latest", "text/plain", "x")
	list, err := m.Versions(t.Context(), null)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range list.Versions {
		got = append(got, v.Version.String())
	}
	if !slices.Equal(got, []string{"0.8.0", "0.9.0", "1.0.0", "1.1.0+build.1", "2.0.0-beta"}) {
		t.Errorf("got %q", got)
	}
	// One platform more leaves the other.
	if err := m.Push(t.Context(), null, version("1.0.0"), map[addrs.Platform]string{darwin: b}); err != nil {
		t.Fatal(err)
	}
	before := r.sent()
	if err := m.Push(t.Context(), null, version("1.0.0"), map[addrs.Platform]string{darwin: b, linux: a}); err != nil || r.sent() != before+1 {
		t.Errorf("%d things were sent again, %v", r.sent()-before, err)
	}
	for platform, file := range map[addrs.Platform]string{linux: a, darwin: b} {
		pkg, err := m.Package(t.Context(), null, version("1.0.0"), platform)
		if err != nil {
			t.Fatal(err)
		}
		r.cutNext() // the download goes on where it broke off
		to := filepath.Join(t.TempDir(), "got.zip")
		result, err := newClient().Fetch(t.Context(), pkg, to)
		if err != nil || result.Proof != registry.ChecksumOnly {
			t.Fatalf("got %+v, %v", result, err)
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(to); err != nil || !bytes.Equal(b, want) {
			t.Errorf("%s: got %d bytes, %v", platform, len(b), err)
		}
	}
	if _, err := m.Package(t.Context(), null, version("1.0.0"), addrs.MustParsePlatform("windows_amd64")); !errors.Is(err, registry.ErrUnsupportedPlatform) {
		t.Errorf("got %v", err)
	}
	if _, err := m.Package(t.Context(), null, version("7.0.0"), linux); err == nil || errors.Is(err, registry.ErrNotFound) || !strings.Contains(err.Error(), "no tag 7.0.0") {
		t.Errorf("got %v", err)
	}
	if _, err := m.Versions(t.Context(), addrs.MustParseProvider("registry.example.org/acme/other")); !errors.Is(err, registry.ErrNotFound) {
		t.Errorf("got %v", err)
	}
}

// As in OpenTofu, the size in a manifest says where a package ends, also if more follows.
func TestMirror_longer(t *testing.T) {
	r := newRegistry(t, false)
	m := newMirror(r)
	if err := m.Push(t.Context(), null, version("1.0.0"), map[addrs.Platform]string{linux: makeZip(t, "x")}); err != nil {
		t.Fatal(err)
	}
	long := 0
	r.handler = func(w http.ResponseWriter, q *http.Request) bool {
		ref := q.URL.Path[strings.LastIndex(q.URL.Path, "/")+1:]
		if q.Method != http.MethodGet || r.blobs[ref] == nil {
			return false
		}
		long++
		w.Header().Set("Content-Type", r.types[ref])
		w.(http.Flusher).Flush() // without a length
		w.Write(r.blobs[ref])
		io.WriteString(w, " and more")
		return true
	}
	pkg, err := m.Package(t.Context(), null, version("1.0.0"), linux)
	if err == nil {
		_, err = newClient().Fetch(t.Context(), pkg, filepath.Join(t.TempDir(), "got.zip"))
	}
	if err != nil || long != 3 {
		t.Errorf("%d answers, %v", long, err)
	}
}

// What is no provider is refused, as by OpenTofu.
func TestMirror_bad(t *testing.T) {
	r := newRegistry(t, false)
	m := newMirror(r)
	const index, manifest = "application/vnd.oci.image.index.v1+json", "application/vnd.oci.image.manifest.v1+json"
	const provider, target = "application/vnd.opentofu.provider", "application/vnd.opentofu.provider-target"
	layer := func(mediaType string) string {
		return fmt.Sprintf(`{"mediaType":%q,"digest":"sha256:%064d","size":5}`, mediaType, 1)
	}
	image := func(artifact string, layers ...string) string {
		return fmt.Sprintf(`{"schemaVersion":2,"mediaType":%q,"artifactType":%q,"layers":[%s]}`, manifest, artifact, strings.Join(layers, ","))
	}
	entry := func(mediaType, artifact, platform, text string) string {
		return fmt.Sprintf(`{"mediaType":%q,"artifactType":%q,"digest":%q,"size":%d%s}`, mediaType, artifact, r.setTag("", mediaType, text), len(text), platform)
	}
	of := func(artifact string, entries ...string) string {
		return fmt.Sprintf(`{"schemaVersion":2,"mediaType":%q,"artifactType":%q,"manifests":[%s]}`, index, artifact, strings.Join(entries, ","))
	}
	const on = `,"platform":{"os":"linux","architecture":"amd64"}`
	good := entry(manifest, target, on, image(target, layer("archive/zip")))
	for name, tt := range map[string]struct{ mediaType, text, want string }{
		"good":                {index, of(provider, good), ""},
		"others are ignored":  {index, of(provider, entry(manifest, "x", "", "{}"), entry(manifest, target, `,"platform":{"os":"linux","architecture":"amd64","os.version":"9"}`, "{}"), good), ""},
		"no index":            {manifest, image(target, layer("archive/zip")), "not an index"},
		"a container image":   {index, of("", good), "not a provider"},
		"a module":            {index, of("application/vnd.opentofu.modulepkg", good), "not a provider"},
		"no packages":         {index, of(provider), "names no packages"},
		"two packages":        {index, of(provider, good, good), "2 packages"},
		"no platform":         {index, of(provider, entry(manifest, target, "", "{}")), "no platform"},
		"a strange manifest":  {index, of(provider, entry(index, target, on, "{}")), "media type"},
		"a package of others": {index, of(provider, entry(manifest, target, on, image("x", layer("archive/zip")))), `type "x"`},
		"no zip":              {index, of(provider, entry(manifest, target, on, image(target, layer("archive/tar")))), "0 layers"},
		"two zips":            {index, of(provider, entry(manifest, target, on, image(target, layer("archive/zip"), layer("archive/zip")))), "2 layers"},
		"a negative size":     {index, of(provider, entry(manifest, target, on, image(target, `{"mediaType":"archive/zip","digest":"sha256:x","size":-1}`))), "-1 bytes"},
		"a bad digest":        {index, of(provider, entry(manifest, target, on, image(target, `{"mediaType":"archive/zip","digest":"sha256:x","size":1}`))), "no valid digest"},
		"not JSON":            {index, "{", "not JSON"},
		"4.9 MiB":             {index, of(provider, good) + strings.Repeat(" ", 4_900_000), ""},
		"another platform":    {index, of(provider, entry(manifest, target, on, image(target, strings.Replace(layer("archive/zip"), "}", `,"platform":{"os":"plan9","architecture":"amd64"}}`, 1)))), "is for plan9_amd64"},
		"this platform":       {index, of(provider, entry(manifest, target, on, image(target, strings.Replace(layer("archive/zip"), "}", on+"}", 1)))), ""},
		"SHA-512":             {index, of(provider, entry(manifest, target, on, image(target, fmt.Sprintf(`{"mediaType":"archive/zip","digest":"sha512:%0128d","size":5}`, 1)))), "no SHA-256"},
	} {
		r.setTag("tofu/acme-null:1.0.0", tt.mediaType, tt.text)
		pkg, err := m.Package(t.Context(), null, version("1.0.0"), linux)
		if tt.want == "" {
			if err != nil || pkg.Size != 5 {
				t.Errorf("%s: got %v", name, err)
			}
			continue
		}
		var e *registry.Error
		if !errors.Is(err, registry.ErrBadResponse) || !strings.Contains(err.Error(), tt.want) || !errors.As(err, &e) || e.For == "" {
			t.Errorf("%s: got %v, want %q", name, err, tt.want)
		}
	}
	// A manifest that has not its digest.
	r.setTag("tofu/acme-null:1.0.0", index, of(provider, good))
	r.handle(func(w http.ResponseWriter, q *http.Request) bool {
		if !strings.Contains(q.URL.Path, "/manifests/sha256:") || q.Method != http.MethodGet {
			return false
		}
		w.Header().Set("Content-Type", index)
		w.Write(bytes.Repeat([]byte(" "), len(of(provider, good))))
		return true
	})
	if _, err := m.Package(t.Context(), null, version("1.0.0"), linux); err == nil {
		t.Error("a manifest that is another one is accepted")
	}
	// Tags without end.
	page := 0
	r.handle(func(w http.ResponseWriter, q *http.Request) bool {
		page++
		w.Header().Set("Link", fmt.Sprintf(`</v2/tofu/acme-null/tags/list?last=%d>; rel="next"`, page))
		w.Header().Set("Content-Type", "application/json")
		w.Write([]byte(`{"tags":["` + strings.Repeat(`a","`, 9_999) + `b"]}`))
		return true
	})
	if _, err := m.Versions(t.Context(), null); !errors.Is(err, registry.ErrLimit) {
		t.Errorf("got %v", err)
	}
	for _, template := range []string{"", "${", "x/${other}", "x/${null}", "no-slash", "UPPER CASE/${type}", "h.example/${type}:tag", "${[type]}"} {
		if _, err := (&ocimirror.Mirror{Template: template}).Versions(t.Context(), null); err == nil {
			t.Errorf("template %q: no error", template)
		}
	}
}

// Templates are those of OpenTofu, expressions included.
func TestMirror_Repository(t *testing.T) {
	for template, want := range map[string]string{
		"example.com/${namespace}/${type}":                           "example.com/acme/null",
		"${hostname}/x-${ type }":                                    "registry.example.org/x-null",
		`${namespace == "acme" ? "a.example" : "b.example"}/${type}`: "a.example/null",
	} {
		if got, err := (&ocimirror.Mirror{Template: template}).Repository(null); err != nil || got != want {
			t.Errorf("%s: got %s, %v", template, got, err)
		}
	}
}

// Sources serves the oci_mirror blocks with the credentials that fit best: of the CLI
// configuration, of Docker's file, and of a helper.
func TestSources(t *testing.T) {
	r := newRegistry(t, true)
	client := &registry.Client{HTTP: r.Client()}
	push := newMirror(r)
	if err := push.Push(t.Context(), null, version("1.0.0"), map[addrs.Platform]string{linux: makeZip(t, "x")}); err != nil {
		t.Fatal(err)
	}
	r.admit("me", "secret")
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	auths := func(prefix, user string) string {
		b, _ := json.Marshal(map[string]any{"auths": map[string]any{prefix: map[string]string{"auth": base64.StdEncoding.EncodeToString([]byte(user))}}})
		return string(b)
	}
	base := fmt.Sprintf("provider_installation {\n  oci_mirror {\n    repository_template = \"%s/tofu/${namespace}-${type}\"\n    include = [\"registry.example.org/*/*\"]\n  }\n}\n", r.host())
	own := func(prefix, user, password string) string {
		return fmt.Sprintf("oci_credentials %q {\n  username = %q\n  password = %q\n}\n", prefix, user, password)
	}
	write("home/.docker/config.json", auths(r.host(), "me:secret"), 0o600)
	other := write("other.json", auths(r.host()+"/tofu", "me:secret"), 0o600)
	for name, tt := range map[string]struct {
		config string
		home   string
		want   error
	}{
		"nothing":            {base, "", registry.ErrUnauthorized},
		"own":                {base + own(r.host(), "me", "secret"), "", nil},
		"wrong":              {base + own(r.host(), "me", "no"), "", registry.ErrUnauthorized},
		"the deepest":        {base + own(r.host(), "me", "no") + own(r.host()+"/tofu/acme-null", "me", "secret"), "", nil},
		"not a part":         {base + own(r.host()+"/tofu/acme", "me", "secret"), "", registry.ErrUnauthorized},
		"Docker's file":      {base, filepath.Join(dir, "home"), nil},
		"own before others":  {base + own(r.host(), "me", "no"), filepath.Join(dir, "home"), registry.ErrUnauthorized},
		"not looked for":     {base + "oci_default_credentials {\n  discover_ambient_credentials = false\n}\n", filepath.Join(dir, "home"), registry.ErrUnauthorized},
		"a file of the user": {base + fmt.Sprintf("oci_default_credentials {\n  docker_style_config_files = [%q]\n}\n", other), "", nil},
	} {
		cfg, err := cliconfig.Parse("tofu.tfrc", []byte(tt.config))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		environ := []string{}
		if tt.home != "" {
			environ = append(environ, "HOME="+tt.home, "USERPROFILE="+tt.home)
		}
		source, err := ocimirror.Sources(cfg, client, environ)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		list, err := source.Versions(t.Context(), null)
		if !errors.Is(err, tt.want) || tt.want == nil && len(list.Versions) != 1 {
			t.Errorf("%s: got %v, %v", name, list, err)
		}
		if _, err := source.Versions(t.Context(), addrs.MustParseProvider("elsewhere.example.org/acme/null")); !errors.Is(err, registry.ErrNotFound) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	cfg, err := cliconfig.Parse("tofu.tfrc", []byte(base+`oci_default_credentials { docker_style_config_files = ["/nonexistent/x.json"] }`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ocimirror.Sources(cfg, client, []string{}); err == nil {
		t.Error("a file that is named need not exist")
	}
	if runtime.GOOS == "windows" {
		return // the helper below is a script
	}
	write("bin/docker-credential-test", "#!/bin/sh\necho '{\"ServerURL\":\"x\",\"Username\":\"me\",\"Secret\":\"secret\"}'\n", 0o755)
	t.Setenv("PATH", filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	if cfg, err = cliconfig.Parse("tofu.tfrc", []byte(base+`oci_default_credentials { docker_credentials_helper = "test" }`)); err != nil {
		t.Fatal(err)
	}
	source, err := ocimirror.Sources(cfg, client, []string{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := source.Versions(t.Context(), null); err != nil {
		t.Errorf("a helper: %v", err)
	}
}

// A real tofu of 1.10 or later installs what was pushed, if there is one.
func TestMirror_tofu(t *testing.T) {
	tool := depth.Tool(t, "tofu")
	if out, err := exec.CommandContext(t.Context(), tool, "version").Output(); err != nil || !regexp.MustCompile(`^OpenTofu v1\.[1-9][0-9]\.`).Match(out) {
		t.Skip("needs tofu 1.10 or newer")
	}
	r := newRegistry(t, true)
	m := newMirror(r)
	p := addrs.MustParseProvider("registry.opentofu.org/acme/null")
	if err := m.Push(t.Context(), p, version("1.0.0"), map[addrs.Platform]string{addrs.CurrentPlatform(): makeZip(t, "x"), addrs.MustParsePlatform("plan9_386"): makeZip(t, "y")}); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"main.tf":   "terraform {\n  required_providers {\n    null = { source = \"acme/null\" }\n  }\n}\n",
		"ca.pem":    string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: r.Certificate().Raw})),
		"tofu.tfrc": fmt.Sprintf("provider_installation {\n  oci_mirror {\n    repository_template = %q\n    include = [\"registry.opentofu.org/*/*\"]\n  }\n}\n", m.Template),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), tool, "init", "-no-color", "-input=false")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+filepath.Join(dir, "ca.pem"), "TF_CLI_CONFIG_FILE="+filepath.Join(dir, "tofu.tfrc"), "HOME="+dir, "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lock, err := os.ReadFile(filepath.Join(dir, ".terraform.lock.hcl"))
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := m.Package(t.Context(), p, version("1.0.0"), addrs.CurrentPlatform())
	if err != nil || !strings.Contains(string(lock), "zh:"+pkg.SHA256) {
		t.Errorf("%v\n%s", err, lock)
	}
}
