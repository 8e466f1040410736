// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
)

// A nameTree says which parts of an object are sensitive, by the names of the
// members; positions in lists are left out. A nil tree has nothing.
type nameTree struct {
	all     bool
	members map[string]*nameTree
}

func (t *nameTree) isAll() bool { return t != nil && t.all }

// member returns the part with this name.
func (t *nameTree) member(name string) *nameTree {
	if t == nil || t.all {
		return t
	}
	return t.members[name]
}

// add adds the parts that marks has.
func (t *nameTree) add(marks Value) {
	switch {
	case !hasTrueQuick(marks):
	case marks.Kind() == KindArray:
		for _, m := range marks.Elements() {
			t.add(m)
		}
	case marks.Kind() == KindObject:
		for name, m := range marks.Members() {
			if !hasTrueQuick(m) {
				continue
			}
			if t.members == nil {
				t.members = make(map[string]*nameTree)
			}
			if t.members[name] == nil {
				t.members[name] = new(nameTree)
			}
			t.members[name].add(m)
		}
	default:
		t.all = true
	}
}

// flows has what the values in a plan tell about its configuration: which
// arguments are sensitive, by the address of the block.
type flows struct {
	arguments map[string]*nameTree
}

// sensitive takes note of the sensitive parts of an object.
func (f *flows) sensitive(address string, marks Value) {
	if !hasTrueQuick(marks) {
		return
	}
	if f.arguments == nil {
		f.arguments = make(map[string]*nameTree)
	}
	at := configAddress(address)
	if f.arguments[at] == nil {
		f.arguments[at] = new(nameTree)
	}
	f.arguments[at].add(marks)
}

// configAddress returns the address of the block of a resource instance.
func configAddress(address string) string {
	if !strings.Contains(address, "[") {
		return address
	}
	a, err := addrs.ParseAbsResourceInstance(address)
	if err != nil {
		return address
	}
	return a.Config().String()
}

// configuration replaces the secrets in a configuration.
func (d *redaction) configuration(c *Config) {
	d.extra(c)
	d.inConfiguration(c)
}

// inConfiguration replaces the constants that are sensitive, or become so: of
// variables and outputs that say so, of arguments that are sensitive in an
// instance, and of what those refer to.
func (d *redaction) inConfiguration(c *Config) {
	f := d.follow(c)
	d.names = f.sensitive
	index := NewConfigIndex(c)
	for _, p := range c.ProviderConfig {
		d.provider(p)
	}
	for path, m := range c.AllModules() {
		for name, v := range m.Variables {
			if v == nil {
				continue
			}
			at := join(path, "var."+name)
			if f.sensitive[at] {
				v.Default = d.all(v.Default, false)
			} else {
				v.Default = d.value(v.Default, nil, nil, place{address: at})
			}
		}
		for name, o := range m.Outputs {
			if o != nil && o.Expression != nil {
				at := join(path, "output."+name)
				d.expression(o.Expression, allIf(f.sensitive[at]), nil, place{address: at})
			}
		}
		for name, call := range m.ModuleCalls {
			if call == nil {
				continue
			}
			child := join(path, "module."+name)
			for arg, e := range call.Expressions {
				at := join(child, "var."+arg)
				d.expression(e, allIf(f.sensitive[at]), nil, place{address: at})
			}
			d.repetition(call.CountExpression, call.ForEachExpression, child)
		}
		for _, r := range m.Resources {
			if r == nil {
				continue
			}
			at := join(path, r.Address)
			p := place{address: at, typ: r.Type, root: true}
			var s *shape
			if pc := index.ProviderOf(r); pc != nil {
				s = d.schemas.schema(pc.FullName, r.Mode, r.Type)
			}
			d.expressions(r.Expressions, d.flows.arguments[at], s, p)
			d.repetition(r.CountExpression, r.ForEachExpression, at)
			for _, v := range r.Provisioners {
				if v != nil {
					d.expressions(v.Expressions, allIf(d.Keep&UnmarkedProvisioners == 0), nil, p)
				}
			}
		}
		for _, a := range m.Actions {
			if a != nil {
				d.repetition(a.CountExpression, a.ForEachExpression, join(path, a.Address))
			}
		}
	}
}

func allIf(sensitive bool) *nameTree {
	if sensitive {
		return &nameTree{all: true}
	}
	return nil
}

// repetition redacts count and for_each, which are never sensitive by
// themselves.
func (d *redaction) repetition(count, forEach *Expression, address string) {
	d.expression(count, nil, nil, place{address: address, path: []string{"count"}})
	d.expression(forEach, nil, nil, place{address: address, path: []string{"for_each"}})
}

func (d *redaction) provider(p *ProviderConfig) {
	if p == nil {
		return
	}
	var s *shape
	if d.Schemas != nil {
		if ps := d.Schemas.ProviderSchemas[p.FullName]; ps != nil {
			s = blockShape(ps.Provider.Block, 0)
		}
	}
	hide := d.Keep&UnmarkedProviderConfig == 0 && s == nil
	d.expressions(p.Expressions, allIf(hide), s, place{address: join(p.ModuleAddress, "provider."+p.Name), root: true})
}

func (d *redaction) expressions(exprs map[string]*Expression, t *nameTree, s *shape, p place) {
	for name, e := range exprs {
		d.expression(e, t.member(name), s.member([]byte(name)), p.in(name))
	}
}

