// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
)

// A NetworkMirror is a [Source] that speaks the provider network mirror
// protocol. Use [Client.Mirror] to make one; the zero NetworkMirror is not
// usable.
//
// See https://opentofu.org/docs/internals/provider-network-mirror-protocol/.
type NetworkMirror struct {
	client  *Client
	base    *url.URL
	login   string // the Authorization header for its origin, or ""
	options MirrorOptions
}

// MirrorOptions are the options of [Client.Mirror]. The zero MirrorOptions are
// those of OpenTofu.
type MirrorOptions struct {
	// TrustAllHashes puts the hashes that the mirror states for all platforms
	// in Package.Reported. It is the argument trust_all_hashes of the CLI
	// configuration.
	TrustAllHashes bool
}

// Mirror returns the network mirror at base, which must be an https URL (or,
// with AllowHTTP, an http one). It ignores spaces around it and adds a missing slash at the
// end. It sends no request.
//
// The mirror gets the token for its own host. As in the tools, user information in base is
// basic authentication for documents and packages at the origin of the mirror, if there is
// no token. It is sent nowhere else, and not part of any text.
//
// The error is ErrInsecure for a URL without TLS. For any other text, the error wraps none of
// the exported causes.
func (c *Client) Mirror(base string, o MirrorOptions) (*NetworkMirror, error) {
	u, err := url.Parse(strings.TrimSpace(base))
	login := ""
	if err != nil {
		err = errors.New("it is not a URL") // the reason would quote a password that is not escaped
	} else {
		login = takeUser(u)
		err = cmp.Or(checkForm(u), c.checkTLS(u))
	}
	if err != nil {
		return nil, &Error{Op: "mirror", Err: fmt.Errorf("not the URL of a mirror: %w", withoutURL(err))}
	}
	if !strings.HasSuffix(u.Path, "/") {
		u = u.JoinPath("/")
	}
	u.RawQuery, u.Fragment = "", ""
	return &NetworkMirror{c, u, login, o}, nil
}

// URL returns the base URL of the mirror, without user information.
func (m *NetworkMirror) URL() string {
	if m == nil || m.base == nil {
		return ""
	}
	return m.base.String()
}

func (m *NetworkMirror) memoSource() memoSource {
	return memoSource{m.base.String(), m.login, true, m.options}
}

// check returns an error for a mirror that [Client.Mirror] did not make.
func (m *NetworkMirror) check(p addrs.Provider) error {
	if m == nil || m.client == nil {
		return &Error{Op: "mirror", For: p.ForDisplay(), Err: errors.New("no mirror is given")}
	}
	return nil
}

// The documents of the network mirror protocol.
type (
	mirrorIndex struct {
		Versions map[string]struct{} `json:"versions"`
	}
	mirrorVersion struct {
		Archives map[string]*struct {
			URL    string   `json:"url"`
			Hashes []string `json:"hashes"`
		} `json:"archives"`
	}
)

// request returns the request for a document of the provider p. The host is in
// punycode, and may have a port. OpenTofu cannot ask for such a host, because
// it takes "example.com:8443/..." for a URL with the scheme "example.com".
func (m *NetworkMirror) request(p addrs.Provider, name string) request {
	host := strings.ToLower(m.base.Host)
	if m.base.Scheme == "https" {
		host = strings.TrimSuffix(host, ":443")
	}
	return request{
		op: "mirror", url: resolve(m.base, p.ASCIIHost(), p.Namespace(), p.Type(), name), host: host, login: m.login,
		accept: "application/json", mediaType: "application/json", limit: m.client.Limits.withDefaults().Metadata,
	}
}

