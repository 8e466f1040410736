// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"
	"strconv"
)

// An integer is the value of a field of type int, int64 or uint64.
type integer struct {
	mag uint64
	neg bool // not of 0
}

func integerOf(n int64) integer {
	if n < 0 {
		return integer{-uint64(n), true}
	}
	return integer{uint64(n), false}
}

// integerAt returns the integer that p points to.
func integerAt(p any) integer {
	switch p := p.(type) {
	case *int:
		return integerOf(int64(*p))
	case *int64:
		return integerOf(*p)
	}
	return integer{*p.(*uint64), false}
}

// fits reports whether p points to an integer of a type that n is within the range of.
func (n integer) fits(p any) bool {
	signed := int64(n.mag)
	if n.neg {
		signed = -signed
	}
	ok := (signed < 0) == n.neg || n.mag == 0
	switch p.(type) {
	case *int:
		return ok && int64(int(signed)) == signed
	case *int64:
		return ok
	}
	return !n.neg
}

// put stores n, which fits, in what p points to.
func (n integer) put(p any) {
	mag := n.mag
	if n.neg {
		mag = -mag
	}
	switch p := p.(type) {
	case *int:
		*p = int(mag)
	case *int64:
		*p = int64(mag)
	case *uint64:
		*p = mag
	}
}

// integer reads the integer at i, of the type that p points to. Any spelling of an integer
// will do, such as 1.0 and 3e2; another number is treated like another kind of value.
func (d *Decoder) integer(p any) (n integer, ok bool) {
	if !d.isNumber() {
		d.mismatch("an integer")
		return n, false
	}
	start := d.i
	if mag, end := smallInteger(d.text, start); end > start && (integer{mag: mag}).fits(p) {
		d.i = end
		return integer{mag: mag}, true
	}
	if n, ok = parseInteger(d.token(), p); !ok {
		d.problem(start, errNotInteger)
	}
	return n, ok
}

var errNotInteger = fmt.Errorf("%w: expected an integer within the range of its field", ErrKind)

func (n integer) append(dst []byte) []byte {
	if n.neg {
		dst = append(dst, '-')
	}
	return strconv.AppendUint(dst, n.mag, 10)
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
// reports false if it means none or one that does not fit what p points to.
func parseInteger(tok []byte, p any) (n integer, ok bool) {
	n.mag, n.neg, ok = magnitude(tok)
	n.neg = n.neg && n.mag != 0
	if !ok || !n.fits(p) {
		return integer{}, false
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
