// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cliconfig

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/internal/printable"
)

// The CLI configuration is written in HCL 1, native or in JSON, but has only
// literal values. This small reader knows only these. A program that downloads
// providers therefore need not contain the whole language.

// parseSyntax reads a file. As in the tools, it is JSON if it begins like
// JSON, and it must be UTF-8 without byte order mark and NUL, in comments as
// well. OpenTofu refuses an argument that occurs twice in one body; once selects
// that rule.
func parseSyntax(src []byte, once bool) ([]item, *fault) {
	for i, r := range string(src) {
		if r == '\ufeff' && i == 0 || r == 0 {
			return nil, &fault{i, fmt.Errorf("illegal character %U", r)}
		}
		if r == utf8.RuneError && !utf8.FullRune(src[i:]) || r == utf8.RuneError && !bytes.HasPrefix(src[i:], []byte("\ufffd")) {
			return nil, &fault{i, errors.New("the text is not UTF-8")}
		}
	}
	if bytes.HasPrefix(bytes.TrimLeft(src, " \t\r\n"), []byte("{")) {
		return parseLiteralJSON(src)
	}
	p := &nativeParser{src: string(src), once: once}
	return p.items(0, false)
}

type nativeParser struct {
	src  string
	pos  int
	once bool // no argument may occur twice
}

// maxDepth bounds nesting.
const maxDepth = 20

var errDepth = fmt.Errorf("%w: nested more than %d levels deep", ErrLimit, maxDepth)

func (p *nativeParser) errorf(format string, args ...any) *fault {
	return &fault{p.pos, fmt.Errorf(format, args...)}
}

// space skips white space and comments.
func (p *nativeParser) space() *fault {
	for p.pos < len(p.src) {
		rest := p.src[p.pos:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			p.pos++
		case rest[0] == '#' || strings.HasPrefix(rest, "//"):
			i := strings.IndexByte(rest, '\n')
			if i < 0 {
				i = len(rest)
			}
			p.pos += i
		case strings.HasPrefix(rest, "/*"):
			i := strings.Index(rest, "*/")
			if i < 0 {
				return p.errorf("the comment is not closed")
			}
			p.pos += i + 2
		default:
			return nil
		}
	}
	return nil
}

// items reads arguments and blocks up to the end of the file or block.
func (p *nativeParser) items(depth int, block bool) ([]item, *fault) {
	if depth > maxDepth {
		return nil, &fault{p.pos, errDepth}
	}
	out := []item{}
	seen := map[string]bool{} // arguments, as written
	for {
		if err := p.space(); err != nil {
			return nil, err
		}
		if len(out) > 0 && p.comma() { // a comma may follow an item
			if err := p.space(); err != nil {
				return nil, err
			}
		}
		if p.pos == len(p.src) {
			if block {
				return nil, p.errorf("a closing brace is missing")
			}
			return out, nil
		}
		if p.src[p.pos] == '}' && block {
			p.pos++
			return out, nil
		}
		start := p.pos
		it, err := p.item(depth)
		if err != nil {
			return nil, err
		}
		if it.assigned && p.once {
			key := p.src[start:it.nameEnd]
			if seen[key] {
				return nil, it.errorf("the argument %s occurs twice", printable.Line(it.name, 60))
			}
			seen[key] = true
		}
		out = append(out, it)
	}
}

// comma skips a comma, and reports whether there is one.
func (p *nativeParser) comma() bool {
	if p.pos == len(p.src) || p.src[p.pos] != ',' {
		return false
	}
	p.pos++
	return true
}

// item reads NAME = VALUE, or NAME LABEL... { ... }.
func (p *nativeParser) item(depth int) (item, *fault) {
	it := item{offset: p.pos}
	var err *fault
	if c := p.src[p.pos]; c == '-' || c == '.' || c >= '0' && c <= '9' {
		return it, p.errorf("a name or a string is expected")
	}
	if it.name, err = p.word(); err != nil {
		return it, err
	}
	it.nameEnd = p.pos
	for {
		if err := p.space(); err != nil {
			return it, err
		}
		switch {
		case p.pos == len(p.src):
			return it, p.errorf("the file ends after %q", it.name)
		case p.src[p.pos] == '=' && len(it.labels) == 0:
			p.pos++
			it.assigned = true
			v, err := p.value(depth)
			if body, ok := v.([]item); ok {
				it.body = body
			} else {
				it.value = v
			}
			it.end = p.pos
			return it, err
		case p.src[p.pos] == '{':
			p.pos++
			it.body, err = p.items(depth+1, true)
			it.end = p.pos
			return it, err
		}
		label, err := p.word()
		if err != nil {
			return it, err
		}
		it.labels = append(it.labels, label)
	}
}

