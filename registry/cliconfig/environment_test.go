// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cliconfig_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry/cliconfig"
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

// parse reads a file. The error is the first fault, if there is one.
func parse(filename, src string) (*cliconfig.Config, error) {
	cfg, err := cliconfig.Parse(filename, []byte(src))
	if err == nil && len(cfg.Faults) > 0 {
		err = cfg.Faults[0]
	}
	return cfg, err
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
func TestEnvironment_discovery(t *testing.T) {
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
		env   cliconfig.Environment
		vars  []string
		files map[string]string
		want  map[string]string
	}{
		{"tofu", cliconfig.Environment{GOOS: "linux"}, nil, all, map[string]string{"a": "tofurc", "b": "login", "c": "login", "d": "a.tfrc"}},
		{"tofu, xdg is last", cliconfig.Environment{GOOS: "linux"}, []string{"XDG_CONFIG_HOME=HOME/xdg"}, all, map[string]string{"a": "tofurc", "b": "login", "c": "login", "d": "a.tfrc"}},
		{"tofu, legacy", cliconfig.Environment{GOOS: "darwin"}, nil, without(".tofurc"), map[string]string{"a": "terraformrc", "b": "login", "c": "login", "d": "a.tfrc"}},
		{"tofu, xdg", cliconfig.Environment{GOOS: "linux"}, []string{"XDG_CONFIG_HOME=HOME/xdg"}, without(append(dotD, ".tofurc", ".terraformrc", ".terraform.d/ignored.txt")...), map[string]string{"a": "xdg", "b": "x.tfrc", "c": "x.tfrc"}},
		{"terraform", cliconfig.Environment{GOOS: "linux", Tool: addrs.Terraform}, []string{"XDG_CONFIG_HOME=HOME/xdg"}, all, map[string]string{"a": "terraformrc", "b": "login", "c": "login", "d": "a.tfrc"}},
		{"tofu on windows", cliconfig.Environment{GOOS: "windows"}, nil, all, map[string]string{"a": "tofu.rc", "b": "z.tfrc", "c": "z.tfrc"}},
		{"terraform on windows", cliconfig.Environment{GOOS: "windows", Tool: addrs.Terraform}, nil, all, map[string]string{"a": "terraform.rc", "b": "z.tfrc", "c": "z.tfrc"}},
		{"a file of its own", cliconfig.Environment{GOOS: "linux"}, []string{"TF_CLI_CONFIG_FILE=HOME/own"}, all, map[string]string{"a": "own"}},
		{"the old variable", cliconfig.Environment{GOOS: "linux"}, []string{"TERRAFORM_CONFIG=HOME/own"}, all, map[string]string{"a": "own"}},
		{"nothing", cliconfig.Environment{GOOS: "linux"}, nil, nil, map[string]string{}},
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
func TestEnvironment_merge(t *testing.T) {
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
	env := cliconfig.Environment{GOOS: "linux", Environ: []string{"HOME=" + home}}
	cfg, err := env.Load()
	if err != nil {
		t.Fatal(err)
	}
	if cfg.PluginCacheDir != filepath.Join(home, "cache") || !cfg.PluginCacheMayBreakLock || cfg.Retries != 3 || cfg.Timeout != 44*time.Second ||
		cfg.Services["h"]["providers.v1"] != "https://two.example/" || len(cfg.Files) != 3 || cfg.Installation[0].Path != filepath.Join(home, "mirror") {
		t.Errorf("got %+v", cfg)
	}
	if len(cfg.Extra) != 1 || cfg.Extra[0].Name != "mystery" || cfg.Extra[0].Line != 4 || cfg.Extra[0].Source != "mystery { x = 1 }" || len(cfg.Warnings) != 1 {
		t.Errorf("unknown %+v, warnings %q", cfg.Extra, cfg.Warnings)
	}
	env.Environ = append(env.Environ, "TF_PLUGIN_CACHE_DIR="+filepath.Join(home, "other"), "TF_REGISTRY_DISCOVERY_RETRY=9", "TF_REGISTRY_CLIENT_TIMEOUT=2", "TF_TOKEN_h=secret")
	cfg, err = env.Load()
	if err != nil {
		t.Fatal(err)
	}
	if cfg.PluginCacheDir != filepath.Join(home, "other") || cfg.Retries != 9 || cfg.Timeout != 2*time.Second || cfg.Credentials["h"] != "secret" {
		t.Errorf("got %+v", cfg)
	}

	cfg, err = cliconfig.Environment{Environ: []string{"TF_CLI_CONFIG_FILE=" + filepath.Join(home, "missing")}}.Load()
	if err != nil || len(cfg.Warnings) != 1 {
		t.Errorf("got %+v, %v", cfg, err)
	}
	if _, err := (cliconfig.Environment{}).LoadFile(filepath.Join(home, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// One bad setting loses itself and nothing else, wherever it is; broken syntax and what
// says where packages come from are errors of whoever downloads.
func TestEnvironment_faults(t *testing.T) {
	const good = "credentials \"good.example\" { token = \"t\" }\nprovider_installation {\n  filesystem_mirror { path = \"/mirror\" }\n}\n"
	for _, tt := range []struct {
		name, bad, second string // second is another file
		environ           string
		want              string // part of the fault
		download          bool   // whether CheckSources accepts it
		load              bool   // whether Load does
	}{
		{"nothing", "", "", "", "", true, true},
		{"a cache that is not there", "plugin_cache_dir = \"/does/not/exist\"", "", "", "/does/not/exist: the plugin cache directory cannot be opened", true, true},
		{"a cache of the environment", "", "", "TF_PLUGIN_CACHE_DIR=/does/not/exist", "/does/not/exist: the plugin cache directory cannot be opened", true, true},
		{"a cache that is a list", "plugin_cache_dir = [1]", "", "", ":5,1: plugin_cache_dir is not a string", true, true},
		{"no host name", "credentials \"my_host.example.com\" { token = \"x\" }", "", "", `"my_host.example.com" is not a host name`, true, true},
		{"two helpers", "credentials_helper \"a\" {}\ncredentials_helper \"b\" {}", "", "PATH=BIN", "more than one credentials_helper", true, true},
		{"two helpers in two files", "credentials_helper \"a\" {}", "credentials_helper \"b\" {}", "PATH=BIN", "more than one credentials_helper", true, true},
		{"a helper that is not there", "credentials_helper \"nowhere\" {}", "", "", "terraform-credentials-nowhere is neither", true, true},
		{"retries", "registry_protocols { retry_count = \"many\" }", "", "", "not a whole number", true, true},
		{"OCI credentials", "oci_credentials \"x\" {}", "", "", "needs either", true, true},
		{"OCI credentials twice", "oci_credentials \"x.example\" { docker_credentials_helper = \"h\" }", "oci_credentials \"x.example\" { docker_credentials_helper = \"h\" }", "", "more than one oci_credentials", true, true},
		{"OCI defaults", "oci_default_credentials { discover_ambient_credentials = 5 }", "", "", "neither true nor false", true, true},
		{"a host", "host \"a b\" { services = {} }", "", "", "not a host name", false, true},
		{"services of a host", "host \"a.example\" { services = 5 }", "", "", "services is not an object", false, true},
		{"two installations", "", "provider_installation {}", "", "more than one provider_installation", false, true},
		{"two installations in one", "provider_installation {}", "", "", "more than one provider_installation", false, true},
		{"broken syntax", "", "mystery = ", "", "a value is missing", false, false},
		{"broken syntax of JSON", "", "{", "", "the file ends", false, false},
		{"a directory in the place of a file", "", "/", "", "is a directory", false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			write(t, home, map[string]string{".tofurc": good + tt.bad, "bin/terraform-credentials-a": ""})
			if err := os.Chmod(filepath.Join(home, "bin", "terraform-credentials-a"), 0o755); err != nil {
				t.Fatal(err)
			}
			if tt.second == "/" {
				write(t, home, map[string]string{".terraform.d/b.tfrc/x": ""})
			} else if tt.second != "" {
				write(t, home, map[string]string{".terraform.d/b.tfrc": tt.second})
			}
			env := cliconfig.Environment{GOOS: "linux", Environ: []string{"HOME=" + home, strings.ReplaceAll(tt.environ, "BIN", filepath.Join(home, "bin"))}}
			cfg, err := env.Load()
			if (err == nil) != tt.load || (cfg.CheckSources() == nil) != tt.download {
				t.Errorf("Load: %v; CheckSources: %v", err, cfg.CheckSources())
			}
			if cfg.Credentials["good.example"] != "t" || len(cfg.Credentials) != 1 || len(cfg.Installation) != 1 && tt.download || cfg.PluginCacheDir != "" {
				t.Errorf("the rest is lost: %+v", cfg)
			}
			if tt.environ == "PATH=BIN" && cfg.HelperProgram != filepath.Join(home, "bin", "terraform-credentials-a") {
				t.Errorf("the helper is %q", cfg.HelperProgram)
			}
			var texts []string
			for _, f := range cfg.Faults {
				texts = append(texts, f.Error())
			}
			if text := strings.Join(texts, "; "); (len(texts) == 0) != (tt.want == "") || !strings.Contains(text, tt.want) || len(texts) > 1 {
				t.Errorf("the faults are %s", text)
			}
			if err != nil {
				var e *cliconfig.Error
				if !errors.As(err, &e) || e.Setting != "" || !strings.Contains(e.Filename, "b.tfrc") {
					t.Errorf("got %#v", err)
				}
			}
		})
	}
}

// Faults cost no more than what they are found in, and one that matters is never lost
// among others.
func TestParse_manyFaults(t *testing.T) {
	bad := strings.Repeat("credentials \"a b\" {}\n", 20_000)
	cfg, err := cliconfig.Parse("x", []byte(bad+"host \"a b\" {}\n"))
	if err != nil || cfg.CheckSources() == nil || len(cfg.Faults) > 200 {
		t.Errorf("%d faults, %v", len(cfg.Faults), err)
	}
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, "oci_credentials \"x%d.example\" { docker_credentials_helper = \"h\" }\n", i)
	}
	if cfg, err = cliconfig.Parse("x", []byte(b.String())); err != nil || len(cfg.OCICredentials) != 20_000 {
		t.Errorf("%d, %v", len(cfg.OCICredentials), err)
	}
}

// Both forms of a file say the same.
func TestParse_forms(t *testing.T) {
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
	var configs []*cliconfig.Config
	for _, src := range []string{native, json} {
		cfg, err := cliconfig.Parse("/etc/x.tfrc", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		configs = append(configs, cfg)
	}
	opt := cmp.AllowUnexported(cliconfig.Config{}, cliconfig.Pattern{}, addrs.Provider{})
	if diff := cmp.Diff(configs[0], configs[1], opt); diff != "" {
		t.Error(diff)
	}
	cfg := configs[0]
	if cfg.Credentials["a.example"] != "one" || len(cfg.Credentials) != 1 || cfg.Services["h.example"]["modules.v1"] == "" || cfg.HelperName != "vault" ||
		cfg.Retries != 16 || !cfg.PluginCacheMayBreakLock || cfg.OCICredentials[0].Username != "u" || len(cfg.Installation) != 4 ||
		cfg.DevOverrides[addrs.MustParseProvider("acme/tool")] != filepath.Clean("/dev") || cfg.OCIDefaults.ConfigFiles[0] != filepath.FromSlash("/etc/sub/auth.json") || len(cfg.Extra) > 0 {
		t.Errorf("got %+v", cfg)
	}
	if m := cfg.Installation[2]; m.Retries != 2 || !m.TrustAllHashes || m.Include[0].String() != "registry.opentofu.org/acme/*" || cfg.Installation[3].Retries != -1 {
		t.Errorf("got %+v", m)
	}
	// Terraform has no OCI mirrors, and what else is OpenTofu's own is unknown to it.
	if _, err := parse(".terraformrc", native); err == nil || !strings.Contains(err.Error(), `"oci_mirror" is not an installation method`) {
		t.Errorf("got %v", err)
	}
	before, rest, _ := strings.Cut(native, "  oci_mirror {")
	_, after, _ := strings.Cut(rest, "  }\n")
	cfg, err := cliconfig.Parse("/home/me/.terraformrc", []byte(before+after))
	if err != nil || len(cfg.Extra) != 3 || cfg.Retries != -1 || cfg.Installation[1].TrustAllHashes || cfg.Installation[1].Include[0].String() != "registry.terraform.io/acme/*" || cfg.DevOverrides[addrs.MustParseProvider("registry.terraform.io/acme/tool")] == "" {
		t.Errorf("got %+v, %v", cfg, err)
	}
}

// What the tools refuse is refused, with its place.
func TestParse_refused(t *testing.T) {
	tests := []struct{ src, want string }{
		{`{"credentials": "x"}`, "credentials is not a block"},
		{`{"credentials": {"a b": {}}}`, "not a host name"},
		{`{"x": [1, {}]}`, "objects and other values"},
		{`{"x": `, ":1,7: the file ends"},
		{`{} x`, "text after"},
		{`{"x": 01}`, ":1,8"},
		{"{" + strings.Repeat(`"a":{`, 50), "too large: nested more than 20 levels deep"},
		{`{"a":` + strings.Repeat(`[`, 50), "too large: nested more than 20 levels deep"},
		{"provider_installation { mystery {} }", `:1,25: "mystery" is not an installation method`},
		{"provider_installation { network_mirror {} }", "needs the argument url"},
		{"provider_installation { direct = {} }", "must be blocks"},
		{`provider_installation { direct "what" {} }`, "no labels"},
		{`provider_installation "what" {}`, "must not have a label"},
		{"provider_installation = {}", "equals sign"},
		{"provider_installation {}\nprovider_installation {}", ":2,1: there is more than one"},
		{"provider_installation {\n direct {}\n dev_overrides {}\n}", "must be the first"},
		{"provider_installation { dev_overrides { \"a/b/c/d\" = \"/x\" } }", "dev_overrides"},
		{"registry_protocols { retry_count = \"many\" }", "whole number"},
		{`{"provider_installation": {"filesystem_mirror": {"path": "/x"}}}`, "must be a list of objects"},
		{"mystery = 1\nmystery = 2", "occurs twice"},
		{"\ufeffmystery = 1", ":1,1: illegal character U+FEFF"},
		{"mystery = 1 # \xff", ":1,15: the text is not UTF-8"},
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
		{"oci_default_credentials {\n discover_ambient_credentials = false\n docker_style_config_files = []\n}", "has no effect"},
		{"oci_default_credentials {}\noci_default_credentials {}", "more than one"},
		{mirrorTemplate("example.com/${namespace}/${type}"), "refer to hostname"},
		{mirrorTemplate("example.com/${hostname}/${type}"), "refer to namespace"},
		{mirrorTemplate("example.com/${hostname}/${namespace}"), "refer to type"},
		{mirrorTemplate("example.com/${hostname[1]}/${namespace}/${type}"), "hostname is a string"},
		{mirrorTemplate("example.com/${hostname + 1}/${namespace}/${type}"), "hostname is a string"},
		{mirrorTemplate("example.com/${hostname}/${namespace}/${type}/${other}"), `"other" is not one of`},
		{"a = <<EOT\nx", "the heredoc is not closed"},
		{"a = <<\nx", "no name"},
		{"a = -", "a value is missing"},
		{"a = -x", "not a literal value"},
		{"a = nan", "not a literal value"},
	}
	for _, tt := range tests {
		_, err := parse("tofurc", tt.src)
		var e *cliconfig.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) || e.Line == 0 {
			t.Errorf("%q: got %v, want %q", tt.src, err, tt.want)
		}
	}
	// A template that does more than to insert names is not judged.
	for _, template := range []string{`example.com/${ {"x.example": "okay"}[hostname] }/${namespace}/${type}`, "example.com/${hostname}-${namespace}.${type}"} {
		if _, err := parse("tofurc", mirrorTemplate(template)); err != nil {
			t.Errorf("%s: %v", template, err)
		}
	}
	if _, err := parse("tofurc", "provider_installation { oci_mirror {\n repository_template = \"example.net/all\"\n include = [\"a.example/b/c\"]\n} }"); err != nil {
		t.Error(err)
	}
}

func mirrorTemplate(template string) string {
	return "provider_installation {\n oci_mirror {\n repository_template = \"" + template + "\"\n }\n}"
}

// Extra settings have their place and their text, in both syntaxes, and there may be many.
func TestParse_extra(t *testing.T) {
	for name, src := range map[string]string{
		"x.tfrc":      "abc = 1\n\n  def {\n x = \"é\"\n}\nabc2 = 2 # and so on\n",
		"x.tfrc.json": "{\n  \"abc\" : [1, \"a\"]  ,\n \"d\\u0065f\": {\"x\": \"é\"}, \"abc2\":[{}, {}]}",
	} {
		c, err := cliconfig.Parse(name, []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, u := range c.Extra {
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
	c, err := cliconfig.Parse("x.tfrc.json", []byte("{"+b.String()[1:]+"}"))
	if err != nil || len(c.Extra) != 100_000 || c.Extra[99_999].Line != 100_001 {
		t.Errorf("got %v", err)
	}
}

// Names of environment variables for tokens.
func TestEnvironment_tokens(t *testing.T) {
	tokens := func(environ ...string) map[string]string {
		cfg, err := cliconfig.Environment{Environ: environ}.Load()
		if err != nil {
			t.Fatal(err)
		}
		return cfg.Credentials
	}
	tests := []struct{ suffix, host string }{
		{"app_opentofu_org", "app.opentofu.org"},
		{"APP_OPENTOFU_ORG", "app.opentofu.org"},
		{"a__b_com", "a-b.com"},
		{"a____b_com", "a--b.com"},
		{"a___b_com", ""},
		{"xn--caf-dma_fr", "xn--caf-dma.fr"},
		{"xn____caf__dma_fr", "xn--caf-dma.fr"},
		{"xn--caf-dma.fr", "xn--caf-dma.fr"},
		{"café_fr", "xn--caf-dma.fr"},
		{"localhost:8443", "localhost:8443"},
		{"com_", "com."},
		{"", ""},
	}
	for _, tt := range tests {
		want := map[string]string{}
		if tt.host != "" {
			want[tt.host] = "secret"
		}
		got := tokens("PATH=/bin", "TF_TOKEN_"+tt.suffix+"=secret")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", tt.suffix, diff)
		}
	}
	got := tokens("TF_TOKEN_a_b=1", "TF_TOKEN_A_B=2")
	if got["a.b"] != "2" {
		t.Errorf("the later of two variables must count, got %v", got)
	}
}
