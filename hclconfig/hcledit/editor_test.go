// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// first returns the first block of a type, wherever it is nested.
func first(t *testing.T, f *hclconfig.File, typ string) *hclconfig.Block {
	t.Helper()
	for b := range f.Body().All() {
		if b.Type == typ {
			return b
		}
	}
	t.Fatalf("no block of type %s in %s", typ, f.Filename())
	return nil
}

var (
	str = hcledit.String
	ref = hcledit.Source
)

// An editCase is a text, an edit and the text after it.
type editCase struct {
	name, before string
	edit         func(t *testing.T, f *hclconfig.File, e *hcledit.Editor)
	after        string
}

var nativeEdits = []editCase{
	{"set keeps comment and alignment", "variable \"x\" {\n  type    = string # why\n  default = \"a\" // not\n}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "variable"), "default", "${b}")
		}, "variable \"x\" {\n  type    = string  # why\n  default = \"$${b}\" // not\n}\n"},
	{"set twice", "variable \"x\" {\n  default = 1\n}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "variable"), "default", 2).Set(first(t, f, "variable"), "default", 345)
		}, "variable \"x\" {\n  default = 345\n}\n"},
	{"add below an aligned group", "variable \"x\" {\n  description = \"d\"\n  default     = 1\n\n  validation {}\n}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "variable"), "type", ref("number")).Set(first(t, f, "variable"), "nullable", false)
		}, "variable \"x\" {\n  description = \"d\"\n  default     = 1\n  type        = number\n  nullable    = false\n\n  validation {}\n}\n"},
	{"add to an empty block", "variable \"x\" {}\nvariable \"y\" {\n}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			for _, v := range f.Config().Variables {
				e.Set(v.Block, "default", 1)
			}
		}, "variable \"x\" {\n  default = 1\n}\nvariable \"y\" {\n  default = 1\n}\n"},
	{"add to a block on one line", "variable \"x\" { default = 1 }\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "variable"), "type", ref("number"))
		}, "variable \"x\" {\n  default = 1\n  type    = number\n}\n"},
	{"add before nested blocks", "resource \"a\" \"b\" {\n  lifecycle {}\n}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "resource"), "count", 2)
		}, "resource \"a\" \"b\" {\n  count = 2\n\n  lifecycle {}\n}\n"},
	{"add behind a comment that ends later", "locals {\n  a = 1 /* long\n  comment */\n}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "locals"), "b", 2)
		}, "locals {\n  a = 1 /* long\n  comment */\n  b = 2\n}\n"},
	{"add behind a heredoc", "locals {\n  a = <<EOT\n  x\nEOT\n}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "locals"), "b", 2)
		}, "locals {\n  a = <<EOT\n  x\nEOT\n  b = 2\n}\n"},
	{"replace a heredoc", "locals {\n  a = <<-EOT\n    x\n  EOT\n  b = 1\n}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "locals"), "a", "y\n")
		}, "locals {\n  a = \"y\\n\"\n  b = 1\n}\n"},
	{"a nested object is indented", "resource \"a\" \"b\" {\n  provisioner \"p\" {\n    x = 1\n  }\n}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "provisioner"), "env", map[string]any{"A": 1, "long": "x", "in": []any{map[string]string{"k": "v"}}})
		}, "resource \"a\" \"b\" {\n  provisioner \"p\" {\n    x = 1\n    env = {\n      A = 1\n      in = [\n        {\n          k = \"v\"\n        },\n      ]\n      long = \"x\"\n    }\n  }\n}\n"},
	{"source with a heredoc keeps its lines", "locals {\n  a = 1\n}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "locals"), "a", ref("upper(<<EOT\n x\n\n  y\nEOT\n)"))
		}, "locals {\n  a = upper(<<EOT\n x\n\n  y\nEOT\n  )\n}\n"},
	{"source over lines gets parentheses", "locals {\n  a = 1\n}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "locals"), "a", ref("x\n? 1 : 2"))
		}, "locals {\n  a = (x\n    ? 1 : 2\n  )\n}\n"},
	{"rename keeps the lines aligned", "variable \"x\" {\n  description = \"d\" # c\n  default     = 1\n}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Rename(first(t, f, "variable"), "description", "deprecated")
		}, "variable \"x\" {\n  deprecated = \"d\" # c\n  default    = 1\n}\n"},
	{"a shorter name on a line of its own", "locals {\n    long_name = 1\n    b=2\n}\nlocals { longer = 1 }\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Rename(first(t, f, "locals"), "long_name", "n").Rename(&f.Body().Blocks[1], "longer", "l")
		}, "locals {\n    n = 1\n    b=2\n}\nlocals { l = 1 }\n"},
	{"a shorter name on one of several lines", "locals {\n    long_name = 1\n\n    b         = 2\n}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Rename(first(t, f, "locals"), "long_name", "n")
		}, "locals {\n    n         = 1\n\n    b         = 2\n}\n"},
	{"remove takes its comments only", "locals {\n  # above\n  a = 1 # beside\n  # below\n  b = 2\n}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Remove(first(t, f, "locals"), "a").Remove(first(t, f, "locals"), "none")
		}, "locals {\n  # below\n  b = 2\n}\n"},
	{"remove from one line", "locals { a = 1 }\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) { e.Remove(first(t, f, "locals"), "a") }, "locals {}\n"},
	{"remove a block between others", "locals {\n}\n\n# about x\nvariable \"x\" {}\n\noutput \"y\" {}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) { e.Delete(first(t, f, "variable")) },
		"locals {\n}\n\noutput \"y\" {}\n"},
	{"remove the last block", "locals {\n}\n\nvariable \"x\" {\n}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) { e.Delete(first(t, f, "variable")) }, "locals {\n}\n"},
	{"remove a nested block", "resource \"a\" \"b\" {\n  x = 1\n\n  lifecycle {\n    enabled = true\n  }\n}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) { e.Delete(first(t, f, "lifecycle")) },
		"resource \"a\" \"b\" {\n  x = 1\n}\n"},
	{"remove and set again", "locals {\n  a = 1\n  b = 2\n}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Remove(first(t, f, "locals"), "b").Set(first(t, f, "locals"), "b", 3)
		}, "locals {\n  a = 1\n  b = 3\n}\n"},
	{"add a nested block", "resource \"a\" \"b\" {\n  x = 1\n}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Add(first(t, f, "resource"), hcledit.NewBlock("lifecycle").Set("ignore_changes", hcledit.List(ref("tags[\"a\"]"))))
		}, "resource \"a\" \"b\" {\n  x = 1\n\n  lifecycle {\n    ignore_changes = [tags[\"a\"]]\n  }\n}\n"},
	{"add a nested block to an empty one", "resource \"a\" \"b\" {}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Add(first(t, f, "resource"), hcledit.NewBlock("lifecycle"))
		}, "resource \"a\" \"b\" {\n  lifecycle {}\n}\n"},
	{"add a block at the end", "locals {}",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Add(nil, hcledit.NewBlock("moved").Comment("renamed\nin May").Set("from", ref("a.b")).Set("to", ref("a.c")))
			e.Add(nil, hcledit.NewBlock("locals"))
		}, "locals {}\n\nmoved {\n  # renamed\n  # in May\n  from = a.b\n  to   = a.c\n}\n\nlocals {}\n"},
	{"add a block to an empty file", "",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) { e.Add(nil, hcledit.NewBlock("locals")) }, "locals {}\n"},
	{"windows line ends", "locals {\r\n  a = 1\r\n}\r\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "locals"), "b", map[string]any{"k": 1}).Add(nil, hcledit.NewBlock("locals").Set("c", 1))
		}, "locals {\r\n  a = 1\r\n  b = {\r\n    k = 1\r\n  }\r\n}\r\n\r\nlocals {\r\n  c = 1\r\n}\r\n"},
	{"relabel", "variable x {}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) { e.Relabel(first(t, f, "variable"), 0, "y") }, "variable \"y\" {}\n"},
	{"byte order mark stays", "\uFEFFlocals {\n  a = 1\n}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) { e.Set(first(t, f, "locals"), "a", 2) }, "\uFEFFlocals {\n  a = 2\n}\n"},
	{"replace an element", "locals {\n  a = [1, [2], 3] # x\n}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			parts, _ := first(t, f, "locals").Argument("a").Elements()
			inner, _ := parts[1].Elements()
			e.Replace(inner[0], "two")
		}, "locals {\n  a = [1, [\"two\"], 3] # x\n}\n"},
	{"replace a reference", "locals {\n  a = [var.x, \"${var.x.y} ${f(var.x[0])}\"]\n}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			for _, r := range f.Body().References() {
				e.ReplaceReference(r, "local.z")
			}
		}, "locals {\n  a = [local.z, \"${local.z} ${f(local.z)}\"]\n}\n"},
}

