// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package knowntext

import (
	"bytes"
	"compress/gzip"
	"hash/maphash"
	"html"
	"io"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A text can be wrapped: encoded, quoted, broken into lines, one in the other. What people
// and tools do to it is undone here, to a depth and with a bound on the work.

// maxEncodings is how many encodings a text is taken out of that is looked for: base64, with
// or without gzip or UTF-16, hexadecimal digits, dumps, and the escapes of URLs. What is below
// can still be in one more base64, which is among the forms of a secret.
const maxEncodings = 3

// maxEscapes is how often a text is unescaped in search of secrets.
const maxEscapes = 4

// maxWork is how many bytes are looked at for each byte of a text, besides minWork. A text
// that takes more is taken to have a secret: nobody writes one.
const (
	maxWork = 256
	minWork = 64 << 10
)

// A wrapping is a text that was taken out of another one.
type wrapping struct {
	text      []byte
	encodings int // how many it was taken out of
	escapes   int
}

// An unwrapper takes texts out of one another.
type unwrapper struct {
	todo []wrapping
	seen map[uint64]bool
	work int

	joined bool // several lines are being decoded

	hit  func(plain []byte) bool // looks at a text
	any  func(plain []byte) bool // the same for what was encoded in several lines, if not nil
	line func(text []byte) bool  // looks at a text of several lines without what indents them
}

var unwrapSeed = maphash.MakeSeed()

// unwrap calls hit with everything that can be taken out of text, until it returns true, and
// reports whether it did, or there was too much to look at. It does not call it with
// text itself. It also calls any, if that is not nil, with what was encoded in several lines.
func unwrap(text []byte, hit, any, line func(text []byte) bool) bool {
	u := unwrapper{hit: hit, any: any, line: line, work: minWork + maxWork*len(text), todo: []wrapping{{text: text}}}
	for k := 0; k < len(u.todo); k++ { // what was taken out of less comes first
		if u.below(u.todo[k]) {
			return true
		}
		u.todo[k].text = nil
	}
	return false
}

// below looks at what is one level below a text.
func (u *unwrapper) below(w wrapping) bool {
	text := w.text
	if !isASCII(text) && !isLow(text) && !norm.NFC.IsNormal(text) && u.found(wrapping{norm.NFC.Bytes(text), w.encodings, w.escapes}) {
		return true
	}
	if w.escapes < maxEscapes {
		for i := range escapes {
			if !bytes.Contains(text, escapes[i].mark) {
				continue
			}
			if plain := []byte(escapes[i].unescape(string(text))); !bytes.Equal(plain, text) && u.found(wrapping{plain, w.encodings, w.escapes + 1}) {
				return true
			}
		}
	}
	if bytes.ContainsAny(text, "\n\r") && (u.line(text) || u.wrapped(w)) {
		return true
	}
	if w.encodings == maxEncodings {
		return false
	}
	if bytes.IndexByte(text, '%') >= 0 {
		if plain := unpercent(string(text)); plain != string(text) {
			if u.found(wrapping{[]byte(plain), w.encodings + 1, w.escapes}) {
				return true
			}
			if bytes.IndexByte(text, '+') >= 0 && u.found(wrapping{[]byte(unpercent(strings.ReplaceAll(string(text), "+", " "))), w.encodings + 1, w.escapes}) {
				return true // a form
			}
		}
	}
	return u.dumps(w) || u.runs(w, text)
}

// escapes are the ways to unescape a text that has their mark: those of JSON and of XML, and
// those that double what is special to shells, YAML, and files of settings.
var escapes = []struct {
	mark     []byte
	unescape func(string) string
}{
	{[]byte(`\`), Unescape},
	{[]byte("&"), html.UnescapeString},
	{[]byte("$${"), untemplate.Replace},
	{[]byte("%%{"), untemplate.Replace},
	{[]byte("%%"), strings.NewReplacer("%%", "%").Replace},
	{[]byte("''"), strings.NewReplacer(`'\''`, "'", `'"'"'`, "'", "''", "'").Replace},
	{[]byte(`'"'"'`), strings.NewReplacer(`'"'"'`, "'").Replace},
	{[]byte(`""`), strings.NewReplacer(`""`, `"`).Replace},
	{[]byte("$$"), strings.NewReplacer("$$", "$").Replace},
}

var untemplate = strings.NewReplacer("$${", "${", "%%{", "%{")

// found looks at a text, and takes note of it for what is below it.
func (u *unwrapper) found(w wrapping) bool {
	if len(w.text) == 0 {
		return false
	}
	h := maphash.Bytes(unwrapSeed, w.text)
	if u.seen[h] {
		return false
	}
	if u.seen == nil {
		u.seen = make(map[uint64]bool)
	}
	u.seen[h] = true
	if u.work -= len(w.text); u.work < 0 {
		return true
	}
	if u.hit(w.text) || u.joined && u.any != nil && u.any(w.text) {
		return true
	}
	u.todo = append(u.todo, w)
	return false
}

// runs looks at what the long runs of letters and digits in a text say.
func (u *unwrapper) runs(w wrapping, text []byte) bool {
	for i := 0; i < len(text); {
		start, end := nextRun(text, i)
		if start == len(text) {
			return false
		}
		if u.run(w, text[start:end]) {
			return true
		}
		longer := start
		for longer > i && text[longer-1] != '=' && isBase64(text[longer-1]) {
			longer--
		}
		if longer < start && u.run(w, text[longer:end]) {
			return true
		}
		i = end
	}
	return false
}

// run looks at what a run says.
func (u *unwrapper) run(w wrapping, run []byte) bool {
	if hexTexts(run, func(digits []byte) bool { return u.decoded(w, unhex(digits)) }) {
		return true
	}
	var seen [4]bool // by the place in a group of four letters
	for at := 0; at <= maxGlued && at+minRun <= len(run); at++ {
		if seen[at%4] || startsOdd(run[at:]) || !mayBeText(run[at:]) {
			continue
		}
		seen[at%4] = true
		if u.decoded(w, unbase64(run[at:])) {
			return true
		}
	}
	return false
}

// maxGlued is how many letters may stand before a text in base64 without anything between
// them.
const maxGlued = 16

// mayHaveText reports whether a run may be base64, or begin with letters that are not part
// of it.
func mayHaveText(run []byte) bool {
	for at := 0; at <= maxGlued && at+minRun <= len(run); at++ {
		if !startsOdd(run[at:]) && mayBeText(run[at:]) {
			return true
		}
	}
	return hexTexts(run, func([]byte) bool { return true })
}

// decoded looks at what was encoded: text of any kind, or compressed.
func (u *unwrapper) decoded(w wrapping, plain []byte) bool {
	next := wrapping{plain, w.encodings + 1, w.escapes}
	if bytes.HasPrefix(plain, gzipMagic) {
		limit := gunzipMin + gunzipMax*len(plain)
		out, whole := gunzip(plain, limit)
		if !whole {
			return true
		}
		next.text = out
	} else if text := fromUTF16(plain); text != nil {
		next.text = text
	}
	return u.found(next)
}

var gzipMagic = []byte{0x1f, 0x8b, 8}

// gunzipMax is how many times as long as a compressed text what is in it may be, besides
// gunzipMin bytes. What is longer is taken to have a secret.
const (
	gunzipMax = 100
	gunzipMin = 4 << 10
)

// gunzip returns what was compressed, as far as it can be read, and whether that is within
// the limit.
func gunzip(src []byte, limit int) ([]byte, bool) {
	z, err := gzip.NewReader(bytes.NewReader(src))
	if err != nil {
		return nil, true
	}
	out, _ := io.ReadAll(io.LimitReader(z, int64(limit)+1))
	return out, len(out) <= limit
}

// wrapped looks at the texts in base64 that are broken into lines. The first line may begin in
// one that has more. Where a line is longer than the one before, another text may begin.
func (u *unwrapper) wrapped(w wrapping) bool {
	var block []byte  // lines with nothing but base64
	var before []byte // what they may begin with
	group := 0        // where those in block begin that are not longer than the one before
	lines, length := 0, 0
	end := func() bool {
		found := lines > 1 && u.lines(w, bytes.Clone(block)) || lines > 0 && before != nil && u.lines(w, append(bytes.Clone(before), block...)) ||
			group > 0 && u.lines(w, bytes.Clone(block[group:]))
		block, before, lines, group = block[:0], nil, 0, 0
		return found
	}
	var last []byte
	for line := range bytes.FieldsFuncSeq(w.text, isLineEnd) {
		line = bytes.Trim(line, " \t\"',\\")
		if len(line) == 0 {
			continue
		}
		at := baseEnd(line)
		if at > 0 {
			if end() {
				return true
			}
			if last = nil; len(line)-at >= minWrapped {
				last = line[at:]
			}
			continue
		}
		if lines == 0 {
			before = last
		} else if len(line) > length {
			if group > 0 && u.lines(w, bytes.Clone(block[group:])) {
				return true
			}
			group = len(block)
		}
		block, lines, length, last = append(block, line...), lines+1, len(line), nil
	}
	return end()
}

// minWrapped is how much of a line a text in base64 has at least that goes on in the next.
const minWrapped = 8

// baseEnd returns where the base64 at the end of a line begins.
func baseEnd(line []byte) int {
	i := len(line)
	for i > 0 && isBase64(line[i-1]) {
		i--
	}
	return i
}

// lines looks at a text that was broken into lines.
func (u *unwrapper) lines(w wrapping, joined []byte) bool {
	if u.work -= len(joined); u.work < 0 || u.hit(joined) {
		return true
	}
	u.joined = true
	defer func() { u.joined = false }()
	return w.encodings < maxEncodings && len(joined) >= minRun && u.runs(w, joined)
}

// minRun is the length from which a run is decoded: the shortest text that is looked for has
// so many letters if it is encoded twice.
const minRun = 12

// nextRun returns the next run of letters and digits at or after i that is long enough to be
// something encoded. If there is none, both are len(text).
func nextRun(text []byte, i int) (start, end int) {
	for start = i; start+minRun <= len(text); {
		k := start + minRun - 1
		for k >= start && inRun[text[k]] {
			k--
		}
		if k >= start {
			start = k + 1
			continue
		}
		end = start + minRun
		for end < len(text) && isBase64(text[end]) {
			end++
		}
		return start, end
	}
	return len(text), len(text)
}

// inRun has the letters of base64 that a text in it mostly has.
var inRun = func() (is [256]bool) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		is[c] = true
	}
	return is
}()

// sextets are the values of the letters of base64 in both alphabets, 0xff of others.
var sextets = func() (value [256]byte) {
	for i := range value {
		value[i] = 0xff
	}
	for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		value[c] = byte(i)
	}
	value['-'], value['_'] = 62, 63
	return value
}()

