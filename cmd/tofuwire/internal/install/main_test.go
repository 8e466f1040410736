// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ulikunitz/xz"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry/install"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// world is a registry and a module that needs its providers and modules.
type world struct {
	*registrytest.Server
	dir, ca string
}

// tarball packs files as registries of modules do.
func tarball(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, text := range files {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	z.Close()
	return b.Bytes()
}

func newWorld(t *testing.T) *world {
	t.Helper()
	platforms := []string{addrs.CurrentPlatform().String()}
	version := func(v string) registrytest.Version { return registrytest.Version{Version: v, Platforms: platforms} }
	w := &world{dir: filepath.Join(t.TempDir(), "module")}
	child := func(host, c string) string {
		return fmt.Sprintf("terraform {\n  required_providers {\n    n = {\n      source  = \"%s/acme/null\"\n      version = %q\n    }\n  }\n}\n", host, c)
	}
	w.Server = registrytest.Start(t, registrytest.Content{
		Providers: []registrytest.Provider{
			{Namespace: "acme", Type: "null", Versions: []registrytest.Version{version("1.0.0"), version("1.2.0"), version("2.0.0")}},
			{Namespace: "acme", Type: "tool", Versions: []registrytest.Version{version("0.3.1")}},
			{Namespace: "hashicorp", Type: "null", Versions: []registrytest.Version{version("1.0.0"), version("1.2.0")}},
		},
		Modules: []registrytest.Module{
			{Namespace: "acme", Name: "net", System: "zip", Versions: []string{"1.0.0", "1.1.0", "2.0.0"}, Archive: func(v string) []byte {
				zip, err := registrytest.ZipFS(fstest.MapFS{
					"main.tf":       {Data: []byte("module \"in\" {\n  source = \"./inner\"\n}\n# " + v)},
					"inner/main.tf": {Data: []byte(child(w.Host(), "< 2.0.0"))},
				})
				if err != nil {
					t.Error(err)
				}
				return zip
			}},
			{Namespace: "acme", Name: "net", System: "tar", Versions: []string{"1.0.0"}, Archive: func(string) []byte {
				return tarball(t, map[string]string{"deep/main.tf": child(w.Host(), ">= 1.0.0")})
			}},
			{Namespace: "acme", Name: "escape", System: "zip", Versions: []string{"1.0.0"}, Archive: func(string) []byte {
				return registrytest.MakeZip(registrytest.File{Name: "main.tf", Content: "module \"up\" {\n  source = \"../../../..\"\n}\n"})
			}},
		},
	})
	w.ca = filepath.Join(filepath.Dir(w.dir), "ca.pem")
	w.write(t, w.ca, string(w.CertificatePEM()))
	w.write(t, filepath.Join(w.dir, "main.tf"), fmt.Sprintf(`
terraform {
  required_providers {
    tool = { source = "%[1]s/acme/tool" }
  }
}
module "zip" {
  source  = "%[1]s/acme/net/zip"
  version = "~> 1.0"
}
module "again" {
  source  = "%[1]s/acme/net/zip"
  version = "~> 1.0"
}
module "tar" {
  source = "%[1]s/acme/net/tar//deep"
}
module "archive" {
  source = "https://%[1]s/archive/acme/net/zip/2.0.0.zip//inner"
}
module "local" {
  source = "./local"
}
`, w.Host()))
	w.write(t, filepath.Join(w.dir, "local", "main.tf"), "variable \"x\" {\n  default = 1\n}\n")
	return w
}

func (w *world) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// install runs the program.
func (w *world) install(t *testing.T, environ []string, args ...string) (string, error) {
	t.Helper()
	var out, errOut bytes.Buffer
	err := run(t.Context(), append(append([]string{"-ca", w.ca}, args...), w.dir), &out, &errOut, environ)
	if errOut.Len() > 0 {
		t.Errorf("standard error: %s", &errOut)
	}
	return out.String(), err
}

// tree has every file below a directory with its text, and links with their targets.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			out[rel], err = os.Readlink(name)
		case !d.IsDir():
			var b []byte
			b, err = os.ReadFile(name)
			out[rel] = string(b)
		default:
			out[rel] = "directory"
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (w *world) locks(t *testing.T) lockfile.Locks {
	t.Helper()
	f, err := lockfile.Load(filepath.Join(w.dir, lockfile.Name))
	if err != nil {
		t.Fatal(err)
	}
	return f.Locks()
}

// Everything is where the tools look for it, and nothing else is there.
func TestInstall(t *testing.T) {
	for _, cache := range []string{"", t.TempDir()} {
		w := newWorld(t)
		args := []string{}
		if cache != "" {
			args = append(args, "-cache", cache)
		}
		out, err := w.install(t, nil, args...)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"acme/null 1.2.0 (newest): from " + w.Host() + ", signed by " + w.Key.ID(), "acme/net/zip 1.1.0", "acme/net/tar//deep 1.0.0", "2 providers, 4 modules fetched"} {
			if !strings.Contains(out, want) {
				t.Errorf("%q is not in\n%s", want, out)
			}
		}
		locks := w.locks(t)
		if f, err := install.Verify(t.Context(), w.dir, locks, addrs.Platform{}); err != nil || len(f) > 0 || len(locks) != 2 {
			t.Errorf("got %v, %v, %v", f, err, locks)
		}
		m, err := install.ReadManifest(w.dir)
		if err != nil {
			t.Fatal(err)
		}
		host := w.Host()
		want := install.Manifest{
			{Key: "", Dir: "."},
			{Key: "again", Source: host + "/acme/net/zip", Version: "1.1.0", Dir: ".terraform/modules/again"},
			{Key: "again.in", Source: "./inner", Dir: ".terraform/modules/again/inner"},
			{Key: "archive", Source: "https://" + host + "/archive/acme/net/zip/2.0.0.zip//inner", Dir: ".terraform/modules/archive/inner"},
			{Key: "local", Source: "./local", Dir: "local"},
			{Key: "tar", Source: host + "/acme/net/tar//deep", Version: "1.0.0", Dir: ".terraform/modules/tar/deep"},
			{Key: "zip", Source: host + "/acme/net/zip", Version: "1.1.0", Dir: ".terraform/modules/zip"},
			{Key: "zip.in", Source: "./inner", Dir: ".terraform/modules/zip/inner"},
		}
		if !slices.Equal(m, want) {
			t.Errorf("got %+v", m)
		}
		if n := w.Count(registrytest.KindModuleArchive); n != 3 {
			t.Errorf("%d archives were fetched, want 3", n)
		}
		var names []string
		for name := range tree(t, filepath.Join(w.dir, ".terraform")) {
			if !strings.Contains(name, string(filepath.Separator)) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		if !slices.Equal(names, []string{".", "modules", "providers"}) {
			t.Errorf("below .terraform are %q", names)
		}
		// Again, nothing is asked and nothing changes.
		before := tree(t, w.dir)
		w.Clear()
		if out, err = w.install(t, nil, args...); err != nil || len(w.Requests()) > 0 || !strings.Contains(out, "was complete already") {
			t.Errorf("again: %d requests, %v\n%s", len(w.Requests()), err, out)
		}
		if after := tree(t, w.dir); !equal(before, after) {
			t.Errorf("changed to %q", after)
		}
	}
}

func equal(a, b map[string]string) bool {
	for name := range a {
		if a[name] != b[name] {
			return false
		}
	}
	return len(a) == len(b)
}

// An upgrade moves versions and fetches modules again; without it they stay, and a
// lock that nobody needs any more goes.
func TestInstall_upgrade(t *testing.T) {
	w := newWorld(t)
	w.write(t, filepath.Join(w.dir, "main.tf"), fmt.Sprintf("terraform {\n required_providers {\n n = {\n source = \"%s/acme/null\"\n version = \"1.0.0\"\n}\n}\n}\n", w.Host()))
	if _, err := w.install(t, nil); err != nil {
		t.Fatal(err)
	}
	w.write(t, filepath.Join(w.dir, "main.tf"), fmt.Sprintf("terraform {\n required_providers {\n n = {\n source = \"%s/acme/null\"\n}\n}\n}\n", w.Host()))
	for _, tt := range []struct {
		args []string
		want string
	}{{nil, "1.0.0"}, {[]string{"-upgrade"}, "2.0.0"}} {
		if _, err := w.install(t, nil, tt.args...); err != nil {
			t.Fatal(err)
		}
		if got := w.locks(t); len(got) != 1 || got[0].Version.String() != tt.want {
			t.Errorf("%v: got %v", tt.args, got)
		}
	}
	w.write(t, filepath.Join(w.dir, "main.tf"), "# nothing\n")
	if out, err := w.install(t, nil); err != nil || len(w.locks(t)) > 0 {
		t.Errorf("got %v\n%s", err, out)
	}
}

// Whatever goes wrong, the module is as it was.
func TestInstall_faults(t *testing.T) {
	fresh := func(t *testing.T, w *world) {}
	installed := func(t *testing.T, w *world) {
		if _, err := w.install(t, nil); err != nil {
			t.Fatal(err)
		}
	}
	call := func(source string) func(*testing.T, *world) {
		return func(t *testing.T, w *world) {
			w.write(t, filepath.Join(w.dir, "more.tf"), fmt.Sprintf("module \"more\" {\n  source = %q\n}\n", strings.ReplaceAll(source, "HOST", w.Host())))
		}
	}
	for _, tt := range []struct {
		name   string
		before func(*testing.T, *world)
		fault  registrytest.Fault
		args   []string
		want   string
	}{
		{"a bad package", fresh, "zip-flipped", nil, "checksum mismatch"},
		{"a bad package again", installed, "zip-flipped", []string{"-upgrade"}, ""},
		{"a bad signature", fresh, "signature-swapped", nil, "bad signature"},
		{"a module that is not there", call("HOST/acme/none/zip"), "", nil, "acme/none/zip"},
		{"no such subdirectory", call("HOST/acme/net/zip//none"), "", nil, "no subdirectory"},
		{"out of the package", call("HOST/acme/escape/zip"), "", nil, "leads out of the package"},
		{"an unknown place", call("s3::https://s3.amazonaws.com/bucket/m.zip"), "", nil, "cannot be fetched"},
		{"a strange ref", call("git::https://HOST/m.git?ref=--upload-pack=x"), "", nil, "the ref of the source is not valid"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			tt.before(t, w)
			before := tree(t, w.dir)
			if tt.fault != "" {
				w.Inject(tt.fault)
			}
			_, err := w.install(t, nil, tt.args...)
			if tt.want == "" { // the installed package is good enough
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if after := tree(t, w.dir); !equal(before, after) {
				t.Errorf("before\n%q\nafter\n%q", before, after)
			}
		})
	}
}

// As Terraform, the default registry is another one, and so is the lock file's header.
func TestInstall_terraform(t *testing.T) {
	mirror := t.TempDir()
	w := newWorld(t)
	name := filepath.Join(mirror, addrs.TerraformHost, "acme", "null", "1.0.0", addrs.CurrentPlatform().String(), "terraform-provider-null")
	w.write(t, name, "plugin")
	if err := os.Chmod(name, 0o755); err != nil {
		t.Fatal(err)
	}
	w.write(t, filepath.Join(w.dir, "main.tf"), "terraform {\n required_providers {\n n = { source = \"acme/null\" }\n}\n}\n")
	w.write(t, filepath.Join(w.dir, "main.tofu"), "nonsense")
	if _, err := w.install(t, nil, "-mirror", mirror, "-terraform"); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(w.dir, lockfile.Name))
	if err != nil || !strings.Contains(string(b), `"terraform init"`) || !strings.Contains(string(b), addrs.TerraformHost) {
		t.Errorf("%v\n%s", err, b)
	}
	if _, err := w.install(t, nil, "-mirror", mirror); err == nil {
		t.Error("OpenTofu reads main.tofu")
	}
}

