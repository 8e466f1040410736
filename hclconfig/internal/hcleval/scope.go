// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcleval

import (
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/zclconf/go-cty/cty"
)

// Scope has the values of what an expression refers to.
type Scope struct {
	// names by the first word, and resources by mode and type.
	names     map[string]map[string]cty.Value
	resources map[string]map[string]map[string]cty.Value
	self      cty.Value
}

// Put adds the value of the object that s names. Of a module it is an object of outputs.
func (r *Scope) Put(s *hclsource.Subject, v cty.Value) {
	name := func(root string) {
		if r.names == nil {
			r.names = map[string]map[string]cty.Value{}
		}
		if r.names[root] == nil {
			r.names[root] = map[string]cty.Value{}
		}
		r.names[root][s.Name] = v
	}
	switch s.Kind {
	case hclsource.ToSelf:
		r.self = v
	case hclsource.ToResource:
		root := "resource"
		if s.Mode != addrs.Managed {
			root = string(s.Mode)
		}
		if r.resources == nil {
			r.resources = map[string]map[string]map[string]cty.Value{}
		}
		if r.resources[root] == nil {
			r.resources[root] = map[string]map[string]cty.Value{}
		}
		if r.resources[root][s.Type] == nil {
			r.resources[root][s.Type] = map[string]cty.Value{}
		}
		r.resources[root][s.Type][s.Name] = v
	case hclsource.ToVariable:
		name("var")
	case hclsource.ToLocal:
		name("local")
	case hclsource.ToModule, hclsource.ToOutput:
		if had, ok := r.names["module"][s.Name]; ok && had.IsKnown() && v.IsKnown() && had.Type().IsObjectType() && v.Type().IsObjectType() {
			all := had.AsValueMap()
			if all == nil {
				all = map[string]cty.Value{}
			}
			for k, x := range v.AsValueMap() {
				all[k] = x
			}
			v = cty.ObjectVal(all)
		}
		name("module")
	case hclsource.ToCount:
		name("count")
	case hclsource.ToEach:
		name("each")
	case hclsource.ToPath:
		name("path")
	case hclsource.ToProgram:
		name("terraform")
	}
}

// Variables returns the variables of the context of the expression.
func (r *Scope) Variables(d hcllang.Dialect) map[string]cty.Value {
	out := map[string]cty.Value{}
	for root, types := range r.resources {
		objects := map[string]cty.Value{}
		for typ, names := range types {
			objects[typ] = cty.ObjectVal(names)
			if root == "resource" {
				out[typ] = objects[typ]
			}
		}
		out[root] = cty.ObjectVal(objects)
	}
	for root, names := range r.names {
		out[root] = cty.ObjectVal(names)
		if root == "terraform" && d == hcllang.OpenTofu {
			out["tofu"] = out[root]
		}
	}
	if r.self != cty.NilVal {
		out["self"] = r.self
	}
	return out
}
