// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package knowntext

import (
	"bytes"
	"encoding/base64"
	"html"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A Set is a set of secrets. It is safe for concurrent use. The zero Set and a
// nil Set are empty.
type Set struct {
	forms *table // all forms but those of several lines
	lines *table // of texts without the white space around each line
}

// minLine is the length from which a line of a longer secret is a secret.
const minLine = 16

// minEncoded is the length from which an encoded form can be told from others.
const minEncoded = 6

// New returns the set of these secrets. Empty ones are ignored.
func New(secrets []string) *Set {
	var forms, lines []pattern
	seen := make(map[string]bool)
	add := func(text string, run bool) {
		if text != "" && !seen[text] {
			seen[text] = true
			forms = append(forms, pattern{text: text, run: run})
		}
	}
	for _, s := range secrets {
		if s == "" {
			continue
		}
		addForms(s, add)
		if t := strings.TrimSpace(s); t != s && len(t) >= minEncoded {
			addForms(t, add)
		}
		if !strings.ContainsAny(s, "\n\r") {
			continue
		}
		if t := string(trimLines([]byte(s))); len(t) >= minEncoded && !seen["\n"+t] {
			seen["\n"+t] = true
			lines = append(lines, pattern{text: t})
		}
		for line := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '\n' || r == '\r' }) {
			if line = strings.TrimSpace(line); len(line) >= minLine && !isFrame(line) {
				addForms(line, add)
			}
		}
	}
	return &Set{newTable(forms), newTable(lines)}
}

// isFrame reports whether a line is one that says what the others are.
func isFrame(line string) bool {
	return strings.HasPrefix(line, "-----BEGIN ") || strings.HasPrefix(line, "-----END ")
}

// maxForm is how much of a text its forms are made of. Each is longer than
// maxPattern then.
const maxForm = 4 * maxPattern

// addForms adds the forms of one text.
func addForms(s string, add func(text string, run bool)) {
	if len(s) > maxForm {
		n := maxForm
		for n > maxForm-utf8.UTFMax && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
	}
	for _, t := range [...]string{s, norm.NFC.String(s), norm.NFD.String(s)} {
		add(t, false)
		add(strings.NewReplacer("${", "$${", "%{", "%%{").Replace(t), false)
		for _, escaped := range [...]string{url.QueryEscape(t), url.PathEscape(t)} {
			add(escaped, false)
			add(lowerHex(escaped), false)
		}
		if len(t) < minEncoded {
			continue
		}
		for shift := range 3 {
			add(inBase64(t, shift, base64.RawStdEncoding), true)
			add(inBase64(t, shift, base64.RawURLEncoding), true)
		}
	}
}

// lowerHex returns a percent-encoded text with its hexadecimal digits in lower
// case.
func lowerHex(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], bytes.ToLower(b[i+1:i+3]))
		}
	}
	return string(b)
}

// inBase64 returns the part of the encoding of a text that has s from byte shift
// on that depends on s alone.
func inBase64(s string, shift int, enc *base64.Encoding) string {
	text := enc.EncodeToString(append(make([]byte, shift, shift+len(s)), s...))
	start := (8*shift + 5) / 6
	return text[start : 8*(shift+len(s))/6]
}

// IsEmpty reports whether the set has no secrets.
func (s *Set) IsEmpty() bool { return s == nil || s.forms == nil }

// InRaw reports whether a text of JSON may have a secret: false means that none
// of its strings has one.
func (s *Set) InRaw(text []byte) bool {
	return !s.IsEmpty() && (bytes.IndexByte(text, '\\') >= 0 || bytes.IndexByte(text, '&') >= 0 || bytes.IndexByte(text, '%') >= 0 || !isASCII(text) || s.found(text))
}

// In reports whether text has a secret in any form.
func (s *Set) In(text string) bool {
	_, changed := s.Replace(text, "")
	return changed
}

