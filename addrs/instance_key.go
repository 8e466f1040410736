// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import (
	"cmp"
	"strconv"
	"strings"
)

// An InstanceKey identifies one instance of a resource, a module call or a
// provider configuration: a whole number if it uses count, a string if it uses
// for_each, or [WildcardKey] if the keys are not known yet. The zero
// InstanceKey is [NoKey].
//
// Two keys are the same if and only if they are ==. The number 1 and the
// string "1" are different keys.
type InstanceKey struct {
	kind keyKind
	num  int64  // for intKey
	str  string // for stringKey, in the form of normalKey
}

type keyKind uint8

// The order of the constants is the order of [InstanceKey.Compare].
const (
	noKey keyKind = iota
	wildcardKey
	intKey
	stringKey
)

// NoKey is the key of the only instance of an object that uses neither count
// nor for_each.
var NoKey InstanceKey

// WildcardKey returns the key that is used while instance keys are not known yet. An address with
// it covers any number of instances, possibly none. It prints as [*]. Plans of Terraform have it
// in the addresses of deferred changes. No object of a state has such an address; see
// [AbsResourceInstance.IsPlaceholder].
func WildcardKey() InstanceKey { return InstanceKey{kind: wildcardKey} }

// IntKey returns the key of instance n of an object that uses count. It also
// takes int64, because addresses from 64-bit machines may have keys that an int
// of this machine cannot hold. Keys below 0 do not exist: if n is negative, the
// returned key is not valid.
func IntKey[Int int | int64](n Int) InstanceKey { return InstanceKey{kind: intKey, num: int64(n)} }

// StringKey returns the key s of an object that uses for_each. Like the
// language itself, it converts s to Unicode normal form C, and replaces invalid
// UTF-8 by U+FFFD.
func StringKey(s string) InstanceKey { return InstanceKey{kind: stringKey, str: normalKey(s)} }

const kindInstanceKey = "instance key"

// ParseInstanceKey parses a key with its brackets, such as [0], ["a"] or [*].
// The empty text is [NoKey]. Strings may be in the form of Terraform up to 1.2;
// see the package documentation.
func ParseInstanceKey(s string) (InstanceKey, error) {
	if s == "" {
		return NoKey, nil
	}
	k, f := parseInstanceKey(s)
	return k, f.as(kindInstanceKey, s)
}

func parseInstanceKey(in string) (InstanceKey, *fault) {
	s, f := startScan(in)
	if f != nil {
		return NoKey, f
	}
	if s.in[s.pos] != '[' {
		return NoKey, s.unexpected("an opening bracket")
	}
	s.goKeys, s.anyKey = true, true
	k, f := s.index(readKey)
	if f == nil {
		f = s.end()
	}
	if f != nil {
		return NoKey, f
	}
	return k, nil
}

// IsValid reports whether k can be part of an address. Only negative numbers
// cannot. [NoKey] is valid.
func (k InstanceKey) IsValid() bool { return k.num >= 0 }

// IsNone reports whether k is [NoKey].
func (k InstanceKey) IsNone() bool { return k.kind == noKey }

// Int returns the number of a key of count, and reports whether k is one.
func (k InstanceKey) Int() (n int64, ok bool) { return k.num, k.kind == intKey }

// Str returns the string of a key of for_each, and reports whether k is one.
func (k InstanceKey) Str() (s string, ok bool) { return k.str, k.kind == stringKey }

// String returns k as it is printed in addresses: with brackets, and a string
// in HCL quotes. NoKey gives the empty string.
func (k InstanceKey) String() string {
	if k.kind == noKey {
		return ""
	}
	return string(k.append(nil))
}

func (k InstanceKey) append(b []byte) []byte {
	switch k.kind {
	case noKey:
		return b
	case wildcardKey:
		b = append(b, "[*"...)
	case intKey:
		b = append(b, '[')
		b = strconv.AppendInt(b, k.num, 10)
	case stringKey:
		b = append(b, '[')
		b = appendHCLQuoted(b, k.str)
	}
	return append(b, ']')
}

// Compare returns -1, 0 or +1 in the order of OpenTofu: NoKey comes first,
// then WildcardKey, then numbers by size, then strings by bytes.
func (k InstanceKey) Compare(other InstanceKey) int {
	return cmp.Or(
		cmp.Compare(k.kind, other.kind),
		cmp.Compare(k.num, other.num),
		strings.Compare(k.str, other.str),
	)
}

// MarshalText returns the text of [InstanceKey.String]. The error is always nil.
func (k InstanceKey) MarshalText() ([]byte, error) { return k.append(nil), nil }

// UnmarshalText sets k to the key that [ParseInstanceKey] returns for text.
func (k *InstanceKey) UnmarshalText(text []byte) (err error) {
	*k, err = ParseInstanceKey(string(text))
	return err
}

// keyLen returns the length of the key in brackets at the beginning of s, which
// is normal text, or 0 if there is no key.
func keyLen(s string) int {
	if s == "" || s[0] != '[' {
		return 0
	}
	i := 1
	if s[i] != '"' {
		return strings.IndexByte(s, ']') + 1
	}
	for i++; s[i] != '"'; i++ {
		if s[i] == '\\' {
			i++
		}
	}
	return i + 2
}

// keyOf returns the key with the normal text s.
func keyOf(s string) InstanceKey {
	if s == "" {
		return NoKey
	}
	s = s[1 : len(s)-1]
	if s == "*" {
		return WildcardKey()
	}
	if s[0] != '"' {
		n, _ := strconv.ParseInt(s, 10, 64) // checked when it was parsed
		return InstanceKey{kind: intKey, num: n}
	}
	s = s[1 : len(s)-1]
	if strings.IndexByte(s, '\\') >= 0 || strings.IndexByte(s, '{') >= 0 {
		s, _ = unquoteHCL(s) // checked when it was parsed
	}
	return InstanceKey{kind: stringKey, str: s}
}
