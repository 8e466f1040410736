// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"bytes"
	"encoding/json"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/lazy"
)

// An ignores says which findings the comments of a file turn off.
type ignores struct {
	all   []string           // in the whole file
	lines map[int64][]string // by the first line of the finding
}

// holds reports whether a finding is turned off.
func (i *ignores) holds(d Diagnostic) bool {
	if i == nil {
		return false
	}
	named := func(names []string) bool {
		return slices.Contains(names, d.Analyzer.Name) || slices.Contains(names, "all")
	}
	return named(i.all) || named(i.lines[int64(d.Range.Start.Line)])
}

var (
	ignoreMark     = lazy.Regexp(`tflint-ignore: ([^\n*/#]+)`)
	ignoreFileMark = lazy.Regexp(`tflint-ignore-file: ([^\n*/#]+)`)
	ignoreFileJSON = lazy.Regexp(`^tflint-ignore-file: ([^\n*/#]+)`)
)

// ignoresOf reads the comments of a file. It returns nil if there are none.
func ignoresOf(f *hclconfig.File) *ignores {
	if !bytes.Contains(f.Bytes(), []byte("tflint-ignore")) {
		return nil
	}
	out := &ignores{lines: map[int64][]string{}}
	if f.Syntax() == hclconfig.JSONSyntax {
		out.all = namesIn(ignoreFileJSON(), fileComment(f))
		return out
	}
	for at, text := range Comments(f) {
		if at.Start.Offset == 0 {
			out.all = namesIn(ignoreFileMark(), text)
		}
		if names := namesIn(ignoreMark(), text); names != nil {
			line := int64(at.Start.Line)
			out.lines[line] = append(out.lines[line], names...)
			out.lines[line+1] = append(out.lines[line+1], names...)
		}
	}
	return out
}

// namesIn returns the names after a mark.
func namesIn(mark *regexp.Regexp, text string) []string {
	m := mark.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	names := strings.Split(m[1], ",")
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	return names
}

// fileComment returns the text of the property "//" of a JSON file.
func fileComment(f *hclconfig.File) string {
	d := json.NewDecoder(bytes.NewReader(f.Bytes()))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return ""
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return ""
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return ""
		}
		if key == "//" {
			var text string
			if json.Unmarshal(value, &text) != nil {
				return ""
			}
			return text
		}
	}
	return ""
}

// Comments returns an iterator over the comments of a native file, in the order of the
// text: the place of each, and its text with the marks, but without the line break after
// it. A file in JSON syntax has none.
func Comments(f *hclconfig.File) iter.Seq2[addrs.Range, string] {
	return func(yield func(addrs.Range, string) bool) {
		if f == nil || f.Syntax() != hclconfig.NativeSyntax {
			return
		}
		src := f.Bytes()
		if bytes.IndexByte(src, '#') < 0 && !bytes.Contains(src, []byte("//")) && !bytes.Contains(src, []byte("/*")) {
			return
		}
		tokens, _ := hclsyntax.LexConfig(src, f.Filename(), hcl.InitialPos)
		for _, t := range tokens {
			if t.Type != hclsyntax.TokenComment {
				continue
			}
			text := bytes.TrimRight(t.Bytes, "\r\n")
			start := int64(t.Range.Start.Byte)
			at := addrs.Range{Filename: f.Filename(), Start: f.Position(start), End: f.Position(start + int64(len(text)))}
			if !yield(at, string(text)) {
				return
			}
		}
	}
}
