// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/plantest"
	"github.com/tofuwire/tofuwire/planjson"
)

func onlyErr[D planjson.Document](decode func([]byte) (D, error)) func([]byte) error {
	return func(text []byte) error {
		_, err := decode(text)
		return err
	}
}

var decoders = map[string]func([]byte) error{
	"plan": onlyErr(planjson.DecodePlan), "state": onlyErr(planjson.DecodeState), "config": onlyErr(planjson.DecodeConfig), "schemas": onlyErr(planjson.DecodeSchemas),
	"functions": onlyErr(planjson.DecodeFunctions), "validate": onlyErr(planjson.DecodeValidate), "version": onlyErr(planjson.DecodeVersion), "outputs": onlyErr(planjson.DecodeOutputs),
	"modules": onlyErr(planjson.DecodeModules), "workspaces": onlyErr(planjson.DecodeWorkspaces), "state-show": onlyErr(planjson.DecodeStateShow),
	"renderer-plan": onlyErr(planjson.DecodeRendererPlan), "renderer-state": onlyErr(planjson.DecodeRendererState),
}

// Each decoder refuses the recordings of all other kinds. A state without
// resources and an empty list of outputs say nothing clearly.
func TestOtherKinds(t *testing.T) {
	refused := 0
	for _, r := range plantest.Recordings(t, "testdata") {
		kind := planjson.DocumentKind(r.Text)
		if len(r.Text) > 300_000 || kind == "" || strings.Contains(r.Name, "empty") || strings.Contains(r.Name, "destroyed") || kind == "state" && !strings.Contains(string(r.Text), `"values"`) {
			continue
		}
		for other, decode := range decoders {
			err := decode(r.Text)
			if (err == nil) != (other == kind) {
				t.Errorf("%s, a %s, as %s: %v", r.Name, kind, other, err)
			}
			var e *planjson.Error
			if other != kind && err != nil {
				refused++
				if !errors.As(err, &e) || !errors.Is(err, planjson.ErrKind) || !strings.Contains(err.Error(), ", not ") {
					t.Errorf("%s as %s: %v", r.Name, other, err)
				}
			}
		}
	}
	if refused < 500 {
		t.Errorf("only %d documents were refused", refused)
	}
}

func TestDocumentKind(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: "outputs", `{"format_version":"1.0"}`: "state", `{"format_version":"1.0","x":1}`: "", `[]`: "", ``: "", `null`: "", `{"a"`: "outputs",
		`{"a":{"sensitive":false,"type":"string","value":"x"}}`:                "outputs",
		`{"resource_changes":{"sensitive":false,"type":"string","value":"x"}}`: "outputs",
		`{"version":4,"serial":3,"lineage":"x","outputs":{}}`:                  "tfstate",
		`{"@level":"info","@message":"x","type":"version"}`:                    "ui",
		`{"plan_format_version":"1.2","resource_changes":[]}`:                  "renderer-plan",
		`{"state_format_version":"1.0","root_module":{}}`:                      "renderer-state",
		`{"root_module":{}}`:                                                     "config",
		`{"format_version":"1.0","provider_schemas":{}}`:                         "schemas",
		`{"resource_changes":null}`:                                              "",
		`{"format_version":"1.2","plann\u0065d_values":{}}`:                      "plan",
		`{"format_version":"1.0","valid":true,"error_count":0,"diagnostics":[]}`: "validate",
		`{"terraform_version":"1.12.6","platform":"a","provider_selections":{}}`: "version",
		`{"format_version":"1.0","modules":[]}`:                                  "modules",
		`{"format_version":"1.0","workspaces":[],"diagnostics":[]}`:              "workspaces",
		`{"format_version":"1.0","resource":{"address":"a.b"},"diagnostics":[]}`: "state-show",
		`{"format_version":"1.0","function_signatures":{}}`:                      "functions",
		`{"format_version":"1.0","terraform_version":"1.12.6","values":{}}`:      "state",
	} {
		if got := planjson.DocumentKind([]byte(text)); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
	// Documents that are not clearly of another kind decode.
	for _, text := range []string{`{}`, `{"format_version":"1.2"}`, `{"format_version":"1.2","x":{"y":1}}`, `{"resource_changes":null,"values":{},"planned_values":{}}`} {
		if _, err := planjson.DecodePlan([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	// The value of one output can be anything.
	if _, err := planjson.DecodeOutputs([]byte(`{"modules":["a"],"values":{}}`)); err != nil {
		t.Error(err)
	}
	_, err := planjson.DecodePlan([]byte(`{"version":4,"terraform_version":"1.12.6","serial":3,"lineage":"x","outputs":{},"resources":[]}`))
	if got, want := err.Error(), "the document is the file terraform.tfstate, not a plan"; !strings.HasSuffix(got, want) {
		t.Errorf("got %s", got)
	}
}
