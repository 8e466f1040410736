// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package knowntext

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A Set is a set of secrets. It is safe for concurrent use. The zero Set and a
// nil Set are empty.
type Set struct {
	forms *table // all forms but those of several lines
	lines *table // of texts without the white space around each line

	numeric bool // a form can be a number, which can be spelled in several ways
}

// minLine is the length from which a line of a longer secret is a secret.
const minLine = 16

// maxLines is how much of a secret is taken apart into lines.
const maxLines = 1 << 20

// minEncoded is the length from which an encoded form can be told from others.
const minEncoded = 6

// New returns the set of these secrets. Empty ones are ignored.
func New(secrets []string) *Set {
	var lines []pattern
	f := forms{list: make([]pattern, 0, 4*len(secrets))}
	for _, s := range secrets {
		if s == "" {
			continue
		}
		f.id++
		if isUnreserved(s) { // has no other spelling
			f.spelled(s)
			continue
		}
		f.all(s)
		if t := strings.TrimSpace(s); t != s && len(t) >= minEncoded {
			f.all(t)
		}
		if !strings.ContainsAny(s, "\n\r") {
			continue
		}
		if t := trimLines(s); len(t) >= minEncoded {
			lines = append(lines, pattern{text: t, id: f.id})
		}
		seen := make(map[string]bool)
		for line := range strings.FieldsFuncSeq(s[:min(len(s), maxLines)], isLineEnd) {
			if line = strings.TrimSpace(line); len(line) >= minLine && !isFrame(line) && !seen[line] {
				seen[line] = true
				f.id++
				f.all(line)
			}
		}
	}
	set := &Set{forms: newTable(f.list), lines: newTable(lines)}
	if set.forms != nil {
		set.numeric = slices.ContainsFunc(set.forms.patterns, func(p pattern) bool { return isNumeric(p.text) })
	}
	return set
}

// isNumeric reports whether a text has nothing but what numbers are spelled with.
func isNumeric(text string) bool {
	for i := 0; i < len(text); i++ {
		if !isNumber(text[i]) {
			return false
		}
	}
	return true
}

// isFrame reports whether a line is one that says what the others are.
func isFrame(line string) bool {
	return strings.HasPrefix(line, "-----BEGIN ") || strings.HasPrefix(line, "-----END ")
}

// maxForm is how much of a text its forms are made of. Each is longer than
// maxPattern then.
const maxForm = 4 * maxPattern

// Forms gathers the forms of secrets.
type forms struct {
	list []pattern
	buf  []byte
	id   int32 // of the text whose forms are added
}

func (f *forms) add(text string, run bool) {
	if text != "" {
		f.list = append(f.list, pattern{text: text, run: run, id: f.id})
	}
}

// all adds the forms of one text.
func (f *forms) all(s string) {
	s = cut(s)
	f.spelled(s)
	if isASCII([]byte(s)) {
		return
	}
	for _, t := range [...]string{norm.NFC.String(s), norm.NFD.String(s)} {
		if t != s {
			f.spelled(t)
		}
	}
}

