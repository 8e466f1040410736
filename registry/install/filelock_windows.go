// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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
	h, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL|syscall.FILE_FLAG_OPEN_REPARSE_POINT, 0)
	if errors.Is(err, sharingViolation) || errors.Is(err, syscall.ERROR_ACCESS_DENIED) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, &os.PathError{Op: "lock", Path: name, Err: err}
	}
	var mine fs.FileInfo
	if remove {
		if mine, err = os.Lstat(name); err == nil {
			err = mayRemove(name, mine)
		}
		if err != nil {
			syscall.CloseHandle(h)
			return nil, false, err
		}
	}
	return func() {
		if remove {
			defer removeLock(name, mine) // fails if the next holder already has it
		}
		syscall.CloseHandle(h)
	}, true, nil
}

// identify returns the identity of the file called name.
func identify(name string) (fileID, error) {
	dir, err := os.Open(filepath.Dir(name))
	if err != nil {
		return fileID{}, err
	}
	defer dir.Close()
	var info syscall.ByHandleFileInformation
	if err := syscall.GetFileInformationByHandle(syscall.Handle(dir.Fd()), &info); err != nil {
		return fileID{}, &os.PathError{Op: "lock", Path: name, Err: err}
	}
	index := uint64(info.FileIndexHigh)<<32 | uint64(info.FileIndexLow)
	return fileID{uint64(info.VolumeSerialNumber), index, strings.ToLower(filepath.Base(name))}, nil
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
