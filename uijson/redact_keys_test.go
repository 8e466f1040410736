// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/uijson"
)

// Keys of instances that are strings are removed wherever an address is; what
// only looks like one stays.
func TestRedactInstanceKeys(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"resource", `{"@message":"module.m[\"s3cret\"].a.b[\"s3cret\"]: Creating... [id=1]","hook":{"resource":{"addr":"module.m[\"s3cret\"].a.b[\"s3cret\"]","module":"module.m[\"s3cret\"]","resource":"a.b[\"s3cret\"]","resource_key":"s3cret"}}}`,
			`{"@message":"module.m[\"K\"].a.b[\"K\"]: Creating... [id=1]","hook":{"resource":{"addr":"module.m[\"K\"].a.b[\"K\"]","module":"module.m[\"K\"]","resource":"a.b[\"K\"]","resource_key":"K"}}}`},
		{"brackets and quotes in a key", `{"@message":"a.b[\"s3]c\\\"]ret\\\\\"].c[\"${s3cret[0]}\"]: x"}`, `{"@message":"a.b[\"K\"].c[\"K\"]: x"}`},
		{"a key that is not closed", `{"@message":"a.b[\"s3cret"}`, `{"@message":"a.b[\"K\"]"}`},
		{"previous address", `{"change":{"resource":{"addr":"a.b[\"s3cret\"]"},"previous_resource":{"addr":"a.b[\"s3cret\"]","resource_key":"s3cret"}}}`,
			`{"change":{"resource":{"addr":"a.b[\"K\"]"},"previous_resource":{"addr":"a.b[\"K\"]","resource_key":"K"}}}`},
		{"actions", `{"hook":{"action":{"addr":"action.a.b[\"s3cret\"]","action_key":"s3cret"},"lifecycle":{"resource":{"addr":"a.b[\"s3cret\"]"}}},"invocation":{"action_addr":{"action":"action.a.b[\"s3cret\"]"},"lifecycle_trigger":{"triggering_resource":{"addr":"a.b[\"s3cret\"]"}}}}`,
			`{"hook":{"action":{"addr":"action.a.b[\"K\"]","action_key":"K"},"lifecycle":{"resource":{"addr":"a.b[\"K\"]"}}},"invocation":{"action_addr":{"action":"action.a.b[\"K\"]"},"lifecycle_trigger":{"triggering_resource":{"addr":"a.b[\"K\"]"}}}}`},
		{"diagnostic", `{"diagnostic":{"summary":"in a.b[\"s3cret\"]","address":"a.b[\"s3cret\"]","snippet":{"context":"x","code":"c","values":[{"traversal":"a.b[\"s3cret\"].c","statement":"is 1"}]}}}`,
			`{"diagnostic":{"summary":"in a.b[\"K\"]","address":"a.b[\"K\"]","snippet":{"context":"x","code":"(sensitive value)","values":[{"traversal":"(sensitive value)","statement":"(sensitive value)"}]}}}`},
		{"lists of addresses", `{"resources":["a.b[\"s3cret\"]","a.c"],"test_interrupt":{"state":[{"instance":"a.b[\"s3cret\"]"}],"states":{"run":[{"instance":"a.b[\"s3cret\"]"},{"instance":"a.b"}]},"planned":["a.b[\"s3cret\"]"]}}`,
			`{"resources":["a.b[\"K\"]","a.c"],"test_interrupt":{"state":[{"instance":"a.b[\"K\"]"}],"states":{"run":[{"instance":"a.b[\"K\"]"},{"instance":"a.b"}]},"planned":["a.b[\"K\"]"]}}`},
		{"queries and policies", `{"list_complete":{"address":"list.a.b[\"s3cret\"]"},"list_block_address":"list.a.b[\"s3cret\"]","target_address":"a.b[\"s3cret\"]","results":[{"target_address":"a.b[\"s3cret\"]"}]}`,
			`{"list_complete":{"address":"list.a.b[\"K\"]"},"list_block_address":"list.a.b[\"K\"]","target_address":"a.b[\"K\"]","results":[{"target_address":"a.b[\"K\"]"}]}`},
		{"a resource with the name provider", `{"@message":"a.provider[\"s3cret/b\"]"}`, `{"@message":"a.provider[\"K\"]"}`},
		{"numbers", `{"@message":"a.b[0]: x","hook":{"resource":{"addr":"a.b[0]","resource_key":0}}}`, ""},
		{"no address", `{"@message":"run: [\"/bin/sh\" \"-c\"] [\"x\"]"}`, ""},
		{"provider", `{"diagnostic":{"address":"provider[\"registry.opentofu.org/example/lab\"]"}}`, ""},
		{"provider with a key", `{"diagnostic":{"address":"provider[\"registry.opentofu.org/example/lab\"].by[\"s3cret\"]"}}`,
			`{"diagnostic":{"address":"provider[\"registry.opentofu.org/example/lab\"].by[\"K\"]"}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want := strings.ReplaceAll(test.want, `K\"`, uijson.Redacted+`\"`)
			want = strings.ReplaceAll(want, `"K"`, `"`+uijson.Redacted+`"`)
			if want == "" {
				want = test.in
			}
			m := decode(t, []byte(test.in))
			changed := m.Redact(0)
			got := string(encode(t, m))
			if got != want || changed != (got != test.in) {
				t.Errorf("changed is %v\n got  %s\n want %s", changed, got, want)
			}
			again := decode(t, []byte(got))
			if again.Redact(0) || string(encode(t, again)) != got {
				t.Errorf("redacted twice: %s", encode(t, again))
			}
			kept := decode(t, []byte(test.in))
			if kept.Redact(^uijson.Unmarked(0)) {
				t.Errorf("not kept: %s", encode(t, kept))
			}
		})
	}
}

