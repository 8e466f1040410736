// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// A staticChecker checks expressions that are evaluated while the configuration
// is loaded: from variables, local values, path and terraform only.
type staticChecker struct {
	m      *hclconfig.Module
	locals map[string]*hclconfig.Local
	vars   map[string]*hclconfig.Variable
	// done has the local values that have been looked at, or are.
	done map[string]bool
	out  hclconfig.Diagnostics
}

// static checks the static expressions of a module.
func (c *treeChecker) static(m *hclconfig.Module) {
	s := staticChecker{m: m, locals: map[string]*hclconfig.Local{}, vars: map[string]*hclconfig.Variable{}, done: map[string]bool{}}
	for _, l := range m.Locals {
		s.locals[l.Name] = l
	}
	for _, v := range m.Variables {
		s.vars[v.Name] = v
	}
	for _, call := range m.Calls {
		for _, text := range []hclconfig.Text{call.Source, call.Version} {
			if !text.IsSet() {
				continue
			}
			e := text.Argument.Expression
			if c.dialect == hcllang.Terraform {
				s.literal(e)
				continue
			}
			s.expression(e)
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
