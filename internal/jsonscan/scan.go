// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package jsonscan

import (
	"errors"
	"unicode/utf8"
)

// MaxDepth is how deep arrays and objects may nest, as in encoding/json.
const MaxDepth = 10000

// A Fault says what is wrong with a text. The zero Fault means that there is none.
type Fault uint8

// The faults. FaultEnd means that the text ended too early; the others that
// the byte at the reported offset cannot stand there.
const (
	OK Fault = iota
	FaultEnd
	FaultValue
	FaultControl
	FaultEscape
	FaultUTF8
	FaultNumber
	FaultLiteral
	FaultName
	FaultColon
	FaultObject
	FaultArray
	FaultDepth
	FaultTrailing
	FaultBOM
	FaultUTF16
	FaultZip
)

var faultText = [...]string{
	OK:            "no error",
	FaultEnd:      "unexpected end of JSON text",
	FaultValue:    "expected a value",
	FaultControl:  "control character in a string must be escaped",
	FaultEscape:   "invalid escape in a string",
	FaultUTF8:     "invalid UTF-8 in a string",
	FaultNumber:   "invalid number",
	FaultLiteral:  "invalid literal, expected true, false or null",
	FaultName:     "expected a member name in double quotes",
	FaultColon:    "expected ':' after a member name",
	FaultObject:   "expected ',' or '}' after a member",
	FaultArray:    "expected ',' or ']' after an element",
	FaultDepth:    "nested too deeply",
	FaultTrailing: "unexpected text after the value",
	FaultBOM:      "byte order mark before the value",
	FaultUTF16:    "the text is in UTF-16, not in UTF-8",
	FaultZip:      "the text is a zip archive, as saved plans are, not JSON",
}

// Error returns the fault in words.
func (f Fault) Error() string { return faultText[f] }

// ErrLimit is what a FaultDepth is, for errors.Is.
var ErrLimit = errors.New("limit exceeded")

// Is reports whether target is ErrLimit, and f a limit.
func (f Fault) Is(target error) bool { return f == FaultDepth && target == ErrLimit }

// isSpace reports whether c is JSON white space.
func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// Space returns the offset of the first byte at or after i that is not white
// space, or len(d).
func Space(d []byte, i int) int {
	if i < len(d) && d[i] <= ' ' {
		return SomeSpace(d, i)
	}
	return i
}

// SomeSpace is Space for where there mostly is some.
func SomeSpace(d []byte, i int) int {
	for i < len(d) {
		if d[i] == '\n' {
			// What follows is the indentation: eight blanks at a time.
			for i++; i >= 0 && i < len(d)-7; i += 8 {
				w := uint64(d[i]) | uint64(d[i+1])<<8 | uint64(d[i+2])<<16 | uint64(d[i+3])<<24 |
					uint64(d[i+4])<<32 | uint64(d[i+5])<<40 | uint64(d[i+6])<<48 | uint64(d[i+7])<<56
				if w ^= ' ' * ones; w != 0 {
					i += trailingZeroBytes(w)
					break
				}
			}
			if i < len(d) && d[i] > ' ' {
				return i
			}
			continue
		}
		if !isSpace(d[i]) {
			return i
		}
		i++
	}
	return i
}

// Valid reports whether d is one JSON value, with white space around it.
func Valid(d []byte) bool {
	_, f := Document(d)
	return f == OK
}

// Document checks that d is one JSON value with nothing but white space
// around it. If it is not, the offset is that of the fault.
func Document(d []byte) (int, Fault) {
	i, f := Value(d, Space(d, 0), MaxDepth)
	if f != OK {
		return i, f
	}
	if i = Space(d, i); i < len(d) {
		return i, FaultTrailing
	}
	return i, OK
}

// Value checks the value that starts at d[i] and returns the offset after it,
// or the offset of a fault. Arrays and objects may nest up to depth levels.
func Value(d []byte, i, depth int) (int, Fault) {
	var f Fault
	if i < 0 || i >= len(d) {
		return len(d), FaultEnd
	}
	switch c := d[i]; {
	case c == '"':
		return String(d, i)
	case c == '{' || c == '[':
		return container(d, i, depth)
	default:
		i, f = scalar(d, i)
		return i, f
	}
}

// scalar checks the number or literal at d[i].
func scalar(d []byte, i int) (int, Fault) {
	switch d[i] {
	case 't':
		return literal(d, i, "true")
	case 'f':
		return literal(d, i, "false")
	case 'n':
		return literal(d, i, "null")
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return Number(d, i)
	case 0xEF:
		if i == 0 && len(d) > 2 && d[1] == 0xBB && d[2] == 0xBF {
			return i, FaultBOM
		}
	case 0xFE, 0xFF:
		if i == 0 && len(d) > 1 && d[1] == d[0]^1 {
			return i, FaultUTF16
		}
	case 'P':
		if i == 0 && len(d) > 3 && string(d[1:4]) == "K\x03\x04" {
			return i, FaultZip
		}
	}
	return i, FaultValue
}

func literal(d []byte, i int, want string) (int, Fault) {
	if len(d)-i >= len(want) && string(d[i:i+len(want)]) == want {
		return i + len(want), OK
	}
	for j := 0; j < len(want); j++ {
		if i+j >= len(d) {
			return len(d), FaultEnd
		}
		if d[i+j] != want[j] {
			return i + j, FaultLiteral
		}
	}
	return i, FaultLiteral
}

