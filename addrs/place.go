// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import "fmt"

// A Pos is a place in a source file. The zero Pos is no place.
type Pos struct {
	Offset int64 // in bytes, from 0
	Line   int   // from 1
	Column int   // from 1; counts grapheme clusters, as HCL does
}

// IsValid reports whether p is a place.
func (p Pos) IsValid() bool { return p.Line > 0 }

// String returns the line and the column, such as "3,12".
func (p Pos) String() string { return fmt.Sprintf("%d,%d", p.Line, p.Column) }

// A Range is a part of a source file, from Start up to but not including End.
// The zero Range is no place.
type Range struct {
	// Filename is the name that the file was parsed with.
	Filename string
	// Start is the place of the first byte, and End the place after the last
	// one.
	Start, End Pos
}

// IsValid reports whether r is a place. A Range that has only a Filename is not.
func (r Range) IsValid() bool { return r.Start.IsValid() }

// String returns the range as tofu prints it: "main.tf:3,12-18", or
// "main.tf:3,12-5,2" if it spans lines.
func (r Range) String() string {
	if r.Start.Line == r.End.Line {
		return fmt.Sprintf("%s:%d,%d-%d", r.Filename, r.Start.Line, r.Start.Column, r.End.Column)
	}
	return fmt.Sprintf("%s:%d,%d-%d,%d", r.Filename, r.Start.Line, r.Start.Column, r.End.Line, r.End.Column)
}
