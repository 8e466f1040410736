// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclrename_test

import (
	"fmt"
	"maps"
	"slices"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig/hclrename"
)

var repository = fstest.MapFS{
	"main.tf":     {Data: []byte("module \"net\" {\n  source = \"./net\"\n  zone   = \"eu-1\"\n}\n")},
	"net/main.tf": {Data: []byte("variable \"zone\" {\n  type = string\n}\n\nresource \"terraform_data\" \"a\" {\n  input = var.zone\n}\n")},
}

func show(texts map[string][]byte) {
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		fmt.Printf("-- %s --\n%s", name, texts[name])
	}
}

func ExampleRename() {
	texts, err := hclrename.Rename(repository, "net", "var.zone", "var.region", hclrename.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	show(texts)
	// Output:
	// -- main.tf --
	// module "net" {
	//   source = "./net"
	//   region = "eu-1"
	// }
	// -- net/main.tf --
	// variable "region" {
	//   type = string
	// }
	//
	// resource "terraform_data" "a" {
	//   input = var.region
	// }
}

// A resource keeps its object: the state knows the old address.
func ExampleRename_moved() {
	texts, err := hclrename.Rename(repository, "net", "terraform_data.a", "terraform_data.core", hclrename.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	show(texts)
	// Output:
	// -- net/main.tf --
	// variable "zone" {
	//   type = string
	// }
	//
	// resource "terraform_data" "core" {
	//   input = var.zone
	// }
	//
	// moved {
	//   from = terraform_data.a
	//   to   = terraform_data.core
	// }
}

// A change that is not safe is refused.
func ExampleRename_refused() {
	_, err := hclrename.Rename(repository, "net", "var.zone", "var.version", hclrename.Options{})
	fmt.Println(err)
	// Output: var.version is a reserved name
}
