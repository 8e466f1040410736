// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestRun checks that every package has its part in the output.
func TestRun(t *testing.T) {
	var out bytes.Buffer
	if err := run(&out); err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(out.String(), "== ")[1:]
	for i, pkg := range []string{"addrs", "planjson", "uijson", "hclconfig", "lockfile", "checksum", "registry"} {
		if i >= len(parts) || !strings.HasPrefix(parts[i], pkg+": ") || strings.Count(parts[i], "\n") < 4 {
			t.Errorf("part %d is not that of %s:\n%s", i, pkg, out.String())
		}
	}
}
