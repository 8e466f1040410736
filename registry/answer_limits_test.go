// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/testing/bounds"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/registry"
)

// An endpoint is a kind of answer, and the call that asks for it.
type endpoint struct {
	path string // how its path ends
	call func(context.Context, *registry.Client) error
}

var (
	versionsEndpoint  = endpoint{"/versions", func(ctx context.Context, c *registry.Client) error { return second(c.Versions(ctx, hostileProvider)) }}
	discoveryEndpoint = endpoint{"/terraform.json", versionsEndpoint.call}
	packageEndpoint   = endpoint{"/amd64", func(ctx context.Context, c *registry.Client) error {
		return second(c.Package(ctx, hostileProvider, hostileVersion, addrs.MustParsePlatform("linux_amd64")))
	}}
	sumsEndpoint = endpoint{"/sums", func(ctx context.Context, c *registry.Client) error {
		pkg, err := c.Package(ctx, hostileProvider, hostileVersion, addrs.MustParsePlatform("linux_amd64"))
		if err != nil {
			return err
		}
		return second(c.Authenticate(ctx, pkg))
	}}
	modulesEndpoint = endpoint{"/versions", func(ctx context.Context, c *registry.Client) error {
		return second(c.ModuleVersions(ctx, hostileModule))
	}}
	locationEndpoint = endpoint{"/download", func(ctx context.Context, c *registry.Client) error {
		return second(c.ModuleLocation(ctx, hostileModule, hostileVersion))
	}}
	indexEndpoint = endpoint{"/index.json", func(ctx context.Context, c *registry.Client) error {
		return second(mirror(c).Versions(ctx, hostileProvider))
	}}
	archivesEndpoint = endpoint{"/1.0.0.json", func(ctx context.Context, c *registry.Client) error {
		return second(mirror(c).Package(ctx, hostileProvider, hostileVersion, addrs.MustParsePlatform("linux_amd64")))
	}}
)

var (
	hostileProvider = addrs.MustParseProvider("h.example/x/p")
	hostileVersion  = addrs.MustParseVersion("1.0.0")
	hostileModule   = registry.Module{Host: "h.example", Namespace: "x", Name: "p", System: "s"}
)

func mirror(c *registry.Client) registry.Source {
	m, err := c.Mirror("https://h.example/mirror/", registry.MirrorOptions{TrustAllHashes: true})
	if err != nil {
		panic(err)
	}
	return m
}

// packageHead is the beginning of an answer about a package, up to its last member.
var packageHead = `{"protocols":["5.0"],"os":"linux","arch":"amd64","filename":"f.zip","download_url":"/z","shasums_url":"/sums","shasums_signature_url":"/sig",` +
	`"shasum":"` + strings.Repeat("a", 64) + `"`

// answer lets e answer with body, and all other requests with what leads to e.
func (e endpoint) answer(ctx context.Context, body string) error {
	c := &registry.Client{Retry: registry.Retry{Attempts: 1}, HTTP: &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		text := `{"providers.v1":"/p/","modules.v1":"/m/"}`
		switch {
		case strings.HasSuffix(r.URL.Path, e.path):
			text = body
		case strings.HasSuffix(r.URL.Path, packageEndpoint.path):
			text = packageHead + "}"
		}
		return &http.Response{
			StatusCode: http.StatusOK, Request: r, ContentLength: -1, Header: http.Header{"Content-Type": {"application/json"}},
			Body: io.NopCloser(strings.NewReader(text)),
		}, nil
	})}}
	return e.call(ctx, c)
}

// list returns n elements between before and after. A # in element is a number, of
// which none comes twice, and which are in no order.
func list(before, element, after string, n int) string {
	var b strings.Builder
	b.WriteString(before)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strings.ReplaceAll(element, "#", fmt.Sprint(i*7919%1000003)))
	}
	return b.String() + after
}

