// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// planOf returns a plan with one resource change and the expressions of its
// block.
func planOf(typ, change, expressions string) string {
	return `{"format_version":"1.2","variables":{"v":{"value":"x"}},"resource_changes":[{"address":"` + typ + `.a","mode":"managed","type":"` + typ + `","name":"a","provider_name":"p/p/p","change":` + change + `}],` +
		`"configuration":{"provider_config":{"p":{"name":"p","full_name":"p/p/p"}},"root_module":{"resources":[{"address":"` + typ + `.a","mode":"managed","type":"` + typ + `","name":"a","provider_config_key":"p","expressions":` + expressions + `,"schema_version":0}],"variables":{"v":{}}}}}`
}

// Each text with HIDE in it is hidden, each with KEEP stays.
func TestConstants(t *testing.T) {
	for name, src := range map[string]string{
		"write-only member of a constant object": planOf("t",
			`{"actions":["create"],"before":null,"after":{"inner":{"user":"KEEP1","pin_wo":null},"list":[{"a":"KEEP2","b":null}]},"after_unknown":{},"before_sensitive":false,"after_sensitive":{}}`,
			`{"inner":{"constant_value":{"user":"KEEP1","pin_wo":"HIDE1"}},"list":{"constant_value":[{"a":"KEEP2","b":"HIDE2"}]}}`),
		"sensitive member of a constant object": planOf("t",
			`{"actions":["create"],"before":null,"after":{"s":{"mode":"KEEP-mode","password":"HIDE-password"}},"after_unknown":{},"before_sensitive":false,"after_sensitive":{"s":{"password":true}}}`,
			`{"s":{"constant_value":{"mode":"KEEP-mode","password":"HIDE-password"}}}`),
		"one block of two": planOf("t",
			`{"actions":["create"],"before":null,"after":{"disk":[{"kind":"KEEP-kind"},{"kind":"HIDE-kind"}]},"after_unknown":{},"before_sensitive":false,"after_sensitive":{"disk":[{},{"kind":true}]}}`,
			`{"disk":[{"kind":{"constant_value":"KEEP-kind"}},{"kind":{"constant_value":"HIDE-kind"}}]}`),
		"one block of two, and more by a dynamic block": planOf("t",
			`{"actions":["create"],"before":null,"after":{"disk":[{"kind":"x"},{"kind":"HIDE-kind"},{"kind":"y"}]},"after_unknown":{},"before_sensitive":false,"after_sensitive":{"disk":[{},{"kind":true},{}]}}`,
			`{"disk":[{"kind":{"constant_value":"HIDE-kind"}},{"kind":{"constant_value":"HIDE-other"}}]}`),
		"JSON in a sensitive string": planOf("t",
			`{"actions":["create"],"before":null,"after":{"j":"{\"user\":\"KEEP-user\",\"pw\":\"HIDE-9x1Q\",\"in\":\"[\\\"HIDE-7y2z\\\"]\"}","k":["HIDE-9x1Q and HIDE-7y2z","KEEP-user"]},"after_unknown":{},"before_sensitive":false,"after_sensitive":{"j":true}}`,
			`{"j":{"references":["var.v"]}}`),
		"keys": planOf("t",
			`{"actions":["create"],"before":null,"after":{"m":{"HIDE-x9Q":1},"k":{"HIDE-x9Q":"KEEP-value"}},"after_unknown":{},"before_sensitive":false,"after_sensitive":{"m":true}}`,
			`{"k":{"references":["terraform_data.x[\"HIDE-x9Q\"]"]}}`),
		"wrapped and escaped": planOf("t",
			`{"actions":["create"],"before":null,"after":{"s":"HIDE<1>&HIDE2-and-some-more-of-it","k":["HIDE&lt;1&gt;&amp;HIDE2-and-some-more-of-it","SElERTwxPiZISURFMi1hbm\nQtc29tZS1tb3JlLW9mLWl0"],"x":"KEEP &lt;&gt;"},"after_unknown":{},"before_sensitive":false,"after_sensitive":{"s":true}}`,
			`{}`),
		"argument of terraform_data": strings.ReplaceAll(strings.ReplaceAll(planOf("terraform_data", `{"actions":["no-op"],"before":null,"after":null,"after_unknown":{},"before_sensitive":false,"after_sensitive":false}`,
			`{"input":{"constant_value":"KEEP-input"}}`), "p/p/p", "terraform.io/builtin/terraform"), "HIDE", "HIDE"),
	} {
		out := ways(t, redact.Redactor{}, "plan", []byte(src))["memory"]
		for _, hidden := range []string{"HIDE", "SElERTw"} {
			if i := bytes.Index(out, []byte(hidden)); i >= 0 {
				t.Errorf("%s: left: %s", name, out[max(0, i-30):i+20])
			}
		}
		if n, want := bytes.Count(out, []byte("KEEP")), strings.Count(src, "KEEP")-strings.Count(src, `\"KEEP`); n != want {
			t.Errorf("%s: %d of %d public texts are left: %s", name, n, want, out)
		}
	}
}

