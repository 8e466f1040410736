// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclsource

import (
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
)

// An Endpoint is the from or to of a moved block. It means objects in all instances of
// the module that has the block.
type Endpoint struct {
	module []string // the path of that module
	// steps lead on to the module, or the module of the resource, that is moved.
	steps []moduleStep
	// Resource is empty for a module, and key is that of the instance of the resource.
	Resource string
	key      addrs.InstanceKey
	// Whole reports that all instances are meant.
	Whole bool
}

type moduleStep struct {
	name string
	key  addrs.InstanceKey
}

// parseEndpoint parses an address relative to the module that names it.
func parseEndpoint(module []string, e hclconfig.Expression) (Endpoint, bool) {
	out := Endpoint{module: module}
	text, err := e.Address()
	if err != nil {
		return out, false
	}
	path, err := addrs.ParseModuleInstance(text)
	if err != nil {
		a, err := addrs.ParseAbsResourceInstance(text)
		if err != nil {
			return out, false
		}
		path, out.Resource, out.key = a.Module(), a.Resource().String(), a.Key()
		out.Whole = out.key.IsNone()
	}
	for name, key := range path.Steps() {
		out.steps = append(out.steps, moduleStep{name, key})
	}
	if out.Resource == "" {
		if len(out.steps) == 0 {
			return out, false
		}
		out.Whole = out.steps[len(out.steps)-1].key.IsNone()
	}
	return out, true
}

// path returns the steps from the root to the module that is moved, or to that of the
// resource. The key of a step is a wildcard where all instances are meant.
func (e *Endpoint) path() []moduleStep {
	out := make([]moduleStep, 0, len(e.module)+len(e.steps))
	for _, name := range e.module {
		out = append(out, moduleStep{name, addrs.WildcardKey()})
	}
	out = append(out, e.steps...)
	if e.Resource == "" && e.Whole {
		out[len(out)-1].key = addrs.WildcardKey()
	}
	return out
}

// covers reports whether the beginning of a path may be that of another one.
func covers(prefix, path []moduleStep) bool {
	if len(prefix) > len(path) {
		return false
	}
	for i, step := range prefix {
		if any := addrs.WildcardKey(); step.name != path[i].name || step.key != any && path[i].key != any && step.key != path[i].key {
			return false
		}
	}
	return true
}

// continues reports whether e may be the same object as o.
func (e *Endpoint) continues(o *Endpoint) bool {
	a, b := e.path(), o.path()
	if len(a) != len(b) || !covers(b, a) {
		return false
	}
	return e.Resource == o.Resource && (e.Resource == "" || e.Whole == o.Whole && e.key == o.key)
}

// within reports whether e is inside of an object that o means.
func (e *Endpoint) within(o *Endpoint) bool {
	a, b := e.path(), o.path()
	if !covers(b, a) {
		return false
	}
	switch {
	case o.Resource != "":
		return o.Whole && len(a) == len(b) && e.Resource == o.Resource && !e.Whole
	case e.Resource != "":
		return true
	case o.Whole && !e.Whole:
		return true
	}
	return len(a) > len(b)
}

// In returns the address of the object in one instance of the module.
func (e *Endpoint) In(module string) string {
	var b strings.Builder
	b.WriteString(module)
	for _, s := range e.steps {
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString("module." + s.name + s.key.String())
	}
	if e.Resource != "" {
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(e.Resource + e.key.String())
	}
	return b.String()
}

// A Move is a moved block.
type Move struct {
	Block    *hclconfig.Block
	From, To Endpoint
}

// MoveOf returns what a moved block means in the module with a path. It reports false if the
// addresses are not complete, or one is of a module and the other of a resource.
func MoveOf(module []string, b *hclconfig.Moved) (Move, bool) {
	from, ok1 := parseEndpoint(module, b.From)
	to, ok2 := parseEndpoint(module, b.To)
	from.Whole, to.Whole = from.Whole && to.Whole, from.Whole && to.Whole
	return Move{b.Block, from, to}, ok1 && ok2 && (from.Resource == "") == (to.Resource == "")
}

// reindexes reports whether the move changes nothing but keys.
func (m *Move) reindexes() bool {
	if m.From.Resource != "" || len(m.From.steps) != len(m.To.steps) {
		return false
	}
	for i := range m.From.steps {
		if m.From.steps[i].name != m.To.steps[i].name {
			return false
		}
	}
	return true
}

// Follows reports whether the move is made after another one.
func (m *Move) Follows(o *Move) bool {
	if m.From.continues(&o.To) {
		return true
	}
	if !m.From.within(&o.To) && !m.To.within(&o.To) && !o.From.within(&m.From) && !o.To.within(&m.From) {
		return false
	}
	return len(m.From.module) >= len(o.From.module) || !m.reindexes()
}
