// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllex

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/apparentlymart/go-textseg/v15/textseg"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/lazy"
	"github.com/zclconf/go-cty/cty"
)

// ParseExpression is hclsyntax.ParseExpression in time proportional to the text, and so
// are the others. HCL's parser takes the square of the number of lines, and of dollar
// and percent signs, in one template: its scanner makes a token of each, and its
// parser joins them one by one. So in a text with many of them it gets a stand-in of
// the same length for what is text in templates, and the tree that it makes gets the
// texts and places that HCL would have given it.
//
// A number that is out of range, as internal/numlimit has it, is an expression whose value is
// an error; as an index in a reference it is an error of the parser. HCL would compute it.
//
// What nests deeper than [TooDeep] allows is an error: HCL's parser would end the
// process.
func ParseExpression(src []byte, filename string, start hcl.Pos) (hclsyntax.Expression, hcl.Diagnostics) {
	if diags := refuse(src, filename, start, false); diags != nil {
		return &hclsyntax.LiteralValueExpr{Val: cty.DynamicVal, SrcRange: *diags[0].Subject}, diags
	}
	src, huge := smallNumbers(src, filename, start, hclsyntax.LexExpression)
	in := standIn(src, filename, start, hclsyntax.LexExpression)
	if in == nil {
		x, diags := hclsyntax.ParseExpression(src, filename, start)
		return x, append(diags, huge.mend(&x)...)
	}
	x, diags := hclsyntax.ParseExpression(in.text, filename, start)
	more := huge.mend(&x)
	in.mend(reflect.ValueOf(&x))
	return x, append(in.mendDiagnostics(diags), more...)
}

// ParseTemplate is hclsyntax.ParseTemplate; see [ParseExpression].
func ParseTemplate(src []byte, filename string, start hcl.Pos) (hclsyntax.Expression, hcl.Diagnostics) {
	if !HasTemplateMarks(string(src)) && len(src) > manyTokens && utf8.Valid(src) {
		return onlyText(src, filename, start), nil
	}
	if diags := refuse(src, filename, start, true); diags != nil {
		return &hclsyntax.LiteralValueExpr{Val: cty.DynamicVal, SrcRange: *diags[0].Subject}, diags
	}
	src, huge := smallNumbers(src, filename, start, hclsyntax.LexTemplate)
	in := standIn(src, filename, start, hclsyntax.LexTemplate)
	if in == nil {
		x, diags := hclsyntax.ParseTemplate(src, filename, start)
		return x, append(diags, huge.mend(&x)...)
	}
	x, diags := hclsyntax.ParseTemplate(in.text, filename, start)
	more := huge.mend(&x)
	in.mend(reflect.ValueOf(&x))
	return x, append(in.mendDiagnostics(diags), more...)
}

// refuse returns an error for what nests too deeply.
func refuse(src []byte, filename string, start hcl.Pos, template bool) hcl.Diagnostics {
	i := TooDeep(src, template)
	if i < 0 {
		return nil
	}
	at := hcl.Pos{Line: start.Line + bytes.Count(src[:i], []byte("\n")), Column: 1, Byte: start.Byte + i}
	return hcl.Diagnostics{{
		Severity: hcl.DiagError, Summary: "Nested too deeply",
		Detail:  fmt.Sprintf("More than %d brackets and operators are inside each other here.", MaxNesting),
		Subject: &hcl.Range{Filename: filename, Start: at, End: at},
	}}
}

// onlyText returns the template of a text without sequences and escapes.
func onlyText(src []byte, filename string, start hcl.Pos) hclsyntax.Expression {
	end := start
	for rest := src; len(rest) > 0; {
		n := 1 // a dollar or percent sign is a token, so no mark is part of it
		if rest[0] != '$' && rest[0] != '%' {
			piece := rest
			if k := bytes.IndexAny(rest[:min(len(rest), 64)], "$%"); k > 0 {
				piece = rest[:k]
			}
			n, _, _ = textseg.ScanGraphemeClusters(piece, true)
		}
		if end.Column++; rest[n-1] == '\n' {
			end.Line, end.Column = end.Line+1, 1
		}
		rest = rest[n:]
	}
	end.Byte += len(src)
	at := hcl.Range{Filename: filename, Start: start, End: end}
	text := &hclsyntax.LiteralValueExpr{Val: cty.StringVal(string(src)), SrcRange: at}
	return &hclsyntax.TemplateExpr{Parts: []hclsyntax.Expression{text}, SrcRange: at}
}

