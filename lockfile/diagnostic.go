// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"sort"
	"strconv"

	"github.com/tofuwire/tofuwire/addrs"
)

// A Severity is the severity of a [Diagnostic].
// Its values are [SeverityError] and [SeverityWarning].
type Severity int

const (
	// SeverityError means that tofu does not accept the file.
	SeverityError Severity = iota + 1
	// SeverityWarning means that tofu goes on.
	SeverityWarning
)

// String returns "error" or "warning", as tofu prints them.
func (s Severity) String() string {
	switch s {
	case SeverityError:
		return "error"
	case SeverityWarning:
		return "warning"
	}
	return "Severity(" + strconv.Itoa(int(s)) + ")"
}

// A Diagnostic is a problem that tofu reports when it loads a lock file.
// Severity, Summary and Subject are as in tofu. The Detail is worded
// differently, except for problems that the HCL library reports, and may
// change.
type Diagnostic struct {
	Severity Severity    // error or warning
	Summary  string      // one of a few fixed texts
	Detail   string      // one or more sentences
	Subject  addrs.Range // the part of the file at fault
}

// String returns the diagnostic in one line, with its place.
func (d Diagnostic) String() string {
	return d.Subject.String() + ": " + d.Severity.String() + ": " + d.Summary + "; " + d.Detail
}

// sortDiagnostics sorts by place. Those at one place stay in the order in which
// they were found.
func sortDiagnostics(diags []Diagnostic) {
	sort.SliceStable(diags, func(i, j int) bool { return diags[i].Subject.Start.Offset < diags[j].Subject.Start.Offset })
}
