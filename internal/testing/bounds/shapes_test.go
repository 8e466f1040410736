// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package bounds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/internal/testing/collision"
)

// A Format is a kind of document.
type Format string

// The formats of shapes.
const (
	Native   Format = "native"   // configuration
	JSON     Format = "json"     // configuration in JSON
	Override Format = "override" // two files of configuration with a line of dashes between them; the second overrides
	Types    Format = "types"    // an expression that is a type
	Lock     Format = "lock"     // a lock file
	Plan     Format = "plan"     // a plan
	State    Format = "state"    // a raw state
	Stream   Format = "stream"   // messages
	Version  Format = "version"  // a version or a constraint
	Address  Format = "address"  // an address
	Registry Format = "registry" // a document of a registry
	Sums     Format = "sums"     // a list of hashes with its signature
	CLI      Format = "cli"      // a CLI configuration
)

// A Shape makes documents of one form.
type Shape struct {
	Name   string
	Format Format
	// Make returns a document with n parts, whose size grows with n.
	Make func(n int) string
	// Size is how many parts take some milliseconds.
	Size int
}

// nested repeats open, then the middle, then close.
func nested(before, open, middle, close, after string) func(int) string {
	return func(n int) string {
		return before + strings.Repeat(open, n) + middle + strings.Repeat(close, n) + after
	}
}

// repeated repeats a part, with the number of each where it has a verb.
func repeated(before, part, after string) func(int) string {
	return func(n int) string {
		var b strings.Builder
		b.WriteString(before)
		verbs := strings.Count(part, "%[1]d") > 0
		for i := range n {
			if verbs {
				fmt.Fprintf(&b, part, i)
			} else {
				b.WriteString(part)
			}
		}
		b.WriteString(after)
		return b.String()
	}
}

// Shapes returns all shapes.
func Shapes() []Shape {
	return slices.Concat(nativeShapes(), jsonShapes(), overrideShapes(), smallShapes(), machineShapes())
}

func nativeShapes() []Shape {
	out := slices.Concat(deepShapes(), valueShapes(), blockShapes())
	for i := range out {
		out[i].Format = Native
	}
	return out
}

// deepShapes returns what nests in native syntax.
func deepShapes() []Shape {
	return []Shape{
		{Name: "deep lists", Size: 400, Make: nested("locals {\n  a = ", "[", "1", "]", "\n}\n")},
		{Name: "deep objects", Size: 400, Make: nested("locals {\n  a = ", "{ b = ", "1", " }", "\n}\n")},
		{Name: "deep parentheses", Size: 400, Make: nested("locals {\n  a = ", "(", "1", ")", "\n}\n")},
		{Name: "deep calls", Size: 200, Make: nested("locals {\n  a = ", "upper(", "\"x\"", ")", "\n}\n")},
		{Name: "deep templates", Size: 200, Make: nested("locals {\n  a = ", "\"x${", "1", "}\"", "\n}\n")},
		{Name: "deep conditionals", Size: 200, Make: nested("locals {\n  a = ", "true ? ", "1", " : 2", "\n}\n")},
		{Name: "deep loops", Size: 100, Make: nested("locals {\n  a = ", "[for x in [1] : ", "1", "]", "\n}\n")},
		{Name: "deep blocks", Size: 150, Make: nested("resource \"a\" \"b\" {\n", "x \"l\" {\n", "y = 1\n", "}\n", "}\n")},
		{Name: "deep blocks of references", Size: 150, Make: nested("locals {\n  z = 1\n}\nresource \"a\" \"b\" {\n", "x {\ny = local.z\n", "", "}\n", "}\n")},
		{Name: "deep dynamic blocks", Size: 100, Make: nested("resource \"aws_x\" \"b\" {\n", "dynamic \"x\" {\nfor_each = [1, 2]\ncontent {\nv = x.value\n", "", "}\n}\n", "}\n")},
		{Name: "deep type", Size: 60, Make: nested("variable \"a\" {\n  type = ", "object({ a = optional(", "string", ") })", "\n  default = {}\n}\n")},
	}
}

