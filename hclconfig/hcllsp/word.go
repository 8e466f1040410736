// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
)

// What a word can be.
type wordKind int

const (
	noWord        wordKind = iota
	blockWord              // the type of a block
	labelWord              // one of its labels
	argumentWord           // the name of an argument
	functionWord           // the name of a function
	referenceWord          // a part of a reference
	boundWord              // a name that a for expression binds
	otherWord              // another identifier
)

// A word is what is at a spot, as far as the syntax says it.
type word struct {
	kind       wordKind
	text       string // the identifier
	start, end int
	block      *hclconfig.Block   // the one of the top level, or nil
	blocks     []*hclconfig.Block // all that the spot is in, from the outermost one
	label      int                // its number
	argument   *hclconfig.Argument
	reference  hclconfig.Reference
	function   string
}

// wordAt returns the word at a spot.
func (v *view) wordAt(at *spot) word {
	var w word
	if at == nil || at.module == nil {
		return w
	}
	f := v.Parsed(at.file, v.dialect())
	x := at.doc.index()
	if w.text = identifierAt(x.text, at.offset); f == nil || w.text == "" {
		return w
	}
	is := func(kind wordKind, start, end int) bool {
		if w.kind != noWord || at.offset < start || end < at.offset {
			return false
		}
		w.kind, w.start, w.end = kind, start, end
		return true
	}
	for b := blockAt(f.Body(), at.offset); b != nil; b = blockAt(&b.Body, at.offset) {
		w.blocks = append(w.blocks, b)
		start, end := x.bare(b.TypeRange())
		is(blockWord, start, end)
		for i := range b.Labels {
			start, end := x.bare(b.LabelRange(i))
			if is(labelWord, start, end) {
				w.label = i
			}
		}
	}
	if len(w.blocks) == 0 {
		return word{}
	}
	w.block = w.blocks[0]
	for _, a := range argumentsAt(f.Body(), at.offset) {
		start, end := x.bare(a.NameRange())
		if is(argumentWord, start, end) {
			w.argument = a
		}
		w.inExpression(a.Expression, x.text, at.offset, is)
	}
	if f.Syntax() == hclconfig.NativeSyntax && isIdentifier(x.text, at.offset) {
		is(otherWord, at.offset, at.offset)
	}
	return w
}

// inExpression looks for a function, the innermost reference, and a bound name.
func (w *word) inExpression(x hclconfig.Expression, text []byte, offset int, is func(wordKind, int, int) bool) {
	bound := false
	for e := range x.All() {
		_, start, end := e.Place()
		switch {
		case e.Form() == hclconfig.FormCall:
			end = start + len(e.Name())
			if end <= len(text) && string(text[start:end]) == e.Name() && is(functionWord, start, end) {
				w.function = e.Name()
			}
		case e.Form() == hclconfig.FormFor && start <= offset && offset <= end:
			for name := range strings.SplitSeq(e.Name(), ",") {
				bound = bound || strings.TrimSpace(name) == w.text
			}
		}
	}
	for _, r := range x.References() {
		start, end := span(r.Range())
		if w.kind == referenceWord && w.start <= start && end <= w.end && start <= offset && offset <= end {
			w.kind = noWord
		}
		if is(referenceWord, start, end) {
			w.reference = r
		}
	}
	if bound {
		is(boundWord, offset, offset)
	}
}

// root returns the first name of the reference.
func (w word) root() string {
	if w.kind != referenceWord {
		return ""
	}
	return w.reference.Root()
}

// schema returns the schema of the innermost of some blocks, by that of the first one, or nil.
func schemaWithin(blocks []*hclconfig.Block, s *hclconfig.BlockSchema) *hclconfig.BlockSchema {
	var content *hclconfig.BlockSchema
	for _, b := range blocks[1:] {
		switch {
		case b.Type == "content" && content != nil:
			s, content = content, nil
		case s == nil:
			return nil
		case b.Type == "dynamic" && len(b.Labels) == 1:
			s, content = nil, s.Blocks[b.Labels[0]]
		default:
			s, content = s.Blocks[b.Type], nil
		}
	}
	return s
}

// isIdentifier reports whether there is an identifier at a place, and not a comment or a text.
func isIdentifier(text []byte, offset int) bool {
	tokens, _ := hclsyntax.LexConfig(text, "", hcl.InitialPos)
	return slices.ContainsFunc(tokens, func(t hclsyntax.Token) bool {
		return t.Type == hclsyntax.TokenIdent && t.Range.Start.Byte <= offset && offset <= t.Range.End.Byte
	})
}

// isWord reports whether a byte can be part of an identifier.
func isWord(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// identifierAt returns the identifier at an offset, or "".
func identifierAt(text []byte, offset int) string {
	start, end := min(offset, len(text)), min(offset, len(text))
	for start > 0 && isWord(text[start-1]) {
		start--
	}
	for end < len(text) && isWord(text[end]) {
		end++
	}
	return string(text[start:end])
}
