// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import "strings"

// A blindWriter is the pass that writes a document that can be read only once: whatever
// the rest of it may call sensitive is hidden.
type blindWriter struct{ writer }

// piece writes a piece, with nothing left of the keys of instances: any can be a secret.
func (b *blindWriter) piece(p piece) ([][]byte, error) {
	b.begin(p.text)
	for ev := range b.events(p) {
		if m := ev.member; ev.kind == eventEnd && m != nil && (m.verdict == verdictAddress || m == references) {
			b.hideKeys(m, ev.start)
			b.scrub(ev.end, true)
		} else {
			b.event(ev)
		}
	}
	return b.written(), b.failed
}

// hideKeys hides the keys of instances in an address, or in a list of addresses, which begins
// at start, or in what is a key.
func (b *blindWriter) hideKeys(m *member, start int) {
	if isKey(m) {
		b.hideFrom(start, reasonClosed, nil, false)
		return
	}
	b.strings(start, func(name string) string {
		if !strings.Contains(name, "[") {
			return name
		}
		return withKeys(name, b.token)
	}, reasonClosed)
}