// valueShapes returns values that are converted or multiplied.
func valueShapes() []Shape {
	return []Shape{
		{Name: "strings for a list", Size: 800, Make: repeated("variable \"a\" {\n  type = list(string)\n  default = [", "\"ab\", ", "]\n}\n")},
		{Name: "values for a list", Size: 800, Make: repeated("variable \"a\" {\n  type = list(any)\n  default = [", "\"ab\", 1, ", "]\n}\n")},
		{Name: "values for a map", Size: 800, Make: repeated("variable \"a\" {\n  type = map(any)\n  default = {", "a%[1]d = %[1]d, b%[1]d = \"x\", ", "}\n}\n")},
		{Name: "objects for a list", Size: 300, Make: repeated("variable \"a\" {\n  type = list(any)\n  default = [", "{ a%[1]d = 1 }, ", "]\n}\n")},
		{Name: "objects with defaults", Size: 300, Make: repeated("variable \"a\" {\n  type = list(object({ a = optional(string, \"x\"), b = optional(object({ c = optional(number, 1) }), {}) }))\n  default = [", "{ a = \"%[1]d\" }, { b = {} }, ", "]\n}\n")},
		{Name: "join", Size: 800, Make: repeated("locals {\n  a = join(\",\", [", "\"ab\", 1, ", "])\n}\n")},
		{Name: "concat", Size: 400, Make: repeated("locals {\n  a = concat(", "[%[1]d], ", "[])\n}\n")},
		{Name: "merge", Size: 400, Make: repeated("locals {\n  a = merge(", "{ a%[1]d = 1 }, ", "{})\n}\n")},
		{Name: "flatten", Size: 400, Make: repeated("locals {\n  a = flatten([", "[%[1]d, [\"x\"]], ", "])\n}\n")},
		{Name: "coalesce", Size: 400, Make: repeated("locals {\n  a = coalesce(", "\"\", ", "1)\n}\n")},
		{Name: "setproduct", Size: 400, Make: repeated("locals {\n  a = setproduct([1, 2], [", "\"%[1]d\", ", "])\n}\n")},
		{Name: "conditional of lists", Size: 400, Make: repeated("locals {\n  b = true\n  a = local.b ? [", "\"%[1]d\", ", "1] : [1]\n}\n")},
		{Name: "uses of a large value", Size: 300, Make: func(n int) string {
			return repeated("locals {\n  l = ["+strings.Repeat("1, ", n)+"]\n", "  a%[1]d = join(\",\", local.l)\n", "}\n")(n)
		}},
		{Name: "comparisons of a large value", Size: 300, Make: func(n int) string {
			return repeated("locals {\n  l = ["+strings.Repeat("1, ", n)+"]\n", "  a%[1]d = local.l == local.l\n", "}\n")(n)
		}},
		{Name: "copies of a text", Size: 300, Make: func(n int) string {
			return repeated("locals {\n  l = \""+strings.Repeat("abcd ", n)+"\"\n  a = \"", "${local.l}", "\"\n}\n")(n)
		}},
		{Name: "loops over a large value", Size: 300, Make: func(n int) string {
			return repeated("locals {\n  l = ["+strings.Repeat("1, ", n)+"]\n", "  a%[1]d = [for x in local.l : x]\n", "}\n")(n)
		}},
		{Name: "uses of a large default", Size: 300, Make: func(n int) string {
			return repeated("variable \"l\" {\n  default = ["+strings.Repeat("1, ", n)+"]\n}\nlocals {\n", "  a%[1]d = var.l\n", "}\n")(n)
		}},
		{Name: "distinct", Size: 800, Make: repeated("locals {\n  a = distinct([", "\"%[1]d\", ", "])\n}\n")},
		{Name: "rows of CSV", Size: 800, Make: func(n int) string {
			return "locals {\n  a = csvdecode(\"" + strings.Repeat("a", n) + "\\n" + strings.Repeat("x\\n", n) + "\")\n}\n"
		}},
		{Name: "loop", Size: 800, Make: repeated("locals {\n  a = [for x in [", "\"%[1]d\", ", "] : upper(x)]\n}\n")},
		{Name: "set of one hash", Size: 300, Make: func(n int) string {
			return "variable \"a\" {\n  type = set(string)\n  default = [\"" + strings.Join(collision.Texts(n), "\", \"") + "\"]\n}\n"
		}},
		{Name: "chain of locals", Size: 300, Make: repeated("locals {\n  a0 = 1\n", "  b%[1]d = [local.a0, \"x\"]\n", "}\n")},
		{Name: "chain of merges", Size: 200, Make: func(n int) string {
			var b strings.Builder
			b.WriteString("locals {\n  a0 = {}\n")
			for i := range n {
				fmt.Fprintf(&b, "  a%d = merge(local.a%d, { k%d = 1 })\n", i+1, i, i)
			}
			return b.String() + "}\n"
		}},
		{Name: "doubling", Size: 200, Make: func(n int) string {
			var b strings.Builder
			b.WriteString("locals {\n  a0 = [\"x\"]\n")
			for i := range n {
				fmt.Fprintf(&b, "  a%d = concat(local.a%d, local.a%d)\n", i+1, i, i)
			}
			return b.String() + "}\n"
		}},
	}
}

