// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/checksum"
	"github.com/tofuwire/tofuwire/registry"
)

// A StaticRegistry is a directory that any web server with TLS serves as a registry of
// providers and modules, from the root of a host:
//
//	.well-known/terraform.json    discovery
//	v1/providers/                 the provider protocol, with a checksum document and a signature for each version
//	v1/modules/                   the module protocol
//	packages/                     the packages, which are a [Mirror] as well
//	archives/                     the archives of modules
//
// Fill [StaticRegistry.Packages], add modules, and call Write. Providers are served by
// namespace and type, regardless of their host; two hosts must not have the same.
// Packages from a directory should have manifests, see [registry.FilesystemMirror]:
// otherwise the registry does not know their protocols.
//
// OpenTofu can install modules from it. Terraform requires the location of a module in
// a header of the response, which a plain web server does not send.
type StaticRegistry struct {
	// Dir is the root. It is created when needed.
	Dir string

	// Sign returns the detached binary signature of a document by the key that the
	// registry publishes. It is never called concurrently.
	Sign func(document []byte) ([]byte, error)

	// KeyID and Key describe that key: its ID in 16 hexadecimal digits, and the
	// public key in ASCII armor.
	KeyID, Key string
}

// Packages returns the mirror that has the packages of the registry.
func (r *StaticRegistry) Packages() *Mirror {
	if r == nil {
		return nil
	}
	return &Mirror{Dir: filepath.Join(r.Dir, "packages")}
}

