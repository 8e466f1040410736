// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// Many goroutines share a client, and some give up: the others get what they asked
// for, every document is asked for about once, and nothing is left behind.
func TestClient_manyGoroutines(t *testing.T) {
	platforms := []string{"linux_amd64", "linux_arm64", "darwin_arm64"}
	const providers, goroutines, rounds = 4, 16, 6
	var content registrytest.Content
	for i := range providers {
		content.Providers = append(content.Providers, registrytest.Provider{Namespace: "acme", Type: fmt.Sprint("p", i), Versions: []registrytest.Version{{Version: "1.0.0", Platforms: platforms, Reported: true}}})
	}
	srv := registrytest.Start(t, content)
	c := srv.Registry()
	dir := t.TempDir()
	one := func(ctx context.Context, i, j int) error {
		p := addrs.MustParseProvider(fmt.Sprintf("%s/acme/p%d", srv.Host(), (i+j)%providers))
		list, err := c.Versions(ctx, p)
		if err != nil {
			return err
		}
		if len(list.Versions) != 1 {
			return fmt.Errorf("%d versions", len(list.Versions))
		}
		pkg, err := c.Package(ctx, p, list.Versions[0].Version, addrs.MustParsePlatform(platforms[j%len(platforms)]))
		if err != nil {
			return err
		}
		result, err := c.Install(ctx, pkg, filepath.Join(dir, fmt.Sprintf("%d-%d", i, j)), nil)
		if err != nil {
			return err
		}
		if n := len(result.LockHashes(registry.RuleTofu)); n != len(platforms)+1 {
			return fmt.Errorf("%d hashes", n)
		}
		return nil
	}
	var wg sync.WaitGroup
	for i := range goroutines {
		wg.Go(func() {
			for j := range rounds {
				ctx, cancel := context.WithCancel(t.Context())
				if (i+j)%3 == 0 {
					go cancel() // at any time
				}
				if err := one(ctx, i, j); err != nil && !errors.Is(err, context.Canceled) {
					t.Errorf("%d, %d: %v", i, j, err)
				} else if err != nil && (i+j)%3 != 0 {
					t.Errorf("%d, %d: another call was cancelled, and this one fails: %v", i, j, err)
				}
				cancel()
			}
		})
	}
	wg.Wait()
	names, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if strings.HasPrefix(n.Name(), ".") {
			t.Errorf("%s is left behind", n.Name())
		}
	}
	// A request that everybody gave up on is sent again.
	cancelled := goroutines * rounds / 3
	for kind, most := range map[registrytest.Kind]int{
		registrytest.KindDiscovery: 1, registrytest.KindVersions: providers, registrytest.KindPackage: providers * len(platforms),
		registrytest.KindChecksums: providers, registrytest.KindSignature: providers,
	} {
		if n := srv.Count(kind); n == 0 || n > most+cancelled {
			t.Errorf("%d requests of kind %v, want about %d", n, kind, most)
		}
	}
}

// A token goes to the host that it is for, however the host is spelled, and to no
// other, however alike.
func TestCredentials_spelling(t *testing.T) {
	tokens := registry.Tokens{"a.example": "A"}
	for host, want := range map[string]string{
		"a.example": "A", "A.Example": "A", "a.example:443": "A", "ａ.example": "A", "a。example": "A", "a\u00ad.example": "A",
		"a.example:8443": "", "а.example": "", "b.a.example": "", "a.example.org": "", "xa.example": "",
	} {
		p, err := addrs.NewProvider(host, "x", "p")
		if err != nil {
			t.Errorf("%q: %v", host, err)
			continue
		}
		got, err := tokens.Token(t.Context(), p.ASCIIHost())
		if got != want || err != nil {
			t.Errorf("%q: got %q, %v; want %q", host, got, err, want)
		}
	}
	for _, host := range []string{"a.example/../b", "a.example#x", "a.example?x", "u@a.example", `a.example\b`, "[::1]", "[::1]:8443", "a.example\r\nX: y", "a.example%2f"} {
		if p, err := addrs.NewProvider(host, "x", "p"); err == nil {
			t.Errorf("%q is a host: %s", host, p)
		}
	}
	c := &registry.Client{HTTP: nil}
	for _, host := range []string{"h.example\r\nX: y", "h.example@evil", "h.example:80@evil", "h.example%2f", "h.example/..", ""} {
		if _, err := c.ModuleVersions(t.Context(), registry.Module{Host: host, Namespace: "a", Name: "b", System: "c"}); err == nil {
			t.Errorf("%q is a host of modules", host)
		}
	}
}

// Answers are asked for again when they are older than MaxAge.
func TestClient_maxAge(t *testing.T) {
	for age, want := range map[time.Duration]int{0: 1, time.Hour: 1, time.Nanosecond: 3} {
		s := registrytest.Start(t, registrytest.Content{Providers: []registrytest.Provider{{Namespace: "acme", Type: "null", Versions: []registrytest.Version{{Version: "1.0.0"}}}}})
		c := s.Registry()
		c.MaxAge = age
		for range 3 {
			if _, err := c.Versions(t.Context(), acmeNull); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond) // the clock must go on
		}
		if got := s.Count(registrytest.KindVersions); got != want {
			t.Errorf("%s: %d requests, want %d", age, got, want)
		}
	}
}
