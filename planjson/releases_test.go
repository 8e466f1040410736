// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	archive "github.com/tofuwire/tofuwire/internal/testing/recordings"
	"github.com/tofuwire/tofuwire/planjson"
)

// documentKinds has, for the kinds of recordings, what decodeAs calls them.
var documentKinds = map[string]string{
	"plan": "plan", "state": "state", "config": "config", "schemas": "schemas", "functions": "functions", "validate": "validate",
	"version": "version", "output": "outputs", "modules": "modules", "workspaces": "workspaces", "state-show": "stateshow",
	"renderer-plan": "renderer", "renderer-state": "rendererstate",
}

// A releaseDocument is a document that a release has printed.
type releaseDocument struct {
	recording
	tool planjson.Release
}

// releaseDocuments returns the documents of all releases, those in messages of
// test runs too.
func releaseDocuments(t *testing.T) []releaseDocument {
	t.Helper()
	releases, err := archive.Releases()
	if err != nil {
		t.Fatal(err)
	}
	var found []releaseDocument
	for _, r := range releases {
		number, _, _ := strings.Cut(r.Version, "-") // documents name the version so
		tool := planjson.Release{Tool: addrs.Tool(r.Tool), Version: addrs.MustParseVersion(number)}
		add := func(name, kind string, text []byte) {
			if kind, ok := documentKinds[kind]; ok {
				found = append(found, releaseDocument{recording{r.String() + "/" + name, text, kind}, tool})
			}
		}
		for f, err := range r.Files() {
			if err != nil {
				t.Fatal(err)
			}
			add(f.Name, f.Kind, f.Text)
			if f.Kind != "ui" || !bytes.Contains(f.Text, []byte(`"test_`)) {
				continue
			}
			for line := range bytes.Lines(f.Text) {
				var m struct {
					Plan  json.RawMessage `json:"test_plan"`
					State json.RawMessage `json:"test_state"`
				}
				if json.Unmarshal(line, &m) != nil {
					continue
				}
				plan, state := "plan", "state"
				if tool.Tool == addrs.Terraform {
					plan, state = "renderer-plan", "renderer-state"
				}
				if m.Plan != nil {
					add(f.Name, plan, append(m.Plan, '\n'))
				}
				if m.State != nil {
					add(f.Name, state, append(m.State, '\n'))
				}
			}
		}
	}
	if len(found) < 1000 {
		t.Fatalf("only %d documents", len(found))
	}
	return found
}

// Every document of every release comes out as it went in, has no member
// without a field, and is canonical: as it is, laid out otherwise, with its
// members sorted, and for its tool by name.
func TestReleases(t *testing.T) {
	kinds := make(map[string]int)
	for i, r := range releaseDocuments(t) {
		doc, err := decodeAs(r.kind, bytes.Clone(r.text))
		if err != nil {
			t.Errorf("%s: %v", r.name, err)
			continue
		}
		kinds[r.kind]++
		if out, err := doc.encode(); err != nil || !bytes.Equal(out, r.text) {
			t.Errorf("%s: not identical, with %v", r.name, err)
		}
		for at, v := range doc.extras {
			t.Errorf("%s: no field for %s: %s", r.name, at, v)
		}
		out, err := doc.canonical()
		sameText(t, r.name+" canonical", out, r.text, err)
		out, err = doc.canonicalFor(r.tool)
		sameText(t, r.name+" for its tool", out, r.text, err)
		if i%depth.Of(16, 1, 1) > 0 {
			continue
		}
		for what, text := range map[string][]byte{"indented": indented(t, r.text), "sorted": sorted(t, r.text)} {
			doc, err := decodeAs(r.kind, text)
			if err != nil {
				t.Errorf("%s %s: %v", r.name, what, err)
				continue
			}
			out, err := doc.canonical()
			sameText(t, r.name+" "+what, out, r.text, err)
		}
	}
	for _, kind := range documentKinds {
		if kinds[kind] == 0 {
			t.Errorf("no document of the kind %s", kind)
		}
	}
	t.Log(kinds)
}

