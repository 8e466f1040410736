// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
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
