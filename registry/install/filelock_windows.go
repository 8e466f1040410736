// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"errors"
	"os"
	"syscall"
)

// lockSuffix differs from that of OpenTofu. OpenTofu locks a part of its file
// here; this package opens the whole file exclusively.
const lockSuffix = ".tofuwire-lock"

// tryLock opens a file exclusively, and reports whether that worked. The system
// closes the file whenever the process ends.
func tryLock(name string, remove bool) (unlock func(), ok bool, err error) {
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, false, err
	}
	const sharingViolation = syscall.Errno(32)
	h, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, sharingViolation) || errors.Is(err, syscall.ERROR_ACCESS_DENIED) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, &os.PathError{Op: "lock", Path: name, Err: err}
	}
	return func() {
		syscall.CloseHandle(h)
		if remove {
			os.Remove(name) // fails if the next holder already has it
		}
	}, true, nil
}

// isRunning reports whether there is a process with this number.
func isRunning(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	p.Release()
	return true
}
