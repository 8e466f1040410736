// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclgraph"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/zclconf/go-cty/cty"
)

// A Validation configures [Validate]. The zero Validation makes the checks
// of the validate command of the dialect's program, without schemas.
type Validation struct {
	// Schemas, if not nil, has the schemas of providers. Without them, the
	// arguments of their resources are not checked. The schemas of the built-in
	// provider are always known. What a schema marks as deprecated gives a
	// warning, which the programs leave to the provider: they ask it about known
	// values in blocks without errors. Values from deprecated attributes give one
	// as in OpenTofu 1.12, but at their expression, also in the blocks of a provider;
	// other programs warn of references to such attributes.
	Schemas *hclconfig.Schemas
	// Plan adds the errors that the plan command, without options, finds in a
	// configuration that the validate command accepts, as far as they depend on
	// the configuration alone and not on the state or on the values of the root
	// module's variables: resources that refer to themselves, moved blocks that
	// contradict the configuration or each other, removed blocks of objects that
	// are still there, imports into nothing or twice into the same instance, and
	// whatever the known instances and inputs of modules make wrong. Objects with
	// more than 1000 instances have no known ones for moved blocks and indexes,
	// and of more than 1000 moved blocks only those from one address to the same
	// address make a cycle.
	Plan bool
}

// Validate returns the faults that the program of the dialect of t finds in
// the module and those that it calls. It first checks the files by themselves,
// as [ValidateModule] does; without an error there, it checks them together.
// The summaries and places are those of the program. Like the program, it does
// not check objects that depend on a faulty one.
//
// Like the program, it also checks each local module that a run of a test file is
// about, if the tree has test files: see [hclconfig.TestDirectory].
//
// Diagnostics come in the order of the files and of the text. A module that is
// called several times is reported once.
func Validate(t *hclnames.Tree, v Validation) hclconfig.Diagnostics {
	if t == nil || t.Module == nil {
		return nil
	}
	c := newTreeChecker(t, v)
	c.root = t
	c.readFunctions()
	late := c.dialect == hcllang.Terraform // which looks at the files first
	if !late {
		c.required(t)
	}
	if c.out.HasErrors() {
		return c.finish()
	}
	c.load(t)
	if late && !c.failed() {
		c.required(t)
	}
	if !c.failed() {
		c.missingDirectories()
		for _, x := range c.tests {
			x.missingDirectories()
		}
	}
	if !c.failed() {
		c.providers(t, nil)
		c.importProviders(t.Module)
		c.testProviders(t.Module)
	}
	if !c.failed() {
		c.evaluateAll()
		c.validateRuns()
	}
	if v.Plan && !c.failed() {
		c.plan()
	}
	return c.finish()
}

// evaluateAll checks what depends on values.
func (c *treeChecker) evaluateAll() {
	c.configurations(c.root)
	c.build()
	if c.dialect == hcllang.Terraform {
		c.absentConfigurations(c.scopes[c.root])
	}
	if !c.out.HasErrors() && !c.cycles() {
		c.walk()
		c.out = append(c.out, c.scopes[c.root].imports()...)
	}
}

// A treeChecker checks a tree of modules.
type treeChecker struct {
	program langfuncs.Program
	dialect hcllang.Dialect
	root    *hclnames.Tree
	minor   int
	// isType reports whether a reference is the name of a type.
	isType func(hcl.Traversal) bool
	// unreleased reports that the dialect names no release.
	unreleased bool
	schemas    map[string]*provschema.Provider
	// context has the functions.
	context *hcl.EvalContext
	out     hclconfig.Diagnostics
	// planning reports that the plan's checks are made, after all others.
	planning bool
	expanded map[*hclnames.Tree][]string // the addresses of the instances of modules, for the plan
	nodes    []*hclgraph.Node
	run      func(*hclgraph.Node) hclconfig.Diagnostics // makes the checks of a node
	scopes   map[*hclnames.Tree]*moduleScope
	inner    map[*hclgraph.Module]*moduleScope
	loaded   map[*hclconfig.Module]bool
	// requirements has the first entry of required_providers for each local name.
	requirements map[*hclconfig.Module]map[string]*hclconfig.ProviderRequirement
	values       *hclnames.Evaluator
	uses         *providerUse
	checkers     map[*hclnames.Tree]*staticChecker
	// tests has those of the modules that runs of test files are about.
	tests []*treeChecker
	// tested reports that this is one of them.
	tested bool
	// deprecations reports that values may have marks of what is deprecated.
	deprecations bool
	costs        hcleval.Budget
	// found has what expressions refer to, as far as it was asked for.
	found map[hclsyntax.Expression][]hcl.Traversal
}

