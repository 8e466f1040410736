// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbridge_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclbridge"
)

// HCL's parser would end the process.
func TestExpression_deepTemplate(t *testing.T) {
	deep := strings.Repeat("(", 1_000_000)
	for _, value := range []string{`"${` + deep + `"`, `[{"a": "${` + deep + `"}]`, `{"${` + deep + `": 1}`, `"\u0024{` + deep + `"`} {
		f, err := hclconfig.ParseJSON("x.tf.json", []byte(`{"locals": {"a": `+value+`}}`))
		if err != nil {
			t.Fatal(err)
		}
		x := hclbridge.Expression(f.Body().Blocks[0].Body.Argument("a").Expression)
		if v, _ := x.Value(&hcl.EvalContext{}); v.IsKnown() || len(x.Variables()) > 0 {
			t.Errorf("%.20s: known, or has variables", value)
		}
	}
	// As a template it is text, but hcl.ExprCall reads it as code.
	f, err := hclconfig.ParseJSON("x.tf.json", []byte(`{"locals": {"a": "`+deep+`"}}`))
	if err != nil {
		t.Fatal(err)
	}
	x := hclbridge.Expression(f.Body().Blocks[0].Body.Argument("a").Expression)
	if v, diags := x.Value(&hcl.EvalContext{}); diags.HasErrors() || v.AsString() != deep {
		t.Errorf("text became something else: %v", diags)
	}
	if _, diags := hcl.ExprCall(x); !diags.HasErrors() {
		t.Error("text became a call")
	}
}

// TestBody_deepTemplate reads bodies that have such a string.
func TestBody_deepTemplate(t *testing.T) {
	deep := strings.Repeat("(", 1_000_000)
	f, err := hclconfig.ParseJSON("x.tf.json", []byte(`{"resource": {"t": {"n": {"a": "${`+deep+`", "b": 1, "c": {"d": "${`+deep+`"}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	b := &f.Config().Resources[0].Block.Body
	schema := &hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "a"}}, Blocks: []hcl.BlockHeaderSchema{{Type: "c"}}}
	for _, body := range []hcl.Body{hclbridge.Body(b), hclbridge.Body(b.Own())} {
		content, rest, diags := body.PartialContent(schema)
		if diags.HasErrors() || len(content.Attributes) != 1 || len(content.Blocks) != 1 {
			t.Fatal(content, diags)
		}
		_, diags = rest.Content(&hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "b"}}})
		if diags.HasErrors() {
			t.Error(diags)
		}
		inner, _ := content.Blocks[0].Body.JustAttributes()
		for _, x := range []hcl.Expression{content.Attributes["a"].Expr, inner["d"].Expr} {
			if v, _ := x.Value(&hcl.EvalContext{}); v.IsKnown() {
				t.Error("a value of what is too deep")
			}
		}
	}
	broken, _ := hclconfig.ParseJSON("x.tf.json", []byte(`{"a" 1 `+strings.Repeat("[", 5_000_000)))
	if c, _ := hclbridge.Body(broken.Body()).Content(schema); len(c.Attributes) > 0 {
		t.Error("content of what is too deep")
	}
	nested, _ := hclconfig.ParseNative("x.tf", []byte(strings.Repeat("a {\n", 100_000)))
	if c, _ := hclbridge.File(nested).Body.Content(schema); len(c.Attributes) > 0 {
		t.Error("content of what is too deep")
	}
}