// sameText shows where two texts begin to differ.
func sameText(t *testing.T, name string, got, want []byte, err error) {
	t.Helper()
	if err != nil || !bytes.Equal(got, want) {
		i := 0
		for i < min(len(got), len(want)) && got[i] == want[i] {
			i++
		}
		t.Errorf("%s: %v; at %d\n%.120q\nwant\n%.120q", name, err, i, got[max(0, i-40):], want[max(0, i-40):])
	}
}

func indented(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "\t"); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func sorted(t *testing.T, text []byte) []byte {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	out, err2 := json.Marshal(v)
	if err = errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	return out
}

// What a caller makes is written as OpenTofu does, or as another tool.
func TestCanonicalOfNew(t *testing.T) {
	version := uint64(0)
	s := &planjson.State{FormatVersion: "1.0", TerraformVersion: "1.12.6", Values: &planjson.Values{RootModule: planjson.Module{Resources: []*planjson.Resource{{
		Address: "a.b", Mode: "managed", Type: "a", Name: "b", ProviderName: "registry.terraform.io/x/y",
		Identity: planjson.Value(`{"id":"1"}`), IdentitySchemaVersion: &version,
	}}}}}
	plan := &planjson.Plan{FormatVersion: "1.2", TerraformVersion: "1.5.7"}
	schemas := &planjson.Schemas{FormatVersion: "1.0", ProviderSchemas: map[string]*planjson.ProviderSchema{"terraform.io/builtin/terraform": {
		Functions: map[string]*planjson.ProviderFunction{"f": {ReturnType: planjson.Value(`"string"`), Parameters: []*planjson.ProviderFunctionParameter{{Type: planjson.Value(`"string"`), IsNullable: true}}}},
	}}}
	tofu, terraform := planjson.Release{}, planjson.Release{Tool: addrs.Terraform}
	old := planjson.Release{Tool: addrs.Terraform, Version: addrs.MustParseVersion("1.5.7")}
	for _, tt := range []struct {
		name     string
		do       func(planjson.Release) ([]byte, error)
		tool     planjson.Release
		has, not string
	}{
		{"state", wrapped(s).canonicalFor, tofu, `"identity":{"id":"1"},"identity_schema_version":0}`, ""},
		{"state", wrapped(s).canonicalFor, terraform, `"identity_schema_version":0,"identity":{"id":"1"}}`, ""},
		{"plan", wrapped(plan).canonicalFor, tofu, `"errored":false`, ""},
		{"plan", wrapped(plan).canonicalFor, terraform, `"errored":false`, ""},
		{"plan", wrapped(plan).canonicalFor, old, `"terraform_version":"1.5.7"`, "errored"},
		{"schemas", wrapped(schemas).canonicalFor, tofu, `{"provider":{"version":0},"functions":{"f":{"description":"","summary":"","return_type":"string","parameters":[{"name":"","description":"","type":"string","is_nullable":true}]}}}`, ""},
		{"schemas", wrapped(schemas).canonicalFor, terraform, `{"provider":{"version":0},"functions":{"f":{"return_type":"string","parameters":[{"is_nullable":true,"type":"string"}]}}}`, ""},
		{"schemas", wrapped(schemas).canonicalFor, old, `{"functions":`, `"provider":`},
		{"modules", wrapped(&planjson.Modules{FormatVersion: "1.0"}).canonicalFor, terraform, `"modules":null`, ""},
	} {
		out, err := tt.do(tt.tool)
		if err != nil || !strings.Contains(string(out), tt.has) || tt.not != "" && strings.Contains(string(out), tt.not) {
			t.Errorf("%s for %v: %v\n%s\nlacks %s, or has %s", tt.name, tt.tool, err, out, tt.has, tt.not)
		}
	}
	// Without a source, only the document's own members tell the tool.
	if out, err := planjson.Canonical(&planjson.State{FormatVersion: "1.0"}); err != nil || string(out) != "{\"format_version\":\"1.0\"}\n" {
		t.Errorf("%s, %v", out, err)
	}
	if _, err := planjson.CanonicalFor[*planjson.Plan](nil, tofu); !errors.Is(err, planjson.ErrAbsent) {
		t.Errorf("a nil plan: %v", err)
	}
}

func wrapped[D planjson.Document](doc D) document {
	d, _ := wrap(doc, nil)
	return d
}
