// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/uijson"
)

// roundtripUI decodes every line of a message stream and writes it back. What
// is no message is passed on: on a stream, that is no error. A stream that
// ends in the middle of a message is written to its end as well.
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

// canonicalUI is roundtripUI for -canonical: one message a line. What is no
// message has no other form than its own.
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
