// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"cmp"
	"encoding/xml"
	"io"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/uijson"
)

// The elements of a JUnit report.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr,omitempty"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Time     string       `xml:"time,attr,omitempty"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name      string      `xml:"name,attr"`
		Tests     int         `xml:"tests,attr"`
		Failures  int         `xml:"failures,attr"`
		Errors    int         `xml:"errors,attr"`
		Skipped   int         `xml:"skipped,attr"`
		Time      string      `xml:"time,attr,omitempty"`
		Cases     []junitCase `xml:"testcase"`
		SystemErr string      `xml:"system-err,omitempty"`
	}
	junitCase struct {
		Name      string       `xml:"name,attr"`
		Classname string       `xml:"classname,attr"`
		File      string       `xml:"file,attr,omitempty"`
		Time      string       `xml:"time,attr,omitempty"`
		Failure   *junitReason `xml:"failure"`
		Error     *junitReason `xml:"error"`
		Skipped   *junitReason `xml:"skipped"`
		SystemErr string       `xml:"system-err,omitempty"`
	}
	junitReason struct {
		Message string `xml:"message,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes the results of a test run as a JUnit XML report, the form
// that most CI systems read: a suite for each test file, a case for each run
// block. Diagnostics are in the case they belong to. Those of the file are in
// the suite. All others are in a suite of their own, called name.
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
	all := junitSuites{Name: name, Time: seconds(s.ElapsedSeconds)}
	used := make(map[*DiagnosticState]bool)
	for _, f := range s.Tests {
		all.add(suiteOf(s, f, used))
	}
	if len(s.Tests) == 0 {
		if o := suiteOfOperations(s, name, used); len(o.Cases) > 0 {
			all.add(o)
		}
	}
	rest := suiteOfRest(s, name, used)
	if all.Tests == 0 {
		whole := junitCase{Name: cmp.Or(string(s.Operation), "plan"), Classname: name}
		if s.Outcome != "" && s.Outcome != OutcomeRunning && !s.Outcome.OK() {
			whole.Error = &junitReason{Message: s.Reason}
			rest.Errors++
		}
		rest.Cases = append([]junitCase{whole}, rest.Cases...)
	}
	if all.Failures+all.Errors+rest.Errors == 0 && s.Outcome != "" && s.Outcome != OutcomeRunning && !s.Outcome.OK() {
		rest.Cases = append(rest.Cases, junitCase{
			Name: string(s.Outcome), Classname: name, Error: &junitReason{Message: s.Reason},
		})
		rest.Errors++
	}
	if rest.Tests = len(rest.Cases); rest.Tests > 0 || rest.SystemErr != "" {
		all.add(rest)
	}
	all.distinguish()
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// suiteOf returns the suite of a test file. The diagnostics that it has are used.
func suiteOf(s *Snapshot, f *TestFileState, used map[*DiagnosticState]bool) junitSuite {
	suite := junitSuite{Name: f.Path}
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
		suite.run(f.Path, run, &junitReason{Message: first, Text: text})
	}
	if len(f.Leftovers) > 0 {
		text := "Objects that may be left behind:\n- " + strings.Join(f.Leftovers, "\n- ") + "\n"
		suite.Cases = append(suite.Cases, junitCase{
			Name: "cleanup", Classname: f.Path, File: f.Path, Error: &junitReason{Message: plural(len(f.Leftovers), "object") + " may be left behind", Text: text},
		})
		suite.Errors++
	}
	suite.Tests = len(suite.Cases)
	for _, d := range s.Diagnostics {
		if d.File == f.Path && !used[d] {
			used[d] = true
			suite.SystemErr += Renderer{}.Diagnostic(d.Diagnostic)
		}
	}
	if total > 0 {
		suite.Time = seconds(total)
	}
	return suite
}

// run adds the case of a run block, for which its diagnostics are the reason.
func (suite *junitSuite) run(path string, run *TestRunState, reason *junitReason) {
	c := junitCase{Name: run.Name, Classname: path, File: path}
	if run.ElapsedSeconds != nil {
		c.Time = seconds(*run.ElapsedSeconds)
	}
	switch run.Status {
	case uijson.TestFail:
		c.Failure = reason
		suite.Failures++
	case uijson.TestError:
		c.Error = reason
		suite.Errors++
	case uijson.TestSkip:
		c.Skipped = &junitReason{}
		suite.Skipped++
		c.SystemErr = reason.Text
	case uijson.TestPass:
		c.SystemErr = reason.Text
	default: // pending, or no result at all
		reason.Message = "the run has no result"
		c.Error = reason
		suite.Errors++
	}
	suite.Cases = append(suite.Cases, c)
}

// suiteOfRest returns the suite of the diagnostics that are not used.
func suiteOfRest(s *Snapshot, name string, used map[*DiagnosticState]bool) junitSuite {
	rest := junitSuite{Name: name}
	for _, d := range s.Diagnostics {
		if used[d] {
			continue
		}
		text := Renderer{}.Diagnostic(d.Diagnostic)
		if d.Diagnostic.Severity != uijson.SeverityError {
			rest.SystemErr += text
			continue
		}
		rest.Cases = append(rest.Cases, junitCase{
			Name: nameOf(d.Diagnostic), Classname: name,
			Error: &junitReason{Message: d.Diagnostic.Summary, Text: text},
		})
		rest.Errors++
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
func suiteOfOperations(s *Snapshot, name string, used map[*DiagnosticState]bool) junitSuite {
	suite := junitSuite{Name: name}
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
			x := junitCase{Name: r.Addr, Classname: cmp.Or(r.Type, name)}
			if len(cycles) > 1 {
				x.Name += " (" + string(c.Action) + ")"
			}
			if !c.Started.IsZero() {
				x.Time = seconds(c.Duration(s.Updated).Seconds())
			}
			switch {
			case c.Status == StatusFailed:
				x.Error = reasonOf(s, r.Addr, used)
			case c.Status != StatusDone:
				x.Error = &junitReason{Message: r.Addr + ": the operation did not end"}
			}
			if x.Error != nil {
				suite.Errors++
			}
			suite.Cases = append(suite.Cases, x)
		}
	}
	suite.Tests = len(suite.Cases)
	return suite
}

// reasonOf returns why an operation on a resource failed. The diagnostics about it are used.
func reasonOf(s *Snapshot, address string, used map[*DiagnosticState]bool) *junitReason {
	reason := &junitReason{Message: address + ": the operation failed"}
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

// distinguish numbers the cases of one class and name: readers show only one of them.
func (all *junitSuites) distinguish() {
	type key struct{ class, name string }
	seen := make(map[key]bool)
	for i := range all.Suites {
		for k := range all.Suites[i].Cases {
			c := &all.Suites[i].Cases[k]
			name := c.Name
			for n := 2; seen[key{c.Classname, c.Name}]; n++ {
				c.Name = name + " (" + strconv.Itoa(n) + ")"
			}
			seen[key{c.Classname, c.Name}] = true
		}
	}
}

// add adds a suite and its counts.
func (all *junitSuites) add(s junitSuite) {
	all.Tests += s.Tests
	all.Failures += s.Failures
	all.Errors += s.Errors
	all.Skipped += s.Skipped
	all.Suites = append(all.Suites, s)
}

// seconds returns a duration as reports have it.
func seconds(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }
