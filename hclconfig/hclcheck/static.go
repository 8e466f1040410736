// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// A staticChecker checks expressions that are evaluated while the configuration
// is loaded: from variables, local values, path and terraform only.
type staticChecker struct {
	isType func(hcl.Traversal) bool
	m      *hclconfig.Module
	locals map[string]*hclconfig.Local
	vars   map[string]*hclconfig.Variable
	// done has the local values that have been looked at, or are.
	done map[string]bool
	out  hclconfig.Diagnostics
}

// static checks the static expressions of a module.
func (c *treeChecker) static(m *hclconfig.Module) {
	s := staticChecker{isType: c.isType, m: m, locals: map[string]*hclconfig.Local{}, vars: map[string]*hclconfig.Variable{}, done: map[string]bool{}}
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
				s.expression(e)
			case c.minor >= 15:
				s.constant(e, []string{"source", "version"}[i])
			case release(m.Dialect()) == 0: // or else reading the file has reported it
				s.literal(e)
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
			s.expression(p.ForEach)
		}
	}
	c.out = append(c.out, s.out...)
}

// literal reports references where a program takes none at all.
func (s *staticChecker) literal(e hclconfig.Expression) {
	if native(e) == nil {
		return // a string means itself
	}
	refs := e.References()
	for _, r := range refs {
		s.out = append(s.out, errorAt(r.Range(), "Variables not allowed", "Variables may not be used here."))
	}
	if len(refs) > 0 {
		at := e.Range()
		at.Start = e.File().Position(int64(native(e).StartRange().Start.Byte))
		s.out = append(s.out, errorAt(at, "Unsuitable value type", "Unsuitable value: value must be known"))
	}
}

// constant checks what the source or version of a module refers to in Terraform
// since 1.15: variables that are constants, local values made of them, and paths.
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
					known = false // what is wrong with it is said elsewhere
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

// expression checks what a static expression refers to.
func (s *staticChecker) expression(e hclconfig.Expression) {
	for _, p := range pieces(e) {
		for _, t := range p.expr.Variables() {
			ref, d := subjectOf(p, t, hcllang.OpenTofu)
			if d != nil {
				s.out = append(s.out, *d)
				continue
			}
			s.reference(&ref)
		}
	}
}

func (s *staticChecker) reference(r *subject) {
	fail := func(summary, format string, args ...any) {
		s.out = append(s.out, r.p.errorAt(r.at, summary, format, args...))
	}
	switch r.kind {
	case toLocal:
		l, ok := s.locals[r.name]
		switch {
		case !ok:
			fail("Undefined local", "Undefined local local.%s", r.name)
		case !s.done[r.name]:
			s.done[r.name] = true
			s.expression(l.Argument.Expression)
		}
	case toVariable:
		v, ok := s.vars[r.name]
		switch {
		case !ok:
			fail("Undefined variable", "Undefined variable var.%s", r.name)
		case v.Const.IsSet() && !v.Const.Value:
			fail("Unable to use variable in static context", "The variable %q cannot be used in a static context, because it is declared as \"const = false\".", v.Name)
		}
	case toPath, toProgram:
	case toOutput:
		fail("Module output not supported in static context", "Unable to use %s in static context.", r.address()+"."+r.out)
	default:
		fail("Dynamic value in static context", "Unable to use it in static context: only variables, local values, path and terraform are known while the configuration is loaded.")
	}
}
