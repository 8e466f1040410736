// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hcllex knows how native syntax is spelled: what is text in it and what
// is code, how deep it nests, which names, strings, templates and numbers need
// quotes or escapes. Every package that reads or writes native syntax has it from
// here. It works on text; the trees are those of HCL.
package hcllex

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// MaxNesting is how deep native syntax may nest. HCL's parser calls itself for
// every bracket, operator and template sequence, and a Go program whose stack
// grows beyond its limit ends at once: no caller can recover. At the limit the
// parser needs about 25 MB of stack.
const MaxNesting = 10000

// TooDeep looks for the place where native syntax nests deeper than
// MaxNesting; it returns -1 if there is none. What counts is every open
// bracket and template sequence, and every operator, index and condition of
// the expressions around them, because those make a tree that is as deep as
// they are many.
//
// It tokenises as hcl: hclsyntax/scan_tokens.rl does, but only as far as it
// must to distinguish text from code. src must be UTF-8, because that
// scanner takes more than the bad bytes for bad ones. If template is set, src is
// the text of a template, as JSON strings are.
func TooDeep(src []byte, template bool) int {
	if len(src) <= MaxNesting {
		return -1 // a byte counts at most once
	}
	return NewGuard(src, template).run()
}

// NewGuard returns a Guard at the beginning of src.
func NewGuard(src []byte, template bool) *Guard {
	g := &Guard{Src: src}
	g.Stack = append(g.Buffer[:0], Level{Mode: 'n'})
	if template {
		g.Stack[0].Mode = 't'
	}
	return g
}

// A Level is one open bracket, quote or heredoc.
type Level struct {
	// Mode is 'n' for code, 'q' in quotes, 'h' in a heredoc, 't' in a bare
	// template.
	Mode byte
	// open is the byte that began it: { ( [ or, for a template sequence, $.
	open byte
	// last is the last byte of code that is no space.
	last byte
	// chain counts operators and the like since the last separator.
	chain int
	// marker ends a heredoc; fresh reports that a line of it begins.
	marker []byte
	fresh  bool
}

// A Guard reads native syntax, token by token, and counts how deep it nests.
type Guard struct {
	Src    []byte
	I      int
	Total  int // the sum of all chains and levels
	braces int // the number of open braces and template sequences
	// From nextFrom on there are only spaces before nextAt.
	nextFrom, nextAt int

	Stack  []Level
	Buffer [64]Level
	// unclosed reports that no comment is closed any more.
	Unclosed bool
}

func (g *Guard) run() int {
	for g.I < len(g.Src) {
		top := &g.Stack[len(g.Stack)-1]
		switch top.Mode {
		case 'n':
			g.Code(top)
		default:
			g.Text(top)
		}
		if g.Total > MaxNesting {
			return g.I
		}
	}
	return -1
}

func (g *Guard) push(mode, open byte) *Level {
	if open == '{' || open == '$' {
		g.braces++
	}
	g.Stack = append(g.Stack, Level{Mode: mode, open: open, fresh: true})
	g.Total += g.Stack[len(g.Stack)-1].level()
	return &g.Stack[len(g.Stack)-1]
}

func (g *Guard) pop() {
	if n := len(g.Stack); n > 1 {
		if open := g.Stack[n-1].open; open == '{' || open == '$' {
			g.braces--
		}
		g.Total -= g.Stack[n-1].level() + g.Stack[n-1].chain
		g.Stack = g.Stack[:n-1]
	}
}

// level is what the Level itself counts. A bracket counts as a link in the
// chain of the nesting it is in: the depth of a[b][c] is then right.
func (n *Level) level() int {
	if n.open == '{' || n.open == '(' || n.open == '[' {
		return 0
	}
	return 1
}

func (g *Guard) link(top *Level) {
	top.chain++
	g.Total++
}

func (g *Guard) separate(top *Level) {
	g.Total -= top.chain
	top.chain = 0
}