var jsonEdits = []editCase{
	{"set", `{"variable": {"x": {"default": 1.50, "type":"any"}}}`,
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "variable"), "default", "${b}")
		}, `{"variable": {"x": {"default": "${b}", "type":"any"}}}`},
	{"add on one line", `{"variable": {"x": {"default": 1.50, "type":"any"}}}`,
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "variable"), "nullable", false)
		}, `{"variable": {"x": {"default": 1.50, "type":"any", "nullable": false}}}`},
	{"add compact", `{"variable":{"x":{"default":1,"type":"any"}}}`,
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "variable"), "description", "a\"${b}").Add(first(t, f, "variable"), hcledit.NewBlock("validation").Set("condition", true))
		}, `{"variable":{"x":{"default":1,"type":"any","description":"a\"${b}","validation":{"condition":true}}}}`},
	{"add on lines", "{\n    \"locals\": {\n        \"a\": 1\n    }\n}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "locals"), "b", map[string]any{"k": "${x}", "l": []any{1, 2}})
		}, "{\n    \"locals\": {\n        \"a\": 1,\n        \"b\": {\n            \"k\": \"$${x}\",\n            \"l\": [1, 2]\n        }\n    }\n}\n"},
	{"add to an empty body", "{\n  \"locals\": {}\n}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) { e.Set(first(t, f, "locals"), "a", 1) },
		"{\n  \"locals\": {\n    \"a\": 1\n  }\n}\n"},
	{"add twice the same", `{"locals": {"a": 1}}`,
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "locals"), "b", 1).Set(first(t, f, "locals"), "b", 2)
		}, `{"locals": {"a": 1, "b": 2}}`},
	{"add to a body in an array", `{"module": {"m": [[{"source": "./x"}, {"a": 1}]]}}`,
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) { e.Set(first(t, f, "module"), "b", 2) },
		`{"module": {"m": [[{"source": "./x"}, {"a": 1, "b": 2}]]}}`},
	{"add to an empty array body", `{"module": {"m": [[]]}}`,
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) { e.Set(first(t, f, "module"), "b", 2) },
		`{"module": {"m": [[{"b": 2}]]}}`},
	{"add to a null body", `{"variable": {"x": [null]}}`,
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "variable"), "default", 2)
		},
		`{"variable": {"x": [{"default": 2}]}}`},
	{"rename", `{"variable": {"x": {"description" : "d"}}}`,
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Rename(first(t, f, "variable"), "description", "deprecated")
		}, `{"variable": {"x": {"deprecated" : "d"}}}`},
	{"remove first, middle, last and only", "{\"locals\": {\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3,\n  \"d\": 4\n}, \"variable\": {\"x\": { \"default\": 1 }}}",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			l := first(t, f, "locals")
			e.Remove(l, "a").Remove(l, "c").Remove(l, "d").Remove(first(t, f, "variable"), "default")
		}, "{\"locals\": {\n  \"b\": 2\n}, \"variable\": {\"x\": {}}}"},
	{"remove a block with its label", `{"output": {"a": {"value": 1}}, "locals": {"x": 1}}`,
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) { e.Delete(first(t, f, "output")) }, `{"locals": {"x": 1}}`},
	{"remove one of two labels", `{"output": {"a": {"value": 1}, "b": {"value": 2}}}`,
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) { e.Delete(first(t, f, "output")) }, `{"output": {"b": {"value": 2}}}`},
	{"remove all blocks", `{"output": {"a": {"value": 1}, "b": [{"value": 2}, {"value": 3}]}, "//": 1}`,
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			for _, o := range f.Config().Outputs {
				e.Delete(o.Block)
			}
		}, `{"//": 1}`},
	{"remove from arrays at every level", `[{"resource": [{"a": [{"b": [{"x": 1}]}]}]}, {"locals": {}}]`,
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) { e.Delete(first(t, f, "resource")) }, `[{}, {"locals": {}}]`},
	{"add a block of a new type", "{\n\t\"locals\": {\n\t\t\"a\": 1\n\t}\n}\n",
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Add(nil, hcledit.NewBlock("moved").Set("from", ref("a.b")).Set("to", ref("a.c")))
		}, "{\n\t\"locals\": {\n\t\t\"a\": 1\n\t},\n\t\"moved\": {\n\t\t\"from\": \"a.b\",\n\t\t\"to\": \"a.c\"\n\t}\n}\n"},
	{"add blocks without labels", `{"moved": {"from": "a.b", "to": "a.c"}}`,
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Add(nil, hcledit.NewBlock("moved").Set("from", ref("x.y")))
			e.Add(nil, hcledit.NewBlock("moved").Set("from", ref("x.z")))
		}, `{"moved": [{"from": "a.b", "to": "a.c"}, {"from": "x.y"}, {"from": "x.z"}]}`},
	{"add a label", `{"output": {"a": {"value": 1}}}`,
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Add(nil, hcledit.NewBlock("output", "b").Set("value", hcledit.Template("${x}-")))
		}, `{"output": {"a": {"value": 1}, "b": {"value": "${x}-"}}}`},
	{"add the same label", `{"provider": {"aws": {"region": "a"}}}`,
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Add(nil, hcledit.NewBlock("provider", "aws").Set("alias", "b"))
		}, `{"provider": {"aws": [{"region": "a"}, {"alias": "b"}]}}`},
	{"add to label arrays", `{"resource": [{"a": {"b": {}}}], "output": {"x": null}}`,
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Add(nil, hcledit.NewBlock("resource", "a", "c")).Add(nil, hcledit.NewBlock("output", "x").Set("value", 1))
		}, `{"resource": [{"a": {"b": {}}}, {"a": {"c": {}}}], "output": {"x": {"value": 1}}}`},
	{"add a provisioner behind others", `{"resource": {"a": {"b": {"provisioner": {"local-exec": {"command": "x"}}}}}}`,
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			r := first(t, f, "resource")
			e.Add(r, hcledit.NewBlock("provisioner", "local-exec").Set("when", ref("destroy")).Set("command", "y"))
			e.Add(r, hcledit.NewBlock("provisioner", "file").Set("source", "z"))
		}, `{"resource": {"a": {"b": {"provisioner": [{"local-exec": {"command": "x"}}, {"local-exec": {"when": "destroy", "command": "y"}}, {"file": {"source": "z"}}]}}}}`},
	{"add the first provisioner", `{"resource": {"a": {"b": {"x": 1}}}}`,
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Add(first(t, f, "resource"), hcledit.NewBlock("provisioner", "file").Set("source", "z"))
		}, `{"resource": {"a": {"b": {"x": 1, "provisioner": [{"file": {"source": "z"}}]}}}}`},
	{"relabel", `{"output": {"a": {"value": 1}}}`,
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) { e.Relabel(first(t, f, "output"), 0, "b") }, `{"output": {"b": {"value": 1}}}`},
	{"replace references behind escapes", `{"locals": {"a": "\ud83e\udd9c\u00e9\n${var.x} ${var.x[\"k\"]}", "b": {"${var.x}": "${var.x}"}}}`,
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			for _, r := range f.Body().References() {
				e.ReplaceReference(r, `local.z["q"]`)
			}
		}, `{"locals": {"a": "\ud83e\udd9c\u00e9\n${local.z[\"q\"]} ${local.z[\"q\"]}", "b": {"${local.z[\"q\"]}": "${local.z[\"q\"]}"}}}`},
	{"root array", `[{"locals": {}}]`,
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Add(nil, hcledit.NewBlock("variable", "x"))
		}, `[{"locals": {}, "variable": {"x": {}}}]`},
	{"empty root array", `[]`,
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) { e.Add(nil, hcledit.NewBlock("locals")) }, `[{"locals": {}}]`},
	{"empty root", `{}`,
		func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Add(nil, hcledit.NewBlock("locals").Set("a", 1))
		},
		`{"locals": {"a": 1}}`},
}

