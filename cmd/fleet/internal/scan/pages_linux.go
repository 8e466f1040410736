// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package scan

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// forgetPages gives back the pages of the program's own file that its initialization has read:
// the drivers of three clouds register some 25 MiB that a scan of files never uses. Only
// pages that cannot be written go. The system reads them again from the file if they are used.
func forgetPages() {
	self, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	f, err := os.Open("/proc/self/maps")
	if err != nil {
		return
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var from, to uintptr
		var mode string
		if _, err := fmt.Sscanf(lines.Text(), "%x-%x %s", &from, &to, &mode); err != nil || !strings.HasPrefix(mode, "r-") || !strings.HasSuffix(lines.Text(), " "+self) {
			continue
		}
		// It is advice: a system that does not take it keeps the pages.
		syscall.Syscall(syscall.SYS_MADVISE, from, to-from, uintptr(syscall.MADV_DONTNEED))
	}
}
