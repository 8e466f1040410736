// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs_test

import (
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
)

// moduleSourceTests are module sources, their kind and their normal form.
var moduleSourceTests = []struct {
	in   string
	kind addrs.ModuleSourceKind
	want string
}{
	{"./a", addrs.LocalSource, "./a"},
	{"../a/b", addrs.LocalSource, "../a/b"},
	{`.\a\b`, addrs.LocalSource, "./a/b"},
	{`..\a`, addrs.LocalSource, "../a"},
	{"./", addrs.LocalSource, "./."},
	{"../", addrs.LocalSource, "./.."},
	{"../../a/..", addrs.LocalSource, "../.."},
	{"./../a", addrs.LocalSource, "../a"},
	{"./a//b", addrs.LocalSource, "./a/b"},
	{"./a?ref=1", addrs.LocalSource, "./a?ref=1"},
	{".", addrs.InvalidSource, ""},
	{"..", addrs.InvalidSource, ""},
	{"", addrs.InvalidSource, ""},
	{"foo", addrs.InvalidSource, ""},

	{"hashicorp/consul/aws", addrs.RegistrySource, "registry.opentofu.org/hashicorp/consul/aws"},
	{"Hashi_c-orp/CONSUL/aws2", addrs.RegistrySource, "registry.opentofu.org/Hashi_c-orp/CONSUL/aws2"},
	{"a/b/c//x", addrs.RegistrySource, "registry.opentofu.org/a/b/c//x"},
	{"a/b/c//x/../y", addrs.RegistrySource, "registry.opentofu.org/a/b/c//y"},
	{"a/b/c//", addrs.RegistrySource, "registry.opentofu.org/a/b/c"},
	{"a/b/c//.", addrs.RegistrySource, "registry.opentofu.org/a/b/c//."},
	{"a/b/c//../x", addrs.InvalidSource, ""},
	{"a/b/c//..", addrs.InvalidSource, ""},
	{"a/b/C", addrs.InvalidSource, ""},
	{"a/b/c-d", addrs.InvalidSource, ""},
	{"_a/b/c", addrs.InvalidSource, ""},
	{"a/b-/c", addrs.InvalidSource, ""},
	{"a//b/c", addrs.InvalidSource, ""},
	{"a/b", addrs.InvalidSource, ""},
	{"a/" + strings.Repeat("b", 64) + "/c", addrs.RegistrySource, "registry.opentofu.org/a/" + strings.Repeat("b", 64) + "/c"},
	{"a/" + strings.Repeat("b", 65) + "/c", addrs.InvalidSource, ""},
	{"a/b/" + strings.Repeat("c", 65), addrs.InvalidSource, ""},
	{"a/b/c?x", addrs.InvalidSource, ""},
	{"a/b/c/d/e", addrs.InvalidSource, ""},
	{"example.com/a/b/c", addrs.RegistrySource, "example.com/a/b/c"},
	{"Example.com:443/a/b/c", addrs.RegistrySource, "example.com/a/b/c"},
	{"example.com:8443/a/b/c", addrs.RegistrySource, "example.com:8443/a/b/c"},
	{"ünï.example/a/b/c", addrs.RegistrySource, "ünï.example/a/b/c"},
	{"gitlab.com/a/b/c", addrs.RegistrySource, "gitlab.com/a/b/c"},
	{"localhost/a/b/c", addrs.InvalidSource, ""},
	{"localhost:8443/a/b/c", addrs.RemoteSource, "localhost:8443/a/b/c"},

	{"github.com/a/b", addrs.RemoteSource, "git::https://github.com/a/b.git"},
	{"github.com/a/b.git", addrs.RemoteSource, "git::https://github.com/a/b.git"},
	{"github.com/a/b/c", addrs.RemoteSource, "git::https://github.com/a/b.git//c"},
	{"github.com/a/b//c?ref=v1", addrs.RemoteSource, "git::https://github.com/a/b.git//c?ref=v1"},
	{"github.com/a/b/c//d", addrs.RemoteSource, "git::https://github.com/a/b.git//c/d"},
	{"git::github.com/a/b", addrs.RemoteSource, "git::https://github.com/a/b.git"},
	{"github.com/a", addrs.InvalidSource, ""},
	{"github.com/%zz/b", addrs.InvalidSource, ""},
	{"github.com/a/b/../../c", addrs.InvalidSource, ""},
	{"bitbucket.org/%zz/b", addrs.InvalidSource, ""},
	{"www.googleapis.com/storage/v1/%zz/b", addrs.InvalidSource, ""},
	{"s3.amazonaws.com/%zz", addrs.InvalidSource, ""},
	{"/a?x#//b", addrs.RemoteSource, "file:///a?x#//b"},
	{"github.com/a/b//../../../c", addrs.InvalidSource, ""},
	{"git@github.com:a/b.git", addrs.RemoteSource, "git::ssh://git@github.com/a/b.git"},
	{"git@github.com:a/b.git//c?ref=v1", addrs.RemoteSource, "git::ssh://git@github.com/a/b.git//c?ref=v1"},
	{"git::git@ex.com:/a", addrs.RemoteSource, "git::ssh://git@ex.com/a"},
	{"git@ex.com:a?b;c", addrs.InvalidSource, ""},
	{"user@ex.com:a", addrs.InvalidSource, ""},
	{"bitbucket.org/a/b", addrs.RemoteSource, "git::https://bitbucket.org/a/b.git"},
	{"www.googleapis.com/storage/v1/b/o.zip", addrs.RemoteSource, "gcs::https://www.googleapis.com/storage/v1/b/o.zip"},
	{"www.googleapis.com/storage/v1", addrs.InvalidSource, ""},
	{"s3.amazonaws.com/b/k.zip", addrs.RemoteSource, "s3::https://s3.amazonaws.com/b/k.zip"},
	{"s3-eu-west-1.amazonaws.com/b/k.zip", addrs.RemoteSource, "s3::https://s3-eu-west-1.amazonaws.com/b/k.zip"},
	{"b.s3-eu-west-1.amazonaws.com/k.zip", addrs.RemoteSource, "s3::https://s3-eu-west-1.amazonaws.com/b/k.zip"},
	{"b.s3.eu-west-1.amazonaws.com/k.zip", addrs.RemoteSource, "s3::https://s3.eu-west-1.amazonaws.com/b/k.zip"},
	{"a.b.c.d.amazonaws.com/k", addrs.InvalidSource, ""},
	{".s3.amazonaws.com/b/k", addrs.InvalidSource, ""},
	{"https://ex.com/a.zip//b?x=//y", addrs.RemoteSource, "https://ex.com/a.zip//b?x=//y"},
	{"git::https://ex.com/a.git//b/../c?ref=1", addrs.RemoteSource, "git::https://ex.com/a.git//c?ref=1"},
	{"git::https://ex.com/a.git//../c", addrs.InvalidSource, ""},
	{"hg::http://ex.com/a", addrs.RemoteSource, "hg::http://ex.com/a"},
	{"oci://ex.com/a?tag=1", addrs.RemoteSource, "oci://ex.com/a?tag=1"},
	{"file:///a", addrs.RemoteSource, "file:///a"},
	{"/a/b", addrs.RemoteSource, "file:///a/b"},
	{"/a//b", addrs.RemoteSource, "file:///a//b"},
	{"git::/a", addrs.RemoteSource, "git::file:///a"},
}

