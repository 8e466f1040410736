// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"context"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/install"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

var latencyPlatforms = []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64", "windows_amd64", "freebsd_amd64"}

// A farRegistry is a registry on loopback that takes a while for each answer.
type farRegistry struct {
	host     string
	ca       string // a file
	types    []string
	requests atomic.Int64
}

// latency is how long the registry takes for an answer.
const latency = 100 * time.Millisecond

// newFarRegistry starts a registry with n providers, with packages of 1 MB.
func newFarRegistry(b *testing.B, n int) *farRegistry {
	b.Helper()
	f := &farRegistry{}
	var content registrytest.Content
	for i := range n {
		typ := fmt.Sprint("far", i)
		f.types = append(f.types, typ)
		content.Providers = append(content.Providers, registrytest.Provider{Namespace: "acme", Type: typ, Versions: []registrytest.Version{
			{Version: "1.0.0", Platforms: latencyPlatforms, Zip: func(platform string) []byte {
				noise := make([]byte, 1<<20)
				r := rand.NewChaCha8([32]byte([]byte((typ + platform + strings.Repeat(".", 32))[:32])))
				r.Read(noise)
				return registrytest.MakeZip(registrytest.File{Name: "terraform-provider-" + typ + "_v1.0.0", Mode: 0o755, Content: string(noise)})
			}},
		}})
	}
	back, err := registrytest.NewServer(content)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(back.Close)
	for _, typ := range f.types {
		for _, p := range latencyPlatforms {
			back.Package("acme", typ, "1.0.0", p)
		}
	}
	client := back.Client()
	client.Transport.(*http.Transport).MaxIdleConnsPerHost = 256
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.requests.Add(1)
		time.Sleep(latency)
		resp, err := client.Get("https://" + back.Host() + r.URL.String())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		for name, v := range resp.Header {
			w.Header()[name] = v
		}
		w.WriteHeader(resp.StatusCode)
		io.Copy(w, resp.Body)
	}))
	srv.EnableHTTP2 = true
	srv.StartTLS()
	b.Cleanup(srv.Close)
	f.host = strings.TrimPrefix(srv.URL, "https://")
	f.ca = filepath.Join(b.TempDir(), "ca.pem")
	if err := os.WriteFile(f.ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: srv.Certificate().Raw}), 0o644); err != nil {
		b.Fatal(err)
	}
	return f
}

// module writes a module that needs all providers.
func (f *farRegistry) module(dir string) error {
	var text strings.Builder
	text.WriteString("terraform {\n  required_providers {\n")
	for _, typ := range f.types {
		fmt.Fprintf(&text, "    %s = { source = \"%s/acme/%s\" }\n", typ, f.host, typ)
	}
	text.WriteString("  }\n}\n")
	return os.WriteFile(filepath.Join(dir, "main.tf"), []byte(text.String()), 0o644)
}

// tofuwire locks with the library.
func (f *farRegistry) tofuwire(b *testing.B, platforms []string) error {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
	transport.MaxIdleConnsPerHost = 96
	transport.HTTP2 = &http.HTTP2Config{MaxReceiveBufferPerConnection: 4 << 20}
	defer transport.CloseIdleConnections()
	c := &registry.Client{HTTP: &http.Client{Transport: transport}}
	var required []install.Requirement
	for _, typ := range f.types {
		required = append(required, install.Requirement{Provider: addrs.MustParseProvider(f.host + "/acme/" + typ)})
	}
	selections, err := install.Resolve(context.Background(), c, required, nil, install.Upgrade{})
	if err != nil {
		return err
	}
	l := &install.Locker{Client: c}
	for _, p := range platforms {
		l.Platforms = append(l.Platforms, addrs.MustParsePlatform(p))
	}
	found, err := l.Lock(context.Background(), selections, nil)
	if err != nil {
		return err
	}
	var locks lockfile.Locks
	for _, p := range found {
		locks = append(locks, p.Lock)
	}
	return os.WriteFile(filepath.Join(b.TempDir(), lockfile.Name), locks.Canonical(lockfile.OpenTofu), 0o644)
}

// tool locks with a real program.
func (f *farRegistry) tool(b *testing.B, name string, platforms []string) error {
	dir := b.TempDir()
	if err := f.module(dir); err != nil {
		return err
	}
	args := []string{"providers", "lock", "-no-color"}
	for _, p := range platforms {
		args = append(args, "-platform="+p)
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+f.ca, "HOME="+dir, "TF_CLI_CONFIG_FILE="+os.DevNull, "CHECKPOINT_DISABLE=1", "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// BenchmarkLockLatency locks 20 providers with packages of 1 MB against a registry
// that takes 100 ms for each answer. It reports the requests as well.
func BenchmarkLockLatency(b *testing.B) {
	f := newFarRegistry(b, 20)
	for _, n := range []int{1, 6} {
		platforms := latencyPlatforms[:n]
		impls := []impl{{"tofuwire", func() error { return f.tofuwire(b, platforms) }}}
		if name, err := exec.LookPath("tofu"); err == nil {
			impls = append(impls, impl{"tofu", func() error { return f.tool(b, name, platforms) }})
		}
		for _, im := range impls {
			b.Run(fmt.Sprintf("size=20x%d/impl=%s", n, im.name), func(b *testing.B) {
				f.requests.Store(0)
				for b.Loop() {
					if err := im.run(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(f.requests.Load())/float64(b.N), "requests/op")
				b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(latency), "latencies/op")
			})
		}
	}
}
