// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
)

// Wrap wraps an expression in a function call. The text, layout and comments of the
// expression stay. The call is native source in which exactly one argument is the
// name _, which represents the expression: merge(local.tags, _). In JSON syntax the
// expression becomes a part of the template that holds the call. A piece of the text of a
// template becomes a string in a call between ${ and }.
func (e *Editor) Wrap(x hclconfig.Expression, call string) *Editor {
	e.long().prepareAt(x.File(), spanOf(x), e.opts)
	start, end, ok := e.place(x.File(), spanOf(x))
	if !ok {
		return e
	}
	before, after, err := splitCall(call, kindOf(x))
	if kind := kindOf(x); err == nil && (kind == hcllang.KindLiteral || kind == hcllang.KindProviderRequirement) && e.f.Kind() != hclconfig.ValuesFile {
		// In a file of values other programs may take calls.
		err = fmt.Errorf("%w: a call is not a constant, and only a %s can be here", ErrEdit, kind)
	}
	if e.fails(x.File(), spanOf(x), err) {
		return e
	}
	if e.f.Syntax() == hclconfig.JSONSyntax {
		return e.json().wrapJSON(x, before, after)
	}
	r := e.native().regionAt(x.File(), int(spanOf(x).Start), start, end)
	if r == nil {
		return e
	}
	if text, ok := r.pieceAt(start-r.start, end-r.start); ok {
		// A call around a piece of a text is code, and so the piece becomes a string in it.
		e.native().replaceIn(r, target{x.File(), spanOf(x), hcllang.KindExpression}, start, end, Source(before+hcllex.Quote(text)+after), e.opts)
		return e
	}
	before, after = breakLines(before, e.nl()), breakLines(after, e.nl())
	indent := e.d.indentAt(start)
	before, after = shiftLines(before, "", indent), shiftLines(" "+after, "", indent)[1:]
	if hcllex.NeedsNewline(string(e.d.slice(start, end))) {
		after = e.nl() + indent + after
	}
	if r, start, end = e.native().openLines(r, start, end, before+after, e.opts); r == nil {
		return e
	}
	text := before + string(e.d.slice(start, end)) + after
	e.rewrite(start, end, replacedAround(start, end, text, inner{start, end, len(before)}))
	e.native().layoutAfter(r, e.opts)
	return e
}

// pieceAt returns the text of the piece of a template that is from start to end.
func (r *region) pieceAt(start, end int) (string, bool) {
	a := r.argumentAt(start)
	if a == nil {
		return "", false
	}
	c, ok := contextOf(a.Expression, start, end)
	if !ok || !c.isPiece() {
		return "", false
	}
	v, err := c.node.Constant()
	text, ok := hcllex.LiteralString(v)
	return text, err == nil && ok
}

// splitCall returns the text of a call before and after its argument _, as fmt has it.
func splitCall(text string, kind hcllang.Kind) (before, after string, err error) {
	if kind.Bare() && kind != hcllang.KindType && kind != hcllang.KindSource && kind != hcllang.KindSourceList {
		return "", "", fmt.Errorf("%w: a %s cannot be a call: use Replace with a Source", ErrEdit, kind)
	}
	if _, err := parseSource(text); err != nil {
		return "", "", err
	}
	// The call is new text, and so it is laid out. What goes into it is not: the text
	// of the expression is that of somebody else.
	text = formatNative(strings.TrimSpace(text), "", "\n")
	tree, err := parseSource(text)
	if err != nil {
		return "", "", err
	}
	call, ok := tree.(*hclsyntax.FunctionCallExpr)
	if !ok {
		return "", "", fmt.Errorf("%w: %.80q is not a call of a function: use Replace", ErrEdit, text)
	}
	found := -1
	for i, a := range call.Args {
		if t, ok := a.(*hclsyntax.ScopeTraversalExpr); ok && len(t.Traversal) == 1 && t.Traversal.RootName() == "_" {
			if found >= 0 {
				return "", "", fmt.Errorf("%w: two arguments of %.80q are _: use Replace with Function", ErrEdit, text)
			}
			found = i
		}
	}
	if found < 0 {
		return "", "", fmt.Errorf("%w: no argument of %.80q is _, which stands for the expression: use Replace to drop the expression", ErrEdit, text)
	}
	at := call.Args[found].Range()
	return text[:at.Start.Byte], text[at.End.Byte:], nil
}

// onLineOf returns a JSON expression in native syntax, lists and objects on one line.
func onLineOf(x hclconfig.Expression) (string, error) {
	v, err := valueOf(x)
	if err == nil && !isNative(x) {
		v, err = treeValue(x)
	}
	if err != nil {
		return "", err
	}
	text, err := v.onLine().native(kindOf(x))
	if err != nil || strings.Contains(text, "\n") {
		return text, err
	}
	return formatNative(text, "", "\n"), nil
}

// treeValue returns a JSON list or object as one of values. What is in a JSON string keeps
// its text.
//
// The text of JSON is no native syntax: a list of it has to be written anew, with its
// strings as quoted templates and its keys as HCL reads them.
func treeValue(x hclconfig.Expression) (Value, error) {
	if x.File().Bytes()[spanOf(x).Start] == '"' {
		return valueOf(x)
	}
	switch x.Form() {
	case hclconfig.FormList:
		out := List()
		for _, p := range x.Parts() {
			v, err := treeValue(p)
			if err != nil {
				return out, err
			}
			out.list = append(out.list, v)
		}
		return out, nil
	case hclconfig.FormObject:
		members, _ := x.Members()
		if slices.ContainsFunc(members, func(m hclconfig.Member) bool { return m.Computed }) {
			break
		}
		out := Object()
		for _, m := range members {
			v, err := treeValue(m.Value)
			if err != nil {
				return out, err
			}
			out.entries = append(out.entries, Entry{m.Name, v})
		}
		return out, nil
	}
	return valueOf(x)
}
