// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/uijson"
)

// No part of a secret is left, wherever it is; a message without one
// keeps its bytes.
func TestRedact(t *testing.T) {
	line := func(typ, payload string) string {
		return `{"@level":"info","@message":"m s3cret [id=s3cret]","@module":"tofu.ui","@timestamp":"t",` + payload + `"type":"` + typ + `"}`
	}
	tests := []struct{ name, in, want string }{
		{"difference", `{"diagnostic":{"severity":"error","summary":"s","detail":"","difference":{"before":"s3cret","after":1}}}`,
			`{"diagnostic":{"severity":"error","summary":"s","detail":""}}`},
		{"values", `{"diagnostic":{"snippet":{"code":"c","values":[{"traversal":"var.x","statement":"is \"s3cret\""}],"test_assertion_expr":{"lhs":"s3cret","rhs":"s3cret","warning":"","show_verbose":false}},"policy_snippet":{"values":[{"traversal":"v","statement":"s3cret"}]}}}`,
			`{"diagnostic":{"snippet":{"code":"c","values":[{"traversal":"var.x","statement":"(sensitive value)"}],"test_assertion_expr":{"lhs":"(sensitive value)","rhs":"(sensitive value)","warning":"","show_verbose":false}},"policy_snippet":{"values":[{"traversal":"v","statement":"(sensitive value)"}]}}}`},
		{"outputs of old Terraform", `{"outputs":{"a":{"sensitive":true,"type":"string","value":"s3cret"},"b":{"sensitive":false,"value":"open"}}}`,
			`{"outputs":{"a":{"sensitive":true,"type":"string"},"b":{"sensitive":false,"value":"open"}}}`},
		{"emergency state", `{"@message":"Emergency state dump","state":{"x":"s3cret"},"type":"log"}`, `{"@message":"Emergency state dump","type":"log"}`},
		{"test documents", `{"test_plan":{"x":"s3cret"},"test_state":{"x":"s3cret"}}`, `{"test_plan":{},"test_state":{}}`},
		{"provisioner", `{"@message":"a.b: (local-exec): s3cret","hook":{"provisioner":"local-exec","output":"s3cret"}}`,
			`{"@message":"a.b: (local-exec): (sensitive value)","hook":{"provisioner":"local-exec","output":"(sensitive value)"}}`},
		{"short values", `{"@message":"a.b: (local-exec): a","hook":{"provisioner":"local-exec","output":"a"}}`,
			`{"@message":"a.b: (local-exec): (sensitive value)","hook":{"provisioner":"local-exec","output":"(sensitive value)"}}`},
		{"ids", `{"@message":"Creation complete after 1s [id=1]","hook":{"id_key":"id","id_value":"1"}}`,
			`{"@message":"Creation complete after 1s [id=(sensitive value)]","hook":{"id_key":"id","id_value":"(sensitive value)"}}`},
		{"actions", `{"@message":"x: s3cret","hook":{"message":"s3cret","error":"s3cret"}}`, `{"@message":"x: (sensitive value)","hook":{"message":"(sensitive value)","error":"(sensitive value)"}}`},
		{"imports", `{"change":{"importing":{"id":"s3cret","identity":{"x":"s3cret","y":null,"z":["s3cret"]}},"generated_config":"s3cret"}}`,
			`{"change":{"importing":{"id":"(sensitive value)","identity":{"x":"(sensitive value)","y":null,"z":"(sensitive value)"}},"generated_config":"(sensitive value)"}}`},
		{"queries", `{"list_resource_found":{"address":"a","display_name":"s3cret","identity":{"x":"s3cret"},"resource_object":{"x":"s3cret"},"config":"s3cret","import_config":"s3cret"},"list_start":{"input_config":{"x":"s3cret"}}}`,
			`{"list_resource_found":{"address":"a","display_name":"(sensitive value)","identity":{"x":"(sensitive value)"},"config":"(sensitive value)","import_config":"(sensitive value)"},"list_start":{}}`},
		{"policies", `{"policy_info":{"snippet":{"values":[{"statement":"s3cret"}]},"policy_snippet":{"values":[{"statement":"s3cret"}]}},"results":[{"identity":{"x":"s3cret"},"policies":[{"diagnostics":[{"difference":{"after":"s3cret"}}]}]}]}`,
			`{"policy_info":{"snippet":{"values":[{"statement":"(sensitive value)"}]},"policy_snippet":{"values":[{"statement":"(sensitive value)"}]}},"results":[{"identity":{"x":"(sensitive value)"},"policies":[{"diagnostics":[{}]}]}]}`},
		{"context of another kind", `{"diagnostic":{"snippet":{"context":["s3cret"],"code":"c"}}}`, `{"diagnostic":{"snippet":{"context":null,"code":"c"}}}`},
		{"a member of a wrong kind", line("outputs", `"outputs":"s3cret",`), ""},
		{"a member twice", line("apply_start", `"hook":{"output":"s3cret"},"hook":{},`), ""},
		{"nothing to hide", logLine, logLine},
		{"actions have an object", `{"hook":{"action":{"addr":"a"}},"type":"action_start"}`, `{"hook":{"action":{"addr":"a"}},"type":"action_start"}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := decode(t, []byte(test.in))
			changed := m.Redact(uijson.UnmarkedOutputs | uijson.UnmarkedDetails | uijson.UnmarkedInstanceKeys | uijson.UnmarkedExtra)
			got := string(encode(t, m))
			if strings.Contains(got, "s3cret") {
				t.Errorf("a secret is left in %s", got)
			}
			if test.want != "" && got != test.want {
				t.Errorf("\n got  %s\n want %s", got, test.want)
			}
			if changed != (got != test.in) {
				t.Errorf("changed is %v", changed)
			}
			if m.Redact(uijson.UnmarkedOutputs | uijson.UnmarkedDetails | uijson.UnmarkedInstanceKeys | uijson.UnmarkedExtra) {
				t.Errorf("redacted twice: %s", encode(t, m))
			}
		})
	}
	m := decode(t, []byte(`{"outputs":{"b":{"sensitive":false,"value":"open","x":1}},"hook":{"resource":{"addr":"a.b","x":1},"action":{"addr":"c","x":1}},"change":{"previous_resource":{"x":{"y":1}}},"x":2}`))
	m.Redact(0)
	if got := string(encode(t, m)); got != `{"outputs":{"b":{"sensitive":false}},"hook":{"resource":{"addr":"a.b"},"action":{"addr":"c"}},"change":{"previous_resource":{}}}` {
		t.Errorf("everything: %s", got)
	}
	m = decode(t, []byte(tests[0].in))
	if m.Redact(^uijson.UnmarkedStates) {
		t.Error("redacted what was not asked for")
	}
}

// A redacted message is still a message of its type.
func TestRedactRecordings(t *testing.T) {
	for name, text := range recordings(t) {
		messages(text, func(line []byte) {
			m := decode(t, line)
			typ, level := m.Type, m.Level
			changed := m.Redact(uijson.UnmarkedOutputs | uijson.UnmarkedDetails | uijson.UnmarkedInstanceKeys | uijson.UnmarkedExtra)
			again := decode(t, encode(t, m))
			if again.Type != typ || again.Level != level || again.Problems() != nil || changed == bytes.Equal(line, encode(t, m)) {
				t.Errorf("%s: %s became %s", name, line, encode(t, m))
			}
		})
	}
}
