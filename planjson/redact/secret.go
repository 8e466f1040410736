// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/planjson"
)

// maxEscapes is how often text is unescaped in search of known secrets, for
// JSON in strings in JSON.
const maxEscapes = 4

// hasSecret reports whether a text contains a known secret, also one that is
// spelled with the escapes of JSON and of OpenTofu's language.
func (d *redaction) hasSecret(text string) bool {
	if len(d.Secrets) == 0 {
		return false
	}
	for range maxEscapes {
		if d.contains(text) {
			return true
		}
		plain := unescape(text)
		if plain == text {
			return false
		}
		text = plain
	}
	return d.contains(text)
}

func (d *redaction) contains(text string) bool {
	return slices.ContainsFunc(d.Secrets, func(s string) bool { return s != "" && strings.Contains(text, s) })
}

// unescape replaces what may be an escape in a string in a text of any kind.
func unescape(text string) string {
	i := strings.IndexByte(text, '\\')
	if i < 0 {
		return text
	}
	var b strings.Builder
	for ; i >= 0 && i+1 < len(text); i = strings.IndexByte(text, '\\') {
		b.WriteString(text[:i])
		text = text[i+1:]
		c := text[0]
		text = text[1:]
		switch c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case 'u', 'U':
			digits := 4
			if c == 'U' {
				digits = 8
			}
			if len(text) >= digits {
				if n, err := strconv.ParseUint(text[:digits], 16, 32); err == nil {
					text = text[digits:]
					r := rune(n)
					if low, err := strconv.ParseUint(strings.TrimPrefix(text[:min(6, len(text))], `\u`), 16, 16); err == nil && utf16.IsSurrogate(r) {
						r = utf16.DecodeRune(r, rune(low))
						text = text[6:]
					}
					b.WriteRune(r)
				}
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + text
}

// isSecret reports whether the scalar v has a known secret: in a string, or in
// the digits of a number.
func (d *redaction) isSecret(v planjson.Value) bool {
	if len(d.Secrets) == 0 {
		return false
	}
	switch v.Kind() {
	case planjson.KindString:
		text, _ := v.Text()
		return d.hasSecret(text)
	case planjson.KindNumber:
		if d.contains(string(v)) {
			return true
		}
		return v.Check() == nil && d.contains(string(jsonscan.AppendCanonical(nil, v)))
	}
	return false
}

// hasSecretName reports whether a member of the object v is named by a known
// secret.
func (d *redaction) hasSecretName(v planjson.Value) bool {
	r := jsonscan.Items{Text: v, Valid: true}
	for ok := r.Open('{') && r.Member(); ok; ok = r.Member() {
		if d.hasSecret(jsonscan.Unquote(r.Name)) {
			return true
		}
	}
	return false
}

// without returns s, a name or an address, without known secrets.
func (d *redaction) without(s string) string {
	if !d.hasSecret(s) {
		return s
	}
	d.n++
	for _, secret := range d.Secrets {
		if secret != "" {
			s = strings.ReplaceAll(s, secret, d.text)
		}
	}
	if d.hasSecret(s) {
		return d.text // one that is spelled with escapes
	}
	return s
}

// scrub replaces known secrets in v, a pointer to a struct of the format, and
// in everything in it: names, addresses, keys, values of any kind.
func (d *redaction) scrub(v reflect.Value, depth int) {
	if v.IsNil() || depth > maxNesting {
		return
	}
	v = v.Elem()
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() {
			if strings.Contains(f.Name, "Sensitive") {
				d.mode = redactSensitive // must not say less than before
			}
			d.scrubField(v.Field(i), depth)
			d.mode = redactValue
		}
	}
}

func (d *redaction) scrubField(f reflect.Value, depth int) {
	if v, ok := f.Interface().(planjson.Value); ok {
		if now := d.known(v); string(now) != string(v) {
			f.Set(reflect.ValueOf(now))
		}
		return
	}
	switch f.Kind() {
	case reflect.String:
		f.SetString(d.without(f.String()))
	case reflect.Struct:
		d.scrub(f.Addr(), depth+1)
	case reflect.Pointer:
		switch {
		case f.IsNil():
		case f.Type().Elem().Kind() == reflect.Struct:
			d.scrub(f, depth+1)
		default:
			d.scrubField(f.Elem(), depth)
		}
	case reflect.Slice:
		for i := range f.Len() {
			d.scrubField(f.Index(i), depth)
		}
	case reflect.Map:
		keys := f.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, key := range keys {
			element := f.MapIndex(key)
			d.scrubField(element, depth)
			name := d.without(key.String())
			if name == key.String() {
				continue
			}
			f.SetMapIndex(key, reflect.Value{})
			f.SetMapIndex(reflect.ValueOf(d.unused(name, func(s string) bool { return f.MapIndex(reflect.ValueOf(s)).IsValid() })), element)
		}
	}
}

// known returns v without known secrets.
func (d *redaction) known(v planjson.Value) planjson.Value {
	d.rules = nil
	if v == nil || v.Check() != nil {
		return v // nothing is written of it
	}
	out := d.append(make(planjson.Value, 0, len(v)), v, nil, nil, place{})
	if string(out) == string(v) {
		return v
	}
	return out
}

// unused returns name, or if it is used the first of name (2), name (3) and so
// on that is not.
func (d *redaction) unused(name string, used func(string) bool) string {
	unique := name
	for n := 2; used(unique); n++ {
		unique = fmt.Sprintf("%s (%d)", name, n)
	}
	return unique
}
