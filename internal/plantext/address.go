// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plantext

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/addrs"
)

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

// maxModule bounds the address that is put before those of many resources, which takes
// memory for each of them. Modules had no keys in Terraform 0.12, so theirs are short.
const maxModule = 512

// Absolute returns the address of a resource instance that planned values or a state
// list in a module instance, with the instance key that they state as JSON. It is the
// address as they state it, except that Terraform 0.12 left out the module and the key
// in states.
func Absolute(module, address string, index []byte) string {
	if address == "" {
		return ""
	}
	if len(index) > 0 && !strings.HasSuffix(address, "]") {
		address += key(index)
	}
	if module == "" || strings.HasPrefix(address, "module.") || len(module) > maxModule {
		return address
	}
	return module + "." + address
}

// key returns the key that index states, or "" if it is not one.
func key(index []byte) string {
	var s *string
	var n *int64
	if json.Unmarshal(index, &s) == nil && s != nil {
		return addrs.StringKey(*s).String()
	}
	if json.Unmarshal(index, &n) == nil && n != nil && *n >= 0 {
		return addrs.IntKey(*n).String()
	}
	return ""
}

// Member returns the path of a member of what is at a path: an argument, a nested block,
// or a nested block with a label, which can be any text.
func Member(path, name string) string {
	switch {
	case !IsIdentifier(name):
		return path + addrs.StringKey(name).String()
	case path == "":
		return name
	}
	return path + "." + name
}

// IsIdentifier reports whether a name needs no quotes in OpenTofu's language.
func IsIdentifier(s string) bool {
	for i, c := range s {
		var ok bool
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_':
			ok = true
		case c < utf8.RuneSelf:
			ok = i > 0 && (c == '-' || '0' <= c && c <= '9')
		default: // the Unicode properties ID_Start and ID_Continue
			ok = unicode.In(c, unicode.L, unicode.Nl, unicode.Other_ID_Start) || i > 0 && unicode.In(c, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue)
		}
		if !ok || c >= utf8.RuneSelf && unicode.Is(unicode.Pattern_Syntax, c) {
			return false
		}
	}
	return s != ""
}
