// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/uijson"
)

// roundtripUI decodes every line of a message stream and writes it back. It
// passes on lines that are not messages, which are not errors on a stream. It
// also writes the end of a stream that stops in the middle of a message.
func roundtripUI(w io.Writer, name string, src []byte) error {
	r := uijson.NewReader(bytes.NewReader(src), uijson.MaxLine(0))
	out := uijson.NewWriter(w)
	for ev, err := range r.Borrowed() {
		if err != nil {
			break // the last line is incomplete, and has been written
		}
		if err := out.WriteEvent(ev); err != nil {
			return err
		}
	}
	return nil
}

// canonicalUI is roundtripUI for -canonical: one message a line. Lines that are
// not messages are unchanged.
func canonicalUI(w io.Writer, name string, src []byte) error {
	r := uijson.NewReader(bytes.NewReader(src), uijson.MaxLine(0))
	for ev, err := range r.Events() {
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if ev.Message == nil {
			if _, err := w.Write(ev.Raw); err != nil {
				return err
			}
			continue
		}
		text, err := uijson.Canonical(ev.Message)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if _, err := w.Write(append(text, '\n')); err != nil {
			return err
		}
	}
	return nil
}
