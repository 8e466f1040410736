// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/printable"
)

// A VersionList is the list of the versions of a provider in a source. It may
// be shared with other callers and must not be changed.
type VersionList struct {
	// Versions are in ascending order. There may be none.
	Versions []ProviderVersion

	// Warnings are texts of the registry for people, without control
	// characters.
	Warnings []string
}

// A ProviderVersion is one version of a provider that a source has.
type ProviderVersion struct {
	// Version is the version, in normal form even if the source wrote it
	// differently.
	Version addrs.Version

	// Protocols are the provider protocols of the version, such as "5.1", in
	// the spelling of the registry. Empty means that the source does not say.
	Protocols []string

	// Platforms are those for which the version has packages. Empty means that
	// the source does not say.
	Platforms []addrs.Platform
}

// Newest returns the newest version that the constraints allow. As in OpenTofu,
// a prerelease is taken only if a constraint names exactly that version. The
// bool is false if no version is allowed.
func (l *VersionList) Newest(allowed addrs.Constraints) (addrs.Version, bool) {
	if l == nil {
		return addrs.Version{}, false
	}
	return allowed.Newest(func(yield func(addrs.Version) bool) {
		for _, v := range l.Versions {
			if !yield(v.Version) {
				return
			}
		}
	})
}

// Lookup returns the entry of version v, and reports whether the list has one.
func (l *VersionList) Lookup(v addrs.Version) (ProviderVersion, bool) {
	if l == nil {
		return ProviderVersion{}, false
	}
	i, ok := slices.BinarySearchFunc(l.Versions, v, func(pv ProviderVersion, v addrs.Version) int {
		return pv.Version.Compare(v)
	})
	if !ok {
		return ProviderVersion{}, false
	}
	return l.Versions[i], true
}

// The documents of the provider registry protocol, in the order of its
// description: https://opentofu.org/docs/internals/provider-registry-protocol/.
type (
	versionsDocument struct {
		Versions []*struct {
			Version   string   `json:"version"`
			Protocols []string `json:"protocols"`
			Platforms []*struct {
				OS   string `json:"os"`
				Arch string `json:"arch"`
			} `json:"platforms"`
		} `json:"versions"`
		Warnings []string `json:"warnings"`
	}
	packageDocument struct {
		Protocols    []string `json:"protocols"`
		OS           string   `json:"os"`
		Arch         string   `json:"arch"`
		Filename     string   `json:"filename"`
		DownloadURL  string   `json:"download_url"`
		ShasumsURL   string   `json:"shasums_url"`
		SignatureURL string   `json:"shasums_signature_url"`
		Shasum       string   `json:"shasum"`
		SigningKeys  struct {
			GPG []*SigningKey `json:"gpg_public_keys"`
		} `json:"signing_keys"`
		Packages map[string]*struct {
			Hashes []string `json:"hashes"`
			Size   int64    `json:"package_size"`
		} `json:"packages"`
	}
)

// Versions asks the provider's own registry for its versions (GET
// :namespace/:type/versions). The error is ErrNotFound if the registry does not
// know the provider, and ErrNoService if the host is not a provider registry.
// As in OpenTofu, one invalid version makes the whole response an error.
func (c *Client) Versions(ctx context.Context, p addrs.Provider) (*VersionList, error) {
	base, err := c.providerBase(ctx, p)
	if err != nil {
		return nil, about(p.ForDisplay(), err)
	}
	list, err := c.answers.versions.do(ctx, c, versionsKey{memoSource{base: base.String()}, p}, func(ctx context.Context) (*VersionList, error) {
		return c.listVersions(ctx, base, p)
	})
	if err != nil {
		return nil, about(p.ForDisplay(), wrapContext("versions", err))
	}
	return list, nil
}

