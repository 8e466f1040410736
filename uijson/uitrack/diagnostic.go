// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"strings"

	"github.com/tofuwire/tofuwire/uijson"
)

// A diagKey identifies a diagnostic.
type diagKey struct {
	severity                                uijson.Severity
	summary, detail, address, inFile, inRun string
	file                                    string
	line, column                            int
}

// diagnostic records a diagnostic. Tools repeat some of them: each counts once,
// with the number of its occurrences.
func (t *Tracker) diagnostic(d *uijson.Diagnostic, m *uijson.Message) {
	r := &t.run
	key := diagKey{severity: d.Severity, summary: d.Summary, detail: d.Detail, address: d.Address, inFile: m.InFile, inRun: m.InRun}
	if d.Range != nil {
		key.file, key.line, key.column = d.Range.Filename, d.Range.Start.Line, d.Range.Start.Column
	}
	if i, ok := r.byDiag[key]; ok {
		s := r.diagnostics[i]
		if s.gen != t.gen {
			c := *s
			c.gen = t.gen
			s = &c
			r.diagnostics[i] = s
		}
		s.Count++
		return
	}
	switch d.Severity {
	case uijson.SeverityError:
		r.errors++
	case uijson.SeverityWarning:
		r.warnings++
	}
	if d.Address != "" && d.Severity == uijson.SeverityError {
		if _, ok := r.byAddr[d.Address]; ok {
			t.resource(d.Address, nil).Errors++
		}
	}
	if len(r.diagnostics) >= maxDiagnostics {
		r.dropped++
		return
	}
	kept := uijson.Clone(d)
	if kept == nil { // something in it cannot be encoded
		kept = &uijson.Diagnostic{
			Severity: uijson.Severity(t.word(string(d.Severity))), Summary: strings.Clone(d.Summary),
			Detail: strings.Clone(d.Detail), Address: strings.Clone(d.Address),
		}
	}
	key.severity, key.summary, key.detail, key.address = kept.Severity, kept.Summary, kept.Detail, kept.Address
	key.file, key.inFile, key.inRun = t.word(key.file), t.word(m.InFile), t.word(m.InRun)
	if r.byDiag == nil {
		r.byDiag = make(map[diagKey]int)
	}
	r.byDiag[key] = len(r.diagnostics)
	r.diagnostics = append(r.diagnostics, &DiagnosticState{
		Diagnostic: kept, Count: 1, File: key.inFile, Run: key.inRun, gen: t.gen,
	})
}
