// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package treecheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclgraph"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/zclconf/go-cty/cty"
)

// plan adds what the plan command refuses in a configuration that the validate
// command accepts, whatever the state and the values of variables are. A stage with
// errors hides the later ones, as in the programs.
func (c *treeChecker) plan() {
	c.planning = true
	c.readFunctions() // those of the plan
	for _, s := range c.scopes {
		clear(s.results)
		clear(s.values)
	}
	add := func(found hclconfig.Diagnostics) bool {
		c.out = append(c.out, found...)
		return found.HasErrors()
	}
	moves := moveChecker{treeChecker: c, expanded: map[*hclnames.Tree][]string{}}
	imports := importChecker{moduleScope: c.scopes[c.root]}
	// OpenTofu 1.12.6, internal/tofu/context_plan.go: Context.plan and Context.planWalk. What is found early hides what
	// comes later.
	early, late := imports.absentTargets()
	if add(early) || add(moves.removedObjects()) {
		return
	}
	walked := append(c.secondWalk(&imports), late...)
	after := []func() hclconfig.Diagnostics{imports.absentInstances, moves.moves}
	if c.dialect == hcllang.Terraform {
		slices.Reverse(after)
	}
	// What is found after the walk hides what the walk found.
	if !add(after[0]()) && !add(after[1]()) {
		add(walked)
	}
}

// secondWalk walks the graph again with more values: the instances of everything that is
// repeated, as far as their number is known, and the inputs of modules.
func (c *treeChecker) secondWalk(imports *importChecker) hclconfig.Diagnostics {
	before := c.out
	c.out = nil
	run := c.run
	c.run = func(n *hclgraph.Node) hclconfig.Diagnostics {
		out := run(n)
		// A module without instances has no objects to plan.
		if !c.inner[n.Scope].exists() {
			return nil
		}
		return out
	}
	c.walk()
	found := append(c.out, imports.plannedImports()...)
	c.out = before
	return slices.DeleteFunc(found, func(d hclconfig.Diagnostic) bool { return d.Severity != hclconfig.SeverityError })
}

// planResource makes the checks of a resource that need its instances.
func (s *moduleScope) planResource(r *hclconfig.Resource, check string) hclconfig.Diagnostics {
	outside := setting{m: s, check: check}
	out := outside.repetition(r.Count, r.ForEach, false)
	if s.check.dialect == hcllang.Terraform {
		out = append(out, s.selfRepetition(r)...)
	} else if r.Lifecycle != nil {
		out = append(out, outside.enabled(r.Lifecycle.Enabled)...)
	}
	// The plan looks at a resource once for each of its instances: without any nothing in it is evaluated.
	i := s.resourceInstances(r)
	if out.HasErrors() || !i.Known || i.Len() == 0 {
		return out
	}
	// Terraform has no such argument.
	if r.Lifecycle != nil && r.Mode == addrs.Managed && s.check.dialect == hcllang.OpenTofu {
		out = append(out, constantDestroy(r.Lifecycle.Destroy)...)
	}
	if out = append(out, s.selfReferences(r, i)...); out.HasErrors() {
		return out
	}
	at := setting{m: s, check: check, rep: repetitionOf(r.Count, r.ForEach), transient: r.Mode == addrs.Ephemeral}
	if r.Lifecycle != nil {
		for _, rule := range r.Lifecycle.Preconditions {
			out = append(out, at.rule(rule, "Resource precondition", hclconfig.SeverityError)...)
		}
		if out.HasErrors() {
			return out
		}
	}
	if s.check.dialect == hcllang.Terraform && r.Lifecycle != nil {
		if out = append(out, at.triggers(r.Lifecycle.ReplaceTriggeredBy)...); out.HasErrors() {
			return out
		}
	}
	if schema := s.schemaOf(r); schema != nil {
		body := r.Config()
		at.merge(body, r.Block, r.OverriddenBy)
		return append(out, at.bodyOf(schema, body)...)
	}
	return append(out, at.body(r.Config())...)
}

// triggers checks the references of replace_triggered_by, which Terraform leaves to the
// plan.
func (at *setting) triggers(e hclconfig.Expression) hclconfig.Diagnostics {
	subjects, out := at.subjects(e)
	elements, _ := e.Elements()
	for _, element := range elements {
		out = append(out, splatTrigger(element)...)
	}
	for i := range subjects {
		if x := &subjects[i]; x.Kind == hclsource.ToResource && at.m.Resources[x.Address()] == nil {
			out = append(out, at.m.undeclared(x, at.check)...)
		}
	}
	return append(out, at.triggerKeys(subjects)...)
}

// selfRepetition reports references of count and for_each to the resource itself,
// which OpenTofu takes for references to nothing.
func (s *moduleScope) selfRepetition(r *hclconfig.Resource) hclconfig.Diagnostics {
	at := setting{m: s}
	var out hclconfig.Diagnostics
	for _, e := range []hclconfig.Expression{r.Count, r.ForEach} {
		subjects, _ := at.subjects(e)
		for _, x := range subjects {
			if x.Kind == hclsource.ToResource && x.Address() == hclsource.Address(r) {
				out = append(out, selfReference(&x, hclsource.Address(r)))
			}
		}
	}
	return out
}

