// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package ocimirror_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/cliconfig"
	"github.com/tofuwire/tofuwire/registry/ocimirror"
)

// sealed is a registry with TLS that has version 1.0.0 of the provider null, only for
// the user me with the password secret.
func sealed(t *testing.T) *ociRegistry {
	t.Helper()
	r := newRegistry(t, true)
	if err := newMirror(r).Push(t.Context(), null, version("1.0.0"), map[addrs.Platform]string{linux: makeZip(t, "x")}); err != nil {
		t.Fatal(err)
	}
	r.admit("me", "secret")
	return r
}

func writeFile(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(text), mode)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Without a CLI configuration, the credentials come from the places where Podman and
// Docker keep them. The last of two variables of one name counts, as in OpenTofu's
// own process; the first file with credentials that fit counts.
func TestLoadCredentials_places(t *testing.T) {
	r := sealed(t)
	auths := func(user string) string {
		return fmt.Sprintf(`{"auths":{%q:{"auth":%q},"other.example":{}}}`, r.host(), base64.StdEncoding.EncodeToString([]byte(user)))
	}
	type files map[string]string
	for name, tt := range map[string]struct {
		files   files
		environ []string // @ is the directory of the files
		want    error
		skip    bool
	}{
		"no home":                 {files{}, nil, registry.ErrUnauthorized, false},
		"containers":              {files{".config/containers/auth.json": auths("me:secret")}, []string{"HOME=@"}, nil, false},
		"another place":           {files{"x/containers/auth.json": auths("me:secret")}, []string{"HOME=@", "XDG_CONFIG_HOME=@/x"}, nil, false},
		"the last variable":       {files{".config/containers/auth.json": auths("me:secret")}, []string{"HOME=@/no", "HOME=@"}, nil, false},
		"Docker's old file":       {files{".dockercfg": auths("me:secret")}, []string{"HOME=@"}, nil, false},
		"the first file":          {files{".config/containers/auth.json": auths("me:secret"), ".docker/config.json": auths("me:no")}, []string{"HOME=@"}, nil, false},
		"a directory of the run":  {files{"run/containers/auth.json": auths("me:secret"), ".config/containers/auth.json": auths("me:no")}, []string{"HOME=@", "XDG_RUNTIME_DIR=@/run"}, nil, runtime.GOOS != "linux"},
		"a password with a colon": {files{".docker/config.json": auths("me:secret:x")}, []string{"HOME=@"}, registry.ErrUnauthorized, false},
		"no password":             {files{".docker/config.json": auths("me")}, []string{"HOME=@"}, registry.ErrUnauthorized, false},
	} {
		if tt.skip {
			continue // OpenTofu reads this file only on Linux
		}
		dir := t.TempDir()
		for file, text := range tt.files {
			writeFile(t, filepath.Join(dir, file), text, 0o600)
		}
		environ := []string{}
		for _, kv := range tt.environ {
			kv = strings.ReplaceAll(kv, "@", dir)
			environ = append(environ, kv, strings.Replace(kv, "HOME=", "USERPROFILE=", 1))
		}
		c, err := ocimirror.LoadCredentials(nil, environ)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		m := newMirror(r)
		m.Credentials = c
		if _, err := m.Versions(t.Context(), null); !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", name, err, tt.want)
		}
	}
}