// blockShapes returns expressions, blocks and what is between them, in large numbers.
func blockShapes() []Shape {
	return []Shape{
		{Name: "sum", Size: 600, Make: repeated("locals {\n  a = 1", " + %[1]d", "\n}\n")},
		{Name: "comparisons", Size: 600, Make: repeated("locals {\n  a = true", " && 1 == %[1]d", "\n}\n")},
		{Name: "index", Size: 600, Make: repeated("locals {\n  b = []\n  a = local.b", "[0]", "\n}\n")},
		{Name: "steps", Size: 600, Make: repeated("locals {\n  b = {}\n  a = local.b", ".a", "\n}\n")},
		{Name: "splats", Size: 200, Make: repeated("locals {\n  b = []\n  a = local.b", "[*]", "\n}\n")},
		{Name: "long string", Size: 8000, Make: repeated("locals {\n  a = \"", "abc ", "\"\n}\n")},
		{Name: "escapes", Size: 3000, Make: repeated("locals {\n  a = \"", "\\n\\u00e4$${", "\"\n}\n")},
		{Name: "template", Size: 600, Make: repeated("locals {\n  b = 1\n  a = \"", "x${local.b}$", "\"\n}\n")},
		{Name: "heredoc", Size: 1500, Make: repeated("locals {\n  a = <<-EOT\n", "    line %[1]d\n", "    EOT\n}\n")},
		{Name: "heredoc with references", Size: 500, Make: repeated("locals {\n  b = 1\n  a = <<-EOT\n", "    line ${local.b}\n", "    EOT\n}\n")},
		{Name: "digits", Size: 4000, Make: repeated("locals {\n  a = 1", "00000000", "\n}\n")},
		{Name: "numbers", Size: 800, Make: repeated("locals {\n  a = [", "%[1]d.5e100, ", "]\n}\n")},
		{Name: "empty lines", Size: 8000, Make: repeated("variable \"a\" {}\n", "\n", "output \"b\" {\n  value = var.a\n}\n")},
		{Name: "empty lines in a block", Size: 8000, Make: repeated("variable \"a\" {\n", "\n", "  default = 1\n}\n")},
		{Name: "spaces", Size: 8000, Make: repeated("locals {\n  a = [", " \t ", "]\n}\n")},
		{Name: "comments", Size: 1500, Make: repeated("", "# comment %[1]d\n", "variable \"a\" {}\n")},
		{Name: "ignore comments", Size: 500, Make: repeated("", "# tflint-ignore: terraform_unused_declarations\nvariable \"a%[1]d\" {}\n", "")},
		{Name: "ignore comments with findings", Size: 300, Make: repeated("", "# tflint-ignore: a%[1]d, b\nvariable \"A%[1]d\" {}\n", "")},
		{Name: "ignore comments of one line", Size: 300, Make: repeated("variable \"a\" {} ", "/* tflint-ignore: a%[1]d */ ", "\n")},
		{Name: "comments in a list", Size: 500, Make: repeated("locals {\n  a = [\n", "    /* a */ %[1]d, // b\n", "  ]\n}\n")},
		{Name: "arguments", Size: 500, Make: repeated("locals {\n", "  a%[1]d = 1\n", "}\n")},
		{Name: "equal arguments", Size: 500, Make: repeated("resource \"a\" \"b\" {\n", "  a = 1\n", "}\n")},
		{Name: "variables", Size: 300, Make: repeated("", "variable \"a%[1]d\" {\n  type = string\n}\noutput \"o%[1]d\" {\n  value = var.a%[1]d\n}\n", "")},
		{Name: "equal variables", Size: 300, Make: repeated("", "variable \"a\" {\n  type = string\n}\n", "")},
		{Name: "resources", Size: 200, Make: repeated("", "resource \"aws_instance\" \"a%[1]d\" {\n  name = \"x\"\n  count = 2\n}\n", "")},
		{Name: "imports", Size: 4000, Make: repeated("provider \"aws\" {}\n", "import {\n  to = aws_instance.a%[1]d\n  id = \"x%[1]d\"\n}\nresource \"aws_instance\" \"a%[1]d\" {\n  name = \"x\"\n}\n", "")},
		{Name: "chain of resources", Size: 200, Make: func(n int) string {
			var b strings.Builder
			b.WriteString("resource \"a_b\" \"a0\" {}\n")
			for i := range n {
				fmt.Fprintf(&b, "resource \"a_b\" \"a%d\" {\n  x = a_b.a%d.id\n}\n", i+1, i)
			}
			return b.String()
		}},
		{Name: "labelled blocks", Size: 300, Make: repeated("resource \"a_b\" \"c\" {\n", "  link \"l%[1]d\" {\n    x = 1\n  }\n", "}\n")},
		{Name: "equal blocks", Size: 300, Make: repeated("resource \"a_b\" \"c\" {\n", "  link {\n    x = 1\n  }\n", "}\n")},
		{Name: "chain of moves", Size: 200, Make: func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "moved {\n  from = a_b.a%d\n  to = a_b.a%d\n}\n", i, i+1)
			}
			return b.String() + fmt.Sprintf("resource \"a_b\" \"a%d\" {}\n", n)
		}},
		{Name: "terraform blocks", Size: 200, Make: repeated("", "terraform {\n  required_providers {\n    a%[1]d = {\n      source = \"x/a%[1]d\"\n    }\n  }\n}\n", "")},
		{Name: "providers", Size: 200, Make: repeated("", "provider \"a\" {\n  alias = \"a%[1]d\"\n}\n", "")},
		{Name: "checks", Size: 200, Make: repeated("", "check \"c%[1]d\" {\n  assert {\n    condition = true\n    error_message = \"x\"\n  }\n}\n", "")},
		{Name: "faults", Size: 300, Make: repeated("locals {\n", "  a%[1]d = ]\n", "}\n")},
		{Name: "unknown references", Size: 300, Make: repeated("locals {\n", "  a%[1]d = var.x%[1]d\n", "}\n")},
		{Name: "regular expressions", Size: 100, Make: func(n int) string {
			return repeated("locals {\n  p = \""+strings.Repeat("a{9}", n)+"\"\n", "  a%[1]d = regexall(local.p, \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\")\n", "}\n")(n)
		}},
		{Name: "JSON in a text", Size: 300, Make: nested("locals {\n  a = jsondecode(\"", "[", "1e9", "]", "\")\n}\n")},
	}
}

