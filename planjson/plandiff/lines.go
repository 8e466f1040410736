// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/planjson"
)

// A Line is one line of a text that differs.
type Line struct {
	Status Status // added, removed, or unchanged
	Text   string // without the line feed
}

// Lines compares the lines of the values of d, if they are strings and at least
// one of them has several lines. It returns nil otherwise. It takes time in
// proportion to the texts, unless the same lines occur over and over.
func (d *Attribute) Lines() []Line {
	if d == nil {
		return nil
	}
	if !bytes.Contains(d.Before, []byte(`\`)) && !bytes.Contains(d.After, []byte(`\`)) {
		return nil // no escape, no line feed
	}
	b, bOK := d.Before.Text()
	a, aOK := d.After.Text()
	if !bOK && !aOK || d.Before != nil && !bOK || d.After != nil && !aOK || !strings.Contains(b, "\n") && !strings.Contains(a, "\n") {
		return nil
	}
	var before, after []string
	if bOK {
		before = splitLines(b)
	}
	if aOK {
		after = splitLines(a)
	}
	return diffLines(before, after)
}

func splitLines(s string) []string { return strings.Split(strings.TrimSuffix(s, "\n"), "\n") }

func diffLines(before, after []string) []Line {
	lines := make([]Line, 0, len(before)+len(after))
	head := 0
	for head < len(before) && head < len(after) && before[head] == after[head] {
		lines = append(lines, Line{Unchanged, before[head]})
		head++
	}
	tail := 0
	for tail < len(before)-head && tail < len(after)-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	end := before[len(before)-tail:]
	before, after = before[head:len(before)-tail], after[head:len(after)-tail]
	ids := make(map[string]int)
	number := func(list []string) []int {
		numbers := make([]int, len(list))
		for i, s := range list {
			id, ok := ids[s]
			if !ok {
				id = len(ids)
				ids[s] = id
			}
			numbers[i] = id
		}
		return numbers
	}
	i, j := 0, 0
	gap := func(iEnd, jEnd int) {
		for ; i < iEnd; i++ {
			lines = append(lines, Line{Removed, before[i]})
		}
		for ; j < jEnd; j++ {
			lines = append(lines, Line{Added, after[j]})
		}
	}
	for _, p := range commonSubsequence(number(before), number(after)) {
		gap(p.before, p.after)
		lines = append(lines, Line{Unchanged, before[i]})
		i, j = i+1, j+1
	}
	gap(len(before), len(after))
	for _, s := range end {
		lines = append(lines, Line{Unchanged, s})
	}
	return lines
}

// contextLines is how many unchanged lines are shown before and after a change.
const contextLines = 3

// lines returns the lines to show for a text, long unchanged parts left out,
// or nil if it is not one of several lines.
func (r *renderer) lines(d *Attribute, before, after planjson.Value) []Line {
	if d.Unknown || d.UnknownBefore || bytes.IndexByte(before, '\\') < 0 && bytes.IndexByte(after, '\\') < 0 {
		return nil // no escape, no line feed
	}
	all := (&Attribute{Before: before, After: after}).Lines()
	if all == nil || d.Status == Added || d.Status == Removed || before == nil || after == nil {
		return all
	}
	// near[i] is set for lines that are close to a changed one.
	near := make([]bool, len(all))
	for i, l := range all {
		if l.Status != Unchanged {
			for k := max(0, i-contextLines); k <= min(len(all)-1, i+contextLines); k++ {
				near[k] = true
			}
		}
	}
	var shown []Line
	for i := 0; i < len(all); i++ {
		if near[i] {
			shown = append(shown, all[i])
			continue
		}
		n := i
		for i+1 < len(all) && !near[i+1] {
			i++
		}
		shown = append(shown, Line{Unchanged, "# (" + strconv.Itoa(i-n+1) + " unchanged lines hidden)"})
	}
	return shown
}
