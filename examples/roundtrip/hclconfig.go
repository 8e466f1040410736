// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"

	"github.com/tofuwire/tofuwire/hclconfig"
)

// roundtripJSONConfig is the codec of tfjson: configuration in JSON syntax.
func roundtripJSONConfig(w io.Writer, name string, src []byte) error {
	f, err := hclconfig.ParseJSON(name, src)
	if err != nil {
		return err
	}
	_, err = w.Write(f.Bytes())
	return err
}

// roundtripNativeConfig is the codec of tf: configuration in native syntax.
func roundtripNativeConfig(w io.Writer, name string, src []byte) error {
	f, err := hclconfig.ParseNative(name, src)
	if err != nil {
		return err
	}
	_, err = w.Write(f.Bytes())
	return err
}
