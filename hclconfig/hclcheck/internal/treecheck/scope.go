// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package treecheck

import (
	"cmp"

	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclgraph"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclschema"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/zclconf/go-cty/cty"
)

// deprecatedName returns the name of a resource for the marks of what is deprecated in it,
// "" for a program that has none.
func (c *treeChecker) deprecatedName(r *hclconfig.Resource) string {
	if !c.has(hclsource.DeprecatedSources) || r.Enabled().IsSet() { // whose values have no marks
		return ""
	}
	c.deprecations = true
	name := r.Type + "." + r.Name
	if r.Mode != addrs.Managed {
		name = string(r.Mode) + "." + name
	}
	return name
}

// directory is path.module of a module, if it is known.
func (s *moduleScope) directory() cty.Value {
	root := s.check.root
	dir := hclsource.RelativeDir(cmp.Or(root.WorkingDir, root.Module.Dir), s.m.Dir)
	if root.FS == nil || dir == "" {
		return cty.UnknownVal(cty.String)
	}
	return cty.StringVal(dir)
}

// A moduleScope has the declarations of a module, by name.
type moduleScope struct {
	check *treeChecker
	tree  *hclnames.Tree
	m     *hclconfig.Module
	*hclsource.Declared
	variables map[string]*scopedVariable
	values    map[string]cty.Value // of local values, as they become known
	children  map[string]*moduleScope
	providers map[string]*hclconfig.Provider // by address
	required  map[string]*hclconfig.ProviderRequirement
	// results has the values of resources, and called those of calls, as references have asked for them.
	results  map[*hclconfig.Resource]cty.Value
	called   map[calledModule]cty.Value
	schemas  map[*hclconfig.Resource]*provschema.Block
	repeated map[*hclconfig.Block]*hcleval.Instances // for the plan, as they become known
	graph    *hclgraph.Module
}

type scopedVariable struct {
	*hclconfig.Variable
	typ      cty.Type
	defaults *typeexpr.Defaults
	wrong    error // with the type
	unknown  cty.Value
	resolved bool
}

// value is the variable's value while none is given.
func (v *scopedVariable) value() cty.Value {
	if v.resolved {
		return v.unknown
	}
	v.resolved = true
	// The fault of the type is reported with the file; the program goes on with any type.
	typ, defaults, err := v.TypeConstraint()
	if err != nil {
		typ = cty.DynamicPseudoType
	}
	v.typ, v.defaults, v.wrong = typ, defaults, err
	v.unknown = v.marked(cty.UnknownVal(typ.WithoutOptionalAttributesDeep()))
	return v.unknown
}

// marked returns a value of the variable with its marks.
func (v *scopedVariable) marked(value cty.Value) cty.Value {
	if v.Sensitive.Value {
		value = value.Mark(langfuncs.Sensitive)
	}
	if v.Ephemeral.Value {
		value = value.Mark(langfuncs.Ephemeral)
	}
	return value
}

// scope makes the scope of a module. A module that is called twice has two: what its variables are
// differs.
func (c *treeChecker) scope(t *hclnames.Tree) *moduleScope {
	m := t.Module
	s := &moduleScope{
		check: c, tree: t, m: m, Declared: c.staticChecker(t).Declared,
		variables: make(map[string]*scopedVariable, len(m.Variables)), values: make(map[string]cty.Value, len(m.Locals)),
		children: make(map[string]*moduleScope, len(t.Children)), providers: make(map[string]*hclconfig.Provider, len(m.Providers)),
		required: map[string]*hclconfig.ProviderRequirement{}, results: map[*hclconfig.Resource]cty.Value{}, called: map[calledModule]cty.Value{},
		schemas: map[*hclconfig.Resource]*provschema.Block{}, repeated: map[*hclconfig.Block]*hcleval.Instances{},
	}
	for name, v := range s.Variables {
		s.variables[name] = &scopedVariable{Variable: v}
	}
	for _, p := range m.Providers {
		s.providers[p.Address()] = p
	}
	for _, r := range hclsource.Requirements(m.Settings) {
		s.required[r.Name] = r
	}
	c.scopes[t] = s
	return s
}

// title names the module in messages.
func (s *moduleScope) title() string {
	if p := s.tree.Path(); p != "" {
		return p
	}
	return "the root module"
}

