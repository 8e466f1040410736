// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// A registry is a loopback registry and network mirror that answers for every
// host. It has what the recordings of cases/lockfiles and cases/registry-modules
// were made with.
type registry struct {
	kind    string // as in [Sources]
	server  *httptest.Server
	key     *registrytest.Key
	shelf   *shelf
	modules string // a folder NAME/VERSION of modules
}

// loopback starts a registry, and lays a mirror of zip files where the kind of
// source asks for one. The tool finds every host there and asks no one
// else.
func (m *Mirrors) loopback(kind string) (*Source, error) {
	s, err := newShelf(m)
	if err != nil {
		return nil, err
	}
	key, err := registrytest.NewKey("Recordings", time.Now().Add(-time.Hour), 0)
	if err != nil {
		return nil, err
	}
	r := &registry{kind: kind, key: key, shelf: s, modules: filepath.Join(m.root, "tools", "record", "cases", "registry-modules", "registry")}
	r.server = httptest.NewTLSServer(http.HandlerFunc(r.serve))
	src := &Source{Network: r.server.URL + "/mirror/", close: r.server.Close}
	cert := filepath.Join(m.scratch, "registry.pem")
	block := &pem.Block{Type: "CERTIFICATE", Bytes: r.server.Certificate().Raw}
	if err := os.WriteFile(cert, pem.EncodeToMemory(block), 0o644); err != nil {
		src.Close()
		return nil, err
	}
	src.Env = []string{"SSL_CERT_FILE=" + cert}
	switch kind {
	case "network", "networkh":
		src.Config = installation(fmt.Sprintf("  network_mirror {\n    url = %q\n  }\n", src.Network))
	case "networkt":
		src.Config = installation(fmt.Sprintf("  network_mirror {\n    url = %q\n    trust_all_hashes = true\n  }\n", src.Network))
	case "modules":
		src.Mirror = m.dir
	case "fs", "packed":
		src.Mirror = filepath.Join(m.scratch, kind)
		if err := s.lay(src.Mirror, kind == "packed"); err != nil {
			src.Close()
			return nil, err
		}
	default:
		src.Config = "disable_checkpoint = true\n"
	}
	if src.Mirror != "" {
		src.Config = installation(fmt.Sprintf("  filesystem_mirror {\n    path = %q\n  }\n", src.Mirror))
	}
	src.Config += r.hosts()
	return src, nil
}

// hosts makes a tool find all registries at the server.
func (r *registry) hosts() string {
	var b strings.Builder
	for _, host := range append(slices.Clone(hosts), "tf.example.test", "tf.example.test:8443") {
		fmt.Fprintf(&b, "host %q {\n  services = {\n    \"providers.v1\" = \"%s/v1/providers/\"\n    \"modules.v1\" = \"%s/v1/modules/\"\n  }\n}\n",
			host, r.server.URL, r.server.URL)
	}
	return b.String()
}

