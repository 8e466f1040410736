// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
)

// A span is a value in a text, found by a reader that has nothing in common
// with the package's own: the tokens and offsets of encoding/json.
type span struct {
	start, end int
	members    []member // of an object
	elements   []*span  // of an array
	object     bool
}

type member struct {
	name  string
	start int // of the name
	value *span
}

// readSpans reads a whole text.
func readSpans(t testing.TB, text []byte) *span {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := readSpan(d, text)
	if err != nil {
		t.Fatalf("the independent reader: %v", err)
	}
	return v
}

// begin returns the offset of the next token.
func begin(d *json.Decoder, text []byte) int {
	i := int(d.InputOffset())
	for bytes.IndexByte([]byte(" \t\r\n,:"), text[i]) >= 0 {
		i++
	}
	return i
}

func readSpan(d *json.Decoder, text []byte) (*span, error) {
	v := &span{start: begin(d, text)}
	tok, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch tok {
	case json.Delim('{'):
		v.object = true
		for d.More() {
			m := member{start: begin(d, text)}
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			m.name = name.(string)
			if m.value, err = readSpan(d, text); err != nil {
				return nil, err
			}
			v.members = append(v.members, m)
		}
		_, err = d.Token()
	case json.Delim('['):
		for d.More() {
			e, err := readSpan(d, text)
			if err != nil {
				return nil, err
			}
			v.elements = append(v.elements, e)
		}
		_, err = d.Token()
	}
	v.end = int(d.InputOffset())
	return v, err
}

// member returns the member with this name, or nil.
func (v *span) member(name string) *member {
	for i := range v.members {
		if v.members[i].name == name {
			return &v.members[i]
		}
	}
	return nil
}

// replaced returns text with the value replaced.
func (v *span) replaced(text []byte, by string) []byte {
	return fmt.Appendf(nil, "%s%s%s", text[:v.start], by, text[v.end:])
}

// without returns text without the member: with the separator before it, or if
// it is the first one, the separator after it.
func (v *span) without(text []byte, name string) []byte {
	for i, m := range v.members {
		if m.name != name {
			continue
		}
		switch {
		case i > 0:
			return append(bytes.Clone(text[:v.members[i-1].value.end]), text[m.value.end:]...)
		case len(v.members) > 1:
			return append(bytes.Clone(text[:m.start]), text[v.members[1].start:]...)
		default:
			return append(bytes.Clone(text[:v.start+1]), text[v.end-1:]...)
		}
	}
	return text
}
