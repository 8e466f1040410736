// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/numlimit"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// sameExpr reports whether two expressions are the same: the same tree, except
// for places, parentheses, comments, and the spelling of literals. Then they
// have the same value, whatever they refer to, the same references in the same
// order, and the same marks.
func sameExpr(a, b hclsyntax.Expression) bool {
	a, b = bare(a), bare(b)
	if at, ok := a.(*hclsyntax.TemplateExpr); ok {
		bt, ok := b.(*hclsyntax.TemplateExpr)
		return ok && sameParts(at.Parts, bt.Parts)
	}
	switch a := a.(type) {
	case *hclsyntax.LiteralValueExpr:
		b, ok := b.(*hclsyntax.LiteralValueExpr)
		return ok && sameConstant(a.Val, b.Val)
	case *hclsyntax.ExprSyntaxError:
		b, ok := b.(*hclsyntax.ExprSyntaxError)
		return ok && sameHuge(hcllex.HugeNumber(a), hcllex.HugeNumber(b))
	case *hclsyntax.ScopeTraversalExpr:
		b, ok := b.(*hclsyntax.ScopeTraversalExpr)
		return ok && sameTraversal(a.Traversal, b.Traversal)
	case *hclsyntax.RelativeTraversalExpr:
		b, ok := b.(*hclsyntax.RelativeTraversalExpr)
		return ok && sameTraversal(a.Traversal, b.Traversal) && sameExpr(a.Source, b.Source)
	case *hclsyntax.FunctionCallExpr:
		b, ok := b.(*hclsyntax.FunctionCallExpr)
		return ok && a.Name == b.Name && a.ExpandFinal == b.ExpandFinal && sameList(a.Args, b.Args)
	case *hclsyntax.ConditionalExpr:
		b, ok := b.(*hclsyntax.ConditionalExpr)
		return ok && sameExpr(a.Condition, b.Condition) && sameExpr(a.TrueResult, b.TrueResult) && sameExpr(a.FalseResult, b.FalseResult)
	case *hclsyntax.IndexExpr:
		b, ok := b.(*hclsyntax.IndexExpr)
		return ok && sameExpr(a.Collection, b.Collection) && sameExpr(a.Key, b.Key)
	case *hclsyntax.TupleConsExpr:
		b, ok := b.(*hclsyntax.TupleConsExpr)
		return ok && sameList(a.Exprs, b.Exprs)
	case *hclsyntax.ObjectConsExpr:
		b, ok := b.(*hclsyntax.ObjectConsExpr)
		if !ok || len(a.Items) != len(b.Items) {
			return false
		}
		for i := range a.Items {
			if !sameKey(a.Items[i].KeyExpr, b.Items[i].KeyExpr) || !sameExpr(a.Items[i].ValueExpr, b.Items[i].ValueExpr) {
				return false
			}
		}
		return true
	case *hclsyntax.ForExpr:
		b, ok := b.(*hclsyntax.ForExpr)
		return ok && a.KeyVar == b.KeyVar && a.ValVar == b.ValVar && a.Group == b.Group && sameExpr(a.CollExpr, b.CollExpr) &&
			sameOptional(a.KeyExpr, b.KeyExpr) && sameExpr(a.ValExpr, b.ValExpr) && sameOptional(a.CondExpr, b.CondExpr)
	case *hclsyntax.SplatExpr:
		b, ok := b.(*hclsyntax.SplatExpr)
		return ok && sameExpr(a.Source, b.Source) && sameExpr(a.Each, b.Each)
	case *hclsyntax.AnonSymbolExpr:
		_, ok := b.(*hclsyntax.AnonSymbolExpr)
		return ok
	case *hclsyntax.BinaryOpExpr:
		b, ok := b.(*hclsyntax.BinaryOpExpr)
		return ok && a.Op == b.Op && sameExpr(a.LHS, b.LHS) && sameExpr(a.RHS, b.RHS)
	case *hclsyntax.UnaryOpExpr:
		b, ok := b.(*hclsyntax.UnaryOpExpr)
		return ok && a.Op == b.Op && sameExpr(a.Val, b.Val)
	case *hclsyntax.TemplateJoinExpr:
		b, ok := b.(*hclsyntax.TemplateJoinExpr)
		return ok && sameExpr(a.Tuple, b.Tuple)
	case *hclsyntax.ObjectConsKeyExpr:
		return sameKey(a, b)
	}
	return false
}

