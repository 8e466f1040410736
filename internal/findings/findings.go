// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package findings writes what a linter or a validator found, in the forms that people,
// editors and code hosts read: text, with the source or in one line each, JSON, SARIF 2.1.0, the
// annotations of GitHub, the code quality reports of GitLab, JUnit's and Checkstyle's XML, and the
// JSON of reviewdog.
package findings

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/joblog"
	"github.com/tofuwire/tofuwire/internal/terminal"
)

// A Report is what there is to write.
type Report struct {
	// Tool is the name of the program, and URL its page.
	Tool, URL string
	// Rules describes the rules that ran, in the order of their names. Those that findings
	// name are among them.
	Rules    []Rule
	Findings []Finding
	Faults   []ReadFailure
	// Dir is the directory that file names are relative to. Code hosts want names that are
	// relative to the root of the repository that a file is in.
	Dir string
	// Text returns the text of a file, or nil. It is for the columns of SARIF.
	Text func(filename string) []byte

	// Program is the name of the program with its subcommand, if it is not Tool.
	Program string
	// Unnamed says that the compact form has no names of rules.
	Unnamed bool
	// Colors says that the compact and the full form have colors, and Width is that of the
	// terminal; if 0, Write asks it.
	Colors bool
	Width  int

	places map[string]string // of directories, from the roots of their repositories
}

// A Rule is one kind of finding.
type Rule struct {
	Name, Doc, URL string
	Severity       string // error, warning or notice
}

// A Finding is one fault of a file.
type Finding struct {
	Rule, Severity, Message string
	URL                     string
	Range                   addrs.Range
	Fixable                 bool
	// Address is that of the object around: with Rule and Message it makes the identity of
	// the finding, together with its Occurrence among those that are the same.
	Address    string
	Occurrence int
	Related    []Related
	Callers    string // the places of the calls of the module that it depends on, or empty
	Fix        *Fix   // for SARIF and rdjson; nil if there is none
}

// Related is a further place.
type Related struct {
	Range   addrs.Range
	Message string
}

// A Fix is a change of files.
type Fix struct {
	Message string
	Edits   []Edit
}

// An Edit replaces a part of a file.
type Edit struct {
	Filename   string
	Start, End int // in bytes
	Text       string
}

// A ReadFailure is the reason why a file or a directory could not be looked at.
type ReadFailure struct {
	Message  string
	Filename string // empty if there is none
	Line     int    // 0 if there is none
}

// Formats are the names of the forms.
var formats = map[string]func(io.Writer, *Report) error{
	"full": full, "compact": compact, "json": document, "sarif": sarif, "github": github, "gitlab": gitlab, "junit": junitReport,
	"checkstyle": checkstyle, "rdjson": rdjson,
}

// Formats returns the names of the forms.
func Formats() []string {
	return []string{"text", "full", "compact", "json", "sarif", "github", "gitlab", "junit", "checkstyle", "rdjson"}
}

// Needs reports whether a form needs texts of files, and, of each finding, its fix.
func Needs(format string) (texts, fixes bool) {
	fixes = format == "sarif" || format == "rdjson"
	return fixes || format == "full" || format == "text", fixes
}

// Write writes a report in a form. The form text is full if w is a terminal, and else compact.
func Write(w io.Writer, format string, r *Report) error {
	if format == "text" {
		format = "compact"
		if terminal.Is(w) {
			format = "full"
		}
	}
	if r.Width == 0 {
		r.Width = terminal.Width(w)
	}
	f := formats[format]
	if f == nil {
		return fmt.Errorf("there is no format %q", format)
	}
	b := bufio.NewWriter(w)
	if format != "compact" && format != "full" {
		return errors.Join(f(b, r), b.Flush())
	}
	out := joblog.New(b)
	return errors.Join(f(out, r), out.Close(), b.Flush())
}

// fingerprint returns the identity of a finding: it does not change when lines move.
func (r *Report) fingerprint(f *Finding) string {
	h := sha256.New()
	for _, part := range []string{f.Rule, path.Dir(r.inRepository(f.Range.Filename)), f.Address, f.Message, strconv.Itoa(f.Occurrence)} {
		fmt.Fprintf(h, "%d:%s\n", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// oneLine returns a text without line breaks.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(c rune) bool { return c == '\n' || c == '\r' }), " ")
}

// calls names the calls that a finding depends on.
func (f *Finding) calls() string {
	if f.Callers == "" {
		return ""
	}
	return "; called at " + f.Callers
}

// The JSON document.
type (
	jsonReport struct {
		Findings []jsonFinding `json:"findings"`
		Errors   []jsonFault   `json:"errors"`
	}
	jsonFinding struct {
		Rule     string    `json:"rule"`
		Severity string    `json:"severity"`
		Message  string    `json:"message"`
		Range    jsonRange `json:"range"`
		Fixable  bool      `json:"fixable"`
		URL      string    `json:"url"`
	}
	jsonRange struct {
		Filename string  `json:"filename"`
		Start    jsonPos `json:"start"`
		End      jsonPos `json:"end"`
	}
	jsonPos struct {
		Line   int64 `json:"line"`
		Column int64 `json:"column"`
		Byte   int64 `json:"byte"`
	}
	jsonFault struct {
		Message  string `json:"message"`
		Filename string `json:"filename"`
		Line     int    `json:"line"`
	}
)

func document(w io.Writer, r *Report) error {
	doc := jsonReport{Findings: []jsonFinding{}, Errors: []jsonFault{}}
	pos := func(p addrs.Pos) jsonPos { return jsonPos{int64(p.Line), int64(p.Column), p.Offset} }
	for _, f := range r.Findings {
		doc.Findings = append(doc.Findings, jsonFinding{
			f.Rule, f.Severity, f.Message, jsonRange{f.Range.Filename, pos(f.Range.Start), pos(f.Range.End)}, f.Fixable, f.URL,
		})
	}
	for _, f := range r.Faults {
		doc.Errors = append(doc.Errors, jsonFault(f))
	}
	return indented(w, doc)
}

func indented(w io.Writer, doc any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(doc)
}

// firstSentence returns the summary of a document.
func firstSentence(doc string) string {
	first, _, found := strings.Cut(oneLine(doc), ". ")
	if found {
		return first + "."
	}
	return first
}
