// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/tofuwire/tofuwire/internal/textspan"
	"github.com/zclconf/go-cty/cty"
)

// A checkNode is one object of the graph that the programs walk: it is looked
// at when everything that it depends on has been, and only if that was right.
type checkNode struct {
	name  string // as the programs name it
	scope *moduleScope
	f     *hclconfig.File
	at    func() addrs.Range
	deps  []*checkNode
	run   func() hclconfig.Diagnostics
	// missing reports that the node is a module that was not found. The last loose
	// of its deps make no cycle: it is not known which output needs which input.
	missing bool
	loose   int
	// links has the references that deps are made of, in the same order, for a
	// Graph. Those of deps without references are missing.
	links []link

	state nodeState
	// For the search for cycles.
	index, low int
	onStack    bool
}

type nodeState uint8

const (
	nodeWaits nodeState = iota
	nodeIsRight
	nodeIsWrong
)

// walk runs all nodes, each after those that it depends on.
func (c *treeChecker) walk() {
	// An explicit stack: chains can be as long as the configuration.
	type frame struct {
		n    *checkNode
		next int
	}
	var stack []frame
	for _, n := range c.nodes {
		if n.state != nodeWaits || n.index < 0 {
			continue
		}
		n.index = -1 // is on its way
		stack = append(stack, frame{n: n})
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.next < len(top.n.deps) {
				d := top.n.deps[top.next]
				top.next++
				if d.state == nodeWaits && d.index >= 0 {
					d.index = -1
					stack = append(stack, frame{n: d})
				}
				continue
			}
			n := top.n
			stack = stack[:len(stack)-1]
			n.state = nodeIsRight
			if slices.ContainsFunc(n.deps, func(d *checkNode) bool { return d.state == nodeIsWrong }) {
				n.state = nodeIsWrong
				continue
			}
			if n.run == nil {
				continue
			}
			diags := n.run()
			if diags.HasErrors() {
				n.state = nodeIsWrong
			}
			c.out = append(c.out, diags...)
		}
	}
}

// node adds a node for something at an address of a module.
func (s *moduleScope) node(address, name string, f *hclconfig.File, at func() addrs.Range, run func() hclconfig.Diagnostics) *checkNode {
	n := &checkNode{scope: s, name: strings.TrimPrefix(s.tree.Path()+"."+name, "."), f: f, at: at, run: run}
	if s.expand != nil {
		n.deps = append(n.deps, s.expand)
	}
	if address != "" && s.nodes[address] == nil {
		s.nodes[address] = n
	}
	s.check.nodes = append(s.check.nodes, n)
	return n
}

// A waiting node has the references of a node, from which its dependencies are
// found once all nodes are there.
type waiting struct {
	n    *checkNode
	s    *moduleScope
	refs []holder
	also []*checkNode
	self string
	// bodies have further expressions.
	bodies []holderBody
	// unlinked reports that OpenTofu does not look for the providers of its functions.
	unlinked bool
}

// A holder is an expression of a node, and its place in it, as Edge.At has it.
type holder struct {
	at string
	e  hclconfig.Expression
}

// A holderBody is a body whose expressions are those of a node. If at is empty, their
// place is the path of each argument.
type holderBody struct {
	at   string
	body *hclconfig.Body
	// schema, if not nil, is that of the body: the programs see only what it has.
	schema *blockSchema
}

func rulesOf(at string, rules []*hclconfig.CheckRule) []holder {
	var out []holder
	for _, r := range rules {
		out = append(out, holder{at, r.Condition}, holder{at, r.ErrorMessage})
	}
	return out
}

// callHolders returns the expressions of a call itself.
func callHolders(call *hclconfig.ModuleCall) []holder {
	return []holder{{"count", call.Count}, {"for_each", call.ForEach}, {"enabled", call.Enabled}, {"depends_on", call.DependsOn}}
}

