// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames_test

import (
	"fmt"
	"log"
	"os"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// Find out the value of an expression, and why it is not known.
func Example() {
	dir := fstest.MapFS{
		"main.tf":     {Data: []byte("variable \"env\" {\n  default = \"prod\"\n}\n\nmodule \"net\" {\n  source = \"./net\"\n  env    = var.env\n}\n")},
		"net/main.tf": {Data: []byte("variable \"env\" {}\n\nlocals {\n  name = upper(\"net-${var.env}\")\n}\n\noutput \"id\" {\n  value = \"${local.name}/${aws_vpc.main.id}\"\n}\n")},
	}
	tree, err := hclnames.LoadTree(dir, ".")
	if err != nil {
		log.Fatal(err)
	}
	net := tree.Children[0]
	values := hclnames.NewEvaluator(nil)
	for _, l := range net.Module.Locals {
		fmt.Println(l.Name, values.Evaluate(net, l.Argument.Expression).Value.AsString())
	}
	for _, o := range net.Module.Outputs {
		for _, u := range values.Evaluate(net, o.Value).Unknown {
			fmt.Println(u.Range, u)
		}
	}
	// Output:
	// name NET-PROD
	// net/main.tf:8,28-40 module.net.aws_vpc.main is known only in a plan
}

// List the variables that nothing uses.
func ExampleNames_Unused() {
	dir := fstest.MapFS{"main.tf": {Data: []byte("variable \"used\" {}\n\nvariable \"left_over\" {}\n\noutput \"o\" {\n  value = var.used\n}\n")}}
	m, err := hclconfig.LoadModule(dir, ".")
	if err != nil {
		log.Fatal(err)
	}
	names := hclnames.NamesOf(m)
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
	tree, err := hclnames.LoadTree(dir, ".")
	if err != nil {
		log.Fatal(err)
	}
	g := tree.Graph()
	for n := range g.Dependents("var.zone") {
		if n.Kind == hclnames.Resource {
			fmt.Println(n.Address, n.Needs[0].At, n.Needs[0].Range())
		}
	}
	// Output: module.net.aws_subnet.a availability_zone net/main.tf:4,23-31
}

// Find who uses the outputs of the modules of a repository.
func ExampleCalledOutputs() {
	repository := fstest.MapFS{
		"live/main.tf": {Data: []byte("module \"net\" {\n  source = \"../net\"\n}\n\noutput \"id\" {\n  value = module.net.id\n}\n")},
		"net/main.tf":  {Data: []byte("output \"id\" {\n  value = 1\n}\n\noutput \"zone\" {\n  value = 2\n}\n")},
	}
	outputs, err := hclnames.CalledOutputs(repository) // of your own: os.DirFS of the root of the repository
	if err != nil {
		log.Fatal(err) // a use may be in what could not be read
	}
	for _, o := range outputs {
		fmt.Println(o.Dir, o.Output.Name, len(o.Uses))
		for _, u := range o.Uses {
			fmt.Println(u.Range(), u.Text)
		}
	}
	// Output:
	// net id 1
	// live/main.tf:6,11-24 module.net.id
	// net zone 0
}

// Ask what a module needs to run.
func ExampleFeaturesOf() {
	m, err := hclconfig.LoadModule(os.DirFS("../testdata/modules"), "tofu-files")
	if err != nil {
		log.Fatal(err)
	}
	oldest := addrs.MustParseVersion("1.8.0")
	for _, f := range hclnames.FeaturesOf(m.Files...) {
		if !f.Support.In(hclconfig.OpenTofu, oldest) && f.Range.Filename == "tofu-files/features.tofu" {
			fmt.Println(f.Range.Start.Line, f)
		}
	}
	// Output:
	// 10 argument for_each of provider: OpenTofu >= 1.9; not in Terraform
	// 15 provider reference with an instance key: OpenTofu >= 1.9; not in Terraform
}
