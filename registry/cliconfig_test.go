// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
)

const tofurc = `
/* everything that has to do
   with registries */
plugin_cache_dir   = "$HOME/.terraform.d/plugin-cache" // replaced if there is an environment
disable_checkpoint = true
disable_checkpoint_signature = false

credentials "app.example.com" {
  token = "xxxxxx.atlasv1.zzzzzz"
}
credentials "BÜCHER.example:8443" { token = "two" }
credentials "no-token.example" {}

host "api.example.com" {
  services = {
    "providers.v1" = "https://registry.example.com/v1/providers/",
    "modules.v1" = "https://registry.example.com/v1/modules/"
  }
}
host "block.example" {
  services {
    "providers.v1" = "https://x.example/"
  }
}

credentials_helper "vault" {
  args = ["--mount", "a\tb", ]
}

registry_protocols {
  retry_count = 3
  request_timeout_seconds = 20
}

provider_installation {
  dev_overrides {
    "hashicorp/null" = "/home/me/null"
  }
  filesystem_mirror {
    path    = "/usr/share/providers"
    include = ["example.com/*/*"]
  }
  network_mirror {
    url              = "https://mirror.example/providers/"
    include          = ["*/*/*"]
    exclude          = ["hashicorp/*", "example.com/a/b"]
    trust_all_hashes = true
  }
  direct {}
} # the end`

func TestParseCLIConfig(t *testing.T) {
	cfg, err := registry.ParseCLIConfig("tofurc", []byte(tofurc))
	if err != nil {
		t.Fatal(err)
	}
	patterns := func(list []registry.Pattern) (out []string) {
		for _, p := range list {
			out = append(out, p.String())
		}
		return out
	}
	var methods [][]string
	for _, m := range cfg.Installation {
		methods = append(methods, append(append([]string{m.Kind, m.Path, m.URL}, patterns(m.Include)...), patterns(m.Exclude)...))
	}
	got := map[string]any{
		"credentials": cfg.Credentials, "services": cfg.Services, "helper": cfg.HelperName, "args": cfg.HelperArgs,
		"cache": cfg.PluginCacheDir, "overrides": cfg.DevOverrides, "methods": methods, "trust": cfg.Installation[1].TrustAllHashes,
	}
	want := map[string]any{
		"credentials": registry.Tokens{"app.example.com": "xxxxxx.atlasv1.zzzzzz", "xn--bcher-kva.example:8443": "two"},
		"services": map[string]map[string]string{
			"api.example.com": {"providers.v1": "https://registry.example.com/v1/providers/", "modules.v1": "https://registry.example.com/v1/modules/"},
			"block.example":   {"providers.v1": "https://x.example/"},
		},
		"helper": "vault", "args": []string{"--mount", "a\tb"}, "cache": "$HOME/.terraform.d/plugin-cache",
		"overrides": map[addrs.Provider]string{addrs.MustParseProvider("hashicorp/null"): "/home/me/null"},
		"methods": [][]string{
			{"filesystem_mirror", "/usr/share/providers", "", "example.com/*/*"},
			{"network_mirror", "", "https://mirror.example/providers/", "*/*/*", "registry.opentofu.org/hashicorp/*", "example.com/a/b"},
			{"direct", "", ""},
		},
		"trust": true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	src, err := cfg.Sources(&registry.Client{})
	if err != nil {
		t.Fatal(err)
	}
	if list, ok := src.(registry.Sources); !ok || len(list) != 3 {
		t.Errorf("got %#v", src)
	}

	empty, err := registry.ParseCLIConfig("empty", nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &registry.Client{}
	if src, err := empty.Sources(client); err != nil || src != registry.Source(client) {
		t.Errorf("without a block: got %#v, %v", src, err)
	}
}

func TestParseCLIConfig_errors(t *testing.T) {
	tests := []struct{ src, want string }{
		{"a = ", "line 1, column 5: a value is missing"},
		{"a", "line 1, column 2: the file ends"},
		{"a = x", `line 1, column 5: not a literal value`},
		{"a = f(1)", `line 1, column 5: not a literal value`},
		{"a = \"x\n\"", "line 1, column 5: the string has no end in its line"},
		{`a = "x`, "the string has no end"},
		{`a = "\q"`, "unknown escape"},
		{`a = "${x"`, "the string has no end"},
		{"a = [1, 2", "a closing bracket is missing"},
		{"\n a {", "line 2, column 5: a closing brace is missing"},
		{"/* x", "line 1, column 1: the comment has no end"},
		{"= 1", "a name or a string is expected"},
		{"credentials { token = \"x\" }", "line 1, column 1: credentials needs a label"},
		{"credentials \"a b\" {}", "is not a host name"},
		{"provider_installation {\n network_mirror { url = \"http://x/\" }\n}", "line 2, column 2: a network_mirror needs an https URL"},
		{"provider_installation { filesystem_mirror {} }", "needs the argument path"},
		{"provider_installation { direct { include = [\"*/x\"] } }", "wildcard"},
		{"a = " + strings.Repeat("[", 50), "too large: nested more than 20 levels deep"},
		{strings.Repeat("a {", 50), "too large: nested more than 20 levels deep"},
	}
	for _, tt := range tests {
		_, err := registry.ParseCLIConfig("tofurc", []byte(tt.src))
		var e *registry.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) || e.Line == 0 || e.URL != "tofurc" {
			t.Errorf("%q: got %v, want %q", tt.src, err, tt.want)
		}
	}
}

// Reading any text ends, and an accepted configuration is usable.
func FuzzParseCLIConfig(f *testing.F) {
	f.Add([]byte(tofurc))
	f.Add([]byte("credentials \"x\" { token = \"y\" }"))
	f.Fuzz(func(t *testing.T, src []byte) {
		cfg, err := registry.ParseCLIConfig("f", src)
		if err != nil {
			var e *registry.Error
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > int64(len(src)) || e.Line < 1 || e.Column < 1 {
				t.Errorf("%+v", err)
			}
			return
		}
		for host := range cfg.Credentials {
			if host == "" {
				t.Error("a token for no host")
			}
		}
		for _, m := range cfg.Installation {
			for _, p := range append(m.Include, m.Exclude...) {
				if again, err := registry.ParsePattern(p.String()); err != nil || again != p {
					t.Errorf("pattern %q", p)
				}
			}
		}
	})
}

// TestParseCLIConfig_cut cuts a configuration everywhere: each part is read or
// refused with a place in it.
func TestParseCLIConfig_cut(t *testing.T) {
	for n := range len(tofurc) {
		cfg, err := registry.ParseCLIConfig("tofurc", []byte(tofurc[:n]))
		if err == nil {
			if cfg == nil {
				t.Errorf("cut at %d: neither a configuration nor an error", n)
			}
			continue
		}
		var e *registry.Error
		if !errors.As(err, &e) || e.Line < 1 || e.Column < 1 || e.Line > strings.Count(tofurc[:n], "\n")+1 {
			t.Errorf("cut at %d: %v", n, err)
		}
	}
}
