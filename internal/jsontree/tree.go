// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package jsontree lays out JSON that is to be written, as people lay it out: one
// member on a line, short arrays of scalars on one.
package jsontree

import (
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A Node is JSON to be written: raw text, an object or an array.
type Node struct {
	Text    string
	Members []Member // of an object
	Items   []*Node  // of an array
	Form    byte     // 0 raw, '{' or '['
}

// A Member is a property of an object.
type Member struct {
	Name  string
	Value *Node
}

// Property returns a member.
func Property(name string, value *Node) Member { return Member{name, value} }

// Raw returns a scalar, or any other JSON that is written unchanged.
func Raw(text string) *Node { return &Node{Text: text} }

// Object returns an object.
func Object(members ...Member) *Node { return &Node{Form: '{', Members: members} }

// Array returns an array.
func Array(items ...*Node) *Node { return &Node{Form: '[', Items: items} }

// A Style says how JSON is laid out.
type Style struct {
	Newline string // empty: all on one line
	Unit    string // one level of indentation
	Colon   string // between name and value
	Comma   string // between members on one line
	// Expand also puts the elements of short arrays on lines of their own.
	Expand bool
}

// Pretty is the style of a file that is new.
var Pretty = Style{Newline: "\n", Unit: "  ", Colon: ": ", Comma: ", "}

// maxIndent is how far lines are indented. Without a limit, the text would grow with the square of the depth.
const maxIndent = 200

// Write writes n, whose line is indented by indent. Arrays of scalars stay on
// one line while they are short, unless style.Expand is set.
func (n *Node) Write(b *strings.Builder, style Style, indent string) {
	switch n.Form {
	case 0:
		b.WriteString(n.Text)
	case '{':
		n.writeItems(b, style, indent, len(n.Members), "{", "}", func(i int, inner string) {
			b.WriteString(Quote(n.Members[i].Name))
			b.WriteString(style.Colon)
			n.Members[i].Value.Write(b, style, inner)
		})
	case '[':
		if len(n.Items) == 0 || n.short() && !style.Expand {
			style.Newline = ""
		}
		n.writeItems(b, style, indent, len(n.Items), "[", "]", func(i int, inner string) {
			n.Items[i].Write(b, style, inner)
		})
	}
}

func (n *Node) short() bool {
	width := 0
	for _, item := range n.Items {
		if item.Form != 0 {
			return false
		}
		width += len(item.Text) + 2
	}
	return width <= 80
}

func (n *Node) writeItems(b *strings.Builder, style Style, indent string, count int, open, shut string, item func(i int, inner string)) {
	b.WriteString(open)
	inner := indent
	if len(indent) < maxIndent {
		inner += style.Unit
	}
	for i := range count {
		switch {
		case style.Newline != "":
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(style.Newline + inner)
		case i > 0:
			b.WriteString(style.Comma)
		}
		item(i, inner)
	}
	if count > 0 && style.Newline != "" {
		b.WriteString(style.Newline + indent)
	}
	b.WriteString(shut)
}

// Quote returns s as a JSON string.
func Quote(s string) string { return string(jsonscan.AppendQuote(nil, s, false)) }