func TestEdits(t *testing.T) {
	for name, cases := range map[string][]editCase{"main.tf": nativeEdits, "main.tf.json": jsonEdits} {
		for _, c := range cases {
			t.Run(strings.TrimPrefix(name, "main.")+"/"+c.name, func(t *testing.T) {
				f := mustParse(t, name, c.before)
				e := hcledit.Edit(f)
				c.edit(t, f, e)
				if err := e.Err(); err != nil {
					t.Fatal(err)
				}
				g, err := e.Apply()
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.after, string(g.Bytes())); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				if string(f.Bytes()) != c.before {
					t.Error("the original changed")
				}
			})
		}
	}
}

func TestEditErrors(t *testing.T) {
	other := mustParse(t, "other.tf", "locals {\n  a = 1\n}\n")
	for name, c := range map[string]struct {
		file, src string
		edit      func(t *testing.T, f *hclconfig.File, e *hcledit.Editor)
		want      string
	}{
		"other file": {"a.tf", "locals {}\n", func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, other, "locals"), "a", 1)
		}, "belongs to another file"},
		"gone": {"a.tf", "locals {\n  a = 1\n}\n", func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Delete(first(t, f, "locals")).Set(first(t, f, "locals"), "b", 1)
		}, "removed by an earlier edit"},
		"gone in JSON": {"a.tf.json", `{"locals": {"a": 1}}`, func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			a := first(t, f, "locals").Argument("a")
			e.Remove(first(t, f, "locals"), "a").Replace(a.Expression, 2)
		}, "removed by an earlier edit"},
		"wrong labels": {"a.tf", "", func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) { e.Add(nil, hcledit.NewBlock("variable")) }, "has 1 labels, not 0"},
		"bad source": {"a.tf", "locals {}\n", func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "locals"), "a", ref("1 +"))
		}, "syntax error"},
		"bad template": {"a.tf.json", `{"locals": {}}`, func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "locals"), "a", hcledit.Template("${"))
		}, "syntax error"},
		"bad number": {"a.tf.json", `{"locals": {}}`, func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "locals"), "a", hcledit.Number("0x1"))
		}, "is not a number"},
		"bad type": {"a.tf", "locals {}\n", func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "locals"), "a", struct{}{})
		}, "struct {} cannot be written"},
		"bad name": {"a.tf", "locals {}\n", func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) { e.Set(first(t, f, "locals"), "a b", 1) }, "cannot be the name of an argument"},
		"template of a type": {"a.tf.json", `{"variable": {"x": {}}}`, func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "variable"), "type", hcledit.Template("${x}"))
		}, "cannot be a template"},
		"not constant": {"a.tf.json", `{"variable": {"x": {}}}`, func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "variable"), "default", ref("var.y"))
		}, "is not a constant"},
		"duplicate key": {"a.tf", "locals {}\n", func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "locals"), "a", hcledit.Object(hcledit.Entry{Key: "k"}, hcledit.Entry{Key: "k"}))
		}, "occurs twice"},
		"rename what is not there": {"a.tf", "locals {}\n", func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) { e.Rename(first(t, f, "locals"), "a", "b") }, "no argument"},
		"rename badly": {"a.tf", "locals {\n  a = 1\n}\n", func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Rename(first(t, f, "locals"), "a", "b c")
		}, "cannot be the name"},
		"shared label": {"a.tf.json", `{"resource": {"a": {"b": {"provisioner": {"x": [{}, {}]}}}}}`, func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Relabel(&first(t, f, "resource").Body.Blocks[0], 0, "y")
		}, "other blocks share"},
		"no block": {"a.tf", "", func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) { e.Delete((*hclconfig.Block)(nil)) }, "no such"},
		"no label": {"a.tf", "locals {}\n", func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) { e.Relabel(first(t, f, "locals"), 0, "x") }, "no label 0"},
		"reference of another file": {"a.tf", "", func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			x := mustParse(t, "x.tf", "locals {\n  a = var.b\n}\n")
			e.ReplaceReference(x.Config().Locals[0].Argument.References()[0], "var.c")
		}, "belongs to another file"},
		"expression of another file": {"a.tf", "", func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Replace(first(t, other, "locals").Argument("a").Expression, 2)
		}, "belongs to another file"},
		"block of another file": {"a.tf", "", func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Delete(first(t, other, "locals"))
		}, "belongs to another file"},
		"add to another file": {"a.tf", "", func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Add(first(t, other, "locals"), hcledit.NewBlock("x"))
		}, "belongs to another file"},
		"rename in another file": {"a.tf", "", func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Rename(first(t, other, "locals"), "a", "b")
		}, "belongs to another file"},
		"relabel in another file": {"a.tf", "", func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Relabel(first(t, other, "locals"), 0, "b")
		}, "belongs to another file"},
		"bad reference": {"a.tf", "locals {\n  a = var.b\n}\n", func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.ReplaceReference(f.Config().Locals[0].Argument.References()[0], "1 +")
		}, "syntax error"},
		"reference that is gone": {"a.tf", "locals {\n  a = var.b\n}\n", func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Remove(first(t, f, "locals"), "a").ReplaceReference(f.Config().Locals[0].Argument.References()[0], "x.y")
		}, "removed by an earlier edit"},
		"rename what is gone": {"a.tf", "locals {\n  a = 1\n}\n", func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Delete(first(t, f, "locals")).Rename(first(t, f, "locals"), "a", "b")
		}, "removed by an earlier edit"},
		"remove what is gone": {"a.tf", "locals {\n  a = 1\n}\n", func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Delete(first(t, f, "locals")).Remove(first(t, f, "locals"), "a")
		}, "removed by an earlier edit"},
		"remove a block twice": {"a.tf.json", `{"variable":{"x":{}}}`, func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Delete(first(t, f, "variable")).Delete(first(t, f, "variable"))
		}, "removed by an earlier edit"},
		"relabel what is gone": {"a.tf", "variable \"x\" {}\n", func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Delete(first(t, f, "variable")).Relabel(first(t, f, "variable"), 0, "y")
		}, "removed by an earlier edit"},
		"set in a JSON block that is gone": {"a.tf.json", `{"locals":{"a":1}}`, func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Delete(first(t, f, "locals")).Set(first(t, f, "locals"), "b", 1)
		}, "removed by an earlier edit"},
		"add to a JSON block that is gone": {"a.tf.json", `{"resource":{"a":{"b":{}}}}`, func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Delete(first(t, f, "resource")).Add(first(t, f, "resource"), hcledit.NewBlock("lifecycle"))
		}, "removed by an earlier edit"},
		"bad value in JSON": {"a.tf.json", `{"locals":{"a":1}}`, func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Replace(first(t, f, "locals").Argument("a").Expression, struct{}{})
		}, "cannot be written"},
		"bad block in JSON": {"a.tf.json", `{"resource":{"a":{"b":{}}}}`, func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Add(first(t, f, "resource"), hcledit.NewBlock("lifecycle").Set("ignore_changes", hcledit.Template("${x}")))
		}, "cannot be a template"},
		"not UTF-8": {"a.tf", "locals {}\n", func(t *testing.T, f *hclconfig.File, e *hcledit.Editor) {
			e.Set(first(t, f, "locals"), "a", ref("\"\xff\""))
		}, "not UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			f := mustParse(t, c.file, c.src)
			e := hcledit.Edit(f)
			c.edit(t, f, e)
			if _, err := e.Apply(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("the error is %v, want one with %q", err, c.want)
			}
			var own *hclconfig.Error
			if err := e.Err(); !errors.As(err, &own) || !errors.Is(err, hcledit.ErrEdit) && !errors.Is(err, hclconfig.ErrSyntax) {
				t.Errorf("%v is not an *Error of an edit", err)
			}
			// The first error stays, whatever is tried next.
			before := e.Err()
			e.Add(nil, hcledit.NewBlock("locals")).Remove(first(t, other, "locals"), "a")
			if e.Err() != before {
				t.Error("the error changed")
			}
		})
	}
	broken, _ := hclconfig.Parse("broken.tf", []byte("a = ["))
	if _, err := hcledit.Edit(broken).Apply(); !errors.Is(err, hcledit.ErrEdit) || !errors.Is(err, hclconfig.ErrSyntax) {
		t.Errorf("a broken file can be edited: %v", err)
	}
}

