// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

const rawState = `{
  "version": 4,
  "terraform_version": "1.11.0",
  "serial": 3,
  "lineage": "6c3d3e2f-0000-0000-0000-000000000000",
  "outputs": {
    "dsn": {"value": "postgres://u:HIDE-1x@h/db", "type": "string", "sensitive": true},
    "user": {"value": "KEEP", "type": "string"}
  },
  "resources": [
    {
      "module": "module.m[\"HIDE-2x/3\"]",
      "mode": "managed", "type": "t", "name": "a",
      "provider": "module.m.provider[\"registry.opentofu.org/hashicorp/p\"]",
      "instances": [
        {
          "index_key": "HIDE-1x!",
          "schema_version": 0,
          "attributes": {"pw": "HIDE-2x/3", "note": "has HIDE-4x?", "list": [{"k": "HIDE-4x?", "n": "KEEP"}, {"k": "HIDE-4x?", "n": "KEEP"}], "word": "KEEP", "tok": "HIDE-schema", "x": "HIDE-1x!"},
          "sensitive_attributes": [[{"type": "get_attr", "value": "pw"}], [{"type": "get_attr", "value": "list"}, {"type": "index", "value": {"value": 1, "type": "number"}}, {"type": "get_attr", "value": "k"}]],
          "private": "SElERS1wcml2YXRl",
          "dependencies": ["t.b"],
          "novel": "HIDE-novel"
        }
      ]
    },
    {
      "mode": "managed", "type": "old", "name": "b",
      "provider": "provider[\"registry.opentofu.org/hashicorp/p\"]",
      "instances": [{"schema_version": 0, "attributes_flat": {"id": "KEEP", "list.#": "2", "x": "HIDE-2x/3"}}]
    }
  ],
  "check_results": [{"object_kind": "check", "config_addr": "check.c", "status": "fail", "objects": [{"object_addr": "check.c", "status": "fail", "failure_messages": ["HIDE-message"]}]}]
}
`

// A state as the tools save it is redacted by its own marks and by schemas, and stays one.
func TestStateFile(t *testing.T) {
	schemas, err := planjson.DecodeSchemas([]byte(`{"provider_schemas":{"registry.opentofu.org/hashicorp/p":{"resource_schemas":{"t":{"version":0,"block":{"attributes":{"tok":{"type":"string","sensitive":true}}}},"old":{"version":0,"block":{}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	src := strings.ReplaceAll(rawState, `"dsn": {"value"`, `"key": {"value": "HIDE-1x!", "type": "string", "sensitive": true}, "dsn": {"value"`)
	src = strings.ReplaceAll(src, "has HIDE-4x?", `has HIDE-4x? and SElERS0yeC8z`)
	f, err := statefile.Decode([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	var places []string
	r := redact.Redactor{Schemas: schemas, Report: func(e redact.Entry) { places = append(places, e.Pointer+" "+e.Why) }}
	n, err := r.StateFile(f)
	if err != nil {
		t.Fatal(err)
	}
	out, err := statefile.Encode(f)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(out), "HIDE") || strings.Contains(string(out), "SElERS") || n < 12 {
		t.Errorf("%d replaced: %s", n, out)
	}
	if got, want := strings.Count(string(out), "KEEP"), strings.Count(src, "KEEP"); got != want {
		t.Errorf("%d of %d public texts are left: %s", got, want, out)
	}
	all := strings.Join(places, "\n")
	for _, want := range []string{"/outputs/dsn/value elsewhere", "/resources/0/instances/0/attributes/pw marked", "/resources/0/instances/0/attributes/tok schema", "/resources/0/instances/0/private closed"} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is not among\n%s", want, all)
		}
	}
	again, err := statefile.Decode(out)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := r.StateFile(again); n != 0 || err != nil {
		t.Errorf("redacted once more, %d are replaced, %v", n, err)
	}
	if n, err := (redact.Redactor{}).StateFile(nil); n != 0 || err != nil {
		t.Errorf("nil: %d, %v", n, err)
	}
}

// A path that fits no part of a value hides the deepest part that it leads to. Values of open
// types are wrapped.
func TestStateFile_unfitPaths(t *testing.T) {
	name := func(n string) string { return `{"type":"get_attr","value":"` + n + `"}` }
	const beyond = `{"type":"index","value":{"value":9,"type":"number"}}`
	for _, path := range [][]string{
		{name("open"), name("secret")},
		{name("open"), name("value"), name("secret")},
		{name("open"), name("secret"), name("below")},
		{name("open"), name("missing")},
		{name("open"), name("type")},
		{name("open"), beyond},
		{name("list"), beyond},
		{name("list"), name("missing")},
		{name("missing")},
	} {
		secret := "open"
		if path[0] == name("list") {
			secret = "list"
		}
		text := strings.Replace(`{"version":4,"terraform_version":"1.11.0","serial":3,"lineage":"l","outputs":{},"resources":[{"mode":"managed","type":"t","name":"a",
"provider":"provider[\"registry.opentofu.org/hashicorp/p\"]","instances":[{"schema_version":0,"attributes":{"list":["s3cr3t/list-1x"],
"open":{"value":{"secret":"s3cr3t/open-1x"},"type":["object",{"secret":"string"}]}},"sensitive_attributes":[[PATH]]}]}],"check_results":null}`, "PATH", strings.Join(path, ","), 1)
		f, err := statefile.Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := (redact.Redactor{}).StateFile(f); err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if out, err := statefile.Encode(f); err != nil || strings.Contains(string(out), "s3cr3t/"+secret) {
			t.Errorf("%s: %s, %v", path, out, err)
		}
	}
}

// A sensitive word that is also the name of a type leaves the types of outputs as they are.
func TestTypeNames(t *testing.T) {
	f, err := statefile.Decode([]byte(`{"version":4,"terraform_version":"1.11.0","serial":3,"lineage":"6c3d3e2f-0000-0000-0000-000000000000",
"outputs":{"kind":{"value":"string","type":"string"},"all":{"value":{"kind":"string","of":["x"]},"type":["object",{"kind":"string","of":["list","string"]}]}},
"resources":[{"mode":"managed","type":"t","name":"a","provider":"provider[\"registry.opentofu.org/hashicorp/p\"]",
"instances":[{"schema_version":0,"attributes":{"kind":"string","of":"list"},"sensitive_attributes":[[{"type":"get_attr","value":"kind"}],[{"type":"get_attr","value":"of"}]]}]}],"check_results":null}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (redact.Redactor{}).StateFile(f); err != nil {
		t.Fatal(err)
	}
	out, err := statefile.Encode(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`"kind":{"value":"(sensitive value)","type":"string"}`,
		`{"value":{"kind":"(sensitive value)","of":["x"]},"type":["object",{"kind":"string","of":["list","string"]}]}`,
		`"attributes":{"kind":"(sensitive value)","of":"(sensitive value)"}`,
	} {
		if !strings.Contains(string(out), part) {
			t.Errorf("%s is not in\n%s", part, out)
		}
	}
}