// expression redacts one argument or nested block. If a part of an argument is
// sensitive, all of it is hidden.
func (d *redaction) expression(e *Expression, t *nameTree, s *shape, p place) {
	if e == nil || len(p.path) > maxNesting {
		return
	}
	if t != nil || s.isSensitive() {
		e.ConstantValue, e.Raw = d.all(e.ConstantValue, false), d.all(e.Raw, false)
	} else {
		e.ConstantValue, e.Raw = d.value(e.ConstantValue, nil, s, p), d.value(e.Raw, nil, s, p)
	}
	for i, b := range e.Blocks {
		// The blocks of a list have no names, but the depth counts.
		d.expression(b, t, s.element(i), p)
	}
	if s.isSensitive() && t == nil {
		t = allIf(true)
	}
	d.expressions(e.Block, t, s, p)
}

// variable redacts the value of an input variable of the root module. A
// variable that nothing is known of counts as sensitive.
func (d *redaction) variable(name string, v *Variable) {
	if v == nil {
		return
	}
	at := "var." + name
	if d.config == nil || d.config.RootModule.Variables[name] == nil || d.names[at] {
		v.Value = d.all(v.Value, false)
		return
	}
	v.Value = d.value(v.Value, nil, nil, place{address: at})
}

// A follower finds out which variables and outputs of all modules end up in
// something sensitive.
type follower struct {
	index     *ConfigIndex
	sensitive map[string]bool // by address: module.a.var.x, module.a.output.y
	todo      []string
}

// follow follows what sensitive things are made of, up to variables. Locals are
// not in the document, so that what flows through them is not found.
func (d *redaction) follow(c *Config) *follower {
	f := &follower{index: NewConfigIndex(c), sensitive: make(map[string]bool)}
	for path, m := range c.AllModules() {
		for name, v := range m.Variables {
			if v != nil && (v.Sensitive || v.Ephemeral) {
				f.add(join(path, "var."+name))
			}
		}
		for name, o := range m.Outputs {
			if o != nil && (o.Sensitive || o.Ephemeral) {
				f.add(join(path, "output."+name))
			}
		}
		for name, call := range m.ModuleCalls {
			if call == nil {
				continue
			}
			child := join(path, "module."+name)
			for arg := range call.Expressions {
				if call.Module == nil || call.Module.Variables[arg] == nil {
					f.add(join(child, "var."+arg)) // nothing is known of it
				}
			}
		}
		for _, r := range m.Resources {
			if r == nil {
				continue
			}
			var s *shape
			if pc := f.index.ProviderOf(r); pc != nil {
				s = d.schemas.schema(pc.FullName, r.Mode, r.Type)
			}
			for name, e := range r.Expressions {
				f.arguments(path, e, d.flows.arguments[join(path, r.Address)].member(name), s.member([]byte(name)), 0)
			}
		}
	}
	for len(f.todo) > 0 {
		at := f.todo[len(f.todo)-1]
		f.todo = f.todo[:len(f.todo)-1]
		f.through(at)
	}
	return f
}

func (f *follower) add(address string) {
	if !f.sensitive[address] {
		f.sensitive[address] = true
		f.todo = append(f.todo, address)
	}
}

// arguments looks for sensitive arguments.
func (f *follower) arguments(path string, e *Expression, t *nameTree, s *shape, depth int) {
	if e == nil || depth > maxNesting {
		return
	}
	if t.isAll() || s.isSensitive() || t != nil && e.Shape() == ShapeExpression {
		f.everything(path, e, depth)
		return
	}
	for name, b := range e.Block {
		f.arguments(path, b, t.member(name), s.member([]byte(name)), depth+1)
	}
	for i, b := range e.Blocks {
		f.arguments(path, b, t, s.element(i), depth+1)
	}
}

// everything takes all that e refers to.
func (f *follower) everything(path string, e *Expression, depth int) {
	if e == nil || depth > maxNesting {
		return
	}
	for _, text := range e.References {
		ref, err := addrs.ParsePlanReference(text)
		if err != nil {
			continue
		}
		switch ref.Kind() {
		case addrs.VariableReference:
			f.add(join(path, "var."+ref.Name()))
		case addrs.ModuleOutputReference:
			if call, ok := ref.ModuleCall(); ok {
				f.add(join(path, "module."+call+".output."+ref.Name()))
			}
		}
	}
	for _, b := range e.Block {
		f.everything(path, b, depth+1)
	}
	for _, b := range e.Blocks {
		f.everything(path, b, depth+1)
	}
}

// through follows a variable to the calls of its module, and an output to its
// expression.
func (f *follower) through(address string) {
	if path, name, ok := cutLast(address, "output."); ok {
		if m := f.index.Module(path); m != nil && m.Outputs[name] != nil {
			f.everything(path, m.Outputs[name].Expression, 0)
		}
		return
	}
	path, name, ok := cutLast(address, "var.")
	if call := f.index.Call(path); ok && call != nil {
		parent, _, _ := cutLast(path, "module.")
		f.everything(parent, call.Expressions[name], 0)
	}
}

// cutLast splits an address that ends in kind and a name.
func cutLast(address, kind string) (path, name string, ok bool) {
	i := strings.LastIndex(address, kind)
	if i < 0 || i > 0 && address[i-1] != '.' {
		return "", "", false
	}
	return strings.TrimSuffix(address[:i], "."), address[i+len(kind):], true
}
