// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/hclbound"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/numlimit"
	"github.com/tofuwire/tofuwire/internal/textspan"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// An Expression is the value of an argument, or a part of it. It holds its text, its
// place, the kind of expression that OpenTofu expects there, and the meaning of the
// text in the syntax of its file.
//
// The zero Expression represents an absent argument: IsSet reports false, and it has no
// references.
//
// In JSON syntax nothing is parsed before it is needed: a string that is a template is
// parsed by the methods that need to know its content. In native syntax the text is
// checked when the file is parsed, and the tree of an argument's expression is built by
// the first method that needs it, and kept.
type Expression struct {
	file *File
	late *lateTree // nil for a JSON value
	at   textspan.Span
	kind hcllang.Kind
	lit  hcllang.Literal
}

// ParseExpression parses src as the expression of an argument of the given kind: native source
// or a JSON value, as syntax says. The filename is for places. The error is an [*Error]; it
// wraps [ErrSyntax], or [ErrLimit] for one that is nested too deeply. The Expression refers to
// src, which must not be changed afterwards.
func ParseExpression(filename string, src []byte, syntax Syntax, kind Kind) (Expression, error) {
	f := &File{name: filename, syntax: syntax, src: src}
	f.body.file, f.body.spec, f.body.at = f, hcllang.Ignored, textspan.Of(0, int32(min(len(src), math.MaxInt32)))
	e := Expression{file: f, kind: hcllang.Kind(kind)}
	switch {
	case len(src) > math.MaxInt32:
		f.src = nil
		return Expression{}, f.faultf(-1, ErrLimit, "an expression of 2 GiB or more")
	case syntax == JSONSyntax:
		f.text = string(src)
		r := jsonReader{f: f, src: src, text: f.text}
		r.space()
		e.at.Start = int32(r.i)
		if !r.skip() {
			return Expression{}, f.err
		}
		e.at.End = int32(r.i)
		if r.space(); r.i < len(src) {
			r.syntax(r.i, jsonscan.FaultTrailing)
			return Expression{}, f.err
		}
		return e, nil
	case !utf8.Valid(src):
		return Expression{}, f.faultf(-1, ErrSyntax, "the expression is not UTF-8")
	}
	if at := hcllex.TooDeep(src, false); at >= 0 {
		return Expression{}, f.faultf(at, ErrLimit, "more than %d brackets and operators inside each other", hcllex.MaxNesting)
	}
	if bytes.Contains(src, []byte("<<")) && !bytes.HasSuffix(src, []byte("\n")) {
		src = append(slices.Clip(src), '\n') // a heredoc needs it, and Raw leaves it out
	}
	x, diags := hcllex.ParseExpression(src, filename, hcl.InitialPos)
	for i, d := range f.diagnosticsOf(diags) {
		if diags[i].Severity == hcl.DiagError {
			return Expression{}, f.fault(int(d.Subject.Start.Offset), d.cause())
		}
	}
	e.late, e.at = newTree(x, nil), spanOf(x.Range())
	return e, nil
}

// IsSet reports whether e is not the zero Expression.
func (e Expression) IsSet() bool { return e.file != nil }

// Kind returns how OpenTofu reads the expression.
func (e Expression) Kind() Kind { return Kind(e.kind) }

// File returns the file that the expression is in, or nil.
func (e Expression) File() *File { return e.file }

// Raw returns the text of the expression exactly as it is in the file: in JSON
// syntax any JSON value, strings with their quotes.
func (e Expression) Raw() string {
	if e.file == nil {
		return ""
	}
	return string(e.file.src[e.at.Start:e.at.End])
}

// Range returns the place of the expression.
func (e Expression) Range() addrs.Range {
	if e.file == nil {
		return addrs.Range{}
	}
	return e.file.rangeOf(e.at)
}

// Place returns the file of the expression and its range there in bytes. It is faster
// than Range, which has to count lines and columns.
func (e Expression) Place() (f *File, start, end int) {
	return e.file, int(e.at.Start), int(e.at.End)
}

// String returns the same as Raw.
func (e Expression) String() string { return e.Raw() }

// part returns the expression at s, which is in e and of the kind of its elements.
func (e Expression) part(s textspan.Span, kind hcllang.Kind) Expression {
	return Expression{file: e.file, at: s, kind: kind}
}

func (e Expression) nativePart(x hclsyntax.Expression, kind hcllang.Kind) Expression {
	return Expression{file: e.file, late: newTree(x, e.str()), at: e.span(x.Range()), kind: kind}
}

