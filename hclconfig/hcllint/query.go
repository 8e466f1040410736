// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/lazy"
)

// Documentation returns the description of a variable or an output. If there is none, it
// returns the text of the comments above the block or, in JSON, of its property "//".
func Documentation(b Block) string {
	if texts, _ := b.Strings(b.Expression("description")); len(texts) == 1 && strings.TrimSpace(texts[0]) != "" {
		return texts[0]
	}
	if b.Block == nil {
		return ""
	}
	return strings.Join(hcledit.CommentsOf(b.Block).Above, "\n")
}

// Origins returns the objects of the tree that the value of an expression of the module
// depends on, the nearest first: those that it refers to, those that they refer to, and so
// on, through local values, variables, module calls and resources.
func (p *Pass) Origins(x hclconfig.Expression) []*hclnames.Node {
	g := p.Graph()
	prefix := p.Tree.Path()
	if prefix != "" {
		prefix += "."
	}
	var out []*hclnames.Node
	seen := map[*hclnames.Node]bool{}
	add := func(n *hclnames.Node) {
		if n != nil && !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	for _, r := range x.References() {
		add(nodeOf(g, prefix, r))
	}
	for i := 0; i < len(out); i++ {
		for _, e := range out[i].Needs {
			add(e.To)
		}
	}
	return out
}

// nodeOf returns the node that a reference names, the most exact one that there is.
func nodeOf(g *hclnames.Graph, prefix string, r hclconfig.Reference) *hclnames.Node {
	steps := strings.FieldsFunc(r.Text, func(c rune) bool { return c == '.' || c == '[' || c == ']' })
	if len(steps) > 2 && steps[0] == "module" {
		// module.net.id, and module.net["a"].id
		for _, output := range steps[2:] {
			if n := g.Node(prefix + "module." + steps[1] + ".output." + output); n != nil {
				return n
			}
		}
	}
	for n := min(3, len(steps)); n >= 2; n-- {
		if node := g.Node(prefix + strings.Join(steps[:n], ".")); node != nil {
			return node
		}
	}
	return nil
}

// Exact returns the version that constraints allow, if it is the only one: "1.2.3" or
// "= 1.2.3".
func Exact(c addrs.Constraints) (addrs.Version, bool) {
	var out addrs.Version
	found := false
	for one := range c.All() {
		if one.Operator() != addrs.OpEqual || found {
			return addrs.Version{}, false
		}
		out, found = one.Version(), true
	}
	return out, found
}

// conventions are the named forms of names.
var conventions = map[string]func() *regexp.Regexp{
	"snake_case":       lazy.Regexp(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`),
	"mixed_snake_case": lazy.Regexp(`^[a-zA-Z][a-zA-Z0-9]*(_[a-zA-Z0-9]+)*$`),
	"kebab-case":       lazy.Regexp(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`),
	"none":             lazy.Regexp(``),
}

// FollowsConvention reports whether a name has a form: "snake_case", "mixed_snake_case" (with
// upper case letters), "kebab-case" or "none", which allows every name. Any other convention
// is a regular expression, and the error is that of [regexp.Compile].
func FollowsConvention(name, convention string) (bool, error) {
	if form := conventions[convention]; form != nil {
		return form().MatchString(name), nil
	}
	form, err := regexp.Compile(convention)
	return err == nil && form.MatchString(name), err
}

// Deprecated returns the places of the module whose syntax the language has deprecated, as
// findings that have not been reported, in the order of the text of each file: indexes and
// splats with a dot, strings that are only one interpolation, lookup without a default,
// functions that have a newer form, and references, keywords and versions where they no
// longer belong. What a provider has deprecated is not included: see the Schemas.
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
