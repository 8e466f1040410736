// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// write writes files below dir.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

// credential is a file with a token for each of the hosts.
func credential(token string, hosts ...string) string {
	var b strings.Builder
	for _, h := range hosts {
		b.WriteString("credentials \"" + h + "\" { token = \"" + token + "\" }\n")
	}
	return b.String()
}

// Each tool reads its own files, on each system, and the later ones win.
func TestCLIEnvironment_discovery(t *testing.T) {
	all := map[string]string{
		".tofurc": credential("tofurc", "a", "b"), ".terraformrc": credential("terraformrc", "a", "b"),
		"tofu.rc": credential("tofu.rc", "a", "b"), "terraform.rc": credential("terraform.rc", "a", "b"),
		".terraform.d/credentials.tfrc.json": `{"credentials": {"b": {"token": "login"}, "c": {"token": "login"}}}`,
		".terraform.d/a.tfrc":                credential("a.tfrc", "c", "d"),
		".terraform.d/ignored.txt":           "{{{",
		"terraform.d/z.tfrc":                 credential("z.tfrc", "b", "c"),
		"xdg/opentofu/tofurc":                credential("xdg", "a", "b"),
		"xdg/opentofu/x.tfrc":                credential("x.tfrc", "b", "c"),
		"own":                                credential("own", "a"),
	}
	without := func(names ...string) map[string]string {
		out := map[string]string{}
		for k, v := range all {
			out[k] = v
		}
		for _, n := range names {
			delete(out, n)
		}
		return out
	}
	dotD := []string{".terraform.d/a.tfrc", ".terraform.d/credentials.tfrc.json"}
	tests := []struct {
		name  string
		env   registry.CLIEnvironment
		vars  []string
		files map[string]string
		want  registry.Tokens
	}{
		{"tofu", registry.CLIEnvironment{GOOS: "linux"}, nil, all, registry.Tokens{"a": "tofurc", "b": "login", "c": "login", "d": "a.tfrc"}},
		{"tofu, xdg is last", registry.CLIEnvironment{GOOS: "linux"}, []string{"XDG_CONFIG_HOME=HOME/xdg"}, all, registry.Tokens{"a": "tofurc", "b": "login", "c": "login", "d": "a.tfrc"}},
		{"tofu, legacy", registry.CLIEnvironment{GOOS: "darwin"}, nil, without(".tofurc"), registry.Tokens{"a": "terraformrc", "b": "login", "c": "login", "d": "a.tfrc"}},
		{"tofu, xdg", registry.CLIEnvironment{GOOS: "linux"}, []string{"XDG_CONFIG_HOME=HOME/xdg"}, without(append(dotD, ".tofurc", ".terraformrc", ".terraform.d/ignored.txt")...), registry.Tokens{"a": "xdg", "b": "x.tfrc", "c": "x.tfrc"}},
		{"terraform", registry.CLIEnvironment{GOOS: "linux", Tool: addrs.Terraform}, []string{"XDG_CONFIG_HOME=HOME/xdg"}, all, registry.Tokens{"a": "terraformrc", "b": "login", "c": "login", "d": "a.tfrc"}},
		{"tofu on windows", registry.CLIEnvironment{GOOS: "windows"}, nil, all, registry.Tokens{"a": "tofu.rc", "b": "z.tfrc", "c": "z.tfrc"}},
		{"terraform on windows", registry.CLIEnvironment{GOOS: "windows", Tool: addrs.Terraform}, nil, all, registry.Tokens{"a": "terraform.rc", "b": "z.tfrc", "c": "z.tfrc"}},
		{"a file of its own", registry.CLIEnvironment{GOOS: "linux"}, []string{"TF_CLI_CONFIG_FILE=HOME/own"}, all, registry.Tokens{"a": "own"}},
		{"the old variable", registry.CLIEnvironment{GOOS: "linux"}, []string{"TERRAFORM_CONFIG=HOME/own"}, all, registry.Tokens{"a": "own"}},
		{"nothing", registry.CLIEnvironment{GOOS: "linux"}, nil, nil, registry.Tokens{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			write(t, home, tt.files)
			if len(tt.files) < len(all)-len(dotD)-2 { // no directory .terraform.d then
				os.RemoveAll(filepath.Join(home, ".terraform.d"))
			}
			tt.env.Environ = []string{"HOME=" + home, "APPDATA=" + home}
			for _, v := range tt.vars {
				tt.env.Environ = append(tt.env.Environ, strings.ReplaceAll(v, "HOME/", home+"/"))
			}
			cfg, err := tt.env.Load()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, cfg.Credentials); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The environment and several files are merged as the tools do it.
func TestCLIEnvironment_merge(t *testing.T) {
	home := t.TempDir()
	write(t, home, map[string]string{
		".tofurc":                   "plugin_cache_dir = \"$HOME/cache\"\nregistry_protocols { retry_count = 3 }\nhost \"h\" { services = { \"providers.v1\" = \"https://one.example/\" } }\nmystery { x = 1 }",
		".terraform.d/more.tfrc":    "plugin_cache_dir = \"/elsewhere\"\nregistry_protocols {\n retry_count = 7\n request_timeout_seconds = 44\n}\nhost \"h\" { services = { \"providers.v1\" = \"https://two.example/\" } }\nprovider_installation { filesystem_mirror { path = \"~/mirror\" } }",
		".terraform.d/other.tfrc":   "plugin_cache_may_break_dependency_lock_file = true",
		"cache/x":                   "",
		"other/x":                   "",
		"mirror/x":                  "",
		"twice/.tofurc":             "provider_installation {}",
		"twice/.terraform.d/a.tfrc": "provider_installation {}",
	})
	env := registry.CLIEnvironment{GOOS: "linux", Environ: []string{"HOME=" + home}}
	cfg, err := env.Load()
	if err != nil {
		t.Fatal(err)
	}
	if cfg.PluginCacheDir != filepath.Join(home, "cache") || !cfg.PluginCacheMayBreakLock || cfg.Retries != 3 || cfg.Timeout != 44*time.Second ||
		cfg.Services["h"]["providers.v1"] != "https://two.example/" || len(cfg.Files) != 3 || cfg.Installation[0].Path != filepath.Join(home, "mirror") {
		t.Errorf("got %+v", cfg)
	}
	if len(cfg.Unknown) != 1 || cfg.Unknown[0].Name != "mystery" || cfg.Unknown[0].Line != 4 || cfg.Unknown[0].Source != "mystery { x = 1 }" || len(cfg.Warnings) != 1 {
		t.Errorf("unknown %+v, warnings %q", cfg.Unknown, cfg.Warnings)
	}
	c := &registry.Client{}
	if err := cfg.Apply(c); err != nil {
		t.Fatal(err)
	}
	if c.Retry.Attempts != 4 || c.Limits.Timeout != 44*time.Second || c.Services["h"] == nil {
		t.Errorf("got %+v", c)
	}
	env.Environ = append(env.Environ, "TF_PLUGIN_CACHE_DIR="+filepath.Join(home, "other"), "TF_REGISTRY_DISCOVERY_RETRY=9", "TF_REGISTRY_CLIENT_TIMEOUT=2", "TF_TOKEN_h=secret")
	cfg, err = env.Load()
	if err != nil {
		t.Fatal(err)
	}
	c = &registry.Client{}
	if err := cfg.Apply(c); err != nil {
		t.Fatal(err)
	}
	token, err := c.Credentials.Token(t.Context(), "h")
	if cfg.PluginCacheDir != filepath.Join(home, "other") || c.Retry.Attempts != 10 || c.Limits.Timeout != 2*time.Second || token != "secret" || err != nil {
		t.Errorf("got %+v, token %q, %v", cfg, token, err)
	}
	bad := func(env registry.CLIEnvironment, want string) {
		t.Helper()
		var e *registry.Error
		if _, err := env.Load(); !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	bad(registry.CLIEnvironment{GOOS: "linux", Environ: []string{"HOME=" + filepath.Join(home, "twice")}}, "more than one provider_installation")
	bad(registry.CLIEnvironment{GOOS: "linux", Environ: []string{"TF_PLUGIN_CACHE_DIR=/does/not/exist"}}, "/does/not/exist: the plugin cache directory cannot be opened")

	cfg, err = registry.CLIEnvironment{Environ: []string{"TF_CLI_CONFIG_FILE=" + filepath.Join(home, "missing")}}.Load()
	if err != nil || len(cfg.Warnings) != 1 {
		t.Errorf("got %+v, %v", cfg, err)
	}
	if _, err := (registry.CLIEnvironment{}).LoadFile(filepath.Join(home, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	cfg, err = registry.CLIEnvironment{Environ: []string{"HOME=" + home}}.LoadFile(filepath.Join(home, ".terraform.d", "more.tfrc"))
	if err == nil || cfg != nil || !strings.Contains(err.Error(), "/elsewhere") {
		t.Errorf("got %+v, %v", cfg, err)
	}
}

// Both forms of a file say the same.
func TestParseCLIConfig_forms(t *testing.T) {
	native := `
plugin_cache_dir = "/cache"
plugin_cache_may_break_dependency_lock_file = true
disable_checkpoint = true
credentials "A.example" { token = "one" }
credentials "b.example" {
  username = "ignored"
}
host "h.example" { services = { "modules.v1" = "https://m.example/", "login.v1" = { client = "x" } } }
credentials_helper "vault" { args = ["-x"] }
registry_protocols { retry_count = 0x10 }
oci_credentials "example.com/path" {
  username = "u"
  password = "p"
}
oci_default_credentials { docker_style_config_files = ["sub/auth.json"] }
provider_installation {
  dev_overrides { "acme/tool" = "/tmp/../dev" }
  oci_mirror {
    repository_template = "example.com/${hostname}/${namespace}/${type}"
    exclude = ["acme/*"]
  }
  filesystem_mirror { path = <<-EOT
    /mirror
    EOT
  }
  network_mirror {
    url = "https://mirror.example/"
    include = ["acme/*"]
    download_retry_count = 2
    trust_all_hashes = true
  }
  direct {}
}`
	json := `{
"plugin_cache_dir": "/cache",
"plugin_cache_may_break_dependency_lock_file": true,
"disable_checkpoint": true,
"credentials": {"A.example": {"token": "one"}, "b.example": {"username": "ignored"}},
"host": [{"h.example": {"services": {"modules.v1": "https://m.example/", "login.v1": {"client": "x"}}}}],
"credentials_helper": {"vault": {"args": ["-x"]}},
"registry_protocols": {"retry_count": 16},
"oci_credentials": {"example.com/path": {"username": "u", "password": "p"}},
"oci_default_credentials": {"docker_style_config_files": ["sub/auth.json"]},
"provider_installation": {
  "dev_overrides": {"acme/tool": "/tmp/../dev"},
  "oci_mirror": [{"repository_template": "example.com/${hostname}/${namespace}/${type}", "exclude": ["acme/*"]}],
  "filesystem_mirror": [{"path": "/mirror\n"}],
  "network_mirror": [{"url": "https://mirror.example/", "include": ["acme/*"], "download_retry_count": 2, "trust_all_hashes": true}],
  "direct": [{}]
}}`
	var configs []*registry.CLIConfig
	for _, src := range []string{native, json} {
		cfg, err := registry.ParseCLIConfig("/etc/x.tfrc", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		configs = append(configs, cfg)
	}
	opt := cmp.AllowUnexported(registry.CLIConfig{}, registry.Pattern{}, addrs.Provider{})
	if diff := cmp.Diff(configs[0], configs[1], opt); diff != "" {
		t.Error(diff)
	}
	cfg := configs[0]
	if cfg.Credentials["a.example"] != "one" || len(cfg.Credentials) != 1 || cfg.Services["h.example"]["modules.v1"] == "" || cfg.HelperName != "vault" ||
		cfg.Retries != 16 || !cfg.PluginCacheMayBreakLock || cfg.OCICredentials[0].Username != "u" || len(cfg.Installation) != 4 ||
		cfg.DevOverrides[addrs.MustParseProvider("acme/tool")] != filepath.Clean("/dev") || cfg.OCIDefaults.ConfigFiles[0] != filepath.FromSlash("/etc/sub/auth.json") || len(cfg.Unknown) > 0 {
		t.Errorf("got %+v", cfg)
	}
	if m := cfg.Installation[2]; m.Retries != 2 || !m.TrustAllHashes || m.Include[0].String() != "registry.opentofu.org/acme/*" || cfg.Installation[3].Retries != -1 {
		t.Errorf("got %+v", m)
	}
	// Terraform has no OCI mirrors, and what else is OpenTofu's own is unknown to it.
	if _, err := registry.ParseCLIConfig(".terraformrc", []byte(native)); err == nil || !strings.Contains(err.Error(), `"oci_mirror" is not an installation method`) {
		t.Errorf("got %v", err)
	}
	before, rest, _ := strings.Cut(native, "  oci_mirror {")
	_, after, _ := strings.Cut(rest, "  }\n")
	cfg, err := registry.ParseCLIConfig("/home/me/.terraformrc", []byte(before+after))
	if err != nil || len(cfg.Unknown) != 3 || cfg.Retries != -1 || cfg.Installation[1].TrustAllHashes || cfg.Installation[1].Include[0].String() != "registry.terraform.io/acme/*" || cfg.DevOverrides[addrs.MustParseProvider("registry.terraform.io/acme/tool")] == "" {
		t.Errorf("got %+v, %v", cfg, err)
	}
}

// What the tools refuse is refused, with its place.
func TestParseCLIConfig_refused(t *testing.T) {
	tests := []struct{ src, want string }{
		{`{"credentials": "x"}`, "credentials is not a block"},
		{`{"credentials": {"a b": {}}}`, "not a host name"},
		{`{"x": [1, {}]}`, "objects and other values"},
		{`{"x": `, "line 1, column 7: the file ends"},
		{`{} x`, "text after"},
		{`{"x": 01}`, "line 1, column 8"},
		{"{" + strings.Repeat(`"a":{`, 50), "too large: nested more than 20 levels deep"},
		{`{"a":` + strings.Repeat(`[`, 50), "too large: nested more than 20 levels deep"},
		{"provider_installation { mystery {} }", `line 1, column 25: "mystery" is not an installation method`},
		{"provider_installation { network_mirror {} }", "needs the argument url"},
		{"provider_installation { direct = {} }", "must be blocks"},
		{`provider_installation { direct "what" {} }`, "no labels"},
		{`provider_installation "what" {}`, "must not have a label"},
		{"provider_installation = {}", "equals sign"},
		{"provider_installation {}\nprovider_installation {}", "line 2, column 1: there is more than one"},
		{"provider_installation {\n direct {}\n dev_overrides {}\n}", "must be the first"},
		{"provider_installation { dev_overrides { \"a/b/c/d\" = \"/x\" } }", "dev_overrides"},
		{"registry_protocols { retry_count = \"many\" }", "whole number"},
		{`{"provider_installation": {"filesystem_mirror": {"path": "/x"}}}`, "must be a list of objects"},
		{"mystery = 1\nmystery = 2", "occurs twice"},
		{"\ufeffmystery = 1", "line 1, column 1: illegal character U+FEFF"},
		{"mystery = 1 # \xff", "line 1, column 15: the text is not UTF-8"},
		{"registry_protocols {}\nregistry_protocols {}", "twice"},
		{`registry_protocols = "x"`, "not a block"},
		{`plugin_cache_dir = ["x"]`, "not a string"},
		{"credentials_helper \"a\" {}\ncredentials_helper \"b\" {}", "more than one credentials_helper"},
		{`credentials_helper "../x" {}`, "not the name"},
		{`oci_credentials "example.com" {}`, "needs either"},
		{`oci_credentials "example.com" { username = "x" }`, "needs both username"},
		{`oci_credentials "example.com" { access_token = "x" }`, "needs both access_token"},
		{"oci_credentials \"example.com\" {\n username = \"x\"\n access_token = \"y\"\n}", "needs either"},
		{`oci_credentials "example.com/x" { docker_credentials_helper = "h" }`, "whole domain"},
		{`oci_credentials "example.com" { docker_credentials_helper = "a/b" }`, "not the name"},
		{"oci_default_credentials {\n discover_ambient_credentials = false\n docker_style_config_files = []\n}", "of no use"},
		{"oci_default_credentials {}\noci_default_credentials {}", "more than one"},
		{mirrorTemplate("example.com/${namespace}/${type}"), "refer to hostname"},
		{mirrorTemplate("example.com/${hostname}/${type}"), "refer to namespace"},
		{mirrorTemplate("example.com/${hostname}/${namespace}"), "refer to type"},
		{mirrorTemplate("example.com/${hostname[1]}/${namespace}/${type}"), "hostname is a string"},
		{mirrorTemplate("example.com/${hostname + 1}/${namespace}/${type}"), "hostname is a string"},
		{mirrorTemplate("example.com/${hostname}/${namespace}/${type}/${other}"), `"other" is not one of`},
		{"a = <<EOT\nx", "the heredoc has no end"},
		{"a = <<\nx", "no name"},
		{"a = -", "a value is missing"},
		{"a = -x", "not a literal value"},
		{"a = nan", "not a literal value"},
	}
	for _, tt := range tests {
		_, err := registry.ParseCLIConfig("tofurc", []byte(tt.src))
		var e *registry.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) || e.Line == 0 {
			t.Errorf("%q: got %v, want %q", tt.src, err, tt.want)
		}
	}
	// A template that does more than to insert names is not judged.
	for _, template := range []string{`example.com/${ {"x.example": "okay"}[hostname] }/${namespace}/${type}`, "example.com/${hostname}-${namespace}.${type}"} {
		if _, err := registry.ParseCLIConfig("tofurc", []byte(mirrorTemplate(template))); err != nil {
			t.Errorf("%s: %v", template, err)
		}
	}
	if _, err := registry.ParseCLIConfig("tofurc", []byte("provider_installation { oci_mirror {\n repository_template = \"example.net/all\"\n include = [\"a.example/b/c\"]\n} }")); err != nil {
		t.Error(err)
	}
}

func mirrorTemplate(template string) string {
	return "provider_installation {\n oci_mirror {\n repository_template = \"" + template + "\"\n }\n}"
}

// The directories in which a tool looks for plugins supply their providers, and
// the registry all others. A method that nothing serves fails where it is for.
func TestCLIConfig_sources(t *testing.T) {
	s := registrytest.Start(t, small())
	p := providerOf(s)
	home := t.TempDir()
	local := addrs.MustParseProvider("local.example/acme/own")
	write(t, home, map[string]string{
		"work/terraform.d/plugins/local.example/acme/own/terraform-provider-own_1.0.0_linux_amd64.zip": "zip",
		".terraform.d/plugins/terraform-credentials-vault_v1.0.0":                                      "#!/bin/sh\necho '{\"token\": \"from-the-helper\"}'\n",
		".tofurc": "credentials_helper \"vault\" {}",
	})
	if err := os.Chmod(filepath.Join(home, ".terraform.d", "plugins", "terraform-credentials-vault_v1.0.0"), 0o755); err != nil {
		t.Fatal(err)
	}
	cfg, err := registry.CLIEnvironment{GOOS: "linux", Environ: []string{"HOME=" + home, "XDG_DATA_DIRS=" + home}, Dir: filepath.Join(home, "work")}.Load()
	if err != nil {
		t.Fatal(err)
	}
	c := s.Registry()
	if err := cfg.Apply(c); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		if token, err := c.Credentials.Token(t.Context(), "any.example"); err != nil || token != "from-the-helper" {
			t.Errorf("got %q, %v", token, err)
		}
	}
	src, err := cfg.Sources(c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := src.Versions(t.Context(), local); err != nil {
		t.Error(err)
	}
	before := len(s.Requests())
	if before > 0 {
		t.Errorf("%d requests for a local provider", before)
	}
	if _, err := src.Versions(t.Context(), p); err != nil {
		t.Error(err)
	}
	cfg, err = registry.ParseCLIConfig("x", []byte("provider_installation {\n oci_mirror {\n repository_template = \"x.example/${namespace}/${type}\"\n include = [\"oci.example/*/*\"]\n }\n direct {}\n}"))
	if err != nil {
		t.Fatal(err)
	}
	src, err = cfg.Sources(c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := src.Versions(t.Context(), p); err != nil {
		t.Error(err)
	}
	for _, err := range []error{
		second(src.Versions(t.Context(), addrs.MustParseProvider("oci.example/a/b"))),
		second(src.Package(t.Context(), addrs.MustParseProvider("oci.example/a/b"), addrs.MustParseVersion("1.0.0"), addrs.MustParsePlatform("linux_amd64"))),
	} {
		if err == nil || !strings.Contains(err.Error(), `oci.example/a/b: installation method "oci_mirror" is not supported`) {
			t.Errorf("got %v", err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// Unknown settings have their place and their text, in both syntaxes, and there may be many.
func TestCLIConfig_unknown(t *testing.T) {
	for name, src := range map[string]string{
		"x.tfrc":      "abc = 1\n\n  def {\n x = \"é\"\n}\nabc2 = 2 # and so on\n",
		"x.tfrc.json": "{\n  \"abc\" : [1, \"a\"]  ,\n \"d\\u0065f\": {\"x\": \"é\"}, \"abc2\":[{}, {}]}",
	} {
		c, err := registry.ParseCLIConfig(name, []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, u := range c.Unknown {
			got = append(got, fmt.Sprintf("%d:%d %s %s", u.Line, u.Column, u.Name, u.Source))
		}
		want := []string{"1:1 abc abc = 1", "3:3 def def {\n x = \"é\"\n}", "6:1 abc2 abc2 = 2"}
		if name != "x.tfrc" {
			block := "3:27 abc2 \"abc2\":[{}, {}]"
			want = []string{"2:3 abc \"abc\" : [1, \"a\"]", "3:2 def \"d\\u0065f\": {\"x\": \"é\"}", block, block}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	var b strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&b, ",\n\"x%d\": 1", i)
	}
	c, err := registry.ParseCLIConfig("x.tfrc.json", []byte("{"+b.String()[1:]+"}"))
	if err != nil || len(c.Unknown) != 100_000 || c.Unknown[99_999].Line != 100_001 {
		t.Errorf("got %v", err)
	}
}
