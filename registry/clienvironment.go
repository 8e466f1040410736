// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
)

// A CLIEnvironment is the environment that a tool runs in. It finds the CLI
// configuration that the tool would have there. The zero CLIEnvironment is
// OpenTofu in this process.
type CLIEnvironment struct {
	// Tool is the tool whose rules apply.
	Tool addrs.Tool

	// GOOS is the operating system whose rules apply. If empty, it is that of
	// this program.
	GOOS string

	// Environ are the variables of the environment, in the form of os.Environ. If
	// nil, they are those of this process.
	Environ []string

	// Dir is the working directory; its terraform.d/plugins may have providers.
	// If empty, it is that of this process.
	Dir string
}

// Load reads all files of the CLI configuration and merges them with the
// environment, as the tool does. If TF_CLI_CONFIG_FILE (or TERRAFORM_CONFIG) names
// a file, it reads only that one. Otherwise it reads
//
//   - the user's file: .tofurc, .terraformrc, tofu.rc or terraform.rc, or a file
//     below XDG_CONFIG_HOME
//   - all files *.tfrc and *.tfrc.json of the configuration directory, including
//     credentials.tfrc.json
//
// It replaces variables of the environment in plugin_cache_dir. Unlike the tools,
// it also replaces "~" and "$HOME" at the beginning of all names of files.
//
// Load skips files that do not exist; if the file of TF_CLI_CONFIG_FILE does not
// exist, it adds a warning. It returns an error if two files have a block that is
// allowed only once, or if the plugin cache directory does not exist. The error is
// an [*Error].
func (e CLIEnvironment) Load() (*CLIConfig, error) {
	override := cmp.Or(e.getenv("TF_CLI_CONFIG_FILE"), e.getenv("TERRAFORM_CONFIG"))
	cfg := newCLIConfig(e.Tool)
	name := override
	if name == "" {
		name = e.configFile()
	}
	if name != "" {
		main, err := e.parse(name)
		switch {
		case errors.Is(err, fs.ErrNotExist) && override != "":
			cfg.Warnings = append(cfg.Warnings, fmt.Sprintf("the CLI configuration file %s does not exist", name))
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		default:
			cfg = main
		}
	}
	if override == "" {
		names, err := e.configDirFiles()
		if err != nil {
			return nil, err
		}
		dir := newCLIConfig(e.Tool)
		for _, name := range names {
			more, err := e.parse(name)
			if err == nil {
				err = dir.merge(more)
			}
			if err != nil {
				return nil, err
			}
		}
		if err := cfg.merge(dir); err != nil {
			return nil, err
		}
	}
	return e.finish(cfg)
}

// LoadFile is like [CLIEnvironment.Load] with TF_CLI_CONFIG_FILE set to filename,
// but returns an error if the file does not exist.
func (e CLIEnvironment) LoadFile(filename string) (*CLIConfig, error) {
	cfg, err := e.parse(filename)
	if err != nil {
		return nil, err
	}
	return e.finish(cfg)
}

// finish adds the settings of the environment.
func (e CLIEnvironment) finish(cfg *CLIConfig) (*CLIConfig, error) {
	cfg.environ = e.environ()
	cfg.implied = e.impliedMirrors()
	cfg.programs = e.programDirs()
	cfg.PluginCacheDir = cmp.Or(e.getenv("TF_PLUGIN_CACHE_DIR"), cfg.PluginCacheDir)
	if v := e.getenv("TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE"); v != "" && v != "0" {
		cfg.PluginCacheMayBreakLock = true
	}
	if n, err := strconv.Atoi(e.getenv("TF_REGISTRY_DISCOVERY_RETRY")); err == nil && n > 0 {
		cfg.Retries = n
	}
	if n, err := strconv.Atoi(e.getenv("TF_REGISTRY_CLIENT_TIMEOUT")); err == nil && n > 0 && n < 1<<30 {
		cfg.Timeout = time.Duration(n) * time.Second
	}
	if cfg.PluginCacheDir != "" {
		if _, err := os.Stat(cfg.PluginCacheDir); err != nil {
			return nil, &Error{Op: "configuration", URL: cfg.PluginCacheDir, Err: fmt.Errorf("the plugin cache directory cannot be opened: %w", withoutPath(err))}
		}
	}
	return cfg, nil
}

// maxCLIConfig bounds one file of the CLI configuration.
const maxCLIConfig = 4 << 20

