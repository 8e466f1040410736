// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint_test

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/rules"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// asks asks everything about all blocks.
var asks = &hcllint.Analyzer{
	Name: "asks", Doc: "Asks.",
	Run: func(p *hcllint.Pass) (any, error) {
		for _, typ := range []string{"resource", "data", "variable", "output", "module", "provider", "locals", "check"} {
			for b := range p.Blocks(typ) {
				hcllint.Documentation(b)
				b.HasTag("x")
				instances, _ := b.Instances()
				for _, i := range instances {
					for j := range b.Body.Arguments {
						i.Strings(b.Body.Arguments[j].Expression)
						i.HasKey(b.Body.Arguments[j].Expression, "a")
					}
				}
				for _, nested := range []string{"a", "dynamic", "lifecycle"} {
					b.Nested(nested)
				}
				p.Reportf(b, "a block")
			}
		}
		for _, c := range p.Module.Calls {
			p.SourceOf(c)
		}
		for _, o := range p.Module.Outputs {
			p.Origins(o.Value)
		}
		return nil, nil
	},
}

// FuzzRun wants no analyzer to panic, places within the file, and fixes that come to an end
// and leave a file that can be read. The module is a text, or, with a shape, one that the
// shape describes, which has no syntax errors.
func FuzzRun(f *testing.F) {
	f.Add("variable \"a_secret\" {\n  description = \"x\"\n}\nresource \"t\" \"x\" {\n  for_each = { a = 1 }\n  a {\n  }\n  dynamic \"a\" {\n    for_each = [1, var.a_secret]\n    content {\n    }\n  }\n}\n", false, []byte(nil))
	f.Add(`{"variable": {"a_secret": {}}, "resource": {"t": {"x": {"count": 2, "tags": "${merge({a = 1}, var.a_secret)}", "a": [{}]}}}}`, true, []byte(nil))
	f.Add("# tflint-ignore-file: all\nmodule \"m\" {\n  source = \"a/b/c\"\n  version = \"1.2.3\"\n}\noutput \"o\" {\n  value = module.m.x\n}\n", false, []byte(nil))
	f.Add(`{"//": "tflint-ignore-file: asks", "variable": [{"x_secret": [{}, {}]}]}`, true, []byte(nil))
	for seed := range 40 {
		shape, random := make([]byte, 200), rand.New(rand.NewPCG(1, uint64(seed)))
		for i := range shape {
			shape[i] = byte(random.Uint32())
		}
		f.Add("a", seed%2 == 1, shape)
	}
	f.Fuzz(func(t *testing.T, text string, isJSON bool, shape []byte) {
		name := "a.tf"
		if isJSON {
			name = "a.tf.json"
		}
		files := fstest.MapFS{name: {Data: []byte(text)}}
		if len(shape) > 0 {
			files = shaped(t, shape, text, isJSON)
		}
		fixUntilDone(t, files, name, len(shape) > 0)
	})
}

