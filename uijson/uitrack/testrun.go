// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/uijson"
)

// tests are the files of a test.
type tests struct {
	files   []*TestFileState // in the order of their first message
	byPath  map[string]int
	summary *uijson.TestSummary
	remote  bool // the summary has no counts
	begun   bool
}

// test takes note of a test's progress. The two tools report in different
// order: OpenTofu a file before its runs, Terraform after them.
func (t *Tracker) test(m *uijson.Message, now time.Time) {
	r := &t.run
	r.tests.begun = true
	r.phase = PhaseTest
	for path, runs := range m.TestRuns() {
		t.testFile(path).announce(runs)
	}
	switch {
	case m.TestFile != nil:
		f := t.testFile(m.TestFile.Path)
		if p := m.TestFile.Progress; p != "" {
			f.Progress = uijson.TestProgress(t.keeper.word(string(p)))
		} else {
			f.Progress = uijson.TestComplete
		}
		if m.TestFile.Status != "" {
			f.Status = uijson.TestResult(t.keeper.word(string(m.TestFile.Status)))
		}
	case m.TestRun != nil:
		t.testRun(m.TestRun, now)
	case m.TestSummary != nil:
		r.tests.summary = &uijson.TestSummary{
			Status: uijson.TestResult(t.keeper.word(string(m.TestSummary.Status))),
			Passed: m.TestSummary.Passed, Failed: m.TestSummary.Failed,
			Errored: m.TestSummary.Errored, Skipped: m.TestSummary.Skipped,
		}
		r.phase = PhaseDone
	case m.TestCleanup != nil && m.InFile != "":
		f := t.testFile(m.InFile)
		f.leave(m.TestCleanup.FailedResources)
		f.leave(m.TestCleanup.SkippedResources)
	case m.TestInterrupt != nil:
		r.signs.interrupted = true
		if m.InFile == "" {
			return
		}
		f := t.testFile(m.InFile)
		f.leave(m.TestInterrupt.State)
		for _, list := range m.TestInterrupt.Left() {
			f.leave(list)
		}
	case m.TestStatus != nil:
		r.tests.remote = true
		r.tests.summary = &uijson.TestSummary{Status: uijson.TestResult(t.keeper.word(string(m.TestStatus.Status)))}
	}
}

// testFile returns the state of a test file, to be changed.
func (t *Tracker) testFile(path string) *TestFileState {
	r := &t.run
	if i, ok := r.tests.byPath[path]; ok {
		f := r.tests.files[i]
		if f.gen != t.keeper.gen {
			c := *f
			c.gen, c.byName, c.left = t.keeper.gen, nil, nil
			c.Runs = make([]*TestRunState, len(f.Runs))
			for i, run := range f.Runs {
				copied := *run
				c.Runs[i] = &copied
			}
			c.Leftovers = slices.Clone(f.Leftovers)
			f = &c
			r.tests.files[i] = f
		}
		return f
	}
	if r.tests.byPath == nil {
		r.tests.byPath = make(map[string]int)
	}
	path = strings.Clone(path)
	f := &TestFileState{Path: path, gen: t.keeper.gen}
	r.tests.byPath[path] = len(r.tests.files)
	r.tests.files = append(r.tests.files, f)
	return f
}

// namedRuns are the run blocks of a file with one name, in their order. OpenTofu
// accepts several.
type namedRuns struct {
	list []*TestRunState
	done int // the first so many have a result
}

// finished returns how many of the first ones have a result.
func (n *namedRuns) finished() int {
	for n.done < len(n.list) && n.list[n.done].Status != "" {
		n.done++
	}
	return n.done
}

// named returns the run blocks with a name.
func (f *TestFileState) named(name string) *namedRuns {
	if f.byName == nil {
		f.byName = make(map[string]*namedRuns, len(f.Runs))
		for _, s := range f.Runs {
			f.byName[s.Name] = cmp.Or(f.byName[s.Name], new(namedRuns))
			n := f.byName[s.Name]
			n.list = append(n.list, s)
		}
	}
	n := f.byName[name]
	if n == nil {
		n = new(namedRuns)
		f.byName[strings.Clone(name)] = n
	}
	return n
}

// add adds a run block.
func (f *TestFileState) add(name string) *TestRunState {
	n := f.named(name)
	s := &TestRunState{Name: strings.Clone(name)}
	f.Runs = append(f.Runs, s)
	n.list = append(n.list, s)
	return s
}

// announce takes note of the names of the run blocks, in their order.
func (f *TestFileState) announce(names []string) {
	known := len(f.Runs) > 0
	for _, name := range names {
		if !known || len(f.named(name).list) == 0 {
			f.add(name)
		}
	}
}

// run returns the state of a run block, the first one with this name.
func (f *TestFileState) run(name string) *TestRunState {
	if n := f.named(name); len(n.list) > 0 {
		return n.list[0]
	}
	return f.add(name)
}

// next returns the state of the first run block with this name that has no
// result yet.
func (f *TestFileState) next(name string) *TestRunState {
	if n := f.named(name); n.finished() < len(n.list) {
		return n.list[n.done]
	}
	return f.add(name)
}

// nth returns which of the run blocks with the name of m's the message is about,
// from 0: the last one with a result.
func (r *run) nth(m *uijson.Message) int {
	if m.InRun == "" {
		return 0
	}
	i, ok := r.tests.byPath[m.InFile]
	if !ok {
		return 0
	}
	return max(r.tests.files[i].named(m.InRun).finished()-1, 0)
}

// leave takes note of objects that are left.
func (f *TestFileState) leave(list []*uijson.TestLeftover) {
	for _, l := range list {
		if l == nil {
			continue
		}
		name := strings.Clone(l.Instance)
		if l.DeposedKey != "" {
			name += " (deposed " + l.DeposedKey + ")"
		}
		if f.left == nil {
			f.left = make(map[string]bool)
			for _, known := range f.Leftovers {
				f.left[known] = true
			}
		}
		if !f.left[name] {
			f.left[name] = true
			f.Leftovers = append(f.Leftovers, name)
		}
	}
}

// testRun takes note of the progress of one run block.
func (t *Tracker) testRun(m *uijson.TestRun, now time.Time) {
	f := t.testFile(m.Path)
	var s *TestRunState
	if m.Progress == "" && m.Status != "" { // OpenTofu, which reports each run once
		s = f.next(m.Run)
	} else {
		s = f.run(m.Run)
	}
	if s.Progress != m.Progress && m.Progress != "" {
		s.Progress = uijson.TestProgress(t.keeper.word(string(m.Progress)))
	}
	if m.Progress == uijson.TestStarting && s.started.IsZero() {
		s.started = now
	}
	if m.Progress == uijson.TestTeardown || m.Status == "" {
		return
	}
	s.Status = uijson.TestResult(t.keeper.word(string(m.Status)))
	s.Progress = uijson.TestComplete
	if !s.started.IsZero() {
		took := max(now.Sub(s.started), 0).Seconds()
		s.ElapsedSeconds = &took
	}
}