// sameHuge compares the texts of numbers that are out of range: nothing computes them.
func sameHuge(a, b string) bool {
	return a != "" && strings.TrimLeft(a, "0") == strings.TrimLeft(b, "0")
}

// bare strips parentheses, and a template that is just an interpolation. They
// have no meaning.
func bare(x hclsyntax.Expression) hclsyntax.Expression {
	for {
		switch w := x.(type) {
		case *hclsyntax.ParenthesesExpr:
			x = w.Expression
		case *hclsyntax.TemplateWrapExpr:
			x = w.Wrapped
		default:
			return x
		}
	}
}

// sameKey compares the keys of objects, where a bare word is a text.
func sameKey(a, b hclsyntax.Expression) bool {
	at, aok := keyText(a)
	bt, bok := keyText(b)
	if aok || bok {
		return aok && bok && at == bt
	}
	return sameExpr(keyExpr(a), keyExpr(b))
}

func keyExpr(x hclsyntax.Expression) hclsyntax.Expression {
	if k, ok := x.(*hclsyntax.ObjectConsKeyExpr); ok {
		return k.Wrapped
	}
	return x
}

// keyText returns the text of an object's key that is a plain word, string or
// number.
func keyText(x hclsyntax.Expression) (string, bool) {
	if k, ok := x.(*hclsyntax.ObjectConsKeyExpr); ok && !k.ForceNonLiteral {
		if word := hcl.ExprAsKeyword(k.Wrapped); word != "" {
			return word, true
		}
		x = k.Wrapped
	} else if ok {
		x = k.Wrapped
	}
	switch x := bare(x).(type) {
	case *hclsyntax.LiteralValueExpr:
		if hugeNumber(x.Val) {
			return "", false
		}
		return textOf(x.Val)
	case *hclsyntax.TemplateExpr:
		return literalText(x)
	}
	return "", false
}

// hugeNumber reports whether v is a number whose decimal digits would take too
// much time.
func hugeNumber(v cty.Value) bool {
	if v.IsNull() || !v.IsKnown() || v.Type() != cty.Number {
		return false
	}
	f := v.AsBigFloat()
	return f.IsInf() || f.MantExp(nil) > 1<<14 || f.MantExp(nil) < -1<<14
}

// literalText returns the text of a template without interpolations.
func literalText(x *hclsyntax.TemplateExpr) (string, bool) {
	if len(x.Parts) == 1 {
		l, ok := x.Parts[0].(*hclsyntax.LiteralValueExpr)
		if !ok {
			return "", false
		}
		return hcllex.LiteralString(l.Val)
	}
	text := ""
	for _, p := range x.Parts {
		l, ok := p.(*hclsyntax.LiteralValueExpr)
		if !ok {
			return "", false
		}
		s, ok := hcllex.LiteralString(l.Val)
		if !ok {
			return "", false
		}
		text += s
	}
	// Two parts may be normalised where they meet.
	return cty.NormalizeString(text), true
}

// sameParts compares the parts of templates. Texts next to each other are one.
func sameParts(a, b []hclsyntax.Expression) bool {
	for {
		at, arest := leadingText(a)
		bt, brest := leadingText(b)
		if at != bt {
			return false
		}
		a, b = arest, brest
		if len(a) == 0 || len(b) == 0 {
			return len(a) == len(b)
		}
		if !sameExpr(a[0], b[0]) {
			return false
		}
		a, b = a[1:], b[1:]
	}
}