// isJSON reports whether e is in a JSON file and begins with the byte c.
func (e Expression) isJSON(c byte) bool {
	return e.file != nil && !e.isNative() && e.file.src[e.at.Start] == c
}

// IsNull reports whether e is the constant null, written as such.
func (e Expression) IsNull() bool {
	if e.file == nil {
		return false
	}
	if !e.isNative() {
		return e.file.src[e.at.Start] == 'n'
	}
	lit, ok := unparen(e.tree()).(*hclsyntax.LiteralValueExpr)
	return ok && lit.Val.IsNull()
}

// unparen strips parentheses, which change nothing where any expression may
// stand.
func unparen(x hclsyntax.Expression) hclsyntax.Expression {
	for {
		p, ok := x.(*hclsyntax.ParenthesesExpr)
		if !ok {
			return x
		}
		x = p.Expression
	}
}

// Elements returns the elements of an expression that is written as a list,
// such as [a, b], and reports whether it is. It evaluates nothing: a call of a
// function that returns a list is not written as one.
func (e Expression) Elements() ([]Expression, bool) {
	kind := e.kind.Element()
	switch {
	case e.isJSON('['):
		var out []Expression
		for s := range e.file.json().Elements(e.at) {
			out = append(out, e.part(s, kind))
		}
		return out, true
	case e.isNative():
		list, ok := e.tree().(*hclsyntax.TupleConsExpr)
		if !ok {
			return nil, false
		}
		out := make([]Expression, len(list.Exprs))
		for i, x := range list.Exprs {
			out[i] = e.nativePart(x, kind)
		}
		return out, true
	}
	return nil, false
}

// A Member is one key and value of an expression that is written as an object.
type Member struct {
	// Key is the key as an expression. A bare native key, and a JSON key
	// without template marks, have the key itself as their text.
	Key Expression
	// Name is the key, if it is a constant.
	Name string
	// Computed reports that the key is not a constant.
	Computed bool
	// Value is the value of the key. It is always set.
	Value Expression
}

// Place returns the file of the member and its range there in bytes.
func (m Member) Place() (f *File, start, end int) {
	return m.Value.file, int(m.Key.at.Start), int(m.Value.at.End)
}

// Members returns the keys and values of an expression that is written as an
// object, such as {a = b}, in order, and reports whether it is.
func (e Expression) Members() ([]Member, bool) {
	valueKind, keyKind := e.kind.Element(), e.kind
	if e.kind == hcllang.KindProviderMap {
		keyKind = hcllang.KindProviderReference
	}
	switch {
	case e.isJSON('{'):
		var out []Member
		for m := range e.file.json().Members(e.at) {
			key := e.part(m.Name, keyKind)
			name := e.file.jsonText(m.Name)
			computed := false
			if keyKind.Templates() && hcllex.HasTemplateMarks(name) {
				name, computed = key.constantText()
			}
			out = append(out, Member{Key: key, Name: name, Computed: computed, Value: e.part(m.Value, valueKind)})
		}
		return out, true
	case e.isNative():
		obj, ok := e.tree().(*hclsyntax.ObjectConsExpr)
		if !ok {
			return nil, false
		}
		out := make([]Member, len(obj.Items))
		for i, item := range obj.Items {
			key := e.nativePart(item.KeyExpr, keyKind)
			m := Member{Key: key, Value: e.nativePart(item.ValueExpr, valueKind)}
			if e.kind == hcllang.KindProviderMap {
				m.Name = key.Raw()
			} else {
				m.Name, m.Computed = key.constantText()
			}
			out[i] = m
		}
		return out, true
	}
	return nil, false
}

// constantText returns the text that a key evaluates to, or reports that it
// is computed.
func (e Expression) constantText() (text string, computed bool) {
	v, diags := e.constant()
	if diags.HasErrors() {
		return "", true
	}
	s, err := textOf(v)
	return s, err != nil
}

// Keyword returns the bare word that the expression consists of, or "". In JSON
// syntax it is a string that holds nothing else.
func (e Expression) Keyword() string {
	x, err := e.nativeForm()
	if err != nil {
		return ""
	}
	if t, ok := x.(*hclsyntax.TemplateExpr); ok && e.isNative() && t.IsStringLiteral() {
		// The legacy quoted form of native syntax.
		v, _ := t.Value(nil)
		s, _ := hcllex.LiteralString(v)
		return s
	}
	return hcl.ExprAsKeyword(x)
}

