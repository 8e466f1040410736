// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclrename

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// TestAliases has ‹ and › around each place that gets the new name.
func TestAliases(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"of the module itself": {
			"m/main.tf":       "provider \"lab\" {\n  alias = \"‹west›\"\n}\nprovider \"lab\" {\n  alias = \"east\"\n}\nprovider \"other\" {\n  alias = \"west\"\n}\nresource \"lab_thing\" \"a\" {\n  provider = lab.‹west›\n  name     = \"lab.west\"\n}\nmodule \"c\" {\n  source = \"./c\"\n  providers = {\n    lab.west = lab.‹west›\n  }\n}\n",
			"m/c/main.tf":     "terraform {\n  required_providers {\n    lab = {\n      source                = \"acme/lab\"\n      configuration_aliases = [lab.west]\n    }\n  }\n}\nresource \"lab_thing\" \"a\" {\n  provider = lab.west\n}\n",
			"m/more.tf.json":  `{"resource": {"lab_thing": {"j": {"provider": "lab.‹west›", "name": "lab.west"}}}}`,
			"m/a.tftest.hcl":  "provider \"lab\" {\n  alias = \"‹west›\"\n}\nrun \"a\" {\n  providers = {\n    lab.‹west› = lab.‹west›\n  }\n}\n",
			"elsewhere/m.tf":  "provider \"lab\" {\n  alias = \"west\"\n}\n",
			"m/README.md":     "lab.west",
			"m/c/values.json": "{}",
		},
		"of a called module": {
			"m/main.tf":   "terraform {\n  required_providers {\n    lab = {\n      source                = \"acme/lab\"\n      configuration_aliases = [lab.‹west›, lab.east]\n    }\n  }\n}\nresource \"lab_thing\" \"a\" {\n  provider = lab.‹west›\n}\n",
			"main.tf":     "provider \"lab\" {\n  alias = \"west\"\n}\nmodule \"m\" {\n  source = \"./m\"\n  providers = {\n    lab.‹west› = lab.west\n    lab.east = lab.west\n  }\n}\n",
			"two/main.tf": "provider \"lab\" {\n  alias = \"x\"\n}\nmodule \"m\" {\n  source = \"../m\"\n  providers = {\n    lab.‹west› = lab.x\n    lab.east = lab.x\n  }\n}\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			fsys := fstest.MapFS{}
			for file, text := range files {
				fsys[file] = &fstest.MapFile{Data: []byte(strings.NewReplacer("‹", "", "›", "").Replace(text))}
			}
			got, err := Rename(fsys, "m", "provider.lab.west", "provider.lab.us", Options{})
			if err != nil {
				t.Fatal(err)
			}
			for file, text := range files {
				want := strings.NewReplacer("‹west›", "us").Replace(text)
				if clean, err := hcledit.Format(fsys[file].Data); err == nil && bytes.Equal(clean, fsys[file].Data) {
					out, _ := hcledit.Format([]byte(want)) // what has the layout of fmt keeps it
					want = string(out)
				}
				if !strings.Contains(text, "‹") {
					if _, changed := got[file]; changed {
						t.Errorf("%s changed", file)
					}
					continue
				}
				if string(got[file]) != want {
					t.Errorf("%s: got\n%s\nwant\n%s", file, got[file], want)
				}
			}
		})
	}
	more := fstest.MapFS{
		"main.tf.json":    {Data: []byte(`{"terraform":{"required_providers":{"lab":{"source":"acme/lab","configuration_aliases":["lab.west"]}}},"resource":{"lab_thing":{"a":{"provider":"lab.west"}}}}`)},
		"mock.tftest.hcl": {Data: []byte("mock_provider \"lab\" {\n  alias = \"west\"\n}\n")},
		"q.tfquery.hcl":   {Data: []byte("list \"lab_thing\" \"x\" {\n  provider = lab.west\n}\n")},
	}
	if got, err := Rename(more, ".", "provider.lab.west", "provider.lab.us", Options{}); err != nil || len(got) != 3 {
		t.Errorf("%d files, %v", len(got), err)
	}
	for _, tt := range []struct{ text, from, to string }{
		{"terraform {\n  required_providers {\n    lab = {\n      source                = \"acme/lab\"\n      configuration_aliases = [lab.west, lab.us]\n    }\n  }\n}\n", "provider.lab.west", "provider.lab.us"},
		{"locals {\n  a = \n}\n", "local.a", "local.b"},
		{"removed {\n  from = terraform_data.a\n}\nresource \"terraform_data\" \"a\" {}\n", "terraform_data.a", "terraform_data.b"},
		{"data \"lab_info\" \"a\" {}\ncheck \"c\" {\n  data \"lab_info\" \"b\" {}\n  assert {\n    condition     = data.lab_info.b.ok\n    error_message = \"x\"\n  }\n}\n", "data.lab_info.a", "data.lab_info.b"},
		{"", "var.a", "var.b"},
		{"variable \"a\" {}\n", "var", "var.b"},
		{"variable \"a\" {}\n", "data.a", "var.b"},
	} {
		if got, err := Rename(fstest.MapFS{"main.tf": {Data: []byte(tt.text)}}, ".", tt.from, tt.to, Options{}); err == nil {
			t.Errorf("%s to %s in %q: %q", tt.from, tt.to, tt.text, got)
		}
	}
	tested := fstest.MapFS{
		"m/main.tf":       {Data: []byte("variable \"a\" {}\n")},
		"x/main.tf":       {Data: []byte("locals {}\n")},
		"x/t.tftest.hcl":  {Data: []byte("run \"r\" {\n  module {\n    source = \"../m\"\n  }\n  variables {\n    a = 1\n  }\n}\n")},
		"gone/q.tf":       {Data: []byte("module \"m\" {\n  source = var.s\n}\nvariable \"s\" {}\n")},
		"m/prod.tfvars":   {Data: []byte("a = 1\n")},
		"m/t.auto.tfvars": {Data: []byte("a = \n")},
	}
	if got, err := Rename(tested, "m", "var.a", "var.b", Options{Root: "."}); err == nil {
		t.Errorf("a test of another module runs it: %q", got)
	}
	delete(tested, "x/t.tftest.hcl")
	if got, err := Rename(tested, "m", "var.a", "var.b", Options{Root: "m"}); err == nil {
		t.Errorf("a file of values has a syntax error: %q", got)
	}
	callers := fstest.MapFS{
		"m/main.tf": {Data: []byte("variable \"a\" {}\noutput \"o\" {\n  value = var.a\n}\n")},
		"main.tf":   {Data: []byte("module \"m\" {\n  source = \"./m\"\n  a      = 1\n  b      = 2\n}\noutput \"all\" {\n  value = module.m\n}\n")},
	}
	for _, to := range [][2]string{{"var.a", "var.b"}, {"output.o", "output.p"}} {
		if got, err := Rename(callers, "m", to[0], to[1], Options{}); err == nil {
			t.Errorf("%q: %q", to, got)
		}
	}
	taken := fstest.MapFS{"main.tf": {Data: []byte("provider \"lab\" {\n  alias = \"west\"\n}\nprovider \"lab\" {\n  alias = \"us\"\n}\n")}}
	for _, addresses := range [][2]string{{"provider.lab.west", "provider.lab.us"}, {"provider.lab.none", "provider.lab.x"}, {"provider.lab.west", "provider.other.x"}} {
		if _, err := Rename(taken, ".", addresses[0], addresses[1], Options{}); err == nil {
			t.Errorf("%q is not refused", addresses)
		}
	}
}

// FuzzRename renames a local value: the result parses, and renaming back gives the text again.
func FuzzRename(f *testing.F) {
	f.Add([]byte("locals {\n  a = 1\n  b = local.a\n}\n"))
	f.Add([]byte("locals {\n  a = \"${local.c}\"\n  c = [for a in [1] : a]\n}\noutput \"a\" {\n  value = local.a\n}\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		rename := func(src []byte, from, to string) ([]byte, error) {
			out, err := Rename(fstest.MapFS{"main.tf": {Data: src}}, ".", from, to, Options{})
			return out["main.tf"], err
		}
		out, err := rename(src, "local.a", "local.a_new")
		if err != nil {
			return
		}
		if _, err := hclconfig.Parse("main.tf", out); err != nil {
			t.Fatalf("%q becomes %q: %v", src, out, err)
		}
		back, err := rename(out, "local.a_new", "local.a")
		if err != nil {
			t.Fatalf("%q becomes %q, and cannot be renamed back: %v", src, out, err)
		}
		if again, err := rename(back, "local.a", "local.a_new"); err != nil || !bytes.Equal(again, out) {
			t.Fatalf("%q, then %q: %v", out, again, err)
		}
	})
}
