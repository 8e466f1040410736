// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

var mapDuplicateKeys = &hcllint.Analyzer{
	Name: "terraform_map_duplicate_keys",
	Doc: `A key should occur only once in a map.

The last value silently wins, which is usually a mistake. Keys are compared by their
values, if these are known; a number is the same key as its text.

	{
	  a   = 1
	  "a" = 2     # finding
	  (x) = 3     # finding, if x is "a"
	}

The rule looks at native syntax only.`,
	URL:      page("terraform_map_duplicate_keys"),
	Severity: hcllint.Warning,
	Requires: []*hcllint.Analyzer{expressions},
	Run: func(p *hcllint.Pass) (any, error) {
		for _, f := range partsOf(p) {
			for _, o := range f.objects {
				checkKeys(p, f, o)
			}
		}
		return nil, nil
	},
}

// checkKeys reports the keys of an object that it has already.
func checkKeys(p *hcllint.Pass, f *fileParts, o *hclsyntax.ObjectConsExpr) {
	if len(o.Items) < 2 {
		return
	}
	seen := make(map[string]hcl.Range, len(o.Items))
	for _, item := range o.Items {
		key, ok := f.key(p, item.KeyExpr)
		if !ok {
			continue
		}
		at := item.KeyExpr.Range()
		if first, ok := seen[key]; ok {
			p.Report(hcllint.Diagnostic{
				Range:   f.rangeOf(at),
				Message: fmt.Sprintf("Duplicate key: %q, first defined at %s", key, f.rangeOf(first)),
			})
			continue
		}
		seen[key] = at
	}
}

// maxKey is how long a key may be that is evaluated. Keys may have maps with keys in them.
const maxKey = 1000

// key returns the text of a key, and reports whether it is known.
func (f *fileParts) key(p *hcllint.Pass, x hclsyntax.Expression) (string, bool) {
	k, ok := x.(*hclsyntax.ObjectConsKeyExpr)
	if !ok {
		return "", false
	}
	if word := hcl.ExprAsKeyword(k.Wrapped); word != "" && !k.ForceNonLiteral {
		return word, true
	}
	switch inner := k.Wrapped.(type) {
	case *hclsyntax.LiteralValueExpr:
		return keyText(inner.Val)
	case *hclsyntax.TemplateExpr:
		if inner.IsStringLiteral() {
			v, _ := inner.Value(nil)
			return keyText(v)
		}
	}
	at := k.Wrapped.Range()
	if at.End.Byte-at.Start.Byte > maxKey {
		return "", false
	}
	text := f.text(at)
	if !strings.ContainsAny(text, ".({") {
		return "", false // a name of a loop
	}
	e, err := hclconfig.ParseExpression(f.file.Filename(), []byte(text), hclconfig.NativeSyntax, hclconfig.KindExpression)
	if err != nil {
		return "", false
	}
	return keyText(p.Evaluate(e).Value)
}

// keyText returns the key that a value is.
func keyText(v cty.Value) (string, bool) {
	if v == cty.NilVal || v.IsMarked() || !v.IsKnown() || v.IsNull() {
		return "", false
	}
	s, err := convert.Convert(v, cty.String)
	if err != nil || s.IsMarked() || !s.IsKnown() || s.IsNull() {
		return "", false
	}
	return s.AsString(), true
}
