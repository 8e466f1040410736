// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/addrs"
)

// providerTests are provider source addresses and their normal form, which is
// empty if they are refused.
var providerTests = []struct{ name, in, want string }{
	{"one part", "aws", "registry.opentofu.org/hashicorp/aws"},
	{"two parts", "a/b", "registry.opentofu.org/a/b"},
	{"three parts", "ex.com/a/b", "ex.com/a/b"},
	{"four parts", "ex.com/a/b/c", ""},
	{"empty", "", ""},
	{"empty type", "a/", ""},
	{"empty namespace", "a//b", ""},
	{"empty host", "/a/b", ""},
	{"upper case", "EX.com/A/B", "ex.com/a/b"},
	{"letters fold", "Ünï/ß", "registry.opentofu.org/ünï/ß"},
	{"ligature and full width", "ﬀ/１", "registry.opentofu.org/ff/1"},
	{"Kelvin sign and digraph", "K/ǅ", "registry.opentofu.org/k/dž"},
	{"NFD", "cafe\u0301/a", "registry.opentofu.org/café/a"},
	{"emoji", "a/😀", "registry.opentofu.org/a/😀"},
	{"long", "a/" + strings.Repeat("x", 300), "registry.opentofu.org/a/" + strings.Repeat("x", 300)},
	{"dot in type", "a/b.c", ""},
	{"underscore", "a/b_c", ""},
	{"leading hyphen", "a/-b", ""},
	{"trailing hyphen", "a/b-", ""},
	{"double hyphen", "a/b--c", ""},
	{"punycode in type", "a/xn--bcher-kva", ""},
	{"hyphens", "a-b/c-d-e", "registry.opentofu.org/a-b/c-d-e"},
	{"joiner", "a/b\u200dc", ""},
	{"space", "a b/c/d", ""},
	{"ignorable characters alone", "\u034f", ""},
	{"ideographic full stop", "a/b。c", ""},
	{"invalid UTF-8", "a/\xff", ""},
	{"invalid UTF-8 in host", "\xff.x/a/b", ""},
	{"legacy", "-/aws", "registry.opentofu.org/-/aws"},
	{"legacy in full", "registry.opentofu.org/-/aws", "registry.opentofu.org/-/aws"},
	{"legacy of Terraform", "registry.terraform.io/-/aws", "registry.terraform.io/-/aws"},
	{"legacy elsewhere", "ex.com/-/aws", ""},
	{"hyphen as type", "a/-", ""},
	{"built-in", "terraform.io/builtin/terraform", "terraform.io/builtin/terraform"},
	{"terraform alone", "terraform", "registry.opentofu.org/hashicorp/terraform"},
	{"prefix terraform-provider-", "a/terraform-provider-b", ""},
	{"prefix terraform-", "a/terraform-b", ""},
	{"prefix opentofu-provider-", "x.y/a/opentofu-provider-b", ""},
	{"prefix opentofu-", "a/opentofu-b", ""},
	{"prefix in one part", "terraform-provider-aws", ""},
	{"default port", "ex.com:443/a/b", "ex.com/a/b"},
	{"port", "ex.com:8443/a/b", "ex.com:8443/a/b"},
	{"port with zeros", "ex.com:08443/a/b", "ex.com:8443/a/b"},
	{"port with sign", "ex.com:+80/a/b", "ex.com:80/a/b"},
	{"port 0", "ex.com:0/a/b", "ex.com:0/a/b"},
	{"negative port", "ex.com:-1/a/b", "ex.com:-1/a/b"},
	{"port too large", "ex.com:65536/a/b", ""},
	{"port not a number", "ex.com:x/a/b", ""},
	{"port empty", "ex.com:/a/b", ""},
	{"port alone", ":80/a/b", ""},
	{"international host", "Bücher.example/a/b", "bücher.example/a/b"},
	{"international host with port", "bücher.example:8443/a/b", "bücher.example:8443/a/b"},
	{"punycode host", "xn--bcher-kva.example/a/b", ""},
	{"upper-case punycode host", "XN--bcher-kva.example/a/b", "bücher.example/a/b"},
	{"empty upper-case punycode", "XN--/a/b", ""},
	{"full-width host", "ｅｘ。com/a/b", "ex.com/a/b"},
	{"underscore in host", "a_b.example/a/b", ""},
	{"empty label", "a..b/a/b", ""},
	{"long host", strings.Repeat("A", 1025) + "/a/b", ""},
	{"leading dot", ".example/a/b", ""},
	{"hyphen in front", "-a.example/a/b", ""},
	{"trailing dot", "example.com./a/b", "example.com./a/b"},
	{"two trailing dots", "example.com../a/b", "example.com../a/b"},
	{"IPv6", "[::1]/a/b", ""},
	{"IPv4", "127.0.0.1:8080/a/b", "127.0.0.1:8080/a/b"},
	{"localhost", "localhost/a/b", "localhost/a/b"},
	{"URL", "https://ex.com/a", ""},
	{"accents", "café.fr/a/b", "café.fr/a/b"},
	{"builtin elsewhere", "ex.com/builtin/b", "ex.com/builtin/b"},
}

