// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"slices"
	"strings"
	"time"
)

// A diagKey tells diagnostics apart.
type diagKey struct {
	severity                         Severity
	summary, detail, address, inFile string
	file                             string
	line, column                     int
}

// diagnostic takes note of a diagnostic. Tools repeat some of them: each
// counts once, and how often it came is kept.
func (t *Tracker) diagnostic(d *Diagnostic, m *Message) {
	r := &t.run
	key := diagKey{severity: d.Severity, summary: d.Summary, detail: d.Detail, address: d.Address, inFile: m.InFile + "\x00" + m.InRun}
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
	case SeverityError:
		r.errors++
	case SeverityWarning:
		r.warnings++
	}
	if d.Address != "" && d.Severity == SeverityError {
		if _, ok := r.byAddr[d.Address]; ok {
			t.resource(d.Address, nil).Errors++
		}
	}
	if len(r.diagnostics) >= maxDiagnostics {
		r.dropped++
		return
	}
	kept := Clone(d)
	if kept == nil { // something in it cannot be encoded
		kept = &Diagnostic{
			Severity: Severity(strings.Clone(string(d.Severity))), Summary: strings.Clone(d.Summary),
			Detail: strings.Clone(d.Detail), Address: strings.Clone(d.Address),
		}
	}
	key.severity, key.summary, key.detail, key.address = kept.Severity, kept.Summary, kept.Detail, kept.Address
	key.file = strings.Clone(key.file)
	if r.byDiag == nil {
		r.byDiag = make(map[diagKey]int)
	}
	r.byDiag[key] = len(r.diagnostics)
	r.diagnostics = append(r.diagnostics, &DiagnosticState{
		Diagnostic: kept, Count: 1, File: strings.Clone(m.InFile), Run: strings.Clone(m.InRun), gen: t.gen,
	})
}

// test takes note of a test's progress. The two tools report in different
// order: OpenTofu a file before its runs, Terraform after them.
func (t *Tracker) test(m *Message, now time.Time) {
	r := &t.run
	r.testing = true
	r.phase = PhaseTest
	for path, runs := range m.TestRuns() {
		f := t.testFile(path)
		for _, name := range runs {
			f.run(name)
		}
	}
	switch {
	case m.TestFile != nil:
		f := t.testFile(m.TestFile.Path)
		if p := m.TestFile.Progress; p != "" {
			f.Progress = TestProgress(strings.Clone(string(p)))
		} else {
			f.Progress = TestComplete
		}
		if m.TestFile.Status != "" {
			f.Status = TestResult(strings.Clone(string(m.TestFile.Status)))
		}
	case m.TestRun != nil:
		t.testRun(m.TestRun, now)
	case m.TestSummary != nil:
		r.testSummary = &TestSummary{
			Status: TestResult(strings.Clone(string(m.TestSummary.Status))),
			Passed: m.TestSummary.Passed, Failed: m.TestSummary.Failed,
			Errored: m.TestSummary.Errored, Skipped: m.TestSummary.Skipped,
		}
		r.phase = PhaseDone
	case m.TestCleanup != nil && m.InFile != "":
		f := t.testFile(m.InFile)
		f.leave(m.TestCleanup.FailedResources)
		f.leave(m.TestCleanup.SkippedResources)
	case m.TestInterrupt != nil:
		r.interrupted = true
		if m.InFile == "" {
			return
		}
		f := t.testFile(m.InFile)
		f.leave(m.TestInterrupt.State)
		for _, list := range m.TestInterrupt.Left() {
			f.leave(list)
		}
	case m.TestStatus != nil:
		r.testSummary = &TestSummary{Status: TestResult(strings.Clone(string(m.TestStatus.Status)))}
	}
}

// testFile returns the state of a test file, to be changed.
func (t *Tracker) testFile(path string) *TestFileState {
	r := &t.run
	if i, ok := r.byTest[path]; ok {
		f := r.tests[i]
		if f.gen != t.gen {
			c := *f
			c.gen = t.gen
			c.Runs = make([]*TestRunState, len(f.Runs))
			for i, run := range f.Runs {
				copied := *run
				c.Runs[i] = &copied
			}
			c.Leftovers = slices.Clone(f.Leftovers)
			f = &c
			r.tests[i] = f
		}
		return f
	}
	if r.byTest == nil {
		r.byTest = make(map[string]int)
	}
	path = strings.Clone(path)
	f := &TestFileState{Path: path, gen: t.gen}
	r.byTest[path] = len(r.tests)
	r.tests = append(r.tests, f)
	return f
}

// run returns the state of a run block.
func (f *TestFileState) run(name string) *TestRunState {
	for _, s := range f.Runs {
		if s.Name == name {
			return s
		}
	}
	s := &TestRunState{Name: strings.Clone(name)}
	f.Runs = append(f.Runs, s)
	return s
}

// leave takes note of objects that are left.
func (f *TestFileState) leave(list []*TestLeftover) {
	for _, l := range list {
		if l == nil {
			continue
		}
		name := strings.Clone(l.Instance)
		if l.DeposedKey != "" {
			name += " (deposed " + l.DeposedKey + ")"
		}
		if !slices.Contains(f.Leftovers, name) {
			f.Leftovers = append(f.Leftovers, name)
		}
	}
}

// testRun takes note of the progress of one run block.
func (t *Tracker) testRun(m *TestRun, now time.Time) {
	s := t.testFile(m.Path).run(m.Run)
	if s.Progress != m.Progress && m.Progress != "" {
		s.Progress = TestProgress(strings.Clone(string(m.Progress)))
	}
	if m.Progress == TestStarting && s.started.IsZero() {
		s.started = now
	}
	if m.Progress == TestTeardown || m.Status == "" {
		return
	}
	s.Status = TestResult(strings.Clone(string(m.Status)))
	s.Progress = TestComplete
	if !s.started.IsZero() {
		took := max(now.Sub(s.started), 0).Seconds()
		s.ElapsedSeconds = &took
	}
}

// Left returns what each run may have left, from States.
func (i *TestInterrupt) Left() map[string][]*TestLeftover {
	if i == nil {
		return nil
	}
	states := i.States.object()
	if states == nil {
		return nil
	}
	left := make(map[string][]*TestLeftover)
	for tok, list := range members(states) {
		run, _ := Value(tok).Text()
		for item := range list.each() {
			l := new(TestLeftover)
			if l.UnmarshalJSON(item) == nil {
				left[run] = append(left[run], l)
			}
		}
	}
	return left
}
