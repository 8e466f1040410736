// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"

	"github.com/tofuwire/tofuwire/internal/planmask"
	"github.com/tofuwire/tofuwire/planjson"
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
func (t *nameTree) add(marks planjson.Value) {
	switch {
	case !planmask.HasTrue(marks):
	case marks.Kind() == planjson.KindArray:
		for _, m := range marks.Elements() {
			t.add(m)
		}
	case marks.Kind() == planjson.KindObject:
		for name, m := range marks.Members() {
			if !planmask.HasTrue(m) {
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

func allIf(sensitive bool) *nameTree {
	if sensitive {
		return &nameTree{all: true}
	}
	return nil
}

// flows has what one part of a document tells about others.
type flows struct {
	// arguments says which arguments of a block are sensitive in any instance,
	// by the address of the block.
	arguments map[string]*nameTree

	// turned says the same of arguments that a change makes sensitive. The old
	// value, which is in the prior state and in the drift, too, is most likely
	// the same secret.
	turned map[string]*nameTree

	// outputs has the outputs of the root module that are sensitive somewhere.
	outputs map[string]bool
}

// resource takes note of what is sensitive in a resource.
func (f *flows) resource(r *planjson.Resource) {
	f.sensitive(&f.arguments, r.Address, r.SensitiveValues)
}

// change takes note of what is sensitive in a change.
func (f *flows) change(rc *planjson.ResourceChange) {
	c := &rc.Change
	f.sensitive(&f.arguments, rc.Address, c.AfterSensitive)
	if bytes.Equal(c.BeforeSensitive, c.AfterSensitive) {
		return
	}
	f.sensitive(&f.arguments, rc.Address, c.BeforeSensitive)
	if !planmask.IsNone(c.Before) {
		f.sensitive(&f.turned, rc.Address, c.AfterSensitive)
	}
}

// output takes note of an output.
func (f *flows) output(name string, sensitive bool) {
	if !sensitive {
		return
	}
	if f.outputs == nil {
		f.outputs = make(map[string]bool)
	}
	f.outputs[name] = true
}

func (f *flows) outputChange(name string, c *planjson.Change) {
	f.output(name, planmask.HasTrue(c.BeforeSensitive) || planmask.HasTrue(c.AfterSensitive))
}

// configured takes note of the outputs of a configuration.
func (f *flows) configured(c *planjson.Config) {
	for name, o := range c.RootModule.Outputs {
		f.output(name, o != nil && (o.Sensitive || o.Ephemeral))
	}
}

// sensitive takes note of the sensitive parts of an object.
func (f *flows) sensitive(trees *map[string]*nameTree, address string, marks planjson.Value) {
	if !planmask.HasTrue(marks) {
		return
	}
	if *trees == nil {
		*trees = make(map[string]*nameTree)
	}
	at := configAddress(address)
	if (*trees)[at] == nil {
		(*trees)[at] = new(nameTree)
	}
	(*trees)[at].add(marks)
}

// elsewhere returns what becomes sensitive in a resource.
func (f *flows) elsewhere(address string) *nameTree {
	if len(f.turned) == 0 {
		return nil
	}
	return f.turned[configAddress(address)]
}

// learn takes note of everything in p that tells something about other parts.
func (d *redaction) learn(p *planjson.Plan) {
	values := func(v *planjson.Values) {
		for name, o := range v.Outputs {
			d.flows.output(name, o != nil && o.Sensitive)
		}
		for r := range v.AllResources() {
			d.flows.resource(r)
		}
	}
	values(&p.PlannedValues)
	if p.PriorState != nil && p.PriorState.Values != nil {
		values(p.PriorState.Values)
	}
	for _, list := range [][]*planjson.ResourceChange{p.ResourceDrift, p.ResourceChanges} {
		for _, rc := range list {
			if rc != nil {
				d.flows.change(rc)
			}
		}
	}
	for _, c := range p.DeferredChanges {
		if c != nil {
			d.flows.change(&c.ResourceChange)
		}
	}
	for name, c := range p.OutputChanges {
		if c != nil {
			d.flows.outputChange(name, c)
		}
	}
	d.flows.configured(&p.Configuration)
}
