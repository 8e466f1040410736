// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package ocimirror_test

import (
	"bytes"
	"crypto/sha512"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
)

// The package of a module is found by tag and by digest, and what is none is refused, as by
// OpenTofu.
func TestMirror_Module(t *testing.T) {
	const image, index = "application/vnd.oci.image.manifest.v1+json", "application/vnd.oci.image.index.v1+json"
	r := newRegistry(t, false)
	m := newMirror(r)
	zip, err := os.ReadFile(makeZip(t, "a module"))
	if err != nil {
		t.Fatal(err)
	}
	blob := r.setTag("", "archive/zip", string(zip))
	manifest := func(artifact string, layers ...string) string {
		list := []string{`{"mediaType":"text/plain","digest":"` + blob + `","size":1}`}
		for _, l := range layers {
			list = append(list, fmt.Sprintf(`{"mediaType":%q,"digest":%q,"size":%d}`, l, blob, len(zip)))
		}
		return fmt.Sprintf(`{"schemaVersion":2,"mediaType":%q,"artifactType":%q,"layers":[%s]}`, image, artifact, strings.Join(list, ","))
	}
	const kind = "application/vnd.opentofu.modulepkg"
	digest := r.setTag("mods/net:1.0.0", image, manifest(kind, "archive/zip"))
	r.setTag("mods/net:latest", image, manifest(kind, "archive/zip"))
	r.setTag("mods/net.zip:latest", image, manifest(kind, "archive/zip"))
	r.setTag("mods/net:other", image, manifest("text/plain", "archive/zip"))
	r.setTag("mods/net:none", image, manifest(kind))
	r.setTag("mods/net:two", image, manifest(kind, "archive/zip", "archive/zip"))
	long := digestOf512(zip)
	r.setTag("mods/net:long", image, strings.ReplaceAll(manifest(kind, "archive/zip"), blob, long))
	r.setTag("mods/net:wrong", image, strings.ReplaceAll(manifest(kind, "archive/zip"), blob, digestOf512([]byte("x"))))
	r.mu.Lock()
	r.blobs[long], r.blobs[digestOf512([]byte("x"))] = zip, zip
	r.mu.Unlock()
	r.setTag("mods/net:index", index, `{"schemaVersion":2,"mediaType":"`+index+`"}`)
	for source, want := range map[string]string{
		"mods/net":                        "",
		"mods/net?tag=1.0.0":              "",
		"mods/net?digest=" + digest:       "",
		"mods/net?archive=false":          "",
		"mods/net?tag=long":               "",
		"mods/net?archive=zip":            "not supported",
		"mods/net?archive=gz":             "not supported",
		"mods/net?archive=":               "not supported",
		"mods/net?archive=true":           "",
		"mods/net?archive=x&archive=zip":  "",
		"mods/net.zip":                    "ends with .zip",
		"mods/net.txz?tag=1.0.0":          "ends with .",
		"mods/net.zip?archive=0":          "",
		"mods/net?tag=1.0.0%2Bb":          "not valid",
		"mods/net?tag=-a":                 "not valid",
		"mods/net?tag=9":                  "not found",
		"mods/none":                       "not found",
		"mods/net?tag=other":              "it is not a module",
		"mods/net?tag=none":               "0 layers",
		"mods/net?tag=two":                "2 layers",
		"mods/net?tag=index":              "not an image manifest",
		"mods/net?tag=1&digest=" + digest: "exclude each other",
		"mods/net?tag=":                   "must have one value",
		"mods/net?tag=a&tag=b":            "must have one value",
		"mods/net?ref=1":                  "not supported",
		"mods/net?digest=x":               "not valid",
	} {
		pkg, err := m.Module(t.Context(), "oci://"+r.host()+"/"+source)
		if want != "" {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want %s", source, err, want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		var got bytes.Buffer
		if _, err := newClient().Download(t.Context(), pkg, &got); err != nil || !bytes.Equal(got.Bytes(), zip) {
			t.Errorf("%s: %d bytes, %v", source, got.Len(), err)
		}
	}
	// As in OpenTofu, user information is not used.
	pkg, err := m.Module(t.Context(), "oci://me:secret@"+r.host()+"/mods/net")
	if err != nil || strings.Contains(pkg.Source, "secret") {
		t.Errorf("got %v, %v", pkg, err)
	}
	if _, err := m.Module(t.Context(), "oci://me:secret@"+r.host()+"/mods/none"); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
	if pkg, err = m.Module(t.Context(), "oci://"+r.host()+"/mods/net?tag=wrong"); err != nil {
		t.Fatal(err)
	}
	if _, err := newClient().Download(t.Context(), pkg, io.Discard); !errors.Is(err, addrs.ErrMismatch) {
		t.Errorf("a blob without its digest: %v", err)
	}
}

func digestOf512(b []byte) string { return fmt.Sprintf("sha512:%x", sha512.Sum512(b)) }
