// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cliconfig_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry/cliconfig"
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

func TestParse(t *testing.T) {
	cfg, err := cliconfig.Parse("tofurc", []byte(tofurc))
	if err != nil {
		t.Fatal(err)
	}
	patterns := func(list []cliconfig.Pattern) (out []string) {
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
		"credentials": map[string]string{"app.example.com": "xxxxxx.atlasv1.zzzzzz", "xn--bcher-kva.example:8443": "two"},
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
}

func TestParse_errors(t *testing.T) {
	tests := []struct{ src, want string }{
		{"a = ", ":1,5: a value is missing"},
		{"a", ":1,2: the file ends"},
		{"a = x", `:1,5: not a literal value`},
		{"a = f(1)", `:1,5: not a literal value`},
		{"a = \"x\n\"", ":1,5: the string is not closed on its line"},
		{`a = "x`, "the string is not closed"},
		{`a = "\q"`, "unknown escape"},
		{`a = "${x"`, "the string is not closed"},
		{"a = [1, 2", "a closing bracket is missing"},
		{"\n a {", ":2,5: a closing brace is missing"},
		{"/* x", ":1,1: the comment is not closed"},
		{"= 1", "a name or a string is expected"},
		{"credentials { token = \"x\" }", ":1,1: credentials needs a label"},
		{"credentials \"a b\" {}", "is not a host name"},
		{"provider_installation {\n network_mirror { url = \"http://x/\" }\n}", ":2,2: a network_mirror needs an https URL"},
		{"provider_installation { filesystem_mirror {} }", "needs the argument path"},
		{"provider_installation { direct { include = [\"*/x\"] } }", "wildcard"},
		{"a = " + strings.Repeat("[", 50), "too large: nested more than 20 levels deep"},
		{strings.Repeat("a {", 50), "too large: nested more than 20 levels deep"},
	}
	for _, tt := range tests {
		_, err := parse("tofurc", tt.src)
		var e *cliconfig.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) || e.Line == 0 || e.Filename != "tofurc" {
			t.Errorf("%q: got %v, want %q", tt.src, err, tt.want)
		}
	}
}

// Reading any text ends, and an accepted configuration is usable.
func FuzzParse(f *testing.F) {
	f.Add([]byte(tofurc))
	f.Add([]byte("credentials \"x\" { token = \"y\" }"))
	f.Fuzz(func(t *testing.T, src []byte) {
		cfg, err := cliconfig.Parse("f", src)
		for _, e := range cfg.Faults {
			if e.Offset < 0 || e.Offset > len(src) || e.Line < 1 || e.Column < 1 || e.Err == nil {
				t.Errorf("%+v", e)
			}
		}
		if err != nil {
			if len(cfg.Faults) != 1 || cfg.Faults[0] != err || cfg.CheckSources() != err {
				t.Errorf("%v is not the fault", err)
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
				if again, err := cliconfig.ParsePattern(p.String()); err != nil || again != p {
					t.Errorf("pattern %q", p)
				}
			}
		}
	})
}

// TestParse_cut cuts a configuration everywhere: each part is read or
// refused with a place in it.
func TestParse_cut(t *testing.T) {
	for n := range len(tofurc) {
		cfg, err := parse("tofurc", tofurc[:n])
		if err == nil {
			if cfg == nil {
				t.Errorf("cut at %d: neither a configuration nor an error", n)
			}
			continue
		}
		var e *cliconfig.Error
		if !errors.As(err, &e) || e.Line < 1 || e.Column < 1 || e.Line > strings.Count(tofurc[:n], "\n")+1 {
			t.Errorf("cut at %d: %v", n, err)
		}
	}
}

// A bad entry of dev_overrides does not drop the others, and does not end downloads. Spaces
// around URLs do not matter.
func TestParse_devOverrides(t *testing.T) {
	cfg, err := cliconfig.Parse("tofu.rc", []byte(`provider_installation {
  dev_overrides {
    "acme/one"   = "/one"
    "not a name" = "/two"
    "acme/three" = true
    "acme/four"  = "/four"
  }
  network_mirror {
    url = " https://mirror.example/ "
  }
}`))
	if err != nil || cfg.CheckSources() != nil || len(cfg.Faults) != 2 || len(cfg.DevOverrides) != 2 || len(cfg.Installation) != 1 {
		t.Errorf("got %+v, %v", cfg, err)
	} else if url := cfg.Installation[0].URL; url != "https://mirror.example/" {
		t.Errorf("got %q", url)
	}
}
