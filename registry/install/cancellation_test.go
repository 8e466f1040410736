// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/install"
)

// A hostileTransport answers well up to the documents whose URL contains at, which it
// serves in a bad manner.
type hostileTransport struct{ at, manner string }

// A drip gives a byte a second, for ever.
type drip struct{ ctx context.Context }

func (d drip) Read(p []byte) (int, error) {
	select {
	case <-time.After(time.Second):
		p[0] = ' '
		return 1, nil
	case <-d.ctx.Done():
		return 0, d.ctx.Err()
	}
}

func (h hostileTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	answer := func(status int, body io.Reader, header ...string) *http.Response {
		resp := &http.Response{StatusCode: status, Request: r, ContentLength: -1, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(body)}
		for i := 0; i < len(header); i += 2 {
			resp.Header.Set(header[i], header[i+1])
		}
		return resp
	}
	ctx, path := r.Context(), r.URL.Path
	if strings.Contains(path, h.at) {
		switch h.manner {
		case "silent":
			<-ctx.Done()
			return nil, ctx.Err()
		case "dripping":
			return answer(200, drip{ctx}), nil
		case "busy":
			return answer(503, strings.NewReader(""), "Retry-After", "20"), nil
		case "broken":
			return nil, errors.New("connection refused")
		case "circling":
			time.Sleep(50 * time.Millisecond)
			return answer(307, strings.NewReader(""), "Location", path), nil
		}
	}
	text := "nothing"
	switch {
	case strings.HasSuffix(path, "terraform.json"):
		text = `{"providers.v1":"/v1/","modules.v1":"/m1/"}`
	case strings.Contains(path, "/m1/") && strings.HasSuffix(path, "versions"):
		text = `{"modules":[{"versions":[{"version":"1.0.0"}]}]}`
	case strings.Contains(path, "/m1/"):
		return answer(204, strings.NewReader(""), "X-Terraform-Get", "/archive.zip"), nil
	case strings.HasSuffix(path, "versions"):
		text = `{"versions":[{"version":"1.0.0","protocols":["5.0"],"platforms":[{"os":"linux","arch":"amd64"}]}]}`
	case strings.HasSuffix(path, "index.json"):
		text = `{"versions":{"1.0.0":{}}}`
	case strings.HasSuffix(path, "1.0.0.json"):
		text = `{"archives":{"linux_amd64":{"url":"zip"}}}`
	case strings.Contains(path, "/download/"):
		text = fmt.Sprintf(`{"protocols":["5.0"],"os":"linux","arch":"amd64","filename":"f.zip","download_url":"/zip","shasums_url":"/sums","shasums_signature_url":"/sig","shasum":%q,
			"signing_keys":{"gpg_public_keys":[{"key_id":"x","ascii_armor":"y"}]}}`, strings.Repeat("ab", 32))
	case path == "/sums":
		text = strings.Repeat("ab", 32) + "  f.zip\n"
	}
	return answer(200, strings.NewReader(text)), nil
}

