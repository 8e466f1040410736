// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"
	ctymsgpack "github.com/zclconf/go-cty/cty/msgpack"

	"github.com/tofuwire/tofuwire/planjson"
)

// Limits of a value. The tools reach a depth of 124; a number that they write has at most some
// hundred digits.
const (
	maxDepth      = 500
	maxDigits     = 10_000 // of a number, before and behind the point
	maxRefinement = 1024   // bytes of what is known of an unknown value
)

// value decodes a value of type t, which is [cty.NilType] if nothing is known of it. Then lists and
// sets become tuples, and maps become objects.
//
// The text is checked before go-cty sees it, because go-cty panics on some texts, and takes
// much time or memory for others.
func (d dynamic) value(t cty.Type) (v cty.Value, err error) {
	r := msgpackReader{text: d.text, base: d.at}
	defer func() {
		if p := recover(); p != nil {
			err = atOffset(d.at, invalid("the value does not fit its type"))
		}
	}()
	if t == cty.NilType {
		v, err = r.untyped(0)
	} else if err = r.typed(t, 0); err == nil {
		if v, err = ctymsgpack.Unmarshal(d.text, t); err != nil {
			err = r.fault(0, "%s", withoutValues(err))
		}
	}
	if err == nil && r.i != len(r.text) {
		err = r.fault(r.i, "there are bytes behind the value")
	}
	return v, err
}

// withoutValues returns what go-cty says of a value. Its texts name attributes and types only.
func withoutValues(err error) string { return short(err.Error()) }

// A msgpackReader reads MessagePack as go-cty writes it.
type msgpackReader struct {
	text []byte
	i    int
	base int // the offset of the text in its entry
}

func (r *msgpackReader) fault(at int, format string, args ...any) error {
	return atOffset(r.base+at, invalid(format, args...))
}

// A kind is the first byte of a value, without the lengths that some contain.
type kind byte

const (
	isNil kind = iota
	isBool
	isInt
	isFloat
	isText
	isBinary
	isArray
	isMap
	isExtension
)

var kindNames = []string{"null", "a bool", "a number", "a number", "a text", "binary data", "an array", "a map", "an extension"}

// A token is the beginning of a value: all of a scalar, or the length of an array or a map.
type token struct {
	kind  kind
	at    int
	n     int    // elements
	body  []byte // of a text, binary data or an extension
	ext   byte   // the type of an extension
	int   int64  // of a number
	uint  uint64 // of one beyond int64
	float float64
	bool  bool
}

// next reads a token. It believes no length that the rest of the text cannot hold.
func (r *msgpackReader) next() (t token, err error) {
	t.at = r.i
	if r.i >= len(r.text) {
		return t, r.fault(r.i, "the value ends too early")
	}
	c := r.text[r.i]
	r.i++
	switch {
	case c <= 0x7f:
		t.kind, t.int = isInt, int64(c)
	case c >= 0xe0:
		t.kind, t.int = isInt, int64(int8(c))
	case c <= 0x8f:
		return r.container(t, isMap, uint64(c&0x0f))
	case c <= 0x9f:
		return r.container(t, isArray, uint64(c&0x0f))
	case c <= 0xbf:
		return r.bytes(t, isText, uint64(c&0x1f))
	case c == 0xc0:
		t.kind = isNil
	case c == 0xc2, c == 0xc3:
		t.kind, t.bool = isBool, c == 0xc3
	case c >= 0xc4 && c <= 0xc6:
		return r.sized(t, isBinary, 1<<(c-0xc4))
	case c >= 0xc7 && c <= 0xc9:
		return r.sized(t, isExtension, 1<<(c-0xc7))
	case c == 0xca, c == 0xcb, c >= 0xcc && c <= 0xd3:
		return r.number(t, c)
	case c >= 0xd4 && c <= 0xd8:
		return r.bytes(t, isExtension, 1<<(c-0xd4))
	case c >= 0xd9 && c <= 0xdb:
		return r.sized(t, isText, 1<<(c-0xd9))
	case c == 0xdc, c == 0xdd:
		return r.sized(t, isArray, 2<<(c-0xdc))
	case c == 0xde, c == 0xdf:
		return r.sized(t, isMap, 2<<(c-0xde))
	default:
		return t, r.fault(t.at, "there is no value that begins with the byte %#x", c)
	}
	return t, nil
}

