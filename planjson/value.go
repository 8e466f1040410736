// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// A Value is the text of one JSON value, exactly as in the document, including
// its spelling, white space and member order. The members of a plan that only a
// provider's schema can type, or whose null differs from their absence, are
// Values.
//
// A nil Value is a member that is absent. The JSON null is a Value of four
// bytes, not nil.
//
// The bytes of a decoded Value are part of the document and must not be
// changed. Assign another Value instead: one of [ValueOf] or [Literal], or any
// JSON text, which [Encode] checks.
//
// Only [Value.Float64] uses float64. No method panics, whatever the bytes:
// those that return a value return nothing for text that is not valid JSON,
// those that return an error return an [*Error]. Their offsets count within the
// Value. The methods are safe for concurrent use.
type Value []byte

// A Kind is the kind of a [Value].
// Its values include [KindAbsent], [KindNull] and [KindBool].
type Kind uint8

// The kinds.
const (
	KindAbsent  Kind = iota // a nil Value
	KindNull                // null
	KindBool                // true or false
	KindNumber              // a number
	KindString              // a string
	KindArray               // an array
	KindObject              // an object
	KindInvalid             // not JSON
)

var kindNames = [...]string{"absent", "null", "bool", "number", "string", "array", "object", "invalid"}

// String returns the name of the kind in lower case.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}

// Kind returns the kind of v. It looks at the first byte only; to know that the
// rest is valid too, call [Value.Check]. Decoded Values always are.
func (v Value) Kind() Kind {
	if v == nil {
		return KindAbsent
	}
	i := jsonscan.Space(v, 0)
	if i == len(v) {
		return KindInvalid
	}
	switch c := v[i]; c {
	case 'n':
		return KindNull
	case 't', 'f':
		return KindBool
	case '"':
		return KindString
	case '[':
		return KindArray
	case '{':
		return KindObject
	default:
		if c == '-' || '0' <= c && c <= '9' {
			return KindNumber
		}
		return KindInvalid
	}
}

// IsNull reports whether v is the JSON null.
func (v Value) IsNull() bool { return string(v) == "null" || wire.Token(v, wire.FirstOfNull) != nil }

// Check returns nil if v is one valid JSON value, and otherwise an [*Error].
// A nil Value is not valid.
func (v Value) Check() error { return wireError(wire.CheckValue(v)) }

// fault returns an error at an offset of v.
func (v Value) fault(at int, cause error) error { return wireError(wire.ErrorIn(v, at, cause)) }

// String returns the JSON text of v, "" if it is absent.
func (v Value) String() string { return string(v) }

// Text returns the string v without quotes and escapes. It reports false if v
// is not a string.
func (v Value) Text() (string, bool) { return wire.ValueText(v) }

// Bool returns the bool v. It reports false in ok if v is not one.
func (v Value) Bool() (b, ok bool) { return wire.ValueBool(v) }

// Equal reports whether v and w mean the same. White space, the order of
// members, and the spelling of strings and numbers do not matter: 1.0 equals 1,
// however large, and -0 equals 0. If several members have the same name, the
// last one counts. Absent equals absent only, not null. Text that is not valid
// equals only the same text.
//
// Arrays are compared in order, even those of sets.
func (v Value) Equal(w Value) bool {
	if bytes.Equal(v, w) {
		return (v == nil) == (w == nil)
	}
	return v != nil && w != nil && jsonscan.Valid(v) && jsonscan.Valid(w) && jsonscan.Equal(v, w)
}

// Decode stores v in what dst points to, by the rules of [encoding/json] with
// one difference: a number that goes into an any becomes a [json.Number], not
// a float64. As there, the names of members match the fields of a struct
// regardless of case.
func (v Value) Decode(dst any) error { return wireError(wire.DecodeValue(v, dst)) }

// Any returns v as a Go value: nil, bool, string, [json.Number], []any or
// map[string]any. It returns nil if v is absent or not valid JSON.
func (v Value) Any() any {
	var x any
	if v.Decode(&x) != nil {
		return nil
	}
	return x
}

