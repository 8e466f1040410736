// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package treecheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclgraph"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclschema"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/provschema"
)

// Validate returns the faults of a tree, with those that the plan finds if plan is set, and
// those of the kits for providers if kits is set.
func Validate(t *hclnames.Tree, schemas map[string]*provschema.Provider, plan, kits bool) hclconfig.Diagnostics {
	// The stages are those of OpenTofu 1.12.6, internal/command/validate.go: ValidateCommand.Run, which loads the
	// configuration, and internal/tofu/context_validate.go: Context.Validate, which evaluates it. An error in a stage
	// leaves out those after it.
	c := newTreeChecker(t, schemas)
	c.kits = kits
	c.readFunctions()
	late := !c.has(hclsource.RequiredVersionInTofu) // which looks at the files first
	if !late {
		c.required(t)
	}
	if c.dialect == hcllang.OpenTofu {
		c.valueFiles(t)
	}
	if c.out.HasErrors() {
		return c.finish()
	}
	c.load(t)
	// Up to OpenTofu 1.11 the constraint is looked at when all files have been read, and so it is in Terraform.
	if late && !c.failed() {
		c.required(t)
	}
	if !c.failed() {
		c.missingDirectories()
		for _, x := range c.tests {
			x.missingDirectories()
		}
	}
	if !c.failed() || late && !c.rootFailed {
		p := providerChecker{treeChecker: c, requirements: map[*hclconfig.Module]map[string]*hclconfig.ProviderRequirement{}}
		p.providers(t, nil)
	}
	if !c.failed() {
		c.importProviders(t)
		testFiles{c}.testProviders(t.Module)
	}
	if !c.failed() {
		c.provisionerPlugins()
	}
	if !c.failed() {
		c.evaluateAll()
		testFiles{c}.validateRuns()
	}
	// The plan command validates first: what it adds is for configurations without errors.
	if plan && !c.failed() {
		c.plan()
	}
	return c.finish()
}

// evaluateAll checks what depends on values.
func (c *treeChecker) evaluateAll() {
	providers := providerChecker{treeChecker: c}
	providers.configurations()
	c.build()
	// A graph with cycles has no order in which its nodes could be looked at.
	if !c.out.HasErrors() && !c.cycles() {
		c.walk()
		imports := importChecker{moduleScope: c.scopes[c.root]}
		c.out = append(c.out, imports.imports()...)
	}
}

// cycles reports objects that depend on each other in a circle, each circle
// once, by the shortest way around.
func (c *treeChecker) cycles() bool {
	groups := hclgraph.StrongGroups(c.nodes)
	selves := c.selfCalls()
	for _, g := range groups {
		// The programs list the whole group in an order of their own; the shortest way around is what has to be cut.
		way := hclgraph.ShortestCycle(g)
		names := make([]string, len(way))
		for i, n := range way {
			names[i] = n.Name
			if _, ok := n.Decl.(*hclconfig.Resource); ok {
				names[i] = strings.TrimSuffix(n.Name, " (expand)") // a resource has no instances before the plan
			}
		}
		first := slices.MinFunc(way, func(a, b *hclgraph.Node) int {
			if a.File.Filename() != b.File.Filename() {
				return strings.Compare(a.File.Filename(), b.File.Filename())
			}
			return int(a.At().Start.Offset - b.At().Start.Offset)
		})
		// OpenTofu 1.12.6, internal/dag/dag.go: AcyclicGraph.Validate.
		c.out = append(c.out, hclsource.ErrorAt(first.At(), "Cycle: "+strings.Join(names, ", "), ""))
	}
	return len(groups) > 0 || selves
}