// hostileAnswers are answers that cost much for their size.
var hostileAnswers = []struct {
	name     string
	endpoint endpoint
	make     func(n int) string
	tooLarge int // a number of elements that is refused
}{
	{"versions", versionsEndpoint, func(n int) string { return list(`{"versions":[`, `{"version":"1.0.#"}`, `]}`, n) }, 130_000},
	{"prereleases", versionsEndpoint, func(n int) string { return list(`{"versions":[`, `{"version":"1-#"}`, `]}`, n) }, 100_000},
	{"identifiers", versionsEndpoint, func(n int) string {
		return list(`{"versions":[`, `{"version":"1-`+strings.Repeat("0.00.", 50)+`#"}`, `]}`, n)
	}, 5_000},
	{"equal versions", versionsEndpoint, func(n int) string { return list(`{"versions":[`, `{"version":"1"}`, `]}`, n) }, 250_000},
	{"protocols", versionsEndpoint, func(n int) string {
		return list(`{"versions":[{"version":"1.0.0","protocols":[`, `"#"`, `]}]}`, n)
	}, 600_002},
	{"platforms", versionsEndpoint, func(n int) string {
		return list(`{"versions":[{"version":"1.0.0","platforms":[`, `{"os":"o#","arch":"a"}`, `]}]}`, n)
	}, 0},
	{"services", discoveryEndpoint, func(n int) string { return list(`{"providers.v1":"/p/",`, `"s#":{"a":[]}`, `}`, n) }, 0},
	{"keys", packageEndpoint, func(n int) string {
		return list(packageHead+`,"signing_keys":{"gpg_public_keys":[`, `{"ascii_armor":"#"}`, `]}}`, n)
	}, 100_000},
	{"hashes", packageEndpoint, func(n int) string {
		return list(packageHead+`,"packages":{"linux_amd64":{"package_size":1,"hashes":["zh:`+strings.Repeat("a", 64)+`",`, `"h1:#"`, `]}}}`, n)
	}, 100_000},
	{"packages", packageEndpoint, func(n int) string {
		return list(packageHead+`,"packages":{"linux_amd64":{"package_size":1,"hashes":["zh:`+strings.Repeat("a", 64)+`"]},`, `"o_#":{}`, `}}`, n)
	}, 100_000},
	{"sums", sumsEndpoint, func(n int) string {
		return strings.ReplaceAll(list("", strings.Repeat("0", 56)+"#  #", "", n), ",", "\n")
	}, 0},
	{"modules", modulesEndpoint, func(n int) string {
		return list(`{"modules":[{"versions":[`, `{"version":"1.#.0"}`, `]}]}`, n)
	}, 100_002},
	{"no versions", modulesEndpoint, func(n int) string { return list(`{"modules":[{"versions":[`, `{"version":"#x"}`, `]}]}`, n) }, 100_002},
	{"location", locationEndpoint, func(n int) string { return `{"location":"https://a.example/` + strings.Repeat("/../a", n) + `"}` }, 300_000},
	{"index", indexEndpoint, func(n int) string { return list(`{"versions":{`, `"1.0.#":{}`, `}}`, n) }, 100_002},
	{"archives", archivesEndpoint, func(n int) string {
		return list(`{"archives":{"linux_amd64":{"url":"z"},`, `"o_#":{"url":"z"}`, `}}`, n)
	}, 100_002},
}

// An answer of twice the size costs about twice as much, counted in allocations;
// and there is an end to it, which lists that are sorted reach soon.
func TestAnswers_work(t *testing.T) {
	for _, tt := range hostileAnswers {
		t.Run(tt.name, func(t *testing.T) {
			bounds.Growth(t, "elements", 1024, 2, 2.2, func(n int) func() {
				body := tt.make(n)
				return func() {
					if err := tt.endpoint.answer(t.Context(), body); errors.Is(err, registry.ErrLimit) {
						t.Error(err)
					}
				}
			})
			if tt.tooLarge == 0 || !depth.IsFull() && tt.tooLarge > 150_000 {
				return
			}
			if err := tt.endpoint.answer(t.Context(), tt.make(tt.tooLarge)); !errors.Is(err, registry.ErrLimit) {
				t.Errorf("%d elements: got %v", tt.tooLarge, err)
			}
		})
	}
}

// A URL that is very long is refused where it is given: what is made of it is
// made for each package.
func TestAnswers_longURL(t *testing.T) {
	long := "/" + strings.Repeat("%61", 30_000) + "/"
	for name, err := range map[string]error{
		"discovery": discoveryEndpoint.answer(t.Context(), `{"providers.v1":"`+long+`"}`),
		"package":   packageEndpoint.answer(t.Context(), strings.Replace(packageHead, `"/z"`, `"`+long+`"`, 1)+"}"),
		"archive":   archivesEndpoint.answer(t.Context(), `{"archives":{"linux_amd64":{"url":"`+long+`"}}}`),
		"location":  locationEndpoint.answer(t.Context(), `{"location":"`+long+`"}`),
	} {
		if !errors.Is(err, registry.ErrLimit) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// What an answer says twice counts as it does for OpenTofu: the last one, whatever
// the case of its name.
func TestAnswers_twice(t *testing.T) {
	for _, tt := range []struct{ body, want, err string }{
		{`{"versions":[{"version":"1.0.0"}],"versions":[{"version":"2.0.0"}]}`, "2.0.0", ""},
		{`{"versions":[{"version":"1.0.0"}],"VERSIONS":[{"version":"2.0.0"}]}`, "2.0.0", ""},
		{`{"versions":[{"version":"1.0.0","version":"3.0.0"}]}`, "3.0.0", ""},
		{`{"versions":[{"version":"1.0.0"},{"version":"1.0.0+a"},{"version":"1.0.0+b"}]}`, "1.0.0 1.0.0+a 1.0.0+b", ""},
		{"\xef\xbb\xbf" + `{"versions":[{"version":"1.0.0"}]}`, "", "byte order mark"},
		{`{"versions":[{"version":"1.0.0\u0000"}]}`, "", "/versions/0/version"},
		{`{"versions":[{"version":" 1.0.0 "}]}`, "", "/versions/0/version"},
	} {
		var got []string
		e := versionsEndpoint
		e.call = func(ctx context.Context, c *registry.Client) error {
			l, err := c.Versions(ctx, hostileProvider)
			if err == nil {
				for _, v := range l.Versions {
					got = append(got, v.Version.String())
				}
			}
			return err
		}
		err := e.answer(t.Context(), tt.body)
		if strings.Join(got, " ") != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: got %q, %v", tt.body, got, err)
		}
	}
}
