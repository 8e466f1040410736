// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/printable"
	"github.com/zclconf/go-cty/cty"
)

// RunOptions are options of [Run]. The zero value is ready to use.
type RunOptions struct {
	// Variables are values for variables of the module, as with -var-file. They
	// override those of terraform.tfvars and *.auto.tfvars, which Run reads from the
	// file system of the tree. Environment variables are ignored.
	Variables map[string]cty.Value
	// Schemas has the schemas of providers, or is nil.
	Schemas *hclconfig.Schemas
	// Options has options of analyzers by their names: values of the type of
	// [Analyzer.Options].
	Options map[string]any
}

// A Report is the result of [Run].
type Report struct {
	// Diagnostics are the findings, in the order of the files' names and of the text.
	// Findings turned off by a comment are left out, and equal findings of an analyzer
	// at one place, for example in several instances, are listed once.
	Diagnostics []Diagnostic
	// Errors are reasons why findings may be missing: an analyzer failed, a file of the module
	// or of a called one has a syntax error, or a local module that is called cannot be read.
	// Other modules may be missing. Errors of files and of calls are of type
	// [*hclconfig.Error]; one about a local module that does not exist, or is outside of the
	// file system of the tree, wraps [fs.ErrNotExist].
	Errors []error
}

var errNoModule = errors.New("hcllint: there is no module")

// Run runs analyzers, and those that they require, on a module. Analyzers run in parallel. If t
// is a called module, one of Tree.All of its root, the module is checked with the values of this
// call, and the variables of opts are those of the root.
// The error is about the analyzers themselves, such as two with the same name; in that
// case nothing has run.
func Run(t *hclnames.Tree, analyzers []*Analyzer, opts RunOptions) (*Report, error) {
	order, err := ordered(analyzers)
	if err != nil {
		return nil, err
	}
	if t == nil || t.Module == nil {
		return nil, errNoModule
	}
	r := newRun(t, opts)
	faults, broken := faultsOf(t)
	r.errors = append(r.errors, faults...)
	r.all(order)
	out := &Report{Errors: r.errors}
	for _, a := range order {
		if slices.Contains(analyzers, a) {
			out.Diagnostics = append(out.Diagnostics, r.actions[a].found...)
		}
	}
	out.Diagnostics = withoutTwins(out.Diagnostics)
	out.Diagnostics = slices.DeleteFunc(out.Diagnostics, func(d Diagnostic) bool { return broken[d.Range.Filename] })
	out.Diagnostics = notIgnored(t, out.Diagnostics)
	slices.SortStableFunc(out.Diagnostics, compareDiagnostics)
	out.Diagnostics = slices.CompactFunc(out.Diagnostics, func(a, b Diagnostic) bool { return compareDiagnostics(a, b) == 0 })
	return out, nil
}

// faultsOf returns the reasons why a part of a tree cannot be checked, each once, and the
// names of the files with syntax errors.
func faultsOf(t *hclnames.Tree) (errs []error, broken map[string]bool) {
	broken = map[string]bool{}
	seen := map[*hclconfig.Module]bool{}
	for m := range t.All() {
		if seen[m.Module] {
			continue
		}
		seen[m.Module] = true
		for _, d := range m.Module.Diagnostics() {
			if d.Summary == hclconfig.SummaryUnreadable {
				errs = append(errs, &hclconfig.Error{Filename: d.Subject.Filename, Err: errors.New(d.Detail)})
			}
		}
		for _, f := range slices.Concat(m.Module.Files, m.Module.Tests) {
			if err := f.Err(); err != nil {
				errs = append(errs, err)
				broken[f.Filename()] = true
			}
		}
		for _, call := range m.Missing {
			if call.IsLocal() {
				errs = append(errs, unreadable(rootOf(t), m.Module, call))
			}
		}
	}
	return errs, broken
}

// rootOf returns the root of the tree that t is in.
func rootOf(t *hclnames.Tree) *hclnames.Tree {
	for t.Parent != nil {
		t = t.Parent
	}
	return t
}

// unreadable returns the error about a call whose local module is not in the tree.
func unreadable(root *hclnames.Tree, m *hclconfig.Module, call *hclconfig.ModuleCall) error {
	dir := call.LocalDir(m.Dir)
	var cause error = fs.ErrNotExist
	if root.FS != nil && fs.ValidPath(dir) {
		if _, err := hclconfig.LoadModule(root.FS, dir, m.Dialect()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			cause = err
			if e, ok := errors.AsType[*fs.PathError](err); ok {
				cause = e.Err // its path is that in the file system, and the call has its own
			}
		}
	}
	at := rangeOf(call.Source.Argument.Expression)
	return &hclconfig.Error{
		Filename: at.Filename, Offset: at.Start.Offset, Line: at.Start.Line, Column: at.Start.Column,
		Err: fmt.Errorf("module %s cannot be read from %s: %w", call.Name, printable.Address(call.Source.Value), cause),
	}
}

