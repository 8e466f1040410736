// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cookbook_test

import (
	"bytes"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/hclrename"
)

// List the inputs and outputs of a module for its documentation.
func Example_documentModule() {
	dir := fstest.MapFS{"main.tf": {Data: []byte(`variable "region" {
  type        = string
  description = "Where everything is."
}

variable "size" {
  type    = number
  default = 3
}

output "url" {
  value = "https://${var.region}.example.net"
}
`)}} // in your program: os.DirFS("path/to/module")
	module, err := hclconfig.LoadModule(dir, ".")
	if err != nil {
		log.Fatal(err) // the directory cannot be listed
	}
	for d := range module.Diagnostics().Errors() {
		log.Fatal(d) // a file has a fault, so something may be missing from the module
	}
	for _, v := range module.Variables {
		fmt.Printf("%s: %s, required %t, %q\n", v.Name, v.Type.Raw(), v.Required(), v.Description.Value)
	}
	for _, o := range module.Outputs {
		fmt.Println(o.Name, o.Block.DefRange())
	}
	// Output:
	// region: string, required true, "Where everything is."
	// size: number, required false, ""
	// url main.tf:11,1-13
}

// Find the providers that a module requires, and with which constraints.
func Example_listRequiredProviders() {
	module, err := hclconfig.LoadModule(os.DirFS(moduleDir), ".")
	if err != nil {
		log.Fatal(err)
	}
	for d := range hclcheck.ValidateModule(module).Errors() {
		log.Fatal(d) // an invalid constraint, for example, would be missing below
	}
	for _, p := range module.RequiredProviders() {
		fmt.Println(p.Name, p.Provider, p.Constraints)
	}
	// Output:
	// lab registry.opentofu.org/example/lab ~> 1.2, < 9.0.0
	// null registry.opentofu.org/hashicorp/null 3.3.1
	// random registry.opentofu.org/hashicorp/random
}

// Read a tree of modules with sources outside the module's own directory.
func Example_loadTree() {
	repository := fstest.MapFS{
		"live/prod/main.tf":   {Data: []byte("module \"net\" {\n  source = \"../../modules/net\"\n}\n\nmodule \"dns\" {\n  source = \"acme/dns/aws\"\n}\n")},
		"modules/net/main.tf": {Data: []byte("resource \"aws_vpc\" \"main\" {}\n")},
	} // in your program: os.DirFS of a directory that contains all of the modules, such as the root of the repository
	tree, err := hclnames.LoadTree(repository, "live/prod")
	if err != nil {
		log.Fatal(err)
	}
	for t := range tree.All() {
		for d := range t.Module.Diagnostics().Errors() {
			log.Fatal(d)
		}
		fmt.Printf("%q has %d resources\n", t.Path(), len(t.Module.Resources))
		for _, call := range t.Missing { // neither local nor installed below .terraform
			fmt.Println("not found:", call.Name, call.Source.Value)
		}
	}
	// Output:
	// "" has 0 resources
	// not found: dns acme/dns/aws
	// "module.net" has 1 resources
}

// Find the outputs of modules that no caller uses.
func Example_unusedOutputs() {
	repository := fstest.MapFS{
		"live/prod/main.tf":        {Data: []byte("module \"net\" {\n  source = \"../../modules/net\"\n}\n\noutput \"id\" {\n  value = module.net.id\n}\n")},
		"live/dev/main.tf.json":    {Data: []byte(`{"module": {"net": {"source": "../../modules/net"}}, "locals": {"a": "${module.net.zone}"}}`)},
		"modules/net/outputs.tf":   {Data: []byte("output \"id\" {\n  value = 1\n}\n\noutput \"zone\" {\n  value = 2\n}\n\noutput \"old\" {\n  value = 3\n}\n\noutput \"size\" {\n  value = 4\n}\n")},
		"modules/net/a.tftest.hcl": {Data: []byte("run \"a\" {\n  assert {\n    condition     = output.size == 4\n    error_message = \"size\"\n  }\n}\n")},
	} // in your program: os.DirFS of the root of the repository
	outputs, err := hclnames.CalledOutputs(repository)
	if err != nil {
		log.Fatal(err) // a file that could not be read may use them
	}
	for _, o := range outputs { // without the outputs of modules that have no caller: people or terraform_remote_state may use those
		if len(o.Uses) == 0 { // module.net as a whole counts as a use of each output, and tests and query files also use them
			fmt.Printf("%s: %s\n", o.Dir, o.Output.Name)
		}
	}
	// Output:
	// modules/net: old
}

