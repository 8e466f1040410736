// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// dialectNote reports text that OpenTofu and Terraform read differently.
func (c *valueWriter) dialectNote(a *argument) {
	if hcllex.HasTemplateMarks(c.text(a.at)) && !a.needs() {
		c.note(a.at, "Differs between OpenTofu and Terraform", "In JSON syntax, OpenTofu takes the strings of the argument %q for templates, and Terraform does not. The converted file is for OpenTofu.", a.Name)
	}
}

// literal returns a constant in a place where strings mean themselves.
func (c *valueWriter) literal(a *argument) *jsontree.Node {
	if n := c.constant(a.native, a.at); n != nil {
		if (a.lit == hcllang.BoolLiteral) && (n.Text == `"true"` || n.Text == `"false"`) {
			n.Text = strings.Trim(n.Text, `"`)
		}
		return n
	}
	v, diags := constantOf(a.native)
	if diags.HasErrors() {
		if diags[0].Summary == hcllex.OutOfRange {
			c.lose(a.at, "No JSON form", "The value cannot be written: it has a number that is out of range.")
			return c.wrap(a.at)
		}
		if a.Name == "prevent_destroy" && a.needs() {
			c.lose(a.at, "No JSON form", "OpenTofu allows only true and false for prevent_destroy in JSON syntax, and refuses the template that is written.")
		} else {
			c.lose(a.at, "Not a constant", "The argument %q must be a constant.", a.Name)
		}
		return c.wrap(a.at)
	}
	if a.lit == hcllang.BoolLiteral {
		if b, err := convert.Convert(v, cty.Bool); err == nil {
			v = b
		}
	}
	n, err := foldValue(v)
	if err != nil {
		c.lose(a.at, "No JSON form", "The value cannot be written: %s.", err)
		return c.wrap(a.at)
	}
	c.note(a.at, "Expression replaced by its value", "The argument %q can only be a plain value in JSON syntax.", a.Name)
	return n
}

// foldValue returns a value as something to write.
func foldValue(v cty.Value) (*jsontree.Node, error) {
	huge := false
	_ = cty.Walk(v, func(_ cty.Path, e cty.Value) (bool, error) {
		e, _ = e.Unmark()
		huge = huge || hugeNumber(e)
		return !huge, nil
	})
	if huge {
		return nil, errors.New("it has a number that is too large to write out")
	}
	return literalJSON(v)
}

// literalJSON returns a value as JSON in which strings mean themselves.
func literalJSON(v cty.Value) (*jsontree.Node, error) {
	v, _ = v.Unmark()
	t := v.Type()
	switch {
	case v.IsNull():
		return jsontree.Raw("null"), nil
	case !v.IsKnown():
		return nil, errors.New("it is not known")
	case t == cty.String:
		return jsontree.Raw(jsontree.Quote(v.AsString())), nil
	case t == cty.Bool:
		return jsontree.Raw(strconv.FormatBool(v.True())), nil
	case t == cty.Number:
		return jsontree.Raw(hcllex.NumberText(v.AsBigFloat())), nil
	case t.IsObjectType() || t.IsMapType():
		out := jsontree.Object()
		for it := v.ElementIterator(); it.Next(); {
			k, e := it.Element()
			n, err := literalJSON(e)
			if err != nil {
				return nil, err
			}
			k, _ = k.Unmark()
			out.Members = append(out.Members, jsontree.Property(k.AsString(), n))
		}
		return out, nil
	case t.IsListType() || t.IsTupleType() || t.IsSetType():
		out := jsontree.Array()
		for it := v.ElementIterator(); it.Next(); {
			_, e := it.Element()
			n, err := literalJSON(e)
			if err != nil {
				return nil, err
			}
			out.Items = append(out.Items, n)
		}
		return out, nil
	}
	return nil, fmt.Errorf("a value of type %s cannot be written", t.FriendlyName())
}

// constant returns a constant as it is written; nil if only its value can be.
func (c *valueWriter) constant(x hclsyntax.Expression, at textspan.Span) *jsontree.Node {
	switch x := x.(type) {
	case *hclsyntax.LiteralValueExpr:
		return c.scalar(x, at)
	case *hclsyntax.ExprSyntaxError:
		if text, ok := jsonNumber(hcllex.HugeNumber(x)); ok {
			return jsontree.Raw(text)
		}
		return nil
	case *hclsyntax.UnaryOpExpr:
		return c.negative(x)
	case *hclsyntax.TemplateExpr:
		if text, ok := literalText(x); ok {
			return jsontree.Raw(jsontree.Quote(text))
		}
	case *hclsyntax.TupleConsExpr:
		out := jsontree.Array()
		for _, e := range x.Exprs {
			n := c.constant(e, spanOf(e.Range()))
			if n == nil {
				return nil
			}
			out.Items = append(out.Items, n)
		}
		return out
	case *hclsyntax.ObjectConsExpr:
		mark := len(c.inner)
		n := c.object(x, at, func(key string) string { return key }, c.constant)
		c.inner = c.inner[:mark] // they have been found before
		return n
	}
	return nil
}

