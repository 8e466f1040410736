// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import (
	"cmp"
	"strings"
)

// A DeposedKey tells the deposed objects of a resource instance apart: objects
// that were replaced, but could not be destroyed yet. It is 8 lower-case
// hexadecimal digits. The zero DeposedKey is not valid; it stands for the
// current object of an instance.
type DeposedKey struct{ s string }

// An AbsResourceInstanceObject is one object of a resource instance: the
// current one, or a deposed one. Together, instance and key are what makes an
// entry of "resource_changes" in a plan unique.
// The zero AbsResourceInstanceObject is not valid.
type AbsResourceInstanceObject struct {
	instance AbsResourceInstance
	deposed  DeposedKey
}

const (
	kindDeposedKey = "deposed key"
	kindObject     = "resource instance object"

	deposedInfix = " deposed object "
)

// ParseDeposedKey parses the key of a deposed object.
func ParseDeposedKey(s string) (DeposedKey, error) {
	for i := range len(s) {
		if c := s[i]; !isDigit(c) && (c < 'a' || 'f' < c) || i == 8 {
			return DeposedKey{}, faultf(i, "a deposed key has 8 digits from 0 to f").as(kindDeposedKey, s)
		}
	}
	if len(s) != 8 {
		return DeposedKey{}, faultf(len(s), "a deposed key has 8 digits from 0 to f").as(kindDeposedKey, s)
	}
	return DeposedKey{s}, nil
}

// MustParseDeposedKey is like [ParseDeposedKey] but panics on errors.
func MustParseDeposedKey(s string) DeposedKey { return must(ParseDeposedKey(s)) }

// ParseAbsResourceInstanceObject parses what [AbsResourceInstanceObject.String]
// prints: the address of an instance, followed for a deposed object by the
// words "deposed object" and the key in quotes.
func ParseAbsResourceInstanceObject(s string) (AbsResourceInstanceObject, error) {
	addr, deposed := s, ""
	if i := strings.LastIndex(s, deposedInfix); i >= 0 {
		// The same words inside an instance key are followed by a bracket.
		rest := s[i+len(deposedInfix):]
		if len(rest) == 10 && rest[0] == '"' && rest[9] == '"' {
			addr, deposed = s[:i], rest[1:9]
		}
	}
	var o AbsResourceInstanceObject
	var err error
	if deposed != "" {
		if o.deposed, err = ParseDeposedKey(deposed); err != nil {
			return AbsResourceInstanceObject{}, faultf(len(addr)+len(deposedInfix)+1, "a deposed key has 8 digits from 0 to f").as(kindObject, s)
		}
	}
	l, f := parseLayout(addr)
	if f == nil {
		f = l.needResource()
	}
	if f != nil {
		return AbsResourceInstanceObject{}, f.as(kindObject, s)
	}
	o.instance = AbsResourceInstance{l.text, int32(l.mod), int32(l.res)}
	return o, nil
}

// MustParseAbsResourceInstanceObject is like [ParseAbsResourceInstanceObject]
// but panics on errors.
func MustParseAbsResourceInstanceObject(s string) AbsResourceInstanceObject {
	return must(ParseAbsResourceInstanceObject(s))
}

// Object returns the object of r with the given deposed key; the zero
// DeposedKey gives the current object.
func (r AbsResourceInstance) Object(deposed DeposedKey) AbsResourceInstanceObject {
	if !r.IsValid() {
		return AbsResourceInstanceObject{}
	}
	return AbsResourceInstanceObject{r, deposed}
}

// IsValid reports whether k is not the zero DeposedKey.
func (k DeposedKey) IsValid() bool { return k.s != "" }

// IsValid reports whether o is not the zero AbsResourceInstanceObject.
func (o AbsResourceInstanceObject) IsValid() bool { return o.instance.IsValid() }

// Instance returns the instance that o is an object of.
func (o AbsResourceInstanceObject) Instance() AbsResourceInstance { return o.instance }

// Deposed returns the key of a deposed object, and the zero DeposedKey for the
// current object.
func (o AbsResourceInstanceObject) Deposed() DeposedKey { return o.deposed }

// IsCurrent reports whether o is the current object of its instance.
func (o AbsResourceInstanceObject) IsCurrent() bool { return !o.deposed.IsValid() }

// String returns the digits of k, or "" if k is not valid.
func (k DeposedKey) String() string { return k.s }

// String returns the address of the instance, and for a deposed object the
// words that OpenTofu adds in messages: aws_x.y deposed object "0123abcd".
func (o AbsResourceInstanceObject) String() string { return string(o.append(nil)) }

func (o AbsResourceInstanceObject) append(b []byte) []byte {
	b = append(b, o.instance.s...)
	if o.deposed.IsValid() {
		b = append(b, deposedInfix+`"`...)
		b = append(b, o.deposed.s...)
		b = append(b, '"')
	}
	return b
}

// Compare returns -1, 0 or +1 by the digits.
func (k DeposedKey) Compare(other DeposedKey) int { return strings.Compare(k.s, other.s) }

// Compare returns -1, 0 or +1: by instance, then the current object before
// deposed ones, and these by key.
func (o AbsResourceInstanceObject) Compare(other AbsResourceInstanceObject) int {
	return cmp.Or(o.instance.Compare(other.instance), o.deposed.Compare(other.deposed))
}

// AppendText appends the text of [DeposedKey.String] to b.
// The error is always nil.
func (k DeposedKey) AppendText(b []byte) ([]byte, error) { return append(b, k.s...), nil }

// AppendText appends the text of [AbsResourceInstanceObject.String] to b.
// The error is always nil.
func (o AbsResourceInstanceObject) AppendText(b []byte) ([]byte, error) { return o.append(b), nil }

// MarshalText returns the text of [DeposedKey.String]. The error is always nil.
func (k DeposedKey) MarshalText() ([]byte, error) { return []byte(k.s), nil }

// MarshalText returns the text of [AbsResourceInstanceObject.String].
// The error is always nil.
func (o AbsResourceInstanceObject) MarshalText() ([]byte, error) { return o.append(nil), nil }

// UnmarshalText sets k to the key that [ParseDeposedKey] makes of text.
// An empty text gives the zero DeposedKey.
func (k *DeposedKey) UnmarshalText(text []byte) error { return unmarshal(k, text, ParseDeposedKey) }

// UnmarshalText sets o to what [ParseAbsResourceInstanceObject] makes of text.
// An empty text gives the zero AbsResourceInstanceObject.
func (o *AbsResourceInstanceObject) UnmarshalText(text []byte) error {
	return unmarshal(o, text, ParseAbsResourceInstanceObject)
}
