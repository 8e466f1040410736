// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func write(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range texts {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestValidate(t *testing.T) {
	dir := write(t, map[string]string{
		"root/main.tf":  "module \"m\" {\n  source = \"../m\"\n  x      = 1\n}\noutput \"o\" {\n  value = module.m.o\n}\n",
		"m/main.tf":     "variable \"x\" {\n  type = list(string)\n}\noutput \"o\" {\n  value = local.nope\n}\n",
		"good/main.tf":  "resource \"terraform_data\" \"a\" {\n  input = terraform_data.b.id\n}\nresource \"terraform_data\" \"b\" {}\n",
		"new/main.tf":   "locals {\n  a = cidrcontains(\"10.0.0.0/8\", \"10.0.0.1\")\n}\n",
		"aws/main.tf":   "resource \"aws_x\" \"a\" {\n  nme = [1]\n}\n",
		"schemas.json":  `{"provider_schemas":{"registry.opentofu.org/hashicorp/aws":{"resource_schemas":{"aws_x":{"block":{"attributes":{"name":{"type":"string","required":true}}}}}}}}`,
		"schemas2.json": `{"provider_schemas":`,
	})
	for _, c := range []struct {
		args, want string
		ok, fails  bool
	}{
		{args: "root", want: "../m/main.tf:1,1: error: Invalid value for input variable; The given value is not suitable for var.x declared at ../m/main.tf:1,1-13: list of string required, but have number.\n../m/main.tf:5,11: error: Reference to undeclared local value; A local value with the name \"nope\" has not been declared.\n"},
		{args: "-tool terraform root", want: "../m/main.tf:5,11: error: Reference to undeclared local value; A local value with the name \"nope\" has not been declared.\nmain.tf:3,12: error: Invalid value for input variable; The given value is not suitable for var.x declared at ../m/main.tf:1,1-13: list of string required, but have number.\n"},
		{args: "good", ok: true},
		{args: "aws", ok: true},
		{args: "-schemas schemas.json aws", want: "main.tf:1,22: error: Missing required argument; The argument \"name\" is required, but no definition was found.\nmain.tf:2,3: error: Unsupported argument; An argument named \"nme\" is not expected here. Did you mean \"name\"?\n"},
		{args: "-schemas schemas2.json aws", fails: true},
		{args: "-schemas none.json aws", fails: true},
		{args: "-tool pulumi aws", fails: true},
		{args: "-tool tofu@x good", fails: true},
		{args: "-tool tofu@1.9.0 good", ok: true},
		{args: "new", ok: true},
		{args: "-tool tofu@1.6.3 new", want: "main.tf:2,7: error: Call to unknown function; There is no function named \"cidrcontains\".\n"},
		{args: "none", fails: true},
		{args: "", fails: true},
	} {
		t.Run(c.args, func(t *testing.T) {
			t.Chdir(dir)
			var out strings.Builder
			ok, err := run(&out, io.Discard, strings.Fields(c.args))
			if (err != nil) != c.fails || strings.Contains(c.args, "schemas2") && !strings.Contains(err.Error(), "schemas2.json: ") {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, out.String()); diff != "" || ok != c.ok && !c.fails {
				t.Errorf("%t (-want +got):\n%s", ok, diff)
			}
		})
	}
}
