// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"

	"github.com/tofuwire/tofuwire/planjson/redact"
	"github.com/tofuwire/tofuwire/uijson"
)

// messages redacts a stream of messages.
func messages(w io.Writer, src io.Reader, r redact.Redactor, o options) error {
	keep := uijson.UnmarkedOutputs
	switch {
	case o.all:
		keep = 0
	case o.keep:
		keep = ^uijson.Unmarked(0)
	}
	out := uijson.NewWriter(w)
	for ev, err := range uijson.NewReader(src).Events() {
		if err != nil {
			return err
		}
		if ev.Message == nil {
			continue // nothing says what is in a line that is not a message
		}
		ev.Message.Redact(keep)
		if err := out.Write(ev.Message); err != nil {
			return err
		}
	}
	return nil
}