func (e CLIEnvironment) parse(name string) (*CLIConfig, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, &Error{Op: "configuration", URL: name, Err: withoutPath(err)}
	}
	defer f.Close()
	src, err := readAll(f, maxCLIConfig, 0)
	if err != nil {
		return nil, &Error{Op: "configuration", URL: name, Err: withoutPath(err)}
	}
	return parseCLIConfig(name, src, e.Tool, &e)
}

// expand replaces variables of the environment, and "~/" at the beginning. A nil
// environment replaces nothing.
func (e *CLIEnvironment) expand(s string) string {
	if e == nil {
		return s
	}
	return os.Expand(e.expandHome(s), e.getenv)
}

// expandHome replaces "~/" and "$HOME" at the beginning. The tools do so only in
// the name of the plugin cache. In other names they would look for a directory
// called "~".
func (e *CLIEnvironment) expandHome(s string) string {
	if e == nil {
		return s
	}
	for _, name := range []string{"~", "$HOME", "${HOME}"} {
		rest, ok := strings.CutPrefix(s, name)
		if home := e.home(); ok && home != "" && (rest == "" || rest[0] == '/' || rest[0] == filepath.Separator) {
			return filepath.Join(home, rest)
		}
	}
	return s
}

func (e CLIEnvironment) goos() string { return cmp.Or(e.GOOS, runtime.GOOS) }

func (e CLIEnvironment) environ() []string {
	if e.Environ == nil {
		return os.Environ()
	}
	return e.Environ
}

// getenv returns a variable. The last of several with a name counts; on Windows
// case does not matter.
func (e CLIEnvironment) getenv(name string) string {
	for _, kv := range slices.Backward(e.environ()) {
		if k, v, ok := strings.Cut(kv, "="); ok && (k == name || e.goos() == "windows" && strings.EqualFold(k, name)) {
			return v
		}
	}
	return ""
}

// home returns the directory of the user, or "". On Windows it is the directory
// of application data.
func (e CLIEnvironment) home() string {
	if e.goos() == "windows" {
		return e.getenv("APPDATA")
	}
	if home := e.getenv("HOME"); home != "" {
		return home
	}
	if e.Environ != nil {
		return "" // the environment of another process
	}
	if u, err := user.Current(); err == nil {
		return u.HomeDir
	}
	return ""
}

// inHome returns the path of a file below home, or "".
func (e CLIEnvironment) inHome(names ...string) string {
	home := e.home()
	if home == "" {
		return ""
	}
	return filepath.Join(append([]string{home}, names...)...)
}

func exists(name string) bool {
	if name == "" {
		return false
	}
	_, err := os.Stat(name)
	return err == nil
}

// configFile returns the name of the user's file.
func (e CLIEnvironment) configFile() string {
	own, legacy := e.inHome(".tofurc"), e.inHome(".terraformrc")
	if e.goos() == "windows" {
		own, legacy = e.inHome("tofu.rc"), e.inHome("terraform.rc")
	}
	if e.Tool == addrs.Terraform {
		return legacy
	}
	xdg := e.getenv("XDG_CONFIG_HOME")
	switch {
	case exists(own):
		return own
	case exists(legacy):
		return legacy
	case xdg != "" && e.goos() != "windows":
		return filepath.Join(xdg, "opentofu", "tofurc")
	}
	return own
}

// configDir returns the name of the configuration directory.
func (e CLIEnvironment) configDir() string {
	if e.goos() == "windows" {
		return e.inHome("terraform.d")
	}
	dir := e.inHome(".terraform.d")
	if xdg := e.getenv("XDG_CONFIG_HOME"); e.Tool != addrs.Terraform && xdg != "" && !exists(dir) {
		return filepath.Join(xdg, "opentofu")
	}
	return dir
}

// configDirFiles returns the files of the configuration directory, in the order
// of their names.
func (e CLIEnvironment) configDirFiles() ([]string, error) {
	dir := e.configDir()
	if info, err := os.Stat(dir); dir == "" || err != nil || !info.IsDir() {
		return nil, nil
	}
	names, err := readNames(dir)
	if err != nil {
		return nil, &Error{Op: "configuration", URL: dir, Err: withoutPath(err)}
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		return !strings.HasSuffix(name, ".tfrc") && !strings.HasSuffix(name, ".tfrc.json")
	})
	for i := range names {
		names[i] = filepath.Join(dir, names[i])
	}
	return names, nil
}

