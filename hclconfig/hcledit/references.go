// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// ReplaceReferences changes every reference of the file that begins with the steps of
// from: it begins with those of to instead. With var.old and var.new, var.old.x[0]
// becomes var.new.x[0], and var.older stays. References in templates, in blocks that
// the language does not know, and in depends_on, moved and import count as well; names
// that a for expression binds do not. It returns how many references it changed.
func (e *Editor) ReplaceReferences(from, to string) int {
	if e.err != nil {
		return 0
	}
	steps, err := stepsOf(from)
	if err == nil {
		_, err = stepsOf(to)
	}
	if err != nil {
		e.fail(nil, textspan.Span{}, err)
		return 0
	}
	now, err := e.current()
	if err != nil {
		e.fail(nil, textspan.Span{}, err)
		return 0
	}
	if e.f.Syntax() == hclconfig.JSONSyntax {
		return e.replaceReferencesJSON(now, steps, to)
	}
	return e.replaceReferencesNative(now, steps, to)
}

// stepsOf parses a reference.
func stepsOf(text string) (hcl.Traversal, error) {
	x, err := parseSource(text)
	if err != nil {
		return nil, err
	}
	t, ok := x.(*hclsyntax.ScopeTraversalExpr)
	if !ok {
		return nil, fmt.Errorf("%w: %.80q is not a reference", ErrEdit, text)
	}
	return t.Traversal, nil
}

// beginsWith reports whether a reference begins with the steps of another one.
func beginsWith(t, steps hcl.Traversal) bool {
	if len(t) < len(steps) || t.RootName() != steps.RootName() {
		return false
	}
	for i := 1; i < len(steps); i++ {
		a, ok1 := t[i].(hcl.TraverseAttr)
		b, ok2 := steps[i].(hcl.TraverseAttr)
		if !(ok1 && ok2 && a.Name == b.Name) && !sameIndex(t[i], steps[i]) {
			return false
		}
	}
	return true
}

func (e *Editor) replaceReferencesNative(now *hclconfig.File, steps hcl.Traversal, to string) int {
	file, _ := hcllex.ParseConfig(now.Bytes(), "", hcl.InitialPos)
	body, ok := file.Body.(*hclsyntax.Body)
	if !ok {
		return 0
	}
	var found []textspan.Span
	var walk func(b *hclsyntax.Body)
	walk = func(b *hclsyntax.Body) {
		for _, a := range b.Attributes {
			for _, t := range hclsyntax.Variables(a.Expr) {
				if beginsWith(t, steps) {
					found = append(found, textspan.Of(int32(t[0].SourceRange().Start.Byte), int32(t[len(steps)-1].SourceRange().End.Byte)))
				}
			}
		}
		for _, in := range b.Blocks {
			walk(in.Body)
		}
	}
	walk(body)
	slices.SortFunc(found, func(a, b textspan.Span) int { return int(a.Start - b.Start) })
	since := len(e.d.changes)
	for _, s := range found {
		start, ok1 := e.d.begins(int(s.Start), since)
		end, ok2 := e.d.ends(int(s.End), since)
		if !ok1 || !ok2 {
			continue
		}
		r := e.layoutBefore(now, s.Start, start, end)
		e.rewrite(start, end, replaced(start, end, to))
		e.layoutAfter(r, e.opts)
	}
	return len(found)
}

func (e *Editor) replaceReferencesJSON(now *hclconfig.File, steps hcl.Traversal, to string) int {
	n := 0
	for _, r := range now.Body().References() {
		t, err := stepsOf(r.Text)
		if err != nil || !beginsWith(t, steps) {
			continue
		}
		e.ReplaceReference(r, to+r.Text[t[len(steps)-1].SourceRange().End.Byte:])
		n++
	}
	return n
}
