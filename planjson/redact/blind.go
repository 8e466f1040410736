// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import "strings"

// A blindWriter is the phase that writes a document that can be read only once: whatever
// the rest of it may call sensitive is hidden.
type blindWriter struct{ writer }

func (b *blindWriter) isFirst() bool  { return true }
func (b *blindWriter) closed() reason { return reasonClosed }

func (b *blindWriter) references(_ string, start int) { b.address(new(member), start) }

// address hides the keys of instances in a name, or in a list of names, which
// begins at start: any can be a secret. Where nothing is known of the document.
func (b *blindWriter) address(m *member, start int) {
	if isKey(m) {
		b.engine.hide(start, reasonClosed)
		return
	}
	b.strings(start, func(name string) string {
		if !strings.Contains(name, "[") {
			return name
		}
		return withKeys(name, b.token)
	}, reasonClosed)
}
