// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBothSyntaxes writes one module in each syntax and wants the same
// findings, except the one that JSON cannot have.
func TestBothSyntaxes(t *testing.T) {
	native := `terraform {
  required_providers {
    aws = { source = "hashicorp/aws" }
    tls = { source = "hashicorp/tls", version = "~> 4.0" }
  }
}
variable "key" {
  sensitive = true
}
variable "zone" {
  description = "The zone."
}
output "key" {
  description = "The key."
  value       = "key: ${var.key}"
}
output "zone" { value = "${var.zone}" }
module "vpc" {
  source = "terraform-aws-modules/vpc/aws"
}
module "local" {
  source = "./local"
}
`
	json := `{
  "terraform": {"required_providers": {
    "aws": {"source": "hashicorp/aws"},
    "tls": {"source": "hashicorp/tls", "version": "~> 4.0"}
  }},
  "variable": {
    "key": {"sensitive": true},
    "zone": {"description": "The zone."}
  },
  "output": {
    "key": {"description": "The key.", "value": "key: ${var.key}"},
    "zone": {"value": "${var.zone}"}
  },
  "module": {
    "vpc": {"source": "terraform-aws-modules/vpc/aws"},
    "local": {"source": "./local"}
  }
}
`
	for name, c := range map[string]struct{ text, want string }{
		"main.tf": {native, `main.tf:3,5: provider aws has no version constraint
main.tf:7,1: variable key has no description
main.tf:17,1: output zone has no description
main.tf:17,25: value needs no quotes and braces
main.tf:15,25: output key shows var.key and is not marked sensitive
main.tf:7,1: variable key has no type
main.tf:10,1: variable zone has no type
main.tf:18,1: module vpc has no version
`},
		"main.tf.json": {json, `main.tf.json:3,5: provider aws has no version constraint
main.tf.json:7,5: variable key has no description
main.tf.json:12,5: output zone has no description
main.tf.json:11,57: output key shows var.key and is not marked sensitive
main.tf.json:7,5: variable key has no type
main.tf.json:8,5: variable zone has no type
main.tf.json:15,5: module vpc has no version
`},
		"broken.tf": {"variable \"x\" {\n  description = \"d\"\n  bogus = 1\n}\n", "broken.tf:3,3: Unsupported argument\nbroken.tf:1,1: var.x is not used\nbroken.tf:1,1: variable x has no type\n"},
		"clean.tf":  {"locals {\n  a = 1\n}\nresource \"terraform_data\" \"a\" {\n  input = local.a\n}\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(dir+"/"+name, []byte(c.text), 0o666); err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			n, err := run(&out, dir, false, false)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, out.String()); diff != "" || n != strings.Count(c.want, "\n") {
				t.Errorf("%d findings (-want +got):\n%s", n, diff)
			}
		})
	}
}

func TestMissingFolder(t *testing.T) {
	if _, err := run(new(strings.Builder), t.TempDir()+"/none", false, false); err == nil {
		t.Error("no error")
	}
}

// TestSensitive follows a secret through local values and a module.
func TestSensitive(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"main.tf":   "variable \"key\" {\n  description = \"The key.\"\n  type        = string\n  sensitive   = true\n}\nlocals {\n  a = local.b\n  b = \"x${var.key}\"\n}\nmodule \"m\" {\n  source = \"./m\"\n  in     = local.a\n}\noutput \"direct\" {\n  description = \"Through locals.\"\n  value       = [local.a]\n}\noutput \"through\" {\n  description = \"Through the module.\"\n  value       = module.m.out\n}\noutput \"marked\" {\n  description = \"By the module.\"\n  value       = module.m.marked\n  sensitive   = true\n}\noutput \"open\" {\n  description = \"Nothing.\"\n  value       = [module.m.open, nonsensitive(var.key)]\n}\n",
		"m/main.tf": "variable \"in\" {}\noutput \"out\" {\n  value = var.in\n}\noutput \"open\" {\n  value = 1\n}\noutput \"marked\" {\n  value     = 1\n  sensitive = true\n}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		fix  bool
		want string
	}{
		{false, "main.tf:16,18: output direct shows local.a and is not marked sensitive\nmain.tf:20,17: output through shows module.m.out and is not marked sensitive\n"},
		{true, ""},
	} {
		var out strings.Builder
		if _, err := run(&out, dir, c.fix, false); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, out.String()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
