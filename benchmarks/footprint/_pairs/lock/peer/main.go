// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Lock adds the h1 hash of a provider's package to its lock.
package main

import (
	"log"
	"os"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
	"golang.org/x/mod/sumdb/dirhash"
)

func main() {
	hash, err := dirhash.HashZip(os.Args[3], dirhash.Hash1)
	if err != nil {
		log.Fatal(err)
	}
	src, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	file, diags := hclwrite.ParseConfig(src, os.Args[1], hcl.InitialPos)
	if diags.HasErrors() {
		log.Fatal(diags)
	}
	block := file.Body().FirstMatchingBlock("provider", []string{os.Args[2]})
	if block == nil {
		log.Fatal("no such provider")
	}
	hashes := []cty.Value{cty.StringVal(hash)}
	if old := block.Body().GetAttribute("hashes"); old != nil {
		expr, diags := hclsyntax.ParseExpression(old.Expr().BuildTokens(nil).Bytes(), os.Args[1], hcl.InitialPos)
		if diags.HasErrors() {
			log.Fatal(diags)
		}
		list, diags := expr.Value(nil)
		if diags.HasErrors() {
			log.Fatal(diags)
		}
		hashes = append(hashes, list.AsValueSlice()...)
	}
	block.Body().SetAttributeValue("hashes", cty.ListVal(hashes))
	if err := os.WriteFile(os.Args[1], file.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
