// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// calledSources has modules whose sources come from arguments of the root.
var calledSources = map[string]string{
	"main.tf": `module "one" {
  source = "./c"
  src    = "git::https://example.com/one.git"
  ref    = "main"
  other  = "git::https://example.com/other.git"
}
module "slash" {
  source = "./c/"
  src    = "git::https://example.com/slash.git?ref=0123"
  # tflint-ignore: terraform_module_shallow_clone
  ref = local.branch
}
locals { branch = "develop" }
module "each" {
  source   = "./c"
  for_each = toset(["a", "b"])
  src      = "git::https://example.com/${each.key}.git"
  ref      = "0123"
}
module "none" {
  source = "./c"
  count  = 0
  src    = "git::https://example.com/none.git"
  ref    = "main"
}
module "unknown" {
  source = "./c"
  count  = data.x.y.z
  src    = "git::https://example.com/unknown.git"
  ref    = "main"
}
module "deep" {
  source = "./d"
  p      = "git::https://example.com/deep.git"
  q      = "ma"
  r      = "in"
}
module "overridden" {
  source = "./d"
  p      = "git::https://example.com/old.git"
  q      = "01"
  r      = "23"
}
module "installed" {
  source  = "ns/x/aws"
  version = "1.0.0"
  src     = "git::https://example.com/installed.git"
}
`,
	"x_override.tf": `module "overridden" {
  p = "git::https://example.com/new.git"
}
`,
	"c/main.tf": `variable "src" {}
variable "ref" {}
variable "other" { default = null }
variable "own" { default = "git::https://example.com/own.git" }
# tflint-ignore: all
module "a" { source = var.src }
module "b" { source = "git::https://example.com/b.git?ref=${var.ref}" }
module "c" { source = var.own }
module "d" { source = "git::https://example.com/fixed.git" }
module "e" { source = local.src }
locals { src = var.src }
module "f" { source = var.src }
`,
	"d/main.tf.json": `{
  "variable": {"p": {}, "q": {}, "r": {}},
  "module": {"c": {"source": "../c", "src": "${var.p}", "ref": "${var.q}${var.r}", "other": "${var.p}"}}
}
`,
	".terraform/modules/modules.json": `{"Modules": [{"Key": "installed", "Source": "registry.terraform.io/ns/x/aws", "Version": "1.0.0", "Dir": ".terraform/modules/installed"}]}`,
	".terraform/modules/installed/a.tf": `variable "src" {}
module "m" { source = var.src }
`,
}

// TestCalledSources compares with what tflint finds.
func TestCalledSources(t *testing.T) {
	fsys := fstest.MapFS{}
	for name, text := range calledSources {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	one := `main.tf:3,12: Module source "git::https://example.com/one.git" is not pinned
main.tf:4,12: Module source "git::https://example.com/b.git?ref=main" uses a default branch as ref (main)
main.tf:4,12: Module source "git::https://example.com/b.git?ref=main" should enable shallow cloning by adding "depth=1" parameter
`
	slash := `main.tf:11,9: Module source "git::https://example.com/b.git?ref=develop" uses a default branch as ref (develop)
`
	each := `main.tf:17,14: Module source "git::https://example.com/a.git" is not pinned
main.tf:17,14: Module source "git::https://example.com/b.git" is not pinned
`
	deep := `main.tf:34,12: Module source "git::https://example.com/deep.git" is not pinned
main.tf:35,12: Module source "git::https://example.com/b.git?ref=main" uses a default branch as ref (main)
main.tf:35,12: Module source "git::https://example.com/b.git?ref=main" should enable shallow cloning by adding "depth=1" parameter
main.tf:36,12: Module source "git::https://example.com/b.git?ref=main" uses a default branch as ref (main)
main.tf:36,12: Module source "git::https://example.com/b.git?ref=main" should enable shallow cloning by adding "depth=1" parameter
`
	installed := `main.tf:47,13: Module source "git::https://example.com/installed.git" is not pinned
`
	overridden := `x_override.tf:2,7: Module source "git::https://example.com/new.git" is not pinned
`
	for _, c := range []struct {
		options callOptions
		want    string
	}{
		{callOptions{}, one + slash + each + deep + overridden},
		{callOptions{CallModuleType: "local"}, one + slash + each + deep + overridden},
		{callOptions{CallModuleType: "none"}, ""},
		{callOptions{CallModuleType: "all"}, one + slash + each + deep + installed + overridden},
		{callOptions{CallModuleType: "all", IgnoreModule: map[string]bool{"./c": true, "./d": false, "../c": true, "ns/x/aws": true}}, slash + deep + overridden},
	} {
		pinned := modulePinnedSource.Options.(pinnedOptions)
		pinned.CallModuleType, pinned.IgnoreModule = c.options.CallModuleType, c.options.IgnoreModule
		tree, err := hclnames.LoadTree(fsys, ".", hclconfig.Terraform)
		if err != nil {
			t.Fatal(err)
		}
		report, err := hcllint.Run(tree, []*hcllint.Analyzer{modulePinnedSource, moduleShallowClone}, hcllint.RunOptions{Options: map[string]any{
			modulePinnedSource.Name: pinned, moduleShallowClone.Name: c.options,
		}})
		if err != nil || len(report.Errors) > 0 {
			t.Fatal(err, report.Errors)
		}
		var got strings.Builder
		for _, d := range report.Diagnostics {
			fmt.Fprintf(&got, "%s:%d,%d: %s\n", d.Range.Filename, d.Range.Start.Line, d.Range.Start.Column, d.Message)
			if len(d.Related) != 1 || d.Related[0].Range.Filename == d.Range.Filename || d.Fixes != nil {
				t.Errorf("%+v", d)
			}
		}
		if diff := cmp.Diff(c.want, got.String()); diff != "" {
			t.Errorf("%+v: %s", c.options, diff)
		}
	}
}
