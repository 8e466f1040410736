// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"errors"
	"io/fs"

	"github.com/tofuwire/tofuwire/internal/replacefile"
)

// writeFile replaces a file, or makes it.
func writeFile(name string, text []byte) error {
	err := replacefile.Edit(name, text)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	s, err := replacefile.Stage(name, text, 0o666)
	if err != nil {
		return err
	}
	return s.Replace()
}
