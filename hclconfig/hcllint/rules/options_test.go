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

// optionsModule is what the rules with options find something in.
const optionsModule = `variable "vpcId" {}
variable "vpc_id" {}
locals { Bad-one = 1 }
output "Out" { value = 1 }
resource "a_b" "camelCase" {}
data "a_b" "x" {}
module "m1" { source = "git::https://example.com/a.git?ref=v1.2" }
module "m2" { source = "git::https://example.com/a.git?ref=main" }
module "m3" { source = "git::https://example.com/a.git?ref=1.2.3-rc.1+b" }
module "m4" { source = "git::https://example.com/a.git?ref=v1.2.3.4" }
module "m5" { source = "git::https://example.com/a.git?ref=01.2" }
module "m6" { source = "git::https://example.com/a.git?ref=v1.2.3-01" }
module "m7" {
  source  = "a/b/c"
  version = "1.2.3"
}
module "m8" {
  source  = "a/b/c"
  version = "~> 1.2"
}
module "m9" {
  source  = "a/b/c"
  version = ">= 1.2.0, < 2.0.0"
}
module "m10" {
  source  = "a/b/c"
  version = "= 1.2.3"
}
module "m11" {
  source  = "a/b/c"
  version = "=1.2"
}
module "m12" {
  source  = "a/b/c"
  version = " 1.2.3 "
}
module "m13" {
  source  = "a/b/c"
  version = "1.2.3-beta.1"
}
terraform {
  required_providers {
    a = { version = "1.0" }
    p = { source = "x/p" }
  }
}
provider "p" {}
`

// TestOptions compares with what tflint prints for the same options.
func TestOptions(t *testing.T) {
	no := false
	got, errs := withOptions(t, map[string]any{
		"terraform_naming_convention": namingOptions{
			Format:        "mixed_snake_case",
			CustomFormats: map[string]customFormat{"lower": {Regexp: "^[a-z]+$", Description: "lower case only"}},
			Variable:      &nameFormat{Format: "snake_case"},
			Locals:        &nameFormat{Format: "none"},
			Output:        &nameFormat{Custom: "^o.*$"},
			Module:        &nameFormat{Format: "lower"},
			Resource:      &nameFormat{Format: "Snake_Case"},
		},
		"terraform_module_pinned_source": pinnedOptions{Style: "semver"},
		"terraform_module_version":       versionOptions{Exact: true},
		"terraform_required_providers":   providerOptions{Source: &no},
	})
	if len(errs) > 0 {
		t.Error(errs)
	}
	want := strings.Split(strings.TrimSpace(optionsFindings), "\n")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

const optionsFindings = `
1,1: variable name ` + "`" + `vpcId` + "`" + ` must match the following format: snake_case (terraform_naming_convention)
4,1: output name ` + "`" + `Out` + "`" + ` must match the following RegExp: ^o.*$ (terraform_naming_convention)
5,1: resource name ` + "`" + `camelCase` + "`" + ` must match the following format: Snake_Case (terraform_naming_convention)
7,1: module name ` + "`" + `m1` + "`" + ` must match the following format: lower case only (terraform_naming_convention)
8,1: module name ` + "`" + `m2` + "`" + ` must match the following format: lower case only (terraform_naming_convention)
8,24: Module source "git::https://example.com/a.git?ref=main" uses a ref which is not a semantic version string (terraform_module_pinned_source)
9,1: module name ` + "`" + `m3` + "`" + ` must match the following format: lower case only (terraform_naming_convention)
9,24: Module source "git::https://example.com/a.git?ref=1.2.3-rc.1+b" uses a ref which is not a semantic version string (terraform_module_pinned_source)
10,1: module name ` + "`" + `m4` + "`" + ` must match the following format: lower case only (terraform_naming_convention)
10,24: Module source "git::https://example.com/a.git?ref=v1.2.3.4" uses a ref which is not a semantic version string (terraform_module_pinned_source)
11,1: module name ` + "`" + `m5` + "`" + ` must match the following format: lower case only (terraform_naming_convention)
12,1: module name ` + "`" + `m6` + "`" + ` must match the following format: lower case only (terraform_naming_convention)
12,24: Module source "git::https://example.com/a.git?ref=v1.2.3-01" uses a ref which is not a semantic version string (terraform_module_pinned_source)
13,1: module name ` + "`" + `m7` + "`" + ` must match the following format: lower case only (terraform_naming_convention)
17,1: module name ` + "`" + `m8` + "`" + ` must match the following format: lower case only (terraform_naming_convention)
19,3: module "m8" should specify an exact version, but a range was found (terraform_module_version)
21,1: module name ` + "`" + `m9` + "`" + ` must match the following format: lower case only (terraform_naming_convention)
23,3: module "m9" should specify an exact version, but multiple constraints were found (terraform_module_version)
25,1: module name ` + "`" + `m10` + "`" + ` must match the following format: lower case only (terraform_naming_convention)
29,1: module name ` + "`" + `m11` + "`" + ` must match the following format: lower case only (terraform_naming_convention)
31,3: module "m11" should specify an exact version, but a range was found (terraform_module_version)
33,1: module name ` + "`" + `m12` + "`" + ` must match the following format: lower case only (terraform_naming_convention)
35,3: module "m12" should specify an exact version, but a range was found (terraform_module_version)
37,1: module name ` + "`" + `m13` + "`" + ` must match the following format: lower case only (terraform_naming_convention)
44,9: Missing version constraint for provider "p" in ` + "`" + `required_providers` + "`" + ` (terraform_required_providers)
`

func TestBadOptions(t *testing.T) {
	for rule, c := range map[string]struct {
		options any
		want    string
	}{
		"terraform_naming_convention":    {namingOptions{Format: "camel"}, "`camel` is unsupported format"},
		"terraform_module_pinned_source": {pinnedOptions{Style: "x"}, "`x` is invalid style"},
	} {
		if _, errs := withOptions(t, map[string]any{rule: c.options}); len(errs) != 1 || !strings.Contains(errs[0].Error(), c.want) {
			t.Errorf("%s: %v", rule, errs)
		}
	}
	if _, errs := withOptions(t, map[string]any{"terraform_module_pinned_source": pinnedOptions{Style: "semver", CallModuleType: "x"}}); len(errs) != 1 ||
		!strings.Contains(errs[0].Error(), "\"x\" is not a valid call_module_type") {
		t.Error(errs)
	}
	_, errs := withOptions(t, map[string]any{"terraform_naming_convention": namingOptions{Format: "none", Data: &nameFormat{Custom: "("}}})
	if len(errs) != 1 || !strings.Contains(errs[0].Error(), "invalid data configuration") {
		t.Errorf("%v", errs)
	}
}

// withOptions runs the rules that have options.
func withOptions(t *testing.T, options map[string]any) (found []string, errs []error) {
	t.Helper()
	tree, err := hclnames.LoadTree(fstest.MapFS{"main.tf": {Data: []byte(optionsModule)}}, ".", hclconfig.Terraform)
	if err != nil {
		t.Fatal(err)
	}
	report, err := hcllint.Run(tree, []*hcllint.Analyzer{namingConvention, modulePinnedSource, moduleVersion, requiredProviders}, hcllint.RunOptions{Options: options})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range report.Diagnostics {
		found = append(found, fmt.Sprintf("%d,%d: %s (%s)", d.Range.Start.Line, d.Range.Start.Column, d.Message, d.Analyzer.Name))
	}
	return found, report.Errors
}
