// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// old returns a recording of Terraform before 1.0.
func old(t *testing.T, name string) []byte {
	t.Helper()
	src, err := os.ReadFile("../statefile/testdata/old/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// schemasOf returns the schemas of the recordings, of a provider that is named so.
func schemasOf(t *testing.T, provider string) *planjson.Schemas {
	t.Helper()
	s, err := planjson.DecodeSchemas(bytes.ReplaceAll(old(t, "schemas.json"), []byte("registry.terraform.io/acme/lab"), []byte(provider)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// redactOld redacts a state or a plan, and returns it with the report.
func redactOld(t *testing.T, name string, r redact.Redactor) (out string, report []redact.Entry, err error) {
	t.Helper()
	r.Report = func(e redact.Entry) { report = append(report, e) }
	src := old(t, name)
	if strings.HasPrefix(name, "plan") {
		var b bytes.Buffer
		_, err := r.WritePlan(&b, bytes.NewReader(src))
		return b.String(), report, err
	}
	f, err := statefile.Decode(src)
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.StateFile(f)
	text, _ := statefile.Encode(f)
	return string(text), report, err
}

var recordings = []string{
	"terraform-0.12.tfstate", "terraform-0.13.tfstate", "terraform-0.13-again.tfstate", "terraform-0.14.tfstate", "terraform-0.15.tfstate",
	"plan-0.12.json", "plan-0.13.json", "plan-0.14.json", "plan-0.15.json",
}

// In documents that mark nothing, the schemas mark it, however the provider is spelled.
func TestOld_Schemas(t *testing.T) {
	for _, provider := range []string{"registry.terraform.io/acme/lab", "registry.opentofu.org/acme/lab", "lab"} {
		for _, name := range recordings {
			out, _, err := redactOld(t, name, redact.Redactor{Schemas: schemasOf(t, provider), RequireSchemas: true, OnlyMarked: true, Keep: redact.RemoteStateOutputs})
			if err != nil || strings.Contains(out, "second-secret-here") || !strings.Contains(out, `"a0"`) || !strings.Contains(out, "vpc-1") {
				t.Errorf("%s with schemas of %s: %v, %s", name, provider, err, out)
			}
		}
	}
}

// What no schema describes is hidden.
func TestOld_NoSchema(t *testing.T) {
	for _, name := range recordings {
		for _, schemas := range []*planjson.Schemas{{}, schemasOf(t, "registry.example.com/acme/other")} {
			if name == "terraform-0.12.tfstate" || name == "plan-0.12.json" || strings.Contains(name, "again") {
				schemas = new(planjson.Schemas)
			}
			out, report, err := redactOld(t, name, redact.Redactor{Schemas: schemas, OnlyMarked: true, Keep: redact.RemoteStateOutputs})
			if err != nil || strings.Contains(out, "second-secret-here") || strings.Contains(out, `"k"`) && !strings.Contains(out, `"name":"k"`) && !strings.Contains(out, `"name": "k"`) ||
				!strings.Contains(out, "lab_key") || !strings.Contains(out, "vpc-1") {
				t.Errorf("%s: %v, %s", name, err, out)
			}
			n := 0
			for _, e := range report {
				if e.Why == "no-schema" && strings.HasSuffix(e.Address, "module.m.lab_key.k") {
					n++
				}
			}
			if n == 0 {
				t.Errorf("%s: the report has no line for module.m.lab_key.k: %v", name, report)
			}
		}
		_, _, err := redactOld(t, name, redact.Redactor{RequireSchemas: true})
		if !errors.Is(err, redact.ErrNoSchema) || !strings.Contains(err.Error(), "lab_key") || strings.Contains(err.Error(), "terraform_remote_state") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Two providers with the same type could be meant.
func TestOld_Ambiguous(t *testing.T) {
	s := schemasOf(t, "registry.terraform.io/acme/lab")
	s.ProviderSchemas["registry.terraform.io/hashicorp/lab"] = s.ProviderSchemas["registry.terraform.io/acme/lab"]
	_, report, err := redactOld(t, "terraform-0.12.tfstate", redact.Redactor{Schemas: s})
	if err != nil || !strings.Contains(whys(report), "no-schema") {
		t.Errorf("%v, %s", err, whys(report))
	}
	if _, report, err = redactOld(t, "terraform-0.13.tfstate", redact.Redactor{Schemas: s}); err != nil || strings.Contains(whys(report), "no-schema") {
		t.Errorf("%v, %s", err, whys(report))
	}
}

func whys(report []redact.Entry) string {
	var b strings.Builder
	for _, e := range report {
		b.WriteString(e.Why + " ")
	}
	return b.String()
}

// A mark in a resource without a schema is a secret elsewhere too.
func TestNoSchema_Marks(t *testing.T) {
	const plan = `{"format_version":"1.2","resource_changes":[{"address":"t.a","mode":"managed","type":"t","name":"a","provider_name":"p","change":{"actions":["create"],"before":null,"after":{"pw":"hide-this-text-1","x":"open-1"},"after_unknown":{},"before_sensitive":false,"after_sensitive":{"pw":true}}},` +
		`{"address":"u.b","mode":"managed","type":"u","name":"b","provider_name":"registry.opentofu.org/acme/u","change":{"actions":["create"],"before":null,"after":{"copy":"hide-this-text-1","y":"shown-1"},"after_unknown":{},"before_sensitive":false,"after_sensitive":{}}}]}`
	s, err := planjson.DecodeSchemas([]byte(`{"format_version":"1.0","provider_schemas":{"registry.opentofu.org/acme/u":{"resource_schemas":{"u":{"version":0,"block":{"attributes":{"copy":{"type":"string","optional":true}}}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	_, err = redact.Redactor{Schemas: s}.WritePlan(&b, strings.NewReader(plan))
	if out := b.String(); err != nil || strings.Contains(out, "hide-this") || strings.Contains(out, "open-1") || !strings.Contains(out, "shown-1") {
		t.Errorf("%v, %s", err, out)
	}
}

func TestFlat_Schemas(t *testing.T) {
	const state = `{"version":4,"terraform_version":"0.12.31","serial":1,"lineage":"l","outputs":{},"resources":[{"mode":"managed","type":"t","name":"a","provider":"provider.p","instances":[` +
		`{"schema_version":0,"attributes_flat":{"id":"open-1","pw":"hide-1","disk.#":"1","disk.0.name":"open-2","disk.0.key":"hide-2","m.%":"1","m.a.b":"hide-3","s.123.key":"hide-4"}}]}]}`
	const block = `"nesting_mode":"list","block":{"attributes":{"name":{"type":"string"},"key":{"type":"string","sensitive":true}}}`
	s, err := planjson.DecodeSchemas([]byte(`{"format_version":"1.0","provider_schemas":{"registry.terraform.io/acme/p":{"resource_schemas":{"t":{"version":0,"block":{"attributes":{"id":{"type":"string"},"pw":{"type":"string","sensitive":true},"m":{"type":["map","string"],"sensitive":true}},` +
		`"block_types":{"disk":{` + block + `},"s":{` + strings.Replace(block, "list", "set", 1) + `}}}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	f, err := statefile.Decode([]byte(state))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (redact.Redactor{Schemas: s, OnlyMarked: true}).StateFile(f); err != nil {
		t.Fatal(err)
	}
	out, _ := statefile.Encode(f)
	if bytes.Contains(out, []byte("hide-")) || !bytes.Contains(out, []byte("open-1")) || !bytes.Contains(out, []byte("open-2")) || !bytes.Contains(out, []byte(`"disk.#":"1"`)) {
		t.Errorf("%s", out)
	}
}

// Version 3 has more places for secrets than version 4: what a state has there goes, and the
// copies of its marked values too.
func TestVersion3(t *testing.T) {
	const src = `{"version":3,"terraform_version":"0.11.14","serial":7,"lineage":"l","backend":{"type":"s3","config":{"bucket":"b","secret_key":"planted-1"}},"remote":{"type":"http","config":{"address":"https://u:planted-2@h"}},"modules":[` +
		`{"path":["root"],"outputs":{"open":{"sensitive":false,"type":"string","value":"open-1"}},"resources":{"t.a":{"type":"t","depends_on":[],"primary":{"id":"open-2","attributes":{"copy":"planted-3"},"meta":{},"tainted":false},"deposed":[],"provider":"provider.t"}},"depends_on":[]},` +
		`{"path":["root","m"],"outputs":{"pw":{"sensitive":true,"type":"string","value":"planted-3"}},"resources":{},"depends_on":[]}]}`
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write([]byte(src))
	z.Close()
	for _, text := range []string{src, zipped.String(), strings.Replace(src, `"copy":"planted-3"`, `"x":"y"`, 1)} {
		f, err := statefile.Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var pointers []string
		_, err = redact.Redactor{Report: func(e redact.Entry) { pointers = append(pointers, e.Pointer) }}.StateFile(f)
		out, _ := statefile.Encode(f)
		if err != nil || bytes.Contains(out, []byte("planted")) || !bytes.Contains(out, []byte("open-1")) || !bytes.Contains(out, []byte("open-2")) || !bytes.Contains(out, []byte(`"version": 4`)) || f.Serial != 7 || !slices.Contains(pointers, "/modules/1/outputs/pw/value") {
			t.Errorf("%v, %q, %s", err, pointers, out)
		}
	}
}
