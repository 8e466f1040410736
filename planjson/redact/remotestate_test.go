// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// remoteConfigs are settings of backends. Each value with planted must go, and each with kept
// must stay.
var remoteConfigs = map[string]string{
	"s3": `{"access_key":"planted-s3-0001","assume_role":{"external_id":"planted-s3-0002","role_arn":"planted-s3-0003"},"bucket":"kept-bucket-77","encrypt":true,
		"endpoints":["https://u:planted-s3-0004@e"],"key":"kept@key/a.tfstate","region":"eu-west-1","secret_key":"planted-s3-0005","token":"planted-s3-0006"}`,
	"pg":      `{"conn_str":"postgres://u:planted-pg-0001@h/db?sslpassword=planted-pg-0002","schema_name":"kept_schema"}`,
	"http":    `{"address":"https://user:planted-http-1@kept.example.com:8443/kept-path?token=planted-http-2#planted-http-3","password":"planted-http-4","username":"planted-http-5"}`,
	"azurerm": `{"access_key":"planted-az-0001","client_secret":{"x":["planted-az-0002"]},"container_name":"kept-container","key":"kept.tfstate","resource_group_name":"kept-rg","storage_account_name":"keptaccount"}`,
	"remote":  `{"hostname":"planted-tok-1@kept.example.org","organization":"kept-org","token":"planted-tfe-0001","workspaces":{"extra":"planted-tfe-0002","name":"kept-ws","tags":["kept-tag"]}}`,
	"odd":     `{"address":"postgres://u:planted-odd1/x@h","bucket":{"secret":"planted-odd-002"},"key":["planted-odd-003"],"path":"s3://u:planted-odd-004@kept-bucket/kept"}`,
}

const remoteOutputs = `{"db_password":"planted-out-0001","nested":{"api":["planted-out-0002"],"planted-key-0003":true},"number":731946528,"vpc_id":"vpc-0a1b2c3d4e5f"}`

// remotePlan is a plan with the data source everywhere where it can be. Another resource uses
// what it has read.
func remotePlan(config string) string {
	values := `{"backend":"s3","config":` + config + `,"defaults":{"d":"planted-def-0001"},"outputs":` + remoteOutputs + `,"workspace":"prod"}`
	data := `{"address":"data.terraform_remote_state.r","mode":"data","type":"terraform_remote_state","name":"r","provider_name":"terraform.io/builtin/terraform","schema_version":0,"values":` + values + `,"sensitive_values":{"config":{},"outputs":{"nested":{}}}}`
	user := `{"address":"x_y.z","mode":"managed","type":"x_y","name":"z","provider_name":"registry.opentofu.org/x/x","schema_version":0,"values":{"text":"uses planted-out-0001","vpc_id":"vpc-0a1b2c3d4e5f"},"sensitive_values":{}}`
	return `{"format_version":"1.2","terraform_version":"1.12.6","planned_values":{"root_module":{"resources":[` + user + `]}},` +
		`"resource_changes":[{"address":"data.terraform_remote_state.r","mode":"data","type":"terraform_remote_state","name":"r","provider_name":"terraform.io/builtin/terraform","change":{"actions":["read"],"before":null,"after":` + values + `,"after_unknown":{"outputs":true},"before_sensitive":false,"after_sensitive":{"config":{},"outputs":{"nested":{}}}}}],` +
		`"prior_state":{"format_version":"1.0","terraform_version":"1.12.6","values":{"root_module":{"resources":[` + data + `]}}},` +
		`"configuration":{"root_module":{"resources":[{"address":"data.terraform_remote_state.r","mode":"data","type":"terraform_remote_state","name":"r","provider_config_key":"terraform","expressions":{"backend":{"constant_value":"s3"},"config":{"constant_value":` + config + `},"defaults":{"constant_value":{"d":"planted-def-0001"}},"workspace":{"constant_value":"prod"}},"schema_version":0}]}},"timestamp":"2026-01-01T00:00:00Z"}`
}

// kept returns the words of a text that begin with kept.
func kept(text string) (words []string) {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("\" :@/?", r) }) {
		if strings.HasPrefix(word, "kept") {
			words = append(words, word)
		}
	}
	return words
}

func TestRemoteState(t *testing.T) {
	for name, config := range remoteConfigs {
		var compact bytes.Buffer
		if err := json.Compact(&compact, []byte(config)); err != nil {
			t.Fatal(name, err)
		}
		config := compact.String()
		for _, schemas := range []*planjson.Schemas{nil, new(planjson.Schemas)} {
			for _, keep := range []redact.Unmarked{0, redact.All} {
				p, err := planjson.DecodePlan([]byte(remotePlan(config)))
				if err != nil {
					t.Fatal(name, err)
				}
				r := redact.Redactor{Schemas: schemas, Keep: keep}
				if _, err := r.Plan(p); err != nil {
					t.Fatal(name, err)
				}
				src, _ := planjson.Encode(p)
				checkRemote(t, fmt.Sprintf("%s, schemas %v, keep %v", name, schemas != nil, keep != 0), string(src), config, 3, keep != 0)
			}
		}
	}
}

