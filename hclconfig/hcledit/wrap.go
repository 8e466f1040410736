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

// Wrap puts a call of a function around an expression, whose text, layout and
// comments stay. The call is native source in which exactly one argument is the name
// _, which stands for the expression: merge(local.tags, _). In JSON syntax the
// expression becomes a part of the template that holds the call.
func (e *Editor) Wrap(x hclconfig.Expression, call string) *Editor {
	start, end, ok := e.place(x.File(), spanOf(x))
	if !ok {
		return e
	}
	before, after, err := splitCall(call, kindOf(x))
	if err != nil {
		e.fail(x.File(), spanOf(x), err)
		return e
	}
	if e.f.Syntax() == hclconfig.JSONSyntax {
		return e.wrapJSON(x, start, end, before, after)
	}
	r := e.layoutBefore(x.File(), spanOf(x).Start, start, end)
	if r == nil {
		return e
	}
	before, after = breakLines(before, e.nl()), breakLines(after, e.nl())
	indent := e.d.indentAt(start)
	before, after = shiftLines(before, "", indent), shiftLines(" "+after, "", indent)[1:]
	if hcllex.NeedsNewline(string(e.d.text.slice(start, end))) {
		after = e.nl() + indent + after
	}
	if r, start, end = e.openLines(r, start, end, before+after, e.opts); r == nil {
		return e
	}
	text := before + string(e.d.text.slice(start, end)) + after
	e.rewrite(start, end, replacedAround(start, end, text, inner{start, end, len(before)}))
	e.layoutAfter(r, e.opts)
	return e
}

// splitCall returns the text of a call before and after its argument _, as fmt has it.
func splitCall(text string, kind hcllang.Kind) (before, after string, err error) {
	if kind.Bare() && kind != hcllang.KindType && kind != hcllang.KindSource && kind != hcllang.KindSourceList {
		return "", "", fmt.Errorf("%w: a %s cannot be a call", ErrEdit, kind)
	}
	if _, err := parseSource(text); err != nil {
		return "", "", err
	}
	text = formatNative(strings.TrimSpace(text), "", "\n")
	tree, err := parseSource(text)
	if err != nil {
		return "", "", err
	}
	call, ok := tree.(*hclsyntax.FunctionCallExpr)
	if !ok {
		return "", "", fmt.Errorf("%w: %.80q is not a call of a function", ErrEdit, text)
	}
	found := -1
	for i, a := range call.Args {
		if t, ok := a.(*hclsyntax.ScopeTraversalExpr); ok && len(t.Traversal) == 1 && t.Traversal.RootName() == "_" {
			if found >= 0 {
				return "", "", fmt.Errorf("%w: two arguments of %.80q are _", ErrEdit, text)
			}
			found = i
		}
	}
	if found < 0 {
		return "", "", fmt.Errorf("%w: no argument of %.80q is _", ErrEdit, text)
	}
	at := call.Args[found].Range()
	return text[:at.Start.Byte], text[at.End.Byte:], nil
}

// wrapJSON is Wrap in a JSON file, for an expression that is now from start to end.
func (e *Editor) wrapJSON(x hclconfig.Expression, start, end int, before, after string) *Editor {
	now, ok := e.expressionNow(x)
	if !ok {
		return e
	}
	text, err := onLineOf(now)
	if err != nil {
		e.fail(x.File(), spanOf(x), err)
		return e
	}
	if hcllex.NeedsNewline(text) {
		text += "\n"
	}
	around := Source(before + text + after)
	around.again = true
	e.replaceJSON(x, start, end, around)
	return e
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

// treeValue returns a list or an object as one of values.
func treeValue(x hclconfig.Expression) (Value, error) {
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

// expressionNow returns an expression as it is in the current text.
func (e *Editor) expressionNow(x hclconfig.Expression) (hclconfig.Expression, bool) {
	start, end, ok := e.place(x.File(), spanOf(x))
	if !ok {
		return hclconfig.Expression{}, false
	}
	now, err := e.current()
	if err != nil {
		e.fail(x.File(), spanOf(x), err)
		return hclconfig.Expression{}, false
	}
	if now == x.File() {
		return x, true
	}
	for a := range now.Body().AllArguments() {
		if s, t := offsets(spanOf(a.Expression)); s > start || t < end {
			continue
		}
		if c, ok := contextOf(a.Expression, start, end); ok {
			return c.node, true
		}
	}
	e.failf(x.File(), spanOf(x), "it is not an expression any more")
	return hclconfig.Expression{}, false
}
