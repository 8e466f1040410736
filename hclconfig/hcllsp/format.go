// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"bytes"
	"context"
	"math"
	"path"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// formatted returns a document as fmt writes it, or its own text if fmt does not touch it: JSON,
// other languages, and what does not parse.
func (v *view) formatted(d *document) []byte {
	if v.file(d) == nil || path.Base(d.path) == lockFile {
		return d.text
	}
	if f := d.meaning(v.dialect()).real; f.Syntax() != hclconfig.NativeSyntax || f.Err() != nil {
		return d.text
	}
	out, err := hcledit.Format(d.text, v.dialect())
	if err != nil {
		return d.text
	}
	return keepLineEnds(d.text, out)
}

// keepLineEnds gives a text the line ends of another one: "\r\n" if all its lines have that.
func keepLineEnds(like, text []byte) []byte {
	n := bytes.Count(like, []byte{'\n'})
	if n == 0 || bytes.Count(like, []byte("\r\n")) != n || bytes.Contains(text, []byte("\r\n")) {
		return text
	}
	return bytes.ReplaceAll(text, []byte{'\n'}, []byte("\r\n"))
}

// formatting answers textDocument/formatting.
func formatting(_ *server, _ context.Context, v *view, p documentParams) ([]textEdit, error) {
	return v.formatLines(p.TextDocument.URI, 0, math.MaxInt), nil
}

// rangeFormatting answers textDocument/rangeFormatting: the lines of the range as the whole would
// have them.
func rangeFormatting(_ *server, _ context.Context, v *view, p rangeParams) ([]textEdit, error) {
	first, last := p.Range.Start.Line, p.Range.End.Line
	if last > first && p.Range.End.Character == 0 {
		last--
	}
	return v.formatLines(p.TextDocument.URI, first, last), nil
}

// formatLines returns what fmt changes in the lines from first to last of a document.
func (v *view) formatLines(uri string, first, last int) []textEdit {
	d := v.document(uri)
	if d == nil {
		return []textEdit{}
	}
	// Fmt leaves each line its number. A difference of the texts may take a brace for that of another
	// line, so that a part of it is no valid change.
	found, ok := lineByLine(0, d.text, v.formatted(d))
	if !ok && last == math.MaxInt {
		found = changes(d.text, v.formatted(d))
	}
	x := d.index()
	var out []change
	for _, c := range merged(found) {
		from, to := x.position(c.start, v.enc).Line, x.position(c.end, v.enc).Line
		if c.end > c.start && to > from && x.starts[to] == c.end {
			to--
		}
		if from >= first && to <= last {
			out = append(out, c)
		}
	}
	return textEdits(x, out, v.enc)
}
