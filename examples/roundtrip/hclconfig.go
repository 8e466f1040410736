// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/hclconfig"
)

// roundtripJSONConfig is the codec of tfjson: configuration in JSON syntax.
func roundtripJSONConfig(w io.Writer, name string, src []byte) error {
	return writeConfig(w, hclconfig.ParseJSON, name, src)
}

// roundtripNativeConfig is the codec of tf: configuration in native syntax.
func roundtripNativeConfig(w io.Writer, name string, src []byte) error {
	return writeConfig(w, hclconfig.ParseNative, name, src)
}

// writeConfig parses and writes back. A configuration file with syntax errors
// has been read as far as it can be, and keeps its bytes: they are written as
// well, and the first error is told.
func writeConfig(w io.Writer, parse func(string, []byte, ...hclconfig.Option) (*hclconfig.File, error), name string, src []byte) error {
	f, err := parse(name, src)
	_, werr := w.Write(f.Bytes())
	return errors.Join(err, werr)
}

// formatNativeConfig writes native configuration as the tool's fmt does.
func formatNativeConfig(w io.Writer, name string, src []byte) error {
	out, err := hclconfig.Format(src)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	_, err = w.Write(out)
	return err
}
