// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/checksum"
	"github.com/tofuwire/tofuwire/registry"
)

// Verify verifies all packages of the mirror again by the rules of the policy, with
// the kept documents of their registries. It sends no request. A package is Unproven
// if it has no such documents, or if its zip is not that of its registry; this is an
// error only if the policy requires a signature. A package without the hash that the
// mirror states, or with a bad signature, is always an error.
//
// The keys are those that the registry published. Anyone who can change the mirror
// can also change them; Policy.Keys protects against that.
func (m *Mirror) Verify(ctx context.Context, policy registry.Policy) ([]MirroredPackage, error) {
	release, err := m.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	client := &registry.Client{Policy: policy, HTTP: &http.Client{Transport: fileTransport(m.Dir)}}
	docs := newMirrorDocs(m.Dir)
	var out []MirroredPackage
	var problems []error
	for _, p := range m.providers() {
		names, err := os.ReadDir(m.dir(p))
		if err != nil {
			return nil, err
		}
		for _, n := range names {
			v, platform, ok := parseMirrorName(n.Name(), p.Type())
			if !ok || !platform.IsValid() || isLeftover(n.Name()) {
				continue
			}
			file := filepath.Join(m.dir(p), n.Name())
			got := MirroredPackage{Provider: p, Version: v, Platform: platform, File: file, Size: sizeOf(file)}
			if got.Result, err = m.verify(ctx, client, docs.hashes(p, v, platform), got); err != nil {
				problems = append(problems, fmt.Errorf("provider %s %s for %s: %w", p.ForDisplay(), v, platform, err))
				continue
			}
			got.Note = got.Result.Describe()
			out = append(out, got)
		}
	}
	return out, errors.Join(problems...)
}

// verify verifies one package.
func (m *Mirror) verify(ctx context.Context, client *registry.Client, stated []addrs.Hash, p MirroredPackage) (*registry.Result, error) {
	sum, err := checksum.HashZip(ctx, p.File)
	if err != nil {
		return nil, err
	}
	pkg := &registry.Package{Provider: p.Provider, Version: p.Version, Platform: p.Platform, Origin: registry.FromFilesystem, Source: m.Dir, Path: p.File, Filename: filepath.Base(p.File), Hashes: stated}
	plain, err := client.Authenticate(ctx, pkg)
	var result *registry.Result
	if err == nil {
		result, err = plain.Check(sum.Computed()...)
	}
	if err != nil && !errors.Is(err, registry.ErrUnsigned) {
		return nil, err
	}
	name := proofName(p.Provider, p.Version)
	dir := m.dir(p.Provider)
	sums, sumsErr := os.ReadFile(filepath.Join(dir, name))
	keys, keysErr := os.ReadFile(filepath.Join(dir, name+".asc"))
	zip := zhDigits(sum.Computed())
	if sumsErr != nil || keysErr != nil || !bytes.Contains(sums, []byte(zip)) {
		return result, err // the error says that there is no signature, if the policy requires one
	}
	signed := *pkg
	signed.Origin, signed.SHA256 = registry.FromRegistry, zip
	for key := range strings.SplitAfterSeq(string(keys), "-----END PGP PUBLIC KEY BLOCK-----") {
		if strings.TrimSpace(key) != "" {
			signed.SigningKeys = append(signed.SigningKeys, registry.SigningKey{ASCIIArmor: strings.TrimSpace(key)})
		}
	}
	at := &url.URL{Scheme: "https", Host: "mirror.invalid", Path: path.Join("/", p.Provider.Host(), p.Provider.Namespace(), p.Provider.Type(), name)}
	sig := *at
	sig.Path += ".sig"
	signed.ChecksumsURL, signed.SignatureURL = at, &sig
	auth, err := client.Authenticate(ctx, &signed)
	if err != nil {
		return nil, err
	}
	return auth.Check(sum.Computed()...)
}

// zhDigits returns the SHA-256 of a zip.
func zhDigits(hashes []addrs.Hash) string {
	for _, h := range hashes {
		if digits, ok := strings.CutPrefix(string(h), "zh:"); ok {
			if _, err := hex.DecodeString(digits); err == nil {
				return digits
			}
		}
	}
	return "no zip"
}

// A fileTransport answers requests with the files below a directory.
type fileTransport string

func (t fileTransport) RoundTrip(q *http.Request) (*http.Response, error) {
	resp := &http.Response{StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Request: q, Body: http.NoBody}
	name := filepath.FromSlash(strings.TrimPrefix(q.URL.Path, "/"))
	if !filepath.IsLocal(name) {
		resp.StatusCode = http.StatusNotFound
		return resp, nil
	}
	b, err := os.ReadFile(filepath.Join(string(t), name))
	if err != nil {
		resp.StatusCode = http.StatusNotFound
		return resp, nil
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(b)), int64(len(b))
	return resp, nil
}
