// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package main

import (
	"errors"
	"io"
)

// lockFile locks a file as another run of a tool does, until it is closed.
func lockFile(name string) (io.Closer, error) {
	return nil, errors.New("files are locked on Unix only")
}
