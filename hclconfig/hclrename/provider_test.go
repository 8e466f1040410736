// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclrename_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"log"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
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
		"an import alone":             {map[string]string{"a.tf": "import {\n  to = random_pet.a\n  id = \"x\"\n}\n"}, "", "", `source = "acme/random"`},
		"an import into a module":     {map[string]string{"a.tf": "module \"m\" {\n  source = \"./m\"\n}\nimport {\n  to = module.m.random_pet.a\n  id = \"x\"\n}\n", "m/m.tf": use}, "", "", "# a.tf|# m/m.tf"},
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
		"a reference":                 {map[string]string{"a.tf": required("random = local.r")}, "", "", "error: a.tf:3,14-21: the entry of random"},
		"a call":                      {map[string]string{"a.tf": required("random = merge({}, {source = \"hashicorp/random\"})")}, "", "", "error: a.tf:3,14"},
		"a list":                      {map[string]string{"a.tf": required("random = [\"~> 3.5\"]")}, "", "", "error: a.tf:3,14"},
		"an object in parentheses":    {map[string]string{"a.tf": required("random = ({\n      source = \"hashicorp/random\"\n    })")}, "", "", "error: a.tf:3,14"},
		"an object of a for":          {map[string]string{"a.tf": required("random = { for k in [\"source\"] : k => \"hashicorp/random\" }")}, "", "", "error: a.tf:3,14"},
		"null":                        {map[string]string{"a.tf": required("random = null")}, "", "", "error: a.tf:3,14"},
		"a truth value":               {map[string]string{"a.tf": required("random = true")}, "", "", "error: a.tf:3,14"},
		"an empty version":            {map[string]string{"a.tf": required("random = \"\"")}, "", "", "error: a.tf:3,14"},
		"a computed key":              {map[string]string{"a.tf": required("random = {\n      (source) = \"hashicorp/random\"\n    }")}, "", "", "error: a.tf:3,14"},
		"null in JSON":                {map[string]string{"a.tf.json": `{"terraform":{"required_providers":{"random":null}}}`}, "", "", "error: a.tf.json:1,46"},
		"a list in JSON":              {map[string]string{"a.tf.json": `{"terraform":{"required_providers":{"random":[{"source":"hashicorp/random"}]}}}`}, "", "", "error: a.tf.json:1,46"},
		"a template in JSON":          {map[string]string{"a.tf.json": `{"terraform":{"required_providers":{"random":"${local.x}"}}}`}, "", "", "error: a.tf.json:1,46"},
		"a number":                    {map[string]string{"a.tf": required("random = 3")}, "", "", `version = "3"`},
		"a source twice":              {map[string]string{"a.tf": required("random = {\n      source = \"acme/one\"\n      source = \"hashicorp/random\" # b\n    }")}, "", "", "source = \"acme/one\"\n      source = \"acme/random\" # b"},
		"a source twice, the first":   {map[string]string{"a.tf": required("random = {\n      source = \"hashicorp/random\"\n      source = \"acme/one\"\n    }")}, "", "", ""},
		"a source twice in JSON":      {map[string]string{"a.tf.json": `{"terraform":{"required_providers":{"random":{"source":"acme/one","source":"hashicorp/random"}}}}`}, "", "", `{"source":"acme/one","source":"acme/random"}`},
		"two names": {map[string]string{"a.tf": required("random = {\n      source = \"hashicorp/random\"\n    }\n    ar = {\n      source = \"acme/random\"\n    }")}, "", "",
			"error: a.tf:6,5-8,6: ar and a.tf:3,5-5,6: random would be two local names of registry.opentofu.org/acme/random"},
		"two names, one implied":       {map[string]string{"a.tf": required("ar = {\n      source = \"acme/random\"\n    }") + use}, "", "", "error: a.tf:3,5-5,6: ar and .: random, without an entry in required_providers, would be"},
		"two names of it already":      {map[string]string{"a.tf": required("random = {\n      source = \"hashicorp/random\"\n    }\n    ar = {\n      source = \"hashicorp/random\"\n    }")}, "", "", "# a.tf"},
		"two names for Terraform only": {map[string]string{"a.tf": required("random = {\n      source = \"registry.terraform.io/hashicorp/random\"\n    }\n    ar = {\n      source = \"acme/random\"\n    }")}, "", "", "would be two local names of registry.terraform.io/acme/random"},
		"a default registry":           {nil, "registry.terraform.io/hashicorp/random", "", "error: name registry.terraform.io/hashicorp/random without its host"},
		"no provider":                  {nil, "a/b/c/d", "", "error: "},
		"to no provider":               {nil, "", "a b", "error: "},
		"a built-in provider":          {nil, "terraform.io/builtin/terraform", "", "error: terraform.io/builtin/terraform and"},
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

// TestReplaceProvider_pipe does not wait for a text in a named pipe.
func TestReplaceProvider_pipe(t *testing.T) {
	pipe := fstest.MapFS{"a/a.tf": {Mode: fs.ModeNamedPipe | 0o644}}
	if _, err := hclrename.ReplaceProvider(pipe, "hashicorp/random", "acme/random"); err == nil || err.Error() != "a/a.tf: not a regular file" {
		t.Error(err)
	}
}

// TestReplaceProvider_links changes files that are links to each other. The module of each name counts.
func TestReplaceProvider_links(t *testing.T) {
	const use, block = "resource \"random_pet\" \"a\" {}\n", "terraform {\n  required_providers {\n    aws = {\n      source = \"hashicorp/aws\"\n    }\n  }\n}\n"
	for name, c := range map[string]struct {
		file, link, other string // the name of the file, of the link, and what else is in the directory of the link
		want              string // the changed files, or a part of the error
	}{
		"two modules":                    {"s/v.tf", "a/v.tf", "", "a/v.tf s/v.tf"},
		"the link is in a later module":  {"s/v.tf", "z/v.tf", "", "s/v.tf z/v.tf"},
		"one has required_providers":     {"s/v.tf", "a/v.tf", block, "duplicate required providers configuration"},
		"so has one later":               {"s/v.tf", "z/v.tf", block, "duplicate required providers configuration"},
		"the link has the other syntax":  {"s/v.tf", "a/v.tf.json", "", "a/v.tf.json"},
		"the link is a file of OpenTofu": {"s/v.tf", "s/v.tofu", "", "s/v.tf s/v.tofu"},
	} {
		dir := t.TempDir()
		for file, text := range map[string]string{c.file: use, path.Dir(c.link) + "/z.tf": c.other} {
			if err := os.MkdirAll(filepath.Join(dir, path.Dir(file)), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Symlink(filepath.Join("..", c.file), filepath.Join(dir, c.link)); err != nil {
			t.Skip("needs a system with symbolic links:", err)
		}
		texts, err := hclrename.ReplaceProvider(os.DirFS(dir), "hashicorp/random", "acme/random")
		got := strings.Join(slices.Sorted(maps.Keys(texts)), " ")
		if err != nil && strings.Contains(strings.ToLower(err.Error()), c.want) {
			continue
		}
		if got != c.want || !bytes.Equal(texts[c.file], texts[c.link]) {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
}
