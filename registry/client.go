// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
)

// A Client talks to provider and module registries and to network mirrors.
//
// The zero Client is ready to use: it sends no credentials, trusts no more than
// OpenTofu does, and has the default limits. A Client must not be copied or
// changed after first use. Its methods are safe for concurrent use. Concurrent
// calls that need the same response share one request, and responses are cached
// for the life of the Client or for MaxAge.
//
// A Client is itself a [Source]: each provider comes from its own registry.
type Client struct {
	// HTTP sends the requests. If nil, it is a client like http.DefaultClient that
	// keeps more connections open and less unread data in memory. The Client follows
	// redirects itself, by its own rules, and also asks HTTP.CheckRedirect if there is
	// one. See [PublicOnly] for a transport that refuses internal addresses.
	//
	// A transport of the caller should keep as many idle connections to a host as
	// Requests and Downloads allow at once (MaxIdleConnsPerHost of http.Transport), or
	// speak HTTP/2. Over HTTP/2, up to 4 MiB of each download are buffered in memory;
	// HTTP2.MaxReceiveBufferPerConnection bounds their sum.
	HTTP *http.Client

	// UserAgent is sent with every request. If empty, it is "tofuwire".
	UserAgent string

	// Credentials gives the token for a host. If nil, no request carries a
	// token. A token goes only to the host's own origin, see SendToken.
	Credentials Credentials

	// SendToken reports whether the token of host may be sent to the URL to,
	// whose origin is not https://host. The Client calls it when discovery led
	// to another host. OpenTofu would send the token to any host that discovery
	// names, even without TLS. If nil, the token is sent only to its own
	// origin, and to a URL with TLS that Services has for this host.
	SendToken func(host string, to *url.URL) bool

	// DownloadAuthorization returns the Authorization header for the download
	// of a package, or "" for none; see [Netrc]. It is called again for the
	// target of every redirect to another origin. If nil, downloads are
	// anonymous, as they are in OpenTofu.
	DownloadAuthorization func(u *url.URL) string

	// Services replaces discovery for some hosts. It maps a host to a map from
	// service, such as "providers.v1", to absolute URL, like a "host" block in the
	// CLI configuration. A host has the form of [addrs.Provider.ASCIIHost].
	Services map[string]map[string]string

	// AllowHTTP permits URLs without TLS where a server gives one: for a
	// service, a document, a package. OpenTofu always permits them. Redirects
	// from https to http are always refused. A token is sent without TLS only
	// if SendToken permits it.
	AllowHTTP bool

	// Policy sets the requirements on packages. The zero Policy is a little
	// stricter than OpenTofu.
	Policy Policy

	// Protocols are the major versions of the provider protocol that the caller
	// speaks. If nil, they are 5 and 6, as in OpenTofu. If empty but not nil,
	// every protocol is accepted.
	Protocols []int

	// Requests is the maximum number of documents (everything but packages)
	// that are requested from one origin at a time. The bound for all origins
	// together is eight times as high. Further calls wait, and are served in
	// order of arrival. If zero, it is 64.
	Requests int

	// Downloads is the maximum number of packages that are downloaded from one
	// origin at a time. The bound for all origins together is eight times as
	// high. Further calls wait. If zero, it is 64.
	Downloads int

	// Progress is called while a package is downloaded, from the goroutine of
	// the download: at its start, at most once per 256 KiB, and at its end.
	// total is -1 if it is not known. If nil, it is not called.
	Progress func(pkg *Package, done, total int64)

	// H1 computes the h1 hash of the files that the zip unpacks to. If the h1
	// of the zip's own list of entries differs, H1 returns it second. Hashes of
	// other schemes are ignored. If nil, a plain implementation is used.
	// Package checksum of this module has a faster one: ZipReaderAt of
	// checksum.Hasher, and Computed of its result.
	H1 func(ctx context.Context, zip io.ReaderAt, size int64) ([]addrs.Hash, error)

	// MaxAge is how long responses and tokens are cached. If zero, it is the life
	// of the Client. A program that runs for days, such as a mirror, sets it to see
	// new versions.
	MaxAge time.Duration

	// Limits and Retry bound the work. Their zero values have defaults.
	Limits Limits
	Retry  Retry

	answers answers
	traffic traffic

	misconfigured error // of Configure: which services a host has is not known
}

// answers are the answers that a Client remembers, and the bound of their memory.
type answers struct {
	discovered memo[string, *services]
	versions   memo[versionsKey, *VersionList]
	packages   memo[packageKey, *Package]
	documents  memo[string, []byte]
	mirrored   memo[string, *response]
	modules    memo[string, *ModuleVersionList]
	rings      memo[string, *keyRing]
	verdicts   memo[verdictKey, *verdict]
	tokens     memo[string, string]
	ledger     ledger
}

// traffic is what a Client has under way, and with what.
type traffic struct {
	requests  slots
	downloads slots
	openings  openings

	transport sync.Once
	http      *http.Client // if the caller has none
}

// The keys of the memos. A registry may have the base URL of a mirror, and two
// mirrors with different options the same one.
type (
	memoSource struct {
		base    string // URL
		login   string
		mirror  bool
		options MirrorOptions
	}
	versionsKey struct {
		source   memoSource
		provider addrs.Provider
	}
	packageKey struct {
		source   memoSource
		provider addrs.Provider
		version  addrs.Version
		platform addrs.Platform
	}
)

// lendAfter is how long a request counts for the bound of all origins. A
// request that waits longer for its server delays only other requests to that
// server.
const lendAfter = time.Second / 4

// requestSlot waits until a request to u may start. It returns a function that
// ends the turn.
func (c *Client) requestSlot(ctx context.Context, u *url.URL) (func(), error) {
	return c.traffic.requests.acquire(ctx, origin(u), positive(c.Requests, 64), lendAfter)
}

// downloadSlot is like requestSlot for packages.
func (c *Client) downloadSlot(ctx context.Context, origin string) (func(), error) {
	return c.traffic.downloads.acquire(ctx, origin, positive(c.Downloads, 64), 0)
}

// positive returns n, or usual if n is not positive.
func positive(n, usual int) int {
	if n <= 0 {
		return usual
	}
	return n
}

// client returns a copy of the HTTP client to use.
func (c *Client) client() http.Client {
	if c.HTTP != nil {
		return *c.HTTP
	}
	c.traffic.transport.Do(func() {
		c.traffic.http = http.DefaultClient
		if t, ok := http.DefaultTransport.(*http.Transport); ok && c.traffic.http.Transport == nil {
			t = t.Clone()
			t.MaxIdleConnsPerHost = positive(c.Requests, 64) + positive(c.Downloads, 64)
			t.MaxIdleConns = 0
			t.HTTP2 = &http.HTTP2Config{MaxReceiveBufferPerConnection: 16 << 20}
			c.traffic.http = &http.Client{Transport: t, CheckRedirect: c.traffic.http.CheckRedirect, Jar: c.traffic.http.Jar, Timeout: c.traffic.http.Timeout}
		}
	})
	return *c.traffic.http
}
