// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
)

// Apply sets the request settings of the configuration in c, which must not have
// been used yet. They are Credentials (from the environment, the files and the
// credentials helper, in this order), Services, Retry.Attempts and Limits.Timeout.
// Fields of c that are already set stay.
//
// As in the tools, Apply looks for a credentials helper in the plugin
// directories. Unlike them, it then looks in PATH, and returns an error if there
// is none.
func (cfg *CLIConfig) Apply(c *Client) error {
	if cfg == nil || c == nil {
		return nil
	}
	if c.Credentials == nil {
		list := []Credentials{EnvironmentTokens(cfg.environ), cfg.Credentials}
		if cfg.HelperName != "" {
			program, err := cfg.findHelper()
			if err != nil {
				return err
			}
			list = append(list, &CredentialsHelper{Program: program, Args: cfg.HelperArgs})
		}
		c.Credentials = FirstOf(list...)
	}
	if c.Services == nil {
		c.Services = cfg.Services
	}
	if c.Retry.Attempts == 0 && cfg.Retries >= 0 {
		c.Retry.Attempts = cfg.Retries + 1
	}
	if c.Limits.Timeout == 0 {
		c.Limits.Timeout = cfg.Timeout
	}
	return nil
}

// findHelper returns the program of the credentials helper. As for a plugin, its
// name may end in a version.
func (cfg *CLIConfig) findHelper() (string, error) {
	name := "terraform-credentials-" + cfg.HelperName
	for _, dir := range cfg.programs {
		names, _ := readNames(dir)
		for _, n := range slices.Backward(names) {
			base := strings.TrimSuffix(n, ".exe")
			if base != name && !strings.HasPrefix(base, name+"_v") {
				continue
			}
			if info, err := os.Stat(filepath.Join(dir, n)); err == nil && info.Mode().IsRegular() {
				return filepath.Join(dir, n), nil
			}
		}
	}
	program, err := exec.LookPath(name)
	if err != nil {
		return "", &Error{Op: "configuration", URL: strings.Join(cfg.Files, ", "), Err: fmt.Errorf("credentials helper: %w", err)}
	}
	return program, nil
}

// Sources returns the source that the configuration describes, with c for the
// requests. Call Apply first, so that c has the credentials.
//
// With provider_installation, the result is a [Sources] with the methods in the
// order of cfg.Installation. A method that this package does not have (oci_mirror)
// fails when it is asked for a provider; the caller can replace it by a source of
// its own. Without provider_installation, every provider comes from its own
// registry, with one exception: if Load or LoadFile made cfg, and a directory in
// which the tool looks for plugins exists, the providers in it come only from
// there.
//
// The errors are those of [Client.Mirror].
func (cfg *CLIConfig) Sources(c *Client) (Source, error) {
	if cfg == nil {
		cfg = &CLIConfig{}
	}
	if cfg.Installation == nil {
		return cfg.impliedSources(c), nil
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
			source = unserved(m.Kind)
		}
		out = append(out, Method{Source: source, Include: m.Include, Exclude: m.Exclude})
	}
	return out, nil
}

// impliedSources returns the sources of a configuration without
// provider_installation.
func (cfg *CLIConfig) impliedSources(c *Client) Source {
	var out Sources
	var local []Pattern
	for _, dir := range cfg.implied {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		mirror := &FilesystemMirror{Dir: dir}
		for _, p := range mirror.providers() {
			local = append(local, Pattern{p.Host(), p.Namespace(), p.Type()})
		}
		out = append(out, Method{Source: mirror})
	}
	if out == nil {
		return c
	}
	return append(out, Method{Source: c, Exclude: local})
}

// unserved is an installation method that this package does not have.
type unserved string

func (u unserved) fail(p addrs.Provider) error {
	err := fmt.Errorf("installation method %q is not supported here", clean(string(u), 60))
	if u == "oci_mirror" {
		err = fmt.Errorf("%w: it needs the module github.com/tofuwire/tofuwire/registry/ocimirror, whose function Sources takes the place of CLIConfig.Sources", err)
	}
	return &Error{Op: "configuration", For: p.ForDisplay(), Err: err}
}

// Versions fails.
func (u unserved) Versions(_ context.Context, p addrs.Provider) (*VersionList, error) {
	return nil, u.fail(p)
}

// Package fails.
func (u unserved) Package(_ context.Context, p addrs.Provider, _ addrs.Version, _ addrs.Platform) (*Package, error) {
	return nil, u.fail(p)
}
