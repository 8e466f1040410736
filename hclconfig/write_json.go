// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A jsonNode is JSON to be written: raw text, an object or an array.
type jsonNode struct {
	raw     string
	members []jsonEntry // of an object
	items   []*jsonNode // of an array
	form    byte        // 0 raw, '{' or '['
}

type jsonEntry struct {
	name  string
	value *jsonNode
}

func rawJSON(text string) *jsonNode { return &jsonNode{raw: text} }

func jsonObject(members ...jsonEntry) *jsonNode { return &jsonNode{form: '{', members: members} }

func jsonArray(items ...*jsonNode) *jsonNode { return &jsonNode{form: '[', items: items} }

// A jsonStyle says how JSON is laid out.
type jsonStyle struct {
	newline string // empty: all on one line
	unit    string // one level of indentation
	colon   string // between name and value
	comma   string // between members on one line
}

var prettyJSON = jsonStyle{newline: "\n", unit: "  ", colon: ": ", comma: ", "}

// write writes n, whose line is indented by indent. Arrays of scalars stay on
// one line while they are short.
func (n *jsonNode) write(b *strings.Builder, style jsonStyle, indent string) {
	switch n.form {
	case 0:
		b.WriteString(n.raw)
	case '{':
		n.writeItems(b, style, indent, len(n.members), "{", "}", func(i int, inner string) {
			b.WriteString(quoteJSON(n.members[i].name))
			b.WriteString(style.colon)
			n.members[i].value.write(b, style, inner)
		})
	case '[':
		if n.short() {
			style.newline = ""
		}
		n.writeItems(b, style, indent, len(n.items), "[", "]", func(i int, inner string) {
			n.items[i].write(b, style, inner)
		})
	}
}

func (n *jsonNode) short() bool {
	width := 0
	for _, item := range n.items {
		if item.form != 0 {
			return false
		}
		width += len(item.raw) + 2
	}
	return width <= 80
}

func (n *jsonNode) writeItems(b *strings.Builder, style jsonStyle, indent string, count int, open, shut string, item func(i int, inner string)) {
	b.WriteString(open)
	inner := indent + style.unit
	for i := range count {
		switch {
		case style.newline != "":
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(style.newline + inner)
		case i > 0:
			b.WriteString(style.comma)
		}
		item(i, inner)
	}
	if count > 0 && style.newline != "" {
		b.WriteString(style.newline + indent)
	}
	b.WriteString(shut)
}

// json returns the value as an argument of that kind in JSON syntax.
func (v Value) json(kind hcllang.Kind, d hcllang.Dialect) (*jsonNode, error) {
	switch v.form {
	case formNull:
		return rawJSON("null"), nil
	case formBool:
		return rawJSON(v.text), nil
	case formNumber:
		return rawJSON(v.text), checkNumber(v.text)
	case formString:
		switch {
		case kind.Bare():
			return Source(v.text).json(kind, d)
		case kind.Templates(d):
			return rawJSON(quoteJSON(templateOf(v.text))), nil
		}
		return rawJSON(quoteJSON(v.text)), nil
	case formSource:
		return sourceJSON(v.text, kind, d)
	case formTemplate:
		x, err := parseTemplate(v.text)
		switch {
		case err != nil:
			return nil, err
		case kind.Templates(d):
			return rawJSON(quoteJSON(v.text)), nil
		case kind.Bare():
			return nil, fmt.Errorf("%w: a %s cannot be a template", ErrEdit, kind)
		}
		return foldJSON(x, v.text, kind, d)
	case formList:
		out := jsonArray()
		for _, e := range v.list {
			n, err := e.json(kind.Element(), d)
			if err != nil {
				return nil, err
			}
			out.items = append(out.items, n)
		}
		return out, nil
	}
	out := jsonObject()
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
			key = templateOf(key)
		}
		out.members = append(out.members, jsonEntry{key, n})
	}
	return out, nil
}

// templateOf returns a template that means the text s. Two kinds of text need
// more than escapes, because HCL's scanner changes them: it drops U+FEFF at
// the beginning, and takes everything behind a lone carriage return for text.
func templateOf(s string) string {
	if strings.HasPrefix(s, "\uFEFF") || hasLoneCR(s) {
		return "${" + quoteNative(s) + "}"
	}
	return escapeTemplate(s)
}

// hasLoneCR reports whether s has a carriage return without a line feed.
func hasLoneCR(s string) bool {
	for i := range len(s) {
		if s[i] == '\r' && (i+1 == len(s) || s[i+1] != '\n') {
			return true
		}
	}
	return false
}

// sourceJSON returns native source as JSON of that kind.
func sourceJSON(text string, kind hcllang.Kind, d hcllang.Dialect) (*jsonNode, error) {
	x, err := parseSource(text)
	if err != nil {
		return nil, err
	}
	text = strings.TrimSpace(text)
	switch {
	case kind.Bare() || kind == hcllang.KindProviderRequirement && isReference(x):
		return rawJSON(quoteJSON(text)), nil
	case kind.Templates(d):
		return rawJSON(quoteJSON(wrapSource(text))), nil
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
func foldJSON(x hclsyntax.Expression, text string, kind hcllang.Kind, d hcllang.Dialect) (*jsonNode, error) {
	v, diags := x.Value(nil)
	if diags.HasErrors() {
		return nil, fmt.Errorf("%w: %.80q is not a constant, and JSON syntax can hold only a %s here", ErrEdit, text, kind)
	}
	if v.IsNull() {
		return rawJSON("null"), nil
	}
	if n, ok := x.(*hclsyntax.LiteralValueExpr); ok && n.Val.Type().FriendlyName() == "number" && checkNumber(text) == nil {
		return rawJSON(text), nil // with the digits as they are
	}
	folded, err := fromCty(v)
	if err != nil {
		return nil, fmt.Errorf("%w: %.80q: %w", ErrEdit, text, err)
	}
	return folded.json(kind, d)
}

// checkNumber checks that text is a number in both syntaxes.
func checkNumber(text string) error {
	end, fault := jsonscan.Value([]byte(text), 0, 1)
	if fault != jsonscan.OK || end != len(text) || text[0] != '-' && (text[0] < '0' || text[0] > '9') {
		return fmt.Errorf("%w: %.40q is not a number", ErrEdit, text)
	}
	return nil
}
