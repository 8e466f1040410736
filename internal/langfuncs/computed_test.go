// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package langfuncs_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/zclconf/go-cty/cty"
)

func evaluate(t *testing.T, src string, program langfuncs.Program) cty.Value {
	t.Helper()
	x, diags := hclsyntax.ParseExpression([]byte(src), "", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(src, diags)
	}
	v, diags := x.Value(&hcl.EvalContext{Functions: langfuncs.Table(program, -1), Variables: map[string]cty.Value{
		"bools": cty.ListVal([]cty.Value{cty.UnknownVal(cty.Bool), cty.True}), "texts": cty.SetVal([]cty.Value{cty.UnknownVal(cty.String), cty.StringVal("a")}),
		"more": cty.ListVal([]cty.Value{cty.UnknownVal(cty.Bool), cty.False}), "numbers": cty.ListVal([]cty.Value{cty.UnknownVal(cty.Number)}),
		"long": cty.StringVal(fmt.Sprintf("%02000d", 0)),
	}})
	if diags.HasErrors() {
		t.Fatal(src, diags)
	}
	return v
}

// TestComputed compares results with those that the consoles of OpenTofu 1.6.3 and 1.12.6, and
// Terraform 1.5.7 and 1.11.4 printed.
func TestComputed(t *testing.T) {
	for _, c := range [][2]string{
		{`alltrue([])`, `true`},
		{`alltrue([true, null])`, `false`},
		{`alltrue([null])`, `false`},
		{`alltrue(["true", "false"])`, `false`},
		{`alltrue([true, true])`, `true`},
		{`anytrue([])`, `false`},
		{`anytrue([null])`, `false`},
		{`anytrue([false, null, true])`, `true`},
		{`anytrue(["false"])`, `false`},
		{`base64encode("é")`, `"w6k="`},
		{`base64decode("w6k=")`, `"é"`},
		{`base64sha256("a")`, `"ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs="`},
		{`base64sha512("a")`, `"H0D8ktokFpR1CXnubPWC8tXX0o4YM13gWrxU0FYOD1MChgxlK/CNVgJSql50IQVG82n7u86MEs/HlXsmUv6adQ=="`},
		{`md5("")`, `"d41d8cd98f00b204e9800998ecf8427e"`},
		{`sha1("é")`, `"bf15be717ac1b080b4f1c456692825891ff5073d"`},
		{`sha256("a")`, `"ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"`},
		{`sha512("a")`, `"1f40fc92da241694750979ee6cf582f2d5d7d28e18335de05abc54d0560e0f5302860c652bf08d560252aa5e74210546f369fbbbce8c12cfc7957b2652fe9a75"`},
		{`basename("")`, `"."`},
		{`basename("/")`, `"/"`},
		{`basename("a/b/")`, `"b"`},
		{`basename("a/b/..")`, `".."`},
		{`basename(".")`, `"."`},
		{`dirname("")`, `"."`},
		{`dirname("a")`, `"."`},
		{`dirname("a/b/")`, `"a/b"`},
		{`dirname("/a")`, `"/"`},
		{`dirname("a//b/../c")`, `"a"`},
		{`urlencode("a b/c?d=é&~*'()!")`, `"a+b%2Fc%3Fd%3D%C3%A9%26~%2A%27%28%29%21"`},
		{`one([])`, `null`},
		{`one([1])`, `1`},
		{`one(toset(["a"]))`, `"a"`},
		{`one(tolist([]))`, `null`},
		{`one([null])`, `null`},
		{`sum([1, "2", 3.5])`, `6.5`},
		{`sum(toset([1, 1, 2]))`, `3`},
		{`sum([0.1, 0.2])`, `0.3`},
		{`sum([1e30, 1])`, `1000000000000000000000000000001`},
		{`replace("hello", "l", "L")`, `"heLLo"`},
		{`replace("hello", "/l+/", "<$0>")`, `"he<ll>o"`},
		{`replace("hello", "", "-")`, `"-h-e-l-l-o-"`},
		{`replace("hello", "/(h)(e)/", "$2$1")`, `"ehllo"`},
		{`replace("hello", "/x*/", "-")`, `"-h-e-l-l-o-"`},
		{`replace("a.b", ".", "")`, `"ab"`},
		{`replace("hello", "/(?P<x>l)/", "$${x}!")`, `"hel!l!o"`},
		{`timecmp("2020-01-01T00:00:00Z", "2020-01-01T01:00:00+01:00")`, `0`},
		{`timecmp("2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z")`, `-1`},
		{`timecmp("2022-01-01T00:00:00Z", "2021-01-01T00:00:00Z")`, `1`},
	} {
		for _, program := range []langfuncs.Program{langfuncs.OpenTofu, langfuncs.Terraform} {
			got, want := evaluate(t, c[0], program), evaluate(t, c[1], program)
			if got.IsKnown() && got.IsNull() && want.IsNull() {
				continue // of some type
			}
			if !got.RawEquals(want) {
				t.Errorf("%s is %#v, want %#v", c[0], got, want)
			}
		}
	}
}

// TestComputed_unknown: a part that decides makes the result known, and what would take too long
// stays unknown.
func TestComputed_unknown(t *testing.T) {
	for src, known := range map[string]bool{
		`alltrue(bools)`: false, `alltrue(more)`: false, `anytrue(bools)`: true, `anytrue(more)`: false, `alltrue(concat([false], bools))`: true,
		`one(texts)`: false, `sum(numbers)`: false, `sum([1, numbers[0]])`: false,
		`replace(long, "0", long)`: false, `replace(long, "/0/", long)`: false, `replace(long, "/(.*)/", "$1$1$1")`: false, `replace(long, "0", "")`: true,
		`replace(long, "/(0*){900}/", "")`: false, `md5(join("", [long, long, long, long, long]))`: true, `md5(long)`: true,
	} {
		for _, program := range []langfuncs.Program{langfuncs.OpenTofu, langfuncs.Terraform} {
			if v := evaluate(t, src, program); v.IsKnown() != known {
				t.Errorf("%s is %#v", src, v)
			}
		}
	}
}
