// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/convert"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/lint"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planreport"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/redact"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/show"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/state"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/tag"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/validate"
)

// pipelines are the forms in which pipelines keep a document.
var pipelines = map[string]func(text string) string{
	"gzip": func(text string) string {
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		io.WriteString(z, text)
		z.Close()
		return out.String()
	},
	"wrapper": func(text string) string {
		return "[command]/opt/terraform-bin providers schema -json\n" + strings.TrimSpace(text) + "\n::debug::Terraform exited with code 0.\n"
	},
	"behind":   func(text string) string { return strings.TrimSpace(text) + "\ndone\n" },
	"prefixes": func(text string) string { return "2026-01-02T03:04:05.1Z " + strings.TrimSpace(text) + "\n" },
	"mark":     func(text string) string { return "\ufeff" + text },
	"UTF-16": func(text string) string {
		out := []byte("\xff\xfe")
		for _, c := range []byte(text) { // of ASCII
			out = append(out, c, 0)
		}
		return string(out)
	},
}

// TestSchemas_pipelines gives every program with -schemas the same schemas in each of these forms.
func TestSchemas_pipelines(t *testing.T) {
	const schemas = `{"format_version":"1.0","provider_schemas":{"registry.terraform.io/acme/lab":{"resource_schemas":{"lab_thing":{"version":0,"block":{"attributes":{
"name":{"type":"string","required":true,"description_kind":"plain"},"part":{"type":["map","string"],"optional":true,"description_kind":"plain"},"tags":{"type":["map","string"],"optional":true,"description_kind":"plain"},
"secret":{"type":"string","computed":true,"sensitive":true,"description_kind":"plain"}},"description_kind":"plain"}}}}}}` + "\n"
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	module := filepath.Dir(write("module/main.tf", "terraform {\n  required_providers {\n    lab = {\n      source  = \"acme/lab\"\n      version = \"1.0.0\"\n    }\n  }\n}\n\nresource \"lab_thing\" \"a\" {\n  nam = \"x\"\n}\n"))
	inJSON := filepath.Dir(write("json/main.tf.json", `{"resource":{"lab_thing":{"a":{"name":"x","part":{"k":"v"}}}}}`))
	tfstate := write("a.tfstate", `{"version":4,"terraform_version":"1.11.4","serial":1,"lineage":"l","outputs":{},"resources":[{"mode":"managed","type":"lab_thing","name":"a","provider":"provider[\"registry.terraform.io/acme/lab\"]","instances":[{"schema_version":0,"attributes":{"name":"n","secret":"hunter2"},"sensitive_attributes":[]}]}],"check_results":null}`+"\n")
	recorded, err := os.ReadFile(unzipped(t, "schemas.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	plan := recordings + "actions/plan.change.tfplan"
	for name, tt := range map[string]struct {
		run     func([]string, io.Reader, io.Writer, io.Writer) int
		args    []string
		schemas string
	}{
		"show":     {show.Run, []string{plan}, string(recorded)},
		"report":   {planreport.Run, []string{"-reveal", plan}, string(recorded)},
		"redact":   {redact.Run, []string{"statefile", tfstate}, schemas},
		"state":    {state.Run, []string{"json", tfstate}, schemas},
		"validate": {validate.Run, []string{module}, schemas},
		"lint":     {lint.Run, []string{module}, schemas},
		"tag":      {tag.Run, []string{"team=a", module}, schemas},
		"convert":  {convert.Run, []string{"-to", "native", inJSON, "OUT"}, schemas},
	} {
		run := func(schemas string) string {
			file, out := write("schemas", schemas), t.TempDir()
			args := []string{"-schemas", file}
			if name == "state" {
				args = []string{tt.args[0], "-schemas", file, tt.args[1]}
			} else {
				args = append(args, tt.args...)
			}
			if args[len(args)-1] == "OUT" {
				args[len(args)-1] = out
			}
			var stdout, stderr bytes.Buffer
			status := tt.run(args, nil, &stdout, &stderr)
			converted, _ := os.ReadFile(filepath.Join(out, "main.tf"))
			return strings.ReplaceAll(string(rune('0'+status))+"\n"+stdout.String()+stderr.String()+string(converted), out, "OUT")
		}
		want := run(tt.schemas)
		if without := run(`{"format_version":"1.0"}`); without == want {
			t.Fatalf("%s says the same without schemas:\n%s", name, want)
		}
		for form, of := range pipelines {
			if got := run(of(tt.schemas)); got != want {
				t.Errorf("%s, %s:\n%s\nwant\n%s", name, form, got, want)
			}
		}
		if got := run("log\n" + `{"format_version":"1.0","valid":true,"error_count":0,"warning_count":0,"diagnostics":[]}` + "\n"); !strings.Contains(got, `schemas: the file is not what "providers schema -json" prints`) {
			t.Errorf("%s takes another document for schemas:\n%s", name, got)
		}
	}
}

func TestDecodeSchemas_empty(t *testing.T) {
	if s, err := planfile.DecodeSchemas([]byte("log\n{\"format_version\":\"1.0\"}\n")); err != nil || s == nil {
		t.Error(err)
	}
	for _, text := range []string{"", "{}", `{"format_version":"1.0","x":1}`, "\x1f\x8b", "log", `{"format_version":"2.0","provider_schemas":{}}`} {
		if _, err := planfile.DecodeSchemas([]byte(text)); err == nil {
			t.Errorf("%q has schemas", text)
		}
	}
}
