// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// Attributes know which attribute each part of a value belongs to: the innermost member
// around it. The zero attributes are those of no value.
type attributes struct {
	text []byte
	i    int // what is before has been looked at
	root string
	open []attribute // the containers around i

	isOpen   bool // the value is being gone through
	identity bool // it is an identity
}

// An attribute is the name of the member at hand in a container. An array has that of the
// container around it.
type attribute struct {
	start, end int // of the name, in quotes
	object     bool
}

// begin begins a value at i of a text, which is that of an attribute.
func (a *attributes) begin(text []byte, i int, root string) {
	a.text, a.i, a.root, a.open = text, i, root, a.open[:0]
	a.isOpen, a.identity = true, false
}

// end ends the value.
func (a *attributes) end() { a.isOpen = false }

// at returns the name of the attribute of the token that begins at i, which is not before
// the last one.
func (a *attributes) at(i int) string {
	for a.i < i {
		switch c := a.text[a.i]; c {
		case '{', '[':
			a.open = append(a.open, attribute{object: c == '{'})
		case '}', ']':
			if n := len(a.open); n > 0 {
				a.open = a.open[:n-1]
			}
		case '"':
			end := jsonscan.StringEnd(a.text, a.i)
			if n := len(a.open); n > 0 && a.open[n-1].object {
				if next := jsonscan.Space(a.text, end); next < len(a.text) && a.text[next] == ':' {
					a.open[n-1].start, a.open[n-1].end = a.i, end
				}
			}
			a.i = end
			continue
		}
		a.i++
	}
	for n := len(a.open) - 1; n >= 0; n-- {
		if x := a.open[n]; x.end > 0 {
			return jsonscan.Unquote(a.text[x.start:x.end])
		}
	}
	return a.root
}

// rootName returns the name of the attribute, the output or the variable that a member of
// an object is the value of. Those of an instance have the same: the one after a change is
// mostly the one before.
func rootName(m *member, cx *context) string {
	if cx.block != "" {
		switch m.name {
		case "before", "after", "values":
			return "values"
		case "before_identity", "after_identity":
			return "identity"
		}
	}
	for _, kind := range []string{"output.", "var."} {
		if i := strings.LastIndex(cx.address, kind); i == 0 || i > 0 && cx.address[i-1] == '.' {
			return cx.address[i+len(kind):]
		}
	}
	return m.name
}
