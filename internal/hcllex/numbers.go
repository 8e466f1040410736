// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllex

import (
	"fmt"
	"reflect"
	"slices"
	"sort"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/numlimit"
	"github.com/zclconf/go-cty/cty"
)

// OutOfRange is the summary of a diagnostic about a number that [numlimit] does not allow.
const OutOfRange = "Number out of range"

// OutOfRangeDetail says what the bounds are.
var OutOfRangeDetail = fmt.Sprintf("A number here has more than %d digits, or is not between 1e-%d and 1e%[2]d.", numlimit.MaxDigits, numlimit.MaxComputed+1)

// Huge numbers are the number literals that are out of range, in order.
type hugeNumbers []hclsyntax.Token

// HugeNumber returns the text of a number that is out of range, or "" for any other expression.
func HugeNumber(x hclsyntax.Expression) string {
	e, ok := x.(*hclsyntax.ExprSyntaxError)
	if !ok || len(e.ParseDiags) != 1 {
		return ""
	}
	text, _ := e.ParseDiags[0].Extra.(numberText)
	return string(text)
}

// A numberText is the text of a number, in a diagnostic.
type numberText string

// smallNumbers returns src with zeros for the digits of number literals that are out of range, and their places:
// HCL's parser would compute them. If there are none, src is returned as it is.
func smallNumbers(src []byte, filename string, start hcl.Pos, lex lexer) ([]byte, hugeNumbers) {
	if !mayBeHuge(src) {
		return src, nil
	}
	var huge hugeNumbers
	text := src
	tokens, _ := lex(src, filename, start)
	for _, t := range tokens {
		if t.Type != hclsyntax.TokenNumberLit || numlimit.Expression(t.Bytes) || noNumber(t.Bytes) {
			continue
		}
		if huge == nil {
			text = slices.Clone(src)
		}
		huge = append(huge, t)
		digits := text[t.Range.Start.Byte-start.Byte : t.Range.End.Byte-start.Byte]
		for i, c := range digits {
			if '1' <= c && c <= '9' {
				digits[i] = '0'
			}
		}
	}
	return text, huge
}

// noNumber reports whether the exponent of a literal is beyond what HCL's parser takes, which then reports it.
func noNumber(literal []byte) bool {
	if len(literal) > numlimit.MaxDigits {
		return false
	}
	_, err := cty.ParseNumberVal(string(literal))
	return err != nil
}

// mayBeHuge reports whether there is something in src that reads as a number that is out of range.
func mayBeHuge(src []byte) bool {
	for i := 0; i < len(src); {
		if src[i] < '0' || src[i] > '9' {
			i++
			continue
		}
		from := i
		for i < len(src) && ('0' <= src[i] && src[i] <= '9' || src[i] == '.') {
			i++
		}
		mantissa := i
		if i+1 < len(src) && src[i]|0x20 == 'e' {
			i++
			if src[i] == '+' || src[i] == '-' {
				i++
			}
			for i < len(src) && '0' <= src[i] && src[i] <= '9' {
				i++
			}
		}
		if (mantissa-from > numlimit.MaxComputed/2 || i-mantissa > 3) && !numlimit.Expression(src[from:i]) {
			return true
		}
	}
	return false
}

// in returns the text of the number in a range, or "".
func (h hugeNumbers) in(r hcl.Range) numberText {
	i := sort.Search(len(h), func(i int) bool { return h[i].Range.Start.Byte >= r.Start.Byte })
	if i < len(h) && h[i].Range.End.Byte <= r.End.Byte {
		return numberText(h[i].Bytes)
	}
	return ""
}

// mend puts expressions that have no value in a tree of HCL's for the numbers that are out of range. It returns errors
// for those that are indexes in references, which have to be numbers.
func (h hugeNumbers) mend(tree any) hcl.Diagnostics {
	if len(h) == 0 {
		return nil
	}
	var diags hcl.Diagnostics
	h.mendValue(reflect.ValueOf(tree), &diags)
	return diags
}

func (h hugeNumbers) mendValue(v reflect.Value, diags *hcl.Diagnostics) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			h.mendValue(v.Elem(), diags)
		}
	case reflect.Interface:
		switch x := v.Interface().(type) {
		case nil:
		case *hclsyntax.LiteralValueExpr:
			if text := h.in(x.SrcRange); text != "" && x.Val.Type() == cty.Number {
				v.Set(reflect.ValueOf(&hclsyntax.ExprSyntaxError{
					Placeholder: cty.UnknownVal(cty.Number), ParseDiags: hcl.Diagnostics{outOfRange(x.SrcRange, text)}, SrcRange: x.SrcRange,
				}))
			}
		case hcl.TraverseIndex:
			if text := h.in(x.SrcRange); text != "" && x.Key.Type() == cty.Number {
				*diags = append(*diags, outOfRange(x.SrcRange, text))
			}
		default:
			h.mendValue(v.Elem(), diags)
		}
	case reflect.Slice:
		for i := range v.Len() {
			h.mendValue(v.Index(i), diags)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			h.mendValue(v.MapIndex(k), diags)
		}
	case reflect.Struct:
		switch v.Interface().(type) {
		case hcl.Range, cty.Value, hclsyntax.Operation:
			return
		}
		for i := range v.NumField() {
			if f := v.Field(i); v.Type().Field(i).IsExported() {
				h.mendValue(f, diags)
			}
		}
	}
}

func outOfRange(at hcl.Range, text numberText) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: OutOfRange, Detail: OutOfRangeDetail, Subject: &at, Extra: text}
}

// HasHugeNumber reports whether a number in v, which may be unknown or marked, is out of range.
func HasHugeNumber(v cty.Value) bool {
	v, _ = v.Unmark()
	if v.IsNull() || !v.IsKnown() {
		return false
	}
	t := v.Type()
	switch {
	case t == cty.Number:
		return !numlimit.Computed(v.AsBigFloat())
	case t.IsPrimitiveType() || !v.CanIterateElements():
		return false
	case t.IsCollectionType() && t.ElementType().IsPrimitiveType() && t.ElementType() != cty.Number:
		return false
	}
	for it := v.ElementIterator(); it.Next(); {
		if _, e := it.Element(); HasHugeNumber(e) {
			return true
		}
	}
	return false
}
