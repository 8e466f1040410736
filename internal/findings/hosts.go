// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package findings

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// github writes workflow commands, which GitHub shows beside the lines of a pull request.
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
		list = append(list, gitlabIssue{f.Message, f.Rule, r.fingerprint(f), severity, gitlabLocation{r.inRepository(f.Range.Filename), lines}})
	}
	for _, f := range r.Faults {
		same := Finding{Message: f.Message, Rule: "error"}
		same.Range.Filename = f.Filename
		list = append(list, gitlabIssue{f.Message, "error", r.fingerprint(&same), "critical", gitlabLocation{r.inRepository(f.Filename), gitlabLines{Begin: int64(max(1, f.Line))}}})
	}
	return indented(w, list)
}

// The report of JUnit: a suite for each file, and a case for each finding.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Line    int64         `xml:"line,attr,omitempty"`
		Failure *junitMessage `xml:"failure"`
		Error   *junitMessage `xml:"error"`
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

func junit(w io.Writer, r *Report) error {
	out := junitSuites{Name: r.Tool}
	suites := map[string]int{}
	suite := func(name string) *junitSuite {
		i, ok := suites[name]
		if !ok {
			i = len(out.Suites)
			suites[name] = i
			out.Suites = append(out.Suites, junitSuite{Name: name})
		}
		return &out.Suites[i]
	}
	for _, f := range r.Findings {
		at := f.Range
		s := suite(at.Filename)
		place := fmt.Sprintf("%s:%d,%d", at.Filename, at.Start.Line, at.Start.Column)
		s.Cases = append(s.Cases, junitCase{Name: f.Rule + " " + place, Class: f.Rule, File: at.Filename, Line: int64(at.Start.Line),
			Failure: &junitMessage{f.Message, f.Severity, place + ": " + f.Severity + ": " + f.Message}})
		s.Tests, s.Failures = s.Tests+1, s.Failures+1
		out.Tests, out.Failures = out.Tests+1, out.Failures+1
	}
	for _, f := range r.Faults {
		s := suite(f.Filename)
		s.Cases = append(s.Cases, junitCase{Name: "error", Class: "error", File: f.Filename, Line: int64(f.Line), Error: &junitMessage{f.Message, "error", f.Message}})
		s.Tests, s.Errors = s.Tests+1, s.Errors+1
		out.Tests, out.Errors = out.Tests+1, out.Errors+1
	}
	if out.Tests == 0 { // a report without a case counts as a failure in some programs
		out.Tests = 1
		out.Suites = []junitSuite{{Name: r.Tool, Tests: 1, Cases: []junitCase{{Name: "no findings", Class: r.Tool}}}}
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
