// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/numlimit"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// The schemas of the format. The block type "module" is a placeholder for
// later versions: tofu warns about such blocks and does not look inside.
var (
	fileSchema = hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{
		{Type: "provider", LabelNames: []string{"source_addr"}},
		{Type: "module", LabelNames: []string{"path"}},
	}}
	providerSchema = hcl.BodySchema{Attributes: []hcl.AttributeSchema{
		{Name: "version", Required: true},
		{Name: "constraints"},
		{Name: "hashes"},
	}}
)

// A general reads any lock file with the HCL parser, and collects the
// diagnostics of the parser and of the schemas.
type general struct {
	filename string
	text     string
	diags    []Diagnostic
	fault    *Diagnostic // the first error, if the text is not well-formed HCL
}

// read returns the provider blocks of the text that have one label. It goes on
// after errors, as tofu does.
func (g *general) read() (blocks []rawBlock) {
	defer func() {
		// The parser is not ours and the input may come from anyone.
		if r := recover(); r != nil {
			blocks = nil
			g.refuse(0, "Unreadable file", fmt.Sprintf("The HCL parser failed on this file: %v.", r))
		}
	}()
	if at, ok := checkDensity(g.text); !ok {
		g.refuse(at, summaryTooLarge, "The file is not read beyond this place, because a file of this shape takes too much memory.")
		return nil
	}
	src := []byte(g.text)
	if at, ok := checkNesting(src); !ok {
		g.refuse(at, summaryTooDeep, "Brackets and operators are nested more deeply than any lock file needs.")
		return nil
	}
	if at, ok := checkNumbers(src); !ok {
		g.refuse(at, summaryTooLarge, "No number in a lock file needs as many digits as this one has.")
		return nil
	}
	file, diags := hcllex.ParseConfig(src, g.filename, hcl.InitialPos)
	g.add(diags)
	for i, d := range diags {
		if d.Severity == hcl.DiagError && g.fault == nil {
			first := g.diags[i]
			g.fault = &first
		}
	}
	body, ok := file.Body.(*hclsyntax.Body)
	if !ok {
		return nil
	}
	_, diags = body.Content(&fileSchema)
	g.add(diags)
	warned := false
	for _, b := range body.Blocks {
		switch {
		case len(b.Labels) != 1:
		case b.Type == "provider":
			blocks = append(blocks, g.block(b))
		case b.Type == "module" && !warned:
			warned = true
			g.diags = append(g.diags, Diagnostic{
				Severity: SeverityWarning,
				Summary:  "Dependency locks for modules are not yet supported",
				Detail:   "A lock file can only lock providers, not modules. This one may be meant for a later version of OpenTofu.",
				Subject:  fromHCL(g.filename, b.TypeRange),
			})
		}
	}
	return blocks
}

// refuse reports that the whole file cannot be read.
func (g *general) refuse(at int, summary, detail string) {
	p := advance(g.text, addrs.Pos{Offset: 0, Line: 1, Column: 1}, at)
	g.fault = &Diagnostic{SeverityError, summary, detail, addrs.Range{Filename: g.filename, Start: p, End: p}}
	g.diags = append(g.diags, *g.fault)
}

func (g *general) add(diags hcl.Diagnostics) {
	for _, d := range diags {
		severity := SeverityError
		if d.Severity == hcl.DiagWarning {
			severity = SeverityWarning
		}
		var subject addrs.Range
		if d.Subject != nil {
			subject = fromHCL(g.filename, *d.Subject)
		}
		g.diags = append(g.diags, Diagnostic{severity, d.Summary, d.Detail, subject})
	}
}

// block converts one provider block. Like tofu, it reports nothing about the
// body of a block whose label is at fault.
func (g *general) block(b *hclsyntax.Block) rawBlock {
	r := rawBlock{
		typ:       byteRangeOf(b.TypeRange),
		column:    b.TypeRange.Start.Column,
		label:     byteRangeOf(b.LabelRanges[0]),
		labelText: b.Labels[0],
		open:      b.OpenBraceRange.Start.Byte,
		close:     max(b.CloseBraceRange.End.Byte-1, b.OpenBraceRange.Start.Byte),
	}
	before := len(g.diags)
	_, diags := b.Body.Content(&providerSchema)
	g.add(diags)
	for _, field := range []struct {
		name string
		a    *attribute
	}{{"version", &r.version}, {"constraints", &r.constraints}, {"hashes", &r.hashes}} {
		attr := b.Body.Attributes[field.name]
		if attr == nil {
			continue
		}
		field.a.name = byteRangeOf(attr.NameRange)
		field.a.expr = within(byteRangeOf(attr.Expr.Range()), field.a.name.end, len(g.text))
		switch field.name {
		case "version":
			field.a.value, field.a.bad = g.version(attr.Expr)
		case "constraints":
			field.a.value, field.a.bad = g.str(attr.Expr)
		case "hashes":
			r.elements, field.a.bad = g.hashes(attr.Expr)
		}
	}
	if _, d := checkLabel(r.labelText); d != nil {
		g.diags = g.diags[:before]
	}
	return r
}

