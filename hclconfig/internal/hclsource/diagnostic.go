// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclsource

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllex"
)

// ErrorAt returns an error about the place at.
func ErrorAt(at addrs.Range, summary, format string, args ...any) hclconfig.Diagnostic {
	return hclconfig.Diagnostic{Severity: hclconfig.SeverityError, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: at}
}

// WarningAt is ErrorAt for a warning.
func WarningAt(at addrs.Range, summary, format string, args ...any) hclconfig.Diagnostic {
	d := ErrorAt(at, summary, format, args...)
	d.Severity = hclconfig.SeverityWarning
	return d
}

// Missing returns a diagnostic for a required argument that is not there.
func Missing(b *hclconfig.Body, name string) hclconfig.Diagnostic {
	at := b.Range()
	if f := b.File(); f.Syntax() == hclconfig.JSONSyntax && at.End.Offset > at.Start.Offset && f.Bytes()[at.End.Offset-1] == '}' {
		at.Start = f.Position(at.End.Offset - 1)
	} else {
		at.Start = start(b, at)
		at.End = at.Start
	}
	return ErrorAt(at, "Missing required argument", "The argument %q is required, but no definition was found.", name)
}

// start returns where a body of native syntax begins.
func start(b *hclconfig.Body, at addrs.Range) addrs.Pos {
	if from := b.From(); len(from) > 0 {
		b = from[0]
	}
	if f := b.File(); len(b.Arguments) == 1 {
		return f.Position(hcllex.BodyStart(f.Bytes(), at.Start.Offset, b.Arguments[0].NameRange().Start.Offset))
	}
	return at.Start
}

// Sorted orders the diagnostics by file and place.
func Sorted(d hclconfig.Diagnostics) hclconfig.Diagnostics {
	slices.SortStableFunc(d, func(a, b hclconfig.Diagnostic) int {
		if a.Subject.Filename != b.Subject.Filename {
			return strings.Compare(a.Subject.Filename, b.Subject.Filename)
		}
		return int(a.Subject.Start.Offset - b.Subject.Start.Offset)
	})
	return d
}

func UpperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
