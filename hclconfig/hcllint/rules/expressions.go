// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/lazy"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// expressions walks all expressions of a module once, for the rules that look at them. Its
// result is a []*fileParts, one for each file of the module.
var expressions = &hcllint.Analyzer{
	Name: "expressions",
	Doc:  "Expressions collects the parts of expressions that other rules look at.",
	Run: func(p *hcllint.Pass) (any, error) {
		var out []*fileParts
		for _, f := range p.Module.Files {
			parts := &fileParts{file: f}
			if f.Syntax() == hclconfig.JSONSyntax {
				parts.readJSON()
			} else {
				parts.readNative()
			}
			if f.Err() != nil {
				parts.readBroken()
			}
			out = append(out, parts)
		}
		return out, nil
	},
}

// partsOf returns what expressions found.
func partsOf(p *hcllint.Pass) []*fileParts { return hcllint.ResultOf[[]*fileParts](p, expressions) }

// fileParts has the parts of the expressions of one file, each kind in the order of the text.
type fileParts struct {
	file *hclconfig.File
	// references are the variables, local values, data sources and two-part names.
	references []reference
	// steps are the indexes in the form ".0" and the marks ".*" of splats.
	dotted []dottedIndex
	// workspaces are the places of terraform.workspace.
	workspaces []textspan.Span
	// functions are the calls of functions of providers.
	functions []providerCall

	// The following are of native files only.
	wraps       []wrap
	lookups     []*hclsyntax.FunctionCallExpr // with two arguments
	comparisons []*hclsyntax.BinaryOpExpr     // == and !=
	objects     []*hclsyntax.ObjectConsExpr
}

// A reference is the beginning of a name in an expression: var.x, local.x, data.t.x, or
// any name of two parts.
type reference struct {
	root, name string
	typ        string // of a data source
	whole      bool   // nothing follows
	at         int32
}

// A dottedIndex is an index that is written with a dot and should have brackets.
type dottedIndex struct {
	at   textspan.Span
	text string // with brackets; empty if they would mean another thing
}

type providerCall struct {
	provider string
	function string // what comes after the provider, with an alias if there is one
	at       textspan.Span
}

// A wrap is a quoted string that is only one interpolation.
type wrap struct {
	*hclsyntax.TemplateWrapExpr
	key     bool // of an object
	operand bool // beside an operator
	source  bool // an index, an attribute or a splat follows
}

// isNative reports whether the file is in native syntax.
func (f *fileParts) isNative() bool { return f.file.Syntax() == hclconfig.NativeSyntax }

// place returns the place of a span.
func (f *fileParts) place(s textspan.Span) addrs.Range { return placeIn(f.file, s) }

// rangeOf returns the place of what HCL says is at r, in a native file.
func (f *fileParts) rangeOf(r hcl.Range) addrs.Range { return f.place(spanOf(r)) }

func placeIn(f *hclconfig.File, s textspan.Span) addrs.Range {
	return addrs.Range{Filename: f.Filename(), Start: f.Position(int64(s.Start)), End: f.Position(int64(s.End))}
}

func spanOf(r hcl.Range) textspan.Span {
	return textspan.Of(int32(r.Start.Byte), int32(r.End.Byte))
}

// text returns the text of what HCL says is at r, in a native file.
func (f *fileParts) text(r hcl.Range) string {
	return string(f.file.Bytes()[r.Start.Byte:r.End.Byte])
}

// hasComment reports whether there is a comment in the text at r beside its parts, which must
// be in order.
func (f *fileParts) hasComment(r hcl.Range, parts ...hcl.Range) bool {
	at := r.Start.Byte
	for _, p := range append(parts, hcl.Range{Start: r.End}) {
		if between := f.file.Bytes()[at:p.Start.Byte]; bytes.ContainsAny(between, "#") || bytes.Contains(between, []byte("//")) || bytes.Contains(between, []byte("/*")) {
			return true
		}
		at = p.End.Byte
	}
	return false
}

// readNative reads a native file.
func (f *fileParts) readNative() {
	w := &walker{fileParts: f, src: f.file.Bytes(), span: spanOf}
	for a := range f.file.Body().AllArguments() {
		_, start, end := a.Expression.Place()
		if isPlain(w.src[start:end]) {
			continue
		}
		if x, _ := a.HCL(); x != nil {
			_ = hclsyntax.VisitAll(x, w.visit)
		}
	}
}

// isPlain reports whether the text of an expression is a string without sequences, a
// number, or one word.
func isPlain(text []byte) bool {
	if len(text) > 1 && text[0] == '"' {
		i := bytes.IndexByte(text[1:], '"')
		return i == len(text)-2 && bytes.IndexByte(text, '{') < 0
	}
	for _, c := range text {
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9') {
			return false
		}
	}
	return true
}

