// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/uijson"
)

// A memory hands out what a tracker keeps for resources, several to one
// allocation. Snapshots share it, so nothing is taken back.
type memory struct {
	resources slab[ResourceState]
	planned   slab[PlannedChange]
	cycles    slab[Cycle]
	seconds   slab[int64]

	text strings.Builder // the present chunk of strings; it never grows
	size int             // of the chunk

	stop  func(string, uijson.Value) bool // sets extra
	extra bool
}

const (
	maxSlab   = 16 // values in one allocation
	maxChunk  = 1 << 10
	maxReused = 1000 // entries of a map that is used again
)

// keep returns a copy of s.
func (m *memory) keep(s string) string {
	if len(s) > m.text.Cap()-m.text.Len() {
		if len(s) > maxChunk/4 {
			return strings.Clone(s)
		}
		m.size = min(max(2*m.size, len(s)), maxChunk)
		m.text = strings.Builder{}
		m.text.Grow(m.size)
	}
	at := m.text.Len()
	m.text.WriteString(s)
	return m.text.String()[at:]
}

// A slab hands out values of a type.
type slab[T any] struct {
	free []T
	size int // of the next allocation
}

func (s *slab[T]) take() *T { return &s.list()[:1][0] }

// list returns an empty list with room for one element.
func (s *slab[T]) list() []T {
	if len(s.free) == 0 {
		s.size = min(max(2*s.size, 1), maxSlab)
		s.free = make([]T, s.size)
	}
	list := s.free[:0:1]
	s.free = s.free[1:]
	return list
}

// reused returns m without its entries, or nil if it is large.
func reused[K comparable, V any](m map[K]V) map[K]V {
	if len(m) > maxReused {
		return nil
	}
	clear(m)
	return m
}

// A keeper keeps what a tracker has read: without the messages, in few allocations, and
// strings that messages repeat once.
type keeper struct {
	gen    uint64 // counts snapshots: parts of an older one are shared with it
	words  map[string]string
	recent [recentWords]string
	memory memory
}

// part returns s, as a part of addr if it is one: then it needs no memory of its own.
func (k *keeper) part(addr, s string) string {
	if s == "" {
		return ""
	}
	if i := strings.Index(addr, s); i >= 0 {
		return addr[i : i+len(s)]
	}
	return k.word(s)
}

// word returns a string that does not keep the message alive. Those that
// messages repeat, such as actions and types, are kept once.
func (k *keeper) word(s string) string {
	if s == "" {
		return ""
	}
	recent := &k.recent[place(s)%recentWords]
	if *recent == s {
		return *recent
	}
	w, ok := k.words[s]
	if !ok {
		w = strings.Clone(s)
		if len(w) > maxWord || len(k.words) >= maxWords {
			return w
		}
		if k.words == nil {
			k.words = make(map[string]string)
		}
		k.words[w] = w
	}
	*recent = w
	return w
}

// verb returns an action that does not keep the message alive.
func (k *keeper) verb(a uijson.Action) uijson.Action {
	switch a {
	case uijson.ActionNoOp:
		return uijson.ActionNoOp
	case uijson.ActionCreate:
		return uijson.ActionCreate
	case uijson.ActionRead:
		return uijson.ActionRead
	case uijson.ActionUpdate:
		return uijson.ActionUpdate
	case uijson.ActionReplace:
		return uijson.ActionReplace
	case uijson.ActionDelete:
		return uijson.ActionDelete
	case ActionRefresh:
		return ActionRefresh
	case ActionInvoke:
		return ActionInvoke
	}
	return uijson.Action(k.word(string(a)))
}

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