// uintOf reads a number of some bytes.
func (r *msgpackReader) uintOf(size int) (uint64, error) {
	if len(r.text)-r.i < size {
		return 0, r.fault(r.i, "the value ends too early")
	}
	var b [8]byte
	copy(b[8-size:], r.text[r.i:r.i+size])
	r.i += size
	return binary.BigEndian.Uint64(b[:]), nil
}

func (r *msgpackReader) number(t token, c byte) (token, error) {
	switch {
	case c <= 0xcb:
		n, err := r.uintOf(4 << (c - 0xca))
		t.kind, t.float = isFloat, math.Float64frombits(n)
		if c == 0xca {
			t.float = float64(math.Float32frombits(uint32(n)))
		}
		if err == nil && (math.IsInf(t.float, 0) || math.IsNaN(t.float)) {
			err = r.fault(t.at, "the number is infinite or none")
		}
		return t, err
	case c <= 0xcf:
		n, err := r.uintOf(1 << (c - 0xcc))
		if t.kind, t.int = isInt, int64(n); t.int < 0 {
			t.uint = n
		}
		return t, err
	}
	size := 1 << (c - 0xd0)
	n, err := r.uintOf(size)
	shift := 64 - 8*size
	t.kind, t.int = isInt, int64(n<<shift)>>shift
	return t, err
}

func (r *msgpackReader) sized(t token, k kind, size int) (token, error) {
	n, err := r.uintOf(size)
	switch {
	case err != nil:
		return t, err
	case k == isArray || k == isMap:
		return r.container(t, k, n)
	}
	return r.bytes(t, k, n)
}

func (r *msgpackReader) container(t token, k kind, n uint64) (token, error) {
	least := n
	if k == isMap {
		least = 2 * n
	}
	if least > uint64(len(r.text)-r.i) {
		return t, r.fault(t.at, "%s of %d elements, but only %d bytes are left", kindNames[k], n, len(r.text)-r.i)
	}
	t.kind, t.n = k, int(n)
	return t, nil
}

func (r *msgpackReader) bytes(t token, k kind, n uint64) (token, error) {
	if t.kind = k; k == isExtension {
		ext, err := r.uintOf(1)
		if err != nil {
			return t, err
		}
		t.ext = byte(ext)
	}
	if n > uint64(len(r.text)-r.i) {
		return t, r.fault(t.at, "%s of %d bytes, but only %d are left", kindNames[k], n, len(r.text)-r.i)
	}
	t.body = r.text[r.i : r.i+int(n)]
	r.i += int(n)
	if k == isText && !utf8.Valid(t.body) {
		return t, r.fault(t.at, "the text is not UTF-8")
	}
	return t, r.extension(t)
}

// extension checks that an extension is an unknown value.
func (r *msgpackReader) extension(t token) error {
	switch {
	case t.kind != isExtension || len(t.body) <= 1:
		return nil
	case t.ext != 12:
		return r.fault(t.at, "there is no extension of the type %d", t.ext)
	case len(t.body) > maxRefinement:
		return r.fault(t.at, "more than %d bytes about an unknown value, which the tools cannot read either", maxRefinement)
	}
	of := msgpackReader{text: t.body, base: r.base + r.i - len(t.body)}
	m, err := of.next()
	if err == nil && m.kind != isMap {
		err = of.fault(0, "what is known of an unknown value is not a map")
	}
	for i := 0; i < m.n && err == nil; i++ {
		var key token
		if key, err = of.next(); err == nil && key.kind != isInt {
			err = of.fault(key.at, "a key is not a number")
		}
		if err == nil {
			_, err = of.untyped(maxDepth - 4)
		}
	}
	return err
}

// isUnknown reports whether the value is unknown.
func (t token) isUnknown() bool { return t.kind == isExtension }

