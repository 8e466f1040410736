// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames_test

import (
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// FuzzTree asks everything that can be asked of a module and one that it calls. All places
// are in their files, and a value is wholly known or there is a reason.
func FuzzTree(f *testing.F) {
	f.Add("variable \"a\" {\n  default = 1\n}\nmodule \"m\" {\n  source = \"./m\"\n  i      = var.a\n}\nlocals {\n  l = module.m.o\n}\n", "variable \"i\" {\n}\noutput \"o\" {\n  value = [for x in [var.i] : x + 1]\n}\n", false)
	f.Add("locals {\n  a = local.b\n  b = { c = local.a, d = provider::p::f(1) }\n}\nmoved {\n  from = a.b\n  to   = module.m.a.b\n}\n", "resource \"a\" \"b\" {\n  count = length(data.x.y)\n}\n", true)
	f.Add("module \"m\" {\n  source = \"./${local.d}\"\n}\nlocals {\n  d = \"m\"\n}\n", "locals {\n  x = try(var.none, self, count.index)\n}\n", false)
	f.Fuzz(func(t *testing.T, main, child string, terraform bool) {
		if len(main)+len(child) > 1<<13 {
			return // no longer than a fuzzer reads quickly
		}
		dialect := hclconfig.OpenTofu
		if terraform {
			dialect = hclconfig.Terraform
		}
		sizes := map[string]int64{"main.tf": int64(len(main)), "m/main.tf": int64(len(child))}
		within := func(what any, r addrs.Range) {
			if r.Start.Offset > r.End.Offset || r.End.Offset > sizes[r.Filename] {
				t.Errorf("%v is at %v", what, r)
			}
		}
		tree, err := hclnames.LoadTree(files(map[string]string{"main.tf": main, "m/main.tf": child}), ".", dialect)
		if err != nil {
			return
		}
		for n := range tree.Graph().All() {
			within(n.Address, n.Range())
			for _, e := range n.Needs {
				within(e.Reference, e.Range())
			}
		}
		values := hclnames.NewEvaluator(nil)
		for m := range tree.All() {
			for _, x := range hclnames.FeaturesOf(m.Module.Files...) {
				within(x, x.Range)
			}
			names := hclnames.NamesOf(m.Module)
			for d := range m.Module.Declarations() {
				for _, u := range names.Uses(d.Address) {
					within(u.Text, u.NameRange())
				}
			}
			for _, file := range m.Module.Files {
				for a := range file.Body().AllArguments() {
					v := values.Evaluate(m, a.Expression)
					plain, _ := v.Value.UnmarkDeep()
					if plain.IsWhollyKnown() != (len(v.Unknown) == 0) {
						t.Errorf("%s: %#v %v", a.Name, plain, v.Unknown)
					}
					for _, u := range v.Unknown {
						within(u, u.Range)
					}
				}
			}
		}
	})
}

// FuzzExpand goes through the instances of a module and one that it calls: known ones are there
// once, each has its block, and where one is not known there is a reason.
func FuzzExpand(f *testing.F) {
	f.Add("module \"m\" {\n  source   = \"./m\"\n  for_each = toset([\"a\", \"b\"])\n  n        = length(each.key)\n}\n", "variable \"n\" {\n}\nresource \"a\" \"b\" {\n  count = var.n\n  dynamic \"d\" {\n    for_each = [1, count.index]\n    content {\n      v = d.value\n    }\n  }\n}\n", false)
	f.Add("resource \"a\" \"b\" {\n  for_each = { for k in [\"x\", \"${\"$\"}{y}\"] : k => a.c.id }\n}\nresource \"a\" \"c\" {\n  count = a.b[0].id\n}\n", "", true)
	f.Add("resource \"a\" \"b\" {\n  lifecycle {\n    enabled = 1 > 2\n  }\n}\ndata \"a\" \"b\" {\n  count = 1e9\n}\n", "locals {\n}\n", false)
	f.Fuzz(func(t *testing.T, main, child string, terraform bool) {
		if len(main)+len(child) > 1<<12 {
			return // no longer than a fuzzer reads quickly
		}
		dialect := hclconfig.OpenTofu
		if terraform {
			dialect = hclconfig.Terraform
		}
		tree, err := hclnames.LoadTree(files(map[string]string{"main.tf": main, "m/main.tf": child}), ".", dialect)
		if err != nil {
			return
		}
		seen, declared := make(map[string]bool), make(map[*hclconfig.Resource]bool)
		for m := range tree.All() {
			for _, list := range [][]*hclconfig.Resource{m.Module.Resources, m.Module.Data} {
				for _, r := range list {
					declared[r] = true
				}
			}
		}
		n := 0
		for i := range hclnames.NewEvaluator(nil).Expand(tree) {
			if n++; n > 500 {
				break
			}
			address := i.Address()
			if i.Block() == nil || i.Resource != nil && !declared[i.Resource] {
				t.Errorf("%s has no block of the tree", address)
			}
			if (i.Why != "") != strings.HasSuffix(address, "[?]") {
				t.Errorf("%s: %q", address, i.Why)
			}
			if seen[address] && i.Why == "" && !repeated(tree) {
				t.Errorf("%s is there twice", address)
			}
			seen[address] = true
		}
	})
}

// repeated reports whether something is declared more than once, which is an error of the module.
func repeated(tree *hclnames.Tree) bool {
	for m := range tree.All() {
		names := make(map[string]bool)
		for d := range m.Module.Declarations() {
			if names[d.Address] {
				return true
			}
			names[d.Address] = true
		}
	}
	return false
}
