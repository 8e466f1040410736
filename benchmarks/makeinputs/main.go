// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Makeinputs makes the large inputs of the benchmarks with a real tool.
//
//	go run ./makeinputs [-tool terraform] [-out inputs] [-instances 16,144,1440]
//
// For each number of instances it writes a configuration of modules that hold
// terraform_data resources (which are built in, so no provider is needed),
// applies it, changes a third of it, and keeps what "show -json" prints for
// the plan and the state, and what "apply -json" streams. About 1,440
// instances make a plan of 100 MB. The benchmarks use what they find in the folder, and
// multiply small recordings where they find nothing.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

func main() {
	tool := flag.String("tool", "terraform", "the `program` to run: tofu or terraform")
	out := flag.String("out", "inputs", "write the output of the program to this `folder`")
	instances := flag.String("instances", "16,144,1440", "numbers of instances, separated by commas")
	flag.Parse()
	for s := range strings.SplitSeq(*instances, ",") {
		n, err := strconv.Atoi(s)
		if err == nil {
			err = makeInputs(*tool, *out, n)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "makeinputs:", err)
			os.Exit(1)
		}
	}
}

// perModule is how many instances each module instance holds.
const perModule = 4

func makeInputs(tool, out string, instances int) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "makeinputs")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	run := func(keep string, args ...string) error {
		cmd := exec.Command(tool, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1")
		cmd.Stderr = os.Stderr
		if keep != "" {
			f, err := os.Create(filepath.Join(out, keep))
			if err != nil {
				return err
			}
			defer f.Close()
			cmd.Stdout = f
		}
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s %s: %w", tool, strings.Join(args, " "), err)
		}
		return nil
	}
	name := func(kind, ext string) string { return fmt.Sprintf("%s-%d.%s", kind, instances, ext) }
	if err := writeConfig(dir, instances, "first"); err != nil {
		return err
	}
	steps := []struct {
		keep string
		args []string
	}{
		{"", []string{"init", "-input=false"}},
		{"", []string{"plan", "-input=false", "-out=create.tfplan"}},
		{name("plan-create", "json"), []string{"show", "-json", "create.tfplan"}},
		{name("ui-create", "jsonl"), []string{"apply", "-json", "create.tfplan"}},
		{name("state", "json"), []string{"show", "-json"}},
	}
	for _, s := range steps {
		if err := run(s.keep, s.args...); err != nil {
			return err
		}
	}
	if err := writeConfig(dir, instances, "second"); err != nil {
		return err
	}
	if err := run("", "plan", "-input=false", "-out=change.tfplan"); err != nil {
		return err
	}
	if err := run(name("plan", "json"), "show", "-json", "change.tfplan"); err != nil {
		return err
	}
	return run(name("ui", "jsonl"), "apply", "-json", "change.tfplan")
}

// writeConfig writes the configuration. A third of the resources depends on
// generation.
func writeConfig(dir string, instances int, generation string) error {
	var keys []string
	for i := range (instances + perModule - 1) / perModule {
		keys = append(keys, fmt.Sprintf("%q", fmt.Sprintf("équipe-%c/service %04d", 'a'+i%26, i)))
	}
	root := fmt.Sprintf(`
variable "secret" {
  type      = string
  default   = "hunter2 <&>"
  sensitive = true
}

module "service" {
  source     = "./service"
  for_each   = toset([%s])
  name       = each.key
  generation = %q
  secret     = var.secret
}

output "names" {
  value = [for k, m in module.service : m.name]
}
`, strings.Join(keys, ", "), generation)
	if err := os.MkdirAll(filepath.Join(dir, "service"), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(root), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "service", "main.tf"), []byte(serviceModule), 0o644)
}

const serviceModule = `
variable "name" {
  type        = string
  description = "What the service is called"
}

variable "generation" {
  type = string
}

variable "secret" {
  type      = string
  sensitive = true
}

locals {
  subnets = [for i in range(40) : {
    cidr = cidrsubnet("10.0.0.0/8", 8, i)
    zone = "eu-west-1${["a", "b", "c"][i % 3]}"
    tags = { Name = "${var.name}/${i}", tier = i % 2 == 0 ? "public" : "private", index = i, cost = i * 1.25 }
  }]
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [for s in ["s3:GetObject", "s3:PutObject", "ec2:Describe*", "iam:PassRole"] : {
      Effect    = "Allow"
      Action    = s
      Resource  = "arn:aws:s3:::${var.name}/*"
      Condition = { StringEquals = { "aws:RequestedRegion" = ["eu-west-1", "eu-central-1"] } }
    }]
  })
}

resource "terraform_data" "network" {
  input = { name = var.name, subnets = local.subnets, enabled = true, peers = null }
}

resource "terraform_data" "policy" {
  input = { name = "${var.name} <policy>", document = local.policy, statements = jsondecode(local.policy).Statement }
}

resource "terraform_data" "instance" {
  count = 2
  input = {
    generation = count.index == 0 ? var.generation : "fixed"
    user_data  = <<-EOT
      #!/bin/bash
      set -euo pipefail
      echo "hello from ${var.name}, größe ${count.index}" > /etc/motd
      systemctl enable --now "service@${count.index}.service"
      ${join("\n      ", [for i in range(96) : "mkdir -p /srv/data/${i} && chown app:app /srv/data/${i}"])}
    EOT
    network    = terraform_data.network.output.subnets
    password   = var.secret
    disks      = [for d in range(20) : { device = "/dev/sd${substr("abcdefghijklmnopqrst", d, 1)}", size = 50 * (d + 1), encrypted = d % 2 == 0 }]
  }
  triggers_replace = count.index == 0 ? [var.generation] : []
}

output "name" {
  value = var.name
}
`