func leadingText(parts []hclsyntax.Expression) (string, []hclsyntax.Expression) {
	text := ""
	for i, p := range parts {
		l, ok := p.(*hclsyntax.LiteralValueExpr)
		if !ok {
			return text, parts[i:]
		}
		s, ok := hcllex.LiteralString(l.Val)
		if !ok {
			return text, parts[i:]
		}
		text += s
	}
	return text, nil
}

func sameList(a, b []hclsyntax.Expression) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !sameExpr(a[i], b[i]) {
			return false
		}
	}
	return true
}

func sameOptional(a, b hclsyntax.Expression) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return sameExpr(a, b)
}

func sameTraversal(a, b hcl.Traversal) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		switch x := a[i].(type) {
		case hcl.TraverseRoot:
			y, ok := b[i].(hcl.TraverseRoot)
			if !ok || x.Name != y.Name {
				return false
			}
		case hcl.TraverseAttr:
			y, ok := b[i].(hcl.TraverseAttr)
			if !ok || x.Name != y.Name {
				return false
			}
		case hcl.TraverseIndex:
			y, ok := b[i].(hcl.TraverseIndex)
			if !ok || !sameConstant(x.Key, y.Key) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// sameConstant reports whether two values are the same value of the same type.
// Numbers are compared exactly, and a negative zero is not a zero.
func sameConstant(a, b cty.Value) bool {
	if a == cty.NilVal || b == cty.NilVal {
		return a == b
	}
	if !a.RawEquals(b) {
		return false
	}
	if a.Type() == cty.Number && !a.IsNull() && a.IsKnown() {
		return a.AsBigFloat().Signbit() == b.AsBigFloat().Signbit()
	}
	return true
}

// sameValue reports whether a JSON value is the same as a native expression of
// the text native, in an argument where strings are templates.
//
// A number or an expression that is spelled in the same way in both needs no
// second reading. Everything else is parsed and compared.
func sameValue(native []byte, x hclsyntax.Expression, e expression) bool {
	src := e.file.src
	switch src[e.at.Start] {
	case '"':
		text := e.file.jsonText(e.at)
		if !hcllex.HasTemplateMarks(text) && !hcllex.HasLoneCR(text) {
			t, ok := bare(x).(*hclsyntax.TemplateExpr)
			if !ok {
				return false
			}
			own, ok := literalText(t)
			return ok && (own == text || own == cty.NormalizeString(text))
		}
		if ref, ok := hcllex.SoleReference(text); ok {
			if t, ok := bare(x).(*hclsyntax.ScopeTraversalExpr); ok && plainTraversal(t.Traversal, ref) {
				return true
			}
		}
		if sameSpelling(textOfRange(native, x), text) {
			return true
		}
		t, diags := e.template()
		return !diags.HasErrors() && sameExpr(x, t)
	case '[':
		list, ok := bare(x).(*hclsyntax.TupleConsExpr)
		if !ok {
			return false
		}
		i := 0
		for s := range e.file.json.Elements(e.at) {
			if i >= len(list.Exprs) || !sameValue(native, list.Exprs[i], e.part(s, e.kind)) {
				return false
			}
			i++
		}
		return i == len(list.Exprs)
	case '{':
		object, ok := bare(x).(*hclsyntax.ObjectConsExpr)
		if !ok {
			return false
		}
		i := 0
		for m := range e.file.json.Members(e.at) {
			if i >= len(object.Items) || !sameMember(object.Items[i].KeyExpr, e.part(m.Name, e.kind)) || !sameValue(native, object.Items[i].ValueExpr, e.part(m.Value, e.kind)) {
				return false
			}
			i++
		}
		return i == len(object.Items)
	case 't', 'f', 'n':
		l, ok := bare(x).(*hclsyntax.LiteralValueExpr)
		return ok && sameConstant(l.Val, wordValue(src[e.at.Start]))
	}
	number := string(src[e.at.Start:e.at.End])
	switch x := x.(type) {
	case *hclsyntax.LiteralValueExpr:
		if x.Val.Type() == cty.Number && string(textOfRange(native, x)) == number {
			return true
		}
	case *hclsyntax.ExprSyntaxError:
		return sameHuge(hcllex.HugeNumber(x), number)
	case *hclsyntax.UnaryOpExpr:
		if text := hcllex.HugeNumber(x.Val); text != "" {
			return x.Op == hclsyntax.OpNegate && number[0] == '-' && sameHuge(text, number[1:])
		}
	}
	if !numlimit.Expression(number) {
		return false
	}
	want, err := cty.ParseNumberVal(number)
	if err != nil {
		return false
	}
	have, ok := numberOf(x)
	return ok && sameConstant(have, want)
}

// textOfRange returns the text of x, which is in src; nil if x does not know
// its place.
func textOfRange(src []byte, x hclsyntax.Expression) []byte {
	s := spanOf(x.Range())
	if s.Start < 0 || s.End > int32(len(src)) || s.Start > s.End {
		return nil
	}
	return src[s.Start:s.End]
}

// sameSpelling reports whether a template is the interpolation of exactly the
// native text, or the inside of that text if it is a simple quoted template.
// Heredocs, escapes, directives and trim marks are left to the parser.
func sameSpelling(native []byte, template string) bool {
	n := len(native)
	if n == 0 || strings.Contains(template, "<<") || hcllex.HasLoneCR(template) || template[0] == 0xEF {
		return false
	}
	if len(template) == n+3 && template[:2] == "${" && template[n+2] == '}' && template[2:n+2] == string(native) {
		return true
	}
	return n == len(template)+2 && native[0] == '"' && string(native[1:n-1]) == template &&
		strings.IndexByte(template, '\\') < 0 && strings.IndexByte(template, '~') < 0 && !strings.Contains(template, "%{")
}

// wordValue returns the value of true, false or null, told by its first byte.
func wordValue(c byte) cty.Value {
	switch c {
	case 't':
		return cty.True
	case 'f':
		return cty.False
	}
	return cty.NullVal(cty.DynamicPseudoType)
}

// numberOf returns the value of a number that may have a sign.
func numberOf(x hclsyntax.Expression) (cty.Value, bool) {
	x = bare(x)
	if u, ok := x.(*hclsyntax.UnaryOpExpr); ok && u.Op == hclsyntax.OpNegate {
		if l, ok := u.Val.(*hclsyntax.LiteralValueExpr); !ok || l.Val.Type() != cty.Number {
			return cty.NilVal, false
		}
		v, diags := u.Value(nil)
		return v, !diags.HasErrors()
	}
	l, ok := x.(*hclsyntax.LiteralValueExpr)
	if !ok || l.Val.IsNull() || l.Val.Type() != cty.Number {
		return cty.NilVal, false
	}
	return l.Val, true
}

// sameMember compares a native key with the name of a JSON property, which is
// a template.
func sameMember(key hclsyntax.Expression, name expression) bool {
	text := name.file.jsonText(name.at)
	if !hcllex.HasTemplateMarks(text) && !hcllex.HasLoneCR(text) {
		own, ok := keyText(key)
		return ok && (own == text || own == cty.NormalizeString(text))
	}
	t, diags := name.template()
	return !diags.HasErrors() && sameKey(key, t)
}

// plainTraversal reports whether t is spelled as text, with dots only.
func plainTraversal(t hcl.Traversal, text string) bool {
	for i, step := range t {
		var name string
		switch s := step.(type) {
		case hcl.TraverseRoot:
			name = s.Name
		case hcl.TraverseAttr:
			name = s.Name
		default:
			return false
		}
		if i > 0 {
			if len(text) == 0 || text[0] != '.' {
				return false
			}
			text = text[1:]
		}
		if len(text) < len(name) || text[:len(name)] != name {
			return false
		}
		text = text[len(name):]
	}
	return text == ""
}

// textOf returns the text of a constant, after the conversion that the language
// makes: numbers and booleans have one.
func textOf(v cty.Value) (string, bool) {
	v, err := convert.Convert(v, cty.String)
	if err != nil || v.IsNull() || !v.IsKnown() {
		return "", false
	}
	return v.AsString(), true
}