// nativeForm returns the expression of HCL that e is. For JSON it parses a
// string: as a template, or, where the kind says so, as bare source.
func (e Expression) nativeForm() (hclsyntax.Expression, error) {
	in, diags := e.embedded()
	if err := e.firstError(diags); err != nil {
		return nil, err
	}
	if in.expr == nil {
		return nil, e.file.fault(int(e.at.Start), ErrKind)
	}
	return in.expr, nil
}

// HCL returns the expression as a tree of HCL's own parser. In a native file the
// tree is shared and must not be changed. In JSON syntax a string is parsed as a
// template or, if the kind requires it, as bare source; places in the tree then
// count from the beginning of the text that the string holds. HCL returns nil for
// any other JSON value and for the zero Expression.
func (e Expression) HCL() (hclsyntax.Expression, Diagnostics) {
	in, diags := e.embedded()
	return in.expr, diags
}

// An embedded expression is native source in a JSON string, or e itself.
type embedded struct {
	expr hclsyntax.Expression // nil if there is none
	// str is the JSON string, or nil for native syntax, whose places need no
	// moving.
	str  *jsontree.String
	file *File
}

// span moves a place in the decoded string into the file.
func (in embedded) span(r hcl.Range) textspan.Span { return spanIn(in.str, r) }

// diagnostics moves the places of diags into the file.
func (in embedded) diagnostics(diags hcl.Diagnostics) Diagnostics {
	if in.str == nil {
		return in.file.diagnosticsOf(diags)
	}
	out := fromHCL(diags)
	for i, d := range diags {
		out[i].Subject = in.file.rangeOf(in.str.At)
		if d.Subject != nil {
			out[i].Subject = in.file.rangeOf(in.span(*d.Subject))
		}
	}
	return out
}

// embedded parses the native source in e. Of JSON values, only strings hold
// native source.
func (e Expression) embedded() (embedded, Diagnostics) {
	switch {
	case e.file == nil:
		return embedded{}, nil
	case e.isNative():
		return embedded{expr: e.tree(), file: e.file, str: e.str()}, nil
	case e.file.src[e.at.Start] != '"':
		return embedded{file: e.file}, nil
	}
	in := embedded{str: jsontree.NewString(e.file.src, e.at), file: e.file}
	text := e.file.jsonText(e.at)
	bare := e.kind.Bare()
	if hcllex.TooDeep([]byte(text), !bare) >= 0 {
		d := e.file.errorAt(e.at, "Expression nested too deeply",
			"More than %d brackets and operators are inside each other in this string.", hcllex.MaxNesting)
		d.Err = ErrLimit
		return in, Diagnostics{d}
	}
	var diags hcl.Diagnostics
	if bare {
		in.expr, diags = hcllex.ParseExpression([]byte(text), e.file.name, hcl.InitialPos)
	} else {
		in.expr, diags = hcllex.ParseTemplate([]byte(text), e.file.name, hcl.InitialPos)
	}
	return in, in.diagnostics(diags)
}

// firstError returns the first error among diags as an *Error, or nil.
func (e Expression) firstError(diags Diagnostics) error {
	for d := range diags.Errors() {
		return &Error{
			Filename: e.file.name, Offset: d.Subject.Start.Offset, Line: d.Subject.Start.Line, Column: d.Subject.Start.Column,
			Err: d.cause(),
		}
	}
	return nil
}

