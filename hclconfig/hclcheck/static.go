// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// A staticChecker checks expressions that are evaluated while the configuration
// is loaded: from variables, local values, path and terraform only.
type staticChecker struct {
	isType func(hcl.Traversal) bool
	m      *hclconfig.Module
	locals map[string]*hclconfig.Local
	vars   map[string]*hclconfig.Variable
	// root reports that no module calls this one: its variables have their defaults
	// or the values of the command line.
	root bool
	// done has the local values that have been looked at, or are.
	done map[string]bool
	// open are those that are being looked at, and failed those without a value.
	open, failed map[string]bool
	out          hclconfig.Diagnostics
}

// static checks the static expressions of a module.
func (c *treeChecker) static(m *hclconfig.Module) {
	s := staticChecker{isType: c.isType, m: m, root: m == c.root.Module && !c.root.values, open: map[string]bool{}, failed: map[string]bool{}, locals: map[string]*hclconfig.Local{}, vars: map[string]*hclconfig.Variable{}, done: map[string]bool{}}
	for _, l := range m.Locals {
		s.locals[l.Name] = l
	}
	for _, v := range m.Variables {
		s.vars[v.Name] = v
	}
	for _, call := range m.Calls {
		for i, text := range []hclconfig.Text{call.Source, call.Version} {
			if !text.IsSet() {
				continue
			}
			e := text.Argument.Expression
			switch {
			case c.dialect == hcllang.OpenTofu:
				at := e.Range()
				if text.Argument.Name == "version" {
					at = text.Argument.NameRange()
				}
				before := len(s.out)
				s.expression(e, at)
				if i == 1 && len(s.out) == before {
					s.version(call)
				}
			case c.minor >= 15:
				s.constant(e, []string{"source", "version"}[i])
			case release(m.Dialect()) == 0: // or else reading the file has reported it
				s.literal(e, i == 1)
			}
		}
	}
	if c.dialect == hcllang.Terraform && c.minor >= 15 {
		for _, v := range m.Variables {
			for _, also := range []struct {
				word string
				set  bool
			}{{"sensitive", v.Sensitive.Value}, {"ephemeral", v.Ephemeral.Value}} {
				if v.Const.Value && also.set {
					s.out = append(s.out, errorAt(v.Block.DefRange(), "Const variable cannot be "+also.word, "A variable that is marked as \"const\" cannot also be marked as %q.", also.word))
				}
			}
		}
	}
	if c.dialect == hcllang.OpenTofu {
		for _, p := range m.Providers {
			s.expression(p.ForEach, p.ForEach.Range())
		}
	}
	c.out = append(c.out, s.out...)
}

// version checks the version of a module that is computed and not a constant.
func (s *staticChecker) version(call *hclconfig.ModuleCall) {
	if _, err := call.Version.Argument.Constant(); err == nil || !s.root || !call.Source.IsSet() {
		return
	}
	v, ok := newStaticReader(s.m).value(call.Version.Argument.Expression)
	switch {
	case !ok || v.IsNull() || !v.IsKnown():
	case v.IsMarked():
		s.out = append(s.out, errorAt(call.Version.Argument.Expression.Range(), "Invalid version constraint", "The version of a module must not be sensitive."))
	case call.IsLocal():
		s.out = append(s.out, errorAt(call.Source.Argument.Expression.Range(), "Invalid registry module source address", "A module with a version must come from a registry."))
	}
}

// literal reports references where a program accepts no references: in the source or
// the version of a module.
func (s *staticChecker) literal(e hclconfig.Expression, version bool) {
	if native(e) == nil {
		return // a string means itself
	}
	refs := e.References()
	for _, r := range refs {
		s.out = append(s.out, errorAt(r.Range(), "Variables not allowed", "Variables may not be used here."))
	}
	if len(refs) > 0 && !version {
		at := e.Range()
		at.Start = e.File().Position(int64(native(e).StartRange().Start.Byte))
		s.out = append(s.out, errorAt(at, "Unsuitable value type", "Unsuitable value: value must be known"))
	}
}