// cut returns so much of a text that its forms are cut off as well.
func cut(s string) string {
	if len(s) <= maxForm {
		return s
	}
	n := maxForm
	for n > maxForm-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// spelled adds the forms of one text that have its code points.
func (f *forms) spelled(t string) {
	t = cut(t)
	f.add(t, false)
	if !isUnreserved(t) {
		if strings.Contains(t, "${") || strings.Contains(t, "%{") {
			f.add(templates.Replace(t), false)
		}
		f.quoted(t)
		f.utf16(t)
		f.escaped(t)
		for _, escaped := range [...]string{url.QueryEscape(t), url.PathEscape(t)} {
			if escaped != t {
				f.add(escaped, false)
				f.add(lowerHex(escaped), false)
			}
		}
	}
	f.base64(t)
}

// base64 adds what base64 makes of a text at any alignment, without the letters that
// depend on what is beside it.
func (f *forms) base64(t string) {
	if len(t) < minEncoded {
		return
	}
	f.buf = append(append(f.buf[:0], 0, 0), t...)
	var parts [3]struct{ start, end int }
	n := len(f.buf)
	for shift := range 3 {
		start := len(f.buf)
		f.buf = base64.RawStdEncoding.AppendEncode(f.buf, f.buf[2-shift:n])
		parts[shift].start, parts[shift].end = start+(8*shift+5)/6, start+8*(shift+len(t))/6
	}
	text := string(f.buf[n:])
	for _, part := range parts {
		standard := text[part.start-n : part.end-n]
		f.add(standard, true)
		if strings.ContainsAny(standard, "+/") {
			f.add(urlAlphabet.Replace(standard), true)
		}
	}
}

// quotings are what shells, YAML and files of settings make of the marks in a text that is in
// quotes, where they do not put a backslash before them.
var quotings = []struct {
	mark   string
	quoted []string
}{
	{"'", []string{`'\''`, `''`, `'"'"'`}},
	{`"`, []string{`""`}},
	{"$", []string{"$$", "`$"}},
	{"%", []string{"%%"}},
	{"`", []string{"``"}},
}

// quoted adds what is made of the marks in a text.
func (f *forms) quoted(t string) {
	for _, q := range quotings {
		if strings.Contains(t, q.mark) {
			for _, quoted := range q.quoted {
				f.add(strings.ReplaceAll(t, q.mark, quoted), false)
			}
		}
	}
	for _, both := range together {
		if strings.ContainsAny(t, both.mark) && strings.ContainsAny(t, both.more) {
			f.add(both.quoted.Replace(t), false)
		}
	}
}

// together are the quotings of more than one mark.
var together = []struct {
	mark, more string
	quoted     *strings.Replacer
}{
	{`"`, "%", strings.NewReplacer(`"`, `""`, "%", "%%")},               // settings
	{"'", "%", strings.NewReplacer("'", "''", "%", "%%")},               // the same
	{"'", "$", strings.NewReplacer("'", "''", "$", "$$")},               // YAML of containers
	{"\"$", "$`", strings.NewReplacer(`"`, `""`, "$", "`$", "`", "``")}, // PowerShell
}

// utf16 adds the base64 of a text in UTF-16 that does not look like one.
func (f *forms) utf16(t string) {
	if isASCII([]byte(t)) || !utf8.ValidString(t) {
		return
	}
	var b []byte
	for _, unit := range utf16.Encode([]rune(t)) {
		b = append(b, byte(unit), byte(unit>>8))
	}
	f.base64(string(b))
}

// escaped adds what JSON and the configuration language make of a text in quotes, and
// JSON of that, if it is short: what is beside the secret then stays. A string with
// another spelling of it is replaced as a whole. What base64 makes of JSON, and of JSON
// in JSON, is added of any text, as it is not taken apart.
func (f *forms) escaped(t string) {
	if !utf8.ValidString(t) {
		return
	}
	coded := []string{t}
	for _, once := range spellings(t) {
		for _, form := range append(spellings(once), once) {
			if !slices.Contains(coded, form) {
				coded = append(coded, form)
				f.base64(form)
			}
		}
	}
	for _, html := range [...]bool{false, true} {
		once := inQuotes(t, html)
		if once == t || len(t) > maxPattern {
			continue
		}
		for _, form := range [...]string{once, templates.Replace(once), inQuotes(once, html)} {
			if len(form) <= maxPattern {
				f.add(form, false)
			}
		}
	}
}

// spellings returns what different programs make of a text in quotes of JSON.
func spellings(text string) []string {
	list := []string{inQuotes(text, false), inQuotes(text, true)}
	if !isASCII([]byte(text)) {
		list = append(list, inASCII(list[0]))
	}
	return list
}

// inQuotes returns what JSON makes of a text, without the quotes.
func inQuotes(t string, html bool) string {
	quoted := jsonscan.AppendQuote(nil, t, html)
	return string(quoted[1 : len(quoted)-1])
}

// inASCII escapes all that is not ASCII in a text that was in quotes of JSON.
func inASCII(quoted string) string {
	var b []byte
	for _, c := range utf16.Encode([]rune(quoted)) {
		if c < utf8.RuneSelf {
			b = append(b, byte(c))
		} else {
			b = fmt.Appendf(b, `\u%04x`, c)
		}
	}
	return string(b)
}

// isUnreserved reports whether text has nothing but letters of ASCII, digits, and
// marks that no encoding but base64 spells in another way.
func isUnreserved(text string) bool {
	for i := 0; i < len(text); i++ {
		if !unreserved[text[i]] {
			return false
		}
	}
	return true
}

var unreserved = func() (is [256]bool) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~") {
		is[c] = true
	}
	return is
}()

var (
	templates   = strings.NewReplacer("${", "$${", "%{", "%%{")
	urlAlphabet = strings.NewReplacer("+", "-", "/", "_")
)

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

// IsEmpty reports whether the set has no secrets.
func (s *Set) IsEmpty() bool { return s == nil || s.forms == nil }

// In reports whether text has a secret in any form.
func (s *Set) In(text string) bool {
	return !s.IsEmpty() && s.has([]byte(text))
}

func (s *Set) found(text []byte) (found bool) {
	s.forms.search(text, func(at occurrence) bool {
		found = !isFraction(text, at)
		return !found
	})
	return found
}

// isFraction reports whether what was found is digits in the fraction of a second, as of "12:34:56.123456789Z": each
// log has many of these, and a number that is a secret is sooner or later in one of them.
func isFraction(text []byte, at occurrence) bool {
	const clock, most = "00:00:00.", len("123456789")
	start, end := at.start, at.end
	if end-start > most {
		return false
	}
	for _, c := range text[start:end] {
		if c < '0' || c > '9' {
			return false
		}
	}
	for start > 0 && end-start <= most && '0' <= text[start-1] && text[start-1] <= '9' {
		start--
	}
	for end < len(text) && end-start <= most && '0' <= text[end] && text[end] <= '9' {
		end++
	}
	if start < len(clock) || end-start > most {
		return false
	}
	for i, c := range text[start-len(clock) : start] {
		if c != clock[i] && (clock[i] != '0' || c < '0' || c > '9') && (clock[i] != '.' || c != ',') {
			return false
		}
	}
	return true
}