// version evaluates a version. Tofu takes a null for a missing version.
func (g *general) version(expr hclsyntax.Expression) (value string, bad bool) {
	v, ok := g.evaluate(expr)
	if ok && v.IsNull() {
		g.diags = append(g.diags, Diagnostic{SeverityError, "Missing required argument",
			"A provider block must say the version of the provider.", fromHCL(g.filename, expr.Range())})
		ok = false
	}
	if !ok {
		return "", true
	}
	return v.AsString(), false
}

// str evaluates an expression that must be a constant string or convertible to
// one.
func (g *general) str(expr hclsyntax.Expression) (value string, bad bool) {
	v, ok := g.evaluate(expr)
	if ok && v.IsNull() {
		g.unsuitable(expr, "a string is required, not null")
		ok = false
	}
	if !ok {
		return "", true
	}
	return v.AsString(), false
}

// evaluate returns the value of a constant expression as a string, which may be
// null. It reports false if there is no value; it has then reported why.
func (g *general) evaluate(expr hclsyntax.Expression) (cty.Value, bool) {
	if !g.harmless(expr) {
		return cty.NilVal, false
	}
	v, diags := expr.Value(nil)
	g.add(diags)
	if diags.HasErrors() {
		return cty.NilVal, false
	}
	v, err := convert.Convert(v, cty.String)
	switch {
	case err != nil:
		g.unsuitable(expr, err.Error())
		return v, false
	case !v.IsKnown():
		// The parser put this value in the place of a bad literal.
		g.unsuitable(expr, "value must be known")
		return v, false
	}
	return v, true
}

func (g *general) unsuitable(expr hclsyntax.Expression, why string) {
	g.diags = append(g.diags, Diagnostic{SeverityError, "Unsuitable value type",
		"Unsuitable value: " + why + ".", fromHCL(g.filename, expr.StartRange())})
}

// hashes evaluates the elements of a list of hashes.
func (g *general) hashes(expr hclsyntax.Expression) (elements []element, bad bool) {
	exprs, diags := hcl.ExprList(expr)
	g.add(diags)
	if diags.HasErrors() {
		return nil, true
	}
	if len(exprs) == 0 {
		g.diags = append(g.diags, Diagnostic{SeverityError, "Invalid provider hash set",
			"A list of hashes must have at least one. Leave the argument out if there is none.", fromHCL(g.filename, expr.Range())})
		return nil, true
	}
	last := expr.Range().Start.Byte
	for _, x := range exprs {
		e := element{expr: within(byteRangeOf(x.Range()), last, len(g.text)), comma: -1}
		last = e.expr.end
		if i := skipTriviaFrom(g.text, e.expr.end); i < len(g.text) && g.text[i] == ',' {
			e.comma = i
		}
		if x, ok := x.(hclsyntax.Expression); ok {
			e.value, e.bad = g.str(x)
		}
		elements = append(elements, e)
	}
	return elements, false
}

// harmless reports whether expr can be evaluated in time and space proportional
// to its length; if not, it adds a diagnostic. Without variables and functions
// there are only two exceptions: loops, which multiply, and numbers with a
// large exponent, which a conversion to string writes out.
func (g *general) harmless(expr hclsyntax.Expression) bool {
	ok := true
	hclsyntax.VisitAll(expr, func(n hclsyntax.Node) hcl.Diagnostics {
		switch n := n.(type) {
		case *hclsyntax.ForExpr, *hclsyntax.SplatExpr:
			ok = false
		case *hclsyntax.LiteralValueExpr:
			if v := n.Val; v.Type() == cty.Number && v.IsKnown() && !v.IsNull() {
				ok = ok && numlimit.Float(v.AsBigFloat())
			}
		}
		return nil
	})
	if !ok {
		g.diags = append(g.diags, Diagnostic{SeverityError, "Unsuitable value type",
			"A lock file cannot have for expressions, splat expressions or huge numbers.", fromHCL(g.filename, expr.StartRange())})
	}
	return ok
}

