// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"github.com/tofuwire/tofuwire/internal/planshape"
	"github.com/tofuwire/tofuwire/planjson"
)

// configuration replaces the secrets in a configuration.
func (d *redaction) configuration(c *planjson.Config) {
	d.extra(c)
	d.inConfiguration(c)
}

// inConfiguration replaces the constants that are sensitive, or become so: of
// variables and outputs that say so, of arguments that are sensitive in an
// instance, and of what those refer to.
func (d *redaction) inConfiguration(c *planjson.Config) {
	f := d.follow(c)
	d.names = f.sensitive
	d.flows.configured(c)
	index := planjson.NewConfigIndex(c)
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
				v.Default = d.value(v.Default, nil, nil, place{address: at, block: true})
			}
		}
		for name, o := range m.Outputs {
			if o != nil && o.Expression != nil {
				at := join(path, "output."+name)
				d.expression(o.Expression, allIf(f.sensitive[at] || path == "" && d.flows.outputs[name]), nil, place{address: at, block: true}, 0)
			}
		}
		for name, call := range m.ModuleCalls {
			if call == nil {
				continue
			}
			child := join(path, "module."+name)
			for arg, e := range call.Expressions {
				at := join(child, "var."+arg)
				d.expression(e, allIf(f.sensitive[at]), nil, place{address: at, block: true}, 0)
			}
			d.repetition(call.CountExpression, call.ForEachExpression, child)
		}
		for _, r := range m.Resources {
			if r == nil {
				continue
			}
			at := join(path, r.Address)
			p := place{address: at, typ: r.Type, root: true, block: true}
			var s *planshape.Shape
			if pc := index.ProviderOf(r); pc != nil {
				s = d.schemas.Resource(pc.FullName, r.Mode, r.Type)
			}
			d.expressions(r.Expressions, d.flows.arguments[at], s, p, 0)
			d.repetition(r.CountExpression, r.ForEachExpression, at)
			for _, v := range r.Provisioners {
				if v != nil {
					d.expressions(v.Expressions, allIf(d.Keep&Provisioners == 0), nil, p, 0)
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

// repetition redacts count and for_each, which are never sensitive by
// themselves.
func (d *redaction) repetition(count, forEach *planjson.Expression, address string) {
	d.expression(count, nil, nil, place{address: address, path: []string{"count"}, block: true}, 0)
	d.expression(forEach, nil, nil, place{address: address, path: []string{"for_each"}, block: true}, 0)
}

func (d *redaction) provider(p *planjson.ProviderConfig) {
	if p == nil {
		return
	}
	t, s := d.providerMarks(p)
	d.expressions(p.Expressions, t, s, place{address: join(p.ModuleAddress, "provider."+p.Name), root: true}, 0)
}

// providerMarks returns what is sensitive in a provider block: what the schema
// says, and without one everything.
func (d *redaction) providerMarks(p *planjson.ProviderConfig) (*nameTree, *planshape.Shape) {
	if s := d.schemas.Provider(p.FullName); s != nil {
		return nil, s
	}
	return allIf(d.Keep&ProviderConfig == 0), nil
}

func (d *redaction) expressions(exprs map[string]*planjson.Expression, t *nameTree, s *planshape.Shape, p place, depth int) {
	for name, e := range exprs {
		d.expression(e, t.member(name), s.Member([]byte(name)), p.in(name), depth+1)
	}
}

// expression redacts one argument or nested block. If a part of an argument is
// sensitive, all of it is hidden.
func (d *redaction) expression(e *planjson.Expression, t *nameTree, s *planshape.Shape, p place, depth int) {
	if e == nil || depth > maxNesting {
		return
	}
	if t != nil || s.IsSensitive() {
		e.ConstantValue, e.Raw = d.all(e.ConstantValue, false), d.all(e.Raw, false)
	} else {
		e.ConstantValue, e.Raw = d.value(e.ConstantValue, nil, s, p), d.value(e.Raw, nil, s, p)
	}
	for i, b := range e.Blocks {
		d.expression(b, t, s.Element(i), p, depth+1) // the blocks of a list have no names
	}
	if s.IsSensitive() && t == nil {
		t = allIf(true)
	}
	d.expressions(e.Block, t, s, p, depth)
}

// variable redacts the value of an input variable of the root module. A
// variable that nothing is known of counts as sensitive.
func (d *redaction) variable(name string, v *planjson.Variable) {
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