// ParseConfig is hclsyntax.ParseConfig; see [ParseExpression].
func ParseConfig(src []byte, filename string, start hcl.Pos) (*hcl.File, hcl.Diagnostics) {
	if diags := refuse(src, filename, start, false); diags != nil {
		at := *diags[0].Subject
		return &hcl.File{Body: &hclsyntax.Body{SrcRange: at, EndRange: at}, Bytes: src}, diags
	}
	text, huge := smallNumbers(src, filename, start, hclsyntax.LexConfig)
	in := standIn(text, filename, start, hclsyntax.LexConfig)
	if in == nil {
		f, diags := hclsyntax.ParseConfig(text, filename, start)
		f.Bytes = src
		return f, append(diags, huge.mend(f.Body)...)
	}
	f, diags := hclsyntax.ParseConfig(in.text, filename, start)
	f.Bytes = src
	more := huge.mend(f.Body)
	in.mend(reflect.ValueOf(f.Body))
	return f, append(in.mendDiagnostics(diags), more...)
}

// manyTokens is how many tokens of text a template may have for HCL's own parser.
var manyTokens = 64 // a variable for tests

// A replacement is a text with stand-ins.
type replacement struct {
	text         []byte
	tokens       hclsyntax.Tokens // of the original, until all texts have stand-ins
	start        hcl.Pos
	lex          lexer
	texts        []literal               // in order of their places
	at           map[int]hcl.Pos         // the places of the borders of tokens that are not text
	faults       map[int]*hcl.Diagnostic // about the texts, by their places
	starts, ends map[[2]int]hcl.Pos      // the places of the original by lines and columns of text
}

type lexer func(src []byte, filename string, start hcl.Pos) (hclsyntax.Tokens, hcl.Diagnostics)

// A literal is a text between template sequences, or a token of it.
type literal struct {
	value            string
	from, start, end hcl.Pos // it begins at from, and less the margin of a heredoc at start
	first            hcl.Pos // where its first token ends
	faulty           bool    // has a faulty escape
}

// A part is a token of text in a template, or a template sequence with the marks that
// strip the space on its sides.
type part struct {
	token       int // of text; negative for a sequence
	left, right bool
}

// A level is a template, or the code in a sequence of the one before.
type level struct {
	flush bool // a heredoc that begins with <<-
	texts int  // how many of the parts are tokens of text
	parts []part
}

// standIn returns nil if src has no template with many tokens.
func standIn(src []byte, filename string, start hcl.Pos, lex lexer) *replacement {
	if bytes.Count(src, []byte("\n"))+bytes.Count(src, []byte("$"))+bytes.Count(src, []byte("%")) <= manyTokens {
		return nil
	}
	in := &replacement{start: start, lex: lex}
	in.tokens, _ = lex(src, filename, start)
	levels := []level{{}} // the template of LexTemplate, or code
	for i, t := range in.tokens {
		top := &levels[len(levels)-1]
		switch t.Type {
		case hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc:
			levels = append(levels, level{flush: bytes.HasPrefix(t.Bytes, []byte("<<-"))})
		case hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			top.parts = append(top.parts, part{token: -1, left: len(t.Bytes) == 3})
			levels = append(levels, level{})
		case hclsyntax.TokenStringLit, hclsyntax.TokenQuotedLit:
			top.texts++
			top.parts = append(top.parts, part{token: i})
		case hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc, hclsyntax.TokenTemplateSeqEnd:
			if len(levels) == 1 {
				break // closes nothing
			}
			in.close(src, *top)
			levels = levels[:len(levels)-1]
			if parts := levels[len(levels)-1].parts; t.Type == hclsyntax.TokenTemplateSeqEnd && len(parts) > 0 {
				parts[len(parts)-1].right = len(t.Bytes) == 2
			}
		}
	}
	for _, l := range slices.Backward(levels) {
		in.close(src, l)
	}
	if in.text == nil {
		return nil
	}
	sort.Slice(in.texts, func(i, j int) bool { return in.texts[i].end.Byte < in.texts[j].end.Byte })
	in.at = map[int]hcl.Pos{}
	for _, t := range in.tokens {
		if t.Type != hclsyntax.TokenStringLit && t.Type != hclsyntax.TokenQuotedLit {
			in.at[t.Range.Start.Byte], in.at[t.Range.End.Byte] = t.Range.Start, t.Range.End
		}
	}
	in.tokens = nil
	return in
}

