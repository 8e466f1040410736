// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
)

// A follower finds out which variables and outputs of all modules end up in
// something sensitive. Locals are not in the document: what flows through them
// is not found.
type follower struct {
	*engine
	modules map[string]*planjson.ModuleConfig
	calls   map[string]*planjson.ModuleCall
	todo    []hiddenAddress
}

type hiddenAddress struct {
	address string
	partly  bool
}

// follow finds the variables and outputs to be hidden.
func (e *engine) follow() {
	e.why, e.partly = make(map[string]reason), make(map[string]bool)
	if e.config == nil {
		return
	}
	f := &follower{engine: e, modules: map[string]*planjson.ModuleConfig{}, calls: map[string]*planjson.ModuleCall{}}
	f.module("", &e.config.RootModule, 0)
	for _, p := range e.config.ProviderConfig {
		if p != nil {
			f.provider(p)
		}
	}
	for path, m := range f.modules {
		f.declarations(path, m)
		for _, r := range m.Resources {
			if r != nil {
				f.resource(path, r)
			}
		}
	}
	for len(f.todo) > 0 {
		s := f.todo[len(f.todo)-1]
		f.todo = f.todo[:len(f.todo)-1]
		f.through(s)
	}
}

func (f *follower) module(path string, m *planjson.ModuleConfig, depth int) {
	f.modules[path] = m
	for name, call := range m.ModuleCalls {
		if call == nil {
			continue
		}
		child := join(path, "module."+name)
		f.calls[child] = call
		if call.Module != nil && depth < maxNesting {
			f.module(child, call.Module, depth+1)
		}
	}
}

// declarations finds what variables and outputs say of themselves.
func (f *follower) declarations(path string, m *planjson.ModuleConfig) {
	for name, v := range m.Variables {
		f.texts.declareName(name)
		at := join(path, "var."+name)
		if v != nil && (v.Sensitive || v.Ephemeral) {
			f.add(at, reasonMarked, false)
		} else if f.rulesForBlock(at, "").covers() {
			f.add(at, reasonRule, false)
		}
	}
	for name, o := range m.Outputs {
		f.texts.declareName(name)
		at := join(path, "output."+name)
		switch {
		case o != nil && (o.Sensitive || o.Ephemeral):
			f.add(at, reasonMarked, false)
			if path == "" {
				f.note(at, allMark)
			}
		case path == "" && f.isAllMarked(at):
			f.add(at, reasonElsewhere, false)
		case f.rulesForBlock(at, "").covers():
			f.add(at, reasonRule, false)
		}
	}
	for name, call := range m.ModuleCalls {
		f.texts.declareName(name)
		if call == nil {
			continue
		}
		for arg := range call.Expressions {
			if call.Module == nil || call.Module.Variables[arg] == nil {
				f.add(join(path, "module."+name+".var."+arg), reasonClosed, false)
			}
		}
	}
}

func (f *follower) provider(p *planjson.ProviderConfig) {
	s := f.schemas.Provider(p.FullName)
	rules := f.rulesFor(join(p.ModuleAddress, "provider."+p.Name), "", "")
	for name, x := range p.Expressions {
		if s == nil && f.Keep&ProviderConfig == 0 {
			f.everything(p.ModuleAddress, x, false, 0)
			continue
		}
		f.argument(p.ModuleAddress, x, nil, s.Member([]byte(name)), rules.in(name), 0)
	}
}

func (f *follower) resource(path string, r *planjson.ResourceConfig) {
	at := join(path, r.Address)
	s := f.resourceShape(f.providerOf(r.ProviderConfigKey), r.Mode, r.Type)
	m := f.blockMarks(at)
	rules := f.rulesForBlock(at, r.Type)
	for name, x := range r.Expressions {
		f.argument(path, x, m.member([]byte(name)), s.Member([]byte(name)), rules.in(name), 0)
	}
	for _, v := range r.Provisioners {
		if v == nil || f.Keep&Provisioners != 0 {
			continue
		}
		for _, x := range v.Expressions {
			f.everything(path, x, false, 0)
		}
	}
}