// The local backend is initialized as by the tools, whose hash this is; other backends,
// and states that would have to be moved, are left to init.
func TestInstall_backend(t *testing.T) {
	for config, want := range map[string]string{
		"backend \"local\" {\n    path = \"x.tfstate\"\n  }": `"hash": 2326359980`,
		"backend \"s3\" {\n    bucket = \"b\"\n  }":          "",
		"backend \"local\" {\n    path = var.x\n  }":         "",
	} {
		w := newWorld(t)
		w.write(t, filepath.Join(w.dir, "main.tf"), "terraform {\n  "+config+"\n}\n")
		out, err := w.install(t, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(w.dir, ".terraform", "terraform.tfstate"))
		if want == "" && (err == nil || !strings.Contains(out, "is not initialized")) || want != "" && !strings.Contains(string(b), want) {
			t.Errorf("%s: got %s, %v\n%s", config, b, err, out)
		}
		if want == "" {
			continue
		}
		os.RemoveAll(filepath.Join(w.dir, ".terraform"))
		w.write(t, filepath.Join(w.dir, "terraform.tfstate"), "{}")
		if out, err := w.install(t, nil); err != nil || !strings.Contains(out, "would move the existing state") {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

func TestInstall_usage(t *testing.T) {
	var out, errOut bytes.Buffer
	for _, args := range [][]string{nil, {"a", "b"}, {"-nonsense", "x"}, {filepath.Join(t.TempDir(), "missing")}, {"-ca", "missing", t.TempDir()}} {
		if err := run(t.Context(), args, &out, &errOut, nil); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}

// For modules "~> 1" has no upper bound, and hashes of unknown schemes go.
func TestInstall_asInit(t *testing.T) {
	w := newWorld(t)
	w.write(t, filepath.Join(w.dir, "main.tf"), fmt.Sprintf("module \"zip\" {\n  source  = \"%s/acme/net/zip\"\n  version = \"~>  1\"\n}\n", w.Host()))
	null := addrs.MustParseProvider(w.Host() + "/acme/null")
	file := lockfile.New(lockfile.Name, addrs.OpenTofu)
	if err := file.Set(lockfile.Lock{Provider: null, Version: addrs.MustParseVersion("1.2.0"), Hashes: []lockfile.Hash{"q9:x"}}); err != nil {
		t.Fatal(err)
	}
	w.write(t, filepath.Join(w.dir, lockfile.Name), string(file.Bytes()))
	out, err := w.install(t, nil)
	if err != nil || !strings.Contains(out, "acme/net/zip 2.0.0") {
		t.Fatalf("%v\n%s", err, out)
	}
	if l, _ := w.locks(t).Get(null); len(l.Hashes) < 2 || slices.Contains(l.Hashes, "q9:x") {
		t.Errorf("got %v", l)
	}
}

// Other constraints alone do not change the lock file, and the manifest has no links.
func TestInstall_unchanged(t *testing.T) {
	w := newWorld(t)
	config := "terraform {\n  required_providers {\n    n = {\n      source  = \"%s/acme/null\"\n      version = %q\n    }\n  }\n}\nmodule \"l\" {\n  source = \"./link\"\n}\n"
	w.write(t, filepath.Join(w.dir, "main.tf"), fmt.Sprintf(config, w.Host(), "1.0.0"))
	if err := os.Symlink("local", filepath.Join(w.dir, "link")); err != nil {
		t.Skip("needs a system with symbolic links:", err)
	}
	if _, err := w.install(t, nil); err != nil {
		t.Fatal(err)
	}
	before := tree(t, w.dir)
	m, err := install.ReadManifest(w.dir)
	if want := (install.Manifest{{Key: "", Dir: "."}, {Key: "l", Source: "./link", Dir: "local"}}); err != nil || !slices.Equal(m, want) {
		t.Errorf("got %v, %v", m, err)
	}
	before["main.tf"] = fmt.Sprintf(config, w.Host(), ">= 1.0.0")
	w.write(t, filepath.Join(w.dir, "main.tf"), before["main.tf"])
	if out, err := w.install(t, nil); err != nil || !strings.Contains(out, "was complete already") {
		t.Errorf("%v\n%s", err, out)
	}
	if after := tree(t, w.dir); !equal(before, after) {
		t.Errorf("changed to %q", after)
	}
}

// The version that Terraform locked stays when OpenTofu takes over, as with init.
func TestInstall_fromTerraform(t *testing.T) {
	w := newWorld(t)
	rc := filepath.Join(filepath.Dir(w.dir), "tofurc")
	w.write(t, rc, fmt.Sprintf("host \"registry.opentofu.org\" {\n  services = {\n    \"providers.v1\" = \"https://%s/v1/providers/\"\n  }\n}\n", w.Host()))
	w.write(t, filepath.Join(w.dir, "main.tf"), "terraform {\n  required_providers {\n    null = {}\n  }\n}\n")
	file := lockfile.New(lockfile.Name, addrs.Terraform)
	for _, typ := range []string{"null", "unused"} {
		l := lockfile.Lock{Provider: addrs.MustParseProvider("registry.terraform.io/hashicorp/" + typ), Version: addrs.MustParseVersion("1.0.0"), Hashes: []lockfile.Hash{"h1:x"}}
		if err := file.Set(l); err != nil {
			t.Fatal(err)
		}
	}
	w.write(t, filepath.Join(w.dir, lockfile.Name), string(file.Bytes()))
	if out, err := w.install(t, nil, "-cli-config", rc); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	locks := w.locks(t)
	if l, _ := locks.Get(addrs.MustParseProvider("hashicorp/null")); len(locks) != 1 || l.Version != addrs.MustParseVersion("1.0.0") || slices.Contains(l.Hashes, "h1:x") {
		t.Errorf("got %v", locks)
	}
}

// Warnings have a form of their own, on standard error. An archive in xz is a module.
func TestInstall_warnings(t *testing.T) {
	var packed bytes.Buffer
	z, err := xz.NewWriter(&packed)
	if err != nil {
		t.Fatal(err)
	}
	archive := tar.NewWriter(z)
	err = errors.Join(archive.WriteHeader(&tar.Header{Name: "main.tf", Typeflag: tar.TypeReg, Mode: 0o644}),
		archive.WriteHeader(&tar.Header{Name: "link", Linkname: "main.tf", Typeflag: tar.TypeSymlink}), archive.Close(), z.Close())
	if err != nil {
		t.Fatal(err)
	}
	plain := registrytest.MakeZip(registrytest.File{Name: "terraform-provider-plain_v1.0.0", Content: "x"})
	s := registrytest.Start(t, registrytest.Content{
		Providers: []registrytest.Provider{{Namespace: "acme", Type: "plain", Versions: []registrytest.Version{
			{Version: "1.0.0", Platforms: []string{addrs.CurrentPlatform().String()}, Zip: func(string) []byte { return plain }}}}},
		Modules: []registrytest.Module{{Namespace: "acme", Name: "net", System: "test", Versions: []string{"2.0.0"}, JSON: true, UseCredentials: new(bool), Archive: func(string) []byte { return packed.Bytes() }}},
	})
	dir := t.TempDir()
	ca := filepath.Join(dir, "ca.pem")
	text := fmt.Sprintf("terraform {\n required_providers {\n p = { source = \"%s/acme/plain\" }\n}\n}\nmodule \"net\" {\n source = \"%[1]s/acme/net/test\"\n}\n", s.Host())
	if err := errors.Join(os.WriteFile(ca, []byte(s.CertificatePEM()), 0o600), os.Mkdir(filepath.Join(dir, "m"), 0o755), os.WriteFile(filepath.Join(dir, "m", "main.tf"), []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	var out, errOut bytes.Buffer
	if err := run(t.Context(), []string{"-ca", ca, filepath.Join(dir, "m")}, &out, &errOut, []string{}); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("warning: %s/acme/net/test 2.0.0: the link \"link\" in the archive became a file without the content of its target, as in the tools\n"+
		"warning: %[1]s/acme/plain 1.0.0: the plugin terraform-provider-plain_v1.0.0 is not executable in its package, so that no tool can start it\n", s.Host())
	if errOut.String() != want && addrs.CurrentPlatform().OS() != "windows" || strings.Contains(out.String(), "warning:") {
		t.Errorf("got %swant %s", &errOut, want)
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

// OpenTofu computes sources of modules early. The modules that tests run have the keys of the tools,
// and the values of their run alone; what tests configure is locked. Verdicts of tofu 1.12.6.
func TestInstall_earlyAndTests(t *testing.T) {
	t.Setenv("TF_VAR_env", "local")
	t.Setenv("TF_VAR_file", "none")
	t.Setenv("TF_VAR_list", `["local"]`)
	t.Setenv("TF_VAR_text", "[local]")
	t.Setenv("TF_WORKSPACE", "dev")
	w := newWorld(t)
	for name, text := range map[string]string{
		"main.tf": `
			variable "env" {}
			variable "file" {}
			variable "v" {
			  default = "1.0.0"
			}
			locals {
			  net = "${terraform.workspace == "dev" ? "net" : "none"}/tar"
			}
			module "env" {
			  source = "./${var.env}"
			}
			module "file" {
			  source = "./${lower(var.file)}"
			  next   = "../local"
			}
			variable "list" {
			  type = list(string)
			}
			module "list" {
			  source = "./${var.list[0]}"
			}
			variable "text" {
			  type = string
			}
			module "text" {
			  source = "./${trim(var.text, "[]")}"
			}
			module "net" {
			  source  = "` + w.Host() + `/acme/${local.net}"
			  version = var.v
			}`,
		"terraform.tfvars":     `file = "CALLER"`,
		"local/main.tf":        "",
		"caller/main.tf":       "variable \"next\" {}\nmodule \"next\" {\n  source = var.next\n}",
		"tests/a.b.tftest.hcl": "run \"z\" {\n  variables {\n    next = \"../caller\"\n  }\n  module {\n    source = \"./tests/setup\"\n  }\n}",
		"tests/setup/main.tf":  "variable \"next\" {\n  default = \"../../local\"\n}\nmodule \"s\" {\n  source = \"../${var.next}\"\n  next   = \"../local\"\n}",
		"c.tftest.json":        `{"run":{"z":{"module":{"source":"./local"}}},"provider":{"null":{"version":"< 1.2"}}}`,
	} {
		w.write(t, filepath.Join(w.dir, filepath.FromSlash(name)), text)
	}
	rc := filepath.Join(filepath.Dir(w.dir), "tofurc")
	w.write(t, rc, fmt.Sprintf("host \"registry.opentofu.org\" {\n  services = {\n    \"providers.v1\" = \"https://%s/v1/providers/\"\n  }\n}\n", w.Host()))
	if out, err := w.install(t, nil, "-cli-config", rc); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if l, _ := w.locks(t).Get(addrs.MustParseProvider("hashicorp/null")); l.Version != addrs.MustParseVersion("1.0.0") {
		t.Errorf("the provider of a test is locked as %v", l)
	}
	m, err := install.ReadManifest(w.dir)
	var got []string
	for _, mod := range m {
		got = append(got, mod.Key+" "+mod.Dir)
	}
	want := []string{" .", "env local", "file caller", "file.next local", "list local", "net .terraform/modules/net", "test.c.tftest.json.z local",
		"test.tests.a.b.z tests/setup", "test.tests.a.b.z.s caller", "test.tests.a.b.z.s.next local", "text local"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v", got, err)
	}
}