// Every call ends within its context and 100 ms, whatever a server does, and at
// whichever document. The clock of the bubble stands still while there is something
// to do; what that costs is bounded by TestAnswers_work of package registry.
func TestCalls_end(t *testing.T) {
	linux := addrs.MustParsePlatform("linux_amd64")
	v := addrs.MustParseVersion("1.0.0")
	p := addrs.MustParseProvider("far.example/acme/x")
	mod := registry.Module{Host: "far.example", Namespace: "acme", Name: "net", System: "x"}
	selections := []install.Selection{{Provider: p, Version: v}}
	pkg := func() *registry.Package {
		at := func(path string) *url.URL { return &url.URL{Scheme: "https", Host: "far.example", Path: path} }
		return &registry.Package{
			Provider: p, Version: v, Platform: linux, Origin: registry.FromRegistry, Source: "far.example", Filename: "f.zip", SHA256: strings.Repeat("ab", 32),
			URL: at("/zip"), ChecksumsURL: at("/sums"), SignatureURL: at("/sig"), SigningKeys: []registry.SigningKey{{ASCIIArmor: "y"}},
		}
	}
	mirror := func(c *registry.Client) *registry.NetworkMirror {
		m, err := c.Mirror("https://far.example/mirror/", registry.MirrorOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	calls := map[string]func(ctx context.Context, c *registry.Client, dir string) error{
		"Service": func(ctx context.Context, c *registry.Client, _ string) error {
			return second(c.Service(ctx, "far.example", registry.ProvidersV1))
		},
		"Versions": func(ctx context.Context, c *registry.Client, _ string) error { return second(c.Versions(ctx, p)) },
		"Package": func(ctx context.Context, c *registry.Client, _ string) error {
			return second(c.Package(ctx, p, v, linux))
		},
		"ModuleVersions": func(ctx context.Context, c *registry.Client, _ string) error {
			return second(c.ModuleVersions(ctx, mod))
		},
		"ModuleLocation": func(ctx context.Context, c *registry.Client, _ string) error {
			return second(c.ModuleLocation(ctx, mod, v))
		},
		"DownloadModule": func(ctx context.Context, c *registry.Client, _ string) error {
			loc, err := c.ModuleLocation(ctx, mod, v)
			if err == nil {
				_, err = c.DownloadModule(ctx, loc, io.Discard)
			}
			return err
		},
		"Authenticate": func(ctx context.Context, c *registry.Client, _ string) error {
			return second(c.Authenticate(ctx, pkg()))
		},
		"Download": func(ctx context.Context, c *registry.Client, _ string) error {
			return second(c.Download(ctx, pkg(), io.Discard))
		},
		"DownloadFile": func(ctx context.Context, c *registry.Client, dir string) error {
			return second(c.DownloadFile(ctx, pkg(), filepath.Join(dir, "f")))
		},
		"Fetch": func(ctx context.Context, c *registry.Client, dir string) error {
			return second(c.Fetch(ctx, pkg(), filepath.Join(dir, "f")))
		},
		"Install": func(ctx context.Context, c *registry.Client, dir string) error {
			return second(c.Install(ctx, pkg(), filepath.Join(dir, "d"), nil))
		},
		"mirror, Versions": func(ctx context.Context, c *registry.Client, _ string) error {
			return second(mirror(c).Versions(ctx, p))
		},
		"mirror, Package": func(ctx context.Context, c *registry.Client, _ string) error {
			return second(mirror(c).Package(ctx, p, v, linux))
		},
		"Resolve": func(ctx context.Context, c *registry.Client, _ string) error {
			return second(install.Resolve(ctx, c, []install.Requirement{{Provider: p}}, nil, install.Upgrade{}))
		},
		"Locker.Lock": func(ctx context.Context, c *registry.Client, _ string) error {
			return second((&install.Locker{Client: c, Platforms: []addrs.Platform{linux}}).Lock(ctx, selections, nil))
		},
		"Installer.Install": func(ctx context.Context, c *registry.Client, dir string) error {
			return second((&install.Installer{Client: c, Platform: linux, Cache: &install.Cache{Dir: filepath.Join(dir, "cache")}}).Install(ctx, dir, selections, nil))
		},
		"Mirror.Add": func(ctx context.Context, c *registry.Client, dir string) error {
			return second((&install.Mirror{Dir: dir}).Add(ctx, c, nil, selections, []addrs.Platform{linux}))
		},
		"Matching": func(ctx context.Context, c *registry.Client, _ string) error {
			return second(install.Matching(ctx, c, []install.Requirement{{Provider: p}}, 1))
		},
		"Modules.Get": func(ctx context.Context, c *registry.Client, dir string) error {
			src, err := addrs.ParseModuleSource("far.example/acme/net/x")
			if err == nil {
				_, err = (&install.Modules{Client: c}).Get(ctx, src, addrs.Constraints{}, filepath.Join(dir, "m"))
			}
			return err
		},
	}
	const patience = 700 * time.Millisecond
	n := 0
	for name, call := range calls {
		for _, at := range []string{"terraform.json", "versions", "/download/", "/sums", "/sig", "/zip", "/m1/", "archive", "index.json", "1.0.0.json"} {
			for _, manner := range []string{"silent", "dripping", "busy", "broken", "circling"} {
				dir := t.TempDir()
				synctest.Test(t, func(t *testing.T) {
					c := &registry.Client{HTTP: &http.Client{Transport: hostileTransport{at, manner}}}
					ctx, cancel := context.WithTimeout(t.Context(), patience)
					defer cancel()
					start := time.Now()
					err := call(ctx, c, dir)
					if took := time.Since(start); took > patience+100*time.Millisecond {
						t.Errorf("%s, %s at %s: %s, %v", name, manner, at, took, err)
					} else if took >= patience && err == nil {
						t.Errorf("%s, %s at %s: no error", name, manner, at)
					}
					time.Sleep(time.Second) // calls without a waiter end as well
				})
				n++
			}
		}
	}
	t.Logf("%d calls", n)
}

func second[T any](_ T, err error) error { return err }
