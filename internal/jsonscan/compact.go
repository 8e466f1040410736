// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package jsonscan

import "slices"

// Compact appends the canonical form of the value v, as [AppendCanonical] does, if that
// differs from v only in white space and in the spelling of strings and numbers, as for
// everything that the tools write. It reports false, with nothing to be used, as soon as it
// comes to an object whose names are not sorted, or if v is not valid.
func Compact(dst, v []byte) (_ []byte, ok bool) {
	c := compacter{d: v, dst: slices.Grow(dst, len(v))}
	if i := c.value(Space(v, 0)); i < 0 || Space(v, i) < len(v) {
		return nil, false
	}
	return c.dst, true
}

// A compacter is what Compact works with.
type compacter struct {
	d, dst []byte
}

// A name is where the token of a member's name is. Its end is 0 in an array and -1
// before the first member.
type name struct{ start, end int }

// value takes the value at d[i] and returns its end, or a negative number.
func (c *compacter) value(i int) int {
	d := c.d
	var room [16]name
	open := room[:0] // the containers around, each with its last name
	for i >= 0 && i < len(d) {
		if n := len(open); n > 0 && open[n-1].end != 0 {
			if i, open[n-1] = c.name(i, open[n-1]); i < 0 || i >= len(d) {
				break
			}
		}
		switch b := d[i]; b {
		case '"':
			i = c.string(i)
		case '{', '[':
			c.dst = append(c.dst, b)
			if i = Space(d, i+1); i >= len(d) || len(open) >= MaxDepth {
				return -1
			}
			if d[i] != b+2 {
				in := name{}
				if b == '{' {
					in.end = -1
				}
				open = append(open, in)
				continue
			}
			c.dst = append(c.dst, b+2)
			i++
		case 't', 'f', 'n':
			end, fault := scalar(d, i)
			if fault != OK {
				return -1
			}
			c.dst = append(c.dst, d[i:end]...)
			i = end
		default:
			i = c.number(i)
		}
		if i < 0 {
			return i
		}
		for {
			if len(open) == 0 {
				return i
			}
			if i = Space(d, i); i >= len(d) {
				return -1
			}
			b := d[i]
			c.dst = append(c.dst, b)
			i++
			if b == ',' {
				break
			}
			closing := byte('}')
			if open[len(open)-1].end == 0 {
				closing = ']'
			}
			if b != closing {
				return -1
			}
			open = open[:len(open)-1]
		}
		i = Space(d, i)
	}
	return -1
}

// name takes the name at d[i], which comes after last, and returns where its value is.
func (c *compacter) name(i int, last name) (int, name) {
	d := c.d
	end, fault := String(d, i)
	if fault != OK {
		return -1, last
	}
	next := name{i, end}
	if !last.before(d, next) {
		return -1, last
	}
	if i = Space(d, end); i >= len(d) || d[i] != ':' {
		return -1, last
	}
	c.dst = append(append(c.dst, d[next.start:end]...), ':')
	return Space(d, i+1), next
}

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

// unusual marks, by its lowest bit, the first byte in w that ends a string, must not be
// in one, or may be spelled in another way in canonical form.
func unusual(w uint64) uint64 {
	quote := (w &^ (4 * ones)) ^ '"'*ones // also &
	angle := (w | 2*ones) ^ '>'*ones      // also <
	backslash := w ^ '\\'*ones
	return ((quote - ones) | (angle - ones) | (backslash - ones) | (w - ' '*ones) | w) & highs
}

// string takes the string at d[i] and returns its end, or a negative number.
func (c *compacter) string(i int) int {
	d, start := c.d, i
	for i++; i >= 0 && i < len(d)-7; i += 8 {
		if m := unusual(word(d, i)); m != 0 {
			i += trailingZeroBytes(m)
			break
		}
	}
	if i < len(d) && d[i] == '"' {
		c.dst = append(c.dst, d[start:i+1]...)
		return i + 1
	}
	end, fault := String(d, start)
	if fault != OK {
		return -1
	}
	if isCanonical(d[i : end-1]) {
		c.dst = append(c.dst, d[start:end]...)
	} else {
		c.dst = AppendQuote(c.dst, UnquoteBytes(d[start:end]), true)
	}
	return end
}

// isCanonical reports whether text in a valid string is spelled as in canonical form.
func isCanonical(s []byte) bool {
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '\\':
			n := canonicalEscape(s[i+1:])
			if n == 0 {
				return false
			}
			i += 1 + n
		case c == '<' || c == '>' || c == '&', c == 0xE2 && s[i+1] == 0x80 && s[i+2]|1 == 0xA9:
			return false
		default:
			i++
		}
	}
	return true
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

// number takes the number at d[i] and returns its end, or a negative number.
func (c *compacter) number(i int) int {
	end, fault := Number(c.d, i)
	if fault != OK {
		return -1
	}
	token := c.d[i:end]
	for _, b := range token {
		if b == '.' || b|0x20 == 'e' {
			c.dst = appendPlain(c.dst, token)
			return end
		}
	}
	c.dst = append(c.dst, token...)
	return end
}
