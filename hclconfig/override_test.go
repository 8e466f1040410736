// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// TestOverrideConnections is about what an override file replaces as a whole.
func TestOverrideConnections(t *testing.T) {
	m := load(t, folder(map[string]string{
		"a.tf": `
terraform {
  cloud {}
}
resource "a" "b" {
  connection { host = "base" }
  lifecycle { ignore_changes = [x] }
}
resource "a" "c" {}
module "m" {
  source    = "./m"
  providers = { p = p.base }
}
`,
		"override.tf": `
terraform {
  backend "s3" {}
}
resource "a" "b" {
  provider = p.over
  connection { host = "over" }
  lifecycle { ignore_changes = all }
}
resource "a" "c" {
  lifecycle { create_before_destroy = true }
}
module "m" {
  providers = { p = p.over, q = q }
}
`,
	}), ".")
	if d := hclcheck.ValidateModule(m); len(d) > 0 {
		t.Error(d)
	}
	b, c := m.Resources[0], m.Resources[1]
	_, all := b.Lifecycle.Ignored()
	if b.Provider.String() != "p.over" || b.Connection.Argument("host").Raw() != `"over"` || !all {
		t.Errorf("a.b has %s, %v, %v", b.Provider, b.Connection, all)
	}
	if !c.Lifecycle.CreateBeforeDestroy.Value || c.Lifecycle.Block.File().Filename() != "override.tf" {
		t.Errorf("a.c has %v", c.Lifecycle)
	}
	var inner []string
	for _, p := range m.Calls[0].ProviderMappings() {
		inner = append(inner, p.Inner.String()+"="+p.Outer.String())
	}
	if want := []string{"p=p.over", "q=q"}; !slices.Equal(inner, want) {
		t.Errorf("module.m gets %q", inner)
	}
	if s := m.Settings; s[0].Cloud != nil || s[0].Backend != nil || s[1].Backend.Type != "s3" {
		t.Errorf("the backend is %v, %v", s[0], s[1])
	}
	var effects []string
	for _, o := range m.Overridden {
		effects = append(effects, o.Address+" "+strings.Join(o.Arguments, ","))
	}
	want := []string{"backend ", "a.b provider,connection,ignore_changes", "a.c create_before_destroy", "module.m providers"}
	if diff := cmp.Diff(want, effects); diff != "" {
		t.Errorf("effects (-want +got):\n%s", diff)
	}
	if o := m.Overridden[0]; o.Base == nil || o.Base.Type != "cloud" {
		t.Errorf("the backend overrides %v", o.Base)
	}
}

