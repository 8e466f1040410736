// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph

import (
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
)

// A moduleConfig is the references of a module of the configuration, read once
// for all of its instances.
type moduleConfig struct {
	path    string
	blocks  map[string]*blockConfig
	calls   map[string]*callConfig
	outputs map[string]*outputConfig
	names   []string // of outputs, sorted
}

// A blockConfig is the references of a resource block.
type blockConfig struct {
	name      string
	arguments []argumentConfig
	constant  []string // the places of arguments without references
	lists     map[string]*blockList
	forEach   []addrs.Reference
	dependsOn []addrs.Reference
	beyond    []addrs.Reference // those that an operation can wait for more than for their values

	provider *providerConfig
}

// A providerConfig is the references of the configuration of a provider, which is in
// a module.
type providerConfig struct {
	refs []addrs.Reference
	in   string
}

// An argumentConfig is one place with references.
type argumentConfig struct {
	at   string
	refs []addrs.Reference
	each bool // keys and values of for_each can be used
}

type callConfig struct {
	repeated  bool
	expand    []addrs.Reference // count or for_each
	forEach   []addrs.Reference
	arguments map[string][]addrs.Reference
	dependsOn []addrs.Reference
}

type outputConfig struct{ value, dependsOn []addrs.Reference }

// compile reads the references of a configuration.
func (x *Instances) compile(c *planjson.Config) {
	for path, m := range c.AllModules() {
		config := &moduleConfig{path: path, blocks: map[string]*blockConfig{}, calls: map[string]*callConfig{}, outputs: map[string]*outputConfig{}}
		x.configs[path] = config
		for name, o := range m.Outputs {
			if o != nil {
				config.outputs[name] = &outputConfig{refsOf(o.Expression), refsIn(o.DependsOn)}
				config.names = append(config.names, name)
			}
		}
		slices.Sort(config.names)
		for name, call := range m.ModuleCalls {
			if call == nil {
				continue
			}
			of := &callConfig{
				repeated: call.CountExpression != nil || call.ForEachExpression != nil,
				forEach:  refsOf(call.ForEachExpression), expand: slices.Concat(refsOf(call.CountExpression), refsOf(call.ForEachExpression)),
				arguments: map[string][]addrs.Reference{}, dependsOn: refsIn(call.DependsOn),
			}
			for arg, e := range call.Expressions {
				for _, e := range planjson.AllExpressions(map[string]*planjson.Expression{"": e}) {
					of.arguments[arg] = append(of.arguments[arg], refsOf(e)...)
				}
			}
			config.calls[name] = of
		}
		for _, r := range m.Resources {
			if r != nil {
				config.blocks[r.Address] = compileBlock(r)
			}
		}
	}
	for key, p := range c.ProviderConfig {
		if p == nil {
			continue
		}
		of := &providerConfig{in: p.ModuleAddress}
		for _, e := range planjson.AllExpressions(p.Expressions) {
			of.refs = append(of.refs, refsOf(e)...)
		}
		x.providers[key] = of
	}
	for path, m := range c.AllModules() {
		for _, r := range m.Resources {
			if r != nil {
				x.configs[path].blocks[r.Address].provider = x.providers[r.ProviderConfigKey]
			}
		}
	}
}

func compileBlock(r *planjson.ResourceConfig) *blockConfig {
	b := &blockConfig{name: r.Name, forEach: refsOf(r.ForEachExpression), dependsOn: refsIn(r.DependsOn), lists: blockLists(r.Expressions)}
	add := func(at string, e *planjson.Expression, each bool) {
		if refs := refsOf(e); len(refs) > 0 {
			b.arguments = append(b.arguments, argumentConfig{at, refs, each})
		} else if each && at != "provisioner" {
			b.constant = append(b.constant, at)
		}
	}
	add("count", r.CountExpression, false)
	add("for_each", r.ForEachExpression, false)
	for at, e := range planjson.AllExpressions(r.Expressions) {
		add(at, e, true)
	}
	for _, p := range r.Provisioners {
		if p != nil {
			for _, e := range planjson.AllExpressions(p.Expressions) {
				add("provisioner", e, true)
			}
		}
	}
	for _, a := range b.arguments {
		b.beyond = append(b.beyond, a.refs...)
	}
	b.beyond = onceEach(slices.DeleteFunc(append(b.beyond, b.dependsOn...), func(ref addrs.Reference) bool {
		switch r, _ := ref.Resource(); ref.Kind() {
		case addrs.VariableReference, addrs.LocalReference, addrs.ModuleReference, addrs.ModuleOutputReference:
			return false
		default:
			return r.Mode() != addrs.Ephemeral
		}
	}))
	return b
}

// refsOf returns the references of an expression, each once.
func refsOf(e *planjson.Expression) (refs []addrs.Reference) {
	for ref, err := range e.Refs() {
		if err == nil {
			refs = append(refs, ref)
		}
	}
	return onceEach(refs)
}

func refsIn(texts []string) (refs []addrs.Reference) {
	for _, text := range texts {
		if ref, err := addrs.ParsePlanReference(text); err == nil {
			refs = append(refs, ref)
		}
	}
	return onceEach(refs)
}

func onceEach(refs []addrs.Reference) []addrs.Reference {
	if len(refs) < 2 {
		return refs
	}
	seen := make(map[addrs.Reference]bool, len(refs))
	return slices.DeleteFunc(refs, func(r addrs.Reference) bool {
		if seen[r] {
			return true
		}
		seen[r] = true
		return false
	})
}
