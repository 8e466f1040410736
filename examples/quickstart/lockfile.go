// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	_ "embed"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/lockfile"
)

// lockFile was written by "tofu init" and "tofu providers lock".
//
//go:embed testdata/lockfile/terraform.lock.hcl
var lockFile []byte

// showLockfile prints what package lockfile sees in a lock file, and what one
// edit changes.
func showLockfile(w io.Writer) error {
	f, err := lockfile.Parse(lockfile.Name, lockFile)
	if err != nil {
		return err
	}
	before := f.Locks()
	fmt.Fprintf(w, "%s: %d providers locked, as written by %s: %v\n", f.Filename(), len(before), lockfile.OpenTofu, f.IsCanonical(lockfile.OpenTofu))
	for _, b := range f.Blocks() {
		fmt.Fprintf(w, "  line %2d: %s %s (constraints %q), %d hashes\n", b.Range().Start.Line, b.Provider(), b.Version(), b.Constraints(), len(b.Hashes()))
	}

	// Add a hash and see what became of the file.
	first := before[0]
	if err := f.AddHashes(first.Provider, "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="); err != nil {
		return err
	}
	fmt.Fprintf(w, "after adding a hash the file has %d bytes more:\n%s", len(f.Bytes())-len(lockFile), lockfile.Diff(before, f.Locks()))

	// A package is verified by its hashes; that some hash is known is not enough.
	v := first.Verify("h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
	fmt.Fprintf(w, "a package with that hash, against the lock before: %s\n", v.Outcome)
	return nil
}
