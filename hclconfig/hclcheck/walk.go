// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclgraph"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/tofuwire/tofuwire/internal/textspan"
	"github.com/zclconf/go-cty/cty"
)

// cycles reports objects that depend on each other in a circle, each circle
// once, by the shortest way around.
func (c *treeChecker) cycles() bool {
	groups := hclgraph.StrongGroups(c.nodes)
	for _, g := range groups {
		way := hclgraph.ShortestCycle(g)
		names := make([]string, len(way))
		for i, n := range way {
			names[i] = n.Name
		}
		first := slices.MinFunc(way, func(a, b *hclgraph.Node) int {
			if a.File.Filename() != b.File.Filename() {
				return strings.Compare(a.File.Filename(), b.File.Filename())
			}
			return int(a.At().Start.Offset - b.At().Start.Offset)
		})
		c.out = append(c.out, hclsource.ErrorAt(first.At(), "Cycle: "+strings.Join(names, ", "), ""))
	}
	return len(groups) > 0
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
	hooks := &hclgraph.Hooks{Body: func(m *hclgraph.Module, owner any, b *hclconfig.Body, add func(hclconfig.Expression)) {
		var schema *provschema.Block
		switch x := owner.(type) {
		case *hclconfig.Resource:
			schema = inner[m].schemaOf(x)
		case *hclconfig.Provider:
			schema = inner[m].providerSchema(x.Name)
		}
		bodyExpressions(b, schema, add)
	}}
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
		return !diags.HasErrors()
	})
}

// bodyExpressions calls f with the expressions in a body that the programs look at to find
// its dependencies: those of arguments and nested blocks that the schema has, if there is one.
func bodyExpressions(b *hclconfig.Body, schema *provschema.Block, f func(hclconfig.Expression)) {
	if schema == nil {
		for a := range b.AllArguments() {
			if hclsource.Evaluated(hcllang.Kind(a.Expression.Kind())) {
				f(a.Expression)
			}
		}
		return
	}
	c := contentOf(schema, b)
	for _, a := range c.Arguments {
		if hclsource.Evaluated(hcllang.Kind(a.Expression.Kind())) {
			f(a.Expression)
		}
	}
	for _, n := range c.Blocks {
		if !hclsource.IsDynamic(n) {
			if nested := nestedIn(schema, b, n.Type); nested != nil && fits(nested, n) {
				bodyExpressions(&n.Body, nested.Block, f)
			}
			continue
		}
		for i := range n.Body.Arguments {
			f(n.Body.Arguments[i].Expression)
		}
		if nested := nestedIn(schema, b, hclsource.Label(n, 0)); nested != nil {
			for content := range n.Body.BlocksOfType("content") {
				bodyExpressions(&content.Body, nested.Block, f)
			}
		}
	}
}

func (s *moduleScope) parent() *moduleScope {
	if s.tree.Parent == nil {
		return nil
	}
	return s.check.scopes[s.tree.Parent]
}

// checkLocal checks and remembers a local value.
func (s *moduleScope) checkLocal(l *hclconfig.Local) hclconfig.Diagnostics {
	at := setting{m: s}
	e := l.Argument.Expression
	subjects, _ := at.subjects(e)
	var diags hclconfig.Diagnostics
	for _, r := range subjects {
		if r.Kind == hclsource.ToLocal && r.Name == l.Name {
			diags = append(diags, r.Piece.ErrorAt(r.At, "Self-referencing local value", "Local value local.%s cannot use its own result as part of its expression.", l.Name))
		}
	}
	if diags != nil {
		return diags
	}
	v, diags := at.evaluate(e, false)
	if !diags.HasErrors() {
		s.values[l.Name] = v
	}
	return diags
}

// checkOutput checks an output.
func (s *moduleScope) checkOutput(o *hclconfig.Output) hclconfig.Diagnostics {
	at := setting{m: s}
	var out hclconfig.Diagnostics
	for _, r := range o.Preconditions {
		out = append(out, at.rule(r, "Module output value precondition", hclconfig.SeverityError)...)
	}
	if out.HasErrors() {
		return out
	}
	v, diags := at.evaluate(o.Value, false)
	out = append(out, diags...)
	out = append(out, at.dependsOn(o.DependsOn)...)
	root := s.tree.Parent == nil
	def := func(summary, format string, args ...any) {
		out = append(out, hclsource.ErrorAt(hclsource.DefRange(o.Block), summary, format, args...))
	}
	if root && o.Ephemeral.Value {
		def(s.check.words("Invalid output configuration", "Ephemeral output not allowed"), "Root modules are not allowed to have outputs defined as ephemeral.")
		return out
	}
	if langfuncs.Has(v, langfuncs.Ephemeral) && !o.Ephemeral.Value && !diags.HasErrors() {
		out = append(out, hclsource.ErrorAt(o.Value.Range(), s.check.words("Output does not allow ephemeral value", "Ephemeral value not allowed"),
			"The value that was generated for the output is ephemeral, but it is not configured to allow one."))
		return out
	}
	if root && !o.Sensitive.Value && langfuncs.Has(v, langfuncs.Sensitive) && !diags.HasErrors() {
		def("Output refers to sensitive values", "To reduce the risk of accidentally exporting sensitive data that was intended to be only internal, %s requires that any root module output containing sensitive data be explicitly marked as sensitive, to confirm your intent.\n\nIf you do intend to export this data, annotate the output value as sensitive by adding the following argument:\n    sensitive = true", s.check.dialect)
	}
	return out
}

