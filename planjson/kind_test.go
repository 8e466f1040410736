// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tofuwire/tofuwire/internal/testing/plantest"
	"github.com/tofuwire/tofuwire/planjson"
)

func onlyErr[D planjson.Document](decode func([]byte) (D, error)) func([]byte) error {
	return func(text []byte) error {
		_, err := decode(text)
		return err
	}
}

var decoders = map[planjson.DocumentKind]func([]byte) error{
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
		kind := planjson.KindOf(r.Text)
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

// The streaming readers and encoding/json refuse what the decoders refuse, and a
// stream hands out nothing of it.
func TestOtherKindsInStreams(t *testing.T) {
	handed := 0
	resource := func(*planjson.Resource) error { handed++; return nil }
	change := func(*planjson.ResourceChange) error { handed++; return nil }
	readers := map[string]func(string) error{
		"plan": func(text string) error {
			return planjson.ReadPlan(strings.NewReader(text), planjson.PlanReader{PlannedResource: resource, ResourceChange: change, ResourceDrift: change, PriorResource: resource,
				OutputChange: func(string, *planjson.Change) error { handed++; return nil }})
		},
		"state": func(text string) error {
			return planjson.ReadState(strings.NewReader(text), planjson.StateReader{Resource: resource})
		},
		"plan of changes": func(text string) (err error) {
			for _, err = range planjson.ResourceChanges(iotest.OneByteReader(strings.NewReader(text))) {
			}
			return err
		},
		"plan unread":            func(text string) error { return planjson.ReadPlan(strings.NewReader(text), planjson.PlanReader{}) },
		"plan by encoding/json":  func(text string) error { return json.Unmarshal([]byte(text), new(planjson.Plan)) },
		"state by encoding/json": func(text string) error { return json.Unmarshal([]byte(text), new(planjson.State)) },
		"schemas by encoding/json": func(text string) error {
			return json.Unmarshal([]byte(text), new(planjson.Schemas))
		},
	}
	refused := 0
	for _, r := range plantest.Recordings(t, "testdata") {
		if len(r.Text) > 100_000 || planjson.KindOf(r.Text) == "" {
			continue
		}
		for name, read := range readers {
			kind, _, _ := strings.Cut(name, " ")
			handed = 0
			want, got := decoders[planjson.DocumentKind(kind)](r.Text), read(string(r.Text))
			if (want == nil) != (got == nil) || got != nil && !errors.Is(got, planjson.ErrKind) || got != nil && handed > 0 {
				t.Errorf("%s as %s: %v, decoded: %v, %d parts", r.Name, name, got, want, handed)
			}
			if got != nil {
				refused++
			}
		}
	}
	if refused < 300 {
		t.Errorf("only %d documents were refused", refused)
	}
	for text, want := range map[string]bool{
		`{}`: true, `{"format_version":"1.2"}`: true, `{"format_version":"1.2","x":{"value":1,"sensitive":false}}`: true,
		`{"a":{"value":1,"sensitive":false},"b":{"sensitive":true,"value":null}}`: false, `{"a":{"value":1,"sensitive":false},"b":3}`: true,
		`{"values":{},"planned_values":{}}`: true, `{"plan_format_version":"1.2","resource_changes":[{}]}`: false,
		`{"version":4,"serial":-3,"lineage":"x"}`: false,
	} {
		handed = 0
		err := readers["plan"](text)
		if (err == nil) != want || handed > 0 && !want {
			t.Errorf("%s: %v, %d parts", text, err, handed)
		}
	}
	// What is refused leaves the value alone.
	s := planjson.State{FormatVersion: "0.9"}
	if err := json.Unmarshal([]byte(`{"format_version":"1.2","planned_values":{}}`), &s); err == nil || s.FormatVersion != "0.9" {
		t.Errorf("%v, %q", err, s.FormatVersion)
	}
}

func TestKindOf(t *testing.T) {
	for text, want := range map[string]planjson.DocumentKind{
		`{}`: "outputs", `{"format_version":"1.0"}`: "state", `{"format_version":"1.0","x":1}`: "", `[]`: "", ``: "", `null`: "", `{"a"`: "", `{`: "", `{"`: "", "{\n  \"seria": "", `{"a":`: "", `{"a":{"value":1,"sensitive":false},"resou`: "outputs",
		"\ufeff" + `{"format_version":"1.0","provider_schemas":{}}`: "schemas", "\ufeff{}": "outputs",
		`{"format_version":"1.2","terraform_version":"1.1`: "", `{"format_version":"1.2","planned_values":{"outp`: "plan",
		`{"serial":3,"lineage":"x","meta":{"key_prov`: "encrypted", `{"serial":3,"lineage":"x","meta":{},"encrypted_data":"eA`: "encrypted", `{"serial":3,"lineage":"x"`: "",
		`{"version":4,"serial":3,"lineage":"x","outputs":{"meta":{`: "statefile", `{"version":4,"serial":3`: "statefile",
		`{"a":{"sensitive":false,"type":"string","value":"x"}}`:                                       "outputs",
		`{"resource_changes":{"sensitive":false,"type":"string","value":"x"}}`:                        "outputs",
		`{"version":4,"serial":3,"lineage":"x","outputs":{}}`:                                         "statefile",
		`{"version":3,"serial":0,"modules":[{"path":["root"]}]}`:                                      "statefile", // of Terraform 0.11
		`{"version":1,"serial":1,"modules":[]}`:                                                       "statefile",
		`{"serial":3,"lineage":"x","meta":{},"encrypted_data":"eA==","encryption_version":"v0"}`:      "encrypted", // a state
		`{"meta":{"key_provider.pbkdf2.p":"e30="},"encrypted_data":"eA==","encryption_version":"v0"}`: "encrypted", // a saved plan
		"PK\x03\x04\x14": "planfile",
		"{\"@level\":\"info\"}\n{\"@level\":\"info\"}\n":                         "ui",
		`{"serial":"3","lineage":"x"}`:                                           "",
		`{"resource":{"aws_vpc":{"a":{}}}}`:                                      "", // a configuration
		`{"@level":"info","@message":"x","type":"version"}`:                      "ui",
		`{"plan_format_version":"1.2","resource_changes":[]}`:                    "renderer-plan",
		`{"state_format_version":"1.0","root_module":{}}`:                        "renderer-state",
		`{"root_module":{}}`:                                                     "config",
		`{"format_version":"1.0","provider_schemas":{}}`:                         "schemas",
		`{"resource_changes":null}`:                                              "",
		`{"format_version":"1.2","plann\u0065d_values":{}}`:                      "plan",
		`{"format_version":"1.0","valid":true,"error_count":0,"diagnostics":[]}`: "validate",
		`{"terraform_version":"1.12.6","platform":"a","provider_selections":{}}`: "version",
		`{"format_version":"1.0","modules":[]}`:                                  "modules",
		`{"format_version":"1.0","modules":null}`:                                "modules",
		`{"format_version":"1.0","workspaces":[],"diagnostics":[]}`:              "workspaces",
		`{"format_version":"1.0","resource":{"address":"a.b"},"diagnostics":[]}`: "state-show",
		`{"format_version":"1.0","function_signatures":{}}`:                      "functions",
		`{"format_version":"1.0","terraform_version":"1.12.6","values":{}}`:      "state",
	} {
		if got := planjson.KindOf([]byte(text)); got != want {
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
	for _, text := range []string{`{"modules":["a"],"values":{}}`, `{"serial":1,"lineage":"x"}`} {
		if _, err := planjson.DecodeOutputs([]byte(text)); err != nil {
			t.Error(err)
		}
	}
	if _, err := planjson.DecodeModules([]byte(`{"version":3,"serial":0,"modules":[]}`)); !errors.Is(err, planjson.ErrKind) {
		t.Errorf("a file of Terraform 0.11 as a list of modules: %v", err)
	}
	_, err := planjson.DecodePlan([]byte(`{"version":4,"terraform_version":"1.12.6","serial":3,"lineage":"x","outputs":{},"resources":[]}`))
	if got, want := err.Error(), "the document is the file terraform.tfstate, not a plan"; !strings.HasSuffix(got, want) {
		t.Errorf("got %s", got)
	}
}

// Wherever a document is cut, its kind is the one that it has, or none: the beginning of
// a name decides nothing. Once the kind is known it stays.
func TestKindOfCut(t *testing.T) {
	encrypted := `{"serial":3,"lineage":"x","meta":{"key_provider.pbkdf2.p":"e30="},"encrypted_data":"` + strings.Repeat("eA", 40) + `","encryption_version":"v0"}`
	texts := []string{
		encrypted,
		`{"version":4,"terraform_version":"1.11.4","serial":1,"lineage":"x","outputs":{},"resources":[]}`,
		`{"format_version":"1.2","terraform_version":"1.11.4","planned_values":{"root_module":{}},"resource_changes":[]}`,
		`{"format_version":"1.0","provider_schemas":{"x":{}}}`, `{"format_version":"1.0","terraform_version":"1.12.6","values":{"root_module":{}}}`,
	}
	for _, text := range texts {
		whole := planjson.KindOf([]byte(text))
		if whole == "" {
			t.Fatal(text)
		}
		last := planjson.DocumentKind("")
		for n := range len(text) {
			got := planjson.KindOf([]byte(text[:n]))
			if got != "" && got != whole || got == "" && last != "" {
				t.Errorf("%s: got %q after %q, the whole is %q", text[:n], got, last, whole)
			}
			last = got
		}
		if n := strings.Index(text, "eAeA"); n > 0 && planjson.KindOf([]byte(text[:n+1])) != whole {
			t.Errorf("cut in its data, it is no encrypted state: %s", text[:n+1])
		}
	}
}

// A byte order mark does not hide the kind, and the decoders name it with its place.
func TestKindOfMark(t *testing.T) {
	for _, r := range plantest.Recordings(t, "testdata") {
		kind := planjson.KindOf(r.Text)
		if kind == "" || len(r.Text) > 10_000 {
			continue
		}
		text := append([]byte("\ufeff"), r.Text...)
		if got := planjson.KindOf(text); got != kind {
			t.Errorf("%s: got %q, want %q", r.Name, got, kind)
		}
		var e *planjson.Error
		if err := decoders[kind](text); !errors.As(err, &e) || e.Line != 1 || e.Column != 1 || !strings.Contains(err.Error(), "byte order mark") {
			t.Errorf("%s: %v", r.Name, err)
		}
	}
}

// Decode gives what the Decode function of the document's kind gives.
func TestDecode(t *testing.T) {
	types := map[planjson.DocumentKind]string{}
	for _, r := range plantest.Recordings(t, "testdata") {
		kind := planjson.KindOf(r.Text)
		if kind == "" {
			continue // an output alone
		}
		doc, err := planjson.Decode(r.Text)
		if want := decoders[kind](r.Text); err != nil || want != nil {
			t.Errorf("%s, a %s: %v, %v", r.Name, kind, err, want)
			continue
		}
		types[kind] = fmt.Sprintf("%T", doc)
		if again, err := doc.MarshalJSON(); err != nil || !bytes.Equal(again, bytes.TrimSpace(r.Text)) {
			t.Errorf("%s: encoded with %v", r.Name, err)
		}
	}
	for _, text := range []string{
		`{"format_version":"1.0","workspaces":[],"diagnostics":[]}`, `{"format_version":"1.0","resource":{"address":"a.b"},"diagnostics":[]}`,
		`{"plan_format_version":"1.2","resource_changes":[]}`, `{"state_format_version":"1.0","root_module":{}}`,
		`{"terraform_version":"1.12.6","platform":"a","provider_selections":{}}`,
	} {
		doc, err := planjson.Decode([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		types[planjson.KindOf([]byte(text))] = fmt.Sprintf("%T", doc)
	}
	want := map[planjson.DocumentKind]string{
		"plan": "*planjson.Plan", "state": "*planjson.State", "config": "*planjson.Config", "schemas": "*planjson.Schemas", "functions": "*planjson.Functions",
		"validate": "*planjson.Validate", "version": "*planjson.Version", "outputs": "*planjson.Outputs", "modules": "*planjson.Modules",
		"workspaces": "*planjson.Workspaces", "state-show": "*planjson.StateShow", "renderer-plan": "*planjson.RendererPlan", "renderer-state": "*planjson.RendererState",
	}
	if !maps.Equal(types, want) {
		t.Errorf("got %v", types)
	}
}

// Decode says what to do with a text that is no document of the package.
func TestDecodeOthers(t *testing.T) {
	for text, want := range map[string]string{
		`{"version":4,"serial":3,"lineage":"x","outputs":{},"resources":[]}`:                     "planjson: line 1, column 1: the text is the file terraform.tfstate: package planjson/statefile decodes it",
		`{"serial":3,"lineage":"x","meta":{},"encrypted_data":"eA==","encryption_version":"v0"}`: "planjson: line 1, column 1: the text is encrypted by OpenTofu: package planjson/statefile decrypts it",
		"{\"@level\":\"info\",\"@message\":\"x\"}\n{\"@level\":\"info\",\"@message\":\"y\"}\n":   "planjson: line 1, column 1: the text is a message of the -json stream: package uijson reads it",
		"PK\x03\x04\x14\x00":                `planjson: line 1, column 1: the text is a zip: "show -json" prints what is in a saved plan`,
		`{"resource":{"aws_vpc":{"a":{}}}}`: "planjson: line 1, column 1: the text is JSON that is no document of the tools",
		`"output"`:                          "planjson: line 1, column 1: the text is JSON that is no document of the tools",
	} {
		doc, err := planjson.Decode([]byte(text))
		if doc != nil || err == nil || err.Error() != want || !errors.Is(err, planjson.ErrKind) {
			t.Errorf("%s: got %v, %v, want %s", text, doc, err, want)
		}
	}
	for text, want := range map[string]string{
		``: "planjson: line 1, column 1: unexpected end", "Plan: 1 to add": "planjson: line 1, column 1: ", "{\n x": "planjson: line 2, column 2: ", `{"resource_changes":[{"address":1}]}`: "(/resource_changes/0/address): unexpected kind of value: expected a string",
	} {
		doc, err := planjson.Decode([]byte(text))
		if doc != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, %v, want %s", text, doc, err, want)
		}
	}
	// A decoder of one kind says the same of a stream.
	_, err := planjson.DecodePlan([]byte("{\"@level\":\"info\"}\n{\"@level\":\"info\"}\n"))
	if want := "the document is a message of the -json stream, not a plan"; err == nil || !strings.HasSuffix(err.Error(), want) || !errors.Is(err, planjson.ErrKind) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// What is beside states and plans has a name, and every decoder says what to do.
func TestKindOf_Beside(t *testing.T) {
	for text, want := range map[string]struct {
		kind planjson.DocumentKind
		hint string
	}{
		`{"remote_plan_format":1,"run_id":"run-1","hostname":"app.terraform.io"}`:                                                         {planjson.DocumentCloudPlan, `"show -json" of the file prints the plan`},
		`{"ID":"1","Operation":"OperationTypeApply","Info":"","Who":"a@b","Version":"1.12.6","Created":"2026-01-01T00:00:00Z","Path":""}`: {planjson.DocumentLockInfo, "lock"},
		`{"version":3,"terraform_version":"1.11.4","backend":{"type":"s3","config":{},"hash":1}}`:                                         {planjson.DocumentBackend, "state pull"},
		`{"version":3,"serial":1,"lineage":"l","backend":{},"modules":[{"path":["root"],"outputs":{},"resources":{}}]}`:                   {planjson.DocumentBackend, "state pull"},
	} {
		if got := planjson.KindOf([]byte(text)); got != want.kind {
			t.Errorf("%s: %s", text, got)
		}
		found, err := planjson.Find([]byte("a line\n" + text + "\n"))
		if err != nil || found.Kind != want.kind {
			t.Errorf("%s: %+v, %v", text, found, err)
		}
		for name, decode := range map[string]func([]byte) error{
			"plan":   func(b []byte) error { _, err := planjson.DecodePlan(b); return err },
			"state":  func(b []byte) error { _, err := planjson.DecodeState(b); return err },
			"output": func(b []byte) error { _, err := planjson.DecodeOutputs(b); return err },
			"any":    func(b []byte) error { _, err := planjson.Decode(b); return err },
		} {
			if err := decode([]byte(text)); !errors.Is(err, planjson.ErrKind) || !strings.Contains(err.Error(), want.hint) {
				t.Errorf("%s as %s: %v", text, name, err)
			}
		}
	}
	for _, text := range []string{
		`{"version":3,"serial":1,"lineage":"l","backend":{},"modules":[{"path":["root"],"outputs":{"a":{}},"resources":{}}]}`,
		`{"version":3,"modules":[{"path":["root"],"outputs":{},"resources":{"a.b":{}}}]}`,
	} {
		if got := planjson.KindOf([]byte(text)); got != planjson.DocumentStateFile {
			t.Errorf("%s: %s", text, got)
		}
	}
}