func byteRangeOf(r hcl.Range) byteRange { return byteRange{r.Start.Byte, r.End.Byte} }

// within returns s with its ends moved, if necessary, between low and high. In
// a text with syntax errors, the parser may give any range to parts that it
// made up.
func within(s byteRange, low, high int) byteRange {
	start := min(max(s.start, low), high)
	return byteRange{start, min(max(s.end, start), high)}
}

// checkNesting reports whether src can be parsed with a stack of reasonable
// size. If not, it returns the offset of the token that is too deep.
//
// It counts everything that can nest: opening brackets, templates and
// operators. The count restarts at the end of each line on which nothing is
// open. A closing bracket that matches nothing is ignored, so mistakes only
// raise the count.
func checkNesting(src []byte) (at int, ok bool) {
	if !couldNest(src) {
		return 0, true
	}
	tokens, _ := hclsyntax.LexConfig(src, "", hcl.InitialPos)
	var open []hclsyntax.TokenType // the token that closes each
	count := 0
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			// A template ends with a token of its own type.
			end := hclsyntax.TokenCBrace
			if t.Type != hclsyntax.TokenOBrace {
				end = hclsyntax.TokenTemplateSeqEnd
			}
			open = append(open, end)
			count++
		case hclsyntax.TokenOBrack:
			open = append(open, hclsyntax.TokenCBrack)
			count++
		case hclsyntax.TokenOParen:
			open = append(open, hclsyntax.TokenCParen)
			count++
		case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd:
			if n := len(open); n > 0 && open[n-1] == t.Type {
				open = open[:n-1]
			}
		case hclsyntax.TokenNewline:
			if len(open) == 0 {
				count = 0
			}
		case hclsyntax.TokenIdent, hclsyntax.TokenComma, hclsyntax.TokenEqual, hclsyntax.TokenComment,
			hclsyntax.TokenOQuote, hclsyntax.TokenCQuote, hclsyntax.TokenQuotedLit,
			hclsyntax.TokenOHeredoc, hclsyntax.TokenCHeredoc, hclsyntax.TokenStringLit, hclsyntax.TokenEOF:
		default:
			count++
		}
		if count > maxNesting {
			return t.Range.Start.Byte, false
		}
	}
	return 0, true
}

// couldNest reports whether src has enough bytes that begin something nested.
// This is rare; otherwise the tokens need not be scanned.
func couldNest(src []byte) bool {
	const starters = "{[(-!?:*/%<>&|+=.~"
	var table [256]bool
	for i := range len(starters) {
		table[starters[i]] = true
	}
	n := 0
	for _, c := range src {
		if table[c] {
			n++
		}
	}
	return n > maxNesting
}

// checkNumbers reports whether the parser can be expected to read all number literals
// of src in time proportional to their length. If not, it returns the offset of one
// that is too long. Large exponents are left to [general.harmless].
func checkNumbers(src []byte) (at int, ok bool) {
	if !hasLongNumber(src) {
		return 0, true
	}
	tokens, _ := hclsyntax.LexConfig(src, "", hcl.InitialPos)
	for _, t := range tokens {
		if t.Type == hclsyntax.TokenNumberLit && len(t.Bytes) > numlimit.MaxDigits && !numlimit.Text(t.Bytes) {
			return t.Range.Start.Byte, false
		}
	}
	return 0, true
}

// hasLongNumber reports whether src has more than numlimit.MaxDigits digits in a row,
// apart from one point. This is rare; otherwise the tokens need not be scanned.
func hasLongNumber(src []byte) bool {
	n := 0
	for _, c := range src {
		if c >= '0' && c <= '9' || c == '.' {
			if n++; n > numlimit.MaxDigits {
				return true
			}
		} else {
			n = 0
		}
	}
	return false
}

// maxParts bounds the words and punctuation marks of a text for the HCL parser,
// which needs up to a kilobyte for each.
const maxParts = 400_000

// checkDensity reports whether the parser can be expected to read text with a
// reasonable amount of memory. If not, it returns the offset at which the limit
// is reached.
func checkDensity(text string) (at int, ok bool) {
	if len(text) <= maxParts {
		return 0, true
	}
	parts, inWord := 0, false
	for i := range len(text) {
		c := text[i]
		word := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if c == ' ' || c == '\t' || word && inWord {
			inWord = word
			continue
		}
		inWord = word
		if parts++; parts > maxParts {
			return i, false
		}
	}
	return 0, true
}
