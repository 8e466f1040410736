// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// A node is an argument or a block as HCL's own parser reads it. It is the second
// opinion of the tests named Judged, and knows nothing of package hclconfig.
type node struct {
	name   string
	labels []string
	block  bool
	shown  string // the expression, by showHCL
	kids   []*node

	start, end int // the place
	src        []byte
}

// readTree reads a file in native syntax.
func readTree(src []byte) (*node, error) {
	f, diags := hclsyntax.ParseConfig(src, "", hcl.InitialPos)
	if diags.HasErrors() {
		return nil, diags
	}
	root := &node{block: true, end: len(src), src: src}
	root.read(f.Body.(*hclsyntax.Body))
	return root, nil
}

func (n *node) read(b *hclsyntax.Body) {
	for _, a := range b.Attributes {
		n.kids = append(n.kids, &node{name: a.Name, shown: showHCL(a.Expr), start: a.SrcRange.Start.Byte, end: a.SrcRange.End.Byte, src: n.src})
	}
	for _, b := range b.Blocks {
		k := &node{name: b.Type, labels: b.Labels, block: true, start: b.TypeRange.Start.Byte, end: b.CloseBraceRange.End.Byte, src: n.src}
		k.read(b.Body)
		n.kids = append(n.kids, k)
	}
	slices.SortFunc(n.kids, func(a, b *node) int { return cmp.Compare(a.start, b.start) })
}

// find returns what begins at offset, and what it is in.
func (n *node) find(offset int) (found, parent *node) {
	for _, k := range n.kids {
		switch {
		case k.start == offset:
			return k, n
		case k.block && k.start < offset && offset < k.end:
			return k.find(offset)
		}
	}
	return nil, nil
}

func (n *node) index(k *node) int { return slices.Index(n.kids, k) }

func (n *node) remove(k *node) { n.kids = slices.Delete(n.kids, n.index(k), n.index(k)+1) }

func (n *node) insert(i int, k *node) { n.kids = slices.Insert(n.kids, i, k) }

// string writes the tree, one line for each node.
func (n *node) string() string {
	var b strings.Builder
	n.write(&b, "")
	return b.String()
}

func (n *node) write(b *strings.Builder, indent string) {
	if !n.block {
		fmt.Fprintf(b, "%s%s = %s\n", indent, n.name, n.shown)
		return
	}
	fmt.Fprintf(b, "%s%s %q\n", indent, n.name, n.labels)
	for _, k := range n.kids {
		k.write(b, indent+" ")
	}
}

// showSource shows an expression in native syntax.
func showSource(text string) (string, error) {
	x, diags := hclsyntax.ParseExpression([]byte(text), "", hcl.InitialPos)
	if diags.HasErrors() {
		return "", fmt.Errorf("%s: %w", text, diags)
	}
	return showHCL(x), nil
}