// TestAddAtPlacesJSON adds blocks at places among others.
func TestAddAtPlacesJSON(t *testing.T) {
	for _, c := range []struct {
		src, want string
		block     *hcledit.BlockBuilder
		place     func(f *hclconfig.File) hcledit.Placement
	}{
		{`{"variable": {"a": {}, "b": {}}}`, `{"output": {"o": {"value": 1}}, "variable": {"a": {}, "b": {}}}`, hcledit.NewBlock("output", "o").Set("value", 1),
			func(f *hclconfig.File) hcledit.Placement { return hcledit.First() }},
		{`{"variable": {"a": {}, "b": {}}}`, `{"variable": {"a": {}, "c": {}, "b": {}}}`, hcledit.NewBlock("variable", "c"),
			func(f *hclconfig.File) hcledit.Placement { return hcledit.After(&f.Body().Blocks[0]) }},
		{`{"variable": {"a": {}, "b": {}}}`, `{"variable": {"c": {}, "a": {}, "b": {}}}`, hcledit.NewBlock("variable", "c"),
			func(f *hclconfig.File) hcledit.Placement { return hcledit.Before(hcledit.Named("variable")) }},
		{`{"provider": [{"x": {}}, {"y": {}}]}`, `{"provider": [{"x": {}}, {"z": {}}, {"y": {}}]}`, hcledit.NewBlock("provider", "z"),
			func(f *hclconfig.File) hcledit.Placement { return hcledit.Before(&f.Body().Blocks[1]) }},
		{`{"locals": {"x": 1}, "resource": {"a": {"b": {}}}}`, `{"locals": {"x": 1}, "output": {"o": {"value": 1}}, "resource": {"a": {"b": {}}}}`, hcledit.NewBlock("output", "o").Set("value", 1),
			func(f *hclconfig.File) hcledit.Placement { return hcledit.After(f.Body().Block("locals")) }},
		{`{"locals": {"x": 1}, "resource": {"a": {"b": {}}}}`, `{"locals": {"x": 1}, "resource": {"a": {"b": {}, "c": {}}}}`, hcledit.NewBlock("resource", "a", "c"),
			func(f *hclconfig.File) hcledit.Placement { return hcledit.Before(f.Body().Block("locals")) }},
	} {
		f := mustParse(t, "x.tf.json", c.src)
		g, err := hcledit.Edit(f).Add(nil, c.block, c.place(f)).Apply()
		if err != nil {
			t.Errorf("%s: %v", c.src, err)
		} else if string(g.Bytes()) != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.src, g.Bytes(), c.want)
		}
	}
}