// Replace returns text with token in the place of each secret, and whether there
// was one. A text in which a secret is spelled in a way that is not one of its forms,
// or spread over indented lines, is replaced as a whole.
func (s *Set) Replace(text, token string) (string, bool) {
	if s.IsEmpty() || text == "" || !s.has([]byte(text)) {
		return text, false
	}
	out, changed := s.direct(text, token)
	if s.deep([]byte(out)) || changed && s.more([]byte(text)) {
		return token, true
	}
	return out, changed
}

// Crosses reports whether a secret, as it is spelled, begins before one of these places
// of text, which are in order, and ends after it.
func (s *Set) Crosses(text string, places []int) (crosses bool) {
	if s.IsEmpty() {
		return false
	}
	s.forms.search([]byte(text), func(found occurrence) bool {
		next, _ := slices.BinarySearch(places, found.start+1)
		crosses = next < len(places) && places[next] < found.end
		return !crosses
	})
	return crosses
}

// has reports whether text has a secret in any form.
func (s *Set) has(text []byte) bool { return s.found(text) || s.deep(text) }

// direct replaces the secrets that stand in text as they are.
func (s *Set) direct(text, token string) (string, bool) {
	var spans []occurrence
	s.forms.search([]byte(text), func(found occurrence) bool {
		if isFraction([]byte(text), found) {
			return true
		}
		n := len(spans)
		joined := n > 0 && spans[n-1].end >= found.start
		if joined && spans[n-1].end >= found.end && !found.cut {
			return true
		}
		if found.run {
			found = wholeRun(text, found)
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

// wholeRun extends a part of a base64 text to all of it.
func wholeRun(text string, s occurrence) occurrence {
	for s.start > 0 && isBase64(text[s.start-1]) {
		s.start--
	}
	for s.end < len(text) && isBase64(text[s.end]) {
		s.end++
	}
	return s
}

// deep reports whether text has a secret that is wrapped or spelled in another way.
func (s *Set) deep(text []byte) bool { return unwrap(text, s.found, nil, s.indented) }

// indented reports whether text has a secret of several lines, however they are indented.
func (s *Set) indented(text []byte) bool {
	if s.lines == nil {
		return false
	}
	w, between := window{table: s.lines}, false
	trimmedLines(text, func(line []byte) bool {
		if between {
			w.add([]byte{'\n'})
		}
		between = true
		w.add(line)
		return !w.found
	})
	return w.look()
}

func isBase64(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_' || c == '='
}

// A window looks for patterns in a text that is made piece by piece.
type window struct {
	table *table
	text  []byte // the text to look at, and the end of the one before
	found bool
}

const windowSize = 64 << 10

// add adds a piece to the text.
func (w *window) add(piece []byte) {
	for len(piece) > 0 && !w.found {
		if w.text == nil {
			w.text = make([]byte, 0, min(len(piece)+1024, windowSize))
		}
		n := min(len(piece), windowSize-len(w.text))
		w.text, piece = append(w.text, piece[:n]...), piece[n:]
		if len(w.text) == windowSize {
			w.look()
		}
	}
}

// look looks for patterns in what there is of the text, and keeps what can be the
// beginning of one.
func (w *window) look() bool {
	if !w.found && w.table != nil {
		w.found = w.table.next(w.text, 0, len(w.text)) < len(w.text)
	}
	n := min(len(w.text), maxPattern-1)
	w.text = append(w.text[:0], w.text[len(w.text)-n:]...)
	return w.found
}

func isLineEnd(r rune) bool { return r == '\n' || r == '\r' }

func isASCII(text []byte) bool {
	for _, b := range text {
		if b >= 0x80 {
			return false
		}
	}
	return true
}

// isLow reports whether text has nothing but code points below U+0300, which are
// in normal form C.
func isLow(text []byte) bool {
	for _, b := range text {
		if b >= 0xcc {
			return false
		}
	}
	return true
}

// trimmedLines calls f with each line of text without the white space around it,
// if there is more in it, until f returns false.
func trimmedLines(text []byte, f func(line []byte) bool) {
	for line := range bytes.FieldsFuncSeq(text, isLineEnd) {
		if t := bytes.TrimSpace(line); len(t) > 0 && !f(t) {
			return
		}
	}
}

// trimLines returns text without the white space around its lines, and with
// their ends written as line feeds: so much of it that a pattern is cut off.
func trimLines(text string) string {
	var out []byte
	for line := range strings.FieldsFuncSeq(text, isLineEnd) {
		if t := strings.TrimSpace(line); t != "" {
			if out != nil {
				out = append(out, '\n')
			}
			out = append(out, t[:min(len(t), maxPattern+1)]...)
		}
		if len(out) > maxPattern {
			break
		}
	}
	return string(out)
}
