// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func TestFixAndIgnore(t *testing.T) {
	dir := t.TempDir()
	src := `variable "key" { # lint:ignore=description,type
  sensitive = true
}

# lint:ignore=version,description the network team knows
module "vpc" {
  source = "terraform-aws-modules/vpc/aws"
}

output "key" {
  description = "The key."
  value       = "${var.key}" # why
}

output "zone" {
  # lint:ignore=interpolation
  value = "${var.key}"
}
`
	want := strings.Replace(src, `  value       = "${var.key}" # why`, "  value       = var.key # why\n  sensitive   = true", 1)
	want = strings.Replace(want, "  value = \"${var.key}\"\n", "  value     = \"${var.key}\"\n  sensitive = true\n", 1)
	if err := os.WriteFile(dir+"/main.tf", []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	n, err := run(&out, dir, true, false)
	if err != nil || n != 1 || out.String() != "main.tf:16,1: output zone has no description\n" {
		t.Errorf("%d, %v\n%s", n, err, out.String())
	}
	if got, _ := os.ReadFile(dir + "/main.tf"); string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestFixNested repairs templates in lists and objects, and in nested blocks. Keys need
// their quotes, and a template in a template is found the next time.
func TestFixNested(t *testing.T) {
	dir := t.TempDir()
	src := "resource \"a\" \"b\" {\n  c {\n    d = { \"${x.y}\" = [\"${var.e}\", \"-${var.f}\"] }\n  }\n}\n"
	if err := os.WriteFile(dir+"/main.tf", []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := run(new(strings.Builder), dir, true, false); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(dir + "/main.tf"); string(got) != strings.Replace(src, `"${var.e}"`, "var.e", 1) {
		t.Errorf("got %s", got)
	}
}

func TestIgnoreInJSON(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/a.tf.json", []byte(`{"variable": {"a": {"//": "lint:ignore=description,type,unused"}, "b": {"//": "lint:ignore=unused", "type": "string"}}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if n, err := run(&out, dir, false, false); n != 1 || err != nil || !strings.Contains(out.String(), "variable b") {
		t.Errorf("%d, %v, %s", n, err, out.String())
	}
}

func TestSARIF(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/a b.tf", []byte("/* \U0001F600 */ variable \"a\" {} # lint:ignore=type,unused\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if n, err := run(&out, dir, false, true); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	var log sarifLog
	if err := json.Unmarshal([]byte(out.String()), &log); err != nil {
		t.Fatal(err)
	}
	r := log.Runs[0].Results[0]
	at := r.Locations[0].Physical
	if log.Version != "2.1.0" || r.RuleID != "description" || log.Runs[0].Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID ||
		at.Artifact.URI != "a%20b.tf" || *at.Region != (sarifRegion{1, 9, 1, 21}) {
		t.Errorf("%s", out.String())
	}
	empty := t.TempDir()
	if err := os.WriteFile(empty+"/a.tf", []byte("locals {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	if n, err := run(&out, empty, false, true); n != 0 || err != nil || !strings.Contains(out.String(), `"results": []`) {
		t.Errorf("%d, %v, %s", n, err, out.String())
	}
}