// constant checks the references in the source or version of a module in
// Terraform since 1.15. They may be to constant variables, local values made of
// them, and paths.
func (s *staticChecker) constant(e hclconfig.Expression, argument string) {
	fail := func(p piece, r *subject, summary, format string, args ...any) {
		s.out = append(s.out, p.errorAt(r.at, summary, format, args...))
	}
	for _, p := range pieces(e) {
		for _, t := range p.expr.Variables() {
			if s.isType(t) {
				continue
			}
			r, d := subjectOf(p, t, hcllang.Terraform)
			if d != nil {
				s.out = append(s.out, *d)
				return
			}
			if r.kind != toVariable && r.kind != toLocal && r.kind != toPath {
				fail(p, &r, "Invalid module "+argument, "The module %s can only reference constant input variables and local values.", argument)
				return
			}
		}
	}
	known := true
	var look func(e hclconfig.Expression) bool
	look = func(e hclconfig.Expression) bool {
		for _, p := range pieces(e) {
			for _, t := range p.expr.Variables() {
				if s.isType(t) {
					continue
				}
				r, d := subjectOf(p, t, hcllang.Terraform)
				if d != nil {
					known = false // its faults are reported elsewhere
					continue
				}
				v, l := s.vars[r.name], s.locals[r.name]
				switch {
				case r.kind == toPath:
				case r.kind == toVariable && v == nil:
					fail(p, &r, "Reference to undeclared input variable", "An input variable with the name %q has not been declared. This variable can be declared with a variable %q {} block.", r.name, r.name)
					return false
				case r.kind == toVariable:
					known = known && v.Const.Value
				case r.kind == toLocal && l == nil:
					fail(p, &r, "Reference to undeclared local value", "A local value with the name %q has not been declared.", r.name)
					return false
				case r.kind == toLocal && s.done[r.name]:
				case r.kind == toLocal:
					s.done[r.name] = true
					if !look(l.Argument.Expression) {
						return false
					}
				default: // in a local value
					known = false
				}
			}
		}
		return true
	}
	clear(s.done)
	if look(e) && !known {
		s.out = append(s.out, errorAt(e.Range(), "Unknown module "+argument, "Only literal values and const variables can be evaluated during init."))
	}
}

// expression checks the references of a static expression. A needed value that
// cannot be computed is reported once more at owner, as the programs do.
func (s *staticChecker) expression(e hclconfig.Expression, owner addrs.Range) {
	for _, p := range pieces(e) {
		for _, t := range p.expr.Variables() {
			ref, d := subjectOf(p, t, hcllang.OpenTofu)
			if d != nil {
				s.out = append(s.out, *d)
				continue
			}
			if !s.reference(&ref) {
				s.out = append(s.out, errorAt(owner, "Unable to compute static value", "It depends on %s, which is not available.", ref.address()))
			}
		}
	}
}

// reference checks one reference. It reports false if the object exists and has no
// value.
func (s *staticChecker) reference(r *subject) bool {
	fail := func(summary, format string, args ...any) {
		s.out = append(s.out, r.p.errorAt(r.at, summary, format, args...))
	}
	switch r.kind {
	case toLocal:
		l, ok := s.locals[r.name]
		switch {
		case !ok:
			fail("Undefined local", "Undefined local local.%s", r.name)
		case s.open[r.name]:
			s.out = append(s.out, errorAt(l.Argument.NameRange(), "Circular reference", "local.%s refers to itself.", r.name))
		case s.done[r.name]:
			return !s.failed[r.name]
		default:
			s.done[r.name], s.open[r.name] = true, true
			before := len(s.out)
			s.expression(l.Argument.Expression, l.Argument.NameRange())
			delete(s.open, r.name)
			s.failed[r.name] = len(s.out) > before
			return !s.failed[r.name]
		}
	case toVariable:
		v, ok := s.vars[r.name]
		switch {
		case !ok:
			fail("Undefined variable", "Undefined variable var.%s", r.name)
		case v.Const.IsSet() && !v.Const.Value:
			fail("Unable to use variable in static context", "The variable %q cannot be used in a static context, because it is declared as \"const = false\".", v.Name)
		case s.root && !v.Default.IsSet():
			s.out = append(s.out, errorAt(defRange(v.Block), "Failed to request input from user for variable var."+v.Name, "The variable has no default, and its value is needed while the configuration is loaded."))
			return false
		}
	case toPath, toProgram:
	case toOutput:
		fail("Module output not supported in static context", "Unable to use %s in static context.", r.address()+"."+r.out)
	default:
		fail("Dynamic value in static context", "Unable to use it in static context: only variables, local values, path and terraform are known while the configuration is loaded.")
	}
	return true
}

