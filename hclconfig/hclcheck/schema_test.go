// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// A provider with an argument of each sort and a block of each nesting.
const toySchemas = `{"format_version":"1.0","provider_schemas":{"registry.opentofu.org/acme/toy":{
"provider":{"version":0,"block":{"attributes":{"region":{"type":"string","required":true}}}},
"resource_schemas":{"toy_thing":{"version":0,"block":{
  "attributes":{
    "id":{"type":"string","computed":true},
    "name":{"type":"string","required":true},
    "size":{"type":"number","optional":true},
    "token":{"type":"string","optional":true,"sensitive":true},
    "old":{"type":"string","optional":true,"deprecated":true},
    "settings":{"nested_type":{"nesting_mode":"single","attributes":{"mode":{"type":"string","required":true},"level":{"type":"number","optional":true}}},"optional":true},
    "parts":{"nested_type":{"nesting_mode":"list","attributes":{"at":{"type":"string","optional":true}}},"optional":true},
    "rows":{"type":["list",["object",{"a":"string"}]],"optional":true},
    "tags":{"type":["map","string"],"optional":true}},
  "block_types":{
    "disk":{"nesting_mode":"list","min_items":1,"max_items":2,"block":{"attributes":{"gb":{"type":"number","required":true},"serial":{"type":"string","computed":true}}}},
    "net":{"nesting_mode":"single","block":{"attributes":{"cidr":{"type":"string","optional":true}}}},
    "rule":{"nesting_mode":"set","block":{"attributes":{"port":{"type":"number","optional":true}}}},
    "alias":{"nesting_mode":"map","block":{"attributes":{"to":{"type":"string","optional":true}}}}}}},
 "toy_vault":{"version":0,"block":{"attributes":{"id":{"type":"string","computed":true}},"block_types":{
    "key":{"nesting_mode":"list","block":{"attributes":{"text":{"type":"string","optional":true,"sensitive":true}}}}}}}},
"ephemeral_resource_schemas":{"toy_pass":{"version":0,"block":{"attributes":{"for":{"type":"string","required":true},"pass":{"type":"string","computed":true,"sensitive":true}},
  "block_types":{"use":{"nesting_mode":"list","block":{"attributes":{"by":{"type":"string","optional":true}}}}}}}},
"data_source_schemas":{"toy_look":{"version":0,"block":{"attributes":{"found":{"type":["list","string"],"computed":true}}}}}}}}`

