// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
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
// is read as far as possible and keeps its bytes. They are written as well, and
// the first error is returned.
func writeConfig(w io.Writer, parse func(string, []byte, ...hclconfig.Option) (*hclconfig.File, error), name string, src []byte) error {
	f, err := parse(name, src)
	_, werr := w.Write(f.Bytes())
	return errors.Join(err, werr)
}

// formatNativeConfig writes native configuration as the tool's fmt does.
func formatNativeConfig(w io.Writer, name string, src []byte) error {
	out, err := hcledit.Format(src)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	_, err = w.Write(out)
	return err
}