// ScalarText returns a scalar as text: a string without quotes and escapes, a
// number or a bool as the document spells it. It reports false for null,
// arrays, objects, and if v is absent.
func (v Value) ScalarText() (string, bool) {
	if tok := wire.Token(v, wire.FirstOfNumber+wire.FirstOfBool); tok != nil {
		return string(tok), true
	}
	return v.Text()
}

// MarshalJSON returns v, or null if it is absent.
func (v Value) MarshalJSON() ([]byte, error) {
	text, err := wire.MarshalValue(v)
	return text, wireError(err)
}

// UnmarshalJSON sets v to a copy of text.
func (v *Value) UnmarshalJSON(text []byte) error {
	*v = append(make(Value, 0, len(text)), text...)
	return nil
}

// Get returns the value at a path below v, without building anything. A step is
// a string for a member of an object, or an int for an element of an array,
// counted from 0. A step can also be a [Value] that is a string or an integer,
// as the paths in [Change.ReplacePaths] and [RelevantAttribute.Attribute] have
// them. A step of any other type finds nothing. With no steps, Get returns v.
// [ParsePath] makes the steps of a path such as network[0].subnet.
//
// The result is nil if there is no such value: a member or element that is
// missing, a string step into an array, any step into a scalar or null. It is
// null only where the document says null. The time is proportional to the
// text before the value.
func (v Value) Get(path ...any) Value {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			v = v.Member(step)
		case int:
			v = v.Element(step)
		case Value:
			v = v.step(step)
		default:
			return nil
		}
		if v == nil {
			return nil
		}
	}
	return v
}

// FormatPath returns the text of a path, such as network[0].tags["a b"], which [ParsePath] reads.
// The steps are those that [Value.Get] takes: strings and ints.
func FormatPath(path ...any) (text string) {
	for _, step := range path {
		if name, ok := step.(string); ok {
			text = plantext.Member(text, name)
		} else {
			text += fmt.Sprintf("[%v]", step)
		}
	}
	return text
}

// ParsePath returns the steps of a path that is written as in an expression, such as
// network[0].tags["a b"], as [Value.Get] and [Change.IsUnknown] take them: strings and
// ints. It reads the paths that packages plandiff and plangraph write. The path "" has
// no steps. Keys are normalized to NFC, as the tools normalize all strings. If s is
// not a path, the error is an [*Error].
func ParsePath(s string) ([]any, error) {
	if s == "" {
		return nil, nil
	}
	root := "var.x."
	if s[0] == '[' {
		root = "var.x"
	}
	ref, err := addrs.ParseReference(root + s)
	if err != nil {
		if e, ok := errors.AsType[*addrs.Error](err); ok {
			err = fmt.Errorf("offset %d: %w", max(e.Offset-int64(len(root)), 0), e.Err)
		}
		return nil, &Error{Err: fmt.Errorf("path %q: %w", s, err)}
	}
	var steps []any
	for step := range ref.Remaining() {
		if name, ok := step.Attr(); ok {
			steps = append(steps, name)
			continue
		}
		key, ok := step.Index()
		if name, isName := key.Str(); isName {
			steps = append(steps, name)
			continue
		}
		n, _ := key.Int()
		if !ok || n != int64(int(n)) {
			return nil, &Error{Err: fmt.Errorf("path %q: %s is not an index", s, step)}
		}
		steps = append(steps, int(n))
	}
	return steps, nil
}

// step follows one step that is spelled as JSON.
func (v Value) step(s Value) Value {
	if name, ok := s.Text(); ok {
		return v.Member(name)
	}
	if n, ok := s.Int64(); ok && n == int64(int(n)) {
		return v.Element(int(n))
	}
	return nil
}

// Follow returns the value at a path that is spelled as a JSON array, as in
// [Change.ReplacePaths]; see [Value.Get]. A step into a set is the element
// itself, in which case the result is nil, as for any step that finds nothing.
func (v Value) Follow(path Value) Value {
	if path.Kind() != KindArray || path.Check() != nil {
		return nil
	}
	for _, step := range path.Elements() {
		if v = v.step(step); v == nil {
			return nil
		}
	}
	return v
}

