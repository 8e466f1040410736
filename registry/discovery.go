// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/internal/printable"
)

// The services that this package knows how to talk to.
const (
	ProvidersV1 = "providers.v1"
	ModulesV1   = "modules.v1"
)

// services are the services of a host: a map from service identifier, such as
// "providers.v1", to the value in the discovery document.
type services struct {
	base   *url.URL // of relative URLs: the final URL of the document
	values map[string]json.RawMessage
}

// Service returns the base URL of a service of host, such as [ProvidersV1],
// from [Client.Services] or else from the host's discovery document,
// https://HOST/.well-known/terraform.json. The host is in punycode, in lower
// case, with a port unless that is 443.
//
// As in OpenTofu, the document may be behind redirects. The URL that finally
// served it is the base of relative URLs, and its content type must be
// application/json. Service is stricter than OpenTofu: it refuses a URL without
// TLS unless AllowHTTP is set, limits redirects to Limits.Redirects and never
// follows one that leaves TLS, and does not ignore errors of Credentials.
// Unlike OpenTofu, it retries discovery.
//
// The error is ErrNoService if the host answers that it does not have the
// service.
//
// See https://opentofu.org/docs/internals/remote-service-discovery/.
func (c *Client) Service(ctx context.Context, host, id string) (*url.URL, error) {
	if s, ok := c.Services[host]; ok {
		return c.configuredService(host, id, s)
	}
	if c.misconfigured != nil {
		return nil, c.misconfigured
	}
	s, err := c.answers.discovered.do(ctx, c, host, func(ctx context.Context) (*services, error) {
		return c.discover(ctx, host)
	})
	if err != nil {
		return nil, wrapContext("discovery", err)
	}
	fail := func(err error) error {
		return &Error{Op: "discovery", Method: http.MethodGet, URL: displayURL(s.base), Pointer: "/" + id, Err: err}
	}
	raw, ok := s.values[id]
	if !ok {
		return nil, fail(noService(id, slices.Sorted(maps.Keys(s.values))))
	}
	var text string
	if json.Unmarshal(raw, &text) != nil || text == "" {
		return nil, fail(fmt.Errorf("%w: the value is not a URL", ErrBadResponse))
	}
	u, err := parseURL(s.base, strings.TrimSpace(text))
	if err != nil {
		return nil, fail(fmt.Errorf("%w: %w", ErrBadResponse, err))
	}
	u.Fragment, u.RawFragment = "", ""
	if u.User != nil {
		return nil, fail(fmt.Errorf("%w: %w", ErrBadResponse, errServiceUser))
	}
	if err := c.checkURL(u); err != nil {
		return nil, fail(err)
	}
	return u, nil
}

// errServiceUser is the reason for which the tools refuse the URL of a service.
var errServiceUser = errors.New("a URL with user information")

// configuredService returns a service that the caller has configured. As in the tools, it may be
// relative to the document that the host would have.
func (c *Client) configuredService(host, id string, s map[string]string) (*url.URL, error) {
	text, ok := s[id]
	if !ok {
		return nil, &Error{Op: "configuration", URL: host, Err: noService(id, slices.Sorted(maps.Keys(s)))}
	}
	base := &url.URL{Scheme: "https", Host: host, Path: "/.well-known/terraform.json"}
	u, err := base.Parse(strings.TrimSpace(text))
	if err != nil {
		return nil, &Error{Op: "configuration", URL: host, Err: fmt.Errorf("the value of %s is not a URL", id)}
	}
	err = cmp.Or(checkForm(u), c.checkTLS(u))
	if u.User != nil {
		err = errServiceUser
	}
	if err != nil {
		return nil, &Error{Op: "configuration", URL: host, Err: err}
	}
	return u, nil
}

// noService explains that id is not among the services of a host. It
// distinguishes another version of the same protocol from no protocol at all.
func noService(id string, have []string) error {
	name, _, _ := strings.Cut(id, ".v")
	var versions []string
	for _, h := range have {
		if strings.HasPrefix(h, name+".v") {
			versions = append(versions, printable.Line(h, 40))
		}
	}
	if len(versions) > 0 {
		return fmt.Errorf("%w: it has %s, but not %s", ErrNoService, strings.Join(versions[:min(len(versions), 5)], ", "), id)
	}
	return fmt.Errorf("%w: %s", ErrNoService, id)
}

// discover asks host for its services.
func (c *Client) discover(ctx context.Context, host string) (*services, error) {
	u, err := url.Parse("https://" + host + "/.well-known/terraform.json")
	if err != nil || u.Hostname() == "" || u.User != nil || u.Path != "/.well-known/terraform.json" || u.RawQuery != "" {
		return nil, &Error{Op: "discovery", Err: fmt.Errorf("%q is not a host name", printable.Line(host, 100))}
	}
	r := request{
		op: "discovery", url: u, host: host, accept: "application/json", mediaType: "application/json",
		limit: c.Limits.withDefaults().Discovery,
	}
	resp, err := c.get(ctx, r)
	if err != nil {
		return nil, err
	}
	switch resp.status {
	case http.StatusOK:
	case http.StatusNotFound:
		// The host has no services. This is an answer, and is remembered.
		return &services{base: resp.url}, nil
	default:
		return nil, c.statusError(r, resp)
	}
	s := &services{base: resp.url}
	if err := decode(r, resp, &s.values); err != nil {
		return nil, err
	}
	if s.values == nil {
		return nil, badMember(r, resp, "", "null, not an object")
	}
	named := false
	for id := range s.values {
		named = named || strings.Contains(id, ".v")
	}
	if err := refusal(r, resp, "", !named); err != nil {
		return nil, err
	}
	return s, nil
}

// wrapContext makes an *Error of the plain error of a context. A memo gives
// that error to a caller that stopped waiting.
func wrapContext(op string, err error) error {
	if _, ok := err.(*Error); ok {
		return err
	}
	return &Error{Op: op, Err: err}
}