// oddStarts has the first twelve bits of what is no text, as the values of the first two letters
// of a run in base64.
var oddStarts = sync.OnceValue(func() *[1 << 14]bool {
	var odd [1 << 14]bool
	for letters := range 1 << 12 {
		first, odds := byte(letters>>4), 0
		for rest := range 16 {
			second := byte(letters<<4 | rest)
			if second != 0 && first != 0 && first < 0xfe && first != gzipMagic[0] && !isTextual([]byte{first, second}) {
				odds++
			}
		}
		odd[letters] = odds == 16
	}
	return &odd
})

// startsOdd reports whether a run begins as no text does in base64, by its first two letters.
// Most runs that are no text are told by that.
func startsOdd(run []byte) bool { return oddStarts()[int(sextets[run[0]])<<6|int(sextets[run[1]])] }

// mayBeText reports whether a run in base64 begins as text does, as UTF-16 does, or as what
// gzip makes.
func mayBeText(run []byte) bool {
	var b [9]byte
	for q := range 3 {
		a, c, d, e := sextets[run[4*q]], sextets[run[4*q+1]], sextets[run[4*q+2]], sextets[run[4*q+3]]
		if a|c|d|e == 0xff { // the end
			if q == 0 || a == 0xff {
				return false
			}
			return q > 0 && isTextual(b[:3*q])
		}
		w := uint32(a)<<18 | uint32(c)<<12 | uint32(d)<<6 | uint32(e)
		b[3*q], b[3*q+1], b[3*q+2] = byte(w>>16), byte(w>>8), byte(w)
		if q == 0 && b[0] == gzipMagic[0] && b[1] == gzipMagic[1] {
			return true
		}
	}
	return isTextual(b[:])
}