// Versions asks the mirror for its versions of p (GET
// HOST/NAMESPACE/TYPE/index.json). As in OpenTofu, keys that are not versions
// are ignored, and the content type must be application/json. The list has
// neither protocols nor platforms. The error is ErrNotFound if the mirror does
// not have the provider.
func (m *NetworkMirror) Versions(ctx context.Context, p addrs.Provider) (*VersionList, error) {
	if err := m.check(p); err != nil {
		return nil, err
	}
	list, err := m.client.answers.versions.do(ctx, m.client, versionsKey{m.memoSource(), p}, func(ctx context.Context) (*VersionList, error) {
		r := m.request(p, "index.json")
		resp, err := m.client.get(ctx, r)
		if err != nil {
			return nil, err
		}
		if resp.status != http.StatusOK {
			return nil, m.client.statusError(r, resp)
		}
		var doc mirrorIndex
		if err := decode(r, resp, &doc); err != nil {
			return nil, err
		}
		if err := refusal(r, resp, "/versions", doc.Versions == nil); err != nil {
			return nil, err
		}
		list := &VersionList{}
		seen := map[addrs.Version]bool{}
		var length versionCount
		for name := range doc.Versions {
			if v, err := addrs.ParseVersion(name); err == nil && !seen[v] {
				if err := length.add(v); err != nil {
					return nil, tooLong(r, resp, "/versions", err)
				}
				seen[v] = true
				list.Versions = append(list.Versions, ProviderVersion{Version: v})
			}
		}
		list.sort()
		return list, nil
	})
	if err != nil {
		return nil, about(p.ForDisplay(), wrapContext("mirror", err))
	}
	return list, nil
}

// Package asks the mirror for the package (GET
// HOST/NAMESPACE/TYPE/VERSION.json). The error is ErrNotFound if the mirror does
// not have the version, and ErrUnsupportedPlatform if it has the version only
// for other platforms.
func (m *NetworkMirror) Package(ctx context.Context, p addrs.Provider, v addrs.Version, platform addrs.Platform) (*Package, error) {
	if err := m.check(p); err != nil {
		return nil, err
	}
	r := m.request(p, v.String()+".json")
	key := packageKey{m.memoSource(), p, v, platform}
	pkg, err := m.client.answers.packages.do(ctx, m.client, key, func(ctx context.Context) (*Package, error) {
		body, err := m.client.answers.mirrored.do(ctx, m.client, m.login+" "+r.url.String(), func(ctx context.Context) (*response, error) {
			resp, err := m.client.get(ctx, r)
			if err == nil && resp.status != http.StatusOK {
				err = m.client.statusError(r, resp)
			}
			return resp, err
		})
		if err != nil {
			return nil, err
		}
		return m.read(r, body, p, v, platform)
	})
	if err != nil {
		return nil, about(p.ForDisplay(), wrapContext("mirror", err))
	}
	return pkg, nil
}

func (m *NetworkMirror) read(r request, resp *response, p addrs.Provider, v addrs.Version, platform addrs.Platform) (*Package, error) {
	var doc mirrorVersion
	if err := decode(r, resp, &doc); err != nil {
		return nil, err
	}
	if err := refusal(r, resp, "/archives", doc.Archives == nil); err != nil {
		return nil, err
	}
	archive, ok := doc.Archives[platform.String()]
	at := "/archives/" + platform.String()
	if !ok {
		return nil, &Error{Op: "mirror", Method: http.MethodGet, URL: displayURL(resp.url),
			Err: fmt.Errorf("%w: %s %s for %s", ErrUnsupportedPlatform, p.ForDisplay(), v, platform)}
	}
	if archive == nil {
		return nil, badMember(r, resp, at, "null, not an archive")
	}
	u, err := parseURL(resp.url, archive.URL)
	if err != nil {
		return nil, badMember(r, resp, at+"/url", "%w", err)
	}
	if err := m.client.checkURL(u); err != nil {
		e := badMember(r, resp, at+"/url", "")
		e.Err = err
		return nil, e
	}
	hashes, bad := readHashes(r, resp, at+"/hashes", archive.Hashes)
	if bad != nil {
		return nil, bad
	}
	pkg := &Package{
		Provider: p, Version: v, Platform: platform, Origin: FromNetworkMirror, Source: displayURL(m.base),
		URL: u, Hashes: hashes,
	}
	if origin(u) == origin(m.base) {
		pkg.login = m.login
	}
	if m.options.TrustAllHashes {
		pkg.Reported = map[addrs.Platform]Reported{}
		for _, name := range slices.Sorted(maps.Keys(doc.Archives)) {
			a := doc.Archives[name]
			other, err := addrs.ParsePlatform(name)
			if err != nil || a == nil {
				continue
			}
			// Invalid hashes here concern packages that were not asked for.
			var own []addrs.Hash
			for _, s := range a.Hashes {
				if h, err := addrs.ParseHash(s); err == nil {
					own = append(own, h)
				}
			}
			pkg.Reported[other] = Reported{Hashes: own}
			if len(archive.Hashes) == 0 {
				// As in OpenTofu, the package must then have one of these.
				pkg.Hashes = append(pkg.Hashes, own...)
			}
		}
	}
	return pkg, nil
}
