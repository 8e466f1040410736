// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// TestRepeats_Index compares the index of a text in which containers repeat, in
// all of it and in a part of it, with one that is made for the purpose.
func TestRepeats_Index(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var known []string
	var value func(depth int) string
	value = func(depth int) string {
		n := r.IntN(6)
		switch k := r.IntN(8); {
		case k < 3 && len(known) > 0:
			if text := known[r.IntN(len(known))]; len(text) < 1000 {
				return text
			}
			return "[]"
		case depth == 0 || k == 3:
			return `"` + strings.Repeat(`\"],{`, r.IntN(40)) + `"`
		case k < 6:
			parts := make([]string, n)
			for i := range parts {
				parts[i] = value(depth - 1)
			}
			known = append(known, "["+strings.Join(parts, ", ")+"]")
		default:
			parts := make([]string, n)
			for i := range parts {
				parts[i] = fmt.Sprintf(`"]%d" : %s`, i, value(depth-1))
			}
			known = append(known, "{"+strings.Join(parts, ",")+"}")
		}
		return known[len(known)-1]
	}
	var repeats wire.Repeats
	var whole, own, ofPart jsonscan.Index
	repeated, inside := 0, 0
	for range 300 {
		known = nil
		text := []byte(" [" + value(5) + "," + value(5) + "," + value(3) + "]\n")
		if !repeats.Index(text, &whole) {
			t.Fatalf("%s: duplicates", text)
		}
		at := containers(text)
		r.Shuffle(len(at), func(i, j int) { at[i], at[j] = at[j], at[i] })
		for _, k := range known {
			if len(k) >= 200 && strings.Count(string(text), k) > 1 {
				repeated++
			}
		}
		part := at[0]
		end := jsonscan.ValueEnd(text, part)
		ofPart.Make(text[part:end], 0)
		own.Make(text, 1)
		for _, i := range at {
			whole.Of(text, 0)
			if whole.End(i) != own.End(i) {
				t.Fatalf("%s: the value at %d ends at %d, not %d", text, i, whole.End(i), own.End(i))
			}
			if text[i] == '[' && whole.Len(i) != own.Len(i) {
				t.Fatalf("%s: the array at %d has %d elements, not %d", text, i, whole.Len(i), own.Len(i))
			}
			if i < part || i >= end {
				continue
			}
			inside++
			whole.Of(text[part:end], part)
			if i -= part; whole.End(i) != ofPart.End(i) || text[part+i] == '[' && whole.Len(i) != ofPart.Len(i) {
				t.Fatalf("%s: the value at %d of %d is another one", text, i, part)
			}
		}
	}
	if repeated < 100 || inside < 300 {
		t.Errorf("%d containers repeated, %d in a part", repeated, inside)
	}
	for _, text := range []string{`{"a":1,"a":2}`, `[{"a":{"b":1,"c":2,"\u0062":3}}]`} {
		if repeats.Index([]byte(text), &whole) {
			t.Errorf("%s: no duplicates", text)
		}
	}
}

// TestRepeats_Names compares what is found in objects that begin with the same
// names, one inside of another and one after another, with a simple search.
func TestRepeats_Names(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	repeated := false
	var object func(depth int) string
	object = func(depth int) string {
		seen := make(map[string]bool)
		parts := make([]string, 1+r.IntN(5))
		for i := range parts {
			name := string(rune('a' + i))
			if r.IntN(12) == 0 {
				name = string(rune('a' + r.IntN(6)))
			}
			repeated = repeated || seen[name]
			seen[name] = true
			if r.IntN(8) == 0 {
				name = fmt.Sprintf(`\u%04x`, name[0])
			}
			value := "1"
			if depth > 0 && r.IntN(3) == 0 {
				value = object(depth - 1)
			}
			parts[i] = `"` + name + `":` + value
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	var repeats wire.Repeats
	var index jsonscan.Index
	with, without := 0, 0
	for range 5000 {
		repeated = false
		text := "[" + object(3) + "," + object(1) + "," + object(2) + "]"
		if unique := repeats.Index([]byte(text), &index); unique == repeated {
			t.Fatalf("%s: repeated %v, unique %v", text, repeated, unique)
		}
		if repeated {
			with++
		} else {
			without++
		}
	}
	if with < 500 || without < 500 {
		t.Errorf("%d texts with duplicates, %d without", with, without)
	}
}

// containers returns where the arrays and objects in a text begin.
func containers(text []byte) (at []int) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = jsonscan.StringEnd(text, i) - 1
		case '{', '[':
			at = append(at, i)
		}
	}
	return at
}
