// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbridge_test

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclbridge"
)

// Evaluate an argument with values that the program knows.
func ExampleExpression_evaluate() {
	f, err := hclconfig.Parse("main.tf", []byte("locals {\n  name = \"web-${var.env}\"\n}\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	x := hclbridge.Expression(f.Body().Block("locals").Argument("name").Expression)
	v, diags := x.Value(&hcl.EvalContext{Variables: map[string]cty.Value{
		"var": cty.ObjectVal(map[string]cty.Value{"env": cty.StringVal("blue")}),
	}})
	fmt.Println(v.AsString(), diags.HasErrors())
	// Output:
	// web-blue false
}

// Read a block with a schema, in either syntax, as programs on HCL do.
func ExampleBody_readWithSchema() {
	schema := &hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "region", Required: true}}}
	f, err := hclconfig.Parse("main.tf.json", []byte(`{"provider": {"aws": {"region": "eu-north-1"}}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	content, diags := hclbridge.Body(&f.Body().Block("provider").Body).Content(schema)
	if diags.HasErrors() {
		fmt.Println(diags)
		return
	}
	v, _ := content.Attributes["region"].Expr.Value(nil)
	fmt.Println(v.AsString(), "at", content.Attributes["region"].Range)
	// Output:
	// eu-north-1 at main.tf.json:1,23-45
}

// Go back from an expression of HCL to the one of the file, and ask what it refers
// to.
func ExampleFind_wayBack() {
	f, err := hclconfig.Parse("main.tf", []byte("locals {\n  a = var.x\n  b = 1\n}\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	attrs, diags := hclbridge.Body(&f.Body().Block("locals").Body).JustAttributes()
	if diags.HasErrors() {
		fmt.Println(diags)
		return
	}
	e := hclbridge.Find(f, attrs["a"].Expr)
	for _, r := range e.References() {
		fmt.Println(e.Raw(), "refers to", r.Text)
	}
	// Output:
	// var.x refers to var.x
}