// fixUntilDone runs analyzers on a module, and makes their fixes, until there are none.
func fixUntilDone(t *testing.T, files fstest.MapFS, name string, valid bool) {
	for round := 0; ; round++ {
		tree, err := hclnames.LoadTree(files, ".", hclconfig.OpenTofu)
		if err != nil && valid {
			t.Fatal(err)
		}
		if err != nil {
			return // a cycle of modules
		}
		list := append([]*hcllint.Analyzer{asks, secret, short}, rules.All()...)
		report, err := hcllint.Run(tree, list, hcllint.RunOptions{})
		if err != nil {
			t.Fatal(err)
		}
		// Those about calls of local modules do not count.
		report.Errors = slices.DeleteFunc(report.Errors, func(err error) bool { return errors.Is(err, fs.ErrNotExist) })
		src := files[name].Data
		broken := tree.Module.Files[0].Err() != nil
		if valid && broken {
			t.Fatalf("%v\n%s", tree.Module.Files[0].Err(), src)
		}
		inFile := slices.ContainsFunc(report.Diagnostics, func(d hcllint.Diagnostic) bool { return d.Range.Filename == name })
		if !broken && len(report.Errors) > 0 || broken && (round > 0 || inFile) {
			t.Fatalf("round %d: %v, %v\n%s", round, report.Errors, report.Diagnostics, src)
		}
		for _, d := range report.Diagnostics {
			if d.Range.Filename == name && (d.Range.End.Offset > int64(len(src)) || d.Range.Start.Offset > d.Range.End.Offset) {
				t.Errorf("%v is not in the file: %s", d.Range, d.Message)
			}
		}
		changed := report.Fix()
		if len(changed) == 0 {
			return
		}
		if round > 100 {
			t.Fatalf("round %d changes %d files\n%s", round, len(changed), src)
		}
		for _, f := range changed {
			if f.Err() != nil {
				t.Fatalf("fixed: %v\n%s", f.Err(), f.Bytes())
			}
			files[f.Filename()] = &fstest.MapFile{Data: f.Bytes()}
		}
	}
}

// shaped returns the files of a module that a shape describes: each byte is a choice.
func shaped(t *testing.T, shape []byte, text string, isJSON bool) fstest.MapFS {
	m := &maker{shape: shape, text: text}
	root, child, override := m.file(8), m.file(3), m.file(1)
	files := fstest.MapFS{
		"a.tf":             {Data: []byte(root)},
		"m/main.tf":        {Data: []byte(child)},
		"a_override.tf":    {Data: []byte(override)},
		"terraform.tfvars": {Data: []byte("a = " + m.pick("1", `"x"`, "{ a = 1, b = 2 }", "[\"p\", \"q\"]") + "\n")},
	}
	if isJSON {
		f, err := hclconfig.ParseNative("a.tf", []byte(root))
		if err != nil {
			t.Fatalf("%v\n%s", err, root)
		}
		converted, diags := hclconvert.ToJSON(f, hclconvert.Options{})
		if diags.HasErrors() {
			t.Fatalf("%v\n%s", diags, root)
		}
		delete(files, "a.tf")
		files["a.tf.json"] = &fstest.MapFile{Data: converted.Bytes()}
	}
	return files
}

// A maker makes texts in native syntax.
type maker struct {
	shape []byte
	at    int
	text  string
}

// choose returns a number below n.
func (m *maker) choose(n int) int {
	if m.at >= len(m.shape) {
		return 0
	}
	m.at++
	return int(m.shape[m.at-1]) % n
}

func (m *maker) pick(list ...string) string { return list[m.choose(len(list))] }

func (m *maker) name() string { return m.pick("a", "b", "a_secret", "B-x") }

func (m *maker) file(blocks int) string {
	var out strings.Builder
	for range blocks {
		out.WriteString(m.block())
	}
	return out.String()
}

