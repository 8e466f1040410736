// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
)

// TestRenamesInARow wants of many renames in one editor what the same renames give that read the file each time,
// also if one is about what another one wrote, and that they read it once if not.
func TestRenamesInARow(t *testing.T) {
	native := "locals {\n  a = var.a\n  b = \"${var.b}-${var.a.x}\"\n  c = [for a in var.c : a]\n}\n\nresource \"x\" \"y\" {\n  n = x.z[var.a]\n  dynamic \"d\" {\n    for_each = var.d\n    labels   = [d.key]\n    content {\n      v = d.value + e.f\n    }\n  }\n}\n"
	for _, renames := range [][2]string{
		{"var.a var.b", "var.b var.c"}, {"var.a local.b.c", "local.b local.q"}, {"var.a local.b", "local.b.x local.q"}, {"var.a var.e", "var.d var.a"},
		{"d.value q", "d r"}, {"a q", "x.z x.q"}, {"e d", "d e"}, {"var.a var.a", "var.a.x var.a.y"}, {"var.b var.a", "var.a var.b"},
	} {
		for _, name := range []string{"x.tf", "x.tf.json"} {
			src, parse := native, hclconfig.ParseNative
			if name == "x.tf.json" {
				src = `{"locals": {"a": "${var.a}", "b": "${var.b}-${var.a.x}", "c": ["${local.b.x}", {"k": "${var.d}${d}"}]}}`
				parse = hclconfig.ParseJSON
			}
			f, err := parse(name, []byte(src))
			if err != nil {
				t.Fatal(err)
			}
			row, single := Edit(f), f
			for range 3 {
				for _, rename := range renames {
					from, to, _ := strings.Cut(rename, " ")
					n, one := row.ReplaceReferences(from, to), Edit(single)
					if want := one.ReplaceReferences(from, to); n != want {
						t.Errorf("%s: %q: %d of %q are changed, want %d", name, renames, n, from, want)
					}
					if single, err = one.Apply(); err != nil {
						t.Fatal(err)
					}
				}
			}
			out, err := row.Apply()
			if err != nil {
				t.Fatal(err)
			}
			if string(out.Bytes()) != string(single.Bytes()) {
				t.Errorf("%s: %q: got\n%s\nwant\n%s", name, renames, out.Bytes(), single.Bytes())
			}
		}
	}
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "  a%d = var.x%d\n", i, i)
	}
	f, err := hclconfig.ParseNative("x.tf", []byte("locals {\n"+b.String()+"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	e := Edit(f)
	for i := range 300 {
		if n := e.ReplaceReferences(fmt.Sprint("var.x", i), fmt.Sprint("var.y", i)); n != 1 {
			t.Fatalf("%d references to var.x%d", n, i)
		}
	}
	if e.parsed > 20*b.Len() {
		t.Errorf("%d bytes are parsed for renames in a file of %d", e.parsed, b.Len())
	}
}
