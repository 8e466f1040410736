// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/planjson"
)

// roundtripJSON returns the codec of one of planjson's documents.
func roundtripJSON[D planjson.Document](decode func([]byte) (D, error)) codec {
	return func(w io.Writer, name string, src []byte) error {
		doc, err := decode(src)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return planjson.Write(w, doc)
	}
}

// canonicalJSON is roundtripJSON for -canonical.
func canonicalJSON[D planjson.Document](decode func([]byte) (D, error)) codec {
	return func(w io.Writer, name string, src []byte) error {
		doc, err := decode(src)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		text, err := planjson.Canonical(doc)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		_, err = w.Write(text)
		return err
	}
}
