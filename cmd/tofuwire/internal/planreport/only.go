// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planreport

import (
	"slices"

	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// Actions are the words of -only.
var Actions = []string{"create", "update", "replace", "destroy", "read", "import", "move", "forget", "open", "invoke", "output", "drift"}

// A Selection says which changes a report details.
type Selection struct {
	Only    []string // words of Actions; all if empty
	Address []string // patterns, one of them must match; all if empty
}

// Register adds the options to a command line.
func (s *Selection) Register(flags *commandline.Set) {
	flags.List(&s.Only, "only", "show only the details of these `ACTIONS`, separated by commas: "+commandline.Or(Actions), "action", func() []string { return Actions })
	flags.Strings(&s.Address, "address", "show only the details of changes whose address matches `GLOB`: * is any text, ? a character")
}

// isAll reports whether nothing is left out.
func (s *Selection) isAll() bool { return len(s.Only) == 0 && len(s.Address) == 0 }

// of returns a difference with the details of the selection.
func (s *Selection) of(d *plandiff.Diff) *plandiff.Diff {
	if s.isAll() {
		return d
	}
	all := len(s.Only) == 0
	has := func(word string) bool { return all || slices.Contains(s.Only, word) }
	return d.Only(plandiff.Selection{Resource: func(r *plandiff.Resource) bool {
		return (all || slices.ContainsFunc(classes(r), has)) && s.matches(r.Address)
	}, Output: func(*plandiff.Output) bool { return has("output") }, Invocation: func(i *plandiff.Invocation) bool { return has("invoke") && s.matches(i.Address) }})
}

func (s *Selection) matches(address string) bool {
	return len(s.Address) == 0 || slices.ContainsFunc(s.Address, func(pattern string) bool { return matches(pattern, address) })
}

// classes returns the words for a change. A move or an import can be an update as well.
func classes(r *plandiff.Resource) (list []string) {
	if r.Drift {
		return []string{"drift"}
	}
	add := func(word string, holds bool) {
		if holds {
			list = append(list, word)
		}
	}
	a := r.Actions
	add("replace", a.IsReplace())
	add("create", a.IsCreate())
	add("update", a.IsUpdate())
	add("destroy", a.IsDelete())
	add("forget", a.IsForget())
	add("read", a.IsRead())
	add("open", slices.Contains(a, "open"))
	add("import", r.Importing)
	add("move", r.PreviousAddress != "" && r.PreviousAddress != r.Address)
	return list
}

// matches reports whether a text matches a pattern in which * is any text and ? one character.
func matches(pattern, text string) bool {
	p, t := []rune(pattern), []rune(text)
	i, j, star, at := 0, 0, -1, 0
	for j < len(t) {
		switch {
		case i < len(p) && p[i] == '*':
			star, at = i, j
			i++
		case i < len(p) && (p[i] == '?' || p[i] == t[j]):
			i, j = i+1, j+1
		case star >= 0: // the star takes one more
			at++
			i, j = star+1, at
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}
