// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/zclconf/go-cty/cty"
)

// A Part is a part of the value of an [Instance] that is not known.
type Part struct {
	Path string // such as tags or rule[1].port
	Why  string // names what it depends on
}

// namedValues are the names that have values in a place besides those of the module, and why parts of
// them are unknown, by the first part of the name.
type namedValues struct {
	names   map[string]cty.Value
	origins map[string][]Unknown
}

// with returns them with one more name that has a value.
func (p namedValues) with(name string, value cty.Value, unknown []Unknown) namedValues {
	q := namedValues{maps.Clone(p.names), maps.Clone(p.origins)}
	if q.names == nil {
		q.names = map[string]cty.Value{}
	}
	if q.origins == nil {
		q.origins = map[string][]Unknown{}
	}
	q.names[name], q.origins[name] = value, unknown
	return q
}

// ownArguments and ownBlocks are what the language itself has in a resource.
var (
	ownArguments = []string{"count", "for_each", "provider", "depends_on"}
	ownBlocks    = []string{"lifecycle", "provisioner", "connection"}
)

// Value returns the values that the block sets in the instance: an object with its arguments
// by name, and for each type of nested blocks a tuple with one object for each block, in the
// order of the text, where those of dynamic blocks are in place. What is not known is unknown,
// and in parts. If it is not known how many blocks a dynamic block makes, all blocks of the
// type are unknown. Without a schema nothing is converted, and in JSON syntax blocks that are
// not dynamic have the values of their text. Sensitive parts are marked.
//
// The value of an instance that is not known is cty.DynamicVal.
func (i *Instance) Value() (v cty.Value, parts []Part) {
	if i == nil {
		return cty.DynamicVal, nil
	}
	if i.Resource == nil || i.in == nil || i.Why != "" {
		return cty.DynamicVal, []Part{{Why: i.Why}}
	}
	i.in.mu.Lock()
	defer i.in.mu.Unlock()
	b := bodyExpander{m: i.in}
	bodies := []*hclconfig.Body{&i.Resource.Block.Body}
	for _, o := range i.Resource.OverriddenBy {
		bodies = append(bodies, &o.Body)
	}
	v = b.object(overridden(bodies), i.at, "")
	return v, b.parts
}

// content is what a body sets.
type content struct {
	arguments map[string]*hclconfig.Argument
	blocks    map[string][]*hclconfig.Block // by type, with the dynamic blocks of the type
}

// contentOf returns the content of one body.
func contentOf(body *hclconfig.Body) content {
	c := content{map[string]*hclconfig.Argument{}, map[string][]*hclconfig.Block{}}
	var blocks []*hclconfig.Block
	for i := range body.Blocks {
		blocks = append(blocks, &body.Blocks[i])
	}
	for i := range body.Arguments {
		a := &body.Arguments[i]
		if a.Undecided && a.Name == "dynamic" {
			list, _ := a.AsBlocks(1)
			for j := range list {
				blocks = append(blocks, &list[j])
			}
			continue
		}
		c.arguments[a.Name] = a
	}
	for _, n := range blocks {
		typ := n.Type
		if typ == "dynamic" && len(n.Labels) == 1 {
			typ = n.Labels[0]
		}
		c.blocks[typ] = append(c.blocks[typ], n)
	}
	return c
}

// overridden returns the content of a resource whose later bodies are those of override files:
// they replace arguments, and all blocks of a type.
func overridden(bodies []*hclconfig.Body) content {
	all := contentOf(bodies[0])
	for _, body := range bodies[1:] {
		c := contentOf(body)
		maps.Copy(all.arguments, c.arguments)
		maps.Copy(all.blocks, c.blocks)
	}
	for _, name := range ownArguments {
		delete(all.arguments, name)
	}
	for _, typ := range ownBlocks {
		delete(all.blocks, typ)
	}
	return all
}

// A bodyExpander finds the values of a body.
type bodyExpander struct {
	m     *evaluatedModule
	parts []Part
}

// object returns the values of a body.
func (b *bodyExpander) object(c content, p namedValues, path string) cty.Value {
	out := map[string]cty.Value{}
	for _, name := range slices.Sorted(maps.Keys(c.arguments)) {
		out[name] = b.value(c.arguments[name].Expression, p, path+name)
	}
	for _, typ := range slices.Sorted(maps.Keys(c.blocks)) {
		list, known := b.blocks(typ, c.blocks[typ], p, path+typ)
		if out[typ] = cty.TupleVal(list); !known {
			out[typ] = cty.DynamicVal
			b.parts = slices.DeleteFunc(b.parts, func(q Part) bool { return strings.HasPrefix(q.Path, path+typ+"[") })
		}
	}
	return cty.ObjectVal(out)
}

// blocks returns the objects of the blocks of a type, and reports whether it is known which
// there are.
func (b *bodyExpander) blocks(typ string, blocks []*hclconfig.Block, p namedValues, path string) (list []cty.Value, known bool) {
	known = true
	at := func() string { return fmt.Sprintf("%s[%d].", path, len(list)) }
	for _, n := range blocks {
		if n.Type != "dynamic" {
			list = append(list, b.object(contentOf(&n.Body), p, at()))
			continue
		}
		forEach := n.Argument("for_each")
		if forEach == nil {
			b.parts, known = append(b.parts, Part{path, "the dynamic block has no for_each"}), false
			continue
		}
		e := b.m.evaluateTraced(forEach.Expression, p)
		elements, all := hcleval.Elements(e.Value)
		if !all {
			why := dependsOn(e.Unknown)
			if e.Value.IsNull() {
				why = "is null"
			}
			b.parts, known = append(b.parts, Part{path, "for_each " + why}), false
			continue
		}
		iterator := hcleval.Iterator(n)
		for _, e2 := range elements {
			for _, c := range n.Body.Nested("content", 0) {
				list = append(list, b.object(contentOf(&c.Body), p.with(iterator, e2.Object(), e.Unknown), at()))
			}
		}
	}
	return list, known
}

// value returns the value of an argument.
func (b *bodyExpander) value(x hclconfig.Expression, p namedValues, path string) cty.Value {
	e := b.m.evaluateTraced(x, p)
	if e.Diagnostics.HasErrors() {
		b.parts = append(b.parts, Part{path, firstError(e.Diagnostics)})
		return cty.DynamicVal
	}
	for _, u := range e.Unknown {
		part := Part{path, strings.TrimPrefix(dependsOn([]Unknown{u}), "depends on ")}
		if n := len(b.parts); n == 0 || !slices.Contains(b.parts[max(n-8, 0):], part) {
			b.parts = append(b.parts, part)
		}
	}
	return e.Value
}

// evaluateTraced is evaluateIn, with reasons that lead to where what is not known comes from.
func (m *evaluatedModule) evaluateTraced(x hclconfig.Expression, p namedValues) *Evaluation {
	e := m.evaluateIn(x, p.names)
	e.Unknown = traced(e.Unknown, p.origins)
	return e
}

// traced returns reasons in which those of names have become those of what the names stand for.
func traced(list []Unknown, origins map[string][]Unknown) []Unknown {
	var out []Unknown
	for _, u := range list {
		root, _, _ := strings.Cut(u.Address, ".")
		if from := origins[root]; u.Reason == PerInstance && len(from) > 0 {
			out = append(out, from...)
			continue
		}
		out = append(out, u)
	}
	return out
}