func newTreeChecker(t *hclnames.Tree, v Validation) *treeChecker {
	c := &treeChecker{dialect: hclsource.Program(t.Module.Dialect()), minor: -1, schemas: (*provschema.Schemas)(v.Schemas).Providers(), scopes: map[*hclnames.Tree]*moduleScope{}, inner: map[*hclgraph.Module]*moduleScope{}, loaded: map[*hclconfig.Module]bool{}, requirements: map[*hclconfig.Module]map[string]*hclconfig.ProviderRequirement{}, values: hclnames.NewEvaluator(nil), checkers: map[*hclnames.Tree]*staticChecker{}, found: map[hclsyntax.Expression][]hcl.Traversal{}}
	if c.dialect == hcllang.Terraform {
		c.program = langfuncs.Terraform
		c.minor = int(hcllang.NewestTerraform % 1000)
	}
	c.unreleased = true
	if r := hclsource.Release(t.Module.Dialect()); r != 0 {
		c.unreleased = false
		c.minor = int(r % 1000)
	}
	c.isType = hclsource.TypeNames(t.Module.Dialect())
	c.context = &hcl.EvalContext{Functions: langfuncs.Table(c.program, c.minor), Variables: map[string]cty.Value{}}
	return c
}

func (c *treeChecker) hasApplying() bool { return c.dialect == hcllang.OpenTofu || c.minor >= 10 }

// finish returns the diagnostics in order, each once.
func (c *treeChecker) finish() hclconfig.Diagnostics {
	if len(c.tests) > 0 {
		seen := map[hclconfig.Diagnostic]bool{}
		for _, d := range c.out {
			seen[d] = true
		}
		for _, x := range c.tests {
			for _, d := range x.out {
				if !seen[d] {
					c.out = append(c.out, d) // not that of a called module again
				}
			}
		}
	}
	out := hclsource.Sorted(c.out)
	c.decodedPlaces(out)
	return slices.CompactFunc(out, func(a, b hclconfig.Diagnostic) bool { return a == b })
}

// A moduleScope has the declarations of a module, by name.
type moduleScope struct {
	check     *treeChecker
	tree      *hclnames.Tree
	m         *hclconfig.Module
	variables map[string]*scopedVariable
	locals    map[string]*hclconfig.Local
	calls     map[string]*hclconfig.ModuleCall
	outputs   map[string]*hclconfig.Output
	resources map[string]*hclconfig.Resource // by address
	scoped    map[string]string              // addresses of data blocks in check blocks: the names of these
	values    map[string]cty.Value           // of local values, as they become known
	children  map[string]*moduleScope
	providers map[string]*hclconfig.Provider // by address
	required  map[string]*hclconfig.ProviderRequirement
	results   map[*hclconfig.Resource]cty.Value
	schemas   map[*hclconfig.Resource]*provschema.Block
	repeated  map[*hclconfig.Block]*instanceSet // for the plan, as they become known
	absent    map[*hclconfig.Import]bool        // imports without a target
	graph     *hclgraph.Module
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
	typ, defaults, err := v.TypeConstraint()
	if err != nil {
		typ = cty.DynamicPseudoType
	}
	v.typ, v.defaults, v.wrong = typ, defaults, err
	v.unknown = cty.UnknownVal(typ.WithoutOptionalAttributesDeep())
	if v.Sensitive.Value {
		v.unknown = v.unknown.Mark(langfuncs.Sensitive)
	}
	if v.Ephemeral.Value {
		v.unknown = v.unknown.Mark(langfuncs.Ephemeral)
	}
	return v.unknown
}

func (c *treeChecker) scope(t *hclnames.Tree) *moduleScope {
	m := t.Module
	s := &moduleScope{
		check: c, tree: t, m: m,
		variables: make(map[string]*scopedVariable, len(m.Variables)), locals: make(map[string]*hclconfig.Local, len(m.Locals)),
		calls: make(map[string]*hclconfig.ModuleCall, len(m.Calls)), outputs: make(map[string]*hclconfig.Output, len(m.Outputs)),
		resources: make(map[string]*hclconfig.Resource, len(m.Resources)+len(m.Data)), values: make(map[string]cty.Value, len(m.Locals)),
		children: make(map[string]*moduleScope, len(t.Children)), providers: make(map[string]*hclconfig.Provider, len(m.Providers)),
		required: map[string]*hclconfig.ProviderRequirement{}, results: map[*hclconfig.Resource]cty.Value{},
	}
	for _, v := range m.Variables {
		s.variables[v.Name] = &scopedVariable{Variable: v}
	}
	for _, l := range m.Locals {
		s.locals[l.Name] = l
	}
	for _, k := range m.Calls {
		s.calls[k.Name] = k
	}
	for _, o := range m.Outputs {
		s.outputs[o.Name] = o
	}
	for _, list := range [][]*hclconfig.Resource{m.Resources, m.Data, m.Ephemeral} {
		for _, r := range list {
			s.resources[hclsource.Address(r)] = r
		}
	}
	for _, k := range m.Checks {
		if k.Data != nil {
			if s.scoped == nil {
				s.scoped = map[string]string{}
			}
			s.resources[hclsource.Address(k.Data)] = k.Data
			s.scoped[hclsource.Address(k.Data)] = k.Name
		}
	}
	for _, p := range m.Providers {
		s.providers[p.Address()] = p
	}
	for _, set := range m.Settings {
		for _, r := range set.RequiredProviders {
			s.required[r.Name] = r
		}
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

// moduleValue returns the value of a call: an object of unknown outputs, or
// many of them.
func (s *moduleScope) moduleValue(call *hclconfig.ModuleCall) cty.Value {
	child := s.children[call.Name]
	if child == nil {
		return cty.DynamicVal
	}
	types := make(map[string]cty.Type, len(child.outputs))
	for name := range child.outputs {
		types[name] = cty.DynamicPseudoType
	}
	t := cty.Object(types)
	if s.check.planning {
		if v := instancesOf(s.callInstances(call), cty.UnknownVal(t)); v != cty.NilVal {
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
	// Terraform's validate knows no types of resources: it leaves them to the plan.
	if s.check.planning || !repeated && s.check.dialect == hcllang.OpenTofu {
		if schema := s.schemaOf(r); schema != nil {
			v = unknownValue(schema, s.check.planning || r.Mode == addrs.Ephemeral, s.check.deprecatedName(r))
		}
	}
	if repeated && s.check.planning {
		all := instancesOf(s.resourceInstances(r), v)
		if all == cty.NilVal {
			all = cty.DynamicVal
		}
		v = all
	}
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

// load checks the files of each module by themselves, and makes all checks that
// need no evaluation.
func (c *treeChecker) load(root *hclnames.Tree) {
	for t := range root.All() {
		if c.loaded[t.Module] {
			c.static(t)
			c.computed(t)
			continue
		}
		c.loaded[t.Module] = true
		c.out = append(c.out, checkModule(t.Module, true)...)
		c.static(t)
		c.computed(t)
		c.runs(t.Module)
		called := t.Parent != nil || c.tested
		if called && len(t.Module.Imports) > 0 {
			b := t.Module.Imports[0].Block
			c.out = append(c.out, hclsource.ErrorAt(hclsource.DefRange(b), "Invalid import configuration", "An import block was detected in %q. Import blocks are only allowed in the root module.", t.Path()))
		}
		if called {
			c.ignoredBackend(t)
		}
		c.overriddenDefaults(t.Module)
		if t != root {
			continue
		}
		if c.out.HasErrors() {
			return // the programs do not read the called module
		}
		if t == c.root && len(t.Module.Tests) > 0 {
			c.readRuns()
			for _, x := range c.tests {
				x.load(x.root)
			}
		}
	}
}

// missingDirectories reports local calls whose directories do not exist.
func (c *treeChecker) missingDirectories() {
	for t := range c.root.All() {
		for _, call := range t.Missing {
			if call.IsLocal() && has(t.Module, call) {
				c.out = append(c.out, hclsource.ErrorAt(call.Source.Argument.Expression.Range(), "Unreadable module directory",
					"The directory %s could not be read for module %q.", call.LocalDir(t.Module.Dir), call.Name))
			}
		}
	}
}

// importProviders checks that the provider of an import block is that of the
// resource that it imports into.
func (c *treeChecker) importProviders(m *hclconfig.Module) {
	if len(m.Imports) == 0 {
		return
	}
	resources := map[string]*hclconfig.Resource{}
	for _, r := range m.Resources {
		resources[hclsource.Address(r)] = r
	}
	for _, i := range m.Imports {
		a := i.Block.Argument("provider")
		x, ok := hclsource.NativeForm(i.To)
		if a == nil || !ok {
			continue
		}
		text, ok := hclsource.AddressShape(x)
		if !ok {
			continue
		}
		target, err := addrs.ParseAbsResourceInstance(text)
		if err != nil {
			continue
		}
		if !target.Module().IsRoot() {
			c.out = append(c.out, hclsource.ErrorAt(a.NameRange(), "Invalid import provider argument", "The provider argument can only be specified in import blocks that will generate configuration. Use the providers argument within the module block to configure providers for all resources within a module, including imported resources."))
			continue
		}
		if r := resources[target.Resource().String()]; r != nil {
			switch given := hclsource.ProviderRef(a.Expression); {
			case !r.Provider.IsSet():
				c.out = append(c.out, hclsource.ErrorAt(a.NameRange(), "Invalid import provider argument", "The provider argument in the target resource block must be specified and match the import block."))
			case r.Provider.Name != given.Name || r.Provider.Alias != given.Alias:
				c.out = append(c.out, hclsource.ErrorAt(a.NameRange(), "Invalid import provider argument", "The provider argument in the target resource block must match the import block."))
			}
		}
	}
}

// has reports whether the directory of a local call would be in the file
// system of the module.
func has(m *hclconfig.Module, call *hclconfig.ModuleCall) bool {
	dir := call.LocalDir(m.Dir)
	return !strings.HasPrefix(dir, "..") && !strings.HasPrefix(dir, "/") && call.Source.Argument != nil
}

// runs reports runs of the same name in a test file, which OpenTofu has nothing
// against, and other blocks that are there twice.
func (c *treeChecker) runs(m *hclconfig.Module) {
	for _, f := range m.Tests {
		c.duplicates(f.Config())
	}
	if c.dialect != hcllang.Terraform {
		return
	}
	for _, f := range m.Tests {
		seen := map[string]bool{}
		for _, r := range f.Config().Runs {
			if seen[r.Name] {
				c.out = append(c.out, hclsource.ErrorAt(hclsource.DefRange(r.Block), "Duplicate \"run\" block names", "This test file already has a run block named %q.", r.Name))
			}
			seen[r.Name] = true
			if c.minor >= 13 {
				c.definitions(f, r)
			}
		}
	}
}

// definitions reports the provider configurations that a run passes on and its
// file does not have.
func (c *treeChecker) definitions(f *hclconfig.File, r *hclconfig.Run) {
	call := hclconfig.ModuleCall{Block: r.Block, Providers: r.Providers}
	for _, p := range call.ProviderMappings() {
		name := p.Outer.String()
		mocked := func(m *hclconfig.MockProvider) bool {
			return m.Name == p.Outer.Name && m.Alias.Value == p.Outer.Alias
		}
		if p.Outer.Name == "" || slices.ContainsFunc(f.Config().MockProviders, mocked) ||
			slices.ContainsFunc(f.Config().Providers, func(p *hclconfig.Provider) bool { return p.Address() == name }) {
			continue
		}
		c.fail(p.Outer.Expression, "Missing provider definition for "+name, "This provider block references a provider definition that does not exist.")
	}
}

// absentConfigurations reports resources of the root module whose provider
// configurations only a caller could give it, which Terraform takes for
// configurations that were removed.
func (c *treeChecker) absentConfigurations(s *moduleScope) {
	for _, r := range hclsource.AllResources(s.m) {
		p := r.Provider
		required := s.required[p.Name]
		if p.Alias == "" || p.Key != "" || required == nil || s.providers[p.String()] != nil {
			continue
		}
		if slices.ContainsFunc(required.ConfigurationAliases, func(a hclconfig.ProviderRef) bool { return a.Alias == p.Alias }) {
			c.fail(p.Expression, "Provider configuration not present", "The configuration %s that %s needs is not in the root module, which has no caller that could give it.", p, hclsource.Address(r))
		}
	}
}

// ignoredBackend warns of a backend in a module that is called.
func (c *treeChecker) ignoredBackend(t *hclnames.Tree) {
	for _, set := range t.Module.Settings {
		for i := range set.Block.Body.Blocks {
			b := &set.Block.Body.Blocks[i]
			if b.Type == "backend" || b.Type == "cloud" && c.dialect == hcllang.Terraform && c.minor >= 12 {
				c.out = append(c.out, hclconfig.Diagnostic{Severity: hclconfig.SeverityWarning, Summary: hclsource.UpperFirst(b.Type) + " configuration ignored",
					Detail: fmt.Sprintf("Any selected backend applies to the entire configuration, so %s expects backend configurations only in the root module.", c.dialect), Subject: hclsource.DefRange(b)})
			}
		}
	}
}

// overriddenDefaults checks the defaults of variables whose type or default an
// override file has changed.
func (c *treeChecker) overriddenDefaults(m *hclconfig.Module) {
	for _, v := range m.Variables {
		if len(v.OverriddenBy) == 0 || !v.Default.IsSet() {
			continue
		}
		if _, err := v.Default.Constant(); err != nil {
			continue // which has been reported
		}
		reported := func(d hclconfig.Diagnostic) bool {
			return d.Summary == "Invalid default value for variable" && d.Subject == v.Default.Range()
		}
		if _, _, err := v.TypeConstraint(); err != nil || slices.ContainsFunc(c.out, reported) {
			continue
		}
		if _, err := v.TypedDefault(); err != nil {
			last := v.OverriddenBy[len(v.OverriddenBy)-1]
			c.out = append(c.out, hclsource.ErrorAt(hclsource.DefRange(last), "Invalid default value for variable", "The default of variable %q is not compatible with its type since an override file changed one of them.", v.Name))
		}
	}
}
