// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// lockSuffix is not that of OpenTofu, which locks a part of its file here, where
// this package opens it alone.
const lockSuffix = ".tofuwire-lock"

// tryLock opens a file so that nobody else can, and reports whether nobody else
// has. The system closes it when the process ends, however that happens.
func tryLock(name string) (io.Closer, bool, error) {
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
	return os.NewFile(uintptr(h), name), true, nil
}