// tooDeep returns an error if the depth is more than values have.
func (r *msgpackReader) tooDeep(depth int) error {
	if depth > maxDepth {
		return atOffset(r.base+r.i, fmt.Errorf("%w: nested more than %d levels deep", ErrLimit, maxDepth))
	}
	return nil
}

// typed checks that a value can be of type t.
func (r *msgpackReader) typed(t cty.Type, depth int) error {
	if err := r.tooDeep(depth); err != nil {
		return err
	}
	start := r.i
	tok, err := r.next()
	switch {
	case err != nil || tok.kind == isNil || tok.isUnknown():
		return err
	case t == cty.DynamicPseudoType:
		of, err := r.wrapped(tok)
		if err != nil {
			return err
		}
		return r.typed(of, depth+1)
	case t == cty.Number:
		return r.typedNumber(tok)
	case t == cty.String && tok.kind == isText, t == cty.Bool && tok.kind == isBool:
		return nil
	case tok.kind == isArray && t.IsTupleType():
		return r.members(tok, t.Length(), func(i int, _ string) (cty.Type, bool) { return t.TupleElementType(i), true }, depth)
	case tok.kind == isArray && (t.IsListType() || t.IsSetType()):
		return r.members(tok, tok.n, func(int, string) (cty.Type, bool) { return t.ElementType(), true }, depth)
	case tok.kind == isMap && t.IsMapType():
		return r.members(tok, tok.n, func(int, string) (cty.Type, bool) { return t.ElementType(), true }, depth)
	case tok.kind == isMap && t.IsObjectType():
		types := t.AttributeTypes()
		return r.members(tok, len(types), func(_ int, name string) (cty.Type, bool) { of, ok := types[cty.NormalizeString(name)]; return of, ok }, depth)
	}
	return r.fault(start, "%s in the place of %s", kindNames[tok.kind], t.FriendlyName())
}

// typedNumber checks a number. A text is a decimal number of a size that can be computed with.
func (r *msgpackReader) typedNumber(tok token) error {
	switch tok.kind {
	case isInt, isFloat:
		return nil
	case isText:
		return r.textNumber(tok)
	}
	return r.fault(tok.at, "%s in the place of a number", kindNames[tok.kind])
}

func (r *msgpackReader) textNumber(tok token) error {
	s := strings.TrimLeft(string(tok.body), "+-")
	mantissa, exponent, hasExponent := strings.Cut(strings.ToLower(s), "e")
	digits := strings.Replace(mantissa, ".", "", 1)
	if digits == "" || strings.Trim(digits, "0123456789") != "" || len(tok.body)-len(s) > 1 {
		return r.fault(tok.at, "a text that is not a number")
	}
	if exponent = strings.TrimLeft(exponent, "+-"); hasExponent && (exponent == "" || strings.Trim(exponent, "0123456789") != "") {
		return r.fault(tok.at, "a text that is not a number")
	}
	if len(digits) > maxDigits || len(strings.TrimLeft(exponent, "0")) > 4 {
		return atOffset(r.base+tok.at, fmt.Errorf("%w: a number of more than %d digits", ErrLimit, maxDigits))
	}
	return nil
}