// close puts the stand-ins for the texts of a template that ends, if they are many.
func (in *replacement) close(src []byte, l level) {
	if l.texts <= manyTokens {
		return
	}
	if in.text == nil {
		in.text = slices.Clone(src)
	}
	texts := make([]literal, len(l.parts))
	for i, p := range l.parts {
		if p.token >= 0 {
			texts[i] = in.literal(p, i > 0 && l.parts[i-1].right, i+1 < len(l.parts) && l.parts[i+1].left)
		}
	}
	if l.flush {
		flush(l.parts, texts)
	}
	for i := 0; i < len(texts); {
		if l.parts[i].token < 0 {
			i++
			continue
		}
		var b strings.Builder
		run := texts[i]
		for run.end = run.from; i < len(texts) && l.parts[i].token >= 0 && texts[i].from == run.end; i++ {
			b.WriteString(texts[i].value)
			run.end = texts[i].end
			run.faulty = run.faulty || texts[i].faulty
		}
		run.value = b.String()
		in.texts = append(in.texts, run)
		in.cover(run)
	}
}

// cover puts the stand-in for a text, which is one token. The line break before the end
// of a heredoc stays, and so do faulty escapes.
func (in *replacement) cover(run literal) {
	text := bytes.TrimSuffix(in.text[run.from.Byte-in.start.Byte:run.end.Byte-in.start.Byte], []byte("\n"))
	for i := range text {
		switch {
		case !run.faulty:
			text[i] = '.'
		case text[i] == '$', text[i] == '%', text[i] == '{':
			text[i] = '.'
		}
	}
}

// literal returns the text of a token; left and right say whether the space on its sides
// is stripped.
func (in *replacement) literal(p part, left, right bool) literal {
	t := in.tokens[p.token]
	value, diags := hclsyntax.ParseStringLiteralToken(t)
	for _, d := range diags {
		if in.faults == nil {
			in.faults = map[int]*hcl.Diagnostic{}
		}
		in.faults[d.Subject.Start.Byte] = d
	}
	if left {
		value = strings.TrimLeftFunc(value, unicode.IsSpace)
	}
	if right {
		value = strings.TrimRightFunc(value, unicode.IsSpace)
	}
	return literal{value: value, from: t.Range.Start, start: t.Range.Start, end: t.Range.End, first: t.Range.End, faulty: len(diags) > 0}
}

// flush takes from the lines of a heredoc as much white space as the one has that has
// least of it; blank lines do not count.
func flush(parts []part, texts []literal) {
	least := -1
	var lines []*literal
	fresh := true // a line begins
	for i, p := range parts {
		t := &texts[i]
		if fresh {
			space := len(t.value) - len(strings.TrimLeftFunc(t.value, unicode.IsSpace))
			if p.token < 0 || space < len(t.value) || !strings.HasSuffix(t.value, "\n") {
				n, _ := textseg.TokenCount([]byte(t.value[:space]), textseg.ScanGraphemeClusters)
				if least < 0 || n < least {
					least = n
				}
				if p.token >= 0 {
					lines = append(lines, t)
				}
			}
		}
		fresh = p.token >= 0 && strings.HasSuffix(t.value, "\n")
	}
	for _, t := range lines {
		n := 0
		for range least {
			size, _, _ := textseg.ScanGraphemeClusters([]byte(t.value[n:]), true)
			n += size
		}
		t.value = t.value[n:]
		t.start.Byte += n
		t.start.Column += least
	}
}

// mend gives a tree of HCL's the texts and places of the original.
func (in *replacement) mend(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		if v.Kind() == reflect.Interface && v.Elem().Kind() != reflect.Pointer {
			// A step of a traversal.
			step := reflect.New(v.Elem().Type())
			step.Elem().Set(v.Elem())
			in.mend(step.Elem())
			v.Set(step.Elem())
			return
		}
		in.mend(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			in.mend(v.Index(i))
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			in.mend(v.MapIndex(k))
		}
	case reflect.Struct:
		in.mendStruct(v)
	}
}

func (in *replacement) mendStruct(v reflect.Value) {
	switch x := v.Addr().Interface().(type) {
	case *hcl.Range:
		in.mendRange(x)
		return
	case *cty.Value, *hclsyntax.Operation:
		return
	case *hclsyntax.LiteralValueExpr:
		// That of an empty branch is made up, at the end of the branch before.
		if t, ok := in.textIn(x.SrcRange.End.Byte, x.SrcRange.End.Byte); ok && x.SrcRange.Start.Byte < x.SrcRange.End.Byte && x.Val.Type() == cty.String {
			x.Val = cty.StringVal(t.value)
			x.SrcRange.Start, x.SrcRange.End = t.start, t.end
			return
		}
	case *hclsyntax.TemplateExpr:
		// The content of a directive begins where its first part does.
		if len(x.Parts) > 0 && x.Parts[0].Range().Start.Byte == x.SrcRange.Start.Byte {
			defer func() { x.SrcRange.Start = x.Parts[0].Range().Start }()
		}
	case *hcl.TraverseIndex:
		if t, ok := in.textIn(x.SrcRange.Start.Byte, x.SrcRange.End.Byte); ok && x.Key.Type() == cty.String {
			x.Key = cty.StringVal(t.value)
		}
	case *hclsyntax.Block:
		for i, r := range x.LabelRanges {
			if t, ok := in.textIn(r.Start.Byte, r.End.Byte); ok {
				x.Labels[i] = t.value
			}
		}
	}
	for i := range v.NumField() {
		if f := v.Field(i); f.CanSet() {
			in.mend(f)
		}
	}
}

