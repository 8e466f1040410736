// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	_ "embed"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
)

// lockFile was written by "tofu init" and "tofu providers lock".
//
//go:embed testdata/lockfile/terraform.lock.hcl
var lockFile []byte

// showLockfile prints the content of a lock file, and the effect of one edit.
func showLockfile(w io.Writer) error {
	f, err := lockfile.Parse(lockfile.Name, lockFile)
	if err != nil {
		return err
	}
	before := f.Locks()
	fmt.Fprintf(w, "%s: %d providers locked, as written by %s: %v\n", f.Filename(), len(before), addrs.OpenTofu, f.IsCanonical(addrs.OpenTofu))
	for _, b := range f.Blocks() {
		fmt.Fprintf(w, "  line %2d: %s %s (constraints %q), %d hashes\n", b.Range().Start.Line, b.Provider(), b.Version(), b.Constraints(), len(b.Hashes()))
	}

	// Add a hash and compare the file with the original.
	first := before[0]
	if err := f.AddHashes(first.Provider, "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="); err != nil {
		return err
	}
	fmt.Fprintf(w, "after adding a hash the file has %d bytes more:\n%s", len(f.Bytes())-len(lockFile), lockfile.Diff(before, f.Locks()))

	// A package is verified by its own hashes, not by the fact that a lock has
	// some hash.
	v := first.Verify("h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
	fmt.Fprintf(w, "a package with that hash, against the lock before: %s\n", v.Verdict)
	return nil
}
