// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/uijson"
)

// diagnostic returns the state of a new diagnostic: with a copy of d, or nil if d
// cannot be encoded.
func (m *memory) diagnostic(d *uijson.Diagnostic) *DiagnosticState {
	if m.isPlain(d) {
		if s := keepPlain(d); s != nil {
			return s
		}
	}
	if c := uijson.Clone(d); c != nil {
		return &DiagnosticState{Diagnostic: c, Count: 1}
	}
	return nil
}

// isPlain reports whether keepPlain copies all that there is in d, but for what Clone
// does.
func (m *memory) isPlain(d *uijson.Diagnostic) bool {
	if d.PolicyRange != nil || d.PolicySnippet != nil || m.hasExtra(d) {
		return false
	}
	if r := d.Range; r != nil && (m.hasExtra(r) || m.hasExtra(&r.Start) || m.hasExtra(&r.End)) {
		return false
	}
	s := d.Snippet
	if s == nil {
		return true
	}
	if m.hasExtra(s) || s.Context != nil && !jsonscan.Valid(s.Context) {
		return false
	}
	for _, v := range s.Values {
		if v == nil || m.hasExtra(v) {
			return false
		}
	}
	return true
}

// hasExtra reports whether o has an extra member. A loop would make a function for
// each object.
func (m *memory) hasExtra(o uijson.Object) bool {
	if m.stop == nil {
		m.stop = func(string, uijson.Value) bool {
			m.extra = true
			return false
		}
	}
	m.extra = false
	uijson.Extra(o)(m.stop)
	return m.extra
}

// A keptDiagnostic is one allocation for most of a diagnostic.
type keptDiagnostic struct {
	state      DiagnosticState
	diagnostic uijson.Diagnostic
	place      uijson.Range
}

// keepPlain copies the fields of most diagnostics. To encode and decode them, as
// Clone does, takes many times as long and twice the memory. It returns nil if a part
// cannot be encoded.
func keepPlain(d *uijson.Diagnostic) *DiagnosticState {
	n := len(d.Severity) + len(d.Summary) + len(d.Detail) + len(d.Address) + len(d.DeprecationOriginDescription)
	if d.Range != nil {
		n += len(d.Range.Filename)
	}
	if s := d.Snippet; s != nil {
		n += len(s.Code)
		for _, v := range s.Values {
			n += len(v.Traversal) + len(v.Statement)
		}
	}
	var text copier
	text.b.Grow(n)
	k := &keptDiagnostic{
		state: DiagnosticState{Count: 1},
		diagnostic: uijson.Diagnostic{
			Severity: uijson.Severity(text.copy(string(d.Severity))), Summary: text.copy(d.Summary), Detail: text.copy(d.Detail),
			Address: text.copy(d.Address), DeprecationOriginDescription: text.copy(d.DeprecationOriginDescription),
		},
	}
	k.state.Diagnostic = &k.diagnostic
	if r := d.Range; r != nil {
		k.place = uijson.Range{Filename: text.copy(r.Filename), Start: position(r.Start), End: position(r.End)}
		k.diagnostic.Range = &k.place
	}
	if s := d.Snippet; s != nil {
		c := &uijson.Snippet{
			Code: text.copy(s.Code), StartLine: s.StartLine,
			HighlightStartOffset: s.HighlightStartOffset, HighlightEndOffset: s.HighlightEndOffset,
		}
		if s.Context != nil {
			c.Context = append(uijson.Value{}, s.Context...)
		}
		if s.Values != nil {
			c.Values = make([]*uijson.ExpressionValue, len(s.Values))
			list := make([]uijson.ExpressionValue, len(s.Values))
			for i, v := range s.Values {
				list[i].Traversal, list[i].Statement = text.copy(v.Traversal), text.copy(v.Statement)
				c.Values[i] = &list[i]
			}
		}
		c.FunctionCall, c.TestAssertionExpr = uijson.Clone(s.FunctionCall), uijson.Clone(s.TestAssertionExpr)
		if (c.FunctionCall == nil) != (s.FunctionCall == nil) || (c.TestAssertionExpr == nil) != (s.TestAssertionExpr == nil) {
			return nil
		}
		k.diagnostic.Snippet = c
	}
	k.diagnostic.Difference = uijson.Clone(d.Difference)
	if (k.diagnostic.Difference == nil) != (d.Difference == nil) {
		return nil
	}
	return &k.state
}

// position returns a copy of p that is not part of any text.
func position(p uijson.Pos) uijson.Pos {
	return uijson.Pos{Line: p.Line, Column: p.Column, Byte: p.Byte}
}

// A copier copies strings into one allocation, which must have been made large enough.
type copier struct{ b strings.Builder }

func (c *copier) copy(s string) string {
	at := c.b.Len()
	c.b.WriteString(s)
	return c.b.String()[at:]
}
