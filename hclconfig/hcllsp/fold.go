// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"cmp"
	"context"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
)

// foldingRanges answers textDocument/foldingRange: what is between brackets of several lines,
// heredocs, and runs of comments. It is about tokens, so it works with syntax errors as well.
func foldingRanges(_ *server, _ context.Context, v *view, p documentParams) ([]foldingRange, error) {
	d := v.document(p.TextDocument.URI)
	f := v.file(d)
	switch {
	case f == nil:
		return []foldingRange{}, nil
	case f.Syntax() == hclconfig.JSONSyntax:
		return foldJSON(d.index()), nil
	}
	return foldNative(d.index()), nil
}

// A folder finds the folding ranges of a text.
type foldFinder struct {
	x    *lineIndex
	open []int // lines of brackets
	out  []foldingRange
}

func (f *foldFinder) line(offset int) int { return f.x.position(offset, utf8Encoding).Line }

func (f *foldFinder) push(offset int) { f.open = append(f.open, f.line(offset)) }

// pop closes the last bracket: the fold ends on the line before it, so that it stays visible.
func (f *foldFinder) pop(offset int) {
	if len(f.open) == 0 {
		return
	}
	start := f.open[len(f.open)-1]
	f.open = f.open[:len(f.open)-1]
	f.add(start, f.line(offset)-1, "")
}

func (f *foldFinder) add(start, end int, kind string) {
	if end > start {
		f.out = append(f.out, foldingRange{start, end, kind})
	}
}

// list returns what was found, in the order of the text; of several that begin on one line, the
// longest.
func (f *foldFinder) list() []foldingRange {
	slices.SortStableFunc(f.out, func(a, b foldingRange) int {
		return cmp.Or(cmp.Compare(a.StartLine, b.StartLine), cmp.Compare(b.EndLine, a.EndLine))
	})
	out := []foldingRange{}
	for _, r := range f.out {
		if n := len(out); n == 0 || out[n-1].StartLine != r.StartLine {
			out = append(out, r)
		}
	}
	return out
}

func foldNative(x *lineIndex) []foldingRange {
	f := &foldFinder{x: x}
	tokens, _ := hclsyntax.LexConfig(x.text, "", hcl.InitialPos)
	comments := [2]int{-1, -1} // the first and the last line of a run
	flush := func() {
		if comments[0] >= 0 {
			f.add(comments[0], comments[1], "comment")
		}
		comments = [2]int{-1, -1}
	}
	lastLine := -1 // of a token that is no comment
	for _, t := range tokens {
		start, end := t.Range.Start.Byte, t.Range.End.Byte
		switch t.Type {
		case hclsyntax.TokenComment:
			first := f.line(start)
			last := f.line(max(start, end-1))
			if first == lastLine { // behind something
				break
			}
			if comments[0] >= 0 && first != comments[1]+1 {
				flush()
			}
			if comments[0] < 0 {
				comments[0] = first
			}
			comments[1] = last
			continue
		case hclsyntax.TokenNewline:
			continue
		case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			f.push(start)
		case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd:
			f.pop(start)
		case hclsyntax.TokenOHeredoc:
			f.push(start)
		case hclsyntax.TokenCHeredoc:
			f.pop(end - 1)
		}
		flush()
		lastLine = f.line(max(start, end-1))
	}
	flush()
	return f.list()
}

func foldJSON(x *lineIndex) []foldingRange {
	f := &foldFinder{x: x}
	quoted := false
	for i := 0; i < len(x.text); i++ {
		switch c := x.text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			f.push(i)
		case c == '}' || c == ']':
			f.pop(i)
		}
	}
	return f.list()
}
