// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"bytes"
	"encoding/json"
	"github.com/tofuwire/tofuwire/internal/wire"
	"math/big"
	"strconv"
	"strings"
)

// The methods that compute with a number refuse numbers beyond these limits: a
// few bytes must not cost much memory or time. The tools write numbers of at
// most 512 bits, and 1e400 as 401 digits. The result of a computation, written
// out again, stays below the limit of its text.
const (
	maxNumberText   = 11_000 // bytes of a number's text
	maxNumberDigits = 10_000 // digits before or after the point, written out
)

// Number returns the number v as it is spelled. It reports false if v is not a
// number.
func (v Value) Number() (json.Number, bool) {
	return wire.ValueNumber(v)
}

// Int64 returns the integer v. It reports false if v is not a number, has a
// fraction, or does not fit. Spellings such as 1.0 and 3e2 are integers.
func (v Value) Int64() (int64, bool) {
	tok := wire.Token(v, wire.FirstOfNumber)
	if n, err := strconv.ParseInt(string(tok), 10, 64); err == nil {
		return n, true
	}
	n, ok := bigInt(tok, 20)
	if !ok || !n.IsInt64() {
		return 0, false
	}
	return n.Int64(), true
}

// Float64 returns the float64 nearest to the number v. It can lose digits: an
// ID of 17 digits may become another one. It reports false if v is not a number
// or too large.
func (v Value) Float64() (float64, bool) {
	f, err := strconv.ParseFloat(string(wire.Token(v, wire.FirstOfNumber)), 64)
	return f, err == nil
}

// bigInt returns the integer that a valid number token means.
func bigInt(tok []byte, limit int) (*big.Int, bool) {
	digits, exp, ok := decimal(tok, limit)
	if !ok || exp < 0 {
		return nil, false
	}
	return new(big.Int).SetString(digits+strings.Repeat("0", exp), 10)
}

// decimal returns the number as digits, with their sign and without zeros at
// the end, times ten to the power of exp. It reports false for a number that
// has more than limit digits before or after the point, and for no number.
func decimal(tok []byte, limit int) (digits string, exp int, ok bool) {
	if len(tok) == 0 || len(tok) > maxNumberText {
		return "", 0, false
	}
	if e := bytes.IndexAny(tok, "eE"); e >= 0 {
		n, err := strconv.Atoi(string(tok[e+1:]))
		if err != nil {
			// Zero stays zero, whatever its exponent.
			n = maxNumberText + 2*maxNumberDigits
		}
		exp, tok = n, tok[:e]
	}
	whole, fraction, _ := strings.Cut(string(tok), ".")
	sign, whole := whole[:len(whole)-len(strings.TrimPrefix(whole, "-"))], strings.TrimPrefix(whole, "-")
	all := strings.TrimLeft(whole+fraction, "0")
	digits = strings.TrimRight(all, "0")
	if digits == "" {
		return sign + "0", 0, true
	}
	if exp < -limit-maxNumberText || exp > limit+maxNumberText {
		return "", 0, false
	}
	exp += len(all) - len(digits) - len(fraction)
	if len(digits)+exp > limit || -exp > limit {
		return "", 0, false
	}
	return sign + digits, exp, true
}
