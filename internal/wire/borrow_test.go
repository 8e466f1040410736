// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// A codec that is given back refers to nothing that was read with it.
func TestCodec_forget(t *testing.T) {
	var a arena
	text := strings.Repeat("x", smallText+1)
	a.reset(len(text), false)
	if a.string([]byte("one"), 0, len(text)) != "one" || a.recent == nil {
		t.Fatal("no table of strings")
	}
	table := a.recent
	a.forget(len(text))
	if a.recent != nil || a.spare != table || a.b.Cap() != 0 {
		t.Error("something is left")
	}
	for _, s := range table {
		if s != "" {
			t.Errorf("%q is left", s)
		}
	}
	a.reset(10, false) // a small text needs no table
	if a.recent != nil {
		t.Error("a small text has a table")
	}
	a.forget(len(text))
	a.reset(len(text), false)
	if a.recent != table || a.spare != nil {
		t.Error("the table is not used again")
	}
}

// A codec that is given back refers to no value of a member, and its next text
// gets what the ones before have needed, in one allocation.
func TestCodec_learns(t *testing.T) {
	type object struct {
		name string
		src  Source
	}
	table := NewTable("name")
	fields := func(v *object, x *Codec) {
		x.Object(v, &v.src, table, func(_ any, x *Codec, _ int) { String(x, &v.name) })
	}
	var list []*object
	text := []byte("[" + strings.Repeat(`{"name":"n"},`, 9) + `{"name":"m"}]`)
	x := new(Codec)
	size := 0
	for range 3 {
		if err := x.Decode(text, func(x *Codec) { Slice(x, &list, fields) }); err != nil || len(list) != 10 || list[8].name != "n" || list[9].name != "m" {
			t.Fatal(list, err)
		}
		size = slabOf[object](x).size
		if last := x.last[x.guess(table).base]; last != "m" {
			t.Errorf("the last value is %q", last)
		}
		x.forget()
		if last := x.last[x.guess(table).base]; last != "" {
			t.Errorf("%q is left", last)
		}
	}
	if size != 10 {
		t.Errorf("the last allocation has %d objects", size)
	}
}

// Texts of different kinds do not make the next one's allocations large.
func TestPace(t *testing.T) {
	for _, tt := range []struct {
		before [2]need
		want   int
	}{
		{[2]need{}, 1},
		{[2]need{{10, 100}}, 1},          // there was only one text
		{[2]need{{10, 0}, {10, 100}}, 1}, // several, of which the length is not known
		{[2]need{{10, 100}, {10, 100}}, 20},
		{[2]need{{10, 100}, {13, 100}}, 20},
		{[2]need{{40, 100}, {10, 100}}, 10},
		{[2]need{{10, 100}, {0, 100}}, 1},
	} {
		p := pace{before: tt.before}
		if got := p.expected(200); got != tt.want {
			t.Errorf("after %v: %d, want %d", tt.before, got, tt.want)
		}
	}
}

// Lists of strings that begin each other, of all lengths, one after the other.
func TestStringLists(t *testing.T) {
	x := new(Codec)
	for range 2 { // the second time, there is room for all
		var wants, got [][]string
		b := []byte("[")
		for n := range 40 {
			var want []string
			for i := range n {
				want = append(want, []string{"a.b.c", "a.b", "a", "", "a\"", "aws_vpc.main.id", "aws_vpc.main", "é"}[(i+n)%8])
			}
			wants = append(wants, want)
			text, err := json.Marshal(want)
			if err != nil {
				t.Fatal(err)
			}
			b = append(append(b, text...), ',')
		}
		b = append(b, "[]]"...)
		err := x.Decode(bytes.Replace(b, []byte("null"), []byte("[]"), 1), func(x *Codec) {
			x.i++
			for x.peek() == '[' {
				var list []string
				Strings(x, &list)
				got = append(got, list)
				x.more(']', 0)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		for n, want := range wants {
			if !slices.Equal(got[n], want) || cap(got[n]) > n {
				t.Errorf("%d strings: %q", n, got[n])
			}
		}
		x.forget()
	}
}
