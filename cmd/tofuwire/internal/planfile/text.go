// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// errExpands is the error for a text that is far longer than its compressed form.
var errExpands = errors.New("the text is more than 200 times as long as its compressed form")

// Plain returns a text, decompressed if it is in gzip's format by its first bytes: stores of
// states keep it so, whatever they call it.
func Plain(text []byte) ([]byte, error) {
	if !IsGzip(text) {
		return text, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("gzip: %w", err)
	}
	limit := 200*int64(len(text)) + 1<<20
	plain, err := io.ReadAll(io.LimitReader(z, limit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("gzip: %w", err)
	case int64(len(plain)) > limit:
		return nil, errExpands
	}
	return plain, nil
}

// IsGzip reports whether a text begins as gzip's format does.
func IsGzip(text []byte) bool { return bytes.HasPrefix(text, []byte{0x1f, 0x8b}) }
