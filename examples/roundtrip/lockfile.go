// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"io"

	"github.com/tofuwire/tofuwire/lockfile"
)

// roundtripLock is the codec of the kind lock: a dependency lock file. A file
// whose values tofu refuses, such as a version that is not in normal form, is
// still a lock file that can be read and edited; only one that is not
// well-formed does not decode.
func roundtripLock(w io.Writer, name string, src []byte) error {
	f, err := lockfile.Parse(name, src)
	if errors.Is(err, lockfile.ErrSyntax) {
		return err
	}
	_, err = w.Write(f.Bytes())
	return err
}

// canonicalLock is roundtripLock for -canonical. The comment at the head of a
// lock file names the command that maintains it.
func canonicalLock(w io.Writer, name string, src []byte) error {
	f, err := lockfile.Parse(name, src)
	if err != nil {
		return err
	}
	tool := lockfile.OpenTofu
	if bytes.Contains(src, []byte("by \"terraform init\"")) {
		tool = lockfile.Terraform
	}
	_, err = w.Write(f.Canonical(tool))
	return err
}
