// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

func parsed(t testing.TB, name, src string) *hclconfig.File {
	t.Helper()
	f, err := hclconfig.Parse(name, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestSyntaxOfReleases is about what the tables of arguments do not tell: forms, files
// and references.
func TestSyntaxOfReleases(t *testing.T) {
	for _, c := range []struct{ name, file, src, tofu, terraform, asks string }{
		{"static source", "a.tf", "module \"m\" {\n  source = var.src\n}\n", "1.8", "1.15", "argument source of module with references"},
		{"static source in JSON", "a.tf.json", `{"module":{"m":{"source":"${var.src}"}}}`, "1.8", "1.15", "argument source of module with references"},
		{"literal source", "a.tf", "module \"m\" {\n  source = \"./m\"\n}\n", "", "", ""},
		{"backend of a variable", "a.tf", "terraform {\n  backend \"local\" {\n    path = var.p\n  }\n}\n", "1.8", "never", "argument path of backend with references"},
		{"provider function", "a.tf", "locals {\n  a = provider::lab::f()\n}\n", "1.7", "1.8", "provider function provider::lab::f"},
		{"function", "a.tf", "locals {\n  a = [for x in local.b : ephemeralasnull(x)]\n}\n", "1.11", "1.10", "function ephemeralasnull"},
		{"function in JSON", "a.tf.json", `{"locals":{"a":"${cidrcontains(\"a\", \"b\")}"}}`, "1.7", "never", "function cidrcontains"},
		{"function of old releases", "a.tf", "locals {\n  a = startswith(\"a\", upper(\"b\"))\n}\n", "", "1.3", "function startswith"},
		{"function with its namespace", "a.tf", "locals {\n  a = core::urldecode(core::upper(1))\n}\n", "1.7", "never", "function core::urldecode"},
		{"function that nobody knows", "a.tf", "locals {\n  a = nothing()\n}\n", "", "", ""},
		{"validation of the variable", "a.tf", "variable \"a\" {\n  validation {\n    condition     = var.a[0] != 1\n    error_message = \"Text.\"\n  }\n}\n", "", "", ""},
		{"message with the variable", "a.tf", "variable \"a\" {\n  validation {\n    condition     = var.a != 1\n    error_message = \"Not ${var.a}.\"\n  }\n}\n", "", "1.2", "argument error_message of validation with references"},
		{"validation with another variable", "a.tf", "variable \"a\" {\n  validation {\n    condition     = var.a != var.b\n    error_message = \"Text.\"\n  }\n}\n", "1.9", "1.9", "argument condition of validation with a reference to var.b"},
		{"optional attributes", "a.tf", "variable \"a\" {\n  type = list(object({ b = optional(string, \"c\") }))\n}\n", "", "1.3", "argument type of variable with optional attributes"},
		{"optional attributes in JSON", "a.tf.json", `{"variable":{"a":{"type":"object({b=optional(string)})"}}}`, "", "1.3", "argument type of variable with optional attributes"},
		{"type of an object", "a.tf", "variable \"optional\" {\n  type = object({ optional = any })\n}\n", "", "", ""},
		{"instance of a provider", "a.tf", "resource \"a\" \"b\" {\n  provider = p.x[\"k\"]\n}\n", "1.9", "never", "provider reference with an instance key"},
		{"failure of an action", "a.tf", "resource \"a\" \"b\" {\n  lifecycle {\n    action_trigger {\n      events     = [after_create]\n      actions    = [action.a.b]\n      on_failure = halt\n    }\n  }\n}\n", "never", "1.16", "argument on_failure of action_trigger"},
		{"destroy", "a.tf", "resource \"a\" \"b\" {\n  lifecycle {\n    destroy = false\n  }\n}\n", "1.12", "1.16", "argument destroy of lifecycle"},
		{"test file", "a.tftest.hcl", "run \"a\" {\n}\n", "", "1.6", "test file"},
		{"test file of OpenTofu", "a.tofutest.hcl", "run \"a\" {\n}\n", "1.8", "never", "file with the extension .tofutest.hcl"},
		{"file of OpenTofu", "a.tofu", "locals {\n}\n", "1.8", "never", "file with the extension .tofu"},
		{"override of an instance", "a.tftest.hcl", "override_data {\n  target = data.a.b[\"k\"]\n}\n", "1.13", "1.7", "override_data block"},
		{"override of all instances", "a.tftest.hcl", "override_data {\n  target = data.a.b[*]\n}\n", "1.13", "never", "argument target of override_data with a wildcard"},
		{"query file", "a.tfquery.hcl", "", "never", "1.14", "query file"},
		{"migration file", "a.tfmigrate.hcl", "anything {\n  at = all\n}\n", "never", "1.16", "migration file"},
		{"moved", "a.tf", "moved {\n  from = a.b\n  to   = a.c\n}\n", "", "1.1", "moved block"},
	} {
		f := parsed(t, c.file, c.src)
		for _, want := range []struct {
			d     hclconfig.Dialect
			since string
		}{{hclconfig.OpenTofu, c.tofu}, {hclconfig.Terraform, c.terraform}} {
			feature, found := hclnames.FeaturesOf(f).Lowest(want.d)
			since := feature.Support.Since(want.d)
			switch {
			case want.since == "" && !found:
			case want.since == "never" && found && since == "":
			case found && since == want.since && (feature.Name == c.asks || want.d == hclconfig.OpenTofu):
			default:
				t.Errorf("%s: %s needs %q because of %q", c.name, want.d, since, feature.Name)
			}
		}
	}
}

// TestFeaturesOf has the words and the place of each kind of feature, in the order of the
// text.
func TestFeaturesOf(t *testing.T) {
	for name, c := range map[string]struct {
		file, src string
		want      []string
	}{
		"nothing new": {"a.tf", "variable \"a\" {\n  validation {\n    condition     = var.a > 1\n    error_message = \"X.\"\n  }\n}\nresource \"t\" \"a\" {\n  provider = aws.b\n}\n", nil},
		"gone": {"a.tf", "terraform {\n  backend \"swift\" {}\n}\n", []string{
			"2,11 backend swift: not in OpenTofu; any Terraform, < 1.3"}},
		"block and function": {"a.tf", "ephemeral \"t\" \"a\" {}\nlocals {\n  a = [templatestring(local.t, {})]\n}\n", []string{
			"1,1 ephemeral block: OpenTofu >= 1.11; Terraform >= 1.10",
			"3,8 function templatestring: OpenTofu >= 1.7; Terraform >= 1.9"}},
		"validation of others": {"a.tf", "variable \"b\" {\n  validation {\n    condition     = var.b > 1 && var.a > 1\n    error_message = \"X.\"\n  }\n}\n", []string{
			"3,34 argument condition of validation with a reference to var.a: OpenTofu >= 1.9; Terraform >= 1.9"}},
		"keys of providers": {"a.tf", "resource \"t\" \"a\" {\n  provider = aws.b[\"k\"]\n}\nmodule \"m\" {\n  source    = \"./m\"\n  providers = { aws = aws.b[each.key], t = t }\n}\n", []string{
			"2,14 provider reference with an instance key: OpenTofu >= 1.9; not in Terraform",
			"6,23 provider reference with an instance key: OpenTofu >= 1.9; not in Terraform"}},
		"key of a provider in JSON": {"a.tf.json", `{"resource":{"t":{"a":{"provider":"aws.b[\"k\"]"}}}}`, []string{
			"1,35 provider reference with an instance key: OpenTofu >= 1.9; not in Terraform"}},
		"computed key of a provider in JSON": {"a.tf.json", `{"resource":{"t":{"a":{"provider":"aws.b[each.key]"}}}}`, []string{
			"1,35 provider reference with an instance key: OpenTofu >= 1.11; not in Terraform"}},
		"targets of a test": {"x.tftest.hcl", "override_resource {\n  target = t.a[*]\n}\noverride_resource {\n  target = t.a[0]\n}\n", []string{
			"1,1 test file: any OpenTofu; Terraform >= 1.6",
			"1,1 override_resource block: OpenTofu >= 1.8; Terraform >= 1.7",
			"2,12 argument target of override_resource with a wildcard: OpenTofu >= 1.13; not in Terraform",
			"4,1 override_resource block: OpenTofu >= 1.8; Terraform >= 1.7",
			"5,12 argument target of override_resource with a key: OpenTofu >= 1.13; Terraform >= 1.7"}},
	} {
		var got []string
		for _, x := range hclnames.FeaturesOf(nil, parsed(t, c.file, c.src)) {
			got = append(got, x.Range.Start.String()+" "+x.String())
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestFeatures_Lowest: the release that Lowest names has all features, and so has
// every later one that has not lost one; no earlier one has them.
func TestFeatures_Lowest(t *testing.T) {
	snippets := []string{
		"ephemeral \"t\" \"a\" {}\n",
		"locals {\n  a = templatestring(local.t, {})\n}\n",
		"module \"m\" {\n  source = var.a\n}\n",
		"moved {\n  from = a.b\n  to   = a.c\n}\n",
		"terraform {\n  backend \"swift\" {}\n}\n",
		"provider \"a\" {\n  for_each = {}\n  alias    = \"x\"\n}\n",
		"output \"o\" {\n  value = 1\n}\n",
	}
	for set := range 1 << len(snippets) {
		var b strings.Builder
		for i, s := range snippets {
			if set>>i&1 == 1 {
				b.WriteString(s)
			}
		}
		features := hclnames.FeaturesOf(parsed(t, "a.tf", b.String()))
		for d, first := range map[hclconfig.Dialect]int{hclconfig.OpenTofu: 6, hclconfig.Terraform: 0} {
			lowest, found := features.Lowest(d)
			since := lowest.Support.Since(d)
			reached := !found // going through the releases: the lowest was reached
			for minor := first; minor <= 16; minor++ {
				reached = reached || since == fmt.Sprintf("1.%d", minor)
				v := addrs.MustParseVersion(fmt.Sprintf("1.%d.0", minor))
				lost := slices.ContainsFunc(features, func(f hclnames.Feature) bool {
					return d == hclconfig.Terraform && f.Support.TerraformUntil != "" && !f.Support.In(d, v)
				})
				if got, want := features.In(d, v), reached && !lost; got != want {
					t.Errorf("%s %s: has all features: %t, but the lowest is %q for\n%s", d, v, got, since, b.String())
				}
			}
			if reached == (found && since == "") {
				t.Errorf("%s: the lowest is %q for\n%s", d, since, b.String())
			}
		}
	}
}
