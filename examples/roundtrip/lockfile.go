// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"io"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
)

// roundtripLock is the codec of the kind lock: a dependency lock file. A lock
// file with values that tofu refuses, such as a version that is not in normal
// form, can still be read and edited. Only a file that is not well-formed does
// not decode.
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
	tool := addrs.OpenTofu
	if bytes.Contains(src, []byte("by \"terraform init\"")) {
		tool = addrs.Terraform
	}
	_, err = w.Write(f.Canonical(tool))
	return err
}
