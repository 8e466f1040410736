// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph

import (
	"maps"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
)

// A place is where an instance holds references.
type place struct {
	at      string
	targets func() []target
}

// A scope is where an expression is evaluated: in an instance of a module, and
// inside of a block with for_each, whose keys and values it can use.
type scope struct {
	module  string
	forEach *planjson.Expression // nil if there is none
	outer   *scope               // where forEach is evaluated
}

// places returns the places of an instance that can hold references.
func (x *Instances) places(i *Instance) (all []place) {
	s := &scope{module: i.Module}
	add := func(at string, e *planjson.Expression, s *scope) {
		if e != nil && len(e.References) > 0 {
			all = append(all, place{at, func() []target { return x.expression(s, e) }})
		}
	}
	dependsOn := func(module string, references []string) {
		if len(references) > 0 {
			all = append(all, place{"depends_on", func() (targets []target) {
				for _, text := range references {
					if ref, err := addrs.ParsePlanReference(text); err == nil {
						targets = append(targets, x.dependency(module, ref)...)
					}
				}
				return targets
			}})
		}
	}
	switch i.Kind {
	case Output:
		if o := x.modules[""].Outputs[strings.TrimPrefix(i.Address, "output.")]; o != nil {
			add("", o.Expression, s)
			dependsOn(i.Module, o.DependsOn)
		}
	case Resource:
		block := x.blocks[join(stripKeys(i.Module), i.resource)]
		if block == nil {
			return nil
		}
		in := &scope{i.Module, block.ForEachExpression, s}
		add("count", block.CountExpression, s)
		add("for_each", block.ForEachExpression, s)
		for at, e := range planjson.AllExpressions(block.Expressions) {
			add(at, e, in)
		}
		for _, p := range block.Provisioners {
			if p != nil {
				for _, e := range planjson.AllExpressions(p.Expressions) {
					add("provisioner", e, in)
				}
			}
		}
		dependsOn(i.Module, block.DependsOn)
		for module := i.Module; module != ""; module = parentOf(module) {
			if call := x.called[stripKeys(module)]; call != nil {
				dependsOn(parentOf(module), call.DependsOn)
			}
		}
	}
	return all
}

// isArgument reports whether a path is that of an argument in the configuration,
// which is constant if it has no references.
func (x *Instances) isArgument(i *Instance, path string) bool {
	block := x.blocks[join(stripKeys(i.Module), i.resource)]
	if block == nil {
		return false
	}
	for at := range planjson.AllExpressions(block.Expressions) {
		if overlap(at, path) {
			return true
		}
	}
	return false
}

// dependency returns what a reference in depends_on stands for: of a module,
// everything that is in it.
func (x *Instances) dependency(module string, ref addrs.Reference) []target {
	if ref.Kind() != addrs.ModuleReference {
		return x.reference(&scope{module: module}, ref, true)
	}
	name, _ := ref.ModuleCall()
	at := join(module, "module."+name)
	return x.once(at+"\x00depends_on", func() []target {
		var in []*Instance
		for _, i := range x.order {
			if within(i.Module, at) {
				in = append(in, i)
			}
		}
		return []target{{in, "", true}}
	})
}

// expression returns what an expression refers to.
func (x *Instances) expression(s *scope, e *planjson.Expression) []target {
	var refs []addrs.Reference
	for ref, err := range e.Refs() {
		if err == nil && !slices.Contains(refs, ref) {
			refs = append(refs, ref)
		}
	}
	return x.references(s, refs)
}

// references returns what an expression with these references refers to. If
// there are others beside a reference to a block with several instances, they
// may say which.
func (x *Instances) references(s *scope, refs []addrs.Reference) (all []target) {
	for _, ref := range refs {
		all = append(all, x.reference(s, ref, len(refs) == 1)...)
	}
	return unique(all)
}

// reference resolves one reference. It is alone if nothing else in its expression
// can say which of several instances is meant.
func (x *Instances) reference(s *scope, ref addrs.Reference, alone bool) []target {
	switch ref.Kind() {
	case addrs.VariableReference:
		return x.variable(s.module, ref)
	case addrs.LocalReference:
		return x.local(s.module, ref)
	case addrs.ResourceReference:
		r, ok := ref.Resource()
		if !ok {
			return nil
		}
		return pick(x.groups[groupKey{s.module, r.String()}], ref.Key(), pathOf(ref), alone)
	case addrs.ModuleOutputReference, addrs.ModuleReference:
		return x.outputs(s.module, ref, alone)
	case addrs.EachReference:
		if s.forEach == nil || s.outer == nil {
			return nil
		}
		all := slices.Clone(x.expression(s.outer, s.forEach))
		for i := range all {
			all[i].certain = all[i].certain && len(all[i].to) == 1
		}
		return all
	}
	return nil
}

// pick returns the instance with a key, or without one all of them.
func pick(group []*Instance, key addrs.InstanceKey, path string, alone bool) []target {
	if !key.IsNone() {
		for i, one := range group {
			if one.Key == key {
				return []target{{group[i : i+1], path, true}}
			}
		}
		for i, one := range group {
			if one.Key == addrs.WildcardKey() { // it may be this one
				return []target{{group[i : i+1], path, false}}
			}
		}
		return nil
	}
	if len(group) == 0 {
		return nil
	}
	return []target{{group, path, alone || len(group) == 1}}
}

// once resolves something that many refer to, and remembers it. What refers to
// itself, which no tool accepts, ends there.
func (x *Instances) once(key string, resolve func() []target) []target {
	if t, ok := x.memo[key]; ok {
		return t
	}
	if x.active[key] {
		return nil
	}
	x.active[key] = true
	t := unique(resolve())
	delete(x.active, key)
	x.memo[key] = t
	return t
}