// Value evaluates the expression, with the variables and functions of ctx. If
// ctx is nil there are none. The meaning of the expression depends on its kind:
// in JSON, a string is a template in some kinds and plain text in others.
//
// Numbers are exact to 512 bits, as in OpenTofu. A number with more than 999
// digits, or beyond 1e999 or 1e-999, is an error that wraps [ErrLimit], whether it
// is written or computed: its text could take minutes to make. So is an object key
// that is sensitive, which makes OpenTofu 1.12 and Terraform 1.11 crash. Without a
// ctx, loops that take more than about two million steps are an error that wraps
// ErrLimit as well. Even if
// there are errors, parts of the value may be valid; it is never cty.NilVal.
func (e Expression) Value(ctx *hcl.EvalContext) (cty.Value, Diagnostics) {
	if e.file == nil {
		return cty.NullVal(cty.DynamicPseudoType), nil
	}
	var v cty.Value
	var diags Diagnostics
	if text, ok := e.plainQuoted(); ok {
		return cty.StringVal(text), nil
	}
	metered := hclbound.IsMetered(ctx)
	var meter *hclbound.Meter
	if src := e.file.src[e.at.Start:e.at.End]; ctx == nil && (bytes.Contains(src, []byte("for")) || bytes.IndexByte(src, '*') >= 0) {
		ctx, meter = hclbound.Constant(len(src))
	}
	if e.isNative() {
		var hd hcl.Diagnostics
		v, hd = hclbound.Bounded(e.tree()).Value(ctx)
		diags = embedded{file: e.file, str: e.str()}.diagnostics(hd)
	} else {
		if ctx == nil {
			ctx = &hcl.EvalContext{}
		}
		v, diags = e.jsonValue(ctx)
	}
	if v == cty.NilVal {
		v = cty.DynamicVal
	}
	if meter != nil && meter.Denied {
		d := e.file.errorAt(e.at, "Expression not evaluated", "Evaluating this expression would take more work than a constant should.")
		d.Err = ErrLimit
		return cty.DynamicVal, append(diags, d)
	}
	// Who meters an evaluation looks at the value only if it is paid for.
	if !diags.HasErrors() && !metered && hcllex.HasHugeNumber(v) {
		diags = append(diags, e.file.outOfRange(e.at))
	}
	return v, diags
}

// Constant evaluates an expression that has no references and calls no functions.
// The error is an [*Error]; it wraps [ErrNotConstant] if the expression has a
// reference or calls a function, is a bare word, such as the type string, or lacks
// a part, as in a file with a syntax error. The zero Expression is null.
func (e Expression) Constant() (cty.Value, error) {
	if e.file == nil {
		return cty.NullVal(cty.DynamicPseudoType), nil
	}
	v, diags := e.constant()
	if !diags.HasErrors() {
		if !v.IsWhollyKnown() { // as nothing is, behind an equals sign
			return cty.DynamicVal, e.file.faultf(int(e.at.Start), ErrNotConstant, "the expression is not complete")
		}
		return v, nil
	}
	if e.needs() {
		return cty.DynamicVal, e.file.faultf(int(e.at.Start), ErrNotConstant, "the expression refers to something or calls a function")
	}
	return cty.DynamicVal, e.firstError(diags)
}

// constant evaluates without variables and functions.
func (e Expression) constant() (cty.Value, Diagnostics) { return e.Value(nil) }

// needs reports whether e has references or function calls, or bare names: those of a
// type or a keyword refer to nothing, but have no value either.
func (e Expression) needs() bool {
	if len(e.uses()) > 0 {
		return true
	}
	for x := range e.All() {
		if form := x.Form(); form == FormCall || form == FormReference && e.kind.Bare() {
			return true
		}
	}
	return false
}

// Text returns the value of a constant expression as a string, after the
// conversion that OpenTofu makes: numbers and booleans have a text. The error is
// that of [Expression.Constant], or an [*Error] that wraps [ErrKind] if the value
// has no text: a list, or null.
func (e Expression) Text() (string, error) {
	v, err := e.Constant()
	if err != nil {
		return "", err
	}
	s, err := textOf(v)
	if err != nil {
		return "", e.file.fault(int(e.at.Start), err)
	}
	return s, nil
}

func textOf(v cty.Value) (string, error) {
	v, _ = v.UnmarkDeep()
	v, err := convert.Convert(v, cty.String)
	if err != nil {
		return "", fmt.Errorf("%w: a string is required", ErrKind)
	}
	if v.IsNull() || !v.IsKnown() {
		return "", fmt.Errorf("%w: a string is required, not null", ErrKind)
	}
	return v.AsString(), nil
}

// Bool returns the value of a constant expression as a boolean, after the
// conversion that OpenTofu makes: "true" and "false" are booleans. The error is
// that of [Expression.Constant], or an [*Error] that wraps [ErrKind] if the value
// is not a boolean.
func (e Expression) Bool() (bool, error) {
	v, err := e.Constant()
	if err != nil {
		return false, err
	}
	v, err = convert.Convert(v, cty.Bool)
	if err != nil || v.IsNull() || !v.IsKnown() {
		return false, e.file.faultf(int(e.at.Start), ErrKind, "a boolean is required")
	}
	return v.True(), nil
}