func TestModuleSource(t *testing.T) {
	for _, tt := range moduleSourceTests {
		m, _ := checkParse(t, addrs.ParseModuleSource, tt.in)
		if m.Kind() != tt.kind || m.String() != tt.want {
			_, err := addrs.ParseModuleSource(tt.in)
			t.Errorf("ParseModuleSource(%q) = %v %q, %v, want %v %q", tt.in, m.Kind(), m, err, tt.kind, tt.want)
		}
		r, err := addrs.ParseModuleRegistrySource(tt.in)
		if (err == nil) != (tt.kind == addrs.RegistrySource) || err == nil && r != m {
			t.Errorf("ParseModuleRegistrySource(%q) = %v, %v", tt.in, r, err)
		}
	}
	for kind, want := range map[addrs.ModuleSourceKind]string{
		addrs.LocalSource: "local", addrs.RegistrySource: "registry", addrs.RemoteSource: "remote", addrs.InvalidSource: "invalid",
	} {
		if kind.String() != want {
			t.Errorf("%v prints as %s", want, kind)
		}
	}
}

func TestModuleSourceParts(t *testing.T) {
	m := addrs.MustParseModuleSource("Acme/Net/aws//modules/x")
	host, namespace, name, system, ok := m.Registry()
	if host != addrs.DefaultHost || namespace != "Acme" || name != "Net" || system != "aws" || !ok {
		t.Errorf("%q, %q, %q, %q, %v", host, namespace, name, system, ok)
	}
	if m.Package() != "registry.opentofu.org/Acme/Net/aws" || m.Subdir() != "modules/x" || m.ForDisplay() != "Acme/Net/aws//modules/x" {
		t.Errorf("%q, %q, %q", m.Package(), m.Subdir(), m.ForDisplay())
	}
	r := addrs.MustParseModuleSource("git::https://ex.com/a.git//b?ref=1")
	if r.Package() != "git::https://ex.com/a.git?ref=1" || r.Subdir() != "b" || r.ForDisplay() != r.String() {
		t.Errorf("%q, %q, %q", r.Package(), r.Subdir(), r.ForDisplay())
	}
	if _, _, _, _, ok := r.Registry(); ok {
		t.Error("a remote source has registry parts")
	}
	l := addrs.MustParseModuleSource("./a")
	if l.Package() != "./a" || l.Subdir() != "" {
		t.Errorf("%q, %q", l.Package(), l.Subdir())
	}
}

