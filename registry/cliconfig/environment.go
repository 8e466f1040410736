// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cliconfig

import (
	"cmp"
	"errors"
	"fmt"
	"io"
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
	"github.com/tofuwire/tofuwire/internal/printable"
)

// An Environment is the environment that a tool runs in. It finds the CLI
// configuration that the tool would use there. The zero Environment is OpenTofu
// in this process.
type Environment struct {
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
// It replaces variables of the environment in plugin_cache_dir. Unlike the tools, it
// also replaces "~" and "$HOME" at the beginning of every file name.
//
// Load skips files that do not exist; if the file of TF_CLI_CONFIG_FILE does not
// exist, it adds a warning. The errors of settings that cannot be read, or that two
// files have although they are allowed only once, are listed in [Config.Faults], and
// so is a plugin cache directory that does not exist. They do not affect other
// settings.
//
// If a file cannot be read, or its syntax is broken, Load returns an error together
// with the settings of the other files. A program that gets its packages elsewhere
// can continue with those; [Config.CheckSources] returns an error. The error of Load
// wraps an [*Error] for each such file.
func (e Environment) Load() (*Config, error) {
	override := cmp.Or(e.getenv("TF_CLI_CONFIG_FILE"), e.getenv("TERRAFORM_CONFIG"))
	cfg := newConfig(e.Tool)
	name := override
	if name == "" {
		name = e.configFile()
	}
	var failures []error
	if name != "" {
		main, err := e.parse(name, override == "")
		switch {
		case errors.Is(err, fs.ErrNotExist) && override != "":
			cfg.Warnings = append(cfg.Warnings, fmt.Sprintf("the CLI configuration file %s does not exist", name))
		case errors.Is(err, fs.ErrNotExist):
		default:
			cfg, failures = main, append(failures, err)
		}
	}
	if override == "" {
		names, err := e.configDirFiles()
		dir := newConfig(e.Tool)
		if err != nil {
			dir.Faults, failures = append(dir.Faults, err), append(failures, err)
		}
		for _, name := range names {
			more, err := e.parse(name, true)
			dir.merge(more)
			failures = append(failures, err)
		}
		cfg.merge(dir)
	}
	return e.finish(cfg), errors.Join(failures...)
}

// LoadFile is like [Environment.Load] with TF_CLI_CONFIG_FILE set to filename,
// but returns an error if the file does not exist.
func (e Environment) LoadFile(filename string) (*Config, error) {
	cfg, err := e.parse(filename, false)
	return e.finish(cfg), err
}

// finish adds the settings of the environment.
func (e Environment) finish(cfg *Config) *Config {
	maps.Copy(cfg.Credentials, environmentTokens(e.environ()))
	cfg.PluginDirs = e.impliedMirrors()
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
			cfg.fail("plugin_cache_dir", printable.Address(cfg.PluginCacheDir), fmt.Errorf("the plugin cache directory cannot be opened, and no cache is used: %w", withoutPath(err)))
			cfg.PluginCacheDir = ""
		}
	}
	if cfg.HelperName != "" {
		if cfg.HelperProgram = e.findHelper(cfg.HelperName); cfg.HelperProgram == "" {
			cfg.fail("credentials_helper", strings.Join(cfg.Files, ", "), fmt.Errorf("the credentials helper terraform-credentials-%s is neither in the plugin directories nor in PATH", cfg.HelperName))
		}
	}
	return cfg
}

// findHelper returns the program of a credentials helper, or "". As for a plugin, its
// name may end in a version. The tools look only in the plugin directories.
func (e Environment) findHelper(name string) string {
	name = "terraform-credentials-" + name
	for _, dir := range e.programDirs() {
		names, _ := readNames(dir)
		for _, n := range slices.Backward(names) {
			base := strings.TrimSuffix(n, ".exe")
			if base != name && !strings.HasPrefix(base, name+"_v") {
				continue
			}
			if info, err := os.Stat(filepath.Join(dir, n)); err == nil && info.Mode().IsRegular() {
				return filepath.Join(dir, n)
			}
		}
	}
	if e.goos() == "windows" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(e.getenv("PATH")) {
		file := filepath.Join(dir, name)
		info, err := os.Stat(file)
		if err == nil && filepath.IsAbs(dir) && info.Mode().IsRegular() && (e.goos() == "windows" || info.Mode()&0o111 != 0) {
			return file
		}
	}
	return ""
}

// fail adds a fault that has no place in a file.
func (cfg *Config) fail(setting, filename string, err error) {
	cfg.Faults = append(cfg.Faults, &Error{Filename: filename, Setting: setting, Err: err})
}

// maxFile bounds one file of the CLI configuration, and maxNames the names in one
// directory.
const (
	maxFile  = 4 << 20
	maxNames = 100_000
)

