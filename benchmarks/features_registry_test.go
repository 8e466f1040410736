// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	goversion "github.com/hashicorp/go-version"
	"github.com/hashicorp/hc-install/product"
	"github.com/hashicorp/hc-install/releases"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
)

const signingKeys = "../registry/testdata/keys"

// signatureFeatures try signatures by keys of other programs, with what Terraform 1.11.4 did
// with a provider signed by each. hc-install is asked to install Terraform, signed by that key.
var signatureFeatures = []feature{{
	what: "a signature that Terraform 1.11.4 cannot verify is refused, or there is a warning",
	cases: []featureCase{
		refusedKey("bouncycastle-no-flags", true),
		refusedKey("edit-last-bit", true),
		refusedKey("edit-userid", true),
		refusedKey("gocrypto-v6-ed25519", false),
		refusedKey("gocrypto-v6-mldsa65", false),
		refusedKey("gpg-future", true),
		refusedKey("gpg-md5", true),
		refusedKey("gpg-revoked", true),
		refusedKey("gpg1-version3", true),
		refusedKey("openpgpjs-v4-ed25519", false),
		refusedKey("openpgpjs-v6-rsa", false),
		refusedKey("pgpainless-no-userid", true),
	},
	note: "not if the algorithm or the version of the key is newer",
	controls: []featureCase{
		acceptedKey("bouncycastle-rsa2048"),
		acceptedKey("gpg-ed25519"),
		acceptedKey("sq-rsa3k"),
	},
}}

// refusedKey is the case of a key whose signature Terraform refuses: the feature is to refuse it or to warn.
func refusedKey(name string, peer bool) featureCase {
	return featureCase{
		name: name,
		ours: func(t *testing.T) bool {
			refused, warned := checkWithClient(t, name)
			return refused || warned
		},
		peer:    func(t *testing.T) bool { return checkWithInstaller(t, name) },
		oursHas: true,
		peerHas: peer,
	}
}

// acceptedKey is the case of a key whose signature Terraform accepts.
func acceptedKey(name string) featureCase {
	return featureCase{
		name: name,
		ours: func(t *testing.T) bool {
			refused, warned := checkWithClient(t, name)
			return !refused && !warned
		},
		peer:    func(t *testing.T) bool { return !checkWithInstaller(t, name) },
		oursHas: true,
		peerHas: true,
	}
}

// checkWithClient reports whether our client refuses the signature by a key, or warns about it.
func checkWithClient(t *testing.T, key string) (refused, warned bool) {
	server := signedRelease(t, key)
	at := func(file string) *url.URL {
		u, err := url.Parse(server.URL + "/" + file)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	client := registry.Client{HTTP: server.Client(), Policy: registry.Policy{Tool: addrs.Terraform}}
	sum, _, _ := strings.Cut(signingKeyFile(t, "SHA256SUMS"), " ")
	found, err := client.Authenticate(t.Context(), &registry.Package{
		Provider:     addrs.MustParseProvider("acme/null"),
		Version:      addrs.MustParseVersion("1.0.0"),
		Platform:     addrs.MustParsePlatform("linux_amd64"),
		Filename:     "terraform-provider-null_1.0.0_linux_amd64.zip",
		SHA256:       sum,
		ChecksumsURL: at("SHA256SUMS"),
		SignatureURL: at("SHA256SUMS.sig"),
		SigningKeys:  []registry.SigningKey{{ASCIIArmor: signingKeyFile(t, key+".asc")}},
	})
	return err != nil, err == nil && len(found.Warnings) > 0
}

// checkWithInstaller reports whether hc-install refuses the signature by a key. If it accepts it, it
// goes on and does not find its package in the list.
func checkWithInstaller(t *testing.T, key string) (refused bool) {
	server := signedRelease(t, key)
	install := &releases.ExactVersion{
		Product:          product.Terraform,
		Version:          goversion.Must(goversion.NewVersion("1.0.0")),
		InstallDir:       t.TempDir(),
		ArmoredPublicKey: signingKeyFile(t, key+".asc"),
		ApiBaseURL:       server.URL,
		HTTPClient:       server.Client(),
	}
	_, err := install.Install(t.Context())
	if err == nil {
		t.Fatal("a package was installed from a list that does not have it")
	}
	return !strings.Contains(err.Error(), "no checksum found")
}

// signedRelease serves the list of checksums, its signature by a key, and the index that hc-install reads.
func signedRelease(t *testing.T, key string) *httptest.Server {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path.Base(r.URL.Path) {
		case "index.json":
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"name": "terraform", "version": "1.0.0", "shasums": "SHA256SUMS", "shasums_signature": "terraform_SHA256SUMS.sig", "builds": [`)
			for i, p := range []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64"} {
				system, processor, _ := strings.Cut(p, "/")
				fmt.Fprintf(w, `%s{"os": %q, "arch": %q, "filename": "terraform.zip", "url": "terraform.zip"}`, strings.Repeat(",", min(i, 1)), system, processor)
			}
			fmt.Fprint(w, `]}`)
		case "SHA256SUMS":
			fmt.Fprint(w, signingKeyFile(t, "SHA256SUMS"))
		case "SHA256SUMS.sig", "terraform_SHA256SUMS.sig":
			fmt.Fprint(w, signingKeyFile(t, key+".sig"))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server
}

func signingKeyFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(signingKeys, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
