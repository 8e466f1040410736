// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/ctyconv"
	"github.com/tofuwire/tofuwire/internal/hclbound"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// An Evaluator finds the values of expressions in a tree of modules from the
// configuration alone: through local values, the defaults of variables, the
// arguments and outputs of module calls, and functions. It caches the values of
// variables, local values and outputs.
//
// All expressions that one Evaluator evaluates have one budget for loops: when it is
// spent, the values of loops that take much work are unknown.
//
// An Evaluator is safe for concurrent use.
type Evaluator struct {
	// Instances distinguishes up to 100 instances of a module call, if their keys are known:
	// an output has its value in each instance, and a variable has a value if all instances
	// get the same one. A resource has up to 1,000 instances, which are unknown. Otherwise these
	// values are unknown, as in a program's validation. It must not be changed after the first
	// use. See also [Tree.Key].
	Instances bool

	// Functions, if not nil, are the functions of the language. Without them, those that read
	// files have no value; package hclfuncs makes all of them. It must not be changed after
	// the first use.
	Functions map[string]function.Function

	mu      sync.Mutex
	given   map[string]cty.Value
	modules map[instanceOf]*evaluatedModule
	names   map[*hclconfig.Module]*hclsource.Declared
	depth   int
	costs   hcleval.Budget
	// instanceText is how much text was evaluated for single instances.
	instanceText, maxText int
}

// NewEvaluator returns an Evaluator. The variables are the values of root module
// variables that differ from their defaults; nil means none.
func NewEvaluator(variables map[string]cty.Value) *Evaluator {
	return &Evaluator{given: variables, maxText: maxInstanceText, modules: map[instanceOf]*evaluatedModule{}, names: map[*hclconfig.Module]*hclsource.Declared{}}
}

// An Evaluation is the result of evaluating an expression with an [Evaluator].
type Evaluation struct {
	// Value is the value; parts of it may be unknown. Parts derived from a
	// sensitive or ephemeral variable are marked.
	Value cty.Value
	// Unknown lists the reasons why parts of Value are unknown. It is empty if Value is
	// wholly known.
	Unknown []Unknown
	// Early reports whether the expression refers only to what OpenTofu knows while it
	// reads a configuration (variables, local values, and the objects path and terraform),
	// and all of that has a value.
	Early bool
	// Diagnostics has the faults of the expression itself. With an error, Value is unknown.
	Diagnostics hclconfig.Diagnostics

	found cty.ValueMarks // the marks of Value and of its parts, once they were asked for
}

// marks returns the marks of the value and of its parts. What is computed of a value has no others.
func (e *Evaluation) marks() cty.ValueMarks {
	if e.found == nil {
		_, e.found = e.Value.UnmarkDeep()
	}
	return e.found
}

// An Unknown is a reason why a value is not known.
type Unknown struct {
	// Address is the address of the object that is not known, in the module with the path
	// Module: var.x, aws_instance.a, module.net.id, count.index. For a function it is its
	// name. It is empty if the expression itself is the reason.
	Address string
	Module  string // the path of calls from the root, "" for the root
	Reason  Reason
	Range   addrs.Range // the place of the reference, or of the expression
}

// A Reason is the reason why an object has no known value. Its values include
// [NoValue], [BadDefault] and [Planned].
type Reason string

// The reasons.
const (
	NoValue     Reason = "has no value"              // a variable without a default, or one to which files may give a value
	BadDefault  Reason = "has an unsuitable default" // a variable
	Planned     Reason = "is known only in a plan"   // a resource, path.cwd, terraform.applying
	PerInstance Reason = "differs between instances" // count, each, self; a module with several instances
	Absent      Reason = "is not there"              // not declared, or not installed
	NotComputed Reason = "is not computed"           // a function, or an expression with faults or too much work
)

// String returns the reason in words, such as "var.zone has no value".
func (u Unknown) String() string {
	name := hclsource.Dotted(u.Module) + u.Address
	if u.Address == "" {
		name = "the expression"
	}
	return name + " " + string(u.Reason)
}

// maxEvaluations is how many local values, variables and outputs may lead to one.
const maxEvaluations = 1000

// An evaluatedModule evaluates the expressions of one module of a tree.
type evaluatedModule struct {
	*Evaluator
	tree   *Tree
	caller *evaluatedModule // nil for the root
	key    addrs.InstanceKey
	*hclsource.Declared
	dialect hcllang.Dialect
	isType  func(hcl.Traversal) bool
	fns     map[string]function.Function
	// known has what was evaluated, nil for what is being evaluated.
	known map[string]*Evaluation
}

// Evaluate returns the value of an expression of the module in. The expression need not
// be part of the module: it may have been parsed separately.
func (e *Evaluator) Evaluate(in *Tree, x hclconfig.Expression) Evaluation {
	return e.EvaluateIn(in, x, nil)
}

