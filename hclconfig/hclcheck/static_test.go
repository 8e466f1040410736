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

// found returns the places and summaries of what is found in a tree.
func found(tree *hclnames.Tree) string {
	var got []string
	for _, d := range hclcheck.Validate(tree, hclcheck.Validation{}) {
		got = append(got, fmt.Sprintf("%d,%d %s", d.Subject.Start.Line, d.Subject.Start.Column, d.Summary))
	}
	return strings.Join(got, ", ")
}

// What Terraform 1.15.9 and OpenTofu 1.12.6 said of modules whose source is not
// written out, and of types in calls of convert.
func TestTree_Validate_constants(t *testing.T) {
	const (
		constant = "variable \"v\" {\n  default = \"./kid\"\n  const   = true\n}\n"
		plain    = "variable \"v\" {\n  default = \"./kid\"\n}\n"
	)
	for _, tt := range []struct{ name, release, src, want string }{
		{"constant", "1.15.9", constant + `module "m" { source = var.v }`, ""},
		{"plain", "1.15.9", plain + `module "m" { source = var.v }`, "4,23 Unknown module source"},
		{"undeclared", "1.15.9", `module "m" { source = var.v }`, "1,23 Reference to undeclared input variable"},
		{"local", "1.15.9", constant + "locals { l = var.v }\n" + `module "m" { source = local.l }`, ""},
		{"local of a plain one", "1.15.9", plain + "locals { l = var.v }\n" + `module "m" { source = local.l }`, "5,23 Unknown module source"},
		{"local of an instance", "1.15.9", "locals {\n a = path.module\n b = each.key\n}\nmodule \"m\" {\n source = \"${local.a}${local.b}\"\n}\n", "6,11 Unknown module source"},
		{"undeclared local", "1.15.9", `module "m" { source = local.l }`, "1,23 Reference to undeclared local value"},
		{"undeclared in a local", "1.15.9", "locals {\n a = var.nope\n}\nmodule \"m\" { source = local.a }\n", "2,6 Reference to undeclared input variable"},
		{"path", "1.15.9", `module "m" { source = "${path.module}/kid" }`, ""},
		{"workspace", "1.15.9", `module "m" { source = "./kid${terraform.workspace}" }`, "1,31 Invalid module source"},
		{"resource", "1.15.9", "resource \"terraform_data\" \"t\" {}\nmodule \"m\" { source = terraform_data.t.id }", "2,23 Invalid module source"},
		{"the first that cannot be", "1.15.9", plain + `module "m" { source = "${var.v}${local.x}${each.key}${self.x}" }`, "4,44 Invalid module source"},
		{"version", "1.15.9", plain + "module \"m\" {\n source = \"a.example/a/b/c\"\n version = var.v\n}", "6,12 Unknown module version"},
		{"version of an instance", "1.15.9", "module \"m\" {\n source = \"a.example/a/b/c\"\n version = each.key\n}", "3,12 Invalid module version"},
		{"sensitive constant", "1.15.9", "variable \"v\" {\n const = true\n sensitive = true\n}", "1,1 Const variable cannot be sensitive"},
		{"ephemeral constant", "1.15.9", "variable \"v\" {\n const = true\n ephemeral = true\n}", "1,1 Const variable cannot be ephemeral"},
		{"before constants", "1.14.9", plain + `module "m" { source = var.v }`, "4,23 Variables not allowed, 4,23 Unsuitable value type"},
		{"convert", "1.15.9", `output "o" { value = convert({ a = "1" }, object({ a = optional(number, 5), b = list(any) })).a }`, "1,30 Invalid function argument"},
		{"optional", "1.15.9", `output "o" { value = core::convert({}, object({ a = optional(string, "y") })).a }`, ""},
		{"no such attribute", "1.15.9", `output "o" { value = convert({}, object({ a = optional(string, "y") })).b }`, "1,72 Unsupported attribute"},
		{"no type", "1.15.9", `output "o" { value = convert("1", "string") }`, "1,35 Invalid type specification"},
		{"one argument", "1.15.9", `output "o" { value = convert("1") }`, "1,33 Not enough function arguments"},
		{"a type elsewhere", "1.15.9", `output "o" { value = number }`, "1,22 Unknown variable"},
		{"before convert", "1.14.9", `output "o" { value = convert("1", number) }`, "1,35 Invalid reference"},
		{"two imports into an instance of a module", "1.11.4", "module \"k\" {\n source = \"./kid\"\n for_each = { x = 1 }\n}\n" + strings.Repeat("import {\n to = module.k[\"x\"].a.b[\"c\"]\n id = \"x\"\n}\n", 2), "10,7 Duplicate import configuration for \"module.k.a.b\""},
		{"not in OpenTofu", "tofu 1.12.6", `output "o" { value = convert("1", number) }`, "1,35 Invalid reference"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dialect := hclconfig.Terraform
			version, isTofu := strings.CutPrefix(tt.release, "tofu ")
			if isTofu {
				dialect = hclconfig.OpenTofu
			}
			files := fstest.MapFS{"main.tf": {Data: []byte(tt.src)}, "kid/main.tf": {Data: []byte(`output "o" { value = 1 }`)}}
			tree, err := hclnames.LoadTree(files, ".", dialect.At(addrs.MustParseVersion(version)))
			if err != nil {
				t.Fatal(err)
			}
			if text := found(tree); text != tt.want {
				t.Errorf("got %s, want %s", text, tt.want)
			}
		})
	}
}

