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
	"strconv"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
)

// UpdateLockFile changes the lock file called name. It waits for the file's lock,
// loads the file, calls edit, saves the file, and returns the changes. If the file
// does not exist, edit gets a new one of the tool; it is written only if it gets a
// lock. If edit fails, nothing is written.
//
// Processes and goroutines that change the file in this way do not lose each other's changes,
// whichever paths of the file they use. Therefore, edit must start from the file it gets, not
// from data read earlier, and change that file: if edit assigns another [lockfile.File] to
// it, the error is [lockfile.ErrChanged]. To replace the whole text, for example by
// [lockfile.File.Canonical], take the same lock, LockFile(ctx, name+".lock"), load the
// file, and save the new one with the option Overwrite.
//
// For "tofu init -lockfile=readonly", compare the locks with [lockfile.Diff] and do not
// call UpdateLockFile: that command fails if Selections of the result is true, and
// otherwise only warns.
//
// UpdateLockFile removes the files that a killed process left. It follows a
// symbolic link to a file that exists, and then locks next to the target. A link
// that leads nowhere is [lockfile.ErrSymlink]. [lockfile.File.Save] by itself refuses
// every symbolic link unless its option Symlink says otherwise.
func UpdateLockFile(ctx context.Context, name string, tool addrs.Tool, edit func(*lockfile.File) error) (lockfile.Changes, error) {
	if info, err := os.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		// A link that leads nowhere is not followed to make a file.
		target, err := filepath.EvalSymlinks(name)
		if err != nil {
			return nil, &lockfile.Error{Filename: name, Err: fmt.Errorf("%w: %w", lockfile.ErrSymlink, err)}
		}
		name = target
	}
	release, err := LockFile(ctx, name+".lock")
	if err != nil {
		return nil, err
	}
	defer release()
	cleanSaves(name)
	file, err := lockfile.Load(name)
	fresh := errors.Is(err, fs.ErrNotExist)
	if fresh {
		file, err = lockfile.New(name, tool), nil
	}
	if err != nil {
		return nil, err
	}
	before := file.Locks()
	if err := edit(file); err != nil {
		return nil, err
	}
	if fresh && len(file.Locks()) == 0 {
		return nil, nil // like the tools, which write no file without a lock
	}
	if err := file.Save(lockfile.SaveOptions{}); err != nil {
		return nil, err
	}
	return lockfile.Diff(before, file.Locks()), nil
}

// cleanSaves removes the files that killed processes left when they saved the file
// called name: NAME.PROCESS-NUMBER.tmp. Those of running processes stay for an hour,
// because the number may belong to another process by now.
func cleanSaves(name string) {
	names, err := os.ReadDir(filepath.Dir(name))
	if err != nil {
		return
	}
	for _, n := range names {
		rest, ok := strings.CutPrefix(n.Name(), "."+filepath.Base(name)+".") // as package replacefile calls them
		rest, isTemp := strings.CutSuffix(rest, ".tmp")
		number, _, _ := strings.Cut(rest, "-")
		pid, err := strconv.Atoi(number)
		if !ok || !isTemp || err != nil || pid <= 0 || !n.Type().IsRegular() {
			continue
		}
		if info, err := n.Info(); err == nil && (!isRunning(pid) || time.Since(info.ModTime()) > time.Hour) {
			os.Remove(filepath.Join(filepath.Dir(name), n.Name()))
		}
	}
}