// build makes the nodes of a module and of those that it calls.
func (c *treeChecker) build(root *Tree, _ *moduleScope) {
	var all []*waiting
	late := c.dialect == hcllang.Terraform // where a module waits for its checks
	var visit func(t *Tree, parent *moduleScope) *moduleScope
	visit = func(t *Tree, parent *moduleScope) *moduleScope {
		s := c.scope(t)
		if parent != nil {
			call := t.Call
			s.expand = parent.node("", "module."+call.Name+" (expand)", call.Block.File(), call.Block.DefRange, func() hclconfig.Diagnostics { return parent.checkCall(call) })
			all = append(all, &waiting{n: s.expand, s: parent, refs: callHolders(call), unlinked: true})
			parent.children[call.Name] = s
		}
		all = s.addNodes(all, parent)
		for _, child := range t.Children {
			visit(child, s)
		}
		for _, call := range t.Missing {
			n := s.node("module."+call.Name, "module."+call.Name, call.Block.File(), call.Block.DefRange, func() hclconfig.Diagnostics { return s.checkMissing(call) })
			n.missing = true
			all = append(all, &waiting{n: n, s: s, refs: callHolders(call), bodies: []holderBody{{"", call.Inputs(), nil}}})
		}
		if parent != nil {
			s.done = parent.node("module."+t.Call.Name, "module."+t.Call.Name+" (close)", t.Call.Block.File(), t.Call.Block.DefRange, nil)
			s.done.deps = append(s.done.deps, s.expand)
			for address, n := range s.nodes {
				if late || !strings.HasPrefix(address, "check.") {
					s.done.deps = append(s.done.deps, n)
				}
			}
			for _, child := range s.children {
				s.done.deps = append(s.done.deps, child.done)
			}
		}
		return s
	}
	rootScope := visit(root, nil)
	if !c.graph || c.dialect == hcllang.Terraform {
		all = append(all, rootScope.importedNodes()...)
	}
	for t, s := range c.scopes {
		if t.Parent != nil {
			c.out = append(c.out, c.scopes[t.Parent].checkInputs(t.Call, s)...)
		}
	}
	early := c.dialect == hcllang.OpenTofu && !c.graph && !c.planning && !c.out.HasErrors()
	for _, w := range all {
		w.resolve(early && !w.unlinked)
	}
}

// resolve finds the dependencies of the node, and checks the providers of functions.
func (w *waiting) resolve(functions bool) {
	add := func(at string, e hclconfig.Expression) {
		if !e.IsSet() {
			return
		}
		if functions {
			w.s.functionProviders(e)
		}
		for _, p := range pieces(e) {
			for _, t := range w.s.check.variables(p.expr) {
				if t.IsRelative() || w.s.check.isType(t) {
					continue
				}
				if s, d := subjectOf(p, t, w.s.check.dialect); d == nil {
					w.depend(at, &s, t)
				}
			}
		}
	}
	for _, h := range w.refs {
		add(h.at, h.e)
	}
	before := len(w.n.deps)
	for _, b := range w.bodies {
		w.body(b, add)
	}
	if w.n.missing {
		w.n.loose = len(w.n.deps) - before
	}
	w.n.deps = append(w.n.deps, w.also...)
}

// body adds the references of a body. Their places are at, or the paths of the arguments.
func (w *waiting) body(h holderBody, add func(at string, e hclconfig.Expression)) {
	if !w.s.check.graph || h.at != "" {
		bodyExpressions(h.body, h.schema, func(e hclconfig.Expression) { add(h.at, e) })
		return
	}
	eachPath("", h.body, func(path string, a *hclconfig.Argument) {
		if evaluated(hcllang.Kind(a.Expression.Kind())) {
			add(path, a.Expression)
		}
	})
}

// bodyExpressions calls f with the expressions in a body that the programs look at to find
// its dependencies: those of arguments and nested blocks that the schema has, if there is one.
func bodyExpressions(b *hclconfig.Body, schema *blockSchema, f func(hclconfig.Expression)) {
	if schema == nil {
		for a := range b.AllArguments() {
			if evaluated(hcllang.Kind(a.Expression.Kind())) {
				f(a.Expression)
			}
		}
		return
	}
	c := schema.content(b)
	for _, a := range c.Arguments {
		if evaluated(hcllang.Kind(a.Expression.Kind())) {
			f(a.Expression)
		}
	}
	for _, n := range c.Blocks {
		if !isDynamic(n) {
			if nested := schema.nested(b, n.Type); nested != nil && nested.fits(n) {
				bodyExpressions(&n.Body, nested.Block, f)
			}
			continue
		}
		for i := range n.Body.Arguments {
			f(n.Body.Arguments[i].Expression)
		}
		if nested := schema.nested(b, label(n, 0)); nested != nil {
			for content := range n.Body.BlocksOfType("content") {
				bodyExpressions(&content.Body, nested.Block, f)
			}
		}
	}
}

