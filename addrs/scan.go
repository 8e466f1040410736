// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A scanner reads the traversal syntax that all dotted addresses share, as
// hclsyntax.ParseTraversalAbs accepts it. It builds the normal text as it
// reads. While the input is in normal form, the normal text is a prefix of the
// input and nothing is copied.
type scanner struct {
	in    string
	pos   int    // the next byte of in
	n     int    // if !dirty, in[:n] is the normal text so far
	out   []byte // if dirty, the normal text so far
	dirty bool

	goKeys  bool   // accept keys in Go quotes if they are not strings of the language
	inPlan  bool   // accept also those that would be templates
	anyKey  bool   // accept the wildcard
	refused *fault // the fault that the first key accepted in this way would be elsewhere
}

// maxLen is the length of the longest text that is read, in bytes. Escapes can
// make the normal text longer than the input, and its offsets are kept in 32
// bits.
const maxLen = math.MaxInt32 / 16

// startScan returns a scanner at the beginning of in, which must not be empty.
// Like HCL, it skips a byte order mark.
func startScan(in string) (scanner, *fault) {
	s := scanner{in: in}
	if len(in) > maxLen {
		return s, &fault{0, errTooLong}
	}
	if strings.HasPrefix(in, "\ufeff") {
		s.pos = len("\ufeff")
	}
	c, f := s.peek()
	if f == nil && c == 0 {
		f = &fault{0, errEmpty}
	}
	return s, f
}

// len returns the length of the normal text so far.
func (s *scanner) len() int {
	if s.dirty {
		return len(s.out)
	}
	return s.n
}

// text returns the normal text so far.
func (s *scanner) text() string {
	if s.dirty {
		return string(s.out)
	}
	return s.in[:s.n]
}

// copy appends in[from:to] to the normal text.
func (s *scanner) copy(from, to int) {
	if !s.dirty && from == s.n {
		s.n = to
		return
	}
	s.rewrite()
	s.out = append(s.out, s.in[from:to]...)
}

// rewrite ends the state in which the normal text is a prefix of the input.
func (s *scanner) rewrite() {
	if !s.dirty {
		s.dirty = true
		s.out = make([]byte, s.n, len(s.in)+16)
		copy(s.out, s.in)
	}
}

// skip skips white space, newlines and comments.
func (s *scanner) skip() *fault {
	for s.pos < len(s.in) {
		switch c := s.in[s.pos]; {
		case c == ' ' || c == '\t' || c == '\n':
			s.pos++
		case c == '\r' && strings.HasPrefix(s.in[s.pos:], "\r\n"):
			s.pos += 2
		case c == '#' || c == '/' && strings.HasPrefix(s.in[s.pos:], "//"):
			end := strings.IndexByte(s.in[s.pos:], '\n')
			if end < 0 {
				s.pos = len(s.in)
			} else {
				s.pos += end + 1
			}
		case c == '/' && strings.HasPrefix(s.in[s.pos:], "/*"):
			end := strings.Index(s.in[s.pos+2:], "*/")
			if end < 0 {
				return faultf(s.pos, "the comment does not end")
			}
			s.pos += end + 4
		default:
			return nil
		}
	}
	return nil
}

// peek skips white space and returns the next byte, or 0 at the end.
func (s *scanner) peek() (byte, *fault) {
	if s.pos < len(s.in) {
		// Nearly all addresses are in normal form, without white space.
		if c := s.in[s.pos]; c > ' ' && c != '#' && c != '/' {
			return c, nil
		}
	}
	if f := s.skip(); f != nil {
		return 0, f
	}
	if s.pos < len(s.in) {
		if c := s.in[s.pos]; c != 0 {
			return c, nil
		}
		return 0, faultf(s.pos, "a NUL byte is not allowed")
	}
	return 0, nil
}

// punct reads the byte that the caller has peeked at.
func (s *scanner) punct() {
	s.copy(s.pos, s.pos+1)
	s.pos++
}

// ident reads an identifier. want names it for the error.
func (s *scanner) ident(want string) (string, *fault) {
	if _, f := s.peek(); f != nil {
		return "", f
	}
	end := s.pos + identLen(s.in[s.pos:])
	if end == s.pos {
		return "", s.unexpected(want)
	}
	id := s.in[s.pos:end]
	s.copy(s.pos, end)
	s.pos = end
	return id, nil
}

