// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"fmt"
	"log"
	"strings"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/zclconf/go-cty/cty"
)

const network = `# The network team owns this file.
module "vpc" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "~> 5.0" # reviewed in May

  name = "main-${var.env}"
}

module "dns" {
  source = "example.com/infra/dns/aws"
  zone   = var.zone # internal
}
`

// Pin every module from a registry to one version. Comments and layout stay.
func ExampleEditor_pinModules() {
	newest := map[string]string{"vpc": "5.8.1", "dns": "2.0.3"}

	f, err := hclconfig.Parse("network.tf", []byte(network))
	if err != nil {
		log.Fatal(err)
	}
	edit := f.Edit()
	for _, call := range f.Config().Calls {
		edit.Set(call.Block, "version", newest[call.Name])
	}
	pinned, err := edit.Apply()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s", pinned.Bytes())
	// Output:
	// # The network team owns this file.
	// module "vpc" {
	//   source  = "terraform-aws-modules/vpc/aws"
	//   version = "5.8.1" # reviewed in May
	//
	//   name = "main-${var.env}"
	// }
	//
	// module "dns" {
	//   source  = "example.com/infra/dns/aws"
	//   version = "2.0.3"
	//   zone    = var.zone # internal
	// }
}

// Generate a file in JSON syntax. Each string is escaped as its argument needs
// it: a description is not a template, an expression is.
func ExampleBuild_json() {
	f, err := hclconfig.Build("generated.tf.json", []*hclconfig.BlockBuilder{
		hclconfig.NewBlock("variable", "image").
			Comment("Generated. Do not edit.").
			Set("type", hclconfig.Source("string")).
			Set("default", "app:${latest}").
			Set("description", "The image, such as app:${tag}."),
		hclconfig.NewBlock("resource", "terraform_data", "app").
			Set("input", map[string]any{
				"image":   hclconfig.Source("var.image"),
				"greets":  hclconfig.Template("Hello, ${var.image}!"),
				"literal": "${not a template}",
				"size":    hclconfig.Number("1.50"),
			}).
			Set("depends_on", hclconfig.List(hclconfig.Source("terraform_data.base"))).
			Add(hclconfig.NewBlock("lifecycle").Set("ignore_changes", hclconfig.Source("all"))),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s", f.Bytes())
	// Output:
	// {
	//   "variable": {
	//     "image": {
	//       "//": "Generated. Do not edit.",
	//       "type": "string",
	//       "default": "app:${latest}",
	//       "description": "The image, such as app:${tag}."
	//     }
	//   },
	//   "resource": {
	//     "terraform_data": {
	//       "app": {
	//         "input": {
	//           "greets": "Hello, ${var.image}!",
	//           "image": "${var.image}",
	//           "literal": "$${not a template}",
	//           "size": 1.50
	//         },
	//         "depends_on": ["terraform_data.base"],
	//         "lifecycle": {
	//           "ignore_changes": "all"
	//         }
	//       }
	//     }
	//   }
	// }
}

// The same builder writes native syntax.
func ExampleBuild_native() {
	f, err := hclconfig.Build("generated.tf", []*hclconfig.BlockBuilder{
		hclconfig.NewBlock("output", "url").
			Set("value", hclconfig.Template(`https://${var.host}/?q="x"`)).
			Set("description", "Looks like https://${host}/."),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s", f.Bytes())
	// Output:
	// output "url" {
	//   value       = "https://${var.host}/?q=\"x\""
	//   description = "Looks like https://$${host}/."
	// }
}

// List what a module needs from the outside: providers, versions, and the
// variables that a caller must set.
func ExampleLoadModule_needs() {
	fsys := fstest.MapFS{
		"main.tf": {Data: []byte(`
terraform {
  required_version = ">= 1.8"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0, < 7.0"
    }
  }
}
resource "random_pet" "name" {}
variable "zone" { type = string }
variable "size" { default = 3 }
`)},
		"data.tf.json":     {Data: []byte(`{"data": {"aws_ami": {"base": {"most_recent": true}}}}`)},
		"main_override.tf": {Data: []byte(`variable "size" { default = 5 }`)},
	}
	m, err := hclconfig.LoadModule(fsys, ".", hclconfig.OpenTofu)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range m.Settings {
		fmt.Println("OpenTofu", s.RequiredVersion.Value)
	}
	for _, p := range m.RequiredProviders() {
		fmt.Printf("provider %s %q\n", p.Provider, p.Constraints)
	}
	for _, v := range m.Variables {
		if v.Required() {
			fmt.Println("variable", v.Name, v.Type, "at", v.Block.DefRange())
		} else {
			fmt.Println("variable", v.Name, "=", v.Default, "from", v.Default.Range().Filename)
		}
	}
	// Output:
	// OpenTofu >= 1.8
	// provider registry.opentofu.org/hashicorp/aws ">= 5.0.0, < 7.0.0"
	// provider registry.opentofu.org/hashicorp/random ""
	// variable zone string at main.tf:12,1-16
	// variable size = 5 from main_override.tf
}

// Find every use of a variable, in both syntaxes, and rename it everywhere.
func ExampleEditor_ReplaceReference() {
	old := addrs.MustParseReference("var.old")
	for _, file := range []struct{ name, src string }{
		{"a.tf.json", `{"output": {"o": {"value": "\u00e9 ${upper(var.old)} and ${var.old.x}"}}}`},
		{"b.tf", "output \"p\" { value = [for s in var.old : s] } # var.old is here\n"},
	} {
		f, err := hclconfig.Parse(file.name, []byte(file.src))
		if err != nil {
			log.Fatal(err)
		}
		edit := f.Edit()
		for _, r := range f.Body().References() {
			if r.Addr.Subject() == old {
				fmt.Println(r.Range(), r)
				edit.ReplaceReference(r, "var.new"+r.Text[len("var.old"):])
			}
		}
		g, err := edit.Apply()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(strings.TrimSpace(string(g.Bytes())))
	}
	// Output:
	// a.tf.json:1,44-51 var.old
	// a.tf.json:1,60-69 var.old.x
	// {"output": {"o": {"value": "\u00e9 ${upper(var.new)} and ${var.new.x}"}}}
	// b.tf:1,32-39 var.old
	// output "p" { value = [for s in var.new : s] } # var.old is here
}

// Read the arguments and blocks of a provider in JSON syntax with the schema
// that tells them apart.
func ExampleBody_Content() {
	f, err := hclconfig.Parse("main.tf.json", []byte(`{"resource": {"aws_instance": {"web": {
		"ami": "ami-123",
		"ebs_block_device": [{"size": 10}, {"size": 20}],
		"tags": {"Name": "web"}
	}}}}`))
	if err != nil {
		log.Fatal(err)
	}
	content := f.Config().Resources[0].Config().Content(&hcl.BodySchema{
		Attributes: []hcl.AttributeSchema{{Name: "ami"}, {Name: "tags"}},
		Blocks:     []hcl.BlockHeaderSchema{{Type: "ebs_block_device"}},
	})
	for _, a := range content.Arguments {
		fmt.Println("argument", a.Name, "=", a)
	}
	for _, b := range content.Blocks {
		fmt.Println("block", b.Type, "at", b.Range(), "size", b.Argument("size"))
	}
	// Output:
	// argument ami = "ami-123"
	// argument tags = {"Name": "web"}
	// block ebs_block_device at main.tf.json:3,26-38 size 10
	// block ebs_block_device at main.tf.json:3,40-52 size 20
}

// Evaluate an expression with values of one's own.
func ExampleExpression_Value() {
	f, err := hclconfig.Parse("main.tf.json", []byte(`{"locals": {"name": "app-${var.env}"}}`))
	if err != nil {
		log.Fatal(err)
	}
	v, diags := f.Config().Locals[0].Argument.Value(&hcl.EvalContext{Variables: map[string]cty.Value{
		"var": cty.ObjectVal(map[string]cty.Value{"env": cty.StringVal("prod")}),
	}})
	fmt.Println(v.AsString(), diags)
	// Output: app-prod []
}
