// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"fmt"
	"strings"
)

// A CLIConfig is the part of the CLI configuration (.tofurc or tofu.rc) that
// is about registries.
//
// See https://opentofu.org/docs/cli/config/config-file/.
type CLIConfig struct {
	// Credentials are the tokens of "credentials" blocks.
	Credentials Tokens

	// Services are the "host" blocks, for [Client.Services].
	Services map[string]map[string]string

	// HelperName and HelperArgs are the "credentials_helper" block. The
	// program is called terraform-credentials-NAME; where it is found is the
	// caller's business.
	HelperName string
	HelperArgs []string

	// Installation are the methods of "provider_installation" in their order.
	// Nil means that there is no such block.
	Installation []InstallationMethod

	// DevOverrides are directories for providers, by source address, both as
	// written. Nil means that there is no "dev_overrides" block.
	// [CLIConfig.Sources] does not look at it.
	DevOverrides map[string]string

	// PluginCacheDir is the directory "plugin_cache_dir", as written, or "".
	PluginCacheDir string
}

// An InstallationMethod is one block of "provider_installation".
type InstallationMethod struct {
	// Kind is "direct", "filesystem_mirror", "network_mirror" or another one
	// that [CLIConfig.Sources] does not know, such as "oci_mirror".
	Kind string

	// Path is a filesystem mirror's directory, URL a network mirror's base,
	// TrustAllHashes a network mirror's argument trust_all_hashes.
	Path, URL      string
	TrustAllHashes bool

	// Include and Exclude are the arguments of those names, as in [Method].
	Include, Exclude []Pattern
}

// ParseCLIConfig reads a CLI configuration file. The language is HCL, of which
// such a file uses literal values only; this is all that is read: blocks,
// strings, booleans, numbers, lists, objects, comments. Blocks and arguments
// that have nothing to do with registries are passed over. For the JSON form
// see [ParseCredentials].
//
// The error is an [*Error] with the place.
func ParseCLIConfig(filename string, src []byte) (*CLIConfig, error) {
	body, err := parseLiteralHCL(src)
	if err == nil {
		var cfg *CLIConfig
		if cfg, err = readCLIConfig(body); err == nil {
			return cfg, nil
		}
	}
	e := &Error{Op: "configuration", URL: filename, Err: err.cause}
	e.setPlace(src, int64(err.offset))
	return nil, e
}

// readCLIConfig makes a CLIConfig of the items of a file.
func readCLIConfig(items []hclItem) (*CLIConfig, *hclError) {
	cfg := &CLIConfig{Credentials: Tokens{}, Services: map[string]map[string]string{}}
	for _, it := range items {
		switch it.name {
		case "plugin_cache_dir":
			cfg.PluginCacheDir, _ = it.value.(string)
		case "credentials", "host":
			host, ok := it.host()
			if !ok {
				return nil, it.errorf("the label is not a host name")
			}
			if it.name == "credentials" {
				if token, ok := it.member("token").(string); ok && token != "" {
					cfg.Credentials[host] = token
				}
				continue
			}
			services := map[string]string{}
			if m, ok := it.member("services").(map[string]any); ok {
				for id, v := range m {
					if s, ok := v.(string); ok {
						services[id] = s
					}
				}
			}
			cfg.Services[host] = services
		case "credentials_helper":
			if len(it.labels) != 1 {
				return nil, it.errorf("a credentials_helper needs one label")
			}
			cfg.HelperName, cfg.HelperArgs = it.labels[0], stringsOf(it.member("args"))
		case "provider_installation":
			cfg.Installation = []InstallationMethod{}
			for _, m := range it.body {
				if m.name == "dev_overrides" {
					cfg.DevOverrides = map[string]string{}
					for _, o := range m.body {
						cfg.DevOverrides[o.name], _ = o.value.(string)
					}
					continue
				}
				method, err := readMethod(m)
				if err != nil {
					return nil, err
				}
				cfg.Installation = append(cfg.Installation, method)
			}
		}
	}
	return cfg, nil
}

// readMethod reads one block of provider_installation.
func readMethod(it hclItem) (InstallationMethod, *hclError) {
	m := InstallationMethod{Kind: it.name}
	m.Path, _ = it.member("path").(string)
	m.URL, _ = it.member("url").(string)
	m.TrustAllHashes, _ = it.member("trust_all_hashes").(bool)
	for name, to := range map[string]*[]Pattern{"include": &m.Include, "exclude": &m.Exclude} {
		for _, s := range stringsOf(it.member(name)) {
			p, err := ParsePattern(s)
			if err != nil {
				return m, it.errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "registry: configuration: "))
			}
			*to = append(*to, p)
		}
	}
	switch {
	case m.Kind == "filesystem_mirror" && m.Path == "":
		return m, it.errorf("a filesystem_mirror needs a path")
	case m.Kind == "network_mirror" && !strings.HasPrefix(m.URL, "https://"):
		return m, it.errorf("a network_mirror needs an https URL")
	}
	return m, nil
}

// Sources returns the source that the configuration describes, with c for the
// requests: the methods of provider_installation, or else every provider from
// its own registry. (OpenTofu would then also look in a few directories of the
// computer.) The error names a method of a kind that this package does not have,
// or is that of [Client.Mirror].
func (cfg *CLIConfig) Sources(c *Client) (Source, error) {
	if cfg.Installation == nil {
		return c, nil
	}
	var out Sources
	for _, m := range cfg.Installation {
		var source Source
		switch m.Kind {
		case "direct":
			source = c
		case "filesystem_mirror":
			source = &FilesystemMirror{Dir: m.Path}
		case "network_mirror":
			mirror, err := c.Mirror(m.URL, MirrorOptions{TrustAllHashes: m.TrustAllHashes})
			if err != nil {
				return nil, err
			}
			source = mirror
		default:
			return nil, &Error{Op: "configuration", Err: fmt.Errorf("installation method %q is not supported", clean(m.Kind, 60))}
		}
		out = append(out, Method{Source: source, Include: m.Include, Exclude: m.Exclude})
	}
	return out, nil
}

// stringsOf returns the strings of a list.
func stringsOf(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, e := range list {
		if s, ok := e.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
