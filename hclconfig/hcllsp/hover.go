// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// A card is what a hover shows.
type card struct {
	title string   // an address or a name
	facts []string // short lines
	text  string   // a description
}

func (c card) write(markdown bool) string {
	var out strings.Builder
	if markdown {
		fmt.Fprintf(&out, "```hcl\n%s\n```\n", c.title)
	} else {
		out.WriteString(c.title + "\n")
	}
	for _, f := range c.facts {
		if markdown {
			out.WriteString("- " + f + "\n")
		} else {
			out.WriteString(strings.ReplaceAll(f, "`", "") + "\n")
		}
	}
	if c.text != "" {
		out.WriteString("\n" + strings.TrimSpace(c.text) + "\n")
	}
	return strings.TrimRight(out.String(), "\n")
}

// hoverAt answers textDocument/hover.
func hoverAt(s *server, _ context.Context, v *view, p positionParams) (*hover, error) {
	at := s.spot(v, p)
	if at == nil || at.module == nil {
		return nil, nil
	}
	var c card
	var start, end int
	if o, ok := at.occurrence(); ok {
		if c, ok = s.describe(v, o.symbol); !ok {
			return nil, nil
		}
		start, end = o.start, o.end
	} else if c, start, end, ok = s.describeText(v, at); !ok {
		if o, ok = at.reference(v); !ok {
			return nil, nil
		}
		if c, ok = s.describe(v, o.symbol); !ok {
			return nil, nil
		}
		start, end = o.start, o.end
	}
	markdown := len(v.caps.TextDocument.Hover.ContentFormat) == 0 || slices.Contains(v.caps.TextDocument.Hover.ContentFormat, "markdown")
	kind := "plaintext"
	if markdown {
		kind = "markdown"
	}
	r := at.doc.index().rangeOf(start, end, v.enc)
	return &hover{markup{kind, c.write(markdown)}, &r}, nil
}

// code returns a text in the marks of code.
func code(text string) string { return "`" + strings.Join(strings.Fields(text), " ") + "`" }

// describe returns what there is to say about a declaration.
func (s *server) describe(v *view, sym symbol) (card, bool) {
	m := s.module(v, sym.dir)
	if m == nil {
		return card{}, false
	}
	c := card{title: sym.address}
	root, name, _ := strings.Cut(sym.address, ".")
	switch root {
	case "var":
		for _, x := range m.Variables {
			if x.Name == name {
				c.variable(x)
				return c, true
			}
		}
	case "local":
		for _, x := range m.Locals {
			if x.Name == name {
				s.known(v, m, x.Argument.Expression, &c)
				return c, true
			}
		}
	case "output":
		for _, x := range m.Outputs {
			if x.Name == name {
				c.flag(x.Sensitive.Value, "sensitive")
				c.flag(x.Ephemeral.Value, "ephemeral")
				c.text = x.Description.Value
				return c, true
			}
		}
	case "module":
		for _, x := range m.Calls {
			if x.Name == name {
				if x.Source.Argument != nil {
					c.facts = append(c.facts, "source "+code(x.Source.Argument.Expression.Source()))
				}
				if x.Version.Argument != nil {
					c.facts = append(c.facts, "version "+code(x.Version.Argument.Expression.Source()))
				}
				return c, true
			}
		}
	case "run":
		_, c.title, _ = strings.Cut(sym.address, "#")
		c.title = "run." + c.title
		return c, true
	}
	d, ok := m.names.Lookup(sym.address)
	if !ok {
		return c, len(s.declarations(v, sym)) > 0
	}
	if schema := s.schemasOf(v, osPath(m.dir)).Of(m.Module, d.Block); schema != nil {
		c.text = schema.Description
	}
	return c, true
}

func (c *card) flag(on bool, word string) {
	if on {
		c.facts = append(c.facts, word)
	}
}

func (c *card) variable(x *hclconfig.Variable) {
	typ := "any"
	if x.Type.IsSet() {
		typ = x.Type.Source()
	}
	c.facts = append(c.facts, "type "+code(typ))
	secret := x.Sensitive.Value || x.Ephemeral.Value
	switch {
	case x.Default.IsSet() && !secret:
		c.facts = append(c.facts, "default "+code(x.Default.Source()))
	case !x.Default.IsSet():
		c.facts = append(c.facts, "required")
	}
	c.flag(x.Sensitive.Value, "sensitive")
	c.flag(x.Ephemeral.Value, "ephemeral")
	c.text = x.Description.Value
}