func TestModuleSourceResolve(t *testing.T) {
	for _, tt := range []struct{ base, rel, want string }{
		{"./a", "./b", "./a/b"},
		{"./a", "../b", "./b"},
		{"./a", "../../b", "../b"},
		{"../a", "../../b", "../../b"},
		{"a/b/c//x/y", "../z", "registry.opentofu.org/a/b/c//x/z"},
		{"a/b/c//x", "../", "registry.opentofu.org/a/b/c"},
		{"a/b/c", "./x", "registry.opentofu.org/a/b/c//x"},
		{"a/b/c//x", "../../y", ""},
		{"a/b/c", "../", ""},
		{"git::https://ex.com/a.git//b?ref=1", "../c", "git::https://ex.com/a.git//c?ref=1"},
		{"git::https://ex.com/a.git?ref=1", "../c", ""},
		{"./a", "x/y/z", "registry.opentofu.org/x/y/z"},
	} {
		m, err := addrs.MustParseModuleSource(tt.base).Resolve(addrs.MustParseModuleSource(tt.rel))
		if m.String() != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s in %s = %q, %v, want %q", tt.rel, tt.base, m, err, tt.want)
		}
	}
	got := addrs.MustParseModuleSource("git::https://ex.com/a.git//b?ref=1").FromRegistry(addrs.MustParseModuleSource("x/y/z//c"))
	if got.String() != "git::https://ex.com/a.git//b/c?ref=1" {
		t.Errorf("FromRegistry: %v", got)
	}
	plain := addrs.MustParseModuleSource("https://ex.com/a.zip")
	if got := plain.FromRegistry(addrs.MustParseModuleSource("x/y/z")); got != plain {
		t.Errorf("FromRegistry: %v", got)
	}
}

func TestModuleSourceRevision(t *testing.T) {
	for source, want := range map[string]string{
		"github.com/acme/net?ref=v1.2.3":                       "v1.2.3",
		"github.com/acme/net//sub/dir?depth=1&ref=tags/v1":     "tags/v1",
		"git@example.com:acme/net.git?ref=tags/1":              "tags/1",
		"git::https://example.com/net.git":                     "",
		"git::https://example.com/net.git?ref=a%2Fb%zz&ref=c":  "c",
		"git::https://example.com/net.git?ref=":                "",
		"git://example.com/net.git?ref=main":                   "main",
		"hg::https://example.com/net?rev=abc":                  "abc",
		"oci://example.com/net?tag=1.0":                        "1.0",
		"oci://example.com/net?digest=sha256:ab":               "sha256:ab",
		"https://example.com/net.zip?ref=v1":                   "",
		"s3::https://s3.amazonaws.com/bucket/net.zip?ref=main": "",
		"acme/net/aws": "",
		"./net":        "",
	} {
		m, err := addrs.ParseModuleSource(source)
		if err != nil {
			t.Errorf("%s: %v", source, err)
		}
		if got := m.Revision(); got != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
	if got := (addrs.ModuleSource{}).Revision(); got != "" {
		t.Errorf("the zero source has the revision %q", got)
	}
}