// requirement returns an entry of required_providers.
func (c *valueWriter) requirement(x hclsyntax.Expression, at textspan.Span) *jsontree.Node {
	object, ok := x.(*hclsyntax.ObjectConsExpr)
	if !ok {
		return c.fold(x, at)
	}
	out := jsontree.Object()
	for _, item := range object.Items {
		key, ok := keyText(item.KeyExpr)
		if !ok {
			c.lose(spanOf(item.KeyExpr.Range()), "Not a constant", "The names in an entry of required_providers are constants.")
			key = c.text(spanOf(item.KeyExpr.Range()))
		}
		s := spanOf(item.ValueExpr.Range())
		if key == "configuration_aliases" {
			out.Members = append(out.Members, jsontree.Property(key, c.list(item.ValueExpr, s, hcllang.KindReferenceList, false)))
		} else {
			out.Members = append(out.Members, jsontree.Property(key, c.fold(item.ValueExpr, s)))
		}
	}
	return out
}

// fold returns a constant, as it is written or as its value.
func (c *valueWriter) fold(x hclsyntax.Expression, at textspan.Span) *jsontree.Node {
	return c.literal(&argument{Name: "required_providers", expression: expression{file: c.f, native: x, at: at, kind: hcllang.KindLiteral}})
}

// providerMap returns the argument providers of a module.
func (c *valueWriter) providerMap(x hclsyntax.Expression, at textspan.Span) *jsontree.Node {
	object, ok := x.(*hclsyntax.ObjectConsExpr)
	if !ok {
		c.lose(at, "Invalid expression", "A map of provider configurations is required here.")
		return c.wrap(at)
	}
	out := jsontree.Object()
	for _, item := range object.Items {
		value := c.bare(item.ValueExpr, spanOf(item.ValueExpr.Range()), hcllang.KindProviderReference, true)
		name := c.text(spanOf(item.KeyExpr.Range()))
		if text, ok := keyText(item.KeyExpr); ok {
			name = text
		}
		out.Members = append(out.Members, jsontree.Property(name, value))
	}
	seen := map[string]bool{}
	for i, m := range out.Members {
		if seen[m.Name] {
			c.lose(spanOf(object.Items[i].KeyExpr.Range()), "Duplicate object attribute", "The provider configuration %s occurs twice.", m.Name)
		}
		seen[m.Name] = true
	}
	return out
}

// list returns a list of references or keywords. If quoted is set, they may be
// in quotes, as Terraform 0.11 had it.
func (c *valueWriter) list(x hclsyntax.Expression, at textspan.Span, kind hcllang.Kind, quoted bool) *jsontree.Node {
	list, ok := x.(*hclsyntax.TupleConsExpr)
	if !ok {
		if kind == hcllang.KindAttributeList {
			return c.bare(x, at, hcllang.KindKeyword, false) // all
		}
		c.lose(at, "Invalid expression", "A list is required here.")
		return c.wrap(at)
	}
	out := jsontree.Array()
	element := kind.Element()
	if kind == hcllang.KindAttributeList {
		element = hcllang.KindReference
	}
	for _, e := range list.Exprs {
		out.Items = append(out.Items, c.bare(e, spanOf(e.Range()), element, quoted))
	}
	return out
}

// bare returns a reference, a keyword, a type or the like as a string that
// holds it. If quoted is set, it may be in quotes, as Terraform 0.11 had it.
func (c *valueWriter) bare(x hclsyntax.Expression, at textspan.Span, kind hcllang.Kind, quoted bool) *jsontree.Node {
	text := c.text(at)
	if t, ok := x.(*hclsyntax.TemplateExpr); ok && quoted {
		if inner, ok := literalText(t); ok {
			text = inner
		}
	}
	if kind == hcllang.KindReference || kind == hcllang.KindKeyword {
		if _, diags := hclsyntax.ParseTraversalAbs([]byte(text), "", hcl.InitialPos); diags.HasErrors() {
			traversal, diags := hcl.AbsTraversalForExpr(x)
			if diags.HasErrors() {
				c.lose(at, "Invalid "+kind.String(), "A %s is required here.", kind)
				return c.wrap(at)
			}
			text = hcllex.TraversalText(traversal)
		}
	}
	return jsontree.Raw(jsontree.Quote(text))
}
