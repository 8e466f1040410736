// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
)

// Deprecated returns the places of the module whose syntax the language has deprecated, as
// findings that are not reported yet, in the order of the text of each file: indexes and
// splats with a dot, strings that are only one interpolation, lookup without a default,
// functions that have a newer form, and references, keywords and versions where they no
// longer belong. What a provider has deprecated is not among them: see the Schemas.
func (p *Pass) Deprecated() []Diagnostic {
	var out []Diagnostic
	for _, f := range p.Module.Files {
		if f.Err() != nil {
			continue
		}
		from := len(out)
		for _, d := range hclcheck.ValidateFile(f) {
			if d.Severity == hclconfig.SeverityWarning && strings.Contains(d.Summary, "deprecated") {
				out = append(out, Diagnostic{Range: d.Subject, Message: d.Summary + "; " + d.Detail})
			}
		}
		native := f.Syntax() == hclconfig.NativeSyntax
		for a := range f.Body().AllArguments() {
			if a.Kind() == hclconfig.KindType {
				continue // list(string) is a type
			}
			for _, piece := range hclsource.Pieces(a.Expression) {
				if piece.Expr == nil {
					continue
				}
				w := deprecatedIn{piece: piece, wraps: native}
				_ = hclsyntax.VisitAll(piece.Expr, w.visit)
				out = append(out, w.found...)
			}
		}
		slices.SortStableFunc(out[from:], func(a, b Diagnostic) int { return int(a.Range.Start.Offset - b.Range.Start.Offset) })
	}
	for i := range out {
		out[i].Analyzer, out[i].Severity = p.Analyzer, p.Analyzer.severity()
	}
	return out
}

// deprecatedIn collects the deprecated syntax in one expression.
type deprecatedIn struct {
	piece hclsource.Piece
	// wraps reports that a string need not be the only form of an expression.
	wraps bool
	found []Diagnostic
}

func (w *deprecatedIn) add(at hcl.Range, format string, args ...any) {
	w.found = append(w.found, Diagnostic{Range: w.piece.At(at), Message: fmt.Sprintf(format, args...)})
}

// newForms has what replaces functions.
var newForms = map[string]string{"list": "tolist([...])", "map": "tomap({...})"}

func (w *deprecatedIn) visit(n hclsyntax.Node) hcl.Diagnostics {
	switch x := n.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		w.indexes(x.Traversal)
	case *hclsyntax.RelativeTraversalExpr:
		w.indexes(x.Traversal)
	case *hclsyntax.SplatExpr:
		if w.text(x.MarkerRange) == ".*" {
			w.add(x.MarkerRange, "the splat .* is deprecated; write [*]")
		}
	case *hclsyntax.TemplateWrapExpr:
		if w.wraps {
			w.add(x.SrcRange, "a string that is only one interpolation is deprecated; write the expression")
		}
	case *hclsyntax.FunctionCallExpr:
		if x.Name == "lookup" && len(x.Args) == 2 && !x.ExpandFinal {
			w.add(x.Range(), "lookup without a default is deprecated; write an index")
		}
		if form := newForms[x.Name]; form != "" {
			w.add(x.NameRange, "the function %s is deprecated; write %s", x.Name, form)
		}
	}
	return nil
}

// indexes adds the indexes of a name that are written with a dot.
func (w *deprecatedIn) indexes(t hcl.Traversal) {
	for _, step := range t {
		if i, ok := step.(hcl.TraverseIndex); ok {
			if text := w.text(i.SrcRange); strings.HasPrefix(text, ".") {
				w.add(i.SrcRange, "the index %s is deprecated; write [%s]", text, strings.TrimSpace(text[1:]))
			}
		}
	}
}

// text returns the text of a part of the file. It has no line break, space or escape where
// it is deprecated syntax.
func (w *deprecatedIn) text(r hcl.Range) string {
	s := w.piece.Span(r)
	return string(w.piece.File.Bytes()[s.Start:s.End])
}
