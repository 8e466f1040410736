// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck_test

import (
	"os"
	"slices"
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
			features := slices.DeleteFunc(hclnames.FeaturesOf(f), func(x hclnames.Feature) bool {
				return strings.HasSuffix(x.Name, " probe") || isLate(x, map[string]bool{}) && strings.Contains(x.Name, "key_provider")
			})
			refused := !features.In(d, v)
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

// Terraform 1.13 accepts action blocks, although only 1.14 reads them.
func TestActionsOfTerraform113(t *testing.T) {
	const src = "action \"a\" \"b\" {\n}\n"
	for release, ok := range map[string]bool{"1.12.2": false, "1.13.5": true, "1.14.0": true} {
		f := mustParse(t, "a.tf", src, at(hclconfig.Terraform, release))
		if diags := hclcheck.ValidateFile(f); diags.HasErrors() == ok {
			t.Errorf("%s: %v", release, diags)
		}
	}
	feature, _ := hclnames.FeaturesOf(mustParse(t, "a.tf", src, hclconfig.Terraform)).Lowest(hclconfig.Terraform)
	if since := feature.Support.Since(hclconfig.Terraform); since != "1.14" {
		t.Errorf("%s since %q", feature, since)
	}
}
