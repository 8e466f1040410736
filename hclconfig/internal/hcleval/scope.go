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
	// outputs of modules by the name of the call, as far as they are referred to.
	outputs map[string]map[string]cty.Value
	self    cty.Value
}

// put adds the value of a name after a first word.
func (r *Scope) put(root, name string, v cty.Value) {
	if r.names == nil {
		r.names = map[string]map[string]cty.Value{}
	}
	if r.names[root] == nil {
		r.names[root] = map[string]cty.Value{}
	}
	r.names[root][name] = v
}

// Put adds the value of the object that s names. Of a module it is an object of outputs.
func (r *Scope) Put(s *hclsource.Subject, v cty.Value) {
	name := func(root string) { r.put(root, s.Name, v) }
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
		if !v.IsKnown() || !v.Type().IsObjectType() || v.IsMarked() {
			name("module")
			return
		}
		if r.outputs == nil {
			r.outputs = map[string]map[string]cty.Value{}
		}
		outputs := r.outputs[s.Name]
		if outputs == nil {
			outputs = map[string]cty.Value{}
			r.outputs[s.Name] = outputs
		}
		if s.Kind == hclsource.ToModule && len(outputs) == v.LengthInt() {
			return // it is there
		}
		for it := v.ElementIterator(); it.Next(); {
			k, x := it.Element()
			outputs[k.AsString()] = x
		}
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
	for called, outputs := range r.outputs {
		if _, ok := r.names["module"][called]; !ok {
			r.put("module", called, cty.ObjectVal(outputs))
		}
	}
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
