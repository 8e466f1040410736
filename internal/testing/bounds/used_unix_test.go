// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package bounds

import "syscall"

// used returns the processor time of the process in microseconds.
func used() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return (u.Utime.Nano() + u.Stime.Nano()) / 1000
}
