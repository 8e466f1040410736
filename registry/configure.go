// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"cmp"
	"context"
	"fmt"
	"os"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/printable"
	"github.com/tofuwire/tofuwire/registry/cliconfig"
)

// Configure sets the request settings of a CLI configuration in c, which must not have
// been used yet. They are Credentials (from the environment and the files, and then from
// the credentials helper), Services, Retry.Attempts and Limits.Timeout. Fields of c that
// are already set stay. As in the tools, a credentials helper that was not found is
// ignored.
//
// If a file could not be read, or there is a fault in a "host" block, calls that need the
// services of a host return an error, unless c.Services was set. The tools would ask
// the host itself.
func (c *Client) Configure(cfg *cliconfig.Config) {
	if cfg == nil || c == nil {
		return
	}
	if c.Credentials == nil {
		c.Credentials = Tokens(cfg.Credentials)
		if cfg.HelperProgram != "" {
			c.Credentials = FirstOf(c.Credentials, &CredentialsHelper{Program: cfg.HelperProgram, Args: cfg.HelperArgs})
		}
	}
	if c.Services == nil {
		c.Services = cfg.Services
		for _, e := range cfg.Faults {
			if e.Setting == "" || e.Setting == "host" {
				c.misconfigured = &Error{Op: "configuration", Err: e}
				break
			}
		}
	}
	c.Policy.Tool = cmp.Or(c.Policy.Tool, cfg.Tool)
	if c.Retry.Attempts == 0 && cfg.Retries >= 0 {
		c.Retry.Attempts = cfg.Retries + 1
	}
	if c.Limits.Timeout == 0 {
		c.Limits.Timeout = cfg.Timeout
	}
}

// Sources returns the source that a CLI configuration describes, with c for the
// requests. Call Configure first, so that c has the credentials.
//
// With provider_installation, the result is a [Sources] with the methods in the
// order of cfg.Installation. A method that this package does not have (oci_mirror)
// fails when it is asked for a provider; the caller can replace it by a source of
// its own. Without provider_installation, every provider comes from its own
// registry, with one exception: if a directory of cfg.PluginDirs exists, the
// providers in it come only from there.
//
// The errors are those of cfg.CheckSources and of [Client.Mirror]. The tools would
// ignore settings that cannot be read, and ask the public registry.
func (c *Client) Sources(cfg *cliconfig.Config) (Source, error) {
	if err := cfg.CheckSources(); err != nil {
		return nil, &Error{Op: "configuration", Err: err}
	}
	if cfg == nil {
		cfg = &cliconfig.Config{}
	}
	if cfg.Installation == nil {
		return impliedSources(cfg.PluginDirs, c), nil
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
func impliedSources(dirs []string, c *Client) Source {
	var out Sources
	var local []cliconfig.Pattern
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		mirror := &FilesystemMirror{Dir: dir}
		for _, p := range mirror.providers() {
			if pt, err := cliconfig.ParsePattern(p.String()); err == nil {
				local = append(local, pt)
			}
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
	err := fmt.Errorf("installation method %q is not supported here", printable.Line(string(u), 60))
	if u == "oci_mirror" {
		err = fmt.Errorf("%w: it needs the module github.com/tofuwire/tofuwire/registry/ocimirror, whose function Sources takes the place of Client.Sources", err)
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
