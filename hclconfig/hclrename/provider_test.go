// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclrename_test

import (
	"fmt"
	"log"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig/hclrename"
)

// Move the modules of a repository to another source of a provider.
func ExampleReplaceProvider() {
	repository := fstest.MapFS{
		"live/main.tf":  {Data: []byte("terraform {\n  required_providers {\n    random = {\n      source  = \"hashicorp/random\" # ours\n      version = \"~> 3.5\"\n    }\n  }\n}\n")},
		"login/main.tf": {Data: []byte("resource \"random_string\" \"name\" {\n  length = 8\n}\n")},
	}
	texts, err := hclrename.ReplaceProvider(repository, "hashicorp/random", "acme/random")
	if err != nil {
		log.Fatal(err)
	}
	show(texts)
	// Output:
	// -- live/main.tf --
	// terraform {
	//   required_providers {
	//     random = {
	//       source  = "acme/random" # ours
	//       version = "~> 3.5"
	//     }
	//   }
	// }
	// -- login/main.tf --
	// resource "random_string" "name" {
	//   length = 8
	// }
	//
	// terraform {
	//   required_providers {
	//     random = {
	//       source = "acme/random"
	//     }
	//   }
	// }
}

func TestReplaceProvider(t *testing.T) {
	required := func(entry string) string {
		return "terraform {\n  required_providers {\n    " + entry + "\n  }\n}\n"
	}
	const use = "resource \"random_pet\" \"a\" {}\n"
	for name, c := range map[string]struct {
		files    map[string]string
		from, to string
		want     string // all changed files, or a part of the error
	}{
		"nothing":                     {map[string]string{"a.tf": required("aws = {\n      source = \"hashicorp/aws\"\n    }")}, "", "", ""},
		"with the host":               {map[string]string{"a.tf": required("r = {\n      source = \"registry.terraform.io/hashicorp/random\"\n    }")}, "", "", `source = "registry.terraform.io/acme/random"`},
		"with the other host":         {map[string]string{"a.tf": required("r = {\n      source = \"registry.opentofu.org/hashicorp/random\"\n    }")}, "", "", `source = "registry.opentofu.org/acme/random"`},
		"to a host":                   {map[string]string{"a.tf": required("r = {\n      source = \"registry.terraform.io/hashicorp/random\"\n    }")}, "", "example.com/acme/random", `source = "example.com/acme/random"`},
		"from a host":                 {map[string]string{"a.tf": required("random = {\n      source = \"example.com/acme/random\"\n    }"), "b/b.tf": use}, "example.com/acme/random", "hashicorp/random", `source = "hashicorp/random"`},
		"another host":                {map[string]string{"a.tf": required("random = {\n      source = \"example.com/hashicorp/random\"\n    }")}, "", "", ""},
		"a version alone":             {map[string]string{"a.tf": required("random = \"~> 3.5\"")}, "", "", `source  = "acme/random"`},
		"aliases alone":               {map[string]string{"a.tf": required("random = {\n      configuration_aliases = [random.x]\n    }")}, "", "", `"acme/random"`},
		"JSON":                        {map[string]string{"a.tf.json": `{"terraform":{"required_providers":{"random":{"source":"hashicorp/random"}}}}`}, "", "", `"source":"acme/random"`},
		"a version alone in JSON":     {map[string]string{"a.tf.json": `{"terraform":{"required_providers":{"random":"~> 3.5"}}}`}, "", "", `"acme/random"`},
		"implied in JSON":             {map[string]string{"a.tf.json": `{"resource":{"random_pet":{"a":{}}}}`}, "", "", `"acme/random"`},
		"an override file":            {map[string]string{"a.tf": use, "a_override.tf": required("random = {\n      source = \"hashicorp/random\"\n    }")}, "", "", "# a_override.tf"},
		"beside an a.tofu":            {map[string]string{"a.tf": use, "a.tofu": use}, "", "", "# a.tf|# a.tofu"},
		"a tofu file alone":           {map[string]string{"a.tofu": use, "b.tf": "resource \"random_pet\" \"b\" {}\n"}, "", "", "# b.tf"},
		"in two files of one":         {map[string]string{"a.tofu": required("aws = {\n      source = \"hashicorp/aws\"\n    }"), "b.tf": use}, "", "", "error: the module has a fault, or gets one by the change: b.tf:4,3-21"},
		"a call that passes it":       {map[string]string{"a.tf": "module \"m\" {\n  source = \"./m\"\n  providers = {\n    random = random\n  }\n}\n", "m/m.tf": required("random = {\n      source = \"hashicorp/random\"\n    }")}, "", "", "# a.tf|# m/m.tf"},
		"passed to what lacks it":     {map[string]string{"a.tf": required("random = {\n      source = \"hashicorp/random\"\n    }") + "module \"m\" {\n  source = \"./m\"\n  providers = {\n    random = random\n  }\n}\n", "m/m.tf": "locals {}\n"}, "", "", "# a.tf|# m/m.tf"},
		"passed to what is not known": {map[string]string{"a.tf": "variable \"d\" {}\nmodule \"m\" {\n  source = var.d\n  providers = {\n    random = random\n  }\n}\n"}, "", "", "error: a.tf:2,1-11: the call passes random"},
		"another local name":          {map[string]string{"a.tf": required("rnd = {\n      source = \"hashicorp/random\"\n    }") + "resource \"random_pet\" \"a\" {\n  provider = rnd\n}\n"}, "", "", `rnd = {`},
		"a fault":                     {map[string]string{"a.tf": "locals {", "b/b.tf": use}, "", "", "error: a.tf:1,8"},
		"a duplicate":                 {map[string]string{"a.tf": use + use}, "", "", "error: a.tf:2,1: duplicate resource"},
		"a source with a reference":   {map[string]string{"a.tf": required("random = {\n      source = var.x\n    }")}, "", "", "error: a.tf:4"},
		"a default registry":          {nil, "registry.terraform.io/hashicorp/random", "", "error: name registry.terraform.io/hashicorp/random without its host"},
		"no provider":                 {nil, "a/b/c/d", "", "error: "},
		"to no provider":              {nil, "", "a b", "error: "},
		"a built-in provider":         {nil, "terraform.io/builtin/terraform", "", "error: terraform.io/builtin/terraform and"},
	} {
		fsys := fstest.MapFS{}
		for name, text := range c.files {
			fsys[name] = &fstest.MapFile{Data: []byte(text)}
		}
		from, to := c.from, c.to
		if from == "" {
			from = "hashicorp/random"
		}
		if to == "" {
			to = "acme/random"
		}
		texts, err := hclrename.ReplaceProvider(fsys, from, to)
		var got strings.Builder
		for name, text := range texts {
			fmt.Fprintf(&got, "# %s\n%s", name, text)
		}
		if err != nil {
			got.WriteString("error: " + strings.TrimPrefix(err.Error(), "hclconfig: "))
			if len(texts) > 0 {
				t.Errorf("%s: texts with the error %v", name, err)
			}
		}
		if c.want == "" && got.Len() > 0 {
			t.Errorf("%s: %s", name, &got)
		}
		for want := range strings.SplitSeq(c.want, "|") {
			if !strings.Contains(got.String(), want) {
				t.Errorf("%s: got\n%s\nwant %s", name, &got, want)
			}
		}
		if n := strings.Count(c.want, "# "); n > 0 && len(texts) != n {
			t.Errorf("%s: %d files, want %d", name, len(texts), n)
		}
	}
}