// evaluated reports whether an argument of the kind is evaluated like any
// expression.
func evaluated(k hcllang.Kind) bool { return k == hcllang.KindExpression || k == hcllang.KindStatic }

func (w *waiting) depend(at string, s *subject, t hcl.Traversal) {
	var target *checkNode
	switch s.kind {
	case toOutput:
		if child := w.s.children[s.name]; child != nil {
			target = child.nodes["output."+s.out]
			if target == nil && !w.s.check.graph && w.s.check.dialect == hcllang.OpenTofu {
				return // which waits for nothing
			}
			if target == nil {
				target = child.done
			}
		}
	case toModule:
		if child := w.s.children[s.name]; child != nil {
			target = child.done
		}
	default:
		if a := s.address(); a != w.self && a != "" {
			target = w.s.nodes[a]
		}
	}
	if target == nil && (s.kind == toModule || s.kind == toOutput) {
		target = w.s.nodes["module."+s.name]
	}
	if target != nil && target != w.n {
		w.n.deps = append(w.n.deps, target)
		if w.s.check.graph {
			w.n.links = append(w.n.links, link{target, at, *s, t})
		}
	}
}

// addNodes makes a node of everything that the module declares.
func (s *moduleScope) addNodes(all []*waiting, parent *moduleScope) []*waiting {
	m := s.m
	var inputs *hclconfig.Body
	if parent != nil {
		inputs = s.tree.Call.Inputs()
	}
	for _, v := range m.Variables {
		n := s.node("var."+v.Name, "var."+v.Name, v.Block.File(), v.Block.DefRange, nil)
		w := &waiting{n: n, s: s, self: "var." + v.Name}
		w.refs = rulesOf("validation", v.Validations)
		var input *hclconfig.Argument
		if parent != nil {
			input = inputs.Argument(v.Name)
			if input != nil {
				all = append(all, &waiting{n: n, s: parent, refs: []holder{{"", input.Expression}}})
			}
		}
		n.run = func() hclconfig.Diagnostics { return s.checkVariable(v, parent, input) }
		all = append(all, w)
	}
	for _, l := range m.Locals {
		n := s.node("local."+l.Name, "local."+l.Name+" (expand)", l.Argument.Expression.File(), l.Argument.NameRange, func() hclconfig.Diagnostics { return s.checkLocal(l) })
		all = append(all, &waiting{n: n, s: s, self: "local." + l.Name, refs: []holder{{"value", l.Argument.Expression}}})
	}
	for _, p := range m.Providers {
		n := s.node("provider."+p.Address(), "provider."+p.Address(), p.Block.File(), p.Block.DefRange, func() hclconfig.Diagnostics { return s.checkProvider(p) })
		all = append(all, &waiting{n: n, s: s, refs: []holder{{"for_each", p.ForEach}}, bodies: []holderBody{{"", p.Config(), s.providerSchema(p.Name)}}})
	}
	for _, list := range [][]*hclconfig.Resource{m.Resources, m.Data, m.Ephemeral} {
		for _, r := range list {
			all = append(all, s.resourceNode(r, ""))
		}
	}
	for _, k := range m.Checks {
		if k.Data != nil {
			all = append(all, s.resourceNode(k.Data, k.Name))
		}
		n := s.node("check."+k.Name, "check."+k.Name+" (expand)", k.Block.File(), k.Block.DefRange, func() hclconfig.Diagnostics { return s.checkCheck(k) })
		w := &waiting{n: n, s: s, unlinked: true}
		w.refs = rulesOf("assert", k.Asserts)
		if k.Data != nil {
			w.also = append(w.also, s.nodes[address(k.Data)])
		}
		all = append(all, w)
	}
	for _, o := range m.Outputs {
		n := s.node("output."+o.Name, "output."+o.Name+" (expand)", o.Block.File(), o.Block.DefRange, func() hclconfig.Diagnostics { return s.checkOutput(o) })
		w := &waiting{n: n, s: s, refs: []holder{{"value", o.Value}, {"depends_on", o.DependsOn}}}
		w.refs = append(w.refs, rulesOf("precondition", o.Preconditions)...)
		all = append(all, w)
	}
	return all
}