// Without the keys, the places in the set are still left alone.
func TestRedactKeysKeepPlaces(t *testing.T) {
	const in = `{"diagnostic":{"detail":"a.b[\"k\"]","snippet":{"code":"a.b[\"k\"]","values":[{"traversal":"a.b[\"k\"]","statement":"is a[\"k\"]"}]},"difference":{"before":"a.b[\"k\"]"}},"outputs":{"o":{"sensitive":false,"value":["a.b[\"k\"]"]}},"test_plan":{"x":"a.b[\"k\"]"},"hook":{"output":"a.b[\"k\"]","id_value":"a.b[\"k\"]"}}`
	m := decode(t, []byte(in))
	if m.Redact(^uijson.UnmarkedInstanceKeys) || string(encode(t, m)) != in {
		t.Errorf("got %s", encode(t, m))
	}
}

var stringKey = regexp.MustCompile(`[a-z0-9_\]]\["(.*)`)

// No recorded message keeps a key that is a string.
func TestRedactKeysRecordings(t *testing.T) {
	keys := 0
	for name, text := range recordings(t) {
		messages(text, func(line []byte) {
			m := decode(t, line)
			m.Redact(0)
			got := encode(t, m)
			var doc any
			if err := json.Unmarshal(got, &doc); err != nil {
				t.Fatal(err)
			}
			var visit func(v any)
			visit = func(v any) {
				switch v := v.(type) {
				case string:
					for _, found := range stringKey.FindAllStringSubmatch(v, -1) {
						if keys++; !strings.HasPrefix(found[1], uijson.Redacted+`"]`) && !strings.HasPrefix(v, `provider["registry.`) {
							t.Errorf("%s: left: %s", name, v)
						}
					}
				case []any:
					for _, item := range v {
						visit(item)
					}
				case map[string]any:
					for name, item := range v {
						if s, ok := item.(string); ok && (name == "resource_key" || name == "action_key") && s != uijson.Redacted {
							t.Errorf("%s: left: %s", name, s)
						}
						visit(item)
					}
				}
			}
			visit(doc)
			again := decode(t, got)
			if again.Redact(0) || !bytes.Equal(encode(t, again), got) {
				t.Errorf("%s: redacted twice: %s", name, encode(t, again))
			}
		})
	}
	if keys < 100 {
		t.Errorf("the recordings have only %d keys", keys)
	}
}
