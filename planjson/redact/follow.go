// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/planshape"
	"github.com/tofuwire/tofuwire/planjson"
)

// A follower finds out which variables and outputs of all modules end up in
// something sensitive.
type follower struct {
	index     *planjson.ConfigIndex
	sensitive map[string]bool // by address: module.a.var.x, module.a.output.y
	todo      []string
}

// follow follows what sensitive things are made of, up to variables. Locals are
// not in the document, so that what flows through them is not found.
func (d *redaction) follow(c *planjson.Config) *follower {
	f := &follower{index: planjson.NewConfigIndex(c), sensitive: make(map[string]bool)}
	for _, p := range c.ProviderConfig {
		if p == nil {
			continue
		}
		t, s := d.providerMarks(p)
		for name, e := range p.Expressions {
			f.arguments(p.ModuleAddress, e, t.member(name), s.Member([]byte(name)), nil, place{}, 0)
		}
	}
	for path, m := range c.AllModules() {
		for name, v := range m.Variables {
			if at := join(path, "var."+name); v != nil && (v.Sensitive || v.Ephemeral || d.ruled(at)) {
				f.add(at)
			}
		}
		for name, o := range m.Outputs {
			if at := join(path, "output."+name); o != nil && (o.Sensitive || o.Ephemeral || d.ruled(at)) {
				f.add(at)
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
			var s *planshape.Shape
			if pc := f.index.ProviderOf(r); pc != nil {
				s = d.schemas.Resource(pc.FullName, r.Mode, r.Type)
			}
			at := join(path, r.Address)
			p := place{address: at, typ: r.Type, block: true}
			for name, e := range r.Expressions {
				f.arguments(path, e, d.flows.arguments[at].member(name), s.Member([]byte(name)), d.rulesFor(p), p.in(name), 0)
			}
			for _, v := range r.Provisioners {
				if v == nil || d.Keep&Provisioners != 0 {
					continue
				}
				for _, e := range v.Expressions {
					f.everything(path, e, 0)
				}
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

// ruled reports whether a rule covers all of a variable or an output.
func (d *redaction) ruled(address string) bool {
	if d.rules = d.rulesFor(place{address: address}); len(d.rules) == 0 {
		return false
	}
	return d.covers(place{address: address})
}

// arguments looks for sensitive arguments: by what the document marks, by
// schema, and by rules about paths, which hold for anything in an argument.
func (f *follower) arguments(path string, e *planjson.Expression, t *nameTree, s *planshape.Shape, rules []Rule, p place, depth int) {
	if e == nil || depth > maxNesting {
		return
	}
	single := e.Shape() == planjson.ShapeExpression
	covered := slices.ContainsFunc(rules, func(r Rule) bool {
		return r.Match == nil && (r.Path == nil || pathMatches(r.Path, p.path) || single && mayMatchBelow(r, p.path))
	})
	if t.isAll() || s.IsSensitive() || covered || t != nil && single {
		f.everything(path, e, depth)
		return
	}
	for name, b := range e.Block {
		f.arguments(path, b, t.member(name), s.Member([]byte(name)), rules, p.in(name), depth+1)
	}
	for i, b := range e.Blocks {
		f.arguments(path, b, t, s.Element(i), rules, p, depth+1)
	}
}

// mayMatchBelow reports whether a rule may match something below a path. A rule
// that is not about certain resources holds for variables and outputs, too, so
// that what its "**" may find in an argument it finds there.
func mayMatchBelow(rule Rule, path []string) bool {
	for i, name := range path {
		switch {
		case i >= len(rule.Path):
			return false
		case rule.Path[i] == "**":
			return rule.Type != "" || rule.Address != ""
		case rule.Path[i] != "*" && rule.Path[i] != name:
			return false
		}
	}
	return true
}

// everything takes all that e refers to.
func (f *follower) everything(path string, e *planjson.Expression, depth int) {
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
