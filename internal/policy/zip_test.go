// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"testing"

	modversion "golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// maxZip is how many bytes the library's zip may have, which everybody downloads who uses a package.
const maxZip = 4_000_000

// TestZip makes the zip that the go command downloads. Large folders of test data have a go.mod of
// one line, which keeps them out of it.
func TestZip(t *testing.T) {
	var size counter
	if err := zip.CreateFromDir(&size, modversion.Version{Path: module, Version: "v0.1.0"}, root); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", size)
	if size > maxZip || size < maxZip/10 {
		t.Errorf("the zip of the module has %d bytes, of at most %d", size, maxZip)
	}
}

// A counter counts what is written to it.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
