// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Linter is a plugin of tflint with one rule.
package main

import (
	"github.com/terraform-linters/tflint-plugin-sdk/hclext"
	"github.com/terraform-linters/tflint-plugin-sdk/plugin"
	"github.com/terraform-linters/tflint-plugin-sdk/tflint"
)

type described struct{ tflint.DefaultRule }

func (*described) Name() string              { return "example_described" }
func (*described) Enabled() bool             { return true }
func (*described) Severity() tflint.Severity { return tflint.WARNING }

func (r *described) Check(runner tflint.Runner) error {
	body, err := runner.GetModuleContent(&hclext.BodySchema{Blocks: []hclext.BlockSchema{{
		Type: "variable", LabelNames: []string{"name"},
		Body: &hclext.BodySchema{Attributes: []hclext.AttributeSchema{{Name: "description"}}},
	}}}, nil)
	if err != nil {
		return err
	}
	for _, v := range body.Blocks {
		if v.Body.Attributes["description"] == nil {
			if err := runner.EmitIssue(r, "variable "+v.Labels[0]+" has no description", v.DefRange); err != nil {
				return err
			}
		}
	}
	return nil
}

func main() {
	plugin.Serve(&plugin.ServeOpts{RuleSet: &tflint.BuiltinRuleSet{Name: "example", Version: "0.1.0", Rules: []tflint.Rule{new(described)}}})
}
