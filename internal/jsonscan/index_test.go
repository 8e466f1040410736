// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package jsonscan_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// TestIndex compares an index with encoding/json and with a search, at every
// value of random texts.
func TestIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var value func(depth int) string
	value = func(depth int) string {
		space := strings.Repeat(" ", r.IntN(2))
		n := r.IntN(5)
		switch k := r.IntN(6); {
		case depth == 0 || k == 0:
			return space + `"` + strings.Repeat(`\"[{`, r.IntN(8)) + `\\"` + space
		case k == 1:
			return space + "-12.5e3" + space
		case k < 4:
			parts := make([]string, n)
			for i := range parts {
				parts[i] = value(depth - 1)
			}
			return space + "[" + strings.Join(parts, ",") + space + "]"
		default:
			parts := make([]string, n)
			for i := range parts {
				parts[i] = `"],` + string(rune('a'+i)) + `":` + value(depth-1)
			}
			return space + "{" + strings.Join(parts, ",") + space + "}"
		}
	}
	long := 0
	var x jsonscan.Index
	for range 500 {
		text := []byte("[" + value(6) + "]")
		if end := x.Make(text, 0); end != len(text) {
			t.Fatalf("the end is at %d of %d", end, len(text))
		}
		var at []int
		for i := 0; i < len(text); {
			switch c := text[i]; c {
			case '"', '{', '[', '-':
				at = append(at, i)
				if c == '"' {
					i = jsonscan.StringEnd(text, i)
					continue
				}
			}
			i++
			if i > 0 && text[i-1] == '-' {
				i = jsonscan.ValueEnd(text, i-1)
			}
		}
		r.Shuffle(len(at), func(i, j int) { at[i], at[j] = at[j], at[i] })
		for _, i := range at {
			end, fault := jsonscan.Value(text, i, jsonscan.MaxDepth)
			if got := x.End(i); fault != jsonscan.OK || got != end {
				t.Fatalf("%s: the value at %d ends at %d, not %d", text, i, end, got)
			}
			if text[i] != '[' {
				continue
			}
			var list []json.RawMessage
			if err := json.Unmarshal(text[i:end], &list); err != nil {
				t.Fatal(err)
			}
			if end-i > 128 {
				long++
			}
			if n := x.Len(i); n != len(list) {
				t.Fatalf("%s: %d elements, not %d", text[i:end], len(list), n)
			}
		}
	}
	if long < 100 {
		t.Errorf("only %d long arrays", long)
	}
}
