// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// TestReleases reads each probe of the language as each release that real programs
// were tried of, and wants an error where the program has one; and it wants Features
// to ask for no release that would not do.
func TestReleases(t *testing.T) {
	text, err := os.ReadFile("../../internal/hcllang/testdata/verdicts.txt")
	if err != nil {
		t.Fatal(err)
	}
	table := hcllang.ParseVerdicts(string(text))
	names := map[hcllang.FileKind]string{hcllang.ConfigFile: "a.tf", hcllang.TestFile: "a.tftest.hcl"}
	n := 0
	for _, p := range hcllang.Probes() {
		for _, release := range table.Releases() {
			accepts, known := table.Of(release, p.Name)
			if !known {
				continue
			}
			n++
			tool, version, _ := strings.Cut(release, "-")
			d := hclconfig.OpenTofu
			if tool == "terraform" {
				d = hclconfig.Terraform
			}
			v := addrs.MustParseVersion(version)
			f, _ := hclconfig.Parse(names[p.Kind], []byte(p.Text), d.At(v))
			refused := !hclnames.FeaturesOf(f).In(d, v)
			program, r := hcllang.SplitRelease(release)
			unread := p.Unread.In(program, r) // accepted, and of no use
			if refused == accepts && !unread {
				t.Errorf("%s: the features ask for another release than %s: %v", p.Name, release, hclnames.FeaturesOf(f))
			}
			refused = refused && !unread
			for d := range hclcheck.ValidateFile(f).Errors() {
				refused = refused || p.Refuses(d.Subject.Start.Line, d.Summary)
			}
			if refused == accepts {
				t.Errorf("%s: %s accepts it: %v; %v", p.Name, release, accepts, hclcheck.ValidateFile(f))
			}
		}
	}
	if n < 1000 {
		t.Errorf("only %d verdicts", n)
	}
}

func at(d hclconfig.Dialect, version string) hclconfig.Dialect {
	return d.At(addrs.MustParseVersion(version))
}

// TestSyntaxOfReleases is about what the tables of arguments do not tell: forms, files
// and references.
func TestSyntaxOfReleases(t *testing.T) {
	for _, c := range []struct{ name, file, src, tofu, terraform, asks string }{
		{"static source", "a.tf", "module \"m\" {\n  source = var.src\n}\n", "1.8", "1.15", "argument source of module with references"},
		{"static source in JSON", "a.tf.json", `{"module":{"m":{"source":"${var.src}"}}}`, "1.8", "1.15", "argument source of module with references"},
		{"literal source", "a.tf", "module \"m\" {\n  source = \"./m\"\n}\n", "", "", ""},
		{"backend of a variable", "a.tf", "terraform {\n  backend \"local\" {\n    path = var.p\n  }\n}\n", "1.8", "never", "argument path of backend with references"},
		{"provider function", "a.tf", "locals {\n  a = provider::lab::f()\n}\n", "1.7", "1.8", "provider function provider::lab::f"},
		{"function", "a.tf", "locals {\n  a = [for x in local.b : ephemeralasnull(x)]\n}\n", "1.11", "1.10", "function ephemeralasnull"},
		{"function in JSON", "a.tf.json", `{"locals":{"a":"${cidrcontains(\"a\", \"b\")}"}}`, "1.7", "never", "function cidrcontains"},
		{"function of old releases", "a.tf", "locals {\n  a = startswith(\"a\", upper(\"b\"))\n}\n", "", "1.3", "function startswith"},
		{"function with its namespace", "a.tf", "locals {\n  a = core::urldecode(core::upper(1))\n}\n", "1.7", "never", "function core::urldecode"},
		{"function that nobody knows", "a.tf", "locals {\n  a = nothing()\n}\n", "", "", ""},
		{"validation of the variable", "a.tf", "variable \"a\" {\n  validation {\n    condition     = var.a[0] != 1\n    error_message = \"Text.\"\n  }\n}\n", "", "", ""},
		{"message with the variable", "a.tf", "variable \"a\" {\n  validation {\n    condition     = var.a != 1\n    error_message = \"Not ${var.a}.\"\n  }\n}\n", "", "1.2", "argument error_message of validation with references"},
		{"validation with another variable", "a.tf", "variable \"a\" {\n  validation {\n    condition     = var.a != var.b\n    error_message = \"Text.\"\n  }\n}\n", "1.9", "1.9", "argument condition of validation with a reference to var.b"},
		{"optional attributes", "a.tf", "variable \"a\" {\n  type = list(object({ b = optional(string, \"c\") }))\n}\n", "", "1.3", "argument type of variable with optional attributes"},
		{"optional attributes in JSON", "a.tf.json", `{"variable":{"a":{"type":"object({b=optional(string)})"}}}`, "", "1.3", "argument type of variable with optional attributes"},
		{"type of an object", "a.tf", "variable \"optional\" {\n  type = object({ optional = any })\n}\n", "", "", ""},
		{"instance of a provider", "a.tf", "resource \"a\" \"b\" {\n  provider = p.x[\"k\"]\n}\n", "1.9", "never", "provider reference with an instance key"},
		{"failure of an action", "a.tf", "resource \"a\" \"b\" {\n  lifecycle {\n    action_trigger {\n      events     = [after_create]\n      actions    = [action.a.b]\n      on_failure = halt\n    }\n  }\n}\n", "never", "1.16", "argument on_failure of action_trigger"},
		{"destroy", "a.tf", "resource \"a\" \"b\" {\n  lifecycle {\n    destroy = false\n  }\n}\n", "1.12", "1.16", "argument destroy of lifecycle"},
		{"test file", "a.tftest.hcl", "run \"a\" {\n}\n", "", "1.6", "test file"},
		{"test file of OpenTofu", "a.tofutest.hcl", "run \"a\" {\n}\n", "1.8", "never", "file with the extension .tofutest.hcl"},
		{"file of OpenTofu", "a.tofu", "locals {\n}\n", "1.8", "never", "file with the extension .tofu"},
		{"override of an instance", "a.tftest.hcl", "override_data {\n  target = data.a.b[\"k\"]\n}\n", "1.13", "1.7", "override_data block"},
		{"override of all instances", "a.tftest.hcl", "override_data {\n  target = data.a.b[*]\n}\n", "1.13", "never", "argument target of override_data with a wildcard"},
		{"query file", "a.tfquery.hcl", "", "never", "1.14", "query file"},
		{"migration file", "a.tfmigrate.hcl", "anything {\n  at = all\n}\n", "never", "1.16", "migration file"},
		{"moved", "a.tf", "moved {\n  from = a.b\n  to   = a.c\n}\n", "", "1.1", "moved block"},
	} {
		f := mustParse(t, c.file, c.src)
		for _, want := range []struct {
			d     hclconfig.Dialect
			since string
		}{{hclconfig.OpenTofu, c.tofu}, {hclconfig.Terraform, c.terraform}} {
			feature, found := hclnames.FeaturesOf(f).Lowest(want.d)
			since := feature.Support.Since(want.d)
			switch {
			case want.since == "" && !found:
			case want.since == "never" && found && since == "":
			case found && since == want.since && (feature.Name == c.asks || want.d == hclconfig.OpenTofu):
			default:
				t.Errorf("%s: %s needs %q because of %q", c.name, want.d, since, feature.Name)
			}
		}
	}
}

