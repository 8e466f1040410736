// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
)

// A checkCase is a file and the summaries of its faults, with their
// lines and columns.
type checkCase struct {
	name, file, src string
	want            []string
	dialect         hclconfig.Dialect
}

// inResource wraps the text of a JSON resource body.
func inResource(body string) string { return `{"resource":{"a":{"b":{` + body + `}}}}` }

func inLifecycle(body string) string { return inResource(`"lifecycle":{` + body + `}`) }

var checkCases = []checkCase{
	// What is accepted.
	{"empty native", "a.tf", "", nil, 0},
	{"empty JSON object", "a.tf.json", "{}", nil, 0},
	{"comments", "a.tf.json", `{"//":1,"locals":{"//":2,"a":1},"terraform":{"required_providers":{"//":3}},"output":{"o":{"//":[4],"value":{"//":5}}}}`, nil, 0},
	{"root array", "a.tf.json", `[{"locals":{"a":1}},{"locals":[{"b":1}]}]`, nil, 0},
	{"null and empty blocks", "a.tf.json", `{"variable":{"a":null,"b":[],"c":{},"d":[null]},"locals":null,"moved":[]}`, nil, 0},
	{"depends_on", "a.tf.json", inResource(`"depends_on":["a.b"," a.b[0] # c",""]`[:len(`"depends_on":["a.b"," a.b[0] # c"`)] + `]`), nil, 0},
	{"depends_on empty", "a.tf.json", inResource(`"depends_on":[]`), nil, 0},
	{"ignore_changes", "a.tf.json", inLifecycle(`"ignore_changes":["input[\"a b\"]","tags"]`), nil, 0},
	{"ignore_changes all", "a.tf.json", inLifecycle(`"ignore_changes":" all "`), nil, 0},
	{"literal booleans", "a.tf.json", inLifecycle(`"create_before_destroy":"true","prevent_destroy":false`), nil, 0},
	{"count as string", "a.tf.json", inResource(`"count":"2"`), nil, 0},
	{"import with each", "a.tf.json", `{"import":{"to":"a.b[each.key]","id":"x","for_each":["x"]}}`, nil, 0},
	{"indexed provider", "a.tf.json", inResource(`"provider":"null.x[each.key]"`), nil, 0},
	{"dotted index in native", "a.tf", "moved {\n  from = a.b.0\n  to   = a.c\n}\n", nil, 0},
	{"prevent_destroy from a variable", "a.tf", "resource \"a\" \"b\" {\n  lifecycle {\n    prevent_destroy = var.x\n  }\n}\n", nil, 0},
	{"quoted references", "a.tf", "resource \"a\" \"b\" {\n  depends_on = [\"a.c\"]\n  lifecycle {\n    ignore_changes = [\"tags\"]\n  }\n  provisioner \"p\" {\n    when = \"destroy\"\n  }\n}\n", []string{"2,17 Quoted references are deprecated", "4,23 Quoted references are deprecated", "7,12 Quoted keywords are deprecated"}, 0},
	{"constant literals", "a.tf", "variable \"x\" {\n  default   = { (\"a${1}\") = [for x in [1] : x + 1] }\n  sensitive = 1 == 2\n}\n", nil, 0},
	{"required providers", "a.tf.json", `{"terraform":{"required_providers":{"a":"~> 1.0","b":{"source":"x/b","configuration_aliases":["b.c"]}}}}`, nil, 0},
	{"old types", "a.tf.json", `{"variable":{"a":{"type":"list"},"b":{"type":"map"},"c":{"type":"object({a=optional(list(string),[]) # c\n})"}}}`, nil, 0},
	{"module inputs may be an array", "a.tf.json", `{"module":{"m":[[{"source":"./x"},{"v":null}]]}}`, nil, 0},
	{"override needs no value", "x_override.tf", "output \"o\" {\n}\nmodule \"m\" {\n}\n", nil, 0},
	{"unknown roots in provider bodies", "a.tf.json", inResource(`"x":{"y":"${z.a}"},"dynamic":{"d":{"for_each":[],"content":{}}},"_":{"count":1}`), nil, 0},

	{"removed from what is no address", "a.tf", "removed {\n  from = f().b\n}\n", []string{"2,10 Invalid expression"}, 0},
	{"names of encryption", "a.tf", "terraform {\n  encryption {\n    key_provider \"1 x\" \"1 y\" {}\n    method \"1 x\" \"1 y\" {}\n  }\n}\n", []string{"3,18 The provided key provider type is invalid", "3,24 The provided key provider name is invalid", "4,12 The provided encryption method type is invalid", "4,18 The provided encryption method name is invalid"}, 0},
	{"types of mocks", "a.tftest.hcl", "mock_provider \"a\" {\n  mock_resource \"1x\" {}\n  mock_data \"1x\" {}\n}\n", nil, 0},
	{"removed with a wrong block", "a.tf", "removed {\n  from = a.b\n  x {}\n}\n", []string{"3,3 Unsupported block type"}, 0},
	{"removed with a broken lifecycle", "a.tf", "removed {\n  from = a.b\n  lifecycle {\n    destroy == false\n  }\n}\n", []string{"1,1 Missing lifecycle from the removed block", "4,5 Argument or block definition required"}, 0},
	{"type of an ephemeral resource", "a.tf", "ephemeral \"1x\" \"a\" {}\n", []string{"1,11 Invalid ephemeral resource type"}, hclconfig.Terraform},

	// Syntax.
	{"empty JSON", "a.tf.json", " \n", []string{"2,1 Missing value", "2,1 Root value must be object"}, 0},
	{"byte order mark", "a.tf.json", "\uFEFF{}", []string{"1,1 Invalid start of value", "1,1 Root value must be object"}, 0},
	{"trailing comma", "a.tf.json", `{"a":1,}`, []string{"1,1 Root value must be object", "1,7 Trailing comma in object"}, 0},
	{"trailing text", "a.tf.json", `{} x`, []string{"1,4 Extraneous data after value"}, 0},
	{"comment", "a.tf.json", "{\n  // no\n}", []string{"1,1 Root value must be object", "2,3 Invalid start of value", "2,3 Invalid object property name"}, 0},
	{"root is no object", "a.tf.json", `"x"`, []string{"1,1 Root value must be object"}, 0},
	{"control character", "a.tf.json", "{\"a\tb\":1}", []string{"1,1 Root value must be object", "1,2 Invalid object property name", "1,4 Invalid JSON string"}, 0},
	{"bad encoding", "a.tf.json", "{\"a\xff\":1}", []string{"1,4 Invalid JSON"}, 0},
	{"bad encoding in native", "a.tf", "# \xff is fine here\nlocals {\n  a = \"\xff\"\n}\n", []string{"3,8 Invalid character encoding"}, 0},
	{"unclosed", "a.tf", "locals {\n  a = 1\n", []string{"1,8 Unclosed configuration block"}, 0},

	// Structure.
	{"no label", "a.tf.json", `{"output":{},"variable":null,"resource":{"a":[]}}`, []string{"1,11 Missing block label", "1,25 Missing block label", "1,46 Missing block label"}, 0},
	{"comment as label", "a.tf.json", `{"output":{"//":"c","o":{"value":1}}}`, []string{"1,17 Incorrect JSON value type"}, 0},
	{"label array", "a.tf.json", `{"output":[1,{"o":{"value":1}}]}`, []string{"1,12 Incorrect JSON value type"}, 0},
	{"body", "a.tf.json", `{"variable":{"a":"x","b":["y"],"c":[[null]]}}`, []string{"1,18 Incorrect JSON value type", "1,27 Incorrect JSON value type", "1,38 Incorrect JSON value type"}, 0},
	{"array in array of locals", "a.tf.json", `{"locals":[[{"a":1}]]}`, []string{"1,12 Incorrect JSON value type"}, 0},
	{"lifecycle twice", "a.tf.json", inResource(`"lifecycle":[{},{}]`), []string{"1,36 Duplicate lifecycle block"}, 0},
	{"argument twice", "a.tf.json", `{"output":{"o":[[{"value":1},{"value":2}]]}}`, []string{"1,31 Duplicate argument"}, 0},
	{"unknown block", "a.tf", "bogus \"x\" {\n}\n", []string{"1,1 Unsupported block type"}, 0},
	{"unknown property", "a.tf.json", `{"bogus":1}`, []string{"1,2 Extraneous JSON object property"}, 0},
	{"unknown argument", "a.tf", "variable \"x\" {\n  defualt = 1\n}\n", []string{"2,3 Unsupported argument"}, 0},
	{"labels", "a.tf", "variable {\n}\noutput \"a\" \"b\" {\n  value = 1\n}\nlocals \"x\" {\n}\n", []string{"1,10 Missing name for variable", "3,12 Extraneous label for output", "6,8 Extraneous label for locals"}, 0},
	{"block for argument", "a.tf", "variable \"x\" {\n  default {\n  }\n  validation = 1\n}\n", []string{"2,3 Unsupported block type", "4,3 Unsupported argument"}, 0},
	{"reserved", "a.tf.json", `{"provider":{"p":{"count":1,"lifecycle":{}}},"ephemeral":{"a":{"b":{"provisioner":{"x":{}}}}}}`, []string{"1,19 Reserved argument name in provider block", "1,29 Reserved block type name in provider block", "1,69 Invalid configuration block for ephemeral resource"}, 0},
	{"reserved in native", "a.tf", "provider \"p\" {\n  count = 1\n  locals {}\n}\n", []string{"2,3 Reserved argument name in provider block", "3,3 Reserved block type name in provider block"}, 0},
	{"missing", "a.tf.json", `{"output":{"o":{}},"module":{"m":{}},"moved":{"from":"a.b"},"check":{"c":{}}}`, []string{"1,17 Missing required argument", "1,35 Missing required argument", `1,46 Invalid "moved" address`, "1,59 Missing required argument", "1,74 Zero assert blocks"}, 0},

	// Kinds.
	{"references", "a.tf.json", inResource(`"depends_on":["${a.b}","a.b.0","(a.b)",1]`), []string{"1,38 Invalid expression", "1,47 Invalid expression", "1,55 Invalid expression", "1,63 Invalid expression"}, 0},
	{"reference lists", "a.tf.json", inResource(`"depends_on":"a.b"`), []string{"1,37 Invalid expression"}, 0},
	{"reference list null", "a.tf.json", inResource(`"depends_on":null`), []string{"1,37 Invalid expression"}, 0},
	{"reference list template", "a.tf.json", inResource(`"depends_on":"${[a.b]}"`), []string{"1,37 Invalid expression"}, 0},
	{"ignore_changes wrong", "a.tf.json", inLifecycle(`"ignore_changes":["*","${all}","input.0"]`), []string{"1,54 Invalid ignore_changes wildcard", "1,55 Invalid ignore_changes ruleset", "1,59 Invalid expression", "1,68 Invalid expression"}, 0},
	{"ignore_changes template", "a.tf.json", inLifecycle(`"ignore_changes":"${all}"`), []string{"1,54 Invalid expression"}, 0},
	{"replace_triggered_by", "a.tf.json", inLifecycle(`"replace_triggered_by":["${a.b}",1]`), []string{"1,61 Invalid character", "1,61 Invalid expression", "1,70 Expected string expression"}, 0},
	{"keywords", "a.tf.json", inResource(`"provisioner":{"p":[{"when":"${destroy}"},{"when":"never","on_failure":null}]}`), []string{`1,52 Invalid "when" keyword`, `1,74 Invalid "when" keyword`, `1,95 Invalid "on_failure" keyword`}, 0},
	{"literal types", "a.tf.json", inLifecycle(`"create_before_destroy":"${true}"`), []string{"1,61 Unsuitable value type"}, 0},
	{"literal numbers are no booleans", "a.tf.json", inLifecycle(`"create_before_destroy":1`), []string{"1,61 Unsuitable value type"}, 0},
	{"literal null", "a.tf.json", `{"variable":{"x":{"description":null,"sensitive":null}}}`, []string{"1,33 Unsuitable value type", "1,50 Unsuitable value type"}, 0},
	{"destroy is strict in Terraform", "a.tf.json", inLifecycle(`"destroy":"x"`), []string{"1,47 Unsuitable value type"}, hclconfig.Terraform},
	{"OpenTofu looks at destroy in a plan", "a.tf.json", inLifecycle(`"destroy":"false"`), nil, 0},
	{"prevent_destroy in JSON", "a.tf.json", inLifecycle(`"prevent_destroy":"${var.x}"`), []string{"1,55 Invalid value for prevent_destroy"}, 0},
	{"literals in native", "a.tf", "variable \"x\" {\n  default     = var.y\n  description = upper(\"a\")\n  sensitive   = {}\n}\n", []string{"2,17 Variables not allowed", "3,17 Function calls not allowed", "4,17 Unsuitable value type"}, 0},
	{"types", "a.tf.json", `{"variable":{"a":{"type":"${string}"},"b":{"type":{}},"c":{"type":"\"string\""},"d":{"type":"optional(string)"}}}`, []string{"1,26 Invalid type specification", "1,51 Invalid type specification", "1,67 Invalid type specification", "1,93 Invalid type specification"}, 0},
	{"moved", "a.tf.json", `{"moved":{"from":"a.b.0","to":"${a.b}"}}`, []string{`1,10 Invalid "moved" address`, "1,18 Invalid expression", "1,31 Invalid expression"}, 0},
	{"providers", "a.tf.json", `{"module":{"m":{"source":"./m","providers":null},"n":{"source":"./n","providers":{"//":"c","a":"${b}"}}}}`, []string{"1,44 Invalid expression", "1,85 Missing expression", "1,96 Invalid character", "1,96 Invalid expression"}, 0},
	{"provider", "a.tf.json", inResource(`"provider":"${aws.x}"`), []string{"1,35 Invalid character", "1,35 Invalid expression"}, 0},
	{"provider that is no string", "a.tf.json", inResource(`"provider":["aws"]`), []string{"1,35 Expected string expression"}, 0},
	{"provider in Terraform", "a.tf.json", inResource(`"provider":"${aws.x}"`), []string{"1,35 Invalid provider configuration reference"}, hclconfig.Terraform},
	{"required_providers", "a.tf.json", `{"terraform":{"required_providers":{"a":1.5,"b":{"source":null,"bogus":1},"c":{"version":"x"},"d":{"source":"a/b/c/d/e"},"e":[]}}}`,
		[]string{"1,59 Invalid source", "1,64 Invalid required_providers object", "1,90 Invalid version constraint", "1,109 Invalid provider source string", "1,126 Invalid required_providers object"}, 0},
	{"templates", "a.tf.json", `{"locals":{"a":"${","b":{"${1 +}":["%{ if }"]}}}`, []string{"1,19 Missing expression", "1,32 Invalid expression", "1,43 Invalid expression", "1,44 Unexpected end of template"}, 0},
	{"heredoc without end", "a.tf.json", `{"locals":{"a":"${<<E\nx\nE}"}}`, []string{"1,29 Unterminated template string"}, 0},
	{"computed keys", "a.tf.json", `{"locals":{"a":{"k":1,"${\"k\"}":2,"${x.y}":3,"${x.y}":4,"${x.z}":5}}}`, []string{"1,23 Duplicate object attribute", "1,47 Duplicate object attribute"}, 0},
	{"provider instances", "a.tf", "resource \"a\" \"b\" {\n  provider = a.x[each.key]\n}\nresource \"a\" \"c\" {\n  provider = a[\"x\"]\n}\nresource \"a\" \"d\" {\n  provider = a.x.y\n}\nresource \"a\" \"e\" {\n  provider = a.x[\"k\"]\n}\n",
		[]string{"5,15 Invalid provider configuration reference", "8,17 Invalid provider configuration reference"}, 0},
	{"provider maps", "a.tf", "module \"m\" {\n  source    = \"./m\"\n  providers = { \"a\" = \"a.b\", c = c, c = d }\n}\n", []string{"3,17 Quoted references are deprecated", "3,23 Quoted references are deprecated", "3,41 Duplicate provider address"}, 0},
	{"keywords of tests are not quoted", "a.tftest.hcl", "run \"a\" {\n  command = \"plan\"\n}\noverride_data {\n  target = \"a.b\"\n}\n", []string{`2,13 Invalid "command" keyword`, "5,12 Invalid expression"}, 0},
	{"import targets", "a.tf.json", `{"import":[{"to":"module.m[each.key].a.b[\"x\"].c","id":"x"},{"to":"data.a.b","id":"x"},{"to":"upper(a.b)","id":"x"},{"to":"a.b[var.x]","id":"x"},{"to":"${a.b}","id":"x"}]}`,
		[]string{"1,47 Invalid address", "1,95 Invalid import address expression", "1,153 Invalid character", "1,153 Invalid expression"}, 0},
	{"escape block twice", "a.tf.json", inResource(`"x":1,"_":{"x":2,"count":1}`), []string{"1,35 Duplicate argument"}, 0},
	{"properties twice", "a.tf.json", inResource(`"x":1,"x":2,"y":{},"y":[{}],"z":{},"z":"s"`), []string{"1,30 Duplicate argument", "1,59 Duplicate argument"}, 0},
	{"broken condition", "a.tf.json", `{"variable":{"x":{"validation":{"condition":"${","error_message":"M."}}}}`, []string{"1,48 Missing expression"}, 0},
	{"object keys", "a.tf.json", `{"locals":{"a":{"k":1,"k":2}}}`, []string{"1,23 Duplicate object attribute"}, 0},
	{"infinite numbers", "a.tf.json", `{"locals":{"a":[1e1000000000,1e99999999999]}}`, []string{"1,17 Number out of range", "1,30 Invalid JSON number"}, 0},
	{"infinite native number", "a.tf", "locals {\n  a = [1e1000000000]\n}\n", []string{"2,8 Number out of range"}, 0},
	{"names", "a.tf.json", `{"variable":{"1a":{},"source":{}},"locals":{"a b":1},"resource":{"a":{"b.c":{}}}}`, []string{"1,14 Invalid variable name", "1,22 Invalid variable name", "1,45 Invalid local value name", "1,71 Invalid resource name"}, 0},
	{"count and for_each", "a.tf", "module \"m\" {\n  source   = \"./m\"\n  count    = 1\n  for_each = {}\n}\n", []string{`3,3 Invalid combination of "count" and "for_each"`}, 0},
	{"import", "a.tf", "import {\n  to = a.b\n}\nimport {\n  to       = a.b\n  id       = \"x\"\n  identity = {}\n}\n", []string{"1,1 Missing required import argument", "6,3 Conflicting import arguments"}, 0},
	{"compatible_with", "a.tofu", "language {\n  compatible_with {\n    terraform = \">= 1\"\n  }\n}\n", []string{"2,3 Missing OpenTofu constraint"}, 0},
	{"test files", "a.tftest.json", `{"run":[{"a":{"command":"destroy","assert":{"condition":true}}}],"variables":{"x":1},"mock_provider":{"p":{"mock_resource":{"t":{"defaults":{"a":"${x}"}}}}}}`, []string{`1,25 Invalid "command" keyword`, "1,57 Invalid assert expression", "1,61 Missing required argument"}, 0},

	// Dialects.
	{"OpenTofu has no actions", "a.tf", "action \"a\" \"b\" {\n}\n", []string{"1,1 Unsupported block type"}, hclconfig.OpenTofu},
	{"Terraform has actions", "a.tf", "action \"a\" \"b\" {\n  config {\n    x = 1\n  }\n}\n", nil, hclconfig.Terraform},
	{"Terraform has no language", "a.tf", "language {\n}\nprovider \"a\" {\n  for_each = {}\n}\nresource \"a\" \"b\" {\n  lifecycle {\n    prevent_destroy = var.x\n  }\n}\n", []string{"1,1 Unsupported block type", "4,3 Reserved argument name in provider block", "8,23 Variables not allowed", "8,23 Unsuitable value type"}, hclconfig.Terraform},
	{"sources are literal in Terraform", "a.tf.json", `{"module":{"m":{"source":"./${"}}}`, nil, hclconfig.Terraform.At(addrs.MustParseVersion("1.14.0"))},
	{"sources are templates in OpenTofu", "a.tf.json", `{"module":{"m":{"source":"./${"}}}`, []string{"1,31 Missing expression"}, hclconfig.OpenTofu},
	{"Terraform has no instances of providers", "a.tf.json", inResource(`"provider":"a.x[each.key]"`), []string{"1,35 Invalid provider configuration reference"}, hclconfig.Terraform},
	{"query files", "a.tfquery.hcl", "list \"a\" \"b\" {\n  provider = a\n  limit    = 1\n  config {}\n}\nlocals {\n  x = 1\n}\nresource \"a\" \"b\" {}\n", []string{"9,1 Unsupported block type"}, hclconfig.Terraform},
	{"comments of nested blocks", "a.tf.json", inResource(`"rule":[{"//":"one","//":"two","a":1}]`), nil, hclconfig.OpenTofu},
	{"arguments of nested blocks", "a.tf.json", inResource(`"rule":[{"//":"one","a":1,"a":2}]`), []string{"1,50 Duplicate object attribute"}, hclconfig.OpenTofu},
	{"comments of values", "a.tf.json", `{"locals":{"a":{"//":"one","//":"two"}}}`, []string{"1,28 Duplicate object attribute"}, hclconfig.OpenTofu},
	{"quoted provider in OpenTofu", "a.tf.json", inResource(`"provider":"\"aws\""`), []string{"1,35 Quoted references are deprecated"}, hclconfig.OpenTofu},
	{"quoted provider in Terraform", "a.tf.json", inResource(`"provider":"\"aws\""`), []string{"1,35 Invalid provider configuration reference"}, hclconfig.Terraform},
	{"OpenTofu reads required_version in .tofu files", "a.tofu", "terraform {\n  required_version = \"x\"\n}\n", []string{"2,22 Invalid version constraint"}, hclconfig.OpenTofu},
	{"OpenTofu reads no required_version in .tf files", "a.tf", "terraform {\n  required_version = \"x\"\n}\n", nil, hclconfig.OpenTofu},
	{"Terraform reads required_version", "a.tf", "terraform {\n  required_version = \"x\"\n}\n", []string{"2,22 Invalid version constraint"}, hclconfig.Terraform},
	{"a null version in OpenTofu", "a.tf", "module \"m\" {\n  source  = \"./m\"\n  version = null\n}\n", nil, hclconfig.OpenTofu},
	{"a null version in Terraform", "a.tf", "module \"m\" {\n  source  = \"./m\"\n  version = null\n}\n", []string{"2,13 Invalid registry module source address"}, hclconfig.Terraform},
	{"blocks that are no objects lack what is required at their beginning", "a.tf.json", `{"removed":[null,[],{}]}`, []string{"1,13 Missing required argument", "1,18 Missing required argument", "1,22 Missing required argument"}, hclconfig.OpenTofu},
	{"null in place of arguments", "a.tf.json", `{"locals":[null,{}],"terraform":{"required_providers":[null]}}`, []string{"1,12 Incorrect JSON value type", "1,56 Incorrect JSON value type"}, hclconfig.OpenTofu},
	{"mock files", "a.tfmock.hcl", "mock_resource \"a\" {\n  defaults = {}\n}\n", nil, hclconfig.Terraform},
}

func TestCheck(t *testing.T) {
	for _, c := range checkCases {
		t.Run(c.name, func(t *testing.T) {
			f, _ := hclconfig.Parse(c.file, []byte(c.src), c.dialect)
			var got []string
			for _, d := range hclcheck.ValidateFile(f) {
				got = append(got, d.Subject.Start.String()+" "+d.Summary)
				if d.Detail == "" || strings.Contains(d.Detail, "%!") || d.Subject.Filename != c.file || !strings.Contains(d.String(), d.Summary) {
					t.Errorf("an odd diagnostic: %#v", d)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
