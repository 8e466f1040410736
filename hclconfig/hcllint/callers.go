// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/findings"
)

// maxCalls is how many calls of a module are looked at.
const maxCalls = 100

// A calledModule is a module as one call in the tree of a target has it.
type calledModule struct {
	by   *target
	tree *hclnames.Tree
}

// link finds out which targets others call: those are checked with the values of these calls.
// A target that nobody calls, and with -roots each, is checked as a root module.
func (s *session) link(targets []*target) {
	if s.roots {
		return
	}
	called := map[string]bool{}
	for _, t := range targets {
		for dir := range t.tree {
			called[dir] = called[dir] || dir != t.path
		}
	}
	for _, t := range targets {
		for _, by := range targets {
			if called[t.path] && !called[by.path] && by.tree[t.path] {
				t.callers = append(t.callers, by)
			}
		}
	}
}

// calls returns the calls of a target in the trees of its callers.
func (t *target) callsOf() []calledModule {
	var out []calledModule
	for _, by := range t.callers {
		if by.loaded == nil {
			continue
		}
		for m := range by.loaded.All() {
			if len(out) < maxCalls && m.Call != nil && filepath.Join(by.root, filepath.FromSlash(m.Module.Dir)) == t.path {
				out = append(out, calledModule{by, m})
			}
		}
	}
	return out
}

// check runs the analyzers on a target that is loaded.
func (s *session) check(t *target) error {
	options, err := t.settings.options(s.analyzers)
	if err != nil {
		return err
	}
	calls := t.callsOf()
	if len(calls) == 0 {
		calls = []calledModule{{t, t.loaded}}
	}
	t.report, t.calledFrom = &Report{}, nil
	where := map[finding][]calledModule{}
	for _, c := range calls {
		variables, err := s.variablesFor(c.by)
		if err != nil {
			return err
		}
		r, err := Run(c.tree, t.analyzers, RunOptions{Variables: variables, Schemas: s.schemas, Options: options})
		if err != nil {
			return err
		}
		for _, err := range r.Errors {
			if !slices.ContainsFunc(t.report.Errors, func(known error) bool { return known.Error() == err.Error() }) {
				t.report.Errors = append(t.report.Errors, err)
			}
		}
		for _, d := range r.Diagnostics {
			key := finding{d.Analyzer, d.Range.Filename, d.Range.Start.Offset, d.Range.End.Offset, d.Message}
			if where[key] == nil {
				t.report.Diagnostics = append(t.report.Diagnostics, d)
			}
			where[key] = append(where[key], c)
		}
	}
	slices.SortStableFunc(t.report.Diagnostics, compareDiagnostics)
	t.calledFrom = make([][]calledModule, len(t.report.Diagnostics))
	for i := range t.report.Diagnostics {
		d := &t.report.Diagnostics[i]
		key := finding{d.Analyzer, d.Range.Filename, d.Range.Start.Offset, d.Range.End.Offset, d.Message}
		if by := where[key]; len(by) < len(calls) {
			t.calledFrom[i] = by
			d.Fixes = nil // it would change the module for the other callers
		}
	}
	for _, err := range t.report.Errors {
		t.faults = append(t.faults, s.fault(t, err))
	}
	return nil
}

// A finding is what makes diagnostics of several calls the same.
type finding struct {
	analyzer   *Analyzer
	filename   string
	start, end int64
	message    string
}

// showCallers adds the calls that a finding depends on.
func (s *session) showCallers(f *findings.Finding, calls []calledModule) {
	if len(calls) == 0 {
		return
	}
	var texts []string
	for _, c := range calls {
		at := rangeOf(c.tree.Call.Block)
		at.Filename = s.shown(filepath.Join(c.by.root, filepath.FromSlash(at.Filename)))
		text := fmt.Sprintf("%s:%d,%d", at.Filename, at.Start.Line, at.Start.Column)
		if slices.Contains(texts, text) {
			continue // the same call in several trees
		}
		texts = append(texts, text)
		f.Related = append(f.Related, findings.Related{Range: at, Message: fmt.Sprintf("called here, as %s", c.tree.Path())})
	}
	if more := len(texts) - 3; more > 0 {
		texts = append(texts[:3], fmt.Sprintf("%d more", more))
	}
	f.Callers = strings.Join(texts, ", ")
}

// loadAll loads the trees of targets again, each of which reads the files that fixes changed.
func (s *session) loadAll(targets []*target) {
	s.each(targets, func(t *target) {
		t.report, t.kept, t.findings, t.faults, t.loaded = nil, nil, nil, nil, nil
		if err := s.load(t); err != nil {
			t.faults = append(t.faults, s.fault(t, err))
		}
	})
}

// each calls f for the targets, for several at the same time.
func (s *session) each(targets []*target, f func(t *target)) {
	work := make(chan *target)
	var wait sync.WaitGroup
	for range min(s.workers(), len(targets)) {
		wait.Go(func() {
			for t := range work {
				f(t)
			}
		})
	}
	for _, t := range targets {
		work <- t
	}
	close(work)
	wait.Wait()
}

// load reads the tree of a target.
func (s *session) load(t *target) error {
	if t.settings == nil {
		settings, err := s.settingsFor(t.path)
		if err != nil {
			return err
		}
		t.settings, t.analyzers = settings, s.chosen(settings)
	}
	tree, err := hclnames.LoadTree(s.files(t), t.dir, hclconfig.OpenTofu, hclconfig.TestDirectory("tests"), hclconfig.Workspace(s.workspace))
	if err != nil {
		return err
	}
	t.settings.unload(tree)
	t.calls = len(tree.Children) > 0
	s.note(t, tree)
	t.names = namesFrom(tree)
	t.loaded = tree
	return nil
}
