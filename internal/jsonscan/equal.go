// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package jsonscan

import (
	"bytes"
	"cmp"
	"math/big"
	"slices"
)

// Equal reports whether two valid JSON texts mean the same value: the order of
// members, white space, and the spelling of strings and numbers do not matter.
// Numbers are compared exactly, whatever their size, except exponents of more
// than 4,096 digits: of those, the first digits and the length count. Of several members with
// the same name the last counts.
func Equal(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	ta, _ := parse(a, Space(a, 0))
	tb, _ := parse(b, Space(b, 0))
	return ta.equal(tb)
}

// A node is a value of a text: its kind by its first byte, what a string
// means, the number's token, or the items of a container.
type node struct {
	kind  byte // '{', '[', '"', '0', 't', 'f', 'n'
	text  []byte
	items []item
}

type item struct {
	name []byte
	node node
}

// parse returns the value at i of a valid text, and its end. Members are
// sorted by name, each name occurs once.
func parse(d []byte, i int) (node, int) {
	if i >= len(d) {
		return node{}, i
	}
	switch c := d[i]; c {
	case '"':
		end, _ := String(d, i)
		return node{kind: c, text: UnquoteBytes(d[i:end])}, end
	case 't', 'f', 'n':
		end, _ := scalar(d, i)
		return node{kind: c}, end
	case '[', '{':
		n := node{kind: c}
		for i = Space(d, i+1); i < len(d) && d[i] != ']' && d[i] != '}'; {
			var it item
			if c == '{' {
				end, _ := String(d, i)
				it.name = UnquoteBytes(d[i:end])
				i = Space(d, Space(d, end)+1)
			}
			it.node, i = parse(d, i)
			n.items = append(n.items, it)
			if i = Space(d, i); i < len(d) && d[i] == ',' {
				i = Space(d, i+1)
			}
		}
		if c == '{' {
			n.items = sorted(n.items)
		}
		return n, i + 1
	default:
		end, _ := Number(d, i)
		return node{kind: '0', text: d[i:end]}, max(end, i+1)
	}
}

// sorted sorts members by name and keeps the last of each.
func sorted(members []item) []item {
	slices.SortStableFunc(members, func(a, b item) int { return bytes.Compare(a.name, b.name) })
	kept := members[:0]
	for i, m := range members {
		if i+1 < len(members) && bytes.Equal(members[i+1].name, m.name) {
			continue
		}
		kept = append(kept, m)
	}
	return kept
}

func (n node) equal(o node) bool {
	if n.kind != o.kind || len(n.items) != len(o.items) {
		return false
	}
	if n.kind == '0' {
		return EqualNumbers(n.text, o.text)
	}
	if !bytes.Equal(n.text, o.text) {
		return false
	}
	for i := range n.items {
		if !bytes.Equal(n.items[i].name, o.items[i].name) || !n.items[i].node.equal(o.items[i].node) {
			return false
		}
	}
	return true
}

// A decimal is a number as 0.DIGITS times ten to the power of exp; the digits
// begin and end with a digit other than 0. Zero has none.
type decimal struct {
	negative bool
	digits   []byte
	exp      int64
	// big is the exponent if it does not fit exp with room to spare.
	big *big.Int
}

// parseDecimal takes a valid number token apart.
func parseDecimal(tok []byte) decimal {
	var n decimal
	if tok[0] == '-' {
		n.negative, tok = true, tok[1:]
	}
	mantissa, exponent := tok, []byte(nil)
	if e := bytes.IndexAny(tok, "eE"); e >= 0 {
		mantissa, exponent = tok[:e], bytes.TrimPrefix(tok[e+1:], []byte("+"))
	}
	whole, fraction := mantissa, []byte(nil)
	if p := bytes.IndexByte(mantissa, '.'); p >= 0 {
		whole, fraction = mantissa[:p], mantissa[p+1:]
	}
	n.digits = append(append(make([]byte, 0, len(whole)+len(fraction)), whole...), fraction...)
	n.exp = int64(len(whole))
	trimmed := bytes.TrimLeft(n.digits, "0")
	n.exp -= int64(len(n.digits) - len(trimmed))
	n.digits = bytes.TrimRight(trimmed, "0")
	if len(n.digits) == 0 {
		return decimal{negative: n.negative}
	}
	if len(exponent) > 0 {
		if len(exponent) <= 18 {
			n.exp += parseSmall(exponent)
		} else if e, ok := bigExponent(exponent); ok {
			n.big = e.Add(e, big.NewInt(n.exp))
			if n.big.IsInt64() {
				n.exp, n.big = n.big.Int64(), nil
			} else {
				n.exp = 0
			}
		}
	}
	return n
}

func parseSmall(s []byte) (n int64) {
	negative := s[0] == '-'
	for _, c := range bytes.TrimPrefix(s, []byte("-")) {
		n = n*10 + int64(c-'0')
	}
	if negative {
		return -n
	}
	return n
}

// maxExponent is the number of digits of an exponent that are looked at; of the
// others only the number counts. The time to convert digits grows faster than
// their number, and nothing needs an exponent of more than a few.
const maxExponent = 4096

func bigExponent(s []byte) (*big.Int, bool) {
	digits := bytes.TrimLeft(bytes.TrimPrefix(s, []byte("-")), "0")
	beyond := max(len(digits)-maxExponent, 0)
	e, ok := new(big.Int).SetString("0"+string(digits[:len(digits)-beyond]), 10)
	if !ok {
		return nil, false
	}
	e.Lsh(e, uint(beyond))
	if s[0] == '-' {
		e.Neg(e)
	}
	return e, true
}

// EqualNumbers reports whether two valid number tokens mean the same number.
// -0 equals 0.
func EqualNumbers(a, b []byte) bool {
	return bytes.Equal(a, b) || CompareNumbers(a, b) == 0
}

// CompareNumbers compares what two valid number tokens mean, exactly: it
// returns -1, 0 or 1.
func CompareNumbers(a, b []byte) int {
	x, y := parseDecimal(a), parseDecimal(b)
	if c := cmp.Compare(x.sign(), y.sign()); c != 0 || x.sign() == 0 {
		return c
	}
	c := x.compareExp(y)
	if c == 0 {
		c = bytes.Compare(x.digits, y.digits)
	}
	return c * x.sign()
}

func (n decimal) sign() int {
	switch {
	case len(n.digits) == 0:
		return 0
	case n.negative:
		return -1
	}
	return 1
}

func (n decimal) compareExp(o decimal) int {
	if n.big == nil && o.big == nil {
		return cmp.Compare(n.exp, o.exp)
	}
	return n.bigExp().Cmp(o.bigExp())
}

func (n decimal) bigExp() *big.Int {
	if n.big != nil {
		return n.big
	}
	return big.NewInt(n.exp)
}
