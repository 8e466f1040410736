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
