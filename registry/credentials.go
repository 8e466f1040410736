// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Credentials finds the token for a host. A Client asks once for each host and
// caches the answer. The methods must be safe for concurrent use.
type Credentials interface {
	// Token returns the bearer token for host, or "" if there is none. The
	// host is in comparison form: punycode, lower case, with its port unless
	// that is 443. A token for a host is not used for its other ports.
	Token(ctx context.Context, host string) (string, error)
}

// Tokens are Credentials from a map: a key is a host in comparison form, and its value the
// token.
type Tokens map[string]string

// Token returns t[host].
func (t Tokens) Token(_ context.Context, host string) (string, error) { return t[host], nil }

// FirstOf returns Credentials that ask each of list in turn, until one has a
// token or fails. OpenTofu's order is the environment, the configuration,
// the helper.
func FirstOf(list ...Credentials) Credentials { return firstOf(list) }

type firstOf []Credentials

func (f firstOf) Token(ctx context.Context, host string) (string, error) {
	for _, c := range f {
		if c == nil {
			continue
		}
		token, err := c.Token(ctx, host)
		if err != nil || token != "" {
			return token, err
		}
	}
	return "", nil
}

// authorize adds the token of host to header, if there is one and it may be
// sent to u. It returns a note for an error that may follow.
func (c *Client) authorize(ctx context.Context, header http.Header, host string, u *url.URL) (string, error) {
	if c.Credentials == nil {
		return "there are no credentials for " + host, nil
	}
	token, err := c.answers.tokens.do(ctx, c, host, func(ctx context.Context) (string, error) {
		return c.Credentials.Token(ctx, host)
	})
	if err != nil {
		return "", &Error{Op: "credentials", URL: host, Err: err}
	}
	switch {
	case token == "":
		return "there are no credentials for " + host, nil
	case !validToken(token):
		return "", &Error{Op: "credentials", URL: host, Err: fmt.Errorf("the token has characters that are not allowed in a header")}
	case !c.maySend(host, u):
		return fmt.Sprintf("the token of %s was not sent to %s, see SendToken", host, origin(u)), nil
	}
	header.Set("Authorization", "Bearer "+token)
	return "the token of " + host + " was sent", nil
}

// maySend reports whether the token of host may be sent to u.
func (c *Client) maySend(host string, u *url.URL) bool {
	if own, err := url.Parse("https://" + host); err == nil && origin(own) == origin(u) {
		return true
	}
	if c.SendToken != nil {
		return c.SendToken(host, u)
	}
	if u.Scheme != "https" {
		return false
	}
	for _, s := range c.Services[host] {
		if su, err := url.Parse(strings.TrimSpace(s)); err == nil && origin(su) == origin(u) {
			return true
		}
	}
	return false
}

// validToken reports whether token can be sent in a header.
func validToken(token string) bool {
	for i := range len(token) {
		if token[i] <= ' ' || token[i] >= 0x7f {
			return false
		}
	}
	return true
}