// TypeConstraint returns the type that the expression names, and the defaults
// of its optional attributes, or nil if it has none. The type of the zero
// Expression is cty.DynamicPseudoType. The error is an [*Error].
func (e Expression) TypeConstraint() (cty.Type, *typeexpr.Defaults, error) {
	if e.file == nil {
		return cty.DynamicPseudoType, nil, nil
	}
	t := e
	t.kind = hcllang.KindType
	in, diags := t.embedded()
	if err := e.firstError(diags); err != nil {
		return cty.DynamicPseudoType, nil, err
	}
	if in.expr == nil {
		return cty.DynamicPseudoType, nil, e.file.faultf(int(e.at.Start), ErrKind, "a type is required: in JSON a string that holds one")
	}
	// Two old spellings are still understood.
	switch hcl.ExprAsKeyword(in.expr) {
	case "list":
		return cty.List(cty.DynamicPseudoType), nil, nil
	case "map":
		return cty.Map(cty.DynamicPseudoType), nil, nil
	}
	if hclbound.IsTypeTooDeep(in.expr) {
		return cty.DynamicPseudoType, nil, e.file.faultf(int(e.at.Start), ErrLimit, "the type nests deeper than %d levels", hclbound.MaxTypeDepth)
	}
	typ, defaults, hd := typeexpr.TypeConstraintWithDefaults(in.expr)
	if err := e.firstError(in.diagnostics(hd)); err != nil {
		return cty.DynamicPseudoType, nil, err
	}
	return typ, defaults, nil
}

// jsonValue evaluates a JSON value by the rules of hcl: json/structure.go.
func (e Expression) jsonValue(ctx *hcl.EvalContext) (cty.Value, Diagnostics) {
	src := e.file.src
	switch src[e.at.Start] {
	case '"':
		return e.jsonString(ctx)
	case 't':
		return cty.True, nil
	case 'f':
		return cty.False, nil
	case 'n':
		return cty.NullVal(cty.DynamicPseudoType), nil
	case '[':
		var vals []cty.Value
		var diags Diagnostics
		for s := range e.file.json().Elements(e.at) {
			v, more := e.part(s, e.kind).jsonValue(ctx)
			vals, diags = append(vals, v), append(diags, more...)
		}
		return cty.TupleVal(vals), diags
	case '{':
		return e.jsonObject(ctx)
	}
	number := src[e.at.Start:e.at.End]
	if len(number) > numlimit.MaxDigits && !numlimit.Expression(number) {
		return cty.UnknownVal(cty.Number), Diagnostics{e.file.outOfRange(e.at)}
	}
	v, err := cty.ParseNumberVal(string(number))
	if err != nil {
		return cty.DynamicVal, Diagnostics{e.file.errorAt(e.at, "Invalid JSON number", "This number has no value: its exponent is out of range.")}
	}
	if !numlimit.Expression(number) {
		return cty.UnknownVal(cty.Number), Diagnostics{e.file.outOfRange(e.at)}
	}
	return v, nil
}

func (e Expression) jsonString(ctx *hcl.EvalContext) (cty.Value, Diagnostics) {
	text := e.file.jsonText(e.at)
	if !e.kind.Templates() || !hcllex.HasTemplateMarks(text) {
		return cty.StringVal(text), nil
	}
	t := e
	t.kind = hcllang.KindExpression
	in, diags := t.embedded()
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	v, hd := hclbound.Bounded(in.expr).Value(ctx)
	return v, append(diags, in.diagnostics(hd)...)
}

func (e Expression) jsonObject(ctx *hcl.EvalContext) (cty.Value, Diagnostics) {
	var diags Diagnostics
	attrs, places, known := map[string]cty.Value{}, map[string]textspan.Span{}, true
	for m := range e.file.json().Members(e.at) {
		key, keyDiags := e.part(m.Name, e.kind).jsonString(ctx)
		val, valDiags := e.part(m.Value, e.kind).jsonValue(ctx)
		diags = append(append(diags, keyDiags...), valDiags...)
		bad := func(why string) {
			diags = append(diags, e.file.errorAt(m.Name, "Invalid object key expression", "Cannot use this expression as an object key: %s.", why))
		}
		if key.IsMarked() {
			bad("it is sensitive or ephemeral")
			continue
		}
		key, err := convert.Convert(key, cty.String)
		switch {
		case err != nil:
			bad(err.Error())
			continue
		case !key.IsKnown():
			known = false
			continue
		case key.IsNull():
			bad("it is null")
			continue
		}
		name := key.AsString()
		if first, ok := places[name]; ok {
			diags = append(diags, e.file.errorAt(m.Name, "Duplicate object attribute", "An attribute named %q was already defined at %s.", name, e.file.rangeOf(first)))
			continue
		}
		attrs[name], places[name] = val, m.Name
	}
	if !known {
		return cty.DynamicVal, diags
	}
	return cty.ObjectVal(attrs), diags
}

