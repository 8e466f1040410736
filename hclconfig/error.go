// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// Causes of errors, for use with errors.Is.
var (
	// ErrSyntax is the cause of an [Error] for text that is not native or
	// JSON syntax.
	ErrSyntax = errors.New("syntax error")
	// ErrLimit is the cause of an [Error] for text that is nested, or whose
	// expressions are chained, too deeply, and for a file of 2 GiB or more.
	ErrLimit = errors.New("limit exceeded")
	// ErrFilename is the cause of an [Error] for a file whose name does not
	// determine its syntax.
	ErrFilename = errors.New("not the name of a configuration file")
	// ErrNotConstant is the cause of an [Error] for an expression that has
	// no value of its own, because it refers to something or calls a
	// function.
	ErrNotConstant = errors.New("not a constant")
	// ErrKind is the cause of an [Error] for an expression or a value that is
	// not of the requested kind, such as a list instead of a reference.
	ErrKind = errors.New("not of that kind")
)

// An Error says where and why a file could not be read, an expression could not
// be understood, or, in package hcledit, an edit could not be made.
type Error struct {
	// Filename is the name that was given to [Parse], or the path in the file system of a
	// module. It is empty if the error is not about a file.
	Filename string
	// Offset is in bytes, from 0. It has no meaning if Line is 0.
	Offset int64
	// Line and Column count from 1, and are 0 if there is no place. Column
	// counts as HCL does: see [File.Position].
	Line, Column int
	// Err is the cause, and never nil.
	Err error
}

// Error returns the place and the cause.
func (e *Error) Error() string {
	if e == nil {
		return ""
	}
	if e.Line == 0 {
		if e.Filename == "" {
			return fmt.Sprintf("hclconfig: %v", e.Err)
		}
		return fmt.Sprintf("hclconfig: %s: %v", e.Filename, e.Err)
	}
	if e.Filename == "" {
		return fmt.Sprintf("hclconfig: line %d, column %d: %v", e.Line, e.Column, e.Err)
	}
	return fmt.Sprintf("hclconfig: %s:%d,%d: %v", e.Filename, e.Line, e.Column, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// fault returns an Error at offset, or without a place if offset is negative.
func (f *File) fault(offset int, err error) *Error {
	e := &Error{Err: err}
	if f == nil {
		return e // about a zero Expression
	}
	e.Filename = f.name
	if offset >= 0 {
		p := f.Position(int64(offset))
		e.Offset, e.Line, e.Column = p.Offset, p.Line, p.Column
	}
	return e
}

// faultf is like fault, with a text that is added to the cause.
func (f *File) faultf(offset int, cause error, format string, args ...any) *Error {
	return f.fault(offset, &textspan.Error{Cause: cause, Text: fmt.Sprintf(format, args...)})
}

// A Severity is the severity of a [Diagnostic].
// Its values are [SeverityError] and [SeverityWarning].
type Severity int

const (
	// SeverityError marks a fault that OpenTofu refuses.
	SeverityError Severity = iota + 1
	// SeverityWarning marks a fault that OpenTofu accepts, with or without a
	// complaint.
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

// A Diagnostic is one fault in a configuration. The texts are for people and
// may change; the summaries are those of OpenTofu where it has the same check.
type Diagnostic struct {
	Severity Severity // how serious it is
	Summary  string   // one line, without a full stop
	Detail   string   // sentences, possibly empty
	// Subject is the place of the fault. It is not valid if there is no such
	// place; it then still has a file name if the fault is in one file.
	Subject addrs.Range
	// Err is a cause for use with errors.Is: [ErrSyntax] for text that is not native or JSON
	// syntax, [ErrLimit], or nil. [Parse] returns the first fault with ErrSyntax as its
	// error.
	Err error
}

// cause returns the cause of an Error made of the diagnostic.
func (d Diagnostic) cause() error {
	if d.Err != nil {
		return d.Err
	}
	return &textspan.Error{Cause: ErrSyntax, Text: d.text()}
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

// Diagnostics is a list of faults, in the order in which they were found. A nil
// Diagnostics means that there are none. It is not a Go error: see
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
	sort.SliceStable(d, func(i, j int) bool {
		a, b := &d[i].Subject, &d[j].Subject
		if a.Filename != b.Filename {
			return a.Filename < b.Filename
		}
		return a.Start.Offset < b.Start.Offset
	})
	return d
}

// causedBy gives a cause to the diagnostics that have none.
func (d Diagnostics) causedBy(err error) {
	for i := range d {
		if d[i].Err == nil {
			d[i].Err = err
		}
	}
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
		if d.Summary == hcllex.OutOfRange {
			out[i].Err = ErrLimit
		}
		if d.Subject != nil {
			out[i].Subject = addrs.Range{Filename: d.Subject.Filename, Start: posFromHCL(d.Subject.Start), End: posFromHCL(d.Subject.End)}
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

func posFromHCL(p hcl.Pos) addrs.Pos {
	return addrs.Pos{Offset: int64(p.Byte), Line: p.Line, Column: p.Column}
}

// text returns the summary and the detail of d as the end of an error's text.
func (d Diagnostic) text() string {
	return textspan.ErrorText(d.Summary, d.Detail)
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