// word reads a name or a string.
func (p *nativeParser) word() (string, *fault) {
	if p.src[p.pos] == '"' {
		return p.text()
	}
	start := p.pos
	for p.pos < len(p.src) {
		r, n := utf8.DecodeRuneInString(p.src[p.pos:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' && r != '.' {
			break
		}
		p.pos += n
	}
	if p.pos == start {
		return "", p.errorf("a name or a string is expected")
	}
	return p.src[start:p.pos], nil
}

// text reads a string in double quotes. As in HCL 1, the text between "${" and
// "}" is kept as written, including quotes and escapes. The user of the string
// evaluates templates.
func (p *nativeParser) text() (string, *fault) {
	start := p.pos
	var out strings.Builder
	from, braces := start+1, 0 // the start of the text not yet in out; depth inside of "${"
	flush := func(to int) bool {
		s, err := strconv.Unquote("\"" + p.src[from:to] + "\"")
		out.WriteString(s)
		return err == nil
	}
	for i := start + 1; i < len(p.src); i++ {
		c := p.src[i]
		switch {
		case braces > 0:
			switch c {
			case '{':
				braces++
			case '}':
				if braces--; braces == 0 {
					out.WriteString(p.src[from : i+1])
					from = i + 1
				}
			}
		case c == '\\':
			i++
		case c == '\n':
			return "", p.errorf("the string is not closed on its line")
		case c == '$' && strings.HasPrefix(p.src[i:], "${"):
			if !flush(i) {
				return "", p.errorf("the string has an unknown escape")
			}
			from, braces = i, 1
			i++
		case c == '"':
			if !flush(i) {
				return "", p.errorf("the string has an unknown escape")
			}
			p.pos = i + 1
			return out.String(), nil
		}
	}
	return "", p.errorf("the string is not closed")
}

// heredoc reads <<NAME or <<-NAME, lines, and NAME.
func (p *nativeParser) heredoc() (string, *fault) {
	first, rest, ok := strings.Cut(p.src[p.pos:], "\n")
	name, indented := strings.CutPrefix(strings.TrimSuffix(strings.TrimPrefix(first, "<<"), "\r"), "-")
	if !ok || name == "" || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
		return "", p.errorf("the heredoc has no name, or nothing follows it")
	}
	var lines []string
	at := p.pos + len(first) + 1
	for line := range strings.Lines(rest) {
		at += len(line)
		if text, ok := strings.CutSuffix(line, "\n"); ok && strings.TrimLeft(strings.TrimSuffix(text, "\r"), " \t") == name {
			p.pos = at
			if indented {
				lines = unindent(lines)
			}
			return strings.Join(lines, ""), nil
		}
		lines = append(lines, line)
	}
	return "", p.errorf("the heredoc is not closed")
}

// unindent removes from each line the white space at the beginning of all
// lines.
func unindent(lines []string) []string {
	common := -1
	for _, l := range lines {
		if n := len(l) - len(strings.TrimLeft(l, " \t")); common < 0 || n < common {
			common = n
		}
	}
	for i := range lines {
		lines[i] = lines[i][common:]
	}
	return lines
}

// value reads a literal.
func (p *nativeParser) value(depth int) (any, *fault) {
	if depth > maxDepth {
		return nil, &fault{p.pos, errDepth}
	}
	if err := p.space(); err != nil {
		return nil, err
	}
	if p.pos == len(p.src) {
		return nil, p.errorf("a value is missing")
	}
	switch c := p.src[p.pos]; {
	case c == '"':
		return p.text()
	case strings.HasPrefix(p.src[p.pos:], "<<"):
		return p.heredoc()
	case c == '[':
		p.pos++
		list := []any{}
		for separated := true; ; {
			if err := p.space(); err != nil {
				return nil, err
			}
			if p.comma() {
				separated = true
				continue
			}
			if p.pos == len(p.src) {
				return nil, p.errorf("a closing bracket is missing")
			}
			if p.src[p.pos] == ']' {
				p.pos++
				return list, nil
			}
			if !separated {
				return nil, p.errorf("a comma or a closing bracket is missing")
			}
			separated = false
			v, err := p.value(depth + 1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
	case c == '{':
		p.pos++
		return p.items(depth+1, true)
	}
	start := p.pos
	if p.src[p.pos] == '-' {
		p.pos++
	}
	if p.pos == len(p.src) {
		return nil, p.errorf("a value is missing")
	}
	if _, err := p.word(); err != nil {
		return nil, err
	}
	w := p.src[start:p.pos]
	switch w {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	if isNumber(w) {
		return number(w), nil
	}
	p.pos = start
	return nil, p.errorf("not a literal value; a string needs quotation marks") // w may be a token
}

// isNumber reports whether w is an integer, in decimal or with the prefix 0x,
// or a decimal fraction.
func isNumber(w string) bool {
	digits := strings.TrimPrefix(w, "-")
	if strings.Contains(w, "_") || len(digits) > 1 && digits[0] == '0' && strings.ContainsAny(digits[1:2], "bBoO") {
		return false
	}
	if _, err := strconv.ParseInt(w, 0, 64); err == nil {
		return true
	}
	_, err := strconv.ParseFloat(w, 64)
	return (err == nil || errors.Is(err, strconv.ErrRange)) && !strings.ContainsAny(w, "xXpPiInN")
}
