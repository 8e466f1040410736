// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package scan

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// fileMemory returns how much of the memory of this process is of files, in KiB.
func fileMemory(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip("needs /proc:", err)
	}
	_, rest, ok := strings.Cut(string(status), "RssFile:")
	if !ok {
		t.Skip("needs a system that tells what memory is of files")
	}
	var kib int
	fmt.Sscan(rest, &kib)
	return kib
}

func TestForgetPages(t *testing.T) {
	before := fileMemory(t)
	forgetPages()
	if after := fileMemory(t); after > before*3/4 {
		t.Errorf("%d KiB of files before, %d after", before, after)
	}
}