// container checks the array or object at d[i].
func container(d []byte, i, depth int) (int, Fault) {
	var k Skipper
	k.next = atOpen
	i, f := k.Run(d, i, depth)
	if f == FaultEnd {
		i = len(d)
	}
	return i, f
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// String checks the string whose opening quote is d[i] and returns the offset
// after its closing quote.
func String(d []byte, i int) (int, Fault) {
	if i < 0 || i >= len(d) || d[i] != '"' {
		return i, FaultValue
	}
	i, _, f := StringRest(d, i+1)
	if f == FaultEnd {
		return len(d), f
	}
	return i, f
}

// StringRest checks the rest of a string from d[i] on and returns the offset
// after its closing quote, and whether it met an escape. If the text ends
// before that, it returns the offset of the first character that is not
// complete.
func StringRest(d []byte, i int) (end int, escaped bool, f Fault) {
	for {
		// Eight bytes at a time, as long as they hold no quote, backslash,
		// control character or byte of a longer UTF-8 sequence. This form of
		// the load compiles to one instruction without bounds checks.
		for i >= 0 && i < len(d)-7 {
			w := uint64(d[i]) | uint64(d[i+1])<<8 | uint64(d[i+2])<<16 | uint64(d[i+3])<<24 |
				uint64(d[i+4])<<32 | uint64(d[i+5])<<40 | uint64(d[i+6])<<48 | uint64(d[i+7])<<56
			// A subtraction sets the high bit of a byte that is sought, of one
			// that has it in w, too, and, by what it borrows, of bytes above
			// the first that is sought; so the lowest bit that is set is right.
			m := ((w ^ '"'*ones - ones) | (w ^ '\\'*ones - ones) | (w - ' '*ones) | w) & highs
			if m != 0 {
				i += trailingZeroBytes(m)
				break
			}
			i += 8
		}
		if i >= len(d) {
			return len(d), escaped, FaultEnd
		}
		switch c := d[i]; {
		case c == '"':
			return i + 1, escaped, OK
		case c == '\\':
			escaped = true
			if i+1 < len(d) && short[d[i+1]] {
				i += 2
				continue
			}
			n, f := escape(d, i)
			if f != OK {
				return i, true, f
			}
			i = n
		case c < ' ':
			return i, escaped, FaultControl
		case c < utf8.RuneSelf:
			i++
		case c >= 0xC2 && c < 0xE0 && i+1 < len(d) && d[i+1]&0xC0 == 0x80:
			i += 2
		default:
			n := runeLen(d, i)
			if n == 0 {
				if !utf8.FullRune(d[i:]) {
					return i, escaped, FaultEnd
				}
				return i, escaped, FaultUTF8
			}
			i += n
		}
	}
}

// runeLen returns the length of the valid UTF-8 sequence at d[i], or 0.
func runeLen(d []byte, i int) int {
	r, n := utf8.DecodeRune(d[i:])
	if r == utf8.RuneError && n <= 1 {
		return 0
	}
	return n
}

// short has the characters that an escape of two bytes may end with.
var short = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

// escape checks the escape whose backslash is d[i].
func escape(d []byte, i int) (int, Fault) {
	if i+1 >= len(d) {
		return len(d), FaultEnd
	}
	if short[d[i+1]] {
		return i + 2, OK
	}
	if d[i+1] != 'u' {
		return i, FaultEscape
	}
	if i < len(d)-5 && digitOf[d[i+2]]|digitOf[d[i+3]]|digitOf[d[i+4]]|digitOf[d[i+5]] >= 0 {
		return i + 6, OK
	}
	for j := i + 2; j < i+6; j++ {
		if j >= len(d) {
			return len(d), FaultEnd
		}
		if hexDigit(d[j]) < 0 {
			return i, FaultEscape
		}
	}
	return i + 6, OK
}

// Number checks the number at d[i] and returns the offset after it.
func Number(d []byte, i int) (int, Fault) {
	if i < len(d) && d[i] == '-' {
		i++
	}
	switch {
	case i >= len(d):
		return len(d), FaultEnd
	case d[i] == '0':
		i++
	case d[i] >= '1' && d[i] <= '9':
		i = digits(d, i)
	default:
		return i, FaultNumber
	}
	if i < len(d) && d[i] == '.' {
		if i++; i >= len(d) {
			return len(d), FaultEnd
		}
		j := digits(d, i)
		if j == i {
			return i, FaultNumber
		}
		i = j
	}
	if i < len(d) && (d[i] == 'e' || d[i] == 'E') {
		i++
		if i < len(d) && (d[i] == '+' || d[i] == '-') {
			i++
		}
		if i >= len(d) {
			return len(d), FaultEnd
		}
		j := digits(d, i)
		if j == i {
			return i, FaultNumber
		}
		i = j
	}
	// A second leading zero, as in 01, is the number's fault, not that of
	// what follows.
	if i < len(d) && d[i] >= '0' && d[i] <= '9' {
		return i, FaultNumber
	}
	return i, OK
}

func digits(d []byte, i int) int {
	for i < len(d) && d[i]-'0' <= 9 {
		i++
	}
	return i
}