// What "tofu init" 1.12.6 said of a module whose source depends on what its caller
// gives to it, and which it therefore did not install. It stops at the first of
// these modules.
func TestTree_Validate_arguments(t *testing.T) {
	const dir = "variable \"dir\" {\n  type = string\n}\n"
	for _, tt := range []struct{ name, root, called, want string }{
		{"sensitive variable", "module \"a\" {\n source = \"./a\"\n dir = \"b\"\n}", "variable \"dir\" {\n sensitive = true\n}\nmodule \"b\" {\n source = \"./${var.dir}\"\n}", "a/main.tf:5,11 Sensitive value not allowed"},
		{"sensitive argument", "module \"a\" {\n source = \"./a\"\n dir = sensitive(\"b\")\n}", dir + "module \"b\" {\n source = \"./${var.dir}\"\n}", "a/main.tf:5,11 Sensitive value not allowed"},
		{"path of the module", "module \"a\" {\n source = \"./a\"\n}", "module \"b\" {\n source = \"${path.module}/b\"\n}", "a/main.tf:2,11 Invalid module source address"},
		{"the second call is wrong", "module \"a\" {\n source = \"./a\"\n dir = \"./b\"\n}\nmodule \"c\" {\n source = \"./a\"\n dir = \"b\"\n}", dir + "module \"b\" {\n source = var.dir\n}", "a/main.tf:5,11 Invalid module source address"},
		{"each.key", "module \"a\" {\n source = \"./a\"\n for_each = { b = 1 }\n dir = each.key\n}", dir + "module \"b\" {\n source = \"./${var.dir}\"\n}", "a/main.tf:5,11 Unable to compute static value, main.tf:4,8 Dynamic value in static context"},
		{"resource", "resource \"terraform_data\" \"x\" {}\nmodule \"a\" {\n source = \"./a\"\n dir = terraform_data.x.id\n}", dir + "module \"b\" {\n source = \"./${var.dir}\"\n}", "a/main.tf:5,11 Unable to compute static value, main.tf:4,8 Dynamic value in static context"},
		{"absent", "module \"a\" {\n source = \"./a\"\n}", dir + "module \"b\" {\n source = \"./${var.dir}\"\n}", "a/main.tf:5,11 Unable to compute static value, main.tf:1,12 Missing required variable in module call"},
		{"sensitive version", "module \"a\" {\n source = \"./a\"\n dir = sensitive(\"1.0.0\")\n}", dir + "module \"b\" {\n source = \"x/y/z\"\n version = var.dir\n}", "a/main.tf:6,12 Invalid version constraint"},
		{"two calls that are right", "module \"a\" {\n source = \"./a\"\n dir = \"b\"\n}\nmodule \"c\" {\n source = \"./a\"\n dir = \"c\"\n}", dir + "module \"b\" {\n source = \"./${var.dir}\"\n}", ""},
		{"no such argument below", "module \"a\" {\n source = \"./a\"\n dir = \"b\"\n}", dir + "module \"b\" {\n source = \"./${var.dir}\"\n n = 1\n}", "a/main.tf:6,2 Unsupported argument"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tree, err := hclnames.LoadTree(fstest.MapFS{
				"main.tf": {Data: []byte(tt.root)}, "a/main.tf": {Data: []byte(tt.called)},
				"a/b/main.tf": {Data: []byte(`output "o" { value = 1 }`)}, "a/c/main.tf": {Data: []byte(`output "o" { value = 1 }`)},
			}, ".", hclconfig.OpenTofu)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range hclcheck.Validate(tree, hclcheck.Validation{}) {
				got = append(got, fmt.Sprintf("%s:%d,%d %s", d.Subject.Filename, d.Subject.Start.Line, d.Subject.Start.Column, d.Summary))
			}
			if text := strings.Join(got, ", "); text != tt.want {
				t.Errorf("got %s, want %s", text, tt.want)
			}
		})
	}
}

