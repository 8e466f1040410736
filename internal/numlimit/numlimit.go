// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package numlimit has the rule for what a number in a document may cost. A short text can be a number that
// takes minutes to read or to print, such as 1e100000000. All packages that compute with numbers therefore ask this
// package first, before they make a big.Float of a literal and before they print a result.
//
// A number is allowed if it has at most [MaxDigits] digits and if its magnitude is that of a float64: it is zero, or
// its first digit that is not zero has a power of ten between -[MaxExponent] and [MaxExponent].
package numlimit

import "math/big"

const (
	// MaxDigits is the largest number of digits. Zeros at the beginning do not count.
	MaxDigits = 999

	// MaxExponent bounds the power of ten of the first digit, in both directions.
	MaxExponent = 308

	// MaxComputed is what MaxExponent is for expressions, in which the programs compute with larger numbers.
	MaxComputed = 999
)

// Text reports whether the number that a literal means is allowed. The literal is in the notation of JSON and HCL:
// an optional sign, digits, a fraction and an exponent. Text looks at each byte once. A text of any other form is
// judged by its digits, and the caller's parser refuses it.
func Text[T string | []byte](literal T) bool { return text(literal, MaxExponent) }

// Expression is Text for a number in an expression: its power of ten is at most [MaxComputed].
func Expression[T string | []byte](literal T) bool { return text(literal, MaxComputed) }

func text[T string | []byte](literal T, most int) bool {
	i := 0
	if i < len(literal) && (literal[i] == '-' || literal[i] == '+') {
		i++
	}
	digits := 0 // from the first that is not zero
	power := -1 // of ten, of the first digit that is not zero
	point := false
scan:
	for ; i < len(literal); i++ {
		switch c := literal[i]; {
		case c == '.' && !point:
			point = true
		case c < '0' || c > '9':
			break scan
		case c == '0' && digits == 0:
			if point {
				power--
			}
		default:
			digits++
			if !point {
				power++
			}
		}
	}
	if digits == 0 {
		return true // zero, whatever the exponent
	}
	n, ok := exponent(literal[i:])
	return ok && digits <= MaxDigits && -most <= power+n && power+n <= most
}

// exponent reads the exponent of a literal, such as "e-12". It reports false for one that no allowed number has.
func exponent[T string | []byte](s T) (n int, ok bool) {
	if len(s) == 0 || s[0] != 'e' && s[0] != 'E' {
		return 0, true
	}
	i, negative := 1, false
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		negative = s[i] == '-'
		i++
	}
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		if n = 10*n + int(s[i]-'0'); n > 1<<27 {
			return 0, false
		}
	}
	if negative {
		n = -n
	}
	return n, true
}

// Float reports whether a computed number is allowed. It does not look at all its digits, whose number the precision
// of f bounds. Infinity and nil are not allowed.
func Float(f *big.Float) bool {
	if f == nil || f.IsInf() {
		return false
	}
	// The exponent is that of a power of two. The bounds include what Text allows, and little more: 1e309 is below
	// 1 << 1027, and 1e-308 is above 1 >> 1024.
	e := f.MantExp(nil)
	return -1024 < e && e <= 1027 && f.MinPrec() <= 4*MaxDigits
}

// Computed is Float for a number in an expression: see [Expression].
func Computed(f *big.Float) bool {
	if f == nil || f.IsInf() {
		return false
	}
	e := f.MantExp(nil) // 1e1000 is above 1 << 3321, and 1e-1000 below 1 >> 3321
	return -3321 < e && e <= 3321 && f.MinPrec() <= 4*MaxDigits
}
