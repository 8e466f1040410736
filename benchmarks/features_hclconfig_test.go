// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/hashicorp/terraform-config-inspect/tfconfig"
	"github.com/hashicorp/terraform-exec/tfexec"
	tfjson "github.com/hashicorp/terraform-json"
	"github.com/tmccombs/hcl2json/convert"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/zclconf/go-cty/cty"
	"golang.org/x/mod/sumdb/dirhash"
)

var moduleFeatures = []feature{
	{
		what: "files are chosen and merged as tofu does",
		cases: []featureCase{
			describes("main.tf", files{"main.tf": described("right")}, true),
			describes("main.tf.json", files{"main.tf.json": `{"variable":{"v":{"description":"right"}}}`}, true),
			describes("main.tofu", files{"main.tofu": described("right")}, false),
			describes("main.tofu instead of main.tf", files{"main.tf": described("wrong"), "main.tofu": described("right")}, false),
			describes("an override file", files{"main.tf": described("wrong"), "main_override.tf": described("right")}, true),
			describes("an override file for another argument", files{"main.tf": described("right"), "main_override.tf": "variable \"v\" {\n  default = 1\n}\n"}, false),
		},
		note: "no `.tofu` files; override files replace whole blocks",
	},
	{
		what: "all of a module can be read",
		cases: []featureCase{
			reads2("type of a variable", func(m *hclconfig.Module) bool { return m.Variables[0].Type.Raw() == "number" },
				func(m *tfconfig.Module) bool { return m.Variables["v"].Type == "number" }, true),
			reads2("source of a module call", func(m *hclconfig.Module) bool { return m.Calls[0].Source.Value == "./child" },
				func(m *tfconfig.Module) bool { return m.ModuleCalls["m"].Source == "./child" }, true),
			reads2("required provider", func(m *hclconfig.Module) bool {
				r := m.RequiredProviders()
				return r[0].Name == "lab" && r[0].Requirement.Source.Value == "example/lab"
			}, func(m *tfconfig.Module) bool { return m.RequiredProviders["lab"].Source == "example/lab" }, true),
			reads2("default of a variable, exactly", func(m *hclconfig.Module) bool {
				v, err := m.Variables[0].DefaultValue()
				return err == nil && v.RawEquals(cty.MustParseNumberVal("9007199254740993"))
			}, func(m *tfconfig.Module) bool { return fmt.Sprint(m.Variables["v"].Default) == "9007199254740993" }, false),
			reads2("nullable", func(m *hclconfig.Module) bool { return m.Variables[0].Nullable.IsSet() }, nowhere("nullable"), false),
			reads2("value of an output", func(m *hclconfig.Module) bool { return m.Outputs[0].Value.Raw() == "lab_thing.r.size" }, nowhere("lab_thing.r.size"), false),
			reads2("count of a resource", func(m *hclconfig.Module) bool { return m.Resources[0].Count.Raw() == "777777777777" }, nowhere("777777777777"), false),
			reads2("an argument of a resource", func(m *hclconfig.Module) bool {
				return m.Resources[0].Config().Argument("size").Raw() == "888888888888"
			}, nowhere("888888888888"), false),
			reads2("an input of a module call", func(m *hclconfig.Module) bool { return m.Calls[0].Inputs().Argument("n").Raw() == "999999999999" }, nowhere("999999999999"), false),
			reads2("a local value", func(m *hclconfig.Module) bool { return m.Locals[0].Name == "some_local" }, nowhere("some_local"), false),
			reads2("a moved block", func(m *hclconfig.Module) bool { return m.Moved[0].From.Raw() == "lab_thing.old" }, nowhere("lab_thing.old"), false),
			reads2("a check block", func(m *hclconfig.Module) bool { return m.Checks[0].Name == "some_check" }, nowhere("some_check"), false),
			reads2("a backend", func(m *hclconfig.Module) bool { return m.Settings[0].Backend.Type == "some_backend" }, nowhere("some_backend"), false),
		},
		note: "what its caller sees, without values",
	},
	{
		what: "places of blocks and arguments, and edits in place",
		cases: []featureCase{
			reads2("file and line", func(m *hclconfig.Module) bool {
				r := m.Resources[0].Block.DefRange()
				return filepath.Base(r.Filename) == "main.tf" && r.Start.Line == resourceLine
			}, func(m *tfconfig.Module) bool {
				p := m.ManagedResources["lab_thing.r"].Pos
				return filepath.Base(p.Filename) == "main.tf" && p.Line == resourceLine
			}, true),
			reads2("end of the block", func(m *hclconfig.Module) bool { return m.Resources[0].Block.Range().End.Line == resourceLine+3 },
				nowhere(fmt.Sprint(`"line":`, resourceLine+3)), false),
			reads2("line and column of an argument", func(m *hclconfig.Module) bool {
				p := m.Resources[0].Count.Range().Start
				return p.Line == resourceLine+1 && p.Column == 11
			}, nowhere(`"column"`), false),
			{"an edit of one argument", editsCount, func(t *testing.T) bool {
				// All that one can do with the peer is to change its values.
				m := peerLoad(t, files{"main.tf": wholeModule})
				m.Variables["v"].Type = "string"
				text, err := os.ReadFile(filepath.Join(m.Path, "main.tf"))
				return err == nil && string(text) != wholeModule
			}, true, false},
		},
		note: "file and line of blocks; no edits",
	},
}