// Find the module calls with a Git source, and their revisions.
func Example_findGitSources() {
	file, err := hclconfig.Parse("main.tf", []byte(`module "net" {
  source = "github.com/acme/net//subnets?ref=v1.4.0"
}

module "dns" {
  source = "acme/dns/aws"
}

module "app" {
  source = "./app"
}
`))
	if err != nil {
		log.Fatal(err)
	}
	for _, call := range file.Config().Calls {
		source, err := addrs.ParseModuleSource(call.Source.Value)
		if err != nil {
			log.Fatal(err)
		}
		git := strings.HasPrefix(source.Package(), "git::") // the normal form of every Git source
		fmt.Printf("%s: %s, git %t, %s, %q %q\n", call.Name, source.Kind(), git, source.Package(), source.Subdir(), source.Revision())
	}
	// Output:
	// net: remote, git true, git::https://github.com/acme/net.git?ref=v1.4.0, "subnets" "v1.4.0"
	// dns: registry, git false, registry.opentofu.org/acme/dns/aws, "" ""
	// app: local, git false, ./app, "" ""
}

// Validate a configuration for one release of one tool.
func Example_chooseDialect() {
	tool, version := addrs.Terraform, addrs.MustParseVersion("1.5.7") // in your program: from a flag, or from what "version -json" prints
	dialect := hclconfig.OpenTofu
	if tool == addrs.Terraform {
		dialect = hclconfig.Terraform
	}
	dialect = dialect.At(version)                                                          // without At: the newest release
	dir := fstest.MapFS{"main.tf": {Data: []byte("removed {\n  from = aws_vpc.old\n}\n")}} // in your program: os.DirFS("path/to/module")
	tree, err := hclnames.LoadTree(dir, ".", dialect)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(dialect)
	for _, d := range hclcheck.Validate(tree, hclcheck.Validation{}) {
		fmt.Println(d)
	}
	// Output:
	// Terraform 1.5
	// main.tf:1,1-8: error: Unsupported block type; Terraform 1.5 has no blocks of type "removed" here.
}

// Set an argument in every resource of a type, and keep the comments.
func Example_setArgument() {
	file, err := hclconfig.Parse("main.tf", []byte(`resource "aws_s3_bucket" "logs" {
  bucket = "logs" # do not rename
}
`))
	if err != nil {
		log.Fatal(err)
	}
	edit := hcledit.Edit(file)
	for _, r := range file.Config().Resources {
		if r.Type == "aws_s3_bucket" {
			edit.Set(r.Block, "force_destroy", true)
		}
	}
	edited, err := edit.Apply()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(edited.Bytes()))
	// Output:
	// resource "aws_s3_bucket" "logs" {
	//   bucket        = "logs" # do not rename
	//   force_destroy = true
	// }
}

// Wrap the tags of a resource in a call of merge.
func Example_wrapInCall() {
	file, err := hclconfig.Parse("main.tf", []byte(`resource "aws_instance" "web" {
  tags = {
    Name = "web" # shown in the console
  }
}
`))
	if err != nil {
		log.Fatal(err)
	}
	edit := hcledit.Edit(file)
	for _, r := range file.Config().Resources {
		if tags := r.Block.Argument("tags"); tags != nil {
			edit.Set(r.Block, "tags", hcledit.Source("merge(local.tags, "+tags.Raw()+")"))
		}
	}
	edited, err := edit.Apply()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(edited.Bytes()))
	// Output:
	// resource "aws_instance" "web" {
	//   tags = merge(local.tags, {
	//     Name = "web" # shown in the console
	//   })
	// }
}

// Write a configuration from a program, in JSON syntax.
func Example_generateJSON() {
	file, err := hcledit.Build("generated.tf.json", []*hcledit.BlockBuilder{
		hcledit.NewBlock("module", "network").
			Set("source", "./network").
			Set("cidr", hcledit.Template("10.${var.index}.0.0/16")),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(file.Bytes()))
	// Output:
	// {
	//   "module": {
	//     "network": {
	//       "source": "./network",
	//       "cidr": "10.${var.index}.0.0/16"
	//     }
	//   }
	// }
}

// Convert a file from native to JSON syntax.
func Example_convertToJSON() {
	file, err := hclconfig.Parse("main.tf", []byte("output \"name\" {\n  value = upper(var.name) # shouting\n}\n"))
	if err != nil {
		log.Fatal(err)
	}
	converted, diagnostics := hclconvert.ToJSON(file, hclconvert.Options{})
	if diagnostics.HasErrors() {
		log.Fatal(diagnostics)
	}
	fmt.Print(string(converted.Bytes()))
	// Output:
	// {
	//   "output": {
	//     "name": {
	//       "//": "shouting",
	//       "value": "${upper(var.name)}"
	//     }
	//   }
	// }
}

// Change the source of a provider in all modules of a repository, after its states (a lock can refuse them) and before the lock files.
func Example_changeProviderSource() {
	repository := demoRepository() // in your program: os.DirFS("path/to/repository")
	// In both registries, in override files, beside main.tofu, and in modules that only use it. A fault in a module is an error.
	texts, err := hclrename.ReplaceProvider(repository, "hashicorp/random", "acme/random")
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) { // to write them: hclconfig.Parse and hcledit.Save
		fmt.Printf("# %s\n%s", name, texts[name])
	}
	// Output:
	// # lab/main.tf
	// terraform {
	//   required_providers {
	//     random = {
	//       source  = "acme/random"
	//       version = "~> 3.5"
	//     }
	//   }
	// }
	// # live/main.tf
	// terraform {
	//   required_providers {
	//     random = {
	//       source  = "acme/random" # the fork
	//       version = "~> 3.5"
	//     }
	//   }
	// }
	// # login/main.tf
	// resource "random_string" "name" {
	//   length = 8
	// }
	//
	// terraform {
	//   required_providers {
	//     random = {
	//       source = "acme/random"
	//     }
	//   }
	// }
	// # new/main.tf
	// terraform {
	//   required_providers {
	//     random = {
	//       source  = "acme/random"
	//       version = "~> 3.5"
	//     }
	//   }
	// }
	// # new/main.tofu
	// terraform {
	//   required_providers {
	//     random = {
	//       source = "registry.terraform.io/acme/random"
	//     }
	//   }
	// }
}

