// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// environment returns what the tests of a port find in their environment, and a
// function that ends it.
func (r *runner) environment(ctx context.Context, p port) (variables []string, stop func(), err error) {
	stop = func() {}
	if p.terraform && r.terraform != "" {
		variables = append(variables, "TF_ACC_TERRAFORM_PATH="+r.terraform, "TF_ACC=1")
		if r.plugins != "" {
			file := filepath.Join(r.work, "cli.tfrc")
			text := fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", r.plugins)
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				return nil, nil, err
			}
			variables = append(variables, "TF_CLI_CONFIG_FILE="+file)
		}
	}
	if p.github != "" {
		dir, err := r.source(ctx, p.github, p.githubVersion)
		if err != nil {
			return nil, nil, err
		}
		var more []string
		path := strings.TrimPrefix(p.github, "github.com") + "/" + p.githubVersion + "/"
		if more, stop, err = raw(path, dir, filepath.Join(r.work, "certificate.pem")); err != nil {
			return nil, nil, err
		}
		variables = append(variables, more...)
	}
	return variables, stop, nil
}

// rawHost is the host that serves the files of repositories on GitHub.
const rawHost = "raw.githubusercontent.com"

// raw serves a folder below a path of rawHost. It returns the variables with which
// a Go program on Linux goes there: a proxy on loopback, which leads to all other
// hosts as usual, and a certificate.
func raw(path, dir, file string) (variables []string, stop func(), err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		DNSNames: []string{rawHost}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, nil, err
	}
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644); err != nil {
		return nil, nil, err
	}
	files := httptest.NewUnstartedServer(http.StripPrefix(path, http.FileServer(http.Dir(dir))))
	files.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	files.StartTLS()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.Method != http.MethodConnect {
			http.Error(w, "CONNECT only", http.StatusMethodNotAllowed)
			return
		}
		address := q.Host
		if address == rawHost+":443" {
			address = files.Listener.Addr().String()
		}
		to, err := net.Dial("tcp", address)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer to.Close()
		from, early, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer from.Close()
		// Only after this answer does the client go on, on the connection itself.
		if _, err := io.WriteString(from, "HTTP/1.1 200 OK\r\n\r\n"); err != nil {
			return
		}
		go io.Copy(to, early)
		io.Copy(from, to)
	}))
	return []string{"HTTPS_PROXY=" + proxy.URL, "SSL_CERT_FILE=" + file}, func() { proxy.Close(); files.Close() }, nil
}
