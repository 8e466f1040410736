// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadSchemas reads schemas as pipelines keep them.
func TestReadSchemas(t *testing.T) {
	const schemas = `{"format_version":"1.0","provider_schemas":{"registry.opentofu.org/acme/lab":{}}}`
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	io.WriteString(z, "log\n"+schemas+"\n")
	z.Close()
	for _, text := range []string{schemas, "log\n" + schemas + "\nlog\n", packed.String()} {
		name := filepath.Join(t.TempDir(), "schemas")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := readSchemas([]string{name})
		if err != nil || len(s.ProviderSchemas) != 1 {
			t.Errorf("%q: %v, %v", text, s, err)
		}
	}
	for _, text := range []string{"", "log", packed.String()[:packed.Len()/2], strings.Replace(schemas, "1.0", "2.0", 1)} {
		if _, err := decodeSchemas([]byte(text)); err == nil {
			t.Errorf("%q has schemas", text)
		}
	}
}
