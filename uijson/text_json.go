// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"bytes"
	"reflect"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A log has JSON in its lines: messages of -json runs, behind what runners write before each line, and the lines of
// containers as strings in JSON. What is spread over lines of text is spread over the strings of such lines.

// maxNested is how deep the JSON in strings of JSON is looked at string by string. What is deeper is looked at as text.
const maxNested = 4

// mixed returns a line, without its end, that has JSON values without secrets. It reports false if it has none, or if
// a secret is not inside of a string of them, so that the line must be looked at as text.
func (t *TextRemover) mixed(text []byte, depth int) (now []byte, found bool) {
	values := jsonIn(text)
	if values == nil {
		if bytes.Contains(text, []byte(`":"`)) {
			return t.torn(text, depth), true
		}
		return nil, false
	}
	if t.set.Crosses(string(text), edges(text, values)) {
		return nil, false
	}
	changed, last := false, 0
	add := func(part, clean []byte) {
		now, changed = append(now, clean...), changed || !bytes.Equal(part, clean)
	}
	for _, v := range values {
		add(text[last:v.start], t.beside(text[last:v.start], depth))
		add(text[v.start:v.end], t.json(text[v.start:v.end:v.end], depth))
		last = v.end
	}
	if add(text[last:], t.beside(text[last:], depth)); !changed {
		return text, true
	}
	return now, true
}

// beside returns what is before or behind JSON on its line without secrets.
func (t *TextRemover) beside(text []byte, depth int) []byte {
	if bytes.IndexByte(text, '"') >= 0 {
		return t.torn(text, depth)
	}
	return t.plain(text)
}

// A part is that of a text.
type part struct{ start, end int }

// jsonIn returns where a line has objects and lists of JSON.
func jsonIn(text []byte) (values []part) {
	for at, tries := 0, 0; tries < maxTries; {
		next := bytes.IndexAny(text[at:], "{[")
		if next < 0 {
			break
		}
		at += next
		first := jsonscan.Space(text, at+1)
		if first == len(text) || text[first] != '"' && (text[at] == '{' || strings.IndexByte("{[-0123456789", text[first]) < 0) {
			at++
			continue
		}
		n, fault := jsonscan.Value(text, at, jsonscan.MaxDepth)
		if fault != jsonscan.OK {
			at, tries = at+1, tries+1
			continue
		}
		values = append(values, part{at, n})
		at = n
	}
	return values
}

// edges returns where JSON values begin and end, and the tokens in them.
func edges(text []byte, values []part) (places []int) {
	for _, v := range values {
		places = append(places, v.start)
		for i := v.start; i < v.end; {
			if c := text[i]; c != '"' {
				if i > v.start && (c == ',' || c == ':' || text[i-1] == ',' || text[i-1] == ':' || jsonscan.IsStructural(c) || jsonscan.IsStructural(text[i-1])) {
					places = append(places, i)
				}
				i++
				continue
			}
			end := jsonscan.StringEnd(text, i)
			places = append(places, i, i+1, end-1, end)
			i = end
		}
		places = append(places, v.end)
	}
	return places
}

// torn returns a line with a part of JSON, such as half a message, without secrets: all that is between two quotes is
// looked at, because it is not known which of them begin a string.
func (t *TextRemover) torn(text []byte, depth int) []byte {
	var out []byte
	done := 0
	for start := 0; start < len(text); {
		end := start
		for end < len(text) && text[end] != '"' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end, len(text))
		if now, changed := t.between(text[start:end], depth); changed {
			out = append(append(out, text[done:start]...), now...)
			done = end
		}
		start = end + 1
	}
	if done > 0 {
		text = append(out, text[done:]...)
	}
	return t.plain(text)
}

// between returns what is between two quotes without what is only found in text.
func (t *TextRemover) between(text []byte, depth int) (now []byte, changed bool) {
	token := slices.Concat([]byte(`"`), text, []byte(`"`))
	if end, fault := jsonscan.String(token, 0); fault == jsonscan.OK && end == len(token) {
		now, changed = t.string(token, depth)
		return now[1 : len(now)-1], changed
	}
	now = t.plain(text)
	return now, !bytes.Equal(now, text)
}

// json returns a JSON value without secrets. A message of the stream keeps its own words.
func (t *TextRemover) json(text []byte, depth int) []byte {
	changed := false
	now := t.set.ReplaceInJSON(nil, text, t.token, t.replace, func() { changed = true })
	now, spread := t.strings(now, depth)
	if !changed && !spread {
		return text
	}
	if m, err := Decode(bytes.Clone(text)); err == nil && kindOf(m) != EventJSON && m.sound() {
		t.wholes(m)
		t.parts(m)
		if line, err := Encode(m); err == nil {
			return line
		}
	}
	return now
}

