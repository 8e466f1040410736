// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames_test

import (
	"fmt"
	"log"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// Find what to write into required_version.
func ExampleNeedOf() {
	dir := fstest.MapFS{
		"main.tf":     {Data: []byte("module \"net\" {\n  source = \"./net\"\n}\n")},
		"net/main.tf": {Data: []byte("removed {\n  from = aws_vpc.old\n}\n")},
	}
	for _, d := range []hclconfig.Dialect{hclconfig.OpenTofu, hclconfig.Terraform} {
		constraint, reasons, err := hclnames.NeedOf(dir, ".", d)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(d, constraint)
		for _, f := range reasons {
			fmt.Println(f.Range, f.Name)
		}
	}
	// Output:
	// OpenTofu >= 1.7
	// net/main.tf:1,1-8 removed block
	// Terraform >= 1.7
	// net/main.tf:1,1-8 removed block
}

func TestNeedOf(t *testing.T) {
	const (
		plain     = "locals {\n  a = 1\n}\n"
		forEach   = "provider \"a\" {\n  for_each = {}\n  alias    = \"x\"\n}\n"
		ephemeral = "ephemeral \"a\" \"b\" {\n}\n"
		contains  = "locals {\n  b = cidrcontains(\"10.0.0.0/8\", \"10.0.0.1\")\n}\n"
	)
	for _, c := range []struct {
		name            string
		files           map[string]string
		tofu, terraform string
	}{
		{"nothing new", map[string]string{"a.tf": plain}, ">= 1.6", ">= 1.0"},
		{"a constraint does not count", map[string]string{"a.tf": "terraform {\n  required_version = \">= 1.9\"\n}\n"}, ">= 1.6", ">= 1.0"},
		{"both", map[string]string{"a.tf": ephemeral}, ">= 1.11", ">= 1.10"},
		{"the newest of several", map[string]string{"a.tf": ephemeral + contains}, ">= 1.11", ""},
		{"a .tofu file alone", map[string]string{"a.tf": plain, "b.tofu": contains}, ">= 1.8", ">= 1.0"},
		{"a .tofu file beside its other form", map[string]string{"a.tf": plain, "a.tofu": forEach}, ">= 1.9", ">= 1.0"},
		{"the same, with an older feature", map[string]string{"a.tf": plain, "a.tofu": contains}, ">= 1.6", ">= 1.0"},
		{"the other form needs more", map[string]string{"a.tf": contains, "a.tofu": plain}, ">= 1.7", ""},
		{"only .tofu files", map[string]string{"a.tofu": plain}, ">= 1.8", ""},
		{"JSON", map[string]string{"a.tf.json": `{"ephemeral":{"a":{"b":{}}}}`}, ">= 1.11", ">= 1.10"},
		{"tests", map[string]string{"a.tf": plain, "tests/a.tftest.hcl": "run \"a\" {\n}\n"}, ">= 1.6", ">= 1.6"},
		{"a function in the variables of a test", map[string]string{"a.tf": plain, "a.tftest.hcl": "variables {\n  a = lower(\"A\")\n}\nrun \"a\" {\n}\n"}, ">= 1.11", ">= 1.7"},
		{"one in those of a run, in JSON", map[string]string{"a.tf": plain, "a.tftest.json": `{"run": {"a": {"variables": {"b": "${lower(\"A\")}"}}}}`}, ">= 1.11", ">= 1.7"},
		{"queries", map[string]string{"a.tf": plain, "a.tfquery.hcl": ""}, ">= 1.6", ">= 1.14"},
		{"migrations", map[string]string{"a.tf": plain, "a.tfmigrate.hcl": ""}, ">= 1.6", ">= 1.16"},
		{"a called module", map[string]string{"a.tf": "module \"m\" {\n  source = \"./m\"\n}\n", "m/a.tf": ephemeral}, ">= 1.11", ">= 1.10"},
		{"a module that calls itself", map[string]string{"a.tf": "module \"m\" {\n  source = \"./\"\n}\n" + ephemeral}, ">= 1.11", ">= 1.10"},
		{"an import in a called module", map[string]string{"a.tf": "module \"m\" {\n  source = \"./m\"\n}\n", "m/a.tf": "import {\n  to = null_resource.a\n  id = \"x\"\n}\n"}, "", ">= 1.16"},
		{"an import", map[string]string{"a.tf": "import {\n  to = null_resource.a\n  id = \"x\"\n}\n"}, ">= 1.6", ">= 1.5"},
		{"a fault that newer releases do not evaluate", map[string]string{"a.tf": "locals {\n  a = []\n  b = length(local.a) > 0 && local.a[0] == 1\n}\n"}, ">= 1.10", ">= 1.12"},
		{"the same in a called module, in JSON", map[string]string{"a.tf": "module \"m\" {\n  source = \"./m\"\n}\n", "m/a.tf.json": `{"locals": {"a": null, "b": "${local.a == null || local.a.c}"}}`}, ">= 1.10", ">= 1.12"},
		{"a fault that depends on a variable", map[string]string{"a.tf": "variable \"a\" {\n  default = []\n}\nlocals {\n  b = length(var.a) > 0 && var.a[0] == 1\n}\n"}, ">= 1.6", ">= 1.0"},
		{"a fault of all releases", map[string]string{"a.tf": "locals {\n  a = []\n  b = length(local.a) == 0 && local.a[0] == 1\n}\n"}, ">= 1.6", ">= 1.0"},
		{"an installed module", map[string]string{
			"a.tf": "module \"m\" {\n  source = \"a/b/c\"\n}\n", "m/a.tf": ephemeral,
			".terraform/modules/modules.json": `{"Modules":[{"Key":"m","Dir":"m"}]}`,
		}, ">= 1.6", ">= 1.0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := fstest.MapFS{}
			for name, text := range c.files {
				files[name] = &fstest.MapFile{Data: []byte(text)}
			}
			for _, want := range []struct {
				d          hclconfig.Dialect
				constraint string
			}{{hclconfig.OpenTofu, c.tofu}, {hclconfig.Terraform, c.terraform}} {
				constraint, reasons, err := hclnames.NeedOf(files, ".", want.d)
				all := map[hclconfig.Dialect]string{hclconfig.OpenTofu: ">= 1.6", hclconfig.Terraform: ">= 1.0"}[want.d]
				if err != nil || constraint != want.constraint || (len(reasons) == 0) != (want.constraint == all) {
					t.Errorf("%s: %q (%v), want %q: %v", want.d, constraint, err, want.constraint, reasons)
				}
			}
		})
	}
	if _, _, err := hclnames.NeedOf(fstest.MapFS{}, "none", hclconfig.OpenTofu); err == nil {
		t.Error("no error for a directory that is not there")
	}
}
