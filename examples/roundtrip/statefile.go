// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// roundtripState is the codec of the raw state.
func roundtripState(w io.Writer, name string, src []byte) error {
	f, err := statefile.Decode(src)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return statefile.Write(w, f)
}

// canonicalState is roundtripState for -canonical.
func canonicalState(w io.Writer, name string, src []byte) error {
	f, err := statefile.Decode(src)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	text, err := statefile.Canonical(f)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	_, err = w.Write(text)
	return err
}

// roundtripOther is the codec of the other documents of package statefile.
func roundtripOther[D statefile.Document](decode func([]byte) (D, error)) codec {
	return func(w io.Writer, name string, src []byte) error {
		doc, err := decode(src)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		text, err := statefile.Encode(doc)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		_, err = w.Write(text)
		return err
	}
}