// variable follows a variable to the call of its module instance.
func (x *Instances) variable(module string, ref addrs.Reference) []target {
	if module == "" {
		if i := x.byAddr["var."+ref.Name()]; i != nil {
			return []target{{[]*Instance{i}, pathOf(ref), true}}
		}
		return nil
	}
	return x.once(module+"\x00var."+ref.Name(), func() (all []target) {
		call := x.called[stripKeys(module)]
		if call == nil {
			return nil
		}
		outer := &scope{module: parentOf(module)}
		s := &scope{outer.module, call.ForEachExpression, outer}
		for _, e := range planjson.AllExpressions(map[string]*planjson.Expression{"": call.Expressions[ref.Name()]}) {
			if e != nil {
				all = append(all, x.expression(s, e)...)
			}
		}
		return all
	})
}

// local follows a local, if its references are known.
func (x *Instances) local(module string, ref addrs.Reference) []target {
	return x.once(module+"\x00local."+ref.Name(), func() []target {
		references, known := x.options.Locals[stripKeys(module)][ref.Name()]
		if !known {
			address := join(module, "local."+ref.Name())
			i := x.byAddr[address]
			if i == nil {
				i = &Instance{Address: address, Kind: Local, Module: module}
				x.byAddr[address] = i
			}
			return []target{{[]*Instance{i}, "", false}}
		}
		var refs []addrs.Reference
		for _, text := range references {
			if ref, err := addrs.ParseReference(text); err == nil && !slices.Contains(refs, ref) {
				refs = append(refs, ref)
			}
		}
		return x.references(&scope{module: module}, refs)
	})
}

// outputs follows an output of a called module, or all of them.
func (x *Instances) outputs(module string, ref addrs.Reference, alone bool) (all []target) {
	name, ok := ref.ModuleCall()
	if !ok {
		return nil
	}
	at := join(module, "module."+name)
	children := x.calls[at]
	if call := x.called[stripKeys(at)]; len(children) == 0 && call != nil && call.CountExpression == nil && call.ForEachExpression == nil {
		children = []string{at} // a module without resources
	}
	if key := ref.Key(); !key.IsNone() {
		children = []string{at + key.String()}
	}
	config := x.modules[stripKeys(at)]
	if config == nil {
		return nil
	}
	names := []string{ref.Name()}
	if ref.Kind() == addrs.ModuleReference {
		names = slices.Sorted(maps.Keys(config.Outputs))
	}
	for _, child := range children {
		for _, name := range names {
			for _, t := range x.once(child+"\x00output."+name, func() (all []target) {
				if o := config.Outputs[name]; o != nil && o.Expression != nil {
					all = x.expression(&scope{module: child}, o.Expression)
				}
				return all
			}) {
				t.certain = t.certain && (alone || len(children) == 1)
				all = append(all, t)
			}
		}
	}
	return all
}

// unique leaves out what is there twice.
func unique(all []target) []target {
	type key struct {
		first *Instance
		n     int
		path  string
	}
	at := make(map[key]int, len(all))
	out := make([]target, 0, len(all))
	for _, t := range all {
		if len(t.to) == 0 {
			continue
		}
		k := key{t.to[0], len(t.to), t.path}
		if i, ok := at[k]; ok {
			out[i].certain = out[i].certain || t.certain
			continue
		}
		at[k] = len(out)
		out = append(out, t)
	}
	return out
}

// pathOf returns the steps of a reference behind its subject.
func pathOf(ref addrs.Reference) string {
	var b strings.Builder
	for step := range ref.Remaining() {
		b.WriteString(step.String())
	}
	return strings.TrimPrefix(b.String(), ".")
}

// overlap reports whether one of two paths leads to a part of the other, or to
// the same.
func overlap(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	rest, ok := strings.CutPrefix(b, a)
	return ok && (a == "" || rest == "" || rest[0] == '.' || rest[0] == '[')
}

// stripKeys returns an address without the keys of instances.
func stripKeys(address string) string {
	if !strings.Contains(address, "[") {
		return address
	}
	var b strings.Builder
	for i := 0; i < len(address); i++ {
		if address[i] == '[' {
			i = keyEnd(address, i)
			continue
		}
		b.WriteByte(address[i])
	}
	return b.String()
}

// withoutKey returns the address of a module instance without its last key.
func withoutKey(address string) string {
	for i := 0; i < len(address); i++ {
		if address[i] == '[' {
			end := keyEnd(address, i)
			if end >= len(address)-1 {
				return address[:i]
			}
			i = end
		}
	}
	return address
}

// parentOf returns the address of the module instance around another one.
func parentOf(address string) string {
	last := 0
	for i := 0; i < len(address); i++ {
		switch {
		case address[i] == '[':
			i = keyEnd(address, i)
		case strings.HasPrefix(address[i:], ".module."):
			last = i
			i += len(".module.") - 1
		}
	}
	return address[:last]
}

// lastStep returns where the last step of an address with a path begins.
func lastStep(text string) int {
	last := 0
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '.':
			last = i
		case '[':
			last = i
			i = keyEnd(text, i)
		}
	}
	return last
}

// keyEnd returns where the key ends that begins at s[i].
func keyEnd(s string, i int) int {
	quoted := false
	for i++; i < len(s); i++ {
		switch {
		case quoted && s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case !quoted && s[i] == ']':
			return i
		}
	}
	return i
}