// TestUnwrapLines puts what was in brackets, over several lines, in the place of all.
func TestUnwrapLines(t *testing.T) {
	f := mustParse(t, "x.tf", "locals {\n  a = toset(\n    x == null\n    ? [] # none\n    : [\n      y\n    ]\n  )\n}\n")
	x := f.Body().Blocks[0].Argument("a").Expression
	g, err := hcledit.Edit(f).Replace(x, x.Parts()[0]).Apply()
	if err != nil {
		t.Fatal(err)
	}
	if want := "locals {\n  a = (x == null\n    ? [] # none\n    : [\n      y\n    ]\n  )\n}\n"; string(g.Bytes()) != want {
		t.Errorf("got\n%s\nwant\n%s", g.Bytes(), want)
	}
}

// TestHeredocInCRLF writes heredocs into a file that ends its lines with CRLF: those of
// the heredoc are a part of its text, and stay as they are.
func TestHeredocInCRLF(t *testing.T) {
	f := mustParse(t, "x.tf", "locals {\r\n  a = 1\r\n  b = {\r\n    c = 1\r\n  }\r\n}\r\n")
	locals := f.Body().Blocks[0]
	doc := "<<-EOT\n  x\n    ${y}\n  EOT\n"
	other := mustParse(t, "y.tf", "locals {\n  a = "+doc+"}\n")
	for _, v := range []any{hcledit.Source(doc), other.Body().Blocks[0].Argument("a").Expression} {
		g, err := hcledit.Edit(f).Set(&locals, "a", v).Insert(locals.Argument("b").Expression, hcledit.Entry{Key: "d", Value: hcledit.Source(doc)}).Apply()
		if err != nil {
			t.Fatal(err)
		}
		b := g.Body().Blocks[0]
		members, _ := b.Argument("b").Members()
		for _, x := range []hclconfig.Expression{b.Argument("a").Expression, members[1].Value} {
			if got, err := x.Parts()[0].Text(); err != nil || got != "x\n  " {
				t.Errorf("%q, %v in\n%q", got, err, g.Bytes())
			}
		}
		if text := string(g.Bytes()); !strings.Contains(text, "\r\n  b = {\r\n    c = 1\r\n") {
			t.Errorf("%q", text)
		}
	}
}

