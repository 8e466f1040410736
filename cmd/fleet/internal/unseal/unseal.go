// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package unseal opens encrypted states, with the options that the program state has.
package unseal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/tofuwire/tofuwire/cmd/internal/encryption"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// New returns the function that opens states, or nil if both names are empty. The file
// passphrase has the passphrase of a key provider pbkdf2, or of the first of a chain of
// them; one LF or CRLF at its end does not count. The file config has the text of
// TF_ENCRYPTION. Errors have no keys.
func New(passphrase, config string) (func(context.Context, []byte) ([]byte, error), error) {
	switch {
	case passphrase != "" && config != "":
		return nil, errors.New("-passphrase-file and -config cannot be combined")
	case passphrase != "":
		text, err := os.ReadFile(passphrase)
		if err != nil {
			return nil, err
		}
		if line, ok := bytes.CutSuffix(text, []byte("\n")); ok {
			text = bytes.TrimSuffix(line, []byte("\r"))
		}
		return func(ctx context.Context, src []byte) ([]byte, error) {
			return statefile.Decrypt(ctx, src, string(text))
		}, nil
	case config != "":
		text, err := os.ReadFile(config)
		if err != nil {
			return nil, err
		}
		e, err := encryption.Parse(text, false)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", config, err)
		}
		return e.Decrypt, nil
	}
	return nil, nil
}