// Code reads one token of code, more or less.
func (g *Guard) Code(top *Level) {
	c := g.Src[g.I]
	switch c {
	case ' ', '\t', '\r':
		g.I++
		return
	case '\n':
		g.I++
		// A line ends an argument, or an item of an object, unless an
		// operator says that it goes on.
		if (top.open == '{' || top.open == 0) && !continues(top.last) && begins(g.next()) {
			g.separate(top)
		}
		return
	case '#':
		g.comment()
		return
	case '/':
		switch {
		case bytes.HasPrefix(g.Src[g.I:], []byte("//")):
			g.comment()
			return
		case bytes.HasPrefix(g.Src[g.I:], []byte("/*")) && !g.Unclosed:
			// One that is not closed is two operators.
			if end := bytes.Index(g.Src[g.I+2:], []byte("*/")); end >= 0 {
				g.I += end + 4
				return
			}
			g.Unclosed = true
		}
	case '"':
		top.last = c
		g.I++
		g.push('q', c)
		return
	case '<':
		if marker, n := HeredocMarker(g.Src[g.I:]); n > 0 {
			top.last = '"'
			g.I += n
			g.push('h', c).marker = marker
			return
		}
	}
	top.last = c
	g.I++
	switch c {
	case '{', '(', '[':
		g.link(top)
		g.push('n', c)
	case '}':
		// HCL's scanner knows braces only: one closes whatever
		// parentheses and brackets are open in it, and none closes nothing.
		// What was not closed as it should be counts to the end: the text is
		// not valid, and the parser goes on in its own way from there.
		before, mismatch := g.Total, top.open != '{' && top.open != '$'
		for n := len(g.Stack); n > 1 && g.braces > 0; n = len(g.Stack) {
			open := g.Stack[n-1].open
			g.pop()
			if open == '{' || open == '$' {
				break
			}
		}
		if mismatch {
			g.Total = before
		}
	case ')', ']':
		if c == ')' && top.open == '(' || c == ']' && top.open == '[' {
			g.pop()
		}
	case ',':
		g.separate(top)
	case '!', '-', '+', '*', '/', '%', '&', '|', '<', '>', '=', '?', '.':
		g.link(top)
	}
	if c == '}' || c == ')' || c == ']' {
		g.Stack[len(g.Stack)-1].last = c // what it closed is an operand
	}
}

// next returns the first byte at or after i that is no space, or 0.
func (g *Guard) next() byte {
	if g.I < g.nextFrom || g.I > g.nextAt || g.nextAt == 0 { // of many empty lines the first one looks
		g.nextFrom = g.I
		for g.nextAt = g.I; g.nextAt < len(g.Src); g.nextAt++ {
			if c := g.Src[g.nextAt]; c != ' ' && c != '\t' && c != '\r' && c != '\n' {
				break
			}
		}
	}
	if g.nextAt < len(g.Src) {
		return g.Src[g.nextAt]
	}
	return 0
}

func (g *Guard) comment() {
	end := bytes.IndexByte(g.Src[g.I:], '\n')
	if end < 0 {
		end = len(g.Src) - g.I
	}
	g.I += end
}

// continues reports whether an expression goes on after c.
func continues(c byte) bool {
	return strings.IndexByte("!-+*/%&|<>=?:.,([{", c) >= 0
}

// begins reports whether c can begin an argument, a block or an item of an
// object, or end what holds them.
func begins(c byte) bool {
	return c == '_' || c == '"' || c == '(' || c == '}' || c >= 0x80 || c == 0 ||
		'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
}

// Text reads a piece of a template.
func (g *Guard) Text(top *Level) {
	if top.Mode == 'h' && top.fresh {
		top.fresh = false
		line := g.Src[g.I:]
		if end := bytes.IndexByte(line, '\n'); end >= 0 && bytes.Equal(bytes.TrimSpace(line[:end]), top.marker) {
			g.I += end
			g.pop()
			return
		}
	}
	c := g.Src[g.I]
	g.I++
	switch c {
	case '\n':
		top.fresh = true
	case '\\':
		if top.Mode == 'q' && g.I < len(g.Src) && g.Src[g.I] != '\n' && g.Src[g.I] != '\r' {
			g.I++
		}
	case '"':
		if top.Mode == 'q' {
			g.pop()
		}
	case '$', '%':
		rest := g.Src[g.I:]
		switch {
		case len(rest) >= 2 && rest[0] == c && rest[1] == '{':
			g.I += 2 // an escape: $${ or %%{
		case len(rest) >= 1 && rest[0] == '{':
			g.I++
			if c == '%' {
				g.directive(top)
			}
			g.push('n', '$')
		}
	}
}

// directive counts a %{ if } or %{ for }, which nest, up to its end.
func (g *Guard) directive(top *Level) {
	word := bytes.TrimLeft(bytes.TrimPrefix(g.Src[g.I:min(g.I+64, len(g.Src))], []byte("~")), " \t\r\n")
	if bytes.HasPrefix(word, []byte("end")) {
		if top.chain > 0 {
			top.chain--
			g.Total--
		}
		return
	}
	g.link(top)
}

// HeredocMarker returns the marker of the heredoc that src begins with, and
// how long its first line is; 0 if it begins with none.
func HeredocMarker(src []byte) (marker []byte, n int) {
	rest, ok := bytes.CutPrefix(src, []byte("<<"))
	if !ok {
		return nil, 0
	}
	rest = bytes.TrimPrefix(rest, []byte("-"))
	end := bytes.IndexByte(rest[:min(len(rest), 4097)], '\n')
	if end < 0 {
		return nil, 0
	}
	marker = bytes.TrimSuffix(rest[:end], []byte("\r"))
	if !hclsyntax.ValidIdentifier(string(marker)) {
		return nil, 0
	}
	return marker, len(src) - len(rest) + end + 1
}
