// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbridge_test

import (
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclbridge"
)

// FuzzBody checks, for every argument of a file in either syntax, that a body of
// HCL has it under its name, that its expression can be evaluated without a
// panic, and that [hclbridge.Find] leads back to it.
func FuzzBody(f *testing.F) {
	for _, src := range []string{
		"locals {\n  a = var.x\n  b = [1, \"${a}\", { k = v }]\n}\n",
		"resource \"t\" \"n\" {\n  count = 2\n  tags = { a = \"é${each.key}\" }\n  lifecycle {\n    ignore_changes = [a]\n  }\n}\n",
		"x = <<EOT\n${a}\nEOT\n",
	} {
		f.Add("main.tf", src)
	}
	f.Add("main.tf.json", `{"locals": {"a": "${var.x}", "b": [1, {"k": "$${v}"}]}, "provider": [{"p": {"x": null}}]}`)
	f.Fuzz(func(t *testing.T, name, src string) {
		if name != "main.tf.json" {
			name = "main.tf"
		}
		file, err := hclconfig.Parse(name, []byte(src))
		if err != nil {
			return
		}
		checkBody(t, file, file.Body())
	})
}

func checkBody(t *testing.T, file *hclconfig.File, b *hclconfig.Body) {
	for i := range b.Arguments {
		a := &b.Arguments[i]
		content, _, _ := hclbridge.Body(b).PartialContent(&hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: a.Name}}})
		if content.Attributes[a.Name] == nil {
			t.Errorf("the body lacks %q", a.Name)
		}
		x := hclbridge.Expression(a.Expression)
		x.Value(nil)
		x.Variables()
		if file.Syntax() == hclconfig.NativeSyntax {
			if back := hclbridge.Find(file, x); back.Raw() != a.Expression.Raw() {
				t.Errorf("%q: found %q on the way back from %q", a.Name, back.Raw(), a.Expression.Raw())
			}
		}
	}
	for i := range b.Blocks {
		checkBody(t, file, &b.Blocks[i].Body)
	}
}
