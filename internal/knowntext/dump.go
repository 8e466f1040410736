// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package knowntext

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"

	"github.com/tofuwire/tofuwire/internal/lazy"
)

// Bytes that are printed one by one as numbers: the output of xxd, hexdump and od, the fingerprints
// of openssl, and what programs in Go and C print of a list of bytes.

// minDump is how many bytes make a dump. Fewer have no secret that is looked for.
const minDump = 6

const number = `(?:0[xX])?[0-9a-fA-F]{1,16}\b`

// numbers match several numbers in a line. What xxd prints behind two spaces is the same as text;
// barred is for the form with that between bars, where two spaces are also in the middle, and
// columns for lines with nothing but numbers.
var (
	numbers = lazy.Regexp(`\b` + number + `(?:(?:[ \t]?[,:;][ \t]?|[ \t])` + number + `){2,}[,:;]?`)
	columns = lazy.Regexp(`^[ \t]*` + number + `(?:[ \t]{1,3}` + number + `){2,}[ \t]*$`)
	barred  = lazy.Regexp(`\b` + number + `(?:[ \t]{1,2}` + number + `){2,}[ \t]+\|.*\|`)
	one     = lazy.Regexp(number)
)

// Dumps calls f with what numbers in a line say, and where they are, until f returns false. The
// same numbers can say several things: they are hexadecimal, in the order of bytes or with those of
// each word reversed, decimal, or octal. What od -c prints is taken for numbers too.
func Dumps(line []byte, f func(start, end int, plain []byte) bool) {
	if plain := characters(line); plain != nil && !f(0, len(line), plain) {
		return
	}
	if nextDump(line, 0) == len(line) {
		return
	}
	for _, at := range lists(line) {
		for _, plain := range readings(tokens(line[at[0]:at[1]])) {
			if !f(at[0], at[1], plain) {
				return
			}
		}
	}
}

// MayDump reports whether a line may have a list of numbers, or be one of od -c.
func MayDump(line []byte) bool {
	return nextDump(line, 0) < len(line) || bytes.Contains(line, []byte("   "))
}

// lists returns where numbers are in a line that may be those of bytes.
func lists(line []byte) [][]int {
	for _, whole := range []*regexp.Regexp{barred(), columns()} {
		if at := whole.FindIndex(line); at != nil {
			return [][]int{at}
		}
	}
	return numbers().FindAllIndex(line, -1)
}

// tokens returns the numbers in a list of them, without the place in the file that a line may
// begin with, and what is between bars.
func tokens(list []byte) [][]byte {
	if bar := bytes.IndexByte(list, '|'); bar >= 0 {
		list = list[:bar]
	}
	all := one().FindAll(list, -1)
	if len(all) > 2 && len(all[0]) > 4 && (len(all[0]) != len(all[1]) || bytes.Contains(list, []byte(": "))) {
		all = all[1:]
	}
	return all
}

// cells matches a line of od -c: three columns for each byte, behind a space.
var cells = lazy.Regexp(`^[0-7]{7,}((?: {3}[ -~]| {2}\\[0abtnvfr]| [0-7]{3}){3,})$`)

// characters returns what a line of od -c says, nil if it is none.
func characters(line []byte) []byte {
	if len(line) < 7+3*4 || line[7] != ' ' || line[0] < '0' || line[0] > '7' {
		return nil
	}
	m := cells().FindSubmatch(line)
	if m == nil {
		return nil
	}
	plain := make([]byte, 0, len(m[1])/4)
	for cell := range slices.Chunk(m[1], 4) {
		switch b, isOctal := octal(nil, cell[1:]); {
		case isOctal:
			plain = append(plain, b...)
		case cell[2] == '\\':
			plain = append(plain, Unescape(string(cell[2:]))...)
		default:
			plain = append(plain, cell[3])
		}
	}
	return plain
}

// dumps looks at what the numbers in a text say: those in each line, and those in consecutive lines
// together.
func (u *unwrapper) dumps(w wrapping) bool {
	if nextDump(w.text, 0) == len(w.text) {
		return false
	}
	found := func(list [][]byte) bool {
		for _, plain := range readings(list) {
			if u.found(wrapping{plain, w.encodings + 1, w.escapes}) {
				return true
			}
		}
		return false
	}
	var joined [][]byte
	for line := range bytes.FieldsFuncSeq(w.text, isLineEnd) {
		here := lists(line)
		for _, at := range here {
			if found(tokens(line[at[0]:at[1]])) {
				return true
			}
		}
		if len(here) == 1 {
			joined = append(joined, tokens(line[here[0][0]:here[0][1]])...)
			continue
		}
		if found(joined) {
			return true
		}
		joined = joined[:0]
	}
	return found(joined)
}

// readings returns what a list of numbers may say.
func readings(list [][]byte) (all [][]byte) {
	for _, read := range []func(b, number []byte) ([]byte, bool){hexadecimal, exchanged, decimal, octal} {
		var b []byte
		ok := true
		for _, n := range list {
			if b, ok = read(b, n); !ok {
				break
			}
		}
		if ok && len(b) >= minDump {
			all = append(all, b)
		}
	}
	return all
}

func hexadecimal(b, number []byte) ([]byte, bool) {
	if len(number) > 2 && number[1]|0x20 == 'x' {
		if number = number[2:]; len(number) == 1 {
			return append(b, digits[number[0]]), true
		}
	}
	return append(b, unhex(number)...), len(number)%2 == 0
}

// exchanged reads words of two, four or eight bytes as od and hexdump print them on most machines.
func exchanged(b, number []byte) ([]byte, bool) {
	word := unhex(number)
	slices.Reverse(word)
	return append(b, word...), len(number)%4 == 0 && number[1]|0x20 != 'x'
}

func decimal(b, number []byte) ([]byte, bool) {
	n, err := strconv.ParseUint(string(number), 10, 8)
	return append(b, byte(n)), err == nil
}

// octal reads bytes, and words as od prints them without an option.
func octal(b, number []byte) ([]byte, bool) {
	n, err := strconv.ParseUint(string(number), 8, 16)
	if len(number) == 6 {
		return append(b, byte(n), byte(n>>8)), err == nil
	}
	return append(b, byte(n)), err == nil && len(number) == 3 && n < 256
}

// inDump has the characters of numbers and of what separates them.
var inDump = func() (is [256]bool) {
	for _, c := range []byte("0123456789abcdefABCDEFxX ,:;\t") {
		is[c] = true
	}
	return is
}()

// shortDump is the length of the shortest dump: three words of two bytes.
const shortDump = 3*4 + 2

// nextDump returns where the next part of a text is, at or after i, that may be a dump. If there
// is none it returns len(text).
func nextDump(text []byte, i int) int {
	for i+shortDump <= len(text) {
		k := i + shortDump - 1
		for k >= i && inDump[text[k]] {
			k--
		}
		if k >= i {
			i = k + 1
			continue
		}
		start, n := i, 0
		for before := false; i < len(text) && inDump[text[i]]; i++ {
			digit := digits[text[i]] != 0xff
			if digit && !before {
				if n++; n >= minDump/2 {
					return start
				}
			}
			before = digit
		}
	}
	return len(text)
}