// TestReferenceKeepsSteps: a changed name leaves the spelling of the other steps, and
// the comments between them, in both syntaxes.
func TestReferenceKeepsSteps(t *testing.T) {
	for _, c := range []struct{ src, to, want string }{
		{"x_y.z.0.id", "x_y.w[0].id", "x_y.w.0.id"},
		{"x_y.z[ 0 ].id", "x_y.w[0].id", "x_y.w[ 0 ].id"},
		{"x_y.z.0.id", "x_y.w[1].id", "x_y.w[1].id"},
		{"x_y . z /* c */ .id", "x_y.w.id", "x_y . w /* c */ .id"},
		{"x_y.z.id", "x_y.größe.id", "x_y.größe.id"},
	} {
		for name, around := range map[string][2]string{"x.tf": {"locals {\n  a = ", "\n}\n"}, "x.tf.json": {`{"locals":{"a":"${`, `}"}}`}} {
			f := mustParse(t, name, around[0]+c.src+around[1])
			out, err := hcledit.Edit(f).ReplaceReference(f.Body().References()[0], c.to).Apply()
			if want := around[0] + c.want + around[1]; err != nil || string(out.Bytes()) != want {
				t.Errorf("%s to %s in %s: %v, %s", c.src, c.to, name, err, out.Bytes())
			}
		}
	}
	f := mustParse(t, "x.tf.json", `{"locals":{"a":"${x_y.z[\"a\"] . \u0069d}"}}`)
	out, err := hcledit.Edit(f).ReplaceReference(f.Body().References()[0], `x_y.w["a"].id`).Apply()
	if want := `{"locals":{"a":"${x_y.w[\"a\"] . \u0069d}"}}`; err != nil || string(out.Bytes()) != want {
		t.Errorf("%v, %s", err, out.Bytes())
	}
}

