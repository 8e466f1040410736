// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUpToDate checks that the generated files of the module are what the
// generator would write now.
func TestUpToDate(t *testing.T) {
	for _, dir := range []string{"../../planjson", "../../uijson", "../wire/wiretest"} {
		want, err := generate(dir)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, "wire_gen.go"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), want) {
			t.Errorf("%s/wire_gen.go is out of date: run go generate in that folder", dir)
		}
	}
}

// TestRefused checks that what the codec cannot do is found here and not when
// a document is encoded.
func TestRefused(t *testing.T) {
	const head = "package p\n\nimport \"github.com/tofuwire/tofuwire/internal/wire\"\n\n"
	for _, tt := range []struct{ name, decl, err string }{
		{"float", "type T struct { F float64 `json:\"f\"`; src wire.Source }", "T: field F: no operation"},
		{"interface", "type T struct { F any `json:\"f\"`; src wire.Source }", "T: field F: no operation"},
		{"value may be absent", "type T struct { F U `json:\"f,omitempty\"`; src wire.Source }\ntype U struct { G string `json:\"g\"`; src wire.Source }", "cannot be absent"},
		{"odd tag", "type T struct { F string `json:\"f,string\"`; src wire.Source }", "must have one name and a tag"},
		{"no map", "type T struct { F []string `json:\"*\"`; src wire.Source }", "not a map"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(head+tt.decl), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := generate(dir)
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("got %v, want %q", err, tt.err)
			}
		})
	}
}
