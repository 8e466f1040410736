// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff_test

import (
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// Values that are nested too deep are shown as hidden, and strings that are too
// long are not compared as documents.
func TestLimits(t *testing.T) {
	change := func(before, after string) *plandiff.Resource {
		return plandiff.Change(&planjson.ResourceChange{Change: planjson.Change{Actions: planjson.Actions{"update"}, Before: planjson.Value(before), After: planjson.Value(after)}}, plandiff.Options{})
	}
	for _, row := range []struct {
		levels int
		hidden bool
	}{{900, false}, {1100, true}} {
		nest := func(leaf string) string {
			return `{"x":` + strings.Repeat("[", row.levels) + leaf + strings.Repeat("]", row.levels) + "}"
		}
		d := change(nest(`"was"`), nest(`"is"`))
		hidden := false
		for a := range d.Object.Leaves() {
			hidden = hidden || a.Sensitive
		}
		if hidden != row.hidden || strings.Contains(d.Text(), "(sensitive value)") != row.hidden {
			t.Errorf("%d levels: hidden is %t", row.levels, hidden)
		}
	}
	for _, row := range []struct {
		length int
		json   bool
	}{{4_000_000, true}, {5_000_000, false}} {
		long := strings.Repeat("a", row.length)
		d := change(`{"x":"[1,\"`+long+`\"]"}`, `{"x":"[2,\"`+long+`\"]"}`)
		if got := d.Object.Children[0].JSON; got != row.json {
			t.Errorf("a document of %d bytes: %t", row.length, got)
		}
	}
}

// A text of any length comes out whole, in all its parts.
func TestLongTexts(t *testing.T) {
	for _, unit := range []string{"0123456789", "é\t\"", "\U0001f600\x1b", "a line\n", "one\n\ntwo é\r\n"} {
		for _, n := range []int{1, 1637, 1638, 1639, 16383, 40_000} {
			text := strings.Repeat(unit, n)
			after := planjson.Value(`{"x":` + string(mustValue(t, text)) + `}`)
			d := plandiff.Change(&planjson.ResourceChange{Change: planjson.Change{Actions: planjson.Actions{"create"}, After: after}}, plandiff.Options{})
			got := 0
			shown := d.Text()
			for _, mark := range []string{"0123456789", `\t\"`, `\x1b`, "a line", "two é"} {
				got += strings.Count(shown, mark)
			}
			if got != n {
				t.Errorf("%q %d times is shown %d times", unit, n, got)
			}
			if strings.Contains(unit, "\n") && strings.Count(shown, "\n") != strings.Count(strings.TrimSuffix(text, "\n"), "\n")+1+5 {
				t.Errorf("%q %d times has %d lines", unit, n, strings.Count(shown, "\n"))
			}
		}
	}
}
