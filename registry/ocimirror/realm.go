// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package ocimirror

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"

	"github.com/tofuwire/tofuwire/internal/lazy"
)

// realms is a transport that lets an internal registry name any server of tokens with TLS.
//
// oras-go refuses one at an internal address unless its host is that of the registry, so that
// a public registry cannot send requests into the user's network. A registry that is in this
// network anyway often has its tokens from a neighbor, which OpenTofu allows. For
// such a registry, a challenge seems to name a path of its own host; a request for this path goes to
// where the challenge led.
type realms struct {
	base http.RoundTripper
	host string // of the registry, with its port

	mu sync.Mutex
	to map[string]*url.URL // by the path at the registry
}

// realmPath begins the paths that stand for servers of tokens.
const realmPath = "/.token-server/"

var realmOf = lazy.Regexp(`(?i)\brealm="(https://[^"\\]*)"`)

// RoundTrip sends a request.
func (r *realms) RoundTrip(req *http.Request) (*http.Response, error) {
	base := cmp.Or[http.RoundTripper](r.base, http.DefaultTransport)
	if req.URL.Host != r.host {
		return base.RoundTrip(req)
	}
	if to := r.server(req.URL.Path); to != nil {
		query := req.URL.RawQuery // that of the realm, and more
		req = req.Clone(req.Context())
		u := *to
		u.RawQuery = query
		req.URL, req.Host = &u, u.Host
		return base.RoundTrip(req)
	}
	resp, err := base.RoundTrip(req)
	if err == nil && resp.StatusCode == http.StatusUnauthorized {
		r.challenged(req.Context(), resp.Header)
	}
	return resp, err
}

// server returns the server of tokens that a path stands for, or nil.
func (r *realms) server(path string) *url.URL {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.to[path]
}

// challenged changes the challenge of an internal registry that names another host.
func (r *realms) challenged(ctx context.Context, header http.Header) {
	challenge := header.Get("Www-Authenticate")
	m := realmOf().FindStringSubmatchIndex(challenge)
	if m == nil {
		return
	}
	to, err := url.Parse(challenge[m[2]:m[3]])
	own := (&url.URL{Host: r.host}).Hostname()
	if err != nil || to.Host == "" || to.User != nil || strings.EqualFold(to.Hostname(), own) || !isInternal(ctx, own) {
		return
	}
	seen := &url.URL{Scheme: "https", Host: r.host, Path: realmPath + to.Host + to.Path, RawQuery: to.RawQuery}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.to == nil {
		r.to = map[string]*url.URL{}
	}
	r.to[seen.Path] = to
	header.Set("Www-Authenticate", challenge[:m[2]]+seen.String()+challenge[m[3]:])
}

// sharedSpace has the addresses behind the translators of providers of access (RFC 6598).
var sharedSpace = netip.MustParsePrefix("100.64.0.0/10")

// isInternal reports whether all addresses of a host are those of an internal network.
func isInternal(ctx context.Context, host string) bool {
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	for _, a := range found {
		a = a.Unmap()
		if !a.IsLoopback() && !a.IsPrivate() && !a.IsLinkLocalUnicast() && !sharedSpace.Contains(a) {
			return false
		}
	}
	return err == nil && len(found) > 0
}
