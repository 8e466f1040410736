// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/internal/junit"
	"github.com/tofuwire/tofuwire/uijson"
)

// WriteJUnit writes the results of a test run as a JUnit XML report, the form
// that most CI systems read: a suite for each test file, a case for each run
// block. Diagnostics are in the case they belong to. Those of the file, and of cases
// that passed, are the output of the suite. All others are in a suite of their own, called name.
//
// Of an apply, each operation on a resource is a case, with the type of the resource for its
// class; of other runs the operation is one case. No two cases have the same class and name.
// Objects that a test may have left behind are an error.
//
// A run without a result, because the test was cut off, is an error. If nothing
// else in the report shows that the run did not succeed, a case in the suite called
// name is an error with the reason. Only runs of Terraform have durations.
func WriteJUnit(w io.Writer, s *Snapshot, name string) error {
	if s == nil {
		return &uijson.Error{Err: uijson.ErrAbsent}
	}
	all := &junit.Report{Name: name, Time: seconds(s.ElapsedSeconds)}
	used := make(map[*DiagnosticState]bool)
	for _, f := range s.Tests {
		all.Suites = append(all.Suites, suiteOf(s, f, used))
	}
	if len(s.Tests) == 0 {
		if o := suiteOfOperations(s, name, used); len(o.Cases) > 0 {
			all.Suites = append(all.Suites, o)
		}
	}
	bad := slices.ContainsFunc(all.Suites, failed)
	rest := suiteOfRest(s, name, used)
	ended := s.Outcome != "" && s.Outcome != OutcomeRunning && !s.Outcome.OK()
	if !slices.ContainsFunc(all.Suites, func(s junit.Suite) bool { return len(s.Cases) > 0 }) {
		whole := junit.Case{Name: cmp.Or(string(s.Operation), "plan"), Class: name}
		if ended {
			whole.Error = &junit.Reason{Message: s.Reason}
		}
		rest.Cases = append([]junit.Case{whole}, rest.Cases...)
	}
	if ended && !bad && !failed(rest) {
		rest.Cases = append(rest.Cases, junit.Case{Name: string(s.Outcome), Class: name, Error: &junit.Reason{Message: s.Reason}})
	}
	if len(rest.Cases) > 0 {
		all.Suites = append(all.Suites, rest)
	} else { // a suite without a case counts as a failure in some programs
		all.Suites[len(all.Suites)-1].Output += rest.Output
	}
	return junit.Write(w, all)
}

// failed reports whether a case of a suite did not pass.
func failed(s junit.Suite) bool {
	return slices.ContainsFunc(s.Cases, func(c junit.Case) bool { return c.Failure != nil || c.Error != nil })
}

// suiteOf returns the suite of a test file. The diagnostics that it has are used.
func suiteOf(s *Snapshot, f *TestFileState, used map[*DiagnosticState]bool) junit.Suite {
	suite := junit.Suite{Name: f.Path}
	total := 0.0
	nth := make(map[string]int) // how many runs of this name came before
	for _, run := range f.Runs {
		if run.ElapsedSeconds != nil {
			total += *run.ElapsedSeconds
		}
		first, text := "", ""
		for _, d := range s.Diagnostics {
			if d.File == f.Path && d.Run == run.Name && d.nth == nth[run.Name] {
				used[d] = true
				if first == "" && d.Diagnostic.Severity == uijson.SeverityError {
					first = d.Diagnostic.Summary
				}
				text += Renderer{}.Diagnostic(d.Diagnostic)
			}
		}
		nth[run.Name]++
		c := caseOf(f.Path, run, &junit.Reason{Message: first, Text: text})
		if c.Failure == nil && c.Error == nil {
			suite.Output += text
		}
		suite.Cases = append(suite.Cases, c)
	}
	if len(f.Leftovers) > 0 {
		text := "Objects that may be left behind:\n- " + strings.Join(f.Leftovers, "\n- ") + "\n"
		suite.Cases = append(suite.Cases, junit.Case{
			Name: "cleanup", Class: f.Path, File: f.Path, Error: &junit.Reason{Message: plural(len(f.Leftovers), "object") + " may be left behind", Text: text},
		})
	}
	for _, d := range s.Diagnostics {
		if d.File == f.Path && !used[d] {
			used[d] = true
			suite.Output += Renderer{}.Diagnostic(d.Diagnostic)
		}
	}
	if total > 0 {
		suite.Time = seconds(total)
	}
	return suite
}