// selfCalls reports configurations of providers that call functions of the same configuration, which OpenTofu takes for
// references. It knows no place of them.
//
// OpenTofu 1.12.6, internal/dag/dag.go: AcyclicGraph.Validate.
func (c *treeChecker) selfCalls() (found bool) {
	if c.dialect == hcllang.Terraform {
		return false
	}
	for _, n := range c.nodes {
		p, ok := n.Decl.(*hclconfig.Provider)
		if !ok || !c.used(c.inner[n.Scope].tree, p) {
			continue
		}
		prefix := "provider::" + p.Name + "::"
		if p.Alias.IsSet() {
			prefix += p.Alias.Value + "::"
		}
		for a := range p.Config().AllArguments() {
			if !strings.Contains(a.Expression.Raw(), prefix) {
				continue
			}
			// OpenTofu 1.12.6, internal/tofu/transform_provider.go: ProviderFunctionTransformer.Transform connects each
			// caller with the provider.
			for _, call := range hclsource.Calls(a.Expression) {
				if function, ok := strings.CutPrefix(call.Name, prefix); !ok || strings.Contains(function, "::") {
					continue
				}
				address, _ := c.inner[n.Scope].m.ProviderOf(p.Name)
				c.out = append(c.out, hclsource.ErrorAt(call.At, fmt.Sprintf("Self reference: provider[%q]", address), "The configuration of the provider calls the function %s of the provider itself.", call.Name))
				found = true
			}
		}
	}
	return found
}

// build makes the scopes and the graph of the tree.
func (c *treeChecker) build() {
	inner := c.inner
	var visit func(t *hclnames.Tree, parent *moduleScope)
	visit = func(t *hclnames.Tree, parent *moduleScope) {
		s := c.scope(t)
		above := (*hclgraph.Module)(nil)
		if parent != nil {
			parent.children[t.Call.Name] = s
			above = parent.graph
			c.out = append(c.out, parent.checkInputs(t.Call, s)...)
		}
		s.graph = hclgraph.NewModule(t.Module, t.Call, above, t.Missing)
		if parent == nil {
			s.graph.Path = t.Path()
		}
		inner[s.graph] = s
		for _, child := range t.Children {
			visit(child, s)
		}
	}
	visit(c.root, nil)
	hooks := &hclgraph.Hooks{Loose: !c.has(hclsource.StrictCycles), Body: func(m *hclgraph.Module, owner any, b *hclconfig.Body, add func(hclconfig.Expression)) {
		var schema *provschema.Block
		switch x := owner.(type) {
		case *hclconfig.Resource:
			// OpenTofu 1.12.6, internal/tofu/node_resource_abstract.go: NodeAbstractResource.References reads a body by
			// its schema.
			if schema = inner[m].schemaOf(x); inner[m].lacksType(x) {
				return
			}
		case *hclconfig.Provider:
			schema = inner[m].providerSchema(x.Name)
		}
		hclschema.Expressions(b, schema, add)
	}}
	// OpenTofu 1.12.6, internal/tofu/transform_provider.go: ProviderFunctionTransformer.Transform.
	if c.dialect == hcllang.OpenTofu && !c.out.HasErrors() {
		hooks.Each = func(m *hclgraph.Module, e hclconfig.Expression) { inner[m].functionProviders(e) }
	}
	b := hclgraph.Builder{Dialect: c.dialect, IsType: c.isType, Variables: c.variables, Hooks: hooks}
	c.nodes = b.Build(c.scopes[c.root].graph)
	c.run = func(n *hclgraph.Node) hclconfig.Diagnostics { return inner[n.Scope].checkNode(n) }
}

// checkNode makes the checks of a node of the module.
func (s *moduleScope) checkNode(n *hclgraph.Node) hclconfig.Diagnostics {
	switch x := n.Decl.(type) {
	// Each kind of node has its own method Execute: OpenTofu 1.12.6, internal/tofu/execute.go.
	case *hclconfig.Variable:
		return s.checkVariable(x, s.parent(), n.Input)
	case *hclconfig.Local:
		return s.checkLocal(x)
	case *hclconfig.Provider:
		return s.checkProvider(x)
	case *hclconfig.Resource:
		return s.checkResource(x, n.Check)
	case *hclconfig.Check:
		return s.checkCheck(x)
	case *hclconfig.Output:
		return s.checkOutput(x)
	case *hclconfig.ModuleCall:
		switch {
		case n.Missing:
			return s.checkMissing(x)
		case !n.End:
			return s.checkCall(x)
		}
	}
	return nil
}

// walk runs all nodes, each after those that it depends on.
func (c *treeChecker) walk() {
	hclgraph.Walk(c.nodes, func(n *hclgraph.Node) bool {
		diags := c.run(n)
		c.out = append(c.out, diags...)
		// OpenTofu 1.12.6, internal/dag/walk.go: Walker.walkVertex leaves out what depends on a node with errors.
		return !diags.HasErrors()
	})
}
