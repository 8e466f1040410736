// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"math/big"
	"strconv"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A writer appends JSON to a text. The members of an object are written in the order of the calls.
type writer struct {
	text  []byte
	first bool // of an object or an array: the next member needs no comma
}

func (w *writer) open(c byte) {
	w.text = append(w.text, c)
	w.first = true
}

func (w *writer) close(c byte) {
	w.text = append(w.text, c)
	w.first = false
}

// element begins an element of an array.
func (w *writer) element() {
	if !w.first {
		w.text = append(w.text, ',')
	}
	w.first = false
}

// name begins a member of an object.
func (w *writer) name(name string) {
	w.element()
	w.text = append(jsonscan.AppendQuote(w.text, name, true), ':')
}

func (w *writer) string(s string) { w.text = jsonscan.AppendQuote(w.text, s, true) }

// member writes a member with a text.
func (w *writer) member(name, value string) {
	w.name(name)
	w.string(value)
}

// optional writes a member with a text that is left out if it is empty.
func (w *writer) optional(name, value string) {
	if value != "" {
		w.member(name, value)
	}
}

func (w *writer) bool(name string, value bool) {
	w.name(name)
	w.text = strconv.AppendBool(w.text, value)
}

func (w *writer) uint(name string, value uint64) {
	w.name(name)
	w.text = strconv.AppendUint(w.text, value, 10)
}

// flag writes true, or leaves the member out.
func (w *writer) flag(name string, value bool) {
	if value {
		w.bool(name, true)
	}
}

// raw writes a member with JSON that is left out if there is none.
func (w *writer) raw(name string, value []byte) {
	if value != nil {
		w.name(name)
		w.text = append(w.text, value...)
	}
}

func (w *writer) strings(name string, list []string) {
	if len(list) == 0 {
		return
	}
	w.name(name)
	w.open('[')
	for _, s := range list {
		w.element()
		w.string(s)
	}
	w.close(']')
}

// appendNumber appends a number as the tools do, which compute with math/big: never with an
// exponent, and with the shortest digits for the precision at which it was read.
func appendNumber(dst []byte, v cty.Value) []byte {
	f := v.AsBigFloat()
	if n, accuracy := f.Int64(); accuracy == big.Exact && n != 0 {
		return strconv.AppendInt(dst, n, 10)
	}
	return f.Append(dst, 'f', -1)
}

// A known writes what is known of a value. The parts that are unknown are left out of maps and
// objects and are null in lists, sets and tuples; releases before Terraform 1.3 leave them out of sets and
// tuples as well.
type known struct{ dropsElements bool }

// append appends a value, which is not wholly unknown.
func (k known) append(dst []byte, v cty.Value) []byte {
	t := v.Type()
	switch {
	case v.IsNull():
		return append(dst, "null"...)
	case t == cty.String:
		return jsonscan.AppendQuote(dst, v.AsString(), true)
	case t == cty.Number:
		return appendNumber(dst, v)
	case t == cty.Bool:
		return strconv.AppendBool(dst, v.True())
	case t.IsMapType() || t.IsObjectType():
		return k.members(append(dst, '{'), v)
	}
	dst = append(dst, '[')
	comma := false
	for it := v.ElementIterator(); it.Next(); {
		_, e := it.Element()
		if !e.IsKnown() && k.dropsElements && !t.IsListType() {
			continue
		}
		if comma {
			dst = append(dst, ',')
		}
		comma = true
		if !e.IsKnown() {
			dst = append(dst, "null"...)
			continue
		}
		dst = k.append(dst, e)
	}
	return append(dst, ']')
}

// members appends the members of an object, and its end.
func (k known) members(dst []byte, v cty.Value) []byte {
	comma := false
	for it := v.ElementIterator(); it.Next(); {
		name, e := it.Element()
		if !e.IsKnown() {
			continue
		}
		if comma {
			dst = append(dst, ',')
		}
		comma = true
		dst = append(jsonscan.AppendQuote(dst, name.AsString(), true), ':')
		dst = k.append(dst, e)
	}
	return append(dst, '}')
}

// appendUnknown appends true for the parts of a value that are unknown. What is known has no
// member in objects and maps, and is false elsewhere; all that has parts is there.
func appendUnknown(dst []byte, v cty.Value) []byte {
	t := v.Type()
	switch {
	case v.IsNull():
		return append(dst, "false"...)
	case !v.IsKnown():
		return append(dst, "true"...)
	case t.IsPrimitiveType():
		return append(dst, "false"...)
	case t.IsMapType() || t.IsObjectType():
		dst = append(dst, '{')
		for it := v.ElementIterator(); it.Next(); {
			name, e := it.Element()
			dst = appendMark(dst, name.AsString(), func(dst []byte) []byte { return appendUnknown(dst, e) })
		}
		return append(dst, '}')
	}
	dst = append(dst, '[')
	for it := v.ElementIterator(); it.Next(); {
		_, e := it.Element()
		if dst[len(dst)-1] != '[' {
			dst = append(dst, ',')
		}
		dst = appendUnknown(dst, e)
	}
	return append(dst, ']')
}

// appendMark appends a member to an object of marks, whose beginning is there, unless it is false.
func appendMark(dst []byte, name string, value func([]byte) []byte) []byte {
	start := len(dst)
	if dst[start-1] != '{' {
		dst = append(dst, ',')
	}
	dst = append(jsonscan.AppendQuote(dst, name, true), ':')
	at := len(dst)
	if dst = value(dst); string(dst[at:]) == "false" {
		return dst[:start]
	}
	return dst
}
