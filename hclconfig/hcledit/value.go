// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/zclconf/go-cty/cty"
)

// This file spells values. The same value has several spellings: the text a.b is "a.b" in
// most arguments, a.b without quotes in depends_on, and "a.b" in JSON for both. A text with
// "${" gets an escape where the language reads templates, and none where it does not. So a
// value is spelled only when its place is known, by the kind that the language gives it.

// A Value is a constant or an expression to write into a configuration. It has
// a meaning, not a spelling; the spelling depends on the syntax of the file and
// the kind of the argument. The text "a${b}" as a [String] is written as a$${b}
// where strings are templates, and unchanged elsewhere. The zero Value is null.
type Value struct {
	form    valueForm
	text    string
	list    []Value
	entries []Entry
	expr    *hclconfig.Expression
	// line is set if native objects are written on one line, as in JSON strings.
	line bool
	// again is set if a Source has the expression that it replaces in it.
	again bool
}

// onLine returns the value with its objects written on one line.
//
// Not everything can be: a comment or a heredoc in the text of a Source still needs a
// line break.
func (v Value) onLine() Value {
	v.line = true
	return v
}

type valueForm uint8

const (
	formNull valueForm = iota
	formString
	formNumber
	formBool
	formSource
	formTemplate
	formList
	formObject
	formCall
	formExpression
	formConcat
	// Function and Concat return no error, so that calls can be nested. What is wrong
	// waits here until the value is written.
	formBroken // text says why
)

// An Entry is a key and a value of an object.
type Entry struct {
	// Key is the key. It is literal: template marks are escaped, and it need
	// not be an identifier. An object cannot have a key twice.
	Key   string
	Value Value
}

// String returns the text s. Template marks in it have no meaning. Where a
// reference, a keyword or a type is required, it is the same as [Source].
func String(s string) Value { return Value{form: formString, text: s} }

// Number returns a number with exactly these digits, such as "1.50". They are
// checked when the value is written: they must be a JSON number.
func Number(digits string) Value { return Value{form: formNumber, text: digits} }

// Int returns a whole number.
func Int(n int64) Value { return Number(strconv.FormatInt(n, 10)) }

// Bool returns a boolean.
func Bool(b bool) Value { return Value{form: formBool, text: strconv.FormatBool(b)} }

// Null returns null, which in most arguments has the same effect as leaving
// them out.
func Null() Value { return Value{} }

// Source returns an expression, a reference, a keyword or a type, spelled in
// native syntax: var.x, [for s in var.list : upper(s)], all, list(string).
func Source(text string) Value { return Value{form: formSource, text: text} }

// Template returns a text with template marks, spelled as between the lines of
// a heredoc: "Hello, ${var.name}!". Quotes and backslashes are literal.
func Template(text string) Value { return Value{form: formTemplate, text: text} }

// List returns a list of values.
func List(values ...Value) Value { return Value{form: formList, list: values} }

// Object returns an object or map with entries in that order.
func Object(entries ...Entry) Value { return Value{form: formObject, entries: entries} }

// Function returns a call of a function: Function("merge", Source("local.tags"), x)
// wraps x. The arguments are anything that [ValueOf] takes; anything else is an
// error when the value is written.
func Function(name string, args ...any) Value {
	v := Value{form: formCall, text: name}
	for i, a := range args {
		w, err := valueOf(a)
		if err != nil {
			w = Value{form: formBroken, text: fmt.Sprintf("argument %d of %s: a %T cannot be written as a value", i+1, name, a)}
		}
		v.list = append(v.list, w)
	}
	return v
}

// ValueOf returns v as a Value. It takes a Value, an [hclconfig.Expression], which is written
// with its own text where the syntax is the same (though as fmt has it: x for "${x}"), nil, strings, booleans, numbers (also
// [encoding/json.Number], [*big.Int] and [*big.Float]), a cty.Value that is wholly known, anything
// with a text of its own, such as an [addrs.Version] (see [encoding.TextMarshaler]), and
// pointers, slices and maps of these, with texts as the keys of maps, which are sorted. For
// anything else, such as a struct or []byte, the error is an [*hclconfig.Error] without a
// place that wraps [hclconfig.ErrKind]. The marks of a cty.Value, such as sensitive, are
// dropped.
func ValueOf(v any) (Value, error) {
	w, err := valueOf(v)
	if err != nil {
		return Value{}, &hclconfig.Error{Err: err}
	}
	return w, nil
}

