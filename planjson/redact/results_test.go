// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/tofuwire/tofuwire/planjson/redact"
)

// TestResults redacts objects of which the learner knows what is to be hidden, but not all of
// it. The secrets are too short to be looked for.
func TestResults(t *testing.T) {
	const change = `{"address":"a.b","type":"a","name":"b","change":{"actions":["update"],"before":%s,"after":%s,"after_unknown":%s,"before_sensitive":%[4]s,"after_sensitive":%[4]s%s}%s}`
	for _, test := range []struct{ name, planned, change string }{
		{"marked later", `{"address":"a.b","type":"a","name":"b","values":{"pin":4711},"sensitive_values":{}}`, fmt.Sprintf(change, "{}", "{}", "{}", `{"pin":true}`, "", "")},
		{"twice the same", "", fmt.Sprintf(change, `{"a":1,"pin":4711}`, `{"a":1,"pin":4711}`, "{}", `{"pin":true}`, "", "")},
		{"twice the same, and more", "", fmt.Sprintf(change, `{"a":1,"pin":4711}`, `{"a":1,"pin":4711}`, "{}", `{"pin":true}`, `,"replace_paths":[["pin",4711]]`, "")},
		{"twice the same, with a secret of another", `{"address":"a.c","type":"a","name":"c","values":{"pw":"Hunter2-4711x"},"sensitive_values":{"pw":true}}`, fmt.Sprintf(change, `{"a":"is Hunter2-4711x","pin":4711}`, `{"a":"is Hunter2-4711x","pin":4711}`, "{}", `{"pin":true}`, "", "")},
		{"a secret behind what is the same", `{"address":"a.c","type":"a","name":"c","values":{"pw":"Hunter2-4711x"},"sensitive_values":{"pw":true}}`, fmt.Sprintf(change, `{"a":"is","pin":4711}`, `{"a":"is","pin":4711}`, "{}", `{"pin":true}`, `,"extra":"Hunter2-4711x","before_identity":{"b":"Hunter2-4711x"}`, "")},
		{"keys of unknown values", "", fmt.Sprintf(change, `{"pin":null}`, `{"pin":null}`, `{"pin":{"4711":true}}`, `{"pin":true}`, "", "")},
		{"more members", "", fmt.Sprintf(change, "{}", "{}", "{}", "{}", "", `,"more":4711`)},
		{"more members of the change", "", fmt.Sprintf(change, "{}", "{}", "{}", "{}", `,"more":"4711"`, "")},
		{"a list of more", "", fmt.Sprintf(change, "{}", "{}", "{}", "{}", `,"more":["4711"]`, "")},
		{"a sensitive list", "", fmt.Sprintf(change, `{"pin":[4711]}`, `{"pin":[true,"4711"]}`, "{}", `{"pin":true}`, "", "")},
		{"sensitive lists in lists", "", fmt.Sprintf(change, `{"pin":[[4711],[],{"a4711":1}, {}]}`, `{"pin":{ }}`, `{"pin":[{}]}`, `{"pin":true}`, "", "")},
		{"all sensitive", "", fmt.Sprintf(change, `{"a":{"k4711":1},"b":[{"c":4711},null],"c":"4711"}`, `{"a":{"k4711":1},"b":[{"c":4711},null],"c":"4711"}`, "{}", "true", "", "")},
		{"a sensitive map", `{"address":"a.b","type":"a","name":"b","values":{"pin":{"4711":1}},"sensitive_values":{"pin":{}}}`, fmt.Sprintf(change, "{}", "{}", "{}", `{"pin":true}`, "", "")},
		{"a sensitive object", `{"address":"a.b","type":"a","name":"b","values":{"x":4711},"sensitive_values":true}`, fmt.Sprintf(change, "{}", "{}", "{}", `{}`, "", "")},
		{"generated", "", fmt.Sprintf(change, "{}", "{}", "{}", "{}", `,"generated_config":"pin = 4711"`, "")},
		{"an identity", "", fmt.Sprintf(change, "{}", "{}", "{}", `{"pin":true}`, `,"before_identity":{"pin":4711},"importing":{"identity":{"pin":4711}}`, "")},
	} {
		src := []byte(`{"format_version":"1.2","planned_values":{"root_module":{"resources":[` + test.planned + `]}},"resource_changes":[` + test.change + `]}`)
		for _, r := range []redact.Redactor{{}, {OnlyMarked: true, Secrets: []string{"Hunter2-4711x"}}, {Keep: redact.All &^ (redact.Extra | redact.GeneratedConfig)}} {
			results := ways(t, r, "plan", src)
			for way, out := range results {
				if !bytes.Equal(out, results["memory"]) {
					t.Errorf("%s: %s is not what it is in memory: %s\n%s", test.name, way, out, results["memory"])
				}
			}
			if out := results["memory"]; bytes.Contains(out, []byte("4711")) {
				t.Errorf("%s: %s", test.name, out)
			}
		}
	}
}

// TestWordsOfOutputs marks a word in the change of an output: it is hidden where the output, or
// an attribute, has its name.
func TestWordsOfOutputs(t *testing.T) {
	const src = `{"format_version":"1.2","planned_values":{"root_module":{"resources":[{"address":"a.b","type":"a","name":"b","values":{"level":"admin","other":"admin"},"sensitive_values":{}}]}},` +
		`"output_changes":{"level":{"actions":["update"],"before":"staff","after":"admin","after_unknown":false,"before_sensitive":true,"after_sensitive":true}},` +
		`"prior_state":{"format_version":"1.0","values":{"outputs":{"level":{"sensitive":false,"value":"staff"},"more":{"sensitive":false,"value":"staff"}},"root_module":{}}}}`
	for way, out := range ways(t, redact.Redactor{}, "plan", []byte(src)) {
		for _, want := range []string{`"level":"(sensitive value)","other":"admin"`, `"before":"(sensitive value)","after":"(sensitive value)"`, `"level":{"sensitive":false,"value":"(sensitive value)"},"more":{"sensitive":false,"value":"staff"}`} {
			if !bytes.Contains(out, []byte(want)) {
				t.Errorf("%s: %s is not in %s", way, want, out)
			}
		}
	}
}
