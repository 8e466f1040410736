// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"strings"

	"github.com/tofuwire/tofuwire/internal/addrtext"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/knowntext"
)

// plainKeys replaces the keys of instances that have known secrets in the value that
// begins at start: an address, a list of them, or a key. Of the address the rest stays,
// and different keys become different ones.
func (e *engine) plainKeys(m *member, start int) {
	if e.learning || e.scan.Quiet(start, e.i) {
		return
	}
	plain := e.plainAddress
	if isKey(m) {
		plain = e.name
	}
	e.strings(start, plain, reasonSecret)
}

// isKey reports whether a member is a key and no address.
func isKey(m *member) bool { return m.name == "index" || m.name == "instance_key" }

// strings calls f with each string in the value that begins at start, which has been
// skipped, and replaces those that it changes.
func (e *engine) strings(start int, f func(text string) string, why reason) {
	end := e.i
	for i := start; i < end; {
		if e.text[i] != '"' {
			i++
			continue
		}
		e.i = jsonscan.StringEnd(e.text, i)
		text := jsonscan.Unquote(e.text[i:e.i])
		if now := f(text); now != text {
			e.pass(i)
			e.replace(i, e.i, string(quote(now)))
			e.hiddenToken(i, e.i, why)
		}
		i = e.i
	}
	e.i = end
}

// plainAddress returns an address without known secrets. The same address always
// becomes the same, and different ones stay different.
func (e *engine) plainAddress(address string) string {
	if !e.secrets.In(address) {
		return address
	}
	var b strings.Builder
	var ends []int // of replaced keys
	last := 0
	for i := 0; i < len(address); i++ {
		if address[i] != '[' {
			continue
		}
		end := addrtext.KeyEnd(address, i)
		if inner, ok := strings.CutPrefix(address[i:min(end, len(address))], `["`); ok && end < len(address) && strings.HasSuffix(inner, `"`) {
			key := unquoteKey(inner[:len(inner)-1])
			if plain := e.name(key); plain != key {
				ends = append(ends, i+2, end-1)
				b.WriteString(address[last:i] + `["` + quoteKey(plain) + `"]`)
				last = end + 1
			}
		}
		i = end
	}
	e.work += len(address)
	if e.secrets.Crosses(address, ends) { // a secret is not only in a key
		return e.name(address)
	}
	return e.name(b.String() + address[last:])
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

// hideKeys hides the keys of instances in a name, or in a list of names, which
// begins at start: any can be a secret. Where nothing is known of the document.
func (e *engine) hideKeys(m *member, start int) {
	if isKey(m) {
		e.hide(start, reasonClosed)
		return
	}
	e.strings(start, func(name string) string {
		if !strings.Contains(name, "[") {
			return name
		}
		return withKeys(name, e.token)
	}, reasonClosed)
}

// withKeys returns an address with this key in place of all that are strings.
func withKeys(address, key string) string {
	var b strings.Builder
	for i := 0; i < len(address); i++ {
		b.WriteByte(address[i])
		if strings.HasPrefix(address[i:], `["`) {
			i = addrtext.KeyEnd(address, i)
			b.WriteString(`"` + key + `"]`)
		}
	}
	return b.String()
}