// valueOf is ValueOf with the bare cause as its error.
func valueOf(v any) (Value, error) {
	switch v := v.(type) {
	case Value:
		return v, nil
	case hclconfig.Expression:
		if !v.IsSet() {
			return Null(), nil
		}
		return Value{form: formExpression, expr: &v}, nil
	case nil:
		return Null(), nil
	case json.Number:
		return Number(string(v)), nil
	case *big.Int:
		if v != nil {
			return Number(v.String()), nil
		}
	case *big.Float:
		if v != nil {
			return bigFloat(v)
		}
	case cty.Value:
		return fromCty(v)
	}
	return fromGo(reflect.ValueOf(v))
}

// fromGo returns a value of another type of Go as a Value.
func fromGo(v reflect.Value) (Value, error) {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return Null(), nil
	}
	// Its own text comes before its kind: an address may be a struct, and a version a
	// slice.
	if m, ok := v.Interface().(encoding.TextMarshaler); ok {
		text, err := m.MarshalText()
		if err != nil {
			return Value{}, notWritable("%v", err)
		}
		return String(string(text)), nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		return valueOf(v.Elem().Interface())
	case reflect.String:
		return String(v.String()), nil
	case reflect.Bool:
		return Bool(v.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return Int(v.Int()), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return Number(strconv.FormatUint(v.Uint(), 10)), nil
	case reflect.Float32, reflect.Float64:
		if f := v.Float(); math.IsInf(f, 0) || math.IsNaN(f) {
			return Value{}, notWritable("%v cannot be written as a number", f)
		}
		// The shortest text that gives the same number again. A float32 printed as a
		// float64 would have digits that nobody wrote.
		return Number(strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())), nil
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			break // it may be a text
		}
		out := make([]Value, v.Len())
		for i := range out {
			var err error
			if out[i], err = valueOf(v.Index(i).Interface()); err != nil {
				return Value{}, err
			}
		}
		return List(out...), nil
	case reflect.Map:
		if v.Type().Key().Kind() == reflect.String {
			return fromMap(v)
		}
	}
	return Value{}, notWritable("a %s cannot be written as a value", v.Type())
}

// fromMap returns a map with texts as its keys as a Value.
func fromMap(m reflect.Value) (Value, error) {
	keys := m.MapKeys()
	// Go's maps have no order, and the same program should write the same file each
	// time.
	sort.Slice(keys, func(i, j int) bool { return keys[i].String() < keys[j].String() })
	out := make([]Entry, len(keys))
	for i, k := range keys {
		v, err := valueOf(m.MapIndex(k).Interface())
		if err != nil {
			return Value{}, err
		}
		out[i] = Entry{k.String(), v}
	}
	return Object(out...), nil
}

// bigFloat writes f with the digits needed to distinguish it from its neighbours.
func bigFloat(f *big.Float) (Value, error) {
	if f.IsInf() {
		return Value{}, notWritable("an infinite number cannot be written")
	}
	return Number(hcllex.NumberText(f)), nil
}

// fromCty returns a constant as a Value. Marks are dropped.
func fromCty(v cty.Value) (Value, error) {
	v, _ = v.Unmark()
	switch {
	case v == cty.NilVal || v.IsNull():
		return Null(), nil
	case !v.IsKnown():
		return Value{}, notWritable("an unknown value cannot be written")
	}
	t := v.Type()
	switch {
	case t == cty.String:
		return String(v.AsString()), nil
	case t == cty.Bool:
		return Bool(v.True()), nil
	case t == cty.Number:
		return bigFloat(v.AsBigFloat())
	case !v.CanIterateElements():
		return Value{}, notWritable("a value of type %s cannot be written", t.FriendlyName())
	}
	out := List()
	if t.IsObjectType() || t.IsMapType() {
		out = Object()
	}
	for it := v.ElementIterator(); it.Next(); {
		k, e := it.Element()
		w, err := fromCty(e)
		switch {
		case err != nil:
			return Value{}, err
		case out.form == formList:
			out.list = append(out.list, w)
		default:
			k, _ = k.Unmark()
			out.entries = append(out.entries, Entry{k.AsString(), w})
		}
	}
	return out, nil
}

