// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registrytest_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// writeCertificate writes a certificate of its own signature, and its key.
func writeCertificate(t *testing.T) (cert, key string) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	tmpl := &x509.Certificate{SerialNumber: big.NewInt(7), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, &k.PublicKey, k)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for name, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: keyDER}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// A server listens at the given address, uses the certificate of a file, and accepts
// requests with a token.
func TestNewServer_options(t *testing.T) {
	cert, key := writeCertificate(t)
	module, err := registrytest.ZipFS(fstest.MapFS{"main.tf": {Data: []byte("# here\n")}, "sub/x.tf": {Data: []byte("# below\n")}})
	if err != nil {
		t.Fatal(err)
	}
	s := registrytest.Start(t, registrytest.Content{
		Address: "127.0.0.1:0", CertFile: cert, KeyFile: key, Tokens: []string{"secret"},
		Providers: []registrytest.Provider{{Namespace: "acme", Type: "null", Versions: []registrytest.Version{{Version: "1.0.0"}}}},
		Modules: []registrytest.Module{
			{Namespace: "acme", Name: "net", System: "zip", Versions: []string{"1.0.0"}, Archive: func(string) []byte { return module }},
			{Namespace: "acme", Name: "net", System: "tar", Versions: []string{"1.0.0"}, Archive: func(v string) []byte { return []byte("tar of " + v) }},
		},
	})
	pool := x509.NewCertPool()
	pem, err := os.ReadFile(cert)
	if err != nil || !pool.AppendCertsFromPEM(pem) || string(s.CertificatePEM()) != string(pem) {
		t.Fatal("no certificate", err)
	}
	// A plain client, as one of another machine.
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
	null := addrs.MustParseProvider(s.Host() + "/acme/null")
	for token, want := range map[string]error{"": registry.ErrUnauthorized, "wrong": registry.ErrUnauthorized, "secret": nil} {
		c := &registry.Client{HTTP: client, Credentials: registry.Tokens{s.Host(): token}}
		if _, err := c.Versions(t.Context(), null); !errors.Is(err, want) {
			t.Errorf("token %q: got %v, want %v", token, err, want)
		}
		mod := registry.Module{Host: s.Host(), Namespace: "acme", Name: "net", System: "zip"}
		if _, err := c.ModuleLocation(t.Context(), mod, addrs.MustParseVersion("1.0.0")); !errors.Is(err, want) {
			t.Errorf("token %q: got %v, want %v", token, err, want)
		}
	}
	for path, want := range map[string]string{"zip/1.0.0.zip": string(module), "tar/1.0.0.tar.gz": "tar of 1.0.0"} {
		resp, err := client.Get("https://" + s.Host() + "/archive/acme/net/" + path)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || string(b) != want {
			t.Errorf("%s: got %d bytes, %v", path, len(b), err)
		}
	}
	if _, err := registrytest.NewServer(registrytest.Content{Address: s.Host()}); err == nil {
		t.Error("two servers at one address")
	}
	if _, err := registrytest.NewServer(registrytest.Content{CertFile: "missing", KeyFile: key}); err == nil {
		t.Error("a certificate that is not there")
	}
}

// A real tofu installs a module and a provider from a server: a zip and a tar with
// gzip, of the registry and from below it.
func TestServer_tofu(t *testing.T) {
	tofu := depth.Tool(t, "tofu")
	var tgz bytes.Buffer
	zw := gzip.NewWriter(&tgz)
	tw := tar.NewWriter(zw)
	text := "# tar\n"
	if err := errors.Join(tw.WriteHeader(&tar.Header{Name: "main.tf", Mode: 0o644, Size: int64(len(text))}), second(tw.Write([]byte(text))), tw.Close(), zw.Close()); err != nil {
		t.Fatal(err)
	}
	archive, err := registrytest.ZipFS(fstest.MapFS{"main.tf": {Data: []byte("# zip\n")}, "sub/below.tf": {Data: []byte("# below\n")}})
	if err != nil {
		t.Fatal(err)
	}
	s := registrytest.Start(t, registrytest.Content{Modules: []registrytest.Module{
		{Namespace: "acme", Name: "net", System: "zip", Versions: []string{"1.0.0", "1.2.0", "2.0.0"}, Archive: func(string) []byte { return archive }},
		{Namespace: "acme", Name: "net", System: "tar", Versions: []string{"1.0.0"}, JSON: true, Archive: func(string) []byte { return tgz.Bytes() }},
	}})
	dir := t.TempDir()
	main := strings.ReplaceAll(`
module "zip" {
  source  = "HOST/acme/net/zip"
  version = "~> 1.0"
}
module "sub" {
  source  = "HOST/acme/net/zip//sub"
  version = "2.0.0"
}
module "tar" {
  source  = "HOST/acme/net/tar"
}
`, "HOST", s.Host())
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "main.tf"), []byte(main), 0o644), os.WriteFile(filepath.Join(dir, "ca.pem"), s.CertificatePEM(), 0o644)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(tofu, "init", "-no-color", "-backend=false")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+filepath.Join(dir, "ca.pem"), "HOME="+dir, "TF_CLI_CONFIG_FILE="+os.DevNull, "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, want := range map[string]string{"zip/main.tf": "# zip\n", "sub/sub/below.tf": "# below\n", "tar/main.tf": "# tar\n"} {
		got, err := os.ReadFile(filepath.Join(dir, ".terraform", "modules", filepath.FromSlash(name)))
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	manifest, err := os.ReadFile(filepath.Join(dir, ".terraform", "modules", "modules.json"))
	if err != nil || !strings.Contains(string(manifest), `"Version":"1.2.0"`) || !strings.Contains(string(manifest), `"Version":"2.0.0"`) {
		t.Errorf("%s, %v", manifest, err)
	}
}

func second[T any](_ T, err error) error { return err }
