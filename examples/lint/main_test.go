// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBothSyntaxes writes one module in each syntax and wants the same
// findings, but for the one that JSON cannot have.
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
main.tf:18,1: module vpc has no version
`},
		"main.tf.json": {json, `main.tf.json:3,5: provider aws has no version constraint
main.tf.json:7,5: variable key has no description
main.tf.json:12,5: output zone has no description
main.tf.json:11,57: output key shows var.key and is not marked sensitive
main.tf.json:15,5: module vpc has no version
`},
		"broken.tf": {"variable \"x\" {\n  description = \"d\"\n  bogus = 1\n}\n", "broken.tf:3,3: Unsupported argument\n"},
		"clean.tf":  {"locals {\n  a = 1\n}\n", ""},
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