// isTextual reports whether bytes are the beginning of a text, or of one in UTF-16.
func isTextual(b []byte) bool {
	if len(b) >= 4 && (b[1] == 0 && b[3] == 0 || b[0] == 0 && b[2] == 0 || b[0] == 0xff && b[1] == 0xfe || b[0] == 0xfe && b[1] == 0xff) {
		return true
	}
	for i := 0; i < len(b); {
		c := b[i]
		if c < utf8.RuneSelf {
			if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0x7f {
				return false
			}
			i++
			continue
		}
		if !utf8.FullRune(b[i:]) {
			return true
		}
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return false
		}
		i += n
	}
	return true
}

// unbase64 decodes a run in either alphabet, up to its end or the first letter that cannot
// be in it.
func unbase64(run []byte) []byte {
	out := make([]byte, 0, len(run)*3/4+3)
	var w uint32
	n := 0
	for _, c := range run {
		v := sextets[c]
		if v == 0xff {
			break
		}
		w = w<<6 | uint32(v)
		if n++; n == 4 {
			out = append(out, byte(w>>16), byte(w>>8), byte(w))
			w, n = 0, 0
		}
	}
	switch n {
	case 2:
		out = append(out, byte(w>>4))
	case 3:
		out = append(out, byte(w>>10), byte(w>>2))
	}
	return out
}

