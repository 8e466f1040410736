// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A Provider is one package of the filesystem mirror.
type Provider struct{ Namespace, Type, Version string }

// Providers are the providers of the filesystem mirror, with the versions that
// the recordings were made with.
var Providers = []Provider{
	{"example", "lab", "1.4.0"},
	{"hashicorp", "local", "2.9.0"},
	{"hashicorp", "null", "3.3.1"},
	{"hashicorp", "random", "3.9.0"},
	{"hashicorp", "time", "0.14.0"},
	{"hashicorp", "tls", "4.2.1"},
}

// hosts are the registries that the two tools ask for an address without host.
var hosts = []string{"registry.opentofu.org", "registry.terraform.io"}

// Sources are the ways in which a tool can find providers, with the special properties
// of each. All but "mirror" use a loopback registry.
var Sources = map[string]string{
	"mirror":   "the filesystem mirror",
	"packed":   "a filesystem mirror of zip files, made from the other one",
	"reg":      "a registry that signs",
	"regh":     "a registry that reports hashes of both schemes for all platforms",
	"regu":     "a registry without signing keys",
	"modules":  "the filesystem mirror, and a registry of modules",
	"none":     "nowhere: there is no CLI configuration",
	"network":  "a network mirror that reports no hashes",
	"networkh": "a network mirror that reports hashes",
	"networkt": "the same, with trust_all_hashes in the CLI configuration",
	"fs":       "a filesystem mirror of the registry's packages, as zip files",
}

// A Source is where the tool finds providers in one run.
type Source struct {
	Config  string   // the CLI configuration
	Env     []string // what the environment needs
	Mirror  string   // the folder of zip files, if there is one
	Network string   // the URL of the network mirror, if there is one
	close   func()
}

// Close ends the loopback registry, if there is one.
func (s *Source) Close() {
	if s.close != nil {
		s.close()
	}
}

// Mirrors makes the sources. The filesystem mirror is laid when it is needed
// first. The methods are for one goroutine.
type Mirrors struct {
	root    string // of the module
	from    string // a filesystem mirror that has the providers
	scratch string
	log     io.Writer

	lab   string // another version of the lab provider than in [Providers], if it is not empty
	dir   string // the filesystem mirror, if it is laid
	shelf *shelf // the packages of registries, if there is one
}

// ErrMissing means that the folder of providers lacks one.
var ErrMissing = errors.New("the provider is missing")

// NewMirrors returns sources that are made in the folder scratch. The lab
// provider is built from the module at root, the others are taken from the
// filesystem mirror from; log is told which are not there.
func NewMirrors(root, from, scratch string, log io.Writer) *Mirrors {
	return &Mirrors{root: root, from: from, scratch: scratch, log: log}
}

// providers returns [Providers], with the version of the lab provider that is
// asked for.
func (m *Mirrors) providers() []Provider {
	list := slices.Clone(Providers)
	for i, p := range list {
		if p.Type == "lab" && m.lab != "" {
			list[i].Version = m.lab
		}
	}
	return list
}

// lay lays the filesystem mirror.
func (m *Mirrors) lay() error {
	if m.dir != "" {
		return nil
	}
	platform := runtime.GOOS + "_" + runtime.GOARCH
	for _, p := range m.providers() {
		name := "terraform-provider-" + p.Type + "_v" + p.Version
		var file string
		var err error
		if p.Type == "lab" {
			file = filepath.Join(m.scratch, name)
			cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -X main.version="+p.Version, "-o", file, ".")
			cmd.Dir = filepath.Join(m.root, "tools", "record", "provider-lab")
			if text, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("cannot build the lab provider: %w\n%s", err, text)
			}
		} else if file, err = m.find(p.Namespace, p.Type, p.Version, platform); errors.Is(err, ErrMissing) {
			fmt.Fprintf(m.log, "%q lacks the provider %s/%s %s: cases that need it will fail\n", m.from, p.Namespace, p.Type, p.Version)
			continue
		} else if err != nil {
			return err
		}
		for _, host := range hosts {
			dir := filepath.Join(m.scratch, "mirror", host, p.Namespace, p.Type, p.Version, platform)
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
			if err := link(file, filepath.Join(dir, name)); err != nil {
				return err
			}
		}
	}
	m.dir = filepath.Join(m.scratch, "mirror")
	return nil
}

// find returns the executable of a provider in a filesystem mirror. If it is in
// a zip there, it is extracted.
func (m *Mirrors) find(namespace, typ, version, platform string) (string, error) {
	if m.from == "" {
		return "", ErrMissing
	}
	for _, host := range hosts {
		dir := filepath.Join(m.from, host, namespace, typ)
		names, err := filepath.Glob(filepath.Join(dir, version, platform, "terraform-provider-"+typ+"*"))
		if err == nil && len(names) > 0 {
			return filepath.Abs(names[0])
		}
		name := filepath.Join(dir, fmt.Sprintf("terraform-provider-%s_%s_%s.zip", typ, version, platform))
		if _, err := os.Stat(name); err == nil {
			return m.extract(name, "terraform-provider-"+typ)
		}
	}
	return "", ErrMissing
}

// extract extracts the first file of a zip whose name has a prefix.
func (m *Mirrors) extract(name, prefix string) (string, error) {
	z, err := zip.OpenReader(name)
	if err != nil {
		return "", err
	}
	defer z.Close()
	for _, f := range z.File {
		if !strings.HasPrefix(f.Name, prefix) {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return "", err
		}
		defer r.Close()
		data, err := io.ReadAll(r)
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		to := filepath.Join(m.scratch, prefix)
		return to, os.WriteFile(to, data, 0o755)
	}
	return "", fmt.Errorf("%s: there is no file %s", name, prefix)
}

// link gives a file a second name, in another folder.
func link(from, to string) error {
	if err := os.Link(from, to); err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o755)
}

// Source returns where the tool finds the providers of a script.
func (m *Mirrors) Source(s *Script) (*Source, error) {
	if s.Providers == "none" {
		return new(Source), nil
	}
	if err := m.lay(); err != nil {
		return nil, err
	}
	if s.Providers != "mirror" {
		return m.loopback(s.Providers)
	}
	return &Source{Config: installation(fmt.Sprintf("  filesystem_mirror {\n    path = %q\n  }\n", m.dir)), Mirror: m.dir}, nil
}

// installation returns a CLI configuration with the methods of installing.
func installation(methods string) string {
	return "disable_checkpoint = true\nprovider_installation {\n" + methods + "}\n"
}
