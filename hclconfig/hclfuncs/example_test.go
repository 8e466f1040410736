// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclfuncs_test

import (
	"fmt"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclfuncs"
	"github.com/zclconf/go-cty/cty"
)

func ExampleFunctions() {
	functions := hclfuncs.Functions(hclconfig.OpenTofu, hclfuncs.Options{})
	v, err := functions["cidrsubnet"].Call([]cty.Value{cty.StringVal("10.0.0.0/8"), cty.NumberIntVal(8), cty.NumberIntVal(2)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(v.AsString())
	// Output: 10.2.0.0/16
}

// Functions that read files read a file system.
func ExampleFunctions_files() {
	files := fstest.MapFS{"module/motd.tftpl": {Data: []byte("Welcome, ${name}.")}}
	functions := hclfuncs.Functions(hclconfig.Terraform, hclfuncs.Options{FS: files, Dir: "module"})
	x, diags := hclsyntax.ParseExpression([]byte(`templatefile("motd.tftpl", { name = upper("ann") })`), "x", hcl.InitialPos)
	if diags.HasErrors() {
		fmt.Println(diags)
		return
	}
	v, diags := x.Value(&hcl.EvalContext{Functions: functions})
	if diags.HasErrors() {
		fmt.Println(diags)
		return
	}
	fmt.Println(v.AsString())
	// Output: Welcome, ANN.
}

func ExampleSignatures() {
	s := hclfuncs.Signatures(hclconfig.OpenTofu)["join"]
	fmt.Println(s.String("join"))
	fmt.Println(s.Description)
	// Output:
	// join(separator string, lists list(string)...) string
	// The elements of lists with a separator between them.
}
