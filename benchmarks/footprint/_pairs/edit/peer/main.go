// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Edit sets the version of each module call in a file.
package main

import (
	"log"
	"os"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

func main() {
	src, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	file, diags := hclwrite.ParseConfig(src, os.Args[1], hcl.InitialPos)
	if diags.HasErrors() {
		log.Fatal(diags)
	}
	for _, block := range file.Body().Blocks() {
		if block.Type() == "module" {
			block.Body().SetAttributeValue("version", cty.StringVal(os.Args[2]))
		}
	}
	if err := os.WriteFile(os.Args[1], file.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
