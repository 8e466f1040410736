// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tofuwire/tofuwire/lockfile"
)

// locked are the locks that this process holds. The locks of the system work
// only between processes.
var locked sync.Map // fileID to chan struct{}

// A fileID identifies a file that need not exist: by its directory, whatever path leads
// there, and its name. The file itself has no lasting identity, because saving it puts
// another one in its place.
type fileID struct {
	volume, dir uint64 // as the system counts them
	name        string // the last part; the whole path if the system counts nothing
}

// waiting is how many calls of this process wait for a lock.
var waiting atomic.Int64

// pause is how long a call waits at most until it tries again. However many wait, the
// process tries a hundred times a second, or each call ten times: a try costs little,
// but a process may wait for the packages of all its providers.
func pause() time.Duration {
	return min(10*time.Millisecond*time.Duration(waiting.Load()), 100*time.Millisecond)
}

// LockFile waits for the lock of the named file, an empty file that exists only for
// the lock, such as data.lock for data. To change a dependency lock file, use
// [UpdateLockFile].
//
// If necessary, LockFile creates the file and its directories. The returned function
// releases the lock and removes the file. The lock is advisory, and ends with the
// process: a killed process does not block others, and LockFile takes over the empty
// file that it left. The lock keeps processes and goroutines from changing the same
// data at the same time, whichever of its paths they use, bind mounts included. Between
// hosts, it does that if their shared file system passes on fcntl locks, as NFS version
// 4 does. Two overlay mounts of one directory are two disks to the system, with no lock
// in common.
//
// LockFile never removes a file with content. If the file is not empty or not a
// regular file, or if its name is [lockfile.Name], the error is a [*fs.PathError] and
// the file stays as it is. The last part of name must not be a symbolic link either:
// the error is [lockfile.ErrSymlink].
func LockFile(ctx context.Context, name string) (release func(), err error) {
	if strings.EqualFold(filepath.Base(name), lockfile.Name) {
		return nil, &fs.PathError{Op: "lock", Path: name, Err: errLockFileName}
	}
	return lockFile(ctx, name, true)
}

// Files that LockFile refuses, because it would remove them.
var (
	errLockFileName = errors.New("this is the name of a dependency lock file: use UpdateLockFile to change it")
	errNotOurs      = errors.New("the file was not made for a lock: it is not an empty regular file; use UpdateLockFile to change a dependency lock file, and another name for a lock")
)

// mayRemove returns an error if a file is not one that LockFile makes.
func mayRemove(name string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() || info.Size() > 0 {
		return &fs.PathError{Op: "lock", Path: name, Err: errNotOurs}
	}
	return nil
}

// removeLock removes a file that LockFile has made or taken over, unless another file
// has its name now, or it was written to.
func removeLock(name string, made fs.FileInfo) {
	now, err := os.Lstat(name)
	if err == nil && os.SameFile(made, now) && mayRemove(name, now) == nil {
		os.Remove(name)
	}
}

// lockFile is LockFile. Files that other programs also lock must not be removed:
// a program could then wait for a file that has no name any more.
func lockFile(ctx context.Context, name string, remove bool) (release func(), err error) {
	name, err = filepath.Abs(name)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(name), 0o777)
	}
	if err != nil {
		return nil, err
	}
	id, err := identify(name)
	if err != nil {
		return nil, err
	}
	gaveUp := func() error { return fmt.Errorf("waiting for the lock %s: %w", name, context.Cause(ctx)) }
	// Locks of this process come first.
	mine := make(chan struct{})
	for {
		other, taken := locked.LoadOrStore(id, mine)
		if !taken {
			break
		}
		select {
		case <-other.(chan struct{}):
		case <-ctx.Done():
			return nil, gaveUp()
		}
	}
	free := func() {
		locked.Delete(id)
		close(mine)
	}
	waiting.Add(1)
	defer waiting.Add(-1)
	for delay := time.Millisecond; ; delay = min(2*delay, pause()) {
		if ctx.Err() != nil {
			free()
			return nil, gaveUp()
		}
		if info, err := os.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			free()
			return nil, &fs.PathError{Op: "lock", Path: name, Err: lockfile.ErrSymlink}
		}
		unlock, ok, err := tryLock(name, remove)
		if err != nil {
			free()
			return nil, err
		}
		if ok {
			return sync.OnceFunc(func() {
				unlock()
				free()
			}), nil
		}
		select {
		case <-time.After(delay):
		case <-ctx.Done():
		}
	}
}
