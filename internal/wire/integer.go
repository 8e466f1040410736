// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"
	"strconv"
)

// decodeInt reads the integer at i. Any spelling of an integer will do, such
// as 1.0 and 3e2; another number is treated like another kind of value.
func decodeInt[I Integer](d *Decoder) (n I, ok bool) {
	if !d.isNumber() {
		d.mismatch("an integer")
		return 0, false
	}
	start := d.i
	if n, end := smallInteger(d.text, start); end > start {
		if I(n) >= 0 && uint64(I(n)) == n {
			d.i = end
			return I(n), true
		}
	}
	n, ok = parseInteger[I](d.token())
	if !ok {
		d.problem(start, errNotInteger)
	}
	return n, ok
}

var errNotInteger = fmt.Errorf("%w: expected an integer within the range of its field", ErrKind)

func appendInt[I Integer](dst []byte, n I) []byte {
	if n < 0 {
		return strconv.AppendInt(dst, int64(n), 10)
	}
	return strconv.AppendUint(dst, uint64(n), 10)
}

// smallInteger returns the integer at d[i] and its end if it is written with
// up to 18 digits and nothing else, as integers mostly are. Otherwise the end
// is i.
func smallInteger(d []byte, i int) (n uint64, end int) {
	for end = i; end < len(d) && d[end]-'0' <= 9; end++ {
		n = n*10 + uint64(d[end]-'0')
	}
	switch {
	case end == i || end-i > 18 || end == len(d) || d[i] == '0' && end-i > 1:
	case d[end] == ',' || d[end] == '}':
		return n, end
	}
	return 0, i
}

// parseInteger returns the integer that the valid number token tok means, and
// reports false if it means none or one that I cannot hold.
func parseInteger[I Integer](tok []byte) (I, bool) {
	mag, neg, ok := magnitude(tok)
	if !ok {
		return 0, false
	}
	n := I(mag)
	if neg {
		n = -n
	}
	// The conversion must not have lost anything, nor turned the sign.
	back := uint64(n)
	if neg {
		back = -back
	}
	if back != mag || (n < 0) != (neg && mag != 0) {
		return 0, false
	}
	return n, true
}

// magnitude takes a number token apart. It reports false if the number is not
// an integer or needs more than 64 bits.
func magnitude(tok []byte) (mag uint64, neg, ok bool) {
	if tok[0] == '-' {
		neg, tok = true, tok[1:]
	}
	simple := true
	for _, c := range tok {
		if c-'0' > 9 {
			simple = false
			break
		}
	}
	if simple {
		if len(tok) > 20 {
			return 0, neg, false
		}
		mag, err := strconv.ParseUint(string(tok), 10, 64)
		return mag, neg, err == nil
	}
	// The digits without point, and by how much the exponent moves it.
	var digits []byte
	exp, fraction := 0, false
	for i, c := range tok {
		if c == '.' {
			fraction = true
			continue
		}
		if c == 'e' || c == 'E' {
			e, err := strconv.Atoi(string(tok[i+1:]))
			if err != nil || e > 1<<20 || e < -1<<20 {
				// Beyond all integers, except zero.
				e = 1 << 20
			}
			exp += e
			break
		}
		if len(digits) > 0 || c != '0' {
			digits = append(digits, c)
		}
		if fraction {
			exp--
		}
	}
	for len(digits) > 0 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
		exp++
	}
	if len(digits) == 0 {
		return 0, neg, true
	}
	if exp < 0 || len(digits)+exp > 20 {
		return 0, neg, false
	}
	for ; exp > 0; exp-- {
		digits = append(digits, '0')
	}
	mag, err := strconv.ParseUint(string(digits), 10, 64)
	return mag, neg, err == nil
}
