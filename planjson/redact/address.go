// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/knowntext"
	"github.com/tofuwire/tofuwire/internal/plantext"
)

// address replaces the keys of instances that have known secrets in the value that
// begins at start: an address, a list of them, or a key. Of the address the rest stays,
// and different keys become different ones.
func (w *writer) address(m *member, start int) {
	if w.scan.Quiet(start, w.i) {
		return
	}
	plain := w.plainAddress
	if isKey(m) {
		plain = w.name
	}
	w.strings(start, plain, reasonSecret)
}

// isKey reports whether a member is a key and no address.
func isKey(m *member) bool { return m.name == "index" || m.name == "instance_key" }

// strings calls f with each string in the value that begins at start, which has been
// skipped, and replaces those that it changes.
func (w *writer) strings(start int, f func(text string) string, why reason) {
	end := w.i
	for i := start; i < end; {
		if w.text[i] != '"' {
			i++
			continue
		}
		w.i = jsonscan.StringEnd(w.text, i)
		text := jsonscan.Unquote(w.text[i:w.i])
		if now := f(text); now != text {
			w.scrub(i, true)
			w.replace(i, w.i, string(quote(now)))
			w.hiddenToken(i, w.i, why)
		}
		i = w.i
	}
	w.i = end
}

// plainAddress returns an address without known secrets. The same address always
// becomes the same, and different ones stay different.
func (w *writer) plainAddress(address string) string {
	if !w.secrets.In(address) {
		return address
	}
	var b strings.Builder
	var ends []int // of replaced keys
	last := 0
	for i := 0; i < len(address); i++ {
		if address[i] != '[' {
			continue
		}
		end := plantext.KeyEnd(address, i)
		if inner, ok := strings.CutPrefix(address[i:min(end, len(address))], `["`); ok && end < len(address) && strings.HasSuffix(inner, `"`) {
			key := unquoteKey(inner[:len(inner)-1])
			if plain := w.name(key); plain != key {
				ends = append(ends, i+2, end-1)
				b.WriteString(address[last:i] + `["` + quoteKey(plain) + `"]`)
				last = end + 1
			}
		}
		i = end
	}
	w.work += len(address)
	if w.secrets.Crosses(address, ends) { // a secret is not only in a key
		return w.name(address)
	}
	return w.name(b.String() + address[last:])
}

var (
	templateMarks = strings.NewReplacer("$${", "${", "%%{", "%{")
	templates     = strings.NewReplacer("${", "$${", "%{", "%%{")
)

// unquoteKey returns the key that is between quotes in an address.
func unquoteKey(text string) string { return templateMarks.Replace(knowntext.Unescape(text)) }

// quoteKey returns what is between the quotes for a key.
func quoteKey(key string) string {
	quoted := jsonscan.AppendQuote(nil, key, false)
	return templates.Replace(string(quoted[1 : len(quoted)-1]))
}

// withKeys returns an address with this key in place of all that are strings.
func withKeys(address, key string) string {
	var b strings.Builder
	for i := 0; i < len(address); i++ {
		b.WriteByte(address[i])
		if strings.HasPrefix(address[i:], `["`) {
			i = plantext.KeyEnd(address, i)
			b.WriteString(`"` + key + `"]`)
		}
	}
	return b.String()
}
