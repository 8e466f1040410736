// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
)

// wrapped is a file as hcl2json writes it.
const wrapped = `{
  "terraform": [{"required_providers": [{"lab": {"source": "acme/lab", "configuration_aliases": ["${lab.w}"]}}]}],
  "variable": {
    "a": [{"type": "${string}", "default": "$${x"}],
    "b": [{"type": "${list(object({a = string, b = map(string)}))}", "default": "$${string}"}]
  },
  "resource": {"terraform_data": {
    "x": [{"input": "${var.a}", "triggers_replace": ["a-${var.a}", "${var.b}"], "depends_on": ["${terraform_data.y}", "terraform_data.z"],
      "lifecycle": [{"ignore_changes": ["${input}"], "create_before_destroy": true}]}],
    "y": [{"lifecycle": [{"ignore_changes": "${all}"}], "provisioner": {"local-exec": [{"command": "${var.a}", "when": "${destroy}"}]}}],
    "z": [{}]}},
  "module": {"m": [{"source": "./m", "providers": {"lab": "${lab.w}"}}]},
  "moved": [{"from": "${terraform_data.old[\"a\"]}", "to": "${terraform_data.x}"}]
}
`

const unwrapped = `terraform {
  required_providers {
    lab = {
      source                = "acme/lab"
      configuration_aliases = [lab.w]
    }
  }
}

variable "a" {
  type    = string
  default = "$$${x"
}

variable "b" {
  type    = list(object({ a = string, b = map(string) }))
  default = "$$${string}"
}

resource "terraform_data" "x" {
  input            = var.a
  triggers_replace = ["a-${var.a}", var.b]
  depends_on       = [terraform_data.y, terraform_data.z]

  lifecycle {
    ignore_changes        = [input]
    create_before_destroy = true
  }
}

resource "terraform_data" "y" {
  lifecycle {
    ignore_changes = all
  }

  provisioner "local-exec" {
    command = var.a
    when    = destroy
  }
}

resource "terraform_data" "z" {}

module "m" {
  source = "./m"
  providers = {
    lab = lab.w
  }
}

moved {
  from = terraform_data.old["a"]
  to   = terraform_data.x
}
`

func TestUnwrap(t *testing.T) {
	f, err := hclconfig.Parse("main.tf.json", []byte(wrapped))
	if err != nil {
		t.Fatal(err)
	}
	g, diags := hclconvert.ToNative(f, hclconvert.Options{Unwrap: true})
	if diags.HasErrors() {
		t.Error(diags)
	}
	if diff := cmp.Diff(unwrapped, string(g.Bytes())); diff != "" {
		t.Error(diff)
	}
	// Without the option there is one error, which says what the file is.
	_, diags = hclconvert.ToNative(f, hclconvert.Options{})
	errors := 0
	for _, d := range diags {
		if d.Severity == hclconfig.SeverityError {
			errors++
		}
	}
	if errors != 1 || !strings.Contains(fmt.Sprint(diags), "hcl2json") || !strings.Contains(fmt.Sprint(diags), "at 10 places") || !strings.Contains(fmt.Sprint(diags), "-unwrap") {
		t.Errorf("%d errors: %v", errors, diags)
	}
}
