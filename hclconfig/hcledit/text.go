// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
)

// TextOf returns the text of a part as it is written, with its comments: those of
// [CommentsOf]. It has the indentation of the file in all lines but the first, and no line
// end behind the last; [Layout] lays it out anew. The text of a body is that between its
// braces, or all of the file, and that of an argument's expression has the comment behind
// it. JSON has no comments around parts. The text of a [Named] is empty.
func TextOf(p Part) string {
	f, start, end := placeIn(p)
	if f == nil {
		return ""
	}
	if b, ok := p.(*hclconfig.Body); ok {
		return bodyText(b)
	}
	from, to := start, end
	if n := notesAround(p); n != nil {
		if len(n.above) > 0 && !n.ofValue {
			from = min(from, n.r.start+n.above[0].start)
		}
		to = max(to, n.r.start+n.behind.end)
	}
	return cut(f, from, to)
}

// CodeOf is [TextOf] without any comments, also those in the part. A line with nothing but
// a comment becomes a blank one.
func CodeOf(p Part) string {
	f, start, end := placeIn(p)
	if f == nil {
		return ""
	}
	text := ""
	if b, ok := p.(*hclconfig.Body); ok {
		text = bodyText(b)
	} else {
		text = cut(f, start, end)
	}
	if f.Syntax() == hclconfig.JSONSyntax {
		return text
	}
	_, isExpression := p.(hclconfig.Expression)
	return withoutComments(text, isExpression)
}

// placeIn returns where p is, or no file for nothing.
func placeIn(p Part) (f *hclconfig.File, start, end int) {
	if p == nil {
		return nil, 0, 0
	}
	return p.Place()
}

// notesAround returns the comments of p, or nil if it has none.
func notesAround(p Part) *notes {
	f, start, _ := p.Place()
	if f.Syntax() == hclconfig.JSONSyntax {
		return nil
	}
	e := readOnly(f)
	if x, ok := p.(hclconfig.Expression); ok {
		body := f.Body()
		if b := around(body, start); b != nil {
			body = &b.Body
		}
		for i := range body.Arguments {
			if a := &body.Arguments[i]; spanOf(a.Expression) == spanOf(x) {
				n := e.notesOf(a, true)
				if n != nil {
					n.ofValue = true
				}
				return n
			}
		}
	}
	return e.notesOf(p, true)
}

// cut returns the text of a file from start to end, without the line end of a heredoc.
func cut(f *hclconfig.File, start, end int) string {
	return strings.TrimRight(string(f.Bytes()[start:end]), "\r\n")
}

// bodyText returns the text of a body.
func bodyText(b *hclconfig.Body) string {
	f, start, end := b.Place()
	if f.Syntax() == hclconfig.JSONSyntax || b == f.Body() || end-start < 2 {
		return string(f.Bytes()[start:end])
	}
	text := string(f.Bytes()[start+1 : end-1])
	first, rest, lines := strings.Cut(text, "\n")
	switch {
	case !lines:
		return strings.TrimSpace(text)
	case strings.TrimSpace(first) == "":
		text = rest
	}
	return strings.TrimRight(text, " \t\r\n")
}

// withoutComments takes the comments out of native source.
func withoutComments(text string, isExpression bool) string {
	lex := hclsyntax.LexConfig
	if isExpression {
		lex = hclsyntax.LexExpression
	}
	tokens, _ := lex([]byte(text), "", hcl.InitialPos)
	var out strings.Builder
	done := 0
	for _, t := range tokens {
		if t.Type != hclsyntax.TokenComment {
			continue
		}
		from := t.Range.Start.Byte
		to := from + len(strings.TrimRight(string(t.Bytes), "\r\n"))
		rest := text[to:]
		if eol := strings.TrimLeft(rest, " \t\r"); eol == "" || eol[0] == '\n' {
			from = done + len(strings.TrimRight(text[done:from], " \t"))
		} else if inside := strings.TrimLeft(rest, " \t"); len(inside) < len(rest) {
			to += len(rest) - len(inside) // of the spaces at both sides, those before it stay
		}
		out.WriteString(text[done:from])
		if from > 0 && to < len(text) && !isBlank(text[from-1]) && !isBlank(text[to]) {
			out.WriteByte(' ')
		}
		done = to
	}
	out.WriteString(text[done:])
	return out.String()
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
