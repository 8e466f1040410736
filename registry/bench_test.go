// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// A long list of versions, as of a provider with a weekly release.
func BenchmarkVersions(b *testing.B) {
	var doc strings.Builder
	doc.WriteString(`{"versions":[`)
	for i := range 500 {
		if i > 0 {
			doc.WriteByte(',')
		}
		fmt.Fprintf(&doc, `{"version":"5.%d.0","protocols":["5.0","6.0"],"platforms":[`, i)
		for j, os := range []string{"darwin", "freebsd", "linux", "windows"} {
			if j > 0 {
				doc.WriteByte(',')
			}
			fmt.Fprintf(&doc, `{"os":%q,"arch":"amd64"},{"os":%q,"arch":"arm64"}`, os, os)
		}
		doc.WriteString("]}")
	}
	doc.WriteString("]}")
	transport := &cannedTransport{body: []byte(doc.String()), contentType: "application/json"}
	b.SetBytes(int64(doc.Len()))
	b.ReportAllocs()
	for b.Loop() {
		c := &registry.Client{HTTP: &http.Client{Transport: transport}}
		if list, err := c.Versions(b.Context(), acmeNull); err != nil || len(list.Versions) != 500 {
			b.Fatal(err)
		}
	}
}

// A package over loopback with TLS, checked on its way.
func BenchmarkDownload(b *testing.B) {
	srv := registrytest.Start(b, content())
	c := srv.Registry()
	pkg, err := c.Package(b.Context(), acmeNull, v100, linux)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(pkg.Size)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Download(b.Context(), pkg, io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