// showHCL writes an expression such that only equal trees are written
// alike. Parentheses and the quotes of "${x}" are not part of it.
func showHCL(x hclsyntax.Expression) string {
	list := func(open string, in []hclsyntax.Expression) string {
		out := make([]string, len(in))
		for i, x := range in {
			if x != nil {
				out[i] = showHCL(x)
			}
		}
		return open + "(" + strings.Join(out, ", ") + ")"
	}
	switch x := x.(type) {
	case *hclsyntax.LiteralValueExpr:
		if x.Val.Type() == cty.String && x.Val.IsKnown() && !x.Val.IsNull() {
			return fmt.Sprintf("%q", x.Val.AsString())
		}
		return x.Val.GoString()
	case *hclsyntax.TemplateExpr:
		return showTemplate(x)
	case *hclsyntax.TemplateWrapExpr:
		return showHCL(x.Wrapped)
	case *hclsyntax.TemplateJoinExpr:
		return list("join", []hclsyntax.Expression{x.Tuple})
	case *hclsyntax.ScopeTraversalExpr:
		return showTraversal(x.Traversal)
	case *hclsyntax.RelativeTraversalExpr:
		return showHCL(x.Source) + showTraversal(x.Traversal)
	case *hclsyntax.IndexExpr:
		return showHCL(x.Collection) + "[" + showHCL(x.Key) + "]"
	case *hclsyntax.SplatExpr:
		return showHCL(x.Source) + "[*](" + showHCL(x.Each) + ")"
	case *hclsyntax.AnonSymbolExpr:
		return "_"
	case *hclsyntax.FunctionCallExpr:
		return list(fmt.Sprintf("%s%v", x.Name, x.ExpandFinal), x.Args)
	case *hclsyntax.BinaryOpExpr:
		return list(fmt.Sprintf("op%p", x.Op), []hclsyntax.Expression{x.LHS, x.RHS})
	case *hclsyntax.UnaryOpExpr:
		if n, ok := x.Val.(*hclsyntax.LiteralValueExpr); ok && x.Op == hclsyntax.OpNegate && n.Val.Type() == cty.Number {
			return showHCL(&hclsyntax.LiteralValueExpr{Val: n.Val.Negate()}) // in JSON it is one number
		}
		return list(fmt.Sprintf("op%p", x.Op), []hclsyntax.Expression{x.Val})
	case *hclsyntax.ConditionalExpr:
		return list("if", []hclsyntax.Expression{x.Condition, x.TrueResult, x.FalseResult})
	case *hclsyntax.ForExpr:
		return list(fmt.Sprintf("for %s,%s,%v", x.KeyVar, x.ValVar, x.Group), []hclsyntax.Expression{x.CollExpr, x.KeyExpr, x.ValExpr, x.CondExpr})
	case *hclsyntax.TupleConsExpr:
		return list("list", x.Exprs)
	case *hclsyntax.ObjectConsExpr:
		var in []hclsyntax.Expression
		for _, item := range x.Items {
			in = append(in, item.KeyExpr, item.ValueExpr)
		}
		return list("object", in)
	case *hclsyntax.ObjectConsKeyExpr:
		if name := hcl.ExprAsKeyword(x.Wrapped); name != "" && !x.ForceNonLiteral {
			return fmt.Sprintf("%q", name)
		}
		return showHCL(x.Wrapped)
	case *hclsyntax.ParenthesesExpr:
		return showHCL(x.Expression)
	}
	return fmt.Sprintf("%T", x)
}

// templateParts returns the parts of a template. A text in braces is the same as the text.
func templateParts(x *hclsyntax.TemplateExpr) (out []hclsyntax.Expression) {
	for _, p := range x.Parts {
		inner := p
		for {
			paren, ok := inner.(*hclsyntax.ParenthesesExpr)
			if !ok {
				break
			}
			inner = paren.Expression
		}
		if t, ok := inner.(*hclsyntax.TemplateExpr); ok {
			out = append(out, templateParts(t)...)
		} else {
			out = append(out, p)
		}
	}
	return out
}

func showTemplate(x *hclsyntax.TemplateExpr) string {
	var out []string
	text, inText := "", false
	for _, p := range templateParts(x) {
		if l, ok := p.(*hclsyntax.LiteralValueExpr); ok && l.Val.Type() == cty.String && l.Val.IsKnown() && !l.Val.IsNull() {
			text, inText = text+l.Val.AsString(), true
			continue
		}
		if inText && text != "" {
			out = append(out, fmt.Sprintf("%q", text))
		}
		text, inText = "", false
		out = append(out, showHCL(p))
	}
	switch {
	case len(out) == 0:
		return fmt.Sprintf("%q", text)
	case text != "":
		out = append(out, fmt.Sprintf("%q", text))
	}
	return "text(" + strings.Join(out, ", ") + ")"
}

func showTraversal(t hcl.Traversal) string {
	var b strings.Builder
	for _, s := range t {
		switch s := s.(type) {
		case hcl.TraverseRoot:
			b.WriteString("<" + s.Name + ">")
		case hcl.TraverseAttr:
			b.WriteString("." + s.Name)
		case hcl.TraverseIndex:
			if s.Key.Type() == cty.String {
				fmt.Fprintf(&b, "[%q]", s.Key.AsString())
			} else {
				b.WriteString("[" + s.Key.GoString() + "]")
			}
		default:
			fmt.Fprintf(&b, "%T", s)
		}
	}
	return b.String()
}

// A noteAt is a comment of a file.
type noteAt struct {
	text       string
	start, end int
}

// notesOf returns the comments of a file, by HCL's scanner.
func notesOf(src []byte) []noteAt {
	tokens, _ := hclsyntax.LexConfig(src, "", hcl.InitialPos)
	var out []noteAt
	for _, t := range tokens {
		if t.Type == hclsyntax.TokenComment {
			text := strings.TrimRight(string(t.Bytes), " \t\r\n")
			out = append(out, noteAt{text, t.Range.Start.Byte, t.Range.Start.Byte + len(text)})
		}
	}
	return out
}