// Rename a variable of a module that others call, in all of them, and write the files.
func Example_renameVariable() {
	root, err := os.MkdirTemp("", "repository") // in your program: the directory of the repository
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(root)
	for name, text := range map[string]string{
		"modules/net/main.tf": "variable \"zone\" {}\n\noutput \"zone\" {\n  value = var.zone\n}\n",
		"live/main.tf":        "module \"net\" {\n  source = \"../modules/net\"\n  zone   = \"eu-1\"\n}\n",
	} {
		_ = os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755)
		_ = os.WriteFile(filepath.Join(root, name), []byte(text), 0o644)
	}
	texts, err := hclrename.Rename(os.DirFS(root), "modules/net", "var.zone", "var.region", hclrename.Options{})
	if err != nil {
		log.Fatal(err) // the rename would not be safe; nothing was changed
	}
	var files []*hclconfig.File
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		f, err := hclconfig.Parse(name, texts[name])
		if err != nil {
			log.Fatal(err)
		}
		files = append(files, f)
		fmt.Printf("# %s\n%s", name, f.Bytes())
	}
	if err := hcledit.Save(root, files...); err != nil {
		log.Fatal(err) // it lists what each file contains
	}
	// Output:
	// # live/main.tf
	// module "net" {
	//   source = "../modules/net"
	//   region = "eu-1"
	// }
	// # modules/net/main.tf
	// variable "region" {}
	//
	// output "zone" {
	//   value = var.region
	// }
}

// Rename a resource and add its moved block, in all files of a module.
func Example_renameResource() {
	dir := vpcModule // in your program: os.DirFS("path/to/module")
	module, err := hclconfig.LoadModule(dir, ".", hclconfig.TestDirectory(""))
	if err != nil {
		log.Fatal(err)
	}
	const old, name = "aws_vpc.main", "net"
	uses := hclnames.NamesOf(module).Uses(old)
	slices.Reverse(uses) // the last one first, so that earlier offsets stay valid
	for _, f := range append(module.Files, module.Tests...) {
		text := bytes.Clone(f.Bytes()) // the bytes of the file must not change
		for _, u := range uses {
			if at := u.NameRange(); at.Filename == f.Filename() && u.In.Type != "moved" { // earlier moved blocks stay
				text = slices.Replace(text, int(at.Start.Offset), int(at.End.Offset), []byte(name)...)
			}
		}
		renamed, err := f.Reparse(text)
		if err != nil {
			log.Fatal(err)
		}
		e := hcledit.Edit(renamed)
		for d := range renamed.Config().Declarations() {
			if d.Address == old {
				e.Relabel(d.Block, 1, name)
			}
			if d.Address == old && !f.IsOverride() {
				e.Add(nil, hcledit.NewBlock("moved").Set("from", hcledit.Source(old)).Set("to", hcledit.Source("aws_vpc."+name)), hcledit.After(d.Block))
			}
		}
		if renamed, err = e.Apply(); err != nil {
			log.Fatal(err)
		}
		fmt.Printf("# %s\n%s", f.Filename(), renamed.Bytes())
	}
	// Output:
	// # main.tf
	// resource "aws_vpc" "net" {
	// }
	//
	// moved {
	//   from = aws_vpc.main
	//   to   = aws_vpc.net
	// }
	//
	// output "id" {
	//   value = aws_vpc.net.id
	// }
	// # main_override.tf
	// resource "aws_vpc" "net" {
	//   cidr_block = "10.0.0.0/16"
	// }
	// # tests/vpc.tftest.hcl
	// run "plan" {
	//   assert {
	//     condition = aws_vpc.net.cidr_block != ""
	//   }
	// }
}