// parse reads a file, which nobody named but its place if found is set. If it cannot be read, the Config has only that
// fault.
func (e Environment) parse(name string, found bool) (*Config, error) {
	var src []byte
	var err error
	if found {
		err = checkPipe(name)
	}
	if err == nil {
		src, err = readFile(name)
	}
	if err != nil {
		cfg := newConfig(e.Tool)
		cfg.fail("", name, withoutPath(err))
		return cfg, cfg.Faults[0]
	}
	return parse(name, src, e.Tool, &e)
}

func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(src) > maxFile {
		err = fmt.Errorf("%w: more than %d bytes", ErrLimit, maxFile)
	}
	return src, err
}

// checkPipe returns an error for a pipe at a default place, which may have no writer: to open it would wait without end.
func checkPipe(name string) error {
	if info, err := os.Stat(name); err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0 {
		return &fs.PathError{Op: "open", Path: name, Err: errors.New("it is a pipe or a socket")}
	}
	return nil
}

// readNames returns the names in a directory, sorted.
func readNames(dir string) ([]string, error) {
	if err := checkPipe(dir); err != nil {
		return nil, err
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(maxNames + 1)
	if err == io.EOF {
		err = nil
	}
	if len(names) > maxNames {
		err = fmt.Errorf("%w: more than %d names", ErrLimit, maxNames)
	}
	slices.Sort(names)
	return names, err
}

// expand replaces variables of the environment, and "~/" at the beginning. A nil
// environment replaces nothing.
func (e *Environment) expand(s string) string {
	if e == nil {
		return s
	}
	return os.Expand(e.expandHome(s), e.getenv)
}

// expandHome replaces "~/" and "$HOME" at the beginning. The tools do so only in
// the name of the plugin cache. In other names they would look for a directory
// called "~".
func (e *Environment) expandHome(s string) string {
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

func (e Environment) goos() string { return cmp.Or(e.GOOS, runtime.GOOS) }

func (e Environment) environ() []string {
	if e.Environ == nil {
		return os.Environ()
	}
	return e.Environ
}

// getenv returns a variable. The last of several with a name counts; on Windows
// case does not matter.
func (e Environment) getenv(name string) string {
	for _, kv := range slices.Backward(e.environ()) {
		if k, v, ok := strings.Cut(kv, "="); ok && (k == name || e.goos() == "windows" && strings.EqualFold(k, name)) {
			return v
		}
	}
	return ""
}

// home returns the directory of the user, or "". On Windows it is the directory
// of application data.
func (e Environment) home() string {
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
func (e Environment) inHome(names ...string) string {
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
func (e Environment) configFile() string {
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
func (e Environment) configDir() string {
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
func (e Environment) configDirFiles() ([]string, *Error) {
	dir := e.configDir()
	if info, err := os.Stat(dir); dir == "" || err != nil || !info.IsDir() {
		return nil, nil
	}
	names, err := readNames(dir)
	if err != nil {
		return nil, &Error{Filename: dir, Err: withoutPath(err)}
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
func (e Environment) dataDirs() []string {
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
func (e Environment) programDirs() []string {
	var dirs []string
	for _, dir := range e.dataDirs() {
		dirs = append(dirs, filepath.Join(dir, "plugins"), filepath.Join(dir, "plugins", e.goos()+"_"+runtime.GOARCH))
	}
	return dirs
}

// impliedMirrors returns the directories that are filesystem mirrors if the
// configuration has no provider_installation.
func (e Environment) impliedMirrors() []string {
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
// of the later file win, and single settings of the earlier one. Of two settings that
// are allowed once, the first stays, and the second is a fault.
func (cfg *Config) merge(more *Config) {
	cfg.Faults = append(cfg.Faults, more.Faults...)
	twice := func(setting, what string) {
		cfg.fail(setting, strings.Join(more.Files, ", "), fmt.Errorf("the files contain more than one %s", what))
	}
	switch {
	case more.HelperName == "":
	case cfg.HelperName != "" && cfg.HelperName != more.HelperName:
		twice("credentials_helper", "credentials_helper")
	default:
		cfg.HelperName, cfg.HelperArgs = more.HelperName, more.HelperArgs
	}
	switch {
	case more.Installation == nil:
	case cfg.Installation != nil:
		twice("provider_installation", "provider_installation")
	default:
		cfg.Installation, cfg.DevOverrides = more.Installation, more.DevOverrides
	}
	switch {
	case more.OCIDefaults == nil:
	case cfg.OCIDefaults != nil:
		twice("oci_default_credentials", "oci_default_credentials")
	default:
		cfg.OCIDefaults = more.OCIDefaults
	}
	prefixes := map[string]bool{}
	for _, c := range cfg.OCICredentials {
		prefixes[c.Prefix] = true
	}
	for _, c := range more.OCICredentials {
		if prefixes[c.Prefix] {
			twice("oci_credentials", fmt.Sprintf("oci_credentials for %q", printable.Line(c.Prefix, 100)))
			continue
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
	cfg.Extra = append(cfg.Extra, more.Extra...)
	cfg.Warnings = append(cfg.Warnings, more.Warnings...)
}
