// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registrytest

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/tofuwire/tofuwire/addrs"
)

// A Provider is a provider of the server, under every host name.
type Provider struct {
	// Namespace and Type are its address without the host.
	Namespace, Type string

	// Versions are in the order in which the registry lists them.
	Versions []Version

	// Warnings are the registry's messages about the provider.
	Warnings []string

	// Unsigned omits the signing keys. (The signature is still there, because
	// OpenTofu always requests it.)
	Unsigned bool
}

// A Version is one version of a [Provider].
type Version struct {
	// Version is the version as the registry spells it.
	Version string

	// Platforms are the platforms with packages, such as "linux_amd64". If nil,
	// there is a package for linux_amd64.
	Platforms []string

	// Protocols are the provider protocols. If nil, they are "5.0".
	Protocols []string

	// Reported adds the member "packages" with the hashes of all platforms,
	// as registries for OpenTofu 1.12 do.
	Reported bool

	// Zip returns the package for a platform. If nil, a small one is generated.
	Zip func(platform string) []byte

	// File returns the name of a file with the package, which is read for each
	// request. It is for large packages. If nil, Zip is used.
	File func(platform string) string
}

// A Module is a module of the server, under every host name.
type Module struct {
	// Namespace, Name and System are its address without the host.
	Namespace, Name, System string

	// Versions are the versions as the registry spells them.
	Versions []string

	// Location is the answer of the registry for a download, for example
	// "git::https://example.com/m.git?ref=v1". If empty, the server answers
	// with an archive of its own.
	Location string

	// Archive returns the archive of a version, a zip or a tar with gzip. If nil,
	// it is a zip with one file.
	Archive func(version string) []byte

	// JSON makes the answer a JSON document; otherwise it is the header
	// X-Terraform-Get with status 204.
	JSON bool

	// UseCredentials is the member use_registry_credentials, with JSON. If
	// nil, it is left out.
	UseCredentials *bool
}

// A Package is a package of the server, as a client should find it.
type Package struct {
	Filename string // as in the checksum document
	Size     int64  // of the zip in bytes
	SHA256   string // of the zip, 64 hexadecimal digits

	// H1 is the h1 hash of the zip's entries. It is the zero Hash if the
	// package is not a zip.
	H1 addrs.Hash

	data []byte
	path string
}

// Hash returns the zh hash of the zip.
func (p *Package) Hash() addrs.Hash { return addrs.Hash("zh:" + p.SHA256) }

// open returns the bytes of the package.
func (p *Package) open() (io.ReadSeekCloser, error) {
	if p.path != "" {
		return os.Open(p.path)
	}
	return nopCloser{bytes.NewReader(p.data)}, nil
}

type nopCloser struct{ io.ReadSeeker }

func (nopCloser) Close() error { return nil }

// A File is an entry of a zip made by [MakeZip].
type File struct {
	Name    string      // raw, not checked; one with a slash at its end is a directory
	Content string      // or the target of a symbolic link
	Mode    fs.FileMode // if zero, 0644
}

// MakeZip returns a zip with the given entries. Names are not checked.
func MakeZip(files ...File) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.Name, Method: zip.Deflate}
		mode := f.Mode
		if mode == 0 {
			mode = 0o644
		}
		h.SetMode(mode)
		e, err := w.CreateHeader(h)
		if err == nil && !strings.HasSuffix(f.Name, "/") {
			_, err = io.WriteString(e, f.Content)
		}
		if err != nil {
			// Writing to memory fails only if an entry is written wrongly.
			panic("registrytest: " + err.Error())
		}
	}
	if err := w.Close(); err != nil {
		panic("registrytest: " + err.Error())
	}
	return b.Bytes()
}

// ZipFS returns a zip of all files of fsys, for example of a directory (os.DirFS), with
// their names and modes. The zip can be a package or the archive of a module.
func ZipFS(fsys fs.FS) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	err := w.AddFS(fsys)
	if err == nil {
		err = w.Close()
	}
	return b.Bytes(), err
}

