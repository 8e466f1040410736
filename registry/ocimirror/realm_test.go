// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package ocimirror

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"oras.land/oras-go/v2/registry/remote/auth"
)

// OpenTofu does not use a refresh token without an access token.
func TestCredentials_refreshToken(t *testing.T) {
	for token, want := range map[string]bool{"": true, "a": false} {
		c := &Credentials{list: []credential{{prefix: "h", fixed: auth.Credential{AccessToken: token, RefreshToken: "r"}}}}
		got, warning, err := c.find(t.Context(), "h", "x")
		if err != nil || got.RefreshToken != "r" || (warning == "tofu 1.12 cannot use these credentials: access_token is empty") != want {
			t.Errorf("%q: got %v, %q, %v", token, got, warning, err)
		}
	}
}

// A transportFunc is a transport.
type transportFunc func(*http.Request) (*http.Response, error)

func (f transportFunc) RoundTrip(q *http.Request) (*http.Response, error) { return f(q) }

// Only an internal registry may name an internal server of tokens, and the request for a token
// goes there, with its arguments.
func TestRealms(t *testing.T) {
	for name, tt := range map[string]struct {
		registry, challenge string
		want                string // of the host and the arguments of the request for the token
	}{
		"neighbor":         {"127.0.0.1:5000", `Bearer realm="https://localhost:9/token?a=b",service="x"`, "localhost:9 a=b&scope=x"},
		"private":          {"10.1.2.3", `Bearer realm="https://10.1.2.4/token"`, "10.1.2.4 scope=x"},
		"shared":           {"100.64.0.1", `bearer service="x", realm="https://10.1.2.4/token"`, "10.1.2.4 scope=x"},
		"same host":        {"127.0.0.1:5000", `Bearer realm="https://127.0.0.1:9/token"`, ""},
		"public registry":  {"192.0.2.1", `Bearer realm="https://10.0.0.1/token"`, ""},
		"not TLS":          {"127.0.0.1:5000", `Bearer realm="http://localhost:9/token"`, ""},
		"user information": {"127.0.0.1:5000", `Bearer realm="https://a:b@localhost:9/token"`, ""},
		"no realm":         {"127.0.0.1:5000", `Bearer service="x"`, ""},
	} {
		asked := ""
		r := &realms{host: tt.registry, base: transportFunc(func(q *http.Request) (*http.Response, error) {
			w := httptest.NewRecorder()
			if q.URL.Path == "/token" {
				asked = q.Host + " " + q.URL.RawQuery
			} else {
				w.Header().Set("WWW-Authenticate", tt.challenge)
				w.WriteHeader(http.StatusUnauthorized)
			}
			return w.Result(), nil
		})}
		req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+tt.registry+"/v2/", nil)
		resp, err := r.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		challenge := resp.Header.Get("WWW-Authenticate")
		if tt.want == "" {
			if challenge != tt.challenge {
				t.Errorf("%s: got %s", name, challenge)
			}
			continue
		}
		_, realm, _ := strings.Cut(challenge, `realm="`)
		realm, _, _ = strings.Cut(realm, `"`)
		u, err := url.Parse(realm)
		if err != nil || u.Host != tt.registry {
			t.Fatalf("%s: got %s, %v", name, challenge, err)
		}
		query := u.Query()
		query.Set("scope", "x")
		u.RawQuery = query.Encode()
		if _, err := r.RoundTrip(httptest.NewRequestWithContext(t.Context(), http.MethodGet, u.String(), nil)); err != nil || asked != tt.want {
			t.Errorf("%s: asked %q, %v; want %q", name, asked, err, tt.want)
		}
	}
}
