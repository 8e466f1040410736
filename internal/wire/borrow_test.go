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

// A decoder that is given back refers to nothing that was read with it.
func TestDecoder_forget(t *testing.T) {
	var a arena
	text := strings.Repeat("x", smallText+1)
	a.reset(len(text), false)
	if a.string([]byte("one")) != "one" || a.recent == nil {
		t.Fatal("no table of strings")
	}
	table := a.recent
	a.forget()
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
	a.forget()
	a.reset(len(text), false)
	if a.recent != table || a.spare != nil {
		t.Error("the table is not used again")
	}
}

// A described is what a test says of its objects.
type described struct {
	d  Definition
	at func(o any, k int) any
}

func (o described) Define() Definition  { return o.d }
func (o described) At(v any, k int) any { return o.at(v, k) }

// A decoder that is given back refers to no value of a member, and to no object.
func TestDecoder_forgetsValues(t *testing.T) {
	type object struct {
		name string
		src  Source
	}
	type holder struct {
		list []*object
		src  Source
	}
	table := &Table{Of: described{Definition{Members: "name", Memory: MemoryOf([]object(nil))}, func(o any, k int) any {
		return []any{&o.(*object).src, &o.(*object).name}[k+1]
	}}}
	outer := &Table{Of: described{Definition{Members: "list", Memory: MemoryOf([]holder(nil)), Fields: []Field{Slice[*object](table)}}, func(o any, k int) any {
		return []any{&o.(*holder).src, &o.(*holder).list}[k+1]
	}}}
	text := []byte(`{"list":[` + strings.Repeat(`{"name":"n"},`, 9) + `{"name":"m"}]}`)
	d := new(Decoder)
	for range 3 {
		var h holder
		if err := d.Decode(text, outer, &h); err != nil || len(h.list) != 10 || h.list[8].name != "n" || h.list[9].name != "m" {
			t.Fatal(h, err)
		}
		if last := d.last.values[d.guess(table).base]; last != "m" {
			t.Errorf("the last value is %q", last)
		}
		d.forget()
		if last := d.last.values[d.guess(table).base]; last != "" {
			t.Errorf("%q is left", last)
		}
		if s := d.heap.slab(table.memory()); s.objects.IsValid() || s.all != nil || roomOf[*object](&d.heap).left != nil {
			t.Error("objects are left")
		}
	}
}

// What is left over of allocations is little in comparison to what they had.
func TestGrown(t *testing.T) {
	for _, row := range []struct{ few, most int }{{1, 10}, {8, 128}, {100, 128}} {
		size, made := 0, 0
		for range 100 {
			size = grown(size, made, row.few, row.most)
			if size < 1 || size > row.most || size > max(row.few, made/4, 1) {
				t.Fatalf("%v: %d after %d", row, size, made)
			}
			made += size
		}
		if size != row.most {
			t.Errorf("%v: the largest allocation has %d", row, size)
		}
	}
}

// Lists of strings that begin each other, of all lengths, one after the other.
func TestStringLists(t *testing.T) {
	x := new(Decoder)
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
		x.begin(bytes.Replace(b, []byte("null"), []byte("[]"), 1))
		x.i++
		for x.peek() == '[' {
			var list []string
			plainStrings.decode(x, &list)
			got = append(got, list)
			x.more(']', 0)
		}
		for n, want := range wants {
			if !slices.Equal(got[n], want) || cap(got[n]) > n {
				t.Errorf("%d strings: %q", n, got[n])
			}
		}
		x.forget()
	}
}