// hexTexts calls f with the hexadecimal digits in a run that may be a text, until f returns
// true, and reports whether it did.
func hexTexts(run []byte, f func(digits []byte) bool) bool {
	for i := 0; i < len(run); {
		start, end := nextHex(run, i)
		var seen [2]bool // by the place in a pair of digits
		for at := start; at < start+maxGlued && at+minRun <= end; at++ {
			if seen[at%2] || !mayBeHex(run[at:end]) {
				continue
			}
			seen[at%2] = true
			if f(run[at:end]) {
				return true
			}
		}
		i = end
	}
	return false
}

// nextHex returns the next hexadecimal digits at or after i in a run that are enough to be
// something encoded. If there are none, both are len(run).
func nextHex(run []byte, i int) (start, end int) {
	for start = i; start+minRun <= len(run); {
		k := start + minRun - 1
		for k >= start && digits[run[k]] != 0xff {
			k--
		}
		if k >= start {
			start = k + 1
			continue
		}
		end = start + minRun
		for end < len(run) && digits[run[end]] != 0xff {
			end++
		}
		return start, end
	}
	return len(run), len(run)
}

// mayBeHex reports whether hexadecimal digits, at least four, begin as text does, or as what
// gzip makes.
func mayBeHex(run []byte) bool {
	var b [8]byte
	n := min(len(run)/2, len(b))
	for i := range n {
		b[i] = digits[run[2*i]]<<4 | digits[run[2*i+1]]
		if i == 1 && oddStarts()[int(b[0])<<4|int(b[1]>>4)] {
			return false
		}
	}
	return isTextual(b[:n]) || bytes.HasPrefix(b[:n], gzipMagic)
}

// unhex decodes hexadecimal digits.
func unhex(run []byte) []byte {
	out := make([]byte, 0, len(run)/2)
	for i := 0; i+1 < len(run); i += 2 {
		out = append(out, digits[run[i]]<<4|digits[run[i+1]])
	}
	return out
}

// digits are the values of hexadecimal digits, 0xff of other letters.
var digits = func() (value [256]byte) {
	for i := range value {
		value[i] = 0xff
	}
	for i := range 16 {
		value["0123456789abcdef"[i]], value["0123456789ABCDEF"[i]] = byte(i), byte(i)
	}
	return value
}()

// fromUTF16 returns what text in UTF-16 says, or nil if it is not UTF-16.
func fromUTF16(b []byte) []byte {
	if len(b) < 4 {
		return nil
	}
	big := b[0] == 0xfe && b[1] == 0xff || b[0] == 0 && b[2] == 0
	if !big && !(b[0] == 0xff && b[1] == 0xfe) && !(b[1] == 0 && b[3] == 0) {
		return nil
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		if units[i] = uint16(b[2*i]) | uint16(b[2*i+1])<<8; big {
			units[i] = uint16(b[2*i])<<8 | uint16(b[2*i+1])
		}
	}
	return []byte(string(utf16.Decode(units)))
}