// notIgnored returns the findings that no comment turns off. They may be in any file of the
// tree.
func notIgnored(t *hclnames.Tree, list []Diagnostic) []Diagnostic {
	in := map[string]bool{}
	for _, d := range list {
		in[d.Range.Filename] = true
	}
	files := map[string]*ignores{}
	for m := range t.All() {
		if len(in) == 0 {
			break
		}
		for _, f := range slices.Concat(m.Module.Files, m.Module.Tests) {
			if !in[f.Filename()] {
				continue
			}
			delete(in, f.Filename())
			if i := ignoresOf(f); i != nil {
				files[f.Filename()] = i
			}
		}
	}
	return slices.DeleteFunc(list, func(d Diagnostic) bool { return files[d.Range.Filename].holds(d) })
}

func compareDiagnostics(a, b Diagnostic) int {
	return cmp.Or(
		strings.Compare(a.Range.Filename, b.Range.Filename),
		cmp.Compare(a.Range.Start.Line, b.Range.Start.Line),
		cmp.Compare(a.Range.Start.Offset, b.Range.Start.Offset),
		cmp.Compare(a.Range.End.Offset, b.Range.End.Offset),
		strings.Compare(a.Analyzer.Name, b.Analyzer.Name),
		strings.Compare(a.Message, b.Message),
	)
}

// A run is one call of Run.
type run struct {
	tree    *hclnames.Tree // the root
	at      *hclnames.Tree // the module that is looked at
	opts    RunOptions
	values  Values
	shared  *shared
	actions map[*Analyzer]*action

	mu     sync.Mutex
	errors []error
}

// An action is one analyzer of a run.
type action struct {
	done   chan struct{} // closed in the end
	failed bool
	result any

	mu       sync.Mutex
	found    []Diagnostic
	unplaced error // about the first finding that has no place
}

// report takes a finding.
func (act *action) report(d Diagnostic) {
	act.mu.Lock()
	defer act.mu.Unlock()
	switch {
	case d.Range.Filename == "":
		act.unplaced = cmp.Or(act.unplaced, fmt.Errorf("a finding has no place, because its argument, expression or block is not there: %s", d.Message))
	case slices.ContainsFunc(d.Related, func(r Diagnostic) bool { return r.Range.Filename == "" }):
		act.unplaced = cmp.Or(act.unplaced, fmt.Errorf("a finding has a related place that is not there: %s", d.Message))
		d.Related = slices.DeleteFunc(slices.Clone(d.Related), func(r Diagnostic) bool { return r.Range.Filename == "" })
		act.found = append(act.found, d)
	default:
		act.found = append(act.found, d)
	}
}

func newRun(t *hclnames.Tree, opts RunOptions) *run {
	root := rootOf(t)
	r := &run{tree: root, at: t, opts: opts, actions: map[*Analyzer]*action{}}
	variables, errs := root.Variables(opts.Variables)
	r.errors = errs
	r.values = Values{evaluator: newEvaluator(variables), tree: root}
	r.values.evaluator.given = len(opts.Variables) > 0
	r.shared = newShared(root, sync.OnceValue(root.Graph), new(sync.Map))
	return r
}

// all runs the analyzers, each when those that it requires are done.
func (r *run) all(order []*Analyzer) {
	for _, a := range order {
		r.actions[a] = &action{done: make(chan struct{})}
	}
	var wait sync.WaitGroup
	for _, a := range order {
		wait.Go(func() {
			act := r.actions[a]
			defer close(act.done)
			err := r.one(a, act)
			if err != nil {
				act.failed, act.found = true, nil
			}
			if err = cmp.Or(err, act.unplaced); err != nil {
				r.mu.Lock()
				defer r.mu.Unlock()
				r.errors = append(r.errors, fmt.Errorf("hcllint: rule %s: %w", a.Name, err))
			}
		})
	}
	wait.Wait()
}

// one runs one analyzer.
func (r *run) one(a *Analyzer, act *action) (err error) {
	p := &Pass{
		Analyzer: a, Tree: r.tree, Module: r.tree.Module, Schemas: r.opts.Schemas, Values: r.values, shared: r.shared,
		results: map[*Analyzer]any{}, options: a.Options,
		report: act.report,
	}
	if o, ok := r.opts.Options[a.Name]; ok {
		p.options = o
	}
	for _, need := range a.Requires {
		n := r.actions[need]
		<-n.done
		if n.failed {
			return fmt.Errorf("it requires %s, which failed", need.Name)
		}
		p.results[need] = n.result
	}
	defer func() {
		if caught := recover(); caught != nil {
			err = fmt.Errorf("it panicked: %v\n%s", caught, debug.Stack())
		}
	}()
	act.result, err = a.Run(p.In(r.at))
	return err
}
