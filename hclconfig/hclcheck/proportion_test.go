// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/testing/bounds"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// largeModule returns the text of a module with n blocks that refer to each other.
func largeModule(n int) string {
	var b strings.Builder
	b.WriteString("variable \"v0\" {\n  type = string\n}\nresource \"terraform_data\" \"r0\" {\n}\n")
	for i := 1; i < n/4; i++ {
		fmt.Fprintf(&b, "variable \"v%d\" {\n  type = string\n}\n", i)
		fmt.Fprintf(&b, "locals {\n  l%d = \"${var.v%d}-${terraform_data.r%d.id}\"\n}\n", i, i, i-1)
		fmt.Fprintf(&b, "resource \"terraform_data\" \"r%d\" {\n  input = [local.l%d, var.v%d, path.module]\n}\n", i, i, i-1)
		fmt.Fprintf(&b, "moved {\n  from = terraform_data.old%d\n  to   = terraform_data.r%[1]d\n}\n", i)
		fmt.Fprintf(&b, "output \"o%d\" {\n  value      = { a = terraform_data.r%d.output[\"x\"], b = upper(local.l%d) }\n  depends_on = [terraform_data.r%d]\n}\n", i, i, i, i-1)
	}
	return b.String()
}

// TestLargeModule counts what a module of 100,000 blocks costs: loading, checking and
// finding its names take not much more than twice as many allocations and bytes as half of it.
func TestLargeModule(t *testing.T) {
	trees := map[int]*hclnames.Tree{}
	check := func(o hclcheck.Validation) func(n int) {
		return func(n int) {
			if diags := hclcheck.Validate(trees[n], o); len(diags) > 0 {
				t.Fatalf("%d diagnostics, first: %v", len(diags), diags[0])
			}
		}
	}
	for _, step := range []struct {
		what string
		run  func(n int)
	}{
		{"loading", func(n int) {
			var err error
			if trees[n], err = hclnames.LoadTree(fstest.MapFS{"main.tf": {Data: []byte(largeModule(n))}}, "."); err != nil {
				t.Fatal(err)
			}
		}},
		{"checking", check(hclcheck.Validation{})},
		{"finding names", func(n int) {
			if uses := hclnames.NamesOf(trees[n].Module).Uses("local.l7"); len(uses) != 2 {
				t.Fatalf("%d uses", len(uses))
			}
		}},
		{"checking for a plan", check(hclcheck.Validation{Plan: true})},
	} {
		// That of a square is 4.
		bounds.Growth(t, step.what, depth.Of(4_000, 50_000, 50_000), 2, 2.2, func(n int) func() { return func() { step.run(n) } })
	}
}

// TestNestedDynamic: dynamic blocks in each other, which make blocks in powers, are
// looked at in proportion to their text.
func TestNestedDynamic(t *testing.T) {
	bounds.Growth(t, "blocks", 15, 2, 3, func(levels int) func() {
		text := "resource \"aws_x\" \"a\" {\n" + strings.Repeat("dynamic \"d\" {\n  for_each = range(50)\n  content {\n    v = upper(d.value)\n", levels) + strings.Repeat("  }\n}\n", levels) + "}\n"
		tree, err := hclnames.LoadTree(fstest.MapFS{"main.tf": {Data: []byte(text)}}, ".")
		if err != nil {
			t.Fatal(err)
		}
		return func() {
			if diags := hclcheck.Validate(tree, hclcheck.Validation{}); len(diags) > 0 {
				t.Errorf("%v", diags)
			}
		}
	})
}