// argument looks for sensitive parts of an argument or a nested block.
func (f *follower) argument(path string, x *planjson.Expression, m *marks, s *shape, p *progress, depth int) {
	if x == nil || depth > maxNesting {
		return
	}
	switch {
	case m.isAll() != 0, s.IsSecret(), p.covers():
		f.everything(path, x, false, depth)
	case x.Block != nil:
		for name, b := range x.Block {
			f.argument(path, b, m.member([]byte(name)), s.Member([]byte(name)), p.in(name), depth+1)
		}
	case x.Blocks != nil:
		for _, b := range x.Blocks {
			f.argument(path, b, m.element(0, -1), s.Each(), p, depth+1)
		}
	case m != nil, s.Hides(), p.mayCover():
		f.everything(path, x, true, depth)
	}
}

// everything takes all that x refers to.
func (f *follower) everything(path string, x *planjson.Expression, partly bool, depth int) {
	if x == nil || depth > maxNesting {
		return
	}
	for _, text := range x.References {
		ref, err := addrs.ParsePlanReference(text)
		if err != nil {
			continue
		}
		switch ref.Kind() {
		case addrs.VariableReference:
			f.add(join(path, "var."+ref.Name()), reasonFlow, partly)
		case addrs.ModuleOutputReference:
			if call, ok := ref.ModuleCall(); ok {
				f.add(join(path, "module."+call+".output."+ref.Name()), reasonFlow, partly)
			}
		}
	}
	for _, b := range x.Block {
		f.everything(path, b, partly, depth+1)
	}
	for _, b := range x.Blocks {
		f.everything(path, b, partly, depth+1)
	}
}

// add takes note of a variable or an output that ends up in something
// sensitive, or in something that is sensitive in part.
func (f *follower) add(address string, why reason, partly bool) {
	if partly {
		if f.why[address] == 0 && !f.partly[address] {
			f.partly[address] = true
			f.todo = append(f.todo, hiddenAddress{address, true})
		}
		return
	}
	if f.why[address] == 0 {
		f.todo = append(f.todo, hiddenAddress{address, false})
	}
	f.why[address] = first(f.why[address], why)
}

// through follows a variable to the call of its module, and an output to its
// expression.
func (f *follower) through(s hiddenAddress) {
	if path, name, ok := cutLast(s.address, "output."); ok {
		if m := f.modules[path]; m != nil && m.Outputs[name] != nil {
			f.everything(path, m.Outputs[name].Expression, s.partly, 0)
		}
		return
	}
	path, name, ok := cutLast(s.address, "var.")
	if call := f.calls[path]; ok && call != nil {
		parent, _, _ := cutLast(path, "module.")
		f.everything(parent, call.Expressions[name], s.partly, 0)
	}
}

// cutLast splits the address of a variable, an output or a module call. Names
// have no dots: the last two steps are its kind and its name.
func cutLast(address, kind string) (path, name string, ok bool) {
	i := strings.LastIndexByte(address, '.')
	if i < 0 {
		return "", "", false
	}
	name = address[i+1:]
	path, ok = strings.CutSuffix(address[:i+1], kind)
	if !ok || path != "" && !strings.HasSuffix(path, ".") {
		return "", "", false
	}
	return strings.TrimSuffix(path, "."), name, true
}

// variableWhy returns why the value of a variable of the root module is hidden.
// One that nothing is known of is. One that is a part of something partly
// sensitive is shown if all that it says is shown there.
func (e *engine) variableWhy(address string) reason {
	name := strings.TrimPrefix(address, "var.")
	if e.config == nil || e.config.RootModule.Variables[name] == nil {
		return reasonClosed
	}
	if why := e.why[address]; why != 0 {
		return why
	}
	if !e.partly[address] {
		return 0
	}
	return e.partWhy(e.variables[address])
}

// partWhy returns why a value is hidden that is a part of something partly
// sensitive.
func (e *engine) partWhy(value []byte) (why reason) {
	leaves(value, func(token []byte, name bool) {
		if !name && !e.texts.isPublic(token) {
			why = reasonFlow
		}
	})
	return why
}
