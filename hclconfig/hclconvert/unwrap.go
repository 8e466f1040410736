// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert

import (
	"encoding/json"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/lazy"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// Programs such as hcl2json write every expression in ${ }, also where JSON syntax takes a bare
// type, reference or keyword. Neither OpenTofu nor Terraform reads that.

// stringText matches the text of a JSON string.
var stringText = lazy.Regexp(`"(?:[^"\\]|\\.)*"`)

// wrapped returns the places of the strings that are one ${ } where the language takes its content bare.
func (b *body) wrapped(list []textspan.Span) []textspan.Span {
	for i := range b.Arguments {
		a := &b.Arguments[i]
		switch a.kind {
		case hcllang.KindExpression, hcllang.KindStatic, hcllang.KindLiteral:
			continue
		}
		for _, at := range stringText().FindAllIndex(b.file.src[a.at.Start:a.at.End], -1) {
			s := textspan.Of(a.at.Start+int32(at[0]), a.at.Start+int32(at[1]))
			if b.file.isWrapped(s) {
				list = append(list, s)
			}
		}
	}
	for i := range b.Blocks {
		list = b.Blocks[i].body().wrapped(list)
	}
	return list
}

// isWrapped reports whether the string at s is one interpolation and nothing else.
func (f *source) isWrapped(s textspan.Span) bool {
	text := f.src[s.Start:s.End]
	if len(text) < 5 || string(text[:3]) != `"${` || string(text[len(text)-2:]) != `}"` {
		return false
	}
	var plain string
	if json.Unmarshal(text, &plain) != nil {
		return false
	}
	x, diags := hclsyntax.ParseTemplate([]byte(plain), "", hcl.InitialPos)
	_, ok := x.(*hclsyntax.TemplateWrapExpr)
	return ok && !diags.HasErrors()
}

// unwrap returns the file without the ${ } at some places. All other places stay, because
// blanks behind the strings take the room.
func (f *source) unwrap(places []textspan.Span) *hclconfig.File {
	src := slices.Clone(f.src)
	for _, s := range places {
		text := src[s.Start:s.End]
		n := copy(text[1:], text[3:len(text)-2])
		copy(text[1+n:], `"   `)
	}
	g, _ := hclconfig.ParseJSON(f.name, src, f.dialect)
	return g
}

// onlyCause replaces the errors about wrapped strings by one that says what the file is.
func (c *converter) onlyCause(diags hclconfig.Diagnostics, places []textspan.Span) hclconfig.Diagnostics {
	if len(places) == 0 {
		return diags
	}
	diags = slices.DeleteFunc(diags, func(d hclconfig.Diagnostic) bool { return slices.Contains(places, placeOf(d.Subject)) })
	return append(diags, c.f.errorAt(places[0], "Expressions in ${ }",
		"The file has types, references or keywords in ${ }, as hcl2json writes them, at %d places. JSON syntax takes them bare, and neither OpenTofu nor Terraform reads this. The option Unwrap (-unwrap) takes the ${ } off.", len(places)))
}