// selfReference is what the plan says of an argument that refers to its own resource: its value is
// known only after the resource is there.
//
// OpenTofu 1.12.6, internal/tofu/validate_selfref.go: validateSelfRef.
func selfReference(s *hclsource.Subject, name string) hclconfig.Diagnostic {
	// OpenTofu 1.12.6, internal/tofu/validate_selfref.go: validateSelfRef.
	return s.Piece.ErrorAt(s.At, "Self-referential block", "Configuration for %s may not refer to itself.", name)
}

// selfReferences reports references of a resource to itself: of an instance to itself,
// or of instances to each other.
func (s *moduleScope) selfReferences(r *hclconfig.Resource, i *hcleval.Instances) hclconfig.Diagnostics {
	var own []hclsource.Subject
	for _, x := range (&setting{m: s}).bodySubjects(r.Config()) {
		if x.Kind == hclsource.ToResource && x.Address() == hclsource.Address(r) {
			own = append(own, x)
		}
	}
	if own == nil {
		return s.selfTrigger(r, i)
	}
	// What each reference leads to, as far as the order of the instances goes: one
	// of them, or all.
	targets, all := map[addrs.InstanceKey]bool{}, false
	for _, x := range own {
		if x.Indexed && i.Has(x.Key) {
			targets[x.Key] = true
		} else {
			all = true
		}
	}
	if i.Len() > 1 && (all || len(targets) > 1) {
		var names []string
		for _, k := range i.Keys() {
			if (all || targets[k]) && len(names) < 3 {
				names = append(names, hclsource.Dotted(s.tree.Path())+hclsource.Address(r)+k.String())
			}
		}
		// OpenTofu 1.12.6, internal/dag/dag.go: AcyclicGraph.Validate.
		return hclconfig.Diagnostics{hclsource.ErrorAt(hclsource.DefRange(r.Block), "Cycle: "+strings.Join(names, ", "), "")}
	}
	var out hclconfig.Diagnostics
	for _, x := range own {
		if !x.Indexed || i.Has(x.Key) {
			out = append(out, selfReference(&x, hclsource.Address(r)))
		}
	}
	return append(out, s.selfTrigger(r, i)...)
}

// selfTrigger reports a resource that is to be replaced when it changes itself. The
// programs have no place for it.
func (s *moduleScope) selfTrigger(r *hclconfig.Resource, i *hcleval.Instances) hclconfig.Diagnostics {
	if r.Lifecycle == nil {
		return nil
	}
	at := setting{m: s}
	subjects, _ := at.subjects(r.Lifecycle.ReplaceTriggeredBy)
	for _, x := range subjects {
		if x.Kind == hclsource.ToResource && x.Address() == hclsource.Address(r) {
			name := hclsource.Address(r)
			switch {
			// OpenTofu 1.12.6, internal/tofu/eval_context_builtin.go: BuiltinEvalContext.EvaluateReplaceTriggeredBy asks
			// for the change of each instance.
			case i.Len() > 1 && !(x.Indexed && i.Has(x.Key)): // each waits for the others
				return hclconfig.Diagnostics{x.Piece.ErrorAt(x.At, "Cycle: instances of "+name, "")}
			case x.Indexed:
				name += x.Key.String()
			}
			return hclconfig.Diagnostics{x.Piece.ErrorAt(x.At, fmt.Sprintf("no change found for %s in %s", name, s.title()), "")}
		}
	}
	return nil
}

// bodySubjects returns what the expressions of a body refer to, at any depth, without the iterators of dynamic blocks.
func (at *setting) bodySubjects(b *hclconfig.Body) []hclsource.Subject {
	var out []hclsource.Subject
	for i := range b.Arguments {
		if e := b.Arguments[i].Expression; hclsource.Evaluated(hcllang.Kind(e.Kind())) {
			found, _ := at.subjects(e)
			out = append(out, found...)
		}
	}
	for i := range b.Blocks {
		inner := at
		if hclsource.IsDynamic(&b.Blocks[i]) {
			inner = at.within(&b.Blocks[i])
		}
		out = append(out, inner.bodySubjects(&b.Blocks[i].Body)...)
	}
	return out
}

// constantDestroy checks the argument destroy of a lifecycle block, which OpenTofu
// reads when it plans: true or false, without references.
func constantDestroy(f hclconfig.Flag) hclconfig.Diagnostics {
	if !f.IsSet() {
		return nil
	}
	e := f.Argument.Expression
	if v, diags := e.Value(nil); !diags.HasErrors() && v.Type() == cty.Bool && !v.IsNull() {
		return nil
	}
	// OpenTofu 1.12.6, internal/tofu/node_resource_abstract.go: skipDestroyValueFromConstantExpression.
	return hclconfig.Diagnostics{hclsource.ErrorAt(e.Range(), "Invalid lifecycle destroy expression", "The argument destroy must be true or false, without references.")}
}