func TestProvider(t *testing.T) {
	for _, tt := range providerTests {
		t.Run(tt.name, func(t *testing.T) {
			p, ok := checkParse(t, addrs.ParseProvider, tt.in)
			if p.String() != tt.want || ok != (tt.want != "") {
				_, err := addrs.ParseProvider(tt.in)
				t.Errorf("ParseProvider(%q) = %q, %v, want %q", tt.in, p, err, tt.want)
			}
		})
	}
}

func TestProviderParts(t *testing.T) {
	p := addrs.MustParseProvider("Bücher.example:8443/Acme/widget")
	got := []string{p.Host(), p.ASCIIHost(), p.Namespace(), p.Type(), p.ForDisplay()}
	want := []string{"bücher.example:8443", "xn--bcher-kva.example:8443", "acme", "widget", "bücher.example:8443/acme/widget"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	q := addrs.MustParseProvider("aws")
	if q.ForDisplay() != "hashicorp/aws" || q.Host() != addrs.DefaultHost {
		t.Errorf("%v: %q, %q", q, q.ForDisplay(), q.Host())
	}
	if r, err := q.WithHost(addrs.TerraformHost); err != nil || r.String() != "registry.terraform.io/hashicorp/aws" {
		t.Errorf("WithHost: %v, %v", r, err)
	}
	if _, err := q.WithHost("a/b"); err == nil {
		t.Error("a host has a slash")
	}
	if _, err := addrs.NewProvider("ex.com", "-", "x"); err == nil {
		t.Error("legacy provider on another host")
	}
}

func TestSpecialProviders(t *testing.T) {
	for _, tt := range []struct {
		in              string
		builtIn, legacy bool
	}{
		{"terraform.io/builtin/terraform", true, false},
		{"opentofu.org/builtin/x", true, false},
		{"builtin/x", false, false},
		{"ex.com/builtin/x", false, false},
		{"terraform.io/x/terraform", false, false},
		{"-/aws", false, true},
		{"aws", false, false},
	} {
		p := addrs.MustParseProvider(tt.in)
		if p.IsBuiltIn() != tt.builtIn || p.IsLegacy() != tt.legacy {
			t.Errorf("%v: built-in %v, legacy %v", p, p.IsBuiltIn(), p.IsLegacy())
		}
	}
	for name, want := range map[string]string{
		"terraform":   "terraform.io/builtin/terraform",
		"aws":         "registry.opentofu.org/hashicorp/aws",
		"AWS":         "registry.opentofu.org/hashicorp/aws",
		"a_b":         "",
		"terraform-x": "",
		"":            "",
	} {
		if p, err := addrs.ImpliedProvider(name); p.String() != want || (err == nil) != (want != "") {
			t.Errorf("ImpliedProvider(%q) = %v, %v", name, p, err)
		}
	}
}

// TestProviderOrder checks the order of lock files, which is by punycode.
func TestProviderOrder(t *testing.T) {
	want := []string{
		"example.com/b/a",
		"registry.opentofu.org/a/z",
		"registry.opentofu.org/b/a",
		"registry.opentofu.org/b/b",
		"bücher.example/a/a",
		"bücher.example:8443/a/a",
		"zzz.example/a/a",
	}
	var got []addrs.Provider
	for _, s := range want {
		got = append(got, addrs.MustParseProvider(s))
	}
	slices.Reverse(got)
	slices.SortFunc(got, addrs.Provider.Compare)
	var texts []string
	for _, p := range got {
		texts = append(texts, p.String())
	}
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestPlatform(t *testing.T) {
	for in, ok := range map[string]bool{
		"linux_amd64": true, "a_b": true, "Linux_AMD64": true, "": false, "_": false, "a": false,
		"a_": false, "_b": false, "a_b_c": false, "a b_c": false, "a_b\n": false, "../a_b": false, "a\\_b": false,
	} {
		p, got := checkParse(t, addrs.ParsePlatform, in)
		if got != ok {
			t.Errorf("ParsePlatform(%q) = %v, accepted %v", in, p, got)
		}
	}
	p := addrs.MustParsePlatform("darwin_arm64")
	if p.OS() != "darwin" || p.Arch() != "arm64" {
		t.Errorf("%s, %s", p.OS(), p.Arch())
	}
	if c := addrs.CurrentPlatform(); addrs.MustParsePlatform(c.String()) != c {
		t.Errorf("current platform is %v", c)
	}
	if p.Compare(addrs.MustParsePlatform("linux_386")) != -1 {
		t.Error("wrong order")
	}
}
