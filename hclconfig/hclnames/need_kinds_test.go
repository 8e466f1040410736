// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames_test

import (
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// What a release has is not always told by the name of a block, an argument or a function.
func TestNeedOf_Kinds(t *testing.T) {
	const builtIn = `terraform {
  required_providers {
    tf = {
      source = "terraform.io/builtin/terraform"
    }
  }
}
`
	const acme = `terraform {
  required_providers {
    terraform = {
      source = "acme/terraform"
    }
  }
}
`
	const optional = "terraform {\n  experiments = [module_variable_optional_attrs]\n}\n"
	encryption := func(text string) string { return "terraform {\n  encryption {\n" + text + "\n  }\n}\n" }
	backend := func(typ, argument string) string {
		return "terraform {\n  backend \"" + typ + "\" {\n    " + argument + "\n  }\n}\n"
	}
	for name, c := range map[string]struct{ text, tofu, terraform string }{
		"built-in by source":         {builtIn + "output \"o\" {\n  value = provider::tf::encode_tfvars({})\n}\n", ">= 1.10", ">= 1.8"},
		"another provider so called": {acme + "output \"o\" {\n  value = provider::terraform::f()\n}\n", ">= 1.7", ">= 1.8"},
		"built-in by name":           {"output \"o\" {\n  value = provider::terraform::encode_tfvars({})\n}\n", ">= 1.10", ">= 1.8"},
		"terraform_data of that":     {builtIn + "resource \"terraform_data\" \"x\" {\n  provider = tf\n}\n", ">= 1.6", ">= 1.4"},
		"terraform_data of another":  {acme + "resource \"terraform_data\" \"x\" {}\n", ">= 1.6", ">= 1.0"},
		"terraform_data":             {"resource \"terraform_data\" \"x\" {}\n", ">= 1.6", ">= 1.4"},
		"key_provider external":      {encryption("key_provider \"external\" \"e\" {\n command = [\"a\"]\n}"), ">= 1.10", ""},
		"method external":            {encryption("method \"external\" \"e\" {}"), ">= 1.10", ""},
		"chain":                      {encryption("key_provider \"pbkdf2\" \"e\" {\n chain = key_provider.pbkdf2.x\n}"), ">= 1.10", ""},
		"azure_vault":                {encryption("key_provider \"azure_vault\" \"e\" {}"), ">= 1.11", ""},
		"xor":                        {encryption("key_provider \"xor\" \"e\" {}"), ">= 1.9", ""},
		"encrypted_metadata_alias":   {encryption("key_provider \"pbkdf2\" \"e\" {\n encrypted_metadata_alias = \"a\"\n}"), ">= 1.9", ""},
		"pbkdf2":                     {encryption("key_provider \"pbkdf2\" \"e\" {\n passphrase = \"a\"\n}"), ">= 1.7", ""},
		"use_lockfile":               {backend("s3", "use_lockfile = true"), ">= 1.10", ">= 1.10"},
		"table_name":                 {backend("pg", `table_name = "t"`), ">= 1.10", ""},
		"index_name":                 {backend("pg", `index_name = "t"`), ">= 1.10", ""},
		"endpoints":                  {backend("s3", "endpoints = {\n s3 = \"e\"\n }"), ">= 1.6", ">= 1.6"},
		"role_arn":                   {backend("s3", `role_arn = "r"`), ">= 1.6", ">= 1.0, < 1.10"},
		"use_legacy_workflow":        {backend("s3", "use_legacy_workflow = true"), ">= 1.6, < 1.8", ">= 1.6, < 1.11"},
		"use_microsoft_graph":        {backend("azurerm", "use_microsoft_graph = true"), "", ">= 1.1, < 1.3"},
		"oidc_token":                 {backend("azurerm", `oidc_token = "t"`), ">= 1.6", ">= 1.3"},
		"use_cli":                    {backend("azurerm", "use_cli = true"), ">= 1.11", ">= 1.11"},
		"assume_role of cos":         {backend("cos", "assume_role {}"), ">= 1.6", ">= 1.4"},
		"headers of http":            {backend("http", "headers = {}"), ">= 1.7", ""},
		"headers of another":         {backend("gcs", "headers = {}"), "", ">= 1.0"},
		"project":                    {"terraform {\n  cloud {\n    workspaces {\n      project = \"p\"\n    }\n  }\n}\n", ">= 1.6", ">= 1.6"},
		"optional as an experiment":  {"terraform {\n  experiments = [module_variable_optional_attrs]\n}\n", ">= 1.12", ">= 1.0, < 1.3"},
		"s3":                         {backend("s3", `bucket = "b"`), ">= 1.6", ">= 1.0"},
		"azure":                      {backend("azure", ""), "", ">= 1.0, < 1.3"},
		"azurerm":                    {backend("azurerm", ""), ">= 1.6", ">= 1.0"},
		"backend that nobody has":    {backend("acme", ""), "", ""},
		"argument of no backend":     {backend("http", "acme = 1"), "", ">= 1.0"},
		"oss":                        {backend("oss", `assume_role_role_arn = "r"`), ">= 1.6", ">= 1.1"},
		"key provider of nobody":     {encryption("key_provider \"acme\" \"e\" {}"), "", ""},
		"method of nobody":           {encryption("method \"acme\" \"e\" {}"), "", ""},
		"argument of no provider":    {encryption("key_provider \"pbkdf2\" \"e\" {\n acme = 1\n}"), "", ""},
		"encryption_context":         {encryption("key_provider \"aws_kms\" \"e\" {\n encryption_context = {}\n}"), ">= 1.13", ""},
		"tags with values":           {"terraform {\n  cloud {\n    workspaces {\n      tags = { a = \"b\" }\n    }\n  }\n}\n", "", ">= 1.10"},
		"tags":                       {"terraform {\n  cloud {\n    workspaces {\n      tags = [\"b\"]\n    }\n  }\n}\n", ">= 1.6", ">= 1.1"},
		"optional of an experiment":  {optional + "variable \"v\" {\n  type = object({ a = optional(string) })\n}\n", ">= 1.12", ">= 1.0, < 1.3"},
		"with a default":             {optional + "variable \"v\" {\n  type = object({ a = optional(string, \"\") })\n}\n", ">= 1.12", ""},
		"its function":               {optional + "locals {\n  a = defaults({}, {})\n}\n", "", ">= 1.0, < 1.3"},
		"source of a variable":       {"variable \"v\" {}\nmodule \"m\" {\n  source = var.v\n}\n", ">= 1.8", ""},
		"source of a constant":       {"variable \"v\" {\n  const = true\n}\nmodule \"m\" {\n  source = var.v\n}\n", ">= 1.12", ">= 1.15"},
		"source of local values":     {"locals {\n  a = local.b\n  b = \"./m\"\n}\nmodule \"m\" {\n  source = local.a\n}\n", ">= 1.8", ">= 1.15"},
		"source of a variable's":     {"variable \"v\" {}\nlocals {\n  a = [local.a, var.v]\n}\nmodule \"m\" {\n  source = local.a[1]\n}\n", ">= 1.8", ""},
		"source of a workspace":      {"module \"m\" {\n  source = terraform.workspace\n}\n", ">= 1.8", ""},
		"built in of nobody":         {"terraform {\n  required_providers {\n    x = { source = \"terraform.io/builtin/x\" }\n  }\n}\n", "", ""},
	} {
		for dialect, want := range map[hclconfig.Dialect]string{hclconfig.OpenTofu: c.tofu, hclconfig.Terraform: c.terraform} {
			got, reasons, err := hclnames.NeedOf(fstest.MapFS{"m/main.tf": {Data: []byte(c.text)}}, "m", dialect)
			if err != nil || got != want {
				t.Errorf("%s: %s needs %q, not %q: %v, %v", name, dialect, want, got, reasons, err)
			}
		}
	}
}

// What a block means in native syntax, a property means in JSON, and some text is written in JSON alone.
func TestNeedOf_JSON(t *testing.T) {
	for name, c := range map[string]struct{ text, tofu, terraform string }{
		"backend that nobody has":    {`{"terraform": {"backend": {"acme": {}}}}`, "", ""},
		"assume_role":                {`{"terraform": {"backend": {"cos": {"assume_role": {}}}}}`, ">= 1.6", ">= 1.4"},
		"store":                      {`{"resource": {"terraform_data": {"a": {"store": {}}}}}`, "", ">= 1.16"},
		"key provider as plain text": {`{"terraform": {"encryption": {"key_provider": {"pbkdf2": {"a": {"chain": "key_provider.external.b"}}}}}}`, ">= 1.12", ""},
		"key provider in a template": {`{"terraform": {"encryption": {"key_provider": {"pbkdf2": {"a": {"chain": "${key_provider.external.b}"}}}}}}`, ">= 1.10", ""},
		"keys as plain text":         {`{"terraform": {"encryption": {"method": {"aes_gcm": {"a": {"keys": "key_provider.external.b"}}}}}}`, ">= 1.7", ""},
		"tags with values":           {`{"terraform": {"cloud": {"workspaces": {"tags": {"a": "b"}}}}}`, "", ">= 1.10"},
		"project":                    {`{"terraform": {"cloud": {"workspaces": {"project": "p"}}}}`, ">= 1.6", ">= 1.6"},
		"source of a variable":       {`{"variable": {"v": {}}, "module": {"m": {"source": "${var.v}"}}}`, ">= 1.8", ""},
		"optional of an experiment":  {`{"terraform": {"experiments": ["module_variable_optional_attrs"]}, "variable": {"v": {"type": "object({ a = optional(string) })"}}}`, ">= 1.12", ">= 1.0, < 1.3"},
	} {
		for dialect, want := range map[hclconfig.Dialect]string{hclconfig.OpenTofu: c.tofu, hclconfig.Terraform: c.terraform} {
			got, reasons, err := hclnames.NeedOf(fstest.MapFS{"m/main.tf.json": {Data: []byte(c.text)}}, "m", dialect)
			if err != nil || got != want {
				t.Errorf("%s: %s needs %q, not %q: %v, %v", name, dialect, want, got, reasons, err)
			}
		}
	}
}
