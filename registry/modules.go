// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/printable"
	"github.com/tofuwire/tofuwire/registry/cliconfig"
)

// A Module is a module in a registry. It has the parts of an
// [addrs.ModuleSource] that the protocol uses.
type Module struct {
	Host                    string // in comparison form: punycode, lower case
	Namespace, Name, System string
}

// NewModule returns the module of a registry source address. The bool is false
// if src is local or remote.
func NewModule(src addrs.ModuleSource) (Module, bool) {
	host, namespace, name, system, ok := src.Registry()
	if !ok {
		return Module{}, false
	}
	host, ok = cliconfig.ParseHost(host)
	return Module{host, namespace, name, system}, ok
}

// String returns HOST/NAMESPACE/NAME/SYSTEM.
func (m Module) String() string {
	return m.Host + "/" + m.Namespace + "/" + m.Name + "/" + m.System
}

// A ModuleVersionList is the list of the versions of a module in a registry. It
// may be shared with other callers and must not be changed.
type ModuleVersionList struct {
	// Versions are in ascending order. There may be none.
	Versions []addrs.Version

	// Invalid are the strings of the registry that are not versions, without
	// control characters, at most 20 of them. OpenTofu also omits them, with a
	// warning.
	Invalid []string
}

// Newest returns the newest version that the constraints allow, by the rules
// that OpenTofu has for modules. They differ from those for providers:
//
//   - A prerelease needs a single constraint with = that names exactly that
//     version.
//   - = and != ignore the build metadata of releases.
//   - ~> with a prerelease allows no release.
//   - 0.0.0 is a version like any other.
//
// Use [addrs.ParseModuleConstraints] for the constraints: for modules, some texts
// mean something else than for providers.
func (l *ModuleVersionList) Newest(allowed addrs.Constraints) (addrs.Version, bool) {
	if l == nil {
		return addrs.Version{}, false
	}
	for _, v := range slices.Backward(l.Versions) {
		if moduleAllowed(allowed, v) {
			return v, true
		}
	}
	return addrs.Version{}, false
}

// moduleAllowed reports whether constraints allow the version of a module.
func moduleAllowed(allowed addrs.Constraints, v addrs.Version) bool {
	if v.Prerelease() != "" {
		return allowed.String() == v.String()
	}
	release := v.Core()
	for c := range allowed.All() {
		bound := c.Version()
		pre := bound.Prerelease() != ""
		if !pre {
			bound = bound.Core()
		}
		order := release.Compare(bound)
		ok := false
		switch c.Operator() {
		case addrs.OpEqual:
			ok = order == 0
		case addrs.OpNotEqual:
			ok = order != 0
		case addrs.OpGreater:
			ok = order > 0
		case addrs.OpGreaterOrEqual:
			ok = order >= 0
		case addrs.OpLess:
			ok = order < 0
		case addrs.OpLessOrEqual:
			ok = order <= 0
		case addrs.OpPessimistic:
			ok = !pre && (order == 0 || c.Allows(release))
		}
		if !ok {
			return false
		}
	}
	return true
}

// The documents of the module registry protocol:
// https://opentofu.org/docs/internals/module-registry-protocol/.
type (
	moduleVersionsDocument struct {
		Modules []*struct {
			Versions []*struct {
				Version string `json:"version"`
			} `json:"versions"`
		} `json:"modules"`
	}
	moduleLocationDocument struct {
		Location       string `json:"location"`
		UseCredentials *bool  `json:"use_registry_credentials"`
	}
)

// moduleBase returns the base URL for m. As OpenTofu does for modules, it adds
// a missing slash at the end.
func (c *Client) moduleBase(ctx context.Context, m Module) (*url.URL, error) {
	for _, part := range []string{m.Host, m.Namespace, m.Name, m.System} {
		if part == "" || part == "." || part == ".." || strings.ContainsAny(part, "/?#\\") {
			return nil, &Error{Op: "modules", Err: fmt.Errorf("%q is not the address of a module", printable.Line(m.String(), 200))}
		}
	}
	u, err := c.Service(ctx, m.Host, ModulesV1)
	if err != nil || strings.HasSuffix(u.Path, "/") {
		return u, err
	}
	return u.JoinPath("/"), nil
}

// ModuleVersions asks the module's registry for its versions (GET
// :namespace/:name/:system/versions). A "v" before a version is allowed. The
// error is ErrNotFound if the registry does not know the module, and
// ErrNoService if the host is not a module registry.
func (c *Client) ModuleVersions(ctx context.Context, m Module) (*ModuleVersionList, error) {
	base, err := c.moduleBase(ctx, m)
	if err != nil {
		return nil, about(m.String(), err)
	}
	u := resolve(base, m.Namespace, m.Name, m.System, "versions")
	list, err := c.answers.modules.do(ctx, c, u.String(), func(ctx context.Context) (*ModuleVersionList, error) {
		return c.listModuleVersions(ctx, u, m)
	})
	if err != nil {
		return nil, about(m.String(), wrapContext("modules", err))
	}
	return list, nil
}

