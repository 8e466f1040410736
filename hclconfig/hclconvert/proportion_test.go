// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
	"github.com/tofuwire/tofuwire/internal/testing/bounds"
)

// TestProportion checks that a file that is four times as large takes not much more
// than four times the memory, in both directions and for several shapes.
func TestProportion(t *testing.T) {
	for name, shape := range map[string]func(b *strings.Builder, n int){
		"blocks": func(b *strings.Builder, n int) {
			for i := range n {
				fmt.Fprintf(b, "# c%d\nresource \"a_b\" \"n%d\" {\n  x = [for k in var.l%d : k] # t\n  y = \"${var.z}-%d\"\n  blk {\n    q = 1\n  }\n}\n", i, i, i, i)
			}
		},
		"arguments": func(b *strings.Builder, n int) {
			b.WriteString("locals {\n")
			for i := range n {
				fmt.Fprintf(b, "  a%d = var.b%d\n", i, i)
			}
			b.WriteString("}\n")
		},
		"comments": func(b *strings.Builder, n int) {
			for range n {
				b.WriteString("# a comment\n")
			}
			b.WriteString("locals {\n}\n")
		},
		"comments behind arguments": func(b *strings.Builder, n int) {
			b.WriteString("locals {\n")
			for i := range n {
				fmt.Fprintf(b, "  a%d = 1 # b\n", i)
			}
			b.WriteString("}\n")
		},
		"blocks between arguments": func(b *strings.Builder, n int) {
			b.WriteString("resource \"a\" \"b\" {\n")
			for i := range n {
				fmt.Fprintf(b, "  b%d {\n  }\n  a%d = 1 # c\n", i, i)
			}
			b.WriteString("}\n")
		},
		"elements": func(b *strings.Builder, n int) {
			b.WriteString("locals {\n  a = [\n")
			for i := range n {
				fmt.Fprintf(b, "    { k = %d },\n", i)
			}
			b.WriteString("  ]\n}\n")
		},
	} {
		files := func(n int) (native, json *hclconfig.File) {
			var text strings.Builder
			shape(&text, n)
			f, err := hclconfig.Parse("main.tf", []byte(text.String()))
			if err != nil {
				t.Fatal(name, err)
			}
			j, diags := hclconvert.ToJSON(f, hclconvert.Options{})
			if diags.HasErrors() {
				t.Fatal(name, diags)
			}
			return f, j
		}
		bounds.Growth(t, name+" to JSON", 250, 4, 5, func(n int) func() {
			f, _ := files(n)
			return func() { hclconvert.ToJSON(f, hclconvert.Options{}) }
		})
		bounds.Growth(t, name+" to native syntax", 250, 4, 5, func(n int) func() {
			_, j := files(n)
			return func() { hclconvert.ToNative(j, hclconvert.Options{}) }
		})
	}
}