// A textLine is a line of a file with its place.
type textLine struct {
	text       string
	start, end int
}

func linesOf(src []byte) []textLine {
	var out []textLine
	at := 0
	for line := range strings.Lines(string(src)) {
		out = append(out, textLine{line, at, at + len(line)})
		at += len(line)
	}
	return out
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// checkForeign wants all lines of before that do not touch own in after, in their
// order. White space in them may change only if mayLayout is set and the line was and
// is as fmt has it.
func checkForeign(t *testing.T, what string, before, after []byte, own [][2]int, mayLayout bool, format func([]byte) []byte) (bytesChanged int) {
	t.Helper()
	var foreign []textLine
	var index []int
	for i, l := range linesOf(before) {
		mine := strings.TrimSpace(l.text) == ""
		for _, o := range own {
			mine = mine || o[0] < l.end && l.start < o[1] || o[0] == o[1] && l.start <= o[0] && o[0] < l.end
		}
		if !mine {
			foreign, index = append(foreign, l), append(index, i)
		}
	}
	now := linesOf(after)
	head, tail := 0, 0
	pairs := map[int]int{} // of lines of foreign and now
	for i, j := 0, 0; i < len(foreign) && j < len(now); j++ {
		if now[j].text == foreign[i].text {
			pairs[i] = j
			i, head = i+1, i+1
		} else if strings.TrimSpace(now[j].text) != "" {
			break
		}
	}
	from := 0
	if head > 0 {
		from = pairs[head-1] + 1
	}
	to := len(now)
	for i, j := len(foreign)-1, len(now)-1; i >= head && j >= from; j-- {
		if now[j].text == foreign[i].text {
			pairs[i] = j
			to, tail = j, tail+1
			i--
		} else if strings.TrimSpace(now[j].text) != "" {
			break
		}
	}
	// The rest, by the longest common subsequence.
	f, g := foreign[head:len(foreign)-tail], now[from:max(to, from)]
	if len(f)*len(g) > 4_000_000 {
		t.Logf("%s: too long to compare", what)
		return 0
	}
	table := make([][]int32, len(f)+1)
	for i := range table {
		table[i] = make([]int32, len(g)+1)
	}
	score := func(a, b string) int32 {
		switch {
		case a == b:
			return 1001
		case squeeze(a) == squeeze(b):
			return 1000
		}
		return 0
	}
	for i := len(f) - 1; i >= 0; i-- {
		for j := len(g) - 1; j >= 0; j-- {
			table[i][j] = max(table[i+1][j], table[i][j+1])
			if s := score(f[i].text, g[j].text); s > 0 {
				table[i][j] = max(table[i][j], s+table[i+1][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(f) && j < len(g); {
		switch s := score(f[i].text, g[j].text); {
		case s > 0 && table[i][j] == s+table[i+1][j+1]:
			pairs[head+i] = from + j
			i, j = i+1, j+1
		case table[i][j] == table[i+1][j]:
			i++
		default:
			j++
		}
	}
	var oldWant, newWant []textLine
	for i, l := range foreign {
		j, ok := pairs[i]
		switch {
		case !ok:
			t.Errorf("%s: line %d is gone: %q", what, index[i]+1, l.text)
			bytesChanged += len(l.text)
		case now[j].text == l.text || strings.TrimRight(now[j].text, "\r\n") == strings.TrimRight(l.text, "\r\n") && (index[i] == len(linesOf(before))-1 || j == len(now)-1):
		case !mayLayout:
			t.Errorf("%s: line %d has other white space: %q, now %q", what, index[i]+1, l.text, now[j].text)
			bytesChanged += len(l.text)
		default:
			if oldWant == nil {
				oldWant, newWant = linesOf(format(before)), linesOf(format(after))
			}
			if len(oldWant) != len(linesOf(before)) || len(newWant) != len(now) {
				break // fmt changes more than white space
			}
			if oldWant[index[i]].text != l.text || newWant[j].text != now[j].text {
				t.Errorf("%s: line %d was not laid out as by fmt, or is not: %q, now %q", what, index[i]+1, l.text, now[j].text)
				bytesChanged += len(l.text)
			}
		}
	}
	return bytesChanged
}
