// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestUpToDate checks that the generated files of the module are what the
// generator would write now.
func TestUpToDate(t *testing.T) {
	for _, dir := range []string{"../../planjson", "../../planjson/statefile", "../../uijson", "../../internal/testing/wiretest"} {
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
		{"map to strings and more", "type T struct { F map[string][]string `json:\"f\"`; src wire.Source }", "T: field F: not a map from strings to pointers to objects"},
		{"map by number", "type T struct { F map[int]*T `json:\"f\"`; src wire.Source }", "T: field F: not a map from strings to pointers to objects"},
		{"list of values", "type T struct { F []T `json:\"f\"`; src wire.Source }", "T: field F: no operation"},
		{"cycle of names", "type A B\ntype B A\ntype T struct { F A `json:\"f\"`; src wire.Source }", "T: field F: no operation"},
		{"no Go", "type T struct {", "expected"},
		{"no map", "type T struct { F []string `json:\"*\"`; src wire.Source }", "not a map"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(head+tt.decl), 0o644); err != nil {
				t.Fatal(err)
			}
			err := run(dir)
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("got %v, want %q", err, tt.err)
			}
			if _, err := os.Stat(filepath.Join(dir, "wire_gen.go")); err == nil {
				t.Error("a file was written all the same")
			}
		})
	}
	if err := run(t.TempDir()); err == nil || !strings.Contains(err.Error(), "no Go files") {
		t.Errorf("an empty folder: %v", err)
	}
}

// TestWriteTwice writes the functions of a package twice: the second time there is
// nothing to do, and the file keeps its time for the sake of build caches.
func TestWriteTwice(t *testing.T) {
	dir := t.TempDir()
	const decl = "package p\n\n" +
		"import \"github.com/tofuwire/tofuwire/internal/wire\"\n\n" +
		"type HTTPThing struct {\n\tName string `json:\"name\"`\n\tsrc wire.Source\n}\n\n" +
		"// Own is a type.\n//\n//wire:own\ntype Own struct {\n\tName string `json:\"name\"`\n\tOther int\n\tsrc wire.Source\n}\n\n" +
		"type All struct {\n\tEntries map[string]*HTTPThing `json:\"*\"`\n\tsrc wire.Source\n}\n\n" +
		"type OneOf struct {\n\tText string\n\tsrc wire.Source\n}\n\n" +
		"type Plain struct{}\n"
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(decl), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := run(dir); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "wire_gen.go")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"package p\n", "DO NOT EDIT.", "var httpThingTable = &wire.Table{Of: new(httpThingObject)}\n", "error { return unmarshal(text, v) }\n",
		"func (*HTTPThing) wire() wire.Type { return httpThingTable }\n", "Members: \"name!\"}\n", "&wire.Table{Of: new(ownObject)}\n\ntype ownFields struct{}\n", "wire.Members[*HTTPThing](httpThingTable)", "func (*OneOf) wire() wire.Type { return oneOfUnion }\n"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the file has no %q:\n%s", want, text)
		}
	}
	if bytes.Contains(text, []byte("type ownObject struct")) {
		t.Error("the description of a type that has its own is in the file")
	}
	if bytes.Contains(text, []byte("Plain")) {
		t.Error("a type that takes no part is in the file")
	}
	old := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := os.Chtimes(name, old, old); err != nil {
		t.Fatal(err)
	}
	if err := run(dir); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err != nil || !info.ModTime().Equal(old) {
		t.Errorf("a file that is up to date was written again: %v, %v", info.ModTime(), err)
	}
}
