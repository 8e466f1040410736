// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"bytes"
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
	"sync"
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
	name     string // of the host in addresses of providers
	config   string // a file, the CLI configuration
	ca       string // a file
	types    []string
	requests atomic.Int64
	answers  sync.Map // of *farAnswer, by URL
}

// A farAnswer is kept: the registry, which runs on the same processors as the
// programs that are measured, then costs little more than its TLS.
type farAnswer struct {
	status int
	header http.Header
	body   []byte
}

// answer returns the answer of the registry behind, which is asked once.
func (f *farRegistry) answer(client *http.Client, host, url string) (*farAnswer, error) {
	if a, ok := f.answers.Load(url); ok {
		return a.(*farAnswer), nil
	}
	resp, err := client.Get("https://" + host + url)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	a := &farAnswer{status: resp.StatusCode, header: resp.Header}
	if a.body, err = io.ReadAll(resp.Body); err != nil {
		return nil, err
	}
	f.answers.Store(url, a)
	return a, nil
}

// latency is how long the registry takes for an answer.
const latency = 100 * time.Millisecond

// newFarRegistry starts a registry with n providers, with packages of 1 MB. With stated, it
// takes the place of OpenTofu's, its answers have the hashes of all packages, and these have 10 MB:
// only some programs ask for them.
func newFarRegistry(b *testing.B, n int, stated bool) *farRegistry {
	b.Helper()
	f := &farRegistry{}
	size := 1 << 20
	if stated {
		size = 10 << 20
	}
	var content registrytest.Content
	for i := range n {
		typ := fmt.Sprint("far", i)
		f.types = append(f.types, typ)
		content.Providers = append(content.Providers, registrytest.Provider{Namespace: "acme", Type: typ, Versions: []registrytest.Version{
			{Version: "1.0.0", Platforms: latencyPlatforms, Reported: stated, Zip: func(platform string) []byte {
				noise := make([]byte, size)
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
		a, err := f.answer(client, back.Host(), r.URL.String())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		for name, v := range a.header {
			w.Header()[name] = v
		}
		w.WriteHeader(a.status)
		w.Write(a.body)
	}))
	srv.EnableHTTP2 = true
	srv.StartTLS()
	b.Cleanup(srv.Close)
	f.host = strings.TrimPrefix(srv.URL, "https://")
	f.name, f.config = f.host, os.DevNull
	if stated {
		f.name, f.config = addrs.DefaultHost, filepath.Join(b.TempDir(), "tofurc")
		text := fmt.Sprintf("host %q {\n  services = {\n    \"providers.v1\" = %q\n  }\n}\n", f.name, f.services()[f.name]["providers.v1"])
		if err := os.WriteFile(f.config, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	f.ca = filepath.Join(b.TempDir(), "ca.pem")
	if err := os.WriteFile(f.ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: srv.Certificate().Raw}), 0o644); err != nil {
		b.Fatal(err)
	}
	return f
}

// services returns what takes the place of discovery, or nil.
func (f *farRegistry) services() map[string]map[string]string {
	if f.name == f.host {
		return nil
	}
	return map[string]map[string]string{f.name: {"providers.v1": "https://" + f.host + "/v1/providers/"}}
}

// module writes a module that needs all providers.
func (f *farRegistry) module(dir string) error {
	var text strings.Builder
	text.WriteString("terraform {\n  required_providers {\n")
	for _, typ := range f.types {
		fmt.Fprintf(&text, "    %s = { source = \"%s/acme/%s\" }\n", typ, f.name, typ)
	}
	text.WriteString("  }\n}\n")
	return os.WriteFile(filepath.Join(dir, "main.tf"), []byte(text.String()), 0o644)
}

// tofuwire locks with the library.
func (f *farRegistry) tofuwire(b *testing.B, platforms []string) error {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
	transport.MaxIdleConnsPerHost = 128
	transport.HTTP2 = &http.HTTP2Config{MaxReceiveBufferPerConnection: 4 << 20}
	defer transport.CloseIdleConnections()
	c := &registry.Client{HTTP: &http.Client{Transport: transport}, Services: f.services()}
	var required []install.Requirement
	for _, typ := range f.types {
		required = append(required, install.Requirement{Provider: addrs.MustParseProvider(f.name + "/acme/" + typ)})
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
	return os.WriteFile(filepath.Join(b.TempDir(), lockfile.Name), locks.Canonical(addrs.OpenTofu), 0o644)
}

// tool locks with a program, and returns its peak memory in MiB, or 0 if the system
// does not tell.
func (f *farRegistry) tool(b *testing.B, name string, platforms []string, args ...string) (float64, error) {
	dir := b.TempDir()
	if err := f.module(dir); err != nil {
		return 0, err
	}
	for _, p := range platforms {
		args = append(args, "-platform="+p)
	}
	if filepath.Base(name) == "tofuwire" {
		args = append(args, ".")
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+f.ca, "HOME="+dir, "XDG_CACHE_HOME="+dir, "TF_CLI_CONFIG_FILE="+f.config, "CHECKPOINT_DISABLE=1", "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	done := make(chan struct{})
	peak := make(chan float64)
	go func() { peak <- watchPeak(cmd.Process.Pid, done) }()
	err := cmd.Wait()
	close(done)
	most := <-peak
	if err != nil {
		return 0, fmt.Errorf("%w: %s", err, out.Bytes())
	}
	return most, nil
}

// watchPeak returns the peak memory of a process in MiB, or 0 where there is no
// /proc. What the system reports of an ended process includes its parent.
func watchPeak(pid int, done <-chan struct{}) float64 {
	most := 0.0
	for {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if _, rest, ok := strings.Cut(string(status), "VmHWM:"); ok {
			var kib float64
			fmt.Sscan(rest, &kib)
			most = max(most, kib/1024)
		}
		select {
		case <-done:
			return most
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// BenchmarkLockLatency locks 20 providers with packages of 1 MB against a registry
// that takes 100 ms for each answer: with the library, with the
// program, and with a tofu if there is one. It reports the requests as well,
// and the peak memory of the programs.
func BenchmarkLockLatency(b *testing.B) {
	lockLatency(b, newFarRegistry(b, 20, false))
}

// BenchmarkLockStated is BenchmarkLockLatency against a registry that states all hashes, so that
// no package has to be downloaded.
func BenchmarkLockStated(b *testing.B) {
	lockLatency(b, newFarRegistry(b, 20, true))
}

func lockLatency(b *testing.B, f *farRegistry) {
	if err := f.tofuwire(b, latencyPlatforms); err != nil { // keeps all answers
		b.Fatal(err)
	}
	lock := filepath.Join(b.TempDir(), "tofuwire")
	if out, err := exec.Command("go", "build", "-C", "../cmd/tofuwire", "-o", lock).CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for _, n := range []int{1, 6} {
		platforms := latencyPlatforms[:n]
		most := 0.0
		program := func(name string, args ...string) func() error {
			return func() error {
				peak, err := f.tool(b, name, platforms, args...)
				most = max(most, peak)
				return err
			}
		}
		impls := []impl{{"tofuwire", func() error { return f.tofuwire(b, platforms) }}, {"program", program(lock, "lock")}}
		if name := os.Getenv("TOFUWIRE_TOFU"); name != "" {
			impls = append(impls, impl{"tofu", program(name, "providers", "lock", "-no-color")})
		}
		for _, im := range impls {
			b.Run(fmt.Sprintf("size=20x%d/impl=%s", n, im.name), func(b *testing.B) {
				f.requests.Store(0)
				most = 0
				for b.Loop() {
					if err := im.run(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(f.requests.Load())/float64(b.N), "requests/op")
				b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(latency), "latencies/op")
				if most > 0 {
					b.ReportMetric(most, "peak-MiB")
				}
			})
		}
	}
}