// The word "resource" is not in the text of a reference, and stays where it is.
func TestReferenceToResource(t *testing.T) {
	for _, c := range []struct{ src, text, to, want string }{
		{"a = resource.x_y.z[0].id", "x_y.z[0].id", "x_y.w[0].id", "a = resource.x_y.w[0].id"},
		{"a = resource . x_y.z /* c */ .id", "x_y.z.id", "x_y.w.id", "a = resource . x_y.w /* c */ .id"},
		{"a = x_y.z.id", "x_y.z.id", "x_y.w.id", "a = x_y.w.id"},
		{"a = resource.x_y.z", "x_y.z", "var.z", "a = var.z"},
		{"a = resource.x_y.z", "x_y.z", "data.x_y.z", "a = data.x_y.z"},
		{"a = resource.module.z", "resource.module.z", "resource.module.w", "a = resource.module.w"},
		{"a = resource_x.z", "resource_x.z", "x.z", "a = x.z"},
		{"a = resource.x_y", "resource.x_y", "x.y", "a = x.y"},
	} {
		f, err := hclconfig.ParseNative("m.tf", []byte("locals {\n  "+c.src+"\n}\n"))
		if err != nil {
			t.Fatal(err)
		}
		r := f.Body().References()[0]
		if name := f.Body().Blocks[0].Body.Arguments[0].Name; name != "a" || r.Text != c.text {
			t.Errorf("%s: refers to %s", c.src, r.Text)
		}
		if x := f.Body().Blocks[0].Body.Arguments[0].Expression; x.Name() != c.text {
			t.Errorf("%s: has the name %s", c.src, x.Name())
		}
		out, err := hcledit.Edit(f).ReplaceReference(r, c.to).Apply()
		if want := "locals {\n  " + c.want + "\n}\n"; err != nil || string(out.Bytes()) != want {
			t.Errorf("%s to %s: %v, %s", c.src, c.to, err, out.Bytes())
		}
	}
	j, err := hclconfig.ParseJSON("m.tf.json", []byte(`{"locals":{"a":"${resource.x_y.z.id}-"}}`))
	if err != nil {
		t.Fatal(err)
	}
	r := j.Body().References()[0]
	out, err := hcledit.Edit(j).ReplaceReference(r, "x_y.w.id").Apply()
	if want := `{"locals":{"a":"${resource.x_y.w.id}-"}}`; err != nil || r.Text != "x_y.z.id" || string(out.Bytes()) != want {
		t.Errorf("%v, %s, %s", err, r.Text, out.Bytes())
	}
}

