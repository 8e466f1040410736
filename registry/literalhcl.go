// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The CLI configuration is written in HCL, but has literal values only. This
// small reader knows just these, so that a program which downloads providers
// need not contain the whole language.

// An hclItem is an argument (value is set) or a block (body is).
type hclItem struct {
	name   string
	labels []string
	value  any // string, bool, float64, []any, map[string]any
	body   []hclItem
	offset int
}

// An hclError is what is wrong, and where, in bytes from 0.
type hclError struct {
	offset int
	cause  error
}

func (it hclItem) errorf(format string, args ...any) *hclError {
	return &hclError{it.offset, fmt.Errorf(format, args...)}
}

// member returns the value of the last argument of a block with this name,
// or of a block as a map.
func (it hclItem) member(name string) any {
	var v any
	for _, m := range it.body {
		if m.name != name {
			continue
		}
		if v = m.value; v == nil {
			obj := map[string]any{}
			for _, o := range m.body {
				obj[o.name] = o.value
			}
			v = obj
		}
	}
	return v
}

// host returns the one label of a block as a host in comparison form.
func (it hclItem) host() (string, bool) {
	if len(it.labels) != 1 {
		return "", false
	}
	return parseHost(it.labels[0])
}

// parseLiteralHCL reads a file.
func parseLiteralHCL(src []byte) ([]hclItem, *hclError) {
	p := &hclParser{src: string(src)}
	if strings.HasPrefix(p.src, "\ufeff") {
		p.pos = len("\ufeff")
	}
	return p.items(0, false)
}

type hclParser struct {
	src string
	pos int
}

// maxHCLDepth bounds nesting.
const maxHCLDepth = 20

func (p *hclParser) errorf(format string, args ...any) *hclError {
	return &hclError{p.pos, fmt.Errorf(format, args...)}
}

// space passes over white space and comments.
func (p *hclParser) space() *hclError {
	for p.pos < len(p.src) {
		rest := p.src[p.pos:]
		switch {
		case strings.IndexByte(" \t\r\n,", rest[0]) >= 0:
			// A comma separates elements; between other things HCL has none,
			// and one too many does no harm here.
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
				return p.errorf("the comment has no end")
			}
			p.pos += i + 2
		default:
			return nil
		}
	}
	return nil
}

// items reads arguments and blocks up to the end of the file or block.
func (p *hclParser) items(depth int, block bool) ([]hclItem, *hclError) {
	if depth > maxHCLDepth {
		return nil, p.errorf("nested too deeply")
	}
	var out []hclItem
	for {
		if err := p.space(); err != nil {
			return nil, err
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
		it, err := p.item(depth)
		if err != nil {
			return nil, err
		}
		out = append(out, it)
	}
}

// item reads NAME = VALUE, or NAME LABEL... { ... }.
func (p *hclParser) item(depth int) (hclItem, *hclError) {
	it := hclItem{offset: p.pos}
	var err *hclError
	if it.name, err = p.word(); err != nil {
		return it, err
	}
	for {
		if err := p.space(); err != nil {
			return it, err
		}
		switch {
		case p.pos == len(p.src):
			return it, p.errorf("the file ends after %q", it.name)
		case p.src[p.pos] == '=' || p.src[p.pos] == ':':
			p.pos++
			it.value, err = p.value(depth)
			return it, err
		case p.src[p.pos] == '{':
			p.pos++
			it.body, err = p.items(depth+1, true)
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
func (p *hclParser) word() (string, *hclError) {
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

// text reads a string in double quotes.
func (p *hclParser) text() (string, *hclError) {
	start := p.pos
	for i := start + 1; i < len(p.src); i++ {
		switch p.src[i] {
		case '\\':
			i++
		case '\n':
			return "", p.errorf("the string has no end in its line")
		case '"':
			s, err := strconv.Unquote(p.src[start : i+1])
			if err != nil {
				return "", p.errorf("the string has an unknown escape")
			}
			if strings.Contains(s, "${") {
				return "", p.errorf("templates are not allowed here")
			}
			p.pos = i + 1
			return s, nil
		}
	}
	return "", p.errorf("the string has no end")
}

// value reads a literal.
func (p *hclParser) value(depth int) (any, *hclError) {
	if depth > maxHCLDepth {
		return nil, p.errorf("nested too deeply")
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
	case c == '[':
		p.pos++
		list := []any{}
		for {
			if err := p.space(); err != nil {
				return nil, err
			}
			if p.pos == len(p.src) {
				return nil, p.errorf("a closing bracket is missing")
			}
			if p.src[p.pos] == ']' {
				p.pos++
				return list, nil
			}
			v, err := p.value(depth + 1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
	case c == '{':
		p.pos++
		items, err := p.items(depth+1, true)
		if err != nil {
			return nil, err
		}
		obj := map[string]any{}
		for _, it := range items {
			if it.value == nil {
				return nil, it.errorf("%q has no value", it.name)
			}
			obj[it.name] = it.value
		}
		return obj, nil
	}
	start := p.pos
	w, err := p.word()
	if err != nil {
		return nil, err
	}
	switch w {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	if n, err := strconv.ParseFloat(w, 64); err == nil {
		return n, nil
	}
	p.pos = start
	return nil, p.errorf("%q is not a literal value", clean(w, 60))
}
