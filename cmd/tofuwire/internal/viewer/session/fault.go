// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package session

import (
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planview"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
	"github.com/tofuwire/tofuwire/uijson"
)

// A Fault is an error with its place, and the text around it.
type Fault struct {
	Message string `json:"message"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Offset  int64  `json:"offset,omitempty"`
	Pointer string `json:"pointer,omitempty"`
	Before  string `json:"before,omitempty"` // the text in front of the place
	After   string `json:"after,omitempty"`  // the text from the place on
}

// NewFault says of an error where it is in a document. The source can be nil.
func NewFault(err error, src Source) Fault {
	f := Fault{Message: planview.OneLine(err.Error())}
	var p *planjson.Error
	var s *statefile.Error
	var l *lockfile.Error
	var u *uijson.Error
	switch {
	case errors.As(err, &p):
		f.Message, f.Line, f.Column, f.Offset, f.Pointer = planview.OneLine(p.Err.Error()), p.Line, p.Column, p.Offset, planview.OneLine(p.Pointer)
	case errors.As(err, &s):
		f.Message, f.Line, f.Column, f.Offset, f.Pointer = planview.OneLine(s.Err.Error()), s.Line, s.Column, s.Offset, planview.OneLine(s.Pointer)
	case errors.As(err, &l):
		f.Message, f.Line, f.Column, f.Offset = planview.OneLine(l.Err.Error()), l.Line, l.Column, l.Offset
	case errors.As(err, &u):
		return f
	}
	if f.Line > 0 && src != nil {
		f.Before, f.After = around(src, f.Offset)
	}
	return f
}

// around returns the text on both sides of a place in one line each.
func around(src io.ReaderAt, at int64) (before, after string) {
	const width = 60
	start := max(0, at-width)
	b := make([]byte, 2*width)
	n, _ := src.ReadAt(b, start)
	b = b[:n]
	cut := min(int(at-start), n)
	for cut < n && !utf8.RuneStart(b[cut]) {
		cut++
	}
	return planview.OneLine(strings.ToValidUTF8(string(b[:cut]), "")), planview.OneLine(strings.ToValidUTF8(string(b[cut:]), ""))
}
