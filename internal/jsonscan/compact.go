// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package jsonscan

import "slices"

// compact appends the valid value at d[i] in its canonical form, if that differs from
// the text only in white space and in the spelling of strings and numbers, as for
// everything that the tools write. It reports false as soon as it comes to an object
// whose names are not sorted.
func compact(dst, d []byte, i int) (_ []byte, ok bool) {
	dst = slices.Grow(dst, len(d)-i)
	var room [16]name
	open := room[:0] // the containers around, each with its last name
	for i < len(d) {
		if n := len(open); n > 0 && open[n-1].end != 0 {
			end := StringEnd(d, i)
			if !open[n-1].before(d, name{i, end}) {
				return nil, false
			}
			open[n-1] = name{i, end}
			dst = append(append(dst, d[i:end]...), ':')
			i = Space(d, Space(d, end)+1)
		}
		switch c := d[i]; c {
		case '"':
			dst, i = appendString(dst, d, i)
		case '{', '[':
			dst = append(dst, c)
			if i = Space(d, i+1); d[i] != c+2 {
				in := name{}
				if c == '{' {
					in.end = -1
				}
				open = append(open, in)
				continue
			}
			dst = append(dst, c+2)
			i++
		case 't', 'f', 'n':
			end := i + 4
			if c == 'f' {
				end++
			}
			dst = append(dst, d[i:end]...)
			i = end
		default:
			dst, i = appendNumber(dst, d, i)
		}
		for {
			if len(open) == 0 {
				return dst, true
			}
			i = Space(d, i)
			dst = append(dst, d[i])
			i++
			if d[i-1] == ',' {
				break
			}
			open = open[:len(open)-1]
		}
		i = Space(d, i)
	}
	return nil, false
}

// A name is where the token of a member's name is. Its end is 0 in an array and -1
// before the first member.
type name struct{ start, end int }

// before reports whether n comes before next in the order of names, and next is spelled
// as in canonical form. It reports false if that needs a closer look.
func (n name) before(d []byte, next name) bool {
	b := d[next.start+1 : next.end-1]
	for _, c := range b {
		if c >= 0x80 || c == '\\' || c == '<' || c == '>' || c == '&' {
			return false
		}
	}
	return n.end < 0 || string(d[n.start+1:n.end-1]) < string(b)
}

// unusual marks, by its lowest bit, the first byte in w that ends a string or that may
// be spelled in another way in canonical form.
func unusual(w uint64) uint64 {
	quote := (w &^ (4 * ones)) ^ '"'*ones // also &
	angle := (w | 2*ones) ^ '>'*ones      // also <
	backslash := w ^ '\\'*ones
	return ((quote-ones)&^quote | (angle-ones)&^angle | (backslash-ones)&^backslash | w) & highs
}

// appendString appends the string at d[i] in canonical form and returns its end in d.
func appendString(dst, d []byte, i int) ([]byte, int) {
	start := i
	for i++; i < len(d)-7; i += 8 {
		if m := unusual(word(d, i)); m != 0 {
			i += trailingZeroBytes(m)
			break
		}
	}
	end, same := canonicalEnd(d, i)
	if same {
		return append(dst, d[start:end]...), end
	}
	return AppendQuote(dst, UnquoteBytes(d[start:end]), true), end
}

// canonicalEnd returns the end of a string, of which the rest is at d[i], and reports
// whether that is spelled as in canonical form.
func canonicalEnd(d []byte, i int) (end int, same bool) {
	for i < len(d) {
		switch c := d[i]; {
		case c == '"':
			return i + 1, true
		case c == '\\':
			n := canonicalEscape(d[i+1:])
			if n == 0 {
				return StringEnd(d, i-1), false
			}
			i += 1 + n
		case c == '<' || c == '>' || c == '&', c == 0xE2 && d[i+1] == 0x80 && d[i+2]|1 == 0xA9:
			return StringEnd(d, i-1), false
		default:
			i++
		}
	}
	return i, false
}

// canonicalEscape returns the length of an escape, without its backslash, or 0 if the
// canonical form has another spelling.
func canonicalEscape(s []byte) int {
	switch s[0] {
	case '"', '\\', 'b', 'f', 'n', 'r', 't':
		return 1
	case 'u':
		switch code := string(s[1:5]); code {
		case "003c", "003e", "0026", "2028", "2029":
			return 5
		case "0008", "0009", "000a", "000c", "000d":
		default:
			if control := s[1] == '0' && s[2] == '0' && s[3]|1 == '1'; control && (s[4] <= '9' || s[4] >= 'a') {
				return 5
			}
		}
	}
	return 0
}

// appendNumber appends the number at d[i] in canonical form and returns its end in d.
func appendNumber(dst, d []byte, i int) ([]byte, int) {
	start, whole := i, true
	for ; i < len(d); i++ {
		switch c := d[i]; {
		case '0' <= c && c <= '9' || c == '-':
		case c == '.' || c == 'e' || c == 'E' || c == '+':
			whole = false
		default:
			goto end
		}
	}
end:
	if whole {
		return append(dst, d[start:i]...), i
	}
	return appendPlain(dst, d[start:i]), i
}
