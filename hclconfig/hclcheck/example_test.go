// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck_test

import (
	"fmt"
	"log"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// Say what "tofu validate" would say, without tofu and without providers.
func Example() {
	dir := fstest.MapFS{"main.tf": {Data: []byte("resource \"aws_instance\" \"web\" {\n  ami  = var.image\n  tags = local.tags\n}\n\nvariable \"image\" {}\n")}}
	tree, err := hclnames.LoadTree(dir, ".", hclconfig.OpenTofu)
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range hclcheck.Validate(tree, hclcheck.Validation{}) {
		fmt.Println(d.Subject, d.Summary)
	}
	// Output: main.tf:3,10-20 Reference to undeclared local value
}

// Say what "tofu plan" would refuse although "tofu validate" accepts it.
func ExampleValidation_plan() {
	dir := fstest.MapFS{"main.tf": {Data: []byte("resource \"terraform_data\" \"old\" {}\n\nresource \"terraform_data\" \"new\" {}\n\nmoved {\n  from = terraform_data.old\n  to   = terraform_data.new\n}\n")}}
	tree, err := hclnames.LoadTree(dir, ".")
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range hclcheck.Validate(tree, hclcheck.Validation{Plan: true}) {
		fmt.Println(d)
	}
	// Output: main.tf:5,1-6: error: Moved object still exists; This statement declares a move from terraform_data.old, but that is still declared.
}

// Check one file as it is typed: in an editor, in a commit hook.
func ExampleValidateFile() {
	f, _ := hclconfig.Parse("variables.tf.json", []byte(`{"variable": {"size": {"type": "number", "default": "large"}}}`))
	for _, d := range hclcheck.ValidateFile(f) {
		fmt.Println(d)
	}
	// Output: variables.tf.json:1,53-60: error: Invalid default value for variable; Not of that kind: the default of var.size is not of its type: a number is required.
}