// What both programs (OpenTofu 1.12.6, Terraform 1.11.4) said of files that were made by chance.
func TestTree_Validate_chance(t *testing.T) {
	const both = "resource \"terraform_data\" \"a\" {\n connection {\n  %s\n }\n provisioner \"file\" {\n  content = 1\n  destination = \"x\"\n  connection {\n   %s\n  }\n }\n}\n"
	const tf = "terraform {\n required_providers {\n  tf = {\n   source = \"terraform.io/builtin/terraform\"\n  }\n }\n}\n"
	for _, tt := range []struct{ name, src, want string }{
		{"both connections", fmt.Sprintf(both, "host = 1\n  x = 1", "y {}\n   z = 1"), ""},
		{"host in one connection", fmt.Sprintf(both, "port = 1", "host = 1"), "2,13 Missing required argument"},
		{"a port that another replaces", fmt.Sprintf(both, "host = 1\n  port = \"a\"", "port = 1"), ""},
		{"a port that replaces", fmt.Sprintf(both, "host = 1\n  port = 1", "port = \"a\""), "10,11 Incorrect attribute value type"},
		{"a provider by another name in a check", tf + "check \"c\" {\n data \"terraform_remote_state\" \"d\" {\n  backend = \"local\"\n }\n assert {\n  condition = data.terraform_remote_state.d.outputs != 1\n  error_message = \"x\"\n }\n}\n", "9,2 Duplicate required provider"},
		{"an argument that is also a block", "module \"m\" {\n source = \"./m\"\n locals = 1\n}\n", "3,2 Unsupported argument"},
		{"a provisioner that is no name", "resource \"terraform_data\" \"a\" {\n provisioner \"1x\" {}\n}\n", "2,14 Missing required provisioner plugin"},
		{"a dynamic block that is no name", "resource \"terraform_data\" \"a\" {\n dynamic \"1x\" {\n  for_each = []\n  content {}\n }\n}\n", "2,10 Unsupported block type"},
		{"no module to override", "#override\nmodule \"m\" {\n source = \"./m\"\n x {}\n}\n", "2,1 Missing module call to override"},
		{"a module without name and source", "module {\n}\n", "1,8 Missing name for module"},
		{"locals with a label", "locals {\n a = 1\n}\nlocals \"x\" {\n a = 1\n}\n", "4,8 Extraneous label for locals"},
		{"a check with data that is there", strings.Repeat("check \"c\" {\n data \"terraform_remote_state\" \"d\" {\n  backend = \"local\"\n }\n assert {\n  condition = path.cwd != \"\"\n  error_message = \"x\"\n }\n}\n", 2), "11,2 Duplicate data \"terraform_remote_state\" configuration"},
		{"the working directory", "locals {\n a = \"${path.cwd}\"\n b = upper(path.cwd[*])\n}\n", "3,20 Invalid function argument"},
		{"no configuration of a provider", "module \"m\" {\n source = \"./m\"\n providers = {\n  x = upper(\"a\")\n }\n}\n", "4,7 Invalid provider configuration reference"},
		{"a configuration that only a caller could give", strings.ReplaceAll(tf, "\n  }", "\n   configuration_aliases = [tf.x]\n  }") + "provider \"tf\" {}\nresource \"terraform_data\" \"a\" {\n provider = tf.x\n}\n", "11,13 Provider configuration not present"},
		{"an import into a module that has errors", "module \"m\" {\n source = \"./m\"\n depends_on = [terraform_data.a]\n}\nmodule \"n\" {\n source = \"./m\"\n}\nimport {\n to = module.m.terraform_data.a\n id = path.nope\n}\nresource \"terraform_data\" \"a\" {\n input = path.nope\n}\n", "13,10 Invalid \"path\" attribute"},
		{"no name to override", "#override\nresource \"terraform_data\" {\n}\n", "2,27 Missing name for resource"},
	} {
		for _, d := range []hclconfig.Dialect{hclconfig.OpenTofu, hclconfig.Terraform} {
			name, files := "main.tf", fstest.MapFS{"m/main.tf": {Data: []byte("resource \"terraform_data\" \"a\" {}\n")}}
			if strings.HasPrefix(tt.src, "#override") {
				name = "override.tf"
			}
			files[name] = &fstest.MapFile{Data: []byte(tt.src)}
			tree, err := hclnames.LoadTree(files, ".", d)
			if err != nil {
				t.Fatal(err)
			}
			if text := found(tree); text != tt.want {
				t.Errorf("%s, %v: got %s, want %s", tt.name, d, text, tt.want)
			}
		}
	}
}