// If environ is nil, the variables are those of the process.
func TestLoadCredentials_process(t *testing.T) {
	r, dir := sealed(t), t.TempDir()
	writeFile(t, filepath.Join(dir, ".docker", "config.json"), fmt.Sprintf(`{"auths":{%q:{"auth":"bWU6c2VjcmV0"}}}`, r.host()), 0o600)
	for _, name := range []string{"XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", dir)
	t.Setenv("USERPROFILE", dir)
	c, err := ocimirror.LoadCredentials(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := newMirror(r)
	m.Credentials = c
	if _, err := m.Versions(t.Context(), null); err != nil {
		t.Error(err)
	}
}

// What is broken at a default place loses itself, and nothing else: a public mirror
// works, other entries and files count, and an error about credentials says what was
// left out. No error shows the content of a file.
func TestLoadCredentials_broken(t *testing.T) {
	public, r := newRegistry(t, true), sealed(t)
	if err := newMirror(public).Push(t.Context(), null, version("1.0.0"), map[addrs.Platform]string{linux: makeZip(t, "x")}); err != nil {
		t.Fatal(err)
	}
	good := fmt.Sprintf("%q:{\"auth\":\"bWU6c2VjcmV0\"}", r.host())
	for _, tt := range []struct {
		text string // "/" is a directory
		good bool   // whether the credentials of r can be read
	}{
		{"", false}, {"{", false}, {"/", false}, {"\ufeff{\"auths\":{" + good + "}}", false}, {"null", false}, {"[]", false},
		{`{"auths":[]}`, false}, {`{"auths":{"a.example":{"auth":"sesame!"},` + good + `}}`, true}, {`{"auths":{"a.example":"sesame",` + good + `}}`, true},
		{`{"auths":{"a.example":{"auth":"c2VzYW1l"},` + good + `}}`, true}, {`{"auths":{"a.example":null,` + good + `}}`, true},
		{`{"credHelpers":{"a.example":["sesame"]},"auths":{` + good + `}}`, true}, {`{"credsStore":5,"auths":{` + good + `}}`, true},
		{`{"credsStore":"none"}`, false}, {`{"credsStore":"none","auths":{` + good + `}}`, true},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, ".docker", "config.json")
		if tt.text == "/" {
			if err := os.MkdirAll(file, 0o755); err != nil {
				t.Fatal(err)
			}
		} else {
			writeFile(t, file, tt.text, 0o600)
		}
		environ := []string{"HOME=" + dir, "USERPROFILE=" + dir}
		c, err := ocimirror.LoadCredentials(nil, environ)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		m := newMirror(public)
		m.Credentials = c
		if list, err := m.Versions(t.Context(), null); err != nil || len(list.Versions) != 1 {
			t.Errorf("%s: a public mirror: %v", tt.text, err)
		}
		m = newMirror(r)
		m.Credentials = c
		_, err = m.Versions(t.Context(), null)
		switch {
		case tt.good && err != nil:
			t.Errorf("%s: %v", tt.text, err)
		case !tt.good && (!errors.Is(err, registry.ErrUnauthorized) || strings.Contains(err.Error(), "sesame")):
			t.Errorf("%s: got %v", tt.text, err)
		case !tt.good && tt.text != "null" && !strings.Contains(err.Error(), "no credentials from "):
			t.Errorf("%s: the error does not say what was left out: %v", tt.text, err)
		}
		for _, fault := range c.Faults() {
			if strings.Contains(fault.Error(), "sesame") || !strings.Contains(fault.Error(), file) && !strings.Contains(fault.Error(), `"none"`) {
				t.Errorf("%s: %v", tt.text, fault)
			}
		}
		// A file that the configuration names must be whole.
		named := &cliconfig.Config{OCIDefaults: &cliconfig.OCIDefaults{Discover: true, ConfigFiles: []string{file}}}
		var e *registry.Error
		_, err = ocimirror.LoadCredentials(named, environ)
		if faults := len(c.Faults()) > 0 && !strings.Contains(tt.text, "none") && !strings.Contains(tt.text, "c2VzYW1l"); faults != (err != nil) || faults && (!errors.As(err, &e) || e.URL != file || strings.Contains(err.Error(), "sesame")) {
			t.Errorf("%s: got %v", tt.text, err)
		}
	}
}

// A helper of a file is asked for its domain, or for all; a credential for the domain
// counts more than a helper for all. If a helper fails, the request has no credentials,
// and the registry's refusal names the helper.
func TestLoadCredentials_helpers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a system that starts scripts, which the helpers are")
	}
	r, dir := sealed(t), t.TempDir()
	writeFile(t, filepath.Join(dir, "bin", "docker-credential-good"), "#!/bin/sh\nread host\n"+
		"echo '{\"ServerURL\":\"'$host'\",\"Username\":\"me\",\"Secret\":\"secret\"}'\n[ \"$host\" = https://"+r.host()+" ]\n", 0o755)
	writeFile(t, filepath.Join(dir, "bin", "docker-credential-bare"), "#!/bin/sh\nread host\n[ \"$host\" = "+r.host()+" ] || { echo 'credentials not found in native keychain'; exit 1; }\n"+
		"echo '{\"ServerURL\":\"'$host'\",\"Username\":\"me\",\"Secret\":\"secret\"}'\n", 0o755)
	writeFile(t, filepath.Join(dir, "bin", "docker-credential-bad"), "#!/bin/sh\necho 'the vault is shut'\nexit 1\n", 0o755)
	t.Setenv("PATH", filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	for name, tt := range map[string]struct {
		text string
		want string // part of the error, or ""
	}{
		"for the domain":       {`{"credHelpers":{"HOST":"good"}}`, ""},
		"for another domain":   {`{"credHelpers":{"x.example":"good"}}`, "unauthorized"},
		"for all":              {`{"credsStore":"good"}`, ""},
		"the domain's first":   {`{"credsStore":"bad","credHelpers":{"HOST":"good"}}`, ""},
		"no helper of a path":  {`{"credHelpers":{"HOST/tofu":"good","":"good","HOST":""}}`, "unauthorized"},
		"a helper that fails":  {`{"credsStore":"bad"}`, `no credentials from credential helper "bad": `},
		"a helper not there":   {`{"credsStore":"none"}`, `no credentials from credential helper "none": `},
		"without a scheme":     {`{"credsStore":"bare"}`, ""},
		"a credential instead": {`{"credsStore":"bad","auths":{"HOST":{"auth":"bWU6c2VjcmV0"}}}`, ""},
	} {
		writeFile(t, filepath.Join(dir, ".docker", "config.json"), strings.ReplaceAll(tt.text, "HOST", r.host()), 0o600)
		c, err := ocimirror.LoadCredentials(nil, []string{"HOME=" + dir})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		m := newMirror(r)
		m.Credentials = c
		_, err = m.Versions(t.Context(), null)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: got %v, want %q", name, err, tt.want)
		}
	}
}

