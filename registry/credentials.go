// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
)

// Credentials finds the token for a host. A Client asks once for each host and
// remembers the answer. The methods must be safe for concurrent use.
type Credentials interface {
	// Token returns the bearer token for host, or "" if there is none. The
	// host is in comparison form: punycode, lower case, with its port unless
	// that is 443. A token for a host is not used for its other ports.
	Token(ctx context.Context, host string) (string, error)
}

// Tokens is Credentials from a map of host, in comparison form, to token.
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

// EnvironmentTokens reads the variables TF_TOKEN_HOST of an environment in the
// form of os.Environ. HOST may be in any case, and in Unicode or punycode. In
// it, two underscores mean a hyphen and one means a dot. A variable that does
// not name a host is ignored. If two variables are for one host, the later
// counts.
func EnvironmentTokens(environ []string) Tokens {
	t := Tokens{}
	for _, kv := range environ {
		name, token, _ := strings.Cut(kv, "=")
		name, ok := strings.CutPrefix(name, "TF_TOKEN_")
		if !ok || token == "" {
			continue
		}
		name = strings.ReplaceAll(strings.ReplaceAll(name, "__", "-"), "_", ".")
		if host, ok := parseHost(name); ok {
			t[host] = token
		}
	}
	return t
}

// ParseCredentials reads a credentials.tfrc.json, the file in which "tofu login"
// keeps its tokens: {"credentials": {"HOST": {"token": "..."}}}. For the native
// syntax, and for other blocks, see [ParseCLIConfig]. The error is an *Error with
// the place, or with the JSON pointer of a member that is not a host.
func ParseCredentials(filename string, src []byte) (Tokens, error) {
	var doc struct {
		Credentials map[string]*struct {
			Token string `json:"token"`
		} `json:"credentials"`
	}
	r := request{op: "credentials", url: &url.URL{}}
	if err := decode(r, &response{url: &url.URL{}, body: src, header: http.Header{}}, &doc); err != nil {
		e := err.(*Error)
		e.Method, e.URL = "", filename
		return nil, e
	}
	t := Tokens{}
	for name, c := range doc.Credentials {
		host, ok := parseHost(name)
		if !ok || c == nil {
			return nil, &Error{Op: "credentials", URL: filename, Pointer: "/credentials/" + clean(name, 100),
				Err: fmt.Errorf("not the credentials of a host")}
		}
		if c.Token != "" {
			t[host] = c.Token
		}
	}
	return t, nil
}

// parseHost returns the comparison form of a host name written by a person. It
// is in Unicode or, because an environment can hardly hold that, in punycode.
func parseHost(s string) (string, bool) {
	labels := strings.Split(strings.ToLower(s), ".")
	for i, label := range labels {
		// OpenTofu, and therefore addrs, refuses punycode in source addresses,
		// but only in lower case.
		if strings.HasPrefix(label, "xn--") {
			labels[i] = strings.ToUpper(label)
		}
	}
	p, err := addrs.NewProvider(strings.Join(labels, "."), "x", "x")
	if err != nil {
		return "", false
	}
	return p.ASCIIHost(), true
}

// authorize adds the token of host to header, if there is one and it may be
// sent to u. It returns a note for an error that may follow.
func (c *Client) authorize(ctx context.Context, header http.Header, host string, u *url.URL) (string, error) {
	if c.Credentials == nil {
		return "there are no credentials for " + host, nil
	}
	token, err := c.tokens.do(ctx, c, host, func(ctx context.Context) (string, error) {
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
		if su, err := url.Parse(s); err == nil && origin(su) == origin(u) {
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
