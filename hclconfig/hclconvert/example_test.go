// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert_test

import (
	"fmt"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
)

// A program that generates configuration wants JSON, and people wrote native
// syntax.
func ExampleToJSON() {
	src := `
# who may log in
resource "terraform_data" "users" {
  for_each   = toset(var.users)
  input      = "user ${each.key}, $${not a template}"
  depends_on = [terraform_data.group]
}
`
	f, err := hclconfig.Parse("users.tf", []byte(src))
	if err != nil {
		fmt.Println(err)
		return
	}
	g, diags := hclconvert.ToJSON(f, hclconvert.Options{})
	for _, d := range diags {
		fmt.Println(d)
	}
	fmt.Printf("%s\n%s", g.Filename(), g.Bytes())
	// Output:
	// users.tf.json
	// {
	//   "resource": {
	//     "terraform_data": {
	//       "users": {
	//         "//": "who may log in",
	//         "for_each": "${toset(var.users)}",
	//         "input": "user ${each.key}, $${not a template}",
	//         "depends_on": ["terraform_data.group"]
	//       }
	//     }
	//   }
	// }
}

// Generated JSON is to be read, and edited, by people.
func ExampleToNative() {
	src := `{"variable": {"price": {"type": "number", "default": 9.50, "description": "In ${currency}."}},
	"output": {"price": {"//": "rounded", "value": "${ceil(var.price)}"}}}`
	f, err := hclconfig.Parse("price.tf.json", []byte(src))
	if err != nil {
		fmt.Println(err)
		return
	}
	g, diags := hclconvert.ToNative(f, hclconvert.Options{})
	for _, d := range diags {
		fmt.Println(d)
	}
	fmt.Printf("%s", g.Bytes())
	// Output:
	// variable "price" {
	//   type        = number
	//   default     = 9.50
	//   description = "In $${currency}."
	// }
	//
	// # rounded
	// output "price" {
	//   value = ceil(var.price)
	// }
}

// Next to main.tf.json, main.tf cannot become main.tf.json.
func ExampleNames() {
	names, _ := hclconvert.Names([]string{"main.tf", "main.tf.json", "x_override.tofu", "README.md"}, hclconfig.JSONSyntax)
	for _, name := range []string{"main.tf", "main.tf.json", "x_override.tofu", "README.md"} {
		fmt.Println(name, "->", names[name])
	}
	// Output:
	// main.tf -> main_native.tf.json
	// main.tf.json -> main.tf.json
	// x_override.tofu -> x_override.tofu.json
	// README.md -> README.md
}
