// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"iter"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A Duplicate is a member whose name has occurred before in its object.
type Duplicate struct {
	Pointer      string // of the member
	Offset       int    // of its name
	Line, Column int    // of its name, from 1
}

// Duplicates returns an iterator over the members of a valid text, at any
// depth, whose names have occurred before in the same object.
func Duplicates(text []byte) iter.Seq[Duplicate] { return duplicates(text, new(Repeats)) }

// duplicates is not inlined: its loop is long.
//
//go:noinline
func duplicates(text []byte, r *Repeats) iter.Seq[Duplicate] {
	return func(yield func(Duplicate) bool) {
		if !r.maybe(text, nil) {
			return
		}
		type level struct {
			names map[string]struct{} // nil in an array
			name  string
			index int
		}
		var open []level
		pointer := func() string {
			path := make([]pathStep, 0, len(open))
			for _, l := range open {
				step := pathStep{name: l.name, index: l.index, begun: true}
				if l.names != nil {
					step.index = -1
				}
				path = append(path, step)
			}
			return pathPointer(path)
		}
		positions := jsonscan.Positions{Text: text}
		named := false // the innermost object's member has its name
		for i := jsonscan.Space(text, 0); i < len(text); i = jsonscan.Space(text, i) {
			switch c := text[i]; c {
			case '{':
				open = append(open, level{names: make(map[string]struct{})})
				named = false
				i++
			case '[':
				open = append(open, level{})
				named = true
				i++
			case '}', ']':
				open = open[:len(open)-1]
				named = true
				i++
			case ',':
				top := &open[len(open)-1]
				top.index++
				named = top.names == nil
				i++
			case ':':
				i++
			case '"':
				start := i
				i, _ = jsonscan.String(text, i)
				if named || len(open) == 0 {
					continue
				}
				named = true
				top := &open[len(open)-1]
				top.name = string(unquote(text[start:i]))
				if _, dup := top.names[top.name]; dup {
					line, column := positions.At(start)
					if !yield(Duplicate{pointer(), start, line, column}) {
						return
					}
				}
				top.names[top.name] = struct{}{}
			default:
				i, _ = jsonscan.Value(text, i, 0)
			}
		}
	}
}