// maxShown is how much of a value a hover shows.
const maxShown = 500

// known adds the value of an expression of a module, as far as it is known. A value that is marked,
// or comes from one that is, is not shown.
func (s *server) known(v *view, m *module, x hclconfig.Expression, c *card) {
	tree, err := hclnames.LoadTree(v, m.dir, v.dialect())
	if err != nil && tree == nil {
		return
	}
	if unmarks(tree) {
		return
	}
	value := hclnames.NewEvaluator(v.values(tree)).Evaluate(tree, x)
	switch {
	case value.Value == cty.NilVal:
	case value.Value.ContainsMarked():
		c.facts = append(c.facts, "sensitive")
	case !value.Value.IsWhollyKnown() || value.Diagnostics.HasErrors():
		if len(value.Unknown) > 0 {
			c.facts = append(c.facts, "not known: "+value.Unknown[0].String())
		}
	default:
		text, err := ctyjson.Marshal(value.Value, value.Value.Type())
		if err == nil {
			if len(text) > maxShown {
				text = append(text[:maxShown:maxShown], "..."...)
			}
			c.facts = append(c.facts, "value "+code(string(text)))
		}
	}
}

// unmarks reports whether a function makes values of a tree public that come from sensitive or ephemeral
// ones: what is known then may be such a value.
func unmarks(t *hclnames.Tree) bool {
	for m := range t.All() {
		for _, f := range m.Module.Files {
			if bytes.Contains(f.Bytes(), []byte("nonsensitive")) || bytes.Contains(f.Bytes(), []byte("ephemeralasnull")) {
				return true
			}
		}
	}
	return false
}

// values returns the values of the variables of a root module: those of the files of values that the
// programs read by themselves, and defaults.
func (v *view) values(t *hclnames.Tree) map[string]cty.Value {
	out := map[string]cty.Value{}
	for _, x := range t.Module.Variables {
		if d, err := x.TypedDefault(); err == nil && d != cty.NilVal {
			out[x.Name] = d
		}
	}
	files := slices.Clone(t.VariableFiles)
	slices.SortFunc(files, func(a, b string) int { // as the programs read them
		isAuto := func(name string) bool { return !strings.HasPrefix(path.Base(name), "terraform.tfvars") }
		if x, y := isAuto(a), isAuto(b); x != y {
			return map[bool]int{true: 1, false: -1}[x]
		}
		return strings.Compare(a, b)
	})
	for _, name := range files {
		if f := v.Parsed(name, v.dialect()); f != nil {
			for i := range f.Body().Arguments {
				if value, err := f.Body().Arguments[i].Constant(); err == nil {
					out[f.Body().Arguments[i].Name] = value
				}
			}
		}
	}
	return out
}

// describeText returns what there is to say about a name that nothing declares: a type, an
// argument or a nested block of a provider, a function, each and count.
func (s *server) describeText(v *view, at *spot) (c card, start, end int, ok bool) {
	f := v.Parsed(at.file, v.dialect())
	if f == nil {
		return c, 0, 0, false
	}
	text := at.doc.index().text
	b := blockAt(f.Body(), at.offset)
	if b == nil {
		return c, 0, 0, false
	}
	holds := func(a, z int) bool {
		start, end, _ = unquoted(text, a, z, "")
		return start <= at.offset && at.offset <= end
	}
	schema := s.schemasOf(v, osPath(at.module.dir)).Of(at.module.Module, b)
	if len(b.Labels) > 0 && schema != nil {
		if r := b.LabelRange(0); holds(int(r.Start.Offset), int(r.End.Offset)) {
			return card{title: b.Type + " " + b.Labels[0], text: schema.Description}, start, end, true
		}
	}
	if c, ok := describeMember(schema, &b.Body, holds); ok {
		return c, start, end, true
	}
	for _, a := range argumentsAt(f.Body(), at.offset) {
		for x := range a.Expression.All() {
			_, from, _ := x.Place()
			if x.Form() == hclconfig.FormCall && holds(from, from+len(x.Name())) && from+len(x.Name()) <= len(text) && string(text[from:from+len(x.Name())]) == x.Name() {
				if c, ok := functionCard(x.Name(), at.module.Module, s.schemasOf(v, osPath(at.module.dir))); ok {
					return c, start, end, true
				}
			}
		}
		for _, r := range a.Expression.References() {
			rr := r.Range()
			root := r.Root()
			if from := int(rr.Start.Offset); (root == "each" || root == "count") && holds(from, int(rr.End.Offset)) {
				name := map[string]string{"each": "for_each", "count": "count"}[root]
				if origin := b.Argument(name); origin != nil {
					return card{title: r.Text, facts: []string{name + " = " + code(origin.Expression.Source())}}, start, end, true
				}
			}
		}
	}
	return c, 0, 0, false
}

