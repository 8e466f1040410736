// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/ctyconv"
	"github.com/zclconf/go-cty/cty"
)

// instead returns what a provider says about something that is deprecated.
func instead(message string) string {
	if message == "" {
		return ""
	}
	return ": " + message
}

// A part is an argument, or an attribute of an object in the value of one.
type part struct {
	name  string
	key   addrs.Range          // of the name
	value hclconfig.Expression // that is the value or has it
}

// argument checks one argument of a body.
func (c *schemaChecker) argument(schema hclconfig.AttributeSchema, a *hclconfig.Argument) {
	value, _ := c.pass.Evaluate(a.Expression).Value.UnmarkDeep()
	before := len(c.out[readOnlyArgument])
	c.attribute(schema, part{a.Name, a.NameRange(), a.Expression}, value)
	if schema.Computed && !schema.Optional && !schema.Required && len(c.out[readOnlyArgument]) > before {
		c.out[readOnlyArgument][before].Fixes = editing("Remove it", func(e *hcllint.Edits) { e.In(a).Delete(a) })
	}
}

// attribute checks a value by what the schema says of it.
func (c *schemaChecker) attribute(schema hclconfig.AttributeSchema, p part, v cty.Value) {
	switch {
	case v.IsNull():
		if schema.Required {
			c.ofKit(missingArgument, p.value.Range(), "the argument %q is required, but null", p.name)
		}
		return
	case schema.Computed && !schema.Optional && !schema.Required:
		c.ofKit(readOnlyArgument, p.key, "the argument %q is read-only", p.name)
		return
	case schema.Deprecated:
		c.report(deprecated, p.value.Range(), "the argument %q is deprecated%s", p.name, instead(schema.Message))
	}
	if schema.Type == cty.NilType {
		return
	}
	if _, err := ctyconv.Convert(v, schema.Type); err != nil {
		c.report(wrongType, p.value.Range(), "the argument %q has a value of the wrong type: %v", p.name, err)
		return
	}
	if schema.Nested != nil {
		c.objects(schema.Nested, p.value, v)
		return
	}
	for m, attributes := range hcleval.Dropped(schema.Type, p.value) {
		c.unknownKey(m, slices.Sorted(maps.Keys(attributes)))
	}
}

// unknownKey reports a key that no program complains about: it is dropped.
func (c *schemaChecker) unknownKey(m hclconfig.Member, names []string) {
	if m.Name != "//" || m.Value.File().Syntax() != hclconfig.JSONSyntax { // a comment there
		c.report(unknownNestedArgument, m.Key.Range(), "there is no attribute %q: the value is dropped.%s", m.Name, hclsource.DidYouMean(m.Name, names))
	}
}

// objects checks the objects in the value of an attribute.
func (c *schemaChecker) objects(schema *hclconfig.BlockSchema, e hclconfig.Expression, v cty.Value) {
	if schema.Nesting == "single" || schema.Nesting == "group" {
		c.object(schema, e, v)
		return
	}
	if !v.IsKnown() || v.IsNull() || !v.CanIterateElements() {
		return
	}
	written, _ := e.Elements()
	members := membersOf(e)
	i := 0
	for it := v.ElementIterator(); it.Next(); i++ {
		key, element := it.Element()
		at := e
		if len(written) == v.LengthInt() {
			at = written[i]
		} else if m, ok := members[textOf(key)]; ok {
			at = m.Value
		}
		c.object(schema, at, element)
	}
}

// object checks one object, which e is or has.
func (c *schemaChecker) object(schema *hclconfig.BlockSchema, e hclconfig.Expression, v cty.Value) {
	members := membersOf(e)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if _, ok := schema.Attributes[name]; !ok {
			c.unknownKey(members[name], namesIn(schema))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Attributes)) {
		p := part{name, e.Range(), e}
		if m, ok := members[name]; ok {
			p.key, p.value = m.Key.Range(), m.Value
		}
		inner, ok := member(v, name)
		if v.IsNull() { // as an element; kits look into it
			inner, ok = cty.NullVal(cty.DynamicPseudoType), true
		}
		if ok {
			c.attribute(schema.Attributes[name], p, inner)
		}
	}
}

// member returns an attribute of an object or an element of a map.
func member(v cty.Value, name string) (cty.Value, bool) {
	switch t := v.Type(); {
	case !v.IsKnown() || v.IsNull():
	case t.IsObjectType() && t.HasAttribute(name):
		return v.GetAttr(name), true
	case t.IsMapType() && v.HasIndex(cty.StringVal(name)).True():
		return v.Index(cty.StringVal(name)), true
	}
	return cty.DynamicVal, false
}

// membersOf returns the keys of an object that is written down, with their values.
func membersOf(e hclconfig.Expression) map[string]hclconfig.Member {
	list, _ := e.Members()
	out := make(map[string]hclconfig.Member, len(list))
	for _, m := range list {
		if !m.Computed {
			out[m.Name] = m
		}
	}
	return out
}

func textOf(key cty.Value) string {
	if key.Type() != cty.String || !key.IsKnown() || key.IsNull() {
		return ""
	}
	return key.AsString()
}

// absentBlock reports a nested block that is not there although an argument in it is required:
// plugin kits look at the arguments of an absent single block.
func (c *schemaChecker) absentBlock(schema *hclconfig.BlockSchema, path string, at addrs.Range) {
	for _, name := range slices.Sorted(maps.Keys(schema.Attributes)) {
		if schema.Attributes[name].Required {
			c.report(missingArgument, at, "the block %q is missing, whose argument %q is required", path, name)
			return
		}
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Blocks)) {
		if n := schema.Blocks[name]; n.Nesting == "single" {
			c.absentBlock(n, fmt.Sprintf("%s.%s", path, name), at)
		}
	}
}
