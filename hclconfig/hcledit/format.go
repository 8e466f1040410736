// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/textspan"
	"github.com/zclconf/go-cty/cty"
)

// Format returns the text of a native file as "tofu fmt" of OpenTofu 1.12 writes
// it, or with the option [hclconfig.Terraform], as "terraform fmt" does: indented, aligned,
// with quoted labels, var.x for "${var.x}" and list(any) for a variable of type
// list. The input is not changed. Text with a syntax error is not formatted: the
// error is the first one, an [*hclconfig.Error] without a file name.
//
// Format differs from the tools in one respect. They drop a label with a dollar or
// percent sign that HCL's scanner reads as a separate token, such as "a$b", and so
// lose part of the configuration. Format keeps the label.
func Format(src []byte, opts ...hclconfig.Option) ([]byte, error) {
	f, err := hclconfig.ParseNative("", src, opts...)
	if err != nil {
		return nil, err
	}
	var p patches
	// Tokens first, white space second: the places of the former are those of the text
	// as it was read.
	tidy(f.Body(), &p, "")
	return hclwrite.Format(p.apply(src)), nil
}

// Layout returns the text of a native file with the layout of "tofu fmt": indented and
// aligned. Only white space changes, so Layout also works for files of other languages,
// such as terragrunt.hcl. The input is not changed. Text with a syntax error has no
// layout: the error is the first one, an [*hclconfig.Error] without a file name.
func Layout(src []byte) ([]byte, error) {
	if _, err := hclconfig.ParseNative("", src); err != nil {
		return nil, err
	}
	return hclwrite.Format(src), nil
}

// A patches is a list of replacements in a text, in order.
type patches []struct {
	at   textspan.Span
	text string
}

func (p *patches) add(at textspan.Span, text string) {
	*p = append(*p, struct {
		at   textspan.Span
		text string
	}{at, text})
}

// apply returns the text with all replacements made. It may return src itself.
func (p patches) apply(src []byte) []byte {
	if len(p) == 0 {
		return src
	}
	var out bytes.Buffer
	done := int32(0)
	for _, r := range p {
		out.Write(src[done:r.at.Start])
		out.WriteString(r.text)
		done = r.at.End
	}
	out.Write(src[done:])
	return out.Bytes()
}

// tidy adds the changes of fmt other than white space in the body of a block of
// type in, or of the file if in is empty. Nested blocks have the type "/".
func tidy(b *hclconfig.Body, p *patches, in string) {
	eachPart(b, func(a *hclconfig.Argument, n *hclconfig.Block) {
		switch {
		case a != nil && in == "variable" && a.Name == "type":
			tidyType(a, p)
		case a != nil:
			tidyValue(a, p)
		default:
			tidyLabels(n, p)
			inner := n.Type
			if in != "" {
				// Only the variables of the file itself have types. A nested block of
				// that name is something else.
				inner = "/"
			}
			tidy(&n.Body, p, inner)
		}
	})
}

// eachPart calls do with each argument and each block of a body, in their order.
func eachPart(b *hclconfig.Body, do func(a *hclconfig.Argument, n *hclconfig.Block)) {
	args, blocks := b.Arguments, b.Blocks
	for len(args) > 0 || len(blocks) > 0 {
		if len(blocks) == 0 || len(args) > 0 && nameOf(&args[0]).Start < entryOf(&blocks[0]).Start {
			do(&args[0], nil)
			args = args[1:]
		} else {
			do(nil, &blocks[0])
			blocks = blocks[1:]
		}
	}
}

// tidyLabels quotes the labels and drops the comments around them, as fmt does: it writes the header
// of a block anew from its type and labels.
func tidyLabels(b *hclconfig.Block, p *patches) {
	if len(b.Labels) == 0 {
		return
	}
	src := b.File().Bytes()
	var text strings.Builder
	end := placeOf(b.TypeRange()).End
	at := textspan.Of(end, end)
	for i := range b.Labels {
		text.WriteByte(' ')
		place := placeOf(b.LabelRange(i))
		at.End = place.End
		label, raw := "", src[place.Start:place.End]
		switch {
		case raw[0] != '"':
			label = string(raw)
		case len(raw) > 2:
			// HCL evaluates the escapes of a label, and fmt writes the result anew,
			// with its own choice of escapes.
			tok := hclsyntax.Token{Type: hclsyntax.TokenQuotedLit, Bytes: raw[1 : len(raw)-1]}
			s, diags := hclsyntax.ParseStringLiteralToken(tok)
			if diags.HasErrors() || hcllex.HasTemplateMarks(string(raw)) {
				text.Write(raw)
				continue
			}
			label = s
		}
		text.Write(hclwrite.TokensForValue(cty.StringVal(label)).Bytes())
	}
	text.WriteByte(' ')
	// The spaces before the brace are part of the header that fmt writes.
	for src[at.End] == ' ' {
		at.End++
	}
	if string(src[at.Start:at.End]) != text.String() {
		p.add(at, text.String())
	}
}