func (c *Client) listModuleVersions(ctx context.Context, u *url.URL, m Module) (*ModuleVersionList, error) {
	r := request{op: "modules", url: u, host: m.Host, accept: "application/json", limit: c.Limits.withDefaults().Metadata}
	resp, err := c.get(ctx, r)
	if err != nil {
		return nil, err
	}
	if resp.status != http.StatusOK {
		return nil, c.statusError(r, resp)
	}
	var doc moduleVersionsDocument
	if err := decode(r, resp, &doc); err != nil {
		return nil, err
	}
	if len(doc.Modules) == 0 {
		return nil, badMember(r, resp, "/modules", "no module")
	}
	// Only the first element counts, as in OpenTofu.
	if doc.Modules[0] == nil {
		return nil, badMember(r, resp, "/modules/0", "null, not a module")
	}
	list := &ModuleVersionList{}
	var length versionCount
	for i, v := range doc.Modules[0].Versions {
		if v == nil {
			return nil, badMember(r, resp, fmt.Sprintf("/modules/0/versions/%d", i), "null, not a version")
		}
		version, err := addrs.ParseVersion(strings.TrimPrefix(v.Version, "v"))
		if err != nil {
			if len(list.Invalid) < 20 {
				list.Invalid = append(list.Invalid, printable.Line(v.Version, 60))
			}
			continue
		}
		if err := length.add(version); err != nil {
			return nil, tooLong(r, resp, fmt.Sprintf("/modules/0/versions/%d", i), err)
		}
		list.Versions = append(list.Versions, version)
	}
	slices.SortFunc(list.Versions, addrs.Version.Compare)
	list.Versions = slices.Compact(list.Versions)
	return list, nil
}

// A ModuleLocation is the location of a module's package.
type ModuleLocation struct {
	// Source is the remote source address, absolute, and free of relative
	// parts: an https URL, or another form such as "git::https://...", with
	// "//SUBDIR" and "?QUERY" as the registry gave them.
	Source string

	// Direct reports whether the package is an archive to be fetched with a
	// plain GET of Source. The registry says so with
	// "use_registry_credentials", since OpenTofu 1.12. Use
	// [Client.DownloadModule] for it.
	Direct bool

	// UseCredentials reports whether that GET must carry the registry's token.
	UseCredentials bool

	host string
}

// ModuleLocation asks for the location of the package of a module version (GET
// :namespace/:name/:system/:version/download). It accepts all forms of response:
// status 204 or 200 with the header X-Terraform-Get, and 200 with JSON. As in
// OpenTofu, a relative location is resolved against the requested URL, even
// after redirects. The checks are those of OpenTofu: local paths and registry
// addresses are refused. Unlike other responses, a location is not cached.
//
// The error is ErrNotFound if the registry does not know the version, and
// ErrBadResponse if the response has no usable location.
func (c *Client) ModuleLocation(ctx context.Context, m Module, v addrs.Version) (*ModuleLocation, error) {
	loc, err := c.moduleLocation(ctx, m, v)
	return loc, about(m.String(), err)
}

func (c *Client) moduleLocation(ctx context.Context, m Module, v addrs.Version) (*ModuleLocation, error) {
	base, err := c.moduleBase(ctx, m)
	if err != nil {
		return nil, err
	}
	r := request{
		op: "modules", url: resolve(base, m.Namespace, m.Name, m.System, v.String(), "download"), host: m.Host,
		limit: min(c.Limits.withDefaults().Metadata, maxLocation),
	}
	resp, err := c.get(ctx, r)
	if err != nil {
		return nil, err
	}
	loc := &ModuleLocation{host: m.Host}
	var doc moduleLocationDocument
	switch resp.status {
	case http.StatusNoContent:
	case http.StatusOK:
		if len(resp.body) > 0 || resp.header.Get("X-Terraform-Get") == "" {
			if err := decode(r, resp, &doc); err != nil {
				return nil, err
			}
		}
	default:
		return nil, c.statusError(r, resp)
	}
	loc.Source = doc.Location
	if loc.Source == "" {
		loc.Source = resp.header.Get("X-Terraform-Get")
	} else if doc.UseCredentials != nil {
		loc.Direct, loc.UseCredentials = true, *doc.UseCredentials
	}
	if loc.Source == "" {
		return nil, badMember(r, resp, "/location", "the response has no location")
	}
	if err := c.settleLocation(r.url, loc); err != nil {
		return nil, badMember(r, resp, "/location", "%w", err)
	}
	return loc, nil
}

// maxLocation bounds the answer with the location of a module.
const maxLocation = 1 << 20

// settleLocation makes loc.Source absolute and checks it.
func (c *Client) settleLocation(requested *url.URL, loc *ModuleLocation) error {
	s := loc.Source
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return fmt.Errorf("a location with control characters")
	}
	if strings.HasPrefix(s, "/") || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") {
		u, err := parseURL(requested, s)
		if err != nil {
			return fmt.Errorf("a relative location: %w", err)
		}
		s = u.String()
	}
	loc.Source = s
	if loc.Direct {
		u, err := url.Parse(s)
		if err != nil {
			return fmt.Errorf("a direct location that is not a URL")
		}
		if u.Fragment != "" {
			return fmt.Errorf("a direct location with a fragment")
		}
		return c.checkURL(u)
	}
	src, err := addrs.ParseModuleSource(s)
	if err != nil {
		return fmt.Errorf("%q is not a remote source address: %w", printable.Line(s, 200), err)
	}
	if src.Kind() != addrs.RemoteSource {
		return fmt.Errorf("%q is not a remote source address", printable.Line(s, 200))
	}
	return nil
}
