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
	schemas, err := planjson.DecodeSchemas([]byte(`{"provider_schemas":{"registry.opentofu.org/hashicorp/p":{"resource_schemas":{"t":{"version":0,"block":{"attributes":{"tok":{"type":"string","sensitive":true}}}}}}}}`))
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