// A calledModule is a call as far as its value depends on it.
type calledModule struct {
	*hclconfig.ModuleCall
	instances *hcleval.Instances // nil before the plan
}

// moduleValue returns the value of a call: an object of unknown outputs, or
// many of them. Each reference to an output asks for it, so it is remembered.
func (s *moduleScope) moduleValue(call *hclconfig.ModuleCall) cty.Value {
	child := s.children[call.Name]
	if child == nil {
		return cty.DynamicVal
	}
	called := calledModule{ModuleCall: call}
	if s.check.planning {
		called.instances = s.callInstances(call)
	}
	v, ok := s.called[called]
	if !ok {
		v = child.outputsOf(called)
		s.called[called] = v
	}
	return v
}

// outputsOf returns the value of a call of the module.
func (child *moduleScope) outputsOf(call calledModule) cty.Value {
	types := make(map[string]cty.Type, len(child.Outputs))
	// OpenTofu 1.12.6, internal/tofu/evaluate.go: evaluationStateData.GetModule. The types of outputs are not known before
	// they are evaluated.
	for name := range child.Outputs {
		types[name] = cty.DynamicPseudoType
	}
	t := cty.Object(types)
	// OpenTofu 1.12.6, internal/tofu/evaluate.go: evaluationStateData.GetModule. The number of instances is known with the
	// plan.
	if call.instances != nil {
		if v := call.instances.Value(cty.UnknownVal(t)); v != cty.NilVal {
			return v
		}
	}
	switch {
	case call.Count.IsSet():
		t = cty.List(t)
	case call.ForEach.IsSet():
		t = cty.Map(t)
	}
	return cty.UnknownVal(t)
}

// resourceValue returns the value of a resource.
func (s *moduleScope) resourceValue(r *hclconfig.Resource) cty.Value {
	if r == nil {
		return cty.DynamicVal
	}
	if v, ok := s.results[r]; ok {
		return v
	}
	v := cty.DynamicVal
	repeated := r.Count.IsSet() || r.ForEach.IsSet()
	if s.check.planning || !repeated && s.check.knowsTypes() {
		if schema := s.schemaOf(r); schema != nil {
			v = hclschema.UnknownValue(schema, s.check.planning || r.Mode == addrs.Ephemeral, s.check.deprecatedName(r))
		}
	}
	if repeated && s.check.planning {
		all := s.resourceInstances(r).Value(v)
		if all == cty.NilVal {
			all = cty.DynamicVal
		}
		v = all
	}
	// OpenTofu 1.12.6, internal/tofu/evaluate.go: evaluationStateData.GetResource.
	if r.Mode == addrs.Ephemeral {
		v = v.Mark(langfuncs.Ephemeral)
	}
	s.results[r] = v
	return v
}

// instanceType is the type of one instance of r, or cty.NilType.
func (s *moduleScope) instanceType(r *hclconfig.Resource) cty.Type {
	if schema := s.schemaOf(r); schema != nil && !r.Count.IsSet() && !r.ForEach.IsSet() {
		return schema.Implied
	}
	return cty.NilType
}

// builtIn reports whether a local name is that of the built-in provider.
func (s *moduleScope) builtIn(name string) bool {
	p, err := s.m.ProviderOf(name)
	return err == nil && p.IsBuiltIn()
}

// builtInFunctions is builtIn for the functions of a provider.
func (s *moduleScope) builtInFunctions(name string) bool {
	return s.check.has(hclsource.BuiltInFunctions) && s.builtIn(name)
}

// signature returns what the schemas say of a function of a provider, or nil.
func (s *moduleScope) signature(localName, name string) *provschema.Function {
	if p := s.provider(localName); p != nil {
		return p.Functions[name]
	}
	return nil
}

// lacksFunction reports whether a provider with known schemas has no such function. The name is
// NAME::FUNCTION, in parts; with an alias there is no such function.
func (s *moduleScope) lacksFunction(parts []string) bool {
	p := s.provider(parts[0])
	return p != nil && !s.builtIn(parts[0]) && (len(parts) != 2 || p.Functions[parts[1]] == nil)
}

// parent returns the scope of the calling module, or nil for the root.
func (s *moduleScope) parent() *moduleScope { return s.check.scopes[s.tree.Parent] }