// readJSON reads a file in JSON syntax: every string is a template, but in the property "//"
// of the whole. So they are for tflint; the language reads some of them as other things, which
// for its references are in [hclconfig.Body.References].
func (f *fileParts) readJSON() {
	src := f.file.Bytes()
	if f.file.Err() != nil {
		return
	}
	start := jsonscan.Space(src, 0)
	root := textspan.Of(int32(start), int32(len(src)))
	if start < len(src) && src[start] == '[' {
		for item := range jsontree.Elements(src, root) {
			f.readObject(item)
		}
	} else {
		f.readObject(root)
	}
	for _, r := range f.file.Body().References() {
		f.addText(r)
	}
}

// readObject reads the strings in an object of the root.
func (f *fileParts) readObject(at textspan.Span) {
	src := f.file.Bytes()
	if src[at.Start] != '{' {
		return
	}
	for m := range jsontree.Members(src, at) {
		if string(src[m.Name.Start:m.Name.End]) != `"//"` {
			f.readStrings(m.Value)
		}
	}
}

// readStrings reads the strings in a JSON value.
func (f *fileParts) readStrings(at textspan.Span) {
	src := f.file.Bytes()
	for i := int(at.Start); i < int(at.End); i++ {
		if src[i] != '"' {
			continue
		}
		end := jsonscan.StringEnd(src, i)
		raw := src[i:end]
		if bytes.IndexByte(raw, '{') >= 0 || bytes.IndexByte(raw, '\\') >= 0 {
			f.readTemplate(textspan.Of(int32(i), int32(end)))
		}
		i = end - 1
	}
}

// readTemplate reads the template that a JSON string is.
func (f *fileParts) readTemplate(at textspan.Span) {
	src := f.file.Bytes()
	raw := src[at.Start:at.End]
	text := jsonscan.AppendUnquote(nil, raw)
	if !hcllex.HasTemplateMarks(string(text)) {
		return
	}
	x, diags := hcllex.ParseTemplate(text, f.file.Filename(), hcl.InitialPos)
	if diags.HasErrors() {
		return
	}
	str := jsontree.NewString(src, at)
	w := &walker{fileParts: f, src: text, span: func(r hcl.Range) textspan.Span {
		return textspan.Of(str.Place(int32(r.Start.Byte)), str.Place(int32(r.End.Byte)))
	}}
	for _, t := range x.Variables() {
		w.traversal(t)
	}
	_ = hclsyntax.VisitAll(x, func(n hclsyntax.Node) hcl.Diagnostics {
		if c, ok := n.(*hclsyntax.FunctionCallExpr); ok {
			w.call(c)
		}
		return nil
	})
}

// addText adds a reference that the language finds in a JSON file.
func (f *fileParts) addText(r hclconfig.Reference) {
	names := strings.SplitN(r.Text, ".", 4)
	for i, n := range names {
		names[i], _, _ = strings.Cut(n, "[")
	}
	f.addNames(names, int32(r.Range().Start.Offset))
}

// addNames adds the reference that the first steps of a name are.
func (f *fileParts) addNames(names []string, at int32) {
	switch {
	case len(names) >= 3 && names[0] == "data":
		f.references = append(f.references, reference{root: "data", typ: names[1], name: names[2], at: at})
	case len(names) >= 2:
		f.references = append(f.references, reference{root: names[0], name: names[1], whole: len(names) == 2, at: at})
	}
}

var brokenName = lazy.Regexp(`\b(var|local|data|[a-z][\w-]*)\.([\w-]+)(?:\.([\w-]+))?`)

// readBroken reads the text of a file with a syntax error, in which a name may stand anywhere.
func (f *fileParts) readBroken() {
	src := f.file.Bytes()
	for _, m := range brokenName().FindAllSubmatchIndex(src, -1) {
		names := []string{string(src[m[2]:m[3]]), string(src[m[4]:m[5]])}
		if m[6] >= 0 {
			names = append(names, string(src[m[6]:m[7]]))
		}
		f.addNames(names, int32(m[0]))
	}
}

// A walker collects the parts of one tree.
type walker struct {
	*fileParts
	src []byte // of the tree
	// span returns the place in the file of a place in the tree.
	span func(hcl.Range) textspan.Span
	key  hclsyntax.Expression // the last key of an object
	// fixed is what follows the last splat that has to stay as it is.
	fixed    hclsyntax.Expression
	operands map[*hclsyntax.TemplateWrapExpr]bool // those beside an operator
	sources  map[*hclsyntax.TemplateWrapExpr]bool // those before an index, an attribute or a splat
}

