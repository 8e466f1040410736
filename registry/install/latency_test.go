// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/install"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// roundTrip is how long a slowTransport takes for an answer.
const roundTrip = 100 * time.Millisecond

// A slowTransport answers from memory, each time after a round trip. In a bubble of
// synctest, whose clock stands still while there is something to do, the time that
// passes is the number of round trips that follow each other, and nothing else.
type slowTransport struct {
	answers map[string]answer // by URL

	mu       sync.Mutex
	requests map[string]int
}

type answer struct {
	header http.Header
	body   []byte
}

func (s *slowTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	s.requests[r.URL.String()]++
	s.mu.Unlock()
	select {
	case <-time.After(roundTrip):
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	a, ok := s.answers[r.URL.String()]
	if !ok {
		return &http.Response{StatusCode: http.StatusNotFound, Request: r, Header: http.Header{}, Body: http.NoBody}, nil
	}
	return &http.Response{StatusCode: http.StatusOK, Request: r, Header: a.header, ContentLength: int64(len(a.body)), Body: io.NopCloser(bytes.NewReader(a.body))}, nil
}

// recorder keeps the answers that pass through it.
type recorder struct {
	next http.RoundTripper
	slowTransport
}

func (t *recorder) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode == http.StatusOK {
		t.mu.Lock()
		t.answers[r.URL.String()] = answer{resp.Header, body}
		t.mu.Unlock()
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, err
}

// lockAll resolves and locks providers, and returns what the lock file has then.
func lockAll(t *testing.T, c *registry.Client, l *install.Locker, required []install.Requirement, prior lockfile.Locks) lockfile.Locks {
	t.Helper()
	l.Client = c
	selections, err := install.Resolve(t.Context(), c, required, prior, install.Upgrade{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := l.Lock(t.Context(), selections, prior)
	if err != nil {
		t.Fatal(err)
	}
	var locks lockfile.Locks
	for _, p := range found {
		locks = append(locks, p.Lock)
	}
	return locks
}

// The chain of requests is four deep: discovery, versions, packages, and all
// documents and archives. It is longer only if there are more packages than may be
// asked for at once. Every document is asked for once, and what the lock has is not
// asked for again.
func TestLocker_latency(t *testing.T) {
	const providers = 20
	platforms := []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64", "windows_amd64", "freebsd_amd64"}
	var content registrytest.Content
	for i := range providers {
		content.Providers = append(content.Providers, registrytest.Provider{Namespace: "acme", Type: fmt.Sprint("p", i), Versions: []registrytest.Version{{Version: "1.0.0", Platforms: platforms}}})
	}
	s := registrytest.Start(t, content)
	var required []install.Requirement
	for i := range providers {
		required = append(required, install.Requirement{Provider: provider(s, fmt.Sprint("p", i))})
	}
	wanted := func(n int) (list []addrs.Platform) {
		for _, p := range platforms[:n] {
			list = append(list, addrs.MustParsePlatform(p))
		}
		return list
	}
	c := s.Registry()
	c.Limits = registry.Limits{Timeout: 5 * time.Minute, Stall: 5 * time.Minute} // 120 archives at once, on any machine
	all := &recorder{c.HTTP.Transport, slowTransport{answers: map[string]answer{}, requests: map[string]int{}}}
	c.HTTP.Transport = all
	known := &install.Known{Dir: t.TempDir()}
	complete := lockAll(t, c, &install.Locker{Platforms: wanted(6), Known: known}, required, nil)
	signed := time.Now()
	for _, tt := range []struct {
		name      string
		platforms int
		atOnce    int // or 0 for the default
		prior     lockfile.Locks
		requests  int
		depth     int
	}{
		// Discovery, a list for each provider, a package for each platform, checksums
		// and signature for each provider, an archive for each platform.
		{"one platform", 1, 0, nil, 1 + 5*providers, 4},
		{"six platforms", 6, 0, nil, 1 + providers*(1+6+2+6), 6}, // of 120 answers and archives 64 at once
		{"six platforms, all at once", 6, 6 * providers, nil, 1 + providers*(1+6+2+6), 4},
		{"complete", 6, 0, complete, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(time.Until(signed) + time.Minute) // the bubble's clock is slow
				far := &slowTransport{answers: all.answers, requests: map[string]int{}}
				c := &registry.Client{HTTP: &http.Client{Transport: far}, Requests: tt.atOnce, Downloads: tt.atOnce}
				start := time.Now()
				locks := lockAll(t, c, &install.Locker{Platforms: wanted(tt.platforms), Known: known, Concurrent: tt.atOnce}, required, tt.prior)
				depth := int(time.Since(start) / roundTrip)
				if len(locks) != providers || tt.platforms == 6 && !locks[0].Equal(complete[0]) {
					t.Errorf("%d locks, the first is %v", len(locks), locks[0])
				}
				n := 0
				for url, times := range far.requests {
					if n += times; times > 1 {
						t.Errorf("%s is asked for %d times", url, times)
					}
				}
				if n != tt.requests || depth > tt.depth {
					t.Errorf("%d requests, %d round trips deep; want %d, %d", n, depth, tt.requests, tt.depth)
				}
				t.Logf("%d requests, %d round trips deep", n, depth)
			})
		})
	}
}
