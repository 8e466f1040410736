// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"cmp"
	"hash/maphash"

	"github.com/tofuwire/tofuwire/uijson"
)

// diagnostics are the distinct ones of a run.
type diagnostics struct {
	list             []*DiagnosticState // in the order of the stream
	byKey            map[uint64]int
	errors, warnings int
	dropped          int // beyond the limit of list
}

var diagnosticSeed = maphash.MakeSeed()

// diagnosticHash returns a number that is the same for the same diagnostics and
// mostly differs for others.
func diagnosticHash(d *uijson.Diagnostic, m *uijson.Message) uint64 {
	h := maphash.String(diagnosticSeed, d.Summary)
	for _, s := range [...]string{d.Detail, d.Address, m.InFile, m.InRun} {
		if s != "" {
			h = (h ^ maphash.String(diagnosticSeed, s)) * 0x9e3779b97f4a7c15
		}
	}
	if d.Range != nil {
		h ^= uint64(d.Range.Start.Line)<<32 + uint64(d.Range.Start.Column)
	}
	return h
}

// is reports whether s is the state of d, a diagnostic of message m about the
// nth run of its name.
func (s *DiagnosticState) is(d *uijson.Diagnostic, m *uijson.Message, nth int) bool {
	k := s.Diagnostic
	if k.Summary != d.Summary || k.Detail != d.Detail || k.Severity != d.Severity || k.Address != d.Address || s.File != m.InFile || s.Run != m.InRun || s.nth != nth {
		return false
	}
	a, b := k.Range, d.Range // a diagnostic without a range is like one with an empty range
	if a == nil || b == nil {
		none := new(uijson.Range)
		a, b = cmp.Or(a, none), cmp.Or(b, none)
	}
	return a.Filename == b.Filename && a.Start.Line == b.Start.Line && a.Start.Column == b.Start.Column
}

// diagnostic records a diagnostic. Tools repeat some of them: each counts once,
// with the number of its occurrences.
func (t *Tracker) diagnostic(d *uijson.Diagnostic, m *uijson.Message) {
	r := &t.run
	key, nth := diagnosticHash(d, m), r.nth(m)
	for ; ; key++ {
		i, ok := r.found.byKey[key]
		if !ok {
			break
		}
		s := r.found.list[i]
		if !s.is(d, m, nth) {
			continue
		}
		if s.gen != t.keeper.gen {
			c := *s
			c.gen = t.keeper.gen
			s = &c
			r.found.list[i] = s
		}
		s.Count++
		return
	}
	switch d.Severity {
	case uijson.SeverityError:
		r.found.errors++
	case uijson.SeverityWarning:
		r.found.warnings++
	}
	if d.Address != "" && d.Severity == uijson.SeverityError {
		if s := r.work.known(&t.keeper, d.Address); s != nil {
			s.Errors++
		}
	}
	if len(r.found.list) >= maxDiagnostics {
		r.found.dropped++
		return
	}
	s := t.keeper.memory.diagnostic(d)
	if s == nil { // something in it cannot be encoded
		s = keepPlain(&uijson.Diagnostic{
			Severity: d.Severity, Summary: d.Summary, Detail: d.Detail, Address: d.Address, Range: d.Range,
		})
	}
	s.File, s.Run, s.nth, s.gen = t.keeper.word(m.InFile), t.keeper.word(m.InRun), nth, t.keeper.gen
	if r.found.byKey == nil {
		r.found.byKey = make(map[uint64]int)
	}
	r.found.byKey[key] = len(r.found.list)
	r.found.list = append(r.found.list, s)
}