// legacyTypes are the types of variables that fmt spells in another way: before Terraform 0.12 types
// were texts, and a collection had no type of its elements.
var legacyTypes = map[string]string{
	"list": "list(any)", "map": "map(any)", "set": "set(any)",
	`"string"`: "string", `"list"`: "list(string)", `"map"`: "map(string)",
}

func tidyType(a *hclconfig.Argument, p *patches) {
	if text, ok := legacyTypes[a.Raw()]; ok {
		p.add(spanOf(a.Expression), text)
	}
}

// tidyValue takes the quotes from "${x}" if that is all there is. Before Terraform 0.12 all references
// were written that way, and fmt makes today's spelling of it. That does not change the value: a
// template of one sequence has the type of its expression.
func tidyValue(a *hclconfig.Argument, p *patches) {
	raw := a.File().Bytes()[spanOf(a.Expression).Start:spanOf(a.Expression).End]
	if !bytes.HasPrefix(raw, []byte(`"${`)) || raw[len(raw)-1] != '"' {
		return
	}
	tokens, _ := hclsyntax.LexExpression(raw, "", hcl.Pos{Line: 1, Column: 1})
	if n := len(tokens); n > 0 && tokens[n-1].Type == hclsyntax.TokenEOF {
		tokens = tokens[:n-1]
	}
	if text, ok := unwrapTemplate(raw, tokens); ok {
		p.add(spanOf(a.Expression), text)
	}
}

// unwrapTemplate returns the expression in a quoted template that is nothing else.
func unwrapTemplate(src []byte, tokens hclsyntax.Tokens) (string, bool) {
	n := len(tokens)
	if n < 5 || tokens[0].Type != hclsyntax.TokenOQuote || tokens[1].Type != hclsyntax.TokenTemplateInterp ||
		tokens[n-2].Type != hclsyntax.TokenTemplateSeqEnd || tokens[n-1].Type != hclsyntax.TokenCQuote {
		return "", false
	}
	inside := tokens[2 : n-2]
	quotes := 0
	for _, t := range inside {
		switch {
		case t.Type == hclsyntax.TokenOQuote:
			quotes++
		case t.Type == hclsyntax.TokenCQuote:
			quotes--
		case quotes > 0: // a template in an expression of this one
		case t.Type == hclsyntax.TokenTemplateInterp, t.Type == hclsyntax.TokenTemplateSeqEnd, t.Type == hclsyntax.TokenQuotedLit:
			return "", false // more than one sequence
		}
	}
	for len(inside) > 0 && inside[0].Type == hclsyntax.TokenNewline {
		inside = inside[1:]
	}
	for len(inside) > 0 && inside[len(inside)-1].Type == hclsyntax.TokenNewline {
		inside = inside[:len(inside)-1]
	}
	if len(inside) == 0 {
		return "", false
	}
	last := len(inside) - 1
	text := string(src[inside[0].Range.Start.Byte:inside[last].Range.End.Byte])
	lines := false
	for i, t := range inside {
		lines = lines || t.Type == hclsyntax.TokenNewline && i > 0
	}
	// Within ${ } a line break has no meaning; outside it would end the argument. fmt
	// adds these parentheses as well, and does not look whether the two that are there
	// belong together.
	if lines && (inside[0].Type != hclsyntax.TokenOParen || inside[last].Type != hclsyntax.TokenCParen) {
		text = "(" + text + ")"
	}
	return text, true
}

// tidyText makes the changes of fmt in the value of an argument.
//
// An edit writes what fmt would not change, so that the next fmt leaves no trace in it.
func tidyText(text string, kind hcllang.Kind) string {
	if legacy, ok := legacyTypes[text]; ok && kind == hcllang.KindType {
		return legacy
	}
	tokens, _ := hclsyntax.LexExpression([]byte(text), "", hcl.InitialPos)
	// The last token is the end of the text.
	if n := len(tokens); n > 0 {
		tokens = tokens[:n-1]
	}
	if inner, ok := unwrapTemplate([]byte(text), tokens); ok {
		return inner
	}
	return text
}
