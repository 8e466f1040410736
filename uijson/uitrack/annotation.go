// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/tofuwire/tofuwire/uijson"
)

// GitHubAnnotation returns d as a workflow command of GitHub Actions, one line
// with its line feed. If a job prints it, GitHub shows the diagnostic at the
// line of the file. dir is the module's directory in the repository, "" or "."
// for its root; it comes before the file names, which are relative to the
// module. If d is nil, it returns "".
func GitHubAnnotation(d *uijson.Diagnostic, dir string) string {
	if d == nil {
		return ""
	}
	var b strings.Builder
	switch d.Severity {
	case uijson.SeverityError:
		b.WriteString("::error ")
	case uijson.SeverityWarning:
		b.WriteString("::warning ")
	default:
		b.WriteString("::notice ")
	}
	if r := d.Range; r != nil && r.Filename != "" {
		fmt.Fprintf(&b, "file=%s,line=%d,endLine=%d", githubProperty.Replace(inDir(dir, r.Filename)), r.Start.Line, max(r.End.Line, r.Start.Line))
		if r.Start.Line == r.End.Line {
			// GitHub takes columns for one line only.
			fmt.Fprintf(&b, ",col=%d,endColumn=%d", r.Start.Column, max(r.End.Column, r.Start.Column))
		}
		b.WriteByte(',')
	}
	b.WriteString("title=")
	b.WriteString(githubProperty.Replace(uijson.Sanitize(d.Summary)))
	b.WriteString("::")
	text := d.Detail
	if text == "" {
		text = d.Summary
	}
	if d.Address != "" {
		text += "\n\nwith " + d.Address
	}
	b.WriteString(githubData.Replace(uijson.Sanitize(text)))
	b.WriteByte('\n')
	return b.String()
}

// Characters that have a meaning in a workflow command and must be escaped.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// inDir returns the name of a file of the module in dir.
func inDir(dir, name string) string {
	if dir == "" || dir == "." || path.IsAbs(name) {
		return name
	}
	return path.Join(dir, name)
}

// A gitlabFinding is one element of a Code Quality report.
type gitlabFinding struct {
	Description string   `json:"description"`
	CheckName   string   `json:"check_name"`
	Categories  []string `json:"categories"` // GitLab ignores them; other readers lose a file without
	Fingerprint string   `json:"fingerprint"`
	Severity    string   `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
			End   int `json:"end"`
		} `json:"lines"`
	} `json:"location"`
}

// WriteGitLab writes diagnostics as a Code Quality report of GitLab, which
// shows them in merge requests. dir is as for [GitHubAnnotation]. Diagnostics
// without a file are left out, because the report has no place for them.
func WriteGitLab(w io.Writer, diagnostics []*DiagnosticState, dir string) error {
	findings := []gitlabFinding{}
	for _, s := range diagnostics {
		if s == nil || s.Diagnostic == nil {
			continue
		}
		d := s.Diagnostic
		if d.Range == nil || d.Range.Filename == "" {
			continue
		}
		f := gitlabFinding{
			Description: d.Summary,
			CheckName:   string(d.Severity),
			Categories:  []string{"Style"},
			Severity:    "minor",
		}
		if d.Detail != "" {
			f.Description += ": " + d.Detail
		}
		if d.Severity == uijson.SeverityError {
			f.Severity = "major"
		}
		f.Location.Path = inDir(dir, d.Range.Filename)
		f.Location.Lines.Begin = d.Range.Start.Line
		f.Location.Lines.End = max(d.Range.End.Line, d.Range.Start.Line)
		// The line is no part of the fingerprint: a finding that moves with its
		// file's text stays the same finding.
		sum := sha256.Sum256([]byte(strings.Join([]string{string(d.Severity), d.Summary, d.Detail, d.Address, f.Location.Path}, "\x00")))
		f.Fingerprint = hex.EncodeToString(sum[:])
		findings = append(findings, f)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(findings)
}
