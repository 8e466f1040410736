// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
)

// cannedTransport answers discovery properly and everything else with body.
type cannedTransport struct {
	body        []byte
	contentType string
	header      string
}

func (c *cannedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	resp := &http.Response{StatusCode: http.StatusOK, Request: r, ContentLength: -1, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Content-Type": {c.contentType}}}
	body := c.body
	if strings.HasPrefix(r.URL.Path, "/.well-known/") {
		body = []byte(`{"providers.v1":"/p/","modules.v1":"/m/"}`)
	} else if c.header != "" {
		resp.Header.Set("X-Terraform-Get", c.header)
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// FuzzAnswers feeds any bytes as the answer of a registry or a mirror to every
// decoder. None panics; what they refuse is an *Error with a place in the
// answer; what they accept keeps its promises.
func FuzzAnswers(f *testing.F) {
	for _, s := range []string{
		`{"versions":[{"version":"1.0.0","protocols":["5.0"],"platforms":[{"os":"linux","arch":"amd64"}]},null],"warnings":["w"]}`,
		`{"protocols":["5.0"],"os":"linux","arch":"amd64","filename":"f.zip","download_url":"/z","shasums_url":"s","shasums_signature_url":"g","shasum":"` + strings.Repeat("a", 64) + `","signing_keys":{"gpg_public_keys":[{"ascii_armor":"x"}]},"packages":{"linux_amd64":{"hashes":["zh:` + strings.Repeat("a", 64) + `"],"package_size":5}}}`,
		`{"versions":{"1.0.0":{}}}`,
		`{"archives":{"linux_amd64":{"url":"../z.zip","hashes":["h1:x"]}}}`,
		`{"modules":[{"versions":[{"version":"v1.0.0"}]}]}`,
		`{"location":"./x","use_registry_credentials":true}`,
		`[`, `null`, `{"versions":7}`, "<html>", "",
	} {
		f.Add([]byte(s), "git::https://x.example/")
	}
	f.Fuzz(func(t *testing.T, body []byte, header string) {
		c := &registry.Client{
			HTTP:  &http.Client{Transport: &cannedTransport{body, "application/json", header}},
			Retry: registry.Retry{Attempts: 1},
		}
		check := func(what string, err error) bool {
			var e *registry.Error
			if err != nil && (!errors.As(err, &e) || e.Err == nil || e.Offset < 0 || e.Offset > int64(len(body)) || strings.ContainsAny(err.Error(), "\x1b\n\r")) {
				t.Errorf("%s: %#v", what, err)
			}
			return err == nil
		}
		list, err := c.Versions(t.Context(), acmeNull)
		if check("versions", err) && !slices.IsSortedFunc(list.Versions, func(a, b registry.ProviderVersion) int { return a.Version.Compare(b.Version) }) {
			t.Error("the versions are not sorted")
		}
		pkg, err := c.Package(t.Context(), acmeNull, v100, linux)
		if check("package", err) && (pkg.URL == nil || pkg.URL.Scheme != "https" || pkg.ChecksumsURL == nil || pkg.SignatureURL == nil || len(pkg.SHA256) != 64 || strings.ContainsAny(pkg.Filename, "/\\") || pkg.Size < 0) {
			t.Errorf("accepted: %+v", pkg)
		}
		m, err := c.Mirror("https://mirror.example/", registry.MirrorOptions{TrustAllHashes: true})
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Versions(t.Context(), acmeNull)
		check("mirror versions", err)
		pkg, err = m.Package(t.Context(), acmeNull, v100, linux)
		if check("mirror package", err) && (pkg.URL == nil || pkg.URL.Scheme != "https") {
			t.Errorf("accepted: %+v", pkg)
		}
		modules, err := c.ModuleVersions(t.Context(), acmeNet)
		if check("modules", err) && !slices.IsSortedFunc(modules.Versions, addrs.Version.Compare) {
			t.Error("the module versions are not sorted")
		}
		loc, err := c.ModuleLocation(t.Context(), acmeNet, v100)
		if check("location", err) && (loc.Source == "" || strings.HasPrefix(loc.Source, ".") || strings.HasPrefix(loc.Source, "/")) {
			t.Errorf("accepted: %+v", loc)
		}
	})
}
