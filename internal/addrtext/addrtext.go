// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package addrtext finds instance keys in addresses as text. It takes any text, also
// one that package addrs does not parse: keys of Terraform 1.2 and older, and [*] for a
// key that is not known yet.
package addrtext

import "strings"

// KeyEnd returns the offset of the ']' that closes the key whose '[' is at s[i]. It
// returns at least len(s) if the key is not closed.
func KeyEnd(s string, i int) int {
	quoted := false
	for i++; i < len(s); i++ {
		switch {
		case quoted && s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case !quoted && s[i] == ']':
			return i
		}
	}
	return i
}

// WithoutKeys returns an address without its keys: that of the block in the
// configuration that an instance comes from.
func WithoutKeys(address string) string {
	first := strings.IndexByte(address, '[')
	switch {
	case first < 0:
		return address
	case KeyEnd(address, first) >= len(address)-1:
		return address[:first]
	}
	var out strings.Builder
	out.Grow(len(address))
	for i := 0; i < len(address); i++ {
		if address[i] == '[' {
			i = KeyEnd(address, i)
			continue
		}
		out.WriteByte(address[i])
	}
	return out.String()
}