// dotted reads a dot and an identifier.
func (s *scanner) dotted(want string) (string, *fault) {
	c, f := s.peek()
	if f != nil {
		return "", f
	}
	if c != '.' {
		return "", s.unexpected("a dot and " + want)
	}
	s.punct()
	return s.ident(want)
}

// unexpected returns the fault for an input that does not have want at the
// current place.
func (s *scanner) unexpected(want string) *fault {
	if s.pos >= len(s.in) {
		return faultf(s.pos, "the address ends where %s is expected", want)
	}
	r, _ := utf8.DecodeRuneInString(s.in[s.pos:])
	return faultf(s.pos, "found %q where %s is expected", r, want)
}

// end checks that nothing but white space follows.
func (s *scanner) end() *fault {
	c, f := s.peek()
	if f != nil {
		return f
	}
	if c != 0 {
		return s.unexpected("the end")
	}
	return nil
}

// An indexMode says what an index may be.
type indexMode uint8

const (
	checkKey  indexMode = iota // an instance key whose value is not needed
	readKey                    // an instance key
	readStep                   // a step of a reference: any number will do
	readGoKey                  // likewise, with strings in Go quotes
)

// index reads an index in square brackets. The caller has peeked at the opening
// bracket. Only literals are allowed. The returned key is complete only with
// readKey.
func (s *scanner) index(mode indexMode) (InstanceKey, *fault) {
	s.punct()
	c, f := s.peek()
	if f != nil {
		return InstanceKey{}, f
	}
	var key InstanceKey
	switch {
	case c == '"' && mode == readGoKey:
		f = s.goQuoted()
	case c == '"':
		key, f = s.quoted(mode == readKey)
	case c == '*' && s.anyKey:
		s.accept(s.unexpected(wantKey))
		s.punct()
		key = WildcardKey()
	case isDigit(c) && mode >= readStep:
		f = s.anyNumber()
	case isDigit(c):
		key, f = s.number()
	default:
		f = s.unexpected(wantKey)
	}
	if f != nil {
		return InstanceKey{}, f
	}
	if c, f = s.peek(); f != nil {
		return InstanceKey{}, f
	}
	if c != ']' {
		return InstanceKey{}, s.unexpected("a closing bracket")
	}
	s.punct()
	return key, nil
}

const wantKey = "a quoted string or a whole number"

// quoted reads a string literal. If value is false, the key may come without
// its string.
func (s *scanner) quoted(value bool) (InstanceKey, *fault) {
	start := s.pos
	i := start + 1
	for i < len(s.in) && isPlain(s.in[i]) {
		i++
	}
	if i < len(s.in) && s.in[i] == '"' {
		s.copy(start, i+1)
		s.pos = i + 1
		return InstanceKey{kind: stringKey, str: s.in[start+1 : i]}, nil
	}
	end := quotedEnd(s.in, start)
	if end < 0 {
		return InstanceKey{}, &fault{start, errUnclosed}
	}
	str, f := unquoteHCL(s.in[start+1 : end-1])
	if f != nil {
		f.off += start + 1
		text, err := strconv.Unquote(s.in[start:end])
		// Both tools refuse a template: a key that somebody wrote as one is a mistake.
		if err != nil || !s.goKeys || !s.inPlan && hasTemplate(s.in[start:end]) || !utf8.ValidString(s.in[start:end]) {
			return InstanceKey{}, f
		}
		s.accept(f)
		str = normalKey(text)
	}
	s.pos = end
	s.rewriteQuoted(start, str)
	if !value {
		str = ""
	}
	return InstanceKey{kind: stringKey, str: str}, nil
}

// accept records the fault that a key would be outside of a document.
func (s *scanner) accept(f *fault) {
	if s.refused == nil {
		s.refused = f
	}
}

