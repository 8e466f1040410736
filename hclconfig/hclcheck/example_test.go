// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck_test

import (
	"fmt"
	"log"
	"os"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
)

// Say what "tofu validate" would say, without tofu and without providers.
func Example() {
	dir := fstest.MapFS{"main.tf": {Data: []byte("resource \"aws_instance\" \"web\" {\n  ami  = var.image\n  tags = local.tags\n}\n\nvariable \"image\" {}\n")}}
	tree, err := hclcheck.LoadTree(dir, ".", hclconfig.OpenTofu)
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range tree.Validate(hclcheck.Validation{}) {
		fmt.Println(d.Subject, d.Summary)
	}
	// Output: main.tf:3,10-20 Reference to undeclared local value
}

// Say what "tofu plan" would refuse although "tofu validate" accepts it.
func ExampleValidation_plan() {
	dir := fstest.MapFS{"main.tf": {Data: []byte("resource \"terraform_data\" \"old\" {}\n\nresource \"terraform_data\" \"new\" {}\n\nmoved {\n  from = terraform_data.old\n  to   = terraform_data.new\n}\n")}}
	tree, err := hclcheck.LoadTree(dir, ".")
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range tree.Validate(hclcheck.Validation{Plan: true}) {
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

// List the variables that nothing uses.
func ExampleNames_Unused() {
	dir := fstest.MapFS{"main.tf": {Data: []byte("variable \"used\" {}\n\nvariable \"left_over\" {}\n\noutput \"o\" {\n  value = var.used\n}\n")}}
	m, err := hclconfig.LoadModule(dir, ".")
	if err != nil {
		log.Fatal(err)
	}
	names := hclcheck.NamesOf(m)
	for _, d := range names.Unused() {
		fmt.Println(d.Range(), d.Address)
	}
	for _, u := range names.Uses("var.used") {
		fmt.Println(u.NameRange(), "in the", u.In.Type, u.In.Labels[0])
	}
	// Output:
	// main.tf:3,1-21 var.left_over
	// main.tf:6,15-19 in the output o
}

// Find what a change of a variable reaches, and through which reference.
func ExampleTree_Graph() {
	dir := fstest.MapFS{
		"main.tf":     {Data: []byte("variable \"zone\" {}\n\nmodule \"net\" {\n  source = \"./net\"\n  zone   = var.zone\n}\n")},
		"net/main.tf": {Data: []byte("variable \"zone\" {}\n\nresource \"aws_subnet\" \"a\" {\n  availability_zone = var.zone\n}\n")},
	}
	tree, err := hclcheck.LoadTree(dir, ".")
	if err != nil {
		log.Fatal(err)
	}
	g := tree.Graph()
	for n := range g.Dependents("var.zone") {
		if n.Kind == hclcheck.Resource {
			fmt.Println(n.Address, n.Needs[0].At, n.Needs[0].Range())
		}
	}
	// Output: module.net.aws_subnet.a availability_zone net/main.tf:4,23-31
}

// Ask what a module needs to run.
func ExampleFeaturesOf() {
	m, err := hclconfig.LoadModule(os.DirFS("../testdata/modules"), "tofu-files")
	if err != nil {
		log.Fatal(err)
	}
	oldest := addrs.MustParseVersion("1.8.0")
	for _, f := range hclcheck.FeaturesOf(m.Files...) {
		if !f.Support.In(hclconfig.OpenTofu, oldest) && f.Range.Filename == "tofu-files/features.tofu" {
			fmt.Println(f.Range.Start.Line, f)
		}
	}
	// Output:
	// 10 argument for_each of provider: OpenTofu >= 1.9; not in Terraform
	// 15 provider reference with an instance key: OpenTofu >= 1.9; not in Terraform
}