// checkRemote looks for planted secrets, and for what must stay times times.
func checkRemote(t *testing.T, name, got, config string, times int, keep bool) {
	t.Helper()
	if keep {
		if !strings.Contains(got, "planted-out-0001") || !strings.Contains(got, "731946528") {
			t.Errorf("%s: the outputs are hidden\n%s", name, got)
		}
		for _, out := range []string{"planted-out", "planted-key", "planted-def"} {
			got = strings.ReplaceAll(got, out, "")
		}
		got = strings.ReplaceAll(got, "731946528", "")
	}
	if i := strings.Index(got, "planted"); i >= 0 {
		t.Errorf("%s: %s is left\n%s", name, got[i:i+15], got)
	}
	if strings.Contains(got, "731946528") {
		t.Errorf("%s: the number is left", name)
	}
	for _, word := range kept(config) {
		if n := strings.Count(got, word); n < times {
			t.Errorf("%s: %s is left only %d times\n%s", name, word, n, got)
		}
	}
	for _, want := range []string{`"workspace":"prod"`, `"db_password":`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s is gone\n%s", name, want, got)
		}
	}
}

// TestRemoteStateFile does the same in states as the tools save them, and in those of Terraform
// 0.11. What is written has types that fit.
func TestRemoteStateFile(t *testing.T) {
	for name, config := range remoteConfigs {
		var compact bytes.Buffer
		if err := json.Compact(&compact, []byte(config)); err != nil {
			t.Fatal(name, err)
		}
		attributes := `{"backend":"s3","config":{"value":` + compact.String() + `,"type":"dynamic"},"defaults":null,"outputs":{"value":` + remoteOutputs + `,"type":"dynamic"},"workspace":"prod"}`
		src := `{"version":4,"terraform_version":"1.12.6","serial":1,"lineage":"l","outputs":{},"resources":[{"mode":"data","type":"terraform_remote_state","name":"r","provider":"provider[\"terraform.io/builtin/terraform\"]","instances":[{"schema_version":0,"attributes":` + attributes + `,"sensitive_attributes":[]}]}],"check_results":null}`
		for _, keep := range []redact.Unmarked{0, redact.All} {
			f, err := statefile.Decode([]byte(src))
			if err != nil {
				t.Fatal(name, err)
			}
			var pointers []string
			r := redact.Redactor{Keep: keep, Report: func(e redact.Entry) { pointers = append(pointers, e.Pointer) }}
			if _, err := r.StateFile(f); err != nil {
				t.Fatal(name, err)
			}
			text, _ := statefile.Encode(f)
			checkRemote(t, name, string(text), compact.String(), 1, keep != 0)
			for _, p := range pointers {
				if !strings.HasPrefix(p, "/resources/0/instances/0/attributes/config/value/") && !strings.HasPrefix(p, "/resources/0/instances/0/attributes/outputs/value/") {
					t.Errorf("%s: the pointer %s", name, p)
				}
			}
			again := statefile.Clone(f)
			if _, err := r.StateFile(again); err != nil || !statefile.Equal(f, again) {
				t.Errorf("%s: redacted again it is another state: %v", name, err)
			}
		}
	}
	old := `{"version":3,"terraform_version":"0.11.14","serial":1,"lineage":"l","modules":[{"path":["root"],"outputs":{},"resources":{"data.terraform_remote_state.r":{"type":"terraform_remote_state","depends_on":[],"primary":{"id":"2020-01-01 00:00:00 +0000 UTC","attributes":{"backend":"s3","config.%":"3","config.bucket":"kept-bucket","config.secret_key":"planted-old-0001","config.address":"https://u:planted-old-0002@h","db_password":"planted-old-0003","id":"2020","workspace":"default"},"meta":{},"tainted":false},"deposed":[],"provider":"provider.terraform"}},"depends_on":[]}]}`
	f, err := statefile.Decode([]byte(old))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (redact.Redactor{}).StateFile(f); err != nil {
		t.Fatal(err)
	}
	if text, _ := statefile.Encode(f); bytes.Contains(text, []byte("planted")) || !bytes.Contains(text, []byte("kept-bucket")) {
		t.Errorf("%s", text)
	}
}

// TestRemoteStateVariables asks which variables stay that only the settings of a remote state use:
// those that name places.
func TestRemoteStateVariables(t *testing.T) {
	src := `{"format_version":"1.2","variables":{"bucket":{"value":"kept-bucket-99"},"secret":{"value":"planted-var-0001"}},"planned_values":{"root_module":{}},` +
		`"prior_state":{"format_version":"1.0","values":{"root_module":{"resources":[{"address":"data.terraform_remote_state.r","mode":"data","type":"terraform_remote_state","name":"r","provider_name":"terraform.io/builtin/terraform","schema_version":0,` +
		`"values":{"backend":"s3","config":{"bucket":"kept-bucket-99","secret_key":"planted-var-0001"},"outputs":{}},"sensitive_values":{"config":{},"outputs":{}}}]}}},` +
		`"configuration":{"root_module":{"variables":{"bucket":{},"secret":{}},"resources":[{"address":"data.terraform_remote_state.r","mode":"data","type":"terraform_remote_state","name":"r","provider_config_key":"terraform","expressions":{"config":{"references":["var.bucket","var.secret"]}},"schema_version":0}]}}}`
	p, err := planjson.DecodePlan([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (redact.Redactor{}).Plan(p); err != nil {
		t.Fatal(err)
	}
	if text, _ := planjson.Encode(p); bytes.Contains(text, []byte("planted")) || bytes.Count(text, []byte("kept-bucket-99")) != 2 {
		t.Errorf("%s", text)
	}
}
