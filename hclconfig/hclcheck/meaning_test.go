// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// TestMeaningsOfReleases compares, for each configuration and each release, what FeaturesOf
// asks for with what Validate says at that release: the two must agree. The first release of
// each program that takes the configuration, or "" for none, is a fact of the source of
// OpenTofu, of a changelog or of the program itself.
func TestMeaningsOfReleases(t *testing.T) {
	const data = "resource \"terraform_data\" \"x\" {\n}\n"
	function := "terraform {\n  required_providers {\n    lab = {\n      source = \"a/lab\"\n    }\n  }\n}\noutput \"o\" {\n  value = provider::lab::f(1)\n}\n"
	variable := "variable \"v\" {\n  default = \"a\"\n}\n"
	moved := func(from, to string) string {
		return fmt.Sprintf("moved {\n  from = %s.a\n  to   = %s.b\n}\nresource %q \"b\" {\n}\n", from, to, to)
	}
	for _, c := range []struct {
		name, file, src string
		tofu, terraform string
		// summary and line are those of the error where the feature is not there; an empty
		// summary means that the programs refuse it later than with validate or plan.
		summary string
		line    int
	}{
		{name: "tofu.workspace", src: "output \"o\" {\n  value = tofu.workspace\n}\n", tofu: "1.9", summary: "Reference to undeclared resource", line: 2},
		{name: "tofu.workspace in JSON", file: "a.tf.json", src: `{"output":{"o":{"value":"${tofu.workspace}"}}}`, tofu: "1.9", summary: "Reference to undeclared resource", line: 1},
		{name: "terraform.workspace", src: "output \"o\" {\n  value = terraform.workspace\n}\n", tofu: "1.6", terraform: "1.0"},
		{name: "a loop over tofu", src: "output \"o\" {\n  value = [for tofu in [{ a = 1 }] : tofu.a]\n}\n", tofu: "1.6", terraform: "1.0"},
		{name: "terraform.applying", src: "locals {\n  a = terraform.applying\n}\n", tofu: "1.11", terraform: "1.10", summary: `Invalid "terraform" attribute`, line: 2},
		{name: "key of an import", src: "locals {\n  k = \"a\"\n}\nimport {\n  to = null_resource.x[local.k]\n  id = \"x\"\n}\nresource \"null_resource\" \"x\" {\n  for_each = toset([\"a\"])\n}\n", tofu: "1.7", summary: "Invalid expression", line: 5},
		{name: "constant key of an import", src: "import {\n  to = null_resource.x[\"a\"]\n  id = \"x\"\n}\nresource \"null_resource\" \"x\" {\n  for_each = toset([\"a\"])\n}\n", tofu: "1.6", terraform: "1.5", summary: "Unsupported block type", line: 1},
		{name: "id of an import", src: "variable \"i\" {\n}\nimport {\n  to = null_resource.x\n  id = var.i\n}\nresource \"null_resource\" \"x\" {\n}\n", tofu: "1.6", terraform: "1.6", summary: "Variables not allowed", line: 5},
		{name: "provider function", src: function, tofu: "1.7", terraform: "1.8", summary: "Missing newline after argument", line: 9},
		{name: "provider function on one line", src: strings.Replace(function, "{\n  value = provider::lab::f(1)\n}", "{ value = provider::lab::f(1) }", 1), tofu: "1.7", terraform: "1.8", summary: "Invalid single-argument block definition", line: 8},
		{name: "provider function in a list", src: "output \"o\" {\n  value = [provider::terraform::encode_expr(1)]\n}\nterraform {\n  required_providers {\n    terraform = {\n      source = \"terraform.io/builtin/terraform\"\n    }\n  }\n}\n", tofu: "1.10", terraform: "1.8"},
		{name: "move to terraform_data", src: moved("null_resource", "terraform_data"), tofu: "1.10", terraform: "1.9"},
		{name: "move to another type", src: moved("null_resource", "lab_thing"), tofu: "1.10", terraform: "1.8", summary: "Resource type mismatch", line: 1},
		{name: "move to the same type", src: moved("lab_thing", "lab_thing"), tofu: "1.6", terraform: "1.1", summary: "Unsupported block type", line: 1},
		{name: "terraform_data", src: data, tofu: "1.6", terraform: "1.4", summary: "Invalid resource type", line: 1},
		{name: "terraform_data in JSON", file: "a.tf.json", src: `{"resource":{"terraform_data":{"x":{}}}}`, tofu: "1.6", terraform: "1.4", summary: "Invalid resource type", line: 1},
		{name: "backend oci", src: "terraform {\n  backend \"oci\" {\n  }\n}\n", terraform: "1.12"},
		{name: "backend s3", src: "terraform {\n  backend \"s3\" {\n  }\n}\n", tofu: "1.6", terraform: "1.0"},
		{name: "encryption", src: "terraform {\n  encryption {\n    key_provider \"pbkdf2\" \"k\" {\n      passphrase = \"correct horse battery\"\n    }\n    method \"aes_gcm\" \"m\" {\n      keys = key_provider.pbkdf2.k\n    }\n    state {\n      method = method.aes_gcm.m\n    }\n  }\n}\n", tofu: "1.7", summary: "Unsupported block type", line: 2},
		{name: "encryption in JSON", file: "a.tf.json", src: `{"terraform":{"encryption":{"key_provider":{"pbkdf2":{"k":{"passphrase":"correct horse battery"}}},"method":{"aes_gcm":{"m":{"keys":"${key_provider.pbkdf2.k}"}}},"state":{"method":"${method.aes_gcm.m}"}}}}`, tofu: "1.7", summary: "Extraneous JSON object property", line: 1},
		{name: "prevent_destroy", src: variable + "resource \"null_resource\" \"x\" {\n  lifecycle {\n    prevent_destroy = var.v == \"a\"\n  }\n}\n", tofu: "1.12", summary: "Variables not allowed", line: 6},
		{name: "optional attributes", src: "variable \"v\" {\n  type = object({ a = optional(string) })\n}\n", tofu: "1.6", terraform: "1.3", summary: "Optional object type attributes are experimental", line: 1},
		{name: "message with the variable", src: "variable \"v\" {\n  validation {\n    condition     = var.v != \"\"\n    error_message = \"Not ${var.v}.\"\n  }\n}\n", tofu: "1.6", terraform: "1.2", summary: "Variables not allowed", line: 4},
	} {
		file := c.file
		if file == "" {
			file = "a.tf"
		}
		for _, p := range []struct {
			d              hclconfig.Dialect
			oldest, newest int
			since          string
		}{{hclconfig.OpenTofu, 6, 13, c.tofu}, {hclconfig.Terraform, 0, 17, c.terraform}} {
			first := 1000
			if p.since != "" {
				_, _ = fmt.Sscanf(p.since, "1.%d", &first)
			}
			for minor := p.oldest; minor <= p.newest; minor++ {
				d := at(p.d, fmt.Sprintf("1.%d.0", minor))
				tree, err := hclnames.LoadTree(fstest.MapFS{file: {Data: []byte(c.src)}}, ".", d)
				if err != nil {
					t.Fatal(err)
				}
				takes := minor >= first
				if got := len(lacking(tree, d, minor)) == 0; got != takes {
					t.Errorf("%s: %s has everything: %t, want %t: %v", c.name, d, got, takes, hclnames.FeaturesOf(tree.Module.Files...))
				}
				found := hclcheck.Validate(tree, hclcheck.Validation{Plan: true})
				if takes && found.HasErrors() {
					t.Errorf("%s: %s takes it, and there are errors: %v", c.name, d, found)
				}
				if !takes && c.summary != "" && !found.HasErrors() {
					t.Errorf("%s: %s refuses it, and there are no errors", c.name, d)
				}
				if minor == first-1 && hclcheck.IsOld(d) {
					if find(found, "Unsupported language feature") == 0 {
						t.Errorf("%s: %s: the features that are not there: %v", c.name, d, found)
					}
				} else if minor == first-1 && c.summary != "" {
					if has := find(found, c.summary); has != c.line {
						t.Errorf("%s: %s: %q at line %d, want %d: %v", c.name, d, c.summary, has, c.line, found)
					}
				}
			}
		}
	}
}

// lacking returns the features that a release does not have.
func lacking(tree *hclnames.Tree, d hclconfig.Dialect, minor int) hclnames.Features {
	var out hclnames.Features
	for _, f := range hclnames.FeaturesOf(tree.Module.Files...) {
		if !f.Support.In(d, mustVersion(minor)) {
			out = append(out, f)
		}
	}
	return out
}

func find(found hclconfig.Diagnostics, summary string) int {
	for d := range found.Errors() {
		if d.Summary == summary {
			return d.Subject.Start.Line
		}
	}
	return 0
}

func mustVersion(minor int) addrs.Version {
	return addrs.MustParseVersion(fmt.Sprintf("1.%d.0", minor))
}