// TestTerraformReleases is about section 3 of what sixteen releases have shown.
func TestTerraformReleases(t *testing.T) {
	others := "variable \"a\" {\n  validation {\n    condition     = var.a != 1\n    error_message = \"Not ${local.b}.\"\n  }\n}\n"
	destroy := "resource \"a\" \"b\" {\n  lifecycle {\n    destroy = false\n  }\n}\n"
	failure := "resource \"a\" \"b\" {\n  lifecycle {\n    action_trigger {\n      events     = [after_create]\n      actions    = [action.a.b]\n      on_failure = WORD\n    }\n  }\n}\n"
	cleanup := "run \"a\" {\n  skip_cleanup = true\n  backend \"local\" {\n  }\n}\n"
	source := "variable \"src\" {\n  const = true\n}\nmodule \"m\" {\n  source = var.src\n}\n"
	for _, c := range []struct {
		file, src string
		dialect   hclconfig.Dialect
		ok        bool
	}{
		{"a.tf", others, at(hclconfig.OpenTofu, "1.8.8"), false},
		{"a.tf", others, at(hclconfig.OpenTofu, "1.9.0"), true},
		{"a.tf", others, at(hclconfig.Terraform, "1.8.5"), false},
		{"a.tf", others, hclconfig.OpenTofu, true},
		{"a.tf", destroy, at(hclconfig.Terraform, "1.15.9"), false},
		{"a.tf", destroy, at(hclconfig.Terraform, "1.16.0"), true},
		{"a.tf", destroy, hclconfig.Terraform, true},
		{"a.tf", strings.Replace(failure, "WORD", "taint", 1), hclconfig.Terraform, true},
		{"a.tf", strings.Replace(failure, "WORD", "fail", 1), hclconfig.Terraform, false},
		{"a.tf", strings.Replace(failure, "WORD", "halt", 1), at(hclconfig.Terraform, "1.15.0"), false},
		{"a.tftest.hcl", cleanup, at(hclconfig.Terraform, "1.14.0"), true},
		{"a.tftest.hcl", cleanup, at(hclconfig.Terraform, "1.13.5"), false},
		{"a.tf", source, at(hclconfig.Terraform, "1.14.0"), false},
		{"a.tf", source, at(hclconfig.Terraform, "1.15.0"), true},
		{"a.tftest.hcl", "override_resource {\n  target = lab_thing.a[*]\n}\n", hclconfig.OpenTofu, true},
		{"a.tftest.hcl", "override_resource {\n  target = lab_thing.a[*]\n}\n", at(hclconfig.OpenTofu, "1.12.6"), false},
		{"a.tftest.hcl", "override_resource {\n  target = lab_thing.a[*]\n}\n", hclconfig.Terraform, false},
	} {
		f := mustParse(t, c.file, c.src, c.dialect)
		if diags := hclcheck.ValidateFile(f); diags.HasErrors() == c.ok {
			t.Errorf("%s: %s: %v", c.dialect, c.src, diags)
		}
	}
	// Which files are read.
	files := fstest.MapFS{"a.tf": {}, "a.tofu": {}, "b.tofu": {}, "t.tftest.hcl": {}}
	for dialect, want := range map[hclconfig.Dialect]string{
		at(hclconfig.OpenTofu, "1.7.0"): "a.tf t.tftest.hcl", hclconfig.OpenTofu: "a.tofu b.tofu t.tftest.hcl",
		at(hclconfig.Terraform, "1.5.7"): "a.tf", hclconfig.Terraform: "a.tf t.tftest.hcl",
	} {
		m := load(t, files, ".", dialect, hclconfig.TestDirectory(""))
		got := ""
		for _, f := range append(m.Files, m.Tests...) {
			got += " " + f.Filename()
		}
		if strings.TrimSpace(got) != want {
			t.Errorf("%s reads%s, want %s", dialect, got, want)
		}
	}
}