// providerBase returns the base URL for p. OpenTofu adds a slash only for
// modules: a provider registry that omits it loses the last segment.
func (c *Client) providerBase(ctx context.Context, p addrs.Provider) (*url.URL, error) {
	if !p.IsValid() || p.IsBuiltIn() || p.IsLegacy() {
		return nil, &Error{Op: "versions", Err: fmt.Errorf("provider %q has no registry", p.String())}
	}
	return c.Service(ctx, p.ASCIIHost(), ProvidersV1)
}

// resolve returns the URL of the path segments below base, by RFC 3986.
func resolve(base *url.URL, segments ...string) *url.URL {
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	// The leading "./" keeps a first segment with a colon from being read as
	// the scheme of an absolute URL.
	u, err := base.Parse("./" + strings.Join(segments, "/"))
	if err != nil {
		// Cannot happen: the segments are escaped.
		return base
	}
	return u
}

// maxShared is how many platforms and protocols are shared by the versions of a
// list. Real lists have some 20 of them.
const maxShared = 1000

// platformNames are the members of a platform in a list of versions.
type platformNames struct{ os, arch string }

func (c *Client) listVersions(ctx context.Context, base *url.URL, p addrs.Provider) (*VersionList, error) {
	r := request{
		op: "versions", url: resolve(base, p.Namespace(), p.Type(), "versions"), host: p.ASCIIHost(),
		accept: "application/json", limit: c.Limits.withDefaults().Metadata, elements: maxVersionElements,
	}
	resp, err := c.get(ctx, r)
	if err != nil {
		return nil, err
	}
	if resp.status != http.StatusOK {
		return nil, hintSlash(base, c.statusError(r, resp))
	}
	var doc versionsDocument
	if err := decode(r, resp, &doc); err != nil {
		return nil, err
	}
	if err := refusal(r, resp, "/versions", doc.Versions == nil); err != nil {
		return nil, err
	}
	list := &VersionList{}
	seen := map[addrs.Version]int{}
	// Each platform and protocol is held once, unless there are very many.
	platforms := map[platformNames]addrs.Platform{}
	protocols := map[string]string{}
	var length versionCount
	for i, v := range doc.Versions {
		at := fmt.Sprintf("/versions/%d", i)
		if v == nil {
			return nil, badMember(r, resp, at, "null, not a version")
		}
		version, err := addrs.ParseVersion(v.Version)
		if err != nil {
			return nil, badMember(r, resp, at+"/version", "%q is not a version", printable.Line(v.Version, 60))
		}
		if err := length.add(version); err != nil {
			return nil, tooLong(r, resp, at+"/version", err)
		}
		pv := ProviderVersion{Version: version, Protocols: v.Protocols}
		for i, p := range v.Protocols {
			if same, ok := protocols[p]; ok {
				v.Protocols[i] = same
			} else if len(protocols) < maxShared {
				protocols[p] = p
			}
		}
		for _, pl := range v.Platforms {
			if pl == nil {
				continue
			}
			name := platformNames{pl.OS, pl.Arch}
			platform, ok := platforms[name]
			if !ok {
				// Platforms are only for hints, so an odd one is not an error.
				if platform, err = addrs.ParsePlatform(pl.OS + "_" + pl.Arch); err != nil {
					continue
				}
				if len(platforms) < maxShared {
					platforms[name] = platform
				}
			}
			pv.Platforms = append(pv.Platforms, platform)
		}
		pv.Platforms = slices.Clip(pv.Platforms)
		if at, ok := seen[version]; ok {
			list.Versions[at] = pv // the last one wins
			continue
		}
		seen[version] = len(list.Versions)
		list.Versions = append(list.Versions, pv)
	}
	list.Versions = slices.Clip(list.Versions)
	list.sort()
	for _, w := range doc.Warnings[:min(len(doc.Warnings), 20)] {
		if w = printable.Line(w, 2000); w != "" {
			list.Warnings = append(list.Warnings, w)
		}
	}
	return list, nil
}

func (l *VersionList) sort() {
	slices.SortFunc(l.Versions, func(a, b ProviderVersion) int { return a.Version.Compare(b.Version) })
}

