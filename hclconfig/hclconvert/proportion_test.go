// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
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
		measure := func(n int) (toJSON, toNative uint64) {
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
			allocated := func(f func()) uint64 {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				f()
				runtime.ReadMemStats(&after)
				return after.TotalAlloc - before.TotalAlloc
			}
			toJSON = allocated(func() { hclconvert.ToJSON(f, hclconvert.Options{}) })
			toNative = allocated(func() { hclconvert.ToNative(j, hclconvert.Options{}) })
			return toJSON, toNative
		}
		toJSON, toNative := measure(250)
		toJSON4, toNative4 := measure(1000)
		if toJSON4 > 5*toJSON || toNative4 > 5*toNative {
			t.Errorf("%s: %d and %d bytes, for four times as much %d and %d", name, toJSON, toNative, toJSON4, toNative4)
		}
	}
}
