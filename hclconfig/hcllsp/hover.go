// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2/ext/typeexpr"
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
	described := false
	if _, named := at.occurrence(); !named {
		c, start, end, described = s.describeText(v, at)
	}
	if !described {
		o, named := at.reference(v)
		if !named {
			return nil, nil
		}
		if c, named = s.describe(v, o.symbol); !named {
			return nil, nil
		}
		start, end = o.start, o.end
	}
	const formats = "textDocument.hover.contentFormat"
	markdown := !v.caps.has(formats) || v.caps.lists(formats, "markdown")
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
	values, _ := tree.Variables(nil)
	value := hclnames.NewEvaluator(values).Evaluate(tree, x)
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

// describeText returns what there is to say about a name that nothing declares: a type, an
// argument or a nested block of a provider, a function, each and count.
func (s *server) describeText(v *view, at *spot) (c card, start, end int, ok bool) {
	w := v.wordAt(at)
	if w.block == nil {
		return c, 0, 0, false
	}
	schemas := s.schemasOf(v, osPath(at.module.dir))
	schema := schemas.Of(at.module.Module, w.block)
	last := len(w.blocks) - 1
	switch around := schemaWithin(w.blocks[:max(last, 1)], schema); w.kind {
	case labelWord:
		if b := w.blocks[last]; last == 0 && w.label == 0 && schema != nil {
			c, ok = card{title: b.Type + " " + b.Labels[0], text: schema.Description}, true
		} else if last > 0 && b.Type == "dynamic" {
			c, ok = describeMember(around, b.Labels[0])
		}
	case blockWord:
		if last > 0 {
			c, ok = describeMember(around, w.blocks[last].Type)
		}
	case argumentWord:
		c, ok = describeMember(schemaWithin(w.blocks, schema), w.argument.Name)
	case functionWord:
		c, ok = functionCard(w.function, at.module.Module, schemas)
	case referenceWord:
		if origin := w.block.Argument(repeated[w.root()]); origin != nil {
			c, ok = card{title: w.reference.Text, facts: []string{origin.Name + " = " + code(origin.Expression.Source())}}, true
		}
	}
	return c, w.start, w.end, ok
}

// describeMember describes an argument or nested block by its name.
func describeMember(schema *hclconfig.BlockSchema, name string) (card, bool) {
	if schema == nil {
		return card{}, false
	}
	if b := schema.Blocks[name]; b != nil {
		return describeBlock(name, b), true
	}
	attr, ok := schema.Attributes[name]
	if !ok {
		return card{}, false
	}
	c := card{title: name, text: attr.Description}
	if attr.Type != cty.NilType {
		c.facts = append(c.facts, "type "+code(typeexpr.TypeString(attr.Type)))
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

func describeBlock(name string, b *hclconfig.BlockSchema) card {
	c := card{title: name, text: b.Description, facts: []string{"block, " + b.Nesting}}
	c.flag(b.MinItems > 0, "required")
	c.flag(b.MinItems == 0, "optional")
	c.flag(b.Deprecated, "deprecated")
	return c
}
