// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"fmt"
	"iter"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// A Severity says how grave a [Diagnostic] is.
type Severity int

const (
	// SeverityError marks what OpenTofu refuses.
	SeverityError Severity = iota + 1
	// SeverityWarning marks what OpenTofu accepts and complains about, or
	// accepts and ignores.
	SeverityWarning
)

// String returns "error" or "warning".
func (s Severity) String() string {
	switch s {
	case SeverityError:
		return "error"
	case SeverityWarning:
		return "warning"
	}
	return fmt.Sprintf("Severity(%d)", int(s))
}

// A Diagnostic is one thing that is wrong in a configuration. The texts are
// for people and may change; the summaries are those of OpenTofu where it has
// the same check.
type Diagnostic struct {
	Severity Severity // how grave it is
	Summary  string   // one line, without a full stop
	Detail   string   // sentences, possibly empty
	// Subject is the place of what is wrong. It is not valid if there is none,
	// and has a file name even then if it is about one file.
	Subject Range
}

// String returns the diagnostic with its place, as in "main.tf:3,12-18: error:
// Unsupported argument; ...". It is one line unless Detail has several.
func (d Diagnostic) String() string {
	text := d.Summary
	if d.Detail != "" {
		text += "; " + d.Detail
	}
	if !d.Subject.IsValid() {
		if d.Subject.Filename == "" {
			return fmt.Sprintf("%s: %s", d.Severity, text)
		}
		return fmt.Sprintf("%s: %s: %s", d.Subject.Filename, d.Severity, text)
	}
	return fmt.Sprintf("%s: %s: %s", d.Subject, d.Severity, text)
}

// Diagnostics is a list of things that are wrong, in the order in which they
// were found. A nil Diagnostics is good news. It is no Go error: see
// [Diagnostics.HasErrors].
type Diagnostics []Diagnostic

// HasErrors reports whether one of the diagnostics is an error.
func (d Diagnostics) HasErrors() bool {
	return slices.ContainsFunc(d, func(d Diagnostic) bool { return d.Severity == SeverityError })
}

// Errors returns an iterator over the errors, leaving the warnings out.
func (d Diagnostics) Errors() iter.Seq[Diagnostic] {
	return func(yield func(Diagnostic) bool) {
		for _, d := range d {
			if d.Severity == SeverityError && !yield(d) {
				return
			}
		}
	}
}

// sorted orders the diagnostics by file and place.
func (d Diagnostics) sorted() Diagnostics {
	slices.SortStableFunc(d, func(a, b Diagnostic) int {
		if a.Subject.Filename != b.Subject.Filename {
			if a.Subject.Filename < b.Subject.Filename {
				return -1
			}
			return 1
		}
		return int(a.Subject.Start.Offset - b.Subject.Start.Offset)
	})
	return d
}

// errorAt returns an error diagnostic about s.
func (f *File) errorAt(s textspan.Span, summary, format string, args ...any) Diagnostic {
	return Diagnostic{Severity: SeverityError, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: f.rangeOf(s)}
}

// fromHCL returns the diagnostics of HCL as our own. The places that HCL found
// in a text of its own, such as a JSON string, are moved by the caller first.
func fromHCL(in hcl.Diagnostics) Diagnostics {
	if len(in) == 0 {
		return nil
	}
	out := make(Diagnostics, len(in))
	for i, d := range in {
		out[i] = Diagnostic{Severity: SeverityError, Summary: d.Summary, Detail: d.Detail}
		if d.Severity == hcl.DiagWarning {
			out[i].Severity = SeverityWarning
		}
		if d.Subject != nil {
			out[i].Subject = Range{Filename: d.Subject.Filename, Start: posFromHCL(d.Subject.Start), End: posFromHCL(d.Subject.End)}
		}
	}
	return out
}

// diagnosticsOf returns the diagnostics that HCL gave for a native expression of
// the file. Its lines and columns are found anew: not all expressions know theirs.
func (f *File) diagnosticsOf(in hcl.Diagnostics) Diagnostics {
	out := fromHCL(in)
	for i, d := range in {
		if d.Subject != nil {
			out[i].Subject = f.rangeOf(spanOf(*d.Subject))
		}
	}
	return out
}

func posFromHCL(p hcl.Pos) Pos {
	return Pos{Offset: int64(p.Byte), Line: p.Line, Column: p.Column}
}