func jsonShapes() []Shape {
	out := []Shape{
		{Name: "deep lists", Size: 400, Make: nested(`{"locals":{"a":`, "[", "1", "]", "}}")},
		{Name: "deep objects", Size: 400, Make: nested(`{"locals":{"a":`, `{"b":`, "1", "}", "}}")},
		{Name: "deep resource", Size: 400, Make: nested(`{"resource":`, `{"a":`, "1", "}", "}")},
		{Name: "deep blocks", Size: 150, Make: nested(`{"resource":{"a":{"b":`, `{"x":[{"l":`, "{}", "}]}", "}}}")},
		{Name: "deep dynamic blocks", Size: 100, Make: nested(`{"resource":{"a":{"b":`, `{"dynamic":{"x":{"for_each":[1,2],"content":`, "{}", "}}}", "}}}")},
		{Name: "strings for a list", Size: 800, Make: repeated(`{"variable":{"a":{"type":"list(string)","default":["x"`, `,"ab"`, "]}}}")},
		{Name: "values for a map", Size: 800, Make: repeated(`{"variable":{"a":{"type":"map(any)","default":{"x":"y"`, `,"a%[1]d":%[1]d`, "}}}}")},
		{Name: "objects for a list", Size: 300, Make: repeated(`{"variable":{"a":{"type":"list(any)","default":[{}`, `,{"a%[1]d":1}`, "]}}}")},
		{Name: "join", Size: 800, Make: repeated(`{"locals":{"a":"${join(\",\", [`, `1, `, `])}"}}`)},
		{Name: "template", Size: 600, Make: repeated(`{"locals":{"b":1,"a":"`, `x${local.b}`, `"}}`)},
		{Name: "lines of a template", Size: 600, Make: repeated(`{"locals":{"b":1,"a":"${local.b}`, `x\n`, `"}}`)},
		{Name: "dollars", Size: 600, Make: repeated(`{"locals":{"b":1,"a":"${local.b}`, `$ % `, `"}}`)},
		{Name: "escapes", Size: 2000, Make: repeated(`{"locals":{"a":"`, `\n\u00e4`, `"}}`)},
		{Name: "long string", Size: 8000, Make: repeated(`{"locals":{"a":"`, `abc `, `"}}`)},
		{Name: "digits", Size: 4000, Make: repeated(`{"locals":{"a":1`, `00000000`, `}}`)},
		{Name: "numbers", Size: 800, Make: repeated(`{"locals":{"a":[1`, `,%[1]d.5e100`, `]}}`)},
		{Name: "empty lines", Size: 8000, Make: repeated("{", "\n", `"variable":{"a":{}}}`)},
		{Name: "comments", Size: 800, Make: repeated("{", `"//":"comment %[1]d",`, `"variable":{"a":{}}}`)},
		{Name: "arguments", Size: 500, Make: repeated(`{"locals":{"a":1`, `,"a%[1]d":1`, `}}`)},
		{Name: "equal arguments", Size: 500, Make: repeated(`{"locals":{"a":1`, `,"a":1`, `}}`)},
		{Name: "variables", Size: 300, Make: repeated(`{"variable":{"a":{}`, `,"a%[1]d":{"type":"string"}`, `}}`)},
		{Name: "list of variables", Size: 300, Make: repeated(`{"variable":[{"a":{}}`, `,{"a%[1]d":{"type":"string"}}`, `]}`)},
		{Name: "resources", Size: 200, Make: repeated(`{"resource":{"a_b":{"a":{}`, `,"a%[1]d":{"count":2,"x":"${a_b.a.id}"}`, `}}}`)},
		{Name: "types of resources", Size: 200, Make: repeated(`{"resource":{"a_b":{"a":{}}`, `,"a_b%[1]d":{"a":{"count":2}}`, `}}`)},
		{Name: "labelled blocks", Size: 300, Make: repeated(`{"resource":{"a_b":{"a":{"link":[{}`, `,{"l%[1]d":{"x":1}}`, `]}}}}`)},
		{Name: "moves", Size: 200, Make: repeated(`{"moved":[{"from":"a_b.x","to":"a_b.y"}`, `,{"from":"a_b.a%[1]d","to":"a_b.b%[1]d"}`, `]}`)},
		{Name: "faults", Size: 300, Make: repeated(`{"locals":{"a":1`, `,"a%[1]d":"${]}"`, `}}`)},
	}
	for i := range out {
		out[i].Format = JSON
	}
	return out
}