// Credentials go to the registry of the template only: one that redirects elsewhere
// cannot have them sent there.
func TestCredentials_staysWithHost(t *testing.T) {
	r, other := sealed(t), newRegistry(t, true)
	other.admit("me", "secret")
	asked := 0
	other.handle(func(_ http.ResponseWriter, q *http.Request) bool {
		asked++
		if q.Header.Get("Authorization") != "" {
			t.Errorf("%s has the credentials", q.URL)
		}
		return false
	})
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, ".docker", "config.json"), fmt.Sprintf(`{"auths":{%q:{"auth":"bWU6c2VjcmV0"}}}`, r.host()), 0o600)
	c, err := ocimirror.LoadCredentials(nil, []string{"HOME=" + dir, "USERPROFILE=" + dir})
	if err != nil {
		t.Fatal(err)
	}
	m := newMirror(r)
	m.Credentials = c
	r.handle(func(w http.ResponseWriter, q *http.Request) bool {
		if q.Header.Get("Authorization") == "" {
			return false
		}
		http.Redirect(w, q, other.URL+q.URL.Path, http.StatusTemporaryRedirect)
		return true
	})
	if _, err := m.Versions(t.Context(), null); !errors.Is(err, registry.ErrUnauthorized) || asked == 0 {
		t.Errorf("got %v after %d requests", err, asked)
	}
}

// Where OpenTofu would not use credentials that are used here, the package says so.
func TestLoadCredentials_warnings(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a system that starts scripts, which the helpers are")
	}
	r, dir := sealed(t), t.TempDir()
	answer := func(user, secret string) string {
		return fmt.Sprintf("echo '{\"ServerURL\":\"x\",\"Username\":%q,\"Secret\":%q}'\n", user, secret)
	}
	writeFile(t, filepath.Join(dir, "bin", "docker-credential-good"), "#!/bin/sh\n"+answer("me", "secret"), 0o755)
	writeFile(t, filepath.Join(dir, "bin", "docker-credential-bare"), "#!/bin/sh\nread host\n[ \"$host\" = "+r.host()+" ] || { echo 'credentials not found in native keychain'; exit 1; }\n"+answer("me", "secret"), 0o755)
	t.Setenv("PATH", filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	good := `"auths":{"HOST":{"auth":"bWU6c2VjcmV0"}}`
	colon := `"auths":{"a.example":{"auth":"c2VzYW1l"},"HOST":{"auth":"bWU6c2VjcmV0"}}`
	for name, tt := range map[string]struct {
		first, second string // files
		want          string // part of the warning, or ""
	}{
		"good":                       {"{" + good + "}", "", ""},
		"names in another case":      {`{"Auths":{"HOST":{"Auth":"bWU6c2VjcmV0"}}}`, "", ""},
		"helpers in another case":    {`{"credhelpers":{"HOST":"good"}}`, "", ""},
		"a helper":                   {`{"credsStore":"good"}`, "", ""},
		"no colon, of another host":  {"{" + colon + "}", "", ""},
		"no colon, beside a good":    {`{"auths":{"HOST":{"auth":"c2VzYW1l"}}}`, "{" + good + "}", "config.json: the entry for "},
		"a broken file before":       {"{", "{" + good + "}", "config.json: not a JSON object"},
		"a broken file behind":       {"{" + good + "}", "[]", ".dockercfg: not a JSON object"},
		"a broken entry":             {`{"credHelpers":{"a.example":1},` + good + "}", "", "credHelpers is not a string"},
		"a helper for the bare host": {`{"credsStore":"bare"}`, "", `the helper "bare" has them for ` + r.host() + ", not for https://" + r.host()},
	} {
		for file, text := range map[string]string{".docker/config.json": tt.first, ".dockercfg": tt.second} {
			if file = filepath.Join(dir, file); text == "" {
				os.Remove(file)
				continue
			}
			writeFile(t, file, strings.ReplaceAll(text, "HOST", r.host()), 0o600)
		}
		c, err := ocimirror.LoadCredentials(nil, []string{"HOME=" + dir})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		m := newMirror(r)
		m.Credentials = c
		pkg, err := m.Package(t.Context(), null, version("1.0.0"), linux)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := strings.Join(pkg.Warnings, "\n")
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) || tt.want != "" && !strings.HasPrefix(got, "tofu 1.12 cannot use these credentials: ") {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
	// A file that the configuration names may have entries of others that are no password.
	file := filepath.Join(dir, "named.json")
	for text, want := range map[string]bool{"{" + colon + "}": true, `{"credsStore":"good","auths":{"HOST":{"auth":"c2VzYW1l"}}}`: false} {
		writeFile(t, file, strings.ReplaceAll(text, "HOST", r.host()), 0o600)
		c, err := ocimirror.LoadCredentials(&cliconfig.Config{OCIDefaults: &cliconfig.OCIDefaults{Discover: true, ConfigFiles: []string{file}}}, []string{})
		if err != nil {
			t.Fatal(err)
		}
		m := newMirror(r)
		m.Credentials = c
		if _, err := m.Versions(t.Context(), null); (err == nil) != want || strings.Contains(fmt.Sprint(err), "sesame") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