// What OpenTofu 1.12.6 and Terraform 1.11.4 said of mocks in test files.
func TestTree_Validate_mocks(t *testing.T) {
	for _, tt := range []struct{ src, tofu, terraform string }{
		{"mock_provider \"tls\" {\n alias = \"1a\"\n}\n", "2,10 Invalid mock provider configuration alias", "2,10 Invalid provider configuration alias"},
		{"mock_provider \"tls\" {\n alias = \"a\"\n mock_data \"x\" {}\n mock_resource \"x\" {}\n mock_data \"x\" {}\n}\n", "1,1 Duplicated `mock_data` block", "5,12 Duplicate mock_data block"},
		{"mock_provider \"tls\" {\n for_each = {}\n}\n", `2,13 Alias required when using "for_each"`, "2,2 Unsupported argument"},
	} {
		for _, d := range []hclconfig.Dialect{hclconfig.OpenTofu, hclconfig.Terraform} {
			tree, err := hclnames.LoadTree(fstest.MapFS{"main.tf": {}, "a.tftest.hcl": {Data: []byte(tt.src)}}, ".", d, hclconfig.TestDirectory(""))
			if err != nil {
				t.Fatal(err)
			}
			want := tt.tofu
			if d == hclconfig.Terraform {
				want = tt.terraform
			}
			if text := found(tree); text != want {
				t.Errorf("%s, %v: got %s, want %s", tt.src, d, text, want)
			}
		}
	}
}

// A source made of arguments that double from call to call must not take time and
// memory that double as well.
func TestLoadTree_doubledArguments(t *testing.T) {
	files := fstest.MapFS{}
	const depth = 200
	for i := range depth {
		src := "variable \"dir\" {\n  default = \"x\"\n}\nmodule \"m\" {\n  source = \"./m\"\n  dir    = \"${var.dir}${var.dir}\"\n}\nmodule \"n\" {\n  source = \"./${var.dir}\"\n}\n"
		files[strings.Repeat("m/", i)+"main.tf"] = &fstest.MapFile{Data: []byte(src)}
	}
	tree, err := hclnames.LoadTree(files, ".", hclconfig.OpenTofu)
	if err != nil {
		t.Fatal(err)
	}
	modules := 0
	for range tree.All() {
		modules++
	}
	if modules != depth {
		t.Errorf("%d modules, want %d", modules, depth)
	}
	hclcheck.Validate(tree, hclcheck.Validation{})
}
