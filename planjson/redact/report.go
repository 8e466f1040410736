// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

// A reason says why something was hidden.
type reason uint8

// The reasons. Where several hold, the first of them is reported.
const (
	reasonMarked    reason = iota + 1 // the document marks this place as sensitive
	reasonElsewhere                   // the document marks this place of the same object elsewhere
	reasonSchema                      // the provider's schema calls it sensitive or write-only
	reasonRule                        // a Rule covers it
	reasonSecret                      // it has a known secret: one of Secrets, or a text that is hidden elsewhere
	reasonFlow                        // it becomes a part of something sensitive
	reasonClosed                      // nothing says that it is not sensitive
	reasonNoSchema                    // Schemas are set, and none has the type of the resource
	reasonRemote                      // it is a setting or an output of terraform_remote_state
)

var reasonNames = [...]string{"", "marked", "elsewhere", "schema", "rule", "secret", "flow", "closed", "no-schema", "remote-state"}

// first returns the one of two reasons that is reported.
func first(a, b reason) reason {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// An Entry says that a value, text or name was replaced, or that one was kept that a
// careful reader should know about. It contains no part of the original.
type Entry struct {
	// Pointer is the JSON pointer of the value (RFC 6901), or of the object
	// whose member's name it is. Known secrets in it are replaced.
	Pointer string `json:"pointer"`

	// Address is that of the resource instance, the configuration block, or
	// output.NAME or var.NAME, if there is one.
	Address string `json:"address,omitempty"`

	// Why is the reason. If several apply, it is the first of these:
	//
	//	marked     the document marks this place as sensitive
	//	elsewhere  the document marks this place of the same object elsewhere
	//	schema     the provider's schema calls it sensitive or write-only
	//	rule       a Rule covers it
	//	secret     it has a known secret
	//	flow       it becomes a part of a sensitive value
	//	closed     nothing says that it is not sensitive
	//	no-schema  Schemas are set, and none has the resource's type
	//	remote-state  it is a setting or an output of terraform_remote_state
	//
	// Or the reason why it was kept:
	//
	//	plain      it is, or has in it, a text that is sensitive elsewhere, but plain
	//	identity   it identifies an object
	Why string `json:"why"`

	// Kept reports whether it was kept.
	Kept bool `json:"kept,omitempty"`

	// Length is the length in bytes of a text that was kept.
	Length int `json:"length,omitempty"`
}
