// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package install

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// lockSuffix is the suffix of the files that OpenTofu locks in a plugin cache.
const lockSuffix = ".lock"

// tryLock locks a file, as OpenTofu does, and reports whether it got the lock.
// The system frees the lock whenever the process ends.
func tryLock(name string, remove bool) (unlock func(), ok bool, err error) {
	if info, err := os.Lstat(name); remove && err == nil && !info.IsDir() {
		if err := mayRemove(name, info); err != nil {
			return nil, false, err // before a pipe or a device is opened
		}
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o666)
	if err != nil {
		return nil, false, err
	}
	lock := &syscall.Flock_t{Type: syscall.F_WRLCK, Whence: int16(io.SeekStart)}
	if err := syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, lock); err != nil {
		f.Close()
		if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.EINTR) {
			return nil, false, nil
		}
		return nil, false, &os.PathError{Op: "lock", Path: name, Err: err}
	}
	// The previous holder may have removed the file after it was opened here.
	mine, err := f.Stat()
	if now, nowErr := os.Stat(name); err != nil || nowErr != nil || !os.SameFile(mine, now) {
		f.Close()
		return nil, false, nil
	}
	if remove {
		if err := mayRemove(name, mine); err != nil {
			f.Close()
			return nil, false, err
		}
	}
	return func() {
		if remove {
			removeLock(name, mine)
		}
		f.Close()
	}, true, nil
}

// identify returns the identity of the file called name.
func identify(name string) (fileID, error) {
	info, err := os.Stat(filepath.Dir(name))
	if err != nil {
		return fileID{}, err
	}
	base := filepath.Base(name)
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		base = strings.ToLower(base) // most of its disks take two spellings for one name
	}
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return fileID{uint64(s.Dev), uint64(s.Ino), base}, nil
	}
	return fileID{name: name}, nil
}

// isRunning reports whether there is a process with this number.
func isRunning(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
