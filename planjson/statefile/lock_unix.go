// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package statefile

import (
	"io"
	"os"
	"syscall"
)

// hasLocks reports whether files have locks here.
const hasLocks = true

// lockFile takes the lock that the tools take on a local state, until f is closed.
func lockFile(f *os.File) error {
	whole := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart}
	return syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &whole)
}