// Member returns the member of the object v with this name, or nil. If there
// are several, it is the last one.
func (v Value) Member(name string) Value {
	var found Value
	r := jsonscan.Items{Text: v}
	if !r.Open('{') {
		return nil
	}
	for r.Member() {
		if r.Named(name) {
			found = r.Value()
		}
	}
	return found
}

// Element returns element i of the array v, counted from 0, or nil.
func (v Value) Element(i int) Value {
	r := jsonscan.Items{Text: v}
	if i < 0 || !r.Open('[') {
		return nil
	}
	for r.Element() {
		if i--; i < 0 {
			return r.Value()
		}
	}
	return nil
}

// offset returns where in v the value at a path of strings and ints begins, or
// the innermost one around it that exists.
func (v Value) offset(path []any) int {
	at := jsonscan.Space(v, 0)
	for _, step := range path {
		r := jsonscan.Items{Text: v[at:]}
		found := -1
		switch step := step.(type) {
		case string:
			for ok := r.Open('{') && r.Member(); ok; ok = r.Member() {
				if cty.NormalizeString(jsonscan.Unquote(r.Name)) == step {
					found = r.Start
				}
			}
		case int:
			for ok := r.Open('[') && r.Element(); ok; ok = r.Element() {
				if step--; step < 0 {
					found = r.Start
					break
				}
			}
		}
		if found < 0 {
			return at
		}
		at += found
	}
	return at
}

// Members returns an iterator over the members of the object v in the order of the text,
// including members with the same name. It yields nothing if v is not an object. It can be used
// any number of times.
func (v Value) Members() iter.Seq2[string, Value] { return wire.ValueMembers(v) }

// Elements returns an iterator over the elements of the array v with their
// indexes. It yields nothing if v is not an array. It can be used any number
// of times.
func (v Value) Elements() iter.Seq2[int, Value] { return wire.ValueElements(v) }

// Len returns the number of members of the object v, or of elements of the
// array v. It is 0 for everything else.
func (v Value) Len() (n int) {
	r := jsonscan.Items{Text: v}
	switch {
	case r.Open('['):
		for r.Element() {
			n++
		}
	case r.Open('{'):
		for r.Member() {
			n++
		}
	}
	return n
}

// ValueOf returns x as a [Value], by the rules of [json.Marshal], spelled as the
// tools do: on one line, objects sorted by name, '<', '>' and '&' escaped,
// numbers without exponent. ValueOf(nil) is null.
//
// A [cty.Value] becomes a value without its type: sets, lists and tuples become
// arrays, maps and objects become objects. The error is an [*Error] if a part is
// unknown or marked, which JSON cannot express. A [cty.Type] becomes the notation
// that [ParseType] reads.
func ValueOf(x any) (Value, error) {
	var text []byte
	var err error
	switch x := x.(type) {
	case cty.Value:
		text, err = ctyjson.Marshal(x, x.Type())
	case cty.Type:
		if x == cty.NilType {
			err = ErrAbsent
			break
		}
		text, err = x.MarshalJSON()
	default:
		text, err = json.Marshal(x)
	}
	if err != nil {
		return nil, &Error{Line: 1, Column: 1, Err: err}
	}
	return jsonscan.AppendCanonical(nil, text), nil
}

// Literal returns a literal as a [Value]. Unlike [ValueOf] it cannot fail.
func Literal[T ~string | ~bool | ~int | ~int32 | ~int64 | ~uint | ~uint32 | ~uint64](x T) Value {
	text, err := json.Marshal(x)
	if err != nil { // of a type with its own method
		return Value("null")
	}
	return jsonscan.AppendCanonical(nil, text)
}

// Canonical returns v as the tools spell values; see [ValueOf].
func (v Value) Canonical() (Value, error) {
	if text, ok := jsonscan.Compact(make([]byte, 0, len(v)), v); ok {
		return text, nil
	}
	if err := v.Check(); err != nil {
		return nil, err
	}
	return jsonscan.AppendCanonical(make([]byte, 0, len(v)), v), nil
}