// outOfRange is the diagnostic about a number that is out of range.
func (f *File) outOfRange(at textspan.Span) Diagnostic {
	d := f.errorAt(at, hcllex.OutOfRange, "%s", hcllex.OutOfRangeDetail)
	d.Err = ErrLimit
	return d
}

// Decode stores the value of a constant expression in the variable that dst points
// to, as [encoding/json.Unmarshal] does; numbers in an any become a [json.Number],
// with all their digits. The error is that of [Expression.Constant], or that of
// Unmarshal in an [*Error].
func (e Expression) Decode(dst any) error {
	v, err := e.Constant()
	if err != nil {
		return err
	}
	w, err := goValue(v)
	var text []byte
	if err == nil {
		text, err = json.Marshal(w)
	}
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		err = d.Decode(dst)
	}
	if err != nil {
		return e.file.fault(int(e.at.Start), fmt.Errorf("%w: %w", ErrKind, err))
	}
	return nil
}

// goValue returns a constant as encoding/json has it.
func goValue(v cty.Value) (any, error) {
	v, _ = v.Unmark()
	if v.IsNull() || !v.IsKnown() {
		return nil, nil
	}
	t := v.Type()
	switch {
	case t == cty.String:
		return v.AsString(), nil
	case t == cty.Bool:
		return v.True(), nil
	case t == cty.Number:
		return json.Number(hcllex.NumberText(v.AsBigFloat())), nil
	case t.IsObjectType() || t.IsMapType():
		out := make(map[string]any, v.LengthInt())
		for it := v.ElementIterator(); it.Next(); {
			k, e := it.Element()
			w, err := goValue(e)
			if err != nil {
				return nil, err
			}
			k, _ = k.Unmark()
			out[k.AsString()] = w
		}
		return out, nil
	case t.IsListType() || t.IsTupleType() || t.IsSetType():
		out := make([]any, 0, v.LengthInt())
		for it := v.ElementIterator(); it.Next(); {
			_, e := it.Element()
			w, err := goValue(e)
			if err != nil {
				return nil, err
			}
			out = append(out, w)
		}
		return out, nil
	}
	return nil, fmt.Errorf("a value of type %s cannot be written as JSON", t.FriendlyName())
}

// A lateTree is the tree of an expression whose text was found valid, built when it is
// first asked for; or one that is built. Trees take some twenty times the memory of their text, and most
// programs ask for few.
type lateTree struct {
	built atomic.Pointer[builtTree]
}

type builtTree struct {
	hclsyntax.Expression
	str *jsontree.String // the JSON string that it is in, or nil
}

// newTree returns a tree that is built.
func newTree(x hclsyntax.Expression, str *jsontree.String) *lateTree {
	t := &struct {
		lateTree
		builtTree
	}{builtTree: builtTree{x, str}}
	t.built.Store(&t.builtTree)
	return &t.lateTree
}

// str returns the JSON string that e is a part of, or nil.
func (e Expression) str() *jsontree.String {
	if e.late == nil {
		return nil
	}
	if t := e.late.built.Load(); t != nil {
		return t.str
	}
	return nil
}

// tree returns the tree of an expression of HCL in a native file, or of a part of one
// in a JSON string. It returns nil for a JSON value.
func (e Expression) tree() hclsyntax.Expression {
	if e.late == nil {
		return nil
	}
	if t := e.late.built.Load(); t != nil {
		return t.Expression
	}
	e.late.built.CompareAndSwap(nil, &builtTree{plainTree(e.file, e.at), nil}) // all callers get the same one
	return e.late.built.Load().Expression
}

// plainQuoted returns the text of an argument of a native file that is a quoted string without escapes
// and template marks, whose tree nothing else needs.
func (e Expression) plainQuoted() (string, bool) {
	if e.late == nil || e.late.built.Load() != nil {
		return "", false
	}
	return quotedText(e.file.src, e.at)
}

// isNative reports whether e has a tree.
func (e Expression) isNative() bool { return e.late != nil }