// EvaluateIn is like Evaluate, in a place where further names have values: each, count, self,
// or the iterators of dynamic blocks.
func (e *Evaluator) EvaluateIn(in *Tree, x hclconfig.Expression, names map[string]cty.Value) Evaluation {
	if in == nil || in.Module == nil || !x.IsSet() {
		return Evaluation{Value: cty.DynamicVal, Unknown: []Unknown{{Reason: NotComputed}}}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return *e.module(in).evaluateIn(x, names)
}

func (e *Evaluator) module(t *Tree) *evaluatedModule {
	if t.Parent == nil {
		return e.instance(t, nil, addrs.NoKey)
	}
	return e.instance(t, e.module(t.Parent), t.Key)
}

// instance returns what evaluates the expressions of a module, as it is called by a module,
// for one instance of the call or for all of them.
func (e *Evaluator) instance(t *Tree, caller *evaluatedModule, key addrs.InstanceKey) *evaluatedModule {
	id := instanceOf{t, caller, key}
	if m := e.modules[id]; m != nil {
		return m
	}
	names := e.names[t.Module]
	if names == nil {
		names = hclsource.DeclaredIn(t.Module)
		e.names[t.Module] = names
	}
	m := &evaluatedModule{Evaluator: e, tree: t, caller: caller, key: key, Declared: names, known: map[string]*Evaluation{}}
	if caller != nil {
		m.dialect, m.isType, m.fns = m.caller.dialect, m.caller.isType, m.caller.fns
	} else {
		m.dialect, m.isType = hclsource.Program(t.Module.Dialect()), hclsource.TypeNames(t.Module.Dialect())
		functions := e.Functions
		if functions == nil {
			functions = langfuncs.Table(hclsource.Functions(t.Module.Dialect()))
		}
		m.fns = e.costs.Metered(functions)
	}
	if !key.IsNone() {
		e.instanceText += instanceCost
	}
	e.modules[id] = m
	return m
}

// unknownBecause returns an evaluation without a known value.
func (m *evaluatedModule) unknownBecause(t cty.Type, address string, reason Reason, at addrs.Range) *Evaluation {
	return &Evaluation{Value: cty.UnknownVal(t), Unknown: []Unknown{{Address: address, Module: m.tree.Path(), Reason: reason, Range: at}}}
}

// evaluate returns the value of an expression of the module.
func (m *evaluatedModule) evaluate(e hclconfig.Expression) *Evaluation { return m.evaluateIn(e, nil) }

// evaluateIn is evaluate where further names have values.
func (m *evaluatedModule) evaluateIn(e hclconfig.Expression, names map[string]cty.Value) *Evaluation {
	out := &Evaluation{Early: true}
	scope := hcleval.Scope{}
	var all []*Evaluation
	var reasons map[[2]string]bool // those in out.Unknown
	for _, p := range hclsource.Pieces(e) {
		for _, t := range p.Expr.Variables() {
			if m.isType(t) {
				continue
			}
			if v, ok := names[t.RootName()]; ok {
				all = append(all, &Evaluation{Value: v})
				out.Early = false
				if !v.IsWhollyKnown() {
					out.Unknown = append(out.Unknown, Unknown{Address: hcllex.TraversalText(t), Module: m.tree.Path(), Reason: PerInstance, Range: p.At(t.SourceRange())})
				}
				continue
			}
			s, d := hclsource.SubjectOf(p, t, m.dialect)
			if d != nil {
				return m.unknownBecause(cty.DynamicPseudoType, hcllex.TraversalText(t), Absent, p.At(t.SourceRange()))
			}
			found := m.subject(&s)
			all = append(all, found)
			out.Early = out.Early && found.Early
			for _, u := range found.Unknown {
				if said := [2]string{u.Module, u.Address}; !reasons[said] {
					if reasons == nil {
						reasons = map[[2]string]bool{}
					}
					reasons[said] = true
					out.Unknown = append(out.Unknown, u)
				}
			}
			scope.Put(&s, found.Value)
		}
	}
	ctx := &hcl.EvalContext{Functions: m.fns, Variables: scope.Variables(m.dialect)}
	maps.Copy(ctx.Variables, names)
	if strings.Contains(e.Raw(), "provider::") {
		ctx = hcleval.WithProviderFunctions(e, ctx, func(string) bool { return false }, nil)
		out.Early = false
	}
	var kept bool
	if out.Value, out.Diagnostics, kept = m.costs.Value(e, ctx, hcleval.Rules{}); !kept || out.Diagnostics.HasErrors() {
		out.Early = out.Early && out.Diagnostics.HasErrors()
		out.Value = cty.DynamicVal
		for _, f := range all {
			out.Value = out.Value.WithMarks(f.marks())
		}
		out.Unknown = append(out.Unknown, Unknown{Module: m.tree.Path(), Reason: NotComputed, Range: e.Range()})
		return out
	}
	plain, _ := out.Value.UnmarkDeep()
	switch {
	case plain.IsWhollyKnown():
		out.Unknown = nil
	case out.Unknown == nil:
		for _, c := range hclsource.Calls(e) {
			out.Unknown = append(out.Unknown, Unknown{Address: c.Name, Module: m.tree.Path(), Reason: NotComputed, Range: c.At})
		}
		if out.Unknown == nil {
			out.Unknown = []Unknown{{Module: m.tree.Path(), Reason: NotComputed, Range: e.Range()}}
		}
	}
	return out
}

// subject returns the value of the object that a reference names.
func (m *evaluatedModule) subject(s *hclsource.Subject) *Evaluation {
	at := hclsource.RangeIn(s.Piece.File, s.At)
	known := func(v cty.Value) *Evaluation { return &Evaluation{Value: v, Early: true} }
	switch s.Kind {
	case hclsource.ToVariable:
		if v := m.Variables[s.Name]; v != nil {
			return m.once("var."+s.Name, at, func() *Evaluation { return m.variable(v, at) })
		}
	case hclsource.ToLocal:
		if l := m.Locals[s.Name]; l != nil {
			return m.once("local."+s.Name, at, func() *Evaluation { return withoutFaults(m.evaluate(l.Argument.Expression)) })
		}
	case hclsource.ToPath:
		switch dir := m.tree.directory(); {
		case s.Name == "root":
			return known(cty.StringVal("."))
		case s.Name == "module" && dir != "":
			return known(cty.StringVal(dir))
		}
		return m.unknownBecause(cty.String, "path."+s.Name, Planned, at)
	case hclsource.ToProgram:
		if name := m.tree.root().Workspace; s.Name == "workspace" && name != "" {
			return known(cty.StringVal(name))
		}
		return m.unknownBecause(cty.DynamicPseudoType, s.Type+"."+s.Name, Planned, at)
	case hclsource.ToResource:
		return m.resource(s, at)
	case hclsource.ToModule, hclsource.ToOutput:
		return m.output(s, at)
	case hclsource.ToCount, hclsource.ToEach:
		return m.unknownBecause(cty.DynamicPseudoType, s.Type+"."+s.Name, PerInstance, at)
	case hclsource.ToSelf:
		return m.unknownBecause(cty.DynamicPseudoType, "self", PerInstance, at)
	}
	return m.unknownBecause(cty.DynamicPseudoType, s.Address(), Absent, at)
}

// withoutFaults returns the evaluation of something that is referred to: its faults are
// its own, and OpenTofu has no value of it.
func withoutFaults(e *Evaluation) *Evaluation {
	out := *e
	out.Early = out.Early && !out.Diagnostics.HasErrors()
	out.Diagnostics = nil
	return &out
}

// once evaluates what has a name only once.
func (m *evaluatedModule) once(name string, at addrs.Range, value func() *Evaluation) *Evaluation {
	if e, ok := m.known[name]; ok && e != nil {
		return e
	}
	if _, open := m.known[name]; open || m.depth >= maxEvaluations {
		return m.unknownBecause(cty.DynamicPseudoType, name, NotComputed, at)
	}
	m.known[name] = nil
	m.depth++
	defer func() { m.depth-- }()
	e := value()
	m.known[name] = e
	return e
}

// variable returns the value of a variable: what the call gives to it, or its default.
func (m *evaluatedModule) variable(v *hclconfig.Variable, at addrs.Range) *Evaluation {
	typ, defaults, wrong := v.TypeConstraint()
	if wrong != nil {
		typ, defaults = cty.DynamicPseudoType, nil // as the programs take it
	}
	out := &Evaluation{Value: cty.NilVal, Early: true}
	if given, ok := m.argument(v, at); ok {
		out = withoutFaults(given)
		if defaults != nil && !out.Value.IsNull() {
			out.Value = hclbound.WithDefaults(defaults, out.Value)
		}
		var converted cty.Value
		var err error
		if !hcllex.HasHugeNumber(out.Value) {
			converted, err = ctyconv.Convert(out.Value, typ)
		}
		if converted == cty.NilVal || err != nil || hcllex.HasHugeNumber(converted) {
			return m.unknownBecause(typ.WithoutOptionalAttributesDeep(), "var."+v.Name, NoValue, at)
		}
		out.Value = converted
	} else if given != nil {
		return given
	}
	if out.Value == cty.NilVal || out.Value.IsNull() && v.Nullable.IsSet() && !v.Nullable.Value {
		d, err := v.TypedDefault()
		if wrong != nil && v.Default.IsSet() {
			d, err = v.Default.Constant()
		}
		if err != nil && v.Default.IsSet() {
			out = m.unknownBecause(cty.DynamicPseudoType, "var."+v.Name, BadDefault, at)
			out.Early = true // the programs take it for unknown
			return out
		}
		if err != nil || d == cty.NilVal {
			return m.marked(v, m.unknownBecause(typ.WithoutOptionalAttributesDeep(), "var."+v.Name, NoValue, at))
		}
		m.costs.ReadValue(d)
		out.Value = d
	}
	return m.marked(v, out)
}

// marked marks the value of a sensitive or ephemeral variable.
func (m *evaluatedModule) marked(v *hclconfig.Variable, e *Evaluation) *Evaluation {
	if v.Sensitive.Value {
		e.Value = e.Value.Mark(langfuncs.Sensitive)
	}
	if v.Ephemeral.Value {
		e.Value = e.Value.Mark(langfuncs.Ephemeral)
	}
	return e
}

// argument returns what a variable is given. If that is not known, it reports false.
func (m *evaluatedModule) argument(v *hclconfig.Variable, at addrs.Range) (*Evaluation, bool) {
	if m.caller != nil {
		if a := argumentOf(m.tree.Call, v.Name); a != nil && !slices.Contains(hclsource.ReservedVariables, v.Name) {
			return m.passed(a.Expression), true
		}
		return nil, false
	}
	if value, ok := m.given[v.Name]; ok && value != cty.NilVal {
		m.costs.ReadValue(value)
		return &Evaluation{Value: value, Early: true}, true
	}
	if len(m.tree.VariableFiles) > 0 {
		typ, _, err := v.TypeConstraint()
		if err != nil {
			typ = cty.DynamicPseudoType
		}
		return m.marked(v, m.unknownBecause(typ.WithoutOptionalAttributesDeep(), "var."+v.Name, NoValue, at)), false
	}
	return nil, false
}

// argumentOf returns the argument of a call with a name, from an override file if one sets it,
// or nil.
func argumentOf(c *hclconfig.ModuleCall, name string) *hclconfig.Argument {
	for _, o := range slices.Backward(c.OverriddenBy) {
		if a := o.Argument(name); a != nil {
			return a
		}
	}
	return c.Block.Argument(name)
}

// passed returns the value of an argument of the call.
func (m *evaluatedModule) passed(x hclconfig.Expression) *Evaluation {
	if !m.key.IsNone() {
		return m.caller.evaluateFor(m, x)
	}
	out := m.caller.evaluate(x)
	if m.Instances && slices.ContainsFunc(out.Unknown, isRepeated) {
		if same := m.agreed(x); same != nil {
			return same
		}
	}
	return out
}

// output returns the value of a module call, as far as it is referred to.
func (m *evaluatedModule) output(s *hclsource.Subject, at addrs.Range) *Evaluation {
	i := slices.IndexFunc(m.tree.Children, func(t *Tree) bool { return t.Call != nil && t.Call.Name == s.Name })
	if i < 0 {
		return m.unknownBecause(cty.DynamicPseudoType, s.Address(), Absent, at)
	}
	t := m.tree.Children[i]
	exists, known := m.enabled(t.Call)
	if c := t.Call; c.Count.IsSet() || c.ForEach.IsSet() || !known || s.Indexed {
		return m.once("instances of "+s.Name, at, func() *Evaluation { return m.outputsOfAll(t, s, at) })
	}
	if !exists {
		return &Evaluation{Value: cty.NullVal(cty.DynamicPseudoType)}
	}
	if s.Kind == hclsource.ToModule {
		return m.once("outputs of "+s.Name, at, func() *Evaluation { return m.outputs(t, s, at) })
	}
	return m.outputs(t, s, at)
}

// outputs returns the value of a module call without instances, as far as it is referred to.
func (m *evaluatedModule) outputs(t *Tree, s *hclsource.Subject, at addrs.Range) *Evaluation {
	child := m.instance(t, m, addrs.NoKey)
	names := []string{s.Output}
	if s.Kind == hclsource.ToModule {
		names = nil
		for _, o := range t.Module.Outputs {
			names = append(names, o.Name)
		}
	}
	out := &Evaluation{}
	values := make(map[string]cty.Value, len(names))
	for _, name := range names {
		o := child.Outputs[name]
		if o == nil {
			return m.unknownBecause(cty.DynamicPseudoType, s.Address()+"."+name, Absent, at)
		}
		e := child.outputOnce(o, at)
		values[name] = e.Value
		out.Unknown = append(out.Unknown, e.Unknown...)
	}
	out.Value = cty.ObjectVal(values)
	return out
}
