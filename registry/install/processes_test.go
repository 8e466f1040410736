// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/install"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// many are the providers of the tests with several processes.
func many(host string, n int) []install.Selection {
	var out []install.Selection
	for i := range n {
		out = append(out, install.Selection{Provider: addrs.MustParseProvider(fmt.Sprintf("%s/acme/p%d", host, i)), Version: addrs.MustParseVersion("1.0.0")})
	}
	return out
}

// startMany starts a registry with providers whose packages have a size in KiB.
func startMany(t *testing.T, n, size int) (s *registrytest.Server, ca string) {
	t.Helper()
	var content registrytest.Content
	for i := range n {
		noise := make([]byte, size<<10)
		rnd := rand.NewChaCha8([32]byte{byte(i)})
		rnd.Read(noise)
		zip := registrytest.MakeZip(registrytest.File{Name: fmt.Sprintf("terraform-provider-p%d", i), Content: string(noise), Mode: 0o755})
		content.Providers = append(content.Providers, registrytest.Provider{Namespace: "acme", Type: fmt.Sprintf("p%d", i), Versions: []registrytest.Version{
			{Version: "1.0.0", Platforms: []string{addrs.CurrentPlatform().String()}, Zip: func(string) []byte { return zip }},
		}})
	}
	s = registrytest.Start(t, content)
	ca = filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, s.CertificatePEM(), 0o644); err != nil {
		t.Fatal(err)
	}
	return s, ca
}

// installChild installs from a registry, whose host and certificate it is given, from
// a cache into a directory.
func installChild(args []string) error {
	host, ca, cache, dir := args[0], args[1], args[2], args[3]
	var n int
	fmt.Sscan(args[4], &n)
	pem, err := os.ReadFile(ca)
	if err != nil {
		return err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	client := &registry.Client{
		HTTP:   &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, MaxIdleConnsPerHost: 16}},
		Limits: registry.Limits{Timeout: time.Minute, Stall: 2 * time.Minute}, // for a machine under load
	}
	in := &install.Installer{Client: client, Cache: &install.Cache{Dir: cache}}
	done, err := in.Install(context.Background(), dir, many(host, n), nil)
	if err != nil {
		return err
	}
	found, err := install.Verify(context.Background(), dir, locksOf(done), addrs.Platform{})
	if err == nil && len(found) > 0 {
		err = fmt.Errorf("found %v", found)
	}
	return err
}

// checkCache checks that a cache has packages, their locks and hashes, and nothing else.
func checkCache(t *testing.T, cache string, n int) {
	t.Helper()
	packages := 0
	for _, name := range files(t, cache) {
		base := filepath.Base(name)
		switch {
		case strings.HasPrefix(base, "terraform-provider-"):
			packages++
		case strings.HasPrefix(base, ".") || !strings.HasSuffix(base, "lock") && !strings.HasSuffix(base, ".json"):
			t.Errorf("left over: %s", name)
		}
	}
	if packages != n {
		t.Errorf("%d of %d packages", packages, n)
	}
}

// However many processes install into one cache, each package is downloaded once.
func TestCache_processes(t *testing.T) {
	processes, n, size := 4, 4, 200
	if depth.Of(false, false, true) {
		processes, n, size = 8, 20, 4000
	}
	s, ca := startMany(t, n, size)
	base := t.TempDir()
	cache := filepath.Join(base, "cache")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	for i := range processes {
		wg.Go(func() {
			if err := process(t, ctx, "install", s.Host(), ca, cache, filepath.Join(base, fmt.Sprint(i)), fmt.Sprint(n)).Run(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := s.Count(registrytest.KindZip); got != n {
		t.Errorf("%d downloads of %d packages", got, n)
	}
	checkCache(t, cache, n)
}

// A process that is killed at any moment leaves nothing that the next one does not use
// or remove.
func TestCache_kills(t *testing.T) {
	kills, n, size := 6, 3, 500
	if depth.Of(false, false, true) {
		kills, n, size = 25, 6, 8000
	}
	s, ca := startMany(t, n, size)
	base := t.TempDir()
	cache, dir := filepath.Join(base, "cache"), filepath.Join(base, "module")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	rnd := rand.New(rand.NewPCG(1, 2))
	for k := range kills + 1 {
		cmd := process(t, ctx, "install", s.Host(), ca, cache, dir, fmt.Sprint(n))
		cmd.Stderr = nil
		if k == kills {
			cmd.Stderr = os.Stderr
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if k < kills {
			time.Sleep(time.Duration(10+rnd.IntN(150)) * time.Millisecond)
			cmd.Process.Kill()
		}
		if err := cmd.Wait(); err != nil && k == kills {
			t.Fatal(err)
		}
		if k%3 == 2 && k < kills {
			os.RemoveAll(cache) // for the later kills to hit something
			os.RemoveAll(dir)
		}
	}
	checkCache(t, cache, n)
	for _, name := range files(t, dir) {
		base := filepath.Base(name)
		if !strings.Contains(base, "_") || strings.HasPrefix(base, ".") {
			t.Errorf("left over: %s", name)
		}
	}
}
