// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// maxNesting is how deep native syntax may nest. HCL's parser calls itself for
// every bracket, operator and template sequence, and a Go program whose stack
// grows beyond its limit ends at once: no caller can recover. At the limit the
// parser needs about 25 MB of stack.
const maxNesting = 10000

// tooDeep looks for the place where native syntax nests deeper than
// maxNesting; it returns -1 if there is none. What counts is every open
// bracket and template sequence, and every operator, index and condition of
// the expressions around them, because those make a tree that is as deep as
// they are many.
//
// It tokenises as hcl: hclsyntax/scan_tokens.rl does, but only as far as it
// must to know what is text and what is not. src must be UTF-8, because that
// scanner takes more than the bad bytes for bad ones. If template is set, src is
// the text of a template, as JSON strings are.
func tooDeep(src []byte, template bool) int {
	return newNestingGuard(src, template).run()
}

func newNestingGuard(src []byte, template bool) *nestingGuard {
	g := &nestingGuard{src: src}
	g.stack = append(g.buffer[:0], nesting{mode: 'n'})
	if template {
		g.stack[0].mode = 't'
	}
	return g
}

// A nesting is one open bracket, quote or heredoc.
type nesting struct {
	// mode is 'n' for code, 'q' in quotes, 'h' in a heredoc, 't' in a bare
	// template.
	mode byte
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

type nestingGuard struct {
	src    []byte
	i      int
	total  int // the sum of all chains and levels
	braces int // the number of open braces and template sequences
	stack  []nesting
	buffer [64]nesting
	// unclosed reports that no comment is closed any more.
	unclosed bool
}

func (g *nestingGuard) run() int {
	for g.i < len(g.src) {
		top := &g.stack[len(g.stack)-1]
		switch top.mode {
		case 'n':
			g.code(top)
		default:
			g.text(top)
		}
		if g.total > maxNesting {
			return g.i
		}
	}
	return -1
}

func (g *nestingGuard) push(mode, open byte) *nesting {
	if open == '{' || open == '$' {
		g.braces++
	}
	g.stack = append(g.stack, nesting{mode: mode, open: open, fresh: true})
	g.total += g.stack[len(g.stack)-1].level()
	return &g.stack[len(g.stack)-1]
}

func (g *nestingGuard) pop() {
	if n := len(g.stack); n > 1 {
		if open := g.stack[n-1].open; open == '{' || open == '$' {
			g.braces--
		}
		g.total -= g.stack[n-1].level() + g.stack[n-1].chain
		g.stack = g.stack[:n-1]
	}
}

// level is what the nesting itself counts. A bracket counts as a link in the
// chain of what it is in, so that a[b][c] is as deep as it is.
func (n *nesting) level() int {
	if n.open == '{' || n.open == '(' || n.open == '[' {
		return 0
	}
	return 1
}

func (g *nestingGuard) link(top *nesting) {
	top.chain++
	g.total++
}

func (g *nestingGuard) separate(top *nesting) {
	g.total -= top.chain
	top.chain = 0
}

// code reads one token of code, more or less.
func (g *nestingGuard) code(top *nesting) {
	c := g.src[g.i]
	switch c {
	case ' ', '\t', '\r':
		g.i++
		return
	case '\n':
		g.i++
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
		case bytes.HasPrefix(g.src[g.i:], []byte("//")):
			g.comment()
			return
		case bytes.HasPrefix(g.src[g.i:], []byte("/*")) && !g.unclosed:
			// One that is not closed is two operators.
			if end := bytes.Index(g.src[g.i+2:], []byte("*/")); end >= 0 {
				g.i += end + 4
				return
			}
			g.unclosed = true
		}
	case '"':
		top.last = c
		g.i++
		g.push('q', c)
		return
	case '<':
		if marker, n := heredocMarker(g.src[g.i:]); n > 0 {
			top.last = '"'
			g.i += n
			g.push('h', c).marker = marker
			return
		}
	}
	top.last = c
	g.i++
	switch c {
	case '{', '(', '[':
		g.link(top)
		g.push('n', c)
	case '}':
		// HCL's scanner knows braces only: one closes whatever
		// parentheses and brackets are open in it, and none closes nothing.
		// What was not closed as it should be counts to the end: the text is
		// not valid, and the parser goes on in its own way from there.
		before, mismatch := g.total, top.open != '{' && top.open != '$'
		for n := len(g.stack); n > 1 && g.braces > 0; n = len(g.stack) {
			open := g.stack[n-1].open
			g.pop()
			if open == '{' || open == '$' {
				break
			}
		}
		if mismatch {
			g.total = before
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
		g.stack[len(g.stack)-1].last = c // what it closed is an operand
	}
}

// next returns the first byte at or after i that is no space, or 0.
func (g *nestingGuard) next() byte {
	for j := g.i; j < len(g.src); j++ {
		if c := g.src[j]; c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return c
		}
	}
	return 0
}

func (g *nestingGuard) comment() {
	end := bytes.IndexByte(g.src[g.i:], '\n')
	if end < 0 {
		end = len(g.src) - g.i
	}
	g.i += end
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

// text reads a piece of a template.
func (g *nestingGuard) text(top *nesting) {
	if top.mode == 'h' && top.fresh {
		top.fresh = false
		line := g.src[g.i:]
		if end := bytes.IndexByte(line, '\n'); end >= 0 && bytes.Equal(bytes.TrimSpace(line[:end]), top.marker) {
			g.i += end
			g.pop()
			return
		}
	}
	c := g.src[g.i]
	g.i++
	switch c {
	case '\n':
		top.fresh = true
	case '\\':
		if top.mode == 'q' && g.i < len(g.src) && g.src[g.i] != '\n' && g.src[g.i] != '\r' {
			g.i++
		}
	case '"':
		if top.mode == 'q' {
			g.pop()
		}
	case '$', '%':
		rest := g.src[g.i:]
		switch {
		case len(rest) >= 2 && rest[0] == c && rest[1] == '{':
			g.i += 2 // an escape: $${ or %%{
		case len(rest) >= 1 && rest[0] == '{':
			g.i++
			if c == '%' {
				g.directive(top)
			}
			g.push('n', '$')
		}
	}
}

// directive counts a %{ if } or %{ for }, which nest, up to its end.
func (g *nestingGuard) directive(top *nesting) {
	word := bytes.TrimLeft(bytes.TrimPrefix(g.src[g.i:min(g.i+64, len(g.src))], []byte("~")), " \t\r\n")
	if bytes.HasPrefix(word, []byte("end")) {
		if top.chain > 0 {
			top.chain--
			g.total--
		}
		return
	}
	g.link(top)
}

// heredocMarker returns the marker of the heredoc that src begins with, and
// how long its first line is; 0 if it begins with none.
func heredocMarker(src []byte) (marker []byte, n int) {
	rest, ok := bytes.CutPrefix(src, []byte("<<"))
	if !ok {
		return nil, 0
	}
	rest = bytes.TrimPrefix(rest, []byte("-"))
	end := bytes.IndexByte(rest, '\n')
	if end < 0 || end > 4096 {
		return nil, 0
	}
	marker = bytes.TrimSuffix(rest[:end], []byte("\r"))
	if !hclsyntax.ValidIdentifier(string(marker)) {
		return nil, 0
	}
	return marker, len(src) - len(rest) + end + 1
}
