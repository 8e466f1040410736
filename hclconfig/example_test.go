// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"fmt"
	"log"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/zclconf/go-cty/cty"
)

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

// Read a file with values of variables.
func ExampleParse_values() {
	f, err := hclconfig.Parse("terraform.tfvars.json", []byte(`{"zone": "x", "data": ["${y}"]}`))
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range f.Body().Arguments {
		value, err := a.Constant()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(a.NameRange(), a.Name, value.GoString())
	}
	// Output:
	// terraform.tfvars.json:1,2-8 zone cty.StringVal("x")
	// terraform.tfvars.json:1,15-21 data cty.TupleVal([]cty.Value{cty.StringVal("${y}")})
}
