// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/registry"
)

// A need is a provider that the module needs, with the constraints of all
// modules together.
type need struct {
	provider    addrs.Provider
	constraints addrs.Constraints
}

// requirements reads the module in dir and the modules that local sources
// lead to from there.
func requirements(dir string) ([]need, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	// Local modules may be above DIR, so the file system begins at its root.
	volume := filepath.VolumeName(abs) + string(filepath.Separator)
	rel, err := filepath.Rel(volume, abs)
	if err != nil {
		return nil, err
	}
	root, err := hclconfig.LoadTree(os.DirFS(volume), filepath.ToSlash(rel))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	// Places are better read from where the user is.
	place := func(err error) error {
		return errors.New(strings.ReplaceAll(err.Error(), filepath.ToSlash(rel)+"/", filepath.ToSlash(filepath.Clean(dir))+"/"))
	}
	var problems []error
	byProvider := map[addrs.Provider]need{}
	for t := range root.All() {
		m := t.Module
		for _, d := range m.Diagnostics() {
			if d.Severity == hclconfig.SeverityError {
				problems = append(problems, errors.New(d.String()))
			}
		}
		for _, r := range m.RequiredProviders() {
			if r.Requirement != nil {
				_, sourceErr := r.Requirement.Provider()
				_, versionErr := r.Requirement.Constraints()
				if err := errors.Join(sourceErr, versionErr); err != nil {
					problems = append(problems, err)
					continue
				}
			}
			if !r.Provider.IsValid() || r.Provider.IsBuiltIn() {
				continue
			}
			if r.Provider.IsLegacy() {
				problems = append(problems, fmt.Errorf("provider %s cannot be locked: it has no registry", r.Provider))
				continue
			}
			n := byProvider[r.Provider]
			n.provider = r.Provider
			n.constraints = addrs.JoinConstraints(n.constraints, r.Constraints)
			byProvider[r.Provider] = n
		}
		for _, call := range t.Missing {
			if call.IsLocal() {
				problems = append(problems, fmt.Errorf("%s: module %s: there is no directory %s", call.Block.DefRange(), call.Name, call.LocalDir(m.Dir)))
			}
		}
	}
	if len(problems) > 0 {
		return nil, place(errors.Join(problems...))
	}
	var needs []need
	for _, n := range byProvider {
		needs = append(needs, n)
	}
	slices.SortFunc(needs, func(a, b need) int { return a.provider.Compare(b.provider) })
	return needs, nil
}

// getenv returns the value of a variable of environ.
func getenv(environ []string, name string) string {
	for _, kv := range slices.Backward(environ) {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
}

// cacheOf returns the plugin cache as a source, or nil.
func cacheOf(environ []string) *registry.FilesystemMirror {
	dir := getenv(environ, "TF_PLUGIN_CACHE_DIR")
	if dir == "" {
		return nil
	}
	return &registry.FilesystemMirror{Dir: dir}
}

// userConfig reads the credentials and the services of hosts, in the places
// where OpenTofu has them: the environment, the CLI configuration, the file of
// "tofu login", and a credentials helper.
func userConfig(environ []string) (registry.Credentials, map[string]map[string]string, error) {
	list := []registry.Credentials{registry.EnvironmentTokens(environ)}
	home := getenv(environ, "HOME")
	names := []string{getenv(environ, "TF_CLI_CONFIG_FILE")}
	if names[0] == "" && home != "" {
		names = []string{filepath.Join(home, ".tofurc"), filepath.Join(home, ".terraformrc")}
	}
	var services map[string]map[string]string
	var helper registry.Credentials
	for _, name := range names {
		src, err := os.ReadFile(name)
		if name == "" || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		cfg, err := registry.ParseCLIConfig(name, src)
		if err != nil {
			return nil, nil, err
		}
		list, services = append(list, cfg.Credentials), cfg.Services
		if cfg.HelperName != "" {
			program, err := exec.LookPath("terraform-credentials-" + cfg.HelperName)
			if err != nil {
				return nil, nil, err
			}
			helper = &registry.CredentialsHelper{Program: program, Args: cfg.HelperArgs}
		}
		break
	}
	if home != "" {
		name := filepath.Join(home, ".terraform.d", "credentials.tfrc.json")
		src, err := os.ReadFile(name)
		if err == nil {
			tokens, err := registry.ParseCredentials(name, src)
			if err != nil {
				return nil, nil, err
			}
			list = append(list, tokens)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
	}
	return registry.FirstOf(append(list, helper)...), services, nil
}