// textIn returns the first text that ends between two places.
func (in *replacement) textIn(start, end int) (literal, bool) {
	i := sort.Search(len(in.texts), func(i int) bool { return in.texts[i].end.Byte >= start })
	if i == len(in.texts) || in.texts[i].end.Byte > end {
		return literal{}, false
	}
	return in.texts[i], true
}

func (in *replacement) mendRange(r *hcl.Range) {
	for _, p := range []*hcl.Pos{&r.Start, &r.End} {
		if at, ok := in.at[p.Byte]; ok {
			*p = at
		} else if t, ok := in.textIn(p.Byte, p.Byte); ok {
			*p = t.end
		} else if i := sort.Search(len(in.texts), func(i int) bool { return in.texts[i].from.Byte >= p.Byte }); i < len(in.texts) && in.texts[i].from.Byte == p.Byte {
			*p = in.texts[i].from
		}
	}
}

// mendDiagnostics gives the diagnostics of the parser the places of the original.
func (in *replacement) mendDiagnostics(diags hcl.Diagnostics) hcl.Diagnostics {
	for i, d := range diags {
		if d.Subject == nil {
			continue
		}
		if fault := in.faults[d.Subject.Start.Byte]; fault != nil && fault.Summary == d.Summary {
			diags[i] = fault
			continue
		}
		// Where a range ends with a text, HCL means its first token.
		end := d.Subject.End.Byte
		t, ok := in.textIn(end, end)
		ok = ok && d.Subject.Start.Byte < end
		for _, r := range []*hcl.Range{d.Subject, d.Context} {
			if r == nil {
				continue
			}
			if in.mendRange(r); ok && r.End.Byte == end {
				r.End = t.first
			}
		}
		if strings.Contains(d.Detail, "directive at ") || strings.Contains(d.Detail, " started at ") {
			d.Detail = in.mendWords(d.Detail)
		}
	}
	return diags
}

// rangeInWords is what hcl.Range prints after the name of the file.
var rangeInWords = lazy.Regexp(`:(\d+),(\d+)-(?:(\d+),)?(\d+)\b`)

// mendWords gives a sentence that names a range that of the original. Its end may be that
// of another token in a text with further faults.
func (in *replacement) mendWords(s string) string {
	if in.starts == nil {
		in.starts, in.ends = map[[2]int]hcl.Pos{}, map[[2]int]hcl.Pos{}
		tokens, _ := in.lex(in.text, "", in.start)
		for _, t := range tokens {
			start, end := [2]int{t.Range.Start.Line, t.Range.Start.Column}, [2]int{t.Range.End.Line, t.Range.End.Column}
			r := t.Range
			in.mendRange(&r)
			if in.starts[start] = r.Start; r.Start.Byte == r.End.Byte {
				continue // the end of the text
			}
			if text, ok := in.textIn(r.End.Byte, r.End.Byte); ok {
				r.End = text.first
			}
			in.ends[end] = r.End
		}
	}
	return rangeInWords().ReplaceAllStringFunc(s, func(s string) string {
		var n [4]int // line, column, line, column
		for i, m := range rangeInWords().FindStringSubmatch(s)[1:] {
			n[i], _ = strconv.Atoi(m)
		}
		if n[2] == 0 {
			n[2] = n[0]
		}
		start, ok := in.starts[[2]int{n[0], n[1]}]
		end, also := in.ends[[2]int{n[2], n[3]}]
		if !ok || !also {
			return s
		}
		return hcl.Range{Start: start, End: end}.String()
	})
}

// BodyStart returns where the parser says that the body of a block with one argument begins: at its
// brace, or at the argument's name if that is on the same line. Both are offsets in src; the body of a
// file has no brace.
//
// HCL, hclsyntax/parser.go: parser.parseSingleAttrBody.
func BodyStart[I int32 | int64](src []byte, brace, name I) I {
	if name <= brace || int64(name) > int64(len(src)) {
		return brace
	}
	if between := src[brace:name]; between[0] == '{' && !bytes.Contains(between, []byte("\n")) {
		return name
	}
	return brace
}
