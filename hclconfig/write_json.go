// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsontree"
)

// json returns the value as an argument of that kind in JSON syntax.
func (v Value) json(kind hcllang.Kind, d hcllang.Dialect) (*jsontree.Node, error) {
	switch v.form {
	case formNull:
		return jsontree.Raw("null"), nil
	case formBool:
		return jsontree.Raw(v.text), nil
	case formNumber:
		return jsontree.Raw(v.text), checkNumber(v.text)
	case formString:
		switch {
		case kind.Bare():
			return Source(v.text).json(kind, d)
		case kind.Templates(d):
			return jsontree.Raw(jsontree.Quote(hcllex.TemplateOf(v.text))), nil
		}
		return jsontree.Raw(jsontree.Quote(v.text)), nil
	case formSource:
		return sourceJSON(v.text, kind, d)
	case formTemplate:
		x, err := parseTemplate(v.text)
		switch {
		case err != nil:
			return nil, err
		case kind.Templates(d):
			return jsontree.Raw(jsontree.Quote(v.text)), nil
		case kind.Bare():
			return nil, fmt.Errorf("%w: a %s cannot be a template", ErrEdit, kind)
		}
		return foldJSON(x, v.text, kind, d)
	case formList:
		out := jsontree.Array()
		for _, e := range v.list {
			n, err := e.json(kind.Element(), d)
			if err != nil {
				return nil, err
			}
			out.Items = append(out.Items, n)
		}
		return out, nil
	}
	out := jsontree.Object()
	seen := make(map[string]bool, len(v.entries))
	for _, e := range v.entries {
		if seen[e.Key] {
			return nil, fmt.Errorf("%w: the key %q is there twice", ErrEdit, e.Key)
		}
		seen[e.Key] = true
		n, err := e.Value.json(kind.Element(), d)
		if err != nil {
			return nil, err
		}
		key := e.Key
		if kind.Templates(d) {
			key = hcllex.TemplateOf(key)
		}
		out.Members = append(out.Members, jsontree.Property(key, n))
	}
	return out, nil
}

// sourceJSON returns native source as JSON of that kind.
func sourceJSON(text string, kind hcllang.Kind, d hcllang.Dialect) (*jsontree.Node, error) {
	x, err := parseSource(text)
	if err != nil {
		return nil, err
	}
	text = strings.TrimSpace(text)
	switch {
	case kind.Bare() || kind == hcllang.KindProviderRequirement && isReference(x):
		return jsontree.Raw(jsontree.Quote(text)), nil
	case kind.Templates(d):
		return jsontree.Raw(jsontree.Quote(wrapSource(text))), nil
	}
	return foldJSON(x, text, kind, d)
}

func isReference(x hclsyntax.Expression) bool {
	_, diags := hcl.AbsTraversalForExpr(x)
	return !diags.HasErrors()
}

// wrapSource returns the template that is nothing but the expression. A line
// comment or a heredoc must be ended by a line break.
func wrapSource(text string) string {
	if strings.ContainsAny(text, "\n#") || strings.Contains(text, "//") {
		return "${" + text + "\n}"
	}
	return "${" + text + "}"
}

// foldJSON returns the value of a constant expression, for a place where JSON
// can hold nothing else.
func foldJSON(x hclsyntax.Expression, text string, kind hcllang.Kind, d hcllang.Dialect) (*jsontree.Node, error) {
	v, diags := x.Value(nil)
	if diags.HasErrors() {
		return nil, fmt.Errorf("%w: %.80q is not a constant, and JSON syntax can hold only a %s here", ErrEdit, text, kind)
	}
	if v.IsNull() {
		return jsontree.Raw("null"), nil
	}
	if n, ok := x.(*hclsyntax.LiteralValueExpr); ok && n.Val.Type().FriendlyName() == "number" && checkNumber(text) == nil {
		return jsontree.Raw(text), nil // with the digits as they are
	}
	folded, err := fromCty(v)
	if err != nil {
		return nil, fmt.Errorf("%w: %.80q: %w", ErrEdit, text, err)
	}
	return folded.json(kind, d)
}
