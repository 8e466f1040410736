// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestNames reads the names of a table and all that differ from one of them by
// a character: names of any length, also those that share what the codec looks
// at first.
func TestNames(t *testing.T) {
	var names []string
	for n := 1; n <= 24; n++ {
		names = append(names, strings.Repeat("x", n), strings.Repeat("y", n-1)+"z")
	}
	names = append(names, "beginning_one_ending", "beginning_two_ending", "beginning", "beginnin", "ünïcode")
	blank := make([]string, len(names))
	table := &Table{Of: described{Definition{Members: strings.Join(names, " "), Memory: MemoryOf([]string(nil))}, func(_ any, k int) any { return &blank[k] }}}
	table.ready()
	want := make(map[string]int)
	for k, name := range names {
		want[name] = k
	}
	x := new(Decoder)
	read := func(name, end string) {
		t.Helper()
		text := []byte(fmt.Sprintf("%q%s", name, end))
		k, ok := want[name]
		if !ok {
			k = -1
		}
		x.begin(text)
		last := -1
		if got := x.name(table, x.guess(table), &last); got != k {
			t.Errorf("%s is member %d, want %d", text, got, k)
		}
		if rest := string(x.text[x.i:]); rest != strings.TrimLeft(end, ": \n") {
			t.Errorf("%s is read up to %q", text, rest)
		}
	}
	for _, end := range []string{":1", ": 1", " : \n1", `:"a longer value"`, ":{}"} {
		for _, name := range names {
			read(name, end)
			read(name, end) // as guessed
			read(name+"x", end)
			for i, c := range name {
				read(name[:i], end)
				read(name[:i]+"A"+name[i+utf8.RuneLen(c):], end)
			}
		}
	}
}