var convertFeatures = []feature{
	{
		what: "native to JSON syntax: same meaning, order, comments",
		cases: []featureCase{
			converts("a template", "locals {\n  a = \"x${var.v}\"\n}\n", `["locals","a"]`, `"x${var.v}"`, true),
			converts("an expression", "locals {\n  a = var.v + 1\n}\n", `["locals","a"]`, `"${var.v + 1}"`, true),
			converts("a literal ${", "locals {\n  a = \"x$${v}\"\n}\n", `["locals","a"]`, `"x$${v}"`, true),
			converts("a heredoc", "locals {\n  a = <<EOT\nx\nEOT\n}\n", `["locals","a"]`, `"x\n"`, true),
			converts("depends_on", "resource \"a\" \"b\" {\n  depends_on = [a.c]\n}\n", `["resource","a","b","depends_on"]`, `["a.c"]`, false),
			converts("the type of a variable", "variable \"v\" {\n  type = list(string)\n}\n", `["variable","v","type"]`, `"list(string)"`, false),
			converts("a literal ${ in a default", "variable \"v\" {\n  default = \"x$${v}\"\n}\n", `["variable","v","default"]`, `"x${v}"`, false),
			converts("ignore_changes", "resource \"a\" \"b\" {\n  lifecycle {\n    ignore_changes = all\n  }\n}\n", `["resource","a","b","lifecycle","ignore_changes"]`, `"all"`, false),
			{"a number of 20 digits", convertsTo("locals {\n  a = 12345678901234567890\n}\n", "12345678901234567890"),
				peerConvertsTo("locals {\n  a = 12345678901234567890\n}\n", "12345678901234567890"), true, true},
			{"the order of provisioners", convertsTo(provisioners, "echo one", `"two"`, "echo three"), peerConvertsTo(provisioners, "echo one", `"two"`, "echo three"), true, false},
			{"order of arguments", convertsTo("locals {\n  zz = 1\n  aa = 2\n}\n", "zz", "aa"), peerConvertsTo("locals {\n  zz = 1\n  aa = 2\n}\n", "zz", "aa"), true, false},
			{"comments", convertsTo("# why\nlocals {\n  a = 1\n}\n", "why"), peerConvertsTo("# why\nlocals {\n  a = 1\n}\n", "why"), true, false},
		},
		note: "`depends_on`, `type`, `default`, ... become templates; sorted; no comments",
	},
}

// files are the files of a module.
type files map[string]string

