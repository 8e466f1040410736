// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"encoding/json"
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// readJSONValue reads a text that is one JSON value.
func readJSONValue(src []byte) (*jsonValue, bool) {
	if !json.Valid(src) {
		return nil, false
	}
	return valueOfJSON(src), true
}

func valueOfJSON(src []byte) *jsonValue {
	src = src[jsonscan.Space(src, 0):]
	switch src[0] {
	case '{':
		v := &jsonValue{object: true}
		for name, value := range jsonscan.Members(src) {
			v.members = append(v.members, jsonMember{string(name), valueOfJSON(value)})
		}
		return v
	case '[':
		v := &jsonValue{}
		for item := range jsonscan.Elements(src) {
			v.items = append(v.items, valueOfJSON(item))
		}
		return v
	}
	return &jsonValue{text: strings.TrimSpace(string(src))}
}

// write writes the value as encoding/json.Indent does with two spaces.
func (v *jsonValue) write(b *strings.Builder, indent string) {
	open, shut, n := "[", "]", len(v.items)
	if v.object {
		open, shut, n = "{", "}", len(v.members)
	}
	switch {
	case v.text != "":
		b.WriteString(v.text)
		return
	case n == 0:
		b.WriteString(open + shut)
		return
	}
	b.WriteString(open)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n" + indent + "  ")
		if v.object {
			b.WriteString(v.members[i].name + ": ")
			v.members[i].value.write(b, indent+"  ")
		} else {
			v.items[i].write(b, indent+"  ")
		}
	}
	b.WriteString("\n" + indent + shut)
}