// members checks the elements or members of a container that must have n of them. As for the tools,
// an empty one fits all types.
func (r *msgpackReader) members(tok token, n int, of func(int, string) (cty.Type, bool), depth int) error {
	if tok.n != n && tok.n != 0 {
		return r.fault(tok.at, "%s of %d elements instead of %d", kindNames[tok.kind], tok.n, n)
	}
	var keys keySet
	for i := range tok.n {
		name, at := "", r.i
		if tok.kind == isMap {
			key, err := r.key(&keys)
			if err != nil {
				return err
			}
			name = key
		}
		t, ok := of(i, name)
		if !ok {
			return r.fault(at, "the type has no such attribute")
		}
		if err := r.typed(t, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// key reads the key of a member.
func (r *msgpackReader) key(keys *keySet) (string, error) {
	tok, err := r.next()
	switch {
	case err != nil:
		return "", err
	case tok.kind != isText:
		return "", r.fault(tok.at, "the key of a member is %s", kindNames[tok.kind])
	case !keys.add(string(tok.body)):
		return "", r.fault(tok.at, "a member occurs twice")
	}
	return string(tok.body), nil
}

// A keySet has the keys of an object. The tools write them sorted, which needs no memory.
type keySet struct {
	last string
	n    int
	all  map[string]bool // nil while they are sorted
	list []string
}

func (k *keySet) add(key string) bool {
	if k.all == nil && (k.n == 0 || key > k.last) {
		k.last, k.list = key, append(k.list, key)
		k.n++
		return true
	}
	if k.all == nil {
		k.all = make(map[string]bool, len(k.list))
		for _, key := range k.list {
			k.all[key] = true
		}
	}
	if k.all[key] {
		return false
	}
	k.all[key] = true
	return true
}

// wrapped reads the type of a value whose type the schema leaves open: an array of the type's JSON,
// as binary data, and the value. The token is that of the array.
func (r *msgpackReader) wrapped(tok token) (cty.Type, error) {
	if tok.kind != isArray || tok.n != 2 {
		return cty.NilType, r.fault(tok.at, "%s in the place of a value with its type", kindNames[tok.kind])
	}
	of, err := r.next()
	if err != nil {
		return cty.NilType, err
	}
	if of.kind != isBinary || !json.Valid(of.body) {
		return cty.NilType, r.fault(of.at, "a value of an open type lacks its type")
	}
	t, err := planjson.ParseType(of.body)
	if err != nil || t == cty.DynamicPseudoType {
		return cty.NilType, r.fault(of.at, "a value of an open type has a type that does not exist")
	}
	return t, nil
}

// untyped reads a value of which no type is known.
func (r *msgpackReader) untyped(depth int) (cty.Value, error) {
	if err := r.tooDeep(depth); err != nil {
		return cty.NilVal, err
	}
	start := r.i
	tok, err := r.next()
	if err != nil {
		return cty.NilVal, err
	}
	switch tok.kind {
	case isBool:
		return cty.BoolVal(tok.bool), nil
	case isInt:
		if tok.uint != 0 {
			return cty.NumberUIntVal(tok.uint), nil
		}
		return cty.NumberIntVal(tok.int), nil
	case isFloat:
		return cty.NumberFloatVal(tok.float), nil
	case isText:
		return cty.StringVal(string(tok.body)), nil
	case isExtension:
		return cty.DynamicVal, nil
	case isBinary:
		return cty.NilVal, r.fault(tok.at, "binary data that is no type")
	case isArray:
		return r.untypedArray(tok, start, depth)
	case isMap:
		members := make(map[string]cty.Value, tok.n)
		var keys keySet
		for range tok.n {
			name, err := r.key(&keys)
			if err != nil {
				return cty.NilVal, err
			}
			if members[name], err = r.untyped(depth + 1); err != nil {
				return cty.NilVal, err
			}
		}
		return cty.ObjectVal(members), nil
	}
	return cty.NullVal(cty.DynamicPseudoType), nil
}

// untypedArray reads an array, or a value with its type, which nothing else looks like.
func (r *msgpackReader) untypedArray(tok token, start, depth int) (cty.Value, error) {
	if tok.n == 2 && r.i < len(r.text) && r.text[r.i] >= 0xc4 && r.text[r.i] <= 0xc6 {
		of, err := r.wrapped(tok)
		if err != nil {
			return cty.NilVal, err
		}
		at := r.i
		if err := r.typed(of, depth+1); err != nil {
			return cty.NilVal, err
		}
		v, err := ctymsgpack.Unmarshal(r.text[at:r.i], of)
		if err != nil {
			return cty.NilVal, r.fault(start, "%s", withoutValues(err))
		}
		return v, nil
	}
	elements := make([]cty.Value, 0, min(tok.n, 64))
	for range tok.n {
		v, err := r.untyped(depth + 1)
		if err != nil {
			return cty.NilVal, err
		}
		elements = append(elements, v)
	}
	return cty.TupleVal(elements), nil
}
