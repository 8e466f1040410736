// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
)

// spaced returns a text with other white space around its tokens: before and after
// says what to write around each of the characters {}[],: outside of strings.
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

// TestLayouts writes all recordings in other layouts, such as those of Python's and
// Ruby's libraries and of no library at all, and requires the same documents
// and the same text from them.
func TestLayouts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	white := []string{"", "", "", " ", "\n", "\t ", " \r\n        "}
	layouts := map[string]func(c byte) (before, after string){
		"compact": func(byte) (string, string) { return "", "" },
		"Python": func(c byte) (string, string) {
			if c == ',' || c == ':' {
				return "", " "
			}
			return "", ""
		},
		"space before colons": func(c byte) (string, string) {
			if c == ':' {
				return " ", " "
			}
			return "", "\n"
		},
		"spaces in brackets": func(byte) (string, string) { return " ", " " },
		"random":             func(byte) (string, string) { return white[r.IntN(len(white))], white[r.IntN(len(white))] },
	}
	documents := 0
	for _, rec := range recordings(t) {
		doc, err := decodeAs(rec.kind, rec.text)
		if err != nil {
			t.Fatal(err)
		}
		for name, around := range layouts {
			text := spaced(rec.text, around)
			other, err := decodeAs(rec.kind, text)
			if err != nil {
				t.Errorf("%s, %s: %v", rec.name, name, err)
				continue
			}
			if !planjson.Equal(doc.value.(planjson.Object), other.value.(planjson.Object)) {
				t.Errorf("%s, %s: another document", rec.name, name)
			}
			if out, err := other.encode(); err != nil || !bytes.Equal(out, text) {
				t.Errorf("%s, %s: another text, %v", rec.name, name, err)
			}
			documents++
		}
	}
	if documents < 900 {
		t.Errorf("only %d documents", documents)
	}
}