// A staticReader evaluates the sources of calls that are not constant.
type staticReader struct {
	variables map[string]*hclconfig.Variable
	locals    map[string]*hclconfig.Local
	// known has the local values that were evaluated: cty.NilVal for those that
	// have no value, or are being looked at.
	known map[string]cty.Value
	depth int
	fns   map[string]function.Function
}

// maxStaticDepth is how many local values may lead to one.
const maxStaticDepth = 1000

func newStaticReader(m *hclconfig.Module) *staticReader {
	r := &staticReader{variables: map[string]*hclconfig.Variable{}, locals: map[string]*hclconfig.Local{}, known: map[string]cty.Value{}, fns: langfuncs.Table(langfuncs.OpenTofu, -1)}
	for _, v := range m.Variables {
		r.variables[v.Name] = v
	}
	for _, l := range m.Locals {
		r.locals[l.Name] = l
	}
	return r
}

// source returns the value of the source of a call from the defaults of
// variables and from local values.
func (r *staticReader) source(call *hclconfig.ModuleCall) (string, bool) {
	v, ok := r.value(call.Source.Argument.Expression)
	if !ok {
		return "", false
	}
	text, err := textOf(v)
	return text, err == nil
}

func (r *staticReader) value(e hclconfig.Expression) (cty.Value, bool) {
	vars, locals := map[string]cty.Value{}, map[string]cty.Value{}
	for _, p := range pieces(e) {
		for _, t := range p.expr.Variables() {
			s, d := subjectOf(p, t, hcllang.OpenTofu)
			if d != nil {
				return cty.NilVal, false
			}
			switch s.kind {
			case toVariable:
				v, ok := r.variable(s.name)
				if !ok {
					return cty.NilVal, false
				}
				vars[s.name] = v
			case toLocal:
				v, ok := r.local(s.name)
				if !ok {
					return cty.NilVal, false
				}
				locals[s.name] = v
			default:
				return cty.NilVal, false
			}
		}
	}
	ctx := &hcl.EvalContext{Functions: r.fns, Variables: map[string]cty.Value{"var": cty.ObjectVal(vars), "local": cty.ObjectVal(locals)}}
	if !cheap(e, ctx) {
		return cty.NilVal, false
	}
	v, diags := e.Value(ctx)
	return v, !diags.HasErrors() && langfuncs.Weight(v) <= langfuncs.MaxWeight
}

func (r *staticReader) variable(name string) (cty.Value, bool) {
	v := r.variables[name]
	if v == nil || !v.Default.IsSet() {
		return cty.NilVal, false
	}
	d, err := v.TypedDefault()
	return d, err == nil
}

func (r *staticReader) local(name string) (cty.Value, bool) {
	if v, ok := r.known[name]; ok {
		return v, v != cty.NilVal
	}
	r.known[name] = cty.NilVal
	l := r.locals[name]
	if l == nil || r.depth >= maxStaticDepth {
		return cty.NilVal, false
	}
	r.depth++
	defer func() { r.depth-- }()
	v, ok := r.value(l.Argument.Expression)
	if ok {
		r.known[name] = v
	}
	return v, ok
}