func (m *maker) block() string {
	text := m.pick("", "# tflint-ignore: all\n", "// a comment\n", "/* a\n comment */\n", "# tflint-ignore: asks, acme_secret\n")
	name := m.name()
	switch m.choose(7) {
	case 0:
		return text + "variable \"" + name + "\" {\n" + m.arguments("default", "description", "sensitive") + m.pick("", "  type = map(string)\n", "  type = string\n", "  type = \"list\"\n") + "}\n"
	case 1:
		return text + "output \"" + name + "\" {\n" + m.arguments("value", "description") + "}\n"
	case 2:
		return text + "locals {\n" + m.arguments("a", "b", "a_secret") + "}\n"
	case 3:
		return text + "module \"" + name + "\" {\n  source = " + m.pick(`"./m"`, `"./m"`, `"git::https://example.com/x.git?ref=main"`, `"a/b/c"`, "var.a") + "\n" + m.repeated() + m.arguments("a", "b") + "}\n"
	case 4:
		return text + "provider \"t\" {\n" + m.pick("", "  alias = \"b\"\n") + "  default_tags {\n" + m.arguments("tags") + "  }\n}\n"
	case 5:
		return text + m.pick("terraform {\n  required_version = \">= 1.0\"\n}\n", "terraform {\n  required_providers {\n    t = \"1.0\"\n  }\n}\n", "terraform {\n  required_providers {\n    t = {\n    }\n  }\n  backend \"remote\" {\n  }\n}\n", "check \"c\" {\n  assert {\n    condition = true\n    error_message = \"x\"\n  }\n}\n")
	}
	text += m.pick("resource", "data") + " \"t_x\" \"" + name + "\" {\n" + m.repeated() + m.arguments("tags", "name", "acl")
	for range m.choose(3) {
		if m.choose(2) == 0 {
			text += "  a {\n" + m.arguments("x") + "  }\n"
		} else {
			text += "  dynamic \"a\" {\n    for_each = " + m.expression(2) + "\n    content {\n      x = a.value\n    }\n  }\n"
		}
	}
	return text + "}\n"
}

func (m *maker) repeated() string {
	switch m.choose(4) {
	case 0:
		return "  count = " + m.expression(2) + "\n"
	case 1:
		return "  for_each = " + m.expression(2) + "\n"
	case 2:
		return m.pick("  count = 2\n", "  for_each = { a = 1, b = 2 }\n", "  for_each = toset([\"a\", \"b\"])\n")
	}
	return ""
}

// arguments returns some of the arguments with these names.
func (m *maker) arguments(names ...string) string {
	text := ""
	for _, n := range names {
		if m.choose(4) > 0 {
			value := m.expression(3)
			if slices.Contains([]string{"default", "description", "sensitive"}, n) {
				value = m.pick("true", "null", `"a"`, `""`, "{ a = 1, a = [null] }", "[]")
			}
			text += "  " + n + " = " + value + m.pick("", " # beside", " // tflint-ignore: all") + "\n"
		}
	}
	return text
}

func (m *maker) expression(depth int) string {
	if depth == 0 {
		return m.pick(`"a"`, "1", "true", "null", "var.a", "local.b", "each.value", "count.index", "module.a.b", `module.b["a"].a`, "data.t_x.a.id", "t_x.a.0.id", "t_x.b.*.id", "terraform.workspace", "[]", "{}")
	}
	x := func() string { return m.expression(depth - 1) }
	switch m.choose(14) {
	case 0:
		return strconv.Quote(strings.NewReplacer("$", "", "%", "").Replace(strings.ToValidUTF8(printable(m.text), "")))
	case 1:
		return "[" + x() + ", " + x() + "]"
	case 2:
		return "{ a = " + x() + ", (" + x() + ") = " + x() + " }"
	case 3:
		return "merge(" + x() + ", " + x() + ")"
	case 4:
		return "(" + x() + " ? " + x() + " : " + x() + ")"
	case 5:
		return "\"${" + x() + "}\""
	case 6:
		return "\"a-${" + x() + "}\""
	case 7:
		return "[for k, v in " + x() + " : v]"
	case 8:
		return "{ for k, v in " + x() + " : k => v }"
	case 9:
		return "lookup(" + x() + ", \"a\"" + m.pick("", ", null") + ")"
	case 10:
		return "(" + x() + ")" + m.pick("[0]", ".a", "[\"a\"]", "[*].id", ".0")
	case 11:
		return "(" + x() + " == " + m.pick("[]", "\"a\"", "null") + ")"
	case 12:
		return m.pick("concat", "flatten", "toset", "length", "keys", "values", "jsonencode", "nope") + "(" + x() + ")"
	}
	return m.expression(0)
}

// printable returns a text without what only escapes can spell.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || !strconv.IsPrint(r) {
			return -1
		}
		return r
	}, text)
}
