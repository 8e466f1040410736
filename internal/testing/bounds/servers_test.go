// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package bounds

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
)

func registryDocuments(src []byte) int {
	registry.ParseNetrc(src)
	return 0
}

// An answering transport gives one text as every answer.
type answering []byte

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Request: r, ContentLength: int64(len(a)), Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(a))}, nil
}

// answers gives a document to all calls that ask servers: most refuse it, none takes long.
func answers(src []byte) int {
	const host = "registry.example.org"
	ctx := context.Background()
	client := func() *registry.Client {
		return &registry.Client{
			HTTP: &http.Client{Transport: answering(src)}, Retry: registry.Retry{Attempts: 1}, Limits: registry.Limits{Metadata: 1 << 30, Discovery: 1 << 30, Checksums: 1 << 30, Signature: 1 << 30},
			Services: map[string]map[string]string{host: {registry.ProvidersV1: "https://" + host + "/v1/", registry.ModulesV1: "https://" + host + "/m1/"}},
		}
	}
	p, v, platform := addrs.MustParseProvider(host+"/acme/null"), addrs.MustParseVersion("1.0.0"), addrs.MustParsePlatform("linux_amd64")
	m := registry.Module{Host: host, Namespace: "acme", Name: "net", System: "test"}
	out := 0
	if list, err := client().Versions(ctx, p); err == nil {
		out += len(list.Versions)
	}
	_, _ = client().Package(ctx, p, v, platform)
	_, _ = client().ModuleVersions(ctx, m)
	_, _ = client().ModuleLocation(ctx, m, v)
	_, _ = client().Service(ctx, "other.example.org", registry.ProvidersV1)
	if mirror, err := client().Mirror("https://"+host+"/", registry.MirrorOptions{}); err == nil {
		_, _ = mirror.Versions(ctx, p)
		_, _ = mirror.Package(ctx, p, v, platform)
	}
	at := &url.URL{Scheme: "https", Host: host, Path: "/sums"}
	pkg := &registry.Package{Provider: p, Version: v, Platform: platform, URL: at, ChecksumsURL: at, SignatureURL: at, Filename: "z.zip", SHA256: strings.Repeat("ab", 32),
		SigningKeys: []registry.SigningKey{{ASCIIArmor: string(src)}}}
	_, _ = client().Authenticate(ctx, pkg)
	return out
}