func mustParse(t testing.TB, name, src string, opts ...hclconfig.Option) *hclconfig.File {
	t.Helper()
	f, err := hclconfig.Parse(name, []byte(src), opts...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestParentheses replaces operands. They get parentheses only where the expression
// would be read in another way without.
func TestParentheses(t *testing.T) {
	for _, c := range []struct{ expr, operand, by, want string }{
		{"x ? 1 : 2", "x", "a == b", "a == b ? 1 : 2"},
		{"x ? 1 : 2", "1", "a + b", "x ? a + b : 2"},
		{"x ? 1 : 2", "x", "a ? b : c", "(a ? b : c) ? 1 : 2"},
		{"x ? 1 : 2", "2", "a ? b : c", "x ? 1 : (a ? b : c)"},
		{"x || y", "x", "a != null", "a != null || y"},
		{"x || y", "y", "a && b", "x || a && b"},
		{"x && y", "x", "a || b", "(a || b) && y"},
		{"x && y", "y", "!a", "x && !a"},
		{"x == y", "x", "a == b", "(a == b) == y"},
		{"x < y", "x", "a >= b", "(a >= b) < y"},
		{"x + y", "x", "a - b", "a - b + y"},
		{"x - y", "y", "a - b", "x - (a - b)"},
		{"x - y", "y", "-a", "x - (-a)"},
		{"x - y", "x", "-a", "-a - y"},
		{"x * y", "x", "a + b", "(a + b) * y"},
		{"x + y", "y", "a % b", "x + a % b"},
		{"!x", "x", "a && b", "!(a && b)"},
		{"!x", "x", "!a", "!(!a)"},
		{"f(x)", "x", "a ? b : c", "f(a ? b : c)"},
		{"x || y", "y", "a", "x || a"},
		{"f(x)[0]", "f(x)", "a[*].b", "(a[*].b)[0]"},
		{"f(x).y", "f(x)", "a.*.b", "(a.*.b).y"},
		{"x[*]", "x", "a[*]", "(a[*])[*]"},
		{"x[*].z", "x", "a[0].b", "a[0].b[*].z"},
		{"x[y]", "y", "a[*]", "x[a[*]]"},
		{"x || y", "x", "a ==\nb", "(a ==\n    b\n  ) || y"},
	} {
		f := mustParse(t, "x.tf", "locals {\n  a = "+c.expr+"\n}\n")
		e := hcledit.Edit(f)
		for x := range f.Body().Blocks[0].Argument("a").Expression.All() {
			if x.Raw() == c.operand {
				e.Replace(x, hcledit.Source(c.by))
			}
		}
		g, err := e.Apply()
		if err != nil {
			t.Errorf("%s: %v", c.expr, err)
		} else if want := "locals {\n  a = " + c.want + "\n}\n"; string(g.Bytes()) != want {
			t.Errorf("%s with %s: got\n%s\nwant\n%s", c.expr, c.by, g.Bytes(), want)
		}
	}
}