func TestTree_Validate_schemas(t *testing.T) {
	var registries []*hclconfig.Schemas // the same schemas under the addresses of both programs
	for _, host := range []string{"registry.opentofu.org", "registry.terraform.io"} {
		schemas, err := hclconfig.DecodeSchemas([]byte(strings.ReplaceAll(toySchemas, "registry.opentofu.org", host)))
		if err != nil {
			t.Fatal(err)
		}
		registries = append(registries, schemas)
	}
	const head = "terraform {\n  required_providers {\n    toy = { source = \"acme/toy\" }\n  }\n}\nprovider \"toy\" {\n  region = \"here\"\n}\n"
	thing := func(body string) string {
		return "resource \"toy_thing\" \"a\" {\n  name = \"x\"\n  disk {\n    gb = 1\n  }\n" + body + "}\n"
	}
	for i, tt := range []struct{ src, want string }{
		{thing(""), ""},
		{thing("  size = \"7\"\n  tags = { a = 1 }\n  settings = { mode = \"m\" }\n  parts = [{ at = \"p\" }, {}]\n"), ""},
		{thing("  net {\n    cidr = \"c\"\n  }\n  rule {\n    port = 1\n  }\n  rule {\n    port = 2\n  }\n  alias \"k\" {\n    to = \"t\"\n  }\n"), ""},
		{thing("  dynamic \"rule\" {\n    for_each = [1, 2]\n    content {\n      port = rule.value\n    }\n  }\n"), ""},
		{thing("  dynamic \"disk\" {\n    for_each = [1, 2]\n    content {\n      gb = disk.value\n    }\n  }\n"), "Too many disk blocks"},
		{thing("  dynamic \"net\" {\n    for_each = [1, 2]\n    content {\n    }\n  }\n"), "Duplicate net block"},
		{thing("  dynamic \"tags\" {\n    for_each = [1]\n    content {\n    }\n  }\n"), "Unsupported block type"},
		{thing("  dynamic \"rule\" {\n    for_each = [1]\n    labels   = [rule.key]\n    content {\n    }\n  }\n"), "Unsupported argument"},
		{thing("  dynamic \"alias\" {\n    for_each = [1]\n    labels   = [\"a\", \"b\"]\n    content {\n    }\n  }\n"), "Extraneous dynamic block label"},
		{thing("  dynamic \"alias\" {\n    for_each = [1]\n    content {\n    }\n  }\n"), `The argument "labels" is required`},
		{"resource \"toy_thing\" \"a\" {\n  name = \"x\"\n  dynamic \"disk\" {\n    for_each = []\n    content {\n      gb = 1\n    }\n  }\n}\n", "Insufficient disk blocks"},
		{"resource \"toy_thing\" \"a\" {\n  name = \"x\"\n  dynamic \"disk\" {\n    for_each = [1]\n    content {\n      gb = 1\n    }\n  }\n}\n", ""},
		{"locals {\n  l = toy_thing.a.id\n}\n" + thing("  rule = local.l\n"), "Unsupported argument"}, // and no cycle: such references are not seen
		{"locals {\n  l = toy_thing.a.id\n}\n" + thing("  rule {\n    none {\n      x = local.l\n    }\n  }\n"), "Unsupported block type"},
		{"locals {\n  l = toy_thing.a.id\n}\n" + thing("  dynamic \"rule\" {\n    for_each = [1]\n    content {\n      none = local.l\n    }\n  }\n"), "Unsupported argument"},
		{"locals {\n  l = toy_thing.a.id\n}\n" + thing("  dynamic \"none\" {\n    for_each = [1]\n    content {\n      x = local.l\n    }\n  }\n"), "Unsupported block type"},
		{thing("  rows {\n    a = 1\n  }\n"), "Unsupported block type"}, // nested_type is not for such providers
		{thing("") + "output \"o\" {\n  value = toy_thing.a.settings[\"none\"]\n}\n", ""},
		{"resource \"toy_vault\" \"a\" {\n}\noutput \"o\" {\n  value = \"a${toy_vault.a[*].id}\"\n}\n", "Invalid template interpolation value"},
		{thing("") + "output \"o\" {\n  value = \"a${toy_thing.a[*].parts[*].at[*]}\"\n}\n", "Invalid template interpolation value"},
		{"resource \"toy_vault\" \"a\" {\n}\nimport {\n  to = toy_vault.a\n  id = toy_vault.b.key[*][0]\n}\nresource \"toy_vault\" \"b\" {\n}\n", "Incorrect value type"},
		{"resource \"toy_vault\" \"a\" {\n}\nimport {\n  to = toy_vault.a\n  id = toy_vault.b.id\n}\nresource \"toy_vault\" \"b\" {\n  depends_on = [toy_vault.a]\n}\n", "Cycle: "},
		{thing("  output \"o\" {\n  }\n"), "Unsupported block type"},
		{thing("  sizze = 1\n"), `Unsupported argument; An argument named "sizze" is not expected here. Did you mean "size"?`},
		{thing("  dsk {\n  }\n"), `Unsupported block type; Blocks of type "dsk" are not expected here. Did you mean "disk"?`},
		{thing("  size = \"many\"\n"), "Incorrect attribute value type"},
		{thing("  size = [1]\n"), "Incorrect attribute value type"},
		{thing("  settings = { level = 1 }\n"), "Incorrect attribute value type"},
		{thing("  parts = 1\n"), "Incorrect attribute value type"},
		{thing("  disk {\n    gb = 2\n  }\n  disk {\n    gb = 3\n  }\n"), "Too many disk blocks"},
		{thing("  net {\n  }\n  net {\n  }\n"), "Duplicate net block"},
		{thing("  alias {\n    to = \"t\"\n  }\n"), "Missing key for alias"},
		{thing("  disk {\n  }\n"), "Missing required argument"},
		{"resource \"toy_thing\" \"a\" {\n  name = \"x\"\n}\n", "Insufficient disk blocks"},
		{"resource \"toy_thing\" \"a\" {\n  disk {\n    gb = 1\n  }\n}\n", "Missing required argument"},
		{"resource \"toy_thng\" \"a\" {\n}\n", "Invalid resource type"},
		{thing("") + "output \"o\" {\n  value = toy_thing.a.nme\n}\n", `Unsupported attribute; This object has no argument, nested block, or exported attribute named "nme". Did you mean "name"?`},
		{thing("") + "output \"o\" {\n  value = toy_thing.a.disk[0].serial\n}\n", ""},
		{thing("") + "output \"o\" {\n  value = toy_thing.a.disk[*].none\n}\n", "Unsupported attribute"},
		{thing("") + "output \"o\" {\n  value = toy_thing.a.settings.none\n}\n", "Unsupported attribute"},
		{thing("") + "output \"o\" {\n  value = toy_thing.a.token\n}\n", "Output refers to sensitive values"},
		{thing("") + "output \"o\" {\n  value     = toy_thing.a.token\n  sensitive = true\n}\n", ""},
		{"data \"toy_look\" \"d\" {\n}\noutput \"o\" {\n  value = data.toy_look.d.found[0]\n}\n", ""},
		{"data \"toy_look\" \"d\" {\n}\noutput \"o\" {\n  value = data.toy_look.d.fund\n}\n", "Unsupported attribute"},
		{"variable \"v\" {\n  ephemeral = true\n}\nephemeral \"toy_pass\" \"a\" {\n  for = var.v\n  use {\n    by = var.v\n  }\n}\nephemeral \"toy_pass\" \"b\" {\n  for = ephemeral.toy_pass.a.pass\n}\n", ""},
		{"variable \"v\" {\n  ephemeral = true\n}\n" + thing("  token = var.v\n"), "Ephemeral value used in non-ephemeral context"},
	} {
		fsys := fstest.MapFS{"main.tf": {Data: []byte(head + tt.src)}}
		tree, err := hclnames.LoadTree(fsys, ".")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range hclcheck.Validate(tree, hclcheck.Validation{Schemas: registries[i%2]}) {
			if d.Severity == hclconfig.SeverityError {
				got = append(got, d.Summary+"; "+d.Detail)
			}
		}
		if text := strings.Join(got, "\n"); tt.want == "" && text != "" || !strings.Contains(text, tt.want) {
			t.Errorf("%s\ngot  %q\nwant %q", tt.src, text, tt.want)
		}
	}
}

