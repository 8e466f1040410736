// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
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
	edit := hcledit.Edit(f)
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
	f, err := hcledit.Build("generated.tf.json", []*hcledit.BlockBuilder{
		hcledit.NewBlock("variable", "image").
			Comment("Generated. Do not edit.").
			Set("type", hcledit.Source("string")).
			Set("default", "app:${latest}").
			Set("description", "The image, such as app:${tag}."),
		hcledit.NewBlock("resource", "terraform_data", "app").
			Set("input", map[string]any{
				"image":   hcledit.Source("var.image"),
				"greets":  hcledit.Template("Hello, ${var.image}!"),
				"literal": "${not a template}",
				"size":    hcledit.Number("1.50"),
			}).
			Set("depends_on", hcledit.List(hcledit.Source("terraform_data.base"))).
			Add(hcledit.NewBlock("lifecycle").Set("ignore_changes", hcledit.Source("all"))),
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
	f, err := hcledit.Build("generated.tf", []*hcledit.BlockBuilder{
		hcledit.NewBlock("output", "url").
			Set("value", hcledit.Template(`https://${var.host}/?q="x"`)).
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
		edit := hcledit.Edit(f)
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

// Move the variables of a file to a new one, and check the module before anything is
// written.
func ExampleInto() {
	const src = `# How large it is.
variable "size" {
  type = number
}

output "double" {
  value = 2 * var.size
}
`
	f, err := hclconfig.Parse("main.tf", []byte(src))
	if err != nil {
		log.Fatal(err)
	}
	empty, err := hclconfig.Parse("variables.tf", nil)
	if err != nil {
		log.Fatal(err)
	}
	from, to := hcledit.Edit(f), hcledit.Edit(empty)
	for b := range f.Body().BlocksOfType("variable") {
		from.Move(b, hcledit.Into(to, nil))
	}
	main, err := from.Apply()
	if err != nil {
		log.Fatal(err)
	}
	variables, err := to.Apply()
	if err != nil {
		log.Fatal(err)
	}
	// In a program, os.DirFS(dir) in the place of nil has the other files.
	m, err := hclconfig.LoadModule(hclconfig.Overlay(nil, main, variables), ".")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(m.Variables), "variable,", len(m.Diagnostics()), "faults")
	fmt.Printf("%s", variables.Bytes())
	// Output:
	// 1 variable, 0 faults
	// # How large it is.
	// variable "size" {
	//   type = number
	// }
}

// Print an argument with its comment and without.
func ExampleTextOf() {
	f, err := hclconfig.Parse("network.tf", []byte(network))
	if err != nil {
		log.Fatal(err)
	}
	version := f.Body().Block("module", "vpc").Argument("version")
	fmt.Println(hcledit.TextOf(version))
	fmt.Println(hcledit.CodeOf(version))
	// Output:
	// version = "~> 5.0" # reviewed in May
	// version = "~> 5.0"
}