// words returns the first text for OpenTofu, the second for Terraform.
func (c *treeChecker) words(tofu, terraform string) string {
	if c.dialect == hcllang.Terraform {
		return terraform
	}
	return tofu
}

// dependsOn checks a list of references to whole objects.
func (at *setting) dependsOn(e hclconfig.Expression) hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	subjects, diags := at.subjects(e)
	out = append(out, diags...)
	for i := range subjects {
		s := &subjects[i]
		if len(s.Rest) > 0 {
			rest := textspan.Of(s.Piece.Span(s.Rest[0].SourceRange()).Start, s.All.End)
			out = append(out, s.Piece.ErrorAt(rest, "Invalid depends_on reference", "References in depends_on must be to a whole object (resource, etc), not to an attribute of an object."))
		}
		if !out.HasErrors() {
			_, diags := at.references(subjects[i : i+1])
			out = append(out, diags...)
		}
	}
	return out
}

// rule checks a condition and its message, and whether the condition is known to fail.
func (at *setting) rule(r *hclconfig.CheckRule, what string, severity hclconfig.Severity) hclconfig.Diagnostics {
	ctx, out := at.ruleMessage(r)
	v, diags := at.valueIn(r.Condition, ctx)
	out = append(out, diags...)
	if out.HasErrors() || !v.IsKnown() {
		return out
	}
	return append(out, outcome(r, v, what+" failed", severity)...)
}

// ruleMessage checks the references of a rule and its message.
func (at *setting) ruleMessage(r *hclconfig.CheckRule) (ctx *hcl.EvalContext, out hclconfig.Diagnostics) {
	subjects, diags := at.subjects(r.Condition)
	out = append(out, diags...)
	more, diags := at.subjects(r.ErrorMessage)
	out = append(out, diags...)
	ctx, diags = at.references(append(subjects, more...))
	out = append(out, diags...)
	v, diags := at.valueIn(r.ErrorMessage, ctx)
	out = append(out, diags...)
	if diags.HasErrors() {
		return ctx, out
	}
	message := func(severity hclconfig.Severity, summary, detail string) {
		out = append(out, hclconfig.Diagnostic{Severity: severity, Summary: summary, Detail: detail, Subject: r.ErrorMessage.Range()})
	}
	plain, _ := v.UnmarkDeep()
	switch _, err := hcleval.TextOf(plain); {
	case !plain.IsKnown() && plain.Type() != cty.String && !plain.Type().IsPrimitiveType() && plain.Type() != cty.DynamicPseudoType:
		message(hclconfig.SeverityError, "Invalid error message", "Unsuitable value for error message: string required.")
	case !plain.IsKnown():
	case plain.IsNull():
		message(hclconfig.SeverityError, "Invalid error message", "Unsuitable value for error message: must not be null.")
	case err != nil && !plain.Type().IsPrimitiveType():
		message(hclconfig.SeverityError, "Invalid error message", "Unsuitable value for error message: string required.")
	case langfuncs.Has(v, langfuncs.Sensitive):
		message(hclconfig.SeverityWarning, "Error message refers to sensitive values", "The error expression used to explain this condition refers to sensitive values, so the program will not display the resulting message.")
	case langfuncs.Has(v, langfuncs.Ephemeral):
		message(hclconfig.SeverityWarning, "Error message refers to ephemeral values", "The error expression used to explain this condition refers to ephemeral values, so the program will not display the resulting message.")
	}
	return ctx, out
}

// outcome reports a known result of a condition that is not true.
func outcome(r *hclconfig.CheckRule, v cty.Value, failed string, severity hclconfig.Severity) hclconfig.Diagnostics {
	v, _ = v.UnmarkDeep()
	if v.IsNull() {
		return hclconfig.Diagnostics{hclsource.ErrorAt(r.Condition.Range(), "Invalid condition result", "Condition expression must return either true or false, not null.")}
	}
	ok, err := hcleval.BoolOf(v)
	switch {
	case err != nil:
		return hclconfig.Diagnostics{hclsource.ErrorAt(r.Condition.Range(), "Invalid condition result", "Invalid condition result value: a bool is required.")}
	case !ok:
		text, _ := r.ErrorMessage.Text()
		return hclconfig.Diagnostics{{Severity: severity, Summary: failed, Detail: text, Subject: r.Condition.Range()}}
	}
	return nil
}

// checkCheck checks the assertions of a check block.
func (s *moduleScope) checkCheck(k *hclconfig.Check) hclconfig.Diagnostics {
	at := setting{m: s, check: k.Name}
	var out hclconfig.Diagnostics
	for _, r := range k.Asserts {
		_, diags := at.ruleMessage(r)
		out = append(out, diags...)
	}
	return out
}
