// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// Integer is any type of integer that a field can have.
type Integer interface {
	~int | ~int64 | ~uint64
}

// settle deals with a scalar field at i, whose text ends at end: same says
// that the text means the field's value already, zero that the field is zero.
// It reports true if the caller has to write the field's value to out, and
// then call replaced.
func (x *Codec) settle(end int, same, zero bool) bool {
	if x.mode == judging {
		x.cleared = !same && zero
		x.i = end
		return false
	}
	if same {
		x.i = end
		return false
	}
	if zero {
		x.cleared = true
		x.i = end
		return false
	}
	x.flush(x.i)
	return true
}

// replaced says that out has a new value for the text from i to end.
func (x *Codec) replaced(end int) {
	x.copied = end
	x.i = end
}

// end returns the end of the valid value at i.
func (x *Codec) end() int {
	start := x.i
	x.skip()
	end := x.i
	x.i = start
	return end
}

// String is the operation of a string field: zero is "".
func String[S ~string](x *Codec, p *S) {
	switch x.mode {
	case decoding:
		if x.peek() != '"' {
			*p = ""
			x.mismatch("a string")
			return
		}
		if x.lent == "" {
			*p = S(x.memberString())
			return
		}
		// As in stringValue, without a call.
		start := x.i
		if end, escaped, fault := jsonscan.StringRest(x.text, start+1); fault == jsonscan.OK && !escaped {
			x.i = end
			*p = S(x.lent[start+1 : end-1])
			return
		}
		*p = S(x.stringValue())
	case walking, judging:
		end, same := x.sameString(string(*p))
		if x.settle(end, same, *p == "" && !x.member) {
			x.out = jsonscan.AppendQuote(x.out, *p, !x.plain)
			x.replaced(end)
		}
	case writing:
		x.out = jsonscan.AppendQuote(x.out, *p, !x.plain)
	case probing:
		x.zero = *p == ""
	case skipping:
		x.skip()
	case describing:
		x.says(shapeString)
	}
}

// StringPtr is the operation of a string field that can be null or absent:
// zero is nil.
func StringPtr[S ~string](x *Codec, p **S) {
	switch x.mode {
	case decoding:
		*p = nil
		if x.peek() != '"' {
			x.mismatch("a string")
			return
		}
		*p = newObject[S](x)
		**p = S(x.stringValue())
	case walking, judging:
		end, is := x.end(), x.text[x.i] == '"'
		same := *p == nil && !is || *p != nil && is && x.means(x.text[x.i:end], string(**p))
		if x.settle(end, same, *p == nil) {
			x.out = jsonscan.AppendQuote(x.out, **p, !x.plain)
			x.replaced(end)
		}
	case writing:
		if *p == nil {
			x.out = append(x.out, "null"...)
			return
		}
		x.out = jsonscan.AppendQuote(x.out, **p, !x.plain)
	case probing:
		x.zero = *p == nil
	case skipping:
		x.skip()
	case describing:
		describePointer[S](x, shapeString)
	}
}

// sameString reports whether the value at i decodes to s, and where it ends.
func (x *Codec) sameString(s string) (end int, same bool) {
	if d, i := x.text, x.i; i < len(d) && d[i] == '"' {
		if end, escaped, fault := jsonscan.StringRest(d, i+1); fault == jsonscan.OK && !escaped {
			return end, string(d[i+1:end-1]) == s
		}
	}
	end = x.end()
	if x.text[x.i] != '"' {
		return end, s == ""
	}
	return end, x.means(x.text[x.i:end], s)
}

// means reports whether the string token tok means s.
func (x *Codec) means(tok []byte, s string) bool {
	raw := tok[1 : len(tok)-1]
	if jsonscan.IndexByte(raw, '\\') < 0 {
		return string(raw) == s
	}
	if len(s) > len(raw) {
		return false // an escape is never shorter than what it means
	}
	x.scratch = jsonscan.AppendUnquote(x.scratch[:0], tok)
	return string(x.scratch) == s
}

// boolean reads the literal at i, which begins like true or false.
func (x *Codec) boolean() bool {
	d, i := x.text, x.i
	if len(d)-i >= 4 && string(d[i:i+4]) == "true" {
		x.i = i + 4
		return true
	}
	if len(d)-i >= 5 && string(d[i:i+5]) == "false" {
		x.i = i + 5
		return false
	}
	return x.token()[0] == 't' // which fails
}

// isBool reports whether the value at i is a boolean.
func (x *Codec) isBool() bool { c := x.peek(); return c == 't' || c == 'f' }

// Bool is the operation of a boolean field: zero is false.
func Bool[B ~bool](x *Codec, p *B) {
	switch x.mode {
	case decoding:
		if !x.isBool() {
			*p = false
			x.mismatch("a boolean")
			return
		}
		*p = B(x.boolean())
	case walking, judging:
		end := x.end()
		same := (x.text[x.i] == 't') == bool(*p)
		if x.settle(end, same, !bool(*p) && !x.member) {
			x.out = strconv.AppendBool(x.out, bool(*p))
			x.replaced(end)
		}
	case writing:
		x.out = strconv.AppendBool(x.out, bool(*p))
	case probing:
		x.zero = !bool(*p)
	case skipping:
		x.skip()
	case describing:
		x.says(shapeBool)
	}
}

