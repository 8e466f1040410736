// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A plainer makes the plain profile of a schema, of which generators of types make types that
// read every document: objects with properties, maps, lists, scalars, and any value for
// everything else. It has no conditions, no combinations and no titles but those of types.
type plainer struct {
	defs map[string]node // of the strict schema
	made map[string]node
}

// plainSchema returns the plain profile of a whole schema.
func plainSchema(strict node) node {
	p := &plainer{defs: map[string]node{}, made: map[string]node{}}
	if defs, ok := strict.get("$defs").(node); ok {
		for _, d := range defs {
			p.defs[d.name] = d.value.(node)
		}
	}
	body := strict
	if list, ok := strict.get("anyOf").([]any); ok { // a file: its object, or a list of such
		body = p.defs[strings.TrimPrefix(list[0].(node).text("$ref"), "#/$defs/")]
	}
	n := node{}
	for _, name := range []string{"$schema", "$id", "$comment", "title"} {
		n = n.with(name, strict.get(name))
	}
	n[1].value = strings.Replace(n.text("$id"), "/docs/schemas/", "/docs/schemas/types/", 1)
	n = n.with("description", strict.get("description"))
	for _, e := range p.schema(body) {
		if e.name != "description" {
			n = append(n, e)
		}
	}
	used := map[string]bool{}
	p.reach(n, used)
	var defs node
	for _, name := range slices.Sorted(maps.Keys(used)) {
		defs = append(defs, nodeMember{name, p.made[name]})
	}
	return n.with("$defs", defs)
}

// reach collects the definitions that a schema refers to.
func (p *plainer) reach(n node, used map[string]bool) {
	for _, e := range n {
		if to, ok := e.value.(string); ok && e.name == "$ref" {
			if name := strings.TrimPrefix(to, "#/$defs/"); !used[name] {
				used[name] = true
				p.reach(p.made[name], used)
			}
		} else if inner, ok := e.value.(node); ok {
			p.reach(inner, used)
		}
	}
}

// anyValue is the schema of any value: a generator takes {} for an object.
var anyValue = node{{"anyOf", []node{{}}}}

// schema returns the plain profile of a schema, without its title.
func (p *plainer) schema(n node) node {
	about := node{}.with("description", n.text("description"))
	if n.get("deprecated") != nil {
		about = about.with("deprecated", true)
	}
	if name := strings.TrimPrefix(n.text("$ref"), "#/$defs/"); name != "" {
		return append(about, p.refer(name)...)
	}
	if then, ok := n.get("then").(node); ok && n.get("type") == nil {
		return append(about, p.schema(then)...)
	}
	if list, ok := n.get("anyOf").([]any); ok && n.get("type") == nil {
		return p.union(about, list)
	}
	kinds := []any{n.get("type")}
	if list, ok := kinds[0].([]any); ok {
		kinds = list
	}
	isNull := func(k any) bool { return k == "null" }
	nullable := slices.ContainsFunc(kinds, isNull)
	kinds = slices.DeleteFunc(slices.Clone(kinds), isNull)
	kind := any("string")
	switch {
	case len(kinds) != 1 || kinds[0] == nil && n.get("const") == nil && n.get("enum") == nil:
		return append(about, anyValue...)
	case kinds[0] != nil:
		kind = kinds[0]
	case n.get("const") == true:
		kind = "boolean"
	}
	out := about.with("type", kind)
	if nullable {
		out = about.with("type", []any{kind, "null"})
	}
	switch kind {
	case "object":
		out = append(out, p.object(n)...)
	case "array":
		if items, ok := n.get("items").(node); ok {
			out = append(out, nodeMember{"items", p.schema(items)})
		}
	case "string":
		if list := n.get("enum"); list != nil && !nullable {
			out = out.with("enum", list)
		}
	case "integer":
		if least := n.get("minimum"); least != nil {
			out = out.with("minimum", least)
		}
	}
	return out
}

// object returns the members of the schema of an object: its properties, or the values of
// a map.
func (p *plainer) object(n node) node {
	var properties node
	var required []any
	needs, _ := n.get("required").([]any)
	all, _ := n.get("properties").(node)
	for _, e := range all {
		if e.name == "//" { // a comment, and no name for a member in any language
			continue
		}
		properties = append(properties, nodeMember{e.name, p.schema(e.value.(node))})
		if slices.Contains(needs, any(e.name)) {
			required = append(required, e.name)
		}
	}
	out := node{}.with("properties", properties)
	if len(required) > 0 {
		out = out.with("required", required)
	}
	if len(properties) > 0 {
		return out
	}
	if values, ok := n.get("additionalProperties").(node); ok {
		if s := p.schema(values); s.get("anyOf") == nil {
			return out.with("additionalProperties", s)
		}
	}
	return out.with("additionalProperties", true)
}

// refer returns the reference to a definition of an object with properties, and
// of any other definition the schema itself.
func (p *plainer) refer(name string) node {
	n := p.defs[name]
	properties, _ := n.get("properties").(node)
	if n.get("type") != "object" || len(properties) < 2 {
		return slices.DeleteFunc(p.schema(n), func(e nodeMember) bool { return e.name == "description" || e.name == "deprecated" })
	}
	if _, ok := p.made[name]; !ok {
		p.made[name] = nil // it may contain itself
		p.made[name] = append(node{{"title", n.text("title")}}, p.schema(n)...)
	}
	return ref(name)
}

// union returns the profile of a choice: a string with the values that are known in words,
// one schema that may be null, or any value.
func (p *plainer) union(about node, list []any) node {
	var first node
	var values []string
	if n := p.merged(list); n != nil {
		return append(about, n...)
	}
	for _, v := range list {
		n := v.(node)
		if words, ok := n.get("enum").([]any); ok {
			for _, w := range words {
				values = append(values, fmt.Sprint(w))
			}
			n = is("string")
		}
		s := p.schema(n)
		if s.get("type") != "string" || first != nil && first.get("type") != "string" {
			return append(about, anyValue...)
		}
		first = is("string")
	}
	if len(values) > 0 {
		text := strings.TrimSpace(about.text("description") + " Known values: " + strings.Join(values, ", ") + ".")
		about = append(node{{"description", text}}, slices.DeleteFunc(about, func(e nodeMember) bool { return e.name == "description" })...)
	}
	return append(about, first...)
}

// merged returns an object with the properties of all alternatives, if these are objects.
func (p *plainer) merged(list []any) node {
	var objects []node
	for _, v := range list {
		n := v.(node)
		if name := n.text("$ref"); name != "" {
			n = p.defs[strings.TrimPrefix(name, "#/$defs/")]
		}
		if _, ok := n.get("properties").(node); !ok || n.get("type") != "object" {
			return nil
		}
		objects = append(objects, n)
	}
	var properties node
	required, _ := objects[0].get("required").([]any)
	for _, n := range objects {
		needs, _ := n.get("required").([]any)
		required = slices.DeleteFunc(slices.Clone(required), func(name any) bool { return !slices.Contains(needs, name) })
		for _, e := range n.get("properties").(node) {
			s := p.schema(e.value.(node))
			at := slices.IndexFunc(properties, func(o nodeMember) bool { return o.name == e.name })
			if at < 0 {
				properties = append(properties, nodeMember{e.name, s})
			} else if properties[at].value.(node).get("type") != s.get("type") {
				properties[at].value = append(node{}.with("description", s.text("description")), anyValue...)
			}
		}
	}
	n := is("object").with("properties", properties)
	if len(required) > 0 {
		n = n.with("required", required)
	}
	return n
}
