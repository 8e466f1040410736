// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// A comment is one comment of native syntax.
type comment struct {
	text string // without its marks
	at   textspan.Span
}

// comments returns the comments between two places of a native file, between
// which there are no strings.
func (f *source) comments(from, to int32) []comment {
	var out []comment
	for i := from; i < to; i++ {
		switch f.src[i] {
		case ' ', '\t', '\r', '\n', ',', '=', ':':
			continue
		case '#':
		case '/':
			if i+1 >= to || f.src[i+1] != '/' && f.src[i+1] != '*' {
				continue
			}
		default:
			continue
		}
		end := f.commentEnd(i, to)
		out = append(out, comment{commentText(string(f.src[i:end])), textspan.Of(i, end)})
		i = end - 1
	}
	return out
}

// commentEnd returns where the comment at i ends, without its line break.
func (f *source) commentEnd(i, to int32) int32 {
	rest := f.src[i:to]
	if bytes.HasPrefix(rest, []byte("/*")) {
		if n := bytes.Index(rest[2:], []byte("*/")); n >= 0 {
			return i + int32(n) + 4
		}
		return to
	}
	if n := bytes.IndexByte(rest, '\n'); n >= 0 {
		return i + int32(n)
	}
	return to
}

// commentText returns a comment without its marks.
func commentText(s string) string {
	if inner, ok := strings.CutPrefix(s, "/*"); ok {
		lines := strings.Split(strings.TrimSuffix(inner, "*/"), "\n")
		for i, l := range lines {
			l = strings.TrimRight(l, " \t\r")
			if i > 0 {
				l = strings.TrimPrefix(strings.TrimLeft(l, " \t"), "* ")
			}
			lines[i] = l
		}
		return strings.TrimSpace(strings.Join(lines, "\n"))
	}
	s, ok := strings.CutPrefix(s, "//")
	if !ok {
		s = strings.TrimPrefix(s, "#")
	}
	return strings.TrimRight(strings.TrimPrefix(s, " "), " \t\r")
}

// commentsWithin returns the comments in an expression, which may have strings.
func (f *source) commentsWithin(s textspan.Span) []comment {
	text := f.src[s.Start:s.End]
	if bytes.IndexByte(text, '#') < 0 && !bytes.Contains(text, []byte("//")) && !bytes.Contains(text, []byte("/*")) {
		return nil
	}
	var out []comment
	tokens, _ := hclsyntax.LexExpression(text, f.name, hcl.InitialPos)
	for _, t := range tokens {
		if t.Type == hclsyntax.TokenComment {
			at := s.Start + int32(t.Range.Start.Byte)
			out = append(out, comment{commentText(strings.TrimRight(string(t.Bytes), "\r\n")), textspan.Of(at, at+int32(len(t.Bytes)))})
		}
	}
	return out
}

// sameLine reports whether there is no line break between two places.
func (f *source) sameLine(from, to int32) bool {
	return from <= to && bytes.IndexByte(f.src[from:to], '\n') < 0
}

// splitHeader splits the comments at the beginning of a file, before the place
// next: those above a blank line are about the file, not about what follows.
func (f *source) splitHeader(list []comment, next int32) (header, rest []comment) {
	for i := len(list) - 1; i >= 0; i-- {
		if bytes.Count(f.src[list[i].at.End:next], []byte("\n")) > 1 {
			return list[:i+1], list[i+1:]
		}
		next = list[i].at.Start
	}
	return nil, list
}

// commentJSON appends comments to a JSON body, as one property.
func (c *jsonConverter) commentJSON(members []jsontree.Member, list []comment) []jsontree.Member {
	if len(list) == 0 {
		return members
	}
	if c.opts.DropComments {
		for _, one := range list {
			c.note(one.at, "Comment left out", "The comment is not in the JSON form.")
		}
		return members
	}
	var text strings.Builder
	text.WriteString(list[0].text)
	for _, one := range list[1:] {
		text.WriteString("\n" + one.text)
	}
	return append(members, jsontree.Property("//", jsontree.Raw(jsontree.Quote(text.String()))))
}
