// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package findings

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"io"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
)

// The XML of Checkstyle 4.3.
type (
	checkstyleReport struct {
		XMLName xml.Name         `xml:"checkstyle"`
		Version string           `xml:"version,attr"`
		Files   []checkstyleFile `xml:"file"`
	}
	checkstyleFile struct {
		Name   string            `xml:"name,attr"`
		Errors []checkstyleError `xml:"error"`
	}
	checkstyleError struct {
		Line     int    `xml:"line,attr,omitempty"`
		Column   int    `xml:"column,attr,omitempty"`
		Severity string `xml:"severity,attr"`
		Message  string `xml:"message,attr"`
		Source   string `xml:"source,attr"`
	}
)

// checkstyle writes an element for each file. Faults are errors as well: readers ignore exceptions.
func checkstyle(w io.Writer, r *Report) error {
	doc := checkstyleReport{Version: "4.3"}
	add := func(name string, e checkstyleError) {
		name = cmp.Or(name, ".")
		for i := range doc.Files {
			if doc.Files[i].Name == name {
				doc.Files[i].Errors = append(doc.Files[i].Errors, e)
				return
			}
		}
		doc.Files = append(doc.Files, checkstyleFile{name, []checkstyleError{e}})
	}
	for _, f := range r.Findings {
		severity := "info"
		if f.Severity == "error" || f.Severity == "warning" {
			severity = f.Severity
		}
		at := f.Range.Start
		add(f.Range.Filename, checkstyleError{int(at.Line), int(at.Column), severity, f.Message, r.program() + "." + f.Rule})
	}
	for _, f := range r.Faults {
		add(f.Filename, checkstyleError{Line: f.Line, Severity: "error", Message: f.Message, Source: r.program()})
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(doc); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// program is the name of the program that subcommands belong to.
func (r *Report) program() string {
	name, _, _ := strings.Cut(cmp.Or(r.Program, r.Tool), " ")
	return name
}

// The JSON of reviewdog's Diagnostic Format.
type (
	rdResult struct {
		Source      rdSource       `json:"source"`
		Diagnostics []rdDiagnostic `json:"diagnostics"`
	}
	rdSource struct {
		Name string `json:"name"`
		URL  string `json:"url,omitempty"`
	}
	rdDiagnostic struct {
		Message     string         `json:"message"`
		Location    rdLocation     `json:"location"`
		Severity    string         `json:"severity"`
		Code        *rdCode        `json:"code,omitempty"`
		Suggestions []rdSuggestion `json:"suggestions,omitempty"`
	}
	rdLocation struct {
		Path  string   `json:"path"`
		Range *rdRange `json:"range,omitempty"`
	}
	rdRange struct {
		Start rdPosition  `json:"start"`
		End   *rdPosition `json:"end,omitempty"`
	}
	rdPosition struct {
		Line   int `json:"line"`
		Column int `json:"column,omitempty"`
	}
	rdCode struct {
		Value string `json:"value"`
		URL   string `json:"url,omitempty"`
	}
	rdSuggestion struct {
		Range rdRange `json:"range"`
		Text  string  `json:"text"`
	}
)

// rdjson writes one object. Its columns count bytes, and the end is behind the last one.
func rdjson(w io.Writer, r *Report) error {
	doc := rdResult{Source: rdSource{r.program(), r.URL}, Diagnostics: []rdDiagnostic{}}
	texts := map[string][]byte{}
	for _, f := range r.Findings {
		name := f.Range.Filename
		text, ok := texts[name]
		if !ok && r.Text != nil {
			text = r.Text(name)
			texts[name] = text
		}
		d := rdDiagnostic{Message: f.Message, Location: rdLocation{name, rangeIn(text, f.Range)}, Severity: "INFO", Code: &rdCode{f.Rule, f.URL}}
		if f.Severity == "error" || f.Severity == "warning" {
			d.Severity = strings.ToUpper(f.Severity)
		}
		if f.Fix != nil {
			d.Suggestions = suggestions(text, name, f.Fix)
		}
		doc.Diagnostics = append(doc.Diagnostics, d)
	}
	for _, f := range r.Faults {
		d := rdDiagnostic{Message: f.Message, Location: rdLocation{Path: f.Filename}, Severity: "ERROR"}
		if f.Line > 0 {
			d.Location.Range = &rdRange{Start: rdPosition{Line: f.Line}}
		}
		doc.Diagnostics = append(doc.Diagnostics, d)
	}
	return indented(w, doc)
}

// suggestions returns the edits of a fix, or nothing if it changes other files too: a suggestion
// must be whole.
func suggestions(text []byte, name string, fix *Fix) []rdSuggestion {
	var list []rdSuggestion
	for _, e := range fix.Edits {
		if e.Filename != name || text == nil {
			return nil
		}
		end := positionIn(text, e.End)
		list = append(list, rdSuggestion{rdRange{positionIn(text, e.Start), &end}, e.Text})
	}
	return list
}

// rangeIn returns a range of a text, or nil if it has no place.
func rangeIn(text []byte, at addrs.Range) *rdRange {
	switch {
	case at.Start.Line < 1:
		return nil
	case text == nil || at.Start.Offset > int64(len(text)) || at.End.Offset > int64(len(text)):
		return &rdRange{Start: rdPosition{Line: int(at.Start.Line)}}
	}
	end := positionIn(text, int(at.End.Offset))
	return &rdRange{positionIn(text, int(at.Start.Offset)), &end}
}

// positionIn returns the line of an offset, and its column in bytes.
func positionIn(text []byte, offset int) rdPosition {
	before := text[:min(offset, len(text))]
	return rdPosition{bytes.Count(before, []byte("\n")) + 1, len(before) - bytes.LastIndexByte(before, '\n')}
}