// quotedEnd returns the end of the quoted string that begins at in[start:], or
// -1 if it does not end.
func quotedEnd(in string, start int) int {
	for i := start + 1; i < len(in); i++ {
		switch in[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return -1
}

// rewriteQuoted appends the quoted form of str, which is the meaning of
// in[start:pos].
func (s *scanner) rewriteQuoted(start int, str string) {
	quoted := appendHCLQuoted(make([]byte, 0, s.pos-start), str)
	if string(quoted) == s.in[start:s.pos] {
		s.copy(start, s.pos)
		return
	}
	s.rewrite()
	s.out = append(s.out, quoted...)
}

// number reads a number literal, which must be whole and fit in 64 bits.
func (s *scanner) number() (InstanceKey, *fault) {
	start := s.pos
	end := start + numberLen(s.in[start:])
	n, ok := wholeNumber(s.in[start:end])
	if !ok {
		return InstanceKey{}, faultf(start, "the index %s is not a whole number from 0 to %d", quoteShort(s.in[start:end]), int64(math.MaxInt64))
	}
	s.pos = end
	if d := s.in[start:end]; (d[0] != '0' || len(d) == 1) && isDigits(d) {
		s.copy(start, end)
	} else {
		s.rewrite()
		s.out = strconv.AppendInt(s.out, n, 10)
	}
	return InstanceKey{kind: intKey, num: n}, nil
}

// numberLen returns the length of the number literal that s begins with.
func numberLen(s string) int {
	i := digitsLen(s)
	if i+1 < len(s) && s[i] == '.' && isDigit(s[i+1]) {
		i++
		i += digitsLen(s[i:])
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		j := i + 1
		if j < len(s) && (s[j] == '+' || s[j] == '-') {
			j++
		}
		if n := digitsLen(s[j:]); n > 0 {
			i = j + n
		}
	}
	return i
}

// wholeNumber returns the value of an HCL number literal if it is whole and not
// above the largest int64. The literals 1.0, 1e3 and 007 are whole numbers.
func wholeNumber(lit string) (int64, bool) {
	if isDigits(lit) && len(lit) <= 18 {
		n, err := strconv.ParseInt(lit, 10, 64)
		return n, err == nil
	}
	mantissa, exponent := lit, ""
	if i := strings.IndexAny(lit, "eE"); i >= 0 {
		mantissa, exponent = lit[:i], lit[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return 0, true
	}
	exp := 0
	if exponent != "" {
		// An exponent that does not fit in an int is far out of range.
		var err error
		if exp, err = strconv.Atoi(exponent); err != nil {
			return 0, false
		}
	}
	exp -= len(fraction)
	trimmed := strings.TrimRight(digits, "0")
	exp += len(digits) - len(trimmed)
	if exp < 0 || exp > 18 || len(trimmed)+exp > 19 {
		return 0, false
	}
	n, err := strconv.ParseInt(trimmed+"000000000000000000"[:exp], 10, 64)
	return n, err == nil
}

// identLen returns the length of the identifier at the beginning of s, or 0 if
// there is none. An identifier is a Unicode letter or underscore, followed by
// letters, digits, marks, underscores and hyphens (UAX #31, with hyphens as HCL
// adds them).
func identLen(s string) int {
	i := 0
	for i < len(s) {
		c := s[i]
		if c >= utf8.RuneSelf {
			return identLenUnicode(s, i)
		}
		if !isIdentByte(c) || i == 0 && (isDigit(c) || c == '-') {
			break
		}
		i++
	}
	return i
}

// identLenUnicode is identLen for an s whose first i bytes are known to be
// part of the identifier.
func identLenUnicode(s string, i int) int {
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			return i
		case r < utf8.RuneSelf:
			if !isIdentByte(s[i]) {
				return i
			}
		case isIDStart(r):
		case i > 0 && isIDContinue(r):
		default:
			return i
		}
		i += size
	}
	return i
}

// isIDStart reports whether r has the Unicode property ID_Start.
func isIDStart(r rune) bool {
	return unicode.In(r, unicode.L, unicode.Nl, unicode.Other_ID_Start) && !unicode.In(r, unicode.Pattern_Syntax)
}

// isIDContinue reports whether r has the Unicode property ID_Continue, but is
// not ID_Start.
func isIDContinue(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue) && !unicode.In(r, unicode.Pattern_Syntax)
}

// isIdentByte reports whether c may occur inside an ASCII identifier.
func isIdentByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}

// isIdent reports whether all of s is one identifier.
func isIdent(s string) bool {
	return s != "" && identLen(s) == len(s)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isDigits reports whether all of s, which may be empty, is ASCII digits.
func isDigits(s string) bool { return digitsLen(s) == len(s) }

// digitsLen returns the number of digits that s begins with.
func digitsLen(s string) int {
	i := 0
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}
