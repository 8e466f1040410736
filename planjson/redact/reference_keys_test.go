// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// References have keys of sensitive maps, also of those whose values are not in the
// document: ephemeral ones, and those of called modules.
func TestReferenceKeys(t *testing.T) {
	const module = `"variables":{"m":{"sensitive":true},"e":{"ephemeral":true},"open":{},"r":{}},` +
		`"outputs":{"o":{"expression":{"references":["var.m[\"key-4417x\"].pw","var.m[\"key-4417x\"]","var.m","var.m[\"a-word\"]","var.open[\"key-7718x\"]"]}}},` +
		`"resources":[{"address":"t.a","mode":"managed","type":"t","name":"a","provider_config_key":"p","provisioners":[{"type":"x","expressions":{"y":{"references":["var.e.z[\"key-5518x\"]","var.e"]}}}],` +
		`"expressions":{"b":[{"c":{"references":["t.b[\"key-4417x\"]","local.x[\"key-9918x\"]","var.r[\"key-3381x\"]"]}}]},"schema_version":0}]`
	const want = `"outputs":{"o":{"expression":{"references":["var.m[\"*\"].pw","var.m[\"*\"]","var.m","var.m[\"a-word\"]","var.open[\"key-7718x\"]"]}}},` +
		`"resources":[{"address":"t.a","mode":"managed","type":"t","name":"a","provider_config_key":"p","provisioners":[{"type":"x","expressions":{"y":{"references":["var.e.z[\"*\"]","var.e"]}}}],` +
		`"expressions":{"b":[{"c":{"references":["t.b[\"*\"]","local.x[\"key-9918x\"]","var.r[\"*\"]"]}}]},"schema_version":0}]`
	r := redact.Redactor{Text: "*", Rules: []redact.Rule{{Address: "var.r"}, {Address: "module.c.var.r"}}}
	for name, config := range map[string]string{
		"root":   `{"root_module":{` + module + `}}`,
		"called": `{"root_module":{"module_calls":{"c":{"source":"./c","module":{` + module + `}}}}}`,
	} {
		src := `{"format_version":"1.2","configuration":` + config + `}`
		for way, out := range ways(t, r, "plan", []byte(src)) {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s, %s: %s", name, way, out)
			}
			for way, again := range ways(t, r, "plan", out) {
				if string(again) != string(out) {
					t.Errorf("%s, %s: redacted once more it is another one: %s", name, way, again)
				}
			}
		}
		marked := r
		marked.OnlyMarked = true
		for way, out := range ways(t, marked, "plan", []byte(src)) {
			if string(out) != src {
				t.Errorf("%s, only marked, %s: %s", name, way, out)
			}
		}
		shown, err := planjson.DecodeConfig([]byte(strings.Replace(config, `{`, `{"format_version":"1.0",`, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Config(shown); err != nil {
			t.Fatal(err)
		}
		if out, err := planjson.Encode(shown); err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%s, config: %v, %s", name, err, out)
		}
	}
}