// The programs evaluate an argument with an error as far as they can and convert that, say in their
// own words what a key is that looks like a reference, and suggest block types for blocks only.
func TestTree_Validate_severalFaults(t *testing.T) {
	schemas, err := hclconfig.DecodeSchemas([]byte(toySchemas))
	if err != nil {
		t.Fatal(err)
	}
	const head = "terraform {\n  required_providers {\n    toy = { source = \"acme/toy\" }\n  }\n}\nvariable \"ls\" {\n  type = list(string)\n}\n" +
		"resource \"terraform_data\" \"m\" {\n  for_each = toset([\"k\"])\n}\n"
	thing := func(body string) string {
		return "resource \"toy_thing\" \"a\" {\n  name = \"x\"\n  disk {\n    gb = 1\n  }\n" + body + "\n}\n"
	}
	const (
		call      = "Not enough function arguments"
		wrongType = "Incorrect attribute value type"
		ambiguous = "Ambiguous attribute key"
		block     = "Unsupported block type; Blocks of type %q are not expected here."
	)
	for _, tt := range []struct{ src, want string }{
		{thing("  tags = [upper()]"), wrongType + "," + call},
		{thing("  tags = { a = upper() }"), call},
		{thing("  size = { a = upper() }"), wrongType + "," + call},
		{thing("  tags = var.ls[*].x"), wrongType + ",Unsupported attribute"},
		{thing("  tags = upper()"), call},
		{thing("  tags = [terraform_data.nope.id]"), "Reference to undeclared resource"},
		{"output \"o\" {\n  value = { terraform_data.m[\"k\"].id = 1 }\n}\n", ambiguous},
		{"output \"o\" {\n  value = { var.ls[0] = 1 }\n}\n", ambiguous},
		{"output \"o\" {\n  value = { (var.ls[0]) = 1 }\n}\n", ""},
		{thing("  dynamic \"rul\" {\n    for_each = [1]\n    content {\n    }\n  }"), fmt.Sprintf(block, "rul")},
		{thing("  rul {\n  }"), fmt.Sprintf(block, "rul") + " Did you mean \"rule\"?"},
		{thing("  siz {\n  }"), fmt.Sprintf(block, "siz")},
	} {
		for _, dialect := range []hclconfig.Dialect{hclconfig.OpenTofu, hclconfig.Terraform} {
			tree, err := hclnames.LoadTree(fstest.MapFS{"main.tf": {Data: []byte(head + tt.src)}}, ".", dialect)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range hclcheck.Validate(tree, hclcheck.Validation{Schemas: schemas}) {
				text := d.Summary
				if strings.Contains(tt.want, ";") {
					text += "; " + d.Detail
				}
				got = append(got, text)
			}
			slices.Sort(got)
			if text := strings.Join(got, ","); text != tt.want {
				t.Errorf("%s\ngot  %s\nwant %s", tt.src, text, tt.want)
			}
		}
	}
}

