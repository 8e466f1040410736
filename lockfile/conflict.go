// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
)

// The marks that Git writes at the beginning of lines in files it cannot merge:
// before ours, before the base (in the styles diff3 and zdiff3), before theirs,
// and after theirs.
const (
	markOurs   = "<<<<<<<"
	markBase   = "|||||||"
	markMiddle = "======="
	markTheirs = ">>>>>>>"
)

// hasMark reports whether line is the given mark, alone or with a text after a
// space.
func hasMark(line, mark string) bool {
	rest, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), mark)
	return ok && (rest == "" || rest[0] == ' ')
}

// hasMarkers reports whether text has the beginning and the end of a conflict.
func hasMarkers(text string) bool {
	ours := false
	for line := range strings.Lines(text) {
		if hasMark(line, markOurs) {
			ours = true
		} else if ours && hasMark(line, markTheirs) {
			return true
		}
	}
	return false
}

// sides are the versions of a file that a text with conflict markers holds.
type sides struct {
	// Ours and Theirs are the files of the two sides.
	Ours, Theirs []byte

	// Base is the common ancestor as shown by the markers (with Git's conflict
	// styles diff3 and zdiff3). It is nil if they do not.
	Base []byte
}

// splitConflict splits a file with conflict markers of Git into its sides. For
// a file without markers, both sides are the file itself and there is no base.
// It returns an error if markers are in the wrong order.
func splitConflict(filename string, src []byte) (*sides, error) {
	const (
		outside = iota
		ours
		base
		theirs
	)
	var s sides
	baseShown, conflicts := true, 0
	state, lineNumber, offset, opened := outside, 0, 0, addrs.Pos{}
	for line := range strings.Lines(string(src)) {
		lineNumber++
		at := addrs.Pos{Offset: int64(offset), Line: lineNumber, Column: 1}
		offset += len(line)
		var mark string
		for _, m := range []string{markOurs, markBase, markMiddle, markTheirs} {
			if hasMark(line, m) {
				mark = m
			}
		}
		switch {
		case mark == markOurs && state == outside:
			state, opened = ours, at
			conflicts++
		case mark == markBase && state == ours:
			state = base
		case mark == markMiddle && (state == ours || state == base):
			baseShown = baseShown && state == base
			state = theirs
		case mark == markTheirs && state == theirs:
			state = outside
		case mark != "" && (mark != markMiddle || state != outside):
			return nil, errorAt(addrs.Range{Filename: filename, Start: at, End: at}, fmt.Errorf("the conflict marker %s is out of order", mark))
		default:
			if state == outside || state == ours {
				s.Ours = append(s.Ours, line...)
			}
			if state == outside || state == base {
				s.Base = append(s.Base, line...)
			}
			if state == outside || state == theirs {
				s.Theirs = append(s.Theirs, line...)
			}
		}
	}
	if state != outside {
		return nil, errorAt(addrs.Range{Filename: filename, Start: opened, End: opened}, errors.New("the conflict that begins here does not end"))
	}
	if conflicts == 0 || !baseShown {
		s.Base = nil
	}
	return &s, nil
}

// Resolve reads a file that still has conflict markers of Git, and merges its
// sides as [Merge] does. The File is our side after the merge, with our
// comments and layout. It may be saved over the file with the markers. The
// conflicts are those that [Merge] could not settle; the File has our lock for
// them.
//
// If the markers do not show the base and only one side has a lock, the text
// does not show whether it was added or removed. Resolve keeps it, because an
// extra lock is harmless and the next "tofu init" removes it. To merge with a
// base from another source, use [MergeFiles].
//
// If a side has errors itself, Resolve returns an error.
func Resolve(filename string, src []byte) (*File, []Conflict, error) {
	sides, err := splitConflict(filename, src)
	if err != nil {
		return nil, nil, err
	}
	var base *File
	ours, err := parseSide(filename, "our side", sides.Ours)
	if err != nil {
		return nil, nil, err
	}
	theirs, err := parseSide(filename, "their side", sides.Theirs)
	if err != nil {
		return nil, nil, err
	}
	if sides.Base != nil {
		if base, err = parseSide(filename, "the base", sides.Base); err != nil {
			return nil, nil, err
		}
	}
	merged, conflicts, err := MergeFiles(base, ours, theirs)
	if err != nil {
		return nil, nil, err
	}
	merged.disk = string(src)
	return merged, conflicts, nil
}

// parseSide parses one side of a conflict. Its places are not those of the file
// with the markers, so the error says which text they refer to.
func parseSide(filename, side string, src []byte) (*File, error) {
	f, err := Parse(filename, src)
	if err == nil {
		return f, nil
	}
	var e *Error
	if errors.As(err, &e) {
		return nil, &Error{Filename: filename, Err: fmt.Errorf("%s of the conflict, line %d, column %d: %w", side, e.Line, e.Column, e.Err)}
	}
	return nil, err
}
