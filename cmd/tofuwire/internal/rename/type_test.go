// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rename

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson/statefile"
)

func program(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = Run(args, strings.NewReader(""), &out, &errs)
	return status, out.String(), errs.String()
}

const typedState = `{"version":4,"terraform_version":"1.9.0","serial":3,"lineage":"l","outputs":{},"resources":[` +
	`{"mode":"managed","type":"old_a","name":"a","provider":"provider[\"registry.terraform.io/acme/old\"]","instances":[{"index_key":"k","schema_version":0,"attributes":{"id":"i-1"}},{"index_key":"k","deposed":"0000000a","schema_version":0,"attributes":{"id":"i-0"}}]},` +
	`{"mode":"managed","type":"old_a","name":"f","provider":"provider[\"registry.terraform.io/acme/old\"]","instances":[{"schema_version":0,"attributes_flat":{"id":"i-2"}}]},` +
	`{"mode":"data","type":"old_a","name":"d","provider":"provider[\"registry.terraform.io/acme/old\"]","instances":[{"schema_version":0,"attributes":{"id":null}}]}],"check_results":null}`

func TestType(t *testing.T) {
	const text = "resource \"old_a\" \"a\" {\n  for_each = toset([\"k\"])\n}\n\nresource \"old_a\" \"f\" {}\n"
	dir := write(t, map[string]string{"main.tf": text})
	status, out, errs := program("old_a", "-type", "new_b", dir)
	if status != 0 || !strings.Contains(out, "+resource \"new_b\" \"a\" {") || !strings.Contains(out, "+  to   = new_b.f") || !strings.HasPrefix(errs, "tofuwire rename: the provider of new_b has to support the move from old_a; OpenTofu moves between types since 1.10, Terraform since 1.8\n") {
		t.Errorf("%d %s%s", status, out, errs)
	}
	status, out, errs = program("-type", "-w", "old_a", "new_b", dir)
	changed, err := os.ReadFile(filepath.Join(dir, "main.tf"))
	if status != 0 || out != "" || err != nil || !strings.Contains(string(changed), "resource \"new_b\" \"f\"") {
		t.Errorf("%d %s%s%s %v", status, out, errs, changed, err)
	}
}

// TestTypeRemoved imports what a state has, which may be encrypted.
func TestTypeRemoved(t *testing.T) {
	const text = "resource \"old_a\" \"a\" {\n  for_each = toset([\"k\"])\n}\n\nresource \"old_a\" \"f\" {}\n"
	const passphrase = "a passphrase of the tests"
	sealed, err := statefile.Encrypt(t.Context(), []byte(typedState), passphrase)
	if err != nil {
		t.Fatal(err)
	}
	dir := write(t, map[string]string{
		"main.tf": text, "state": typedState, "sealed": string(sealed), "pass": passphrase + "\n",
		"noid": strings.Replace(typedState, `{"id":"i-1"}`, `{"name":"x"}`, 1),
	})
	at := func(name string) string { return filepath.Join(dir, name) }
	want := "\nremoved {\n  from = old_a.a\n\n  lifecycle {\n    destroy = false\n  }\n}\n\nimport {\n  to = new_b.a[\"k\"]\n  id = \"i-1\"\n}\n\nremoved {\n  from = old_a.f\n\n  lifecycle {\n    destroy = false\n  }\n}\n\nimport {\n  to = new_b.f\n  id = \"i-2\"\n}\n"
	for _, args := range [][]string{{"-removed", at("state")}, {"-removed", at("sealed"), "-passphrase-file", at("pass")}} {
		status, out, errs := program(append(args, "-type", "-w", "old_a", "new_b", dir)...)
		changed, err := os.ReadFile(at("main.tf"))
		if status != 0 || out != "" || err != nil || string(changed) != strings.ReplaceAll(text, "\"old_a\"", "\"new_b\"")+want || !strings.Contains(errs, "tofuwire rename: the deposed object 0000000a of old_a.a[\"k\"] is forgotten") {
			t.Errorf("%v: %d %s%s%s %v", args, status, out, errs, changed, err)
		}
		if err := os.WriteFile(at("main.tf"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		status int
		want   string
		args   []string
	}{
		{1, `old_a.a["k"] has no id`, []string{"-type", "-removed", at("noid"), "old_a", "new_b", dir}},
		{1, "none", []string{"-type", "-removed", at("none"), "old_a", "new_b", dir}},
		{1, "sealed", []string{"-type", "-removed", at("sealed"), "old_a", "new_b", dir}},
		{1, "none", []string{"-type", "-removed", at("sealed"), "-passphrase-file", at("none"), "old_a", "new_b", dir}},
		{1, "no resource", []string{"-type", "other_a", "new_b", dir}},
		{2, "-removed is for -type", []string{"-removed", at("state"), "old_a", "new_b", dir}},
		{2, "-passphrase-file is for -removed", []string{"-type", "-passphrase-file", at("pass"), "old_a", "new_b", dir}},
		{2, "-all-values is for variables", []string{"-type", "-all-values", "old_a", "new_b", dir}},
	} {
		status, out, errs := program(append([]string{"-w"}, tt.args...)...)
		text2, err := os.ReadFile(at("main.tf"))
		if status != tt.status || out != "" || !strings.Contains(errs, tt.want) || strings.Count(errs, "\n") != 1 || err != nil || string(text2) != text {
			t.Errorf("%v: %d %s%s, %v", tt.args, status, out, errs, err)
		}
	}
}

func TestAllValues(t *testing.T) {
	dir := write(t, map[string]string{"main.tf": "variable \"v\" {}\n", "env/prod.tfvars": "v = 1\n"})
	status, _, errs := program("-w", "-all-values", "var.v", "var.w", dir)
	if text, err := os.ReadFile(filepath.Join(dir, "env", "prod.tfvars")); status != 0 || err != nil || string(text) != "w = 1\n" {
		t.Errorf("%d %s%s %v", status, errs, text, err)
	}
}