const cut = "\n----\n"

func overrideShapes() []Shape {
	both := func(first, second func(int) string) func(int) string {
		return func(n int) string { return first(n) + cut + second(n) }
	}
	one := func(s string) func(int) string { return func(int) string { return s } }
	out := []Shape{
		{Name: "resource", Size: 200, Make: both(one("resource \"a_b\" \"c\" {\n}\n"), repeated("", "resource \"a_b\" \"c\" {\n  x%[1]d = 1\n}\n", ""))},
		{Name: "resources", Size: 200, Make: both(repeated("", "resource \"a_b\" \"c%[1]d\" {\n}\n", ""), repeated("", "resource \"a_b\" \"c%[1]d\" {\n  x = 1\n}\n", ""))},
		{Name: "terraform", Size: 200, Make: both(one("terraform {\n}\n"), repeated("", "terraform {\n  required_version = \">= 1.%[1]d\"\n}\n", ""))},
		{Name: "terraform blocks", Size: 200, Make: both(repeated("", "terraform {\n  experiments = []\n}\n", ""), repeated("", "terraform {\n  required_version = \">= 1.%[1]d\"\n}\n", ""))},
		{Name: "required providers", Size: 200, Make: both(one("terraform {\n  required_providers {}\n}\n"), repeated("", "terraform {\n  required_providers {\n    a%[1]d = {}\n  }\n}\n", ""))},
		{Name: "locals", Size: 200, Make: both(repeated("locals {\n", "  a%[1]d = 1\n", "}\n"), repeated("", "locals {\n  a%[1]d = 2\n}\n", ""))},
		{Name: "one local", Size: 200, Make: both(one("locals {\n  a = 1\n}\n"), repeated("", "locals {\n  a = %[1]d\n}\n", ""))},
		{Name: "variable", Size: 200, Make: both(one("variable \"a\" {\n}\n"), repeated("", "variable \"a\" {\n  default = %[1]d\n}\n", ""))},
		{Name: "module", Size: 200, Make: both(one("module \"a\" {\n  source = \"x/y/z\"\n}\n"), repeated("", "module \"a\" {\n  x%[1]d = 1\n}\n", ""))},
		{Name: "blocks", Size: 200, Make: both(repeated("resource \"a_b\" \"c\" {\n", "  b%[1]d {}\n", "}\n"), repeated("resource \"a_b\" \"c\" {\n", "  b%[1]d {}\n", "}\n"))},
	}
	for i := range out {
		out[i].Format = Override
	}
	return out
}