// Schemas hide constants in blocks of every nesting mode, whatever the labels of a map are.
func TestConstants_Nesting(t *testing.T) {
	const body = `{"attributes":{"k":{"type":"string"},"constant_value":{"type":"string"},"pw":{"type":"string","sensitive":true}}`
	const words = `{"k":{"constant_value":"KEEP"},"pw":{"constant_value":"HIDE-this-text"}`
	blocks := map[string]string{
		"list": `[` + words + `}]`, "set": `[` + words + `}]`, "single": words + `}`, "group": words + `}`,
		"map": `{"pw":` + words + `},"k":` + words + `},"constant_value":` + words + `},"references":` + words + `}}`,
	}
	for outer, out := range blocks {
		for inner, in := range blocks {
			types := `,"block_types":{"in":{"nesting_mode":"` + inner + `","block":` + body + `}}}}`
			s, err := planjson.DecodeSchemas([]byte(`{"format_version":"1.0","provider_schemas":{"p/p/p":{"resource_schemas":{"t":{"version":0,"block":{"block_types":{"out":{"nesting_mode":"` + outer + `","block":` + body + types + `}}}}}}}}`))
			if err != nil {
				t.Fatal(err)
			}
			src := planOf("t", `{"actions":["delete"],"before":{"out":null},"after":null,"after_unknown":false,"before_sensitive":{},"after_sensitive":false}`,
				`{"out":`+strings.ReplaceAll(out, words, words+`,"in":`+in)+`}`)
			for way, got := range ways(t, redact.Redactor{Schemas: s, OnlyMarked: true}, "plan", []byte(src)) {
				if bytes.Contains(got, []byte("HIDE")) || bytes.Count(got, []byte("KEEP")) != strings.Count(src, "KEEP") {
					t.Errorf("%s in %s, %s: %s", inner, outer, way, got)
				}
			}
		}
	}
}

// Of a document that is read once, even the keys of instances are hidden.
func TestNoSpoolKeys(t *testing.T) {
	const src = `{"format_version":"1.2","resource_changes":[{"address":"module.m[\"HIDE]1\"].t.a[\"HIDE2\"]","module_address":"module.m[\"HIDE]1\"]","mode":"managed","type":"t","name":"a","index":"HIDE2","change":{"actions":["no-op"],"before":null,"after":null,"after_unknown":false,"before_sensitive":false,"after_sensitive":false}},` +
		`{"address":"t.b[0]","mode":"managed","type":"t","name":"b","index":0,"change":{"actions":["no-op"],"before":null,"after":null,"after_unknown":false,"before_sensitive":false,"after_sensitive":false}}],` +
		`"configuration":{"root_module":{"outputs":{"o":{"expression":{"references":["t.a[\"HIDE2\"].id","t.a[\"HIDE2\"]","t.a"]},"depends_on":["t.a[\"HIDE2\"]"]}}}}}`
	var b bytes.Buffer
	if _, err := (redact.Redactor{NoSpool: true}).WritePlan(&b, pipe{strings.NewReader(src)}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "HIDE") || !strings.Contains(b.String(), `"module.m[\"(sensitive value)\"].t.a[\"(sensitive value)\"]"`) || !strings.Contains(b.String(), `"t.b[0]"`) {
		t.Error(b.String())
	}
}

// A document of a major version that is not known can mark in another way.
func TestStreamVersion(t *testing.T) {
	for _, version := range []string{"2.0", "9.1", ""} {
		src := `{"format_version":"` + version + `","resource_changes":[]}`
		var b bytes.Buffer
		if _, err := (redact.Redactor{}).WritePlan(&b, strings.NewReader(src)); !errors.Is(err, planjson.ErrVersion) || b.Len() > 0 {
			t.Errorf("%q: %v, %s", version, err, b.String())
		}
		if _, err := (redact.Redactor{}).WriteState(&b, pipe{strings.NewReader(`{"format_version":"` + version + `"}`)}); !errors.Is(err, planjson.ErrVersion) || b.Len() > 0 {
			t.Errorf("%q: %v, %s", version, err, b.String())
		}
	}
}
