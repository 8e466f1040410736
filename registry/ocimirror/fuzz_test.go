// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package ocimirror_test

import (
	"net/http"
	"strings"
	"testing"
)

// FuzzMirror lets a registry answer anything: with a list of tags, and with an index and a
// manifest, whose digests are not right. A result or an error comes of it.
func FuzzMirror(f *testing.F) {
	const index = `{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","artifactType":"application/vnd.opentofu.provider","manifests":[` +
		`{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","size":2,"artifactType":"application/vnd.opentofu.provider-target","platform":{"architecture":"amd64","os":"linux"}}]}`
	for _, body := range []string{``, `{"tags":["1.0.0","v2","1.0.0_x"]}`, `{"tags":null}`, `{"errors":[{"code":"DENIED"}]}`, `[`, index, strings.Replace(index, `"linux"`, `null`, 1)} {
		f.Add(200, body, "application/vnd.oci.image.index.v1+json", "")
		f.Add(404, body, "application/json", `</v2/tofu/null/tags/list?last=1>; rel="next"`)
	}
	f.Fuzz(func(t *testing.T, status int, body, kind, link string) {
		if status < 200 || status > 499 || status == 408 || status == 429 {
			return // no response, or one after which the client waits
		}
		requests := 0
		m := hostile(func(r *http.Request) (*http.Response, error) {
			if requests++; requests > 20 {
				return answer(r, 200, `{"tags":[]}`)
			}
			return answer(r, status, body, "Content-Type", kind, "Link", link)
		})
		list, err := m.Versions(t.Context(), null)
		if (list == nil) == (err == nil) {
			t.Errorf("versions: %v, %v", list, err)
		}
		pkg, err := m.Package(t.Context(), null, version("1.0.0"), linux)
		if (pkg == nil) == (err == nil) {
			t.Errorf("package: %v, %v", pkg, err)
		}
	})
}