func smallShapes() []Shape {
	return []Shape{
		{"deep", Types, nested("", "list(", "string", ")", ""), 80},
		{"attributes", Types, repeated("object({", "a%[1]d = optional(string), ", "})"), 200},
		{"elements", Types, repeated("tuple([", "string, ", "string])"), 400},
		{"providers", Lock, repeated("", "provider \"registry.opentofu.org/a/b%[1]d\" {\n  version = \"1.0.%[1]d\"\n  hashes = [\n    \"zh:0000000000000000000000000000000000000000000000000000000000000000\",\n  ]\n}\n\n", ""), 200},
		{"hashes", Lock, repeated("provider \"registry.opentofu.org/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\n", "    \"zh:%064[1]d\",\n", "  ]\n}\n"), 500},
		{"equal providers", Lock, repeated("", "provider \"registry.opentofu.org/a/b\" {\n  version = \"1.0.0\"\n}\n", ""), 200},
		{"comments", Lock, repeated("", "# c\n", ""), 2000},
		{"empty lines", Lock, repeated("", "\n", "provider \"a/b/c\" {\n  version = \"1.0.0\"\n}\n"), 4000},
		{"digits", Lock, repeated("provider \"a/b/c\" {\n  version = 1", "0", "\n}\n"), 8000},
		{"deep", Lock, nested("provider \"a/b/c\" {\n  version = ", "[", "1", "]", "\n}\n"), 400},
		{"constraints", Lock, repeated("provider \"registry.opentofu.org/a/b\" {\n  version = \"1.0.0\"\n  constraints = \">= 1.0.0", ", != 2.0.%[1]d", "\"\n}\n"), 500},
		{"digits", Version, repeated("1.", "0", ""), 4000},
		{"parts", Version, repeated(">= 1", ".1", ""), 2000},
		{"constraints", Version, repeated(">= 1.0.0", ", < 2.%[1]d.0", ""), 500},
		{"pre-releases", Version, repeated("1.0.0-a", ".a%[1]d", ""), 1000},
		{"modules", Address, repeated("", "module.a[%[1]d].", "a_b.c"), 500},
		{"equal modules", Address, repeated("", "module.a.", "a_b.c"), 500},
		{"long key", Address, repeated("a_b.c[\"", "x\\\"", "\"]"), 2000},
		{"folders", Address, repeated("git::https://x.y/a//", "a/", "?ref=1"), 2000},
		{"path", Address, repeated("./", "../", "x"), 2000},
		{"dots", Address, repeated("a_b.c", ".a", ""), 1000},
		{"versions", Registry, repeated(`{"versions":[{"version":"0.0.1"}`, `,{"version":"1.0.%[1]d","protocols":["5.0"],"platforms":[{"os":"linux","arch":"amd64"}]}`, `]}`), 200},
		{"deep", Registry, nested(`{"versions":`, "[", "", "]", "}"), 400},
		{"modules", Registry, repeated(`{"modules":[{"versions":[{"version":"0.0.1"}`, `,{"version":"1.0.%[1]d"}`, `]}]}`), 200},
		{"equal versions", Registry, repeated(`{"versions":[{"version":"0.0.1"}`, `,{"version":"1.0.0","protocols":["5.0"]}`, `],"modules":[{"versions":[]}]}`), 200},
		{"index", Registry, repeated(`{"versions":{"0.0.1":{}`, `,"1.0.%[1]d":{}`, `}}`), 200},
		{"archives", Registry, repeated(`{"archives":{"linux_amd64":{"url":"x.zip"}`, `,"linux_a%[1]d":{"url":"x%[1]d.zip","hashes":["zh:%064[1]d"]}`, `}}`), 200},
		{"hashes", Registry, repeated(`{"archives":{"linux_amd64":{"url":"x.zip","hashes":["zh:0"`, `,"zh:%064[1]d"`, `]}}}`), 200},
		{"keys", Registry, repeated(`{"os":"linux","arch":"amd64","filename":"z.zip","download_url":"/z","shasums_url":"/s","shasums_signature_url":"/g","shasum":"`+strings.Repeat("ab", 32)+`","signing_keys":{"gpg_public_keys":[{"key_id":"x"}`, `,{"key_id":"%[1]d","ascii_armor":"x"}`, `]}}`), 200},
		{"services", Registry, repeated(`{"providers.v1":"/v1/"`, `,"s%[1]d.v1":"/s/"`, `}`), 200},
		{"errors", Registry, repeated(`{"errors":["x"`, `,"error %[1]d"`, `]}`), 200},
		{"location", Registry, repeated(`{"location":"https://x.example/`, `a/`, `"}`), 500},
		{"escapes", Registry, repeated(`{"location":"https://x.example/`, `\u0061\"`, `"}`), 500},
		{"lines", Sums, repeated("", "%064[1]d  x%[1]d.zip\n", strings.Repeat("ab", 32)+"  z.zip\n"), 200},
		{"equal lines", Sums, repeated("", strings.Repeat("ab", 32)+"  z.zip\n", ""), 200},
		{"empty lines", Sums, repeated("", "\n", strings.Repeat("ab", 32)+"  z.zip\n"), 1000},
		{"armor", Sums, repeated("-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n", "xsBNBAAAAAABCAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n", "-----END PGP PUBLIC KEY BLOCK-----\n"), 200},
		{"armor headers", Sums, repeated("-----BEGIN PGP PUBLIC KEY BLOCK-----\n", "Comment: x\n", "\n-----END PGP PUBLIC KEY BLOCK-----\n"), 200},
		{"begins of armor", Sums, repeated("", "-----BEGIN PGP PUBLIC KEY BLOCK-----\n", ""), 200},
		{"machines", Registry, repeated("", "machine h%[1]d login a password b\n", ""), 500},
		{"macros", Registry, repeated("macdef a\n", "x\n", "\nmachine h login a password b\n"), 1000},
		{"hosts", CLI, repeated("", "host \"h%[1]d.example.com\" {\n  services = {}\n}\n", ""), 200},
		{"credentials", CLI, repeated("", "credentials \"h%[1]d.example.com\" {\n  token = \"x\"\n}\n", ""), 200},
		{"patterns", CLI, repeated("provider_installation {\n  direct {\n    include = [", "\"h.example.com/a%[1]d/*\", ", "]\n  }\n}\n"), 300},
		{"deep", CLI, nested("host \"h.example.com\" {\n  services = ", "{ a = ", "1", "}", "\n}\n"), 300},
		{"empty lines", CLI, repeated("", "\n", "plugin_cache_dir = \"x\"\n"), 2000},
	}
}