func (s *moduleScope) resourceNode(r *hclconfig.Resource, check string) *waiting {
	n := s.node(address(r), address(r)+" (expand)", r.Block.File(), r.Block.DefRange, func() hclconfig.Diagnostics { return s.checkResource(r, check) })
	w := &waiting{n: n, s: s, self: address(r), refs: []holder{{"count", r.Count}, {"for_each", r.ForEach}, {"depends_on", r.DependsOn}}, bodies: []holderBody{{"", r.Config(), s.schemaOf(r)}}}
	if p := s.providerNode(r.ProviderName(), r.Provider.Alias); p != nil {
		w.also = append(w.also, p)
	}
	for _, p := range r.Provisioners {
		w.bodies = append(w.bodies, holderBody{"provisioner", &p.Block.Body, nil})
	}
	if r.Connection != nil {
		w.bodies = append(w.bodies, holderBody{"connection", &r.Connection.Body, nil})
	}
	if l := r.Lifecycle; l != nil {
		w.refs = append(w.refs, holder{"replace_triggered_by", l.ReplaceTriggeredBy}, holder{"enabled", l.Enabled}, holder{"prevent_destroy", l.PreventDestroy})
		w.refs = append(w.refs, rulesOf("precondition", l.Preconditions)...)
		w.refs = append(w.refs, rulesOf("postcondition", l.Postconditions)...)
	}
	return w
}

// importedNodes returns what the resources that objects are imported into wait for
// because of that. The graph that OpenTofu prints does not have it.
func (s *moduleScope) importedNodes() []*waiting {
	var out []*waiting
	for _, i := range s.m.Imports {
		a, r, _ := s.target(i)
		if r == nil {
			continue
		}
		at, _ := s.descend(a.Module())
		out = append(out, &waiting{n: at.nodes[address(r)], s: s, refs: []holder{{"import", i.ID}, {"import", i.Identity}, {"import", i.ForEach}}})
	}
	return out
}

// providerNode returns the node of the provider configuration with this name in
// the module, or nil. It may be one of a calling module.
func (s *moduleScope) providerNode(name, alias string) *checkNode {
	for {
		address := name
		if alias != "" {
			address += "." + alias
		}
		if n := s.nodes["provider."+address]; n != nil {
			return n
		}
		parent := s.parent()
		if parent == nil {
			return nil
		}
		mapped := false
		for _, p := range s.tree.Call.ProviderMappings() {
			if p.Inner.Name == name && p.Inner.Alias == alias {
				name, alias, mapped = p.Outer.Name, p.Outer.Alias, true
			}
		}
		if !mapped && alias != "" {
			return nil
		}
		s = parent
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
		if r.kind == toLocal && r.name == l.Name {
			diags = append(diags, r.p.errorAt(r.at, "Self-referencing local value", "Local value local.%s cannot use its own result as part of its expression.", l.Name))
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
		out = append(out, errorAt(defRange(o.Block), summary, format, args...))
	}
	if root && o.Ephemeral.Value {
		def(s.check.words("Invalid output configuration", "Ephemeral output not allowed"), "Root modules are not allowed to have outputs defined as ephemeral.")
		return out
	}
	if langfuncs.Has(v, langfuncs.Ephemeral) && !o.Ephemeral.Value && !diags.HasErrors() {
		out = append(out, errorAt(o.Value.Range(), s.check.words("Output does not allow ephemeral value", "Ephemeral value not allowed"),
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
		if len(s.remain) > 0 {
			rest := textspan.Of(s.p.span(s.remain[0].SourceRange()).Start, s.all.End)
			out = append(out, s.p.errorAt(rest, "Invalid depends_on reference", "References in depends_on must be to a whole object (resource, etc), not to an attribute of an object."))
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
	switch _, err := textOf(plain); {
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
		return hclconfig.Diagnostics{errorAt(r.Condition.Range(), "Invalid condition result", "Condition expression must return either true or false, not null.")}
	}
	ok, err := boolOf(v)
	switch {
	case err != nil:
		return hclconfig.Diagnostics{errorAt(r.Condition.Range(), "Invalid condition result", "Invalid condition result value: a bool is required.")}
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