// BoolPtr is the operation of a boolean field that can be absent: zero is nil.
func BoolPtr[B ~bool](x *Codec, p **B) {
	switch x.mode {
	case decoding:
		*p = nil
		if !x.isBool() {
			x.mismatch("a boolean")
			return
		}
		v := B(x.boolean())
		*p = &v
	case walking, judging:
		end, is := x.end(), x.isBool()
		same := *p == nil && !is || *p != nil && is && (x.text[x.i] == 't') == bool(**p)
		if x.settle(end, same, *p == nil) {
			x.out = strconv.AppendBool(x.out, bool(**p))
			x.replaced(end)
		}
	case writing:
		if *p == nil {
			x.out = append(x.out, "null"...)
			return
		}
		x.out = strconv.AppendBool(x.out, bool(**p))
	case probing:
		x.zero = *p == nil
	case skipping:
		x.skip()
	case describing:
		x.says(shapeBool) // the two values are there already
	}
}

// isNumber reports whether the value at i is a number.
func (x *Codec) isNumber() bool { c := x.peek(); return c == '-' || c-'0' <= 9 }

// decodeInt reads the integer at i. Any spelling of an integer will do, such
// as 1.0 and 3e2; another number is treated like another kind of value.
func decodeInt[I Integer](x *Codec) (n I, ok bool) {
	if !x.isNumber() {
		x.mismatch("an integer")
		return 0, false
	}
	start := x.i
	if n, end := smallInteger(x.text, start); end > start {
		if I(n) >= 0 && uint64(I(n)) == n {
			x.i = end
			return I(n), true
		}
	}
	n, ok = parseInteger[I](x.token())
	if !ok {
		if !x.lenient {
			x.fail(start, errNotInteger)
		}
		x.problems = append(x.problems, Problem{start, errNotInteger})
	}
	return n, ok
}

var errNotInteger = fmt.Errorf("%w: expected an integer within the range of its field", ErrKind)

func appendInt[I Integer](dst []byte, n I) []byte {
	if n < 0 {
		return strconv.AppendInt(dst, int64(n), 10)
	}
	return strconv.AppendUint(dst, uint64(n), 10)
}

// Int is the operation of an integer field: zero is 0.
func Int[I Integer](x *Codec, p *I) {
	switch x.mode {
	case decoding:
		*p, _ = decodeInt[I](x)
	case walking, judging:
		end := x.end()
		same := *p == 0
		if x.isNumber() {
			n, _ := parseInteger[I](x.text[x.i:end])
			same = n == *p
		}
		if x.settle(end, same, *p == 0 && !x.member) {
			x.out = appendInt(x.out, *p)
			x.replaced(end)
		}
	case writing:
		x.out = appendInt(x.out, *p)
	case probing:
		x.zero = *p == 0
	case skipping:
		x.skip()
	case describing:
		x.says(shapeNatural)
	}
}

// IntPtr is the operation of an integer field that can be absent: zero is nil.
func IntPtr[I Integer](x *Codec, p **I) {
	switch x.mode {
	case decoding:
		*p = nil
		if n, ok := decodeInt[I](x); ok {
			*p = newObject[I](x)
			**p = n
		}
	case walking, judging:
		end := x.end()
		n, is := I(0), false
		if x.isNumber() {
			n, is = parseInteger[I](x.text[x.i:end])
		}
		same := *p == nil && !is || *p != nil && is && n == **p
		if x.settle(end, same, *p == nil) {
			x.out = appendInt(x.out, **p)
			x.replaced(end)
		}
	case writing:
		if *p == nil {
			x.out = append(x.out, "null"...)
			return
		}
		x.out = appendInt(x.out, **p)
	case probing:
		x.zero = *p == nil
	case skipping:
		x.skip()
	case describing:
		describePointer[I](x, shapeNatural)
	}
}

// Raw is the operation of a field that holds raw JSON: zero is nil. Decoding
// gives it the part of the text itself.
func Raw[V ~[]byte](x *Codec, p *V) {
	switch x.mode {
	case decoding:
		x.rawAt = x.i
		*p = V(x.rawToken())
	case walking, judging:
		if v := []byte(*p); x.standing(v) {
			x.cleared = false
			x.i += len(v)
			return
		}
		end := x.end()
		if x.settle(end, *p != nil && bytes.Equal(x.text[x.i:end], *p), *p == nil) {
			x.raw(*p)
			x.replaced(end)
		}
	case writing:
		x.raw(*p)
	case probing:
		x.zero = *p == nil
	case skipping:
		if x.standing(*p) {
			x.i += len(*p)
			return
		}
		x.skip()
	case describing:
		x.says(shapeAny)
	}
}

// Document is [Raw] for a field that holds a whole document, whose members keep
// their order in canonical form.
func Document[V ~[]byte](x *Codec, p *V) {
	if x.mode != writing || !x.canonical || *p == nil {
		Raw(x, p)
		return
	}
	var b bytes.Buffer
	if json.Compact(&b, *p) != nil {
		Raw(x, p) // which finds the fault
		return
	}
	x.out = append(x.out, b.Bytes()...)
}

// standing reports whether v is the part of the text that begins at i, as
// decoding made it: same address, and no capacity beyond its end.
func (x *Codec) standing(v []byte) bool {
	return len(v) > 0 && len(v) == cap(v) && x.i+len(v) <= len(x.text) && &v[0] == &x.text[x.i]
}

// raw writes a raw value after checking that it is one.
func (x *Codec) raw(v []byte) {
	if v == nil {
		x.out = append(x.out, "null"...)
		return
	}
	if at, fault := jsonscan.Document(v); fault != jsonscan.OK {
		x.fail(x.i, &rawError{at, fault})
	}
	if x.canonical {
		x.out = jsonscan.AppendCanonical(x.out, v)
		return
	}
	x.out = append(x.out, v...)
}

// A rawError is the cause of an encoding's failure on a raw value.
type rawError struct {
	at    int
	fault jsonscan.Fault
}

func (e *rawError) Error() string {
	return "invalid raw value: " + e.fault.Error() + " at its byte " + strconv.Itoa(e.at)
}

func (e *rawError) Unwrap() error { return e.fault }