// hintSlash adds the most frequent reason to a 404.
func hintSlash(base *url.URL, e *Error) *Error {
	if errors.Is(e.Err, ErrNotFound) && !strings.HasSuffix(base.Path, "/") {
		e.Err = fmt.Errorf("%w (the registry's base URL %s does not end in a slash, so its last part is not used)", e.Err, displayURL(base))
	}
	return e
}

// Package asks the provider's own registry for the package of version v for a
// platform (GET :namespace/:type/:version/download/:os/:arch). It checks that
// the response is about this package, complete and consistent, and that the
// package speaks a protocol of [Client.Protocols]. It fetches neither the
// package nor its checksums.
//
// The error is ErrUnsupportedPlatform if the registry does not have the version
// for the platform. It is ErrNotFound if the list of versions shows that the
// registry does not have the version or the provider at all. It is
// ErrUnsupportedProtocol if the package speaks no such protocol; the text then
// suggests another version.
func (c *Client) Package(ctx context.Context, p addrs.Provider, v addrs.Version, platform addrs.Platform) (*Package, error) {
	base, err := c.providerBase(ctx, p)
	if err != nil {
		return nil, about(p.ForDisplay(), err)
	}
	key := packageKey{memoSource{base: base.String()}, p, v, platform}
	pkg, err := c.answers.packages.do(ctx, c, key, func(ctx context.Context) (*Package, error) {
		return c.findPackage(ctx, base, p, v, platform)
	})
	if err != nil {
		return nil, about(p.ForDisplay(), wrapContext("package", err))
	}
	return pkg, nil
}

func (c *Client) findPackage(ctx context.Context, base *url.URL, p addrs.Provider, v addrs.Version, platform addrs.Platform) (*Package, error) {
	r := request{
		op:  "package",
		url: resolve(base, p.Namespace(), p.Type(), v.String(), "download", platform.OS(), platform.Arch()), host: p.ASCIIHost(),
		accept: "application/json", limit: c.Limits.withDefaults().Metadata,
	}
	resp, err := c.get(ctx, r)
	if err != nil {
		return nil, err
	}
	if resp.status != http.StatusOK {
		e := c.statusError(r, resp)
		if resp.status == http.StatusNotFound {
			e.Err = c.missingPackage(ctx, p, v, platform)
		}
		return nil, hintSlash(base, e)
	}
	var doc packageDocument
	if err := decode(r, resp, &doc); err != nil {
		return nil, err
	}
	pkg, bad := c.readPackage(r, resp, &doc)
	if bad != nil {
		return nil, bad
	}
	pkg.Provider, pkg.Version, pkg.Platform = p, v, platform
	if doc.OS != platform.OS() || doc.Arch != platform.Arch() {
		return nil, badMember(r, resp, "/os", "the response is about %q, not %s", printable.Line(doc.OS+"_"+doc.Arch, 60), platform)
	}
	if len(doc.Packages) > 0 {
		if err := readReported(r, resp, &doc, pkg); err != nil {
			return nil, err
		}
	}
	ok, err := c.speaks(pkg.Protocols)
	if err != nil {
		return nil, badMember(r, resp, "/protocols", "%w", err)
	}
	if !ok {
		e := badMember(r, resp, "/protocols", "")
		e.Err = c.unsupportedProtocol(ctx, pkg)
		return nil, e
	}
	return pkg, nil
}