func (f files) write(t *testing.T) (dir string) {
	t.Helper()
	// The name of the test, as t.TempDir has it, must not be found in a module.
	dir, err := os.MkdirTemp("", "tofuwire")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	for name, text := range f {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func load(t *testing.T, f files) *hclconfig.Module {
	t.Helper()
	m, err := hclconfig.LoadModule(os.DirFS(f.write(t)), ".")
	if err != nil {
		t.Fatal(err)
	}
	if m.Diagnostics().HasErrors() {
		t.Fatal(m.Diagnostics())
	}
	return m
}

func peerLoad(t *testing.T, f files) *tfconfig.Module {
	t.Helper()
	m, diags := tfconfig.LoadModule(f.write(t))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return m
}

func described(text string) string {
	return fmt.Sprintf("variable \"v\" {\n  description = %q\n}\n", text)
}

// describes asks whether the variable v of a module has the right description.
func describes(name string, f files, peer bool) featureCase {
	return featureCase{
		name: name,
		ours: func(t *testing.T) bool {
			m := load(t, f)
			return len(m.Variables) == 1 && m.Variables[0].Description.Value == "right"
		},
		peer: func(t *testing.T) bool {
			v := peerLoad(t, f).Variables["v"]
			return v != nil && v.Description == "right"
		},
		oursHas: true,
		peerHas: peer,
	}
}

// wholeModule has a block of many kinds.
const wholeModule = `terraform {
  backend "some_backend" {}
  required_providers {
    lab = {
      source = "example/lab"
    }
  }
}

variable "v" {
  type     = number
  default  = 9007199254740993
  nullable = false
}

locals {
  some_local = 1
}

resource "lab_thing" "r" {
  count = 777777777777 # not more
  size  = 888888888888
}

moved {
  from = lab_thing.old
  to   = lab_thing.r
}

check "some_check" {
  assert {
    condition     = true
    error_message = "never"
  }
}

module "m" {
  source = "./child"
  n      = 999999999999
}

output "o" {
  value = lab_thing.r.size
}
`

// resourceLine is the line in which the resource begins.
var resourceLine = 1 + strings.Count(wholeModule[:strings.Index(wholeModule, "resource ")], "\n")

// reads2 asks both sides for something in the module.
func reads2(name string, ours func(*hclconfig.Module) bool, theirs func(*tfconfig.Module) bool, peer bool) featureCase {
	return featureCase{
		name:    name,
		ours:    func(t *testing.T) bool { return ours(load(t, files{"main.tf": wholeModule})) },
		peer:    func(t *testing.T) bool { return theirs(peerLoad(t, files{"main.tf": wholeModule})) },
		oursHas: true,
		peerHas: peer,
	}
}

// nowhere returns a function that looks for a text in all that the peer knows
// about a module.
func nowhere(text string) func(*tfconfig.Module) bool {
	return func(m *tfconfig.Module) bool {
		out, err := json.Marshal(m)
		return err == nil && bytes.Contains(out, []byte(text))
	}
}

func editsCount(t *testing.T) bool {
	f, err := hclconfig.Parse("main.tf", []byte(wholeModule))
	if err != nil {
		t.Fatal(err)
	}
	f, err = hcledit.Edit(f).Set(f.Config().Resources[0].Block, "count", 2).Apply()
	return err == nil && string(f.Bytes()) == strings.Replace(wholeModule, "777777777777", "2", 1)
}

func toJSON(t *testing.T, text string) []byte {
	t.Helper()
	f, err := hclconfig.Parse("main.tf", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	g, diags := hclconvert.ToJSON(f, hclconvert.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return g.Bytes()
}

func peerToJSON(t *testing.T, text string) []byte {
	t.Helper()
	out, err := convert.Bytes([]byte(text), "main.tf", convert.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// converts asks for the value at a path of the converted text. What it must be is
// what terraform 1.11 accepts, and reads as the same (tried with it by hand). Arrays with a single
// object on the way do not count: JSON syntax allows them for blocks.
func converts(name, text, path, want string, peer bool) featureCase {
	is := func(t *testing.T, out []byte) bool {
		var steps []string
		var v, w any
		for text, x := range map[string]any{path: &steps, string(out): &v, want: &w} {
			if err := json.Unmarshal([]byte(text), x); err != nil {
				t.Fatal(err)
			}
		}
		for _, step := range steps {
			if list, ok := v.([]any); ok && len(list) == 1 {
				v = list[0]
			}
			object, ok := v.(map[string]any)
			if !ok {
				return false
			}
			v = object[step]
		}
		return fmt.Sprintf("%#v", v) == fmt.Sprintf("%#v", w)
	}
	return featureCase{
		name:    name,
		ours:    func(t *testing.T) bool { return is(t, toJSON(t, text)) },
		peer:    func(t *testing.T) bool { return is(t, peerToJSON(t, text)) },
		oursHas: true,
		peerHas: peer,
	}
}

// provisioners has provisioners of two types in turn.
const provisioners = `resource "terraform_data" "r" {
  provisioner "local-exec" {
    command = "echo one"
  }
  provisioner "file" {
    content     = "two"
    destination = "x"
  }
  provisioner "local-exec" {
    command = "echo three"
  }
}
`

// convertsTo asks whether texts are in the converted text in this order.
func convertsTo(text string, parts ...string) func(*testing.T) bool {
	return func(t *testing.T) bool { return inOrder(toJSON(t, text), parts) }
}

func peerConvertsTo(text string, parts ...string) func(*testing.T) bool {
	return func(t *testing.T) bool { return inOrder(peerToJSON(t, text), parts) }
}

func inOrder(text []byte, parts []string) bool {
	for _, part := range parts {
		_, rest, ok := bytes.Cut(text, []byte(part))
		if !ok {
			return false
		}
		text = rest
	}
	return true
}

var lacks = []lack{
	{"terraform-json", "values as ready-made Go values, types as `cty.Type`, without a call; the types that terraform-exec returns.", func(t *testing.T) {
		var p tfjson.Plan
		if err := p.UnmarshalJSON([]byte(planWith(`"variables":{"v":{"value":["x"]}}`))); err != nil || p.Variables["v"].Value.([]any)[0] != "x" {
			t.Error(p, err)
		}
		var _ cty.Type = tfjson.StateOutput{}.Type
		var _ planjson.Value = planjson.Output{}.Type
	}},
	{"terraform-exec", "it runs the tool.", func(t *testing.T) {
		_ = (*tfexec.Terraform).Apply
	}},
	{"terraform-config-inspect", "files in the syntax of Terraform 0.11, `.tfcomponent.hcl` and `.tfstack.hcl`; a summary in Markdown.", func(t *testing.T) {
		const old = "variable \"v\" {\n  \"description\" = \"old\"\n}\n"
		m := peerLoad(t, files{"main.tf": old})
		if m.Variables["v"] == nil || m.Variables["v"].Description != "old" {
			t.Error("the peer does not read it")
		}
		if _, err := hclconfig.Parse("main.tf", []byte(old)); err == nil {
			t.Error("tofuwire reads it")
		}
		component := files{"main.tfcomponent.hcl": described("x")}
		if peerLoad(t, component).Variables["v"] == nil {
			t.Error("the peer does not read a component file")
		}
		if len(load(t, component).Variables) > 0 {
			t.Error("tofuwire reads a component file")
		}
		var b bytes.Buffer
		if err := tfconfig.RenderMarkdown(&b, m); err != nil || b.Len() == 0 {
			t.Error(err)
		}
	}},
	{"hcl2json", "HCL files of other programs; `Simplify`, which evaluates constant expressions.", func(t *testing.T) {
		const packer = "source \"amazon-ebs\" \"x\" {\n  a = 1\n}\n"
		peerToJSON(t, packer)
		f, err := hclconfig.Parse("main.tf", []byte(packer))
		if err == nil {
			_, diags := hclconvert.ToJSON(f, hclconvert.Options{})
			if !diags.HasErrors() {
				t.Error("tofuwire converts it")
			}
		}
		const sum = "locals {\n  a = 1 + 2\n}\n"
		out, err := convert.Bytes([]byte(sum), "main.tf", convert.Options{Simplify: true})
		if err != nil || !inOrder(out, []string{":3"}) {
			t.Errorf("%s %v", out, err)
		}
		if inOrder(toJSON(t, sum), []string{"3"}) {
			t.Error("tofuwire evaluates it")
		}
	}},
	{"hclwrite", "editing of any HCL file.", func(t *testing.T) {
		f, diags := hclwrite.ParseConfig([]byte("a = 1\n"), "x.hcl", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		f.Body().SetAttributeValue("a", cty.NumberIntVal(2))
		if string(f.Bytes()) != "a = 2\n" {
			t.Error(string(f.Bytes()))
		}
	}},
	{"dirhash", "a prefix before the names, as Go modules need it, and other hash functions.", func(t *testing.T) {
		dir := files{"a": "1"}.write(t)
		with, err := dirhash.HashDir(dir, "m@v1.0.0", dirhash.Hash1)
		if err != nil {
			t.Fatal(err)
		}
		if with != defineH1(t, []string{"m@v1.0.0/a"}, map[string]string{"m@v1.0.0/a": "1"}) {
			t.Error(with)
		}
	}},
}
