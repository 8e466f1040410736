// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// sensitiveOutput requires that outputs are marked if they show a sensitive
// variable: directly, through local values, or through called modules.
func sensitiveOutput(t *hclnames.Tree, report func(finding)) {
	s := newSecrets(t, nil)
	for _, o := range t.Module.Outputs {
		if r, ok := s.shows(o.Value); ok && !o.Sensitive.Value {
			report(finding{at: r.Range(), text: fmt.Sprintf("output %s shows %s and is not marked sensitive", o.Name, r), fix: func(e *hcledit.Editor) {
				e.Set(o.Block, "sensitive", true)
			}})
		}
	}
}

// secrets knows the sensitive values in a module.
type secrets struct {
	t         *hclnames.Tree
	variables map[string]bool
	locals    map[string]*hclconfig.Local
	known     map[string]bool // of local values; false while one is looked at
	calls     map[string]*secrets
}

// newSecrets reads a module, whose caller gives sensitive values to the variables given.
func newSecrets(t *hclnames.Tree, given []string) *secrets {
	s := &secrets{t: t, variables: map[string]bool{}, locals: map[string]*hclconfig.Local{}, known: map[string]bool{}, calls: map[string]*secrets{}}
	for _, v := range t.Module.Variables {
		s.variables[v.Name] = v.Sensitive.Value || slices.Contains(given, v.Name)
	}
	for _, l := range t.Module.Locals {
		s.locals[l.Name] = l
	}
	return s
}

// shows returns the first reference in e to something sensitive. A value that passes
// through nonsensitive is not.
func (s *secrets) shows(e hclconfig.Expression) (hclconfig.Reference, bool) {
	if strings.Contains(e.Raw(), "nonsensitive(") {
		return hclconfig.Reference{}, false
	}
	for _, r := range e.References() {
		if s.sensitive(r) {
			return r, true
		}
	}
	return hclconfig.Reference{}, false
}

func (s *secrets) sensitive(r hclconfig.Reference) bool {
	name := r.Addr.Name()
	switch r.Root() {
	case "var":
		return s.variables[name]
	case "local":
		known, ok := s.known[name]
		if l := s.locals[name]; !ok && l != nil {
			s.known[name] = false
			_, known = s.shows(l.Argument.Expression)
			s.known[name] = known
		}
		return known
	case "module":
		call, _ := r.Addr.ModuleCall()
		return s.module(call, name)
	}
	return false
}

// module reports whether an output of a call is sensitive.
func (s *secrets) module(name, output string) bool {
	for _, child := range s.t.Children {
		if child.Call.Name != name {
			continue
		}
		inner, ok := s.calls[name]
		if !ok {
			s.calls[name] = nil // while the inputs are looked at
			var given []string
			inputs := child.Call.Inputs()
			for i := range inputs.Arguments {
				if _, ok := s.shows(inputs.Arguments[i].Expression); ok {
					given = append(given, inputs.Arguments[i].Name)
				}
			}
			inner = newSecrets(child, given)
			s.calls[name] = inner
		}
		if inner == nil {
			return false
		}
		for _, o := range child.Module.Outputs {
			if o.Name == output {
				_, shown := inner.shows(o.Value)
				return shown || o.Sensitive.Value
			}
		}
	}
	return false
}
