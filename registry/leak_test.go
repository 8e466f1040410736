// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
)

// The HTTP client quotes the server in some of its own errors: a redirect that it
// cannot parse, a host name that it cannot resolve.
func TestErrors_quotedByTransport(t *testing.T) {
	for _, location := range []string{
		"https://me:sesame@h.example:port/?token=sesame", "https://h.example/%zz?token=sesame", "https://h%0a.example/?a=b&token=sesame",
	} {
		host, c := site(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", location)
			w.WriteHeader(http.StatusFound)
		})
		c.Retry.Attempts = 1
		_, err := c.Versions(t.Context(), addrs.MustParseProvider(host+"/acme/null"))
		if err == nil || strings.Contains(err.Error(), "sesame") {
			t.Errorf("%s: %v", location, err)
		}
	}
	cause := errors.New("certificate is valid for \x1b]0;x\a.example,\u202e not http://me:sesame@h.example?sesame and (http://h.example/a?sesame) <//@x>")
	c := registry.Client{Retry: registry.Retry{Attempts: 1}, HTTP: &http.Client{Transport: failing{cause}}}
	_, err := c.Versions(t.Context(), addrs.MustParseProvider("h.example/acme/null"))
	const want = ": certificate is valid for ]0;x .example, not http://h.example?... and (http://h.example/a?... <//x>"
	if !errors.Is(err, cause) || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got %q", err)
	}
}

type failing struct{ err error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

// Two mirrors at one URL may be trusted differently, and a registry may name the URL
// of a mirror as its own. None gets the answer for another.
func TestMirror_sameURL(t *testing.T) {
	hash := "h1:" + strings.Repeat("A", 43) + "="
	c := registry.Client{HTTP: &http.Client{Transport: answers(func(path string) string {
		if strings.HasSuffix(path, "/versions") {
			return `{"versions":[{"version":"2.0.0"}]}`
		}
		return `{"versions":{"1.0.0":{}},"archives":{"linux_amd64":{"url":"x.zip","hashes":["` + hash + `"]}}}`
	})}}
	p := addrs.MustParseProvider("h.example/a/b")
	for _, trust := range []bool{true, false} {
		m, err := c.Mirror("https://h.example/v1/", registry.MirrorOptions{TrustAllHashes: trust})
		if err != nil {
			t.Fatal(err)
		}
		pkg, err := m.Package(t.Context(), p, addrs.MustParseVersion("1.0.0"), linux)
		if err != nil || (len(pkg.Reported) > 0) != trust {
			t.Errorf("trust %v: %v, %v", trust, pkg, err)
		}
		list, err := m.Versions(t.Context(), p)
		own, ownErr := c.Versions(t.Context(), p)
		if err != nil || ownErr != nil || list.Versions[0].Version == own.Versions[0].Version {
			t.Errorf("trust %v: %v and %v, %v and %v", trust, list, own, err, ownErr)
		}
	}
}