// dataDirs returns the directories in which the tool looks for plugins.
func (e CLIEnvironment) dataDirs() []string {
	if e.goos() == "windows" {
		return nonEmpty(e.inHome("terraform.d"))
	}
	dirs := nonEmpty(e.inHome(".terraform.d"))
	if xdg := e.getenv("XDG_DATA_HOME"); e.Tool != addrs.Terraform && xdg != "" {
		dirs = append(dirs, filepath.Join(xdg, "opentofu"))
	}
	return dirs
}

// programDirs returns the directories with credentials helpers.
func (e CLIEnvironment) programDirs() []string {
	var dirs []string
	for _, dir := range e.dataDirs() {
		dirs = append(dirs, filepath.Join(dir, "plugins"), filepath.Join(dir, "plugins", e.goos()+"_"+runtime.GOARCH))
	}
	return dirs
}

// impliedMirrors returns the directories that are filesystem mirrors if the
// configuration has no provider_installation.
func (e CLIEnvironment) impliedMirrors() []string {
	dirs := []string{filepath.Join(e.Dir, "terraform.d", "plugins")}
	for _, dir := range e.dataDirs() {
		dirs = append(dirs, filepath.Join(dir, "plugins"))
	}
	switch e.goos() {
	case "windows":
		for _, name := range []string{"APPDATA", "PROGRAMDATA"} {
			if dir := e.getenv(name); dir != "" {
				dirs = append(dirs, filepath.Join(dir, "HashiCorp", "Terraform", "plugins"))
			}
		}
	case "darwin", "ios":
		dirs = append(dirs, nonEmpty(e.inHome("Library", "Application Support", "io.terraform", "plugins"))...)
		dirs = append(dirs, "/Library/Application Support/io.terraform/plugins")
	default:
		own := e.inHome(".local", "share")
		if xdg := e.getenv("XDG_DATA_HOME"); filepath.IsAbs(xdg) {
			own = xdg
		}
		bases := nonEmpty(own)
		shared := cmp.Or(e.getenv("XDG_DATA_DIRS"), "/usr/local/share:/usr/share")
		for _, dir := range strings.Split(shared, ":") {
			if filepath.IsAbs(dir) {
				bases = append(bases, dir)
			}
		}
		for _, base := range bases {
			dirs = append(dirs, filepath.Join(base, "terraform", "plugins"))
		}
	}
	return dirs
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// merge adds the settings of another file. As in the tools, hosts and credentials
// of the later file win, and single settings of the earlier one.
func (cfg *CLIConfig) merge(more *CLIConfig) error {
	fail := func(what string) error {
		return &Error{Op: "configuration", URL: strings.Join(more.Files, ", "), Err: fmt.Errorf("there is more than one %s in all files", what)}
	}
	if more.HelperName != "" {
		if cfg.HelperName != "" && cfg.HelperName != more.HelperName {
			return fail("credentials_helper")
		}
		cfg.HelperName, cfg.HelperArgs = more.HelperName, more.HelperArgs
	}
	if more.Installation != nil {
		if cfg.Installation != nil {
			return fail("provider_installation")
		}
		cfg.Installation, cfg.DevOverrides = more.Installation, more.DevOverrides
	}
	if more.OCIDefaults != nil {
		if cfg.OCIDefaults != nil {
			return fail("oci_default_credentials")
		}
		cfg.OCIDefaults = more.OCIDefaults
	}
	for _, c := range more.OCICredentials {
		if slices.ContainsFunc(cfg.OCICredentials, func(o OCICredentials) bool { return o.Prefix == c.Prefix }) {
			return fail(fmt.Sprintf("oci_credentials for %q", clean(c.Prefix, 100)))
		}
		cfg.OCICredentials = append(cfg.OCICredentials, c)
	}
	cfg.PluginCacheDir = cmp.Or(cfg.PluginCacheDir, more.PluginCacheDir)
	cfg.PluginCacheMayBreakLock = cfg.PluginCacheMayBreakLock || more.PluginCacheMayBreakLock
	if cfg.Retries < 0 {
		cfg.Retries = more.Retries
	}
	cfg.Timeout = cmp.Or(cfg.Timeout, more.Timeout)
	maps.Copy(cfg.Services, more.Services)
	maps.Copy(cfg.Credentials, more.Credentials)
	cfg.Files = append(cfg.Files, more.Files...)
	cfg.Unknown = append(cfg.Unknown, more.Unknown...)
	cfg.Warnings = append(cfg.Warnings, more.Warnings...)
	return nil
}