// json returns the value as an argument of that kind in JSON syntax. What OpenTofu evaluates before all
// else, such as the source of a module, is a constant in Terraform.
func (v Value) json(kind hcllang.Kind, d hcllang.Dialect) (*jsontree.Node, error) {
	if kind == hcllang.KindStatic && d == hcllang.Terraform {
		kind = hcllang.KindLiteral
	}
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
		case kind.Templates():
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
		case kind.Templates():
			return jsontree.Raw(jsontree.Quote(v.text)), nil
		case kind.Bare():
			return nil, fmt.Errorf("%w: a %s cannot be a template: use Source", ErrEdit, kind)
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
	switch v.form {
	case formCall:
		text, err := v.onLine().native(kind)
		if err != nil {
			return nil, err
		}
		return sourceJSON(text, kind, d)
	case formExpression:
		return exprJSON(*v.expr, kind, d)
	case formConcat:
		w, err := v.joined()
		if err != nil {
			return nil, err
		}
		return w.json(kind, d)
	case formBroken:
		return nil, notWritable("%s", v.text)
	}
	out := jsontree.Object()
	seen := make(map[string]bool, len(v.entries))
	for _, e := range v.entries {
		if seen[e.Key] {
			return nil, fmt.Errorf("%w: the key %q occurs twice", ErrEdit, e.Key)
		}
		seen[e.Key] = true
		n, err := e.Value.json(kind.Element(), d)
		if err != nil {
			return nil, err
		}
		key := e.Key
		if kind.Templates() {
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
	// Here the string of JSON is code, without the marks of a template.
	case kind.Bare() || kind == hcllang.KindProviderRequirement && isReference(x):
		return jsontree.Raw(jsontree.Quote(text)), nil
	// JSON has numbers of its own. Programs that know nothing of templates read them as
	// such.
	case kind.Templates() && checkNumber(text) == nil:
		return jsontree.Raw(text), nil
	case kind.Templates():
		return templateJSON(text, kind, d)
	}
	return foldJSON(x, text, kind, d)
}

// templateJSON returns native source as JSON where strings are templates: a constant,
// a list or an object as such, anything else as a template with the source in it.
func templateJSON(text string, kind hcllang.Kind, d hcllang.Dialect) (*jsontree.Node, error) {
	x := treeOf(text)
	switch x.Form() {
	case hclconfig.FormLiteral:
		if v, err := x.Constant(); err == nil {
			if s, ok := hcllex.LiteralString(v); ok {
				return String(s).json(kind, d)
			}
			if v.IsNull() || v.Type() == cty.Bool {
				return jsontree.Raw(text), nil
			}
		}
	case hclconfig.FormList, hclconfig.FormObject, hclconfig.FormTemplate:
		return exprJSON(x, kind, d)
	}
	return jsontree.Raw(jsontree.Quote(wrapSource(text))), nil
}

func isReference(x hclsyntax.Expression) bool {
	_, diags := hcl.AbsTraversalForExpr(x)
	return !diags.HasErrors()
}

// wrapSource returns the template that holds only the expression. A line
// comment or a heredoc must be ended by a line break.
func wrapSource(text string) string {
	if hcllex.NeedsNewline(text) {
		return "${" + text + "\n}"
	}
	return "${" + text + "}"
}

// foldJSON returns the value of a constant expression, for a place where JSON
// can hold nothing else: the tools read a text there as it stands, without templates.
func foldJSON(x hclsyntax.Expression, text string, kind hcllang.Kind, d hcllang.Dialect) (*jsontree.Node, error) {
	// Without variables and functions only a constant has a value.
	v, diags := x.Value(nil)
	if diags.HasErrors() {
		return nil, fmt.Errorf("%w: %.80q is not a constant, and JSON syntax can hold only a %s here", ErrEdit, text, kind)
	}
	if v.IsNull() {
		return jsontree.Raw("null"), nil
	}
	// A number that was computed would be printed anew: 1.50 as 1.5.
	if checkNumber(text) == nil {
		return jsontree.Raw(text), nil // with unchanged digits
	}
	folded, err := fromCty(v)
	if err != nil {
		return nil, fmt.Errorf("%w: %.80q: %w", ErrEdit, text, err)
	}
	// A value that is an object becomes one in JSON, and a text with template marks
	// stays a text: the folded value is written as any constant is.
	return folded.json(kind, d)
}

// native returns the value as an argument of that kind in native syntax. The
// text is not indented; [formatNative] does that.
func (v Value) native(kind hcllang.Kind) (string, error) {
	var b strings.Builder
	if err := v.writeNative(&b, kind); err != nil {
		return "", err
	}
	return b.String(), nil
}

func (v Value) writeNative(b *strings.Builder, kind hcllang.Kind) error {
	switch v.form {
	case formNull:
		b.WriteString("null")
	case formBool:
		b.WriteString(v.text)
	case formNumber:
		if err := checkNumber(v.text); err != nil {
			return err
		}
		// Native numbers have no sign of their own, but an operator, which comes to the same here.
		b.WriteString(v.text)
	case formString:
		if kind.Bare() {
			return Source(v.text).writeNative(b, kind)
		}
		b.WriteString(hcllex.Quote(v.text))
	case formSource:
		if _, err := parseSource(v.text); err != nil {
			return err
		}
		text, err := asArgument(strings.TrimSpace(v.text), kind)
		b.WriteString(text)
		return err
	case formTemplate:
		if kind.Bare() {
			return fmt.Errorf("%w: a %s cannot be a template: use Source", ErrEdit, kind)
		}
		_, err := parseTemplate(v.text)
		b.WriteString(hcllex.QuoteTemplate(v.text))
		return err
	case formList:
		return v.writeNativeList(b, kind)
	case formObject:
		return v.writeNativeObject(b, kind)
	case formCall:
		return v.writeCall(b, kind)
	case formExpression:
		text, err := spelled(*v.expr)
		if text = dedent(*v.expr, text); err == nil && strings.Contains(text, "\n") {
			text, err = asArgument(text, kind)
		}
		b.WriteString(text)
		return err
	case formConcat:
		w, err := v.joined()
		if err != nil {
			return err
		}
		return w.writeNative(b, kind)
	case formBroken:
		return notWritable("%s", v.text)
	}
	return nil
}

// asArgument returns an expression in parentheses if it has a line break outside of
// brackets, which would end an argument.
func asArgument(text string, kind hcllang.Kind) (string, error) {
	// The parser itself is asked: which line breaks end an argument depends on
	// brackets, heredocs and comments.
	if _, diags := hcllex.ParseConfig([]byte("a = "+text+"\n"), "", hcl.InitialPos); !diags.HasErrors() {
		return text, nil
	}
	if kind.Bare() {
		return "", fmt.Errorf("%w: %q cannot be written on one line: use Source with other text", ErrEdit, text)
	}
	return "(" + text + "\n)", nil
}

// writeNativeList writes short lists on one line, others with one element on
// each. fmt changes no line breaks, so they are chosen here, once; 80 columns is what fits next to the
// other side in a review.
func (v Value) writeNativeList(b *strings.Builder, kind hcllang.Kind) error {
	parts := make([]string, len(v.list))
	width, lines := 0, false
	for i, e := range v.list {
		e.line = v.line
		text, err := e.native(kind.Element())
		if err != nil {
			return err
		}
		parts[i] = text
		width += len(text) + 2
		lines = lines || strings.Contains(text, "\n") || hcllex.NeedsNewline(text)
	}
	if !lines && (width <= 80 || v.line) {
		b.WriteString("[" + strings.Join(parts, ", ") + "]")
		return nil
	}
	b.WriteString("[\n")
	for _, p := range parts {
		b.WriteString(p)
		// The marker of a heredoc needs its line break before the comma, and a comment
		// would hide the comma.
		if hcllex.NeedsNewline(p) {
			b.WriteString("\n")
		}
		b.WriteString(",\n")
	}
	b.WriteString("]")
	return nil
}

func (v Value) writeNativeObject(b *strings.Builder, kind hcllang.Kind) error {
	if len(v.entries) == 0 {
		b.WriteString("{}")
		return nil
	}
	seen := make(map[string]bool, len(v.entries))
	items, lines := make([]string, len(v.entries)), !v.line
	for i, e := range v.entries {
		if seen[e.Key] {
			return fmt.Errorf("%w: the key %q occurs twice", ErrEdit, e.Key)
		}
		seen[e.Key] = true
		key := e.Key
		if kind != hcllang.KindProviderMap && !hcllex.PlainKey(key) {
			key = hcllex.Quote(key)
		}
		e.Value.line = v.line
		text, err := e.Value.native(kind.Element())
		if err != nil {
			return err
		}
		items[i] = key + " = " + text
		// A comment goes on to the end of the line. A string may have the same signs,
		// which costs no more than lines of its own.
		lines = lines || strings.ContainsAny(text, "\n#") || strings.Contains(text, "//")
	}
	if lines {
		b.WriteString("{\n" + strings.Join(items, "\n") + "\n}")
	} else {
		b.WriteString("{" + strings.Join(items, ", ") + "}")
	}
	return nil
}

// checkNumber checks that text is a number in both syntaxes.
func checkNumber(text string) error {
	if !hcllex.IsNumber(text) {
		return fmt.Errorf("%w: %.40q is not a number", ErrEdit, text)
	}
	return nil
}

// parseSource checks native source.
func parseSource(text string) (hclsyntax.Expression, error) {
	if !utf8.ValidString(text) {
		return nil, fmt.Errorf("%w: the expression %.40q is not UTF-8", hclconfig.ErrSyntax, text)
	}
	// HCL's parser calls itself for each level, and a stack that overflows ends the
	// program: Go cannot recover from it.
	if hcllex.TooDeep([]byte(text), false) >= 0 {
		return nil, fmt.Errorf("%w: nested too deeply: the expression %.40q", hclconfig.ErrLimit, text)
	}
	with := text
	if strings.Contains(text, "<<") && !strings.HasSuffix(text, "\n") {
		with += "\n" // which a heredoc needs
	}
	x, diags := hcllex.ParseExpression([]byte(with), "", hcl.InitialPos)
	if why, ok := broken(diags); ok {
		return nil, fmt.Errorf("%w: the expression %.80q: %s", hclconfig.ErrSyntax, text, why)
	}
	return x, nil
}

// parseTemplate checks a template.
func parseTemplate(text string) (hclsyntax.Expression, error) {
	if !utf8.ValidString(text) {
		return nil, fmt.Errorf("%w: the template %.40q is not UTF-8", hclconfig.ErrSyntax, text)
	}
	if hcllex.TooDeep([]byte(text), true) >= 0 {
		return nil, fmt.Errorf("%w: nested too deeply: the template %.40q", hclconfig.ErrLimit, text)
	}
	x, diags := hcllex.ParseTemplate([]byte(text), "", hcl.InitialPos)
	if why, ok := broken(diags); ok {
		return nil, fmt.Errorf("%w: the template %.80q: %s", hclconfig.ErrSyntax, text, why)
	}
	return x, nil
}

// formatNative formats a piece of native text as "tofu fmt" does and indents
// its lines, but the first. Lines inside heredocs are not touched.
//
// The lines inside are part of a value. fmt leaves them alone for the same reason.
func formatNative(text, indent, newline string) string {
	out := string(hclwrite.Format([]byte(text)))
	if !strings.Contains(out, "\n") {
		return out
	}
	inside := insideText(out)
	var b strings.Builder
	for i, line := range strings.Split(out, "\n") {
		switch {
		case i == 0:
		case inside[i]:
			b.WriteString(lineBreak(inside, i, newline))
		default:
			b.WriteString(newline)
			if line != "" {
				b.WriteString(indent)
			}
		}
		b.WriteString(line)
	}
	return b.String()
}

// lineBreak returns the line break before line i: in a heredoc, where it is a part of
// the text, it stays as it is.
func lineBreak(inside map[int]bool, i int, newline string) string {
	if inside[i] && inside[i-1] {
		return "\n"
	}
	return newline
}

// breakLines returns text with other line breaks.
//
// Text is made with line feeds everywhere in this package, and gets the line breaks of
// the file in the end.
func breakLines(text, newline string) string {
	if newline == "\n" || !strings.Contains(text, "\n") {
		return text
	}
	inside := insideText(text + "\n")
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteString(lineBreak(inside, i, newline))
		}
		b.WriteString(line)
	}
	return b.String()
}