// TestManyFaults checks modules with many faults of one kind, or with many overrides of one
// block. Each takes seconds; with each fault compared with all others it would not end within
// the time of a test.
func TestManyFaults(t *testing.T) {
	n := depth.Of(10_000, 100_000, 100_000)
	repeat := func(format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for _, c := range []struct {
		name, base, override, test string
		want                       int
	}{
		{"arguments that a schema does not have", "resource \"terraform_data\" \"a\" {\n" + repeat("  input%d = 1\n") + "}\n", "", "", n},
		{"overrides of one resource", "resource \"terraform_data\" \"a\" {\n}\n", repeat("resource \"terraform_data\" \"a\" {\n  input%d = 1\n}\n"), "", 0},
		{"duplicate providers", repeat("provider \"p\" {\n  version%d = 1\n}\n"), "", "", n - 1},
		{"duplicate calls", repeat("module \"m\" {\n  source = \"a/b%d/c\"\n}\n"), "", "", -1},
		{"overrides in tests of what is not there", "", "", repeat("run \"r%[1]d\" {\n}\noverride_resource {\n  target = a_b.c%[1]d\n}\n"), n},
	} {
		t.Run(c.name, func(t *testing.T) {
			fsys := fstest.MapFS{"main.tf": {Data: []byte(c.base)}, "override.tf": {Data: []byte(c.override)}, "main.tftest.hcl": {Data: []byte(c.test)}}
			tree, err := hclnames.LoadTree(fsys, ".", hclconfig.Terraform, hclconfig.TestDirectory(""))
			if err != nil {
				t.Fatal(err)
			}
			diags := hclcheck.Validate(tree, hclcheck.Validation{})
			if c.want >= 0 && len(diags) != c.want {
				t.Errorf("%d diagnostics instead of %d", len(diags), c.want)
			}
		})
	}
}

// TestNestedLoops checks that loops are evaluated as far as they are small, and that
// others cost next to nothing.
func TestNestedLoops(t *testing.T) {
	for _, c := range []struct {
		loops string
		known bool
	}{
		{"[for a in range(20) : [for b in range(20) : \"x\"]][0][0]", true},
		{"[for a in [1, 2] : [for b in [1, 2] : [for c in [1, 2] : [for d in [1, 2] : [for e in [1, 2] : \"x\"]]]]][0][0][0][0][0]", true},
		{"[for a in local.l : [for b in a.l : b if a.n > 0]][0][0]", true},
		{"[for a in range(1000) : [for b in range(1000) : [for c in range(1000) : [for d in range(1000) : \"x\"]]]][0][0][0][0]", false},
		{"[for a in split(\"\", format(\"%01000d\", 1)) : [for b in split(\"\", \"${a}${format(\"%01000d\", 1)}\") : \"x\"]][0][0]", false},
	} {
		text := "locals {\n  l = [{ l = [\"x\"], n = 1 }]\n}\nresource \"terraform_data\" \"a\" {\n  count = " + c.loops + "\n}\n"
		tree, err := hclnames.LoadTree(fstest.MapFS{"main.tf": {Data: []byte(text)}}, ".")
		if err != nil {
			t.Fatal(err)
		}
		if diags := hclcheck.Validate(tree, hclcheck.Validation{}); diags.HasErrors() != c.known {
			t.Errorf("%s: %v", c.loops, diags)
		}
	}
	text := "locals {\n"
	for i := range depth.Of(1, 5000, 5000) { // one is within the bound, thousands are far above it
		text += fmt.Sprintf("  a%d = [for a in range(500) : [for b in range(500) : b]]\n", i)
	}
	tree, err := hclnames.LoadTree(fstest.MapFS{"main.tf": {Data: []byte(text + "}\n")}}, ".")
	if err != nil {
		t.Fatal(err)
	}
	diags := hclcheck.Validate(tree, hclcheck.Validation{})
	if len(diags) != 1 || diags[0].Severity != hclconfig.SeverityWarning || !errors.Is(diags[0].Err, hclconfig.ErrLimit) {
		t.Errorf("what is not evaluated: %v", diags)
	}
}

// TestLimitedCalls checks that a function that gives up on arguments that are known is named, and that nothing else is.
func TestLimitedCalls(t *testing.T) {
	for call, limited := range map[string]bool{
		"pow(10, 1200)":                              true,
		"format(\"%100000d\", 1)":                    true,
		"tonumber(format(\"1%02000d\", 1))":          true,
		"length(setproduct(range(500), range(500)))": true,
		"[for i in [1] : pow(10, 1200 + i)]":         true,
		"pow(10, 20)":                                false,
		"pow(var.n, 1200)":                           false,
		"format(\"%100000d\", var.n)":                false,
		"format(\"%s %s\", uuid(), timestamp())":     false,
		"jsondecode(filebase64(\"main.tf\"))":        false,
		"try(pow(10, []), 1)":                        false,
	} {
		text := "variable \"n\" {\n  type = number\n}\nlocals {\n  a = " + call + "\n}\n"
		tree, err := hclnames.LoadTree(fstest.MapFS{"main.tf": {Data: []byte(text)}}, ".")
		if err != nil {
			t.Fatal(err)
		}
		diags := hclcheck.Validate(tree, hclcheck.Validation{})
		if limited && (len(diags) != 1 || !errors.Is(diags[0].Err, hclconfig.ErrLimit) || diags[0].Subject.Start.Line != 5) || !limited && len(diags) != 0 {
			t.Errorf("%s: %v", call, diags)
		}
	}
}

// TestFileContent: what a small file says is known, and the content of a large one or of one that
// is no text is not.
func TestFileContent(t *testing.T) {
	for text, known := range map[string]bool{
		`{"a": 1}`: true, `{"a": "` + strings.Repeat("x", 8000) + `"}`: true, `{"a": "` + strings.Repeat("x", 8200) + `"}`: false, "{\"a\": \"\xff\"}": false,
	} {
		tree, err := hclnames.LoadTree(fstest.MapFS{
			"main.tf": {Data: []byte("output \"o\" {\n  value = jsondecode(file(\"${path.module}/a.json\")).nope\n}\n")}, "a.json": {Data: []byte(text)},
		}, ".")
		if err != nil {
			t.Fatal(err)
		}
		if diags := hclcheck.Validate(tree, hclcheck.Validation{}); diags.HasErrors() != known {
			t.Errorf("%.20s: %v", text, diags)
		}
	}
}

// What many short expressions do with one large value is counted: beyond the budget their values are unknown, and a
// warning says so.
func TestBudget(t *testing.T) {
	for _, use := range []string{"join(\",\", local.l)", "try(local.l, null)", "local.l", "distinct(local.l)"} {
		var b strings.Builder
		b.WriteString("locals {\n  l = [" + strings.Repeat("\"1\", ", 2700) + "]\n")
		for i := range 800 {
			fmt.Fprintf(&b, "  a%d = %s\n", i, use)
		}
		b.WriteString("}\n")
		tree, err := hclnames.LoadTree(fstest.MapFS{"main.tf": {Data: []byte(b.String())}}, ".")
		if err != nil {
			t.Fatal(err)
		}
		diags := hclcheck.Validate(tree, hclcheck.Validation{})
		if len(diags) != 1 || diags[0].Severity != hclconfig.SeverityWarning || !errors.Is(diags[0].Err, hclconfig.ErrLimit) || !strings.Contains(diags[0].Detail, "other expressions") {
			t.Errorf("%s: %v", use, diags)
		}
	}
}

// A number that is out of range is no error, because the programs compute with it: its value is unknown, and a warning
// says so. In JSON as well.
func TestValidate_largeNumbers(t *testing.T) {
	for _, n := range []string{"1e1200", "1e10000000", "1" + strings.Repeat("0", 2000), "-1e-2000"} {
		for name, format := range map[string]string{
			"a.tf":      "locals {\n  a = %s\n}\n",
			"b.tf":      "variable \"v\" {\n  type    = string\n  default = %s\n}\n",
			"c.tf":      "output \"x\" {\n  value = \"x${%s}\"\n}\n",
			"d.tf":      "resource \"terraform_data\" \"a\" {\n  input = [%s]\n}\n",
			"a.tf.json": `{"locals":{"a":%s}}`,
			"b.tf.json": `{"variable":{"v":{"type":"string","default":%s}}}`,
			"c.tf.json": `{"output":{"x":{"value":"x${%s}"}}}`,
			"d.tf.json": `{"resource":{"terraform_data":{"a":{"input":[%s]}}}}`,
		} {
			tree, err := hclnames.LoadTree(fstest.MapFS{name: {Data: fmt.Appendf(nil, format, n)}}, ".")
			if err != nil {
				t.Fatal(err)
			}
			diags := hclcheck.Validate(tree, hclcheck.Validation{})
			if len(diags) != 1 || diags[0].Severity != hclconfig.SeverityWarning || !errors.Is(diags[0].Err, hclconfig.ErrLimit) {
				t.Errorf("%s of %.20s: %v", name, n, diags)
			}
		}
	}
}

// A template file that nests too deeply for HCL's parser, which would end the process, is
// an error.
func TestValidate_deepTemplateFile(t *testing.T) {
	tree, err := hclnames.LoadTree(fstest.MapFS{
		"main.tf": {Data: []byte("output \"a\" {\n  value = templatefile(\"deep.tpl\", {})\n}\n")}, "deep.tpl": {Data: []byte("${" + strings.Repeat("(", 1_000_000))},
	}, ".")
	if err != nil {
		t.Fatal(err)
	}
	diags := hclcheck.Validate(tree, hclcheck.Validation{})
	if len(diags) != 1 || !strings.Contains(diags[0].Detail, "Nested too deeply") {
		t.Errorf("diagnostics: %v", diags)
	}
}

// TestNestedLocals counts what locals cost each of which is in the next one: twice as many
// take twice as much, because values that nest too deeply are not gone through.
func TestNestedLocals(t *testing.T) {
	bounds.Growth(t, "locals", 1000, 2, 2.5, func(n int) func() {
		var b strings.Builder
		b.WriteString("locals {\n  a0 = var.x\n")
		for i := range n {
			fmt.Fprintf(&b, "  a%d = [local.a%d]\n", i+1, i)
		}
		b.WriteString("}\nvariable \"x\" {\n}\n")
		tree, err := hclnames.LoadTree(fstest.MapFS{"main.tf": {Data: []byte(b.String())}}, ".")
		if err != nil {
			t.Fatal(err)
		}
		return func() {
			if diags := hclcheck.Validate(tree, hclcheck.Validation{}); len(diags) > 0 {
				t.Fatal(diags)
			}
		}
	})
}

// TestNestedRules: an expression that older releases evaluate by rules of their own takes no more than
// in proportion to how deep it nests.
func TestNestedRules(t *testing.T) {
	for name, x := range map[string]struct{ first, around string }{
		"calls":             {"terraform_data.q.id", `replace(%s, local.s, "b")`},
		"calls of a list":   {"terraform_data.q.id", `join("", [local.s, %s]...)`},
		"conditionals":      {"local.s", `(local.k ? %s : "x")`},
		"conditions":        {"terraform_data.q.id", `(%s == local.s ? "a" : local.s)`},
		"logic":             {"local.k", `(%s && local.k)`},
		"logic, unknown":    {"var.b", `(local.k || %s)`},
		"sums":              {"terraform_data.q.id", `"${%s}${local.s}"`},
		"keys":              {"local.s", `local.m[%s]`},
		"indexes":           {"terraform_data.q.output", `%s[local.s]`},
		"parts of a result": {"terraform_data.q.output", `tolist([%s, local.s])[0]`},
	} {
		prepare := func(release string, deep int) func() {
			text := x.first
			for range deep {
				text = fmt.Sprintf(x.around, text)
			}
			text = "variable \"b\" {\n  type = bool\n}\nresource \"terraform_data\" \"q\" {\n}\nlocals {\n  s = sensitive(\"x\")\n  k = sensitive(true)\n  m = sensitive({ x = \"x\" })\n  a = " + text + "\n}\n"
			m, err := hclnames.LoadTree(fstest.MapFS{"main.tf": {Data: []byte(text)}}, ".", dialectOf(release))
			if err != nil {
				t.Fatal(err)
			}
			return func() { hclcheck.Validate(m, hclcheck.Validation{}) }
		}
		for _, release := range []string{"terraform-1.0.11", "terraform-1.5.7", "terraform-1.9.8", "terraform-1.11.4", "tofu-1.6.3", "tofu-1.12.6"} {
			// It is 64, if each level doubles it.
			bounds.Growth(t, name+", "+release, 6, 2, 4, func(deep int) func() { return prepare(release, deep) })
		}
	}
}
