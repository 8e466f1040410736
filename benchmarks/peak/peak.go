// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package peak lets a process that is measured say how much memory it needed.
package peak

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// Prefix begins the line that Print prints. A number of KiB follows.
const Prefix = "peak-KiB "

// Print prints a line with the peak of the memory of this process so far. Only
// Linux reports it.
func Print() error {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	_, rest, ok := strings.Cut(string(status), "VmHWM:")
	if !ok {
		return errors.New("this system does not tell the peak memory of a process")
	}
	kib, _, _ := strings.Cut(rest, "kB")
	fmt.Println(Prefix + strings.TrimSpace(kib))
	return nil
}