// A deprecated argument or block is warned of as providers do, which are asked about known
// values and blocks without errors.
func TestTree_Validate_deprecated(t *testing.T) {
	schemas, err := hclconfig.DecodeSchemas([]byte(`{"provider_schemas":{"registry.opentofu.org/acme/toy":{"provider":{"block":{}},"resource_schemas":{"toy_thing":{"block":{
		"attributes":{"name":{"type":"string","required":true},"old":{"type":"string","optional":true,"deprecated":true}},
		"block_types":{"older":{"nesting_mode":"list","block":{"deprecated":true,"attributes":{"at":{"type":"string","optional":true,"deprecated":true}}}}}}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	const head = "terraform {\n  required_providers {\n    toy = { source = \"acme/toy\" }\n  }\n}\nresource \"terraform_data\" \"d\" {\n}\n"
	for _, tt := range []struct{ body, want string }{
		{"name = 1\nold = 2", "Attribute Deprecated"},
		{"name = 1\nolder {\n}", "Block Deprecated"},
		{"name = 1\nolder {\n  at = 1\n}", "Block Deprecated, Attribute Deprecated"},
		{"name = 1\nold = null", ""},
		{"name = 1\nold = terraform_data.d.output", ""},
		{"old = 2", "Missing required argument"},
		{"older {\n  at = 1\n}", "Missing required argument"},
		{"name = 1\nold = 2\nolder {\n  at = {}\n}", "Incorrect attribute value type"},
	} {
		fsys := fstest.MapFS{"main.tf": {Data: []byte(head + "resource \"toy_thing\" \"a\" {\n" + tt.body + "\n}\n")}}
		tree, err := hclnames.LoadTree(fsys, ".")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range hclcheck.Validate(tree, hclcheck.Validation{Schemas: schemas}) {
			got = append(got, d.Summary)
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%s\ngot  %q\nwant %q", tt.body, got, tt.want)
		}
	}
}

// OpenTofu 1.12 warns of values that come from deprecated attributes, where they are used, or in the block,
// first. A deprecated type is only warned of if something in it has marks. The others warn of
// references to such attributes.
func TestTree_Validate_deprecatedSources(t *testing.T) {
	schemas, err := hclconfig.DecodeSchemas([]byte(`{"provider_schemas":{"registry.opentofu.org/acme/toy":{"provider":{"block":{}},"resource_schemas":{
		"toy_thing":{"block":{"attributes":{"name":{"type":"string","optional":true},"old":{"type":"string","optional":true,"computed":true,"deprecated":true,"deprecation_message":"Use name."},
			"older":{"type":"string","computed":true,"deprecated":true}}}},
		"toy_gone":{"block":{"deprecated":true,"attributes":{"name":{"type":"string","optional":true}}}},
		"toy_both":{"block":{"deprecated":true,"attributes":{"name":{"type":"string","optional":true},"pw":{"type":"string","computed":true,"sensitive":true}}}}},
		"data_source_schemas":{"toy_thing":{"block":{"attributes":{"old":{"type":"string","computed":true,"deprecated":true}}}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	const (
		head  = "terraform {\n  required_providers {\n    toy = { source = \"acme/toy\" }\n  }\n}\nresource \"toy_thing\" \"a\" {\n}\ndata \"toy_thing\" \"a\" {\n}\n"
		from  = "Value derived from a deprecated source; This value comes from "
		plain = "Deprecated attribute; The attribute \"old\" is deprecated. The documentation of the provider may say what to use instead."
	)
	for _, tt := range []struct {
		src     string
		dialect hclconfig.Dialect
		want    []string
	}{
		{"locals {\n  a = toy_thing.a.old\n  b = local.a\n  c = toy_thing.a.name\n}\n", hclconfig.OpenTofu, []string{"11,7 " + from + "toy_thing.a.old, which is deprecated: Use name."}},
		{"locals {\n  a = [data.toy_thing.a.old, toy_thing.a.older]\n}\n", hclconfig.OpenTofu,
			[]string{"11,7 " + from + "data.toy_thing.a.old, which is deprecated.", "11,7 " + from + "toy_thing.a.older, which is deprecated."}},
		{"resource \"toy_thing\" \"b\" {\n  name = \"x-${toy_thing.a.old}\"\n}\n", hclconfig.OpenTofu, []string{"10,26 " + from + "toy_thing.a.old, which is deprecated: Use name."}}, // the last argument, older, is not set
		{"output \"o\" {\n  value = toy_thing.a.old == null ? 1 : 2\n}\n", hclconfig.OpenTofu, []string{"11,11 " + from + "toy_thing.a.old, which is deprecated: Use name."}},
		{"output \"o\" {\n  value = toy_thing.a\n}\n", hclconfig.OpenTofu, []string{"11,11 " + from + "toy_thing.a.old, which is deprecated: Use name.", "11,11 " + from + "toy_thing.a.older, which is deprecated."}},
		{"resource \"toy_gone\" \"b\" {\n}\nlocals {\n  a = toy_gone.b.name\n}\n", hclconfig.OpenTofu, nil},
		{"resource \"toy_both\" \"b\" {\n}\nlocals {\n  a = toy_both.b.name\n}\n", hclconfig.OpenTofu, []string{"13,7 " + from + "toy_both.b, which is deprecated."}},
		{"resource \"toy_thing\" \"n\" {\n  count = 2\n}\nlocals {\n  a = toy_thing.n[0].old\n}\n", hclconfig.OpenTofu, nil},
		{"resource \"toy_thing\" \"n\" {\n  lifecycle {\n    enabled = true\n  }\n}\nlocals {\n  a = [toy_thing.n, toy_thing.n.old]\n}\n", hclconfig.OpenTofu, nil},
		{"resource \"toy_thing\" \"c\" {\n  count = toy_thing.a.old == null ? 1 : 2\n  lifecycle {\n    precondition {\n      condition     = toy_thing.a.old != null\n      error_message = \"no ${toy_thing.a.old}\"\n    }\n  }\n}\n", hclconfig.OpenTofu, nil},
		{"check \"c\" {\n  assert {\n    condition     = toy_thing.a.old != null\n    error_message = \"no\"\n  }\n}\n", hclconfig.OpenTofu, nil},
		{"locals {\n  a = toy_thing.a.old\n}\n", at(hclconfig.OpenTofu, "1.11.0"), []string{"11,18 " + plain}},
		{"resource \"toy_thing\" \"c\" {\n  count = toy_thing.a.old == null ? 1 : 2\n  name  = toy_thing.a.name\n  lifecycle {\n    ignore_changes = [old]\n  }\n}\n",
			at(hclconfig.OpenTofu, "1.11.0"), []string{"11,22 " + plain, "14,23 " + plain}},
	} {
		fsys := fstest.MapFS{"main.tf": {Data: []byte(head + tt.src)}}
		tree, err := hclnames.LoadTree(fsys, ".", tt.dialect)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range hclcheck.Validate(tree, hclcheck.Validation{Schemas: schemas}) {
			got = append(got, fmt.Sprintf("%d,%d %s; %s", d.Subject.Start.Line, d.Subject.Start.Column, d.Summary, d.Detail))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s\ngot  %q\nwant %q", tt.src, got, tt.want)
		}
	}
}

// What a nested block refers to in members that the schema has not is no dependency, in
// JSON either: there is no cycle.
func TestTree_Validate_nestedDependencies(t *testing.T) {
	schemas, err := hclconfig.DecodeSchemas([]byte(toySchemas))
	if err != nil {
		t.Fatal(err)
	}
	const head = `{"terraform":{"required_providers":{"toy":{"source":"acme/toy"}}},"provider":{"toy":{"region":"r"}},"locals":{"l":"${toy_thing.a.id}"},"resource":{"toy_thing":{"a":{"name":"x","disk":{"gb":1},`
	for _, tt := range []struct{ body, want string }{
		{`"rule":[{"none":{"x":"${local.l}"}}]`, "Extraneous JSON object property"},
		{`"dynamic":{"rule":{"for_each":[1],"content":{"none":"${local.l}"}}}`, "Extraneous JSON object property"},
		{`"rule":[{"port":"${local.l}"}]`, "Cycle: "},
	} {
		fsys := fstest.MapFS{"main.tf.json": {Data: []byte(head + tt.body + "}}}}")}}
		tree, err := hclnames.LoadTree(fsys, ".")
		if err != nil {
			t.Fatal(err)
		}
		diags := hclcheck.Validate(tree, hclcheck.Validation{Schemas: schemas})
		if len(diags) != 1 || !strings.HasPrefix(diags[0].Summary, tt.want) {
			t.Errorf("%s: got %v, want %s", tt.body, diags, tt.want)
		}
	}
}

// Terraform's validate command does not know which attributes a schema calls
// sensitive; its plan command does, as both commands of OpenTofu do.
func TestTree_Validate_sensitiveOutputs(t *testing.T) {
	schemas, err := hclconfig.DecodeSchemas([]byte(strings.ReplaceAll(toySchemas, "registry.opentofu.org", "registry.terraform.io")))
	if err != nil {
		t.Fatal(err)
	}
	both, err := hclconfig.DecodeSchemas([]byte(toySchemas))
	if err != nil {
		t.Fatal(err)
	}
	const src = `terraform {
  required_providers {
    toy = { source = "acme/toy" }
  }
}
resource "toy_thing" "a" {
  name = "x"
  disk {
    gb = 1
  }
}
variable "v" {
  sensitive = true
}
output "attribute" {
  value = toy_thing.a.token
}
output "object" {
  value = [toy_thing.a]
}
`
	const variable = "output \"variable\" {\n  value = var.v\n}\n"
	for _, row := range []struct {
		dialect hclconfig.Option
		v       hclcheck.Validation
		src     string
		want    []int // lines
	}{
		{hclconfig.OpenTofu, hclcheck.Validation{Schemas: both}, src + variable, []int{15, 18, 21}},
		{hclconfig.OpenTofu, hclcheck.Validation{Schemas: both, Plan: true}, src, []int{15, 18}},
		{hclconfig.Terraform, hclcheck.Validation{Schemas: schemas}, src + variable, []int{21}},
		{hclconfig.Terraform, hclcheck.Validation{Schemas: schemas, Plan: true}, src, []int{15, 18}},
	} {
		fsys := fstest.MapFS{"main.tf": {Data: []byte(row.src)}}
		tree, err := hclnames.LoadTree(fsys, ".", row.dialect)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, d := range hclcheck.Validate(tree, row.v) {
			if d.Summary == "Output refers to sensitive values" {
				got = append(got, d.Subject.Start.Line)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, row.want) {
			t.Errorf("%v, plan %t: lines %v, want %v", row.dialect, row.v.Plan, got, row.want)
		}
	}
}

// An attribute that is a list of objects may be written as blocks where the provider has
// only types of the oldest kit, and is then not required.
func TestTree_Validate_writtenAsBlocks(t *testing.T) {
	schemas, err := hclconfig.DecodeSchemas([]byte(`{"provider_schemas":{"registry.opentofu.org/hashicorp/old":{"provider":{"block":{}},"resource_schemas":{"old_net":{"block":{
		"attributes":{"rule":{"type":["list",["object",{"port":"number","range":["set",["object",{"from":"number"}]]}]],"required":true}}}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ body, want string }{
		{"", ""},
		{"rule {\nport = 1\nrange {\nfrom = 2\n}\n}\nrule {\n}\n", ""},
		{"rule {\nport = []\n}\n", "Incorrect attribute value type"},
		{"rule {\nprt = 1\n}\n", "Unsupported argument"},
		{"rule {\nrange {\nto = 1\n}\n}\n", "Unsupported argument"},
		{"rule {\nnope {\n}\n}\n", "Unsupported block type"},
		{"rule \"x\" {\n}\n", "Extraneous label for rule"},
		{"rule = []\nrule {\n}\n", "Unsupported block type"},
		{"dynamic \"rule\" {\nfor_each = [1]\ncontent {\nport = rule.value\n}\n}\n", ""},
		{"dynamic \"rule\" {\nfor_each = [\"x\"]\ncontent {\nport = rule.value\n}\n}\n", "Incorrect attribute value type"},
	} {
		tree, err := hclnames.LoadTree(fstest.MapFS{"main.tf": {Data: []byte("resource \"old_net\" \"a\" {\n" + tt.body + "}\n")}}, ".")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range hclcheck.Validate(tree, hclcheck.Validation{Schemas: schemas}) {
			got = append(got, d.Summary)
		}
		if text := strings.Join(got, ", "); text != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.body, text, tt.want)
		}
	}
}

// Terraform looks at the expressions of replace_triggered_by in the plan.
func TestTree_Validate_triggers(t *testing.T) {
	const src = "resource \"terraform_data\" \"a\" {\n}\nresource \"terraform_data\" \"b\" {\n  lifecycle {\n    replace_triggered_by = [terraform_data.a.output[*]]\n  }\n}\n"
	for _, dialect := range []hclconfig.Dialect{hclconfig.OpenTofu, hclconfig.Terraform} {
		tree, err := hclnames.LoadTree(fstest.MapFS{"main.tf": {Data: []byte(src)}}, ".", dialect)
		if err != nil {
			t.Fatal(err)
		}
		diags := hclcheck.Validate(tree, hclcheck.Validation{Plan: true})
		if len(diags) != 1 || diags[0].Summary != "Invalid replace_triggered_by expression" || diags[0].Subject.Start.Column != 29 {
			t.Errorf("%v: %v", dialect, diags)
		}
		if diags = hclcheck.Validate(tree, hclcheck.Validation{}); (dialect == hclconfig.Terraform) != (len(diags) == 0) {
			t.Errorf("%v: %v", dialect, diags)
		}
	}
}

// A resource with several instances that is replaced because of itself.
func TestTree_Validate_selfTriggers(t *testing.T) {
	for _, row := range []struct{ count, trigger, want string }{
		{"2", "", "Cycle: "},
		{"2", "[count.index]", "Cycle: "},
		{"2", "[5]", "Cycle: "},
		{"2", "[1].output", "no change found for terraform_data.a[1] in the root module"},
		{"1", "", "no change found for terraform_data.a in the root module"},
		{"1", "[5]", "no change found for terraform_data.a[5] in the root module"},
		{"0", "", ""},
	} {
		src := "resource \"terraform_data\" \"a\" {\n  count = " + row.count + "\n  lifecycle {\n    replace_triggered_by = [terraform_data.a" + row.trigger + "]\n  }\n}\n"
		for _, dialect := range []hclconfig.Dialect{hclconfig.OpenTofu, hclconfig.Terraform} {
			tree, err := hclnames.LoadTree(fstest.MapFS{"main.tf": {Data: []byte(src)}}, ".", dialect)
			if err != nil {
				t.Fatal(err)
			}
			diags := hclcheck.Validate(tree, hclcheck.Validation{Plan: true})
			if len(diags) > 1 || (row.want == "") != (len(diags) == 0) || len(diags) == 1 && !strings.HasPrefix(diags[0].Summary, row.want) {
				t.Errorf("%v, %s%s: %v", dialect, row.count, row.trigger, diags)
			}
		}
	}
}