// serve answers a request.
func (r *registry) serve(w http.ResponseWriter, q *http.Request) {
	seg := strings.Split(strings.Trim(q.URL.Path, "/"), "/")
	is := func(n int, prefix ...string) bool { return len(seg) == n && slices.Equal(seg[:len(prefix)], prefix) }
	var answer any
	switch {
	case is(5, "v1", "providers") && seg[4] == "versions":
		answer = r.versions(seg[2] + "/" + seg[3])
	case is(8, "v1", "providers") && seg[5] == "download":
		answer = r.download(seg[2]+"/"+seg[3], seg[4], seg[6]+"_"+seg[7])
	case is(5, "mirror"):
		answer = r.mirror(seg[2]+"/"+seg[3], strings.TrimSuffix(seg[4], ".json"))
	case is(4, "dl"):
		r.file(w, q, seg[1]+"/"+seg[2], seg[3])
		return
	case is(6, "v1", "modules") && seg[5] == "versions":
		answer = r.moduleVersions(seg[3])
	case is(7, "v1", "modules") && seg[6] == "download":
		w.Header().Set("X-Terraform-Get", fmt.Sprintf("%s/module/%s/%s.zip", r.server.URL, seg[3], seg[5]))
		w.WriteHeader(http.StatusNoContent)
		return
	case is(3, "module"):
		data, err := zipFolder(filepath.Join(r.modules, seg[1], strings.TrimSuffix(seg[2], ".zip")))
		if err == nil {
			w.Header().Set("Content-Type", "application/zip")
			_, _ = w.Write(data)
			return
		}
	}
	if answer == nil {
		http.NotFound(w, q)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	// The tool shows it if the answer did not arrive.
	_ = json.NewEncoder(w).Encode(answer)
}

func (r *registry) versions(provider string) any {
	var list []any
	for _, version := range r.shelf.versions(provider) {
		var platforms []any
		for _, p := range platforms6 {
			os, arch, _ := strings.Cut(p, "_")
			platforms = append(platforms, map[string]any{"os": os, "arch": arch})
		}
		list = append(list, map[string]any{"version": version, "protocols": []string{"5.0", "6.0"}, "platforms": platforms})
	}
	if list == nil {
		return nil
	}
	doc := map[string]any{"versions": list}
	if r.kind == "regu" && provider == "zeta/one" {
		doc["warnings"] = []string{`This provider is "old" <&>; see elsewhere.`}
	}
	return doc
}

func (r *registry) download(provider, version, platform string) any {
	p := r.shelf.find(provider, version, platform)
	if p == nil {
		return nil
	}
	base := "/dl/" + provider + "/"
	os, arch, _ := strings.Cut(platform, "_")
	keys := []any{map[string]any{"key_id": r.key.ID(), "ascii_armor": registrytest.Armored(r.key)}}
	if r.kind == "regu" {
		keys = []any{}
	}
	doc := map[string]any{
		"protocols": []string{"5.0", "6.0"}, "os": os, "arch": arch, "filename": p.name, "download_url": base + p.name, "shasum": p.sha256,
		"shasums_url": base + sumsName(provider, version), "shasums_signature_url": base + sumsName(provider, version) + ".sig",
		"signing_keys": map[string]any{"gpg_public_keys": keys},
	}
	if r.kind == "regh" {
		packages := map[string]any{}
		for _, pl := range platforms6 {
			if p := r.shelf.find(provider, version, pl); p != nil {
				packages[pl] = map[string]any{"hashes": []string{p.h1, "zh:" + p.sha256}, "package_size": p.size}
			}
		}
		doc["packages"] = packages
	}
	return doc
}

// mirror answers with the index of a network mirror, or with a version.
func (r *registry) mirror(provider, version string) any {
	if version == "index" {
		versions := map[string]any{}
		for _, v := range r.shelf.versions(provider) {
			versions[v] = map[string]any{}
		}
		return map[string]any{"versions": versions}
	}
	archives := map[string]any{}
	for _, platform := range platforms6 {
		if p := r.shelf.find(provider, version, platform); p != nil {
			archive := map[string]any{"url": "/dl/" + provider + "/" + p.name}
			if r.kind == "networkh" || r.kind == "networkt" {
				archive["hashes"] = []string{p.h1, "zh:" + p.sha256}
			}
			archives[platform] = archive
		}
	}
	return map[string]any{"archives": archives}
}

func sumsName(provider, version string) string {
	_, typ, _ := strings.Cut(provider, "/")
	return fmt.Sprintf("terraform-provider-%s_%s_SHA256SUMS", typ, version)
}

// file serves a package, a checksum document or its signature.
func (r *registry) file(w http.ResponseWriter, q *http.Request, provider, name string) {
	for _, version := range r.shelf.versions(provider) {
		var sums bytes.Buffer
		for _, platform := range platforms6 {
			p := r.shelf.find(provider, version, platform)
			if p == nil {
				continue
			}
			if p.name == name {
				w.Header().Set("Content-Type", "application/zip")
				http.ServeContent(w, q, "", time.Time{}, bytes.NewReader(p.data))
				return
			}
			fmt.Fprintf(&sums, "%s  %s\n", p.sha256, p.name)
		}
		switch name {
		case sumsName(provider, version):
			_, _ = w.Write(sums.Bytes())
			return
		case sumsName(provider, version) + ".sig":
			sig, err := r.key.Sign(sums.Bytes(), time.Now().Add(-time.Minute))
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			_, _ = w.Write(sig)
			return
		}
	}
	http.NotFound(w, q)
}

func (r *registry) moduleVersions(name string) any {
	entries, err := os.ReadDir(filepath.Join(r.modules, name))
	if err != nil {
		return nil
	}
	var list []any
	for _, e := range entries {
		list = append(list, map[string]any{"version": e.Name()})
	}
	return map[string]any{"modules": []any{map[string]any{"versions": list}}}
}

// zipFolder returns a zip of the files in a folder.
func zipFolder(dir string) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		e, err := w.Create(filepath.ToSlash(rel))
		if err == nil {
			_, err = e.Write(data)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}
