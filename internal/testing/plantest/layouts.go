// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plantest

import (
	"bytes"
	"encoding/json"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// Layouts returns an iterator over texts that differ from a valid one in white space
// alone, each with the name of its layout: such as Python's and Ruby's libraries write,
// and such as nobody writes. The sample of package depth has one of them, for texts of
// other lengths another one.
func Layouts(text []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		only := len(text) % (len(layouts) + 1)
		for i, l := range layouts {
			if (depth.IsFull() || i == only) && !yield(l.name, spaced(text, l.around)) {
				return
			}
		}
		if !depth.IsFull() && only < len(layouts) {
			return
		}
		r := rand.New(rand.NewPCG(1, uint64(len(text))))
		white := []string{"", "", "", " ", "\n", "\t ", " \r\n        "}
		yield("random", spaced(text, func(byte) (string, string) { return white[r.IntN(len(white))], white[r.IntN(len(white))] }))
	}
}

// layouts says what comes before and after each of the characters {}[],: outside of
// strings.
var layouts = []struct {
	name   string
	around func(c byte) (before, after string)
}{
	{"compact", func(byte) (string, string) { return "", "" }},
	{"Python", func(c byte) (string, string) {
		if c == ',' || c == ':' {
			return "", " "
		}
		return "", ""
	}},
	{"spaces in brackets", func(byte) (string, string) { return " ", " " }},
	{"space before colons", func(c byte) (string, string) {
		if c == ':' {
			return " ", " "
		}
		return "", "\n"
	}},
}

func spaced(text []byte, around func(c byte) (before, after string)) []byte {
	var out []byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case ' ', '\t', '\n', '\r':
		case '"':
			start := i
			for i++; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			out = append(out, text[start:i+1]...)
		case '{', '}', '[', ']', ',', ':':
			before, after := around(c)
			out = append(append(append(out, before...), c), after...)
		default:
			out = append(out, c)
		}
	}
	return out
}

// Orders returns an iterator over texts that differ from a valid one in the order of the
// members of all objects, each with the name of the order. The sample of package depth
// has the one or the other.
func Orders(text []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		odd := len(text)%2 > 0
		_ = (odd && !depth.IsFull() || yield("sorted", ordered(text, strings.Compare))) &&
			(!odd && !depth.IsFull() || yield("reversed", ordered(text, func(a, b string) int { return strings.Compare(b, a) })))
	}
}

// ordered returns a compact text with the members of objects in the given order.
func ordered(text []byte, compare func(a, b string) int) []byte {
	text = bytes.TrimSpace(text)
	var out []byte
	switch text[0] {
	case '{':
		var members map[string]json.RawMessage
		if err := json.Unmarshal(text, &members); err != nil {
			panic(err)
		}
		for i, name := range slices.SortedFunc(maps.Keys(members), compare) {
			if i > 0 {
				out = append(out, ',')
			}
			quoted, _ := json.Marshal(name)
			out = append(append(append(out, quoted...), ':'), ordered(members[name], compare)...)
		}
		return append(append([]byte{'{'}, out...), '}')
	case '[':
		var elements []json.RawMessage
		if err := json.Unmarshal(text, &elements); err != nil {
			panic(err)
		}
		for i, e := range elements {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, ordered(e, compare)...)
		}
		return append(append([]byte{'['}, out...), ']')
	}
	return text
}