func (w *walker) visit(n hclsyntax.Node) hcl.Diagnostics {
	switch x := n.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		w.traversal(x.Traversal)
	case *hclsyntax.IndexExpr:
		w.source(x.Collection)
	case *hclsyntax.RelativeTraversalExpr:
		w.source(x.Source)
		w.indexes(x.Traversal, hclsyntax.Expression(x) == w.fixed)
	case *hclsyntax.SplatExpr:
		w.source(x.Source)
		w.splat(x)
	case *hclsyntax.ObjectConsKeyExpr:
		w.key = x.Wrapped
	case *hclsyntax.TemplateWrapExpr:
		w.wraps = append(w.wraps, wrap{x, w.key == hclsyntax.Expression(x), w.operands[x], w.sources[x]})
	case *hclsyntax.FunctionCallExpr:
		w.call(x)
	case *hclsyntax.ConditionalExpr:
		w.operand(x.Condition)
	case *hclsyntax.UnaryOpExpr:
		w.operand(x.Val)
	case *hclsyntax.BinaryOpExpr:
		w.operand(x.LHS)
		w.operand(x.RHS)
		if x.Op == hclsyntax.OpEqual || x.Op == hclsyntax.OpNotEqual {
			w.comparisons = append(w.comparisons, x)
		}
	case *hclsyntax.ObjectConsExpr:
		w.objects = append(w.objects, x)
	}
	return nil
}

// operand notes that an operator is beside x.
func (w *walker) operand(x hclsyntax.Expression) {
	if t, ok := x.(*hclsyntax.TemplateWrapExpr); ok {
		if w.operands == nil {
			w.operands = map[*hclsyntax.TemplateWrapExpr]bool{}
		}
		w.operands[t] = true
	}
}

// source notes that an index, an attribute or a splat follows x.
func (w *walker) source(x hclsyntax.Expression) {
	if t, ok := x.(*hclsyntax.TemplateWrapExpr); ok {
		if w.sources == nil {
			w.sources = map[*hclsyntax.TemplateWrapExpr]bool{}
		}
		w.sources[t] = true
	}
}

// splat adds a splat that is written with a dot. An index after it holds for the list, and with
// brackets it would hold for each element.
func (w *walker) splat(x *hclsyntax.SplatExpr) {
	if w.src[x.MarkerRange.Start.Byte] != '.' {
		return
	}
	s := dottedIndex{w.span(x.MarkerRange), "[*]"}
	if end := x.SrcRange.End.Byte; end < len(w.src) && w.src[end] == '[' {
		s.text, w.fixed = "", x.Each
	}
	w.dotted = append(w.dotted, s)
}

func (w *walker) call(x *hclsyntax.FunctionCallExpr) {
	if rest, ok := strings.CutPrefix(x.Name, "provider::"); ok {
		if name, function, _ := strings.Cut(rest, "::"); name != "" {
			w.functions = append(w.functions, providerCall{name, function, w.span(x.Range())})
		}
	}
	if x.Name == "lookup" && len(x.Args) == 2 && w.isNative() {
		w.lookups = append(w.lookups, x)
	}
}

// traversal adds a name.
func (w *walker) traversal(t hcl.Traversal) {
	w.indexes(t, false)
	if len(t) < 2 {
		return
	}
	second, ok := t[1].(hcl.TraverseAttr)
	if !ok {
		return
	}
	root := t.RootName()
	at := w.span(t.SourceRange())
	if root == "data" && len(t) > 2 {
		if third, ok := t[2].(hcl.TraverseAttr); ok {
			w.references = append(w.references, reference{root: root, typ: second.Name, name: third.Name, at: at.Start})
		}
		return
	}
	if root == "terraform" && second.Name == "workspace" {
		w.workspaces = append(w.workspaces, at)
	}
	w.references = append(w.references, reference{root: root, name: second.Name, whole: len(t) == 2, at: at.Start})
}

// indexes adds the indexes of a name that are written with a dot.
func (w *walker) indexes(t hcl.Traversal, fixed bool) {
	for _, s := range t {
		i, ok := s.(hcl.TraverseIndex)
		if !ok {
			continue
		}
		r := i.SrcRange
		if text := w.src[r.Start.Byte:r.End.Byte]; len(text) > 0 && text[0] == '.' {
			s := dottedIndex{w.span(r), "[" + strings.TrimSpace(string(text[1:])) + "]"}
			if fixed {
				s.text = ""
			}
			w.dotted = append(w.dotted, s)
		}
	}
}
