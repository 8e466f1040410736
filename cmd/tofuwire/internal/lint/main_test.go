// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lint_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/lint"
)

// TestProgram has rules off that nobody asks for, and turns them on.
func TestProgram(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"main.tf":             "terraform {\n  required_version = \">= 1.6\"\n}\n\nvariable \"db_secret\" {\n  type = string\n}\n\noutput \"o\" {\n  value = var.db_secret\n}\n",
		"on.hcl":              "rule \"terraform_documented_variables\" {\n  enabled = true\n}\n",
		"old/.tflint.hcl":     "plugin \"terraform\" {\n  enabled = false\n}\n",
		"old/a.tf":            "variable \"a\" {}\n",
		"new/.git/keep":       "",
		"new/a.tf":            "variable \"a\" {}\n",
		"new/x/README":        "",
		"new/x/y/main.tf":     "locals {\n  a = \"${local.a}\"\n}\n",
		"new/.terraform/m.tf": "variable \"a\" {}\n",
	} {
		if i := strings.LastIndexByte(name, '/'); i >= 0 {
			if err := os.MkdirAll(name[:i], 0o777); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ args, want string }{
		{".", "0"},
		{"-only terraform_documented_variables .", "main.tf:5,1: notice: `db_secret` variable has no description (terraform_documented_variables)\n1"},
		{"-config on.hcl .", "main.tf:5,1: notice: `db_secret` variable has no description (terraform_documented_variables)\n1"},
		{"old", "0"},
		{"-only terraform_typed_variables old", "old/a.tf:1,1: warning: `a` variable has no type (terraform_typed_variables)\n1"},
		{"-only terraform_deprecated_interpolation new/...", "new/x/y/main.tf:2,7: warning: Interpolation-only expressions are deprecated in Terraform v0.12.14 (terraform_deprecated_interpolation)\n1"},
		{"-fix -only terraform_deprecated_interpolation new/...", "0"},
	} {
		var out strings.Builder
		status := lint.Run(strings.Fields(c.args), nil, &out, &out)
		if got := out.String() + string(rune('0'+status)); got != c.want {
			t.Errorf("lint %s:\n%s\nwant:\n%s", c.args, got, c.want)
		}
	}
	if got, _ := os.ReadFile("new/x/y/main.tf"); string(got) != "locals {\n  a = local.a\n}\n" {
		t.Errorf("%s", got)
	}
}

// TestPresets: which rules tflint 0.64.0 runs with a block of its plugin for the language, with
// or without a preset.
func TestPresets(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("main.tf", []byte("// a\nvariable \"A\" {\n}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	recommended := []string{"required_version", "typed_variables", "unused_declarations"}
	all := append([]string{"comment_syntax", "documented_variables", "naming_convention", "standard_module_structure", "standard_module_structure"}, recommended...)
	const plugin, off = "plugin \"terraform\" {\n  enabled = true\n}\n", "config {\n  disabled_by_default = true\n}\n"
	preset := func(name string) string {
		return "plugin \"terraform\" {\n  enabled = true\n  preset  = \"" + name + "\"\n}\n"
	}
	for config, want := range map[string][]string{
		"": recommended, plugin: all, preset("recommended"): recommended, preset("all"): all,
		off: nil, off + plugin: nil, off + preset("recommended"): recommended, off + preset("all"): all,
		plugin + "rule \"terraform_comment_syntax\" {\n  enabled = false\n}\n": all[1:],
		"rule \"terraform_comment_syntax\" {\n  enabled = true\n}\n":           append([]string{"comment_syntax"}, recommended...),
	} {
		if err := os.WriteFile(".tflint.hcl", []byte(config), 0o666); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		lint.Run([]string{"."}, nil, &out, &out)
		var got []string
		for line := range strings.Lines(out.String()) {
			if _, rule, ok := strings.Cut(line, " (terraform_"); ok {
				got = append(got, strings.TrimSuffix(rule, ")\n"))
			}
		}
		slices.Sort(got)
		if want = slices.Sorted(slices.Values(want)); !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant %s", config, out.String(), want)
		}
	}
}
