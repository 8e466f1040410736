// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package install

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// lockSuffix is that of the files that OpenTofu locks in a plugin cache.
const lockSuffix = ".lock"

// tryLock locks a file, as OpenTofu does, and reports whether nobody else has the
// lock. The system frees it when the process ends, however that happens.
func tryLock(name string) (io.Closer, bool, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, false, err
	}
	lock := &syscall.Flock_t{Type: syscall.F_WRLCK, Whence: int16(io.SeekStart)}
	err = syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, lock)
	if err == nil {
		return f, true, nil
	}
	f.Close()
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.EINTR) {
		return nil, false, nil
	}
	return nil, false, &os.PathError{Op: "lock", Path: name, Err: err}
}
