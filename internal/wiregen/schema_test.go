// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// writtenByHand has the schemas of documents that no codec writes.
var writtenByHand = []string{"report.schema.json"} // see planjson/plandiff/document.go

// TestSchemasUpToDate checks that the files of docs/schemas are what the generator would
// write now, and that no other schema is there.
func TestSchemasUpToDate(t *testing.T) {
	files, err := makeSchemas("../..")
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob("../../docs/schemas/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if base := filepath.Base(name); files[base] == nil && !slices.Contains(writtenByHand, base) {
			t.Errorf("no generator writes %s", name)
		}
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("../../docs/schemas", name))
		if err != nil {
			t.Error(err)
			continue
		}
		plain := func(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }
		if !bytes.Equal(plain(got), plain(want)) {
			t.Errorf("%s is out of date: run go generate ./internal/wiregen", name)
		}
	}
}

// TestSchemasDescribe checks that schemas say what their properties are in words, and that
// the words are not those of Go.
func TestSchemasDescribe(t *testing.T) {
	files, err := makeSchemas("../..")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if name == "README.md" {
			continue
		}
		var schema map[string]any
		if err := json.Unmarshal(text, &schema); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all, described := 0, 0
		var walk func(v any, at string)
		walk = func(v any, at string) {
			switch v := v.(type) {
			case map[string]any:
				properties, _ := v["properties"].(map[string]any)
				if v["type"] == "object" {
					for member, p := range properties {
						p, _ := p.(map[string]any)
						all++
						about, _ := p["description"].(string)
						if title, _ := p["title"].(string); title != "" && about != "" {
							described++
						}
						for _, bad := range []string{"nil", "goroutine", "encoding/json", "Decode", "[]", "..", "](", "\n"} {
							if strings.Contains(" "+about+" ", " "+bad+" ") || len(bad) == 2 && strings.Contains(about, bad) {
								t.Errorf("%s%s/%s: %q is in %q", name, at, member, bad, about)
							}
						}
					}
				}
				for member, child := range v {
					walk(child, at+"/"+member)
				}
			case []any:
				for _, child := range v {
					walk(child, at)
				}
			}
		}
		walk(schema, "")
		if all == 0 && name != "output.schema.json" || described*100 < all*90 {
			t.Errorf("%s: %d of %d properties have a title and a description", name, described, all)
		}
	}
}