// strings returns valid JSON without what is only found in text: parts of secrets, in strings but not in names, and in
// lists of numbers.
func (t *TextRemover) strings(text []byte, depth int) (now []byte, changed bool) {
	done := 0
	put := func(start, end int, by []byte) {
		now, done, changed = append(append(now, text[done:start]...), by...), end, true
	}
	for i := 0; i < len(text); {
		switch text[i] {
		case '"':
			end := jsonscan.StringEnd(text, i)
			if next := jsonscan.Space(text, end); next == len(text) || text[next] != ':' {
				if by, found := t.string(text[i:end], depth); found {
					put(i, end, by)
				}
			}
			i = end
		case '[':
			start := jsonscan.Space(text, i+1)
			end := start
			for end < len(text) && (text[end] <= ' ' || text[end] == ',' || '0' <= text[end] && text[end] <= '9') {
				end++
			}
			if end > start && end < len(text) && text[end] == ']' {
				if _, found := t.withoutSomeDumps(text[start:end], t.token); found {
					put(start, end, quote(t.token))
				}
			}
			i = max(end, i+1)
		default:
			i++
		}
	}
	if !changed {
		return text, false
	}
	return append(now, text[done:]...), true
}

// string returns a JSON string without what is only found in text.
func (t *TextRemover) string(token []byte, depth int) (now []byte, changed bool) {
	if len(token) < len(`""`)+minPiece {
		return token, false
	}
	text := jsonscan.UnquoteBytes(token)
	clean := t.bytes(text, depth+1)
	if bytes.Equal(clean, text) {
		return token, false
	}
	return jsonscan.AppendQuote(nil, clean, !bytes.ContainsAny(token, "<>&")), true
}

// message removes secrets from a message; see [RemoveSecrets].
func (t *TextRemover) message(m *Message) {
	if t == nil || m == nil || t.set.IsEmpty() {
		return
	}
	m.reduce()
	t.wholes(m)
	t.parts(m)
	m.redacted = true
}

// wholes replaces secrets in all of a message.
func (t *TextRemover) wholes(m *Message) {
	line, err := Encode(m)
	if err != nil {
		return
	}
	name := func(name string) string {
		if memberNames()[name] {
			return name // the format's own
		}
		return t.replace(name)
	}
	changed := false
	line = t.set.ReplaceInJSON(make([]byte, 0, len(line)), line, t.token, name, func() { changed = true })
	if !changed {
		return
	}
	now, err := Decode(line)
	if err != nil { // two names have become one
		*m = m.envelope()
		return
	}
	now.keepWords(m)
	*m = *now
	m.reduce()
}

// parts replaces parts of secrets in the texts of a message.
func (t *TextRemover) parts(m *Message) {
	clean := func(p *string) {
		if len(*p) < minPiece {
			return
		}
		if now := t.bytes([]byte(*p), 1); string(now) != *p {
			*p = string(now)
		}
	}
	objects("", reflect.ValueOf(m), func(_ string, o Object) bool {
		extra := make(map[string]Value)
		for name, v := range Extra(o) {
			if now, changed := t.strings(v, 0); changed {
				extra[name] = now
			}
		}
		for name, now := range extra {
			_ = SetExtra(o, name, now) // the value is valid
		}
		v := reflect.ValueOf(o).Elem()
		for i := range v.NumField() {
			if name := v.Type().Field(i).Tag.Get("json"); name == "" || isPlace(o, name) {
				continue
			}
			switch p := v.Field(i).Addr().Interface().(type) {
			case *Value:
				if jsonscan.Valid(*p) {
					*p, _ = t.strings(*p, 0)
				}
			case *[]string:
				for i := range *p {
					clean(&(*p)[i])
				}
			case *string:
				clean(p)
			}
		}
		return true
	})
}

// isPlace reports whether a member says what or where something is, and is no text: an address that is also in a secret
// of many lines is none.
func isPlace(o Object, name string) bool {
	switch o.(type) {
	case *Resource, *ActionAddress, *Range:
		return true
	}
	name, _, _ = strings.Cut(name, ",")
	return slices.Contains([]string{"@module", "@timestamp", "address", "target_address", "list_block_address"}, name)
}
