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

// TestSchemasUpToDate checks that the files of docs/schemas are what the generator would
// write now, and that no other schema is there.
func TestSchemasUpToDate(t *testing.T) {
	files, err := makeSchemas("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"", "types/"} {
		names, err := filepath.Glob("../../docs/schemas/" + dir + "*.json")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if files[dir+filepath.Base(name)] == nil {
				t.Errorf("no generator writes %s", name)
			}
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
			t.Errorf("%s is out of date: run go generate -C tools ./wiregen", name)
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
		titled := !strings.HasPrefix(name, "types/") // the plain profile has titles of types only
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
						if title, _ := p["title"].(string); (title != "" || !titled) && about != "" {
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
		if all == 0 && !strings.HasSuffix(name, "output.schema.json") || described*100 < all*90 {
			t.Errorf("%s: %d of %d properties have a title and a description", name, described, all)
		}
	}
}

// TestPlain checks that the plain profile has nothing that generators of types stumble over, and that
// nothing in either profile differs in case and punctuation alone.
func TestPlain(t *testing.T) {
	files, err := makeSchemas("../..")
	if err != nil {
		t.Fatal(err)
	}
	plain := 0
	for name, text := range files {
		if name == "README.md" {
			continue
		}
		isPlain := strings.HasPrefix(name, "types/")
		titles := map[string]bool{}
		tree, err := readTree(text)
		if err != nil {
			t.Fatal(err)
		}
		var walk func(n node, at string)
		walk = func(n node, at string) {
			if title, ok := n.get("title").(string); ok && titles[sameWord(title)] {
				t.Errorf("%s%s: a second type has the title %q", name, at, title)
			} else if ok {
				titles[sameWord(title)] = true
			}
			for _, e := range n {
				switch v := e.value.(type) {
				case node:
					names := map[string]bool{}
					for _, p := range v {
						if inner, ok := p.value.(node); ok && (e.name == "properties" || e.name == "$defs") {
							if e.name == "$defs" && names[sameWord(p.name)] || isPlain && p.name == "//" {
								t.Errorf("%s%s/%s: %q is no name for a type or a member", name, at, e.name, p.name)
							}
							names[sameWord(p.name)] = true
							walk(inner, at+"/"+p.name)
						}
					}
					if e.name != "properties" && e.name != "$defs" {
						walk(v, at+"/"+e.name)
					}
				case []any:
					for _, v := range v {
						if inner, ok := v.(node); ok {
							walk(inner, at+"/"+e.name)
						} else if _, ok := v.([]any); ok && e.name == "enum" {
							t.Errorf("%s%s: a list in enum", name, at)
						}
					}
				}
				if isPlain && slices.Contains([]string{"if", "then", "not", "allOf", "oneOf", "prefixItems", "patternProperties", "propertyNames", "const"}, e.name) {
					t.Errorf("%s%s has %s", name, at, e.name)
				}
				if list, ok := e.value.([]any); ok && isPlain && e.name == "anyOf" && (len(list) != 1 || len(list[0].(node)) != 0) {
					t.Errorf("%s%s: a choice", name, at)
				}
			}
		}
		walk(tree.(node), "")
		if isPlain {
			plain++
		}
	}
	if plain != len(schemaFiles) {
		t.Errorf("%d plain schemas of %d", plain, len(schemaFiles))
	}
}
