// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import "fmt"

// A Reason says why something was hidden.
type Reason uint8

// The reasons. Where several hold, the first of them is reported.
const (
	ReasonMarked    Reason = iota + 1 // the document marks this place as sensitive
	ReasonElsewhere                   // the document marks this place of the same object elsewhere
	ReasonSchema                      // the provider's schema calls it sensitive or write-only
	ReasonRule                        // a Rule covers it
	ReasonSecret                      // it has a known secret: one of Secrets, or a text that is hidden elsewhere
	ReasonFlow                        // it becomes a part of something sensitive
	ReasonClosed                      // nothing says that it is not sensitive
)

var reasonNames = [...]string{"", "marked", "elsewhere", "schema", "rule", "secret", "flow", "closed"}

// String returns one word: marked, elsewhere, schema, rule, secret, flow or
// closed.
func (r Reason) String() string {
	if r > 0 && int(r) < len(reasonNames) {
		return reasonNames[r]
	}
	return fmt.Sprintf("Reason(%d)", uint8(r))
}

// MarshalText returns the word of [Reason.String].
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// first returns the one of two reasons that is reported.
func first(a, b Reason) Reason {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// A Hidden says that one value, text or name was replaced. It has no part of
// what was there.
type Hidden struct {
	// Pointer is the JSON pointer of the value (RFC 6901), or of the object
	// whose member's name was replaced. Known secrets in it are replaced.
	Pointer string `json:"pointer"`

	// Address is that of the resource instance, the configuration block, or
	// output.NAME or var.NAME, if there is one.
	Address string `json:"address,omitempty"`

	// Why is the reason.
	Why Reason `json:"why"`
}