func (s *Set) found(text []byte) (found bool) {
	s.forms.search(text, func(span) bool {
		found = true
		return false
	})
	return found
}

// Replace returns text with token in the place of each secret, and whether there
// was one. A text in which a secret is escaped, or spread over indented lines, is
// replaced as a whole.
func (s *Set) Replace(text, token string) (string, bool) {
	if s.IsEmpty() || text == "" {
		return text, false
	}
	out, changed := s.direct(text, token)
	if s.deep(out) {
		return token, true
	}
	return out, changed
}

// direct replaces the secrets that stand in text as they are.
func (s *Set) direct(text, token string) (string, bool) {
	var spans []span
	s.forms.search([]byte(text), func(found span) bool {
		n := len(spans)
		joined := n > 0 && spans[n-1].end >= found.start
		if joined && spans[n-1].end >= found.end && !found.cut {
			return true
		}
		if found.run {
			found = encoded(text, found)
		}
		if found.cut {
			found.end = len(text)
		}
		for ; n > 0 && spans[n-1].end >= found.start; n-- {
			found.start = min(found.start, spans[n-1].start)
			found.end = max(found.end, spans[n-1].end)
		}
		spans = append(spans[:n], found)
		return !found.cut
	})
	if len(spans) == 0 {
		return text, false
	}
	var b strings.Builder
	last := 0
	for _, found := range spans {
		b.WriteString(text[last:found.start])
		b.WriteString(token)
		last = found.end
	}
	b.WriteString(text[last:])
	return b.String(), true
}

// encoded extends a part of a base64 text to all of it.
func encoded(text string, s span) span {
	is := func(c byte) bool {
		return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("+/-_=", c) >= 0
	}
	for s.start > 0 && is(text[s.start-1]) {
		s.start--
	}
	for s.end < len(text) && is(text[s.end]) {
		s.end++
	}
	return s
}

// maxEscapes is how often a text is unescaped in search of secrets.
const maxEscapes = 4

// deep reports whether text has a secret that is spelled in another way.
func (s *Set) deep(text string) bool {
	for range maxEscapes {
		if s.spelled(text) {
			return true
		}
		plain := unescape(text)
		if plain == text {
			return false
		}
		if s.found([]byte(plain)) {
			return true
		}
		text = plain
	}
	return s.spelled(text)
}

// spelled looks for secrets in other forms of text that have as many letters.
func (s *Set) spelled(text string) (found bool) {
	if !isASCII([]byte(text)) {
		if c := norm.NFC.String(text); c != text && s.found([]byte(c)) {
			return true
		}
	}
	if strings.IndexByte(text, '%') >= 0 {
		if plain := unpercent(text); plain != text && s.found([]byte(plain)) {
			return true
		}
	}
	if strings.IndexByte(text, '&') >= 0 {
		if plain := html.UnescapeString(text); plain != text && s.found([]byte(plain)) {
			return true
		}
	}
	if strings.IndexByte(text, '\n') >= 0 && s.found(unwrap(text)) { // base64 often is wrapped
		return true
	}
	if s.lines != nil && strings.IndexByte(text, '\n') >= 0 {
		s.lines.search(trimLines([]byte(text)), func(span) bool {
			found = true
			return false
		})
	}
	return found
}

// unwrap returns text without line ends.
func unwrap(text string) []byte {
	out := make([]byte, 0, len(text))
	for _, b := range []byte(text) {
		if b != '\n' && b != '\r' {
			out = append(out, b)
		}
	}
	return out
}

func isASCII(text []byte) bool {
	return !slices.ContainsFunc(text, func(b byte) bool { return b >= 0x80 })
}

// trimLines returns text without the white space around its lines, and with
// their ends written as line feeds.
func trimLines(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for line := range bytes.Lines(text) {
		if t := bytes.TrimSpace(line); len(t) > 0 {
			out = append(append(out, t...), '\n')
		}
	}
	return bytes.TrimSuffix(out, []byte{'\n'})
}
