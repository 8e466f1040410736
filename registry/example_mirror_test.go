// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
)

// A lazyMirror is a network mirror that fetches packages on demand, verifies them and
// keeps them in a directory.
type lazyMirror struct {
	client *registry.Client
	dir    string
	files  sync.Map // one *sync.Mutex a file: only one call of Fetch may write it
}

func (m *lazyMirror) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	err := m.serve(w, q)
	switch {
	case errors.Is(err, registry.ErrNotFound), errors.Is(err, registry.ErrNoService), errors.Is(err, registry.ErrUnsupportedPlatform):
		http.NotFound(w, q)
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadGateway)
	}
}

func (m *lazyMirror) serve(w http.ResponseWriter, q *http.Request) error {
	p, err := addrs.NewProvider(q.PathValue("host"), q.PathValue("namespace"), q.PathValue("type"))
	if err != nil {
		return registry.ErrNotFound
	}
	name := q.PathValue("name")
	if strings.HasSuffix(name, ".zip") {
		return m.zip(w, q, p, strings.TrimSuffix(name, ".zip"))
	}
	list, err := m.client.Versions(q.Context(), p)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	if name == "index.json" {
		versions := map[string]struct{}{}
		for _, v := range list.Versions {
			versions[v.Version.String()] = struct{}{}
		}
		return json.NewEncoder(w).Encode(map[string]any{"versions": versions})
	}
	v, err := addrs.ParseVersion(strings.TrimSuffix(name, ".json"))
	entry, ok := list.Lookup(v)
	if err != nil || !ok {
		return registry.ErrNotFound
	}
	archives := map[string]any{}
	for _, platform := range entry.Platforms {
		pkg, err := m.client.Package(q.Context(), p, v, platform)
		if err != nil {
			return err
		}
		archives[platform.String()] = map[string]any{"url": fmt.Sprintf("%s_%s.zip", v, platform), "hashes": []string{"zh:" + pkg.SHA256}}
	}
	return json.NewEncoder(w).Encode(map[string]any{"archives": archives})
}

func (m *lazyMirror) zip(w http.ResponseWriter, q *http.Request, p addrs.Provider, name string) error {
	version, platform, _ := strings.Cut(name, "_")
	v, err1 := addrs.ParseVersion(version)
	on, err2 := addrs.ParsePlatform(platform)
	if err1 != nil || err2 != nil {
		return registry.ErrNotFound
	}
	pkg, err := m.client.Package(q.Context(), p, v, on)
	if err != nil {
		return err
	}
	file := filepath.Join(m.dir, p.ASCIIHost(), p.Namespace(), p.Type(), fmt.Sprintf("%s_%s.zip", v, on))
	lock, _ := m.files.LoadOrStore(file, &sync.Mutex{})
	lock.(*sync.Mutex).Lock()
	defer lock.(*sync.Mutex).Unlock()
	if _, err := os.Stat(file); err != nil {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if _, err := m.client.Fetch(q.Context(), pkg, file); err != nil {
			return err
		}
	}
	http.ServeFile(w, q, file)
	return nil
}

// Serve a network mirror that fetches what it is asked for.
func ExampleClient_Fetch_mirror() {
	srv, client := exampleRegistry()
	defer srv.Close()
	client.MaxAge = time.Minute // to see new versions
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	mux := http.NewServeMux()
	mux.Handle("GET /providers/{host}/{namespace}/{type}/{name}", &lazyMirror{client: client, dir: dir})
	server := httptest.NewTLSServer(mux) // the tools require TLS
	defer server.Close()

	// What a tool does with network_mirror { url = ".../providers/" }:
	tool := &registry.Client{HTTP: server.Client()}
	mirror, err := tool.Mirror(server.URL+"/providers/", registry.MirrorOptions{})
	if err != nil {
		log.Fatal(err)
	}
	null := addrs.MustParseProvider("registry.example.org/acme/null")
	list, err := mirror.Versions(context.Background(), null)
	if err != nil {
		log.Fatal(err)
	}
	newest, _ := list.Newest(addrs.Constraints{})
	pkg, err := mirror.Package(context.Background(), null, newest, addrs.MustParsePlatform("darwin_arm64"))
	if err != nil {
		log.Fatal(err)
	}
	result, err := tool.Install(context.Background(), pkg, filepath.Join(dir, "null"), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(newest, result.Proof)
	_, err = mirror.Versions(context.Background(), addrs.MustParseProvider("registry.example.org/acme/other"))
	fmt.Println(errors.Is(err, registry.ErrNotFound))
	// Output:
	// 1.1.0 checksum only
	// true
}
