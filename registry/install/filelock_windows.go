// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"errors"
	"os"
	"syscall"
)

// lockSuffix is not that of OpenTofu, which locks a part of its file here, where
// this package opens it alone.
const lockSuffix = ".tofuwire-lock"

// tryLock opens a file so that nobody else can, and reports whether nobody else
// has. The system closes it when the process ends, however that happens.
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
			os.Remove(name) // fails if the next one has it already
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