// describeMember describes the argument or nested block of a provider whose name is at a place.
func describeMember(schema *hclconfig.BlockSchema, body *hclconfig.Body, holds func(start, end int) bool) (card, bool) {
	if schema == nil {
		return card{}, false
	}
	for i := range body.Arguments {
		a := &body.Arguments[i]
		r := a.NameRange()
		if !holds(int(r.Start.Offset), int(r.End.Offset)) {
			continue
		}
		if attr, ok := schema.Attributes[a.Name]; ok {
			c := card{title: a.Name, text: attr.Description}
			if attr.Type != cty.NilType {
				c.facts = append(c.facts, "type "+code(typeText(attr.Type)))
			}
			c.flag(attr.Required, "required")
			c.flag(attr.Optional, "optional")
			c.flag(attr.Computed, "computed")
			c.flag(attr.Sensitive, "sensitive")
			c.flag(attr.WriteOnly, "write-only")
			if attr.Deprecated {
				c.facts = append(c.facts, strings.TrimSpace("deprecated "+attr.Message))
			}
			return c, true
		}
		if nested := schema.Blocks[a.Name]; nested != nil {
			return describeBlock(a.Name, nested), true
		}
	}
	for i := range body.Blocks {
		b := &body.Blocks[i]
		nested := schema.Blocks[b.Type]
		content := &b.Body
		if b.Type == "dynamic" && len(b.Labels) == 1 {
			nested = schema.Blocks[b.Labels[0]]
			if c := b.Block("content"); c != nil {
				content = &c.Body
			}
		}
		if nested == nil {
			continue
		}
		r, name := b.TypeRange(), b.Type
		if b.Type == "dynamic" {
			r, name = b.LabelRange(0), b.Labels[0]
		}
		if holds(int(r.Start.Offset), int(r.End.Offset)) {
			return describeBlock(name, nested), true
		}
		if c, ok := describeMember(nested, content, holds); ok {
			return c, true
		}
	}
	return card{}, false
}

func describeBlock(name string, b *hclconfig.BlockSchema) card {
	c := card{title: name, text: b.Description, facts: []string{"block, " + b.Nesting}}
	c.flag(b.MinItems > 0, "required")
	c.flag(b.MinItems == 0, "optional")
	c.flag(b.Deprecated, "deprecated")
	return c
}

// typeText returns a type as configuration has it.
func typeText(t cty.Type) string {
	switch {
	case t == cty.DynamicPseudoType:
		return "any"
	case t.IsPrimitiveType():
		return t.FriendlyName()
	case t.IsListType():
		return "list(" + typeText(t.ElementType()) + ")"
	case t.IsSetType():
		return "set(" + typeText(t.ElementType()) + ")"
	case t.IsMapType():
		return "map(" + typeText(t.ElementType()) + ")"
	case t.IsTupleType():
		var parts []string
		for _, e := range t.TupleElementTypes() {
			parts = append(parts, typeText(e))
		}
		return "tuple([" + strings.Join(parts, ", ") + "])"
	case t.IsObjectType():
		var parts []string
		types := t.AttributeTypes()
		for name := range types {
			parts = append(parts, name+" = "+typeText(types[name]))
		}
		slices.Sort(parts)
		return "object({" + strings.Join(parts, ", ") + "})"
	}
	return t.FriendlyName()
}
