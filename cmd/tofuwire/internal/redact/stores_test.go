// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// members returns the files of a compressed archive by their names.
func members(t *testing.T, archive string) map[string]string {
	t.Helper()
	src, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			files[h.Name] = string(text)
		}
	}
}

// TestStores redacts the states that both tools wrote to buckets, with secrets in each that is not
// empty: an output, and arguments that are called sensitive.
func TestStores(t *testing.T) {
	stores, err := filepath.Abs("../../../fleet/testdata/stores")
	if err != nil {
		t.Fatal(err)
	}
	for archive, want := range map[string]int{"s3.tar.gz": 4, "gcs.tar.gz": 4, "gcs-versions.tar.gz": 6, "azurerm.tar.gz": 4} {
		secret := 0
		for name, text := range members(t, filepath.Join(stores, archive)) {
			if strings.Contains(name, "lock") {
				continue
			}
			if strings.Contains(text, "planted-output-s3cr3t") && strings.Count(text, "planted-") == 7 {
				secret++
			}
			status, out, stderr := try(t, nil, text, "statefile")
			if status != 0 || strings.Contains(out, "planted-") || strings.Contains(out, "s3cr3t") || strings.Contains(out, `"(sensitive value)"`) != strings.Contains(text, "planted-") {
				t.Errorf("%s!%s: %d %s\n%s", archive, name, status, stderr, out)
			}
		}
		if secret != want {
			t.Errorf("%s: %d states with secrets, %d are expected", archive, secret, want)
		}
	}
}

// TestBackends redacts the settings that both tools kept of the backends: credentials go, and what
// names a place stays.
func TestBackends(t *testing.T) {
	recorded, err := filepath.Glob("testdata/backend/*.json")
	if err != nil || len(recorded) != 4 {
		t.Fatal(recorded, err)
	}
	texts := make(map[string]string)
	for _, name := range recorded {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(name)] = string(text)
	}
	for name, text := range texts {
		status, out, stderr := try(t, nil, text)
		for _, secret := range []string{"planted", "PLANTED", "127.0.0.1"} {
			if strings.Contains(out, secret) {
				t.Errorf("%s: %s stays", name, secret)
			}
		}
		if lower := strings.ToLower(text); status != 0 || !strings.Contains(lower, "planted") || !strings.Contains(out, `"tfstates"`) || !strings.Contains(out, "infra/net-") {
			t.Errorf("%s: %d %s\n%s", name, status, stderr, out)
		}
	}
}