// caseOf returns the case of a run block, for which its diagnostics are the reason.
func caseOf(path string, run *TestRunState, reason *junit.Reason) junit.Case {
	c := junit.Case{Name: run.Name, Class: path, File: path}
	if run.ElapsedSeconds != nil {
		c.Time = seconds(*run.ElapsedSeconds)
	}
	switch run.Status {
	case uijson.TestFail:
		c.Failure = reason
	case uijson.TestError:
		c.Error = reason
	case uijson.TestSkip:
		c.Skipped = &junit.Reason{}
	case uijson.TestPass:
	default: // pending, or no result at all
		reason.Message = "the run has no result"
		c.Error = reason
	}
	return c
}

// suiteOfRest returns the suite of the diagnostics that are not used.
func suiteOfRest(s *Snapshot, name string, used map[*DiagnosticState]bool) junit.Suite {
	rest := junit.Suite{Name: name}
	for _, d := range s.Diagnostics {
		if used[d] {
			continue
		}
		text := Renderer{}.Diagnostic(d.Diagnostic)
		if d.Diagnostic.Severity != uijson.SeverityError {
			rest.Output += text
			continue
		}
		rest.Cases = append(rest.Cases, junit.Case{
			Name: nameOf(d.Diagnostic), Class: name,
			Error: &junit.Reason{Message: d.Diagnostic.Summary, Text: text},
		})
	}
	return rest
}

// nameOf returns the summary of a diagnostic and what it is about.
func nameOf(d *uijson.Diagnostic) string {
	switch {
	case d.Address != "":
		return d.Summary + " (" + d.Address + ")"
	case d.Range != nil && d.Range.Filename != "":
		return d.Summary + " (" + d.Range.Filename + ":" + strconv.Itoa(d.Range.Start.Line) + ")"
	}
	return d.Summary
}

// suiteOfOperations returns the suite of what an apply did: a case for each operation.
func suiteOfOperations(s *Snapshot, name string, used map[*DiagnosticState]bool) junit.Suite {
	suite := junit.Suite{Name: name}
	for _, r := range s.Resources {
		if r.Mode == "data" || r.Mode == "ephemeral" {
			continue
		}
		var cycles []*Cycle
		for i := range r.Cycles {
			switch c := &r.Cycles[i]; c.Action {
			case ActionRefresh, uijson.ActionRead, uijson.ActionNoOp:
			default:
				cycles = append(cycles, c)
			}
		}
		for _, c := range cycles {
			x := junit.Case{Name: r.Addr, Class: cmp.Or(r.Type, name)}
			if len(cycles) > 1 {
				x.Name += " (" + string(c.Action) + ")"
			}
			// In a run that succeeded all operations have ended. The programs report the end of
			// one of two that delete at one address, as of a deposed object.
			silent := c.Status != StatusFailed && c.Status != StatusDone && s.Outcome.OK()
			if !c.Started.IsZero() && !silent {
				x.Time = seconds(c.Duration(s.Updated).Seconds())
			}
			switch {
			case c.Status == StatusFailed:
				x.Error = reasonOf(s, r.Addr, used)
			case c.Status != StatusDone && !silent:
				x.Error = &junit.Reason{Message: r.Addr + ": the operation did not end"}
			}
			suite.Cases = append(suite.Cases, x)
		}
	}
	return suite
}

// reasonOf returns why an operation on a resource failed. The diagnostics about it are used.
func reasonOf(s *Snapshot, address string, used map[*DiagnosticState]bool) *junit.Reason {
	reason := &junit.Reason{Message: address + ": the operation failed"}
	for _, d := range s.Diagnostics {
		if d.Diagnostic.Address == address && d.Diagnostic.Severity == uijson.SeverityError {
			if reason.Text == "" {
				reason.Message = address + ": " + d.Diagnostic.Summary
			}
			reason.Text += Renderer{}.Diagnostic(d.Diagnostic)
			used[d] = true
		}
	}
	return reason
}

// seconds returns a duration as reports have it.
func seconds(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }
