// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cliconfig

import (
	"path"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
)

// defaultHost returns the registry of addresses and patterns without a host.
func defaultHost(tool addrs.Tool) string {
	if tool == addrs.Terraform {
		return addrs.TerraformHost
	}
	return addrs.DefaultHost
}

// A Config is the CLI configuration of a tool. It comes from one file or, if
// [Environment.Load] made it, from all files and the environment. Client.Configure
// and Client.Sources of package registry apply it.
//
// See https://opentofu.org/docs/cli/config/config-file/.
type Config struct {
	// Tool is the tool whose rules apply. Addresses and patterns of providers
	// without a host refer to its registry.
	Tool addrs.Tool

	// Files are the files that were read, in order.
	Files []string

	// Credentials are the tokens of "credentials" blocks by host, see [ParseHost]. If
	// Load or LoadFile made the Config, the variables TF_TOKEN_HOST of the environment
	// take precedence.
	Credentials map[string]string

	// Services are the "host" blocks: for each host, the URLs of its services.
	Services map[string]map[string]string

	// HelperName and HelperArgs are the "credentials_helper" block. The program
	// is called terraform-credentials-NAME.
	HelperName string
	HelperArgs []string

	// HelperProgram is the path of that program. It is empty if there is no such block,
	// if Parse made the Config, or if the program was not found.
	HelperProgram string

	// Installation are the methods of "provider_installation" in their order.
	// Nil means that there is no such block.
	Installation []Method

	// DevOverrides are directories for providers. Nil means that there is no
	// "dev_overrides" block. "tofu init" ignores it: an overridden provider is
	// still selected, installed and locked. Only commands that run providers use
	// these directories.
	DevOverrides map[addrs.Provider]string

	// PluginCacheDir is the directory "plugin_cache_dir", with variables of the
	// environment replaced, or "".
	PluginCacheDir string

	// PluginCacheMayBreakLock is the setting
	// "plugin_cache_may_break_dependency_lock_file".
	PluginCacheMayBreakLock bool

	// Retries is how often a request for a document is repeated, and Timeout
	// bounds each attempt: the block "registry_protocols" and, with Load, the
	// environment. Retries is -1, and Timeout 0, if they are not set.
	Retries int
	Timeout time.Duration

	// OCICredentials are the "oci_credentials" blocks, and OCIDefaults is the
	// "oci_default_credentials" block, or nil. See LoadCredentials of
	// registry/ocimirror.
	OCICredentials []OCICredentials
	OCIDefaults    *OCIDefaults

	// PluginDirs are directories in which the tool looks for providers if there is no
	// "provider_installation". They need not exist. Only Load and LoadFile set them.
	PluginDirs []string

	// Extra are the blocks and arguments at top level that the tool does not support.
	// The tools ignore them.
	Extra []Setting

	// Warnings are non-fatal messages for people.
	Warnings []string

	// Faults are the errors in settings, which are therefore missing here. As in the
	// tools, a bad setting does not affect the others. See [Config.CheckSources] for
	// those that matter to downloads.
	Faults []*Error
}

// CheckSources returns an error if the configuration does not say reliably where
// packages and modules come from: a file could not be read, or there is a fault in
// "provider_installation" or in a "host" block. The tools would go on without such a
// setting, and ask the public registry; programs that use this package must not. The
// error is the first such element of Faults.
func (cfg *Config) CheckSources() error {
	if cfg == nil {
		return nil
	}
	for _, e := range cfg.Faults {
		switch e.Setting {
		case "", "provider_installation", "host":
			return e
		}
	}
	return nil
}

// A Method is one block of "provider_installation".
type Method struct {
	// Kind is "direct", "filesystem_mirror", "network_mirror" or "oci_mirror".
	Kind string

	// Path is a filesystem mirror's directory, URL a network mirror's base,
	// TrustAllHashes a network mirror's argument trust_all_hashes.
	Path, URL      string
	TrustAllHashes bool

	// RepositoryTemplate is an OCI mirror's argument repository_template, such as
	// "example.com/${namespace}/${type}".
	RepositoryTemplate string

	// Retries is the argument download_retry_count, or -1 if it is not set.
	Retries int

	// Include and Exclude are the arguments of those names. Exclude wins.
	Include, Exclude []Pattern
}

// OCICredentials is an "oci_credentials" block: credentials for the OCI
// repositories below a prefix. Either Username and Password are set, or
// AccessToken and RefreshToken, or Helper.
type OCICredentials struct {
	Prefix                    string // DOMAIN or DOMAIN/PATH
	Username, Password        string
	AccessToken, RefreshToken string
	Helper                    string // docker_credentials_helper
}

// OCIDefaults is the "oci_default_credentials" block.
type OCIDefaults struct {
	// Discover is discover_ambient_credentials.
	Discover bool

	// ConfigFiles is docker_style_config_files, relative to the directory of the
	// configuration file. Nil means OpenTofu's default files.
	ConfigFiles []string

	// Helper is docker_credentials_helper, or "".
	Helper string
}

// A Setting is a block or an argument that is kept as written.
type Setting struct {
	Filename     string // the file it is in
	Line, Column int    // from 1
	Name         string // of the block or argument
	Source       string // the whole text, as written
}

// Parse reads one CLI configuration file, native or in JSON. All values in it are
// literals. The tool is Terraform if the name of the file is .terraformrc or
// terraform.rc, and otherwise OpenTofu. Variables in the file are not replaced. See
// [Environment] for the configuration that a tool would use.
//
// As in the tools, settings that the tool does not support are ignored: they are listed
// in Extra, with a warning. A setting that cannot be read is left out and its error
// listed in Faults. If the syntax of the file is broken, Parse also returns that element
// of Faults, an [*Error] with the place, as the error.
func Parse(filename string, src []byte) (*Config, error) {
	tool := addrs.OpenTofu
	switch path.Base(filename) {
	case ".terraformrc", "terraform.rc":
		tool = addrs.Terraform
	}
	return parse(filename, src, tool, nil)
}

// parse reads a file by the rules of a tool. If env is not nil, it replaces variables
// in the names of files.
func parse(filename string, src []byte, tool addrs.Tool, env *Environment) (*Config, error) {
	r := &reader{filename: filename, src: src, tool: tool, env: env, cfg: newConfig(tool)}
	r.cfg.Files = []string{filename}
	items, f := parseSyntax(src, tool != addrs.Terraform)
	if f != nil {
		r.fail("", f)
		return r.cfg, r.cfg.Faults[0]
	}
	r.read(items)
	return r.cfg, nil
}

func newConfig(tool addrs.Tool) *Config {
	return &Config{Tool: tool, Credentials: map[string]string{}, Services: map[string]map[string]string{}, Retries: -1}
}
