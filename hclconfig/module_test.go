// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// folder makes a file system of texts.
func folder(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range files {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func load(t *testing.T, fsys fs.FS, dir string, opts ...hclconfig.Option) *hclconfig.Module {
	t.Helper()
	m, err := hclconfig.LoadModule(fsys, dir, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func names(files []*hclconfig.File) []string {
	var out []string
	for _, f := range files {
		out = append(out, f.Filename())
	}
	return out
}

func TestFileSelection(t *testing.T) {
	for _, c := range []struct {
		name            string
		files           []string
		tofu, terraform []string
	}{
		{"both native", []string{"a.tf", "a.tofu"}, []string{"a.tofu"}, []string{"a.tf"}},
		{"both JSON", []string{"a.tf.json", "a.tofu.json"}, []string{"a.tofu.json"}, []string{"a.tf.json"}},
		{"across formats", []string{"a.tf", "a.tofu.json"}, []string{"a.tf", "a.tofu.json"}, []string{"a.tf"}},
		{"across formats, other way", []string{"a.tf.json", "a.tofu"}, []string{"a.tf.json", "a.tofu"}, []string{"a.tf.json"}},
		{"one dialect", []string{"a.tf", "a.tf.json"}, []string{"a.tf", "a.tf.json"}, []string{"a.tf", "a.tf.json"}},
		{"overrides come last", []string{"override.tf", "z.tf", "b_override.tf.json", "a_override.tf"}, []string{"z.tf", "a_override.tf", "b_override.tf.json", "override.tf"}, []string{"z.tf", "a_override.tf", "b_override.tf.json", "override.tf"}},
		{"override variants", []string{"override.tf", "override.tofu"}, []string{"override.tofu"}, []string{"override.tf"}},
		{"only tofu", []string{"a.tofu", "b.tofu.json"}, []string{"a.tofu", "b.tofu.json"}, nil},
		{"ignored names", []string{".a.tf", "a.tf~", "#a.tf#", ".#b.tf", ".tf", "X.TF", "a.tfvars", "a.txt", "a.tf.bak", "override", "c.tf"}, []string{"c.tf"}, []string{"c.tf"}},
		{"test files are not for the module", []string{"a.tftest.hcl", "a.tofutest.json", "x.tfquery.hcl", "x.tfmock.hcl"}, nil, nil},
		{"byte order", []string{"b.tf", "B.tf", "a-b.tf", "a.tf"}, []string{"B.tf", "a-b.tf", "a.tf", "b.tf"}, []string{"B.tf", "a-b.tf", "a.tf", "b.tf"}},
		{"the name override needs an underscore", []string{"myoverride.tf", "x_override.tf"}, []string{"myoverride.tf", "x_override.tf"}, []string{"myoverride.tf", "x_override.tf"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{"sub.tf/x": ""}
			for _, name := range c.files {
				files[name] = ""
				if strings.HasSuffix(name, ".json") {
					files[name] = "{}"
				}
			}
			m := load(t, folder(files), ".")
			if diff := cmp.Diff(c.tofu, names(m.Files)); diff != "" {
				t.Errorf("OpenTofu (-want +got):\n%s", diff)
			}
			m = load(t, folder(files), ".", hclconfig.Terraform)
			if diff := cmp.Diff(c.terraform, names(m.Files)); diff != "" {
				t.Errorf("Terraform (-want +got):\n%s", diff)
			}
			if len(m.Diagnostics()) > 0 {
				t.Error(m.Diagnostics())
			}
		})
	}
}

func TestTestFileSelection(t *testing.T) {
	fsys := folder(map[string]string{
		"m/a.tftest.hcl": "", "m/a.tofutest.hcl": "", "m/b.tftest.json": "{}", "m/tests/c.tftest.hcl": "", "m/tests/sub/d.tftest.hcl": "",
		"m/other/e.tftest.hcl": "", "m/tests/x.tf": "",
	})
	m := load(t, fsys, "m", hclconfig.TestDirectory(""))
	if diff := cmp.Diff([]string{"m/a.tofutest.hcl", "m/b.tftest.json", "m/tests/c.tftest.hcl"}, names(m.Tests)); diff != "" {
		t.Error(diff)
	}
	m = load(t, fsys, "m", hclconfig.Terraform, hclconfig.TestDirectory("other"))
	if diff := cmp.Diff([]string{"m/a.tftest.hcl", "m/b.tftest.json", "m/other/e.tftest.hcl"}, names(m.Tests)); diff != "" {
		t.Error(diff)
	}
	m = load(t, fsys, "m", hclconfig.TestDirectory("none"))
	if d := m.Diagnostics(); len(d) != 1 || d[0].Severity != hclconfig.SeverityWarning {
		t.Errorf("a missing test directory gives %v", d)
	}
}

func TestLoadErrors(t *testing.T) {
	if _, err := hclconfig.LoadModule(folder(nil), "none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing folder gives %v", err)
	}
	// A link to nowhere cannot be read; the rest can.
	fsys := folder(map[string]string{"a.tf": "locals {\n  a = 1\n}\n", "c.tf": "locals {\n  c = \n  d = 1\n}\nvariable \"v\" {}\n"})
	fsys["b.tf"] = &fstest.MapFile{Mode: fs.ModeSymlink, Data: []byte("nowhere")}
	m := load(t, fsys, ".")
	if len(m.Locals) == 0 || len(m.Variables) != 1 {
		t.Errorf("read %d local values and %d variables", len(m.Locals), len(m.Variables))
	}
	var summaries []string
	for _, d := range m.Diagnostics() {
		summaries = append(summaries, d.Summary)
		if strings.Contains(d.Detail, "could not be read") && d.Detail != "The file \"b.tf\" could not be read: file does not exist." {
			t.Errorf("the detail is %s", d.Detail)
		}
	}
	if !slices.Contains(summaries, "Failed to read file") || !slices.Contains(summaries, "Invalid expression") {
		t.Errorf("the diagnostics are %v", m.Diagnostics())
	}
}

func TestCombine(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  []string // file and summary of each diagnostic
	}{
		{"duplicates", map[string]string{
			"a.tf":      "variable \"x\" {}\noutput \"o\" {\n  value = 1\n}\nlocals {\n  l = 1\n}\nresource \"a\" \"b\" {}\ndata \"a\" \"b\" {}\nmodule \"m\" {\n  source = \"./m\"\n}\nprovider \"p\" {}\ncheck \"c\" {\n  assert {\n    condition     = var.x == 1\n    error_message = \"\"\n  }\n}\n",
			"b.tf.json": `{"variable":{"x":{}},"output":{"o":{"value":1}},"locals":{"l":1},"resource":{"a":{"b":{}}},"data":{"a":{"b":{}}},"module":{"m":{"source":"./m"}},"provider":{"p":{}},"check":{"c":{"assert":{"condition":"${var.x == 1}","error_message":""}}}}`,
		}, []string{"b.tf.json Duplicate provider configuration", "b.tf.json Duplicate variable declaration", "b.tf.json Duplicate local value definition",
			`b.tf.json Duplicate resource "a" configuration`, `b.tf.json Duplicate data "a" configuration`, "b.tf.json Duplicate module call", "b.tf.json Duplicate output definition", `b.tf.json Duplicate check "c" configuration`}},
		{"settings", map[string]string{
			"a.tf": "terraform {\n  required_providers {\n  }\n  backend \"s3\" {}\n}\nterraform {\n  required_providers {\n  }\n  cloud {}\n  encryption {}\n}\nterraform {\n  backend \"x\" {}\n  encryption {}\n}\n",
		}, []string{"a.tf Duplicate required providers configuration", "a.tf Duplicate backend configuration", "a.tf Duplicate encryption configuration", "a.tf Both a backend and a cloud configuration are present"}},
		{"nothing to override", map[string]string{
			"override.tf": "variable \"x\" {}\noutput \"o\" {}\nlocals {\n  l = 1\n}\nresource \"a\" \"b\" {}\nmodule \"m\" {}\nprovider \"p\" {\n  alias = \"q\"\n}\nprovider \"fine\" {}\n",
		}, []string{"override.tf Missing base variable declaration to override", "override.tf Missing base output definition to override", "override.tf Missing base local value definition to override",
			"override.tf Missing resource to override", "override.tf Missing module call to override", "override.tf Missing base provider configuration for override"}},
		{"what cannot be overridden", map[string]string{
			"a.tf": "variable \"x\" {}\noutput \"o\" {\n  value = 1\n}\nresource \"a\" \"b\" {}\nmodule \"m\" {\n  source = \"./m\"\n}\n",
			"override.tf": "variable \"x\" {\n  validation {\n    condition     = var.x == 1\n    error_message = \"\"\n  }\n}\noutput \"o\" {\n  depends_on = [a.b]\n  precondition {\n    condition     = var.x == 1\n    error_message = \"\"\n  }\n}\n" +
				"resource \"a\" \"b\" {\n  depends_on = [a.b]\n  lifecycle {\n    precondition {\n      condition     = var.x == 1\n      error_message = \"\"\n    }\n  }\n}\nmodule \"m\" {\n  depends_on = [a.b]\n}\nmoved {\n  from = a.b\n  to   = a.c\n}\nterraform {\n  backend \"a\" {}\n  backend \"b\" {}\n  cloud {}\n  cloud {}\n}\n",
		}, []string{"override.tf Can't override validation blocks", "override.tf Can't override precondition blocks", "override.tf Unsupported override", "override.tf Unsupported override",
			"override.tf Can't override precondition blocks", "override.tf Unsupported override", `override.tf Cannot override 'moved' blocks`, "override.tf Duplicate backend configuration", "override.tf Duplicate cloud configurations"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, d := range hclcheck.ValidateModule(load(t, folder(c.files), ".")) {
				got = append(got, d.Subject.Filename+" "+d.Summary)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestOverride overrides everything that can be, from native and JSON files.
func TestOverride(t *testing.T) {
	base := `
terraform {
  required_version = ">= 1.6"
  required_providers {
    a = { source = "x/a", version = "1.0" }
    b = { source = "x/b" }
  }
  backend "s3" {}
  encryption {
    key_provider "pbkdf2" "k" {}
    method "aes_gcm" "m" {}
    state { method = method.aes_gcm.m }
    plan { enforced = true }
  }
}
variable "v" {
  type        = number
  default     = 1
  description = "base"
  deprecated  = "old"
}
output "o" {
  value       = 1
  description = "base"
}
locals {
  l = 1
  k = 1
}
provider "a" {
  region = "x"
  assume { role = 1 }
}
resource "a_r" "r" {
  count = 1
  name  = "base"
  tags  = { a = 1 }
  disk { n = 1 }
  disk { n = 2 }
  dynamic "net" {
    for_each = [1]
    content {}
  }
  keep { n = 1 }
  lifecycle {
    ignore_changes        = [name]
    create_before_destroy = true
    replace_triggered_by  = [a_r.x]
    enabled               = true
  }
  provisioner "local-exec" { command = "1" }
  provisioner "local-exec" { command = "2" }
}
module "m" {
  source    = "./m"
  a         = 1
  providers = { a = a }
}
`
	over := `
terraform {
  required_version = ">= 1.7"
  required_providers {
    a = { version = "2.0" }
  }
  cloud {}
  encryption {
    method "aes_gcm" "m" { x = 1 }
    method "aes_gcm" "n" {}
    state { enforced = true }
    plan { enforced = false }
    remote_state_data_sources {
      remote_state_data_source "q" { method = method.aes_gcm.n }
    }
  }
}
variable "v" {
  default     = null
  nullable    = false
  deprecated  = ""
}
output "o" {
  value       = 2
  description = ""
  sensitive   = true
}
locals { l = 2 }
resource "a_r" "r" {
  for_each = {}
  name     = null
  net { n = 9 }
  lifecycle {
    ignore_changes       = []
    prevent_destroy      = true
    replace_triggered_by = [a_r.y]
    enabled              = false
  }
  provisioner "local-exec" { command = "3" }
}
`
	overJSON := `{
  "resource": {"a_r": {"r": {"disk": [{"n": 3}], "keep": [], "extra": 1}}},
  "module": {"m": {"source": "./n", "version": "1.0", "a": 2, "b": 3, "providers": {}}},
  "provider": {"a": {"region": "y", "new": true}}
}`
	m := load(t, folder(map[string]string{"main.tf": base, "a_override.tf": over, "b_override.tf.json": overJSON}), ".")
	if d := m.Diagnostics(); len(d) > 0 {
		t.Fatal(d)
	}
	got := map[string]string{}
	set := func(name string, e hclconfig.Expression) { got[name] = e.Raw() }
	v := m.Variables[0]
	set("v.type", v.Type)
	set("v.default", v.Default)
	got["v.description"], got["v.deprecated"] = v.Description.Value, v.Deprecated.Value
	o := m.Outputs[0]
	set("o.value", o.Value)
	got["o.description"] = o.Description.Value
	for _, l := range m.Locals {
		set("local."+l.Name, l.Argument.Expression)
	}
	r := m.Resources[0]
	set("r.count", r.Count)
	set("r.for_each", r.ForEach)
	set("r.ignore_changes", r.Lifecycle.IgnoreChanges)
	set("r.prevent_destroy", r.Lifecycle.PreventDestroy)
	set("r.replace_triggered_by", r.Lifecycle.ReplaceTriggeredBy)
	set("r.enabled", r.Lifecycle.Enabled)
	c := r.Config()
	for i := range c.Arguments {
		set("r."+c.Arguments[i].Name, c.Arguments[i].Expression)
	}
	for i := range c.Blocks {
		b := &c.Blocks[i]
		got["r block "+b.Type] += strings.TrimSpace(string(b.File().Bytes()[b.Range().Start.Offset:b.Range().End.Offset]))
	}
	for _, p := range r.Provisioners {
		got["r.provisioners"] += p.Block.Argument("command").Raw()
	}
	call := m.Calls[0]
	got["m.source"], got["m.version"] = call.Source.Value, call.Version.Value
	set("m.providers", call.Providers)
	in := call.Inputs()
	for i := range in.Arguments {
		set("m."+in.Arguments[i].Name, in.Arguments[i].Expression)
	}
	p := m.Providers[0].Config()
	for i := range p.Arguments {
		set("p."+p.Arguments[i].Name, p.Arguments[i].Expression)
	}
	for _, s := range m.Settings {
		got["required_version"] += s.RequiredVersion.Value
		if s.Backend != nil {
			got["backend"] = s.Backend.Type
		}
		if s.Cloud != nil {
			got["cloud"] = s.Cloud.Block.File().Filename()
		}
		if e := s.Encryption; e != nil {
			got["encryption.methods"] = e.Methods[0].Block.File().Filename() + " " + e.Methods[1].Name
			set("encryption.state.method", e.State.Method)
			if !e.State.Enforced.Value || !e.Plan.Enforced.Value || len(e.Remote) != 1 || e.KeyProviders[0].Type != "pbkdf2" {
				t.Error("the encryption is not merged")
			}
		}
	}
	for _, q := range m.RequiredProviders() {
		got["provider "+q.Name] = q.Provider.ForDisplay() + " " + q.Constraints.String()
	}
	want := map[string]string{
		"v.type": "number", "v.default": "null", "v.description": "base", "v.deprecated": "old",
		"o.value": "2", "o.description": "base", "local.l": "2", "local.k": "1",
		"r.count": "1", "r.for_each": "{}", "r.ignore_changes": "[name]", "r.prevent_destroy": "true", "r.replace_triggered_by": "[a_r.x]", "r.enabled": "true",
		"r.name": "null", "r.tags": "{ a = 1 }", "r.disk": `[{"n": 3}]`, "r.extra": "1", "r block net": "net { n = 9 }", "r block keep": "keep { n = 1 }",
		"r.provisioners": `"3"`, "m.source": "./n", "m.version": "1.0", "m.providers": "{ a = a }", "m.a": "2", "m.b": "3",
		"p.region": `"y"`, "p.new": "true", "required_version": ">= 1.6>= 1.7", "cloud": "a_override.tf",
		"encryption.methods": "a_override.tf n", "encryption.state.method": "method.aes_gcm.m",
		"provider a": "hashicorp/a 2.0.0", "provider b": "x/b ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var effects []string
	for _, o := range m.Overridden {
		effects = append(effects, o.Address+" by "+o.By.File().Filename()+" "+strings.Join(o.Arguments, ","))
	}
	wantEffects := []string{
		"required_providers.a by a_override.tf a", "cloud by a_override.tf ", "encryption by a_override.tf ",
		"var.v by a_override.tf default,nullable", "output.o by a_override.tf value,sensitive", "local.l by a_override.tf l",
		"a_r.r by a_override.tf for_each,provisioner,prevent_destroy,name,net",
		"a_r.r by b_override.tf.json disk,extra", "module.m by b_override.tf.json source,version,a,b", "provider.a by b_override.tf.json region,new",
	}
	if diff := cmp.Diff(wantEffects, effects); diff != "" {
		t.Errorf("effects (-want +got):\n%s", diff)
	}
	// In Terraform the version constraint is replaced.
	m = load(t, folder(map[string]string{"main.tf": base, "a_override.tf": over}), ".", hclconfig.Terraform)
	versions := ""
	for _, s := range m.Settings {
		versions += s.RequiredVersion.Value
	}
	if versions != ">= 1.7" {
		t.Errorf("Terraform's required_version is %q", versions)
	}
	if p, err := m.ProviderOf("b"); err != nil || p.String() != "registry.terraform.io/x/b" {
		t.Errorf("Terraform's provider is %s, %v", p, err)
	}
}

func TestLookup(t *testing.T) {
	m := load(t, folder(map[string]string{
		"main.tf": "variable \"v\" {}\nlocals {\n  l = 1\n}\noutput \"o\" {\n  value = 1\n}\nresource \"a\" \"b\" {}\ndata \"a\" \"b\" {}\nephemeral \"a\" \"b\" {}\nmodule \"m\" {\n  source = \"./m\"\n}\n" +
			"provider \"p\" {\n  alias = \"q\"\n}\ncheck \"c\" {\n}\naction \"a\" \"b\" {}\n",
	}), ".", hclconfig.Terraform)
	for address, want := range map[string]string{
		"var.v": "main.tf:1,1-13", "local.l": "main.tf:3,3-8", "output.o": "main.tf:5,1-11", "a.b": "main.tf:8,1-17", "data.a.b": "main.tf:9,1-13",
		"ephemeral.a.b": "main.tf:10,1-18", "module.m": "main.tf:11,1-11", "provider.p.q": "main.tf:14,1-13", "check.c": "main.tf:17,1-10", "action.a.b": "main.tf:19,1-15",
	} {
		d, ok := hclnames.NamesOf(m).Lookup(address)
		if !ok || d.Range().String() != want {
			t.Errorf("%s is at %v, %v; want %s", address, d.Range(), ok, want)
		}
	}
}

// TestImportedProviders has what the command "providers" of OpenTofu 1.12.6 and Terraform 1.11.4 listed for each
// text. No other block implies a provider by an address in it.
func TestImportedProviders(t *testing.T) {
	const call = "module \"m\" {\n  source = \"./m\"\n}\n"
	for _, c := range []struct{ file, text, opentofu, terraform string }{
		{"a.tf", "import {\n  to = random_pet.a\n  id = \"x\"\n}\n", "random", "random"},
		{"a.tf.json", `{"import": [{"to": "random_pet.a", "id": "x"}]}`, "random", "random"},
		{"a.tf", "import {\n  for_each = toset([\"a\"])\n  to = random_pet.a[each.key]\n  id = \"x\"\n}\n", "random", "random"},
		{"a.tf", call + "import {\n  to = module.m.random_pet.a\n  id = \"x\"\n}\n", "random", ""},
		{"a.tf", call + "import {\n  for_each = toset([\"a\"])\n  to = module.m[each.key].random_pet.a[0]\n  id = \"x\"\n}\n", "random", ""},
		{"a.tf", "import {\n  to = random_pet.a\n  id = \"x\"\n  provider = other.x\n}\n", "other", "other"},
		{"a.tf", "import {\n  to = random_pet.a\n  id = \"x\"\n}\nresource \"random_pet\" \"a\" {\n  provider = other\n}\n", "other random", "other"},
		{"a.tf", "removed {\n  from = random_pet.a\n}\nmoved {\n  from = random_pet.b\n  to = random_pet.c\n}\n", "", ""},
		{"a.tf", "output \"o\" {\n  value = provider::random::f(1)\n  depends_on = [random_pet.a]\n}\n", "", ""},
		{"a.tf", "import {\n  to = 1\n}\nimport {\n  to = random_pet\n}\nimport {\n}\n", "", ""},
	} {
		for dialect, want := range map[hclconfig.Dialect]string{hclconfig.OpenTofu: c.opentofu, hclconfig.Terraform: c.terraform} {
			m, err := hclconfig.LoadModule(fstest.MapFS{c.file: {Data: []byte(c.text)}}, ".", dialect)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range m.RequiredProviders() {
				got = append(got, p.Name)
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s\n%v: %v, want %s", c.text, dialect, got, want)
			}
		}
	}
}

// The constraints of a provider are there as they are written, whatever block they
// are in.
func TestRequiredVersions(t *testing.T) {
	m, err := hclconfig.LoadModule(fstest.MapFS{
		"a.tf": {Data: []byte("terraform {\n  required_providers {\n    lab = {\n      source = \"example/lab\"\n      version = \"~>1.0 , < 2\"\n    }\n    old = \">= 1\"\n  }\n}\n")},
		"b.tf": {Data: []byte("provider \"lab\" {\n  version = \">= 1.1\"\n}\nprovider \"new\" {\n  version = \"one\"\n}\nprovider \"none\" {}\n")},
	}, ".")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range m.RequiredProviders() {
		for _, v := range p.Versions {
			got = append(got, fmt.Sprint(p.Name, " ", v.Value, " ", v.Argument.Range()))
		}
	}
	want := []string{"lab ~>1.0 , < 2 a.tf:5,7-30", "lab >= 1.1 b.tf:2,3-21", "new one b.tf:5,3-18", "old >= 1 a.tf:7,5-17"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