// readPackage reads the members of doc that every answer must have.
func (c *Client) readPackage(r request, resp *response, doc *packageDocument) (*Package, *Error) {
	pkg := &Package{
		Origin: FromRegistry, Source: r.host, Protocols: doc.Protocols, Filename: doc.Filename,
		SHA256: strings.ToLower(doc.Shasum),
	}
	if doc.Filename == "" || strings.ContainsAny(doc.Filename, "/\\:\x00") || printable.Line(doc.Filename, 400) != doc.Filename {
		return nil, badMember(r, resp, "/filename", "%q is not the name of a file", printable.Line(doc.Filename, 100))
	}
	if !isSHA256(pkg.SHA256) {
		return nil, badMember(r, resp, "/shasum", "%q is not 64 hexadecimal digits", printable.Line(doc.Shasum, 80))
	}
	for _, m := range []struct {
		name, value string
		to          **url.URL
	}{
		{"/download_url", doc.DownloadURL, &pkg.URL},
		{"/shasums_url", doc.ShasumsURL, &pkg.ChecksumsURL},
		{"/shasums_signature_url", doc.SignatureURL, &pkg.SignatureURL},
	} {
		// OpenTofu takes a missing URL for the URL of this answer itself, and
		// fails later. Here it is an error.
		u, err := parseURL(resp.url, m.value)
		if err != nil {
			return nil, badMember(r, resp, m.name, "%w", err)
		}
		if err := c.checkURL(u); err != nil {
			e := badMember(r, resp, m.name, "")
			e.Err = err
			return nil, e
		}
		*m.to = u
	}
	for i, k := range doc.SigningKeys.GPG {
		if k == nil {
			return nil, badMember(r, resp, fmt.Sprintf("/signing_keys/gpg_public_keys/%d", i), "null, not a key")
		}
		pkg.SigningKeys = append(pkg.SigningKeys, *k)
	}
	return pkg, nil
}

// readReported reads and checks the member "packages", which has the hashes of
// all platforms since OpenTofu 1.12. It must include the package itself, with
// its size and its SHA-256.
func readReported(r request, resp *response, doc *packageDocument, pkg *Package) error {
	pkg.Reported = make(map[addrs.Platform]Reported, len(doc.Packages))
	owner := map[addrs.Hash]addrs.Platform{}
	for name, p := range doc.Packages {
		at := "/packages/" + printable.Line(name, 60)
		platform, err := addrs.ParsePlatform(name)
		if err != nil {
			return badMember(r, resp, at, "not a platform")
		}
		if p == nil {
			return badMember(r, resp, at, "null, not an object")
		}
		hashes, bad := readHashes(r, resp, at+"/hashes", p.Hashes)
		if bad != nil {
			return bad
		}
		for _, h := range hashes {
			if other, ok := owner[h]; ok && other != platform {
				return badMember(r, resp, at+"/hashes", "the hash %s is also that of %s", printable.Line(h.String(), 100), other)
			}
			owner[h] = platform
		}
		pkg.Reported[platform] = Reported{Hashes: hashes, Size: p.Size}
	}
	own, ok := pkg.Reported[pkg.Platform]
	if !ok {
		return badMember(r, resp, "/packages", "%s is missing", pkg.Platform)
	}
	at := "/packages/" + pkg.Platform.String()
	if own.Size <= 0 {
		return badMember(r, resp, at+"/package_size", "%d is not a size", own.Size)
	}
	pkg.Size = own.Size
	found := false
	for _, h := range own.Hashes {
		if h.Scheme() == addrs.SchemeZH {
			found = true
			if h != zhOf(pkg.SHA256) {
				e := badMember(r, resp, at+"/hashes", "")
				e.Err = fmt.Errorf("%w: %s differs from the shasum %s", addrs.ErrMismatch, printable.Line(h.String(), 100), pkg.SHA256)
				return e
			}
		}
	}
	if !found {
		return badMember(r, resp, at+"/hashes", "no zh hash")
	}
	return nil
}

// readHashes converts the list at the JSON pointer at to hashes.
func readHashes(r request, resp *response, at string, list []string) ([]addrs.Hash, *Error) {
	var hashes []addrs.Hash
	for _, s := range list {
		h, err := addrs.ParseHash(s)
		if err != nil {
			return nil, badMember(r, resp, at, "%q is not a hash", printable.Line(s, 100))
		}
		hashes = append(hashes, h)
	}
	return hashes, nil
}

// isSHA256 reports whether s is 64 hexadecimal digits in lower case.
func isSHA256(s string) bool {
	if len(s) != 64 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