// TestOverrideEncryption merges encryption blocks target by target.
func TestOverrideEncryption(t *testing.T) {
	const base = `
terraform {
  encryption {
    method "m" "a" {}
    state {
      method   = method.m.a
      enforced = true
      fallback { method = method.m.a }
    }
    remote_state_data_sources {
      default { method = method.m.a }
      remote_state_data_source "x" { method = method.m.a }
      remote_state_data_source "y" { method = method.m.a }
    }
  }
}
`
	const over = `
terraform {
  encryption {
    method "m" "b" {}
    state {
      method   = method.m.b
      enforced = false
      fallback { method = method.m.b }
    }
    plan { method = method.m.b }
    remote_state_data_sources {
      remote_state_data_source "y" { method = method.m.b }
      remote_state_data_source "z" { method = method.m.b }
    }
  }
}
`
	m := load(t, folder(map[string]string{"a.tf": base, "override.tf": over}), ".")
	if d := hclcheck.ValidateModule(m); len(d) > 0 {
		t.Error(d)
	}
	e := m.Settings[0].Encryption
	got := map[string]string{
		"state": e.State.Method.Raw(), "fallback": e.State.Fallback.Method.Raw(),
		"plan": e.Plan.Method.Raw(), "default": e.RemoteDefault.Method.Raw(),
	}
	for _, r := range e.Remote {
		got["remote "+r.Name] = r.Method.Raw()
	}
	want := map[string]string{
		"state": "method.m.b", "fallback": "method.m.b", "plan": "method.m.b", "default": "method.m.a",
		"remote x": "method.m.a", "remote y": "method.m.b", "remote z": "method.m.b",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !e.State.Enforced.Value || len(e.Methods) != 2 || m.Settings[1].Encryption != nil {
		t.Errorf("enforced %v, %d methods", e.State.Enforced.Value, len(e.Methods))
	}
	// Without one in the primary files, that of the override file is it.
	m = load(t, folder(map[string]string{"override.tf": over}), ".")
	if e := m.Settings[0].Encryption; e == nil || e.Plan.Method.Raw() != "method.m.b" || m.Overridden[0].Base != nil {
		t.Errorf("encryption is %v", e)
	}
}

// TestVariableTypes has defaults that do not fit their types.
func TestVariableTypes(t *testing.T) {
	f := mustParse(t, "a.tf", `
variable "ok" {
  type    = object({ a = optional(number, 1) })
  default = {}
}
variable "none" {}
variable "null" {
  type    = list(string)
  default = null
}
variable "wrong" {
  type    = list(string)
  default = "x"
}
variable "computed" { default = var.ok }
variable "typeless" {
  type    = nonsense
  default = 1
}
`)
	for i, want := range []string{`cty.ObjectVal(map[string]cty.Value{"a":cty.NumberIntVal(1)})`, "cty.NilVal", "cty.NullVal(cty.List(cty.String))"} {
		v, err := f.Config().Variables[i].TypedDefault()
		if err != nil || v.GoString() != want {
			t.Errorf("%#v, %v; want %s", v, err, want)
		}
	}
	var own *hclconfig.Error
	for i, want := range map[int]error{3: hclconfig.ErrKind, 4: hclconfig.ErrNotConstant, 5: nil} {
		if _, err := f.Config().Variables[i].TypedDefault(); !errors.As(err, &own) || want != nil && !errors.Is(err, want) {
			t.Errorf("variable %d gives %v", i, err)
		}
	}
}

// TestLooseConstraints: constraints on modules and on the program are read with
// more tolerance than those on providers.
func TestLooseConstraints(t *testing.T) {
	for _, c := range []struct{ text, want, loose string }{
		{text: "~> 1.0", want: "~> 1.0"}, {text: ">=  v1.2 ,<2", want: ">= 1.2.0, < 2.0.0"}, {text: "1.0.0", want: "1.0.0"},
		{text: "~> 1", want: "~> 1.0", loose: ">= 1.0.0"},
		{}, {text: "~> 1.0,"}, {text: "~> x"}, {text: ">= 1.0."}, {text: "1.0.0.0"},
	} {
		src := "module \"m\" {\n  source  = \"a/b/c\"\n  version = \"" + c.text + "\"\n}\nterraform {\n  required_version = \"" + c.text + "\"\n" +
			"  required_providers {\n    p = \"" + c.text + "\"\n  }\n}\n"
		f := mustParse(t, "a.tofu", src)
		call, settings := f.Config().Calls[0], f.Config().Settings[0]
		for what, read := range map[string]func() (addrs.Constraints, error){
			"module": call.Constraints, "required_version": settings.Constraints,
		} {
			want := c.want
			if c.loose != "" {
				want = c.loose
			}
			got, err := read()
			if got.String() != want || (err == nil) != (want != "") {
				t.Errorf("%s %q: %q, %v; want %q", what, c.text, got, err, want)
			}
		}
		got, err := settings.RequiredProviders[0].Constraints()
		if strict := !strings.Contains(c.text, "v"); strict && got.String() != c.want || !strict && err == nil {
			t.Errorf("provider %q: %q, %v", c.text, got, err)
		}
		// More than three numbers are no error where the tools accept them.
		accepted := c.want != "" || c.text == "1.0.0.0"
		summaries := 0
		for _, d := range hclcheck.ValidateFile(f) {
			if d.Summary == "Invalid version constraint" && d.Subject.Start.Line != 8 {
				summaries++
			}
		}
		if accepted != (summaries == 0) {
			t.Errorf("%q: %v", c.text, hclcheck.ValidateFile(f))
		}
	}
	// A version of null is no constraint. One that is computed may be any: it does not allow everything.
	f := mustParse(t, "a.tf", "module \"m\" {\n  source  = var.s\n  version = var.v\n}\nmodule \"n\" {\n  source  = \"./n\"\n  version = null\n}\n")
	for i, want := range []error{hclconfig.ErrNotConstant, nil} {
		call := f.Config().Calls[i]
		if c, err := call.Constraints(); !errors.Is(err, want) || !c.IsEmpty() {
			t.Errorf("module.%s: %v, %v", call.Name, c, err)
		}
	}
	computed := mustParse(t, "b.tf", "terraform {\n  required_version = \"${var.v}\"\n  required_providers {\n    p = {\n      version = \"${var.v}\"\n    }\n    l = {\n      version = []\n    }\n  }\n}\n").Config().Settings[0]
	for what, c := range map[string]struct {
		read func() (addrs.Constraints, error)
		want error
	}{
		"required_version":   {computed.Constraints, hclconfig.ErrNotConstant},
		"required_providers": {computed.RequiredProviders[0].Constraints, hclconfig.ErrNotConstant},
		"a list":             {computed.RequiredProviders[1].Constraints, hclconfig.ErrKind},
	} {
		if _, err := c.read(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", what, err, c.want)
		}
	}
	if d := hclcheck.ValidateFile(f); len(d) > 0 {
		t.Error(d)
	}
	inJSON := mustParse(t, "a.tf.json", `{"module": {"m": {
  "source": "${var.s}"}}}`)
	for _, f := range []*hclconfig.File{f, inJSON} {
		if _, err := f.Config().Calls[0].SourceAddr(); !errors.Is(err, hclconfig.ErrNotConstant) || !strings.Contains(err.Error(), f.Filename()+":2,") {
			t.Errorf("a computed source gives %v", err)
		}
	}
}

// TestProvidersOfModule finds the providers that only imports and old
// constraints tell of.
func TestProvidersOfModule(t *testing.T) {
	m := load(t, folder(map[string]string{"a.tf": `
provider "old" {
  version = "~> 1.0"
}
import {
  to       = imp_thing.x
  id       = "x"
  provider = other.east
}
resource "q" "r" {
  provider = "quoted.alias"
}
`}), ".")
	got := map[string]string{}
	for _, p := range m.RequiredProviders() {
		got[p.Name] = p.Constraints.String()
	}
	if diff := cmp.Diff(map[string]string{"old": "~> 1.0", "other": "", "quoted": ""}, got); diff != "" {
		t.Error(diff)
	}
	if d, ok := hclnames.NamesOf(m).Lookup("provider.old"); !ok || d.Range().Start.Line != 2 {
		t.Errorf("provider.old is at %v", d)
	}
	if _, ok := hclnames.NamesOf(m).Lookup("provider.new"); ok {
		t.Error("provider.new is there")
	}
	for range m.Declarations() {
		break // stopping early is fine
	}
}

// TestOverrideEveryBlock puts each block type of the language, alone, into an
// override file: it has an effect, or there is an error about it. Of removed blocks
// only OpenTofu says something; Terraform 1.11.4 passes over them.
func TestOverrideEveryBlock(t *testing.T) {
	for _, b := range hcllang.Root.Blocks {
		src := b.Name
		for i := range b.Labels {
			src += fmt.Sprintf(" %q", string(rune('a'+i)))
		}
		m, err := hclconfig.LoadModule(fstest.MapFS{
			"main.tf":     {Data: []byte("locals {\n  z = 1\n}\n")},
			"override.tf": {Data: []byte(src + " {\n}\n")},
		}, ".", map[bool]hclconfig.Dialect{true: hclconfig.OpenTofu, false: hclconfig.Terraform}[b == hcllang.RemovedBlock])
		if err != nil {
			t.Fatal(err)
		}
		if !m.Diagnostics().HasErrors() && len(m.Overridden) == 0 && b.Name != "locals" && b.Name != "terraform" {
			t.Errorf("%s: no effect and no error", src)
		}
	}
}

// TestModuleCall_SourceAddr: the default registry is that of the dialect.
func TestModuleCall_SourceAddr(t *testing.T) {
	for source, want := range map[string]string{
		"a/b/c":                                "registry.terraform.io/a/b/c",
		"A/b/c//d":                             "registry.terraform.io/A/b/c//d",
		"registry.opentofu.org:443/a/b/c//sub": "registry.opentofu.org/a/b/c//sub",
		"registry.opentofu.org/a/b/c":          "registry.opentofu.org/a/b/c",
		"Registry.OpenTofu.org/a/b/c":          "registry.opentofu.org/a/b/c",
		"registry.terraform.io/a/b/c":          "registry.terraform.io/a/b/c",
		"example.com/a/b/c":                    "example.com/a/b/c",
		"./a":                                  "./a",
		"github.com/a/b":                       "git::https://github.com/a/b.git",
		"git::https://example.com/a//b":        "git::https://example.com/a//b",
	} {
		for _, version := range []string{"", "  version = \"1.0.0\"\n"} {
			f := mustParse(t, "a.tf", "module \"m\" {\n  source = \""+source+"\"\n"+version+"}\n", hclconfig.Terraform)
			got, err := f.Config().Calls[0].SourceAddr()
			if registry := strings.Count(want, "/") > 2 && !strings.Contains(want, ":"); version != "" && !registry {
				if err == nil {
					t.Errorf("%s with a version: got %s", source, got)
				}
			} else if err != nil || got.String() != want {
				t.Errorf("%s: got %s, %v; want %s", source, got, err, want)
			}
			f = mustParse(t, "a.tf", "module \"m\" {\n  source = \""+source+"\"\n"+version+"}\n")
			if host, _, _, _, ok := must(f.Config().Calls[0].SourceAddr()).Registry(); ok && source[1] == '/' && host != addrs.DefaultHost {
				t.Errorf("%s in OpenTofu: got host %s", source, host)
			}
		}
	}
}

func must(src addrs.ModuleSource, _ error) addrs.ModuleSource { return src }
