// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

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

// A CLIConfig is the CLI configuration of a tool. It comes from one file or, if
// [CLIEnvironment.Load] made it, from all files and the environment.
//
// See https://opentofu.org/docs/cli/config/config-file/.
type CLIConfig struct {
	// Tool is the tool whose rules apply. Addresses and patterns of providers
	// without a host are those of its registry.
	Tool addrs.Tool

	// Files are the files that were read, in their order.
	Files []string

	// Credentials are the tokens of "credentials" blocks.
	Credentials Tokens

	// Services are the "host" blocks, for [Client.Services].
	Services map[string]map[string]string

	// HelperName and HelperArgs are the "credentials_helper" block. The program
	// is called terraform-credentials-NAME.
	HelperName string
	HelperArgs []string

	// Installation are the methods of "provider_installation" in their order.
	// Nil means that there is no such block.
	Installation []InstallationMethod

	// DevOverrides are directories for providers. Nil means that there is no
	// "dev_overrides" block. [CLIConfig.Sources] ignores it, as "tofu init" does:
	// an overridden provider is still selected, installed and locked. Only commands
	// that run providers use these directories.
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
	// "oci_default_credentials" block, or nil. This package does not use them.
	OCICredentials []OCICredentials
	OCIDefaults    *OCIDefaults

	// Unknown are the blocks and arguments at top level that the tool does not
	// have. The tools ignore them.
	Unknown []UnknownSetting

	// Warnings are findings for people that stop nothing.
	Warnings []string

	environ  []string // of CLIEnvironment, for tokens
	implied  []string // directories that are mirrors if there is no provider_installation
	programs []string // directories with credentials helpers
}

// An InstallationMethod is one block of "provider_installation".
type InstallationMethod struct {
	// Kind is "direct", "filesystem_mirror", "network_mirror" or "oci_mirror".
	Kind string

	// Path is a filesystem mirror's directory, URL a network mirror's base,
	// TrustAllHashes a network mirror's argument trust_all_hashes.
	Path, URL      string
	TrustAllHashes bool

	// RepositoryTemplate is an OCI mirror's argument repository_template, such as
	// "example.com/${namespace}/${type}".
	RepositoryTemplate string

	// Retries is the argument download_retry_count, or -1.
	Retries int

	// Include and Exclude are the arguments of those names, as in [Method].
	Include, Exclude []Pattern
}

// OCICredentials is an "oci_credentials" block: credentials for the OCI
// repositories below a prefix. Either the first two strings are set, or the next
// two, or Helper.
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
	// configuration file. Nil means the files that OpenTofu looks for by itself.
	ConfigFiles []string

	// Helper is docker_credentials_helper, or "".
	Helper string
}

// An UnknownSetting is a block or an argument that is kept as written.
type UnknownSetting struct {
	Filename     string // the file it is in
	Line, Column int    // from 1
	Name         string // of the block or argument
	Source       string // the whole text, as written
}

// ParseCLIConfig reads one CLI configuration file, native or in JSON. The
// language has only literal values there. The tool is Terraform if the name of
// the file is .terraformrc or terraform.rc, and otherwise OpenTofu. Variables in
// the file are not replaced. See [CLIEnvironment] for the configuration that a
// tool would have.
//
// As in the tools, unknown settings are ignored. They are in Unknown, with a
// warning. The error is an [*Error] with the place.
func ParseCLIConfig(filename string, src []byte) (*CLIConfig, error) {
	tool := addrs.OpenTofu
	switch path.Base(filename) {
	case ".terraformrc", "terraform.rc":
		tool = addrs.Terraform
	}
	return parseCLIConfig(filename, src, tool, nil)
}

// parseCLIConfig reads a file by the rules of a tool. If env is not nil, it
// replaces variables in the names of files.
func parseCLIConfig(filename string, src []byte, tool addrs.Tool, env *CLIEnvironment) (*CLIConfig, error) {
	items, err := parseCLISyntax(src, tool != addrs.Terraform)
	if err == nil {
		r := &cliReader{filename: filename, src: src, tool: tool, env: env, cfg: newCLIConfig(tool)}
		r.cfg.Files = []string{filename}
		if err = r.read(items); err == nil {
			return r.cfg, nil
		}
	}
	e := &Error{Op: "configuration", URL: filename, Err: err.cause}
	e.setPlace(src, int64(err.offset))
	return nil, e
}

func newCLIConfig(tool addrs.Tool) *CLIConfig {
	return &CLIConfig{Tool: tool, Credentials: Tokens{}, Services: map[string]map[string]string{}, Retries: -1}
}
