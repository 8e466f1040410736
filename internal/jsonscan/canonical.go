// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package jsonscan

// maxPlain is the longest run of zeros that AppendCanonical writes for an
// exponent. The tools write numbers of at most 512 bits, which is 155 digits;
// 1e400 they write out.
const maxPlain = 4096

// AppendCanonical appends the valid JSON value v as the tools write values:
// without white space, with the names of each object sorted by their bytes,
// strings spelled as by [AppendQuote] with HTML escapes, and numbers in plain
// decimal without needless zeros. A number whose exponent is beyond all that
// tools write keeps its spelling. Of several members with the same name the
// last stays.
func AppendCanonical(dst, v []byte) []byte {
	if text, ok := Compact(dst, v); ok {
		return text
	}
	n, _ := parse(v, Space(v, 0))
	return n.append(dst)
}

func (n node) append(dst []byte) []byte {
	switch n.kind {
	case '"':
		return AppendQuote(dst, n.text, true)
	case 't':
		return append(dst, "true"...)
	case 'f':
		return append(dst, "false"...)
	case 'n':
		return append(dst, "null"...)
	case '[':
		dst = append(dst, '[')
		for i, it := range n.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = it.node.append(dst)
		}
		return append(dst, ']')
	case '{':
		dst = append(dst, '{')
		for i, it := range n.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(AppendQuote(dst, it.name, true), ':')
			dst = it.node.append(dst)
		}
		return append(dst, '}')
	case '0':
		return appendPlain(dst, n.text)
	}
	return dst
}

// appendPlain appends a number in plain decimal. A negative zero keeps its
// sign, as it does in the tools.
func appendPlain(dst, tok []byte) []byte {
	n := parseDecimal(tok)
	if n.big != nil || n.exp > maxPlain || n.exp < -maxPlain {
		return append(dst, tok...)
	}
	if n.negative {
		dst = append(dst, '-')
	}
	digits, exp := n.digits, int(n.exp)
	if exp <= 0 {
		dst = append(dst, '0')
	}
	for i := 0; i < exp; i++ {
		if i < len(digits) {
			dst = append(dst, digits[i])
		} else {
			dst = append(dst, '0')
		}
	}
	if exp < len(digits) {
		dst = append(dst, '.')
		for i := exp; i < 0; i++ {
			dst = append(dst, '0')
		}
		dst = append(dst, digits[max(exp, 0):]...)
	}
	return dst
}
