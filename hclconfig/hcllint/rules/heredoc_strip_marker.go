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
)

var heredocStripMarker = &hcllint.Analyzer{
	Name: "heredoc_strip_marker",
	Doc: `A strip marker in a flush heredoc should not keep the indentation of the next line.

A heredoc that begins with <<- loses the common indentation of its lines. If a strip marker removes
the line end before a line, neither tool removes the indentation of that line:

	content = <<-EOT
	  a
	  %{ if var.b ~}   # finding
	  b
	  %{ endif ~}      # finding
	  c
	EOT

is "a\n  b\n  c\n". A heredoc without indentation, or the function join over a list, does not have
that effect. The rule is off by default, because in many files the additional blanks do no harm.`,
	URL:      page("heredoc_strip_marker"),
	Severity: hcllint.Notice,
	Presets:  []string{presetNone},
	Run: func(p *hcllint.Pass) (any, error) {
		for _, f := range p.Module.Files {
			if f.Syntax() != hclconfig.NativeSyntax || f.Err() != nil || !bytes.Contains(f.Bytes(), []byte("~}")) {
				continue
			}
			for _, at := range keptIndents(f.Bytes()) {
				p.Report(hcllint.Diagnostic{
					Range:   addrs.Range{Filename: f.Filename(), Start: f.Position(int64(at)), End: f.Position(int64(at + len("~}")))},
					Message: "the line behind this strip marker keeps its indentation",
				})
			}
		}
		return nil, nil
	},
}

// A templatePart is a line of text in a heredoc or the rest of one, or a sequence.
type templatePart struct {
	text                string // without what strip markers take
	isText, fed         bool   // fed: the text ended its line before it was stripped
	stripLeft, stripped bool   // of a sequence: it has a marker at its start, or at its end
	end                 int    // of a sequence: where its end begins
}

// keptIndents returns the offsets of the strip markers behind which a line of a flush heredoc
// keeps an indentation that other lines lose.
func keptIndents(src []byte) (found []int) {
	type level struct {
		flush bool
		parts []templatePart
		open  []byte // of a sequence
	}
	levels := []*level{{}}
	tokens, _ := hclsyntax.LexConfig(src, "", hcl.InitialPos)
	for _, token := range tokens {
		top := levels[len(levels)-1]
		switch token.Type {
		case hclsyntax.TokenOHeredoc:
			levels = append(levels, &level{flush: bytes.HasPrefix(token.Bytes, []byte("<<-"))})
		case hclsyntax.TokenOQuote:
			levels = append(levels, &level{})
		case hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			levels = append(levels, &level{open: token.Bytes})
		case hclsyntax.TokenStringLit:
			top.parts = append(top.parts, templatePart{text: string(token.Bytes), isText: true, fed: bytes.HasSuffix(token.Bytes, []byte("\n"))})
		case hclsyntax.TokenCHeredoc, hclsyntax.TokenCQuote, hclsyntax.TokenTemplateSeqEnd:
			if len(levels) == 1 {
				return found // the file is broken
			}
			levels = levels[:len(levels)-1]
			if token.Type == hclsyntax.TokenTemplateSeqEnd {
				around := levels[len(levels)-1]
				around.parts = append(around.parts, templatePart{stripLeft: bytes.HasSuffix(top.open, []byte("~")), stripped: bytes.HasPrefix(token.Bytes, []byte("~")), end: token.Range.Start.Byte})
			} else if top.flush {
				found = append(found, keptIn(top.parts)...)
			}
		}
	}
	return found
}

// keptIn returns those of one heredoc: first the texts are stripped, and then the lines that are
// still lines lose the white space that all of them have.
func keptIn(parts []templatePart) (found []int) {
	const blanks = " \t\r\n"
	for i := range parts {
		if !parts[i].isText {
			continue
		}
		if i > 0 && parts[i-1].stripped {
			parts[i].text = strings.TrimLeft(parts[i].text, blanks)
		}
		if i+1 < len(parts) && parts[i+1].stripLeft {
			parts[i].text = strings.TrimRight(parts[i].text, blanks)
		}
	}
	indent := func(p templatePart) int { return len(p.text) - len(strings.TrimLeft(p.text, " \t")) }
	margin, begins := -1, true
	for i, p := range parts {
		n := indent(p)
		blank := p.isText && strings.TrimSpace(p.text) == "" && strings.HasSuffix(p.text, "\n")
		if begins && !blank && (margin < 0 || n < margin) {
			margin = n
		}
		begins = p.isText && strings.HasSuffix(p.text, "\n")
		if i >= 2 && n > 0 && !blank && parts[i-1].fed && parts[i-1].text == "" && parts[i-2].stripped {
			found = append(found, parts[i-2].end)
		}
	}
	if margin <= 0 {
		return nil
	}
	return found
}
