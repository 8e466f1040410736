// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package findings

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/tofuwire/tofuwire/internal/junit"
)

// github writes workflow commands, which GitHub shows next to the lines of a pull request.
func github(w io.Writer, r *Report) error {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	for _, f := range r.Findings {
		level := f.Severity
		if level != "error" && level != "warning" {
			level = "notice"
		}
		at := f.Range
		place := fmt.Sprintf("file=%s", property.Replace(r.inRepository(at.Filename)))
		if at.Start.Line > 0 {
			place += fmt.Sprintf(",line=%d,endLine=%d", at.Start.Line, max(at.Start.Line, at.End.Line))
			if at.Start.Line == at.End.Line { // GitHub takes columns for one line only
				place += fmt.Sprintf(",col=%d,endColumn=%d", at.Start.Column, max(at.Start.Column, at.End.Column))
			}
		}
		if _, err := fmt.Fprintf(w, "::%s %s,title=%s::%s\n", level, place, property.Replace(f.Rule), data.Replace(f.Message)); err != nil {
			return err
		}
	}
	for _, f := range r.Faults {
		place := ""
		if f.Filename != "" {
			place = " file=" + property.Replace(r.inRepository(f.Filename))
			if f.Line > 0 {
				place += fmt.Sprintf(",line=%d", f.Line)
			}
		}
		if _, err := fmt.Fprintf(w, "::error%s::%s\n", place, data.Replace(f.Message)); err != nil {
			return err
		}
	}
	return nil
}

// The code quality report of GitLab.
type (
	gitlabIssue struct {
		Description string         `json:"description"`
		CheckName   string         `json:"check_name"`
		Categories  []string       `json:"categories"`
		Fingerprint string         `json:"fingerprint"`
		Severity    string         `json:"severity"`
		Location    gitlabLocation `json:"location"`
	}
	gitlabLocation struct {
		Path  string      `json:"path"`
		Lines gitlabLines `json:"lines"`
	}
	gitlabLines struct {
		Begin int64 `json:"begin"`
		End   int64 `json:"end,omitempty"`
	}
)

// style are the categories of all issues. The format of Code Climate has them, GitLab ignores them, and
// other readers lose the whole file without one that they know.
var style = []string{"Style"}

func gitlab(w io.Writer, r *Report) error {
	list := []gitlabIssue{}
	for i := range r.Findings {
		f := &r.Findings[i]
		severity := "info"
		switch f.Severity {
		case "error":
			severity = "major"
		case "warning":
			severity = "minor"
		}
		lines := gitlabLines{max(1, int64(f.Range.Start.Line)), int64(f.Range.End.Line)}
		list = append(list, gitlabIssue{f.Message, f.Rule, style, r.fingerprint(f), severity, gitlabLocation{r.inRepository(f.Range.Filename), lines}})
	}
	for _, f := range r.Faults {
		same := Finding{Message: f.Message, Rule: "error"}
		same.Range.Filename = f.Filename
		list = append(list, gitlabIssue{f.Message, "error", style, r.fingerprint(&same), "critical", gitlabLocation{r.inRepository(f.Filename), gitlabLines{Begin: int64(max(1, f.Line))}}})
	}
	return indented(w, list)
}

// junitReport writes a suite for each file, and a case for each finding.
func junitReport(w io.Writer, r *Report) error {
	out := &junit.Report{Name: r.Tool}
	suites := map[string]int{}
	suite := func(name string) *junit.Suite {
		i, ok := suites[name]
		if !ok {
			i = len(out.Suites)
			suites[name] = i
			out.Suites = append(out.Suites, junit.Suite{Name: cmp.Or(name, r.Tool)})
		}
		return &out.Suites[i]
	}
	for _, f := range r.Findings {
		at := f.Range
		s := suite(at.Filename)
		place := fmt.Sprintf("%s:%d,%d", at.Filename, at.Start.Line, at.Start.Column)
		s.Cases = append(s.Cases, junit.Case{Name: f.Rule + " " + place, Class: f.Rule, File: at.Filename, Line: int64(at.Start.Line),
			Failure: &junit.Reason{Message: f.Message, Type: f.Severity, Text: place + ": " + f.Severity + ": " + f.Message}})
	}
	for _, f := range r.Faults {
		s := suite(f.Filename)
		s.Cases = append(s.Cases, junit.Case{Name: "error", Class: "error", File: f.Filename, Line: int64(f.Line), Error: &junit.Reason{Message: f.Message, Type: "error", Text: f.Message}})
	}
	if len(out.Suites) == 0 { // a report without a case counts as a failure in some programs
		out.Suites = []junit.Suite{{Name: r.Tool, Cases: []junit.Case{{Name: "no findings", Class: r.Tool}}}}
	}
	return junit.Write(w, out)
}
