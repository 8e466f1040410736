// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// TestConfigurationAfterKnownObject has an object of which nothing is to be learned when the
// document is read again at the end of a plan, and there an object where the configuration has one
// that is shorter: the ends of the one are not those of the other.
func TestConfigurationAfterKnownObject(t *testing.T) {
	const secret = "Hunter2-4711x"
	config := `{"root_module":{"resources":[{"address":"a.b","mode":"managed","type":"a","name":"b","provider_config_key":"a","expressions":{"pin":{"constant_value":"` +
		secret + `"},"other":{"constant_value":"` + strings.Repeat("text ", 40) + `"}}}]}}`
	at := strings.Index(config, `{"pin"`)
	known := `{"address":"a.c","type":"a","name":"`
	known += strings.Repeat("c", at-len(known)-len(`","change":`)) + `","change":{"actions":["no-op"],"before":null,"after":{"long":"` + strings.Repeat("long ", 200) + `"}}}`
	src := `{"format_version":"1.2","configuration":` + config +
		`,"planned_values":{"root_module":{"resources":[{"address":"a.b","type":"a","name":"b","values":{"pin":"` + secret + `"},"sensitive_values":{}}]}}` +
		`,"resource_changes":[{"address":"a.b","type":"a","name":"b","change":{"actions":["create"],"before":null,"after":{"pin":"` + secret + `","more":1},"after_sensitive":{"pin":true}}},` + known + `]}`
	p, err := planjson.DecodePlan([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (redact.Redactor{}).Plan(p); err != nil {
		t.Fatal(err)
	}
	if out, err := planjson.Encode(p); err != nil || strings.Contains(string(out), secret) {
		t.Errorf("%v: %s", err, out)
	}
}
