// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/plantext"
)

// keys replaces the keys of instances that are strings, in all fields of all
// objects except those that belong to a place to keep.
func (r *redaction) keys(m *Message) {
	objects("", reflect.ValueOf(m), func(_ string, o Object) bool {
		if r.kept[o] {
			return true
		}
		switch o := o.(type) {
		case *Resource:
			r.key(&o.ResourceKey)
		case *ActionAddress:
			r.key(&o.ActionKey)
		}
		v := reflect.ValueOf(o).Elem()
		for i := range v.NumField() {
			f := v.Field(i)
			if v.Type().Field(i).Tag.Get("json") == "" || r.kept[f.Addr().Interface()] {
				continue
			}
			switch p := f.Addr().Interface().(type) {
			case *Value:
				r.keysInJSON(p)
			case *[]string:
				for i := range *p {
					r.keysIn(&(*p)[i])
				}
			case *string:
				r.keysIn(p)
			}
		}
		return true
	})
}

// key replaces a key that is a string.
func (r *redaction) key(p *Value) {
	if s, ok := p.Text(); ok && s != Redacted {
		*p = quote(Redacted)
		r.changed = true
	}
}

func (r *redaction) keysIn(p *string) {
	if s, changed := withoutStringKeys(*p); changed {
		*p = s
		r.changed = true
	}
}

// keysInJSON does the same in all strings of a raw value.
func (r *redaction) keysInJSON(p *Value) {
	if !strings.Contains(string(*p), "[") || !jsonscan.Valid(*p) {
		return
	}
	var out []byte
	done := 0
	for i := 0; i < len(*p); {
		if (*p)[i] != '"' {
			i++
			continue
		}
		end := jsonscan.StringEnd(*p, i)
		if s, changed := withoutStringKeys(jsonscan.Unquote((*p)[i:end])); changed {
			out = append(append(out, (*p)[done:i]...), quote(s)...)
			done = end
		}
		i = end
	}
	if done > 0 {
		*p = append(out, (*p)[done:]...)
		r.changed = true
	}
}

// withoutStringKeys returns a text with [Redacted] in place of the keys that are
// strings, in all addresses that it has. It reports whether there are any. A key
// that is not closed ends with the text.
func withoutStringKeys(text string) (string, bool) {
	const own = `["` + Redacted + `"]`
	var b strings.Builder
	done := 0
	for i := 0; ; {
		next := strings.Index(text[i:], `["`)
		if next < 0 {
			break
		}
		i += next
		end := min(plantext.KeyEnd(text, i)+1, len(text))
		switch {
		case !endsAddress(text[:i]):
			i++
		case text[i:end] == own || isProvider(text[:i], text[i:end]):
			i = end
		default:
			b.WriteString(text[done:i])
			b.WriteString(own)
			i, done = end, end
		}
	}
	if done == 0 {
		return text, false
	}
	b.WriteString(text[done:])
	return b.String(), true
}

// endsAddress reports whether a key can follow a text: it ends with a name or
// with another key.
func endsAddress(text string) bool {
	if text == "" {
		return false
	}
	c := text[len(text)-1]
	return c == ']' || c == '_' || c == '-' || c >= utf8.RuneSelf ||
		'0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// isProvider reports whether a key is the source address of a provider: it
// follows the word provider, which nothing but a space can be before.
func isProvider(before, key string) bool {
	before, ok := strings.CutSuffix(before, "provider")
	if !ok || before != "" && !strings.HasSuffix(before, " ") {
		return false
	}
	source, _ := strings.CutSuffix(key[2:], `"]`)
	p, err := addrs.ParseProvider(source)
	return err == nil && p.String() == source
}