// nestedBlocks has one resource with many blocks, each made of a reference.
func nestedBlocks(name, open, value, config, end string) Shape {
	return Shape{name, Plan, func(n int) string {
		list := func(part string) string { return open + strings.TrimPrefix(repeated("", ","+part, "")(n), ",") + end }
		return `{"format_version":"1.2","variables":{"v":{"value":1}},"resource_changes":[{"address":"a_b.c","mode":"managed","type":"a_b","name":"c","provider_name":"registry.opentofu.org/x/a","change":{"actions":["create"],"before":null,"after":{"link":` +
			list(value) + `},"after_unknown":{}}}],"configuration":{"root_module":{"variables":{"v":{}},"resources":[{"address":"a_b.c","mode":"managed","type":"a_b","name":"c","provider_config_key":"a","schema_version":0,"expressions":{"link":` + list(config) + `}}]}}}`
	}, 200}
}

func machineShapes() []Shape {
	change := func(n string) string {
		return `{"address":"a_b.c` + n + `","mode":"managed","type":"a_b","name":"c` + n + `","provider_name":"registry.opentofu.org/x/a","change":{"actions":["update"],"before":{"v":"x"},"after":{"v":"y` + n + `"},"after_unknown":{},"before_sensitive":{},"after_sensitive":{}}}`
	}
	of := func(before, after string) string {
		return `{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[{"address":"a_b.c","mode":"managed","type":"a_b","name":"c","provider_name":"registry.opentofu.org/x/a","change":{"actions":["update"],"before":` + before + `,"after":` + after + `,"after_unknown":{},"before_sensitive":{},"after_sensitive":{}}}]}`
	}
	value := func(name string, size int, list func(n int, leaf string) string) Shape {
		return Shape{name, Plan, func(n int) string { return of(list(n, "x"), list(n, "y")) }, size}
	}
	return []Shape{
		{"changes", Plan, repeated(`{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[`+change(""), ","+change("%[1]d"), "]}"), 200},
		value("deep lists", 200, func(n int, leaf string) string { return nested(`{"v":`, "[", `"`+leaf+`"`, "]", "}")(n) }),
		value("deep objects", 200, func(n int, leaf string) string { return nested(`{"v":`, `{"a":`, `"`+leaf+`"`, "}", "}")(n) }),
		value("list", 500, func(n int, leaf string) string { return repeated(`{"v":["a"`, `,"`+leaf+`%[1]d"`, "]}")(n) }),
		value("list of objects", 300, func(n int, leaf string) string {
			return repeated(`{"v":[{}`, `,{"a":"`+leaf+`%[1]d","b":%[1]d}`, "]}")(n)
		}),
		value("equal elements", 500, func(n int, leaf string) string { return repeated(`{"v":["`+leaf+`"`, `,"a"`, "]}")(n) }),
		value("map", 500, func(n int, leaf string) string { return repeated(`{"v":{"a":1`, `,"a%[1]d":"`+leaf+`"`, "}}")(n) }),
		value("lines", 500, func(n int, leaf string) string { return repeated(`{"v":"a`, leaf+`%[1]d\n`, `"}`)(n) }),
		value("JSON in a string", 300, func(n int, leaf string) string { return nested(`{"v":"`, `[`, leaf[:0]+"1", `]`, `"}`)(n) }),
		value("digits", 3000, func(n int, leaf string) string { return repeated(`{"v":1`, `0`, `}`)(n) }),
		value("numbers", 500, func(n int, leaf string) string { return repeated(`{"v":[1`, `,%[1]d.5e100`, `]}`)(n) }),
		{"outputs", Plan, repeated(`{"format_version":"1.2","output_changes":{"a":{"actions":["create"],"before":null,"after":1,"after_unknown":false}`, `,"a%[1]d":{"actions":["create"],"before":null,"after":%[1]d,"after_unknown":false}`, "}}"), 300},
		{"variables", Plan, repeated(`{"format_version":"1.2","configuration":{"root_module":{"variables":{"z":{}}}},"variables":{"a":{"value":1}`, `,"a%[1]d":{"value":%[1]d}`, "}}"), 300},
		{"modules", Plan, nested(`{"format_version":"1.2","planned_values":{"root_module":`, `{"child_modules":[`, "{}", "]}", "}}"), 150},
		{"configuration", Plan, repeated(`{"format_version":"1.2","configuration":{"root_module":{"resources":[{"address":"a_b.c","mode":"managed","type":"a_b","name":"c","provider_config_key":"a","schema_version":0}`, `,{"address":"a_b.c%[1]d","mode":"managed","type":"a_b","name":"c%[1]d","provider_config_key":"a","expressions":{"x":{"references":["a_b.c.id","a_b.c"]}},"schema_version":0}`, "]}}}"), 200},
		{"deep blocks of references", Plan, nested(`{"format_version":"1.2","variables":{"v":{"value":1}},"resource_changes":[{"address":"a_b.c","mode":"managed","type":"a_b","name":"c","provider_name":"registry.opentofu.org/x/a","change":{"actions":["create"],"before":null,"after":{},"after_unknown":{}}}],"configuration":{"root_module":{"variables":{"v":{}},"resources":[{"address":"a_b.c","mode":"managed","type":"a_b","name":"c","provider_config_key":"a","schema_version":0,"expressions":{"x":`, `[{"y":{"references":["var.v"]},"x":`, `{}`, `}]`, `}}]}}}`), 150},
		nestedBlocks("labelled blocks", "{", `"l%[1]d":{"s":[{"x":1}]}`, `"l%[1]d":{"s":[{"x":{"references":["var.v"]}}]}`, "}"),
		nestedBlocks("blocks", "[", `{"x":1}`, `{"x":{"references":["var.v"]}}`, "]"),
		{"resources", State, repeated(`{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"x","outputs":{},"resources":[`, `{"mode":"managed","type":"a_b","name":"c%[1]d","provider":"provider[\"registry.opentofu.org/x/a\"]","instances":[{"schema_version":0,"attributes":{"id":"%[1]d","v":"x"}}]},`, `{"mode":"managed","type":"a_b","name":"z","provider":"provider[\"registry.opentofu.org/x/a\"]","instances":[]}]}`), 200},
		{"instances", State, repeated(`{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"x","outputs":{},"resources":[{"mode":"managed","type":"a_b","name":"c","each":"list","provider":"provider[\"registry.opentofu.org/x/a\"]","instances":[`, `{"index_key":%[1]d,"schema_version":0,"attributes":{"id":"%[1]d","v":"x"}},`, `{"index_key":1000000,"schema_version":0,"attributes":{"id":"z"}}]}]}`), 200},
		{"deep", State, nested(`{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"x","outputs":{},"resources":[{"mode":"managed","type":"a_b","name":"c","provider":"provider[\"registry.opentofu.org/x/a\"]","instances":[{"schema_version":0,"attributes":{"v":`, "[", "1", "]", `}}]}]}`), 200},
		{"messages", Stream, repeated(`{"@level":"info","@message":"x","@module":"tofu.ui","@timestamp":"2026-01-01T00:00:00.000000Z","type":"version","tofu":"1.9.0","ui":"1.2"}`+"\n", `{"@level":"info","@message":"a_b.c%[1]d: Creating...","@module":"tofu.ui","@timestamp":"2026-01-01T00:00:00.000000Z","hook":{"resource":{"addr":"a_b.c%[1]d","module":"","resource":"a_b.c%[1]d","implied_provider":"a","resource_type":"a_b","resource_name":"c%[1]d","resource_key":null},"action":"create"},"type":"apply_start"}`+"\n", ""), 200},
		{"equal diagnostics", Stream, repeated("", `{"@level":"error","@message":"Error: x","@module":"tofu.ui","@timestamp":"2026-01-01T00:00:00.000000Z","diagnostic":{"severity":"error","summary":"x","detail":""},"type":"diagnostic"}`+"\n", ""), 200},
		{"diagnostics", Stream, repeated("", `{"@level":"error","@message":"Error: x","@module":"tofu.ui","@timestamp":"2026-01-01T00:00:00.000000Z","diagnostic":{"severity":"error","summary":"x%[1]d","detail":""},"type":"diagnostic"}`+"\n", ""), 200},
		{"text", Stream, repeated("", "a line {\"@level\" of text\n", ""), 1000},
		{"a secret as numbers in one line", Stream, repeated("", "97 110 111 116 104 101 114 and ", "\n"), 100},
		{"secrets as numbers in JSON", Stream, repeated("[", "[97, 110, 111, 116, 104, 101, 114], ", "1]\n"), 100},
		{"braces", Stream, repeated("", "{", "\n"), 2000},
	}
}