// generatedZip is the package of a version without Zip and File.
func generatedZip(namespace, typ, version, platform string) []byte {
	exe := fmt.Sprintf("terraform-provider-%s_v%s_x5", typ, version)
	if strings.HasPrefix(platform, "windows_") {
		exe += ".exe"
	}
	return MakeZip(
		File{Name: "LICENSE", Content: "Do what you like.\n"},
		File{Name: exe, Mode: 0o755, Content: fmt.Sprintf("#!/bin/sh\n# %s/%s %s for %s\n%s", namespace, typ, version, platform, strings.Repeat("plugin ", 500))},
	)
}

// hashZip computes the hashes that the registry reports.
func hashZip(data []byte) (sha string, h1 addrs.Hash) {
	sum := sha256.Sum256(data)
	sha = hex.EncodeToString(sum[:])
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return sha, ""
	}
	var lines []string
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			return sha, ""
		}
		h := sha256.New()
		io.Copy(h, r)
		r.Close()
		lines = append(lines, f.Name+"\n"+hex.EncodeToString(h.Sum(nil)))
	}
	slices.Sort(lines)
	total := sha256.New()
	for _, l := range lines {
		name, sum, _ := strings.Cut(l, "\n")
		fmt.Fprintf(total, "%s  %s\n", sum, name)
	}
	return sha, addrs.Hash("h1:" + base64.StdEncoding.EncodeToString(total.Sum(nil)))
}

// catalog is the content of a server, found by path.
type catalog struct {
	providers []Provider
	modules   []Module

	mu       sync.Mutex
	packages map[string]*Package // by namespace/type/version/platform
	files    map[string]*Package // by path: several packages may be one file
}

func (c *catalog) provider(namespace, typ string) *Provider {
	i := slices.IndexFunc(c.providers, func(p Provider) bool { return p.Namespace == namespace && p.Type == typ })
	if i < 0 {
		return nil
	}
	return &c.providers[i]
}

func (p *Provider) version(v string) *Version {
	i := slices.IndexFunc(p.Versions, func(o Version) bool { return o.Version == v })
	if i < 0 {
		return nil
	}
	return &p.Versions[i]
}

func (v *Version) platforms() []string {
	if v.Platforms == nil {
		return []string{"linux_amd64"}
	}
	return v.Platforms
}

func (v *Version) protocols() []string {
	if v.Protocols == nil {
		return []string{"5.0"}
	}
	return v.Protocols
}

func (c *catalog) module(namespace, name, system string) *Module {
	i := slices.IndexFunc(c.modules, func(m Module) bool {
		return m.Namespace == namespace && m.Name == name && m.System == system
	})
	if i < 0 {
		return nil
	}
	return &c.modules[i]
}

// pkg returns the package, or nil. It makes the package at its first use.
func (c *catalog) pkg(p *Provider, v *Version, platform string) *Package {
	if !slices.Contains(v.platforms(), platform) {
		return nil
	}
	key := p.Namespace + "/" + p.Type + "/" + v.Version + "/" + platform
	c.mu.Lock()
	defer c.mu.Unlock()
	if out, ok := c.packages[key]; ok {
		return out
	}
	out := &Package{Filename: fmt.Sprintf("terraform-provider-%s_%s_%s.zip", p.Type, v.Version, platform)}
	switch {
	case v.File != nil:
		f, err := c.file(v.File(platform))
		if err != nil {
			return nil
		}
		out.path, out.Size, out.SHA256, out.H1 = f.path, f.Size, f.SHA256, f.H1
	case v.Zip != nil:
		out.data = v.Zip(platform)
	default:
		out.data = generatedZip(p.Namespace, p.Type, v.Version, platform)
	}
	if out.data != nil {
		out.Size = int64(len(out.data))
		out.SHA256, out.H1 = hashZip(out.data)
	}
	if c.packages == nil {
		c.packages = map[string]*Package{}
	}
	c.packages[key] = out
	return out
}

// file returns the properties of the file called path. The caller has the lock.
func (c *catalog) file(path string) (*Package, error) {
	if f, ok := c.files[path]; ok {
		return f, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f := &Package{path: path, Size: int64(len(data))}
	f.SHA256, f.H1 = hashZip(data)
	if c.files == nil {
		c.files = map[string]*Package{}
	}
	c.files[path] = f
	return f, nil
}
