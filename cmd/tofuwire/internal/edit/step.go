// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package edit

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/internal/hcllex"
)

// A step is one edit.
type step struct {
	text     string
	verb     string
	from, to address
	value    string
}

// stepsOf returns the steps of a file. Where a step can begin, a line whose first character is a
// number sign is a comment, also if it ends in a backslash. Behind a continued line it belongs to
// the value.
func stepsOf(src string) []step {
	var out []step
	var open []string
	for line := range strings.Lines(strings.TrimPrefix(src, "\ufeff")) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if len(open) == 0 && (strings.TrimSpace(line) == "" || strings.TrimLeft(line, " \t")[0] == '#') {
			continue
		}
		if rest, more := strings.CutSuffix(line, `\`); more {
			open = append(open, rest)
			continue
		}
		out = append(out, step{text: strings.Join(append(open, line), "\n")})
		open = nil
	}
	if len(open) > 0 {
		out = append(out, step{text: strings.Join(open, "\n")})
	}
	return out
}

// arity says what follows the verbs: addresses, and a value behind them.
var arity = map[string]struct {
	addresses int
	value     bool
}{
	"get": {1, false}, "set": {1, true}, "append": {1, true}, "insert": {1, true}, "rm": {1, false},
	"mv": {2, false}, "sort": {1, false}, "wrap": {1, true}, "ref": {0, true}, "new": {1, false},
}

// parse reads the text of a step.
func (s *step) parse() error {
	word, rest := nextWord(s.text)
	want, ok := arity[word]
	if !ok {
		return fmt.Errorf("there is no verb %q; -h lists them", word)
	}
	s.verb = word
	if s.verb == "ref" {
		s.value = strings.TrimSpace(rest)
		return nil
	}
	var addrs []address
	for range want.addresses {
		word, rest = nextWord(rest)
		if word == "" {
			return errors.New("an address is missing")
		}
		a, err := parseAddress(word)
		if err != nil {
			return err
		}
		addrs = append(addrs, a)
	}
	rest = strings.TrimSpace(rest)
	switch {
	case want.value && rest == "":
		return errors.New("a value is missing")
	case want.value:
		s.value = rest
	case s.verb == "new" && rest != "":
		a, err := parseAddress(rest)
		if err != nil {
			return err
		}
		addrs = append(addrs, a)
	case rest != "":
		return fmt.Errorf("unexpected text: %.40q", rest)
	}
	s.from = addrs[0]
	if len(addrs) > 1 {
		s.to = addrs[1]
	}
	return nil
}

// nextWord returns the first word of a step, and what follows. A blank behind a
// backslash or in ["..."] belongs to the word.
func nextWord(s string) (word, rest string) {
	s = strings.TrimLeft(s, " \t\r\n")
	quoted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case quoted:
			quoted = c != '"'
		case c == '"' && i > 0 && s[i-1] == '[':
			quoted = true
		case strings.IndexByte(" \t\r\n", c) >= 0:
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// An address is the steps of an address.
type address []token

// A token is a step of an address: a name, or a path in brackets.
type token struct {
	kind  tokenKind
	name  string // or a key
	index int    // -1 for x[] and x()
}

type tokenKind uint8

const (
	isName tokenKind = iota
	isAny            // *
	isIndex
	isKey
	isArg
)

// String returns the address as it is written.
func (a address) String() string {
	var b strings.Builder
	for i, t := range a {
		switch t.kind {
		case isIndex, isArg:
			index := ""
			if t.index >= 0 {
				index = strconv.Itoa(t.index)
			}
			if t.kind == isIndex {
				b.WriteString("[" + index + "]")
			} else {
				b.WriteString("(" + index + ")")
			}
			continue
		case isKey:
			b.WriteString("[" + hcllex.Quote(t.name) + "]")
			continue
		}
		if i > 0 {
			b.WriteByte('.')
		}
		if t.kind == isAny {
			b.WriteByte('*')
			continue
		}
		for j, r := range t.name {
			if strings.ContainsRune(`.[(\"`+" \t", r) || j == 0 && t.name == "*" {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}

func (t token) isWord() bool { return t.kind == isName || t.kind == isAny }

// has reports whether a token of the address is of a kind.
func (a address) has(kind tokenKind) bool {
	return slices.ContainsFunc(a, func(t token) bool { return t.kind == kind })
}

// names returns the names of an address that is nothing else.
func (a address) names() ([]string, bool) {
	var out []string
	for _, t := range a {
		if t.kind != isName {
			return nil, false
		}
		out = append(out, t.name)
	}
	return out, len(out) > 0
}

func parseAddress(s string) (address, error) {
	bad := func(why string) (address, error) { return nil, fmt.Errorf("%.60q is not an address: %s", s, why) }
	var out address
	for i := 0; ; {
		t, next, err := parseName(s, i)
		if err != "" {
			return bad(err)
		}
		out = append(out, t)
		for i = next; i < len(s) && (s[i] == '[' || s[i] == '('); {
			if t, i, err = parsePath(s, i); err != "" {
				return bad(err)
			}
			out = append(out, t)
		}
		if i == len(s) {
			return out, nil
		}
		if s[i] != '.' {
			return bad("a dot is missing")
		}
		i++
	}
}

// parseName reads a name that begins at i.
func parseName(s string, i int) (t token, next int, err string) {
	var name strings.Builder
	start, escaped := i, false
	for ; i < len(s) && strings.IndexByte(".[(", s[i]) < 0; i++ {
		if s[i] == '\\' {
			if i++; i == len(s) {
				return t, i, "it ends in a backslash"
			}
			escaped = true
		}
		name.WriteByte(s[i])
	}
	if i == start {
		return t, i, "a name is missing"
	}
	if name.String() == "*" && !escaped {
		return token{kind: isAny}, i, ""
	}
	return token{kind: isName, name: name.String()}, i, ""
}

// parsePath reads a path in brackets that begins at i.
func parsePath(s string, i int) (t token, next int, err string) {
	kind, shut := isIndex, byte(']')
	if s[i] == '(' {
		kind, shut = isArg, ')'
	}
	if kind == isIndex && strings.HasPrefix(s[i+1:], `"`) {
		return parseKey(s, i+1)
	}
	n := strings.IndexByte(s[i:], shut)
	if n < 0 {
		return t, i, "a bracket is not closed"
	}
	text := s[i+1 : i+n]
	if text == "" {
		return token{kind: kind, index: -1}, i + n + 1, ""
	}
	index, bad := strconv.Atoi(text)
	if bad != nil || index < 0 || text[0] == '+' {
		return t, i, fmt.Sprintf("%.20q is not an index", text)
	}
	return token{kind: kind, index: index}, i + n + 1, ""
}

// parseKey reads a key whose quote begins at i.
func parseKey(s string, i int) (t token, next int, err string) {
	end := i + 1
	for end < len(s) && s[end] != '"' {
		if s[end] == '\\' {
			end++
		}
		end++
	}
	if !strings.HasPrefix(s[min(end, len(s)):], `"]`) {
		return t, i, "a key is not closed"
	}
	key, bad := unquoteKey(s[i : end+1])
	if bad != nil {
		return t, i, fmt.Sprintf("%.40q is not a key: %v", s[i:end+1], bad)
	}
	return token{kind: isKey, name: key}, end + 2, ""
}