// AddModule adds a version of a module. Only the namespace, name and system of m
// count. fsys has its files; directories called .terraform or .git are left out. An
// existing archive is replaced. Links are followed: for a module from an untrusted
// source, use FS of an os.Root, which refuses links that lead out, and not os.DirFS.
func (r *StaticRegistry) AddModule(ctx context.Context, m registry.Module, v addrs.Version, fsys fs.FS) error {
	if r == nil || fsys == nil {
		return errors.New("install: a registry and a file system are needed")
	}
	for _, name := range []string{m.Namespace, m.Name, m.System} {
		if !filepath.IsLocal(name) || strings.ContainsAny(name, `/\`) {
			return fmt.Errorf("module %s: the namespace, the name or the system is not valid", m)
		}
	}
	if !v.IsValid() {
		return errors.New("install: a module needs a version")
	}
	var b bytes.Buffer
	if err := packFS(ctx, withoutData{fsys}, &b); err != nil {
		return fmt.Errorf("module %s %s: %w", m, v, err)
	}
	return writeFile(filepath.Join(r.Dir, "archives", m.Namespace, m.Name, m.System, v.String()+".zip"), b.Bytes())
}

// withoutData is a file system without the directories that tools keep next to
// a module.
type withoutData struct{ fs.FS }

func (f withoutData) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(f.FS, name)
	return slices.DeleteFunc(list, func(e fs.DirEntry) bool { return e.Name() == ".terraform" || e.Name() == ".git" }), err
}

// Write writes the documents of the registry from its packages and archives. It does
// not sign unchanged checksum documents again.
func (r *StaticRegistry) Write(ctx context.Context) error {
	if r == nil || r.Sign == nil || r.Key == "" {
		return errors.New("install: a static registry needs Sign and Key")
	}
	mirror := r.Packages()
	release, err := mirror.lock(ctx)
	if err != nil {
		return err
	}
	defer release()
	from := map[string]addrs.Provider{}
	for _, p := range mirror.providers() {
		name := p.Namespace() + "/" + p.Type()
		if other, ok := from[name]; ok {
			return fmt.Errorf("%s and %s cannot be in one registry", other, p)
		}
		from[name] = p
		if err := r.writeProvider(ctx, mirror, p); err != nil {
			return fmt.Errorf("provider %s: %w", p.ForDisplay(), err)
		}
	}
	if err := r.prune(from); err != nil {
		return err
	}
	if err := r.writeModules(); err != nil {
		return err
	}
	return writeJSON(filepath.Join(r.Dir, ".well-known", "terraform.json"), map[string]string{"providers.v1": "/v1/providers/", "modules.v1": "/v1/modules/"})
}

// The documents of the provider protocol.
type (
	registryVersions struct {
		Versions []registryVersion `json:"versions"`
	}
	registryVersion struct {
		Version   string             `json:"version"`
		Protocols []string           `json:"protocols"`
		Platforms []registryPlatform `json:"platforms"`
	}
	registryPlatform struct {
		OS   string `json:"os"`
		Arch string `json:"arch"`
	}
	registryPackage struct {
		Protocols []string `json:"protocols"`
		registryPlatform
		Filename     string `json:"filename"`
		DownloadURL  string `json:"download_url"`
		SumsURL      string `json:"shasums_url"`
		SignatureURL string `json:"shasums_signature_url"`
		SHA256       string `json:"shasum"`
		SigningKeys  struct {
			GPG []registryKey `json:"gpg_public_keys"`
		} `json:"signing_keys"`
	}
	registryKey struct {
		KeyID string `json:"key_id"`
		Armor string `json:"ascii_armor"`
	}
)

// writeProvider writes the documents of one provider: the list of versions last.
func (r *StaticRegistry) writeProvider(ctx context.Context, mirror *Mirror, p addrs.Provider) error {
	docs := newMirrorDocs(mirror.Dir)
	platforms := map[addrs.Version][]addrs.Platform{}
	names, err := os.ReadDir(mirror.dir(p))
	if err != nil {
		return err
	}
	for _, n := range names {
		v, platform, ok := parseMirrorName(n.Name(), p.Type())
		if ok && platform.IsValid() && !isLeftover(n.Name()) && len(docs.hashes(p, v, platform)) > 0 {
			platforms[v] = append(platforms[v], platform)
		}
	}
	list := registryVersions{Versions: []registryVersion{}}
	for v, of := range platforms {
		protocols := docs.get(p, v).Protocols
		if protocols == nil {
			protocols = []string{}
		}
		entry := registryVersion{Version: v.String(), Protocols: protocols}
		if err := r.writeVersion(ctx, mirror, docs, p, v, of, &entry); err != nil {
			return err
		}
		list.Versions = append(list.Versions, entry)
	}
	slices.SortFunc(list.Versions, func(a, b registryVersion) int {
		return addrs.MustParseVersion(a.Version).Compare(addrs.MustParseVersion(b.Version))
	})
	return writeJSON(r.providerPath(p, "versions"), list)
}

func (r *StaticRegistry) providerPath(p addrs.Provider, parts ...string) string {
	return filepath.Join(append([]string{r.Dir, "v1", "providers", p.Namespace(), p.Type()}, parts...)...)
}

// writeVersion writes the documents of one version.
func (r *StaticRegistry) writeVersion(ctx context.Context, mirror *Mirror, docs *mirrorDocs, p addrs.Provider, v addrs.Version, platforms []addrs.Platform, entry *registryVersion) error {
	slices.SortFunc(platforms, addrs.Platform.Compare)
	var sums bytes.Buffer
	sha := map[addrs.Platform]string{}
	for _, platform := range platforms {
		sha[platform] = zhDigits(docs.hashes(p, v, platform))
		if len(sha[platform]) != 64 {
			// A mirror that another program made has no zh.
			sum, err := checksum.HashZip(ctx, filepath.Join(mirror.dir(p), zipName(p, v, platform)))
			if err != nil {
				return err
			}
			sha[platform] = zhDigits(sum.Computed())
		}
		fmt.Fprintf(&sums, "%s  %s\n", sha[platform], zipName(p, v, platform))
	}
	sumsFile := r.providerPath(p, v.String(), proofName(p, v))
	if err := r.sign(sumsFile, sums.Bytes()); err != nil {
		return err
	}
	at := path.Join("/v1/providers", p.Namespace(), p.Type(), v.String(), proofName(p, v))
	for _, platform := range platforms {
		of := registryPlatform{platform.OS(), platform.Arch()}
		entry.Platforms = append(entry.Platforms, of)
		doc := registryPackage{
			Protocols: entry.Protocols, registryPlatform: of, Filename: zipName(p, v, platform), SHA256: sha[platform],
			DownloadURL: path.Join("/packages", p.Host(), p.Namespace(), p.Type(), zipName(p, v, platform)), SumsURL: at, SignatureURL: at + ".sig",
		}
		doc.SigningKeys.GPG = []registryKey{{r.KeyID, r.Key}}
		if err := writeJSON(r.providerPath(p, v.String(), "download", platform.OS(), platform.Arch()), doc); err != nil {
			return err
		}
	}
	// These are platforms that were removed.
	written, err := filepath.Glob(filepath.Join(globQuote(r.providerPath(p, v.String(), "download")), "*", "*"))
	if err != nil {
		return err
	}
	for _, name := range written {
		platform, err := addrs.ParsePlatform(filepath.Base(filepath.Dir(name)) + "_" + filepath.Base(name))
		if err != nil || sha[platform] == "" {
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// sign writes a checksum document with its signature and the key that made it. The
// key shows whether another one has to sign.
func (r *StaticRegistry) sign(name string, document []byte) error {
	old, err := os.ReadFile(name)
	key, keyErr := os.ReadFile(name + ".asc")
	_, sigErr := os.Stat(name + ".sig")
	if cmp.Or(err, keyErr, sigErr) == nil && bytes.Equal(old, document) && string(key) == r.Key {
		return nil
	}
	signature, err := r.Sign(document)
	if err != nil {
		return err
	}
	return cmp.Or(writeFile(name+".sig", signature), writeFile(name, document), writeFile(name+".asc", []byte(r.Key)))
}

// prune removes the documents of providers and versions that have no packages.
func (r *StaticRegistry) prune(from map[string]addrs.Provider) error {
	base := filepath.Join(r.Dir, "v1", "providers")
	dirs, err := filepath.Glob(filepath.Join(globQuote(base), "*", "*"))
	if err != nil {
		return err
	}
	for _, dir := range dirs {
		rel, err := filepath.Rel(base, dir)
		if err != nil {
			return err
		}
		p, ok := from[filepath.ToSlash(rel)]
		if !ok {
			if err := os.RemoveAll(dir); err != nil {
				return err
			}
			removeEmpty(filepath.Dir(dir))
			continue
		}
		versions, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, v := range versions {
			packages, err := filepath.Glob(filepath.Join(globQuote(r.Packages().dir(p)), "terraform-provider-*_"+v.Name()+"_*.zip"))
			if v.IsDir() && err == nil && len(packages) == 0 {
				if err := os.RemoveAll(filepath.Join(dir, v.Name())); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// writeModules writes the documents of the module protocol.
func (r *StaticRegistry) writeModules() error {
	base := filepath.Join(r.Dir, "archives")
	dirs, err := filepath.Glob(filepath.Join(globQuote(base), "*", "*", "*"))
	if err != nil {
		return err
	}
	for _, dir := range dirs {
		rel, err := filepath.Rel(base, dir)
		if err != nil {
			return err
		}
		names, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		type version struct {
			Version string `json:"version"`
		}
		list := []version{}
		for _, n := range names {
			text, ok := strings.CutSuffix(n.Name(), ".zip")
			if v, err := addrs.ParseVersion(text); !ok || err != nil || v.String() != text {
				continue
			}
			location := map[string]string{"location": path.Join("/archives", filepath.ToSlash(rel), n.Name())}
			if err := writeJSON(filepath.Join(r.Dir, "v1", "modules", rel, text, "download"), location); err != nil {
				return err
			}
			list = append(list, version{text})
		}
		doc := map[string]any{"modules": []any{map[string]any{"versions": list}}}
		if err := writeJSON(filepath.Join(r.Dir, "v1", "modules", rel, "versions"), doc); err != nil {
			return err
		}
	}
	return nil
}
