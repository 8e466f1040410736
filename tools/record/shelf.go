// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/tofuwire/tofuwire/checksum"
)

// platforms6 are the platforms that there are packages for.
var platforms6 = []string{"darwin_amd64", "darwin_arm64", "freebsd_386", "linux_amd64", "linux_arm64", "windows_amd64"}

// offered are the versions of the providers that exist for the recordings only.
// Registries list them in this order.
var offered = map[string][]string{
	"acme/widget":      {"2.1.0-rc1", "0.0.1", "0.9.10", "1.0.0-beta.2", "1.10.0", "1.0.0", "1.0.1", "1.2.0", "1.2.3", "2.0.0", "10.0.0"},
	"acme/gadget-tool": {"1.1.0+build.5", "3.0.0"},
	"hashicorp/random": {"3.8.1"}, // and the one that runs
	"oddfiles/odd":     {"2.0.0"},
	"zeta/one":         {"0.1.0"},
}

// A shelf has the packages of a registry.
type shelf struct {
	mirror    string // where the executables of the providers are
	providers []Provider
	kept      []string
	mu        sync.Mutex
	made      map[string]*pkg
}

// A pkg is a package.
type pkg struct {
	name, sha256, h1 string
	size             int
	data             []byte
}

// newShelf returns the packages of all providers. Those whose hashes are in
// recordings of lock files are kept as files; they were compressed by another
// program. None made here has the same bytes.
func newShelf(m *Mirrors) (*shelf, error) {
	if m.shelf != nil {
		return m.shelf, nil
	}
	s := &shelf{mirror: m.dir, providers: m.providers(), made: map[string]*pkg{}}
	for _, dir := range []string{"tools/record/packages", "checksum/testdata/packages"} {
		dir = filepath.Join(m.root, filepath.FromSlash(dir))
		if _, err := os.Stat(dir); err != nil {
			return nil, err
		}
		s.kept = append(s.kept, dir)
	}
	m.shelf = s
	return s, nil
}

// versions returns the versions of a provider, such as "acme/widget".
func (s *shelf) versions(provider string) []string {
	list := slices.Clone(offered[provider])
	for _, p := range s.providers {
		if p.Namespace+"/"+p.Type == provider {
			list = append(list, p.Version)
		}
	}
	return list
}

// find returns a package, or nil if there is none.
func (s *shelf) find(provider, version, platform string) *pkg {
	if !slices.Contains(platforms6, platform) {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, typ, _ := strings.Cut(provider, "/")
	name := fmt.Sprintf("terraform-provider-%s_%s_%s.zip", typ, version, platform)
	if p, ok := s.made[name]; ok {
		return p
	}
	s.made[name] = nil
	data, err := s.pack(provider, typ, version, platform, name)
	if err != nil {
		return nil
	}
	h1, err := checksum.Hasher{}.ZipReaderAt(context.Background(), name, bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil
	}
	sum := sha256.Sum256(data)
	s.made[name] = &pkg{name, hex.EncodeToString(sum[:]), h1.H1.String(), len(data), data}
	return s.made[name]
}

// pack returns the bytes of a package.
func (s *shelf) pack(provider, typ, version, platform, name string) ([]byte, error) {
	for _, dir := range s.kept {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			return data, nil
		}
	}
	exe := "terraform-provider-" + typ + "_v" + version
	text := fmt.Appendf(nil, "#!/bin/sh\n# placeholder %s %s %s\nexit 1\n", provider, version, platform)
	real := filepath.Join(s.mirror, hosts[0], filepath.FromSlash(provider), version, platform, exe)
	if data, err := os.ReadFile(real); err == nil {
		text = data
	} else if provider == "example/lab" && platform != "linux_arm64" {
		return nil, err // the registry had the lab provider for two platforms
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	h := &zip.FileHeader{Name: exe, Method: zip.Store} // tools wait ten seconds for an answer
	h.SetMode(0o755)
	e, err := w.CreateHeader(h)
	if err != nil {
		return nil, err
	}
	if _, err := e.Write(text); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// lay lays a filesystem mirror of zip files. If real is true, it has
// [Providers] for this platform, otherwise the made-up ones for all.
func (s *shelf) lay(dir string, real bool) error {
	put := func(host, provider string) error {
		for _, version := range s.versions(provider) {
			for _, platform := range platforms6 {
				p := s.find(provider, version, platform)
				if p == nil {
					continue
				}
				to := filepath.Join(dir, host, filepath.FromSlash(provider))
				if err := os.MkdirAll(to, 0o755); err != nil {
					return err
				}
				if err := os.WriteFile(filepath.Join(to, p.name), p.data, 0o644); err != nil {
					return err
				}
			}
		}
		return nil
	}
	for _, host := range append(hosts[:len(hosts):len(hosts)], "tf.example.test", "tf.example.test:8443") {
		if real {
			for _, p := range s.providers {
				if err := put(host, p.Namespace+"/"+p.Type); err != nil {
					return err
				}
			}
			continue
		}
		for provider := range offered {
			if err := put(host, provider); err != nil {
				return err
			}
		}
	}
	return nil
}
