// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/testing/bounds"
)

// TestSquareShapes: configurations whose check once took time or memory that grew with the square of their text.
func TestSquareShapes(t *testing.T) {
	outputs := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "output \"o%d\" {\n  value = \"%[1]d\"\n}\n", i)
		}
		return b.String()
	}
	const call = "module \"m\" {\n  source = \"./m\"\n}\n"
	for name, files := range map[string]func(n int) map[string]string{
		"references to outputs of one module": func(n int) map[string]string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "locals {\n  l%d = module.m.o%[1]d\n}\n", i)
			}
			return map[string]string{"main.tf": call + b.String(), "m/main.tf": outputs(n)}
		},
		"references to outputs in one expression": func(n int) map[string]string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "    module.m.o%d,\n", i)
			}
			return map[string]string{"main.tf": call + "locals {\n  l = [\n" + b.String() + "  ]\n}\nmodule \"n\" {\n  source = \"./${join(\"\", local.l)}\"\n}\n", "m/main.tf": outputs(n)}
		},
		"references to outputs of many instances": func(n int) map[string]string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "locals {\n  l%d = module.m[0].o%[1]d\n}\n", i)
			}
			return map[string]string{"main.tf": strings.Replace(call, "}", "  count = 2\n}", 1) + b.String(), "m/main.tf": outputs(n)}
		},
		"references to variables without values": func(n int) map[string]string {
			var b, c strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "    var.v%d,\n", i)
				fmt.Fprintf(&c, "variable \"v%d\" {\n}\n", i)
			}
			return map[string]string{"main.tf": c.String() + "locals {\n  l = [\n" + b.String() + "  ]\n}\noutput \"o\" {\n  value = local.l\n}\n"}
		},
		"objects in optional attributes with defaults": func(n int) map[string]string {
			return map[string]string{"main.tf": "variable \"v\" {\n  type = " + strings.Repeat("object({ a = optional(", n) + "string" + strings.Repeat(", {}) })", n) + "\n}\n"}
		},
	} {
		bounds.Growth(t, name, 800, 2, 2.5, func(n int) func() {
			fsys := fstest.MapFS{}
			for name, text := range files(n) {
				fsys[name] = &fstest.MapFile{Data: []byte(text)}
			}
			return func() {
				tree, err := hclnames.LoadTree(fsys, ".", hclconfig.OpenTofu)
				if err != nil {
					t.Fatal(err)
				}
				hclcheck.Validate(tree, hclcheck.Validation{})
				hclcheck.Validate(tree, hclcheck.Validation{Plan: true})
				hclnames.NewEvaluator(nil).Evaluate(tree, mustLocal(tree))
			}
		})
	}
}

// mustLocal returns the last local value of a module, or nothing.
func mustLocal(t *hclnames.Tree) hclconfig.Expression {
	if n := len(t.Module.Locals); n > 0 {
		return t.Module.Locals[n-1].Argument.Expression
	}
	return hclconfig.Expression{}
}
