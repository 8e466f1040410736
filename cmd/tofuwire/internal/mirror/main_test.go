// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package mirror

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/install"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// A module with a link to a file elsewhere does not publish that file.
func TestMirror_linkOut(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "secret"), []byte("sesame"), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, ok := range map[string]bool{"../secret": false, filepath.Join(dir, "secret"): false, "main.tf": true} {
		module, out := filepath.Join(t.TempDir(), "m"), t.TempDir()
		if err := os.Mkdir(module, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(module, "main.tf"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(link, filepath.Join(module, "link")); err != nil {
			t.Skip("needs a system with symbolic links:", err)
		}
		j := &job{fetched: []install.FetchedModule{{Source: addrs.MustParseModuleSource("h.example/acme/net/test"), Version: addrs.MustParseVersion("1.0.0"), Package: module}}}
		reg := &install.StaticRegistry{Dir: out, Key: "k", Sign: func([]byte) ([]byte, error) { return nil, nil }}
		err := j.writeRegistry(t.Context(), reg, io.Discard)
		_, statErr := os.Stat(filepath.Join(out, "archives", "acme", "net", "test", "1.0.0.zip"))
		if ok != (err == nil) || ok != (statErr == nil) {
			t.Errorf("%s: %v, %v", link, err, statErr)
		}
	}
}

// world is a registry, and a folder for modules and mirrors.
type world struct {
	*registrytest.Server
	dir, ca string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	version := func(v string) registrytest.Version {
		return registrytest.Version{Version: v, Platforms: []string{"linux_amd64", "darwin_arm64"}}
	}
	w := &world{dir: t.TempDir(), Server: registrytest.Start(t, registrytest.Content{
		Providers: []registrytest.Provider{{Namespace: "acme", Type: "null", Versions: []registrytest.Version{version("1.0.0"), version("1.2.0"), version("2.0.0")}}},
		Modules:   []registrytest.Module{{Namespace: "acme", Name: "net", System: "test", Versions: []string{"1.0.0", "1.1.0"}}},
	})}
	w.ca = filepath.Join(w.dir, "ca.pem")
	w.write(t, "ca.pem", string(w.CertificatePEM()))
	for name, c := range map[string]string{"a": "~> 1.0", "b": ">= 1.0"} {
		w.write(t, name+"/main.tf", fmt.Sprintf("terraform {\n  required_providers {\n    n = {\n      source  = \"%[1]s/acme/null\"\n      version = %[2]q\n    }\n  }\n}\nmodule \"m\" {\n  source = \"%[1]s/acme/net/test\"\n}\n", w.Host(), c))
	}
	return w
}

func (w *world) write(t *testing.T, name, text string) {
	t.Helper()
	name = filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (w *world) mirror(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out, errOut bytes.Buffer
	for i, a := range args {
		if a == "OUT" || a == "a" || a == "b" {
			args[i] = filepath.Join(w.dir, a)
		}
	}
	err := run(t.Context(), append([]string{"-ca", w.ca, "-platform", "linux_amd64", "-platform", "darwin_arm64"}, args...), &out, &errOut, nil)
	if errOut.Len() > 0 {
		t.Errorf("standard error: %s", &errOut)
	}
	return out.String(), err
}

// The mirror has the version that each module needs, and later only the needed ones.
func TestMirror(t *testing.T) {
	w := newWorld(t)
	out, err := w.mirror(t, "OUT", "a", "b")
	if err != nil || strings.Count(out, "signed by") != 4 || !strings.Contains(out, "1.2.0 linux_amd64") || !strings.Contains(out, "2.0.0 darwin_arm64") {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err = w.mirror(t, "-prune", "OUT", "a")
	if err != nil || strings.Count(out, "in the mirror already") != 2 || strings.Count(out, "removed ") != 5 {
		t.Fatalf("%v\n%s", err, out)
	}
	got, err := (&install.Mirror{Dir: filepath.Join(w.dir, "OUT")}).Verify(t.Context(), registry.Policy{RequireSigned: true})
	if err != nil || len(got) != 2 {
		t.Errorf("got %v, %v", got, err)
	}
	if out, err = w.mirror(t, "-newest", "0", "OUT", "b"); err != nil || strings.Count(out, "_") != 6 {
		t.Errorf("%v\n%s", err, out)
	}
	w.Inject("versions-404")
	if _, err := w.mirror(t, "OUT", "a"); err == nil || !strings.Contains(err.Error(), "not found") {
		t.Errorf("got %v", err)
	}
}

// A package is compared with the lock of every module that needs it.
func TestMirror_locks(t *testing.T) {
	w := newWorld(t)
	pkg := w.Package("acme", "null", "1.2.0", "linux_amd64")
	if _, err := w.mirror(t, "OUT", "a"); err != nil { // no lock
		t.Fatal(err)
	}
	w.write(t, "c/main.tf", fmt.Sprintf("terraform {\n required_providers {\n null = { source = \"%s/acme/null\" }\n}\n}\n", w.Host()))
	w.write(t, "d/main.tf", fmt.Sprintf("terraform {\n required_providers {\n null = { source = \"%s/acme/null\" }\n}\n}\n", w.Host()))
	for name, hash := range map[string]string{"c": string(pkg.Hash()), "d": "zh:" + strings.Repeat("0", 64)} {
		w.write(t, name+"/.terraform.lock.hcl", fmt.Sprintf("provider \"%s/acme/null\" {\n  version = \"1.2.0\"\n  hashes = [\n    %q,\n  ]\n}\n", w.Host(), hash))
	}
	warning := fmt.Sprintf("warning: %s/acme/null 1.2.0: none of the hashes of the package for linux_amd64 is in the lock file\n", w.Host())
	for dirs, want := range map[string]string{"c": "", "d": warning, "c d": warning, "d c": warning} {
		var out, errOut bytes.Buffer
		args := []string{"-ca", w.ca, "-platform", "linux_amd64", filepath.Join(w.dir, "OUT2")}
		for dir := range strings.FieldsSeq(dirs) {
			args = append(args, filepath.Join(w.dir, dir))
		}
		err := run(t.Context(), args, &out, &errOut, nil)
		if err != nil || errOut.String() != want || !strings.Contains(out.String(), ": 1 packages") {
			t.Errorf("%s: got %v, %q, %s", dirs, err, &errOut, &out)
		}
	}
	// What was done is shown if something else fails.
	var out, errOut bytes.Buffer
	err := run(t.Context(), []string{"-ca", w.ca, "-platform", "linux_amd64", "-platform", "plan9_arm", filepath.Join(w.dir, "OUT3"), filepath.Join(w.dir, "d")}, &out, &errOut, nil)
	if err == nil || errOut.String() != warning || !strings.Contains(out.String(), "acme/null 1.2.0 linux_amd64: ") {
		t.Errorf("got %v, %q, %s", err, &errOut, &out)
	}
}

// A registry is signed by the key in the file, which is made once.
func TestMirror_staticRegistry(t *testing.T) {
	w := newWorld(t)
	out, err := w.mirror(t, "-static-registry", "OUT", "a")
	if err != nil || !strings.Contains(out, "a new key") || !strings.Contains(out, "acme/net/test 1.1.0") {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{".well-known/terraform.json", "v1/providers/acme/null/versions", "v1/providers/acme/null/1.2.0/download/linux/amd64",
		"v1/modules/acme/net/test/versions", "v1/modules/acme/net/test/1.1.0/download", "archives/acme/net/test/1.1.0.zip"} {
		if _, err := os.Stat(filepath.Join(w.dir, "OUT", name)); err != nil {
			t.Error(err)
		}
	}
	key, err := os.ReadFile(filepath.Join(w.dir, "OUT.key"))
	if err != nil {
		t.Fatal(err)
	}
	sig := filepath.Join(w.dir, "OUT", "v1/providers/acme/null/1.2.0/terraform-provider-null_1.2.0_SHA256SUMS.sig")
	before, err := os.ReadFile(sig)
	if err != nil {
		t.Fatal(err)
	}
	if out, err = w.mirror(t, "-static-registry", "OUT", "a"); err != nil || strings.Contains(out, "a new key") {
		t.Errorf("%v\n%s", err, out)
	}
	if after, err := os.ReadFile(sig); err != nil || !bytes.Equal(before, after) {
		t.Errorf("signed again, %v", err)
	}
	if now, err := os.ReadFile(filepath.Join(w.dir, "OUT.key")); err != nil || !bytes.Equal(key, now) {
		t.Errorf("another key, %v", err)
	}
	w.write(t, "bad.key", "nonsense")
	if _, err := w.mirror(t, "-static-registry", "-key", filepath.Join(w.dir, "bad.key"), "OUT", "a"); err == nil {
		t.Error("not a key")
	}
}

func TestMirror_usage(t *testing.T) {
	var out, errOut bytes.Buffer
	for _, args := range [][]string{nil, {"only-out"}, {"-platform", "nonsense", "x", "y"}, {filepath.Join(t.TempDir(), "out"), filepath.Join(t.TempDir(), "missing")}} {
		if err := run(t.Context(), args, &out, &errOut, nil); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}

// run runs the program with an environment, and returns its error.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, environ []string) error {
	r, flags := newRequest()
	var said strings.Builder
	if _, ok := flags.Parse(args, stdout, &said); !ok {
		return errors.New(said.String())
	}
	return r.run(ctx, stdout, stderr, environ)
}
